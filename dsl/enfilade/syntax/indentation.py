"""Indentation to tokens: the stream between the lexer and the parser.

The stack of open blocks lives in local variables of one generator, so that parses in several threads share nothing.
A numbered step (``3. roll ...``) stands at the column of its number and at that of its text alike.

What would make a tree deep is counted here, before there is a tree: passes over the tree call themselves once a
level, and Python allows a thousand calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lark import Token
from lark.lark import PostLex

from enfilade.source.text import SourceFile, Span
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.nesting import Nesting

TAB_WIDTH: Final = 8
MAX_BLOCKS: Final = 30
MAX_NAME: Final = 128
MAX_TEXT: Final = 4_096
BETWEEN_BLOCKS: Final = "this line is indented less than its block, but not as far as the one outside"

# Terminals whose length is that of a text in quotes or of a whole row.
_LONG: Final = {"STRING", "CITATION"}
# Terminals that would be part of a word, if they stand right behind its first letters.
_WORDLIKE: Final = {"NAME", "INT", "DECIMAL", "NDICE", "DIE", "RANGE", "CODE", "STEP", "TAB_TEXT"}
_UNLIMITED: Final = {"_NL", "_ROW_NL", "_TAB_NL", "ROW_TEXT", "TAB_TEXT"}


def width_of(blank: str) -> int:
    """How many columns *blank* takes; a tab goes to the next multiple of eight."""
    column = 0
    for char in blank:
        column = (column // TAB_WIDTH + 1) * TAB_WIDTH if char == "\t" else column + 1
    return column


def _indent_of(newline: Token) -> int:
    cut = max(newline.rfind("\n"), newline.rfind("\r"))
    return width_of(newline[cut + 1 :])


class Indenter(PostLex):
    """Turns the blanks after a line's end into ``_INDENT`` and ``_DEDENT``."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Pass tokens on, with the blocks made visible and the limits held."""
        # Each open block: the column of its lines, and a second column that counts as the same.
        columns, aliases = [0], [-1]
        # How many `otherwise when` stand one below the other in each open block: each is a level of the tree.
        chains = [0]
        nesting = Nesting()
        fresh_line = True
        token = last = None
        last_end: int | None = -1
        after_step: int | None = None
        for token in stream:
            kind = token.type
            if kind == "_NL":
                yield token
                yield from _steps(columns, aliases, chains, _indent_of(token), token)
                nesting = Nesting()
                fresh_line = True
                continue
            if len(token) > MAX_NAME:
                _check_length(token)
            if token.start_pos == last_end and kind in _WORDLIKE:
                _check_apart(last, token)
            last, last_end = token, token.end_pos
            nesting.count(token)
            if after_step is not None:
                aliases[-1] = columns[-1] + (token.start_pos or 0) - after_step
                after_step = None
            if fresh_line:
                _start_line(token, columns, chains)
                after_step = token.start_pos if kind == "STEP" else None
                fresh_line = False
            yield token
        if token is not None and token.type != "_NL":
            yield Token.new_borrow_pos("_NL", "\n", token)
            token = Token.new_borrow_pos("_NL", "", token)
        for _ in columns[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", token)  # type: ignore[arg-type]  # a block had a token


def _start_line(token: Token, columns: list[int], chains: list[int]) -> None:
    chains[-1] = chains[-1] + 1 if token.type == "OTHERWISE" else 0
    if len(columns) - 1 + sum(chains) > MAX_BLOCKS:
        raise SyntaxFault(
            "nesting-too-deep",
            f"more than {MAX_BLOCKS} blocks stand one inside the other",
            token.start_pos or 0,
            token.end_pos or 0,
            "move the inner ones into a procedure, an effect or a definition of their own",
        )


def _check_apart(last: Token | None, token: Token) -> None:
    """Refuse ``adds``, of which the lexer takes ``add`` where only that word can stand."""
    if last is None or not (last[-1].isalnum() and last[0].isalpha() and last.type not in _LONG):
        return
    start = last.start_pos or 0
    raise SyntaxFault("syntax", f"`{last}{token}` is not expected here", start, token.end_pos or 0,
                      f"did you mean `{last}`?")  # fmt: skip


def _check_length(token: Token) -> None:
    if token.type in _UNLIMITED:
        return
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type not in _LONG:
        raise SyntaxFault("name-too-long", f"a name or a code has at most {MAX_NAME} characters", start, end,
                          "shorten it; a label in quotes may be longer")  # fmt: skip
    if len(token) > MAX_TEXT + 2:
        raise SyntaxFault("text-too-long", f"a text has at most {MAX_TEXT} characters", start, end,
                          "shorten it, or make it a comment")  # fmt: skip


def _steps(columns: list[int], aliases: list[int], chains: list[int], column: int, at: Token) -> Iterator[Token]:
    if column in (columns[-1], aliases[-1]):
        return
    if column > columns[-1]:
        columns.append(column)
        aliases.append(-1)
        chains.append(0)
        yield Token.new_borrow_pos("_INDENT", "", at)
        return
    inner = columns[-1]
    while column < columns[-1] and column != aliases[-1]:
        columns.pop()
        aliases.pop()
        chains.pop()
        yield Token.new_borrow_pos("_DEDENT", "", at)
    if column not in (columns[-1], aliases[-1]):
        raise SyntaxFault(
            "indentation",
            BETWEEN_BLOCKS,
            at.end_pos or 0,
            (at.end_pos or 0) + 1,
            f"start it in column {inner + 1}, or in column {columns[-1] + 1}, or the lines above it in column {column + 1}"
            + _about_tabs(at),
        )


def _about_tabs(newline: Token) -> str:
    return " (a tab counts up to the next eighth column)" if "\t" in newline else ""


def span_of(source: SourceFile, token: Token) -> Span:
    """The place of a token."""
    return Span(source, token.start_pos or 0, token.end_pos or 0)
