"""Signature help: what is called where a line breaks off, and which parameter comes next. Inlay hints: ranges and chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest
from tests.editor.rules import ROOT, errors, of_file

import enfilade
from enfilade.editor import Hint, analyse

TEXT: Final = """\
record unit "a piece"
  steps  0..4 = 2  "steps left" [3.1]
  kind   one of foot, horse

facts
  night  yes/no         "night turn" [1.2]
  units  list of unit

players attacker

define hits (unit, range 1..6, dark yes/no) = range  "Hits" [3.4]

chart table "Fire"
  down  1d6

  | Roll | Result |
  |  1-3 |   -    |
  |  4-6 |   X    |

chart losses
  down  0..1

  | Hits | Result |
  |   0  |   1    |
  |   1  |   2    |

effect loss "loses a step" (unit, amount 1..)
effect weather_changes (to yes/no)

results of table
  -  "No effect"
  X  "Hit"

procedure fire "Fire" [5.1]
  facts
    range 1..6 = 3  "range in hexes"
  1. roll 1d6 as die_roll
  2. read table with die_roll as shot
  3. when night: stop
  4. for each unit in units: loss on unit with amount 1

event moved
"""
STEP: Final = "\nprocedure other\n  1. "
OF_DEFINITION: Final = '\nexample define hits "x"\n  given range 1, dark no, unit (steps 1)\n  gives 1\n'
EXAMPLE: Final = '\nexample fire "x"\n  given '


def shown(added: str, text: str = TEXT) -> tuple[str, str | None] | None:
    """The signature at the end of some text, and the parameter at that place."""
    whole = text + added
    found = analyse(whole + "\n").signature(len(whole))
    if found is None:
        return None
    at = None if found.active is None else found.parameters[found.active]
    return found.text, None if at is None else found.text[at.start : at.end]


FIRE: Final = "call fire with range 1..6 = 3, night yes/no, units list of unit"
LOSS: Final = "loss on unit with amount 1.."
HITS: Final = "hits(unit, range 1..6, dark yes/no)"
UNIT: Final = "unit (steps 0..4 = 2, kind one of foot or horse)"
GIVEN: Final = "given range 1..6 = 3, night yes/no, units list of unit"


@pytest.mark.parametrize(
    ("line", "text", "active"),
    [
        ("call fire ", FIRE, None),
        ("call fire with ", FIRE, "range 1..6 = 3"),
        ("call fire with night yes, ", FIRE, "range 1..6 = 3"),
        ("call fire with range 2, night ", FIRE, "night yes/no"),
        ("call fire with range (2 + 3), un", FIRE, "units list of unit"),
        ("call fire with range 1,\n    ", FIRE, "night yes/no"),
        ("when night: call fire with ", FIRE, "range 1..6 = 3"),
        ("for each u in units: loss on ", LOSS, "unit"),
        ("for each u in units: loss on u with ", LOSS, "amount 1.."),
        ("weather_changes with ", "weather_changes with to yes/no", "to yes/no"),
        ("attacker assigns 2 loss with ", "loss with amount 1..", "amount 1.."),
        ("read table with ", "read table with a roll of 1d6", "a roll of 1d6"),
        ("read losses with ", "read losses with down 0..1", "down 0..1"),
        ("let lost = losses(", "losses(down 0..1)", "down 0..1"),
        ("let n = hits(", HITS, "unit"),
        ("let n = 2 + (hits(unit, (1 + 2), ", HITS, "dark yes/no"),
        ("let n = hits(unit, hits(a, b, c), (", HITS, "dark yes/no"),
        ("let n = hits(unit, 1, yes, 4, 5", HITS, "dark yes/no"),
    ],
)  # fmt: skip
def test_a_step_shows_the_parameters(line: str, text: str, active: str | None) -> None:
    assert shown(STEP + line) == (text, active)


@pytest.mark.parametrize(
    ("line", "text", "active"),
    [
        (EXAMPLE, GIVEN, "range 1..6 = 3"),
        (EXAMPLE + "night, ", GIVEN, "range 1..6 = 3"),
        (EXAMPLE + "night, range 2, ", GIVEN, "units list of unit"),
        (EXAMPLE + "units [a (", UNIT, "steps 0..4 = 2"),
        (EXAMPLE + "units [a (steps 2), b (kind ", UNIT, "kind one of foot or horse"),
        (EXAMPLE + "units [a (steps 2), ", GIVEN, "units list of unit"),
        (EXAMPLE + "unit gun (kind", UNIT, "kind one of foot or horse"),
        # An event starts a procedure.
        ("\non moved\n  start fire with ", FIRE.replace("call", "start"), "range 1..6 = 3"),
        # An example of a definition gives its parameters and the records they refer to.
        (f'{OF_DEFINITION}\nexample define hits "y"\n  given range ', f"given {HITS[5:-1]}, units list of unit", "range 1..6"),
    ],
)  # fmt: skip
def test_an_example_and_a_reaction_show_facts_and_fields(line: str, text: str, active: str) -> None:
    assert shown(line) == (text, active)


@pytest.mark.parametrize(
    "added",
    [
        STEP + "roll 2d6 as r",
        STEP + "call fire with night yes as ",
        STEP + "call fire with night yes  [5.1]",
        STEP + "call nothing with ",
        STEP + "let n = hits(unit, 1, yes)",
        STEP + "call fire with night yes\n  2. ",
        "\ndefine more (un",
        "\neffect more (un",
        "\n-- call fire with ",
    ],
)
def test_nothing_is_shown_where_nothing_is_called(added: str) -> None:
    assert shown(added) is None


def test_the_labels_and_citations_are_told() -> None:
    assert errors(analyse(TEXT)) == []
    whole = TEXT + STEP + "call fire with "
    found = analyse(whole).signature(len(whole))
    assert found is not None
    assert (found.label, found.cites) == ("Fire", ("5.1",))
    assert [each.label for each in found.parameters] == ["range in hexes", "night turn", ""]


def test_global_facts_that_a_procedure_uses_are_offered() -> None:
    attacks = (ROOT / "rulesets/infantry_attacks/infantry_attacks.rules").read_text(encoding="utf-8")
    found = shown(STEP + "call direct_fire with ", attacks)
    assert found is not None
    assert found[0].startswith("call direct_fire with fire_value 1.., ranges list of 1.., at least 1 = [2], night")


# -- hints: the range of each axis, and the chance of each row of dice

AXES: Final = "facts\n  strength 1..9\n  wind one of north, south\n\n"
ROWS: Final = "\n  | Roll | Result |\n  |  2-6 |   -    |\n  |   7  |   X    |\n  | 8-12 |   Y    |\n"
DICE: Final = "chart table\n  down 2d6\n" + ROWS
CHANCES: Final = [
    ("|  2-6 |   -    |", "15/36  41.67 %"),
    ("|   7  |   X    |", "6/36  16.67 %"),
    ("| 8-12 |   Y    |", "15/36  41.67 %"),
]
EDGES: Final = "chart table\n  down 2d6\n  row above stays\n  row below gives -\n" + ROWS.replace(
    "8-12", "8-9 "
).replace("2-6", "5-6")
FACES: Final = "die low faces 0, 0 as 1, 3\n\nchart table\n  down low\n\n  | R | C |\n  | 0 | - |\n  | 1-3 | X |\n"
SIDES: Final = (
    "die hit faces 4 x miss, 2 x hit\n\nchart table\n  down hit\n\n  | R | C |\n  | miss | - |\n  | hit | X |\n"
)
NUMBER: Final = (
    "chart table\n  down 1d6\n  across strength\n\n  | R | 1-4 | 5-9 |\n  | 1-3 | - | X |\n  | 4-6 | X | X |\n"
)
WORDS: Final = "chart table\n  down 0..1\n  across wind\n\n  | R | north | south |\n  | 0 | - | X |\n  | 1 | X | X |\n"
ACROSS: Final = "chart table\n  across 1d6\n\n  | 1-3 | 4-6 |\n  | - | X |\n"


def before(hint: Hint) -> str:
    """The text on the line of a hint before it."""
    text = hint.span.source.text
    return text[text.rfind("\n", 0, hint.span.end) + 1 : hint.span.end].strip()


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        (DICE, CHANCES),
        # Rolls that stay on an edge count for its row.
        (EDGES, [("|  5-6 |   -    |", "9/36  25.00 %"), ("|   7  |   X    |", "6/36  16.67 %"), ("| 8-9  |   Y    |", "15/36  41.67 %")]),
        # Declared faces count what they are worth.
        (FACES, [("| 0 | - |", "1/3  33.33 %"), ("| 1-3 | X |", "2/3  66.67 %")]),
        # A die with words counts the sides of each.
        (SIDES, [("| miss | - |", "4/6  66.67 %"), ("| hit | X |", "2/6  33.33 %")]),
        # The range of a number follows its axis.
        (AXES + NUMBER, [("across strength", ": 1..9"), ("| 1-3 | - | X |", "3/6  50.00 %"), ("| 4-6 | X | X |", "3/6  50.00 %")]),
        # Words and stated ranges have no hint, and no row has a chance if its dice are printed across.
        (AXES + WORDS, []),
        (ACROSS, []),
        # A chart keeps its hints while another declaration has a mistake.
        ("define a = nothing\n\n" + DICE, CHANCES),
    ],
)  # fmt: skip
def test_each_row_of_dice_has_its_exact_chance_and_each_axis_its_range(text: str, hints: list[tuple[str, str]]) -> None:
    assert [(before(each), each.text) for each in analyse(text).inlay_hints(0, len(text))] == hints


def test_a_note_tells_that_modifiers_are_left_out() -> None:
    modifiers = "\nmodifiers drm add to roll of table\n  -1 wind_north wind is north\n"
    text = AXES + DICE.replace("2d6\n", "2d6\n  row below stays\n") + modifiers
    assert {each.note for each in analyse(text).inlay_hints(0, 1000)} == {"the chance without die roll modifiers"}


def test_only_the_hints_of_the_part_that_is_asked_for_are_told() -> None:
    found = analyse(DICE).inlay_hints(0, DICE.index("|   7"))
    assert [before(each) for each in found] == ["|  2-6 |   -    |"]


def test_the_chances_of_shipped_charts_are_those_of_the_odds() -> None:
    found = of_file(ROOT / "rulesets/infantry_attacks/infantry_attacks.rules")
    hints = [each for each in found.inlay_hints(0, len(found.source.text)) if each.kind == "chance"]
    odds = enfilade.load("infantry_attacks").odds("direct_fire", fire_value=16).of("roll")
    told = {int(before(each).split("|")[1]): Fraction(each.text.split()[0]) for each in hints}
    assert told == {total: odds[total] for total in range(2, 13)}
