"""Signature help: what is called where a line breaks off, and which parameter comes next."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from enfilade.editor import analyse

ROOT: Final = Path(__file__).resolve().parents[2]
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


def test_the_text_of_these_tests_is_right() -> None:
    assert [each.message for each in analyse(TEXT).diagnostics if each.severity.value == "error"] == []


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
        ("", GIVEN, "range 1..6 = 3"),
        ("night, ", GIVEN, "range 1..6 = 3"),
        ("night, range 2, ", GIVEN, "units list of unit"),
        ("units [a (", UNIT, "steps 0..4 = 2"),
        ("units [a (steps 2), b (kind ", UNIT, "kind one of foot or horse"),
        ("units [a (steps 2), ", GIVEN, "units list of unit"),
        ("unit gun (kind", UNIT, "kind one of foot or horse"),
    ],
)
def test_an_example_shows_facts_and_fields(line: str, text: str, active: str) -> None:
    assert shown(EXAMPLE + line) == (text, active)


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


def test_an_event_starts_a_procedure() -> None:
    assert shown("\non moved\n  start fire with ") == (FIRE.replace("call", "start"), "range 1..6 = 3")


def test_an_example_of_a_definition_gives_its_parameters_and_the_records_they_refer_to() -> None:
    before = '\nexample define hits "x"\n  given range 1, dark no, unit (steps 1)\n  gives 1\n'
    given = f"given {HITS[5:-1]}, units list of unit"
    assert shown('\nexample define hits "y"\n  given range ', TEXT + before) == (given, "range 1..6")


def test_the_labels_and_citations_are_told() -> None:
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
