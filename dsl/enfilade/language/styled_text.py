"""Styled text: lines of text fragments, each with the name of a style, for a terminal or a page to colour.

A style is a word such as ``label`` or ``error``, like a class in a style sheet; a theme gives it a colour. Lines can be
measured, wrapped to a width and set in columns. This module must not depend on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from enfilade.diagnostics.columns import visible, width_of
from enfilade.door import door

Fragment: TypeAlias = tuple[str, str]
"""A style, and text without line ends."""

Line: TypeAlias = tuple[Fragment, ...]

NO_LINE: Final[Line] = ()

VERBATIM: Final = "verbatim"
"""The style of text that people copy elsewhere: it is never wrapped."""


@door
def line(*parts: str | Fragment) -> Line:
    """Make a line from plain text and styled fragments; empty ones are dropped and control characters made visible.

    Examples:
        >>> line("result  ", ("code", "M2"))
        (('', 'result  '), ('code', 'M2'))
    """
    fragments = (("", part) if isinstance(part, str) else part for part in parts)
    return tuple((style, visible(text)) for style, text in fragments if text)


@door
def cited(cites: Sequence[str]) -> Fragment:
    """Citations in brackets, to append to a text.

    Examples:
        >>> cited(("4.2", "13.12")), cited(())
        (('cite', ' [4.2, 13.12]'), ('cite', ''))
    """
    return "cite", f" [{', '.join(cites)}]" if cites else ""


@door
def lines_of(text: str, style: str = "") -> tuple[Line, ...]:
    """Split a text into lines, all in one style.

    Examples:
        >>> lines_of("a\\nb", "hint")
        ((('hint', 'a'),), (('hint', 'b'),))
    """
    return tuple(line((style, piece)) for piece in text.splitlines())


@door
def plain(lines: Iterable[Line]) -> str:
    """The text of some lines, without styles.

    Examples:
        >>> plain([line("a", ("code", "b")), line("c")])
        'ab\\nc'
    """
    return "\n".join("".join(text for _, text in each).rstrip() for each in lines)


@door
def width(text: str) -> int:
    """The width of a text in terminal columns: East Asian letters take two, combining marks none.

    Examples:
        >>> width("ab"), width("砲")
        (2, 2)
    """
    return sum(map(width_of, text))


@door
def padded(text: str, to: int, *, right: bool = False) -> str:
    """Pad a text with blanks.

    Args:
        text: The text.
        to: The width in columns of a terminal.
        right: Whether to align the text right.
    """
    blanks = " " * (to - width(text))
    return blanks + text if right else text + blanks


@door
def in_columns(rows: Sequence[Sequence[str | Fragment]], gap: int = 2) -> tuple[Line, ...]:
    """Lay out rows as a table; the last cell of a row is not padded.

    Args:
        rows: The cells of each row, plain or with a style.
        gap: The number of blanks between two columns.

    Examples:
        >>> print(plain(in_columns([["a", "first"], [("code", "bcd"), "second"]])))
        a    first
        bcd  second
    """
    cells = [[("", cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    count = max((len(row) for row in cells), default=0)
    widths = [max((width(row[at][1]) for row in cells if at < len(row) - 1), default=0) for at in range(count)]
    return tuple(line(*_filled(row, widths, gap)) for row in cells)


def _filled(row: Sequence[Fragment], widths: Sequence[int], gap: int) -> Iterator[Fragment]:
    for at, (style, text) in enumerate(row):
        yield style, text
        if at < len(row) - 1:
            yield "", " " * (widths[at] - width(text) + gap)


@door
def folded(whole: Line, columns: int) -> tuple[Line, ...]:
    """Wrap a line between words to a width, with a hanging indent.

    Args:
        whole: The line.
        columns: The width of the terminal.

    Examples:
        >>> print(plain(folded(line("  one two three"), 10)))
          one two
            three
    """
    if columns < _LEAST or (whole and whole[0][0] == VERBATIM) or width("".join(text for _, text in whole)) <= columns:
        return (whole,)
    text = "".join(piece for _, piece in whole)
    indent = min(len(text) - len(text.lstrip(" ")) + 2, columns // 2)
    found: list[list[Fragment]] = [[]]
    used = 0
    for style, word in _words(whole):
        size = width(word)
        if used and used + size > columns and word.strip():
            found.append([("", " " * indent)])
            used = indent
        for piece in _cut(word, columns - used, columns - indent):
            if piece is not word and used + width(piece) > columns:
                found.append([("", " " * indent)])
                used = indent
            found[-1].append((style, piece))
            used += width(piece)
    return tuple(_joined(each) for each in found)


_LEAST: Final = 8


def _words(whole: Line) -> Iterator[Fragment]:
    """Words and the blanks between them; a word with two styles may be broken where the style changes."""
    for style, text in whole:
        at = 0
        while at < len(text):
            end = at
            blank = text[at] == " "
            while end < len(text) and (text[end] == " ") == blank:
                end += 1
            yield style, text[at:end]
            at = end


def _cut(word: str, room: int, after: int) -> list[str]:
    """Cut a word into pieces that fit, if it is too wide for any line."""
    if width(word) <= max(room, after):
        return [word]
    pieces, current, limit = [], "", room if room > 0 else after
    for char in word:
        if width(current) + width_of(char) > limit:
            pieces.append(current)
            current, limit = "", after
        current += char
    return [piece for piece in (*pieces, current) if piece]


def _joined(fragments: Sequence[Fragment]) -> Line:
    joined: list[Fragment] = []
    for style, text in fragments:
        if joined and joined[-1][0] == style:
            joined[-1] = (style, joined[-1][1] + text)
        else:
            joined.append((style, text))
    if joined:
        joined[-1] = (joined[-1][0], joined[-1][1].rstrip(" "))
    return tuple(joined)
