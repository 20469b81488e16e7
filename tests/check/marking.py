"""Texts of rules, what they are told of, and what comments in them say that it should be.

A file of texts is read by these lines, each of which begins a part:

* ``-- case: TITLE`` begins a text; the title is the sentence that it proves.
* ``-- head`` begins what stands before each text that follows, up to the next head. The beginning of a file is a head, too.
* ``-- file: NAME`` begins another file of a text, which the first one uses or extends; after a head, of each text that follows.

A comment ``-- ! code`` at the end of a line asks for a diagnostic at that line, and ``-- ! code, code`` for several.
Examples are run where everything else is well: one that fails is a diagnostic, too.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.examples import run_examples

MAIN: Final = "program.rules"

_PART: Final = re.compile(r"^-- (head|case|file)\b:? ?(.*)\n", re.MULTILINE)
_MARK: Final = re.compile(r"-- ! ([a-z, -]+)$")


@frozen
class Case:
    """A text of rules.

    Attributes:
        title: What it proves.
        files: Its files by their names; the first one is checked.
    """

    title: str
    files: dict[str, str]


class Texts:
    """Finds the files of a text by their names, and then what is shipped."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.texts = {name: SourceFile(name, text) for name, text in files.items()}

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        beside = self.texts.get(name if is_path else f"{name}.rules")
        return beside or Folders().find_module(name, importer, is_path)

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        return self.texts.get(f"{name}.rules")

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        return tuple(Path(name).stem for name in self.texts)


def cases_in(content: str) -> list[Case]:
    """The texts of a file; what has no ``case`` is one text. The lines of a text have the numbers that they have in the file."""
    head, *parts = _PART.split(content)
    line = head.count("\n")
    if "case" not in parts[::3]:
        parts = ["case", "", "", *parts]
        line -= 1
    shared: dict[str, str] = {}
    found: list[Case] = []
    files = shared
    for kind, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        line += 1
        if kind == "head":
            head = "\n" * line + text
            files = shared = {}
        elif kind == "case":
            files = {MAIN: head + "\n" * (line - head.count("\n")) + text, **shared}
            found.append(Case(title, files))
        else:
            files[title] = text
        line += text.count("\n")
    return found


def diagnostics_of(files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """What the checker says about a text, and then its examples."""
    texts = Texts(files)
    checked = check_source(texts.texts[MAIN], texts)
    if checked.program is None:
        return checked.diagnostics
    return checked.diagnostics + tuple(d for result in run_examples(checked.program) for d in result.diagnostics)


def found(text: str) -> list[tuple[str, int]]:
    """The code and the line of each diagnostic."""
    return [(code, line) for code, _, line in places({MAIN: text})]


def places(files: Mapping[str, str]) -> list[tuple[str, str, int]]:
    """The code, the file and the line of each diagnostic."""
    spans = [(d.code, d.span) for d in diagnostics_of(files)]
    return [(code, span.source.name, span.source.line_column(span.start)[0]) for code, span in spans]


def marked(files: Mapping[str, str]) -> list[tuple[str, str, int]]:
    """The codes that the comments ``-- ! code`` ask for, each with its file and line."""
    return [
        (code, name, number)
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        for mark in _MARK.findall(line)
        for code in mark.split(", ")
    ]
