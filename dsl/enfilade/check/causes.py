"""One mistake gives one message: what only follows from another mistake is left out.

Most checks see to that themselves, for what is unknown fits everywhere. Here is what needs a view of the whole: a name
that is declared nowhere is reported once, however often it is used, and what seems to be missing is not reported where
lines could not be read. It must not look at declarations: it is given diagnostics only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from enfilade.diagnostics.diagnostic import Diagnostic, Label
from enfilade.syntax.recovery import Lost

MAX_ALSO: Final = 8

# Names that may have been declared on a line that was not read.
_NAMES: Final = {"unknown-name", "unknown-type", "unknown-word", "unknown-code", "wrong-kind", "label"}
# What seems to be missing from the declaration in which it is reported.
_MISSING_HERE: Final = {
    "chart-shape", "code-without-result", "edge-unsaid", "header-gap", "late-refusal", "no-otherwise", "no-severity",
    "nothing-before", "result-without-code", "severity-break", "table-gap", "unused-code", "which-roll",
}  # fmt: skip
# What seems to be missing from the whole.
_MISSING_ANYWHERE: Final = {
    "edge-unreachable", "no-fields", "no-result", "no-results", "unreachable", "which-list", "which-procedure",
}  # fmt: skip
# A name that is declared nowhere is one mistake, whatever it is taken for.
_SAME_NAME: Final = {"unknown-name", "unknown-type", "wrong-kind"}


def without_consequences(
    diagnostics: Iterable[Diagnostic], lost: tuple[Lost, ...], is_whole: bool
) -> tuple[Diagnostic, ...]:
    """Leave out what follows from other mistakes.

    Args:
        diagnostics: All that was found, in the order of the text.
        lost: The declarations of which something could not be read.
        is_whole: Whether all texts were found.

    Returns:
        One diagnostic for each mistake.
    """
    names = frozenset(name for each in lost for name in each.names)
    kept = [d for d in diagnostics if not _follows(d, lost, names, is_whole)]
    return tuple(_once_for_each_name(kept))


def _follows(d: Diagnostic, lost: tuple[Lost, ...], names: frozenset[str], is_whole: bool) -> bool:
    """Whether what was not read may be the reason."""
    if d.code in _NAMES:
        return d.span.text.strip('"') in names or (not is_whole and d.code != "label")
    if d.code in _MISSING_HERE:
        return any(_lies_in(d, each) for each in lost) or (d.code == "code-without-result" and _lost_results(lost))
    return d.code in _MISSING_ANYWHERE and (bool(lost) or not is_whole)


def _lies_in(d: Diagnostic, lost: Lost) -> bool:
    return d.span.source is lost.span.source and lost.span.start <= d.span.start < lost.span.end


def _lost_results(lost: tuple[Lost, ...]) -> bool:
    return any(each.span.text.startswith("results") for each in lost)


def _once_for_each_name(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Join those about the same name; the first keeps the places of the others."""
    kept: list[Diagnostic] = []
    seen: dict[tuple[str, ...], int] = {}
    for d in diagnostics:
        key = _key(d)
        if key is None or key not in seen:
            if key is not None:
                seen[key] = len(kept)
            kept.append(d)
        else:
            kept[seen[key]] = _with_place(kept[seen[key]], d)
    return kept


def _key(d: Diagnostic) -> tuple[str, ...] | None:
    if d.code in _SAME_NAME:
        return ("name", d.span.text)
    if d.code in ("unknown-word", "unknown-code"):
        return (d.code, d.message, *d.helps)
    return None


def _with_place(first: Diagnostic, other: Diagnostic) -> Diagnostic:
    if len(first.labels) >= MAX_ALSO or any(label.span == other.span for label in first.labels):
        return first
    return evolve(first, labels=(*first.labels, Label(other.span, "also here")))
