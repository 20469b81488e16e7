"""Plans as data: the steps of a procedure, an effect or results, each with the variables that are live after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from enfilade.core import ir
from enfilade.engines.odds.analysis.aggregates import PoolPlan
from enfilade.engines.odds.analysis.variables import NONE, Variables
from enfilade.errors import RulePlace, RunError
from enfilade.values.types import Type


@define(eq=False)
class Step:
    """A step of a plan.

    Attributes:
        statement: The statement; values that the rules read from a roll may be rewritten as locals.
        live: The variables that are live after it.
        blocks: The blocks within it, in the order of the statement.
        pool: For a roll, the values that replace its faces.
        plain: Whether the evaluator alone can run it: it contains no roll, choice or loop.
        chooses: Whether a player may choose in it.
        unordered: For a draw, whether the order of the cards is never read.
        kinds: The types of the locals, as far as they are known.
        body: For a plain step, the fused statements: this statement and later ones that read the same variables.
        copies: For a plain step that only copies a local, both names.
        code: The compiled body, once it has run; ``False`` if it can't be compiled.
        foldable: The fields of a record that only sums read after its round of this loop, or of these results.
        round_start: For a loop until a condition holds, the variables that are live before each round.
        facts: The facts that it may read, in order.
        reads: For a compiled step, everything that it may read.
        assigns: For a compiled step, the locals that it may assign.
    """

    statement: ir.Statement
    live: Variables
    blocks: tuple[Block, ...] = ()
    pool: PoolPlan | None = None
    plain: bool = False
    chooses: bool = False
    unordered: bool = False
    kinds: Mapping[str, Type] = field(factory=dict)
    body: ir.Body = ()
    copies: tuple[str, str] | None = None
    code: Any = None
    foldable: frozenset[str] = frozenset()
    round_start: Variables = NONE
    facts: tuple[str, ...] = ()
    reads: Variables = NONE
    assigns: frozenset[str] = frozenset()

    def note_place(self, error: RunError) -> None:
        """Note where in the rules a calculation failed; fused steps share the place of the first."""
        span = self.statement.note.span
        if error.place is None and span is not None:
            error.place = RulePlace.of(span)


@define(eq=False)
class Block:
    """Steps one after the other.

    Attributes:
        steps: The steps.
        live: The variables that are live after the last step.
        chooses: Whether a player may choose in them.
        facts: The facts that they, and the condition under which they run, may read, in order.
    """

    steps: tuple[Step, ...]
    live: Variables
    chooses: bool
    facts: tuple[str, ...]


@define(eq=False)
class EntryPlan:
    """An entry of results: a block for each line, and the variables that are live after all of them."""

    blocks: tuple[Block, ...]
    live: Variables
