"""Draws the top of a reference card: its first chart, and as many lines of modifiers and results as there is room for."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

from docs.pictures.svg import Picture

from enfilade import Ruleset
from enfilade.tools.card import card_of
from enfilade.tools.card.data import Block, Line, Table

WIDTH: Final = 560
HEIGHT: Final = 626
_KINDS: Final = ("modifiers", "results")
_EDGE: Final = 18
_ROW: Final = 24
_LINE: Final = 17
_INDENT: Final = 18
_LEAD: Final = 34
# The average width of a letter of the lines, in pixels, rounded up so that a line surely fits.
_LETTER: Final = 6.1
_STYLE: Final = """
text { font: 13px Arial, "Liberation Sans", "Helvetica Neue", sans-serif; fill: #111; white-space: pre; }
.paper { fill: #fff; stroke: #b8b4a8; }
.ink { fill: #111; }
.line { fill: #999; }
.head { fill: #dcd8cc; }
.band { fill: #f0eee8; }
.title { font-size: 20px; font-weight: bold; }
.strong, .lead { font-weight: bold; }
.lead { text-anchor: end; }
.group { font-style: italic; }
.cell, .label { font-size: 15px; text-anchor: middle; }
.label { font-weight: bold; }
"""


def card_picture(rules: Ruleset) -> str:
    """Draw the top of the card of a ruleset, as an SVG file."""
    card = card_of(rules.program)
    section = card.sections[0]
    picture = Picture(f"The reference card of {card.title.text}", WIDTH, HEIGHT, _STYLE)
    picture.rectangle(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "paper")
    picture.text(_EDGE, 34, card.title.text, "title")
    picture.rectangle(_EDGE, 43, WIDTH - 2 * _EDGE, 2, "ink")
    below = _draw_table(picture, section.tables[0], 64)
    _draw_blocks(picture, [block for block in section.blocks if block.kind in _KINDS], below)
    return str(picture)


def _draw_table(picture: Picture, table: Table, top: float) -> float:
    """Draw a table, and return the place of its lower edge."""
    picture.text(_EDGE, top, table.title.text, "strong")
    rows = [table.head, *(row for _, page in table.pages for row in page)]
    width = (WIDTH - 2 * _EDGE) / len(table.head)
    top += 8
    for number, row in enumerate(rows):
        y = top + number * _ROW
        if number == 0 or number % 2 == 0:
            picture.rectangle(_EDGE, y, WIDTH - 2 * _EDGE, _ROW, "band" if number else "head")
        for column, cell in enumerate(row):
            kind = "label" if number == 0 or column == 0 else "cell"
            picture.text(_EDGE + (column + 0.5) * width, y + _ROW - 7, " ".join(cell.values), kind)
    bottom = top + len(rows) * _ROW
    for column in range(len(table.head) + 1):
        picture.rectangle(_EDGE + column * width - 0.5, top, 1, bottom - top, "line")
    for number in range(len(rows) + 1):
        picture.rectangle(_EDGE, top + number * _ROW - 0.5, WIDTH - 2 * _EDGE, 1, "line")
    return bottom


def _draw_blocks(picture: Picture, blocks: list[Block], top: float) -> None:
    """Draw the blocks up to the first line that has no room."""
    y = top
    for block in blocks:
        y += _LINE + 8
        picture.text(_EDGE, y, _text(block.title), "strong")
        y += 4
        picture.rectangle(_EDGE, y, WIDTH - 2 * _EDGE, 1, "line")
        for line in block.lines:
            pieces = _wrapped(line)
            if y + (len(pieces) + line.is_group) * _LINE > HEIGHT - _EDGE / 2:
                return
            _draw_line(picture, line, pieces, y)
            y += len(pieces) * _LINE


def _wrapped(line: Line) -> list[str]:
    room = WIDTH - 2 * _EDGE - _LEAD - line.depth * _INDENT
    return wrap(_text(line), int(room / _LETTER))


def _draw_line(picture: Picture, line: Line, pieces: list[str], top: float) -> None:
    x = _EDGE + line.depth * _INDENT + (0 if line.is_group else _LEAD)
    if line.lead:
        picture.text(x - 8, top + _LINE, line.lead, "lead")
    for number, piece in enumerate(pieces, 1):
        picture.text(x, top + number * _LINE, piece, "group" if line.is_group else "")


def _text(line: Line) -> str:
    """A line with its citations, without the marks of footnotes, which have no room."""
    more = f" ({line.more})" if line.more else ""
    cites = f" [{', '.join(line.cites)}]" if line.cites else ""
    return f"{line.text}{cites}{more}"
