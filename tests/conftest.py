"""What all tests share."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from enfilade import limits
from enfilade.cli import main

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def memory_of_earlier_files() -> Iterator[None]:
    """Exclude what the tests of a file leave behind from later garbage collections.

    After some thousand tests, one collection took up to 3.7 seconds, which counted as the time of the rules that ran just then.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit code, what it printed, and what it complained of."""

    def run(*argv: str) -> tuple[int, str, str]:
        code = main(list(argv))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let processes that a test starts be interrupted, even if whoever started the tests ignores Ctrl-C.

    A process inherits which signals are ignored, and Python then leaves SIGINT ignored.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Clock:
    """A clock for limits of time, which a busy machine can't hurry.

    Attributes:
        now: The time in seconds.
        step: How much later it is at each look.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.step = 0.0

    def __call__(self) -> float:
        """Look at the clock."""
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give limits of time, in this process, a clock that stands still until the test sets it."""
    clock = Clock()
    monkeypatch.setattr(limits, "_wall_time", clock)
    monkeypatch.setattr(limits, "_processor_time", clock)
    return clock
