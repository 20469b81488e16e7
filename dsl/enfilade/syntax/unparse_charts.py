"""Pretty-printer of charts and modifiers, with aligned columns. Used by ``unparse``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from enfilade.syntax import tree as t
from enfilade.syntax.unparse_expressions import (
    join,
    unparse_band,
    unparse_code,
    unparse_dice,
    unparse_expr,
    unparse_params,
    unparse_tail,
    unparse_type,
)

_EDGES: Final = {"shift left": "shift off left", "shift right": "shift off right"}
_DIPS: Final = {"falls then rises": "lowest", "rises then falls": "highest"}
_WORDS: Final = re.compile(r"\s[^\W\d_]{2}")
_WAYS: Final = {"left": "to the left", "right": "to the right"}


def indented(lines: Iterable[str], by: str = "  ") -> list[str]:
    """Indent lines by one level."""
    return [by + line for line in lines]


def align_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """Print rows between bars. Each column is as wide as its widest cell, and cells are centred.

    Labels of more than one word are aligned on the left.

    Examples:
        >>> align_rows([["Roll", "1"], ["2", "M1"]])
        ['| Roll |  1 |', '|   2  | M1 |']
        >>> align_rows([["Range", "1"], ["3 close", "7"], ["25 long", "3"]])
        ['| Range   | 1 |', '| 3 close | 7 |', '| 25 long | 3 |']
    """
    has_words = any(row and _WORDS.search(row[0]) for row in rows[1:])
    widths: list[int] = []
    for row in rows:
        widths += [0] * (len(row) - len(widths))
        widths = [max(width, len(row[at])) if at < len(row) else width for at, width in enumerate(widths)]
    return ["| " + " | ".join(_cells(row, widths, has_words)) + " |" for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], has_words: bool) -> list[str]:
    cells = list(map(_centred, row, widths))
    return [row[0].ljust(widths[0]), *cells[1:]] if has_words and row else cells


def _centred(cell: str, width: int) -> str:
    spare = width - len(cell)
    return " " * (spare - spare // 2) + cell + " " * (spare // 2)


def unparse_chart(chart: t.Chart) -> list[str]:
    """Print a chart with its lines and rows."""
    like = "" if chart.like is None else f"like {chart.like.name}"
    lines = [join("chart", chart.name.name, unparse_params(chart.params), unparse_tail(chart.tail), like)]
    for item in chart.items:
        if item.line is not None:
            lines.append("  " + _chart_line(item.line))
        lines += indented(_rows(item.rows))
    return lines


def _rows(rows: Sequence[t.Row]) -> list[str]:
    """Print rows with bars; a pasted row keeps its tabs if one of its cells contains a bar."""
    tabbed = [row.by_tabs and any("|" in cell.text for cell in row.cells) for row in rows]
    cells = [[cell.text for cell in row.cells] for row in rows]
    aligned = iter(align_rows([row for row, keeps in zip(cells, tabbed, strict=True) if not keeps]))
    return ["\t".join(row) if keeps else next(aligned) for row, keeps in zip(cells, tabbed, strict=True)]


def _chart_line(line: t.ChartLine) -> str:
    """Print a line of a chart, with two blanks between its keyword, its content and its tail."""
    match line:
        case t.AxisLine(way=way, axis=axis):
            columns = (way, unparse_axis(axis, way))
        case t.CellsLine(kind=kind):
            columns = ("cells", kind)
        case t.SeverityOrder(codes=codes):
            columns = ("severity", " < ".join(map(unparse_code, codes)))
        case t.SeverityRule():
            columns = ("severity", _severity_rule(line))
        case t.Edge(actions=actions):
            columns = (_edge_name(line), ", or ".join(map(_action, actions)))
        case t.CellMark(sign=sign, name=name, condition=condition):
            when = "" if condition is None else f"when {unparse_expr(condition)}"
            columns = (f"mark {unparse_code(sign)} {name.name}", when)
        case t.ChartNote(what=what, labels=labels):
            columns = (f"note {what}", ", ".join(map(unparse_code, labels)))
        case t.ColumnReads(labels=labels, reads=reads):
            columns = (f"column {', '.join(map(unparse_code, labels))}", f"reads {unparse_code(reads)}")
        case t.HeaderLine():
            return unparse_header(line)
        case t.PageLine(labels=labels):
            columns = ("page", ", ".join(map(unparse_code, labels)))
        case t.Erratum(place=place, reads=reads, condition=condition):
            when = f"when {unparse_expr(condition)}" if condition is not None else ""
            head = f"erratum {unparse_place(place)} reads {unparse_code(reads)}"
            return "  ".join(filter(None, (head, unparse_tail(line.tail), when)))
        case t.Surplus(labels=labels):
            columns = ("surplus column", ", ".join(map(unparse_code, labels)))
        case _:
            assert_never(line)
    return "  ".join(filter(None, (*columns, unparse_tail(line.tail))))


def _edge_name(edge: t.Edge) -> str:
    if edge.at is None:
        return _EDGES.get(edge.where, edge.where)
    what, side = edge.where.split()
    if edge.included:
        return f"{what} {unparse_code(edge.at)} {'or more' if side == 'above' else 'or less'}"
    return f"{what} {side} {unparse_code(edge.at)}"


def unparse_axis(axis: t.Axis, way: str = "across") -> str:
    """``fire_value, column at or below``."""
    value = (
        ""
        if axis.value is None
        else unparse_dice(axis.value)
        if isinstance(axis.value, t.Dice)
        else unparse_expr(axis.value)
    )
    stated = unparse_band(axis.stated.low, axis.stated.high) if axis.stated is not None else ""
    stated += " of " if stated and axis.value is not None else ""
    line = "row" if way == "down" else "column"
    modes = {"contains": "", "nearest": f", {line} nearest"}
    mode = modes.get(axis.mode, f", {line} at or {axis.mode}")
    printed = f", printed on {axis.printed_on.name}" if axis.printed_on is not None else ""
    return ", ".join([stated + value, *(part.name for part in axis.parts)]) + mode + printed


def _severity_rule(rule: t.SeverityRule) -> str:
    way = _WAYS.get(rule.way, rule.way)
    at = f", {_DIPS[rule.shape]} at {unparse_code(rule.at)}" if rule.at is not None else ""
    return f"{rule.shape} {way}{at}"


def _action(action: t.EdgeAction) -> str:
    name = "" if action.name is None else action.name
    shown = unparse_code(t.Code(name, action.span)) if action.act == "gives" else name
    return join(action.act, shown, f"when {unparse_expr(action.condition)}" if action.condition is not None else "")


def unparse_header(line: t.HeaderLine) -> str:
    """``header "Mud" when mud | 1..4 | 5+ |``."""
    condition = f"when {unparse_expr(line.condition)}" if line.condition is not None else ""
    return join("header", unparse_tail(line.tail), condition, *align_rows([[cell.text for cell in line.cells]]))


def unparse_place(place: t.Place) -> str:
    """``row 7, column 11, page mud``."""
    rest = [f"{word} {unparse_code(code)}" for word, code in place.rest]
    return ", ".join([f"row {unparse_code(place.row)}", f"column {unparse_code(place.column)}", *rest])


def unparse_columns(columns: t.Columns) -> list[str]:
    """Print header lines that several charts share."""
    head = join("columns", columns.name.name, "of", unparse_axis(columns.axis), unparse_tail(columns.tail))
    lines: list[t.ChartLine] = [*columns.edges, *columns.surplus]
    besides = [*map(_beside, columns.besides), *map(_chart_line, lines)]
    return [head, *indented(besides), *indented(map(unparse_header, columns.headers))]


def _beside(beside: t.Beside) -> str:
    nothing = "" if beside.nothing is None else f"where {unparse_code(beside.nothing)} is none"
    return join("beside", beside.name.name, unparse_type(beside.type), nothing, unparse_tail(beside.tail))


def unparse_modifiers(block: t.Modifiers) -> list[str]:
    """Print a block of modifiers."""
    charts = " and ".join(chart.name for chart in block.charts)
    purpose = {"shift": f"shift columns of {charts}", "roll": f"add to roll of {charts}", "sum": ""}[block.purpose]
    rule = "" if block.rule == "cumulative" else f", only the {block.rule}"
    head = join("modifiers", block.name.name, unparse_params(block.params), unparse_tail(block.tail), purpose)
    return [head + rule, *indented(_items(block.items))]


def _items(items: Sequence[t.ModItem]) -> list[str]:
    return [line for item in items for line in unparse_mod_item(item)]


def unparse_mod_item(item: t.ModItem) -> list[str]:
    """Print a modifier, or a section of modifiers."""
    match item:
        case t.ModLine(amount=amount, name=name, condition=condition, buts=buts):
            head = join(_amount(amount), name.name, unparse_expr(condition), unparse_tail(item.tail))
            return [head, *indented(map(_but, buts))]
        case t.ModSection(items=items):
            return [join(_section(item), unparse_tail(item.tail)), *indented(_items(items))]
        case t.ModNet(way=way, amount=amount):
            return [join("net at", way, unparse_expr(amount), unparse_tail(item.tail))]
        case _:
            assert_never(item)


def _section(section: t.ModSection) -> str:
    if section.kind == "only one":
        return f"only one of, the {section.which}"
    record = section.record.name if section.record is not None else ""
    return join(section.kind, record, unparse_expr(section.condition) if section.condition is not None else "")


def _but(but: t.But) -> str:
    amount = "not" if but.amount is None else _amount(but.amount)
    return join("but", amount, "when", unparse_expr(but.condition), unparse_tail(but.tail))


def _amount(amount: t.Expr) -> str:
    """Print an amount with its sign."""
    text = unparse_expr(amount)
    return text if text.startswith("-") else "+" + text
