"""Results blocks: what each result code of a chart does."""

from __future__ import annotations

from attrs import evolve

from enfilade.check.changing_locals import changing_locals
from enfilade.check.context import Context, note_of
from enfilade.check.demand import require_chart
from enfilade.check.expected_types import check_condition
from enfilade.check.loops import check_loop
from enfilade.check.result_codes import pattern_of
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.steps import check_block, check_statement
from enfilade.core import ir
from enfilade.core.code_patterns import letters_of
from enfilade.core.types import ListOf, MapOf, Num, RecordOf
from enfilade.syntax import tree as t


def check_results(ctx: Context, tree: t.Results) -> ir.Results | None:
    """Check a results block."""
    chart = require_chart(ctx, tree.chart.name, tree.chart.span) if tree.chart.name in ctx.symbols.charts else None
    if chart is None:
        if tree.chart.name not in ctx.symbols.charts:
            ctx.unknown("chart", tree.chart, list(ctx.symbols.charts))
        return None
    record = None if tree.record is None else tree.record.name
    if tree.record is not None and record not in ctx.records:
        ctx.unknown("record", tree.record, list(ctx.records))
        return None
    scope = Scope(f"the results of {chart.name}")
    entries = tuple(_check_entry(ctx, number, tree, record, scope) for number in range(len(tree.entries)))
    return ir.Results(chart.name, record, entries, note_of(tree.tail, tree.span))


def _check_entry(ctx: Context, number: int, tree: t.Results, record: str | None, scope: Scope) -> ir.Entry:
    entry = tree.entries[number]
    pattern = pattern_of(entry)
    _check_pattern(ctx, entry, pattern, tree.entries[:number])
    numbers: dict[str, Typed] = {}
    for letter in letters_of(pattern):
        type_ = Num(0, None) if record is None else MapOf(RecordOf(record), Num(0, None))
        numbers[letter] = Typed.of(ir.Local(f"#{letter}", entry.pattern.span, type_))
    inner = evolve(scope, numbers=numbers, locals={}, outputs={}, changing=changing_locals(_steps_of(entry)))
    if record is not None:
        inner.locals["readers"] = Typed.of(ir.Local("readers", type=ListOf(RecordOf(record), 1)))
    lines = tuple(_check_line(ctx, line, record, inner) for line in entry.lines)
    return ir.Entry(pattern, entry.then, lines, note_of(entry.tail, entry.span))


def _check_pattern(ctx: Context, entry: t.Entry, pattern: ir.Pattern, above: tuple[t.Entry, ...]) -> None:
    earlier = [e.pattern.text for e in above if not e.then]
    if entry.then:
        if pattern.text not in earlier:
            ctx.report(
                "nothing-before",
                f"`then {pattern.text}` goes on with an entry above it, and there is none",
                entry.pattern.span,
            )
        return
    if pattern.text in earlier:
        ctx.report(
            "duplicate-name",
            f"the code `{pattern.text}` stands here twice",
            entry.pattern.span,
            f"write `then {pattern.text}` to go on with it",
        )


def _check_line(ctx: Context, line: t.EntryLine, record: str | None, scope: Scope) -> ir.ResultLine:
    if isinstance(line, t.EachReader):
        if record is None:
            ctx.report(
                "readers",
                "these results have no readers",
                line.span,
                "write `results of CHART for each RECORD`, or leave `each reader` out",
            )
            return ir.ResultLine("plain", None, ())
        element = Element("reader", RecordOf(record))
        inner = scope.within(element)
        inner.locals["reader"] = Typed.of(ir.Local("reader", type=RecordOf(record)))
        where = None if line.where is None else check_condition(ctx, line.where, inner)
        return ir.ResultLine("each", where, check_loop(ctx, scope, lambda: check_block(ctx, line.block, inner)))
    if isinstance(line, t.Once):
        return ir.ResultLine("once", None, check_block(ctx, line.block, scope))
    return ir.ResultLine("plain", None, tuple(check_statement(ctx, line, scope)))


def _steps_of(entry: t.Entry) -> tuple[t.Step, ...]:
    """The steps in all lines of an entry."""
    steps: list[t.Step] = []
    for line in entry.lines:
        steps += line.block.steps if isinstance(line, (t.EachReader, t.Once)) else [t.Step(None, line, line.span)]
    return tuple(steps)
