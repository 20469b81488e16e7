"""Runs parts for a time: counts inputs, keeps the slowest, and writes each new failure, reduced, to a folder.

The time of an input is the time of its process, so other work on the machine doesn't count. An input that runs for
``ENDLESS`` seconds is stopped and reported like an exception.
"""

from __future__ import annotations

import gc
import hashlib
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen
from tests.fuzz.mutation import pieces_of
from tests.fuzz.part import Part, is_allowed, place_of

LARGE: Final = 100_000
ENDLESS: float = 30.0
MEGABYTES: Final = 3_000
REDUCING: Final = 20.0
KEPT: Final = Path(__file__).with_name("kept")


class EndlessError(BaseException):
    """An input took more than ``ENDLESS`` seconds; not an ``Exception``, so nothing in the library catches it."""


@frozen
class Failure:
    """A failure: the kind of exception, and where it was raised."""

    kind: str
    place: str
    message: str = field(eq=False, default="")

    def __str__(self) -> str:
        return f"{self.kind} in {self.place}: {self.message[:200]!r}"


@define
class Report:
    """What came of the inputs of a part.

    Attributes:
        part: The name of the part.
        inputs: How many were tried.
        seconds: The time of the process for all of them.
        slowest: The longest time for one input.
        slow: How many took longer than the part allows.
        failures: Each kind of failure, with the number of inputs.
    """

    part: str
    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    slow: int = 0
    failures: Counter[Failure] = field(factory=Counter)

    def add(self, other: Report) -> None:
        """Add the report of another process."""
        self.inputs += other.inputs
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.slow += other.slow
        self.failures += other.failures

    def __str__(self) -> str:
        head = (
            f"{self.part:9} {self.inputs:9} inputs {self.seconds:8.0f} s  slowest {self.slowest:6.2f} s"
            f"  slow: {self.slow}  failures: {sum(self.failures.values())}"
        )
        return "\n".join([head, *(f"  {count} x {failure}" for failure, count in self.failures.items())])


def failure_of(part: Part, text: str) -> Failure | None:
    """Run an input; ``None`` if it raises nothing, or only what is allowed."""
    try:
        with _stopped_after(ENDLESS):
            part.run(text)
    except (Exception, EndlessError) as error:
        if not is_allowed(error):
            return Failure(type(error).__name__, place_of(error) if isinstance(error, Exception) else "", str(error))
    return None


def run_part(
    part: Part, seed: str, folder: Path = KEPT, *, seconds: float = 0.0, count: int = 0, reduce: bool = True
) -> Report:
    """Run inputs of a part until the time or the number is reached.

    Args:
        part: The part.
        seed: The seed of its inputs.
        folder: Where failures and slow inputs are kept.
        seconds: The time; 0 for no limit.
        count: The number of inputs; 0 for no limit.
        reduce: Whether failing inputs are reduced before they are kept.
    """
    report, end = Report(part.name), time.monotonic() + seconds
    for text in part.inputs(random.Random(f"{seed} {part.name}")):
        start = time.process_time()
        failure = failure_of(part, text)
        taken = time.process_time() - start
        report.inputs, report.seconds = report.inputs + 1, report.seconds + taken
        report.slowest = max(report.slowest, taken)
        if failure is not None:
            if failure not in report.failures:
                keep(part, smallest(part, text, failure) if reduce else text, folder)
            report.failures[failure] += 1
        elif taken > part.slow and len(text) <= LARGE:
            report.slow += 1
            keep(part, text, folder / "slow")
        if (count and report.inputs >= count) or (seconds and time.monotonic() >= end):
            break
    gc.collect()
    return report


def reduced(text: str, fails: Callable[[str], bool], seconds: float = REDUCING) -> str:
    """Make a failing text smaller (delta debugging).

    Args:
        text: A text that fails.
        fails: Whether a text fails in the same way.
        seconds: How long to try.

    Examples:
        >>> reduced("a b\\nc d e\\n", lambda text: "d" in text)
        'd'
    """
    end = time.monotonic() + seconds
    for unit in ("line", "token", "character"):
        text = _without_pieces(text, unit, fails, end)
    return text


def _without_pieces(text: str, unit: str, fails: Callable[[str], bool], end: float) -> str:
    pieces = pieces_of(text, unit)
    size = max(len(pieces) // 2, 1)
    while pieces:
        at, changed = 0, False
        while at < len(pieces) and time.monotonic() < end:
            fewer = pieces[:at] + pieces[at + size :]
            if fails("".join(fewer)):
                pieces, changed = fewer, True
            else:
                at += size
        if (size == 1 and not changed) or time.monotonic() >= end:
            break
        size = max(size // 2, 1)
    return "".join(pieces)


def smallest(part: Part, text: str, failure: Failure) -> str:
    """Reduce an input; it fails in the same way."""
    return reduced(text, lambda each: failure_of(part, each) == failure)


def keep(part: Part, text: str, folder: Path) -> Path:
    """Write an input to the folder of its part, named after its digest."""
    data = text.encode("utf-8", "surrogatepass")
    path = folder / part.name / f"{hashlib.sha256(data).hexdigest()[:12]}{part.suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def run_all(parts: list[Part], seed: str, folder: Path, seconds: float, jobs: int, inputs: int = 0) -> Iterator[Report]:
    """Run parts one after another, in processes that have seeds of their own.

    Args:
        parts: The parts.
        seed: The seed of their inputs.
        folder: Where failures and slow inputs are kept.
        seconds: The time for all parts together, the same for each; 0 for no limit.
        jobs: The number of processes.
        inputs: The number of inputs of each part; 0 for no limit.
    """
    for part in parts:
        report = Report(part.name)
        with ProcessPoolExecutor(jobs, max_tasks_per_child=1, initializer=_limit_memory) as pool:
            found = [
                pool.submit(_run_named, part.name, f"{seed}.{job}", folder, seconds / len(parts), -(-inputs // jobs))
                for job in range(jobs)
            ]
            for each in found:
                report.add(each.result())
        yield report


def _run_named(name: str, seed: str, folder: Path, seconds: float, inputs: int) -> Report:
    from tests.fuzz.parts import PARTS

    return run_part(PARTS[name], seed, folder, seconds=seconds, count=inputs)


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    before: Callable[[int, Any], Any] | int | None = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: Any) -> None:
    raise EndlessError
