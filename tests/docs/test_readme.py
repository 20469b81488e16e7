"""The README says what is so: its commands print what stands below them, and its Python gives what its comments say."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

import enfilade
from enfilade.cli import main
from enfilade_repl.dispatch import new_session
from enfilade_repl.transcript import replay

README = Path(__file__).resolve().parents[2] / "README.md"


def block(marker: str) -> str:
    """The fenced block below a comment."""
    found = re.search(rf"<!-- {marker} -->\n```\w*\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"the README has no block marked {marker}"
    return found[1]


def test_the_first_command_prints_what_the_readme_shows(capsys: pytest.CaptureFixture[str]) -> None:
    command = block("first command").strip().split("&&")[-1]
    words = shlex.split(command)
    assert words[0] == ".venv/bin/enfilade"
    assert main(words[1:]) == 0
    assert capsys.readouterr().out == block("first output")


def test_the_session_of_the_readme_comes_out_the_same() -> None:
    assert replay(new_session(), block("session"), lambda part: None) is None


def test_the_python_of_the_readme_gives_what_its_comments_say() -> None:
    text = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    names: dict[str, object] = {"enfilade": enfilade}
    told = 0
    for node in ast.parse(text[1]).body:
        source = ast.get_source_segment(text[1], node) or ""
        comment = text[1].splitlines()[node.end_lineno - 1].partition("  # ")[2] if node.end_lineno else ""
        if isinstance(node, ast.Expr) and re.match(r"[({'\[]", comment):
            assert eval(source, names) == ast.literal_eval(comment)
            told += 1
        elif not source.startswith("print"):
            exec(source, names)
    assert told == 2
