"""Pattern matching of result codes: ``M#`` matches ``M2`` with the number 2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from enfilade.core.ir import Pattern, Results
from enfilade.limits import check_time

_PIECES = re.compile(r"(#[a-z](?![a-z])|#(?!\})|\{#\}|\{[A-Za-z][A-Za-z0-9_]*\})")


@cache
def _regex(text: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    letters: list[str] = []
    out = []
    pieces = _PIECES.split(text)
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            out.append(re.escape(piece))
            continue
        letters.append("" if piece == "{#}" else piece if piece[0] == "{" else piece[1:])
        out.append(r"([^\s]+)" if piece[0] == "{" and _stands_alone(pieces, index) else r"([0-9]+)")
    return re.compile("".join(out)), tuple(letters)


def _stands_alone(pieces: list[str], index: int) -> bool:
    """Whether a name has blanks or the ends of the code around it, and is not the whole code: it may be a word."""
    before, after = pieces[index - 1], pieces[index + 1]
    is_first, is_last = index == 1 and not before, index == len(pieces) - 2 and not after
    return (is_first or before[-1:] == " ") and (is_last or after[:1] == " ") and not (is_first and is_last)


def letters_of(pattern: Pattern) -> tuple[str, ...]:
    """The names of the numbers in a pattern; a plain ``#`` has an empty name, and ``{loss}`` keeps its braces."""
    return _regex(pattern.forms[0] if pattern.forms else pattern.text)[1]


def match_code(pattern: Pattern, code: str) -> Mapping[str, int | str] | None:
    """Match a code against a pattern and return its numbers and words, or ``None`` if it does not match.

    Examples:
        >>> dict(match_code(Pattern("M#", "M", "M0"), "M2"))
        {'': 2}
        >>> dict(match_code(Pattern("M#", "M", "M0"), "M"))
        {'': 0}
        >>> dict(match_code(Pattern("{side} {n}"), "D 2"))
        {'{side}': 'D', '{n}': 2}
    """
    if pattern.bare is not None and code == pattern.bare:
        code = pattern.bare_is or code
    for text in pattern.forms or (pattern.text, *pattern.also):
        regex, letters = _regex(text)
        found = regex.fullmatch(code)
        if found is not None:
            return {name: int(of) if of.isdecimal() else of for name, of in zip(letters, found.groups(), strict=True)}
    return None


def pattern_for(results: Results, code: str) -> tuple[Pattern, Mapping[str, int | str]] | None:
    """Find the first pattern in the file that matches a code; literal patterns go before patterns with numbers."""
    check_time()
    patterns = [entry.pattern for entry in results.entries if not entry.then]
    for pattern in sorted(patterns, key=lambda p: bool(letters_of(p))):
        numbers = match_code(pattern, code)
        if numbers is not None:
            return pattern, numbers
    return None
