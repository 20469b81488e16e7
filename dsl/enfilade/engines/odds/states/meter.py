"""The budget of one question: it measures time and memory, refuses work that can't fit, and reports progress.

Time is the processor time of the thread: a busy machine does not change which questions have an answer. Long loops call
``count`` with the work that they do, or ``look`` if they count it later. A product takes longer the longer its numbers are,
so the meter learns from the clock after how many it should look again: every few milliseconds. Where the size of a task is
known in advance, ``expect`` or ``paced`` refuses it early.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from enfilade.engines.odds.interface import Progress
from enfilade.engines.odds.states.distribution import Distribution
from enfilade.errors import LimitError
from enfilade.limits import Limits, Stopwatch, wall_time
from enfilade.memory import memory_in_use

T = TypeVar("T")
_REPORT: Final = 50_000
_CHECK: Final = 2_000
_FIRST_CHECK: Final = 100
"""The most products between two looks, and those before the first look."""
_MEMORY: Final = 20_000
"""The products after which the memory is looked at even if no time has passed."""
_OFTEN, _RARELY = 0.005, 0.02
"""The time between two looks, in seconds: in between, nothing changes."""
_LOOKS: Final = 15
"""The clock is read at every 16th call of ``look``: bits of the number of calls that are 0."""
_NEARLY: Final = 0.95
"""The share of the memory at which a question stops: it grows a little more before it has ended."""
_OUTCOME_SECONDS: Final = 3e-7
"""The least time that an outcome takes."""
_TRIFLE: Final = 1e-4
"""The share of a limit below which work is not worth a look at what is left."""
_SURELY: Final = 2
"""An extrapolation refuses work only if it exceeds what is left by this factor."""
_COUNTLESS: Final = 10**30
_AGES: Final = 86_400 * 365 * 10**6
_SHARE: Final = 0.02
"""The share of the time after which a pace can be judged."""


class Meter:
    """Measures one question.

    Args:
        limits: The limits.
        progress: Called from time to time with the number of products.

    Attributes:
        products: The products of weights and steps so far.
        largest: The largest distribution in work when a limit was reached.
    """

    def __init__(self, limits: Limits, progress: Progress | None = None) -> None:
        self.products = 0
        self.largest: Distribution | None = None
        self._limits = limits
        self._progress = progress
        self._reported = 0
        self._next = 0
        self._step = _FIRST_CHECK
        self._set_next()
        self._looks = 0
        self._looked = wall_time()
        self._measured = self.products, self._looked
        self._watch = Stopwatch()
        self._memory: int | None = None

    def count(self, products: int) -> None:
        """Count work; called within long loops.

        Raises:
            LimitError: The time or the memory is used up.
        """
        self.products += products
        if self.products >= self._next:
            self._check()
            self._set_next()

    def look(self) -> None:
        """Look at the limits from time to time; called within loops whose work is counted later.

        Raises:
            LimitError: The time or the memory is used up.
        """
        self._looks += 1
        if not self._looks & _LOOKS and wall_time() - self._looked > _OFTEN:
            self._check()

    def expect(self, outcomes: int = 0, *, seconds: float = 0, size: int = 0) -> None:
        """Refuse work that can't fit in what is left.

        Args:
            outcomes: The number of outcomes to come; each takes at least a fraction of a microsecond.
            seconds: The time that the work takes.
            size: The memory that the work takes, in bytes.

        Raises:
            LimitError: It can't fit.
        """
        limits = self._limits
        if limits.work is not None and outcomes > limits.work:
            raise LimitError("work", f"the odds need more than {limits.work} multiplications", needed=outcomes)
        seconds += min(outcomes, _COUNTLESS) * _OUTCOME_SECONDS
        # A look at the clock or at the memory takes longer than most rolls.
        if limits.seconds is not None and seconds > limits.seconds * _TRIFLE and seconds > self._seconds_left():
            raise self._too_long(self._elapsed() + seconds)
        most = None if limits.megabytes is None else limits.megabytes * 2**20
        if most is not None and size > most * _TRIFLE and size > most - self._grown():
            raise self._too_large((self._grown() + size) / 2**20)

    def met(self, states: Distribution) -> None:
        """Remember a distribution in work when a limit was reached: the largest one shows the cause."""
        if self.largest is None or len(states.rows) > len(self.largest.rows):
            self.largest = states

    def paced(self, items: Iterable[T], number: int) -> Iterator[T]:
        """Pass on items whose number is known, and refuse the rest as soon as they are sure to take too long."""
        watch = Stopwatch()
        self.expect(number)
        for done, item in enumerate(items):
            if done % _CHECK == _CHECK - 1:
                self._check_pace(watch.elapsed(), done, number - done)
            yield item

    def _set_next(self) -> None:
        """Set the number of products at which the limits are checked next."""
        self._next = self.products + self._step
        if self._limits.work is not None:
            self._next = min(self._next, max(self.products, self._limits.work) + 1)

    # -- measures ---------------------------------------------------------------------------------------------

    def _check_pace(self, taken: float, done: int, left: int) -> None:
        limit = self._limits.seconds
        if limit is None or not done or self._elapsed() < limit * _SHARE:
            return
        seconds = taken / done * min(left, _COUNTLESS)
        if seconds > _SURELY * self._seconds_left():
            raise self._too_long(self._elapsed() + seconds)

    def _check(self) -> None:
        limits = self._limits
        if self._progress is not None and self.products - self._reported >= _REPORT:
            self._reported = self.products
            self._progress(self.products)
        if limits.work is not None and self.products > limits.work:
            raise LimitError("work", f"the odds need more than {limits.work} multiplications")
        if limits.seconds is not None and self._watch.has_passed(limits.seconds):
            raise self._too_long()
        now = wall_time()
        taken, self._looked = now - self._looked, now
        if taken > _RARELY:
            self._step = max(self._step // 4, 1)
        elif taken < _OFTEN:
            self._step = min(self._step * 2, _CHECK)
        products, measured = self._measured
        if limits.megabytes is not None and (self.products - products >= _MEMORY or now - measured > _RARELY):
            self._measured = self.products, now
            if self._grown() > _NEARLY * limits.megabytes * 2**20:
                raise self._too_large()

    def _elapsed(self) -> float:
        return self._watch.elapsed()

    def _seconds_left(self) -> float:
        return 0 if self._limits.seconds is None else self._limits.seconds - self._elapsed()

    def _grown(self) -> int:
        used = memory_in_use()
        if self._memory is None:
            # What a question takes before the first look is small.
            self._memory = used
        return max(used - self._memory, 0)

    def _too_long(self, needed: float | None = None) -> LimitError:
        allowed = f"{self._limits.seconds:g} seconds"
        if needed is None:
            return LimitError("seconds", f"the odds take more than {allowed}")
        return LimitError("seconds", f"the odds take {duration(needed)}; {allowed} are allowed", needed=needed)

    def _too_large(self, needed: float | None = None) -> LimitError:
        allowed = f"{self._limits.megabytes:g} MB"
        if needed is None:
            return LimitError("megabytes", f"the odds need more than {allowed} of memory")
        text = f"the odds need at least {_rounded(min(needed, _COUNTLESS))} MB of memory; {allowed} are allowed"
        return LimitError("megabytes", text, needed=needed)


def duration(seconds: float) -> str:
    """A rough duration in words."""
    if seconds > _AGES:
        return "more than a million years"
    for size, unit in ((86_400 * 365, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"about {_rounded(seconds / size)} {unit}"
    return f"about {_rounded(seconds)} seconds"


def _rounded(number: float) -> str:
    return f"{number:,.0f}" if number >= 1 else f"{number:.1f}"
