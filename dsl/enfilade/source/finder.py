"""Module resolution: finds the file for ``use``, ``extends`` or a name passed to ``load``.

The finder searches the folder of the importing file, the search path, and the shipped files. This module alone
decides which files a name can reach.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final, Literal, Protocol, TypeAlias

from attrs import field, frozen

from enfilade.door import door
from enfilade.limits import in_force
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceError, SourceFile

SUFFIX: Final = ".rules"
_SHIPPED: Final[tuple[Literal["rulesets", "stdlib"], ...]] = ("rulesets", "stdlib")
_TITLE = re.compile(r'^ruleset\s+\w+\s+"([^"]+)"', re.MULTILINE)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,127}\Z")

# The name of the importing source, the kind of import ("module" or "ruleset"), and the imported name.
Link: TypeAlias = tuple[str, str, str]


class LinkOutside(SourceError):
    """A name that leads through a symbolic link out of the folders in which it may be found; nothing was read.

    Args:
        path: The path in those folders.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        message = "this is a link that leads out of its folder, so it is not read"
        super().__init__("unknown-module", message, SourceFile(str(path), "").span(0, 0))

    def __reduce__(self) -> tuple[type[LinkOutside], tuple[Path]]:  # type: ignore[override]
        """Make the error picklable, for worker processes."""
        return type(self), (self._path,)


class Finder(Protocol):
    """Finds the imported texts of a text. It raises ``SourceError`` for one that can't be read."""

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find the module for ``use name`` or ``use "path"``; ``None`` if there is no such file."""

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find the ruleset for ``extends name``; ``None`` if there is no such file."""

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """The names of the rules files in the folder of a text and on the search path, for suggestions."""


@door
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
    memory has no folder, so its paths are relative to the folders of the search path. No path, and no symbolic link,
    leads out of the folder of the importing text, except into a folder of the search path or of the shipped files.

    Attributes:
        search_path: Folders to look in, in order.
        home: The folder that a text from memory belongs to, if any.
        files: Whether a text may use files beside it; else it finds only those on the search path and the shipped ones. A
            shipped text always may. By default, as the limits in force say.
    """

    search_path: tuple[Path, ...] = ()
    home: Path | None = None
    files: bool = field(factory=lambda: in_force().files)

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
        paths = [path for folder in folders for path in _in_folder(folder, name)]
        return self._first(paths, importer)

    def _find_path(self, path: str, importer: SourceFile) -> SourceFile | None:
        if not _is_relative(path):
            return None
        beside = self._beside(importer)
        allowed = [*beside, *self.search_path]
        paths = [folder / path for folder in beside or self.search_path]
        inside = [each for each in paths if any(_is_inside(each, folder) for folder in allowed)]
        return self._first(inside, importer)

    def _first(self, paths: list[Path], importer: SourceFile) -> SourceFile | None:
        """The text of the first path to a file.

        Raises:
            LinkOutside: A link leads elsewhere. A name that no text imports is the caller's, who may name any link.
        """
        allowed = [*self._beside(importer), *self.search_path, *(shipped_dir(kind) for kind in _SHIPPED)]
        for path in paths:
            if importer.name and leads_outside(path, allowed):
                raise LinkOutside(path)
            found = _read(path)
            if found is not None:
                return found
        return None

    def _beside(self, importer: SourceFile) -> list[Path]:
        folder = self.home if importer.path is None else importer.path.parent
        if folder is None or not (self.files or not importer.name or _is_shipped(folder)):
            return []
        return [folder]


@frozen
class Texts:
    """Finds texts in memory, and others as another finder does.

    Attributes:
        texts: The texts by file name: ``common.rules`` is found by the name ``common``, too.
        others: Finds what is not among them.
    """

    texts: Mapping[str, str]
    others: Finder

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find a module."""
        return self._find(name) or self.others.find_module(name, importer, is_path)

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find a ruleset to extend."""
        return self._find(name) or self.others.find_ruleset(name, importer)

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """The names of the texts, and of the rules files that the other finder knows."""
        own = {name.removesuffix(SUFFIX) for name in self.texts}
        return tuple(sorted(own.union(self.others.names_beside(importer))))

    def _find(self, name: str) -> SourceFile | None:
        file = name if name.endswith(SUFFIX) else f"{name}{SUFFIX}"
        return SourceFile.from_text(self.texts[file], file) if file in self.texts else None


@frozen
class Opened:
    """Finds what another finder finds, with the text of an editor instead of that on disk.

    Attributes:
        texts: The texts by the name of their source.
        others: Finds the sources.
    """

    texts: Mapping[str, str]
    others: Finder

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        """Find a module."""
        return self._with_text(self.others.find_module(name, importer, is_path))

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Find a ruleset to extend."""
        return self._with_text(self.others.find_ruleset(name, importer))

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        """Ask the other finder."""
        return self.others.names_beside(importer)

    def _with_text(self, found: SourceFile | None) -> SourceFile | None:
        if found is None or found.name not in self.texts:
            return found
        return SourceFile(found.name, self.texts[found.name], found.path)


@door
def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rulesets, sorted."""
    paths = shipped_dir("rulesets").glob(f"*/*{SUFFIX}")
    return tuple(sorted(path.stem for path in paths if path.stem == path.parent.name))


@door
def shipped_titles() -> dict[str, str]:
    """The titles of the shipped rulesets by name, read from their headers alone."""
    folder = shipped_dir("rulesets")
    texts = {name: (folder / name / f"{name}{SUFFIX}").read_text(encoding="utf-8") for name in shipped_names()}
    found = ((name, _TITLE.search(text)) for name, text in texts.items())
    return {name: title[1] for name, title in found if title is not None}


@door
def library_names() -> tuple[str, ...]:
    """The names of the modules of the standard library, sorted."""
    return tuple(sorted(path.stem for path in shipped_dir("stdlib").glob(f"*{SUFFIX}")))


def _is_relative(path: str) -> bool:
    # A text must mean the same on every system, so a path that is absolute on any system is refused on all systems.
    rooted = PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor or "\\" in path or "\0" in path
    return not rooted and path.endswith(SUFFIX)


def _is_shipped(folder: Path) -> bool:
    return any(_is_inside(folder, shipped_dir(name)) for name in _SHIPPED)


@door
def leads_outside(path: Path, folders: Iterable[Path]) -> bool:
    """Whether something stands at a path that leads out of all these folders, once symbolic links are followed."""
    if not os.path.lexists(path):
        return False
    real = Path(os.path.realpath(path))
    return not any(real.is_relative_to(os.path.realpath(folder)) for folder in folders)


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path, with its ``..`` worked out, lies in a folder or below it."""
    return Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))


def _in_folder(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / f"{name}{SUFFIX}", folder / name / f"{name}{SUFFIX}"


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
