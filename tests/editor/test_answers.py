"""Hover, completion, the outline and the rest, case by case."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Final

import pytest
from benchmarks.completion import FEW, places
from docs.keywords import FILE, written
from tests.editor.rules import ROOT, codes, edited, errors

import enfilade
from enfilade.editor import Analysis, analyse
from enfilade.editor.declaration_notes import DECLARATION_NOTES
from enfilade.editor.keyword_hover import hover_of_keyword
from enfilade.source.text import SourceFile
from enfilade.syntax.syntax_messages import DECLARATIONS
from enfilade.syntax.unexpected import KEYWORDS

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
    found = analyse(TEXT)
    assert errors(found) == []
    return found


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("night", "**fact** `night`: `yes/no`\n\nnight turn [1.2]"),
        ("steps becomes", "**field** `steps`: `0..4`\n\nsteps left [3.1]"),
        ("die_roll", "**local** `die_roll`: `a roll`"),
        ("night  night", "**modifier** `night`\n\ndark [1.2]\n\n`-1` when `night`"),
        ("table with", "**chart** `table`: `a result code`\n\nFire\n\nread by procedure `fire`"),
        ("X  ", "**code** `X`\n\nX  Hit [5.2]\n\n  for each unit in units where kind is foot: unit loses a step (1)"),
        ("\nfacts", None),
    ],
)
def test_a_name_is_explained_and_nothing_is_told_of_blanks(small: Analysis, at: str, told: str | None) -> None:
    said = small.hover(TEXT.index(at))
    assert (said and said.markdown) == told


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("severity - <", "**keyword** `severity`\n\n*Severity*, in the reference of the language\n\n```\nseverity"),
        ("row below", "**keyword** `row`\n\n*Edges*, in the reference of the language\n\n```\ncolumn"),
        (
            "facts\n",
            "**keyword** `facts`\n\nfacts that players enter before a combat: strengths, terrain, range\n\n```\nfacts",
        ),
        ("read table", "**keyword** `read`\n\n*chart*, in the reference of the language\n\n```\nchart"),
        ("1d6 as", "**dice** `1d6`\n\n*roll and die*, in the reference of the language\n\n```\nroll"),
        (
            "where kind",
            "**keyword** `where`\n\n*Lists of values, where and each*, in the reference of the language\n\n```",
        ),
    ],
)
def test_a_word_of_the_language_is_explained_with_its_form(small: Analysis, at: str, told: str) -> None:
    said = small.hover(TEXT.index(at))
    assert said is not None
    assert said.markdown.startswith(told)


def test_every_keyword_is_explained_from_the_reference_as_it_is() -> None:
    assert FILE.read_text("utf-8") == written(), "run `python -m docs.keywords`"
    for word in KEYWORDS:
        assert hover_of_keyword(SourceFile("", word), 0) is not None, word


def test_words_in_labels_and_comments_are_no_keywords() -> None:
    text = 'facts "what to read"\n-- read this\n'
    assert [analyse(text).hover(text.index(each)) for each in ("read", "read this")] == [None, None]


# -- completion -----------------------------------------------------------------------------------------------

OTHER: Final = "\nprocedure other\n  1. "
RETREAT: Final = f"\neffect retreat (who one of attacker or defender)\n{OTHER}retreat with "
TYPES: Final = ["yes/no", "one of", "0..", "list of", "unit", "1..", "set of", "map of", "number"]


def completed(added: str, text: str = TEXT) -> list[str]:
    """What is offered at the end of some text, or at the bar within it."""
    before, _, after = added.partition("|")
    return [each.name for each in analyse(f"{text}{before}{after}\n").completion(len(text + before)).items]


@pytest.mark.parametrize(
    ("before", "names"),
    [
        ("define alive (unit) = unit.", ["steps", "kind"]),
        ("define dark = nig", ["night"]),
        # In brackets come the citations of the text.
        ("define dark = night  [|]", ["1.2", "3.1", "5.1", "5.2"]),
        ('\nexample fire "x"\n  on 6\n  gives ', ["-", "X"]),
        (f"{OTHER}for each u in units: loss on u with am", ["amount"]),
        ("pro", ["procedure"]),
        ("\nfacts\n  cover ", TYPES),
        ("\nfacts\n  cover o", ["one of"]),
        # Known names are not offered for a new name.
        ("\nprocedure ", []),
        ("\nchart ", []),
        ("\ndefine ", []),
        (f"{OTHER}refuse ", []),
        (f"{OTHER}roll d6 as ", []),
        (f"{OTHER}let ", []),
        # What is typed in full is not offered: Enter would take it, and make no new line.
        ("\nfacts", []),
        ("\nprocedure", []),
        ("define dark = night", []),
        ("define dark = night when nigh", ["night"]),
        # Nor does a word begin directly after a number, a text or a bracket.
        ("define three = 3", []),
        ("facts\n  range  1.", []),
        ("facts\n  range  1..", []),
        ("define three = (3)", []),
        ('facts\n  range  1.. "hexes"', []),
        (f"{OTHER}roll 2d", []),
    ],
)
def test_these_words_are_offered(before: str, names: list[str]) -> None:
    assert completed(before) == names


@pytest.mark.parametrize(
    ("before", "first"),
    [
        ("define riders = units where kind is ", ["foot", "horse"]),
        # As in the example above.
        ('\nexample fire "x"\n  given units [a (', ["kind", "steps"]),
        (f"{OTHER}call fire with ", ["night", "units"]),
        # A parameter that is given already comes later.
        (f"{OTHER}call fire with night yes, ", ["units", "night"]),
        ('\nexample fire "x"\n  given ', ["units", "night"]),
        ('\nfacts\n  ground set of mud, ice\n\nexample fire "x"\n  given ground [', ["mud", "ice"]),
        (RETREAT, ["who"]),
        (f"{RETREAT}who ", ["attacker", "defender"]),
        (f'{OTHER}refuse too_far "out of range" when night\n\nexample other "x"\n  refused ', ["too_far"]),
    ],
)
def test_words_that_fit_come_first(before: str, first: list[str]) -> None:
    assert completed(before)[: len(first)] == first


STEP: Final = ["roll", "read", "give", "when", "let"]


@pytest.mark.parametrize(
    ("before", "first"),
    [
        (OTHER, STEP),
        # As in the other procedure, a roll is read.
        (f"{OTHER}roll d6 as shot\n  2. ", ["read", "roll", "give", "when", "let"]),
        (f"{OTHER}read ", ["table"]),
        (f"{OTHER}roll ", ["d6", "2d6"]),
        (f"{OTHER}call ", ["fire"]),
        (f"{OTHER}let hit = (count ", ["of"]),
        # The declaration can't be read, but its text tells what is bound.
        (f"{OTHER}roll d6 as shot\n  2. give result = shot.", ["total"]),
        (f"{OTHER}for each u in units: loss on u.", ["kind", "steps"]),
        (f"{OTHER}roll d6 as shot\n  2. read table with ", ["shot"]),
        ("\nmodifiers more add to roll of ", ["table"]),
        ("\nmodifiers more shift columns of ", ["table"]),
        ("\nresults of ", ["table"]),
        ("\nchart other\n  down ", ["d6", "2d6"]),
        ("\nexample ", ["fire"]),
        ('\nexample fire "x"\n  ', ["given", "on", "gives", "expect", "effect"]),
        ('\nexample fire "x"\n  effect ', ["loss"]),
        ('\noption fog\n\nexample fire "x"\n  option ', ["fog"]),
        ("\noption fog\ndefine far = 1 when option ", ["fog"]),
        ("\nuse ", ["allocation", "columns"]),
    ],
)
def test_what_can_stand_at_a_place_comes_first(before: str, first: list[str]) -> None:
    assert completed(before)[: len(first)] == first


def test_a_cell_has_the_codes_of_the_chart() -> None:
    text = "chart crt\n  down d6\n  severity A1 < A2\n  | Die | Result |\n  | 1 | A1 |\n  | 2 | "
    assert {each.name for each in analyse(text).completion(len(text)).items} == {"A1", "A2"}


def test_worse_follows_a_code_and_or() -> None:
    assert "worse" in completed('\nexample fire "x"\n  on 6\n  chance of result is X or ')[:5]


def test_a_new_name_is_not_offered_to_itself() -> None:
    assert (
        completed("players a", "") == completed("facts\n  cover one of c", "") == completed("record r\n  t", "") == []
    )


@pytest.mark.parametrize(("game", "share"), [("odds_afrika_korps", 0.88), ("battletech_hits", 0.8)])
def test_most_words_of_a_game_are_among_the_first_five_before_a_letter_is_typed(game: str, share: float) -> None:
    found = list(places(ROOT / f"tests/generality/{game}.rules", every=5))
    assert sum(0 < each.rank <= FEW for each in found) >= share * len(found)
    assert sum(each.rank == 0 for each in found) <= 0.03 * len(found)


def test_without_records_the_first_type_of_a_fact_is_yes_or_no() -> None:
    assert completed("facts\n  cover ", "")[0] == "yes/no"


def test_an_empty_text_offers_the_declarations_with_what_each_is() -> None:
    found = analyse("").completion(0).items
    assert {each.name: each.label for each in found} == DECLARATION_NOTES
    assert set(DECLARATION_NOTES) == set(DECLARATIONS)


# -- the text -------------------------------------------------------------------------------------------------


def test_the_outline_has_declarations_and_their_parts(small: Analysis) -> None:
    assert {each.name: [part.name for part in each.children] for each in small.document_symbols()} == {
        "small": [],
        "unit": ["steps", "kind"],
        "facts": ["night", "units"],
        "table": [],
        "drm": ["night"],
        "loss": [],
        "results of table": ["-", "X"],
        "fire": [],
        "a miss": [],
    }


def test_declarations_and_comments_fold(small: Analysis) -> None:
    regions = [(5, 7), (9, 11), (13, 20), (22, 23), (25, 26), (28, 32), (30, 32), (31, 32), (34, 38), (40, 43)]
    assert [(each.first, each.last, each.kind) for each in small.folding()] == [
        (3, 4, "comment"),
        *((first, last, "region") for first, last in regions),
    ]


def test_selections_grow_to_the_whole_text(small: Analysis) -> None:
    first, *_, last = spans = [each.text for each in small.selection_ranges(TEXT.index("steps becomes"))]
    assert (first, last) == ("steps", TEXT)
    assert all(inner in outer for inner, outer in pairwise(spans))


def test_tokens_have_the_kind_of_what_they_name(small: Analysis) -> None:
    found = {(each.span.text, each.kind) for each in small.semantic_tokens()}
    assert {("procedure", "keyword"), ("night", "fact"), ("foot", "word"), ("die_roll", "local")} <= found


def test_a_text_that_is_laid_out_has_no_edit() -> None:
    (edit,) = analyse("facts\n   night yes/no\n").formatting()
    assert analyse(edit.text).formatting() == ()


def test_a_diagnostic_offers_its_fix_on_its_whole_line() -> None:
    text = TEXT + "define dark = nihgt\n"
    found, start = analyse(text), text.index("define dark")
    for at in (start, text.index("nihgt"), len(text) - 1):
        (action,) = found.code_actions(at, at)
        assert (action.title, action.edits[0].text) == ("replace `nihgt` by `night`", "night"), at
    assert found.code_actions(start - 1, start - 1) == ()


def test_a_code_without_result_gets_an_entry() -> None:
    text = TEXT.replace("|  4-6 |   X    |", "|  4-5 |   X    |\n  |   6  |   Y    |").replace("- < X", "- < X < Y")
    at = text.index("Y    |")
    (action,) = analyse(text).code_actions(at, at)
    assert "code-without-result" not in codes(edited(text, action.edits))


def test_examples_run_and_procedures_have_odds(small: Analysis) -> None:
    line = TEXT[: TEXT.index("example")].count("\n") + 1
    assert [(each.title, each.argument) for each in small.code_lenses()] == [
        ("Odds", "fire"),
        ("Run example", line),
    ]


def test_the_odds_above_a_procedure_have_the_facts_of_its_first_example(small: Analysis) -> None:
    lens = small.code_lenses()[0]
    assert lens.span.text.startswith("procedure fire ")
    found = small.subject_of(str(lens.argument))
    assert (found.procedure, found.example, list(found.facts)) == ("fire", "a miss", ["units"])


# -- robustness -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [31, pytest.param(7, marks=pytest.mark.thorough)])
def test_every_question_has_an_answer_wherever_a_text_breaks_off(step: int) -> None:
    for length in range(0, len(TEXT), step):
        found = analyse(TEXT[:length])
        for ask in (found.hover, found.completion, found.definition, found.signature, found.references):
            ask(length)
        found.selection_ranges(length)
        for look in (found.document_symbols, found.folding, found.semantic_tokens, found.code_lenses):
            look()
        found.code_actions(0, length)
        found.inlay_hints(0, length)


def test_the_diagnostics_are_those_of_a_check_after_random_edits() -> None:
    chance = random.Random(16)
    text = TEXT
    for _ in range(25):
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
