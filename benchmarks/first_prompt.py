"""How long it takes until a prompt is there to be typed at, and whether completion ever holds up what is typed.

Each prompt is that of a process of its own on a terminal of its own, from the start of the process to the prompt on the
screen. Run it from the repository with ``python -m benchmarks.first_prompt``.
"""

import argparse
import json
import os
import pty
import select
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import Ratio, render, render_seconds, to_data

BARE = "bare PromptSession().prompt()"
OURS = "enfilade"
COMMANDS = {
    BARE: ["-c", "from prompt_toolkit import PromptSession; PromptSession().prompt('enfilade> ')"],
    OURS: ["-c", "import sys; from enfilade.cli import main; sys.exit(main([]))"],
}
RATIOS = (Ratio(OURS, BARE, at_most=1.6),)
PROMPT = b"enfilade>"
NAMES = 3_000
SECONDS = 20.0


@dataclass
class Process:
    """A process on a terminal of its own."""

    pid: int
    terminal: int

    def read(self, seconds: float) -> bytes:
        """Read what it writes next; nothing, if nothing comes in so many seconds."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return b""
        try:
            found = os.read(self.terminal, 65536)
        except OSError:
            return b""
        if b"\x1b[6n" in found:
            # It asks where the cursor is, as of any terminal.
            self.write(b"\x1b[1;1R")
        return found

    def read_until(self, wanted: bytes) -> bytes:
        """Read until something was written.

        Raises:
            TimeoutError: It never was.
        """
        found = b""
        end = time.perf_counter() + SECONDS
        while wanted not in found:
            if time.perf_counter() > end:
                raise TimeoutError(f"{wanted!r} did not come: {found[-500:]!r}")
            found += self.read(0.05)
        return found

    def rest(self) -> None:
        """Wait until nothing more comes."""
        while self.read(0.15):
            pass

    def write(self, keys: bytes) -> None:
        """Type."""
        os.write(self.terminal, keys)


@contextmanager
def on_terminal(arguments: Sequence[str], home: str) -> Iterator[Process]:
    """Start Python on a terminal of its own, with a home of its own."""
    pid, terminal = pty.fork()
    if not pid:
        environment = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home}
        os.execve(sys.executable, [sys.executable, *arguments], environment)
    process = Process(pid, terminal)
    try:
        yield process
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def time_prompt(name: str, home: str) -> float:
    """Time the first prompt of a program, in seconds."""
    begin = time.perf_counter()
    with on_terminal(COMMANDS[name], home) as process:
        process.read_until(PROMPT)
        return time.perf_counter() - begin


def measure_prompts(rounds: int, home: str) -> dict[str, float]:
    """Find the median of each program, in pairs that begin with another one each time; the first pair does not count."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for number in range(rounds + 1):
        for name in list(COMMANDS)[:: 1 if number % 2 else -1]:
            seconds = time_prompt(name, home)
            if number:
                times[name].append(seconds)
    return {name: statistics.median(taken) for name, taken in times.items()}


# ------------------------------------------------------------------------------------------------------------- typing


def rules_of_many_names() -> str:
    """A ruleset with very many modifiers."""
    modifiers = "".join(f"  +1  word_{number}  night\n" for number in range(NAMES))
    return (
        f"enfilade 1\nruleset many\n\nfacts\n  night yes/no\n\nmodifiers all_of_them, cumulative\n{modifiers}\n"
        "procedure pick\n  give result = all_of_them.total\n"
    )


def time_completion(home: str) -> float:
    """Time one completion of very many names, in seconds."""
    from enfilade_repl.completion import candidates
    from enfilade_repl.dispatch import new_session

    session = new_session(seed="1")
    session.enter(f"use {Path(home, 'many.rules')}")
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        found = sum(1 for _ in candidates(session, "why not wor"))
        times.append(time.perf_counter() - begin)
        if found != NAMES:
            raise AssertionError(f"{found} of {NAMES} names were offered")
    return statistics.median(times)


def time_keys(home: str, setting: str) -> list[float]:
    """Time how long each key takes to be seen, while completion has very many names to offer, in seconds."""
    times = []
    with on_terminal(COMMANDS[OURS], home) as process:
        process.read_until(PROMPT)
        process.write(f"set complete {setting}\r".encode())
        process.read_until(b"complete")
        process.rest()
        process.write(f"use {Path(home, 'many.rules')}\r".encode())
        process.read_until(b"procedures")
        process.rest()
        process.write(b"why not ")
        process.rest()
        for key in (b"w", b"o", b"r", b"d", b"_", b"4", b"9") * 4:
            begin = time.perf_counter()
            process.write(key)
            process.read_until(key)
            times.append(time.perf_counter() - begin)
            # As fast as anybody types; what completion does goes on meanwhile.
            while time.perf_counter() - begin < 0.05:
                process.read(0.01)
    return times


def measure_typing(home: str) -> dict[str, float]:
    """Measure completion, and keys with it and without."""
    Path(home, "many.rules").write_text(rules_of_many_names(), encoding="utf-8")
    measured = {f"to find {NAMES} completions": time_completion(home)}
    for setting, what in (("off", "without completion"), ("typing", f"while {NAMES} completions are looked for")):
        times = time_keys(home, setting)
        measured[f"a key is seen, {what}"] = statistics.median(times)
        measured[f"the slowest key, {what}"] = max(times)
    return measured


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Time the first prompt beside a bare one, and keys while completion works."
    )
    parser.add_argument("--rounds", type=int, default=15, help="how many pairs of prompts (the median counts)")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        medians = measure_prompts(arguments.rounds, home)
        typing = measure_typing(home)
    if arguments.json:
        print(json.dumps({**to_data(medians, RATIOS, []), "typing": typing}, indent=2))
        return
    print(render(medians, RATIOS))
    print()
    for name, seconds in typing.items():
        print(f"{name:60} {render_seconds(seconds):>12}")


if __name__ == "__main__":
    main()
