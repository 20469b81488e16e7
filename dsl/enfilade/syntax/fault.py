"""The exception for one syntax error, raised inside the parser; error recovery turns it into a diagnostic."""

from __future__ import annotations


class SyntaxFault(Exception):
    """One syntax error.

    Args:
        code: The diagnostic's code.
        message: One sentence.
        start: Where it is, as an offset in the text.
        end: Where it ends.
        help: What to do about it.
    """

    def __init__(self, code: str, message: str, start: int, end: int, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.start = start
        self.end = end
        self.help = help
