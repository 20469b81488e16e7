"""Text in Markdown."""

from __future__ import annotations

import re
from typing import Final

from enfilade.door import door

_MARKS: Final = re.compile(r"([\\*_`<>]|\](?=[(\[:])|^#)")


@door
def marked_up(text: str) -> str:
    """Escape a line of text, so no character has a meaning of Markdown; brackets stay, but are no links.

    Examples:
        >>> marked_up("fire_roll: 4 [7.5]")
        'fire\\\\_roll: 4 [7.5]'
    """
    return _MARKS.sub(r"\\\1", text)
