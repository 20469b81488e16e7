"""Lazy compilation: the functions of one ruleset, each compiled on first use."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import RLock
from typing import Any, Final, TypeAlias, cast

from enfilade.core import ir
from enfilade.core.evaluate import Machine, sums_by_owner
from enfilade.core.expressions import part
from enfilade.core.graph import graph_of
from enfilade.core.legal_answers import check_faces, not_allowed
from enfilade.core.operators import checked
from enfilade.core.requests import Asker, RollRequest
from enfilade.core.run import Refused, Stopped
from enfilade.engines.compile import entry_points, functions, runtime
from enfilade.engines.compile.context import Context
from enfilade.engines.compile.specialised_types import SpecialisedTypes
from enfilade.engines.constant_pool import Pool
from enfilade.engines.fact_validation import NAMES
from enfilade.errors import LimitError
from enfilade.limits import Limits, check_time
from enfilade.values.data import Performed, Reading, Roll, State, Tally
from enfilade.values.types import belongs

Outcome: TypeAlias = tuple[dict[str, Any], tuple[Performed, ...], State]
Scripted: TypeAlias = Callable[
    [Mapping[str, Any], dict[str, Any], Sequence[Any]],
    tuple[tuple[str, ...], tuple[Any, ...], tuple[Performed, ...], State, dict[str, Any], State] | None,
]
Entry: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], State, Asker], Outcome]

_RUNTIME: Final = (
    "Run", "UNSCRIPTED", "Unscripted", "choose", "unwasted", "facts_within", "needed", "output_of", "demand", "guarded", "matched", "more_sides", "never_together", "no_change", "no_edge", "no_field",
    "no_header", "no_page", "no_place", "nothing_highest", "one_that_counts", "pairs_of", "place_of", "roll_dice", "rolled_groups", "sides_of", "stayed",
    "too_deep", "too_few_dice", "too_many_dice", "too_many_rerolls", "too_many_rounds", "too_many_steps", "total_of", "wrong_argument",
    "wrong_field",
)  # fmt: skip
HELPERS: Final[Mapping[str, Any]] = {
    **{name: getattr(runtime, name) for name in _RUNTIME}, **NAMES,
    "Performed": Performed, "Reading": Reading, "Refused": Refused, "Roll": Roll, "RollRequest": RollRequest,
    "Stopped": Stopped, "Tally": Tally, "belongs": belongs, "bisect_left": bisect_left, "bisect_right": bisect_right,
    "check_faces": check_faces, "not_allowed": not_allowed, "sums_by_owner": sums_by_owner, "checked": checked, "part": part,
    "check_time": check_time,
}  # fmt: skip


class Engine:
    """One ruleset under one set of limits."""

    def __init__(self, program: ir.Program, limits: Limits, types: SpecialisedTypes) -> None:
        self.context = Context(program, limits, Pool({**HELPERS, "PROGRAM": program}), graph_of(program), types)
        self._made: dict[tuple[str, str], Any] = {}
        self._lock = RLock()

    def entry(self, procedure: str) -> Entry:
        """Return the function that runs a procedure."""
        return cast(Entry, self._once("entry", procedure, self._reference))

    def scripted(self, procedure: str) -> Scripted:
        """Return the function that runs a procedure with unconverted facts and dice that are already rolled."""
        return cast(Scripted, self._once("scripted", procedure, lambda name: lambda options, given, dice: None))

    def sources(self, kind: str, procedure: str, name: str) -> Iterator[str]:
        """Return the sources of an entry point and of each function that is compiled for it."""
        context = self.context
        write = entry_points.entry if kind == "entry" else entry_points.scripted
        yield write(context, procedure, name)
        while context.waiting:
            yield functions.function(context, context.waiting.pop())

    def _once(self, kind: str, procedure: str, otherwise: Callable[[str], Any]) -> Any:
        key = kind, procedure
        with self._lock:
            if key not in self._made:
                made = self._compiled(kind, procedure)
                self._made[key] = otherwise(procedure) if made is None else made
            return self._made[key]

    def _compiled(self, kind: str, procedure: str) -> Any:
        """Return the compiled function, or ``None`` if it is nested too deeply for Python's compiler."""
        context, before, name = self.context, dict(self.context.functions), f"e{len(self._made)}"
        try:
            for source in self.sources(kind, procedure, name):
                exec(compile(source, "<compiled rules>", "exec"), context.pool.names)
                check_time()
        except (SyntaxError, RecursionError, MemoryError, LimitError) as error:
            context.functions = before
            context.waiting.clear()
            if isinstance(error, LimitError):
                raise
            return None
        return context.pool.names[name]

    def _reference(self, procedure: str) -> Entry:
        program, limits = self.context.program, self.context.limits

        def run(options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker) -> Outcome:
            machine = Machine(program, options, facts, state, asker, limits=limits)
            outputs = machine.run(procedure)
            return outputs, tuple(machine.effects), machine.state

        return run
