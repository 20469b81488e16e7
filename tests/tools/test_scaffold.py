"""A first ruleset checks and plays, and a pasted chart becomes one whose guesses are marked."""

from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade import load
from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Severity
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.syntax.unparse import unparse_declaration
from enfilade.tools.chart_guesses import guess_axis, guess_dice, guess_severity
from enfilade.tools.examples import run_examples
from enfilade.tools.pasted_chart import NoChart, read_pasted
from enfilade.tools.pasted_notes import Note, notes_of
from enfilade.tools.scaffold import Scaffold, new_ruleset, ruleset_from_pasted

PASTED: Final = "INFANTRY\n\nFIRE TABLE\n\nFire Value\t\t\t\nRoll\t1\t4\t11+\n2-6\t-\t\u041c\t\u03a71\n7-12\tM\t\tX2\n\nResults\nM  Morale\n"


def sound(made: Scaffold) -> bool:
    """Whether a scaffold has no errors, and its example passes."""
    checked = check_source(SourceFile.from_text(made.text), Folders())
    assert [found for found in checked.diagnostics if found.severity is Severity.ERROR] == []
    assert checked.program is not None
    results = list(run_examples(checked.program))
    return bool(results) and all(result.passed for result in results)


def test_a_first_ruleset_checks_clean_and_its_examples_pass() -> None:
    made = new_ruleset("my_game")
    assert check_source(SourceFile.from_text(made.text), Folders()).diagnostics == ()
    assert sound(made)
    assert 'ruleset my_game "My game"' in made.text


# ----------------------------------------------------------------------------------------------- what is pasted

SPLITS: Final = {
    "tabs": "Roll\t1\t4\n1-3\t-\tM\n4-6\tM\tX\n",
    "bars": "| Roll | 1 | 4 |\n|:---|---:|---:|\n| 1-3 | - | M |\n| 4-6 | M | X |\n",
    "boxes": "│ Roll │ 1 │ 4 │\n│ 1-3 │ - │ M │\n│ 4-6 │ M │ X │\n",
    "commas": "Roll,1,4\n1-3,-,M\n4-6,M,X\n",
    "semicolons": "Roll;1;4\n1-3;-;M\n4-6;M;X\n",
    "blanks": "Roll  1  4\n\n1-3   -  M\n\n4-6   M  X\n",
    "single blanks": "Roll 1 4\r\n1-3 - M\r\n4-6 M X",
    "no corner": "1 4\n1-3 - M\n4-6 M X\n",
}


@pytest.mark.parametrize("name", SPLITS)
def test_rows_are_split_by_whatever_splits_them(name: str) -> None:
    pasted = read_pasted(SPLITS[name])
    assert (pasted.corner, pasted.columns) == ("Roll", ("1", "4"))
    assert pasted.rows == (("1-3", ("-", "M")), ("4-6", ("M", "X")))
    assert pasted.others == ()


def test_what_stands_around_the_chart_is_kept() -> None:
    pasted = read_pasted(PASTED)
    assert (pasted.title, pasted.caption) == ("FIRE TABLE", "Fire Value")
    assert pasted.others == ("INFANTRY", "Results", "M  Morale")


PLAYER_AID: Final = """\
THE RIVER WAR                  Player Aid Card 2

              7.5 COMBAT RESULTS TABLE
             Odds Ratio (Attacker to Defender)
 Die
 Roll   1:2   1:1    2:1   3:1+
  1-3   AE    AR     EX    DR
  4-6   AR    EX     DR    DE

AE Attacker eliminated    AR = Attacker retreats; EX: Exchange
Terrain: Woods or Town, shift one column left. Hill, shift two
columns left.
+1  Leader
"""


def test_the_title_is_the_line_that_is_called_a_table() -> None:
    pasted = read_pasted(PLAYER_AID)
    assert pasted.title == "7.5 COMBAT RESULTS TABLE"
    assert "Die" not in pasted.others
    gunnery = read_pasted("GUNNERY\nDRM: +1 radar, -2 night\nRoll  1  2  3\n1-3  -  M  M\n4-6  M  X  X\n")
    assert (gunnery.title, gunnery.others) == ("GUNNERY", ("DRM: +1 radar, -2 night",))


def test_a_section_number_before_the_title_is_cited() -> None:
    assert 'chart combat_results_table "COMBAT RESULTS TABLE" [7.5]' in ruleset_from_pasted("river", PLAYER_AID).text


def test_the_last_odds_may_be_open() -> None:
    assert guess_axis(["1:2", "1:1", "5:1+"]).labels == guess_axis(["1-2", "1-1", "5-1 or more"]).labels
    assert guess_axis(["1:2+", "1:1"]).kind == "words"


@pytest.mark.parametrize(
    ("title", "procedure"),
    [
        ("7.3 Gunnery Table", 'procedure gunnery "Gunnery"'),
        ("Melee", 'procedure melee "Melee"'),
        ("Results Table", 'procedure fire "Fire"'),
        ("", 'procedure fire "Fire"'),
    ],
)
def test_the_procedure_is_named_after_the_title(title: str, procedure: str) -> None:
    made = ruleset_from_pasted("game", f"{title}\n\nRoll  1  2\n1-3  -  M\n4-6  M  X\n")
    assert sound(made)
    assert procedure in made.text


def test_meanings_and_modifiers_around_a_chart_are_read() -> None:
    made = ruleset_from_pasted("river", PLAYER_AID)
    assert sound(made)
    for line in (
        'AE "Attacker eliminated"',
        'AR "Attacker retreats"',
        'EX "Exchange"',
        "hill           yes/no",
        "shift off left  stays",
    ):
        assert line in made.text, line
    shifted = load(text=made.text).odds("combat", given={"attack": 3, "defence": 1, "hill": True})
    assert shifted.of("result")["AR"] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("line", "kind", "amount", "label"),
    [
        ("+1\tFiring ship has radar", "roll", 1, "Firing ship has radar"),
        ("Smoke: \u22122", "roll", -2, "Smoke"),
        ("Leader with the attack: +1 to the die roll.", "roll", 1, "Leader with the attack"),
        ("Woods, shift 1 left", "shift", -1, "Woods"),
        ("Flank attack: 2R", "shift", 2, "Flank attack"),
    ],
)
def test_a_printed_modifier_is_read(line: str, kind: str, amount: int, label: str) -> None:
    assert list(notes_of([line])) == [Note(kind, amount, label)]


@pytest.mark.parametrize("line", ["Odds 5-1", "Weather 1-3", "Player Aid Card 2", "Hexes 3", "+1"])
def test_other_lines_are_not_read_as_modifiers(line: str) -> None:
    assert list(notes_of([line])) == []


def test_modifiers_that_would_be_errors_are_left_out() -> None:
    made = ruleset_from_pasted("game", "Roll  1  2\n1-3  -  M\n4-6  M  X\n\n+1  strength\n")
    assert sound(made)
    assert "modifiers" not in made.text


def test_look_alike_letters_are_folded_and_listed() -> None:
    pasted = read_pasted(PASTED)
    assert [(each.code_point, each.meant) for each in pasted.folded] == [("U+041C", "M"), ("U+03A7", "X")]
    assert pasted.rows[0][1] == ("-", "M", "X1")


def test_an_empty_cell_is_filled_and_told() -> None:
    pasted = read_pasted(PASTED)
    assert pasted.blanks == (("7-12", "4"),)
    assert pasted.rows[1][1] == ("M", "-", "X2")


def test_an_empty_column_is_left_out() -> None:
    assert read_pasted("Roll\t1\t\t4\n1-3\t-\t\tM\n4-6\tM\t\tX\n").columns == ("1", "4")


@pytest.mark.parametrize("text", ["", "hello", "one line of words\n", "a\nb\nc\n", "a,b\n"])
def test_a_text_without_a_chart_is_refused(text: str) -> None:
    with pytest.raises(NoChart):
        read_pasted(text)


def test_the_document_s_own_chart_is_recognised(tmp_path: Path) -> None:
    columns = ["1", "2", "4", "7", "11", "16", "22", "30", "45+"]
    rows = "\n".join("\t".join([str(number), *["M"] * 9]) for number in range(2, 13))
    made = ruleset_from_pasted(
        "infantry", "DIRECT FIRE TABLE\n\nFire Value\t\t\n" + "\t".join(["Roll", *columns]) + "\n" + rows
    )
    assert "down  2d6" in made.text
    assert "across  fire_value, column at or below" in made.text
    assert "chart direct_fire_table" in made.text
    assert sound(made)


# ---------------------------------------------------------------------------------------------- what is guessed


@pytest.mark.parametrize(
    ("labels", "dice"),
    [
        ([str(n) for n in range(2, 13)], "2d6"),
        (["1-2", "3-4", "5-6"], "d6"),
        (["1", "2", "3", "4", "5", "6"], "d6"),
        (["3-9", "10-18"], "3d6"),
        (["1-5", "6-10"], "d10"),
        (["2..4", "5..8", "9+"], "2d6"),
        (["1,2", "3,4", "5,6"], "d6"),
        ([str(n) for n in range(10)], "ten"),
        (["1-2", "3-5", "6-8", "9-0"], "ten"),
    ],
)
def test_dice_are_guessed_from_the_row_labels(labels: list[str], dice: str) -> None:
    guess = guess_dice(labels)
    assert guess is not None
    assert guess.dice == dice


def test_a_d10_is_from_nought_or_has_nought_for_ten() -> None:
    first, second = guess_dice([str(n) for n in range(10)]), guess_dice(["1-5", "6-9", "0"])
    dice = [unparse_declaration(each.die)[0] for each in (first, second) if each is not None and each.die is not None]
    assert dice == ["die ten faces 0..9", "die ten faces 1..9, 0 as 10"]


@pytest.mark.parametrize("labels", [["1", "4", "7"], ["open", "woods"], ["1:2", "1:1"], ["5", "6"], []])
def test_labels_that_are_no_dice_are_not_guessed_as_such(labels: list[str]) -> None:
    assert guess_dice(labels) is None


@pytest.mark.parametrize(
    ("labels", "kind", "written"),
    [
        (["1", "2", "4", "7+"], "thresholds", ("1", "2", "4", "7+")),
        (["1", "2", "3"], "numbers", ("1", "2", "3")),
        (["1-3", "4-6", "7+"], "numbers", ("1-3", "4-6", "7+")),
        (["1-3", "5-6"], "thresholds", ("1-3", "5-6")),
        (["3 or less", "4 to 6", "7 or more"], "numbers", ("..3", "4..6", "7+")),
        (["-1", "0", "+1"], "numbers", ("-1", "0", "1")),
        (["1:2", "1:1", "2:1"], "odds", ("1:2", "1:1", "2:1")),
        (["1-2", "1-1", "2-1"], "odds", ("1:2", "1:1", "2:1")),
        (["open", "light woods"], "words", ("open", "light woods")),
        (["1", "open"], "words", ("1", "open")),
    ],
)
def test_axes_are_guessed_from_their_labels(labels: list[str], kind: str, written: tuple[str, ...]) -> None:
    guess = guess_axis(labels)
    assert (guess.kind, guess.labels) == (kind, written)


def test_severity_is_guessed_from_where_codes_stand_and_from_their_numbers() -> None:
    rows = [["-", "M", "M1", "X"], ["M", "M2", "X", "3X"], ["-", "M1", "2X", "3X"]]
    assert guess_severity(rows) == ("-", "M", "M1", "M2", "X", "2X", "3X")


def test_every_guess_is_marked_and_told() -> None:
    made = ruleset_from_pasted("fire", PASTED)
    assert made.guesses
    assert all(f'assumed "{guess}"' in made.text for guess in made.guesses)
    assert "-- U+041C CYRILLIC CAPITAL LETTER EM reads M" in made.text
    assert "row 7-12, column 4 was empty" in made.text


# ------------------------------------------------------------------------------------------------ what is written

CHARTS: Final = {
    "tabs": SPLITS["tabs"],
    "pasted": PASTED,
    "odds": "Die\t1-2\t1-1\t2-1\n1-3\tAE\tA 1\tEX\n4-6\tAR\t-\tDE\n",
    "words": "Roll,open,light woods\n1-3,0,1\n4-6,1,2\n",
    "ten": "Roll 1-3 4+\n0-4 a b\n5-9 b c\n",
    "nought for ten": "Roll  red  blue\n1-2  1  2\n3-8  2  3\n9-0  3  4\n",
    "dice across": "Odds 1 2 3 4 5 6\n1:2 a a b b c c\n1:1 a b b c c d\n",
    "ten across": "Class 1-2 3-5 6-8 9-0\nI a b c d\nII b c d d\n",
    "one column": "Roll | Result\n2 | miss\n3-7 | graze\n8+ | hit\n",
    "no dice": "Range  rifle  gun\n≤3  4  5\n4-8  2  3\n9 or more  0  1\n",
    "differential": "Die -2 -1 0 +1\n1-3 A1 - - D1\n4-6 - D1 D1 D2\n",
    "odd codes": 'Roll a b\n1-3 x<y "q"\n4-6 [z] y:\n',
    "classes": "Die\t1..4\t5+\n1-3\tM M 0\tM 0 0\n4-6\t1 M 0\t2 2 -\n",
    "keywords": "Roll when otherwise\n1-3 is not\n4-6 and or\n",
}


@pytest.mark.parametrize("name", CHARTS)
def test_a_pasted_chart_becomes_rules_that_check_and_whose_example_passes(name: str) -> None:
    assert sound(ruleset_from_pasted("fire", CHARTS[name]))


def test_a_chart_with_mistakes_of_its_own_is_written_with_them_reported() -> None:
    made = ruleset_from_pasted("fire", "Roll a a\n1-3 x y\n4-6 z w\n")
    assert "duplicate-column" in [found.code for found in made.diagnostics]
    assert "x" in made.text


CELL = st.text(st.characters(codec="utf-8"), max_size=8)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(CELL, min_size=2, max_size=5), max_size=6), st.sampled_from(["\t", " | ", "  ", ",", ";"]))
def test_whatever_is_pasted_gives_a_ruleset_or_is_no_chart(rows: list[list[str]], mark: str) -> None:
    text = "\n".join(mark.join(row) for row in rows)
    try:
        made = ruleset_from_pasted("fire", text)
    except NoChart:
        return
    assert made.text.endswith("\n")


def test_a_smudged_cell_is_marked_and_guessed_from_the_one_beside_it() -> None:
    pasted = "Die\t1\t2\t3\n1\tM\t-\tX\n2\t-\t?\tX\n3\tM\tX\tX\n4\tX\tX\tX\n5\t-\tM\tX\n6\tM\tM\tX\n"
    made = ruleset_from_pasted("smudged", pasted)
    assert "|  2  | - | ?? | X |" in made.text
    assert "erratum row 2, column 2 reads -  assumed \"the cell can't be read" in made.text
    assert not [d for d in made.diagnostics if d.severity is Severity.ERROR]
    often = ruleset_from_pasted("often", pasted.replace("X", "?"))
    assert "??" not in often.text
