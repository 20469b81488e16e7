"""The words that a ruleset declares: those of its lists of words, faces and cards, and the codes of its charts.

A bare name that means nothing else is one of these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import attrs

from enfilade.syntax import tree as t

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def declared_words(declarations: Iterable[t.Declaration]) -> tuple[str, ...]:
    """All words of *declarations* that are written like names, in their order.

    Args:
        declarations: The declarations of a ruleset.
    """
    return tuple(dict.fromkeys(word for d in declarations for word in _words_in(d) if _NAME.fullmatch(word)))


def _words_in(part: Any) -> Iterator[str]:
    match part:
        case tuple():
            for item in part:
                yield from _words_in(item)
        case t.WordsType(words) | t.ChooseWord(words=words):
            yield from (word.name for word in words)
        case t.Players():
            yield from (name.name for name in part.names)
        case t.FaceItem():
            yield part.face
        case t.CardLine():
            yield part.name.name
        case t.Chart():
            yield from _words_in(part.params)
            yield from _codes_of(part)
        case _:
            for name in _fields_of(part.__class__):
                yield from _words_in(getattr(part, name))


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of a node class without its place; none for anything else."""
    return tuple(each.name for each in attrs.fields(kind) if each.name != "span") if attrs.has(kind) else ()


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
