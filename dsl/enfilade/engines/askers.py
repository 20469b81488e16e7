"""Askers: they answer the requests of a run, from a random generator or from given dice and choices.

Requests come in the order of the rules. A ``Recording`` around an asker keeps every answer, so the run can be replayed
from its log.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from attrs import define, frozen

from enfilade.core import ir
from enfilade.core.answers import (
    LogEntry,
    as_data,
    missing_choice,
    missing_draw,
    missing_fact,
    missing_roll,
    pieces_of,
    read_cards,
    read_choice,
    read_faces,
    spaced_faces,
    spaced_texts,
)
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.engines.alignment import Ways
from enfilade.engines.committed_dice import CommittedDice
from enfilade.engines.scripted_answers import Script
from enfilade.errors import InputError, InputFault, MissingAnswer
from enfilade.values.json_data import to_json

_SCALE: Final = 1 << 53

FRESH_DICE: Final = random.SystemRandom().random


def encoded(seed: Any) -> Any:
    """A seed for a generator: a text gives the same dice as its bytes, which may have half a character."""
    return seed.encode("utf-8", "surrogatepass") if isinstance(seed, str) else seed


"""Random numbers of the operating system: nobody can work them out from earlier ones, and forked workers get others."""


_Answer: TypeAlias = tuple[str, RollRequest | DrawRequest | ChoiceRequest | ir.Input, Any, bool]


class Recording:
    """An asker that records every answer of another asker, and every choice with one legal answer.

    Args:
        asker: The asker to record.
    """

    __slots__ = ("_answers", "_asker")

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        # Log entries are created on access: most callers never read the log.
        self._answers: list[_Answer] = []

    def asker_in_use(self) -> Asker:
        """Return the recorded asker."""
        return self._asker

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The answers so far."""
        return tuple(LogEntry(kind, request.name, value, forced) for kind, request, value, forced in self._answers)

    def fact(self, request: FactRequest) -> Any:
        """Pass the request on and record the answer."""
        value = self.asker_in_use().fact(request)
        self._answers.append(("fact", request.input, as_data(to_json(value)), False))
        return value

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Pass the request on and record the answer."""
        faces = self.asker_in_use().roll(request)
        self._answers.append(("roll", request, faces, False))
        return faces

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Pass the request on and record the answer."""
        cards = self.asker_in_use().draw(request)
        self._answers.append(("draw", request, as_data(to_json(cards)), False))
        return cards

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Pass the request on and record the answer."""
        chosen = self.asker_in_use().choose(request)
        self._answers.append(("choice", request, _chosen(request, chosen), False))
        return chosen

    def forced(self, request: ChoiceRequest) -> None:
        """Pass the request on and record the answer."""
        self.asker_in_use().forced(request)
        chosen = request.options[: 1 if request.count is None else request.count]
        self._answers.append(("choice", request, _chosen(request, chosen), True))


def _chosen(request: ChoiceRequest, chosen: tuple[Any, ...]) -> Any:
    """Return the chosen value as data, or a list if several were to be chosen."""
    alone = request.count is None and len(chosen) == 1
    return as_data(to_json(chosen[0] if alone else chosen))


@define
class FactsFirst:
    """An asker that requests missing facts before the first roll, draw or choice, if the run is certain to need them.

    It wraps askers that know no facts: these raise an error, or suspend the run until the fact is given.

    Attributes:
        asker: The asker that answers.
        missing: The missing facts.
        records: The kinds of records of the ruleset.
    """

    asker: Asker
    missing: Sequence[ir.Input]
    records: Mapping[str, ir.RecordDecl]

    def fact(self, request: FactRequest) -> Any:
        """Pass the request on."""
        return self.asker.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Request the missing facts, then pass the request on."""
        self._demand()
        return self.asker.roll(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Request the missing facts, then pass the request on."""
        self._demand()
        return self.asker.draw(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Request the missing facts, then pass the request on."""
        self._demand()
        return self.asker.choose(request)

    def forced(self, request: ChoiceRequest) -> None:
        """Pass the request on."""
        self.asker.forced(request)

    def _demand(self) -> None:
        missing, self.missing = self.missing, ()
        faults: list[InputFault] = []
        for declared in missing:
            try:
                self.asker.fact(FactRequest(declared, self.records))
            except MissingAnswer as error:
                if len(missing) == 1:
                    raise
                faults += error.errors
        if faults:
            raise InputError(faults)


def index_below(draw: Callable[[], float], count: int) -> int:
    """Draw a whole number below *count*, each exactly as likely as any other (rejection sampling).

    The function uses only ``random()``, the one method of Python's generator with the same results in every version.
    Its results are whole multiples of 2**-53. They are divided into *count* equal ranges, and the few left over are
    drawn again. So the same seed gives the same dice on every platform and version.

    Args:
        draw: The ``random`` method of a generator.
        count: How many numbers there are, 1 to 2**53.

    Examples:
        >>> index_below(lambda: 0.5, 6)
        3
    """
    stretch = _SCALE // count
    while True:
        index = int(draw() * _SCALE) // stretch
        if index < count:
            return index


def _roll_plain(draw: Callable[[], float], count: int, die: ir.Die) -> tuple[int, ...]:
    """Roll dice with faces from 1, with ``index_below`` inlined."""
    sides = die.count
    stretch = _SCALE // sides
    faces: list[int] = []
    while len(faces) < count:
        index = int(draw() * _SCALE) // stretch
        if index < sides:
            faces.append(index + 1)
    return tuple(faces)


@frozen
class GeneratorAsker:
    """An asker that rolls dice and draws cards at random. It knows no facts, and makes choices only on demand.

    Attributes:
        draw_number: The ``random`` method of a generator.
        decides: Whether to make choices at random too.
    """

    draw_number: Callable[[], float]
    decides: bool = False

    @classmethod
    def from_seed(cls, seed: int | str | CommittedDice, *, decides: bool = False) -> GeneratorAsker:
        """Create an asker with the dice of a seed, or with committed dice."""
        draw = seed.generator() if isinstance(seed, CommittedDice) else random.Random(encoded(seed)).random
        return cls(draw, decides)

    def fact(self, request: FactRequest) -> Any:
        """Raise an error: the fact was not given."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Roll each die in turn."""
        draw = self.draw_number
        if len(request.dice) == 1 and request.dice[0][1].faces is None:
            return _roll_plain(draw, *request.dice[0])
        dice = [die for count, die in request.dice for _ in range(count)]
        return tuple(die.face_at(index_below(draw, die.count)).printed for die in dice)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Draw one card after the other."""
        left = list(request.left)
        return tuple(left.pop(index_below(self.draw_number, len(left))) for _ in range(request.count))

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Choose at random if choices are allowed, else raise an error."""
        if not self.decides:
            return missing_choice(request)
        left = list(request.options)
        wanted = 1 if request.count is None else request.count
        return tuple(left.pop(index_below(self.draw_number, len(left))) for _ in range(wanted))

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""


class ScriptAsker:
    """An asker that answers from given dice and choices.

    Args:
        dice: The faces and cards, in a form that ``Script`` takes; ``None`` passes rolls and draws to *fallback*.
        choices: The choices, likewise.
        fallback: The asker for requests without a given answer; ``None`` raises an error for them.
        ways: What the choices are meant for, if that is searched for.
    """

    __slots__ = ("choices", "dice", "fallback", "ways")

    def __init__(
        self, dice: Any = None, choices: Any = None, fallback: Asker | None = None, ways: Ways | None = None
    ) -> None:  # fmt: skip
        self.ways = ways
        self.dice = _NO_DICE if dice is None else Script(dice, "dice")
        self.choices = _NO_CHOICES if choices is None else Script(choices, "choices")
        self.fallback = fallback

    def fact(self, request: FactRequest) -> Any:
        """Pass the request to the fallback."""
        return missing_fact(request) if self.fallback is None else self.fallback.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Take one given face per die."""
        script = self.dice
        count = sum([count for count, _ in request.dice])
        if script.scripted:
            script.join_words(request.name, spaced_faces(request), count)
        taken = script.take(request.name, count) if script.scripted else None
        if taken is None:
            if self.fallback is not None:
                return self.fallback.roll(request)
            return missing_roll(request, tuple(script.named))
        return read_faces(request, taken)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Take one given card per drawn card."""
        self.dice.join_words(request.name, spaced_texts(request.left), request.count)
        taken = self.dice.take(request.name, request.count)
        if taken is None:
            if self.fallback is not None:
                return self.fallback.draw(request)
            return missing_draw(request, tuple(self.dice.named))
        return read_cards(request, taken)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Take the given choices."""
        if self.ways is not None and request.left > 1 and request.count is None:
            self._choose_order(request, self.ways)
        self.choices.join_words(request.name, spaced_texts(request.options), pieces_of(request))
        taken = self.choices.take(request.name, pieces_of(request))
        if taken is None:
            if self.fallback is not None:
                return self.fallback.choose(request)
            return missing_choice(request, tuple(self.choices.named))
        return read_choice(request, taken)

    def forced(self, request: ChoiceRequest) -> None:
        """Take the given answer to a choice with one legal answer, if it is meant for that choice."""
        if self.ways is None or not self.choices.scripted:
            return
        pieces = pieces_of(request)
        given = self.choices.ahead(request.name, pieces)
        if len(given) == pieces and _is_forced(request, given) and self.ways.take(2):
            self.choices.take(request.name, pieces)

    def _choose_order(self, request: ChoiceRequest, ways: Ways) -> None:
        """Bring the answer forward that comes first: one of those of the same assignment."""
        given = self.choices.ahead(request.name, request.left)
        legal = [place for place, each in enumerate(given) if set(read_choice(request, each)) <= set(request.options)]
        different = [place for place in legal if given.index(given[place]) == place]
        if len(different) > 1 or (different and different[0]):
            self.choices.bring_forward(request.name, different[ways.take(len(different))])

    def check_finished(self) -> None:
        """Check that all given answers were used.

        Raises:
            InputError: Some given answers are left over.
        """
        dice, choices = self.dice, self.choices
        if dice.flat or dice.named or choices.flat or choices.named:
            faults = dice.faults() + choices.faults()
            if faults:
                raise InputError(faults)


def _is_forced(request: ChoiceRequest, given: list[Any]) -> bool:
    """Whether given answers name all that can be chosen."""
    answer = given[0] if len(given) == 1 else given
    chosen = read_choice(request, answer)
    wanted = 1 if request.count is None else request.count
    return len(chosen) == wanted and all(each in request.options for each in chosen)


_NO_DICE: Final = Script(None, "dice")
_NO_CHOICES: Final = Script(None, "choices")


class Answers(Recording):
    """A recording ``ScriptAsker`` with a fast path for a list of plain dice.

    Most calls have a few plain dice in a list, or none. This class answers those itself and creates a ``ScriptAsker``
    for everything else on first use.

    Args:
        dice: The faces and cards, as for ``ScriptAsker``.
        choices: The choices, as for ``ScriptAsker``.
        fallback: The asker for requests without a given answer, as for ``ScriptAsker``.
        ways: What the choices are meant for, as for ``ScriptAsker``.
    """

    __slots__ = ("_dice", "_rest", "_taken", "_ways")

    def __init__(self, dice: Any, choices: Any, fallback: Asker | None, ways: Ways | None = None) -> None:
        self._answers = []
        # A tuple of plain dice during the fast path; later a ScriptAsker, or the data to make one.
        self._dice = tuple(dice) if type(dice) is list else dice
        self._rest = choices, fallback
        self._ways = ways
        self._taken = 0

    def asker_in_use(self) -> Asker:
        """Return the asker for the remaining requests; the fallback alone if no answers were given."""
        choices, fallback = self._rest
        if fallback is not None and self._dice is None and choices is None:
            return fallback
        return self._scripted()

    def _scripted(self) -> ScriptAsker:
        dice = self._dice
        if type(dice) is not ScriptAsker:
            script = ScriptAsker(dice[self._taken :] if self._taken else dice, *self._rest, self._ways)
            if self._taken:
                script.dice.last = self._answers[-1][1].name
            self._dice = dice = script
        return dice

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Take plain faces for dice of one kind with faces from 1."""
        dice = self._dice
        if type(dice) is not tuple or len(request.dice) != 1:
            return super().roll(request)
        count, die = request.dice[0]
        start = self._taken
        faces = dice[start : start + count]
        if die.faces is not None or len(faces) != count:
            return super().roll(request)
        for face in faces:
            if type(face) is not int:
                return super().roll(request)
        self._taken = start + count
        self._answers.append(("roll", request, faces, False))
        return faces

    def check_finished(self) -> None:
        """Check that all given answers were used.

        Raises:
            InputError: Some given answers are left over.
        """
        dice = self._dice
        if self._rest[0] or (dice is not None and (type(dice) is not tuple or len(dice) != self._taken)):
            self._scripted().check_finished()
