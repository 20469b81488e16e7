"""Panic-mode error recovery: the parser continues after a syntax error, so one run reports every error once.

The text is split into its top-level declarations, and each is parsed alone. If a line can't be parsed, it is replaced
by blanks, together with the lines indented below it, and its declaration is parsed again. Errors that exist only
because a line was blanked are not reported.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from attrs import frozen
from lark import TextSlice
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix
from enfilade.limits import check_time
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.bare_rows import bare_row, is_bare_row
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.grammar import DECLARATION
from enfilade.syntax.indentation import BETWEEN_BLOCKS, width_of
from enfilade.syntax.stored_parser import StoredParser, is_current
from enfilade.syntax.syntax_messages import DECLARATIONS, describe_unexpected, unknown_declaration
from enfilade.syntax.tables import stored_tables
from enfilade.syntax.tree import Declaration
from enfilade.syntax.unexpected import Unexpected

MAX_FAULTS: Final = 100
MAX_LINE: Final = 10_000
# The limit on characters parsed again, in total, to find further errors: about half a second of work.
MAX_REREAD: Final = 200_000

_HEAD = re.compile(r"(?<![^\r\n])(?=[^\s|])(?!--(?:\s|\Z))")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LINE = re.compile(r"[^\r\n]*")
# Terminals that match whatever no other terminal matches, to the end of the line.
_GREEDY: Final = {"TAB_TEXT", "ROW_TEXT", "CODE"}
_PIECE = re.compile(r"\w+|.", re.DOTALL)
# The first word of a line, except in blank lines and comments.
_CONTENT = re.compile(r"(?<![^\r\n])[ \t]*(?!--(?:\s|\Z))([^\s]+)")
_NOT_A_LINE_END = re.compile(r"[^\r\n]")


@cache
def shared_parser() -> StoredParser:
    """The parser of all start symbols, made on first use."""
    tables = stored_tables()
    if is_current(tables):
        return StoredParser(tables)
    from enfilade.syntax.generate import generate_tables  # takes half a second, and nobody who has installed a release

    return StoredParser(generate_tables())


def declaration_starts(text: str) -> list[int]:
    """The offsets of the top-level declarations; pasted rows at the left margin belong to the chart above them."""
    starts: list[int] = []
    in_chart = False
    for match in _HEAD.finditer(text):
        at = match.start()
        word = _WORD.match(text, at)
        known = word is not None and word.group() in DECLARATIONS
        if in_chart and not known and "\t" in text[at : _line_end(text, at)]:
            continue
        starts.append(at)
        in_chart = word is not None and word.group() in ("chart", "replace")
    return starts


@frozen
class Lost:
    """The unparsed lines of one declaration, some or all of them.

    Attributes:
        span: The whole declaration.
        names: The names on the unparsed lines.
        lines: The offset of each unparsed line.
    """

    span: Span
    names: frozenset[str] = frozenset()
    lines: tuple[int, ...] = ()


class RecoveringParser:
    """Parses the declarations of one text, recovering from errors; used for one call."""

    def __init__(self, source: SourceFile, text: str) -> None:
        self.source = source
        self.text = text
        self.diagnostics: list[Diagnostic] = []
        self.lost: list[Lost] = []
        self.to_reread = MAX_REREAD
        self.has_long_lines = any(len(line) > MAX_LINE for line in text.splitlines())

    def read_all(self) -> list[Declaration]:
        """Parse the declarations that can be parsed; the errors go to ``diagnostics``."""
        declarations = []
        starts = declaration_starts(self.text)
        self._check_beginning(starts[0] if starts else len(self.text))
        for start, end in zip(starts, [*starts[1:], len(self.text)], strict=False):
            check_time()
            if len(self.diagnostics) >= MAX_FAULTS:
                self._lose(start, len(self.text))
                break
            declaration = self._read(start, end)
            if declaration is None:
                self._lose(start, end)
            else:
                declarations.append(declaration)
        return declarations

    def _check_beginning(self, end: int) -> None:
        """Report content above the first declaration, which belongs to no declaration."""
        match = _CONTENT.search(self.text, 0, end)
        if match is not None:
            self._report(_orphan(match))

    def _read(self, start: int, end: int) -> Declaration | None:
        word = _WORD.match(self.text, start)
        if word is None or word.group() not in DECLARATIONS:
            self._unknown(start)
            return None
        text = self.text
        first_line = _line_end(text, start)
        misplaced: set[int] = set()
        has_bare_rows = False
        while len(self.diagnostics) < MAX_FAULTS and self.to_reread >= 0:
            fault = self._attempt(text, start, end)
            if not isinstance(fault, SyntaxFault):
                if text is not self.text:
                    self._lose(start, end, text)
                return fault
            line = _line_start(text, fault.start)
            if word.group() == "chart" and line > first_line and is_bare_row(text, line, fault):
                if not has_bare_rows:
                    self._report(bare_row(text, line, _line_end(text, line)))
                has_bare_rows = True
                text = _blanked(text, line, end)
                self.to_reread -= end - start
                continue
            # If the first line of a block is misplaced, so are the others: report one error for each column.
            if not self._follows(fault, text, line) and not (_is_misplaced(fault) and _indent(text, line) in misplaced):
                self._report(fault)
            if _is_misplaced(fault):
                misplaced.add(_indent(text, line))
            if line <= first_line or not text[line : _line_end(text, line)].strip():
                return None
            text = _blanked(text, line, end)
            self.to_reread -= end - start
        return None

    def _attempt(self, text: str, start: int, end: int) -> Declaration | SyntaxFault:
        try:
            if self.has_long_lines:
                _check_lines(text, start, end)
            declaration: Declaration = shared_parser().parse(TextSlice(text, start, end), DECLARATION)
            return declaration
        except UnexpectedInput as error:
            return _fault(error, text, start, end)
        except SyntaxFault as error:
            return error

    def _lose(self, start: int, end: int, left: str | None = None) -> None:
        """Record the lines blanked in *left*, the text that was finally parsed, or all lines if nothing was parsed."""
        lines, names, at = [], set(), start
        while at < end:
            stop = min(_line_end(self.text, at), end)
            if self.text[at:stop].strip() and (left is None or not left[at:stop].strip()):
                lines.append(at)
                names.update(_WORD.findall(self.text, at, stop))
            at = _next_line(self.text, at)
        whole = Span(self.source, start, min(end, len(self.source.text)))
        self.lost.append(Lost(whole, frozenset(names), tuple(lines)))

    def _follows(self, fault: SyntaxFault, text: str, line: int) -> bool:
        """Whether a fault is only a consequence of a line that is already blanked."""
        if text is self.text:
            return False
        if not text[line : _line_end(text, line)].strip():
            return True
        # Faults are found from the top down, so a line above a blanked one was in order before.
        return fault.code in ("missing-block", "unfinished-line") and self._lost_next_line(text, line)

    def _lost_next_line(self, text: str, line: int) -> bool:
        """Whether the lines below a line were blanked."""
        at = _next_line(text, line)
        while at < len(text) and not text[at : _line_end(text, at)].strip():
            if self.text[at : _line_end(text, at)].strip():
                return True
            at = _next_line(text, at)
        return False

    def _unknown(self, start: int) -> None:
        line = Span(self.source, start, _line_end(self.text, start))
        word = _WORD.match(self.text, start)
        span = Span(self.source, start, word.end() if word else start + 1)
        self.diagnostics.append(unknown_declaration(span, self.text[start : line.end]))

    def _report(self, fault: SyntaxFault) -> None:
        end = min(max(fault.end, fault.start + 1), len(self.source.text))
        span = Span(self.source, min(fault.start, end), end)
        helps = (fault.help,) if fault.help else ()
        fix = None if fault.instead is None else Fix(f"write `{fault.instead}`", (Edit(span, fault.instead),))
        self.diagnostics.append(
            Diagnostic(fault.code, fault.message, span, helps=helps, fix=fix, is_plain=fault.is_plain)
        )


def _is_misplaced(fault: SyntaxFault) -> bool:
    return fault.code == "indentation" and fault.message == BETWEEN_BLOCKS


def _orphan(match: re.Match[str]) -> SyntaxFault:
    start, end = match.span(1)
    if match[1].startswith("|"):
        return SyntaxFault("stray-row", "this row belongs to no chart", start, end, "put the row below a `chart` line")
    return SyntaxFault("indentation", "this line is indented, but no block begins above it", start, end,
                       "move the line to the left margin")  # fmt: skip


def _check_lines(text: str, start: int, end: int) -> None:
    while start < end:
        stop = _line_end(text, start)
        if stop - start > MAX_LINE:
            raise SyntaxFault("line-too-long", f"a line may have at most {MAX_LINE} characters", start + MAX_LINE, stop,
                              "split the line, or name parts of it")  # fmt: skip
        start = _next_line(text, start)


def _fault(error: UnexpectedInput, text: str, start: int, end: int) -> SyntaxFault:
    if isinstance(error, UnexpectedToken):
        return _unexpected_token(error, text, start, end)
    position: Any = error.pos_in_stream
    at = position or 0
    allowed = error.allowed if isinstance(error, UnexpectedCharacters) else None
    return describe_unexpected(Unexpected(text, start, text[at : at + 1], "", at, at + 1, set(allowed or ())))


def _unexpected_token(error: UnexpectedToken, text: str, start: int, end: int) -> SyntaxFault:
    token = error.token
    at, stop = token.start_pos or 0, token.end_pos or 0
    word = str(token)
    if token.type == "$END":
        at = stop = len(text[:end].rstrip())
    elif token.type in _GREEDY:
        word = _PIECE.match(word)[0]  # type: ignore[index]  # it matches any character
        stop = at + len(word)
    expected = set(error.accepts or error.expected)
    return describe_unexpected(Unexpected(text, start, word, token.type, at, stop, expected))


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_end(text: str, at: int) -> int:
    return _LINE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too


def _next_line(text: str, at: int) -> int:
    end = _line_end(text, at)
    return end + (2 if text.startswith("\r\n", end) else 1)


def _indent(text: str, line: int) -> int:
    content = text[line : _line_end(text, line)]
    return width_of(content[: len(content) - len(content.lstrip())])


def _blanked(text: str, line: int, end: int) -> str:
    """The text with blanks instead of the line that starts at *line* and of the lines that belong to it."""
    depth = _indent(text, line)
    head = text[line : _line_end(text, line)].split()
    stop = _next_line(text, line)
    while stop < end and _hangs_on(head, depth, text, stop):
        stop = _next_line(text, stop)
    stop = min(stop, end)
    return text[:line] + _NOT_A_LINE_END.sub(" ", text[line:stop]) + text[stop:]


def _hangs_on(head: list[str], depth: int, text: str, line: int) -> bool:
    """Whether a line belongs to a line above it: it is indented more, or is the ``otherwise`` of that line."""
    content = text[line : _line_end(text, line)].strip()
    if not content:
        return True
    if content.startswith("|"):
        return False
    indent = _indent(text, line)
    return indent > depth or (
        indent == depth and head[:1] in (["when"], ["otherwise"]) and content.startswith("otherwise")
    )
