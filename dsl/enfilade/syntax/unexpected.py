"""A token that does not fit, with what stands around it: what messages are made from."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.syntax.tables import stored_tables

# The fixed words by the names of their terminals.
WORDS: Final = {
    str(entry[0]): str(entry[2]) for entry in stored_tables().terminals if entry[1] and str(entry[2]).isalpha()
}
KEYWORDS: Final = frozenset(WORDS.values()) | {"required", "yes", "no"}

_FIRST = re.compile(r"[ \t]*(?:[0-9]+\.[ \t]+)?(\S+)")


@frozen
class Unexpected:
    """Where a text stopped making sense.

    Attributes:
        text: The whole text.
        origin: Where the declaration begins.
        word: What was found.
        type: Its terminal, or ``""`` where no token begins.
        start: Its place.
        end: Where it ends.
        expected: The terminals that would fit.
    """

    text: str
    origin: int
    word: str
    type: str
    start: int
    end: int
    expected: set[str]

    @property
    def ends_line(self) -> bool:
        """Whether it is the end of a line, of a block or of the text."""
        return self.type in ("_NL", "$END", "_DEDENT", "_ROW_NL", "_TAB_NL")

    @property
    def begins_line(self) -> bool:
        """Whether only blanks stand before it."""
        return not self.before.strip()

    @property
    def before(self) -> str:
        """What stands on the line before it."""
        line_end = max(self.text.rfind("\n", 0, self.start), self.text.rfind("\r", 0, self.start))
        return self.text[line_end + 1 : self.start]

    @property
    def after(self) -> str:
        """What stands on the line from it on."""
        return re.split(r"[\r\n]", self.text[self.start : self.start + 200], maxsplit=1)[0]

    @property
    def first_word(self) -> tuple[str, int]:
        """The first word of the line, after a step's number, and its place."""
        line = self.before + self.after
        match = _FIRST.match(line)
        at = self.start - len(self.before)
        return (match[1], at + match.start(1)) if match else ("", at)

    @property
    def declaration(self) -> str:
        """The keyword of the declaration."""
        return re.split(r"\W", self.text[self.origin : self.origin + 40], maxsplit=1)[0]
