"""Code actions: missing lines of charts, a new example, and rewrites that keep the meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from enfilade.editor import Action, Analysis, analyse
from enfilade.tools import run_ruleset_examples

ROOT: Final = Path(__file__).resolve().parents[2]


def applied(found: Analysis, action: Action) -> str:
    text = found.source.text
    for edit in sorted(action.edits, key=lambda each: each.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def offered(text: str, word: str) -> tuple[Analysis, dict[str, Action]]:
    """What is offered at the first place of a word."""
    found = analyse(text)
    at = text.index(word)
    return found, {each.title: each for each in found.code_actions(at, at)}


def codes(text: str) -> list[str]:
    return [each.code for each in analyse(text).diagnostics]


# -- what is missing in a chart -------------------------------------------------------------------------------

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


def test_a_missing_edge_can_stay_or_give_the_mildest_code() -> None:
    found, actions = offered(SHIFTED, "table\n  down")
    assert list(actions) == ["add `shift off left stays`", "add `shift off left gives -`"]
    assert codes(SHIFTED) == ["edge-unsaid"]
    for title, action in actions.items():
        mended = applied(found, action)
        assert codes(mended) == [], title
        assert mended.index("shift off left") < mended.index("| Roll")
    assert not any(each.preferred for each in actions.values())


def test_an_edge_of_the_rows_is_added_by_its_name() -> None:
    text = SHIFTED.replace("shift columns of table\n  -1", "add to roll of table\n  -1")
    found, actions = offered(text, "1-3")
    assert codes(applied(found, actions["add `row below stays`"])) == []


def test_a_missing_row_is_added_below_the_row_before_the_gap() -> None:
    text = "chart table\n  down 2d6\n\n  | Roll | Result |\n  |  2-6 |   M1   |\n  |  8+  |   X    |\n"
    found, actions = offered(text, "2-6")
    action = actions["add a row for `7`"]
    assert action.preferred
    assert applied(found, action) == text.replace("   M1   |\n", "   M1   |\n  | 7    |        |\n")
    assert codes(applied(found, action).replace("| 7    |        |", "| 7    |   M2   |")) == []


def test_missing_words_get_rows_at_the_end_of_a_chart_with_tabs() -> None:
    text = "facts\n  wind one of north, south, west\n\nchart table\n  down wind\nWind\tResult\nnorth\t-\n"
    found, actions = offered(text, "table\n")
    assert applied(found, actions["add a row for `south`, `west`"]) == text + "south\t\nwest\t\n"


def test_a_missing_column_has_no_action() -> None:
    text = "facts\n  wind one of north, south\n\nchart table\n  down 1d6\n  across wind\n\n  | R | north |\n  | 1-6 | - |\n"
    assert codes(text) == ["table-gap"]
    assert offered(text, "table\n")[1] == {}


# -- rewrites -------------------------------------------------------------------------------------------------


def test_the_tabs_of_a_pasted_chart_become_bars() -> None:
    text = "chart table\n  down 2d6\nRoll\tResult\n2-6\t-\n7-12\tX\n\ndefine a = 1\n"
    found, actions = offered(text, "down")
    action = actions["turn tabs into bars"]
    assert action.kind == "refactor.rewrite"
    bars = "  | Roll | Result |\n  |  2-6 |    -   |\n  | 7-12 |    X   |"
    assert applied(found, action) == text.replace("Roll\tResult\n2-6\t-\n7-12\tX", bars)
    assert offered(applied(found, action), "down")[1] == {}


def test_a_chart_with_a_bar_in_a_cell_keeps_its_tabs() -> None:
    assert "turn tabs into bars" not in offered("chart table\n  down 1d6\nR\tC\n1-3\t|\n4-6\tX\n", "down")[1]


PLAYED: Final = """\
facts
  strength  1..9
  night     yes/no
  terrain   set of woods, hill

procedure fire
  1. refuse too_weak when strength is 9
  2. roll 1d6 as die
  3. give result = die + strength
  4. give dark = night and terrain has hill

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
TABLE: Final = """\
examples fire "day; night; weak"
  given terrain [woods, hill]
  | strength | on | gives | dark | night |  refused |
  |     2    |  3 |   5   |  no  |       |          |
  |     4    |  1 |   5   |  yes |  yes  |          |
  |     9    |    |       |      |       | too_weak |
"""


def passed(text: str) -> list[bool]:
    rules = analyse(text).ruleset
    assert rules is not None
    return [each.passed for each in run_ruleset_examples(rules)]


def test_the_text_of_these_tests_is_right() -> None:
    assert passed(PLAYED) == [True, True, True]


@pytest.mark.parametrize("word", ["example fire", "given night", "refused too_weak"])
def test_examples_next_to_one_another_become_a_table_that_states_the_same(word: str) -> None:
    found, actions = offered(PLAYED, word)
    action = actions["turn these 3 examples into a table"]
    assert action.kind == "refactor.rewrite"
    assert applied(found, action).rstrip() == PLAYED[: PLAYED.index("example fire")] + TABLE.rstrip()
    assert passed(applied(found, action)) == [True, True, True]


@pytest.mark.parametrize(
    "line",
    [
        "  no effects\n",
        "  chance of 5 = 1/6\n",
        "  expect result is 5 or dark\n",
        "  expect dark is no\n  expect dark is no\n",
    ],
)
def test_an_example_with_a_line_that_no_cell_can_say_stays(line: str) -> None:
    _, actions = offered(PLAYED.replace("  expect dark is no\n", line), "example fire")
    assert not [each for each in actions if "table" in each]


def test_examples_apart_from_one_another_are_not_joined() -> None:
    text = PLAYED.replace('example fire "night"', 'define a = 1\n\nexample fire "night"')
    assert not [each for each in offered(text, 'example fire "day"')[1] if "table" in each]
    assert "turn these 2 examples into a table" in offered(text, 'example fire "night"')[1]


# -- a new example --------------------------------------------------------------------------------------------


def added(text: str, word: str) -> str:
    found, actions = offered(text, word)
    (action,) = (each for title, each in actions.items() if title.startswith("add an example"))
    assert action.kind == "refactor"
    return applied(found, action)


def test_a_procedure_gets_an_example_that_passes_below_its_others() -> None:
    text = added(PLAYED, "procedure fire")
    assert text.startswith(PLAYED.rstrip())
    assert passed(text) == [True] * 4
    new = text[len(PLAYED) :]
    assert 'example fire "new example 4: gives ' in new
    assert "\n  gives 5\n" not in new


def test_an_example_without_facts_of_its_own_needs_no_other_example() -> None:
    text = added("procedure go\n  1. roll 1d6 as die\n  2. give result = die\n\ndefine a = 1\n", "procedure go")
    assert text.index("example go") < text.index("define a")
    assert passed(text) == [True]


def test_the_facts_that_a_first_example_needs_are_made_up() -> None:
    text = PLAYED[: PLAYED.index("example fire")]
    assert "given strength " in added(text, "procedure fire")
    assert passed(added(text, "procedure fire")) == [True]


def test_nothing_is_added_within_a_procedure_or_to_a_text_with_errors() -> None:
    assert offered(PLAYED, "roll 1d6")[1] == {}
    assert not [each for each in offered(PLAYED + "define a = nothing\n", "procedure fire")[1] if "example" in each]


@pytest.mark.parametrize("name", ["infantry_attacks", "bombardment", "emperor_musketry", "fire_combat"])
def test_each_procedure_of_a_shipped_game_that_has_an_example_gets_another(name: str) -> None:
    path = ROOT / f"rulesets/{name}/{name}.rules"
    found = analyse(path.read_text(encoding="utf-8"), path=path)
    at = found.source.text.index("\nexample ") + 1
    (action,) = (each for each in found.code_actions(at, at) if each.title.startswith("add an example"))
    again = analyse(applied(found, action), path=path)
    assert again.ruleset is not None
    new = [each for each in run_ruleset_examples(again.ruleset) if each.label.startswith("new example")]
    assert [each.passed for each in new] == [True]


# -- a text without declarations ------------------------------------------------------------------------------

SPACED: Final = "Die   1-2  1-1  2-1\n1-2   AE   AR   EX\n3-4   AR   EX   DR\n5-6   EX   DR   DE\n"


@pytest.mark.parametrize("text", [SPACED, SPACED.replace("   ", "\t").replace("  ", "\t")], ids=["blanks", "tabs"])
def test_a_pasted_chart_becomes_a_ruleset_of_the_name_of_the_file(text: str) -> None:
    found = analyse(text, name="my folder/bridge-head.rules")
    (action,) = found.code_actions(0, 0)
    assert (action.title, action.kind, action.preferred) == ("write a ruleset around this chart", "quickfix", True)
    made = applied(found, action)
    assert "ruleset bridge_head" in made
    assert codes(made) == []
    assert passed(made) == [True]


def test_an_empty_file_can_begin_with_a_ruleset_to_learn_from() -> None:
    found = analyse("\n", name="7.rules")
    (action,) = found.code_actions(0, 0)
    made = applied(found, action)
    assert "ruleset my_game" in made
    assert codes(made) == []


def test_a_text_that_is_no_chart_has_no_such_action() -> None:
    assert analyse("nonsense and more\n").code_actions(0, 0) == ()
    assert analyse("-- a comment alone\n").code_actions(0, 0) == ()


# -- what a newcomer forgets ----------------------------------------------------------------------------------

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


@pytest.mark.parametrize(
    ("word", "line"),
    [("night\n", "night  yes/no"), ("terrain is", "terrain  one of woods, town"), ("range >", "range  0..")],
)
def test_a_fact_that_a_condition_names_can_be_added_with_a_fitting_type(word: str, line: str) -> None:
    found, actions = offered(FORGOTTEN, word)
    mended = applied(found, actions[f"add the fact `{line}`"])
    assert mended.startswith(f"facts\n  attack  1..\n  {line}\n")
    assert codes(mended) == codes(FORGOTTEN)[:-1]


def test_a_fact_is_added_above_the_declaration_that_names_it_if_there_are_no_facts() -> None:
    text = "define hidden = not night\n"
    found, actions = offered(text, "night")
    mended = applied(found, actions["add the fact `night  yes/no`"])
    assert mended == f"facts\n  night  yes/no\n\n{text}"
    assert found.diagnostics[0].helps == ("declare the name below `facts`: `night  yes/no`",)


def test_the_only_chart_replaces_an_unknown_one() -> None:
    found, actions = offered(FORGOTTEN, "fire_table")
    assert "of table\n" in applied(found, actions["replace `fire_table` by `table`"])
    assert "the only chart is `table`" in found.diagnostics[0].helps


def test_a_list_of_words_gets_its_one_of() -> None:
    found, actions = offered("facts\n  terrain clear, woods or town\n", "clear")
    mended = applied(found, actions["write `one of clear, woods, town`"])
    assert mended == "facts\n  terrain one of clear, woods, town\n"
    assert codes(mended) == []


def test_a_misspelt_declaration_is_corrected() -> None:
    found, actions = offered("fcats\n  night  yes/no\n", "fcats")
    assert codes(applied(found, actions["replace `fcats` by `facts`"])) == []


def test_a_chart_whose_first_word_is_misspelt_is_not_a_pasted_chart() -> None:
    text = "chrat fire_table\n  down  d6\n  | Roll | 1 | 4 |\n  | 1..3 | - | M |\n  | 4..6 | M | X |\n"
    _, actions = offered(text, "chrat")
    assert "replace `chrat` by `chart`" in actions
    assert "write a ruleset around this chart" not in actions


def test_a_pasted_chart_is_one_mistake_that_names_its_cure() -> None:
    found, actions = offered("Gunnery\n\n Roll  1  4\n 1-3   -  M\n 4-6   M  X\n\nM Morale check\n", "Gunnery")
    (only,) = found.diagnostics
    assert only.message == "this is a printed chart, and not yet a ruleset"
    assert only.helps == ("use the quick fix `write a ruleset around this chart`",)
    assert "write a ruleset around this chart" in actions
