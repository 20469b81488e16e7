"""Cells of a chart: codes, numbers, words, lists, and other charts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, TypeAlias

from enfilade.check.charts.chart_layout import UNREADABLE, ChartLayout
from enfilade.check.charts.chart_shape import count_text
from enfilade.check.charts.labels import index_of, without_vulgar_fractions
from enfilade.check.charts.result_codes import check_codes
from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Edit, Fix, Subject
from enfilade.syntax import tree as t
from enfilade.values.data import ChartRef
from enfilade.values.types import ChartOf, CodeOf, ListOf, Maybe, Num, Type, Unknown, Word

Table: TypeAlias = tuple[tuple[tuple[Any, ...], ...], ...]
SplitCells: TypeAlias = list[list[list[tuple[t.Code, ...]]]]
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?")
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def split_cells(ctx: Context, layout: ChartLayout, inside: ir.Axis | None) -> tuple[SplitCells, Table]:
    """Split the cells of each page for the inside axis; return them with the printed texts. Short rows are padded."""
    cut: SplitCells = []
    printed = []
    for number, page in enumerate(layout.tables):
        rows = [padded_row(row, layout.width) for row in page.rows[1:]]
        printed.append(
            tuple(
                tuple("-" if cell is None else cell.text + _signs(layout, (number, y, x)) for x, cell in enumerate(row))
                for y, row in enumerate(rows)
            )
        )
        cut.append([[_split(ctx, cell, inside) for cell in row] for row in rows])
    return cut, tuple(printed)


def _signs(layout: ChartLayout, at: tuple[int, int, int]) -> str:
    return "".join(sign for sign, places in layout.marked.items() if at in places)


def _split(ctx: Context, cell: t.Code | None, inside: ir.Axis | None) -> tuple[t.Code, ...]:
    if cell is None or inside is None:
        return () if cell is None else (cell,)
    pieces = cell.text.replace("/", " ").split()
    if cell.text == UNREADABLE:
        return ()
    if len(pieces) == len(inside.labels):
        return tuple(t.Code(piece, cell.span) for piece in pieces)
    if inside.labels:
        ctx.report(
            "cell-values",
            f"this cell has {count_text(len(pieces), 'value')}, but {len(inside.labels)} are needed",
            cell.span,
            "write one value for each of " + ", ".join(inside.labels),
        )
    return ()


def check_cells(
    ctx: Context, tree: t.Chart, layout: ChartLayout, cut: SplitCells, inside: ir.Axis | None
) -> tuple[Type, Table]:
    """Check the cells; return the type of a reading's code, and the values of the cells."""
    given = list(_given_codes(layout))
    if "find" in layout.axes:
        labels = [*layout.columns, *given]
        check_codes(ctx, tree, layout, labels)
        if layout.kind not in ("codes", "words"):
            message = f"a chart with `find` gives the label of a column, so it can't have `cells {layout.kind}`"
            ctx.report("chart-shape", message, tree.name.span, "write `cells words`, or delete the line")
        type_ = Word(_distinct(labels)) if layout.kind == "words" else CodeOf(_distinct(labels), layout.severity)
        return type_, ()
    # Two cells joined by a missing bar are not a code; the row was already reported.
    lost = {cell.text for page in layout.tables for row in page.rows for cell in layout.lost_bars(row)} | {UNREADABLE}
    lost |= _report_dittos(ctx, cut)
    codes = [code for page in cut for row in page for cell in row for code in cell if code.text not in lost]
    known = {id(code): check_cell(ctx, code, layout.kind) for code in (*codes, *given)}
    flat = list(known.values())
    if layout.kind == "lists" and any(isinstance(item, str) for each in flat for item in each):
        known = {key: tuple(map(str, each)) for key, each in known.items()}

    def value(cell: tuple[t.Code, ...]) -> Any:
        found = tuple(known.get(id(code), "-") for code in cell)
        return found if inside is not None else found[0] if found else "-"

    table = tuple(tuple(tuple(value(cell) for cell in row) for row in page) for page in cut)
    if layout.kind in ("codes", "numbers", "words"):
        places = _cells_replaced(layout)
        replaced = {id(code) for page, y, x in places for code in cut[page][y][x]}
        kept = [code for code in codes if id(code) not in replaced and code.text]
        check_codes(ctx, tree, layout, [*kept, *given], {code.text for code in codes if id(code) in replaced})
    # An unparsed line may declare the kind of the cells.
    unclear = layout.is_ragged or (layout.kind == "codes" and ctx.unread.is_part_of(tree.span))
    return Unknown() if unclear else _type_of(layout, [*codes, *given], flat), table


def _report_dittos(ctx: Context, cut: SplitCells) -> set[str]:
    """Report cells that repeat the one above with a sign for it; return the signs."""
    found = set()
    for page in cut:
        for above, row in pairwise(page):
            for cells, cells_above in zip(row, above, strict=False):
                if len(cells) == len(cells_above) == 1 and cells[0].text in _DITTO:
                    text, span = cells_above[0].text, cells[0].span
                    found.add(cells[0].text)
                    help_ = f"if it stands for the text above it, write `{text}`"
                    ctx.report("empty-cell", f"`{cells[0].text}` is no text of its own", span, help_,
                               fix=Fix(f"write `{text}`", (Edit(span, text),)))  # fmt: skip
    return found


def check_cell(ctx: Context, cell: t.Code, kind: str) -> Any:
    """Check a cell, or a code in place of one; return its value."""
    if not cell.text and kind != "lists":
        help_ = "write the printed text: `-` for no effect, `??` if the text is illegible"
        merged = "if a cell is printed across several, repeat its text in each"
        ctx.report("empty-cell", "this cell is empty", cell.span, help_, merged)
        return 0 if kind == "numbers" else ""
    match kind:
        case "numbers":
            return _check_number(ctx, cell)
        case "lists":
            pieces = [piece.strip() for piece in cell.text.split(",") if piece.strip() not in ("", "-")]
            return tuple(int(piece) if _WHOLE.fullmatch(piece) else piece for piece in pieces)
        case "charts":
            _check_chart_name(ctx, cell)
            return ChartRef(cell.text)
    if cell.text == "none" and kind == "words" and not ctx.is_first_version(cell.span):
        return None
    return cell.text


_DITTO: Final = ('"', "″", "〃", "''", "ditto", "do.")
"""Signs for the text of the cell above."""
_LETTERS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "Z": "2", "S": "5", "B": "8"})
"""Letters that a scan makes of digits."""
_NO_NUMBER = ("none", "-", "–", "—")


def _check_number(ctx: Context, cell: t.Code) -> Any:
    text = without_vulgar_fractions(cell.text.replace("−", "-"))
    is_first_version = ctx.is_first_version(cell.span)
    if text in _NO_NUMBER and not is_first_version:
        return None
    if not _NUMBER.fullmatch(text) or ("/" in text and not text.partition("/")[2].strip("0")):
        dash = "begin the file with `enfilade 1.1` to use `-`" if is_first_version else "write `-`"
        help_ = f"if there is no number here, {dash}; if the cells are codes, delete `cells numbers`"
        digits, fix = text.translate(_LETTERS), None
        if _NUMBER.fullmatch(digits):
            help_ = f"this is a letter: write `{digits}`"
            fix = Fix(f"write `{digits}`", (Edit(cell.span, digits),))
        if sign := re.fullmatch(r"-?\d+ ?([^\w\s./-]{1,2})", text):
            help_ = f"if `{sign[1]}` is the sign of a note, declare it in the chart: `mark {sign[1]} NAME`"
        about = None if sign is None else Subject((sign[1],))
        ctx.report("cell-number", f"`{cell.text}` is not a number", cell.span, help_, fix=fix, about=about)
        return 0
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else number


def _check_chart_name(ctx: Context, cell: t.Code) -> None:
    tree = ctx.symbols.charts.get(cell.text)
    if tree is None:
        ctx.unknown("chart", t.Ident(cell.text, cell.span), list(ctx.symbols.charts))
    elif tree.params:
        ctx.report("arguments", f"`{cell.text}` takes arguments, but a cell can't contain arguments", cell.span)


def padded_row(row: t.Row, width: int) -> list[t.Code | None]:
    """The cells of a row without its label, with ``None`` for missing cells."""
    cells: list[t.Code | None] = list(row.cells[1 : width + 1])
    return cells + [None] * (width - len(cells))


def _given_codes(layout: ChartLayout) -> Iterator[t.Code]:
    """The codes in edges (``gives``) and in errata (``reads``)."""
    for edge in layout.edges:
        for action in edge.actions:
            if action.act == "gives" and action.name is not None:
                yield t.Code(action.name, action.span)
    for erratum in layout.errata:
        for piece in layout.pieces(erratum.reads.text):
            yield t.Code(piece, erratum.reads.span)


def _cells_replaced(layout: ChartLayout) -> set[tuple[int, int, int]]:
    """The page, row and column of the cells that an erratum without a condition replaces: they are never read."""
    found = set()
    for erratum in layout.errata:
        named = [code.text for what, code in erratum.place.rest if what == "page"]
        if erratum.condition is not None or any(what == "inside" for what, _ in erratum.place.rest):
            continue
        for number, page in enumerate(layout.tables):
            column = index_of(erratum.place.column.text, [code.text for code in layout.columns])
            row = index_of(erratum.place.row.text, [line.cells[0].text for line in page.rows[1:]])
            is_there = row is not None and column is not None and column < layout.width
            if (
                is_there
                and row is not None
                and column is not None
                and (not named or [c.text for c in page.labels] == named)
            ):
                found.add((number, row, column))
    return found


def _distinct(codes: list[t.Code]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code.text for code in codes))


def _type_of(layout: ChartLayout, codes: list[t.Code], values: list[Any]) -> Type:
    match layout.kind:
        case "numbers":
            numbers = [value for value in values if value is not None]
            if not numbers:
                return Num()
            found = Num(min(numbers), max(numbers), all(isinstance(number, int) for number in numbers))
            return Maybe(found) if None in values else found
        case "words":
            words = Word(tuple(text for text in _distinct(codes) if text != "none" or None not in values))
            return Maybe(words) if None in values else words
        case "lists":
            items = [item for each in values for item in each]
            if items and all(not isinstance(item, str) for item in items):
                return ListOf(Num(min(items), max(items)))
            return ListOf(Word(tuple(dict.fromkeys(map(str, items)))))
        case "charts":
            return ChartOf(_distinct(codes))
    return CodeOf(tuple(dict.fromkeys([*layout.severity, *_distinct(codes)])), layout.severity)
