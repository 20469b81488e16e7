"""Names across the texts of a workspace: one text is asked, and other texts use the same files.

Each text is analysed with the files that it uses, so a text knows nothing of those that use it. A name is followed from
one analysis to the next by its place in a file that both have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from attrs import frozen

from enfilade.bind.names import Occurrence
from enfilade.diagnostics.diagnostic import Edit
from enfilade.door import door, with_doors
from enfilade.editor.analysis import Analysis
from enfilade.editor.answers import CannotRename
from enfilade.source.text import Span

_IMPORT: Final = re.compile(r'^[ \t]*(?:use|ruleset\b.*\bextends)[ \t]+(?:"([^"\n]*)"|(\w+))', re.MULTILINE)
# Things that no other text can name.
_OWN: Final = frozenset(("built-in", "file", "piece", "unknown"))


@door
def users_of(files: Iterable[str], texts: Mapping[str, str]) -> tuple[str, ...]:
    """The texts that may use some files, directly or through others, as far as their first lines tell.

    Args:
        files: The paths of the files.
        texts: All texts by path.

    Examples:
        >>> texts = {"a.rules": "use b", "b.rules": "use c", "c.rules": "", "d.rules": "ruleset d extends a"}
        >>> users_of(["c.rules"], texts)
        ('b.rules', 'a.rules', 'd.rules')
    """
    imported = {name: frozenset(_imports(text)) for name, text in texts.items()}
    found: dict[str, None] = {}
    waiting = [PurePath(each).stem for each in files]
    for stem in waiting:
        new = [name for name, stems in imported.items() if stem in stems and name not in found]
        found |= dict.fromkeys(new)
        waiting += (PurePath(each).stem for each in new)
    return tuple(found)


def _imports(text: str) -> Iterator[str]:
    for path, name in _IMPORT.findall(text):
        yield PurePath(path).stem if path else name


@with_doors
@frozen
class Workspace:
    """A text with others that use the same files.

    Attributes:
        asked: The analysis of the text in which an author asks.
        others: The analyses of other texts; those that have no file in common with it are ignored.
    """

    asked: Analysis
    others: tuple[Analysis, ...] = ()

    def definition(self, offset: int) -> tuple[Span, ...]:
        """Find where the name at a place is declared; a text that uses this one may declare it.

        Args:
            offset: The place.
        """
        found = self.asked.definition(offset)
        at = self.asked.occurrence(self.asked.source.name, offset)
        if at is None or (found and at.key.kind != "unknown"):
            return found
        places = (
            each.places_of(other.key, declared=True)
            for each in self.others
            if (other := each.occurrence(self.asked.source.name, offset)) is not None
        )
        return next(filter(None, places), found)

    def references(self, offset: int) -> tuple[Span, ...]:
        """Find every place in all texts where the thing at a place is named.

        Args:
            offset: The place.
        """
        found: dict[tuple[str, int, int], Span] = {}
        for analysis, at in self._followed(offset):
            for span in analysis.places_of(at.key):
                found.setdefault(_place(span), span)
        return tuple(found.values())

    def rename(self, offset: int, new: str) -> tuple[Edit, ...]:
        """Give the thing at a place another name in all texts.

        Args:
            offset: The place.
            new: The new name.

        Returns:
            The edits, by file.

        Raises:
            CannotRename: There is no name here, it is fixed, or the new name would be a mistake in one of the texts.
        """
        followed = self._followed(offset)
        if not followed:
            raise CannotRename("there is no name here that can be changed")
        edits: dict[tuple[str, int, int], Edit] = {}
        for analysis, at in followed:
            for edit in analysis.edits_of_rename(at, new, self.asked.source.name):
                edits.setdefault(_place(edit.span), edit)
        for analysis in dict.fromkeys(analysis for analysis, _ in followed):
            analysis.refuse_mistakes(edits.values(), new)
        return tuple(edits.values())

    def files(self, offset: int) -> tuple[str, ...]:
        """The files in which the thing at a place stands or is declared: texts that use none of them can't name it.

        Args:
            offset: The place.
        """
        return tuple(dict.fromkeys(name for name, _ in self._places(offset)))

    def _places(self, offset: int) -> list[tuple[str, int]]:
        """A place, and those where the thing at it is declared: the name of the text, and the offset in it."""
        at = self.asked.occurrence(self.asked.source.name, offset)
        if at is None or at.key.kind in _OWN - {"unknown"}:
            return []
        declared = self.asked.places_of(at.key, declared=True)
        return [(self.asked.source.name, offset), *((span.source.name, span.start) for span in declared)]

    def _followed(self, offset: int) -> list[tuple[Analysis, Occurrence]]:
        """The thing at a place as each analysis knows it."""
        found: list[tuple[Analysis, Occurrence]] = []
        places = self._places(offset)
        for analysis in self.others:
            known = (analysis.occurrence(*place) for place in places)
            found += ((analysis, each) for each in known if each is not None and each.key.kind not in _OWN)
        at = self.asked.occurrence(self.asked.source.name, offset)
        # What this text does not know may be declared by one that uses it.
        return found if at is None or (found and at.key.kind == "unknown") else [(self.asked, at), *found]


def _place(span: Span) -> tuple[str, int, int]:
    return span.source.name, span.start, span.end
