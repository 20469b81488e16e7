"""The off-side rule: turns indentation into INDENT and DEDENT tokens, between the lexer and the parser.

The stack of open blocks is in local variables of one generator, so threads that parse at the same time share nothing.
A numbered step (``3. roll ...``) has two columns, that of its number and that of its text; lines below it may align
with either. A line that ends with an operator, a comma or an open bracket goes on in the next line, if that is indented
deeper; so does a value with ``when`` whose ``otherwise`` begins the next line.

Nesting depth is limited here, before a tree is built: passes over the tree are recursive, and Python's stack is finite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lark import Token
from lark.lark import PostLex

from enfilade.limits import check_time
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.build import CURRENT
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.nesting import Nesting

TAB_WIDTH: Final = 8
MAX_BLOCKS: Final = 30
MAX_NAME: Final = 128
MAX_TEXT: Final = 4_096
BETWEEN_BLOCKS: Final = "this line is indented less than its block, but does not align with an outer block"

# Terminals that may be as long as a quoted text.
_LONG: Final = {"STRING", "CITATION"}
# Terminals that would continue a word if they follow it without a blank.
_WORDLIKE: Final = {"NAME", "INT", "DECIMAL", "NDICE", "DIE", "RANGE", "CODE", "STEP", "TAB_TEXT"}
# A line that ends with one of these goes on in the next line, if that is indented deeper.
GOES_ON: Final = {"+", "-", "*", "/", "mod", "and", "or", "not", "=", "<", "<=", ">", ">=", ",", "(", "["}
_PRINTED: Final = {"CODE", "STRING", "CITATION", "ROW_TEXT", "TAB_TEXT", "BARE", "ANSWER"}
# The keywords that are an expression or its beginning by themselves, so no name can be told from them.
RESERVED: Final = {
    "each": "it means an element of a list",
    "nth": "it means the number of an assignment",
    "not": "it negates a condition",
}
_UNLIMITED: Final = {"_NL", "_ROW_NL", "_TAB_NL", "ROW_TEXT", "TAB_TEXT"}


def width_of(blank: str) -> int:
    """The width of *blank* in columns; a tab advances to the next multiple of eight."""
    column = 0
    for char in blank:
        column = (column // TAB_WIDTH + 1) * TAB_WIDTH if char == "\t" else column + 1
    return column


def _indent_of(newline: Token) -> int:
    cut = max(newline.rfind("\n"), newline.rfind("\r"))
    return width_of(newline[cut + 1 :])


class Indenter(PostLex):
    """Inserts ``_INDENT`` and ``_DEDENT`` tokens where the indentation changes."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Pass tokens on with indentation tokens between them, and enforce the limits on length and depth."""
        # For each open block, the column of its lines, and a second column that is treated as the same.
        columns, aliases = [0], [-1]
        # For each open block, the number of consecutive `otherwise when`: each is a level of the tree.
        chains = [0]
        nesting = Nesting()
        fresh_line = True
        # The values of a line, `3 when night`, that still need their `otherwise`.
        open_values = 0
        # The cases of a definition may be right-aligned: they have no blocks.
        is_flat = False
        token = last = None
        last_end: int | None = -1
        after_step: int | None = None
        for token in stream:
            kind = token.type
            if kind == "_NL" and _indent_of(token) > columns[-1] and (
                _goes_on(last, fresh_line) or (open_values > 0 and _otherwise_follows(token))
            ):  # fmt: skip
                last_end = None
                continue
            if kind == "_NL":
                yield token
                column = _indent_of(token)
                if is_flat and column and len(columns) > 1:
                    column = columns[-1]
                yield from _steps(columns, aliases, chains, column, token)
                nesting = Nesting()
                fresh_line = True
                open_values = 0
                continue
            is_flat = is_flat or (kind == "DEFINE" and (last is None or last.type == "REPLACE"))
            if kind == "NAME" and token in RESERVED:
                raise _reserved(token)
            if len(token) > MAX_NAME:
                _check_length(token)
            if token.start_pos == last_end and kind in _WORDLIKE:
                _check_apart(last, token)
            open_values += _opens_value(token, last, fresh_line)
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


def _reserved(token: Token) -> SyntaxFault:
    start, end = token.start_pos or 0, token.end_pos or 0
    return SyntaxFault("syntax", f"`{token}` can't be a name: {RESERVED[str(token)]}", start, end,
                       f"choose another name, such as `{token}_one`")  # fmt: skip


def _goes_on(last: Token | None, fresh_line: bool) -> bool:
    """Whether a line that ends with this token goes on in a deeper line."""
    return last is not None and not fresh_line and last in GOES_ON and last.type not in _PRINTED


_BEFORE_A_VALUE: Final = frozenset(("otherwise", "(", "[", ","))
"""No value stands before a ``when`` behind one of these. In brackets it is a name, as in ``(when 3)``."""


def _opens_value(token: Token, last: Token | None, fresh_line: bool) -> int:
    """1 for a ``when`` that stands behind a value, -1 for an ``otherwise`` that ends one.

    -1 for a ``refuse`` that begins a statement, too: its ``when`` stands behind a name, not behind a value.
    """
    if fresh_line or last is None or last.type in ("STEP", "COLON"):
        return -1 if token == "refuse" else 0
    return {"when": 0 if last in _BEFORE_A_VALUE else 1, "otherwise": -1}.get(str(token), 0)


def _otherwise_follows(newline: Token) -> bool:
    source, end = CURRENT.get(None), newline.end_pos or 0
    return source is not None and re.match(r"otherwise\b", source.text[end : end + 10]) is not None


def _start_line(token: Token, columns: list[int], chains: list[int]) -> None:
    check_time()
    chains[-1] = chains[-1] + 1 if token.type == "OTHERWISE" else 0
    if len(columns) - 1 + sum(chains) > MAX_BLOCKS:
        raise SyntaxFault(
            "nesting-too-deep",
            f"more than {MAX_BLOCKS} blocks are nested inside each other",
            token.start_pos or 0,
            token.end_pos or 0,
            "move the inner blocks into a separate procedure, effect or definition",
        )


def _check_apart(last: Token | None, token: Token) -> None:
    """Refuse ``adds``: where only ``add`` is allowed, the contextual lexer would split it into ``add`` and ``s``."""
    if last is None or not (last[-1].isalnum() and last[0].isalpha() and last.type not in _LONG):
        return
    start = last.start_pos or 0
    raise SyntaxFault("syntax", f"`{last}{token}` is not expected here", start, token.end_pos or 0,
                      f"did you mean `{last}`?", str(last), is_plain=True)  # fmt: skip


def _check_length(token: Token) -> None:
    if token.type in _UNLIMITED:
        return
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type not in _LONG:
        raise SyntaxFault("name-too-long", f"a name or a code may have at most {MAX_NAME} characters", start, end,
                          "shorten the name; a label in quotes may be longer")  # fmt: skip
    if len(token) > MAX_TEXT + 2:
        raise SyntaxFault("text-too-long", f"a text may have at most {MAX_TEXT} characters", start, end,
                          "shorten the text, or make it a comment")  # fmt: skip


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
            f"begin this line in column {inner + 1} or {columns[-1] + 1}, or the lines above it in column {column + 1}"
            + _about_tabs(at),
        )


def _about_tabs(newline: Token) -> str:
    return " (a tab moves to the next multiple of eight columns)" if "\t" in newline else ""


def span_of(source: SourceFile, token: Token) -> Span:
    """The span of a token."""
    return Span(source, token.start_pos or 0, token.end_pos or 0)
