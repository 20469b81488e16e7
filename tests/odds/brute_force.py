"""Odds by brute force: the reference evaluator runs over every sequence of dice and cards, each with its chance.

The slow way that can't be wrong: what the odds engine is held to. Sequences less likely than a bound are left open;
what is known then is that each chance lies between what was found and that and what is left open.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import define, field, fields, frozen

from enfilade.core.answers import missing_fact
from enfilade.core.evaluate import Machine
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Frame, Refused
from enfilade.engines.odds import Ask, Situation, Whole
from enfilade.errors import EnfiladeError, InputError, LimitError, RuleError
from enfilade.limits import DEFAULT_LIMITS, Limits
from enfilade.values.data import Performed, Reading, Roll, Tally

Decide: TypeAlias = Callable[[ChoiceRequest], tuple[Any, ...]]
Failure: TypeAlias = tuple[str, str]


class LeftOpen(Exception):
    """The sequence has become too unlikely to go on with."""


class Undecided(Exception):
    """A choice was met, and nobody makes it."""

    def __init__(self, request: ChoiceRequest) -> None:
        super().__init__(request.name)
        self.request = request


def first(request: ChoiceRequest) -> tuple[Any, ...]:
    """Chooses what stands first."""
    return request.options[: 1 if request.count is None else request.count]


def last(request: ChoiceRequest) -> tuple[Any, ...]:
    """Chooses what stands last."""
    return request.options[-(1 if request.count is None else request.count) :]


def nobody(request: ChoiceRequest) -> tuple[Any, ...]:
    """Refuses to choose."""
    raise Undecided(request)


@define
class Sequence:
    """One sequence of dice and cards; each that follows differs from the one before in its last part that can differ.

    Attributes:
        least: The chance below which it is left open.
        taken: The alternatives that are to be taken.
        counts: How many alternatives there were at each, so far.
        chance: How likely it is so far.
        rng: Who decides instead, whatever the chance.
    """

    least: Fraction
    taken: list[int] = field(factory=list)
    counts: list[int] = field(factory=list)
    chance: Fraction = Fraction(1)
    rng: random.Random | None = None

    def decide(self, count: int) -> int:
        """The next alternative, among so many that are equally likely."""
        if self.rng is not None:
            return self.rng.randrange(count)
        if self.chance < self.least * count:
            raise LeftOpen
        index = len(self.counts)
        if index == len(self.taken):
            self.taken.append(0)
        self.counts.append(count)
        self.chance /= count
        return self.taken[index]

    def following(self) -> Sequence | None:
        """The sequence after this one; ``None`` after the last."""
        for index in range(len(self.counts) - 1, -1, -1):
            if self.taken[index] + 1 < self.counts[index]:
                return Sequence(self.least, [*self.taken[:index], self.taken[index] + 1])
        return None


@define
class Dice:
    """Answers along a sequence, after what is known already."""

    sequence: Sequence
    choose_by: Decide
    log: list[tuple[str, tuple[Any, ...]]]

    def fact(self, request: FactRequest) -> Any:
        """Nobody knows more facts."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """A face for each die."""
        if self.log:
            return self.log.pop(0)[1]
        dice = [die for count, die in request.dice for _ in range(count)]
        return tuple(die.face_at(self.sequence.decide(die.count)).printed for die in dice)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """One card after the other."""
        if self.log:
            return self.log.pop(0)[1]
        left = list(request.left)
        return tuple(left.pop(self.sequence.decide(len(left))) for _ in range(request.count))

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """What the policy says."""
        if self.log:
            return self.log.pop(0)[1]
        return self.choose_by(request)

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""


@frozen
class End:
    """How a sequence ended: what each question came to, or why there is no answer."""

    chance: Fraction
    values: tuple[Any, ...] = ()
    failure: Failure | None = None


@frozen
class Found:
    """What brute force found.

    Attributes:
        chances: The chance of each outcome, as far as it was found.
        failures: In which ways sequences had no answer.
        open: The chance of all that was left open.
        sequences: How many were tried.
    """

    chances: dict[Any, Fraction]
    failures: frozenset[Failure]
    open: Fraction
    sequences: int

    def of(self, *which: int) -> dict[Any, Fraction]:
        """The chances of some of the questions together."""
        found: dict[Any, Fraction] = defaultdict(Fraction)
        for values, chance in self.chances.items():
            found[tuple(values[index] for index in which)] += chance
        return dict(found)


def brute_force(
    situation: Situation,
    asks: tuple[Ask, ...],
    decide: Decide = first,
    most: int = 1_000,
    limits: Limits = DEFAULT_LIMITS,
) -> Found:
    """Try every sequence that is at least as likely as one in so many.

    Args:
        situation: What is played, and with what.
        asks: What is asked of each end.
        decide: Who makes the choices.
        most: How many sequences are tried at most.
        limits: How far each run may go.

    Returns:
        What was found. Outcomes are told as :func:`told` tells them.
    """
    chances: dict[Any, Fraction] = defaultdict(Fraction)
    failures: set[Failure] = set()
    sequences, found = 0, Fraction(0)
    for end in ends(situation, asks, decide, Fraction(1, most), limits):
        sequences += 1
        if end is None:
            continue
        found += end.chance
        if end.failure is not None:
            failures.add(end.failure)
        else:
            chances[tuple(map(told, end.values))] += end.chance
    return Found(dict(chances), frozenset(failures), 1 - found, sequences)


def failures_by_chance(
    situation: Situation, asks: tuple[Ask, ...], decide: Decide, count: int, limits: Limits = DEFAULT_LIMITS
) -> frozenset[Failure]:
    """In which ways some sequences by chance had no answer."""
    rng = random.Random(1)
    tried = (_tried(Sequence(Fraction(0), rng=rng), situation, asks, decide, limits) for _ in range(count))
    return frozenset(end.failure for end in tried if end is not None and end.failure is not None)


def ends(
    situation: Situation, asks: tuple[Ask, ...], decide: Decide, least: Fraction, limits: Limits
) -> Iterator[End | None]:
    """The end of each sequence; ``None`` for one that is left open."""
    sequence: Sequence | None = Sequence(least)
    while sequence is not None:
        yield _tried(sequence, situation, asks, decide, limits)
        sequence = sequence.following()


def _tried(
    sequence: Sequence, situation: Situation, asks: tuple[Ask, ...], decide: Decide, limits: Limits
) -> End | None:
    asker = Dice(sequence, decide, list(situation.log))
    machine = Machine(situation.program, situation.options, situation.facts, situation.state, asker, limits=limits)
    try:
        return _end(machine, situation, asks, sequence)
    except LeftOpen:
        return None


def _end(machine: Machine, situation: Situation, asks: tuple[Ask, ...], sequence: Sequence) -> End:
    try:
        outputs = machine.run(situation.procedure)
        values = tuple(answered(machine, situation, outputs, ask) for ask in asks)
    except LimitError:
        # A limit of play, such as that of a loop, says nothing of the odds.
        raise LeftOpen from None
    except (EnfiladeError, Refused) as error:
        return End(sequence.chance, failure=failure(error))
    return End(sequence.chance, values)


def answered(machine: Machine, situation: Situation, outputs: Mapping[str, Any], ask: Ask) -> Any:
    """What a question comes to at an end."""
    if isinstance(ask, Whole):
        state: dict[Any, Any] = {**machine.state.records, **machine.state.decks}
        wholes = {"outputs": dict(outputs), "effects": tuple(machine.effects), "state": state}
        return wholes[ask.what]
    unknown = dict.fromkeys(situation.program.procedures[situation.procedure].outputs)
    return machine.value(ask, Frame({**unknown, **outputs}))


def failure(error: BaseException) -> Failure:
    """What of a failure must be the same."""
    match error:
        case Refused():
            return "refused", error.slug
        case InputError():
            return "input", error.errors[0].parameter
        case RuleError():
            return "rule", error.message
        case LimitError():
            return "limit", error.limit
    raise error


def told(value: Any) -> Any:
    """A value as something that can be compared and hashed: with its type, so that yes is not 1."""
    match value:
        case tuple() | list():
            return "list", tuple(map(told, value))
        case Mapping():
            return "map", frozenset((told(key), told(item)) for key, item in value.items())
        case Roll():
            return "roll", told(value.faces), told(value.values)
        case Performed():
            return value.effect, told(value.args)
        case Tally():
            return "tally", value.total, told(value.amounts)
        case Reading():
            return "reading", tuple(told(getattr(value, part.name)) for part in fields(Reading))
    return type(value).__name__, value
