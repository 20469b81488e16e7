"""What could not be read of the texts: it may declare any name on its lines, and have whatever seems to be missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from attrs import frozen

from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.text import Span
from enfilade.syntax.error_recovery import Lost
from enfilade.syntax.syntax_messages import DECLARATIONS

_WORD: Final = re.compile(r"\w+")
ABOUT_NAMES: Final = frozenset({"unknown-name", "unknown-type", "unknown-word", "unknown-code", "wrong-kind", "label"})
MISSING_HERE: Final = {
    "chart-shape", "code-without-result", "edge-unreachable", "edge-unsaid", "header-gap", "late-refusal", "never-both",
    "never-holds", "no-cell", "no-otherwise", "nothing-before", "result-without-code", "severity-break", "table-gap",
    "unused-code", "which-roll",
}  # fmt: skip
"""What a diagnostic misses in its own declaration, and a mistake elsewhere may have hidden."""
_MISSING_THERE: Final[Mapping[str, frozenset[str]]] = {
    "code-without-result": frozenset({"results"}),
    "edge-unreachable": frozenset({"modifiers"}),
    "no-fields": frozenset({"facts", "procedure", "record"}),
    "no-result": frozenset({"procedure"}),
    "no-results": frozenset({"results"}),
    "no-severity": frozenset({"chart"}),
    "unreachable": frozenset({"modifiers"}),
    "which-list": frozenset({"facts", "procedure", "record"}),
    "which-procedure": frozenset({"procedure"}),
}
"""What a diagnostic misses in other declarations, by their kinds."""


@frozen(slots=False)
class Unread:
    """What could not be read.

    Attributes:
        lost: The declarations that could only be parsed in part.
        is_whole: Whether every text was found and parsed; if not, a missing text may declare any name.
    """

    lost: tuple[Lost, ...] = ()
    is_whole: bool = True

    @cached_property
    def names(self) -> frozenset[str]:
        """The names on the lines that could not be parsed."""
        return frozenset(name for each in self.lost for name in each.names)

    def may_declare(self, name: str) -> bool:
        """Whether a name that is declared nowhere may be declared here."""
        return not self.is_whole or name in self.names

    def is_part_of(self, span: Span) -> bool:
        """Whether the declaration around a place could only be parsed in part."""
        return any(_is_in(span, each.span) for each in self.lost)

    def explains(self, found: Diagnostic) -> bool:
        """Whether a diagnostic may be there only because a line could not be read."""
        if found.code in ABOUT_NAMES or found.code == "type":
            names = (found.span.text.strip('"'),) if found.about is None else found.about.names
            # A name that is declared on a line that could not be parsed may be declared as something else, too.
            return (not self.is_whole and found.code not in ("label", "type")) or not self.names.isdisjoint(names)
        if found.code in MISSING_HERE and self.is_part_of(found.span):
            return True
        kinds = _MISSING_THERE.get(found.code)
        return kinds is not None and (not self.is_whole or any(_may_be_one_of(each, kinds) for each in self.lost))


NOTHING_UNREAD: Final = Unread()


def _is_in(place: Span, span: Span) -> bool:
    return place.source is span.source and span.start <= place.start < span.end


def _may_be_one_of(lost: Lost, kinds: frozenset[str]) -> bool:
    """Whether a declaration that could not be parsed has one of the kinds, or an unknown kind."""
    words = _WORD.findall(lost.span.text.split("\n", 1)[0])
    return not words or words[0] not in DECLARATIONS or not kinds.isdisjoint(words)
