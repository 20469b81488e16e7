"""The order in which completion offers words: first what the author wrote in such a place, then what usually stands there.

A place is known by the two tokens before it; at the start of a line, by the declaration and the line above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from enfilade.editor.answers import Suggestion
from enfilade.syntax.unexpected import KEYWORDS, WORDS

# A token of interest: a string, a name or a word, a number, or any other sign.
_TOKEN: Final = re.compile(r'"[^"\n]*"?|--(?=[ \n]).*|\[\d[^]\n]*\]|[A-Za-z]\w*|\d[\w.]*|[^\s\w]')
_NUMBERED: Final = re.compile(r"[ \t]*\d+\.[ \t]+")
# A longer text tells nothing more of the habits of its author, and takes time.
_LOOKED_AT: Final = 12_000
# How many of the likely names come before the usual keywords.
_FEW: Final = 3

_STEP: Final = ("roll", "read", "give", "when", "let", "refuse", "call", "apply", "for each", "otherwise")
# What usually stands after a token. At the start of a line, the token is the declaration after a line feed, and for the
# next declaration the one before after `|`.
_USUAL: Final[dict[str, tuple[str, ...]]] = {
    "|": ("enfilade", "ruleset", "facts", "record", "chart"),
    "|enfilade": ("ruleset", "use", "source", "record", "facts"),
    "|ruleset": ("source", "players", "use", "words", "record", "facts"),
    "|source": ("source", "players", "use", "words", "record", "facts"),
    "|players": ("words", "record", "facts", "option", "define"),
    "|option": ("option", "facts", "record", "words", "define"),
    "|use": ("use", "record", "facts", "words", "players"),
    "|words": ("words", "record", "facts", "define", "option"),
    "|record": ("facts", "record", "define", "effect", "chart"),
    "|facts": ("define", "chart", "effect", "modifiers", "procedure"),
    "|define": ("define", "effect", "chart", "modifiers", "procedure"),
    "|effect": ("effect", "chart", "results", "define", "procedure"),
    "|chart": ("results", "chart", "modifiers", "procedure", "define"),
    "|modifiers": ("modifiers", "chart", "results", "procedure", "define"),
    "|results": ("procedure", "results", "chart", "modifiers", "define"),
    "|procedure": ("example", "procedure", "define", "modifiers", "chart"),
    "|example": ("example", "procedure", "examples", "define", "chart"),
    "\nprocedure": _STEP, "\nhelper": _STEP, "\neffect": ("when", "let", "for each", "otherwise"), "\non": _STEP,
    "\nresults": ("when", "for each", "each", "otherwise", "let"),
    "\nchart": ("down", "across", "column below", "roll below", "severity", "cells", "column", "shift off left"),
    "\nexample": ("given", "on", "gives", "expect", "effect", "chance of", "refused"),
    ":": ("give", "let", "refuse", "roll"),
    ",": ("column at or below",),
    "when": ("not",), "and": ("not",), "where": ("not",), "or": ("worse", "better", "less", "more"),
    "becomes": ("yes", "no"), ".": ("code", "total", "natural", "column"), "(": ("count of",), "over": ("effects",), "=": ("count of", "sum of"),
}  # fmt: skip
_KEYWORDS_FIRST: Final = frozenset(("\n", "\nprocedure", "\nhelper", "\nchart", "\nexample", "."))
_VALUES: Final = frozenset(("0", "yes", "no", "none", "all"))
# What usually stands after a value, such as a name, a number or a bracket; and after a name that begins a line.
_BEHIND: Final = (
    "is", "and", "or", "when", "as", "with", "over", "where", "otherwise", "on", "has", "of", "by", "in",
    "but at least", "but at most",
)  # fmt: skip
_BEGUN: Final = ("becomes", "on", "with", "chooses", "assigns")
_PHRASES: Final = frozenset(phrase for words in WORDS.values() for phrase in words)
# Words that are in a better order already than the one in which they were used last.
_ORDERED: Final = frozenset(("type", "parameter", "word", "part", "module"))


def ranked(items: Iterable[Suggestion], before: str, likely: Sequence[Suggestion] = ()) -> list[Suggestion]:
    """Put words into the order in which they are offered.

    Args:
        items: The words.
        before: The text before the place.
        likely: Words that fit better than others, as far as the text alone does not tell.
    """
    *history, (first, last, _) = _places(before[-_LOOKED_AT:].split("\n"))
    used = {word: at for at, (_, _, word) in enumerate(history)}
    alike = {word: at for at, (_, two, word) in enumerate(history) if two == last}
    written = {word: at for at, (one, two, word) in enumerate(history) if two == last and one == first}
    usual = _usual(first, last)
    fit = sorted(likely, key=lambda each: 0 if each.kind in _ORDERED else -used.get(each.name, -1))
    names = tuple(each.name for each in fit)
    few = 0 if last in _KEYWORDS_FIRST else _FEW
    inner = (*names[:few], *usual, *names[few:])
    order = {name: at for at, name in reversed(list(enumerate(inner)))}
    offered = tuple(items)
    whole = {each.name for each in offered}

    def key(item: Suggestion) -> tuple[int, int]:
        word, _, rest = item.name.partition(" ")
        if rest and word in whole:
            return 5, 0
        if word in written:
            return 0, -written[word]
        if f"{last} {item.name}" in _PHRASES:
            return 1, 0
        if item.name in order:
            return 2, order[item.name]
        if word in alike:
            return 3, -alike[word]
        return 4, -used.get(word, -1)

    return sorted(offered, key=key)


def _usual(first: str, last: str) -> tuple[str, ...]:
    if last == "\n":
        return _USUAL.get(f"|{first}", _USUAL["|define"])
    if not _ends_value(last):
        return _USUAL.get(last, ())
    return _BEGUN if first.startswith("\n") else _BEHIND


def _ends_value(token: str) -> bool:
    return token in _VALUES or token in (")", "]", '"') or (token.isidentifier() and token not in KEYWORDS)


def _places(lines: Sequence[str]) -> list[tuple[str, str, str]]:
    """Each token with the two before it; the last one is the one that is wanted, and empty."""
    found: list[tuple[str, str, str]] = []
    head = above = ""
    for number, line in enumerate(lines, 1):
        inner = line[:1].isspace()
        here = _tokens(line)
        row = (above, f"\n{head}", *here) if inner else (head, "\n", *here)
        if number == len(lines):
            row = (*row, "")
        found += zip(row, row[1:], row[2:], strict=False)
        if here:
            above = here[0]
            head = head if inner else above
    return found


@lru_cache(4096)
def _tokens(line: str) -> tuple[str, ...]:
    """The tokens of a line without what differs from place to place: the texts of strings, the digits of numbers."""
    numbered = _NUMBERED.match(line)
    found = _TOKEN.findall(line, 0 if numbered is None else numbered.end())
    return tuple(
        '"' if each[0] == '"' else "0" if each[0].isdigit() else each
        for each in found
        if len(each) == 1 or not each.startswith(("--", "["))
    )
