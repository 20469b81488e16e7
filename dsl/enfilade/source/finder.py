"""Where rulesets and modules are found: beside the file that names them, on a search path, among the shipped
ones.

For the loader and for ``use`` and ``extends``. It reads the file that it is asked for, and must not look
anywhere else: what a name may reach is settled here.
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

# Who asks (the name of its source), what for (module or ruleset), and by which name.
Link: TypeAlias = tuple[str, str, str]


class Finder(Protocol):
    """Finds the texts that a text takes over."""

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find what ``use name`` or ``use "path"`` means; ``None`` where there is no such file."""

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find what ``extends name`` means; ``None`` where there is no such file."""


def is_name(text: str) -> bool:
    """Tell a plain name, which is searched for, from a path.

    Examples:
        >>> is_name("infantry_attacks"), is_name("../infantry.rules")
        (True, False)
    """
    return _NAME.match(text) is not None


@frozen
class Folders:
    """Finds texts in folders.

    A name is looked for beside the text that names it, then on the search path, then among what is shipped;
    in each folder ``name.rules`` comes before ``name/name.rules``. A path is relative to the text that names
    it, and only a text from memory, which lies nowhere, has it looked for on the search path instead, without
    leaving its folders.

    Attributes:
        search_path: Folders to look in, in order.
        home: Where a text from memory lies, if anywhere.
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

    def find_named(self, name: str) -> SourceFile | None:
        """Find a ruleset that no text names: at home, on the search path, or among the shipped ones."""
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
    """The names of the shipped rulesets, in the order of the alphabet."""
    paths = shipped_dir("rulesets").glob(f"*/*{SUFFIX}")
    return tuple(sorted(path.stem for path in paths if path.stem == path.parent.name))


def library_names() -> tuple[str, ...]:
    """The names of the modules of the standard library, in the order of the alphabet."""
    return tuple(sorted(path.stem for path in shipped_dir("stdlib").glob(f"*{SUFFIX}")))


def _is_relative(path: str) -> bool:
    # A text has the same meaning on every system, so what is absolute on one is refused on all.
    rooted = PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor or "\\" in path or "\0" in path
    return not rooted and path.endswith(SUFFIX)


def _in_folder(folder: Path, name: str) -> Iterator[SourceFile]:
    for path in (folder / f"{name}{SUFFIX}", folder / name / f"{name}{SUFFIX}"):
        found = _read(path)
        if found is not None:
            yield found


def _read(path: Path) -> SourceFile | None:
    # One file has one name however it was reached: circles are found by it. `Path.resolve` would follow
    # links.
    path = Path(os.path.normpath(path))
    return SourceFile.from_path(path) if path.is_file() else None


@frozen
class Recorder:
    """Asks another finder and keeps what it found, so that a ruleset can be made again from its texts alone.

    Attributes:
        finder: Who is asked.
        found: What each question came to.
    """

    finder: Finder
    found: dict[Link, SourceFile] = field(factory=dict)

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Ask, and keep the answer."""
        return self._keep((importer.name, "module", name), self.finder.find_module(name, importer, is_path))

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Ask, and keep the answer."""
        return self._keep((importer.name, "ruleset", name), self.finder.find_ruleset(name, importer))

    def _keep(self, link: Link, found: SourceFile | None) -> SourceFile | None:
        if found is not None:
            self.found[link] = found
        return found


@frozen
class Kept:
    """Finds texts among those that were kept; it opens no file.

    Attributes:
        found: What each question comes to.
    """

    found: Mapping[Link, SourceFile]

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Look it up."""
        return self.found.get((importer.name, "module", name))

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Look it up."""
        return self.found.get((importer.name, "ruleset", name))
