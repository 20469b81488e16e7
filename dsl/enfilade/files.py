"""Rules files as people name them at a prompt or on a command line: shipped names, paths, folders, standard input.

The greeting of the prompt lists the shipped names, so the rest of the library is imported by the functions that need it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, field

from enfilade.door import door
from enfilade.errors import UsageError
from enfilade.source.finder import (
    SUFFIX,
    Folders,
    is_name,
    leads_outside,
    library_names,
    shipped_names,
    shipped_titles,
)
from enfilade.source.shipped import is_of_library, shipped_dir
from enfilade.source.text import SourceError, SourceFile
from enfilade.terminal import reason

if TYPE_CHECKING:
    from enfilade.api.ruleset import Ruleset
    from enfilade.diagnostics.diagnostic import Diagnostic

__all__ = [
    "STDIN",
    "SUFFIX",
    "Found",
    "SourceError",
    "SourceFile",
    "find_all",
    "find_one",
    "is_name",
    "is_of_library",
    "is_shipped",
    "leads_outside",
    "library_names",
    "load_ruleset",
    "read_into",
    "shipped_names",
    "shipped_titles",
]

STDIN: Final = "-"


@define
class Found:
    """The rules files that some arguments name.

    Attributes:
        sources: The files that can be read, in order.
        diagnostics: One for each file that is not UTF-8, or too large.
        problems: One sentence for each path that can't be read at all.
    """

    sources: list[SourceFile] = field(factory=list)
    diagnostics: list[Diagnostic] = field(factory=list)
    problems: list[str] = field(factory=list)


@door
def find_all(arguments: Iterable[str]) -> Found:
    """Find the rules files that several arguments name; folders are searched with their subfolders.

    Args:
        arguments: Names, files, folders, or ``-`` for standard input.

    Returns:
        The files, each once.

    Raises:
        UsageError: An argument names nothing.
    """
    found = Found()
    seen: set[str] = set()
    for argument in arguments:
        folder = Path(argument) if Path(argument).is_dir() else None
        for path in _paths(argument):
            real = os.path.realpath(path) if path is not None else STDIN
            if real not in seen:
                seen.add(real)
                read_into(path, found, folder)
    return found


@door
def find_one(argument: str) -> SourceFile:
    """Find the one ruleset that an argument names: a shipped name, a file, or a folder with one main file.

    Raises:
        UsageError: There is none, or it can't be read.
    """
    found = Found()
    path = Path(argument)
    if path.is_dir():
        read_into(_main_file(path), found, path)
    else:
        read_into(next(_paths(argument)), found)
    if found.diagnostics:
        wrong = found.diagnostics[0]
        raise UsageError(f"{wrong.span.source.name}: {wrong.message}")
    if found.problems:
        raise UsageError(found.problems[0])
    return found.sources[0]


@door
def read_into(path: Path | None, found: Found, folder: Path | None = None) -> None:
    """Read a file and add it to what was found, or add why it can't be read.

    Args:
        path: The file; ``None`` reads standard input.
        found: Where the text, or the problem, is added.
        folder: The folder in which the file was found; ``None`` if the caller named the file, which may be any link.
    """
    if path is not None and folder is not None and leads_outside(path, [folder]):
        found.problems.append(f"{path} can't be read: it is a link that leads out of {folder}; name the file itself")
        return
    try:
        found.sources.append(_read_stdin() if path is None else SourceFile.from_path(path))
    except SourceError as wrong:
        found.diagnostics.append(diagnostic_of(wrong))
    except OSError as wrong:
        found.problems.append(f"{path} can't be read: {reason(wrong)}")


@door
def load_ruleset(argument: str) -> Ruleset:
    """Load the ruleset that a person names.

    Args:
        argument: A shipped name, a file, a folder with one main file, or ``-`` for standard input.

    Returns:
        The ruleset, checked and ready.

    Raises:
        UsageError: It can't be found or read.
        RulesetError: It has errors; the exception holds the diagnostics.
    """
    from enfilade.api.loading import load

    source = find_one(argument)
    return load(text=source.text) if source.path is None else load(source.path)


@door
def is_shipped(path: Path) -> bool:
    """Whether a file is part of a ruleset that comes with Enfilade."""
    return shipped_dir("rulesets") in path.resolve().parents


def diagnostic_of(wrong: SourceError) -> Diagnostic:
    """The diagnostic for a file that can't be decoded."""
    from enfilade.diagnostics.diagnostic import Diagnostic

    return Diagnostic(wrong.code, wrong.message, wrong.span)


def _read_stdin() -> SourceFile:
    return SourceFile.from_bytes(sys.stdin.buffer.read(), "<stdin>")


def _paths(argument: str) -> Iterator[Path | None]:
    """The files that an argument names; ``None`` stands for standard input."""
    path = Path(argument)
    if argument == STDIN:
        yield None
    elif path.is_dir():
        yield from _rules_below(path)
    elif path.exists() or not is_name(argument):
        yield _existing(path)
    else:
        yield _named(argument)


def _existing(path: Path) -> Path:
    if not os.path.lexists(path):
        raise UsageError(f"there is no file {path}")
    return path


def _named(name: str) -> Path:
    source = Folders(home=Path()).find_named(name)
    module = shipped_dir("stdlib") / f"{name}{SUFFIX}"
    if source is None and module.is_file():
        return module
    if source is None or source.path is None:
        from enfilade.diagnostics.suggest import nearest

        close = nearest(name, shipped_names())
        meant = f"; did you mean {close}?" if close else f"; shipped are {', '.join(shipped_names())}"
        raise UsageError(f"there is no ruleset or file {name}{meant}")
    return source.path


def _rules_below(folder: Path) -> list[Path]:
    """All rules files in a folder and its subfolders, sorted; hidden and linked folders are skipped."""
    paths = []
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths += [Path(where, name) for name in sorted(files) if name.endswith(SUFFIX)]
    if not paths:
        raise UsageError(f"there are no {SUFFIX} files in {folder}")
    return paths


def _main_file(folder: Path) -> Path:
    """The main file of a folder: the one named like the folder, or the only one."""
    named = folder / f"{folder.resolve().name}{SUFFIX}"
    if named.is_file():
        return named
    own = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    if len(own) != 1:
        found = ", ".join(path.name for path in own) or "none"
        raise UsageError(f"{folder} must have one main {SUFFIX} file, but it has {found}; name the file")
    return own[0]
