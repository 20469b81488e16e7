"""Reads, writes, uses and side effects of each kind of node: the one table behind every program analysis.

For each node kind: the names it reads and writes, the declarations it uses, its side effects, and its control flow
(which parts are always evaluated, which blocks may run). Program-wide questions (reachability, may-analyses, the call
graph) are answered by :mod:`enfilade.core.graph`, from this table. Describe a new kind of node here, once; the type
checker reports an error in this file until you do.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, Flag, auto
from typing import Final, TypeAlias, assert_never, get_args

from attrs import frozen

from enfilade.core import ir
from enfilade.values.types import ChartOf

Unit: TypeAlias = tuple[str, str]
"""A declaration that code may use: its kind (procedure, effect, results, define, chart, modifiers) and its name."""

Name: TypeAlias = tuple[str, str]
"""Something that is read or written: its kind (one of the constants below) and its name."""

FACT: Final = "fact"
LOCAL: Final = "local"
OPTION: Final = "option"
FIELD: Final = "field"
DECK: Final = "deck"
EFFECT: Final = "effect"


class Action(Flag):
    """Side effects, and reads of state, that running a node may have."""

    NONE = 0
    ROLL = auto()
    DRAW = auto()
    CHOOSE = auto()
    SET_FIELD = auto()
    RESHUFFLE = auto()
    READ_STATE = auto()
    REFUSE = auto()
    """A ``refuse`` statement."""
    REJECT = auto()
    """A ``must`` statement, which raises an input error."""
    REFUSE_OFF_EDGE = auto()
    """A chart that refuses off one of its edges."""
    STOP = auto()
    LOOP = auto()
    JOIN = auto()
    """Parts that run from the same state."""
    CATCH = auto()
    """A call that is undone if the callee refuses."""


EVERYTHING: Final = ~Action.NONE
ASKS: Final = Action.ROLL | Action.DRAW | Action.CHOOSE
CHANGES: Final = Action.SET_FIELD | Action.DRAW | Action.RESHUFFLE
REFUSES: Final = Action.REFUSE | Action.REFUSE_OFF_EDGE


class Runs(Enum):
    """How often the blocks of a statement run."""

    NO_BLOCKS = auto()
    ONE_OF = auto()
    EACH = auto()
    ANY_NUMBER = auto()
    AT_LEAST_ONCE = auto()
    IF_REFUSED = auto()


@frozen
class Use:
    """An edge of the call graph.

    Attributes:
        unit: The declaration that is used.
        passes: The actions that the user inherits from the unit: a procedure that stops does not stop its caller.
        certain: Whether it is used whenever the node is evaluated.
    """

    unit: Unit
    passes: Action = EVERYTHING
    certain: bool = True


@frozen
class Traits:
    """The traits of a node itself, without those of its children.

    Attributes:
        reads: The names it reads.
        writes: The names it assigns.
        uses: The declarations it uses.
        actions: Its side effects.
        always: The child expressions that the node always evaluates, in order; any other child may be skipped.
        blocks: The bodies in it.
        runs: How often the blocks run.
        after: The expressions evaluated each time the blocks have run to their end.
    """

    reads: tuple[Name, ...] = ()
    writes: tuple[Name, ...] = ()
    uses: tuple[Use, ...] = ()
    actions: Action = Action.NONE
    always: tuple[ir.Expr, ...] = ()
    blocks: tuple[ir.Body, ...] = ()
    runs: Runs = Runs.NO_BLOCKS
    after: tuple[ir.Expr, ...] = ()


_NOTHING: Final = Traits()

Structure: TypeAlias = (
    ir.Note
    | ir.Input
    | ir.RecordDecl
    | ir.OptionDecl
    | ir.Definition
    | ir.Face
    | ir.Die
    | ir.Deck
    | ir.Band
    | ir.Match
    | ir.Header
    | ir.Limit
    | ir.Axis
    | ir.EdgeAction
    | ir.Edge
    | ir.Erratum
    | ir.Chart
    | ir.Surplus
    | ir.HeaderLine
    | ir.Columns
    | ir.But
    | ir.Modifier
    | ir.Section
    | ir.Net
    | ir.ModBlock
    | ir.Ahead
    | ir.DiceGroup
    | ir.RollRule
    | ir.Effect
    | ir.Pattern
    | ir.ResultLine
    | ir.Entry
    | ir.Results
    | ir.Procedure
    | ir.Unless
    | ir.Start
    | ir.Reaction
    | ir.Chance
    | ir.Example
    | ir.Program
)
"""Declarations and their parts: nodes that are neither expressions nor statements."""

Node: TypeAlias = ir.Expr | ir.Statement | Structure

# Half of all nodes: knowing them by their class spares them the whole match.
_WITHOUT_TRAITS: Final = frozenset(get_args(Structure)) - {ir.Chart, ir.Edge, ir.Start}


def traits_of(node: Node, program: ir.Program) -> Traits:
    """Describe one node.

    Args:
        node: An expression, a statement, or a part of a declaration.
        program: The ruleset, to find the charts that cells of a chart may name.
    """
    if type(node) in _WITHOUT_TRAITS:
        return _NOTHING
    match node:
        # Expressions
        case ir.Const():
            return _NOTHING
        case ir.Fact():
            return Traits(reads=((FACT, node.name),))
        case ir.Local():
            return Traits(reads=((LOCAL, node.name),))
        case ir.Option():
            return Traits(reads=((OPTION, node.name),))
        case ir.Field():
            return Traits(reads=((FIELD, node.name),), actions=Action.READ_STATE, always=(node.of,))
        case ir.Part() | ir.Not():
            return Traits(always=(node.of,))
        case ir.Op():
            return Traits(always=node.args)
        case ir.All() | ir.Any_():
            return Traits(always=node.items[:1])
        case ir.If():
            return Traits(always=(node.condition,))
        case ir.Items():
            return Traits(always=node.items)
        case ir.Over() | ir.MapOver():
            return Traits(always=(node.over,), writes=((LOCAL, node.var),))
        case ir.Sort():
            return Traits(always=_given(node.over, node.take), writes=((LOCAL, node.var),))
        case ir.Define():
            return Traits(uses=(Use(("define", node.name)),), always=node.args)
        case ir.SumModifiers():
            return Traits(uses=(Use(("modifiers", node.block)),), always=_given(*node.args, node.reader))
        case ir.Look():
            return Traits(uses=(Use(("chart", node.chart)),), always=_given(*node.args, node.roll, node.reader))
        case ir.LookIn():
            uses = tuple(Use(("chart", name), certain=False) for name in _charts_named(node, program))
            return Traits(uses=uses, always=_given(node.chart, node.roll, node.reader))
        case ir.EffectsSoFar():
            return Traits(reads=((EFFECT, node.effect),), actions=Action.READ_STATE)
        case ir.CardsLeft():
            return Traits(reads=((DECK, node.deck),), actions=Action.READ_STATE)
        # Statements
        case ir.Refuse():
            return Traits(actions=Action.REFUSE, always=(node.condition,))
        case ir.Must():
            return Traits(actions=Action.REJECT, always=(node.condition,))
        case ir.RollDice():
            counts = tuple(group.count for group in node.groups)
            times = _given(*(rule.times for rule in node.rules))
            return Traits(writes=((LOCAL, node.local),), actions=Action.ROLL, always=(*counts, *times))
        case ir.DrawCards():
            deck = (DECK, node.deck)
            writes = ((LOCAL, node.local), deck)
            return Traits(reads=(deck,), writes=writes, actions=Action.DRAW, always=(node.count,))
        case ir.Reshuffle():
            return Traits(writes=((DECK, node.deck),), actions=Action.RESHUFFLE, always=_given(node.cards))
        case ir.SetLocal():
            return Traits(writes=((LOCAL, node.local),), always=(node.value,))
        case ir.SetField():
            return Traits(writes=((FIELD, node.field),), actions=Action.SET_FIELD, always=(node.of, node.value))
        case ir.Perform():
            args = tuple(arg for _, arg in node.args)
            return Traits(writes=((EFFECT, node.effect),), uses=(Use(("effect", node.effect)),), always=args)
        case ir.Choose():
            return _choose(node)
        case ir.Branch():
            return Traits(always=(node.condition,), blocks=(node.body, node.otherwise), runs=Runs.ONE_OF)
        case ir.Loop():
            return Traits(
                writes=((LOCAL, node.local),), actions=Action.LOOP,
                always=(node.over,), blocks=(node.body,), runs=Runs.ANY_NUMBER,
            )  # fmt: skip
        case ir.Repeat():
            return Traits(
                actions=Action.LOOP,
                always=_given(node.times), blocks=(node.body,), after=_given(node.until),
                runs=Runs.AT_LEAST_ONCE if node.times is None else Runs.ANY_NUMBER,
            )  # fmt: skip
        case ir.Together():
            return Traits(actions=Action.JOIN, blocks=node.parts, runs=Runs.EACH)
        case ir.Stop():
            return Traits(actions=Action.STOP)
        case ir.CallProcedure():
            return _call(node)
        case ir.Give():
            return Traits(writes=((LOCAL, f"give {node.name}"),), always=(node.value,))
        case ir.ApplyResults():
            uses = (Use(("results", node.chart), certain=False),)
            return Traits(uses=uses, always=_given(node.reading, node.readers))
        # Declarations and their parts
        case ir.Chart():
            blocks = (*node.shifts, *node.roll_modifiers)
            return Traits(uses=tuple(Use(("modifiers", name)) for name in blocks))
        case ir.Edge():
            refuses = any(action.act == "refuse" for action in node.actions)
            return Traits(actions=Action.REFUSE_OFF_EDGE if refuses else Action.NONE)
        case ir.Start():
            return Traits(uses=(Use(("procedure", node.procedure), Action.NONE, certain=False),))
        case (
            ir.Note() | ir.Input() | ir.RecordDecl() | ir.OptionDecl() | ir.Definition() | ir.Face() | ir.Die()
            | ir.Deck() | ir.Band() | ir.Match() | ir.Header() | ir.Limit() | ir.Axis() | ir.EdgeAction() | ir.Erratum()
            | ir.Surplus() | ir.HeaderLine() | ir.Columns() | ir.But() | ir.Modifier() | ir.Section() | ir.Net()
            | ir.ModBlock() | ir.Ahead() | ir.DiceGroup() | ir.RollRule() | ir.Effect() | ir.Pattern() | ir.ResultLine()
            | ir.Entry() | ir.Results() | ir.Procedure() | ir.Unless() | ir.Reaction() | ir.Chance() | ir.Example() | ir.Program()
        ):  # fmt: skip
            return _NOTHING
        case _:
            assert_never(node)


def _choose(s: ir.Choose) -> Traits:
    """A choice; one of an assignment looks at what its effect would do, and does nothing."""
    always = _given(s.among, s.count, None if s.ahead is None else s.ahead.left, s.policy)
    writes = ((LOCAL, s.local),)
    if s.ahead is None:
        return Traits(writes=writes, actions=Action.CHOOSE, always=always)
    effect = Use(("effect", s.ahead.effect), passes=Action.NONE, certain=False)
    return Traits(
        reads=((LOCAL, s.ahead.nth),), writes=writes, uses=(effect,), actions=Action.CHOOSE | Action.READ_STATE, always=always
    )  # fmt: skip


def _call(s: ir.CallProcedure) -> Traits:
    """A call: a stop in the callee does not stop the caller, and a handler catches a refusal."""
    args = tuple(arg for _, arg in s.args)
    writes = () if s.local is None else ((LOCAL, s.local),)
    unit = ("procedure", s.procedure)
    if s.if_refused is None:
        return Traits(writes=writes, uses=(Use(unit, ~Action.STOP),), always=args)
    caught = ~(Action.STOP | REFUSES)
    return Traits(
        writes=writes, uses=(Use(unit, caught, certain=False),), actions=Action.CATCH,
        always=args, blocks=(s.if_refused,), runs=Runs.IF_REFUSED,
    )  # fmt: skip


def _given(*expressions: ir.Expr | None) -> tuple[ir.Expr, ...]:
    return tuple(e for e in expressions if e is not None)


def _charts_named(e: ir.LookIn, program: ir.Program) -> Iterable[str]:
    """The charts that a lookup may read if a cell names the chart."""
    of = e.chart.type
    return of.charts if isinstance(of, ChartOf) else program.charts
