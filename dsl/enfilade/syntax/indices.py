"""Recognises ``ranges[1]``, in which ``[1]`` is read as a citation."""

from __future__ import annotations

import re

from attrs import frozen

_INDEXED = re.compile(r"([A-Za-z_][\w.]*)(\[[ \t]*(\d+|[A-Za-z_]\w*)[ \t]*\])$")


@frozen
class Index:
    """A name with an index in brackets.

    Attributes:
        brackets: The index with its brackets.
        item: The form that the language has for it.
    """

    brackets: str
    item: str

    @property
    def message(self) -> str:
        return f"`{self.brackets}` is a citation, not an index"


def index_before(text: str) -> Index | None:
    """The index at the end of a text, such as ``let first_range = ranges[1]``; items are counted from 1."""
    match = _INDEXED.search(text)
    return None if match is None else Index(match[2], f"item {1 if match[3] == '0' else match[3]} of {match[1]}")
