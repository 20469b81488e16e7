"""Formatter pass that aligns columns: the parts of fields, modifiers, options and chart rows.

For ``format``. It copies the parts from the author's text, never from the tree, so spelling does not change. It must
not depend on indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.special_prints import align_rows
from enfilade.syntax.trivia import scan_lines

GAP: Final = "  "
# Longer parts do not widen the columns of neighbouring lines.
MAX_PART: Final = 40
MAX_BODY: Final = 64
MAX_LABEL: Final = 100
MAX_HEAD: Final = 140

_KEPT: Final = re.compile(r'("[^"]*"|\[[^\]]*\])|[ \t]+')
_LABEL: Final = re.compile(r'("[^"]*")\s*')


@frozen
class _Parts:
    """One line cut into its parts."""

    start: int
    head: tuple[str, ...]
    label: str
    rest: str
    is_but: bool = False


def align(text: str, module: t.Module) -> tuple[dict[int, str], dict[int, int]]:
    """Align the parts of lines in columns.

    Args:
        text: The text.
        module: Its tree.

    Returns:
        Two mappings, both keyed by the offset of a line's first character: the aligned text of the line without
        indentation; and for a modifier the distance from its amount to its name, which indents its ``but`` lines.
    """
    lines: dict[int, str] = {}
    insets: dict[int, int] = {}
    for group in _groups(text, module):
        inset = max((len(p.head[0]) for p in group if not p.is_but and len(p.head) > 2), default=0) + len(GAP)
        insets.update((parts.start, inset) for parts in group if not parts.is_but)
        lines.update(_lay_out(group, inset))
    for rows in _tables(module):
        lines.update(_lay_out_rows(text, rows))
    for headers in _headers(module):
        lines.update(_lay_out_headers(text, headers))
    return lines, insets


def _lay_out(group: Sequence[_Parts], inset: int) -> Iterator[tuple[int, str]]:
    bodies = [_body(parts, _widths(group)) for parts in group]
    shifts = [inset if parts.is_but else 0 for parts in group]
    ends = [shift + len(body) for shift, body in zip(shifts, bodies, strict=True)]
    first = max((end for end in ends if end <= MAX_BODY), default=0) + len(GAP)
    label_ends = [max(first, end + len(GAP)) + len(p.label) for p, end in zip(group, ends, strict=True) if p.label]
    second = max((end for end in label_ends if end <= MAX_LABEL), default=first - len(GAP)) + len(GAP)
    for parts, body, shift in zip(group, bodies, shifts, strict=True):
        line = " " * shift + body
        for column, piece in ((first, parts.label), (second, parts.rest)):
            line = line.ljust(max(column - len(GAP), 0)) + GAP + piece if piece else line
        yield parts.start, line[shift:]


def _widths(group: Sequence[_Parts]) -> list[int]:
    columns: list[list[int]] = []
    for parts in group:
        for at, piece in enumerate(parts.head[:-1]):
            columns += [[0]] if at == len(columns) else []
            columns[at].append(len(piece) if len(piece) <= MAX_PART else 0)
    return [max(column) for column in columns]


def _body(parts: _Parts, widths: Sequence[int]) -> str:
    padded = [piece.ljust(width) for piece, width in zip(parts.head[:-1], widths, strict=False)]
    return GAP.join([*padded, parts.head[-1]]).rstrip()


def _groups(text: str, module: t.Module) -> Iterator[list[_Parts]]:
    yield from _options(text, module)
    for declaration in module.declarations:
        inner = declaration.declaration if isinstance(declaration, (t.Replace, t.AddTo)) else declaration
        match inner:
            case t.Facts(fields=fields) | t.Record(fields=fields):
                yield [_field(text, field) for field in fields]
            case t.Procedure(facts=t.Facts(fields=fields)):
                yield [_field(text, field) for field in fields]
            case t.Modifiers(items=items):
                yield from _modifiers(text, items)
            case t.ReplaceModifier(lines=lines):
                yield from _modifiers(text, lines)
            case _:
                pass


def _options(text: str, module: t.Module) -> Iterator[list[_Parts]]:
    """Groups of options on consecutive lines."""
    group: list[_Parts] = []
    end = -1
    for declaration in module.declarations:
        if not isinstance(declaration, t.OptionDecl):
            continue
        parts = _parts(
            text, declaration.span, (declaration.name.span.start, declaration.name.span.end), declaration.tail
        )
        if group and text[end : declaration.span.start].strip(" \t") not in ("\n", "\r\n", "\r"):
            yield group
            group = []
        group.append(parts)
        end = declaration.span.end
    if group:
        yield group


def _field(text: str, field: t.FieldDecl) -> _Parts:
    return _parts(text, field.span, (field.name.span.end,), field.tail)


def _modifiers(text: str, items: Iterable[t.ModItem]) -> Iterator[list[_Parts]]:
    group: list[_Parts] = []
    for item in items:
        if isinstance(item, t.ModSection):
            yield from _modifiers(text, item.items)
        elif isinstance(item, t.ModLine):
            cuts = (item.name.span.start, item.name.span.end)
            group.append(_parts(text, item.span, cuts, item.tail))
            group += [_parts(text, but.span, (), but.tail, is_but=True) for but in item.buts]
    if group:
        yield group


def _parts(text: str, span: Span, cuts: tuple[int, ...], tail: t.Tail, *, is_but: bool = False) -> _Parts:
    """Cut a line at the given offsets and at its tail."""
    # The span of a node includes its nested lines: end its own line at its tail or at the line end.
    line_end = re.compile(r"[^\r\n]*").match(text, span.start).end()  # type: ignore[union-attr]  # it matches nothing
    end = min(span.end, line_end) if tail.span is None or is_but else line_end
    tail_start = tail.span.start if tail.span is not None else _code_end(text, span.start, line_end, end)
    tail_end = tail.span.end if tail.span is not None else tail_start
    places = (span.start, *cuts, tail_start)
    head = tuple(_single_blanks(text[a:b]) for a, b in pairwise(places))
    label = _LABEL.match(text, tail_start, tail_end)
    rest = _single_blanks(text[label.end() if label else tail_start : tail_end])
    return _Parts(span.start, head, label[1] if label else "", rest, is_but)


def _code_end(text: str, start: int, line_end: int, end: int) -> int:
    return min(end, start + len(scan_lines(text[start:line_end])[0].code))


def _single_blanks(piece: str) -> str:
    """Collapse blanks to single ones, except in quotes and brackets."""
    return _KEPT.sub(lambda match: match[1] or " ", piece).strip()


def _tables(module: t.Module) -> Iterator[Sequence[t.Row]]:
    for declaration in module.declarations:
        inner = declaration.declaration if isinstance(declaration, (t.Replace, t.AddTo)) else declaration
        if isinstance(inner, t.Chart):
            yield from (item.rows for item in inner.items if item.rows)
        elif isinstance(inner, t.Example) and inner.rows:
            yield inner.rows


def _lay_out_rows(text: str, rows: Sequence[t.Row]) -> Iterator[tuple[int, str]]:
    cells = [[_cell(text, cell) for cell in row.cells] for row in rows]
    if any("|" in cell for row in cells for cell in row):
        return
    yield from zip((row.span.start for row in rows), align_rows(cells), strict=True)


def _cell(text: str, cell: t.Code) -> str:
    """The source text of a cell: in the tree, look-alike letters are already replaced."""
    return text[cell.span.start : cell.span.start + len(cell.text)]


def _headers(module: t.Module) -> Iterator[list[t.HeaderLine]]:
    for declaration in module.declarations:
        inner = declaration.declaration if isinstance(declaration, (t.Replace, t.AddTo)) else declaration
        if isinstance(inner, t.Columns):
            yield list(inner.headers)
        elif isinstance(inner, t.Chart):
            yield from _runs(inner.items)


def _runs(items: Iterable[t.ChartItem]) -> Iterator[list[t.HeaderLine]]:
    run: list[t.HeaderLine] = []
    for item in items:
        if isinstance(item.line, t.HeaderLine):
            run.append(item.line)
        if run and (item.rows or not isinstance(item.line, t.HeaderLine)):
            yield run
            run = []
    if run:
        yield run


def _lay_out_headers(text: str, headers: Sequence[t.HeaderLine]) -> Iterator[tuple[int, str]]:
    bars = [text.rfind("|", 0, line.cells[0].span.start) for line in headers]
    heads = [_single_blanks(text[line.span.start : bar]) for line, bar in zip(headers, bars, strict=True)]
    width = max((len(head) for head in heads if len(head) <= MAX_HEAD), default=0)
    rows = align_rows([[_cell(text, cell) for cell in line.cells] for line in headers])
    for line, head, row in zip(headers, heads, rows, strict=True):
        yield line.span.start, f"{head.ljust(width)}{GAP}{row}"
