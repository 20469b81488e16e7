"""Questions to the odds engine and its answers: situation, policy, limits, weighted outcomes."""

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
    """Limits on the work for one question.

    Attributes:
        worlds: The maximum number of states in one distribution.
        products: The maximum total of multiplied weights and executed steps.
        outcomes: The maximum number of outcomes of one roll or one answer.
        seconds: The maximum time in seconds; ``None`` for no limit.
    """

    worlds: int = 200_000
    products: int = 5_000_000
    outcomes: int = 200_000
    seconds: float | None = None


@frozen
class Situation:
    """The situation whose odds are wanted.

    Attributes:
        program: The ruleset.
        procedure: The name of the procedure that is played.
        options: The value of every option.
        facts: The given facts, converted.
        state: The records and decks at the start.
        log: Dice, cards and choices that are already known, in the order of the requests: ``("roll", faces)``,
            ``("draw", cards)``, ``("choose", chosen)``. The answers after them are open.
    """

    program: ir.Program
    procedure: str
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    state: State
    log: tuple[tuple[str, tuple[Any, ...]], ...] = ()


@frozen
class Whole:
    """A question about all ``"outputs"`` (a dict), all ``"effects"`` (a tuple, in order) or the whole ``"state"``."""

    what: str


Ask: TypeAlias = ir.Expr | Whole
"""A question: an expression over the outputs as its locals (one that was not given is ``none``) and the state at the
end, as after ``expect`` in an example; or a whole."""

Decide: TypeAlias = Callable[[ChoiceRequest], tuple[Any, ...] | None]
"""Returns what is chosen, or ``None`` to leave the choice open."""


@frozen
class Policy:
    """How the players choose.

    Attributes:
        decide: A fixed policy, tried first.
        players: For each player ``"best"`` or ``"worst"`` to maximise or minimise the aim, ``"random"`` for even chances.
        aim: The index of the question whose expected value is the aim, from 0. Its values are numbers, or yes (1) and no (0).
    """

    decide: Decide | None = None
    players: Mapping[str, str] = field(factory=dict)
    aim: int = 0


@frozen
class Decision:
    """A choice that expectimax made.

    Attributes:
        name: The choice, with its place.
        player: Who chose.
        options: Each option with its expected aim, in the order offered.
        chosen: The option taken.
        known: The locals and fields at the time of the choice, by name. A list whose order is never read is sorted, and in
            it one face stands for all faces that no later step tells apart.
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
        remainder: The weight of the outcomes that were not computed; 0 if the answer is exact.
        decisions: The choices that expectimax made, the earliest first.
    """

    weights: dict[tuple[Any, ...], int]
    total: int
    remainder: int = 0
    decisions: tuple[Decision, ...] = ()


class NeedsPolicy(EnfiladeError):
    """The odds depend on a choice that has no policy.

    Attributes:
        choice: The name of the choice, with its place in the loops around it.
        player: The player who chooses.
        options: The options.
    """

    def __init__(self, choice: str, player: str, options: tuple[Any, ...] = ()) -> None:
        super().__init__(f"the odds hang on {choice}, a choice of {player}: say what is chosen, or best or worst")
        self.choice = choice
        self.player = player
        self.options = options

    def __reduce__(self) -> tuple[type[NeedsPolicy], tuple[str, str, tuple[Any, ...]]]:
        return NeedsPolicy, (self.choice, self.player, self.options)


Progress: TypeAlias = Callable[[int], None]
"""Called from time to time with the number of products done."""
