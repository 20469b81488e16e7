"""The rules files in the folders that an editor has open."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from enfilade.files import SUFFIX, SourceError, SourceFile, leads_outside

# A folder that an editor has open may be a whole home folder.
_MOST_FOLDERS: Final = 10_000
_SKIPPED: Final = frozenset(("node_modules", "__pycache__"))


def rules_files(folders: Iterable[Path], opened: Mapping[str, str]) -> dict[str, str]:
    """The texts of the rules files in some folders and below, and of those that are open, by path.

    Args:
        folders: The folders.
        opened: The texts of open files, by path; they replace what is on disk.
    """
    found = dict(opened)
    folders = tuple(folders)
    for folder in folders:
        for path in _paths(folder):
            # A link may lead to a file that is not in the workspace.
            if path in found or leads_outside(Path(path), folders):
                continue
            if (text := _text(path)) is not None:
                found[path] = text
    return found


def _paths(folder: Path) -> Iterator[str]:
    for place, below, files in islice(os.walk(folder), _MOST_FOLDERS):
        below[:] = sorted(name for name in below if name not in _SKIPPED and not name.startswith("."))
        yield from (os.path.join(place, name) for name in sorted(files) if name.endswith(SUFFIX))


def _text(path: str) -> str | None:
    """The text of a file; ``None`` if it can't be read or is no text."""
    try:
        return SourceFile.from_path(Path(path)).text
    except (OSError, SourceError):
        return None
