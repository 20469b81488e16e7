"""What the odds engine is asked, how far it may go, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.core.values import State
from enfilade.errors import EnfiladeError


@frozen
class OddsLimits:
    """How far the odds of one situation may be worked out.

    Attributes:
        worlds: Worlds that are told apart at one time.
        products: Weights that are multiplied in all, and steps taken.
        outcomes: Outcomes of one roll or one answer.
        seconds: A limit of the clock, where a caller wants one.
    """

    worlds: int = 200_000
    products: int = 5_000_000
    outcomes: int = 200_000
    seconds: float | None = None


@frozen
class Situation:
    """What the odds are asked of.

    Attributes:
        program: The ruleset.
        procedure: What is played.
        options: The value of every option.
        facts: The facts that are given, converted.
        state: The records and decks at the start.
        log: Dice, cards and choices that are known already, in the order asked: ``("roll", faces)``,
            ``("draw", cards)``, ``("choose", chosen)``. What comes after them is open.
    """

    program: ir.Program
    procedure: str
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    state: State
    log: tuple[tuple[str, tuple[Any, ...]], ...] = ()


@frozen
class Whole:
    """A question about all of something: ``"outputs"`` (a dict), ``"effects"`` (a tuple, in order) or ``"state"``."""

    what: str


Ask: TypeAlias = ir.Expr | Whole
"""A question: an expression over the outputs as its locals (one that was not given is ``none``) and the state at the
end, as after ``expect`` in an example; or a whole."""

Decide: TypeAlias = Callable[[ChoiceRequest], tuple[Any, ...] | None]
"""Answers a choice, or ``None`` to leave it open."""


@frozen
class Policy:
    """Who decides what.

    Attributes:
        decide: A fixed policy, asked first.
        players: For each player ``"best"`` or ``"worst"``, in view of the aim; ``"random"`` for even chances.
        aim: What is to be as high as possible: the number of the question that is the aim, from 0. A number, or yes for 1.
    """

    decide: Decide | None = None
    players: Mapping[str, str] = field(factory=dict)
    aim: int = 0


@frozen
class Decision:
    """A choice that was weighed.

    Attributes:
        name: The choice, with its place.
        player: Who chose.
        options: Each way to choose with the expected aim, in the order offered.
        chosen: What was chosen.
        known: Which dice, cards and choices came before it, told as the engine can.
    """

    name: str
    player: str
    options: tuple[tuple[tuple[Any, ...], Any], ...]
    chosen: tuple[Any, ...]
    known: tuple[tuple[str, Any], ...] = ()


@frozen
class Weighted:
    """An answer: outcomes with whole-number weights.

    Attributes:
        weights: For each outcome, a tuple with the value of every question, its weight.
        total: The sum of all weights, the remainder's included.
        remainder: The weight of what was not worked out; 0 where the answer is exact.
        decisions: The choices that were weighed, the first first.
    """

    weights: dict[tuple[Any, ...], int]
    total: int
    remainder: int = 0
    decisions: tuple[Decision, ...] = ()


class NeedsPolicy(EnfiladeError):
    """The odds hang on a choice that nobody has made.

    Attributes:
        choice: Its name, with its place where it is repeated.
        player: Whose it is.
        options: What may be chosen.
    """

    def __init__(self, choice: str, player: str, options: tuple[Any, ...] = ()) -> None:
        super().__init__(f"the odds hang on {choice}, a choice of {player}: say what is chosen, or best or worst")
        self.choice = choice
        self.player = player
        self.options = options

    def __reduce__(self) -> tuple[type[NeedsPolicy], tuple[str, str, tuple[Any, ...]]]:
        return NeedsPolicy, (self.choice, self.player, self.options)


Progress: TypeAlias = Callable[[int], None]
"""Told from time to time how many products were done."""
