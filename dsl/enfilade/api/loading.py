"""Finds a ruleset, checks it, and makes it ready: ``load`` and ``check``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from enfilade.api.prechecked import find_prechecked
from enfilade.api.ruleset import Ruleset
from enfilade.core.inputs import convert_options
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.errors import InputError, RulesetError
from enfilade.source.finder import SUFFIX, Finder, Folders, Kept, Link, Recorder, is_name, shipped_names
from enfilade.source.text import SourceError, SourceFile

if TYPE_CHECKING:
    from enfilade.check.program import Checked

Place: TypeAlias = str | PathLike[str]


def load(
    name_or_path: Place | None = None, *, text: str | None = None, options: Mapping[str, Any] | None = None,
    search_path: Iterable[Place] = (),
) -> Ruleset:  # fmt: skip
    """Load a ruleset.

    Args:
        name_or_path: A name, a path, or a text of several lines. A name is looked for beside the file that
            calls this, on the search path, and among the shipped rulesets; a path is relative to the working
            directory.
        text: The text itself, instead.
        options: Options to set.
        search_path: Folders to look for rulesets and modules in.

    Returns:
        The ruleset, checked and ready.

    Raises:
        RulesetError: It can't be found, or does not check; the error holds the diagnostics.
        InputError: An option is unknown, or its value is not allowed.
    """
    folders = Folders(tuple(Path(place) for place in search_path), _caller_folder())
    if text is None and isinstance(name_or_path, str) and _is_text(name_or_path):
        name_or_path, text = None, name_or_path
    if (text is None) == (name_or_path is None):
        raise TypeError("load takes a name, a path or a text")
    try:
        source = _found(name_or_path, folders) if text is None else SourceFile.from_text(text)
        return _ruleset(source, folders, options or {})
    except SourceError as error:
        raise _refused((_as_diagnostic(error),)) from error


def check(text_or_path: Place, *, search_path: Iterable[Place] = ()) -> tuple[Diagnostic, ...]:
    """Check a ruleset.

    Args:
        text_or_path: The text itself, or a path: a ``Path``, or a string that ends in ``.rules``.
        search_path: Folders to look for rulesets and modules in.

    Returns:
        All that is wrong, and all that is worth a warning, in the order of the text; nothing where all is
        well.
    """
    folders = Folders(tuple(Path(place) for place in search_path), _caller_folder())
    name = "<text>" if _is_text_or_code(text_or_path) else fspath(text_or_path)
    try:
        if _is_text_or_code(text_or_path):
            source = SourceFile.from_text(fspath(text_or_path))
        else:
            source = SourceFile.from_path(Path(text_or_path))
        from enfilade.check.program import check_source

        return check_source(source, folders).diagnostics
    except SourceError as error:
        return (_as_diagnostic(error),)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not the name of a file"
        message = f"{name} can't be read: {reason}"
        return (Diagnostic("unknown-module", message, SourceFile(name, "").span(0, 0)),)


def _is_text(given: str) -> bool:
    return "\n" in given or "\r" in given


def _is_text_or_code(given: Place) -> bool:
    return isinstance(given, str) and (_is_text(given) or not given.endswith(SUFFIX))


def _caller_folder() -> Path | None:
    """The folder of the file that calls the library; the working directory for a session or one of our tools."""
    frame = sys._getframe(2)
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


def _ruleset(source: SourceFile, finder: Finder, options: Mapping[str, Any]) -> Ruleset:
    stored = find_prechecked(source, finder)
    if stored is not None:
        return Ruleset(stored, stored.program, stored.links, convert_options(stored.program, options))
    from enfilade.check.program import check_source

    recorder = Recorder(finder)
    checked = check_source(source, recorder)
    if checked.program is None:
        raise _refused(checked.diagnostics)
    return Ruleset(checked, checked.program, recorder.found, convert_options(checked.program, options))


def _refused(diagnostics: tuple[Diagnostic, ...]) -> RulesetError:
    errors = [found for found in diagnostics if found.severity is Severity.ERROR]
    first = errors[0]
    line, column = first.span.source.line_column(first.span.start)
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    place = f"{first.span.source.name}:{line}:{column}"
    return RulesetError(f"{place}: error[{first.code}]: {first.message}{more}", diagnostics)


def _as_diagnostic(error: SourceError) -> Diagnostic:
    return Diagnostic(error.code, error.message, error.span)


# ------------------------------------------------------------------------------------------------- from its texts


def from_data(data: Any) -> Ruleset:
    """Make a ruleset again from plain data. It may come from anywhere, so nothing in it is trusted.

    Args:
        data: What ``Ruleset.to_json`` gave.

    Raises:
        RulesetError: Something in it is missing or changed, or the texts don't check.
    """
    try:
        texts = tuple((_text(name), _text(text)) for name, text in _listed(data["texts"]))
        links = tuple(
            ((_text(importer), _text(kind), _text(name)), _text(found))
            for importer, kind, name, found in _listed(data["links"])
        )
        options = tuple((_text(name), value) for name, value in data["options"].items())
        if not texts or not {found for _, found in links} <= {name for name, _ in texts}:
            raise ValueError("a text is missing")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise RulesetError("this is no ruleset as plain data: something in it is missing or changed") from error
    try:
        return from_texts(texts, links, options)
    except SourceError as error:
        raise _refused((_as_diagnostic(error),)) from error
    except InputError as error:
        raise RulesetError(f"this ruleset as plain data does not fit its own texts: {error}") from error


def _listed(items: Any) -> list[Any]:
    if not isinstance(items, (list, tuple)):
        raise TypeError("this is no list")
    return list(items)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError("this is no text")
    return given


def from_texts(
    texts: tuple[tuple[str, str], ...], links: tuple[tuple[Link, str], ...], options: tuple[tuple[str, Any], ...]
) -> Ruleset:
    """Make a ruleset again from its texts, as a worker does that gets one sent; no file is opened.

    Args:
        texts: The name and text of each, the main one first.
        links: What each text takes over, by name.
        options: The options that differ from nothing, by name.
    """
    checked, found = _checked_texts(texts, links)
    if checked.program is None:
        raise _refused(checked.diagnostics)
    return Ruleset(checked, checked.program, found, convert_options(checked.program, dict(options)))


@lru_cache(maxsize=16)
def _checked_texts(
    texts: tuple[tuple[str, str], ...], links: tuple[tuple[Link, str], ...]
) -> tuple[Checked, Mapping[Link, SourceFile]]:
    from enfilade.check.program import check_source

    sources = {name: SourceFile.from_text(text, name) for name, text in texts}
    found = {link: sources[name] for link, name in links}
    return check_source(sources[texts[0][0]], Kept(found)), found


# ------------------------------------------------------------------------------------------------- with more in it


def extended(rules: Ruleset, links: Mapping[Link, SourceFile], text: str, name: str) -> Ruleset:
    """A variant of a ruleset that says more, or other things.

    Args:
        rules: The ruleset.
        links: What its texts take over.
        text: Declarations, as after ``extends``.
        name: What the variant is called.
    """
    base = rules.sources[0]
    source = SourceFile(f"<{name}>", f"enfilade 1\nruleset {name} extends {rules.name}\n{text}")
    folder = base.path.parent if base.path is not None else Path()
    try:
        made = _ruleset(source, _Extending(source, base, links, Folders((folder,), folder)), {})
    except SourceError as error:
        raise _refused((_as_diagnostic(error),)) from error
    return made.with_options(**{option: value for option, value in rules.options.items() if option in made.options})


@frozen
class _Extending:
    """Finds the ruleset that is extended, and what it takes over; all else in folders."""

    source: SourceFile
    base: SourceFile
    links: Mapping[Link, SourceFile]
    folders: Folders

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        found = self.links.get((importer.name, "module", name))
        return found or self.folders.find_module(name, importer, is_path)

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        if importer is self.source:
            return self.base
        return self.links.get((importer.name, "ruleset", name)) or self.folders.find_ruleset(name, importer)
