"""Askers that go through every answer of a small run, or through a seeded sample of those of a larger one.

A run is a path through decisions, each with so many alternatives: one decision for each die, card and choice. The
first run takes the first alternative everywhere; each further one changes the last decision that has another left.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from attrs import define, field

from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.errors import LimitError
from enfilade.values.data import FrozenMap
from enfilade.values.types import Bool, ListOf, MapOf, Maybe, Num, RecordOf, Type, Word, WordSet

MOST_DECISIONS = 3_000


@define
class Path:
    """The decisions of one run.

    Attributes:
        taken: The alternatives that are to be taken, as far as they are settled beforehand.
        counts: How many alternatives each decision had, so far.
        rng: Who decides beyond what is settled; the first alternative if nobody.
    """

    taken: list[int] = field(factory=list)
    counts: list[int] = field(factory=list)
    rng: random.Random | None = None

    def decide(self, count: int) -> int:
        """The next decision, among so many alternatives."""
        index = len(self.counts)
        if index >= MOST_DECISIONS:
            raise LimitError("decisions", "a run of this test takes too many decisions")
        if index == len(self.taken):
            self.taken.append(0 if self.rng is None else self.rng.randrange(count))
        self.counts.append(count)
        return min(self.taken[index], count - 1)

    def again(self) -> Path:
        """The same path once more, from its beginning; what was not settled yet is settled like the first time."""
        return Path(self.taken, rng=self.rng)

    def next(self) -> Path | None:
        """The path after this one; ``None`` after the last."""
        for index in range(len(self.counts) - 1, -1, -1):
            if self.taken[index] + 1 < self.counts[index]:
                return Path([*self.taken[:index], self.taken[index] + 1])
        return None


@define
class Answers:
    """Answers along a path, and keeps what was asked.

    Attributes:
        path: The decisions.
        log: What was asked, and what was answered.
    """

    path: Path
    log: list[tuple[Any, Any]] = field(factory=list)

    def fact(self, request: FactRequest) -> Any:
        """One of some typical values."""
        values = typical(request.input.type)
        return self._keep(request, values[self.path.decide(len(values))])

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """A face for each die."""
        dice = [die for count, die in request.dice for _ in range(count)]
        return self._kept(request, [die.face_at(self.path.decide(die.count)).printed for die in dice])

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """One card after the other."""
        left = list(request.left)
        return self._kept(request, [self._pick(left) for _ in range(request.count)])

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """One option after the other."""
        left = list(request.options)
        wanted = 1 if request.count is None else request.count
        return self._kept(request, [self._pick(left) for _ in range(wanted)])

    def forced(self, request: ChoiceRequest) -> None:
        """Only kept."""
        self._keep(request, None)

    def _pick(self, left: list[Any]) -> Any:
        return left.pop(self.path.decide(len(left)))

    def _kept(self, request: Any, answer: list[Any]) -> tuple[Any, ...]:
        kept: tuple[Any, ...] = self._keep(request, tuple(answer))
        return kept

    def _keep(self, request: Any, answer: Any) -> Any:
        self.log.append((request, answer))
        return answer


@define
class WrongAnswers(Answers):
    """Answers rightly up to some request, and then as no die, deck or player may; facts are read before they get here.

    Attributes:
        right: How many answers are right.
        way: In which way it is wrong.
    """

    right: int = 0
    way: int = 0

    def _keep(self, request: Any, answer: Any) -> Any:
        is_fact = isinstance(request, FactRequest)
        if len(self.log) == self.right and isinstance(answer, tuple) and answer and not is_fact:
            answer = self._wrong(answer)
        return super()._keep(request, answer)

    def _wrong(self, answer: tuple[Any, ...]) -> tuple[Any, ...]:
        ways: list[tuple[Any, ...]] = [
            answer[1:], (*answer, answer[0]), (*answer[1:], 0), (*answer[1:], True), (*answer[1:], "nothing"),
            (*answer[1:], 99), (), (None, *answer[1:]), (answer[0],) * len(answer), (*answer[1:], 1.0),
        ]  # fmt: skip
        return ways[self.way % len(ways)]


def paths(most: int, rng: random.Random) -> Iterator[Path]:
    """Every path, or a sample where there are more than *most*; each is to be walked before the next is taken."""
    path: Path | None = Path()
    for _ in range(most // 2):
        if path is None:
            return
        yield path
        path = path.next()
    for _ in range(most // 2 if path is not None else 0):
        yield Path(rng=rng)


def typical(type_: Type) -> list[Any]:
    """Some values of a type, its ends among them."""
    match type_:
        case Num():
            return numbers(type_)
        case Bool():
            return [False, True]
        case Word(words):
            return list(words)
        case WordSet(words):
            return [(), words[:1], words[-1:], words[:2], words]
        case ListOf(of, least):
            each = typical(of)
            return [tuple(each[:least]) + (each[0],) * (least - len(each)), tuple(each[-2:]) * max(least, 1)]
        case MapOf(Word(words), of):
            return [FrozenMap(dict.fromkeys(words, value)) for value in typical(of)]
        case RecordOf():
            return [None]
        case Maybe(of):
            return [None, *typical(of)]
    return [0]


def numbers(num: Num) -> list[Any]:
    """Numbers of a range: its ends, their neighbours, and some between."""
    low = num.low if num.low is not None else (-20 if num.high is None else num.high - 30)
    high = num.high if num.high is not None else low + 60
    wanted = [low, low + 1, low + 2, low + 3, low + 5, low + 8, low + 14, low + 25, low + 44, high - 1, high, 7, 16]
    if not num.whole:
        wanted += [low + Fraction(1, 2), low + Fraction(7, 3)]
    found = dict.fromkeys(n for n in wanted if low <= n <= high)
    return [int(n) if isinstance(n, Fraction) and n.denominator == 1 else n for n in found]
