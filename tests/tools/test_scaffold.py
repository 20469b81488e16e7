"""What is read of a pasted chart, and what is guessed; ``pasted.md`` in ``tests/cli/pages`` has the rulesets that come of it."""

from contextlib import suppress
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade import Severity
from enfilade.syntax.unparse import unparse_lines
from enfilade.tools.chart_guesses import guess_axis, guess_dice, guess_severity
from enfilade.tools.pasted_chart import NoChart, read_pasted
from enfilade.tools.pasted_notes import Note, notes_of
from enfilade.tools.scaffold import ruleset_from_pasted

PASTED: Final = "INFANTRY\n\nFIRE TABLE\n\nFire Value\t\t\t\nRoll\t1\t4\t11+\n2-6\t-\t\u041c\t\u03a71\n7-12\tM\t\tX2\n\nResults\nM  Morale\n"


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


def test_the_title_is_the_line_that_is_called_a_table_and_its_number_is_cited() -> None:
    pasted = read_pasted(PLAYER_AID)
    assert (pasted.title, "Die" in pasted.others) == ("7.5 COMBAT RESULTS TABLE", False)
    gunnery = read_pasted("GUNNERY\nDRM: +1 radar, -2 night\nRoll  1  2  3\n1-3  -  M  M\n4-6  M  X  X\n")
    assert (gunnery.title, gunnery.others) == ("GUNNERY", ("DRM: +1 radar, -2 night",))


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("+1\tFiring ship has radar", [Note("roll", 1, "Firing ship has radar")]),
        ("Smoke: \u22122", [Note("roll", -2, "Smoke")]),
        ("Leader with the attack: +1 to the die roll.", [Note("roll", 1, "Leader with the attack")]),
        ("Woods, shift 1 left", [Note("shift", -1, "Woods")]),
        ("Flank attack: 2R", [Note("shift", 2, "Flank attack")]),
        # These are no modifiers.
        *((line, []) for line in ("Odds 5-1", "Weather 1-3", "Player Aid Card 2", "Hexes 3", "+1")),
    ],
)
def test_a_printed_modifier_is_read(line: str, notes: list[Note]) -> None:
    assert list(notes_of([line])) == notes


def test_letters_are_folded_and_empty_cells_filled_and_told_and_empty_columns_left_out() -> None:
    pasted = read_pasted(PASTED)
    assert [(each.code_point, each.meant) for each in pasted.folded] == [("U+041C", "M"), ("U+03A7", "X")]
    assert [cells for _, cells in pasted.rows] == [("-", "M", "X1"), ("M", "-", "X2")]
    assert pasted.blanks == (("7-12", "4"),)
    assert read_pasted("Roll\t1\t\t4\n1-3\t-\t\tM\n4-6\tM\t\tX\n").columns == ("1", "4")


@pytest.mark.parametrize("text", ["", "hello", "one line of words\n", "a\nb\nc\n", "a,b\n"])
def test_a_text_without_a_chart_is_refused(text: str) -> None:
    with pytest.raises(NoChart):
        read_pasted(text)


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
        *((labels, None) for labels in (["1", "4", "7"], ["open", "woods"], ["1:2", "1:1"], ["5", "6"], ["00"], [])),
    ],
)
def test_dice_are_guessed_from_the_row_labels(labels: list[str], dice: str | None) -> None:
    guess = guess_dice(labels)
    assert (guess and guess.dice) == dice


def test_a_d10_is_from_nought_or_has_nought_for_ten() -> None:
    first, second = guess_dice([str(n) for n in range(10)]), guess_dice(["1-5", "6-9", "0"])
    dice = [unparse_lines(each.die)[0] for each in (first, second) if each is not None and each.die is not None]
    assert dice == ["die ten faces 0..9", "die ten faces 1..9, 0 as 10"]


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


CELL = st.text(st.characters(codec="utf-8"), max_size=8)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(CELL, min_size=2, max_size=5), max_size=6), st.sampled_from(["\t", " | ", "  ", ",", ";"]))
def test_whatever_is_pasted_gives_a_ruleset_or_is_no_chart(rows: list[list[str]], mark: str) -> None:
    text = "\n".join(mark.join(row) for row in rows)
    with suppress(NoChart):
        assert ruleset_from_pasted("fire", text).text.endswith("\n")


# --------------------------------------------------------------------------------------- read whole, or refused


def errors_of(text: str) -> list[str]:
    return [each.message for each in ruleset_from_pasted("t", text).diagnostics if each.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "d100\tResult\n1-20\tNothing\n21-45\tPatrol\n47-80\tBattle\n81-100\tDisaster\n",
            "no row of fire_table covers 46",
        ),
        ("d100\tResult\n1-20\tNothing\n21-45\tPatrol\n45-80\tBattle\n81-100\tDisaster\n", "two rows cover 45"),
        ("2d6\tA\tB\n2-5\tM\tX\n6-7\tM\tM\n9-12\t-\tM\n", "no row of fire_table covers 8"),
        ("Die Roll\tA\tB\n1-2\tM\tX\n4-6\t-\tM\n", "no row of fire_table covers 3"),
        ("d66\tResult\n11-16\tNothing\n21-34\tPatrol\n41-66\tBattle\n", "no row of fire_table covers 35..40"),
    ],
)
def test_a_gap_or_an_overlap_in_bands_is_named(text: str, error: str) -> None:
    assert errors_of(text) == [error]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("d100\tResult\n01-20\tA\n21-45\tB\n46-80\tC\n81-00\tD\n", "down  percent, printed on percent"),
        ("d100\tResult\n00-19\tA\n20-79\tB\n80-99\tC\n", "die percent faces 0..99"),
        ("d66\tResult\n11-16\tA\n21-36\tB\n41-66\tC\n", "die d6_and_d6 faces 11..16, 21..26"),
        ("Die Roll 1-2 1-1 2-1\n1 AR AR EX\n2 AR EX DR\n3-6 EX DR DR\n", "| Die Roll | 1:2 | 1:1 | 2:1 |"),
        ("Die 1:2 or less 1:1 2:1 or more\n1 AR AR EX\n2 AR EX DR\n3-6 EX DR DR\n", "across  attack / defence"),
    ],
)
def test_the_corner_and_the_labels_are_read_as_they_are_printed(text: str, line: str) -> None:
    assert errors_of(text) == []
    assert line in ruleset_from_pasted("t", text).text


@pytest.mark.parametrize(
    "text",
    [
        '{\n "2": {"2": 1, "3": 4},\n "3": {"2": 1}\n}\n', '[["a", "b"], ["c", "d"]]', "crt:\n  '1:2': [AE, AE]\n  '1:1': [AE, AR]\n",
        "array(AE, AR),\narray(AR, DR),\narray(DR, DE)\n", "2 => 'M',\n3 => 'X',\n4 => 'X',\n",
    ],
)  # fmt: skip
def test_data_and_code_are_refused(text: str) -> None:
    with pytest.raises(NoChart, match="data or code"):
        read_pasted(text)


def test_a_row_with_a_cell_too_few_stays_and_is_marked() -> None:
    text = "Roll | 1 | 2 | 3\n1 | - | M | X\n2 | - | M | X\n3 | M | X\n4 | M | X | X\n5-6 | M | X | X\n"
    assert read_pasted(text).rows[2] == ("3", ("M", "X", "??"))
    written = ruleset_from_pasted("t", text).text
    assert "-- row 3 has 2 of 3 cells: look on the page which one is missing" in written
    assert "erratum row 3, column 3 reads X" in written
    assert errors_of(text) == []
