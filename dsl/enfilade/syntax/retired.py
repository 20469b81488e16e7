"""Forms that the language had once, and what is written instead.

``enfilade fmt --upgrade`` rewrites them, and the message about an old text proposes the same edit. A form is known by
its line alone. Nothing but this table knows of it.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.syntax.trivia import scan_lines


@frozen
class Retired:
    """A form that went: the pattern of its line, and the new line with the groups of the pattern."""

    pattern: re.Pattern[str]
    instead: str


RETIRED: Final = (
    Retired(re.compile(r"only[ \t]+one[ \t]+of,?[ \t]+the[ \t]+(first|highest|lowest)\b(.*)"), r"only the \1\2"),
)


def new_form(line: str) -> str | None:
    """What is written now instead of a line, without its indentation; ``None`` if the line is no retired form."""
    return next((each.pattern.sub(each.instead, line) for each in RETIRED if each.pattern.fullmatch(line)), None)


def upgraded(text: str) -> str:
    """Write a text in the forms of today."""
    for line in reversed(list(scan_lines(text))):
        code = new_form(line.code)
        if code is not None:
            at = text.index(line.code, line.start)
            text = text[:at] + code + text[at + len(line.code) :]
    return text
