"""Header rows shared by several charts (`columns`), used as values.

``strength.column`` is the number of the column in which a strength starts. ``strength.disorder_shift`` is the value
beside the bands of the header row in force. Both are lowered to conditional expressions, so engines need no extra code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from enfilade.bind.names import Key
from enfilade.check.charts.axes import AxisType, bands_of, check_axis, check_label
from enfilade.check.charts.axis_coverage import check_header_gap
from enfilade.check.charts.chart_axes import check_header
from enfilade.check.charts.labels import EMPTY, numbers_of
from enfilade.check.context import Context, note_of
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import POISONED
from enfilade.check.types.expected_types import check_condition
from enfilade.check.types.type_relations import is_known
from enfilade.check.types.written_types import check_type
from enfilade.core import ir
from enfilade.core.chart_labels import highest, lowest
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, Label, ListOf, Maybe, Num, Type, Unknown, Word

_NONE: Final = ir.Const(None)
_YES, _NO = ir.Const(True), ir.Const(False)
_PARTS: Final = ("column", "header", "below", "above")
MAX_LISTED = 1_000


def check_columns(ctx: Context, tree: t.Columns) -> ir.Columns:
    """Check a `columns` declaration; the result is only for printing."""
    scope = Scope(f"columns {tree.name.name}")
    _check_besides(ctx, tree)
    axis = check_axis(ctx, tree.axis, scope)
    lines, headers = [], []
    for line in tree.headers:
        bands, beside, surplus = bands_of(tree, line)
        header = check_header(ctx, line, bands, axis, len(bands), scope)
        headers.append(header)
        lines.append(
            ir.HeaderLine(header.printed, header.condition, _texts_of(beside), _texts_of(surplus), header.note)
        )
    if headers:
        check_header_gap(ctx, headers, axis)
    named = tuple((each.name.name, note_of(each.tail, each.span)) for each in tree.besides)
    surplus_note = note_of(tree.surplus[0].tail, tree.surplus[0].span) if tree.surplus else ir.NO_NOTE
    labels = tuple(str(number) for number in range(1, max((len(line.bands) for line in lines), default=0) + 1))
    beyond = tuple(label.text for each in tree.surplus for label in each.labels)
    note = note_of(tree.tail, tree.name.span)
    return ir.Columns(
        name=tree.name.name,
        labels=labels,
        lines=tuple(lines),
        beside=named,
        surplus=beyond,
        surplus_note=surplus_note,
        note=note,
    )


def _check_besides(ctx: Context, tree: t.Columns) -> None:
    """Check that each header row has a value of the right type for each `beside` line."""
    seen: set[str] = set()
    for beside in tree.besides:
        if beside.name.name in (*seen, *_PARTS):
            message = f"`{beside.name.name}` is declared twice"
            if beside.name.name in _PARTS:
                message = f"every `columns` declaration already has a part named `{beside.name.name}`"
            ctx.report("duplicate-name", message, beside.name.span)
        seen.add(beside.name.name)
        check_type(ctx, beside.type)
    widths = {len(line.cells) for line in tree.headers}
    for line in tree.headers:
        # Without values beside its bands, a row is told where a chart uses it.
        if tree.besides and len(widths) > 1 and len(line.cells) < max(widths):
            lacking = tree.besides[len(line.cells) - max(widths) :]
            helps = [f"the value for `{each.name.name}` is missing at its end" for each in lacking]
            message = f"this header row has {len(line.cells)} cells, but another has {max(widths)}"
            ctx.report("ragged-row", message, line.span, *helps)
    if tree.headers and max(widths) <= len(tree.besides):
        needed = len(tree.besides) + 1
        message = f"this header row needs at least {needed} cells: a column, and a value for each `beside` line"
        ctx.report("ragged-row", message, tree.headers[0].span)
    elif len(widths) == 1:
        for index, beside in enumerate(tree.besides):
            type_ = _silent_type(ctx, beside)
            for line in tree.headers:
                _beside_value(ctx, beside, type_, bands_of(tree, line)[1][index])


def _silent_type(ctx: Context, beside: t.Beside) -> Type:
    """Check a type without reporting its diagnostics, which were already reported."""
    with ctx.silently():
        return check_type(ctx, beside.type)


def _beside_value(ctx: Context, beside: t.Beside, type_: Type, cell: t.Code) -> Any:
    if beside.nothing is not None and cell.text == beside.nothing.text:
        return None
    value = _read_value(type_, cell.text)
    if value is None and is_known(type_):
        name = beside.name.name
        help_ = f"if the cell means that there is no value, write `beside {name} ... where {cell.text} is none`"
        ctx.report("label", f"`{cell.text}` is not a value of `{name}`", cell.span, help_)
    return value


def check_columns_part(ctx: Context, tree: t.Columns, name: t.Ident, span: Span, scope: Scope) -> Typed:
    """Check ``strength.column``, ``strength.below``, ``strength.disorder_shift``."""
    return _check_part(ctx, tree, name, span, Scope(f"columns {tree.name.name}", fresh=scope.fresh))


def _check_part(ctx: Context, tree: t.Columns, name: t.Ident, span: Span, scope: Scope) -> Typed:
    if not tree.headers:
        message = f"`columns {tree.name.name}` has no header rows"
        ctx.report("chart-shape", message, tree.name.span, "add a line `header ...`")
        return POISONED
    axis = check_axis(ctx, tree.axis, scope)
    besides = {beside.name.name: index for index, beside in enumerate(tree.besides)}
    ctx.names.note(name.span, Key("part" if name.name in besides else "built-in", name.name))
    if name.name in besides:
        return _check_beside(ctx, tree, besides[name.name], span, scope)
    if name.name not in _PARTS:
        ctx.unknown(f"part of {tree.name.name}", name, [*besides, *_PARTS])
        return POISONED
    if axis.node is None:
        message = f"dice select the column of `{tree.name.name}`, so `{name.name}` is unknown before the roll"
        ctx.report("wrong-kind", message, span, f"read a chart with the roll, and use `.{name.name}` of the reading")
        return POISONED
    if not isinstance(axis.type, (Num, Word)):
        return POISONED
    if name.name == "header":
        return _by_header_row(ctx, tree, scope, span, Label(), _header_label)
    if name.name == "column":
        width = max(len(bands_of(tree, line)[0]) for line in tree.headers)
        return _by_header_row(
            ctx, tree, scope, span, Maybe(Num(1, width)), lambda line: _column_condition(ctx, tree, axis, line)
        )
    return _by_header_row(
        ctx, tree, scope, span, Bool(), lambda line: _outside_condition(ctx, tree, axis, line, name.name)
    )


def _check_beside(ctx: Context, tree: t.Columns, index: int, span: Span, scope: Scope) -> Typed:
    beside = tree.besides[index]
    type_ = _silent_type(ctx, beside)
    widths = {len(line.cells) for line in tree.headers}
    if not is_known(type_) or len(widths) > 1 or min(widths) <= len(tree.besides):
        return POISONED

    whole = type_ if beside.nothing is None else Maybe(type_)

    def value(line: t.HeaderLine) -> ir.Expr:
        cell = bands_of(tree, line)[1][index]
        with ctx.silently():
            return ir.Const(_beside_value(ctx, beside, type_, cell), cell.span, whole)

    return _by_header_row(ctx, tree, scope, span, whole, value)


def _by_header_row(
    ctx: Context, tree: t.Columns, scope: Scope, span: Span, type_: Type, value: Callable[[t.HeaderLine], ir.Expr]
) -> Typed:
    """The value for the first header row whose condition is true, or else for the last row."""
    node = value(tree.headers[-1])
    for line in reversed(tree.headers[:-1]):
        if line.condition is not None:
            node = ir.If(check_condition(ctx, line.condition, scope), value(line), node, span, type_)
    return Typed(node, type_)


def _matches(ctx: Context, tree: t.Columns, axis: AxisType, line: t.HeaderLine) -> list[tuple[int, ir.Match]]:
    bands = [(n, code) for n, code in enumerate(bands_of(tree, line)[0], start=1) if code.text not in EMPTY]
    # The declaration reports wrong labels.
    with ctx.silently():
        labels = [(number, check_label(ctx, code, axis)) for number, code in bands]
    return [(number, label.match) for number, label in labels if label is not None]


def _column_condition(ctx: Context, tree: t.Columns, axis: AxisType, line: t.HeaderLine) -> ir.Expr:
    assert axis.node is not None
    found = _matches(ctx, tree, axis, line)
    tests = [(number, _label_condition(axis.node, axis.mode, match)) for number, match in found]
    if axis.mode == "below":
        tests = _in_threshold_order(found, tests, lowest, True)
    elif axis.mode == "above":
        tests = _in_threshold_order(found, tests, highest, False)
    node: ir.Expr = _NONE
    for number, test in reversed(tests):
        node = ir.If(test, ir.Const(number), node, type=Maybe(Num(1, None)))
    return node


def _outside_condition(ctx: Context, tree: t.Columns, axis: AxisType, line: t.HeaderLine, side: str) -> ir.Expr:
    assert axis.node is not None
    matches = [match for _, match in _matches(ctx, tree, axis, line) if match.bands]
    ends = [lowest(match) if side == "below" else highest(match) for match in matches]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends) or not known or axis.mode == ("above" if side == "below" else "below"):
        return _NO
    end = min(known) if side == "below" else max(known)
    return ir.Op("<" if side == "below" else ">", (axis.node, ir.Const(end)), type=Bool())


def _texts_of(codes: tuple[t.Code, ...]) -> tuple[str, ...]:
    return tuple(code.text for code in codes)


def _header_label(line: t.HeaderLine) -> ir.Expr:
    return ir.Const(line.tail.label or "", line.span, Label())


def _label_condition(value: ir.Expr, mode: str, match: ir.Match) -> ir.Expr:
    """The condition that a label contains a value."""
    if mode == "below":
        return ir.Op(">=", (value, ir.Const(lowest(match))), type=Bool())
    if mode == "above":
        end = highest(match)
        return _YES if end is None else ir.Op("<=", (value, ir.Const(end)), type=Bool())
    words = [ir.Op("is", (value, ir.Const(word)), type=Bool()) for word in match.words]
    ends = [(ir.Const(band.low), ir.Const(band.high)) for band in match.bands]
    bands = [ir.Op("within", (value, low, high), type=Bool()) for low, high in ends]
    tests: list[ir.Expr] = [*words, *bands]
    return tests[0] if len(tests) == 1 else ir.Any_(tuple(tests))


def _in_threshold_order(
    found: list[tuple[int, ir.Match]],
    tests: list[tuple[int, ir.Expr]],
    end: Callable[[ir.Match], Any],
    descending: bool,
) -> list[tuple[int, ir.Expr]]:
    """The tests of thresholds, the most restrictive first."""
    open_ended = [test for (_, match), test in zip(found, tests, strict=True) if end(match) is None]
    closed = [(end(match), test) for (_, match), test in zip(found, tests, strict=True) if end(match) is not None]
    closed.sort(key=lambda pair: pair[0], reverse=descending)
    return [test for _, test in closed] + open_ended


def _read_value(type_: Type, text: str) -> Any:
    """Read a cell as a value of a type; ``None`` if it is not one."""
    match type_:
        case Num(low, high, whole):
            found = numbers_of(text, "contains", None)
            value = None if found is None else found.bands[0].low
            is_one = found is not None and len(found.bands) == 1 and found.bands[0].high == value
            fits = is_one and value is not None and (not whole or isinstance(value, int))
            if not fits or value is None or (low is not None and value < low) or (high is not None and value > high):
                return None
            return value
        case Word(words):
            return text if text in words else None
        case Bool():
            return {"yes": True, "no": False}.get(text)
        case ListOf(Num()):
            return _read_numbers(text)
        case ListOf(Word(words)):
            pieces = tuple(re.split(r"\s*,\s*", text))
            return () if text in EMPTY else pieces if set(pieces) <= set(words) else None
        case Unknown():
            return None
    return None


def _read_numbers(text: str) -> tuple[int, ...] | None:
    """The whole numbers of a label such as ``5-9`` or ``1, 3``."""
    if text in EMPTY:
        return ()
    match = numbers_of(text, "contains", None)
    numbers: list[int] = []
    for band in () if match is None else match.bands:
        if not isinstance(band.low, int) or not isinstance(band.high, int) or band.high - band.low > MAX_LISTED:
            return None
        numbers += range(band.low, band.high + 1)
    return tuple(numbers) if match is not None else None
