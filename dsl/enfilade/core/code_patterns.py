"""Pattern matching of result codes: ``M#`` matches ``M2`` with the number 2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from enfilade.core.ir import Pattern, Results


@cache
def _regex(text: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    letters: list[str] = []
    out = []
    for piece in re.split(r"(#[a-z]?(?![a-z]))", text):
        if piece.startswith("#"):
            letters.append(piece[1:])
            out.append(r"([0-9]+)")
        else:
            out.append(re.escape(piece))
    return re.compile("".join(out)), tuple(letters)


def letters_of(pattern: Pattern) -> tuple[str, ...]:
    """The names of the numbers in a pattern; a plain ``#`` has an empty name."""
    return _regex(pattern.text)[1]


def match_code(pattern: Pattern, code: str) -> Mapping[str, int] | None:
    """Match a code against a pattern and return its numbers, or ``None`` if it does not match.

    Examples:
        >>> dict(match_code(Pattern("M#", "M", "M0"), "M2"))
        {'': 2}
        >>> dict(match_code(Pattern("M#", "M", "M0"), "M"))
        {'': 0}
    """
    if pattern.bare is not None and code == pattern.bare:
        code = pattern.bare_is or code
    for text in (pattern.text, *pattern.also):
        regex, letters = _regex(text)
        found = regex.fullmatch(code)
        if found is not None:
            return dict(zip(letters, map(int, found.groups()), strict=True))
    return None


def pattern_for(results: Results, code: str) -> tuple[Pattern, Mapping[str, int]] | None:
    """Find the first pattern in the file that matches a code; literal patterns go before patterns with numbers."""
    patterns = [entry.pattern for entry in results.entries if not entry.then]
    for pattern in sorted(patterns, key=lambda p: bool(letters_of(p))):
        numbers = match_code(pattern, code)
        if numbers is not None:
            return pattern, numbers
    return None
