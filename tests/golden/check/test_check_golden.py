"""Whole rulesets with the messages that they must give, word for word.

``python tests/golden/check/test_check_golden.py`` writes the messages anew; look at what it changed. It is never run in
CI. Each file begins with that command, then holds the program, then the messages below a line of dashes. A file with
several programs is read as ``tests/check/marking.py`` says. Examples are run where everything else is well.
"""

import sys
from pathlib import Path
from typing import Final

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.check.marking import cases_in, diagnostics_of

from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.diagnostics.render import render_text

HERE: Final = Path(__file__).parent
COMMAND: Final = "-- made by: python tests/golden/check/test_check_golden.py\n"
RULE: Final = "-" * 72 + "\n"
FILES: Final = sorted(HERE.glob("*.golden"))


def split(content: str) -> tuple[str, str]:
    """The programs and the messages of a golden file."""
    programs, _, messages = content.removeprefix(COMMAND).partition(RULE)
    return programs, messages


def found_in(programs: str) -> list[Diagnostic]:
    """What the checker says about each program, and then its examples."""
    return [found for case in cases_in(programs) for found in diagnostics_of(case.files)]


def messages(found: list[Diagnostic]) -> str:
    """The messages, as a person reads them."""
    return "".join(f"{render_text(diagnostic)}\n" for diagnostic in found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_program_gives_its_messages(path: Path) -> None:
    """A comment ``-- !`` ends each line to which a message points first, if any: none is missing, none is left over."""
    content = path.read_bytes().decode("utf-8")
    assert content.startswith(COMMAND)
    programs, expected = split(content)
    found = found_in(programs)
    assert messages(found) == expected
    marked = {
        (name, number)
        for case in cases_in(programs)
        for name, text in case.files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith("-- !")
    }
    pointed = {(d.span.source.name, d.span.source.line_column(d.span.start)[0]) for d in found}
    assert not marked or pointed == marked


def main() -> None:
    """Write the messages of all programs anew."""
    for path in FILES:
        programs, _ = split(path.read_bytes().decode("utf-8"))
        path.write_bytes((COMMAND + programs + RULE + messages(found_in(programs))).encode())


if __name__ == "__main__":
    main()
