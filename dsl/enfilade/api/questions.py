"""The questions of a run: a fact, a roll, a draw or a choice, with the player who answers and the legal answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, ClassVar, TypeAlias, assert_never

from attrs import field, frozen

from enfilade.api.describe import InputField, describe_input
from enfilade.api.dice_to_roll import DiceToRoll, dice_of
from enfilade.api.plain_data import plain
from enfilade.api.question_texts import (
    Parts,
    Prompted,
    choice_prompt,
    default_value_text,
    dice_text,
    draw_prompt,
    fact_kind,
    fact_prompt,
    roll_prompt,
    title_parts,
)
from enfilade.core import ir
from enfilade.core.dice_totals import DiceSums, TotalOnlyRolls
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.door import with_doors
from enfilade.errors import InputError, InputFault
from enfilade.values.json_data import to_json
from enfilade.values.numbers import shorten

Request: TypeAlias = FactRequest | RollRequest | DrawRequest | ChoiceRequest

_PLACE = re.compile(r"\[([^\]]*)\]")
_MOST_MEANT = 6
_MOST_TOTALS = 20


@with_doors
@frozen
class FactQuestion(Prompted):
    """A question for a fact.

    Attributes:
        name: The name of the fact.
        text: The question for people: the fact's label, or its name.
        cites: The citations of its line.
        input: The description of the fact, with its default and its JSON Schema.
        core: The name of the fact in the core, for internal use.
        player: Always ``None``: anyone may answer.
        place: Always empty: facts are not asked for in loops.
    """

    kind: ClassVar[str] = "fact"

    name: str
    text: str
    cites: tuple[str, ...]
    input: InputField
    core: str = ""
    player: None = None
    place: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name of the fact."""
        return self.name

    @property
    def legal(self) -> Mapping[str, Any]:
        """The legal answers as JSON Schema."""
        return self.input.json_schema

    @property
    def default(self) -> Any:
        """The default of the fact; ``None`` if it has none."""
        return self.input.default

    def prompt_parts(self) -> Parts:
        """The prompt in styled parts."""
        default = None if self.input.required else default_value_text(self.default)
        return fact_prompt(self.name, self.text, self.cites, fact_kind(self.input.domain), default)

    def to_json(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return _common(self) | {"legal": self.legal, "type": self.input.type, "default": self.default}


@with_doors
@frozen
class RollQuestion(Prompted):
    """A question for a roll of dice.

    Attributes:
        key: The name with its place in a loop: ``morale[gun]``.
        name: The name of the roll.
        text: The question for people.
        cites: The citations of its line.
        player: The player who rolls, if the rules name one.
        place: The position of a repeated roll in its loops: the keys of records, or the numbers of rounds.
        again: Whether this is a reroll, or a roll of additional dice.
        legal: The dice.
        reads_total: Whether the rules use only the total of this roll, not its faces.
        default: Always ``None``: only facts have defaults.
    """

    kind: ClassVar[str] = "roll"

    key: str
    name: str
    text: str
    cites: tuple[str, ...]
    player: str | None
    place: tuple[str, ...]
    again: bool
    legal: tuple[DiceToRoll, ...]
    default: None = None
    reads_total: bool = False
    _groups: tuple[tuple[int, ir.Die], ...] = field(default=(), alias="groups", eq=False, repr=False)

    def faces_for(self, total: Any) -> tuple[Any, ...]:
        """Find faces with a given total.

        If the rules use only the total, any faces with that total will do, and the method always returns the same. If
        the rules use the faces, the total must determine them, as 2 does on 2d6.

        Args:
            total: The sum of the values of the faces.

        Returns:
            The faces as printed, for ``Run.answer``.

        Raises:
            InputError: The total is impossible, or the rules use the faces and the total does not determine them.
        """
        return faces_for(self, self._groups, total)

    def prompt_parts(self) -> Parts:
        """The prompt in styled parts."""
        title = title_parts(self.key, self.text, self.cites)
        return roll_prompt(self.player, self.again, title, map(dice_text, self.legal))

    def to_json(self) -> dict[str, Any]:
        """Return the question as plain data."""
        legal = [dice.to_json() for dice in self.legal]
        return _common(self) | {"again": self.again, "legal": legal, "reads_total": self.reads_total}


@with_doors
@frozen
class DrawQuestion(Prompted):
    """A question for a draw of cards.

    Attributes:
        key: The name with its place in a loop: ``morale[gun]``.
        name: The name of the draw.
        text: The question for people.
        cites: The citations of its line.
        player: The player who draws, if the rules name one.
        place: The position of a repeated draw in its loops.
        deck: The name of the deck.
        count: The number of cards.
        legal: The remaining cards of the deck.
        default: Always ``None``: only facts have defaults.
    """

    kind: ClassVar[str] = "draw"

    key: str
    name: str
    text: str
    cites: tuple[str, ...]
    player: str | None
    place: tuple[str, ...]
    deck: str
    count: int
    legal: tuple[Any, ...]
    default: None = None

    def prompt_parts(self) -> Parts:
        """The prompt in styled parts."""
        return draw_prompt(self.player, title_parts(self.key, self.text, self.cites), self.count, self.deck)

    def to_json(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return _common(self) | {"deck": self.deck, "count": self.count, "legal": to_json(self.legal)}


@with_doors
@frozen
class ChoiceQuestion(Prompted):
    """A question for a choice by a player.

    Attributes:
        key: The name with its place in a loop: ``morale[gun]``.
        name: The name of the choice.
        text: The question for people.
        cites: The citations of its line.
        player: The player who chooses.
        place: The position of a repeated choice in its loops.
        count: The number of values to choose; ``None`` for a single one.
        legal: The legal values: keys of records, words, numbers, yes and no, or ``None``. A value that may be chosen
            several times, such as the value of two dice, is listed as often.
        default: Always ``None``: only facts have defaults.
    """

    kind: ClassVar[str] = "choice"

    key: str
    name: str
    text: str
    cites: tuple[str, ...]
    player: str
    place: tuple[str, ...]
    count: int | None
    legal: tuple[Any, ...] = field()
    default: None = None

    def prompt_parts(self) -> Parts:
        """The prompt in styled parts."""
        title = title_parts(self.key, self.text, self.cites)
        return choice_prompt(self.player, title, self.count, self.legal)

    def to_json(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return _common(self) | {"count": self.count, "legal": to_json(self.legal)}


Question: TypeAlias = FactQuestion | RollQuestion | DrawQuestion | ChoiceQuestion


def _common(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind, "key": question.key, "name": question.name, "place": list(question.place),
        "player": question.player, "text": question.text, "cites": list(question.cites),
    }  # fmt: skip


def ask(request: Request, name: str | None = None, totals: TotalOnlyRolls | None = None, core: str = "") -> Question:
    """Convert a request of the rules to a question.

    Args:
        request: The request.
        name: For a fact, the name that callers use.
        totals: The analysis that finds rolls used only by their total, if available.
        core: For a fact, its name in the core.
    """
    match request:
        case FactRequest(declared):
            return fact_question(declared, name or declared.name, core)
        case RollRequest():
            legal = dice_of(request)
            again = request.name.endswith("+")
            place, by_total = _place(request.name), totals is not None and totals.reads_total(request)
            return RollQuestion(
                *_asked(request), request.player, place, again, legal, reads_total=by_total, groups=request.dice
            )
        case DrawRequest():
            place = _place(request.name)
            left = plain(request.left)
            return DrawQuestion(*_asked(request), request.player, place, request.deck, request.count, left)
        case ChoiceRequest():
            place = _place(request.name)
            legal_options = plain(request.options)
            return ChoiceQuestion(*_asked(request), request.player, place, request.count, legal_options)
        case _:
            assert_never(request)


def fact_question(declared: ir.Input, name: str, core: str = "") -> FactQuestion:
    """Return the question for a fact.

    Args:
        declared: The declaration of the fact.
        name: The name that callers use.
        core: Its name in the core.
    """
    text = declared.note.label or name
    return FactQuestion(name, text, declared.note.cites, describe_input(declared, name), core)


def _asked(request: RollRequest | DrawRequest | ChoiceRequest) -> tuple[str, str, str, tuple[str, ...]]:
    base = request.name.rstrip("+").partition("[")[0]
    return request.name, base, request.note.label or base, request.note.cites


def _place(name: str) -> tuple[str, ...]:
    return tuple(_PLACE.findall(name))


def faces_for(question: RollQuestion, groups: tuple[tuple[int, ir.Die], ...], total: Any) -> tuple[Any, ...]:
    """Return faces with a given total; see ``RollQuestion.faces_for``."""
    rolled = _dice_text(question.legal)
    try:
        sums = DiceSums(groups)
    except ValueError as reason:
        raise _no_total(question, total, "faces", f"{reason}: give the faces of {rolled}") from None
    allowed = _totals_text(sums)
    if type(total) is not int:
        raise _no_total(
            question, total, allowed, f"{shorten(total)} is not a total of {rolled}; possible totals are {allowed}"
        )
    if not sums.is_possible(total):
        raise _no_total(question, total, allowed, f"{rolled} can't add up to {total}; possible totals are {allowed}")
    if question.reads_total or sums.has_one_sequence(total):
        return sums.faces(total, 1)[0]
    some = sums.faces(total, _MOST_MEANT + 1)
    meant = ", ".join(" ".join(map(str, faces)) for faces in some[:_MOST_MEANT])
    more = " and others" if len(some) > _MOST_MEANT else ""
    message = (
        f"a total of {total} on {rolled} can be {meant}{more}; the rules use each die separately, so give the faces"
    )
    raise _no_total(question, total, meant + more, message)


def _no_total(question: RollQuestion, total: Any, allowed: str, message: str) -> InputError:
    return InputError([InputFault(question.key, to_json(total), allowed, message)])


def _dice_text(legal: tuple[DiceToRoll, ...]) -> str:
    """Return dice as rules write them: ``2d6 + d8``, ``2 bones``."""
    built_in = [dice.die[:1] == "d" and dice.die[1:].isdigit() for dice in legal]
    counts = [
        f"{dice.count}{'' if plain else ' '}" if dice.count > 1 else ""
        for dice, plain in zip(legal, built_in, strict=True)
    ]
    return " + ".join(count + dice.die for count, dice in zip(counts, legal, strict=True))


def _totals_text(sums: DiceSums) -> str:
    if sums.is_whole:
        return f"{sums.low}..{sums.high}"
    some = [str(total) for total in islice(sums.totals(), _MOST_TOTALS + 1)]
    return ", ".join(some) if len(some) <= _MOST_TOTALS else f"some of {sums.low}..{sums.high}"
