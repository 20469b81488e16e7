"""A build-time cache of checked programs: shipped rulesets load without parsing and checking.

The build of a wheel writes one file for each shipped ruleset, with the digest of each of its texts. A file is used only
if all texts are found unchanged in the same places. Otherwise, and in every editable install, the ruleset is checked
like any other.
"""

from __future__ import annotations

import contextvars
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from enfilade.core import ir
from enfilade.core.serialisation import Mismatch, restore, store
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.finder import Finder, Folders, Kept, Link, Recorder, is_name, shipped_names
from enfilade.source.text import SourceError, SourceFile
from enfilade.version import __version__

if TYPE_CHECKING:
    from enfilade.check.context import Context
    from enfilade.check.program import Checked
    from enfilade.syntax.tree import Declaration

FOLDER: Final = Path(__file__).resolve().parents[1] / "prechecked"


class Prechecked:
    """The stored result of a check; the check itself runs only if its syntax trees or its context are needed.

    Attributes:
        program: The checked core.
        diagnostics: The warnings.
        sources: The texts, the main one first.
        links: The text behind each import.
    """

    def __init__(
        self,
        program: ir.Program,
        diagnostics: tuple[Diagnostic, ...],
        sources: tuple[SourceFile, ...],
        links: Mapping[Link, SourceFile],
    ) -> None:
        self.program = program
        self.diagnostics = diagnostics
        self.sources = sources
        self.links = links

    @cached_property
    def _checked(self) -> Checked:
        from enfilade.check.program import check_source

        # The text was checked when the wheel was built: the limits of the call at hand are not for it.
        return contextvars.Context().run(check_source, self.sources[0], Kept(self.links))

    @property
    def context(self) -> Context | None:
        """The context of the checker, for questions about the ruleset."""
        return self._checked.context

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The syntax trees of all texts, joined."""
        return self._checked.declarations


def find_prechecked(source: SourceFile, finder: Finder, folder: Path = FOLDER) -> Prechecked | None:
    """Find the checked program of a text.

    Args:
        source: The main text.
        finder: Finds its modules.
        folder: The folder of the stored files.

    Returns:
        The stored result of the check, or ``None`` if there is no valid file.
    """
    if source.path is None:
        return None
    try:
        data = json.loads((folder / f"{source.path.stem}.json").read_bytes())
    except (OSError, ValueError):
        return None
    if data["version"] != __version__:
        return None
    try:
        found = _sources(data, source, finder)
        if found is None:
            return None
        sources, links = found
        program, diagnostics = restore(data["checked"], sources)
    except (Mismatch, SourceError):
        return None
    return Prechecked(program, diagnostics, sources, links)


def _sources(
    data: Mapping[str, Any], main: SourceFile, finder: Finder
) -> tuple[tuple[SourceFile, ...], Mapping[Link, SourceFile]] | None:
    """Find the texts through the same imports; ``None`` if a text is missing or changed."""
    digests = data["texts"]
    sources = {0: main}
    links: dict[Link, SourceFile] = {}
    for importer, kind, name, number in data["links"]:
        asking = sources[importer]
        found = (
            finder.find_ruleset(name, asking)
            if kind == "ruleset"
            else finder.find_module(name, asking, not is_name(name))
        )
        if found is None or _digest(found) != digests[number]:
            return None
        links[asking.name, kind, name] = found
        sources.setdefault(number, found)
    if _digest(main) != digests[0]:
        return None
    return tuple(sources[number] for number in range(len(digests))), links


def prechecked_data(source: SourceFile, finder: Finder) -> dict[str, Any] | None:
    """Check a ruleset and return the content of its file; ``None`` if it has errors."""
    from enfilade.check.program import check_source

    recorder = Recorder(finder)
    checked = check_source(source, recorder)
    if checked.program is None:
        return None
    numbers = {each.name: number for number, each in enumerate(checked.sources)}
    return {
        "version": __version__,
        "texts": [_digest(each) for each in checked.sources],
        "links": [
            [numbers[asking], kind, name, numbers[found.name]] for (asking, kind, name), found in recorder.found.items()
        ],
        "checked": store((checked.program, checked.diagnostics), checked.sources),
    }


def shipped_files() -> Iterator[tuple[str, str]]:
    """Yield the name and content of the file for each shipped ruleset, for the build."""
    folders = Folders()
    for name in shipped_names():
        source = folders.find_named(name)
        data = None if source is None else prechecked_data(source, folders)
        if data is None:
            raise ValueError(f"the shipped ruleset {name} has errors: run `enfilade check rulesets`")
        yield f"{name}.json", json.dumps(data, separators=(",", ":"))


def _digest(source: SourceFile) -> str:
    return sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()
