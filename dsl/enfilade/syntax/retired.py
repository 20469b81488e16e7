"""Forms that the language had once, and what is written instead.

``enfilade fmt --upgrade`` rewrites them, and the message about an old text proposes the same edit, or says in words what
to write if no edit of the line can do it. A form is known by its line alone. Nothing but this table knows of it.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.syntax.trivia import scan_lines


@frozen
class Retired:
    """A form that went: the pattern of its line, and the new line, or advice, with the groups of the pattern."""

    pattern: re.Pattern[str]
    instead: str
    is_advice: bool = False


RETIRED: Final = (
    Retired(re.compile(r"only[ \t]+one[ \t]+of,?[ \t]+the[ \t]+(first|highest|lowest)\b(.*)"), r"only the \1\2"),
    Retired(
        re.compile(r"column[ \t]+(\S.*?)[ \t]+reads[ \t]+(\"[^\"]*\"|\S+).*"),
        r"print `\1` in the chart too, with the cells of `\2`",
        is_advice=True,
    ),
    Retired(
        re.compile(r"(?:down|across)\b.*,[ \t]*((?:row|column|roll)[ \t]+nearest)\b.*"),
        r"delete `, \1`, and write each label as the band of the values nearest to it, such as `..2` and `3..5`",
        is_advice=True,
    ),
)


def retired_form(line: str) -> Retired | None:
    """The retired form of a line without its indentation, if it has one."""
    return next((each for each in RETIRED if each.pattern.fullmatch(line)), None)


def upgraded(text: str) -> str:
    """Write a text in the forms of today."""
    for line in reversed(list(scan_lines(text))):
        form = retired_form(line.code)
        if form is not None and not form.is_advice:
            at = text.index(line.code, line.start)
            text = text[:at] + form.pattern.sub(form.instead, line.code) + text[at + len(line.code) :]
    return text
