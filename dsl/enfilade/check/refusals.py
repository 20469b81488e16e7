"""Refusals stand before the first roll or choice: a refused action costs nothing."""

from __future__ import annotations

from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Diagnostic

_HELP = "refuse before anything is rolled or chosen"


def late_refusals(program: ir.Program) -> list[Diagnostic]:
    """A diagnostic for each refusal that may come after a roll, a draw or a choice."""
    search = _Search(program)
    for procedure in program.procedures.values():
        search.body(procedure.body, False)
    return search.found


class _Search:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.found: list[Diagnostic] = []
        self._asks: dict[str, bool] = {}
        self._refuses: dict[str, bool] = {}

    def body(self, body: ir.Body, asked: bool) -> bool:
        """Walk a body; whether something has been asked at its end."""
        for statement in body:
            asked = self._statement(statement, asked)
        return asked

    def _statement(self, s: ir.Statement, asked: bool) -> bool:
        match s:
            case ir.Refuse():
                if asked:
                    self._report(f"`refuse {s.slug}` may come after a roll or a choice", s.note)
            case ir.RollDice() | ir.DrawCards() | ir.Choose():
                return True
            case ir.Branch():
                return self.body(s.body, asked) | self.body(s.otherwise, asked)
            case ir.Loop() | ir.Repeat():
                return self.body(s.body, self._asks_in(s.body) or asked) or asked
            case ir.Together():
                return sum(self.body(part, asked) for part in s.parts) > 0 or asked
            case ir.CallProcedure():
                if asked and s.if_refused is None and self._may_refuse(s.procedure):
                    self._report(
                        f"`{s.procedure}` may refuse here, after a roll or a choice",
                        s.note,
                        "say what happens then: a line `if refused: ...` below",
                    )
                return asked or self._may_ask(s.procedure)
            case ir.Perform():
                return asked or self._effect_asks(s.effect)
            case ir.ApplyResults():
                entries = self.program.results[s.chart].entries if s.chart in self.program.results else ()
                return asked or any(self._asks_in(line.body) for entry in entries for line in entry.lines)
        return asked

    def _report(self, message: str, note: ir.Note, help_: str = _HELP) -> None:
        if note.span is not None:
            self.found.append(Diagnostic("late-refusal", message, note.span, helps=(help_,)))

    def _asks_in(self, body: ir.Body) -> bool:
        silent = len(self.found)
        asks = self.body(body, False) if not self._mentions_ask(body) else True
        del self.found[silent:]
        return asks

    def _mentions_ask(self, body: ir.Body) -> bool:
        return any(isinstance(s, (ir.RollDice, ir.DrawCards, ir.Choose)) for s in body)

    def _may_ask(self, name: str) -> bool:
        if name not in self._asks:
            self._asks[name] = False
            procedure = self.program.procedures.get(name)
            self._asks[name] = procedure is not None and self._asks_in(procedure.body)
        return self._asks[name]

    def _effect_asks(self, name: str) -> bool:
        key = f"effect {name}"
        if key not in self._asks:
            self._asks[key] = False
            effect = self.program.effects.get(name)
            self._asks[key] = effect is not None and self._asks_in(effect.body)
        return self._asks[key]

    def _may_refuse(self, name: str) -> bool:
        if name not in self._refuses:
            self._refuses[name] = False
            procedure = self.program.procedures.get(name)
            self._refuses[name] = procedure is not None and self._refuses_in(procedure.body)
        return self._refuses[name]

    def _refuses_in(self, body: ir.Body) -> bool:
        for s in body:
            match s:
                case ir.Refuse():
                    return True
                case ir.Branch():
                    if self._refuses_in(s.body) or self._refuses_in(s.otherwise):
                        return True
                case ir.Loop() | ir.Repeat():
                    if self._refuses_in(s.body):
                        return True
                case ir.CallProcedure():
                    if s.if_refused is None and self._may_refuse(s.procedure):
                        return True
        return False
