"""An unexpected token with its context, used to word syntax error messages."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.syntax.phrases import options

# The keywords and phrases, by the names of their terminals.
WORDS: Final = {
    name: words for name, texts in options().items()
    if name != "D_OF" and (words := tuple(text.removeprefix(", ") for text in texts.values() if text[-1].isalpha()))
}  # fmt: skip
MARKS: Final = {
    name: marks
    for name, texts in options().items()
    if (marks := tuple(text for text in texts.values() if not text[-1].isalpha()))
}
KEYWORDS: Final = frozenset(
    word for words in WORDS.values() for text in words for word in text.split() if word.isalpha()
)

_FIRST = re.compile(r"[ \t]*(?:[0-9]+\.[ \t]+)?(\S+)")


@frozen
class Unexpected:
    """A token that the parser did not expect.

    Attributes:
        text: The whole text.
        origin: The offset of the declaration that contains the token.
        word: The text of the token.
        type: Its terminal, or ``""`` if no terminal matches here.
        start: The offset of its first character.
        end: The offset after its last character.
        expected: The terminals that the parser would accept.
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
        """Whether the token is the end of a line, of a block or of the text."""
        return self.type in ("_NL", "$END", "_DEDENT", "_ROW_NL", "_TAB_NL")

    @property
    def begins_line(self) -> bool:
        """Whether it is the first token of its line."""
        return not self.before.strip()

    @property
    def before(self) -> str:
        """The part of its line before the token."""
        line_end = max(self.text.rfind("\n", 0, self.start), self.text.rfind("\r", 0, self.start))
        return self.text[line_end + 1 : self.start]

    @property
    def after(self) -> str:
        """The part of its line from the token on, at most 200 characters."""
        return re.split(r"[\r\n]", self.text[self.start : self.start + 200], maxsplit=1)[0]

    @property
    def first_word(self) -> tuple[str, int]:
        """The first word of its line, after any step number, and its offset."""
        line = self.before + self.after
        match = _FIRST.match(line)
        at = self.start - len(self.before)
        return (match[1], at + match.start(1)) if match else ("", at)

    @property
    def declaration(self) -> str:
        """The keyword of the declaration that contains the token."""
        return re.split(r"\W", self.text[self.origin : self.origin + 40], maxsplit=1)[0]
