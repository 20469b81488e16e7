"""What the journal of a session costs for each combat, by the way its records are put on the disk.

Run it from the repository with ``python -m benchmarks.journal``; ``--folder`` chooses the disk.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

NONE = "no journal"
WRITTEN = "written, not synced"
SYNCED = "synced at each result (ours)"
GROUPED = "synced at every 10th result"


def session_on(path: Path | None) -> Any:
    """Make a session with a journal in a file, or in memory."""
    from enfilade_repl.dispatch import new_session
    from enfilade_repl.journal import Journal

    journal = Journal(path, {"seed": "5", "dice": "roll"})
    session = new_session(seed="5", journal=journal)
    session.enter("use infantry_attacks")
    return session


def seconds_of(path: Path | None, sync: Callable[[int], None], combats: int) -> float:
    """The mean seconds of a combat."""
    taken = []
    with mock.patch("enfilade_repl.journal.os.fsync", sync):
        session = session_on(path)
        for number in range(combats):
            entry = f"direct_fire fire_value {number % 50 + 1} on 4 3"
            began = time.perf_counter()
            session.enter(entry)
            taken.append(time.perf_counter() - began)
        session.journal.close()
    return statistics.mean(taken)


def every_tenth() -> Callable[[int], None]:
    """A sync that does its work at each tenth call."""
    real, calls = os.fsync, 0

    def sync(file: int) -> None:
        nonlocal calls
        calls += 1
        if calls % 10 == 0:
            real(file)

    return sync


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time a combat at the prompt with each way of keeping its journal.")
    parser.add_argument("--combats", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the journals are written")
    parser.add_argument("--json", action="store_true", help="print data instead of a table")
    arguments = parser.parse_args()
    rows: dict[str, list[float]] = {NONE: [], WRITTEN: [], SYNCED: [], GROUPED: []}
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for number in range(arguments.rounds):
            ways: dict[str, Callable[[int], None]] = {
                NONE: lambda _: None, WRITTEN: lambda _: None, SYNCED: os.fsync, GROUPED: every_tenth(),
            }  # fmt: skip
            for at, (name, sync) in enumerate(ways.items()):
                path = None if name == NONE else Path(folder) / f"{number} {at}.session"
                rows[name].append(seconds_of(path, sync, arguments.combats))
    medians = {name: statistics.median(taken) * 1e3 for name, taken in rows.items()}
    if arguments.json:
        print(json.dumps(medians, indent=2))
        return
    for name, taken in medians.items():
        print(f"{name:30} {taken:7.2f} ms a combat, {taken - medians[NONE]:+6.2f}")


if __name__ == "__main__":
    main()
