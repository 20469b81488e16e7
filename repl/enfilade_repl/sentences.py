"""Sentences: gives the messages of the library, which begin with a small letter, their capitals and full stops."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_PARTS: Final = re.compile(r"; (?=(?:[^`]*`[^`]*`)*[^`]*\Z)")
_WORD: Final = re.compile(r"[a-z][\w'.\[]*")
_ENDS: Final = (".", "!", "?", ":", "...")


def sentences(text: str, names: Collection[str] = ()) -> str:
    """Write a message as sentences: each part between semicolons becomes one.

    Args:
        text: The message.
        names: The names of the rules: a sentence that begins with one keeps its small letter.

    Examples:
        >>> sentences("there is no fact nihgt; did you mean night?")
        'There is no fact nihgt. Did you mean night?'
        >>> sentences("companies is 3; allowed: 0 to 2", ["companies"])
        'companies is 3. Allowed: 0 to 2.'
    """
    return " ".join(_sentence(part, names) for part in _PARTS.split(text) if part)


def _sentence(text: str, names: Collection[str]) -> str:
    word = _WORD.match(text)
    is_word = word is not None and word[0].replace("'", "").isalpha() and word[0] not in names
    capital = text[0].upper() + text[1:] if is_word else text
    return capital if capital.endswith(_ENDS) else f"{capital}."
