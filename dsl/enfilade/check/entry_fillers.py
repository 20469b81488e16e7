"""The words that people put around the facts of an entry: ``it is night``, ``12 men``, ``A vs B``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from enfilade.check.entry_names import Names
from enfilade.check.entry_parts import is_number, name_of
from enfilade.syntax import tree as t

# Before the name of a piece: `at target Guard`.
_TARGETS: Final = frozenset({"target", "targets"})
VERSUS: Final = frozenset({"vs", "versus", "against"})
# Words that people put around facts: `it is night`, `they were in square`, `at night`.
_FILLERS: Final = frozenset(
    {
        "it", "he", "they", "we", "you", "is", "are", "was", "were", "be",
        "the", "at", "in", "with", "of", "from", "for", "by", "against", "under", "behind", "about",
    }
)  # fmt: skip
# What people count after a number: `12 men`, `5 inches`.
_UNITS: Final = frozenset(
    {
        "men",
        "figures",
        "points",
        "pts",
        "sp",
        "sps",
        "hex",
        "hexes",
        "inch",
        "inches",
        "steps",
        "stands",
        "guns",
        "turns",
        "yards",
        "yds",
        "paces",
        "metres",
        "meters",
    }
)


def without_fillers(parts: Sequence[t.EntryPart], names: Names) -> tuple[Sequence[t.EntryPart], dict[int, str]]:
    """The parts without the words around facts, unless such a word is a name or part of a word of this entry.

    Returns:
        The parts that are left, and the unit that was left out after a number, by the place of the number.
    """
    units: dict[int, str] = {}
    if names.keys:
        return parts, units
    types = names.types.values()
    words = {piece for type_ in types for word in names.words(type_) for piece in word.split()}
    known = {*names.types, *words, *names.asked_words, *names.pieces}
    has_sides = bool(names.sides())
    left: list[t.EntryPart] = []
    for at, part in enumerate(parts):
        name, before = name_of(part), parts[at - 1] if at else None
        repeats = at > 1 and is_number(before) and name is not None and name == name_of(parts[at - 2])
        if name in VERSUS - known and (has_sides or _is_piece(parts[at + 1 : at + 2], names)):
            left.append(t.Mark(",", part.span))
        elif at > 1 and name in _UNITS - known and is_number(parts[at - 2]) and name_of(before) is not None:
            # `6 strength points`
            continue
        elif repeats or (name is not None and is_number(before) and _is_unit(name, known, names)):
            assert before is not None
            units[before.span.start] = name or ""
        elif name in _TARGETS - known and names.fact(name) is None and _is_piece(parts[at + 1 : at + 2], names):
            continue
        elif name in known or not (name in _FILLERS or _describes(name, before, names)):
            left.append(part)
    return tuple(left) or parts, units


def _is_piece(parts: Sequence[t.EntryPart], names: Names) -> bool:
    """Whether some parts begin with the name of a record, known or new."""
    if not parts or not isinstance(parts[0], t.Value):
        return False
    return str(parts[0].scalar) in names.pieces or names.is_new(parts[0])


def _describes(name: str | None, before: t.EntryPart | None, names: Names) -> bool:
    """Whether a word only names the kind of value that the word before it is: ``cover`` in ``light cover``."""
    value = name_of(before)
    return name is not None and value is not None and names.fact(name) is None and names.labelled(name, value)


def _is_unit(name: str, known: Collection[str], names: Names) -> bool:
    """Whether a word after a number only says what is counted: ``12 men``, ``3 lives`` for the fact ``lives``."""
    if name in known or (names.fact(name) is not None and name != names.asked):
        return False
    return name.casefold() in _UNITS or bool(names.counted_in(name))
