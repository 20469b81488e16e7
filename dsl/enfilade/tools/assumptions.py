"""Lists the assumptions of a ruleset: every line marked ``assumed``, with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from enfilade.source.text import SourceFile, Span
from enfilade.syntax.parser import parse_module
from enfilade.syntax.tails import start_of, tails


@frozen
class Assumption:
    """A decision of the author on a point that the rulebook leaves open.

    Attributes:
        source: The file.
        line: The line, from 1.
        what: The line of the rules, without label, citations and reason.
        why: The reason.
        cites: The citations of the line.
    """

    source: str
    line: int
    what: str
    why: str
    cites: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the assumption as plain data."""
        return {"file": self.source, "line": self.line, "what": self.what, "why": self.why, "cites": list(self.cites)}


def assumptions_of(sources: Sequence[SourceFile]) -> tuple[Assumption, ...]:
    """All assumptions of a ruleset, in the order of its texts.

    Args:
        sources: Its texts, the main text first.
    """
    return tuple(dict.fromkeys(each for source in sources for each in _in(source)))


def _in(source: SourceFile) -> Iterator[Assumption]:
    for node, tail in tails(parse_module(source).module):
        if tail.assumed is None or node.span is None:
            continue
        line, _ = source.line_column(start_of(node, tail))
        yield Assumption(source.name.rpartition("/")[2], line, _words(node.span), tail.assumed, tail.cites)


def _words(node: Span) -> str:
    """The first line of a node, without label, citations and reason."""
    line = node.text.splitlines()[0]
    ends = [at for mark in (' "', " [", " assumed ") if (at := line.find(mark)) > 0]
    return " ".join(line[: min(ends, default=len(line))].split())
