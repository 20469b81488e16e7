"""Watches the files of the ruleset in use for changes, by polling modification times and sizes.

It must not read the files; `reload` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from enfilade import Ruleset
from enfilade_repl.state import LoadedRuleset

Stamp: TypeAlias = tuple[int, int]


def watched_files(ruleset: LoadedRuleset | None) -> tuple[Path, ...]:
    """The files that an author may change; none for a shipped ruleset."""
    if ruleset is None or ruleset.path is None or ruleset.base is None:
        return ()
    from enfilade.files import is_of_library

    others = (source.path for source in ruleset.base.sources)
    return tuple(dict.fromkeys((ruleset.path, *(each for each in others if each and not is_of_library(each)))))


class Watch:
    """The state of the watched files of one ruleset.

    Attributes:
        behind: Whether the files differ from the ruleset in use.
    """

    def __init__(self) -> None:
        self.behind = False
        self._base: Ruleset | None = None
        self._stamps: dict[Path, Stamp] = {}

    def is_changed(self, ruleset: LoadedRuleset | None) -> bool:
        """Whether a file changed since the watch began or since ``note``.

        Args:
            ruleset: The ruleset in use; if it differs from that of the last call, the watch starts again.
        """
        base = ruleset.base if ruleset is not None else None
        if base is not self._base:
            self._base, self.behind = base, False
            self._stamps = _stamps(watched_files(ruleset))
            return False
        changed = _stamps(self._stamps, self._stamps) != self._stamps
        self.behind = self.behind or changed
        return changed

    def note(self) -> None:
        """Record the current times and sizes of the files."""
        self._stamps = _stamps(self._stamps, self._stamps)


def _stamps(paths: Iterable[Path], otherwise: dict[Path, Stamp] | None = None) -> dict[Path, Stamp]:
    """The time and size of files; a missing file keeps its old values, because many editors replace files on save."""
    found = {}
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            if otherwise is not None and path in otherwise:
                found[path] = otherwise[path]
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found
