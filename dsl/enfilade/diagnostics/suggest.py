"""Suggestions: the known name nearest to a misspelt one, by edit distance (Damerau-Levenshtein).

For checks that report an unknown name. The answer depends on the candidates, never on their order.
"""

from collections.abc import Iterable
from typing import Final

MAX_WORD: Final = 128
MAX_CANDIDATES: Final = 5_000


def nearest(word: str, candidates: Iterable[str], limit: int | None = None) -> str | None:
    """Find the candidate with the fewest slips of typing.

    A slip is an extra letter, a missing letter, a wrong letter or two neighbours exchanged. A difference in case alone
    counts less than any slip; ties go to the first candidate in alphabetical order.

    Args:
        word: What was written.
        candidates: The names that exist.
        limit: The most slips allowed; by default a third of the word's length, and at least one.

    Returns:
        The nearest name, or ``None`` if none is near enough.

    Examples:
        >>> nearest("nihgt", ["night", "light", "hill"])
        'night'
        >>> nearest("cavalry", ["infantry"]) is None
        True
    """
    if len(word) > MAX_WORD:
        return None
    forgiven = max(1, len(word) // 3) if limit is None else limit
    best: tuple[int, bool, str] | None = None
    for name in sorted(set(candidates) - {word})[:MAX_CANDIDATES]:
        slips = distance(word.casefold(), name.casefold(), forgiven)
        if slips is None:
            continue
        # A candidate that is only as near as the best so far is not needed.
        forgiven = min(forgiven, slips)
        ranked = (slips, name[:1] != word[:1], name)
        best = ranked if best is None else min(best, ranked)
    return best[2] if best else None


def distance(left: str, right: str, limit: int) -> int | None:
    """Count the slips between two words (optimal string alignment: each letter is changed at most once).

    Args:
        left: One word.
        right: The other.
        limit: The most slips of interest.

    Returns:
        The number of slips, or ``None`` if there are more than *limit*.

    Examples:
        >>> distance("hlil", "hill", 3)
        1
    """
    if abs(len(left) - len(right)) > limit:
        return None
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left):
        before, row = row, _next_row(before, row, i, letter, left[i - 1 : i], right)
        if min(row) > limit and min(before) > limit:
            return None
    return row[-1] if row[-1] <= limit else None


def _next_row(before: list[int], row: list[int], i: int, letter: str, previous: str, right: str) -> list[int]:
    result = [i + 1]
    for j, other in enumerate(right):
        cost = min(row[j] + (letter != other), row[j + 1] + 1, result[j] + 1)
        if previous and j and letter == right[j - 1] and previous == other:
            cost = min(cost, before[j - 1] + 1)
        result.append(cost)
    return result
