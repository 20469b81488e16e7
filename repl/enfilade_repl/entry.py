"""Finds the first word of an entry, and the types of the facts that may follow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from enfilade import AmbiguousEntry, Ruleset
from enfilade import EntryError as EntryError
from enfilade.types import Type

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_VARIED: Final = re.compile(r"((option|define|choice|player) +)?[A-Za-z_][A-Za-z0-9_]*(\.\w+)*")


def first_word(text: str) -> tuple[str, str]:
    """Split a text into the name that it begins with and the rest.

    Examples:
        >>> first_word("fire_value 16"), first_word("night"), first_word("+ 2")
        (('fire_value', '16'), ('night', ''), ('', '+ 2'))
    """
    found = _NAME.match(text)
    return (found[0], text[found.end() :].strip()) if found else ("", text.strip())


def either(text: str, meanings: str, first: str, second: str) -> AmbiguousEntry:
    """The error for an entry with two meanings.

    Args:
        text: The entry.
        meanings: Both meanings, as the end of a sentence that begins with what the entry may do.
        first: The entry for the first of them, which has no other meaning.
        second: The entry for the second.
    """
    return AmbiguousEntry(f"`{text}` may {meanings}", f"write `{first}` or `{second}`", (first, second), text)


def with_name(text: str, names: Iterable[str]) -> str:
    """A text whose first words are a name in another case, or with blanks or hyphens, with that name as it is written.

    Examples:
        >>> with_name("Direct fire 16", ["direct_fire"]), with_name("direct-fire", ["direct_fire"])
        ('direct_fire 16', 'direct_fire')
    """
    for name in sorted(names, key=len, reverse=True):
        found = re.match("[ _-]+".join(map(re.escape, name.split("_"))) + r"(?![\w-])", text, re.IGNORECASE)
        if (found is not None and "_" in name.strip("_")) or (found is not None and found[0] == name):
            return name + text[found.end() :]
    return text


def with_quotes(text: str, names: Iterable[str]) -> str:
    """An entry with quotes around the names of pieces that consist of several words.

    Examples:
        >>> with_quotes("volley at Old Guard, 3 inches", ["Old Guard", "gun"])
        'volley at "Old Guard", 3 inches'
        >>> with_quotes('drop "Old Guard"', ["Old Guard"])
        'drop "Old Guard"'
    """
    of_words = sorted((name for name in names if " " in name), key=len, reverse=True)
    if not of_words:
        return text
    either = "|".join(re.escape(name) for name in of_words)
    return re.sub(rf'"[^"]*"|(?<!\w)({either})(?!\w)', lambda found: f'"{found[1]}"' if found[1] else found[0], text)


def varied_name(text: str) -> tuple[str, str]:
    """Split a text into the name of what is varied and its values.

    Examples:
        >>> varied_name("gun.steps 1..4"), varied_name("option fog"), varied_name("night")
        (('gun.steps', '1..4'), ('option fog', ''), ('night', ''))
    """
    found = _VARIED.match(text)
    return (found[0], text[found.end() :].strip()) if found else ("", text.strip())


def types_of(rules: Ruleset, name: str) -> dict[str, Type]:
    """The types of the facts that a procedure or an event takes, by name."""
    return {fact: field.domain for fact, field in rules.inputs(name).items()}
