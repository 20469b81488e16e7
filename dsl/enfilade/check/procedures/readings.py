"""Steps that read charts, and steps that apply the results: to no record, one record, or each record of a list."""

from __future__ import annotations

from attrs import evolve

from enfilade.bind.names import Key
from enfilade.check.charts.axes import chart_dice_type
from enfilade.check.charts.chart_rolls import looks_at_roll, with_roll
from enfilade.check.context import Context, note_of
from enfilade.check.demand import require_chart
from enfilade.check.expressions.chart_values import (
    GivenValues,
    check_chart_values,
    covers,
    range_of_rows,
    takes_row_value,
)
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.types.coercions import POISONED, coerce
from enfilade.check.types.expected_types import check_expression, check_list, check_number
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.type_relations import (
    common_type,
    has_unknown,
    is_assignable,
    is_list_of,
    read_on_one_of,
    record_in,
    unclear_list_text,
)
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import ChartOf, ListOf, Num, ReadingOf, RecordOf, RollOf, Type, Unknown, Word, with_article


def check_read(ctx: Context, s: t.Read, scope: Scope) -> list[ir.Statement]:
    """Check ``read chart with roll as shot``."""
    name = s.name.name if s.name is not None else s.chart.name
    typed = _check_reading(ctx, s, scope)
    slot = scope.bind(name, typed.type)
    if s.name is None:
        scope.keys[name] = Key("chart", name)
    return [ir.SetLocal(slot, name, typed.node, note_of(s.tail, s.span))]


def _check_reading(ctx: Context, s: t.Read, scope: Scope) -> Typed:
    local = scope.locals.get(s.chart.name)
    if local is not None and isinstance(local.type, (ReadingOf, ChartOf)):
        return _check_reading_by_cell(ctx, s, local, scope)
    if s.chart.name not in ctx.symbols.charts:
        ctx.unknown("chart", s.chart, list(ctx.symbols.charts))
        return POISONED
    chart = require_chart(ctx, s.chart.name, s.chart.span)
    if chart is None:
        return POISONED
    if _reads_on(ctx, s, chart):
        key = _key_of(ctx, s, chart, scope)
        named = _check_reading_of(ctx, evolve(s, roll=None, each=None, readers=key), chart, scope)
        s = s if key is None else evolve(s, readers=None)
        return POISONED if named == POISONED else _check_reading_by_cell(ctx, s, named, scope)
    return _check_reading_of(ctx, s, chart, scope)


def _check_reading_of(ctx: Context, s: t.Read, chart: ir.Chart, scope: Scope) -> Typed:
    """Check a reading of a chart itself."""
    if s.each is not None:
        return _check_reading_of_each(ctx, s, chart, scope)
    if _is_for_value(ctx, s, chart, scope):
        s = evolve(s, roll=s.readers, readers=None)
    reader = _check_reader(ctx, s, scope)
    record = None if reader is None else record_in(reader.type)
    given = _check_given(ctx, s, chart, scope)
    if given is None:
        return POISONED
    type_ = ReadingOf(chart.name, chart.code_type, record)
    node = None if reader is None else reader.node
    return Typed.of(ir.Look(chart.name, given.args, given.row, node, s.span, type_))


def _reads_on(ctx: Context, s: t.Read, chart: ir.Chart) -> bool:
    """Whether a step goes on to the chart that a cell names: it has the roll for that, or no roll is needed."""
    if chart.cell_kind != "charts":
        return False
    if s.roll is not None:
        return not (chart.takes_roll and chart.dice)
    named = chart.code_type.charts if s.each is None and isinstance(chart.code_type, ChartOf) else ()
    found = [require_chart(ctx, name, s.chart.span) for name in named if name in ctx.symbols.charts]
    return bool(found) and all(each is not None and not each.takes_roll for each in found)


def _key_of(ctx: Context, s: t.Read, chart: ir.Chart, scope: Scope) -> t.Expr | None:
    """The value after ``for`` that finds the cell, in a chart of charts that is read with a roll."""
    return s.readers if s.each is None and _is_for_value(ctx, evolve(s, roll=None), chart, scope) else None


def _is_for_value(ctx: Context, s: t.Read, chart: ir.Chart, scope: Scope) -> bool:
    """Whether ``for X`` gives the value that the chart looks up: X is not a record, and nothing else gives it."""
    if s.readers is None or s.roll is not None or not ctx.chart_values.get(chart.name):
        return False
    wanted = ctx.chart_values[chart.name][0].type
    with ctx.silently():
        typed = coerce(check_expression(ctx, s.readers, scope, wanted))
    return not isinstance(typed.type, RecordOf) and (
        isinstance(s.readers, t.Name) or not isinstance(typed.type, Unknown)
    )


def _check_given(ctx: Context, s: t.Read, chart: ir.Chart, scope: Scope) -> GivenValues | None:
    """Check the arguments of a reading, and its roll or the value that finds the row."""
    if chart.takes_roll and not takes_row_value(ctx, chart.name):
        given = check_chart_values(ctx, chart, s.args, None, s.span, scope)
        if given is None:
            return None
        roll = _find_roll(ctx, s, chart, scope)
        return evolve(given, row=roll, args=with_roll(ctx, chart.name, given.args, roll, s))
    if chart.down.value == POISON:
        return check_chart_values(ctx, chart, s.args, None, s.span, scope)
    return check_chart_values(ctx, chart, s.args, s.roll, s.span, scope)


def _check_reading_of_each(ctx: Context, s: t.Read, chart: ir.Chart, scope: Scope) -> Typed:
    assert s.each is not None
    over = _check_reader_list(ctx, s, scope)
    if not isinstance(over.type, ListOf) or not isinstance(over.type.of, RecordOf):
        return POISONED
    element = Element(scope.slot("reader"), over.type.of)
    inner = scope.within(element)
    given = _check_given(ctx, s, chart, inner)
    if given is None:
        return POISONED
    type_ = ReadingOf(chart.name, chart.code_type, over.type.of.record)
    look = ir.Look(chart.name, given.args, given.row, ir.Local(element.slot, type=element.type), s.span, type_)
    return Typed.of(ir.Over("list", element.slot, over.node, look, span=s.span, type=ListOf(type_)))


def _check_reader_list(ctx: Context, s: t.Read, scope: Scope) -> Typed:
    assert s.each is not None
    record = s.each.name
    if record not in ctx.records:
        ctx.unknown("record", s.each, list(ctx.records))
        return POISONED
    if s.readers is not None:
        over = check_list(ctx, s.readers, scope)
        if not is_assignable(over.type, ListOf(RecordOf(record))):
            report_mismatch(ctx, f"a list of {record}", over.type, s.readers.span)
        return over
    lists = [name for name, fact in ctx.facts.items() if is_list_of(fact.type, record)]
    if len(lists) != 1:
        if not lists and has_unknown(ctx.facts):
            return POISONED
        ctx.report(
            "which-list",
            unclear_list_text(record, lists),
            s.each.span,
            f"name the list: `for each {record} in ...`",
        )
        return POISONED
    return check_list(ctx, t.Name(lists[0], s.each.span), scope)


def _check_reading_by_cell(ctx: Context, s: t.Read, local: Typed, scope: Scope) -> Typed:
    """Check a step that reads the chart named by a cell of another chart."""
    node, type_ = (coerce(local).node, coerce(local).type)
    if not isinstance(type_, ChartOf):
        report_mismatch(ctx, "a chart", type_, s.chart.span)
        return POISONED
    known = [name for name in type_.charts if name in ctx.symbols.charts]
    charts = [chart for name in known if (chart := require_chart(ctx, name, s.chart.span)) is not None]
    if not charts:
        return POISONED
    roll = None if s.roll is None else check_number(ctx, s.roll, scope).node
    _check_roll_in(ctx, s, charts)
    looks = [chart.name for chart in charts if looks_at_roll(ctx, chart.name)]
    if looks:
        message = (
            f"a cell can't choose the chart `{looks[0]}`, because the modifiers of `{looks[0]}` depend on the roll"
        )
        ctx.report("chart-needs-roll", message, s.span, f"use its name: `read {looks[0]} with ...`")
        return POISONED
    code: Type = charts[0].code_type
    for chart in charts[1:]:
        code = common_type(ctx, code, chart.code_type, s.span)
    if s.each is not None:
        each = read_on_one_of(ctx, known, code, s.each.name, s.chart.name)
        return _check_reading_by_cell_of_each(ctx, s, node, roll, each, scope)
    reader = _check_reader(ctx, s, scope)
    record = None if reader is None else record_in(reader.type)
    read = read_on_one_of(ctx, known, code, record, s.chart.name)
    return Typed.of(ir.LookIn(node, roll, None if reader is None else reader.node, s.span, read))


def _check_reading_by_cell_of_each(
    ctx: Context, s: t.Read, chart: ir.Expr, roll: ir.Expr | None, type_: ReadingOf, scope: Scope
) -> Typed:
    over = _check_reader_list(ctx, s, scope)
    if not isinstance(over.type, ListOf) or not isinstance(over.type.of, RecordOf):
        return POISONED
    slot = scope.slot("reader")
    look = ir.LookIn(chart, roll, ir.Local(slot, type=over.type.of), s.span, type_)
    return Typed.of(ir.Over("list", slot, over.node, look, span=s.span, type=ListOf(type_)))


def _check_reader(ctx: Context, s: t.Read, scope: Scope) -> Typed | None:
    """Check the single reader, if any."""
    reader = None if s.readers is None else check_expression(ctx, s.readers, scope)
    if reader is not None and not isinstance(reader.type, (RecordOf, Unknown)):
        report_mismatch(ctx, "a record", reader.type, s.span)
    return reader


def _check_roll_in(ctx: Context, s: t.Read, charts: list[ir.Chart]) -> None:
    """Check that a roll is given if one of the charts is read with dice, and only then."""
    with_dice = [chart for chart in charts if chart.takes_roll]
    if s.roll is None and with_dice:
        ctx.report(
            "chart-needs-roll",
            f"`{with_dice[0].name}` needs a roll",
            s.span,
            f"write `read {s.chart.name} with ...`",
        )
    if s.roll is not None and not with_dice:
        ctx.report("roll-mismatch", f"`{charts[0].name}` takes no roll", s.roll.span, "delete `with`")


def _find_roll(ctx: Context, s: t.Read, chart: ir.Chart, scope: Scope) -> ir.Expr | None:
    """Check the roll that a chart with dice is read with."""
    wanted = chart_dice_type(ctx, chart.name)
    if s.roll is None:
        return _find_only_roll(ctx, s, chart, wanted, scope)
    typed = coerce(check_expression(ctx, s.roll, scope, wanted))
    if isinstance(typed.type, Unknown) or isinstance(wanted, Unknown):
        return typed.node
    if isinstance(wanted, Num) and isinstance(typed.type, Num):
        if not covers(typed.type, range_of_rows(wanted, chart), chart):
            ctx.report(
                "roll-mismatch",
                f"`{chart.name}` needs {with_article(wanted)}, but this is {with_article(typed.type)}",
                s.roll.span,
                "roll the dice of the chart's `down` line, or add `row below ...` or `row above ...` to the chart",
            )
    elif isinstance(wanted, Word) and isinstance(typed.type, Word):
        other = [word for word in typed.type.words if word not in wanted.words]
        if other:
            ctx.report("roll-mismatch", f"`{chart.name}` has no row for {', '.join(other)}", s.roll.span)
    elif not is_assignable(typed.type, wanted):
        report_mismatch(ctx, wanted, typed.type, s.roll.span)
    return typed.node


def _find_only_roll(ctx: Context, s: t.Read, chart: ir.Chart, wanted: Type, scope: Scope) -> ir.Expr | None:
    """Find the only earlier roll that fits the chart's dice."""
    rolls = [
        typed for typed in scope.locals.values() if isinstance(typed.type, RollOf) and coerce(typed).type == wanted
    ]
    if len(rolls) == 1:
        return coerce(rolls[0]).node
    if isinstance(wanted, Unknown) or any(isinstance(each.type, Unknown) for each in scope.locals.values()):
        return ir.Const(0)
    ctx.report(
        "which-roll",
        f"it is unclear which roll `{chart.name}` uses: {len(rolls)} earlier rolls fit"
        if rolls
        else f"`{chart.name}` needs a roll, but no earlier roll fits",
        s.span,
        f"name the roll: `read {chart.name} with ...`",
    )
    return ir.Const(0)


def check_apply(ctx: Context, s: t.Apply, scope: Scope) -> list[ir.Statement]:
    """Check ``apply shots to readers``."""
    reading = check_expression(ctx, s.reading, scope)
    inner = reading.type.of if isinstance(reading.type, ListOf) else reading.type
    if not isinstance(inner, ReadingOf):
        report_mismatch(ctx, "a reading of a chart", reading.type, s.reading.span)
        return []
    results = ctx.symbols.results.get(inner.chart)
    if results is None and any(name not in ctx.symbols.charts for name in ctx.symbols.results):
        return []
    if results is None:
        ctx.report("no-results", f"the chart `{inner.chart}` has no `results of` block", s.span)
        return []
    readers = None if s.readers is None else check_list(ctx, s.readers, scope)
    _check_readers(ctx, s, results, inner, readers, isinstance(reading.type, ListOf))
    return [ir.ApplyResults(inner.chart, reading.node, readers.node if readers else None, note_of(s.tail, s.span))]


def _readers_text(record: str | None) -> str:
    """For whom results are, as the end of a sentence about them."""
    return f"are for each {record}" if record else "have no `for each`"


def _check_readers(
    ctx: Context, s: t.Apply, results: t.Results, reading: ReadingOf, readers: Typed | None, many: bool
) -> None:
    record = None if results.record is None else results.record.name
    if record is not None and record not in ctx.records:
        return
    if readers is not None:
        if record is None or (
            readers.type != ListOf(RecordOf(record)) and not is_assignable(readers.type, ListOf(RecordOf(record)))
        ):
            not_these = f"this is not a list of {record}" if record else "this step has a list"
            not_these = f"this is not a list of {record}" if record else "this step has a list"
            ctx.report(
                "readers",
                f"the results of `{reading.chart}` {_readers_text(record)}, but {not_these}",
                s.span,
            )
        elif many:
            ctx.report(
                "readers", "the `read` step already names the records for these results", s.span, "delete `to ...`"
            )
    elif record != reading.reader:
        read_by = (
            f"the chart was read for each {reading.reader}"
            if reading.reader
            else "the chart was read without `for each`"
        )
        ctx.report(
            "readers",
            f"the results of `{reading.chart}` {_readers_text(record)}, but {read_by}",
            s.span,
            f"read the chart `for each {record}`, or `apply ... to` a list"
            if record
            else "read the chart without `for each`",
        )
