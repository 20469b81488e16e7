"""Code generation for the cells of a chart: the cell with its errata, or the search for a value along a row."""

from __future__ import annotations

from enfilade.core import ir
from enfilade.core.chart_labels import end_label
from enfilade.engines.compile import labels
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.edges import Lookup
from enfilade.engines.compile.runtime import SIDES
from enfilade.values.types import Type


def cell(r: Lookup) -> str:
    """Return the source of the cell's value, or of the result that an edge gives instead."""
    if r.column == "None":
        return "None" if r.given is None else f"(None if {r.given} is None else {r.given}[0])"
    if r.given is None:
        return _printed(r, None)
    code = r.w.fresh()
    w = r.w
    w.line(f"if {r.given} is not None: {code} = {r.given}[0]")
    with w.block("else:"):
        text = _printed(r, code)
        if text != code:
            w.line(f"{code} = {text}")
    return code


def _printed(r: Lookup, name: str | None) -> str:
    """Return the source of the cell as printed, with its errata applied."""
    w = r.w
    text = _at(r)
    inside = None
    if r.chart.inside is not None and r.chart.inside.value is not None:
        inside = _inside(r, r.chart.inside, r.chart.inside.value)
        text = f"{text}[{inside}]"
    errata = [erratum for erratum in r.chart.errata if _can_be(r, erratum)]
    if not errata:
        return text
    code = name or w.fresh()
    w.line(f"{code} = {text}")
    for erratum in errata:
        _erratum(r, erratum, code, inside)
    return code


def _at(r: Lookup) -> str:
    cells = r.chart.cells
    shared = r.w.context.pool.shared
    if r.page == "0":
        if r.column == "0":
            return f"{shared(tuple(row[0] for row in cells[0]))}[{r.row}]"
        return f"{shared(cells[0])}[{r.row}][{r.column}]"
    return f"{shared(cells)}[{r.page}][{r.row}][{r.column}]"


def _inside(r: Lookup, axis: ir.Axis, e: ir.Expr) -> str:
    w = r.w
    value = w.atom(e)
    found = labels.find(w, axis.mode, axis.headers[0].matches, value, w.kind(e))
    index = w.named(found.text)
    if found.outside:
        w.line(f"if {index} < 0: no_place({w.context.pool.shared(r.chart)}, {value})")
    return index


def _can_be(r: Lookup, erratum: ir.Erratum) -> bool:
    return (r.page != "0" or erratum.page == 0) and (r.column != "0" or erratum.column == 0)


def _erratum(r: Lookup, erratum: ir.Erratum, code: str, inside: str | None) -> None:
    w = r.w
    places = ((r.page, erratum.page), (r.row, erratum.row), (r.column, erratum.column))
    test = " and ".join(f"{name} == {index}" for name, index in places if name != "0")
    with w.block(f"if {test or 'True'}:"):
        if erratum.condition is None:
            _corrected(r, erratum, code, inside)
        else:
            with w.block(f"if {condition(w, erratum.condition)}:"):
                _corrected(r, erratum, code, inside)


def _corrected(r: Lookup, erratum: ir.Erratum, code: str, inside: str | None) -> None:
    w = r.w
    if inside is None and erratum.inside is not None:
        return
    if erratum.inside is not None:
        w.line(f"if {inside} == {erratum.inside}: {code} = {w.constant(erratum.value)}")
    elif inside is not None:
        w.line(f"{code} = {w.context.pool.shared(erratum.value)}[{inside}]")
    else:
        w.line(f"{code} = {w.constant(erratum.value)}")


def find_in_row(r: Lookup, rolled: tuple[str, Type] | None) -> str:
    """Return the label of the column with a matching cell in the row, or the result that an edge gives instead.

    Args:
        r: The lookup.
        rolled: The number to find and its type, if it is rolled or modified.
    """
    w, code = r.w, r.w.fresh()
    if r.given is None:
        _look_along(r, code, rolled)
        return code
    r.column = w.fresh()
    w.line(f"{r.column} = None")
    with w.block(f"if {r.given} is None:"):
        _look_along(r, code, rolled)
    with w.block("else:"):
        w.line(f"{code} = {r.given}[0]")
    return code


def _look_along(r: Lookup, code: str, rolled: tuple[str, Type] | None) -> None:
    w, chart = r.w, r.chart
    if rolled is None:
        assert chart.find is not None
        assert chart.find.value is not None
        rolled = w.atom(chart.find.value), w.kind(chart.find.value)
    value, kind = rolled
    r.column = w.fresh() if r.column == "None" else r.column
    found = labels.find_in(w, chart.finders, (r.page, r.row), value, kind)
    w.line(f"{r.column} = {found.text}")
    r.off("column", found, r.column, value, lambda side: _end(r, SIDES[side]))
    text = "None" if chart.across is None else f"{w.context.pool.shared(chart.across.labels)}[{r.column}]"
    w.line(f"{code} = {text if r.given is None else f'{text} if {r.given} is None else {r.given}[0]'}")


def _end(r: Lookup, side: str) -> str:
    """Return the column that is read for a value outside all labels of its row."""
    ends = tuple(tuple(end_label(row, side) for row in page) for page in r.chart.finders)
    return f"{r.w.context.pool.shared(ends)}[{r.page}][{r.row}]"
