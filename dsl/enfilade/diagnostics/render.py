"""Rendering of diagnostics: text with carets for a terminal, annotations for a code review.

The only place that lays out a diagnostic. It must not decide what is wrong, and it must not let a control
character of a source, a message or a file name through.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from attrs import frozen

from enfilade.diagnostics.columns import WINDOW, Cell, Window, cells_of, visible, window_around
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.door import door
from enfilade.source.text import SourceFile, Span

_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_LEAST_ROOM: Final = 20
_FRAME: Final = "\x1b[1;34m"
_SEVERITY_COLOURS: Final = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m"}


@frozen
class _Paint:
    """Colours, or none."""

    severity: str = ""
    bold: str = ""
    frame: str = ""
    reset: str = ""

    @classmethod
    def for_severity(cls, severity: Severity, *, color: bool) -> "_Paint":
        return cls(_SEVERITY_COLOURS[severity], _BOLD, _FRAME, _RESET) if color else cls()

    def frames(self, text: str) -> str:
        return f"{self.frame}{text}{self.reset}"


@frozen
class _Mark:
    """Carets below one line; `first` and `last` are terminal columns of the whole line."""

    first: int
    last: int
    sign: str
    message: str

    def is_within(self, window: Window) -> bool:
        return window.first <= self.first <= window.last


@frozen
class _Line:
    """One source line that is shown, with its marks."""

    source: SourceFile
    number: int
    marks: tuple[_Mark, ...]


@door
def render_text(diag: Diagnostic, *, color: bool = False, width: int | None = None) -> str:
    """Lay out a diagnostic with its source line and carets.

    Args:
        diag: The diagnostic.
        color: Whether to use the colours of a terminal.
        width: The width of the terminal, into which source lines are cut; ``None`` for up to 100 columns of source.

    Returns:
        The lines, without a final line end.

    Examples:
        >>> source = SourceFile("a.rules", "facts\\n  nihgt  yes/no\\n")
        >>> span = source.span(8, 13)
        >>> helps = ("did you mean `night`?",)
        >>> print(render_text(Diagnostic("unknown-name", "there is no fact nihgt", span, helps=helps)))
        error[unknown-name]: there is no fact nihgt
         --> a.rules:2:3
        2 |   nihgt  yes/no
          |   ^^^^^
          = help: did you mean `night`?
    """
    paint = _Paint.for_severity(diag.severity, color=color)
    shown = _lines_of(diag)
    gutter = len(str(max(line.number for line in shown)))
    room = WINDOW if width is None else max(min(width - gutter - len(" | "), WINDOW), _LEAST_ROOM)
    return "\n".join(
        [
            _heading(diag, paint),
            f"{' ' * gutter}{paint.frames('-->')} {_place(diag.span)}",
            *_snippets(shown, diag.span.source, gutter, room, paint),
            *_helps(diag, gutter, paint),
        ]
    )


def _heading(diag: Diagnostic, paint: _Paint) -> str:
    what = f"{diag.severity.value}[{visible(diag.code)}]"
    return f"{paint.severity}{what}{paint.reset}{paint.bold}: {visible(diag.message)}{paint.reset}"


def _place(span: Span) -> str:
    line, column = span.source.line_column(span.start)
    return f"{visible(span.source.name)}:{line}:{column}"


def _helps(diag: Diagnostic, gutter: int, paint: _Paint) -> Iterator[str]:
    for text in diag.helps:
        first, *others = text.splitlines() or [""]
        yield f"{' ' * gutter} {paint.frames('=')} {paint.bold}help{paint.reset}: {visible(first)}"
        yield from (f"{' ' * gutter}         {visible(other)}" for other in others)


def _lines_of(diag: Diagnostic) -> list[_Line]:
    """Gather the marks by line: the diagnostic's own line first, then the others in order."""
    own = [label.message for label in diag.labels if label.span == diag.span]
    others = [label for label in diag.labels if label.span != diag.span]
    marked = [(_line_of(diag.span), _mark(diag.span, "^", "; ".join(own)))]
    marked += [(_line_of(label.span), _mark(label.span, "-", label.message)) for label in others]
    main, first = marked[0][0]
    marked.sort(key=lambda pair: _distance(pair[0], main, first))
    return [
        _Line(source, number, tuple(mark for _, mark in group))
        for (source, number), group in groupby(marked, key=lambda pair: pair[0])
    ]


def _distance(line: tuple[SourceFile, int], main: SourceFile, first: int) -> tuple[bool, bool, str, int]:
    source, number = line
    return (source is not main or number != first, source is not main, source.name, number)


def _line_of(span: Span) -> tuple[SourceFile, int]:
    return span.source, span.line


def _mark(span: Span, sign: str, message: str) -> _Mark:
    number, column = span.source.line_column(span.start)
    line = span.source.line_span(number)
    cells = cells_of(line.text)
    first = _column_at(cells, column - 1)
    # A span over several lines is marked up to the end of its first line.
    last = _column_at(cells, min(span.end, line.end) - line.start)
    return _Mark(first, max(last, first + 1), sign, message)


def _column_at(cells: tuple[Cell, ...], index: int) -> int:
    if index < len(cells):
        return cells[index].column
    return cells[-1].end if cells else 0


def _snippets(lines: list[_Line], main: SourceFile, gutter: int, room: int, paint: _Paint) -> Iterator[str]:
    shown = main
    for line in lines:
        if line.source is not shown:
            yield f"{' ' * gutter}{paint.frames(':::')} {visible(line.source.name)}:{line.number}"
            shown = line.source
        yield from _snippet(line, gutter, room, paint)


def _snippet(line: _Line, gutter: int, room: int, paint: _Paint) -> Iterator[str]:
    cells = cells_of(line.source.line_text(line.number))
    window: Window | None = None
    for mark in line.marks:
        if window is None or not mark.is_within(window):
            window = window_around(cells, mark.first, mark.last, room)
            yield f"{paint.frames(f'{line.number:>{gutter}} |')} {window.text}".rstrip()
        yield f"{paint.frames(' ' * gutter + ' |')} {_carets(mark, window, paint)}"


def _carets(mark: _Mark, window: Window, paint: _Paint) -> str:
    count = max(1, min(mark.last, window.last) - mark.first)
    colour = paint.severity if mark.sign == "^" else paint.frame
    message = f" {visible(mark.message)}" if mark.message else ""
    return f"{' ' * (mark.first - window.shift)}{colour}{mark.sign * count}{message}{paint.reset}"


@door
def render_annotation(diag: Diagnostic) -> str:
    """Format a diagnostic as a GitHub workflow command, which GitHub shows beside the changed line.

    Args:
        diag: The diagnostic.

    Returns:
        One line.

    Examples:
        >>> span = SourceFile("a.rules", "nihgt").span(0, 5)
        >>> render_annotation(Diagnostic("unknown-name", "there is no nihgt", span))
        '::error file=a.rules,line=1,col=1,endColumn=6,title=unknown-name::there is no nihgt'
    """
    line, column = diag.span.source.line_column(diag.span.start)
    end_line, end_column = diag.span.source.line_column(diag.span.end)
    # GitHub accepts columns only for a place on a single line.
    end = f"endColumn={end_column}" if line == end_line else f"endLine={end_line}"
    name = _escape_property(diag.span.source.name)
    title = _escape_property(diag.code)
    text = "%0A".join(_escape(part) for part in (diag.message, *(f"help: {text}" for text in diag.helps)))
    return f"::{diag.severity.value} file={name},line={line},col={column},{end},title={title}::{text}"


def _escape(text: str) -> str:
    return "%0A".join(visible(line).replace("%", "%25") for line in text.splitlines())


def _escape_property(text: str) -> str:
    return visible(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
