"""Definitions, effects, results, procedures and events: what has a body."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from enfilade.check.base import is_known, plain, settled
from enfilade.check.context import note_of
from enfilade.check.declarations import Declarations
from enfilade.check.expressions import beside
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.steps import Steps
from enfilade.core import ir
from enfilade.core.patterns import letters_of
from enfilade.core.types import ListOf, MapOf, Num, RecordOf, Type
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t

_NO_PLACE = Span(SourceFile("<none>", "", None), 0, 0)


class Blocks(Declarations, Steps):
    """Elaborates declarations with a body."""

    def param_scope(self, params: tuple[t.Param, ...], where: str) -> tuple[Scope, tuple[str, ...]]:
        """A scope with parameters as locals, and their slots."""
        scope = Scope(where)
        for param in params:
            if param.name.name in scope.locals:
                self.ctx.report("duplicate-name", f"`{param.name.name}` stands here twice", param.name.span)
            scope.locals[param.name.name] = Typed.of(ir.Local(param.name.name, type=self.param(param)))
        return scope, tuple(param.name.name for param in params)

    # -- definitions ------------------------------------------------------------------------------------------

    def build_definition(self, tree: t.Define) -> ir.Definition:
        """A definition by cases or by one expression."""
        scope, params = self.param_scope(tree.params, f"the definition {tree.name.name}")
        self._check_cases(tree)
        typed = settled(self._cases(list(tree.cases), scope))
        self.ctx.uses[("define", tree.name.name)] = (scope.used, scope.calls)
        note = note_of(tree.tail, tree.name.span)
        lines = tuple(note_of(case.tail, case.span) for case in tree.cases)
        return ir.Definition(tree.name.name, params, typed.node, typed.type, note, lines)

    def _check_cases(self, tree: t.Define) -> None:
        for case in tree.cases[:-1]:
            if case.condition is None:
                self.ctx.report("unreachable-case", "nothing after `otherwise` can count", case.span, "put it last")
        if tree.cases[-1].condition is not None:
            self.ctx.report(
                "no-otherwise",
                f"`{tree.name.name}` has no value where none of its cases holds",
                tree.cases[-1].span,
                "end with a line `... otherwise`",
            )

    def _cases(self, cases: list[t.Case], scope: Scope) -> Typed:
        """The cases as one expression, built from the last to the first."""
        last = settled(self.expr(cases[-1].value, scope))
        for case in reversed(cases[:-1]):
            if case.condition is None:
                continue
            value = settled(self.expr(case.value, scope, beside(case.value, plain(last).type)))
            condition = self.condition(case.condition, scope)
            last = Typed.of(
                ir.If(condition, value.node, last.node, case.span, type=self.common(value.type, last.type, case.span))
            )
        return last

    # -- effects ----------------------------------------------------------------------------------------------

    def effect_params(self, effect: str) -> tuple[ir.Input, ...]:
        tree = self.ctx.symbols.effects[effect]
        if effect not in self._effect_params:
            self._effect_params[effect] = tuple(
                ir.Input(p.name.name, self.param(p), False, None, ir.Note(span=p.span)) for p in tree.params
            )
        return self._effect_params[effect]

    _effect_params: dict[str, tuple[ir.Input, ...]]

    def build_effect(self, tree: t.Effect) -> ir.Effect:
        """An effect and its body."""
        params = self.effect_params(tree.name.name)
        scope = Scope(f"the effect {tree.name.name}", changing=_changing(tree.steps))
        for param in params:
            scope.locals[param.name] = Typed.of(ir.Local(param.name, type=param.type))
        body = self.body(tree.steps, scope)
        self.ctx.uses[("effect", tree.name.name)] = (scope.used, scope.calls)
        return ir.Effect(tree.name.name, params, body, note_of(tree.tail, tree.name.span))

    # -- results ----------------------------------------------------------------------------------------------

    def result_patterns(self, tree: t.Results) -> ir.Results:
        """The patterns of a results block, without their lines."""
        entries = tuple(ir.Entry(_pattern(entry), entry.then, (), ir.NO_NOTE) for entry in tree.entries)
        return ir.Results(tree.chart.name, None, entries, ir.NO_NOTE)

    def build_results(self, tree: t.Results) -> ir.Results | None:
        """A results block, its codes held against those of the chart."""
        chart = self.chart(tree.chart.name, tree.chart.span) if tree.chart.name in self.ctx.symbols.charts else None
        if chart is None:
            if tree.chart.name not in self.ctx.symbols.charts:
                self.ctx.unknown("chart", tree.chart, list(self.ctx.symbols.charts))
            return None
        record = None if tree.record is None else tree.record.name
        if tree.record is not None and record not in self.ctx.records:
            self.ctx.unknown("record", tree.record, list(self.ctx.records))
            return None
        scope = Scope(f"the results of {chart.name}")
        entries = tuple(self._entry(number, tree, record, scope) for number in range(len(tree.entries)))
        self.ctx.uses[("results", chart.name)] = (scope.used, scope.calls)
        return ir.Results(chart.name, record, entries, note_of(tree.tail, tree.span))

    def _entry(self, number: int, tree: t.Results, record: str | None, scope: Scope) -> ir.Entry:
        entry = tree.entries[number]
        pattern = _pattern(entry)
        self._check_entry(entry, pattern, tree.entries[:number])
        numbers: dict[str, Typed] = {}
        for letter in letters_of(pattern):
            type_ = Num(0, None) if record is None else MapOf(RecordOf(record), Num(0, None))
            numbers[letter] = Typed.of(ir.Local(f"#{letter}", entry.pattern.span, type_))
        inner = evolve(scope, numbers=numbers, locals={}, outputs={}, changing=_changing(_steps_of(entry)))
        if record is not None:
            inner.locals["readers"] = Typed.of(ir.Local("readers", type=ListOf(RecordOf(record), 1)))
        lines = tuple(self._line(line, record, inner) for line in entry.lines)
        return ir.Entry(pattern, entry.then, lines, note_of(entry.tail, entry.span))

    def _check_entry(self, entry: t.Entry, pattern: ir.Pattern, above: tuple[t.Entry, ...]) -> None:
        earlier = [e.pattern.text for e in above if not e.then]
        if entry.then:
            if pattern.text not in earlier:
                self.ctx.report(
                    "nothing-before",
                    f"`then {pattern.text}` goes on with an entry above it, and there is none",
                    entry.pattern.span,
                )
            return
        if pattern.text in earlier:
            self.ctx.report(
                "duplicate-name",
                f"the code `{pattern.text}` stands here twice",
                entry.pattern.span,
                f"write `then {pattern.text}` to go on with it",
            )

    def _line(self, line: t.EntryLine, record: str | None, scope: Scope) -> ir.ResultLine:
        if isinstance(line, t.EachReader):
            if record is None:
                self.ctx.report(
                    "readers",
                    "these results have no readers",
                    line.span,
                    "write `results of CHART for each RECORD`, or leave `each reader` out",
                )
                return ir.ResultLine("plain", None, ())
            element = Element("reader", RecordOf(record))
            inner = scope.within(element)
            inner.locals["reader"] = Typed.of(ir.Local("reader", type=RecordOf(record)))
            where = None if line.where is None else self.condition(line.where, inner)
            return ir.ResultLine("each", where, self.block_body(line.block, inner))
        if isinstance(line, t.Once):
            return ir.ResultLine("once", None, self.block_body(line.block, scope))
        return ir.ResultLine("plain", None, tuple(self.statement(line, scope)))

    # -- procedures -------------------------------------------------------------------------------------------

    def own_facts(self, procedure: str) -> dict[str, tuple[str, Type]]:
        return {name: (f"{procedure}.{name}", fact.type) for name, fact in self.own_inputs(procedure).items()}

    def own_inputs(self, procedure: str) -> dict[str, ir.Input]:
        """A procedure's own facts."""
        if procedure not in self._own_inputs:
            tree = self.ctx.symbols.procedures[procedure]
            fields = () if tree.facts is None else tree.facts.fields
            self._own_inputs[procedure] = {field.name.name: self.input(field) for field in fields}
        return self._own_inputs[procedure]

    _own_inputs: dict[str, dict[str, ir.Input]]

    def build_procedure(self, tree: t.Procedure) -> ir.Procedure:
        """A procedure; its inputs are filled in when all that it calls is known."""
        name = tree.name.name
        scope = Scope(f"the procedure {name}", own_facts=self.own_facts(name), changing=_changing(tree.steps))
        scope.outputs = self._outputs.setdefault(name, {})
        body = self.body(tree.steps, scope)
        self.ctx.uses[("procedure", name)] = (scope.used, scope.calls)
        self._first_outputs[name] = scope.first_outputs
        return ir.Procedure(name, self.own_inputs(name), (), body, scope.outputs, note_of(tree.tail, tree.name.span))

    _outputs: dict[str, dict[str, Type]]
    _first_outputs: dict[str, dict[str, Type]]

    def given(self, name: str, type_: Type, scope: Scope) -> None:
        if is_known(type_):
            scope.first_outputs.setdefault(name, type_)
        before = scope.outputs.get(name)
        scope.outputs[name] = type_ if before is None else self._common_output(before, type_)

    def _common_output(self, a: Type, b: Type) -> Type:
        """The type of an output that two steps give; what an engine makes of it is for whoever reads it."""
        with self.ctx.silently():
            return self.common(a, b, _NO_PLACE)

    # -- events -----------------------------------------------------------------------------------------------

    def build_reaction(self, tree: t.OnEvent) -> ir.Reaction | None:
        """What an event starts."""
        if tree.event.name not in self.ctx.symbols.events:
            self.ctx.unknown("event", tree.event, list(self.ctx.symbols.events))
            return None
        scope = Scope(f"on {tree.event.name}")
        lines: list[ir.Unless | ir.Start] = []
        for line in tree.lines:
            if isinstance(line, t.Unless):
                condition = self.condition(line.condition, scope)
                lines.append(ir.Unless(condition, line.slug.name, note_of(line.tail, line.span)))
            elif line.procedure.name not in self.ctx.symbols.procedures:
                self.ctx.unknown("procedure", line.procedure, list(self.ctx.symbols.procedures))
            else:
                args = self.call_args(line.procedure.name, line.args, scope)
                scope.calls.add(("procedure", line.procedure.name, *sorted(fact for fact, _ in args)))
                lines.append(ir.Start(line.procedure.name, args, note_of(line.tail, line.span)))
        self.ctx.uses[("on", tree.event.name)] = (scope.used, scope.calls)
        return ir.Reaction(tree.event.name, tuple(lines), (), note_of(tree.tail, tree.span))


def _pattern(entry: t.Entry) -> ir.Pattern:
    bare = None if entry.bare is None else entry.bare.text
    bare_is = None if entry.bare_is is None else entry.bare_is.text
    return ir.Pattern(entry.pattern.text, bare, bare_is)


def _steps_of(entry: t.Entry) -> tuple[t.Step, ...]:
    """The steps of all lines of an entry."""
    steps: list[t.Step] = []
    for line in entry.lines:
        steps += line.block.steps if isinstance(line, (t.EachReader, t.Once)) else [t.Step(None, line, line.span)]
    return tuple(steps)


def _changing(steps: tuple[t.Step, ...]) -> set[str]:
    """The locals that some step changes: by `becomes`, or by a second `let`."""
    lets = [s.name.name for s in _statements(steps) if isinstance(s, t.Let)]
    changed = {s.target[0].name for s in _statements(steps) if isinstance(s, t.Becomes) and len(s.target) == 1}
    return changed | {name for name in lets if lets.count(name) > 1}


def _statements(steps: tuple[t.Step, ...]) -> Iterator[t.Statement]:
    for step in steps:
        s = step.statement
        yield s
        for block in _blocks(s):
            yield from _statements(block.steps)


def _blocks(s: t.Statement) -> list[t.Block]:
    match s:
        case t.When():
            if isinstance(s.otherwise, t.When):
                return [s.block, *_blocks(s.otherwise)]
            return [s.block, *([s.otherwise] if s.otherwise is not None else [])]
        case t.ForEach() | t.RepeatUntil() | t.RepeatTimes() | t.Together():
            return [s.block]
        case t.Call():
            return [s.if_refused] if s.if_refused is not None else []
    return []
