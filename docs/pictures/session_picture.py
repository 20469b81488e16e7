"""Draws a session at the prompt: each entry is played, and the screen is drawn in the colours of the dark theme."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from docs.pictures.svg import Picture

from enfilade.language import Line, folded, width
from enfilade_repl.dispatch import new_session
from enfilade_repl.highlighting import highlighted
from enfilade_repl.theme import class_of, style_of

COLUMNS: Final = 66
_LETTER: Final = 8
_LINE: Final = 18
_EDGE: Final = 16
# The blocks of a bar: each is an eighth narrower than the one before it.
_BLOCKS: Final = "█▉▊▋▌▍▎▏"
_COLOURS: Final = {
    "ansibrightblack": "#8b93a1",
    "ansired": "#e06c75",
    "ansigreen": "#98c379",
    "ansiyellow": "#d9a657",
    "ansiblue": "#5b9bf5",
    "ansicyan": "#56b6c2",
    "ansigray": "#c8ccd4",
    "ansibrightred": "#ff7b86",
    "ansibrightgreen": "#b5e890",
    "ansibrightyellow": "#f5d76e",
    "ansibrightblue": "#82b1ff",
    "ansibrightmagenta": "#d89bf0",
    "ansiwhite": "#ffffff",
}
_STYLE: Final = """
text { font: 13.2px "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace; fill: #d7dae0; white-space: pre; }
.screen { fill: #16181d; }
"""


def session_picture(entries: Iterable[str]) -> str:
    """Play some entries, and draw the session as an SVG file."""
    lines = [piece for each in _lines(entries) for piece in folded(each, COLUMNS)]
    styles = sorted({style for line in lines for style, _ in line if style})
    picture = Picture(
        "A session at the prompt",
        2 * _EDGE + COLUMNS * _LETTER,
        2 * _EDGE + len(lines) * _LINE,
        _STYLE + "".join(map(_rule, styles)),
    )
    picture.rectangle(0, 0, picture.width, picture.height, "screen", 8)
    for number, line in enumerate(lines):
        _draw(picture, line, _EDGE + number * _LINE)
    return str(picture)


def _lines(entries: Iterable[str]) -> Iterator[Line]:
    session = new_session(columns=COLUMNS)
    for entry in entries:
        (typed,) = highlighted(session, entry)
        prompt = session.prompt
        blank = () if prompt[-1][1].endswith(" ") else (("", " "),)
        yield (*prompt, *blank, *typed)
        yield from session.enter(entry).lines


def _rule(style: str) -> str:
    """The rule of a style in the style sheet."""
    look = style_of("dark", {}).get_attrs_for_style_str(f"class:{class_of(style)}")
    fill = f"fill: {_COLOURS[look.color]}; " if look.color in _COLOURS else ""
    bold = "font-weight: bold; " if look.bold else ""
    underlined = "text-decoration: underline; " if look.underline else ""
    return f".{style} {{ {fill}{bold}{underlined}}}\n"


def _draw(picture: Picture, line: Line, top: float) -> None:
    """Draw a line of the screen; bars are drawn as rectangles, because many fonts leave gaps in them."""
    column = 0
    for style, text in line:
        for piece in re.findall(rf"[{_BLOCKS}]+|\s+|[^{_BLOCKS}\s](?:[^{_BLOCKS}]*[^{_BLOCKS}\s])?", text):
            x, letters = _EDGE + column * _LETTER, width(piece)
            if piece[0] in _BLOCKS:
                eighths = sum(8 - _BLOCKS.index(each) for each in piece)
                picture.rectangle(x, top + 2, eighths * _LETTER / 8, _LINE - 4, style)
            elif not piece.isspace():
                picture.text(x, top + _LINE - 5, piece, style, letters * _LETTER)
            column += letters
