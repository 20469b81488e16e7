"""What the rules ask for: facts, rolls, draws and choices, all through one interface.

Whoever runs the rules answers: a generator, a script, a person, or a log that is being replayed.
"""

from __future__ import annotations

from typing import Any, Protocol

from attrs import frozen

from enfilade.core.ir import Die, Input, Note


@frozen
class FactRequest:
    """A fact that was not given and is needed now."""

    input: Input


@frozen
class RollRequest:
    """Dice to roll.

    Attributes:
        name: The roll's name in the rules, with its place where it is repeated: ``morale[gun]``.
        dice: How many of each die, in order.
        player: Who rolls, if the rules say so.
        note: The line's label and citations.
    """

    name: str
    dice: tuple[tuple[int, Die], ...]
    player: str | None
    note: Note


@frozen
class DrawRequest:
    """Cards to draw.

    Attributes:
        name: The draw's name, with its place.
        deck: The deck's name.
        left: The cards still in it.
        count: How many to draw.
        player: Who draws, if the rules say so.
        note: The line's label and citations.
    """

    name: str
    deck: str
    left: tuple[Any, ...]
    count: int
    player: str | None
    note: Note


@frozen
class ChoiceRequest:
    """A choice to make.

    Attributes:
        name: The choice's name, with its place.
        player: Who chooses.
        options: What may be chosen, at least two.
        count: How many different ones, ``None`` for one.
        note: The line's label and citations.
    """

    name: str
    player: str
    options: tuple[Any, ...]
    count: int | None
    note: Note


class Asker(Protocol):
    """Answers what the rules ask for."""

    def fact(self, request: FactRequest) -> Any:
        """The value of a fact, checked and converted."""

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """The faces that the dice show, as printed."""

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """The cards drawn."""

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """The options chosen: one, or as many as the request says."""

    def forced(self, request: ChoiceRequest) -> None:
        """A choice with one legal answer was taken without asking."""
