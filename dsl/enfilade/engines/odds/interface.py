"""Questions to the odds engine and its answers: situation, policy, weighted outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.errors import CutOff, EnfiladeError
from enfilade.values.data import State


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
        by_place: Whether ``decide`` may tell apart the rounds in which a choice comes.
    """

    decide: Decide | None = None
    players: Mapping[str, str] = field(factory=dict)
    aim: int = 0
    by_place: bool = False


MOST_DECISIONS: Final = 10_000
"""An answer has at most so many decisions."""


@frozen
class Decision:
    """A choice that expectimax made.

    Attributes:
        name: The choice, with its place.
        player: Who chose.
        options: Each option with its expected aim, in the order offered.
        chosen: The option taken.
        known: What matters at the choice: locals, fields by key and name, and the values that later steps read of dice,
            as the rules write them (``count of dice.values where each >= 4``). In a list of faces that is kept whole, one
            face stands for all that no later step tells apart, and a list whose order is never read is sorted.
        chances: For a choice hidden from an opponent, the chance of each option, if chance must decide (a mixed strategy);
            the option taken is then the most likely one, and the expected aims are those against the opponent's strategy.
    """

    name: str
    player: str
    options: tuple[tuple[tuple[Any, ...], Any], ...]
    chosen: tuple[Any, ...]
    known: tuple[tuple[str, Any], ...] = ()
    chances: tuple[Fraction, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """For each option ``chosen``, its chance in a mixed strategy, or nothing."""
        if self.chances:
            return tuple(f"chance {chance}" if chance else "" for chance in self.chances)
        return tuple("chosen" if option == self.chosen else "" for option, _ in self.options)

    @property
    def matters(self) -> bool:
        """Whether it is not the same which option is taken."""
        return bool(self.chances) or any(value != self.options[0][1] for _, value in self.options)


@frozen
class Weighted:
    """An answer: outcomes with whole-number weights.

    Attributes:
        weights: For each outcome, a tuple with the value of every question, its weight.
        total: The sum of all weights, the remainder's included.
        remainder: The weight of the outcomes that were not computed; 0 if the answer is exact.
        decisions: The choices that expectimax made, the earliest first.
        open_from: If the outcomes that were not computed are all numbers from some number on, that number.
        open_sum: The sum of these numbers, each times its weight, if it is known.
        cut_off: The rolls and loops that have endlessly many outcomes, if the answer is not exact.
    """

    weights: dict[tuple[Any, ...], int]
    total: int
    remainder: int = 0
    decisions: tuple[Decision, ...] = ()
    open_from: Any = None
    open_sum: Any = None
    cut_off: tuple[CutOff, ...] = ()


class NeedsPolicy(EnfiladeError):
    """The odds depend on a choice that has no policy.

    Attributes:
        choice: The name of the choice, with its place in the loops around it.
        player: The player who chooses.
        options: The options.
    """

    def __init__(self, choice: str, player: str, options: tuple[Any, ...] = ()) -> None:
        super().__init__(
            f"the odds depend on {choice}, a choice of {player}: give the choice, or an aim for the player"
        )
        self.choice = choice
        self.player = player
        self.options = options


Progress: TypeAlias = Callable[[int], None]
"""Called from time to time with the number of products done."""
