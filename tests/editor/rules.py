"""What the tests of the editor do with texts of rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from enfilade.editor import Analysis, Edit, analyse
from enfilade.tools import run_ruleset_examples

ROOT: Final = Path(__file__).resolve().parents[2]


def of_file(path: Path) -> Analysis:
    """The analysis of a file."""
    return analyse(path.read_text(encoding="utf-8"), path=path)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after some edits."""
    for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def errors(found: Analysis) -> list[str]:
    """The messages of the errors of a text."""
    return [each.message for each in found.diagnostics if each.severity.value == "error"]


def codes(text: str) -> list[str]:
    """The codes of the diagnostics of a text."""
    return [each.code for each in analyse(text).diagnostics]


def passed(found: Analysis) -> list[bool]:
    """Whether each example of a text passes."""
    assert found.ruleset is not None
    return [each.passed for each in run_ruleset_examples(found.ruleset)]
