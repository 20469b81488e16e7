"""Writes SVG: rectangles and text, with a style sheet for their classes."""

from __future__ import annotations

from html import escape
from typing import Final

from attrs import define, field

_HEAD: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'


@define
class Picture:
    """A picture that is drawn from back to front.

    Attributes:
        title: What it shows, for readers who can't see it.
        width: Its width in pixels.
        height: Its height in pixels.
        style: The style sheet.
        parts: The elements so far.
    """

    title: str
    width: int
    height: int
    style: str
    parts: list[str] = field(factory=list)

    def rectangle(self, x: float, y: float, width: float, height: float, kind: str, corner: int = 0) -> None:
        """Draw a rectangle of a class."""
        rounded = f' rx="{corner}"' if corner else ""
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.parts.append(f'<rect class="{kind}" {place}{rounded}/>')

    def text(self, x: float, y: float, text: str, kind: str = "", length: float | None = None) -> None:
        """Write a text of a class.

        Args:
            x: The left edge; the class may make it the middle or the right edge.
            y: The base line.
            text: The text.
            kind: The class.
            length: The width to which the text is stretched; ``None`` for its own width.
        """
        stretched = f' textLength="{length:g}" lengthAdjust="spacingAndGlyphs"' if length is not None else ""
        front = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text{front} x="{x:g}" y="{y:g}"{stretched}>{escape(text, quote=False)}</text>')

    def __str__(self) -> str:
        """Return the file."""
        head = _HEAD.format(width=self.width, height=self.height)
        front = [head, f"<title>{escape(self.title, quote=False)}</title>", f"<style>\n{self.style.strip()}\n</style>"]
        return "\n".join([*front, *self.parts, "</svg>"]) + "\n"
