"""Sessions that are killed at random moments, and what their journals have kept.

A session is forked, plays combats without end, and acknowledges each one after its result was shown. It is killed with
``kill -9``; then its journal is opened and compared with what was acknowledged.

``python -m tests.repl.kills 1000`` kills so many sessions and prints how many acknowledged combats were lost.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from attrs import frozen

import enfilade
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal
from enfilade_repl.session import Session

HEAD: Final = {"seed": "5", "dice": "ask"}
SECONDS: Final = 0.05
"""The longest time from the first combat, which is slower than the others, to a kill."""


@frozen
class Kills:
    """What came of killed sessions.

    Attributes:
        kills: The number of sessions.
        shown: The number of combats that were acknowledged.
        lost: How many of them are not in the journals, or not as they were played.
        unfinished: The number of journals whose last line was cut off.
    """

    kills: int = 0
    shown: int = 0
    lost: int = 0
    unfinished: int = 0

    def __add__(self, other: Kills) -> Kills:
        """The sum."""
        return Kills(
            self.kills + other.kills, self.shown + other.shown, self.lost + other.lost, self.unfinished + other.unfinished
        )  # fmt: skip


def kill_often(count: int, folder: Path, moments: random.Random) -> Kills:
    """Kill so many sessions, one after another."""
    enfilade.load("infantry_attacks").resolve("direct_fire", fire_value=3)
    total = Kills()
    for _ in range(count):
        path = folder / "killed.session"
        path.unlink(missing_ok=True)
        shown = _killed(path, moments.random() * SECONDS)
        total += _counted(path, shown)
    return total


def _killed(path: Path, seconds: float) -> int:
    """Kill a session after some time; return the number of combats it acknowledged."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        try:
            _play_on(path, writes)
        finally:
            os._exit(1)
    os.close(writes)
    ready, _, _ = select.select([reads], [], [], 60)
    assert ready, "the session did not play"
    shown = len(os.read(reads, 1))
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reads, 65536):
        shown += len(more)
    os.close(reads)
    return shown


def _play_on(path: Path, acknowledge: int) -> None:
    """Play combats without end, and acknowledge each."""
    session = new_session(seed="5", journal=Journal(path, HEAD))
    session.enter("use infantry_attacks")
    session.enter("unit gun: kind artillery, steps 2")
    number = 0
    while True:
        session.enter(f"direct_fire fire_value {number % 50 + 1}, units gun")
        session.enter("")
        number += 1
        os.write(acknowledge, b".")


def _counted(path: Path, shown: int) -> Kills:
    """Compare the journal of a killed session with what it acknowledged."""
    session: Session = new_session()
    reply = session.enter(f"open {path}")
    said = " ".join(text for each in reply.lines for _, text in each)
    done = session.state.resolutions
    session.journal.close()
    alike = reply.code == 0 and "otherwise" not in said and "damaged" not in said
    in_order = [each.given["fire_value"] for each in done] == [at % 50 + 1 for at in range(len(done))]
    kept = min(shown, len(done)) if alike and in_order else 0
    return Kills(1, shown, shown - kept, int("cut off" in said))


def main() -> int:
    """Kill as many sessions as the command line says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    moments, total, began = random.Random(), Kills(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, count, 100):
            total += kill_often(min(100, count - start), Path(folder), moments)
            print(f"{total}, {time.monotonic() - began:.0f} s", flush=True)
    return 1 if total.lost else 0


if __name__ == "__main__":
    sys.exit(main())
