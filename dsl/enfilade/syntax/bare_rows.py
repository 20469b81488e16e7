"""Chart rows written with blanks instead of bars: one message for all of them."""

from __future__ import annotations

import re
from typing import Final

from enfilade.diagnostics.suggest import nearest
from enfilade.syntax.fault import SyntaxFault

_FIRST = re.compile(r"[ \t]*([^\s|]+)")
_EDGE = re.compile(r"\b(?:below|above|gives|stays|reads|refuse)\b")
_CHART_LINES: Final = (
    "down", "across", "inside", "pages", "page", "find", "cells", "severity", "column", "row", "roll", "shift", "header",
    "erratum", "surplus", "mark", "note",
)  # fmt: skip


def is_bare_row(text: str, line: int, fault: SyntaxFault) -> bool:
    """Whether a line of a chart that can't be parsed is a row without bars.

    Args:
        text: The whole text.
        line: The offset of the line.
        fault: What is wrong with it.
    """
    first = _FIRST.match(text, line)
    content = re.split(r"[\r\n]", text[line:], maxsplit=1)[0]
    if first is None or "|" in content or fault.code != "syntax" or fault.start != first.start(1):
        return False
    word = first[1].casefold()
    if first[1] in ("Roll", "Row", "Column"):
        return _EDGE.search(content) is None and len(content.split()) > 1
    return word not in _CHART_LINES and nearest(word, _CHART_LINES) is None and len(content.split()) > 1


def bare_row(text: str, start: int, end: int) -> SyntaxFault:
    """The message about the first row without bars."""
    content = text[start:end]
    cells = re.split(r"[ \t]{2,}", content.strip())
    cells = content.split() if len(cells) < 2 else cells
    at = start + len(content) - len(content.lstrip())
    row = f"| {' | '.join(cells)} |"
    return SyntaxFault("syntax", "chart rows need bars", at, start + len(content.rstrip()), f"write `{row}`")
