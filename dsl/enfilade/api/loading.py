"""Loading of rulesets by name, path or text: ``load`` and ``check``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from enfilade.api.loaded_program import as_diagnostic, load_source, refused
from enfilade.api.ruleset import Ruleset
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.door import door
from enfilade.errors import ArgumentError, RulesetError
from enfilade.limits import Limits, limited, limits_or_those_in_force, one_call
from enfilade.source.finder import SUFFIX, Finder, Folders, Texts, is_name, shipped_names
from enfilade.source.text import SourceError, SourceFile, Text

Place: TypeAlias = str | PathLike[str]


@door
def load(
    name_or_path: Place | None = None, *, text: Text | None = None, options: Mapping[str, Any] | None = None,
    search_path: Iterable[Place] = (), files: Mapping[str, Text] | None = None, limits: Limits | None = None,
) -> Ruleset:  # fmt: skip
    """Load a ruleset.

    Args:
        name_or_path: A name, a path, or a text of several lines. A name is searched in the folder of the calling
            file, on the search path, and among the shipped rulesets. A path is relative to the working directory.
        text: The text of the ruleset, instead of a name or path.
        options: The values of options to set, by name.
        search_path: Folders to search for rulesets and modules.
        files: Texts in memory by file name, ``{"common.rules": "..."}``: modules, and rulesets to extend, that are found
            before all others.
        limits: The limits of the check, and of the plays and odds of the ruleset; by default those in force
            (``limited``), else ``Limits()``.

    Returns:
        The checked ruleset.

    Raises:
        RulesetError: The ruleset is not found, or has errors; the exception has the diagnostics.
        InputError: An option is unknown, or its value is not allowed.
        ArgumentError: An argument is of another kind.
    """
    limits = limits_or_those_in_force(limits)
    folders = Folders(tuple(map(Path, search_path)), _caller_folder(), limits.files)
    if text is None and isinstance(name_or_path, str) and _is_text(name_or_path):
        name_or_path, text = None, name_or_path
    if (text is None) == (name_or_path is None):
        raise ArgumentError("`load` takes a name, a path or a text")
    try:
        with limited(limits), one_call():
            source = _found(name_or_path, folders) if text is None else SourceFile.from_text(text)
            return Ruleset(load_source(source, _with_texts(folders, files), options or {}))
    except SourceError as error:
        raise refused((as_diagnostic(error),)) from error


@door
def check(
    text_or_path: Text | PathLike[str], *, search_path: Iterable[Place] = (), files: Mapping[str, Text] | None = None,
    limits: Limits | None = None,
) -> tuple[Diagnostic, ...]:  # fmt: skip
    """Check a ruleset.

    Args:
        text_or_path: The text of the ruleset, or a path: a ``Path``, or a string that ends in ``.rules``.
        search_path: Folders to search for rulesets and modules.
        files: Texts in memory, as in ``load``.
        limits: The limits, as in ``load``.

    Returns:
        All errors and warnings, in the order of the text; empty if there are none.

    Raises:
        ArgumentError: An argument is of another kind.
    """
    limits = limits_or_those_in_force(limits)
    folders = Folders(tuple(map(Path, search_path)), _caller_folder(), limits.files)
    with limited(limits):
        return _checked(text_or_path, _with_texts(folders, files))


def _with_texts(folders: Folders, files: Mapping[str, Text] | None) -> Finder:
    return folders if files is None else Texts(files, folders)


def _checked(text_or_path: Place, folders: Finder) -> tuple[Diagnostic, ...]:
    name = "<text>" if _is_text_or_code(text_or_path) else fspath(text_or_path)
    try:
        if _is_text_or_code(text_or_path):
            source = SourceFile.from_text(fspath(text_or_path))
        else:
            source = SourceFile.from_path(Path(text_or_path))
        from enfilade.check.program import check_source

        return check_source(source, folders).diagnostics
    except SourceError as error:
        return (as_diagnostic(error),)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not a file name"
        message = f"{name} can't be read: {reason}"
        return (Diagnostic("unknown-module", message, SourceFile(name, "").span(0, 0)),)


def _is_text(given: str) -> bool:
    return "\n" in given or "\r" in given


def _is_text_or_code(given: Place) -> bool:
    return isinstance(given, str) and (_is_text(given) or not given.endswith(SUFFIX))


def _caller_folder() -> Path | None:
    """Return the folder of the calling file, or the working directory for an interactive session or our own tools."""
    # Between the two frames is the door.
    frame = sys._getframe(3)
    file = frame.f_globals.get("__file__")
    ours = str(frame.f_globals.get("__name__", "")).partition(".")[0] in ("enfilade", "enfilade_repl")
    return Path() if ours or not isinstance(file, str) else Path(file).parent


def _found(name_or_path: Place | None, folders: Folders) -> SourceFile:
    if isinstance(name_or_path, str) and is_name(name_or_path):
        found = folders.find_named(name_or_path)
        if found is not None:
            return found
        from enfilade.diagnostics.suggest import nearest

        close = nearest(name_or_path, shipped_names())
        meant = f"; did you mean {close}?" if close else f"; shipped are {', '.join(shipped_names())}"
        raise RulesetError(f"there is no ruleset {name_or_path}{meant}")
    path = Path(name_or_path or "")
    try:
        return SourceFile.from_path(path)
    except (OSError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        raise RulesetError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from error
