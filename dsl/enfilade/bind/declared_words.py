"""The words that a ruleset declares: those of its lists of words, faces and cards, and the codes of its charts.

A bare name that means nothing else is one of these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def declared_words(declarations: Iterable[t.Declaration]) -> tuple[str, ...]:
    """All words of *declarations* that are written like names, in their order.

    Args:
        declarations: The declarations of a ruleset.
    """
    return tuple(dict.fromkeys(word for d in declarations for word in _words_in(d) if _NAME.fullmatch(word)))


def _words_in(declaration: t.Declaration) -> Iterator[str]:
    # The cells of a chart are many, and have codes alone.
    parts: Any = declaration
    if isinstance(declaration, t.Chart):
        parts = declaration.params
        yield from _codes_of(declaration)
    for node in nodes(parts):
        match node:
            case t.WordsType(words) | t.ChooseWord(words=words):
                yield from (word.name for word in words)
            case t.Players():
                yield from (name.name for name in node.names)
            case t.FaceItem():
                yield node.face
            case t.CardLine():
                yield node.name.name


def _codes_of(chart: t.Chart) -> Iterator[str]:
    """The codes in the cells of a chart; the first row and the first column hold labels."""
    for item in chart.items:
        if isinstance(item.line, t.Edge):
            yield from (action.name for action in item.line.actions if action.act == "gives" and action.name)
    rows = [row for item in chart.items for row in item.rows]
    if any(isinstance(item.line, t.AxisLine) and item.line.way == "find" for item in chart.items):
        yield from (cell.text for cell in rows[0].cells[1:])
    for row in rows[1:]:
        yield from (cell.text for cell in row.cells[1:])
