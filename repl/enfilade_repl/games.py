"""Shipped games as players name them: by name or by title, in any case, with blanks or underscores."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from enfilade.files import shipped_names, shipped_titles
from enfilade.language import only_beginning

_APART: Final = re.compile(r"[\W_]+")


def game_named(text: str) -> str | None:
    """The shipped game whose name, title, or title up to its colon is a text.

    Examples:
        >>> game_named("Fire Combat"), game_named("morne plaine"), game_named("fire")
        ('fire_combat', 'bombardment', None)
    """
    words = _words(text)
    for name, title in shipped_titles().items():
        if words in (_words(name), _words(title), _words(title.partition(":")[0])):
            return name
    return None


def game_meant(text: str) -> str | None:
    """The shipped game that a text names or begins to name, if a file has no such name.

    Examples:
        >>> game_meant("inf"), game_meant("Morne"), game_meant("in")
        ('infantry_attacks', 'bombardment', 'infantry_attacks')
    """
    if Path(text).exists() or Path(f"{text}.rules").exists():
        return None
    return only_beginning(text, shipped_names()) or game_named(text) or _titled(text)


def _titled(text: str) -> str | None:
    titles = {_words(title): name for name, title in shipped_titles().items()}
    begun = only_beginning(_words(text), titles)
    return None if begun is None else titles[begun]


def _words(text: str) -> str:
    return _APART.sub(" ", text).strip().casefold()
