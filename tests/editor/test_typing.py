"""What an editor shows while somebody types."""

from __future__ import annotations

from typing import Final

import pytest
from tests.editor.rules import ROOT

from enfilade.cli.lsp_typing import Shown, while_typing
from enfilade.editor import analyse

TEXT: Final = """\
ruleset small "Small"

facts
  night  yes/no

option fog

procedure walk
  1. give result = 1
"""
UNUSED: Final = ("unused-fact", 4)


def told(before: str, after: str, line: int) -> list[tuple[str, int]]:
    """The codes and lines that are shown after an edit on a line."""
    first = analyse(before)
    found = analyse(after, before=first)
    return [(each.code, each.span.line) for each in while_typing(found, Shown(first.source, first.diagnostics), line)]


@pytest.mark.parametrize(
    ("old", "new", "line", "shown"),
    [
        # The line that is typed has an unknown name, or ends too early.
        ("result = 1", "result = nig", 9, [UNUSED]),
        ("result = 1", "result = ", 9, [UNUSED]),
        # Another line has a new error.
        ("result = 1", "result = nig", 4, [("unknown-name", 9), UNUSED]),
        # The warning moves with its line, though the error keeps it from being found.
        ('small "Small"\n', 'small "Small"\n\nfac', 3, [("unused-fact", 5)]),
        # A new warning waits; one that is gone goes at once.
        ("option fog", "option fog\noption rain", 7, [UNUSED]),
        ("result = 1", "result = 1 when night otherwise 2", 9, []),
    ],
)
def test_a_half_typed_line_brings_no_diagnostics_and_takes_none_away(
    old: str, new: str, line: int, shown: list[tuple[str, int]]
) -> None:
    assert told(TEXT, TEXT.replace(old, new), line) == shown


@pytest.mark.parametrize(("game", "most"), [("odds_afrika_korps", 0.15)])
def test_most_prefixes_of_a_game_that_is_typed_show_no_error(game: str, most: float) -> None:
    text = (ROOT / f"tests/generality/{game}.rules").read_text("utf-8")[:1_000]
    found = analyse("")
    shown, wrong = Shown(found.source, ()), 0
    for end in range(1, len(text)):
        found = analyse(text[:end], before=found)
        # Whoever types pauses at the end of a line.
        line = text.count("\n", 0, end) + 1
        diagnostics = found.diagnostics if text[end - 1] == "\n" else while_typing(found, shown, line)
        shown = Shown(found.source, diagnostics)
        wrong += any(each.severity.name == "ERROR" for each in diagnostics)
    assert wrong <= most * len(text)


def test_records_and_effects_for_other_files_need_no_procedure() -> None:
    assert analyse('record unit\n  steps  0..3\n\neffect retreat "goes back" (unit, hexes 1..)\n').diagnostics == ()
