"""What is said of a name, or said alike in many places, is said once, with the places of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from attrs import evolve

from enfilade.bind.unread import ABOUT_NAMES
from enfilade.diagnostics.diagnostic import Diagnostic, Label, Severity

# From this number of places on, one warning stands for all.
MANY: Final = 4
MAX_LISTED: Final = 6
MOST_PLACES: Final = 8


def said_once(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Keep the first of several diagnostics about one name, and of several warnings with the same words in one text."""
    every = _once_for_each_name(diagnostics)
    alike: dict[tuple[str, str, str, tuple[str, ...]], list[Diagnostic]] = defaultdict(list)
    for d in every:
        # A message that quotes nothing may be about something else in each place.
        if d.severity is Severity.WARNING and "`" in d.message:
            alike[d.span.source.name, d.code, d.message, d.helps].append(d)
    first: dict[int, Diagnostic] = {}
    dropped: set[int] = set()
    for group in alike.values():
        if len(group) >= MANY:
            first[id(group[0])] = evolve(group[0], helps=(*group[0].helps, _others(group[1:])))
            dropped |= {id(d) for d in group[1:]}
    return tuple(first.get(id(d), d) for d in every if id(d) not in dropped)


def _once_for_each_name(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Merge the diagnostics about one name; the first lists the places of the others."""
    kept: list[Diagnostic] = []
    seen: dict[tuple[str, str], int] = {}
    for d in diagnostics:
        key = _key(d)
        if key is None or key not in seen:
            if key is not None:
                seen[key] = len(kept)
            kept.append(d)
        else:
            kept[seen[key]] = _with_place(kept[seen[key]], d)
    return kept


def _key(d: Diagnostic) -> tuple[str, str] | None:
    if d.code == "label" and d.about is not None and d.about.missing:
        return ("unit", d.about.missing)
    if d.code in ABOUT_NAMES:
        return ("name", d.span.text)
    if d.code == "no-result":
        return ("name", "result")
    if d.code == "cell-number" and d.about is not None:
        return ("sign", d.about.names[0])
    return ("arguments", d.message) if d.code == "arguments" else None


def _with_place(first: Diagnostic, other: Diagnostic) -> Diagnostic:
    if len(first.labels) >= MOST_PLACES or any(label.span == other.span for label in first.labels):
        return first
    edits = () if first.fix is None or other.fix is None else (*first.fix.edits, *other.fix.edits)
    fix = evolve(first.fix, edits=edits) if first.fix is not None and edits else first.fix
    return evolve(first, labels=(*first.labels, Label(other.span, "also here")), fix=fix)


def _others(group: list[Diagnostic]) -> str:
    lines = [str(d.span.line) for d in group]
    more = ", ..." if len(lines) > MAX_LISTED else ""
    return f"{len(group)} other places have the same mistake: lines {', '.join(lines[:MAX_LISTED])}{more}"
