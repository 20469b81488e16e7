"""The parser's entry point: a whole text to a syntax tree, with all syntax errors as diagnostics.

Checks here concern the whole text: its size, control characters, look-alike letters. ``error_recovery`` parses the
declarations.
"""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix
from enfilade.limits import in_force
from enfilade.source.confusables import LookAlike, fold, forbidden, protected_ranges
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.build import CURRENT
from enfilade.syntax.error_recovery import MAX_FAULTS, Lost, RecoveringParser
from enfilade.syntax.grammar import bare_parser as bare_parser
from enfilade.syntax.tree import Module

MAX_FINDINGS: Final = 1_000


@frozen
class Parsed:
    """The result of parsing one text.

    Attributes:
        module: The declarations that could be parsed.
        diagnostics: The syntax errors, in the order of the text.
        lost: The declarations that could not be parsed, or only in part.
    """

    module: Module
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    lost: tuple[Lost, ...] = field(default=())


def parse_module(source: SourceFile) -> Parsed:
    """Parse a whole text.

    Args:
        source: The text.

    Returns:
        The tree of everything that could be parsed, and a diagnostic for each error. A look-alike letter is reported
        and read as the letter that it looks like.
    """
    refused = _too_large(source) or _forbidden(source)
    if refused:
        return Parsed(Module(()), refused, (Lost(Span(source, 0, len(source.text))),))
    text, found = _folded(source)
    # A last line without a line feed is read like every other line, so it has the same errors.
    reader = RecoveringParser(source, text if text.endswith(("\n", "\r")) else f"{text}\n")
    token = CURRENT.set(source)
    try:
        declarations = reader.read_all()
    finally:
        CURRENT.reset(token)
    ordered = sorted([*found, *reader.diagnostics], key=lambda d: d.span.start)
    return Parsed(Module(tuple(declarations)), tuple(ordered), tuple(reader.lost))


def _too_large(source: SourceFile) -> tuple[Diagnostic, ...]:
    text, most = source.text, in_force().text
    # A character takes at most four bytes, so a short text need not be encoded to be measured.
    if 4 * len(text) <= most or len(text.encode("utf-8", "surrogatepass")) <= most:
        return ()
    message = f"the text is larger than the limit of {most} bytes"
    return (
        Diagnostic("too-large", message, Span(source, 0, 0), helps=("split the file, and let one file `use` another",)),
    )


def _forbidden(source: SourceFile) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic("control-character", f"the character U+{ord(char):04X} is not allowed in a ruleset",
                   Span(source, at, at + 1), helps=("delete it",))
        for at, char in forbidden(source.text)[:MAX_FAULTS]
    )  # fmt: skip


def _folded(source: SourceFile) -> tuple[str, list[Diagnostic]]:
    if source.text.isascii():
        return source.text, []
    text, findings = fold(source.text, protected_ranges(source.text))
    left = len(findings) - MAX_FINDINGS
    more = (f"{left} more such characters follow",) if left > 0 else ()
    shown = findings[:MAX_FINDINGS]
    return text, [_look_alike(source, finding, more if finding is shown[-1] else ()) for finding in shown]


def _look_alike(source: SourceFile, finding: LookAlike, more: tuple[str, ...]) -> Diagnostic:
    span = Span(source, finding.offset, finding.offset + 1)
    message = f"{finding.code_point} only looks like `{finding.meant}` (U+{ord(finding.meant):04X})"
    fix = Fix(f"replace it with `{finding.meant}`", (Edit(span, finding.meant),))
    return Diagnostic("look-alike", message, span, fix=fix,
                      helps=(fix.message + ", or run `enfilade fmt --fix`", *more))  # fmt: skip
