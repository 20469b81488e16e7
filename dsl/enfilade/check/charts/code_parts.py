"""Parts of result codes: the blank-separated parts of a cell, and the named numbers and words of a pattern.

``inside side, degree, loss`` names the parts of each cell; ``D{loss}R{hexes}`` names numbers in the codes that match it.
Both become maps from code to value, so ``shot.loss`` is a lookup and engines need no extra code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from enfilade.check.charts.chart_layout import UNREADABLE, ChartLayout, layout_of
from enfilade.check.charts.labels import EMPTY
from enfilade.check.context import Context
from enfilade.check.expressions.fields import RESERVED_PARTS
from enfilade.core import ir
from enfilade.core.code_patterns import letters_of, match_code, pattern_for
from enfilade.syntax import tree as t
from enfilade.values.types import CodeOf, Word

_NOTHING = (*EMPTY, "-")
_LETTER = re.compile(r"#(?=[a-z](?![a-z]))")


def pattern_of(ctx: Context, entry: t.Entry, tree: t.Results) -> ir.Pattern:
    """The pattern of an entry, ``M#``, with the bare code that it also stands for.

    In ``D#x``, the letter names the number, unless a cell reads as if it were literal: ``D1x``.
    """
    bare = None if entry.bare is None else entry.bare.text
    bare_is = None if entry.bare_is is None else entry.bare_is.text
    also = tuple(code.text for code in entry.also)
    pattern = ir.Pattern(entry.pattern.text, bare, bare_is, also)
    texts = (entry.pattern.text, *also)
    if not any(_LETTER.search(text) for text in texts):
        return pattern
    codes = _codes_printed(ctx, tree)
    forms = tuple(_form(text, codes) for text in texts)
    return pattern if forms == texts else ir.Pattern(pattern.text, bare, bare_is, also, forms)


def _form(text: str, codes: Iterable[str]) -> str:
    literal = _LETTER.sub("{#}", text)
    is_literal = literal != text and any(match_code(ir.Pattern(literal), code) is not None for code in codes)
    return literal if is_literal else text


def _codes_printed(ctx: Context, tree: t.Results) -> set[str]:
    """The codes in the cells and edges of all charts of a results block."""
    found: set[str] = set()
    for name in (tree.chart, *tree.also):
        chart = ctx.symbols.charts.get(name.name)
        layout = None if chart is None else layout_of(chart, lambda what, span: None)
        for page in layout.tables if layout is not None else ():
            found |= {piece for row in page.rows[1:] for cell in row.cells[1:] for piece in layout_pieces(layout, cell)}
        for edge in layout.edges if layout is not None else ():
            found |= {action.name for action in edge.actions if action.act == "gives" and action.name is not None}
    return found


def layout_pieces(layout: ChartLayout | None, cell: t.Code) -> list[str]:
    """The codes in one cell."""
    return [cell.text] if layout is None else layout.pieces(cell.text)


def patterns_of(ctx: Context, tree: t.Results) -> ir.Results:
    """The patterns of a results block, without their steps."""
    entries = tuple(ir.Entry(pattern_of(ctx, entry, tree), entry.then, (), ir.NO_NOTE) for entry in tree.entries)
    return ir.Results(tree.chart.name, None, entries, ir.NO_NOTE)


def note_code_parts(ctx: Context, tree: t.Chart, layout: ChartLayout, chart: ir.Chart) -> None:
    """Note the parts of a chart's codes, and report cells whose parts do not fit their names."""
    codes = _codes_of(chart)
    parts: dict[str, Mapping[str, Any]] = {}
    if layout.parts:
        _check_names(ctx, layout)
        _check_cells(ctx, layout)
        cut = {code: _cut(code, len(layout.parts)) for code in codes}
        parts |= {part.name: {code: cut[code][at] for code in codes} for at, part in enumerate(layout.parts)}
    results = ctx.symbols.results.get(tree.name.name)
    if results is not None:
        parts |= _parts_of_patterns(patterns_of(ctx, results), codes)
    ctx.code_parts[tree.name.name] = parts


def _codes_of(chart: ir.Chart) -> tuple[str, ...]:
    match chart.code_type:
        case CodeOf(codes):
            return codes
        case Word(words):
            return words
    return ()


def _check_names(ctx: Context, layout: ChartLayout) -> None:
    seen: set[str] = set()
    for part in layout.parts:
        if part.name in RESERVED_PARTS or part.name in seen:
            why = "is declared twice" if part.name in seen else "is a part that every reading already has"
            ctx.report("duplicate-name", f"`{part.name}` {why}", part.span, "give this part another name")
        seen.add(part.name)
    if layout.kind not in ("codes", "words"):
        message = f"a chart with `cells {layout.kind}` can't have parts"
        ctx.report("chart-shape", message, layout.parts[0].span, f"delete `cells {layout.kind}`")


def _check_cells(ctx: Context, layout: ChartLayout) -> None:
    names = ", ".join(part.name for part in layout.parts)
    cells = [cell for page in layout.tables for row in page.rows[1:] for cell in row.cells[1 : layout.width + 1]]
    for cell in cells:
        count = len(cell.text.split())
        if cell.text not in (*_NOTHING, UNREADABLE) and count != len(layout.parts):
            message = f"this cell has {count} part{'' if count == 1 else 's'}, but {len(layout.parts)} are needed"
            ctx.report(
                "cell-values",
                message,
                cell.span,
                f"write {names}, separated by blanks; write `-` for a part without a value",
            )


def _cut(code: str, count: int) -> tuple[Any, ...]:
    pieces = code.split()
    if len(pieces) != count:
        return (None,) * count
    return tuple(None if piece in _NOTHING else _number_or_word(piece) for piece in pieces)


def _number_or_word(piece: str) -> int | str:
    text = piece.replace("−", "-")
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else piece


def _parts_of_patterns(results: ir.Results, codes: Iterable[str]) -> dict[str, dict[str, Any]]:
    found = {code: pattern_for(results, code) for code in codes}
    names = {name for entry in results.entries for name in letters_of(entry.pattern) if name.startswith("{")}
    return {
        name[1:-1]: {code: None if of is None else of[1].get(name) for code, of in found.items()}
        for name in sorted(names)
    }
