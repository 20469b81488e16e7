"""Loaded programs: rule texts, the checked program they give, and the values of its options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from enfilade.api.prechecked import Prechecked, find_prechecked
from enfilade.core import ir
from enfilade.core.inputs import convert_options
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.errors import InputError, RulesetError
from enfilade.limits import Limits, in_force
from enfilade.source.finder import Finder, Folders, Kept, Link, Recorder
from enfilade.source.text import SourceError, SourceFile
from enfilade.values.json_data import to_json

if TYPE_CHECKING:
    from enfilade.check.program import Checked


@frozen(eq=False)
class Loaded:
    """A checked program with its texts and options.

    Attributes:
        checked: The texts, and the results of the check.
        program: The checked program.
        links: The text behind each import.
        options: The value of every option.
        limits: The limits of its plays and odds.
    """

    checked: Checked | Prechecked
    program: ir.Program
    links: Mapping[Link, SourceFile]
    options: Mapping[str, Any]
    limits: Limits = field(factory=in_force)

    def to_json(self) -> dict[str, Any]:
        """Return the texts and options as plain data."""
        return {
            "texts": [[source.name, source.text] for source in dict.fromkeys(self.checked.sources)],
            "links": [[*link, source.name] for link, source in self.links.items()],
            "options": to_json(self.options),
        }


def load_source(source: SourceFile, finder: Finder, options: Mapping[str, Any]) -> Loaded:
    """Check a text, or use the prechecked program of the wheel.

    Args:
        source: The main text.
        finder: Finds the imported texts.
        options: The values of options to set.

    Raises:
        RulesetError: The texts have errors.
        InputError: An option is unknown, or its value is not allowed.
        SourceError: A text can't be read.
    """
    stored = find_prechecked(source, finder)
    if stored is not None:
        return Loaded(stored, stored.program, stored.links, convert_options(stored.program, options))
    from enfilade.check.program import check_source

    recorder = Recorder(finder)
    return _loaded(check_source(source, recorder), recorder.found, options)


def _loaded(checked: Checked, links: Mapping[Link, SourceFile], options: Mapping[str, Any]) -> Loaded:
    if checked.program is None:
        raise refused(checked.diagnostics)
    return Loaded(checked, checked.program, links, convert_options(checked.program, options))


def refused(diagnostics: tuple[Diagnostic, ...]) -> RulesetError:
    """Return the exception for diagnostics."""
    errors = [found for found in diagnostics if found.severity is Severity.ERROR]
    first = errors[0]
    line, column = first.span.source.line_column(first.span.start)
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    place = f"{first.span.source.name}:{line}:{column}"
    return RulesetError(f"{place}: error[{first.code}]: {first.message}{more}", diagnostics)


def as_diagnostic(error: SourceError) -> Diagnostic:
    """Return the diagnostic for a text that can't be read."""
    return Diagnostic(error.code, error.message, error.span)


# ------------------------------------------------------------------------------------------------- from plain data


def from_data(data: Any) -> Loaded:
    """Load a ruleset from plain data. The data may come from anywhere, so all of it is validated.

    Args:
        data: The result of ``Ruleset.to_json``.

    Raises:
        RulesetError: Something in the data is missing or changed, or the texts have errors.
    """
    try:
        texts = tuple((_text(name), _text(text)) for name, text in _listed(data["texts"]))
        links = tuple(
            ((_text(importer), _text(kind), _text(name)), _text(found))
            for importer, kind, name, found in _listed(data["links"])
        )
        options = {_text(name): value for name, value in data["options"].items()}
        if not texts or not {found for _, found in links} <= {name for name, _ in texts}:
            raise ValueError("a source text is missing")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise RulesetError("this is not a saved ruleset: a part is missing or changed") from error
    try:
        return _loaded(*_checked_texts(texts, links, in_force()), options)
    except SourceError as error:
        raise refused((as_diagnostic(error),)) from error
    except InputError as error:
        raise RulesetError(f"this saved ruleset does not match its own source texts: {error}") from error


def _listed(items: Any) -> list[Any]:
    if not isinstance(items, (list, tuple)):
        raise TypeError("this is not a list")
    return list(items)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError("this is not text")
    return given


@lru_cache(maxsize=16)
def _checked_texts(
    texts: tuple[tuple[str, str], ...], links: tuple[tuple[Link, str], ...], limits: Limits
) -> tuple[Checked, Mapping[Link, SourceFile]]:
    """Check texts from plain data, the main one first; no file is opened."""
    from enfilade.check.program import check_source

    sources = {name: SourceFile.from_text(text, name) for name, text in texts}
    found = {link: sources[name] for link, name in links}
    return check_source(sources[texts[0][0]], Kept(found)), found


# ------------------------------------------------------------------------------------------------------- variants


def load_variant(base: Loaded, text: str, name: str) -> Loaded:
    """Load a variant of a ruleset, with the same option values.

    Args:
        base: The ruleset.
        text: Declarations, as after ``extends``.
        name: The name of the variant.

    Raises:
        RulesetError: The variant has errors.
    """
    main = base.checked.sources[0]
    source = SourceFile(f"<{name}>", f"enfilade 1.1\nruleset {name} extends {base.program.name}\n{text}")
    folder = main.path.parent if main.path is not None else Path()
    folders = Folders((folder,), folder) if in_force().files else Folders()
    try:
        made = load_source(source, _VariantFinder(source, main, base.links, folders), {})
    except SourceError as error:
        raise refused((as_diagnostic(error),)) from error
    kept = {option: value for option, value in base.options.items() if option in made.options}
    return evolve(made, options={**made.options, **convert_set_options(made.program, kept)})


def convert_set_options(program: ir.Program, options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the option values that a caller sets, and leave out all other options."""
    converted = convert_options(program, options)
    return {name: converted[name] for name in options}


@frozen
class _VariantFinder:
    """Finds the extended ruleset and its imports among loaded texts, and everything else in folders."""

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

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        return self.folders.names_beside(importer)
