"""Questions: what a run waits for, who must say it, and what the legal answers are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias, assert_never

from attrs import field, frozen

from enfilade.api.describe import InputField, describe_input
from enfilade.api.outcome import plain
from enfilade.core import ir
from enfilade.core.asking import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.jsonable import to_json

Request: TypeAlias = FactRequest | RollRequest | DrawRequest | ChoiceRequest

_PLACE = re.compile(r"\[([^\]]*)\]")
_MOST_LISTED = 100


@frozen
class FactQuestion:
    """The rules need a fact.

    Attributes:
        name: The fact.
        text: The question for people: its label, or its name.
        cites: The citations of its line.
        input: What it may be, with its default and its JSON Schema.
        player: ``None``: the rules don't say who answers.
        place: Empty: a fact has one place.
    """

    kind: ClassVar[str] = "fact"

    name: str
    text: str
    cites: tuple[str, ...]
    input: InputField
    player: None = None
    place: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name with its place."""
        return self.name

    @property
    def legal(self) -> Mapping[str, Any]:
        """The legal answers as JSON Schema."""
        return self.input.json_schema

    @property
    def default(self) -> Any:
        """What the fact is if nobody says otherwise; ``None`` where it must be said."""
        return self.input.default

    def to_json(self) -> dict[str, Any]:
        """Give the question as plain data."""
        return _common(self) | {"legal": self.legal, "type": self.input.type, "default": self.default}


@frozen
class DiceToRoll:
    """Some dice of one kind.

    Attributes:
        die: The name of the die.
        count: How many.
        faces: The different faces as printed; empty where they are too many to list, and go from 1 to
        *sides*.
        sides: How many sides it has.
    """

    die: str
    count: int
    faces: tuple[Any, ...]
    sides: int

    def to_json(self) -> dict[str, Any]:
        """Give the dice as plain data."""
        return {"die": self.die, "count": self.count, "faces": to_json(self.faces), "sides": self.sides}


@frozen
class RollQuestion:
    """Dice are to be rolled.

    Attributes:
        name: The roll.
        text: The question for people.
        cites: The citations of its line.
        player: Who rolls, if the rules say so.
        place: Where in its loops a repeated roll is: the record, or the number of the round.
        again: Whether these are dice that are rolled again, or more of them.
        legal: The dice.
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

    def to_json(self) -> dict[str, Any]:
        """Give the question as plain data."""
        return _common(self) | {"again": self.again, "legal": [dice.to_json() for dice in self.legal]}


@frozen
class DrawQuestion:
    """Cards are to be drawn.

    Attributes:
        name: The draw.
        text: The question for people.
        cites: The citations of its line.
        player: Who draws, if the rules say so.
        place: Where in its loops a repeated draw is.
        deck: The deck.
        count: How many.
        legal: The cards that are left in it.
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

    def to_json(self) -> dict[str, Any]:
        """Give the question as plain data."""
        return _common(self) | {"deck": self.deck, "count": self.count, "legal": to_json(self.legal)}


@frozen
class ChoiceQuestion:
    """A player is to choose.

    Attributes:
        name: The choice.
        text: The question for people.
        cites: The citations of its line.
        player: Who chooses.
        place: Where in its loops a repeated choice is.
        count: How many different ones; ``None`` for one.
        legal: What may be chosen: keys of records, words, numbers, yes and no, or ``None``.
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

    def to_json(self) -> dict[str, Any]:
        """Give the question as plain data."""
        return _common(self) | {"count": self.count, "legal": to_json(self.legal)}


Question: TypeAlias = FactQuestion | RollQuestion | DrawQuestion | ChoiceQuestion


def _common(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind, "key": question.key, "name": question.name, "place": list(question.place),
        "player": question.player, "text": question.text, "cites": list(question.cites),
    }  # fmt: skip


def ask(request: Request, name: str | None = None) -> Question:
    """Word what the rules ask for.

    Args:
        request: What they ask for.
        name: What a caller calls the fact, where it is one.
    """
    match request:
        case FactRequest(declared):
            called = name or declared.name
            text = declared.note.label or called
            return FactQuestion(called, text, declared.note.cites, describe_input(declared, called))
        case RollRequest():
            legal = tuple(_dice(count, die) for count, die in request.dice)
            again = request.name.endswith("+")
            return RollQuestion(*_asked(request), request.player, _place(request.name), again, legal)
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


def _asked(request: RollRequest | DrawRequest | ChoiceRequest) -> tuple[str, str, str, tuple[str, ...]]:
    base = request.name.rstrip("+").partition("[")[0]
    return request.name, base, request.note.label or base, request.note.cites


def _place(name: str) -> tuple[str, ...]:
    return tuple(_PLACE.findall(name))


def _dice(count: int, die: ir.Die) -> DiceToRoll:
    if die.faces is None:
        faces = tuple(range(1, die.count + 1)) if die.count <= _MOST_LISTED else ()
        return DiceToRoll(die.name, count, faces, die.count)
    return DiceToRoll(die.name, count, tuple(dict.fromkeys(face.printed for face in die.faces)), die.count)
