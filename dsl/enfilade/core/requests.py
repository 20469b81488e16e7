"""Requests of a run: the facts, rolls, draws and choices that the rules need, and the protocol that answers them.

The caller of a run supplies the answers: a random generator, a script, a person, or a log that is replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from attrs import field, frozen

from enfilade.core.ir import Die, Input, Note, RecordDecl

NO_POLICY: Final = object()
"""The policy of a choice that has none; ``None`` is the word ``none``."""


@frozen
class FactRequest:
    """A request for a fact that the caller did not give; *records* are the kinds of records of the ruleset."""

    input: Input
    records: Mapping[str, RecordDecl] = field(factory=dict, eq=False, repr=False)


@frozen
class RollRequest:
    """A request to roll dice.

    Attributes:
        name: The roll's name in the rules; inside a loop, with its place: ``morale[gun]``.
        dice: The number of each die, in order.
        player: The player who rolls, if the rules name one.
        note: The line's label and citations.
    """

    name: str
    dice: tuple[tuple[int, Die], ...]
    player: str | None
    note: Note


@frozen
class DrawRequest:
    """A request to draw cards.

    Attributes:
        name: The draw's name, with its place.
        deck: The deck's name.
        left: The cards still in the deck.
        count: The number of cards to draw.
        player: The player who draws, if the rules name one.
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
    """A request to choose.

    Attributes:
        name: The choice's name, with its place.
        player: The player who chooses.
        options: The legal options, at least two. If several are chosen, equal options may be among them.
        count: How many options to choose; ``None`` for one.
        note: The line's label and citations.
        left: In an assignment, the number of choices still to be made, this one included: their answers may be given
            in any order that is legal.
        policy: The value of the policy for the choice; ``NO_POLICY`` without one.
        any_order: Whether an option that is a list may be given in any order.
    """

    name: str
    player: str
    options: tuple[Any, ...]
    count: int | None
    note: Note
    left: int = 1
    policy: Any = NO_POLICY
    any_order: bool = False


class Asker(Protocol):
    """Answers the requests of a run."""

    def fact(self, request: FactRequest) -> Any:
        """Return the value of a fact, checked and converted."""

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Return the faces that the dice show, as printed."""

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Return the cards drawn."""

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Return the options chosen: one, or the number requested."""

    def forced(self, request: ChoiceRequest) -> None:
        """Record a choice that had one legal option, so nobody chose."""
