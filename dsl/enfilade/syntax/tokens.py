"""Error-tolerant tokeniser for syntax highlighting, completion and editors.

The parser's contextual lexer tells codes, citations, names and keywords apart. After a syntax error, the rest of the
declaration is tokenised without context. Every character of the text belongs to exactly one token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from attrs import frozen
from lark import TextSlice, Token
from lark.exceptions import UnexpectedInput

from enfilade.door import door
from enfilade.source.text import SourceFile
from enfilade.syntax.build import CURRENT
from enfilade.syntax.error_recovery import declaration_starts, shared_parser
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.grammar import DECLARATION
from enfilade.syntax.tables import stored_tables
from enfilade.syntax.unexpected import KEYWORDS, WORDS

_KINDS: Final = {
    "COMMENT": "comment", "STRING": "string", "CITATION": "citation", "NDICE": "dice", "DIE": "dice", "RANGE": "range",
    "INT": "number", "DECIMAL": "number", "AMOUNT": "number", "STEP": "number", "HASH": "name", "NAME": "name",
    "CODE": "code", "D_OF": "dice", "ROW_TEXT": "row", "TAB_TEXT": "row",
}  # fmt: skip
# The terminals with the same meaning in every context, in the order in which they are tried.
_EVERYWHERE: Final = ("COMMENT", "STRING", "CITATION", "NDICE", "DIE", "RANGE", "DECIMAL", "INT", "NAME")
_CELLS: Final = re.compile(r"(?P<bar>\|)|(?P<cell>[^|\t]+)|(?P<blank>\t+)")


@frozen
class TypedToken:
    """A token of a text.

    Attributes:
        kind: ``keyword``, ``name``, ``number``, ``range``, ``dice``, ``string``, ``citation``, ``code``, ``cell``,
            ``bar``, ``comment``, ``blank``, ``word`` (letters that no name has) or ``mark`` (any other sign).
        text: Its characters.
        start: Its offset in the text.
    """

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset of the first character after it."""
        return self.start + len(self.text)


@door
def tokens(text: str) -> tuple[TypedToken, ...]:
    """Tokenise the text of a rules file.

    Args:
        text: Any text.

    Returns:
        The tokens. Their texts, joined, are the whole text.

    Examples:
        >>> [each.text for each in tokens("option fog [9.1]") if each.kind in ("keyword", "citation")]
        ['option', '[9.1]']
    """
    starts = declaration_starts(text)
    found = list(_scanned(text, 0, starts[0] if starts else len(text)))
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        found += _of_declaration(text, start, end)
    return tuple(found)


@door
def entry_tokens(text: str) -> tuple[TypedToken, ...]:
    """Tokenise text typed at a prompt, such as facts; square brackets contain lists, not citations.

    Examples:
        >>> [each.text for each in entry_tokens("terrain [town, woods]") if each.kind == "name"]
        ['terrain', 'town', 'woods']
    """
    return tuple(_scanned(text, 0, len(text), in_entry=True))


def _of_declaration(text: str, start: int, end: int) -> Iterator[TypedToken]:
    """Tokenise one declaration; the part after a syntax error is tokenised without context."""
    at = start
    for token in _lexed(text, start, end):
        place, stop = token.start_pos or 0, token.end_pos or 0
        if token.type[0] == "_" or stop <= place or place < at:
            continue
        yield from _scanned(text, at, place)
        if _KINDS.get(token.type) == "row":
            yield from _cells(text, place, stop)
        else:
            kind = "keyword" if token.type in WORDS else _KINDS.get(token.type, "mark")
            yield TypedToken(kind, text[place:stop], place)
        at = stop
    yield from _scanned(text, at, end)


def _lexed(text: str, start: int, end: int) -> list[Token]:
    """The parser's tokens, up to the first syntax error."""
    found: list[Token] = []
    # Lark does not declare their types.
    parser: Any = shared_parser().parse_interactive(TextSlice(text, start, end), DECLARATION)
    current = CURRENT.set(SourceFile("<typed>", text))
    try:
        for token in parser.iter_parse():
            found.append(token)
    except (UnexpectedInput, SyntaxFault):
        pass
    finally:
        CURRENT.reset(current)
    return found


def _cells(text: str, start: int, end: int) -> Iterator[TypedToken]:
    """Cut a chart row into bars and cells."""
    for found in _CELLS.finditer(text, start, end):
        yield TypedToken(found.lastgroup or "cell", found[0], found.start())


def _scanned(text: str, start: int, end: int, *, in_entry: bool = False) -> Iterator[TypedToken]:
    """Tokenise a part of the text without context."""
    for found in _scanner(in_entry).finditer(text, start, end):
        kind = _KINDS.get(found.lastgroup or "", found.lastgroup or "mark")
        if kind == "row":
            bar = text.index("|", found.start())
            yield from _scanned(text, found.start(), bar)
            yield from _cells(text, bar, found.end())
            continue
        if kind == "name" and found[0] in KEYWORDS and not in_entry:
            kind = "keyword"
        yield TypedToken(kind, found[0], found.start())


@cache
def _scanner(in_entry: bool) -> re.Pattern[str]:
    patterns = {name: value for name, is_word, value, *_ in stored_tables().terminals if not is_word}
    named = [f"(?P<{name}>{patterns[name]})" for name in _EVERYWHERE if not (in_entry and name == "CITATION")]
    row = [] if in_entry else [r"(?P<ROW_TEXT>(?m:^)[ \t]*\|[^\r\n]*)"]
    others = [r"(?P<blank>[ \t]+|\s)", r'(?P<string>"[^"\r\n]*)', r"(?P<word>\w+)", r"(?P<mark>.)"]
    return re.compile("|".join([*row, *named, *others]))
