"""Formatter pass for indentation: two blanks per level; the block of a numbered step is aligned with the step's text.

For ``format``. Follows the off-side rule of ``syntax/indentation``, on lines instead of tokens. It must not change a
line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define

from enfilade.syntax.trivia import Line

STEP: Final = re.compile(r"([0-9]+\.)[ \t]+")
LEVEL: Final = 2


@define
class _Block:
    """An open block: its column and the column of its step's text, each before and after formatting."""

    old: int
    new: int
    old_alias: int = -1
    new_alias: int = -1

    def column(self, old: int) -> int | None:
        if old == self.old:
            return self.new
        return self.new_alias if old == self.old_alias else None


class Indenter:
    """Computes the new columns of all lines of one text."""

    def __init__(self, rows: Mapping[int, str], insets: Mapping[int, int]) -> None:
        self.rows = rows
        self.insets = insets
        self.blocks = [_Block(0, 0)]
        self.below = LEVEL

    def columns(self, lines: Sequence[Line]) -> list[int]:
        """The new column of each line; meaningless for blank lines."""
        columns = [0] * len(lines)
        waiting: list[int] = []
        for at, line in enumerate(lines):
            if line.is_blank:
                continue
            if not line.code:
                waiting.append(at)
                continue
            opened = [(block.old, block.new) for block in self.blocks]
            columns[at] = self._column(line)
            opened.append((line.column, columns[at]))
            for comment in waiting:
                columns[comment] = _comment_column(lines[comment].column, opened)
            waiting = []
        for comment in waiting:
            columns[comment] = _comment_column(lines[comment].column, [(b.old, b.new) for b in self.blocks])
        return columns

    def _column(self, line: Line) -> int:
        if line.is_row or line.start in self.rows:
            return LEVEL
        column = self._place(line.column)
        step = STEP.match(line.code)
        width = len(step[1]) + 1 if step else 0
        if step:
            self.blocks[-1].old_alias = line.column + len(step[0])
            self.blocks[-1].new_alias = column + width
        self.below = column + width + self.insets.get(line.start, LEVEL)
        return column

    def _place(self, old: int) -> int:
        if old > self.blocks[-1].old and self.blocks[-1].column(old) is None:
            self.blocks.append(_Block(old, self.below))
        while len(self.blocks) > 1 and self.blocks[-1].column(old) is None:
            self.blocks.pop()
        return self.blocks[-1].column(old) or 0


def _comment_column(old: int, opened: Sequence[tuple[int, int]]) -> int:
    """Place a comment in the deepest block that does not start to its right; prefer the block of the line below."""
    return max((pair for pair in reversed(opened) if pair[0] <= old), key=lambda pair: pair[0], default=(0, 0))[1]
