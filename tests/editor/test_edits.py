"""An analysis after an edit takes over what has not changed, and finds what a new analysis finds."""

from __future__ import annotations

import random
from typing import Final

import pytest
from tests.editor.edits import differs, seen, texts
from tests.editor.rules import ROOT

from enfilade.editor import Analysis, analyse

TEXT: Final = """\
facts
  night     yes/no  "night turn" [1.2]
  strength  1..     "points that fire"
  distance  0..

define row "range band"
  "close"   when distance <= 3
  "far"     otherwise

define base = strength - (1 when night otherwise 0) but at least 1

chart fire "Fire Table"
  down      d6
  across    base, column at or below
  severity  - < M < M1
  column below   stays
  column above   stays
  | Die | 1 | 3  | 5+ |
  | 1   | - | -  | M  |
  | 2   | - | M  | M  |
  | 3   | - | M  | M1 |
  | 4   | M | M  | M1 |
  | 5   | M | M1 | M1 |
  | 6   | M | M1 | M1 |

modifiers drm "Modifiers" add to roll of fire
  -1  dark  night
  +1  near  row is "close"
  net at most 1
  net at least -1

procedure shoot "Shoot"
  1. roll d6 as dice
  2. read fire with dice as hit
  3. give result = hit.code
  4. give band = row

example shoot "close in the light"
  given strength 3, distance 2
  on 3
  gives M
  expect band is "close"
"""


def after(old: str, new: str, text: str = TEXT) -> tuple[Analysis, Analysis]:
    """The analysis of the text with one change, made from the one before, and a new one."""
    assert old in text
    changed = text.replace(old, new)
    return analyse(changed, before=analyse(text)), analyse(changed)


@pytest.mark.parametrize(
    ("seed", "number"), [(0, 12), *(pytest.param(seed, 25, marks=pytest.mark.thorough) for seed in range(1, 4))]
)
def test_random_edits_of_a_small_text_give_the_diagnostics_of_a_new_analysis(seed: int, number: int) -> None:
    found = analyse(TEXT)
    for text in texts(TEXT, number, random.Random(seed)):
        found = analyse(text, before=found)
        assert seen(found) == seen(analyse(text)), text


# The command tries the larger files, too.
@pytest.mark.parametrize(
    "name",
    [
        "stdlib/hits",
        "stdlib/morale",
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in (
                "stdlib/allocation",
                "stdlib/opposed",
                "rulesets/bombardment/bombardment",
                "rulesets/franco_prussian/morale",
                "rulesets/infantry_attacks/infantry_attacks",
            )
        ),
    ],
)
def test_random_edits_of_a_shipped_file_give_the_diagnostics_of_a_new_analysis(name: str) -> None:
    assert differs(ROOT / f"{name}.rules", 1, 1, with_names=True) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"far"     otherwise', '"fair"    otherwise'),
        ('"close"   when', '"cloze"   when'),
        ("strength  1..", "strenght  1.."),
        ("| 6   | M | M1 | M1 |", "| 6   | M | M1 | XX |"),
        ("  net at most 1\n", ""),
        ("define base", "define bass"),
        # A recursive declaration is checked as a whole.
        ("define base = strength", "define base = base"),
        ("\ndefine row", "\n\n-- a remark\n\ndefine row"),
        ("procedure shoot", "procedure"),
        ("base, column", "basis, column"),
    ],
)
def test_a_change_and_its_undoing_are_seen_by_what_depends_on_them(old: str, new: str) -> None:
    found, fresh = after(old, new)
    assert seen(found) == seen(fresh)
    assert [(each.span.start, each.kind) for each in found.semantic_tokens()] == [
        (each.span.start, each.kind) for each in fresh.semantic_tokens()
    ]
    assert seen(analyse(TEXT, before=found)) == seen(analyse(TEXT))


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ('expect band is "close"', 'expect band is "far"', {"Example"}),
        ('modifiers drm "Modifiers"', 'modifiers drm "DRM"', {"Modifiers", "Chart", "Procedure", "Example"}),
    ],
)
def test_only_what_depends_on_a_change_is_checked_again(old: str, new: str, kinds: set[str]) -> None:
    found, _ = after(old, new)
    checked = {type(each).__name__ for each in found._version.checked}
    assert checked
    assert checked <= kinds


def test_places_move_with_the_text_above() -> None:
    found, fresh = after("facts\n", "-- a remark\n\nfacts\n")
    at = found.source.text.index("hit.code")
    assert len(found._version.checked) < 5
    assert found.definition(at) == tuple(found.source.span(each.start, each.end) for each in fresh.definition(at))
    assert found.folding() == fresh.folding()


def test_what_is_kept_of_a_text_does_not_grow_with_the_edits() -> None:
    found = analyse(TEXT)
    sizes = []
    for number in range(30):
        found = analyse(TEXT.replace("close in the light", f"close {number % 7}"), before=found)
        found.semantic_tokens()
        found.folding()
        sizes.append(len(found._version._kept) + len(found._version._records))
        assert len(found._version._all_kept) + len(found._version._known) == sizes[-1]
    assert len(set(sizes[1:])) == 1


def test_answers_that_nobody_asked_for_after_one_edit_are_there_after_the_next() -> None:
    first = analyse(TEXT)
    first.semantic_tokens()
    second = analyse(TEXT + "\n", before=first)
    third = analyse(TEXT + "\n\n", before=second)
    tokens = {key[1:] for key in first._version._kept if key[0] == "lexed"}
    third.semantic_tokens()
    assert len(tokens & {key[1:] for key in third._version._kept if key[0] == "lexed"}) >= len(tokens) - 1


def test_the_graph_is_right_after_a_procedure_is_added_and_taken_away() -> None:
    more = TEXT + "\nprocedure twice\n  1. call shoot with strength 2 as first\n  2. give result = first.result\n"
    found = analyse(TEXT, before=analyse(more))
    again = analyse(more, before=found)
    for one, fresh in ((found, analyse(TEXT)), (again, analyse(more))):
        assert seen(one) == seen(fresh)
        assert inputs(one) == inputs(fresh)
    assert inputs(found)["shoot"] == ("night", "strength", "distance")


def inputs(found: Analysis) -> dict[str, tuple[str, ...]]:
    """The facts that each procedure uses, which the program graph tells."""
    assert found._checked.draft is not None
    return {name: each.inputs for name, each in found._checked.draft.procedures.items()}
