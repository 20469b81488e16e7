"""Code generation for the column of a chart: the header in force, the label, the column shift and the edges."""

from __future__ import annotations

from attrs import frozen

from enfilade.core import ir
from enfilade.core.chart_labels import end_label
from enfilade.core.operators import divide
from enfilade.engines.compile import labels
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.edges import Lookup
from enfilade.engines.compile.runtime import SIDES
from enfilade.engines.compile.specialised_types import is_positive, is_small, is_whole
from enfilade.values.types import Num, Type


@frozen
class ColumnValue:
    """The value that selects the column.

    Attributes:
        text: The source of the value.
        kind: Its type.
        ratio: Dividend and divisor, if the value is a quotient of whole numbers.
        small: Whether both are small and the divisor is positive.
    """

    text: str
    kind: Type
    ratio: tuple[str, str] | None = None
    small: bool = False


def find_column(r: Lookup, shift: str, kind: Num) -> None:
    """Write the search for the column, before and after the column shift.

    Args:
        r: The lookup.
        shift: The net shift, as a name or a constant.
        kind: The type of the shift.
    """
    axis = r.chart.across
    if axis is None:
        r.column = "0"
    if axis is None or axis.value is None:
        return
    header = _header(r, axis)
    value = _column_value(r, axis.value)
    r.base = r.w.fresh()
    if header is None:
        lowest, highest = _find_under(r, axis, axis.headers[0], value)
    else:
        lowest, highest = _find_under_each(r, axis, header, value)
    last = len(axis.labels) - 1
    _shift_column(r, value.text, shift, last, _reach(lowest, highest, kind, last))


def _column_value(r: Lookup, e: ir.Expr) -> ColumnValue:
    """Return the value of the axis; a quotient of whole numbers is computed only when a message shows it."""
    kinds = [r.w.kind(arg) for arg in e.args] if isinstance(e, ir.Op) and e.name == "divide" else []
    if isinstance(e, ir.Op) and kinds and all(is_whole(kind) for kind in kinds):
        a, b = r.w.atoms(e.args)
        small = all(is_small(kind) for kind in kinds) and is_positive(kinds[1])
        return ColumnValue(f"{r.w.context.pool.shared(divide)}({a}, {b})", r.w.kind(e), (a, b), small)
    return ColumnValue(r.w.atom(e), r.w.kind(e))


def _header(r: Lookup, axis: ir.Axis) -> str | None:
    """Return the variable for the index of the header in force; ``None`` if the chart has a single header."""
    if axis.headers[0].condition is None:
        return None
    name = r.w.fresh()
    _select_header(r, axis.headers, 0, name)
    return name


def _select_header(r: Lookup, headers: tuple[ir.Header, ...], number: int, name: str) -> None:
    w = r.w
    if number == len(headers):
        w.line(f"no_header({w.context.pool.shared(r.chart)})")
        return
    test = headers[number].condition
    if test is None:
        w.line(f"{name} = {number}")
        return
    w.line(f"if {condition(w, test)}: {name} = {number}")
    with w.block("else:"):
        _select_header(r, headers, number + 1, name)


def _find_under_each(r: Lookup, axis: ir.Axis, header: str, value: ColumnValue) -> tuple[int, int]:
    found = []
    for number, each in enumerate(axis.headers):
        with r.w.block(f"{'elif' if number else 'if'} {header} == {number}:"):
            found.append(_find_under(r, axis, each, value))
    return min(low for low, _ in found), max(high for _, high in found)


def _find_under(r: Lookup, axis: ir.Axis, header: ir.Header, value: ColumnValue) -> tuple[int, int]:
    """Write the search for the column under one header, and return the lowest and the highest possible column."""
    if value.ratio is not None:
        found = labels.find_ratio(r.w, axis.mode, header.matches, value.ratio, value.small, axis.limits)
    else:
        found = labels.find(r.w, axis.mode, header.matches, value.text, value.kind, axis.limits)
    r.w.line(f"{r.base} = {found.text}")
    r.off("column", found, r.base, value.text, lambda side: str(end_label(header.matches, SIDES[side])))
    ends = [end for side in found.outside if (end := end_label(header.matches, SIDES[side])) is not None]
    inside = [*(index for index in found.possible if index >= 0), *ends]
    return min(inside, default=0), max(inside, default=0)


def _reach(lowest: int, highest: int, shift: Num, last: int) -> tuple[bool, bool]:
    """Return whether the shift can pass the left edge, and the right edge."""
    return shift.low is None or lowest + shift.low < 0, shift.high is None or highest + shift.high > last


def _shift_column(r: Lookup, value: str, shift: str, last: int, off: tuple[bool, bool]) -> None:
    """Write the column shift, skipped if an edge has already decided the result."""
    if shift == "0" and not any(off):
        r.column = r.base
        return
    r.column = r.w.fresh()
    if r.given is None:
        _write_shift(r, value, shift, last, off)
        return
    r.w.line(f"{r.column} = None")
    with r.w.block(f"if {r.given} is None:"):
        _write_shift(r, value, shift, last, off)


def _write_shift(r: Lookup, value: str, shift: str, last: int, off: tuple[bool, bool]) -> None:
    w, column = r.w, r.column
    w.line(f"{column} = {r.base} + {shift}")
    if off[0]:
        with w.block(f"if {column} < 0:"):
            r.edge("shift left", value, f"{column} = 0", f"{column} = None")
    if off[1]:
        with w.block(f"{'elif' if off[0] else 'if'} {column} > {last}:"):
            r.edge("shift right", value, f"{column} = {last}", f"{column} = None")
