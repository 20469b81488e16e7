"""The source formatter behind ``enfilade fmt``.

It works on lines and keeps comments and the order of lines. It must not change the meaning of a text, so it parses its
output and discards it if the tree differs.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.door import door
from enfilade.source.confusables import fold, protected_ranges
from enfilade.source.text import SourceFile, Text
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module
from enfilade.syntax.phrases import SYNONYMS
from enfilade.syntax.retired import upgraded
from enfilade.syntax.tokens import tokens
from enfilade.syntax.trivia import Line, scan_lines
from enfilade.tools.format_columns import GAP, align
from enfilade.tools.format_indentation import STEP, Indenter

# Diagnostics that don't prevent formatting.
_HARMLESS: Final = {"look-alike"}
_SYNONYM: Final = re.compile(rf"\b(or[ \t]+)({'|'.join(SYNONYMS)})\b")


@frozen
class Formatted:
    """The result of formatting a text.

    Attributes:
        text: The formatted text, or the original if it has syntax errors.
        diagnostics: The syntax errors left in the text.
    """

    text: str
    diagnostics: tuple[Diagnostic, ...]


@door
def format_text(text: Text, *, fix: bool = False) -> str:
    """Format a text.

    Indentation is two blanks per level; the parts of fields, modifiers and options are aligned in columns; rows get
    bars; consecutive blank lines become one; words that mean the same are written in one way (`or more`, not `or higher`).

    Args:
        text: The text of a file.
        fix: Whether to replace look-alike letters by the letters meant.

    Returns:
        The formatted text, or the original if it has syntax errors.

    Examples:
        >>> print(format_text('facts\\n   a 1.. "first"\\n   night yes/no [1.2]'), end="")
        facts
          a      1..     "first"
          night  yes/no           [1.2]
    """
    return format_source(SourceFile("<text>", text), fix=fix).text


@door
def format_source(source: SourceFile, *, fix: bool = False, upgrade: bool = False) -> Formatted:
    """Format a text and report its syntax errors.

    Args:
        source: The text.
        fix: Whether to replace look-alike letters by the letters meant.
        upgrade: Whether to replace the forms of older versions of the language by those of today.

    Returns:
        The text, and the errors left in it.
    """
    if fix:
        source = SourceFile(source.name, fold(source.text, protected_ranges(source.text))[0], source.path)
    if upgrade:
        source = SourceFile(source.name, upgraded(source.text), source.path)
    parsed = parse_module(source)
    if any(found.code not in _HARMLESS for found in parsed.diagnostics):
        return Formatted(source.text, parsed.diagnostics)
    plain = _without_synonyms(source.text)
    if plain != source.text:
        parsed = parse_module(SourceFile(source.name, plain, source.path))
    text = _formatted(plain, parsed.module)
    again = parse_module(SourceFile(source.name, text, source.path))
    if again.module != parsed.module or _comments(text, again.module) != _comments(plain, parsed.module):
        return Formatted(source.text, parsed.diagnostics)
    return Formatted(text, again.diagnostics)


def _without_synonyms(text: str) -> str:
    """The text with `or more` for `or higher`, and so on."""
    if not _SYNONYM.search(text):
        return text
    found = (_SYNONYM.sub(_canonical, each.text) if each.kind == "keyword" else each.text for each in tokens(text))
    return "".join(found)


def _canonical(match: re.Match[str]) -> str:
    return match[1] + SYNONYMS[match[2]]


def _formatted(text: str, module: t.Module) -> str:
    aligned, insets = align(text, module)
    pasted = _pasted_rows(module)
    lines = [_without_comment(text, line) if line.start in pasted else line for line in scan_lines(text)]
    columns = Indenter(pasted, insets).columns(lines)
    made: list[str] = []
    for line, column in zip(lines, columns, strict=True):
        if not line.is_blank:
            made.append(_line(line, column, aligned))
        elif made and made[-1]:
            made.append("")
    return "\n".join(made).rstrip("\n") + "\n" if any(made) else ""


def _line(line: Line, column: int, aligned: dict[int, str]) -> str:
    code = aligned.get(line.start)
    if code is None:
        code = STEP.sub(r"\1 ", line.code, count=1) if STEP.match(line.code) else line.code
    comment = GAP + line.comment if line.comment and code else line.comment
    return " " * column + code + comment


def _pasted_rows(module: t.Module) -> dict[int, str]:
    """The rows split by tabs: from the offset of each to its text."""
    found: dict[int, str] = {}
    for declaration in module.declarations:
        inner = declaration.declaration if isinstance(declaration, (t.Replace, t.AddTo)) else declaration
        if isinstance(inner, t.Chart):
            rows = (row for item in inner.items for row in item.rows if row.by_tabs)
            found.update((row.span.start, row.span.text) for row in rows)
    return found


def _without_comment(text: str, line: Line) -> Line:
    """A pasted row without a comment: two dashes in it are a cell."""
    code = text[line.start :].splitlines()[0].rstrip()
    return Line(line.start, line.column, code, "", line.is_row)


def _comments(text: str, module: t.Module) -> list[str]:
    pasted = _pasted_rows(module)
    return [line.comment for line in scan_lines(text) if line.comment and line.start not in pasted]
