"""Code actions: missing lines of charts, a new example, and rewrites that keep the meaning."""

from __future__ import annotations

from typing import Final

import pytest
from tests.editor.rules import ROOT, codes, edited, of_file, passed

from enfilade import Limits, limited
from enfilade.editor import Action, Analysis, analyse
from enfilade.tools import run_ruleset_examples

SHIFTED: Final = """\
facts
  strength  1..9
  night     yes/no

chart table
  down    1d6
  across  strength, column at or below
  severity  - < X

  | Roll | 1 | 4 |
  | 1-3  | - | X |
  | 4-6  | X | X |

modifiers shifts shift columns of table
  -1  night  night
"""
ROWS_SHIFTED: Final = SHIFTED.replace("shift columns of table\n  -1", "add to roll of table\n  -1")
GAP: Final = "chart table\n  down 2d6\n\n  | Roll | Result |\n  |  2-6 |   M1   |\n  |  8+  |   X    |\n"
WIND: Final = "facts\n  wind one of north, south, west\n\nchart table\n  down wind\nWind\tResult\nnorth\t-\n"
WIND_ACROSS: Final = (
    "facts\n  wind one of north, south\n\nchart table\n  down 1d6\n  across wind\n\n  | R | north |\n  | 1-6 | - |\n"
)
TABS: Final = "chart table\n  down 2d6\nRoll\tResult\n2-6\t-\n7-12\tX\n\ndefine a = 1\n"
BARS: Final = "  | Roll | Result |\n  |  2-6 |    -   |\n  | 7-12 |    X   |"

PROCEDURE: Final = """\
facts
  strength  1..9
  night     yes/no
  terrain   set of woods, hill

procedure fire
  1. refuse too_weak when strength is 9
  2. roll 1d6 as die
  3. give result = die + strength
  4. give dark = night and terrain has hill

"""
EXAMPLES: Final = """\
example fire "day"
  given strength 2, terrain [woods, hill]
  on 3
  gives 5
  expect dark is no

example fire "night"
  given night, strength 4, terrain [woods, hill]
  on 1
  gives 5
  expect dark is yes

example fire "weak"
  given strength 9, terrain [woods, hill]
  refused too_weak
"""
PLAYED: Final = PROCEDURE + EXAMPLES
TABLE: Final = """\
examples fire "day; night; weak"
  given terrain [woods, hill]
  | strength | on | gives | dark | night |  refused |
  |     2    |  3 |   5   |  no  |       |          |
  |     4    |  1 |   5   |  yes |  yes  |          |
  |     9    |    |       |      |       | too_weak |
"""
FOURTH: Final = """\

example fire "new example 4: gives 4"
  given strength 2, terrain [woods, hill]
  on 2
  gives 4
  expect dark is no
  no effects
"""
FIRST: Final = """\
example fire "new example 1: gives 2"
  given strength 1
  on 1
  gives 2
  expect dark is no
  no effects

"""
GOING: Final = "procedure go\n  1. roll 1d6 as die\n  2. give result = die\n\ndefine a = 1\n"
GONE: Final = 'example go "new example 1: gives 6"\n  on 6\n  gives 6\n  no effects\n\n'

# What a newcomer forgets.
FORGOTTEN: Final = """\
facts
  attack  1..

chart table
  down  d6
  | Roll | Code |
  | 1..3 |  -   |
  | 4..6 |  X   |

modifiers drm add to roll of fire_table
  -1  night  night
  -1  cover  terrain is woods or town
  -1  far    range > 6
"""
MISSPELT: Final = "chrat fire_table\n  down  d6\n  | Roll | 1 | 4 |\n  | 1..3 | - | M |\n  | 4..6 | M | X |\n"
GUNNERY: Final = "Gunnery\n\n Roll  1  4\n 1-3   -  M\n 4-6   M  X\n\nM Morale check\n"
PASTED: Final = "Die   1-2  1-1  2-1\n1-2   AE   AR   EX\n3-4   AR   EX   DR\n5-6   EX   DR   DE\n"


def offered(text: str, word: str, name: str = "<text>") -> tuple[Analysis, list[Action]]:
    """What is offered at the first place of a word."""
    found = analyse(text, name=name)
    at = text.index(word)
    return found, list(found.code_actions(at, at))


def after(found: Analysis, action: Action) -> str:
    return edited(found.source.text, action.edits)


FIX: Final = ("quickfix", True)
CHOICE: Final = ("quickfix", False)
NEW: Final = ("refactor", False)
REWRITE: Final = ("refactor.rewrite", False)
TO_TABLE: Final = "turn these 3 examples into a table"
ADDED: Final = "add an example of fire"


@pytest.mark.parametrize(
    ("text", "word", "offers"),
    [
        (SHIFTED, "table\n  down", {"add `shift off left stays`": CHOICE, "add `shift off left gives -`": CHOICE}),
        (ROWS_SHIFTED, "1-3", {"add `row below stays`": CHOICE, "add `row below gives -`": CHOICE}),
        (GAP, "2-6", {"add a row for `7`": FIX}),
        (WIND, "table\n", {"add a row for `south`, `west`": FIX, "turn tabs into bars": REWRITE}),
        # A column that is missing has no action.
        (WIND_ACROSS, "table\n", {}),
        (TABS, "down", {"turn tabs into bars": REWRITE}),
        (TABS.replace("Roll\tResult\n2-6\t-\n7-12\tX", BARS), "down", {}),
        # A bar within a cell keeps the tabs.
        ("chart table\n  down 1d6\nR\tC\n1-3\t|\n4-6\tX\n", "down", {}),
        (PLAYED, "example fire", {TO_TABLE: REWRITE, ADDED: NEW}),
        # No cell can say these lines.
        (PLAYED.replace("  expect dark is no\n", "  no effects\n"), "example fire", {ADDED: NEW}),
        (PLAYED.replace("  on 3\n  gives 5\n  expect dark is no\n", "  chance of result is 5 = 1/6\n"), "example fire", {ADDED: NEW}),
        (PLAYED.replace("  expect dark is no\n", "  expect (result is 5) or dark\n"), "example fire", {ADDED: NEW}),
        (PLAYED.replace("  expect dark is no\n", "  expect dark is no\n" * 2), "example fire", {ADDED: NEW}),
        # Examples apart from one another are not joined.
        (PLAYED.replace('example fire "night"', 'define a = 1\n\nexample fire "night"'), 'example fire "day"', {ADDED: NEW}),
        (
            PLAYED.replace('example fire "night"', 'define a = 1\n\nexample fire "night"'), 'example fire "night"',
            {"turn these 2 examples into a table": REWRITE, ADDED: NEW},
        ),
        # Nothing is added within a procedure or to a text with errors.
        (PLAYED, "roll 1d6", {}),
        (PLAYED + "define a = nothing\n", "procedure fire", {}),
        (MISSPELT, "chrat", {"replace `chrat` by `chart`": FIX}),
        (GUNNERY, "Gunnery", {"write a ruleset around this chart": FIX}),
        ("nonsense and more\n", "nonsense", {}),
        ("-- a comment alone\n", "--", {}),
    ],
)  # fmt: skip
def test_a_place_offers_these_actions_and_no_others(text: str, word: str, offers: dict[str, tuple[str, bool]]) -> None:
    _, actions = offered(text, word)
    assert {each.title: (each.kind, each.preferred) for each in actions} == offers


@pytest.mark.parametrize(
    ("title", "text", "word", "old", "new", "left"),
    [
        ("add `shift off left stays`", SHIFTED, "table\n  down", "< X\n", "< X\n  shift off left  stays\n", []),
        ("add `shift off left gives -`", SHIFTED, "table\n  down", "< X\n", "< X\n  shift off left  gives -\n", []),
        ("add `row below stays`", ROWS_SHIFTED, "1-3", "< X\n", "< X\n  row below  stays\n", []),
        ("add a row for `7`", GAP, "2-6", "   M1   |\n", "   M1   |\n  | 7    |        |\n", ["empty-cell"]),
        ("add a row for `south`, `west`", WIND, "table\n", "-\n", "-\nsouth\t\nwest\t\n", ["row-not-closed"] * 2),
        ("turn tabs into bars", TABS, "down", "Roll\tResult\n2-6\t-\n7-12\tX", BARS, []),
        (TO_TABLE, PLAYED, "example fire", EXAMPLES, TABLE, []),
        (TO_TABLE, PLAYED, "given night", EXAMPLES, TABLE, []),
        (TO_TABLE, PLAYED, "refused too_weak", EXAMPLES, TABLE, []),
        (ADDED, PLAYED, "procedure fire", EXAMPLES, EXAMPLES + FOURTH, []),
        (ADDED, PROCEDURE, "procedure fire", "has hill\n\n", "has hill\n\n" + FIRST, []),
        ("add an example of go", GOING, "procedure go", "define a", GONE + "define a", []),
        ("add the fact `night  yes/no`", FORGOTTEN, "night\n", "1..\n", "1..\n  night  yes/no\n", ["unknown-name"] * 3),
        (
            "add the fact `terrain  one of woods, town`", FORGOTTEN, "terrain is",
            "1..\n", "1..\n  terrain  one of woods, town\n", ["unknown-name"] * 3,
        ),
        ("add the fact `range  0..`", FORGOTTEN, "range >", "1..\n", "1..\n  range  0..\n", ["unknown-name"] * 3),
        ("replace `fire_table` by `table`", FORGOTTEN, "fire_table", "of fire_table", "of table", ["edge-unsaid", *["unknown-name"] * 3]),
        ("add the fact `night  yes/no`", "define hidden = not night\n", "night", "define", "facts\n  night  yes/no\n\ndefine", []),
        ("write `terrain one of clear, woods, town`", "facts\n  terrain clear, woods or town\n", "clear", "clear, woods or", "one of clear, woods,", []),
        ("replace `fcats` by `facts`", "fcats\n  night  yes/no\n", "fcats", "fcats", "facts", []),
        ("replace `chrat` by `chart`", MISSPELT, "chrat", "chrat", "chart", ["chart-shape"]),
    ],
)  # fmt: skip
def test_an_action_writes_what_its_title_says(
    title: str, text: str, word: str, old: str, new: str, left: list[str]
) -> None:
    found, actions = offered(text, word)
    (action,) = (each for each in actions if each.title == title)
    mended = after(found, action)
    assert mended == text.replace(old, new, 1)
    assert codes(mended) == left
    if "example" in title:
        assert set(passed(analyse(mended))) == {True}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["infantry_attacks", "bombardment", "emperor_musketry"])
def test_each_procedure_of_a_shipped_game_that_has_an_example_gets_another(name: str) -> None:
    found = of_file(ROOT / f"rulesets/{name}/{name}.rules")
    at = found.source.text.index("\nexample ") + 1
    (action,) = (each for each in found.code_actions(at, at) if each.title.startswith("add an example"))
    again = analyse(after(found, action), path=found.source.path)
    assert again.ruleset is not None
    new = [each for each in run_ruleset_examples(again.ruleset) if each.label.startswith("new example")]
    assert [each.passed for each in new] == [True]


# -- a text without declarations ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "file", "looks", "heading", "examples"),
    [
        (PASTED, "my folder/bridge-head.rules", FIX, "ruleset bridge_head", [True]),
        (
            PASTED.replace("   ", "\t").replace("  ", "\t"),
            "my folder/bridge-head.rules",
            FIX,
            "ruleset bridge_head",
            [True],
        ),
        (GUNNERY, "7.rules", FIX, 'ruleset my_game "Gunnery"', [True]),
        ("\n", "7.rules", NEW, "ruleset my_game", None),
    ],
    ids=["blanks", "tabs", "a title", "an empty file"],
)
def test_a_pasted_chart_or_an_empty_file_becomes_a_ruleset_of_the_name_of_the_file(
    text: str, file: str, looks: tuple[str, bool], heading: str, examples: list[bool] | None
) -> None:
    found, (action,) = offered(text, "", file)
    assert (action.kind, action.preferred) == looks
    made = after(found, action)
    assert heading in made
    assert codes(made) == []
    assert examples is None or passed(analyse(made)) == examples


def test_no_ruleset_is_offered_around_a_chart_that_is_too_large_for_one() -> None:
    with limited(Limits(text=10_000)):
        _, actions = offered("Roll\t1\t2\n" + "".join(f"{row}\ta\tb\n" for row in range(1, 900)), "Roll")
    assert actions == []


@pytest.mark.parametrize(
    ("text", "helps"),
    [
        ("define hidden = not night\n", ["declare the name below `facts`: `night  yes/no`"]),
        (GUNNERY, ["use the quick fix `write a ruleset around this chart`"]),
        (FORGOTTEN.replace("\n  -1  night  night\n  -1  cover  terrain is woods or town\n  -1  far    range > 6", "\n  -1  far  attack > 6"), ["the only chart is `table`"]),
    ],
)  # fmt: skip
def test_the_only_mistake_of_a_text_names_its_cure(text: str, helps: list[str]) -> None:
    (found,) = analyse(text).diagnostics
    assert list(found.helps) == helps


UNKNOWN_CODE: Final = """\
chart crt
  down d6
  | Die | Result |
  | 1-3 | - |
  | 4 | DD |
  | 5,6 | D2 |

results of crt
  -   "no effect"
  D#  "loses"

procedure attack
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.code
"""


def test_a_preferred_fix_of_an_unknown_code_brings_no_other_error() -> None:
    found, actions = offered(UNKNOWN_CODE, "DD")
    preferred = [each for each in actions if each.preferred]
    assert [each.title for each in preferred] == ["add an entry for `DD`"]
    assert codes(after(found, preferred[0])) == []


SLIPS: Final = "facts\n  night  yes/no\n\ndefine dark = nihgt\ndefine light = not nihgt\ndefien dim = nigth\n"


def test_all_fixes_are_made_together() -> None:
    assert edited(SLIPS, analyse(SLIPS).fix_all()) == SLIPS.replace("defien", "define").replace("nihgt", "night")
    assert analyse(PLAYED).fix_all() == ()
