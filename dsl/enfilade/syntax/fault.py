"""The exception for one syntax error, raised inside the parser; error recovery turns it into a diagnostic."""

from __future__ import annotations


class SyntaxFault(Exception):
    """One syntax error.

    Args:
        code: The diagnostic's code.
        message: One sentence.
        start: The offset of its start in the text.
        end: The offset of its end.
        help: Advice on how to correct it.
        instead: The text to write from *start* to *end*, if the correction is certain.
        is_plain: Whether it only says what is not expected.
    """

    def __init__(
        self, code: str, message: str, start: int, end: int, help: str | None = None, instead: str | None = None,
        *, is_plain: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.code = code
        self.message = message
        self.start = start
        self.end = end
        self.help = help
        self.instead = instead
        self.is_plain = is_plain
