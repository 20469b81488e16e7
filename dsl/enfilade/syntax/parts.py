"""Incremental parsing: a text is parsed declaration by declaration, and unchanged declarations keep their trees.

Each declaration, with the comments below it, becomes a source of its own, a *part*. A tree names places in its part, so
it stays valid when text above it changes. `Parts.place` converts such a place to one in the whole text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from itertools import pairwise

from attrs import frozen

from enfilade.source.confusables import forbidden
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.error_recovery import MAX_FAULTS, MAX_REREAD, declaration_starts
from enfilade.syntax.parser import Parsed, parse_module
from enfilade.syntax.tree import Declaration, Module


class PartOfText(SourceFile):
    """The text of one declaration, under the name of its file."""


@frozen(eq=False)
class Part:
    """One declaration of a text.

    Attributes:
        source: Its text.
        parsed: Its tree and its syntax errors.
    """

    source: PartOfText
    parsed: Parsed


class Parts:
    """The parts of one version of some texts.

    Args:
        before: The parts of an earlier version.
    """

    def __init__(self, before: Parts | None = None) -> None:
        self._before = {} if before is None else before._files
        self._files: dict[str, tuple[Part, ...]] = {}
        self._places: dict[SourceFile, tuple[SourceFile, int]] = {}

    def parse(self, source: SourceFile) -> Parsed:
        """Parse a text as `parse_module` does; places are in its parts."""
        if forbidden(source.text):
            return parse_module(source)
        parts = self._parts_of(source)
        lost = [each for part in parts for each in part.parsed.lost]
        found = tuple(each for part in parts for each in part.parsed.diagnostics)
        reread = sum((each.span.end - each.span.start) * len(each.lines) for each in lost)
        if len(found) >= MAX_FAULTS or reread >= MAX_REREAD or any(d.code == "look-alike" for d in found):
            # The limits are for the whole text, and letters that only look like others may begin a declaration.
            return parse_module(source)
        self._files[source.name] = parts
        at = 0
        for part in parts:
            self._places[part.source] = (source, at)
            at += len(part.source.text)
        declarations: tuple[Declaration, ...] = tuple(d for part in parts for d in part.parsed.module.declarations)
        return Parsed(Module(declarations), found, tuple(lost))

    def _parts_of(self, source: SourceFile) -> tuple[Part, ...]:
        known: dict[str, deque[Part]] = {}
        for part in self._before.get(source.name, ()):
            known.setdefault(part.source.text, deque()).append(part)
        cuts = sorted({0, *declaration_starts(source.text), len(source.text)})
        texts = [source.text[start:end] for start, end in pairwise(cuts)]
        return tuple(known[text].popleft() if known.get(text) else _parsed(source, text) for text in texts)

    def place(self, span: Span) -> Span:
        """Convert a place in a part to the place in its text; other places stay as they are.

        Raises:
            KeyError: It is in a part of another version.
        """
        if not isinstance(span.source, PartOfText):
            return span
        source, at = self._places[span.source]
        return Span(source, at + span.start, at + span.end)

    def locate(self, source: SourceFile, offset: int) -> tuple[SourceFile, int]:
        """Find the part of a text at an offset: the later one where two meet.

        Args:
            source: The text.
            offset: The offset in it.

        Returns:
            The part, and the offset in it; the text itself if it has no parts.
        """
        parts = self._files.get(source.name, ())
        starts = [self._places[part.source][1] for part in parts]
        index = bisect_right(starts, offset) - 1
        return (source, offset) if index < 0 else (parts[index].source, offset - starts[index])

    def sources(self, source: SourceFile) -> tuple[SourceFile, ...]:
        """The parts of a text, in order; the text itself if it has none."""
        return tuple(part.source for part in self._files.get(source.name, ())) or (source,)


def _parsed(source: SourceFile, text: str) -> Part:
    part = PartOfText(source.name, text, source.path)
    return Part(part, parse_module(part))
