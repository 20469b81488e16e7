"""Finds the rulesets that a command names: shipped names, files, folders, and standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from attrs import define, field

from enfilade.cli.terminal import UsageError, reason
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.diagnostics.suggest import nearest
from enfilade.source.finder import SUFFIX, Folders, is_name, shipped_names
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceError, SourceFile

STDIN: Final = "-"


@define
class Found:
    """The texts that a command is about.

    Attributes:
        sources: Those that can be read, in order.
        diagnostics: Of those that are no text in UTF-8, or too large.
        problems: Paths that can't be read at all, one sentence each.
    """

    sources: list[SourceFile] = field(factory=list)
    diagnostics: list[Diagnostic] = field(factory=list)
    problems: list[str] = field(factory=list)


def find_all(arguments: Iterable[str]) -> Found:
    """Find all texts that several arguments name; folders are walked.

    Args:
        arguments: Names, files, folders, or ``-``.

    Returns:
        What was found, each file once.

    Raises:
        UsageError: An argument names nothing.
    """
    found = Found()
    seen: set[str] = set()
    for argument in arguments:
        for path in _paths(argument):
            real = os.path.realpath(path) if path is not None else STDIN
            if real not in seen:
                seen.add(real)
                take(path, found)
    return found


def find_one(argument: str) -> SourceFile:
    """Find the one ruleset that an argument names: a shipped name, a file, or a folder with one main file.

    Raises:
        UsageError: There is none, or it can't be read.
    """
    found = Found()
    path = Path(argument)
    take(_main_file(path) if path.is_dir() else next(_paths(argument)), found)
    if found.diagnostics:
        wrong = found.diagnostics[0]
        raise UsageError(f"{wrong.span.source.name}: {wrong.message}")
    if found.problems:
        raise UsageError(found.problems[0])
    return found.sources[0]


def take(path: Path | None, found: Found) -> None:
    """Read one file, ``None`` being standard input, or keep why it can't be read."""
    try:
        found.sources.append(_read_stdin() if path is None else SourceFile.from_path(path))
    except SourceError as wrong:
        found.diagnostics.append(diagnostic_of(wrong))
    except OSError as wrong:
        found.problems.append(f"{path} can't be read: {reason(wrong)}")


def diagnostic_of(wrong: SourceError) -> Diagnostic:
    """What is wrong with a text that can't be decoded, as a diagnostic."""
    return Diagnostic(wrong.code, wrong.message, wrong.span)


def _read_stdin() -> SourceFile:
    return SourceFile.from_bytes(sys.stdin.buffer.read(), "<stdin>")


def _paths(argument: str) -> Iterator[Path | None]:
    """The files that an argument means; ``None`` is standard input."""
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
        close = nearest(name, shipped_names())
        meant = f"; did you mean {close}?" if close else f"; shipped are {', '.join(shipped_names())}"
        raise UsageError(f"there is no ruleset or file {name}{meant}")
    return source.path


def _rules_below(folder: Path) -> list[Path]:
    """All rules below a folder, in the order of the alphabet; hidden folders and links to folders are left out."""
    paths = []
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths += [Path(where, name) for name in sorted(files) if name.endswith(SUFFIX)]
    if not paths:
        raise UsageError(f"there are no {SUFFIX} files in {folder}")
    return paths


def _main_file(folder: Path) -> Path:
    """The main file of a folder: the one of its name, or the only one."""
    named = folder / f"{folder.resolve().name}{SUFFIX}"
    if named.is_file():
        return named
    own = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    if len(own) != 1:
        found = ", ".join(path.name for path in own) or "none"
        raise UsageError(f"{folder} has not one main {SUFFIX} file, but {found}; name the file")
    return own[0]
