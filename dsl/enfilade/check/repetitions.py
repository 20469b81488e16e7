"""Warnings that say the same in many places are given once, with the lines of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from attrs import evolve

from enfilade.diagnostics.diagnostic import Diagnostic, Severity

# From this number of places on, one warning stands for all.
MANY = 4
MAX_LISTED = 6


def said_once(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Keep the first of several warnings with the same words in one text; name the lines of the others."""
    every = tuple(diagnostics)
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


def _others(group: list[Diagnostic]) -> str:
    lines = [str(d.span.line) for d in group]
    more = ", ..." if len(lines) > MAX_LISTED else ""
    return f"{len(group)} other places have the same mistake: lines {', '.join(lines[:MAX_LISTED])}{more}"
