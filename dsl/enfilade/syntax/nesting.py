"""A limit on nesting: an upper bound on the depth of the tree of one line, from its tokens.

A line that is nested too deep is refused before its tree is built. The limit is so high that no line written by a
person comes near it. This module knows only the operators of the grammar.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field
from lark import Token

from enfilade.limits import in_force
from enfilade.syntax.fault import SyntaxFault

MAX_BRACKETS: Final = 60

_OPENING: Final = {"LPAR", "LSQB"}
_CLOSING: Final = {"RPAR", "RSQB"}

# Tokens after one of these are nested inside the tokens before it; a colon opens a block, which is three nodes deep.
_INWARD: Final = {"WHERE": 1, "COLON": 3, "REPLACE": 1, "ADD_TO": 1}

# Each adds a level around an operand. The value is the counter to increment; counters differ in when they are reset.
_AROUND: Final = {
    "NOT": "negations", "DOT": "operands", "OF": "operands", "OVER": "operands", "BY": "operands", "MINUS": "operands",
    "COUNT_OF": "operands", "BEST_OF": "operands", "QUANTIFIER": "operands", "LIST_OF": "operands", "MAP_OF": "operands",
    "QUOTA": "operands",
    "BUT_AT_LEAST": "suffixes", "BUT_AT_MOST": "suffixes", "BUT_WITHIN": "suffixes", "ROUNDED": "suffixes",
    "SORTED": "suffixes", "LIST_CHANGE": "suffixes",
}  # fmt: skip

# Operators of one precedence make one flat node, however many there are.
_RANKS: Final = {
    "OR": "or", "AND": "and", "SUM_SIGN": "sum", "PRODUCT_SIGN": "product", "IS": "relation", "COMPARE": "relation",
}  # fmt: skip


@define
class _Level:
    """The counters since the last open bracket; ``base`` is the depth outside of it."""

    base: int
    negations: int = 0
    suffixes: int = 0
    operands: int = 0
    ranks: set[str] = field(factory=set)

    def depth(self) -> int:
        # A comparison is two nodes, and a flat node has a tuple around its operands.
        return self.base + self.negations + self.suffixes + self.operands + 2 * len(self.ranks)

    def begin(self, base: int) -> None:
        self.base = base
        self.negations = self.suffixes = self.operands = 0
        self.ranks.clear()


class Nesting:
    """Tracks the depth of one line."""

    __slots__ = ("inward", "levels", "most")

    def __init__(self) -> None:
        self.levels = [_Level(0)]
        self.inward = 0
        self.most = in_force().nesting

    def count(self, token: Token) -> None:
        """Count the next token of the line.

        Raises:
            SyntaxFault: The tree would be too deep.
        """
        kind = token.type
        if kind in _COUNTED:
            self._count(kind)
            if len(self.levels) > MAX_BRACKETS + 1 or self.levels[-1].depth() > self.most:
                raise _too_deep(token)

    def _count(self, kind: str) -> None:
        level = self.levels[-1]
        if kind in _OPENING:
            self.levels.append(_Level(level.depth() + 1))
        elif kind in _CLOSING:
            if len(self.levels) > 1:
                self.levels.pop()
        elif kind in _INWARD:
            level.begin(level.depth() + _INWARD[kind])
            self.inward = level.depth() if len(self.levels) == 1 else self.inward
        elif kind == "OTHERWISE":
            level.begin(level.base + 1)
        elif kind == "COMMA":
            level.begin(self.inward if len(self.levels) == 1 else self.levels[-2].depth() + 1)
        elif kind in _AROUND:
            setattr(level, _AROUND[kind], getattr(level, _AROUND[kind]) + 1)
        else:
            _begin_operand(level, _RANKS[kind])


_COUNTED: Final = {*_OPENING, *_CLOSING, *_INWARD, *_AROUND, *_RANKS, "OTHERWISE", "COMMA"}


def _begin_operand(level: _Level, rank: str) -> None:
    level.ranks.add(rank)
    level.operands = 0
    if rank in ("relation", "and", "or"):
        level.suffixes = 0
    if rank in ("and", "or"):
        level.negations = 0


def _too_deep(token: Token) -> SyntaxFault:
    return SyntaxFault(
        "nesting-too-deep",
        f"this line is nested too deep: at most {MAX_BRACKETS} brackets and {in_force().nesting} levels in all are allowed",
        token.start_pos or 0,
        token.end_pos or 0,
        "name the inner parts with `define` or `let`",
    )
