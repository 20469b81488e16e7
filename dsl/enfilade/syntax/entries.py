"""LALR parser of entries: facts, values, dice and choices that a person types outside a file.

It is the parser of files with other start symbols. An entry is one line; tabs and line ends count as spaces.
"""

from __future__ import annotations

import re
from typing import Any, Final

from lark import TextSlice
from lark.exceptions import UnexpectedInput, UnexpectedToken

from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.build import CURRENT
from enfilade.syntax.error_recovery import shared_parser
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.grammar import ANSWERS_ENTRY, CASE_ENTRY, GIVEN_ENTRY

_BLANK: Final = re.compile(r"\s")
_CLOSING: Final = {"RPAR": ")", "RSQB": "]"}


def parse_given(text: str) -> tuple[t.EntryPart, ...]:
    """Parse facts or a value.

    Args:
        text: Facts, written as after ``given`` in an example, with optional commas.

    Returns:
        Words, marks and bracketed groups, in order. ``check/entries/entries.py`` groups them into facts by their types.

    Raises:
        SyntaxFault: A bracket or a quote is not closed.
    """
    parts: tuple[t.EntryPart, ...] = _parsed(text, GIVEN_ENTRY)
    return parts


def parse_answers(text: str) -> tuple[t.Value, ...]:
    """Parse dice or choices: ``4 3``, ``gun, "very good"``.

    Raises:
        SyntaxFault: A quote is not closed.
    """
    answers: tuple[t.Value, ...] = _parsed(text, ANSWERS_ENTRY)
    return answers


def parse_case(cell: t.Code, before: str, after: str = "") -> t.ExampleLine:
    """Parse the line of an example that a cell of a table stands for.

    Args:
        cell: The cell; its part of the line has the places of the cell.
        before: The text of the line before the cell.
        after: The text behind it.

    Raises:
        SyntaxFault: The cell can't be parsed.
    """
    source, start, end = cell.span.source, cell.span.start, cell.span.start + len(cell.text)
    text = before.rjust(start)[-start:] + cell.text + after
    token = CURRENT.set(source)
    try:
        # Lark does not declare what the tree builder makes.
        line: Any = shared_parser().parse(TextSlice(text, start - len(before), len(text)), CASE_ENTRY)
    except UnexpectedInput:
        raise SyntaxFault("syntax", f"`{cell.text}` is not possible here", start, end) from None
    finally:
        CURRENT.reset(token)
    parsed: t.ExampleLine = line
    return parsed


def _parsed(text: str, start: str) -> Any:
    source = SourceFile("<typed>", _BLANK.sub(" ", text))
    token = CURRENT.set(source)
    try:
        return shared_parser().parse(TextSlice.cast_from(source.text), start)
    except UnexpectedInput as error:
        raise _fault(error, source.text) from None
    finally:
        CURRENT.reset(token)


def _fault(error: UnexpectedInput, text: str) -> SyntaxFault:
    # Lark does not declare its type.
    place: Any = error.pos_in_stream
    at = place or 0
    if isinstance(error, UnexpectedToken) and error.token.type in ("_NL", "$END"):
        closing = next(mark for name, mark in _CLOSING.items() if name in error.expected)
        return SyntaxFault("missing-bracket", f"`{closing}` is missing in `{text.strip()}`", at, at + 1)
    char = text[at : at + 1]
    if char == '"':
        return SyntaxFault("missing-quote", f"a quote is not closed in `{text.strip()}`", at, at + 1)
    if char in _CLOSING.values():
        return SyntaxFault("missing-bracket", f"`{char}` has no opening bracket in `{text.strip()}`", at, at + 1)
    return SyntaxFault("syntax", f"`{char}` is not expected here", at, at + 1, "write a list in [ ], a record in ( )")
