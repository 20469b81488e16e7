"""The tokens that a grammar of regular expressions can tell apart, from the terminals of the language.

The lexer of the library knows from the parser whether a word is a keyword, a name or a result code. A regular expression
does not. `pieces` cuts a text as such a grammar should, and `ONLY_IN_CONTEXT` is everything in which this may differ from
the library. Decision 0040 gives the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from enfilade.language import KEYWORDS, tokens
from enfilade.syntax.tables import stored_tables

ROOT: Final = Path(__file__).resolve().parents[1]
# The folders of the repository with rules files; others hold installed packages.
_FOLDERS: Final = ("benchmarks", "docs", "editors", "examples", "rulesets", "stdlib", "tests")
TERMINALS: Final = {name: pattern for name, is_word, pattern, *_ in stored_tables().terminals if not is_word}
PLAIN: Final = {
    "keyword": rf"\b(?:{TERMINALS['FLAG']}|(?:{'|'.join(sorted(KEYWORDS))})\b)",
    "dice": rf"\b(?:{TERMINALS['NDICE']}|{TERMINALS['DIE']}|{TERMINALS['D_OF']})",
    "number": f"{TERMINALS['RANGE']}|{TERMINALS['DECIMAL']}|{TERMINALS['INT']}",
    "name": rf"{TERMINALS['NAME']}|{TERMINALS['HASH']}|[^\W\d_]\w*",
    "mark": r"<=|>=|\.\.|\S",
}
"""The patterns of words, numbers and marks, in the order in which they are tried."""

WHOLE: Final = {
    "comment": TERMINALS["COMMENT"],
    "string": TERMINALS["STRING"] + r'|"[^"\r\n]*',
    # An empty pair of brackets is a list.
    "citation": r"\[[^\]\r\n]+\]",
    "bar": r"\|",
    "cell": r"[^|\t\r\n]+",
}
"""The patterns of tokens in which nothing else is looked for."""

ONLY_IN_CONTEXT: Final = {
    ("name", "keyword"): "a keyword may be a name where the grammar expects a name: `give column = 3`",
    ("name", "dice"): "a die may be named like dice: `die d100 faces 1..100`",
    ("code", "keyword"): "a result code is any word of a printed chart: `gives even`",
    ("code", "dice"): "the same: `gives d6`",
    ("code", "number"): "the same: `on 4 3`",
    ("code", "name"): "the same: `gives M`",
    ("code", "mark"): "the same: `gives -`",
    ("number", "mark"): "a sign or a stop belongs to the number: `-2 small_unit`, `1. roll`",
    ("mark", "number"): "`1 / 3..4` is a range of ratios, and `..` belongs to no number",
    ("keyword", "mark"): "`list of 0.., at least 1` has the comma within the keyword",
    ("keyword", "name"): "`cellslists`, a mistake, begins with a keyword for the parser",
    ("range", "number"): "one colour for both",
    ("word", "name"): "letters beyond ASCII, which are a mistake outside quotes",
}
"""Where a grammar of regular expressions may differ from the library: the kind and what such a grammar sees."""

_PATTERN: Final = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in PLAIN.items()))


@frozen
class Piece:
    """A part of a text that grammars give one colour.

    Attributes:
        kind: One of `PLAIN` and `WHOLE`.
        start: The offset of its first character.
        end: The offset after its last character.
        origin: The kinds of the library's tokens in it.
    """

    kind: str
    start: int
    end: int
    origin: tuple[str, ...]


def rules_files() -> Iterator[tuple[str, str]]:
    """Every rules file of the repository: its path from the root, and its text."""
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.rules")):
            if "node_modules" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def pieces(text: str) -> Iterator[Piece]:
    """Cut a text into the tokens that a grammar of regular expressions should find, without blanks.

    Comments, quoted texts, citations and cells are those of the library's lexer; what lies between them is matched with
    the patterns of the language's terminals.

    Examples:
        >>> [(each.kind, each.origin) for each in pieces("give column = 3 [9.1]")]
        [('keyword', ('keyword',)), ('keyword', ('name',)), ('mark', ('mark',)), ('number', ('number',)), \
('citation', ('citation',))]
    """
    kinds = [""] * len(text)
    found = tokens(text)
    for token in found:
        kinds[token.start : token.end] = [token.kind] * len(token.text)
    start = 0
    for token in found:
        if token.kind in WHOLE:
            yield from _plain(text, start, token.start, kinds)
            start = token.end
            if token.text.strip():
                yield Piece(token.kind, token.start, token.end, (token.kind,))
    yield from _plain(text, start, len(text), kinds)


def _plain(text: str, start: int, end: int, kinds: list[str]) -> Iterator[Piece]:
    for found in _PATTERN.finditer(text, start, end):
        # A phrase is compared word by word.
        for word in re.finditer(r"\S+", found[0]):
            first, last = found.start() + word.start(), found.start() + word.end()
            yield Piece(found.lastgroup or "mark", first, last, tuple(sorted(set(kinds[first:last]))))
