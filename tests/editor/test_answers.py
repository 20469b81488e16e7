"""Hover, completion, the outline and the rest, case by case."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade.editor import Analysis, analyse
from enfilade.editor.declaration_notes import DECLARATION_NOTES
from enfilade.syntax.syntax_messages import DECLARATIONS

ROOT: Final = Path(__file__).resolve().parents[2]
ATTACKS: Final = (ROOT / "rulesets/infantry_attacks/infantry_attacks.rules").read_text(encoding="utf-8")

TEXT: Final = """\
enfilade 1.1
ruleset small "A small game"
-- Two lines
-- of comment
record unit "a piece"
  steps  0..4 = 2  "steps left" [3.1]
  kind   one of foot, horse

facts
  night  yes/no         "night turn" [1.2]
  units  list of unit

chart table "Fire"
  down  1d6
  severity - < X
  row below stays

  | Roll | Result |
  |  1-3 |   -    |
  |  4-6 |   X    |

modifiers drm add to roll of table, cumulative
  -1  night  night  "dark" [1.2]

effect loss "loses a step" (unit, amount 1..)
  unit.steps becomes unit.steps - amount but at least 0

results of table
  -  "No effect"
  X  "Hit" [5.2]
    for each unit in units where kind is foot
      loss on unit with amount 1

procedure fire "Fire" [5.1]
  1. roll 1d6 as die_roll
  2. read table with die_roll as shot
  3. apply shot
  4. give result = shot.code

example fire "a miss"
  given units [a (kind foot)]
  on 1
  gives -
"""


@pytest.fixture(scope="module")
def small() -> Analysis:
    return analyse(TEXT)


def test_the_text_of_these_tests_is_right(small: Analysis) -> None:
    assert [each.message for each in small.diagnostics if each.severity.value == "error"] == []


def hover(found: Analysis, word: str, nth: int = 0) -> str:
    at = -1
    for _ in range(nth + 1):
        at = found.source.text.index(word, at + 1)
    said = found.hover(at)
    assert said is not None
    return said.markdown


def test_a_fact_has_its_type_label_and_citation(small: Analysis) -> None:
    assert hover(small, "night") == "**fact** `night`: `yes/no`\n\nnight turn [1.2]"


def test_a_field_has_its_range(small: Analysis) -> None:
    assert hover(small, "steps becomes") == "**field** `steps`: `0..4`\n\nsteps left [3.1]"


def test_a_local_has_the_type_that_the_checker_found(small: Analysis) -> None:
    assert hover(small, "die_roll").startswith("**local** `die_roll`: `")


def test_a_modifier_has_its_amount_and_condition(small: Analysis) -> None:
    assert "`-1` when `night`" in hover(small, "night  night")


def test_a_chart_names_who_reads_it(small: Analysis) -> None:
    assert "read by procedure `fire`" in hover(small, "table with")


def test_a_code_has_its_meaning(small: Analysis) -> None:
    assert "Hit" in hover(small, "X  ", 0)


def test_nothing_is_told_of_blanks(small: Analysis) -> None:
    assert small.hover(TEXT.index("\n\n") + 1) is None


# -- completion -----------------------------------------------------------------------------------------------


def completed(before: str, after: str = "\n") -> list[str]:
    text = TEXT + before + after
    return [each.name for each in analyse(text).completion(len(TEXT) + len(before)).items]


def test_after_a_dot_come_the_fields_of_the_record() -> None:
    assert completed("define alive (unit) = unit.") == ["steps", "kind"]


def test_after_is_come_the_words_of_the_type_first() -> None:
    assert completed("define riders = units where kind is ")[:2] == ["foot", "horse"]


def test_facts_come_with_what_is_typed_already() -> None:
    assert completed("define dark = nig") == ["night"]


def test_in_brackets_come_the_citations_of_the_text() -> None:
    assert completed("define dark = night  [", "]\n") == ["1.2", "3.1", "5.1", "5.2"]


def test_after_gives_come_the_codes() -> None:
    assert completed('\nexample fire "x"\n  on 6\n  gives ')[:2] == ["-", "X"]


def test_after_with_come_the_parameters_that_are_not_given_yet() -> None:
    step = "\nprocedure other\n  1. "
    assert completed(step + "call fire with ")[:2] == ["night", "units"]
    assert completed(step + "call fire with night yes, ")[:2] == ["units", "night"]
    assert completed(step + "for each u in units: loss on u with am") == ["amount"]
    assert completed('\nexample fire "x"\n  given units [a (')[:2] == ["steps", "kind"]


def test_after_the_name_of_a_parameter_come_its_words() -> None:
    text = "\neffect retreat (who one of attacker or defender)\n\nprocedure other\n  1. retreat with "
    assert completed(text)[0] == "who"
    assert completed(text + "who ")[:2] == ["attacker", "defender"]


@pytest.mark.parametrize(
    "before",
    [
        "\nprocedure ",
        "\nchart ",
        "\ndefine ",
        "\nprocedure other\n  1. refuse ",
        "\nprocedure other\n  1. roll d6 as ",
        "\nprocedure other\n  1. let ",
    ],
)
def test_known_names_are_not_offered_for_a_new_name(before: str) -> None:
    assert completed(before) == []


def test_after_refused_come_the_refusals() -> None:
    refusing = '\nprocedure other\n  1. refuse too_far "out of range" when night\n\nexample other "x"\n  refused '
    assert completed(refusing)[:1] == ["too_far"]


def test_keywords_come_at_the_start_of_a_line() -> None:
    assert "procedure" in completed("pro")


def test_a_fact_that_is_a_parameter_too_is_offered_once() -> None:
    found = completed('\nexample fire "x"\n  given ')
    assert len(found) == len({*found})
    assert found[:2] == ["night", "units"]


def test_a_keyword_of_a_declaration_is_explained() -> None:
    found = analyse("").completion(0).items
    assert {each.name: each.label for each in found} == DECLARATION_NOTES
    assert set(DECLARATION_NOTES) == set(DECLARATIONS)


def test_types_are_offered_after_the_name_of_a_fact() -> None:
    assert completed("\nfacts\n  cover ")[-6:] == ["yes/no", "one of", "0..", "1..", "set of", "list of"]
    assert completed("\nfacts\n  cover ")[:1] == ["unit"]
    assert completed("\nfacts\n  cover o") == ["one of"]
    assert next(each.name for each in analyse("facts\n  cover ").completion(14).items) == "yes/no"


# -- the text -------------------------------------------------------------------------------------------------


def test_the_outline_has_declarations_and_their_parts(small: Analysis) -> None:
    found = {each.name: [part.name for part in each.children] for each in small.document_symbols()}
    assert found["unit"] == ["steps", "kind"]
    assert found["results of table"] == ["-", "X"]
    assert found["drm"] == ["night"]
    assert found["a miss"] == []


def test_declarations_and_comments_fold(small: Analysis) -> None:
    found = [(each.first, each.last, each.kind) for each in small.folding()]
    assert (3, 4, "comment") in found
    assert (5, 7, "region") in found


def test_selections_grow_to_the_whole_text(small: Analysis) -> None:
    spans = [each.text for each in small.selection_ranges(TEXT.index("steps becomes"))]
    assert spans[0] == "steps"
    assert spans[-1] == TEXT
    assert all(inner in outer for inner, outer in pairwise(spans))


def test_tokens_have_the_kind_of_what_they_name(small: Analysis) -> None:
    found = {(each.span.text, each.kind) for each in small.semantic_tokens()}
    assert {("procedure", "keyword"), ("night", "fact"), ("foot", "word"), ("die_roll", "local")} <= found


def test_a_text_that_is_laid_out_has_no_edit(small: Analysis) -> None:
    (edit,) = analyse("facts\n   night yes/no\n").formatting()
    assert analyse(edit.text).formatting() == ()


def test_a_diagnostic_offers_its_fix() -> None:
    text = TEXT + "define dark = nihgt\n"
    at = text.index("nihgt")
    (action,) = analyse(text).code_actions(at, at)
    assert (action.title, action.edits[0].text) == ("replace `nihgt` by `night`", "night")


def test_a_diagnostic_offers_its_fix_on_its_whole_line() -> None:
    text = TEXT + "define dark = nihgt\n"
    found = analyse(text)
    for at in (text.index("define dark"), len(text) - 1):
        assert [each.title for each in found.code_actions(at, at)] == ["replace `nihgt` by `night`"]
    above = text.index("define dark") - 1
    assert found.code_actions(above, above) == ()


def test_a_code_without_result_gets_an_entry() -> None:
    text = TEXT.replace("|  4-6 |   X    |", "|  4-5 |   X    |\n  |   6  |   Y    |").replace("- < X", "- < X < Y")
    at = text.index("Y    |")
    (action,) = analyse(text).code_actions(at, at)
    (edit,) = action.edits
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert "code-without-result" not in {each.code for each in analyse(mended).diagnostics}


def test_examples_run_and_charts_have_odds(small: Analysis) -> None:
    line = TEXT[: TEXT.index("example")].count("\n") + 1
    assert [(each.title, each.argument) for each in small.code_lenses()] == [
        ("Odds of fire", "fire"),
        ("Run example", line),
    ]


# -- robustness -----------------------------------------------------------------------------------------------


def test_every_question_has_an_answer_wherever_a_text_breaks_off() -> None:
    for length in range(0, len(TEXT), 7):
        found = analyse(TEXT[:length])
        found.hover(length)
        found.completion(length)
        found.definition(length)
        found.signature(length)
        found.references(length)
        found.selection_ranges(length)
        found.document_symbols()
        found.folding()
        found.semantic_tokens()
        found.code_actions(0, length)
        found.code_lenses()
        found.inlay_hints(0, length)


def test_the_diagnostics_are_those_of_a_check_after_random_edits() -> None:
    chance = random.Random(16)
    text = TEXT
    for _ in range(60):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 5)))
        text = text[:start] + chance.choice(("", "x", " ", "\n", "night", "|", '"')) + text[end:]
        told = [each.to_json() for each in analyse(text).diagnostics]
        assert told == [each.to_json() for each in enfilade.check(text if "\n" in text else f"{text}\n")]


# -- while typing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "typed", "margin"),
    [
        ("  1. roll d6 as shot\n", "     2.", "  "),
        ("  1. give a = 1\n     give b = 2\n\n", "     2.", "  "),
        ("  1. roll d6 as shot\n", "  2.", None),
        ("  1. roll d6 as shot\n", "     7.", None),
        ("  1. roll d6 as shot\n", "     give a = 2.", None),
        ("", "     2.", None),
    ],
)
def test_a_step_number_moves_under_the_one_above(before: str, typed: str, margin: str | None) -> None:
    text = f"procedure fire\n{before}{typed}"
    edits = analyse(text + "\n").formatting_on_type(len(text))
    assert [(each.text, len(each.span.text)) for each in edits] == ([] if margin is None else [(margin, 5)])
