"""Source texts, and spans, by which every later stage refers to a part of a text.

This module does not interpret texts or search for files: the caller passes the path.
"""

import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self, TypeAlias

from attrs import field, frozen

from enfilade.door import with_late_doors
from enfilade.errors import ArgumentError, EnfiladeError
from enfilade.limits import in_force

_LINE_END = re.compile(r"\r\n|\r|\n")
_BOM = "\ufeff"

Text: TypeAlias = str
"""A text of rules: how long it may be is a limit of the ruleset, and one that is longer has a diagnostic."""


@with_late_doors
@frozen(eq=False)
class SourceFile:
    """One text to be analysed. Sources are compared by identity.

    Attributes:
        name: The name in messages: a path, or ``<text>``.
        text: The text without its byte order mark.
        path: The file, or ``None`` for a text from memory.

    Examples:
        >>> source = SourceFile("charts.rules", "facts\\n  night  yes/no\\n")
        >>> source.line_column(8)
        (2, 3)
        >>> source.line_text(2)
        '  night  yes/no'
    """

    name: str
    text: str = field(repr=False)
    path: Path | None = None

    @classmethod
    def from_text(cls, text: Text, name: str = "<text>") -> Self:
        """Make a source from a text in memory, without its byte order mark.

        Args:
            text: The ruleset text.
            name: What to show a reader.

        Returns:
            The source.

        Raises:
            SourceError: The text is larger than the limit, in UTF-8.
        """
        _check_size(len(text.encode("utf-8", "surrogatepass")), name)
        return cls(name, text.removeprefix(_BOM))

    @classmethod
    def from_bytes(cls, content: bytes, name: str = "<bytes>", path: Path | None = None) -> Self:
        """Decode the content of a file.

        Args:
            content: The bytes, in UTF-8 with or without a byte order mark.
            name: What to show a reader.
            path: The file that the bytes come from, if any.

        Returns:
            The source.

        Raises:
            SourceError: The bytes are too many, or are not UTF-8.
        """
        _check_size(len(content), name)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _not_utf8(content, error.start, name, path) from error
        return cls(name, text.removeprefix(_BOM), path)

    @classmethod
    def from_path(cls, path: Path) -> Self:
        """Read a file.

        Args:
            path: The file.

        Returns:
            The source, named as *path* is written.

        Raises:
            SourceError: The file is too large, or is not UTF-8.
            OSError: The file can't be read.
        """
        with path.open("rb") as stream:
            # One byte over the limit is enough to tell that a file is too large.
            content = stream.read(in_force().text + 1)
        return cls.from_bytes(content, str(path), path)

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(end.end() for end in _LINE_END.finditer(self.text)))

    @property
    def line_count(self) -> int:
        """The number of lines; a line end at the end of the text starts another, empty line."""
        return len(self._line_starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Convert an offset to line and column.

        Args:
            offset: An offset from 0 to the length of the text.

        Returns:
            Line and column, both counted from 1, columns in characters.

        Raises:
            ArgumentError: *offset* is not in the text.
        """
        if not 0 <= offset <= len(self.text):
            raise ArgumentError(f"offset {offset} is outside a text of {len(self.text)} characters")
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """Give the text of a line, without its line end.

        Args:
            line: The line, counted from 1.

        Returns:
            Its characters.

        Raises:
            ArgumentError: There is no such line.
        """
        return self.line_span(line).text

    def line_span(self, line: int) -> "Span":
        """Give the span of a line, without its line end.

        Args:
            line: The line, counted from 1.

        Returns:
            The span of its characters.

        Raises:
            ArgumentError: There is no such line.
        """
        if not 1 <= line <= self.line_count:
            raise ArgumentError(f"line {line} is outside a text of {self.line_count} lines")
        start = self._line_starts[line - 1]
        found = _LINE_END.search(self.text, start)
        return Span(self, start, found.start() if found else len(self.text))

    def span(self, start: int, end: int) -> "Span":
        """Make a span of this text.

        Args:
            start: The first character.
            end: The place after the last character.

        Returns:
            The span.
        """
        return Span(self, start, end)


@with_late_doors
class Span(NamedTuple):
    """A range of characters of one text; an empty span marks the place of missing text.

    Examples:
        >>> row = SourceFile("a.rules", "| 7 | M2 |").span(0, 10)
        >>> row.at(6, 8).text
        'M2'
    """

    source: SourceFile
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """The number of the line in which it begins, from 1."""
        return self.source.line_column(self.start)[0]

    def to(self, other: "Span") -> "Span":
        """Join two spans of one source.

        Args:
            other: The other span, before or after this one.

        Returns:
            The smallest span that covers both.

        Raises:
            ArgumentError: The spans belong to different sources.
        """
        if other.source is not self.source:
            raise ArgumentError("spans of different sources can't be joined")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def at(self, start: int, end: int) -> "Span":
        """Make a span of a part of this span, such as one cell of a row.

        Args:
            start: The first character, counted from the start of this span.
            end: The place after the last character, counted likewise.

        Returns:
            The part.
        """
        return Span(self.source, self.start + start, self.start + end)


class SourceError(EnfiladeError, ValueError):
    """A text that can't be analysed, because of its size or encoding.

    Attributes:
        code: The diagnostic code, ``not-utf8`` or ``too-large``.
        message: What is wrong, without the place.
        span: The place, in the part of the text that could be decoded.
        byte_offset: The first invalid byte; ``None`` if no single byte is invalid.
    """

    def __init__(self, code: str, message: str, span: Span, byte_offset: int | None = None) -> None:
        """Make the error."""
        super().__init__(f"{span.source.name}: {message}")
        self.code = code
        self.message = message
        self.span = span
        self.byte_offset = byte_offset

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, Span, int | None]]:
        """Make the error picklable, for worker processes."""
        return type(self), (self.code, self.message, self.span, self.byte_offset)


def _check_size(size: int, name: str) -> None:
    if size > in_force().text:
        message = f"the text is larger than the limit of {in_force().text} bytes"
        raise SourceError("too-large", message, SourceFile(name, "").span(0, 0))


def _not_utf8(content: bytes, byte_offset: int, name: str, path: Path | None) -> SourceError:
    before = content[:byte_offset].decode("utf-8")
    readable = before + content[byte_offset:].decode("utf-8", "replace")
    # Columns are counted without the byte order mark, as in a readable file.
    marked = readable.startswith(_BOM)
    start = len(before) - marked
    source = SourceFile(name, readable.removeprefix(_BOM), path)
    message = f"byte {byte_offset} (0x{content[byte_offset]:02X}) is not UTF-8: save the file as UTF-8"
    return SourceError("not-utf8", message, source.span(start, start + 1), byte_offset)
