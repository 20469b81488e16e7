"""Programs with the messages that they must give, word for word.

``python tests/golden/test_golden.py`` writes the messages anew; look at what it changed. It is never run in CI.
Each file begins with that command, then holds the program, then the messages below a line of dashes.
"""

from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.diagnostics.render import render_text
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

HERE: Final = Path(__file__).parent
COMMAND: Final = "-- made by: python tests/golden/test_golden.py\n"
RULE: Final = "-" * 72 + "\n"
FILES: Final = sorted((HERE / "syntax").glob("*.golden"))


def split(content: str) -> tuple[str, str]:
    """The program and the messages of a golden file."""
    program, _, messages = content.removeprefix(COMMAND).partition(RULE)
    return program, messages


def messages_of(program: str) -> str:
    """What a check says about the syntax of a program."""
    found = [
        each
        for each in check_source(SourceFile("program.rules", program), Folders()).diagnostics
        if each.code in SYNTAX_CODES
    ]
    return "".join(f"{render_text(diagnostic)}\n" for diagnostic in found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_program_gives_its_messages(path: Path) -> None:
    content = path.read_bytes().decode("utf-8")
    assert content.startswith(COMMAND)
    program, messages = split(content)
    assert messages_of(program) == messages


def test_every_code_of_the_syntax_stage_has_a_golden_case() -> None:
    shown = "".join(path.read_text(encoding="utf-8") for path in FILES)
    assert [code for code in SYNTAX_CODES if f"[{code}]" not in shown] == []


SYNTAX_CODES: Final = [
    "control-character", "division-by-zero", "indentation", "look-alike", "missing-block", "missing-bracket",
    "missing-quote", "number-too-long", "row-not-closed", "stray-row", "syntax", "two-labels", "unfinished-line",
    "unknown-declaration",
]  # fmt: skip


def main() -> None:
    """Write the messages of all programs anew."""
    for path in FILES:
        program, _ = split(path.read_bytes().decode("utf-8"))
        path.write_bytes((COMMAND + program + RULE + messages_of(program)).encode())


if __name__ == "__main__":
    main()
