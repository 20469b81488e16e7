"""Answers what the rules ask for, at once: with a generator, or from a script.

Askers for play. Each answers in the order in which the rules ask, and none looks at what the rules do with
it. Whoever runs the rules wraps them in a ``Recording``, which holds every answer, so that a run can be
repeated from its log.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
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
)
from enfilade.core.json_values import to_json
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.engines.scripted_answers import Script
from enfilade.errors import InputError, InputFault, MissingAnswer

_SCALE: Final = 1 << 53
_FRESH: Final = random.Random()
if hasattr(os, "register_at_fork"):
    # The workers of a server are copies of one process, and would all roll the same.
    os.register_at_fork(after_in_child=_FRESH.seed)

FRESH_DICE: Final = _FRESH.random
"""Numbers that nobody can foretell, for ``index_below``. Python's own generator is left to the host."""


_Kept: TypeAlias = tuple[str, RollRequest | DrawRequest | ChoiceRequest | ir.Input, Any, bool]


class Recording:
    """Keeps every answer that another asker gives, and every choice that had one legal answer.

    Args:
        asker: Who answers.
    """

    __slots__ = ("_asker", "_kept")

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        # Entries are made when somebody looks: most outcomes are never asked for their log.
        self._kept: list[_Kept] = []

    def who(self) -> Asker:
        """Who answers."""
        return self._asker

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The answers so far."""
        return tuple(LogEntry(kind, request.name, value, forced) for kind, request, value, forced in self._kept)

    def fact(self, request: FactRequest) -> Any:
        """Pass on and keep."""
        value = self.who().fact(request)
        self._kept.append(("fact", request.input, as_data(to_json(value)), False))
        return value

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Pass on and keep."""
        faces = self.who().roll(request)
        self._kept.append(("roll", request, faces, False))
        return faces

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Pass on and keep."""
        cards = self.who().draw(request)
        self._kept.append(("draw", request, as_data(to_json(cards)), False))
        return cards

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Pass on and keep."""
        chosen = self.who().choose(request)
        self._kept.append(("choice", request, _chosen(request, chosen), False))
        return chosen

    def forced(self, request: ChoiceRequest) -> None:
        """Pass on and keep."""
        self.who().forced(request)
        self._kept.append(("choice", request, _chosen(request, request.options), True))


def _chosen(request: ChoiceRequest, chosen: tuple[Any, ...]) -> Any:
    """What was chosen as data: alone where one was to be chosen, else a list."""
    alone = request.count is None and len(chosen) == 1
    return as_data(to_json(chosen[0] if alone else chosen))


@define
class FactsFirst:
    """Demands facts that are sure to be needed before the first roll, draw or choice.

    For askers that answer no facts: they refuse, or end the run until the fact is given with the others.

    Attributes:
        asker: Who answers.
        missing: The facts that were not given.
    """

    asker: Asker
    missing: Sequence[ir.Input]

    def fact(self, request: FactRequest) -> Any:
        """Pass on."""
        return self.asker.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Demand the facts, then pass on."""
        self._demand()
        return self.asker.roll(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Demand the facts, then pass on."""
        self._demand()
        return self.asker.draw(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Demand the facts, then pass on."""
        self._demand()
        return self.asker.choose(request)

    def forced(self, request: ChoiceRequest) -> None:
        """Pass on."""
        self.asker.forced(request)

    def _demand(self) -> None:
        missing, self.missing = self.missing, ()
        faults: list[InputFault] = []
        for declared in missing:
            try:
                self.asker.fact(FactRequest(declared))
            except MissingAnswer as error:
                if len(missing) == 1:
                    raise
                faults += error.errors
        if faults:
            raise InputError(faults)


def index_below(draw: Callable[[], float], count: int) -> int:
    """Draw a whole number below *count*, each exactly as likely as any other.

    Only ``random()`` is used, the one method of Python's generator that is promised to give the same numbers
    in every version, and it is a whole multiple of 2**-53. Those multiples are cut into *count* equal
    stretches; the few that are left over are drawn again. So the same seed gives the same dice on every
    platform and version.

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
    """Roll dice that go from 1: ``index_below`` for each, without a call for each."""
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
    """Rolls dice and draws cards at random. It knows no facts, and makes choices only where told to.

    Attributes:
        draw_number: The ``random`` method of a generator.
        decides: Whether choices are made at random too.
    """

    draw_number: Callable[[], float]
    decides: bool = False

    @classmethod
    def from_seed(cls, seed: int | str, *, decides: bool = False) -> GeneratorAsker:
        """Roll the dice that belong to a seed."""
        return cls(random.Random(seed).random, decides)

    def fact(self, request: FactRequest) -> Any:
        """Refuse: nobody gave it."""
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
        """Choose at random, or refuse: the choice is a player's."""
        if not self.decides:
            return missing_choice(request)
        left = list(request.options)
        wanted = 1 if request.count is None else request.count
        return tuple(left.pop(index_below(self.draw_number, len(left))) for _ in range(wanted))

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""


class ScriptAsker:
    """Answers from dice and choices that were written down.

    Args:
        dice: The faces and cards, as ``Script`` takes them; ``None`` leaves them to *fallback*.
        choices: What is chosen, likewise.
        fallback: Who answers what is not written down; nobody if ``None``.
    """

    __slots__ = ("choices", "dice", "fallback")

    def __init__(self, dice: Any = None, choices: Any = None, fallback: Asker | None = None) -> None:
        self.dice = _NO_DICE if dice is None else Script(dice, "dice")
        self.choices = _NO_CHOICES if choices is None else Script(choices, "choices")
        self.fallback = fallback

    def fact(self, request: FactRequest) -> Any:
        """Leave it to the fallback."""
        return missing_fact(request) if self.fallback is None else self.fallback.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Take as many faces as there are dice."""
        script = self.dice
        taken = script.take(request.name, sum([count for count, _ in request.dice])) if script.scripted else None
        if taken is None:
            if self.fallback is not None:
                return self.fallback.roll(request)
            return missing_roll(request, tuple(script.named))
        return read_faces(request, taken)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Take as many cards as are drawn."""
        taken = self.dice.take(request.name, request.count)
        if taken is None:
            if self.fallback is not None:
                return self.fallback.draw(request)
            return missing_draw(request, tuple(self.dice.named))
        return read_cards(request, taken)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Take as many choices as are to be made."""
        taken = self.choices.take(request.name, pieces_of(request))
        if taken is None:
            if self.fallback is not None:
                return self.fallback.choose(request)
            return missing_choice(request, tuple(self.choices.named))
        return read_choice(request, taken)

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do: what is not asked takes no answer."""

    def check_finished(self) -> None:
        """Refuse answers that nobody asked for.

        Raises:
            InputError: Some are left over.
        """
        dice, choices = self.dice, self.choices
        if dice.flat or dice.named or choices.flat or choices.named:
            faults = dice.faults() + choices.faults()
            if faults:
                raise InputError(faults)


_NO_DICE: Final = Script(None, "dice")
_NO_CHOICES: Final = Script(None, "choices")


class Answers(Recording):
    """Answers for one call, from a script and a generator, and keeps them: what ``ScriptAsker`` does, sooner.

    Most calls have a few plain dice in a list, or none. Those are answered here; whatever else comes is left to a
    ``ScriptAsker``, which is made when it is needed.

    Args:
        dice: As ``ScriptAsker`` takes them.
        choices: Likewise.
        fallback: Likewise.
    """

    __slots__ = ("_dice", "_rest", "_taken")

    def __init__(self, dice: Any, choices: Any, fallback: Asker | None) -> None:
        self._kept = []
        # A tuple is taken from here. All else is a script, or becomes one; then that stands here.
        self._dice = tuple(dice) if type(dice) is list else dice
        self._rest = choices, fallback
        self._taken = 0

    def who(self) -> Asker:
        """The script, with what has not been answered yet; the fallback alone where nothing was written."""
        choices, fallback = self._rest
        if fallback is not None and self._dice is None and choices is None:
            return fallback
        return self._scripted()

    def _scripted(self) -> ScriptAsker:
        dice = self._dice
        if type(dice) is not ScriptAsker:
            script = ScriptAsker(dice[self._taken :] if self._taken else dice, *self._rest)
            if self._taken:
                script.dice.last = self._kept[-1][1].name
            self._dice = dice = script
        return dice

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Take plain faces for dice of one usual kind."""
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
        self._kept.append(("roll", request, faces, False))
        return faces

    def check_finished(self) -> None:
        """Refuse answers that nobody asked for.

        Raises:
            InputError: Some are left over.
        """
        dice = self._dice
        if self._rest[0] or (dice is not None and (type(dice) is not tuple or len(dice) != self._taken)):
            self._scripted().check_finished()
