"""What new users typed on the command line and in Python: it is read as at the prompt."""

from __future__ import annotations

import pytest
from tests.conftest import Run

import enfilade

SHOT = ("resolve", "infantry_attacks", "direct_fire", "--dice", "4,3", "--why", "short", "fire_value=45")


def test_facts_are_typed_as_in_examples(run: Run) -> None:
    fields = run(
        *SHOT, "units=b3,c2", "units.b3.kind=infantry", "units.b3.steps=3", "units.c2.kind=mg", "units.c2.steps=1"
    )
    assert fields == run(*SHOT, "units=b3 (kind infantry, steps 3), c2 (kind mg, steps 1)")
    assert fields[0] == 0
    assert "b3: checks morale" in fields[1]


def test_a_number_alone_is_a_list_of_one() -> None:
    rules = enfilade.load("infantry_attacks")
    one = rules.resolve("direct_fire", fire_value=16, ranges=1, terrain="town", dice=[4, 3])
    assert one == rules.resolve("direct_fire", fire_value=16, ranges=[1], terrain={"town"}, dice=[4, 3])


def test_fractions_may_be_in_lowest_terms_and_changes_are_named_as_typed(run: Run) -> None:
    shot = ("infantry_attacks", "direct_fire", "fire_value=16", "--of", "M or worse")
    assert " 5/6 " in run("odds", *shot, "--fractions")[1]
    head = run("compare", *shot, "--a", "terrain=town", "--b", "terrain=hill")[1].splitlines()[0]
    assert "terrain town" in head
    assert "{" not in head


@pytest.mark.parametrize("told", ["prefers-color-scheme: dark", "overflow-x"])
def test_cards_scroll_on_a_phone_and_have_a_dark_mode(run: Run, told: str) -> None:
    assert told in run("chart", "infantry_attacks", "--format", "html")[1]


def test_data_keeps_the_code_and_tables_say_no_effect() -> None:
    found = enfilade.load("infantry_attacks").odds("direct_fire", fire_value=16).result
    assert "No Effect" in str(found)
    assert found["-"] > 0
    assert next(each["value"] for each in found.to_json()["outcomes"]) == "-"
