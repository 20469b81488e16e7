"""Suggestions: the known name nearest to a misspelt one, by edit distance (Damerau-Levenshtein), and completion.

For checks that report an unknown name and for prompts that take abbreviations. The answer depends on the candidates, never on their order.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from enfilade.door import door

MAX_WORD: Final = 128
MAX_CANDIDATES: Final = 1_000
MIN_BEGINNING: Final = 3


@door
def only_beginning(word: str, candidates: Iterable[str]) -> str | None:
    """Find the only candidate that begins with a word; a candidate equal to the word goes before longer ones.

    Args:
        word: The beginning of a name, in any case. Blanks stand for underscores.
        candidates: The names that exist.

    Returns:
        The name, or ``None`` if no candidate or several begin with the word.

    Examples:
        >>> only_beginning("inf", ["infantry", "artillery"]), only_beginning("a", ["ab", "ac"])
        ('infantry', None)
        >>> only_beginning("artillery hits", ["artillery_hits", "artillery_hits_2"])
        'artillery_hits'
    """
    names = set(candidates)
    joined = "_".join(word.split())
    for exact in (word, joined):
        if exact in names:
            return exact
    begun = [name for name in names if word and name.casefold().startswith((word.casefold(), joined.casefold()))]
    return begun[0] if len(begun) == 1 else None


def in_any_case(word: str, candidates: Iterable[str]) -> str | None:
    """Find a word among candidates; if it isn't there, the only candidate that differs from it by case alone.

    Args:
        word: What was typed.
        candidates: The words that exist.

    Returns:
        The candidate, or ``None`` if none or several fit.

    Examples:
        >>> in_any_case("Town", ["town", "hill"]), in_any_case("x", ["X", "x"]), in_any_case("M", ["mM", "Mm"])
        ('town', 'x', None)
    """
    words = set(candidates)
    alike = [each for each in words if each.casefold() == word.casefold()]
    return word if word in words else alike[0] if len(alike) == 1 else None


@door
def with_underscores(text: str, names: Iterable[str], *, begins: bool = False) -> str:
    """Put the underscores back in names that were typed with blanks: ``target class 2``.

    Args:
        text: What was typed. Quoted text stays as it is.
        names: The names that exist. A name whose first word is itself a name must be typed with its underscores.
        begins: Whether to look at the beginning of the text alone.

    Returns:
        The text, as long as before if single blanks separate its words.

    Examples:
        >>> with_underscores("target class 2, at range 1", ["target_class", "range"])
        'target_class 2, at range 1'
        >>> with_underscores("unit cost 2", ["unit", "unit_cost"])
        'unit cost 2'
    """
    known = set(names)
    several = [name.split("_") for name in known if "_" in name.strip("_")]
    spaced = [words for words in several if all(words) and words[0] not in known]
    if not spaced:
        return text
    longest_first = sorted(spaced, key=lambda words: (-len(words), words))
    either = "|".join(" +".join(map(re.escape, words)) for words in longest_first)
    pattern = re.compile(rf'"[^"]*"|(?<![\w.])(?:{either})(?!\w)')

    def joined(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else "_".join(found[0].split())

    if not begins:
        return pattern.sub(joined, text)
    found = pattern.match(text)
    return text if found is None else joined(found) + text[found.end() :]


@door
def nearest(word: str, candidates: Iterable[str], limit: int | None = None) -> str | None:
    """Find the candidate that was probably meant: one with a single slip, with a common beginning, or with few slips.

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
        >>> nearest("crit_table", ["crit", "fire_table"]), nearest("adjacent", ["adjacent_to_all", "hill"])
        ('crit', 'adjacent_to_all')
    """
    if len(word) > MAX_WORD:
        return None
    names = set(candidates) - {word}
    slips, spelt = _fewest_slips(word, names, limit)
    if limit is not None or (spelt is not None and slips <= 1):
        return spelt
    return _common_beginning(word, names) or spelt


def _common_beginning(word: str, names: set[str]) -> str | None:
    """Find the only name that begins with a word, or the longest name that is the first words of it."""
    if len(word) < MIN_BEGINNING:
        return None
    alike = [name for name in names if name[: MIN_BEGINNING - 1] == word[: MIN_BEGINNING - 1]]
    shorter = [name for name in alike if len(name) >= MIN_BEGINNING and word.startswith(f"{name}_")]
    return only_beginning(word, alike) or max(shorter, key=lambda name: (len(name), name), default=None)


def _fewest_slips(word: str, candidates: set[str], limit: int | None) -> tuple[int, str | None]:
    """The candidate with the fewest slips and their number."""
    forgiven = max(1, len(word) // 3) if limit is None else limit
    best: tuple[int, bool, str] | None = None
    for least, name in _by_letters(word, candidates, forgiven):
        # Candidates come in the order of the fewest slips possible, so no later one is nearer.
        if least > forgiven:
            break
        slips = distance(word.casefold(), name.casefold(), forgiven)
        if slips is None:
            continue
        # A candidate that is only as near as the best so far is not needed.
        forgiven = min(forgiven, slips)
        ranked = (slips, name[:1] != word[:1], name)
        best = ranked if best is None else min(best, ranked)
    return (best[0], best[2]) if best else (0, None)


def _by_letters(word: str, candidates: set[str], limit: int) -> list[tuple[int, str]]:
    """The candidates with the most letters in common, each after the fewest slips that its letters allow."""
    letters, found = Counter(word.casefold()), []
    for name in candidates:
        if abs(len(name) - len(word)) <= limit:
            others = Counter(name.casefold())
            least = max((others - letters).total(), (letters - others).total())
            if least <= limit:
                found.append((least, name))
    return sorted(found)[:MAX_CANDIDATES]


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
    left, right = _without_common_ends(left, right)
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left):
        before, row = row, _next_row(before, row, i, letter, left[i - 1 : i], right, limit)
        if min(row) > limit and min(before) > limit:
            return None
    return row[-1] if row[-1] <= limit else None


def _without_common_ends(left: str, right: str) -> tuple[str, str]:
    """Two words without the letters with which both begin and with which both end: those need no slip."""
    begin = _equal_letters(left, right)
    left, right = left[begin:], right[begin:]
    end = _equal_letters(left[::-1], right[::-1])
    return left[: len(left) - end], right[: len(right) - end]


def _equal_letters(left: str, right: str) -> int:
    """Count the equal letters with which two words begin."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(left), len(right)))


def _next_row(
    before: list[int], row: list[int], i: int, letter: str, previous: str, right: str, limit: int
) -> list[int]:
    """The slips between the beginnings of two words; only the band of cells that can be within the limit is filled."""
    result = [i + 1, *[limit + 1] * len(right)]
    for j in range(max(0, i - limit), min(len(right), i + limit + 1)):
        other = right[j]
        cost = min(row[j] + (letter != other), row[j + 1] + 1, result[j] + 1)
        if previous and j and letter == right[j - 1] and previous == other:
            cost = min(cost, before[j - 1] + 1)
        result[j + 1] = cost
    return result
