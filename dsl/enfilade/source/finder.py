"""Module resolution: finds the file for ``use``, ``extends`` or a name passed to ``load``.

The finder searches the folder of the importing file, the search path, and the shipped files. This module alone
decides which files a name can reach.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final, Protocol, TypeAlias

from attrs import field, frozen

from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile

SUFFIX: Final = ".rules"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,127}\Z")

# The name of the importing source, the kind of import ("module" or "ruleset"), and the imported name.
Link: TypeAlias = tuple[str, str, str]


class Finder(Protocol):
    """Finds the imported texts of a text."""

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find the module for ``use name`` or ``use "path"``; ``None`` if there is no such file."""

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find the ruleset for ``extends name``; ``None`` if there is no such file."""

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """The names of the rules files in the folder of a text and on the search path, for suggestions."""


def is_name(text: str) -> bool:
    """Whether a text is a plain name, to be searched for, rather than a path.

    Examples:
        >>> is_name("infantry_attacks"), is_name("../infantry.rules")
        (True, False)
    """
    return _NAME.match(text) is not None


@frozen
class Folders:
    """Finds texts in folders.

    The search for a name covers the folder of the importing text, then the search path, then the shipped files. In each
    folder ``name.rules`` comes before ``name/name.rules``. A path is relative to the importing text. A text from
    memory has no folder, so its paths are relative to the folders of the search path, and may not leave them.

    Attributes:
        search_path: Folders to look in, in order.
        home: The folder that a text from memory belongs to, if any.
    """

    search_path: tuple[Path, ...] = ()
    home: Path | None = None

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find a module, by its name or by a path."""
        if is_path:
            return self._find_path(name, importer)
        return self._find_name(name, importer, shipped_dir("stdlib"))

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find a ruleset to extend, by its name."""
        return self._find_name(name, importer, shipped_dir("rulesets"))

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """The names of the rules files in the folder of a text and on the search path."""
        folders = [*self._beside(importer), *self.search_path]
        return tuple(sorted({path.stem for folder in folders for path in folder.glob(f"*{SUFFIX}")}))

    def find_named(self, name: str) -> SourceFile | None:
        """Find a ruleset that no text imports, by name: in ``home``, on the search path, or among the shipped ones."""
        return self._find_name(name, SourceFile("", ""), shipped_dir("rulesets"))

    def _find_name(self, name: str, importer: SourceFile, shipped: Path) -> SourceFile | None:
        if not is_name(name):
            return None
        folders = [*self._beside(importer), *self.search_path, shipped]
        return next((found for folder in folders for found in _in_folder(folder, name)), None)

    def _find_path(self, path: str, importer: SourceFile) -> SourceFile | None:
        if not _is_relative(path):
            return None
        beside = self._beside(importer)
        inside = ".." not in PurePosixPath(path).parts
        folders = beside or (list(self.search_path) if inside else [])
        return next((found for folder in folders if (found := _read(folder / path))), None)

    def _beside(self, importer: SourceFile) -> list[Path]:
        folder = self.home if importer.path is None else importer.path.parent
        return [] if folder is None else [folder]


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rulesets, sorted."""
    paths = shipped_dir("rulesets").glob(f"*/*{SUFFIX}")
    return tuple(sorted(path.stem for path in paths if path.stem == path.parent.name))


def library_names() -> tuple[str, ...]:
    """The names of the modules of the standard library, sorted."""
    return tuple(sorted(path.stem for path in shipped_dir("stdlib").glob(f"*{SUFFIX}")))


def _is_relative(path: str) -> bool:
    # A text must mean the same on every system, so a path that is absolute on any system is refused on all systems.
    rooted = PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor or "\\" in path or "\0" in path
    return not rooted and path.endswith(SUFFIX)


def _in_folder(folder: Path, name: str) -> Iterator[SourceFile]:
    for path in (folder / f"{name}{SUFFIX}", folder / name / f"{name}{SUFFIX}"):
        found = _read(path)
        if found is not None:
            yield found


def _read(path: Path) -> SourceFile | None:
    # Every path to a file must give the same name, because circular imports are detected by name. `Path.resolve`
    # would follow links.
    path = Path(os.path.normpath(path))
    return SourceFile.from_path(path) if path.is_file() else None


@frozen
class Recorder:
    """Records the texts that another finder finds, so the ruleset can be loaded again from these texts alone.

    Attributes:
        finder: The finder that does the work.
        found: The source found for each import.
    """

    finder: Finder
    found: dict[Link, SourceFile] = field(factory=dict)

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find and record."""
        return self._keep((importer.name, "module", name), self.finder.find_module(name, importer, is_path))

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find and record."""
        return self._keep((importer.name, "ruleset", name), self.finder.find_ruleset(name, importer))

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """Ask the finder."""
        return self.finder.names_beside(importer)

    def _keep(self, link: Link, found: SourceFile | None) -> SourceFile | None:
        if found is not None:
            self.found[link] = found
        return found


@frozen
class Kept:
    """Finds texts among recorded texts, without opening files.

    Attributes:
        found: The source recorded for each import.
    """

    found: Mapping[Link, SourceFile]

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Look it up."""
        return self.found.get((importer.name, "module", name))

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Look it up."""
        return self.found.get((importer.name, "ruleset", name))

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """None: no folder is opened."""
        return ()
