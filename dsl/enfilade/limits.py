"""The limits of every call: what a text, a run or a question of odds may take before it ends with an error.

``limited`` sets the limits in force for a block of calls. They are a context variable, because nearly every stage has
one: a stage reads ``in_force()`` where it needs a number, and long loops call ``check_time``.

Some limits are fixed and not here: they keep the recursion of the passes within Python's stack, or shorten a message.
``docs/embedding.md`` lists them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from attrs import Attribute, asdict, evolve, field, frozen

from enfilade.errors import ArgumentError, LimitError
from enfilade.memory import memory_in_use

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

MOST_NESTING: Final = 100
"""The deepest nesting that every pass can follow on Python's stack."""
MOST_DEPTH: Final = 10_000
"""The highest limit of nested calls; Python's stack may end before."""
LEAST_BITS: Final = 64
_CLOCK: Final = 7
"""The clock is read at every eighth check, and the memory at every 128th: bits of the number of checks that are 0."""
_MEMORY: Final = 127
_NEARLY: Final = 0.9
"""The share of the memory at which a call stops: it grows a little more before it has ended."""


def _is_number(limits: Limits, attribute: Attribute[Any], value: Any) -> None:
    takes = str(attribute.type)
    if value is None and "None" in takes:
        return
    if not isinstance(value, (int, float) if "float" in takes else int) or isinstance(value, bool):
        kind = "None" if value is None else type(value).__name__
        raise ArgumentError(f"{attribute.name} takes a number{' or None' if 'None' in takes else ''}, not {kind}")
    lowest, highest = attribute.metadata.get("range", (0, None))
    if value != value or value < lowest or (highest is not None and value > highest):
        allowed = f"from {lowest} to {highest}" if highest is not None else f"{lowest} or more"
        raise ArgumentError(f"{attribute.name} must be {allowed}, not {value}")


def _limit(default: Any, lowest: int = 0, highest: int | None = None) -> Any:
    return field(default=default, validator=_is_number, metadata={"range": (lowest, highest)})


@frozen(kw_only=True)
class Limits:
    """The limits of every call. ``Limits()`` and ``Limits.trusted()`` have the defaults.

    Attributes:
        text: The size of one text in bytes.
        modules: The number of texts of one ruleset.
        module_depth: How deep modules may use modules.
        names: The number of declarations of one ruleset.
        nesting: The levels of nesting in one expression; at most 100.
        cells: The cells of one chart.
        faces: The faces of one die, and the cards of one deck.
        steps: The steps of one run: statements executed and list elements visited.
        depth: Nested calls of procedures, effects and definitions.
        dice: The dice of one roll, explosions included.
        rerolls: The rounds of rerolls or explosions of one roll.
        length: The elements of one list.
        bits: The size of one number, in bits; at least 64.
        play_seconds: The time of one check, play or explanation, in seconds of processor time; ``None`` for no limit.
        play_megabytes: The memory of one check, play or explanation, beyond what the program uses before; ``None`` for
            no limit.
        seconds: The time of one question of odds; ``None`` for no limit.
        megabytes: The memory of one question of odds; ``None`` for no limit.
        work: The products of weights and the steps of one question of odds, which are the same on every machine;
            ``None`` for no limit.
        files: Whether a text may use files that the caller did not name: those beside it, or beside the calling file.

    Examples:
        >>> Limits.untrusted().play_seconds, Limits.untrusted(play_seconds=5).files
        (2, False)
    """

    text: int = _limit(1024 * 1024)
    modules: int = _limit(256, 1)
    module_depth: int = _limit(32)
    names: int = _limit(100_000)
    nesting: int = _limit(MOST_NESTING, 1, MOST_NESTING)
    cells: int = _limit(100_000)
    faces: int = _limit(1_000_000, 1, 1_000_000)
    steps: int = _limit(1_000_000)
    depth: int = _limit(40, 0, MOST_DEPTH)
    dice: int = _limit(10_000)
    rerolls: int = _limit(1_000)
    length: int = _limit(100_000)
    bits: int = _limit(4_096, LEAST_BITS)
    play_seconds: float | None = _limit(None)
    play_megabytes: float | None = _limit(None)
    seconds: float | None = _limit(10)
    megabytes: float | None = _limit(1_024)
    work: int | None = _limit(None)
    files: bool = True

    @classmethod
    def trusted(cls, **changed: Any) -> Limits:
        """Return the limits for texts of the host itself: the defaults, with some changed."""
        return cls(**changed)

    @classmethod
    def untrusted(cls, **changed: Any) -> Limits:
        """Return the limits for texts of strangers, with some changed: 2 seconds, 256 MB and no files."""
        return cls(**{**_UNTRUSTED, **changed})

    @property
    def is_timed(self) -> bool:
        """Whether the time or the memory of a run is limited."""
        return self.play_seconds is not None or self.play_megabytes is not None

    def with_patience(self, seconds: float | None) -> Limits:
        """Return the limits with another time for questions of odds, but no more than a timed profile has.

        Examples:
            >>> Limits.trusted().with_patience(60).seconds, Limits.untrusted().with_patience(60).seconds
            (60, 2)
        """
        if self.is_timed and self.seconds is not None and (seconds is None or seconds > self.seconds):
            return self
        return evolve(self, seconds=seconds)

    def to_json(self) -> dict[str, Any]:
        """Return the limits as plain data."""
        return asdict(self)


_UNTRUSTED: Final = {
    "text": 100_000, "modules": 32, "module_depth": 8, "names": 2_000, "cells": 10_000, "faces": 10_000,
    "steps": 100_000, "dice": 1_000, "rerolls": 200, "length": 10_000, "play_seconds": 2,
    "play_megabytes": 256, "seconds": 2, "megabytes": 256, "files": False,
}  # fmt: skip

DEFAULT_LIMITS: Final = Limits()


_BUDGET: Final[ContextVar[_Budget]] = ContextVar("the limits in force")


_FIRST_LOOK: Final = 0.01
# What limits read the time from; tests set other clocks. Python in a browser has no processor time.
_wall_time: Callable[[], float] = time.monotonic
_processor_time: Callable[[], float] = getattr(time, "thread_time", time.monotonic)


def wall_time() -> float:
    """The time on the wall, in seconds: a quick look, for what need not be exact."""
    return _wall_time()


class Stopwatch:
    """The processor time of this thread since the stopwatch was made.

    Asking the system for processor time can take longer than a small question, so it is asked at the first look after a
    hundredth of a second, and later only if the time on the wall is up. Until then, waiting counts, too.
    """

    __slots__ = ("_began", "_zero")

    def __init__(self) -> None:
        self._began = _wall_time()
        self._zero: float | None = None

    def elapsed(self) -> float:
        """The time in seconds."""
        now = _processor_time()
        if self._zero is None:
            self._zero = now - (_wall_time() - self._began)
        return now - self._zero

    def has_passed(self, seconds: float) -> bool:
        """Whether more than so many seconds have passed."""
        quiet = seconds if self._zero is not None else min(seconds, _FIRST_LOOK)
        return _wall_time() - self._began > quiet and self.elapsed() > seconds


class _Budget:
    """The limits in force, and the time and memory that the call at hand has left.

    Attributes:
        limits: The limits.
        began: Whether a call with these limits is running; until then no time passes.
    """

    def __init__(
        self, limits: Limits, seconds: float | None = None, megabytes: float | None = None, *, odds: bool = False
    ) -> None:
        outer = _BUDGET.get(None)
        self.limits = limits
        self.began = seconds is not None or megabytes is not None
        self._megabytes = megabytes
        own = [] if seconds is None else [(Stopwatch(), seconds, odds)]
        self.times: list[tuple[Stopwatch, float, bool]] = [*([] if outer is None else outer.times), *own]
        self._most = None if megabytes is None else memory_in_use() + megabytes * 2**20 * _NEARLY
        self._checks = 0

    def check(self) -> None:
        """Raise ``LimitError`` if the time or the memory is used up."""
        self._checks += 1
        if not self._checks & _CLOCK:
            self.look()

    def look(self) -> None:
        """Look at the clock and, now and then, at the memory, and raise ``LimitError`` if they are used up."""
        for watch, seconds, odds in self.times:
            if watch.has_passed(seconds):
                limit, what = ("seconds", "the odds take") if odds else ("play_seconds", "this takes")
                raise LimitError(limit, f"{what} more than {seconds:g} seconds")
        if self._most is not None and not self._checks & _MEMORY and memory_in_use() > self._most:
            raise LimitError("play_megabytes", f"this needs more than {self._megabytes:g} MB of memory")


_NO_BUDGET: Final = _Budget(DEFAULT_LIMITS)


def in_force() -> Limits:
    """Return the limits in force."""
    return _BUDGET.get(_NO_BUDGET).limits


def check_time() -> None:
    """Check the time and the memory of the call at hand; long loops call this.

    Raises:
        LimitError: One of them is used up.
    """
    budget = _BUDGET.get(_NO_BUDGET)
    if budget.began:
        budget.check()


def go_on() -> None:
    """Look at the time of the call at hand: for what tries many things, and keeps the errors of each, before each.

    Raises:
        LimitError: The time or the memory is used up.
    """
    budget = _BUDGET.get(_NO_BUDGET)
    if budget.began:
        budget.look()


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Set the limits of all calls in a block, for this thread and task.

    Rulesets that are loaded in the block keep the limits. Limits given with a call or loaded with a ruleset come first.

    Args:
        limits: The limits.

    Raises:
        ArgumentError: *limits* is something else.

    Examples:
        >>> import enfilade
        >>> with enfilade.limited(enfilade.Limits.untrusted()):
        ...     enfilade.load("infantry_attacks").limits.play_seconds
        2
    """
    token = _BUDGET.set(_Budget(limits_or_those_in_force(limits)))
    try:
        yield
    finally:
        _BUDGET.reset(token)


_BEYOND: Final[dict[type[Exception], tuple[str, str]]] = {
    RecursionError: ("depth", "the rules, the given values or the calls of the program are nested too deep"),
    MemoryError: ("play_megabytes", "this needs more memory than there is"),
    OverflowError: ("bits", "a number is too large"),
}


def beyond_python(error: Exception) -> LimitError:
    """Return the error of a call for which Python's stack, its memory or its largest number is too small."""
    return LimitError(*next(said for kind, said in _BEYOND.items() if isinstance(error, kind)))


@contextmanager
def _spending(budget: _Budget) -> Iterator[None]:
    """Take the time and the memory of a block from a budget.

    Raises:
        LimitError: Python's stack is used up.
    """
    token = _BUDGET.set(budget)
    try:
        yield
    except RecursionError as error:
        raise beyond_python(error) from None
    finally:
        _BUDGET.reset(token)


@contextmanager
def one_question(limits: Limits) -> Iterator[None]:
    """Begin a question of odds: play within it has the time of the question; the engine measures its own memory.

    Args:
        limits: The limits of the question.

    Raises:
        LimitError: A limit is reached, the time of the call around it among them, or Python's stack is used up.
    """
    go_on()
    with _spending(_Budget(limits, limits.seconds, odds=True)):
        yield


@contextmanager
def one_call(limits: Limits | None = None, *, odds: bool = False) -> Iterator[None]:
    """Begin a call with its own time and memory; a call within a call with the same limits shares those of the outer one.

    Args:
        limits: The limits; those in force if ``None``.
        odds: Whether the call asks questions of odds: then all of them together have the time of one.

    Raises:
        LimitError: A limit is reached, or Python's stack is used up.
    """
    outer = _BUDGET.get(_NO_BUDGET)
    limits = outer.limits if limits is None else limits
    shares = outer.limits is limits and (outer.began or not limits.is_timed)
    seconds = limits.seconds if odds else limits.play_seconds
    with _spending(outer if shares else _Budget(limits, seconds, limits.play_megabytes, odds=odds)):
        # Many short calls within a long one look at its time often enough.
        check_time()
        yield


def in_one_call(limits: Limits, values: Iterator[T]) -> Iterator[T]:
    """Yield values that are worked out one by one, all within the time and the memory of one call.

    What the caller does between them counts, too.

    Raises:
        LimitError: A limit is reached, or Python's stack is used up.
    """
    budget = _Budget(limits, limits.play_seconds, limits.play_megabytes)
    while True:
        with _spending(budget):
            try:
                value = next(values)
            except StopIteration:
                return
        yield value


def within(limits: Limits, function: F) -> F:
    """Return a function each of whose calls has its own time and memory; with the default limits, the function itself."""
    return function if limits is DEFAULT_LIMITS else one_call(limits)(function)


def limits_or_those_in_force(given: Limits | None) -> Limits:
    """Return the limits of a call: the given ones, else those in force.

    Raises:
        ArgumentError: What is given is something else.
    """
    if given is None:
        return in_force()
    if not isinstance(given, Limits):
        raise ArgumentError(f"`limits` must be an enfilade.Limits, not {type(given).__name__}")
    return DEFAULT_LIMITS if given == DEFAULT_LIMITS else given
