"""Diagnostics as data: one mistake in a text, with its place.

For every stage that finds mistakes, and for hosts that show them in their own way. It must not word any message and
must not print: each check words its own messages, and `render` lays them out.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, TypeAlias

from attrs import field, frozen

from enfilade.door import with_doors
from enfilade.source.text import SourceFile, Span

Json: TypeAlias = str | int | list["Json"] | dict[str, "Json"] | None
SortKey: TypeAlias = tuple[str, int, int, str, str, str]


class Severity(Enum):
    """The severity of a diagnostic: an error prevents a run, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@frozen
class Label:
    """A remark on a place; one on the diagnostic's own span is shown beside its carets."""

    span: Span
    message: str


@frozen
class Edit:
    """One replacement in a text; an empty span inserts, an empty text deletes."""

    span: Span
    text: str


def edited(source: SourceFile, edits: Iterable[Edit]) -> str:
    """The text of a source with those of some edits made that are for a source of its name."""
    text = source.text
    for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
        if edit.span.source.name == source.name:
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@frozen
class Fix:
    """A change that would remove the mistake, if the author agrees.

    Attributes:
        message: The change, in the imperative: ``replace U+041C by M``.
        edits: The replacements; they do not overlap.
    """

    message: str
    edits: tuple[Edit, ...]


BLOCK: Final = "block"
"""What a name lacks that only a block above knows, in `Subject.missing`."""


@frozen
class Subject:
    """The names that a diagnostic is about: how a follow-up mistake is linked to its cause. Never shown.

    Attributes:
        names: The names that are unknown, or missing.
        guess: The known name that the author probably meant, if one is near.
        missing: What kind of thing the unknown name should be, as in the message.
    """

    names: tuple[str, ...]
    guess: str | None = None
    missing: str = ""


@with_doors
@frozen
class Diagnostic:
    """One mistake, with its place.

    Attributes:
        code: The stable name of the kind of mistake, as in ``pages.CODES``.
        message: What is wrong; understandable without the rest.
        span: Where it is wrong.
        severity: Whether it prevents a run.
        labels: Remarks on this and other places.
        helps: What the author can do, one sentence each.
        fix: A change that can be made by machine, if there is one.
        about: The names that it is about, for the filter of follow-up mistakes; no part of any output.
        is_plain: Whether it only says what the grammar has not; advice may say what was meant. No part of any output.
    """

    code: str
    message: str
    span: Span
    severity: Severity = Severity.ERROR
    labels: tuple[Label, ...] = ()
    helps: tuple[str, ...] = ()
    fix: Fix | None = None
    about: Subject | None = field(default=None, eq=False, repr=False)
    is_plain: bool = field(default=False, eq=False, repr=False)

    @property
    def sort_key(self) -> SortKey:
        """The order of reports: by file and place, then by code."""
        return (self.span.source.name, *self.span[1:], self.severity.value, self.code, self.message)

    def to_json(self) -> dict[str, Json]:
        """Convert the diagnostic to plain values, for programs.

        Returns:
            The place (lines and columns from 1, the end exclusive), ``code``, ``severity``, ``message``,
            ``help`` (a list), ``labels`` (a list) and ``fix`` (or ``None``).

        Examples:
            >>> from enfilade.source.text import SourceFile
            >>> span = SourceFile("a.rules", "nihgt").span(0, 5)
            >>> found = Diagnostic("unknown-name", "there is no nihgt", span).to_json()
            >>> found["file"], found["line"], found["end_column"]
            ('a.rules', 1, 6)
        """
        return {
            **_place(self.span),
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "help": list(self.helps),
            "labels": [{**_place(label.span), "message": label.message} for label in self.labels],
            "fix": _fix_to_json(self.fix),
        }


def _place(span: Span) -> Mapping[str, Json]:
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _fix_to_json(fix: Fix | None) -> Json:
    if fix is None:
        return None
    edits: list[Json] = [{**_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"message": fix.message, "edits": edits}
