"""Whole rulesets with the messages that they must give, word for word.

``python tests/golden/check/test_check_golden.py`` writes the messages anew; look at what it changed. It is never run in
CI. Each file begins with that command, then holds the program, then the messages below a line of dashes. A line
``-- file: NAME`` begins another text, which the first one uses or extends. Examples are run where everything else is well.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.diagnostics.render import render_text
from enfilade.source.text import SourceFile
from enfilade.tools.examples import run_examples

HERE: Final = Path(__file__).parent
COMMAND: Final = "-- made by: python tests/golden/check/test_check_golden.py\n"
RULE: Final = "-" * 72 + "\n"
FILES: Final = sorted(HERE.glob("*.golden"))

_FILE = re.compile(r"^-- file: (\S+)\n", re.MULTILINE)


class Texts:
    """Finds the texts of one golden file by their names."""

    def __init__(self, program: str) -> None:
        first, *rest = _FILE.split(program)
        self.texts = {"program.rules": SourceFile("program.rules", first)}
        for name, text in zip(rest[::2], rest[1::2], strict=True):
            self.texts[name] = SourceFile(name, text)

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        return self.texts.get(name if is_path else f"{name}.rules")

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        return self.texts.get(f"{name}.rules")

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        return tuple(Path(name).stem for name in self.texts)


def split(content: str) -> tuple[str, str]:
    """The program and the messages of a golden file."""
    program, _, messages = content.removeprefix(COMMAND).partition(RULE)
    return program, messages


def found_in(program: str) -> tuple[Diagnostic, ...]:
    """What the checker says about a program, and then its examples."""
    texts = Texts(program)
    checked = check_source(texts.texts["program.rules"], texts)
    if checked.program is None:
        return checked.diagnostics
    return checked.diagnostics + tuple(d for result in run_examples(checked.program) for d in result.diagnostics)


def messages_of(program: str) -> str:
    """The messages about a program, as a person reads them."""
    return "".join(f"{render_text(diagnostic)}\n" for diagnostic in found_in(program))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_program_gives_its_messages(path: Path) -> None:
    content = path.read_bytes().decode("utf-8")
    assert content.startswith(COMMAND)
    program, messages = split(content)
    assert messages_of(program) == messages


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_lines_that_are_marked_are_those_with_a_message(path: Path) -> None:
    """A comment ``-- !`` ends each line to which a message points first: none is missing, none is left over."""
    program, _ = split(path.read_bytes().decode("utf-8"))
    found = found_in(program)
    if "-- !" not in program:
        return
    pointed = {(d.span.source.name, d.span.source.line_column(d.span.start)[0]) for d in found}
    marked = {
        (source.name, number)
        for source in Texts(program).texts.values()
        for number, line in enumerate(source.text.splitlines(), 1)
        if line.endswith("-- !")
    }
    assert pointed == marked


def main() -> None:
    """Write the messages of all programs anew."""
    for path in FILES:
        program, _ = split(path.read_bytes().decode("utf-8"))
        path.write_bytes((COMMAND + program + RULE + messages_of(program)).encode())


if __name__ == "__main__":
    main()
