"""The diagnostics that an editor shows while somebody types: a half-typed word brings no new ones and takes none away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from attrs import evolve, frozen

from enfilade import Diagnostic, Severity
from enfilade.editor import Analysis, Span
from enfilade.files import SourceFile


@frozen
class Shown:
    """What an editor shows.

    Attributes:
        source: The text.
        diagnostics: Its diagnostics.
    """

    source: SourceFile
    diagnostics: tuple[Diagnostic, ...]


def while_typing(found: Analysis, shown: Shown, line: int) -> tuple[Diagnostic, ...]:
    """The diagnostics to show before a pause.

    New errors on the line that is being typed wait for the pause, and so do new warnings. Errors may keep warnings
    from being found, so those that are shown stay.

    Args:
        found: The text as it is now.
        shown: What the editor shows.
        line: The line that is being typed, from 1.
    """
    known = {(each.code, each.message) for each in shown.diagnostics}
    own = found.source
    kept = [
        each
        for each in found.diagnostics
        if (each.code, each.message) in known
        or (each.severity is Severity.ERROR and not (each.span.source is own and each.span.line == line))
    ]
    if found.has_errors:
        have = {(each.code, each.message) for each in kept}
        kept += (each for each in moved(shown, own) if (each.code, each.message) not in have)
    return tuple(kept)


def moved(shown: Shown, source: SourceFile) -> Iterator[Diagnostic]:
    """The warnings that are shown, where they stand in the new text; those in changed lines are left out.

    Args:
        shown: What the editor shows.
        source: The new text.
    """
    old, new = (each.text.splitlines(keepends=True) for each in (shown.source, source))
    above = _alike(old, new)
    start = sum(map(len, old[:above]))
    below = min(_alike(old[::-1], new[::-1]), len(old) - above, len(new) - above)
    end = sum(map(len, old[: len(old) - below]))
    longer = len(source.text) - len(shown.source.text)
    for each in shown.diagnostics:
        span = each.span
        if (
            each.severity is Severity.WARNING
            and span.source is shown.source
            and (span.end <= start or span.start >= end)
        ):
            by = longer if span.start >= end else 0
            yield evolve(each, span=Span(source, span.start + by, span.end + by), labels=())


def _alike(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines are the same from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
