"""Questions in words: the prompt of a question as styled parts, and the texts of dice, options and defaults in it.

Every front end asks in these words: the REPL, the command line, a page, a bot. This module must not depend on the
questions themselves, which have these words as their ``prompt()``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from enfilade.api.dice_to_roll import DiceToRoll
from enfilade.api.outcome_values import value_text
from enfilade.api.typed_text import typed_value
from enfilade.core.legal_answers import short_faces, spoken_name
from enfilade.diagnostics.columns import visible
from enfilade.door import door, with_doors
from enfilade.values.types import ListOf, RecordOf, Type

Parts: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of one line: for each a style, such as ``name`` or ``hint``, and its text."""

_MOST_LISTED: Final = 12
_MOST_FACES: Final = 30


@with_doors
class Prompted(ABC):
    """The base class of questions: it puts a question in words."""

    __slots__ = ()

    @abstractmethod
    def prompt_parts(self) -> Parts:
        """The prompt in styled parts, for a program that colours it."""

    def prompt(self) -> str:
        """Put the question in one line of text, in the words of the REPL: who answers, what is asked, what is legal.

        Examples:
            >>> import enfilade
            >>> enfilade.load("infantry_attacks").begin("direct_fire", fire_value=16).question.prompt()
            'fire_roll, 2d6 (Enter to roll, or type the dice):'
        """
        return visible("".join(text for _, text in self.prompt_parts()))


def fact_prompt(name: str, text: str, cites: tuple[str, ...], kind: str, default: str | None) -> Parts:
    """The prompt for a fact.

    Args:
        name: The name of the fact.
        text: Its label, or its name.
        cites: Its citations.
        kind: What it may be.
        default: The answer that an empty line gives; ``None`` if there is none.
    """
    label = f", {text}" if text != name else ""
    hint = kind + ("" if default is None else f"; Enter for {default}")
    return (("name", name), ("", label), _cited(cites), ("hint", f" ({hint}):"))


def roll_prompt(player: str | None, again: bool, title: Parts, dice: Iterable[str]) -> Parts:
    """The prompt for a roll: the player who rolls, whether it is a reroll, the title, and the dice."""
    repeated = (("", "again "),) if again else ()
    hint = (("", ", "), ("dice", " + ".join(dice)), ("hint", " (Enter to roll, or type the dice):"))
    return (*_player(player), *repeated, *title, *hint)


def draw_prompt(player: str | None, title: Parts, count: int, deck: str) -> Parts:
    """The prompt for a draw of cards: the player who draws, the title, the number of cards, and the deck."""
    return (*_player(player), *title, ("", f", {count} from {deck}"), ("hint", " (Enter to draw, or type the cards):"))


def choice_prompt(player: str, title: Parts, count: int | None, legal: Iterable[Any]) -> Parts:
    """The prompt for a choice: the player who chooses, the title, how many, and the options."""
    several = "" if count is None else f"{count} of "
    # A list among the options in the form in which it is typed.
    legal = [f"[{value_text(each) if each else ''}]" if isinstance(each, tuple) else each for each in legal]
    return (*_player(player), *title, ("hint", f" ({several}{some_of(counted_texts(legal))}):"))


def title_parts(key: str, text: str, cites: tuple[str, ...]) -> Parts:
    """The title of a roll, draw or choice: its label, or else its name; its place in a loop, and its citations."""
    return (("name", spoken_name(key, text)), _cited(cites))


def _player(player: str | None) -> Parts:
    return (("player", f"{player}: "),) if player else ()


def _cited(cites: tuple[str, ...]) -> tuple[str, str]:
    return "cite", f" [{', '.join(cites)}]" if cites else ""


# ------------------------------------------------------------------------------------------------------ parts of it


def fact_kind(type_: Type) -> str:
    """What a fact may be, in a player's words; for a record, that the table may have it already.

    Examples:
        >>> fact_kind(ListOf(RecordOf("unit")))
        'any number of units: pieces on the table, or new names'
    """
    of = type_.of if isinstance(type_, ListOf) else type_
    several = "pieces on the table, or new names" if of is not type_ else "a piece on the table, or a new name"
    return type_.allowed + (f": {several}" if isinstance(of, RecordOf) else "")


def default_value_text(default: Any) -> str:
    """A default in words: the answer that an empty line gives."""
    if isinstance(default, Mapping):
        return ", ".join(f"{name} {value_text(value)}" for name, value in default.items())
    if isinstance(default, (list, tuple)):
        return ", ".join(map(typed_value, default)) or "nothing"
    return value_text(default)


@door
def dice_text(dice: DiceToRoll) -> str:
    """Dice in the notation of the rules: ``2d6``, ``3 musket``.

    Examples:
        >>> dice_text(DiceToRoll("d6", 2, (), 6)), dice_text(DiceToRoll("musket", 3, (0, 1, 2), 3))
        ('2d6', '3 musket, 0..2')
    """
    if re.fullmatch(r"d\d+", dice.die):
        return dice.die if dice.count == 1 else f"{dice.count}{dice.die}"
    shown = faces_text(dice)
    faces = f", {shown}" if len(shown) <= _MOST_FACES else ""
    if dice.label is not None:
        return f"{dice.count} {'die' if dice.count == 1 else 'dice'} ({dice.label}){faces}"
    return f"{dice.die if dice.count == 1 else f'{dice.count} {dice.die}'}{faces}"


def legal_dice(groups: Iterable[DiceToRoll]) -> str:
    """The number of dice of each kind, with their faces: ``2 of 1..6``."""
    return " and ".join(f"{dice.count} of {faces_text(dice)}" for dice in groups)


def faces_text(dice: DiceToRoll) -> str:
    """The faces of a die in words; if they are not listed, its numbers from 1."""
    if not dice.faces:
        return f"1..{dice.sides}"
    return short_faces(tuple(face if isinstance(face, int) else value_text(face) for face in dice.faces))


def counted_texts(values: Iterable[Any]) -> list[str]:
    """The values in words; equal ones once, with their number."""
    texts = [value_text(each) for each in values]
    return [text if texts.count(text) == 1 else f"{texts.count(text)} x {text}" for text in dict.fromkeys(texts)]


def some_of(texts: Iterable[str]) -> str:
    """The first texts of a long list, and how many more there are."""
    listed = list(texts)
    more = f", and {len(listed) - _MOST_LISTED} more" if len(listed) > _MOST_LISTED + 1 else ""
    return ", ".join(listed[:_MOST_LISTED] if more else listed) + more
