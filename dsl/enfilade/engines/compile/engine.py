"""The functions of one ruleset, each compiled when it is first needed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any, Final, TypeAlias

from enfilade.core import evaluate, ir
from enfilade.core.asking import Asker, RollRequest
from enfilade.core.evaluate import Machine, Refused, Stopped
from enfilade.core.limits import Limits
from enfilade.core.ops import checked
from enfilade.core.typing import belongs
from enfilade.core.values import Performed, Reading, Ref, Roll, State, Tally
from enfilade.engines.compile import functions, runtime
from enfilade.engines.compile.context import Context
from enfilade.engines.compile.kinds import Typist
from enfilade.engines.compile.reach import Reach
from enfilade.engines.compile.writer import Pool

Outcome: TypeAlias = tuple[dict[str, Any], tuple[Performed, ...], State]
Entry: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], State, Asker], Outcome]

_RUNTIME: Final = (
    "Run", "choose", "demand", "guarded", "matched", "more_sides", "never_together", "no_change", "no_edge", "no_field",
    "no_header", "no_page", "no_place", "nothing_highest", "one_of", "pairs_of", "place_of", "roll_dice", "sides_of",
    "too_deep", "too_few_dice", "too_many_dice", "too_many_rerolls", "too_many_rounds", "too_many_steps", "total_of", "wrong_argument",
    "wrong_field",
)  # fmt: skip
HELPERS: Final[Mapping[str, Any]] = {
    **{name: getattr(runtime, name) for name in _RUNTIME},
    "Performed": Performed, "Reading": Reading, "Ref": Ref, "Refused": Refused, "Roll": Roll, "RollRequest": RollRequest,
    "Stopped": Stopped, "Tally": Tally, "belongs": belongs, "bisect_left": bisect_left, "bisect_right": bisect_right,
    "check_faces": evaluate.check_faces, "checked": checked, "part": evaluate.part,
}  # fmt: skip


class Engine:
    """One ruleset under one set of limits."""

    def __init__(self, program: ir.Program, limits: Limits, reach: Reach, typist: Typist) -> None:
        self.context = Context(program, limits, Pool(dict(HELPERS)), reach, typist)
        self._entries: dict[str, Entry] = {}
        self._lock = RLock()

    def entry(self, procedure: str) -> Entry:
        """The function that runs a procedure."""
        with self._lock:
            if procedure not in self._entries:
                self._entries[procedure] = self._compiled(procedure)
            return self._entries[procedure]

    def source(self, procedure: str) -> str:
        """The text of a procedure's function, and of those that no other procedure needed before."""
        context, name = self.context, f"e{len(self._entries)}"
        texts = [functions.entry(context, procedure, name)]
        while context.waiting:
            texts.append(functions.function(context, context.waiting.pop()))
        return "\n\n".join(texts)

    def _compiled(self, procedure: str) -> Entry:
        before = dict(self.context.functions)
        try:
            exec(compile(self.source(procedure), "<compiled rules>", "exec"), self.context.pool.names)
        except (SyntaxError, RecursionError):
            # Nested deeper than Python's own compiler takes.
            self.context.functions = before
            self.context.waiting.clear()
            return self._reference(procedure)
        found: Entry = self.context.pool.names[f"e{len(self._entries)}"]
        return found

    def _reference(self, procedure: str) -> Entry:
        program, limits = self.context.program, self.context.limits

        def run(options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker) -> Outcome:
            machine = Machine(program, options, facts, state, asker, limits=limits)
            outputs = machine.run(procedure)
            return outputs, tuple(machine.effects), machine.state

        return run
