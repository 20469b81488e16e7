"""What can be varied: fields, options, definitions, sets, choices and players, on every question that varies."""

from fractions import Fraction
from typing import Any

import pytest

import enfilade
from enfilade import InputError, Ruleset
from enfilade.types import Word

FIRE = enfilade.load("infantry_attacks")
GUARD = {"name": "guard", "kind": "infantry", "steps": 2}
RIFLES = {"name": "rifles", "kind": "infantry", "steps": 2}
HIT: dict[str, Any] = {"fire_value": 45, "units": [GUARD, RIFLES]}

DEFINED = """
facts
  night    yes/no = no
  terrain  one of clear, town = clear
define need = 4
define bonus (x 0..) = x + 1
define place
  town     when night
  terrain  otherwise
procedure shoot
  1. roll d6 as die
  2. give hit   = die + bonus(1) >= need + 2
  3. give there = place is town
"""
RULES = enfilade.load(text=DEFINED)


def chances(rules: Ruleset, procedure: str, of: str, by: dict[str, Any], **situation: Any) -> list[Fraction]:
    return [cell.distribution[True] for cell in rules.grid(procedure, by=by, of=of, **situation)]


@pytest.mark.parametrize("name", ["units.guard.steps", "unit.guard.steps", "guard.steps"])
def test_a_field_of_a_record_is_varied_by_each_of_its_names(name: str) -> None:
    found = chances(
        FIRE, "direct_fire", "steps_left of guard >= 1", {name: [1, 2]}, **HIT, choices={"combat_losses": "guard"}
    )
    for steps, chance in zip([1, 2], found, strict=True):
        units = [{**GUARD, "steps": steps}, RIFLES]
        odds = FIRE.odds("direct_fire", fire_value=45, units=units, choices={"combat_losses": "guard"})
        assert chance == odds.chance("steps_left of guard >= 1")
    assert found[0] < found[1]


def test_a_field_by_itself_is_that_of_every_record() -> None:
    grid = FIRE.grid(
        "direct_fire",
        by={"steps": [1, 3]},
        of="steps_left of rifles + steps_left of guard",
        **HIT,
        players={"owner": "random"},
    )
    both = [{**GUARD, "steps": 3}, {**RIFLES, "steps": 3}]
    odds = FIRE.odds("direct_fire", fire_value=45, units=both, players={"owner": "random"})
    assert grid[3] == odds.of("steps_left of rifles + steps_left of guard")


def test_a_field_of_a_record_that_is_a_fact_is_varied_though_it_is_not_given() -> None:
    melee = enfilade.load("franco_prussian")
    side = {"kind": "infantry", "stands": 3}
    grid = melee.grid("melee", by={"attacker.mr": [5, 9]}, of="result", attacker=side, defender={**side, "mr": 7})
    assert grid[9] == melee.odds("melee", attacker={**side, "mr": 9}, defender={**side, "mr": 7}).result


def test_an_option_is_varied() -> None:
    grid = FIRE.grid("direct_fire", by={"low_edge": None}, of="M or worse", fire_value=1, terrain={"town"})
    assert grid["no_effect"] == FIRE.with_options(low_edge="no_effect").odds(
        "direct_fire", fire_value=1, terrain={"town"}
    ).of("M or worse")
    assert grid["no_effect"] != grid["stays"]


def test_a_definition_is_varied_as_if_the_text_said_so() -> None:
    found = chances(RULES, "shoot", "hit", {"need": [3, 6]})
    assert found == [RULES.extended(f"replace define need = {need}").odds("shoot").chance("hit") for need in (3, 6)]
    assert chances(RULES, "shoot", "hit", {"bonus": [0, 5]}) == [Fraction(1, 6), Fraction(1)]
    assert chances(RULES, "shoot", "there", {"place": None}) == [0, 1]


def test_a_definition_is_not_varied_beyond_what_the_rules_allow() -> None:
    with pytest.raises(InputError, match="place can't be wood; allowed: clear, town"):
        RULES.grid("shoot", by={"place": ["wood"]}, of="there")
    with pytest.raises(InputError, match="need can't be many; a definition can be set to a number"):
        RULES.grid("shoot", by={"need": ["many"]}, of="hit")
    with pytest.raises(InputError, match="the values of need can't be listed because it is a definition, which"):
        RULES.grid("shoot", by={"need": None}, of="hit")


def test_a_set_is_varied_over_nothing_and_each_word_alone() -> None:
    grid = FIRE.grid("direct_fire", by={"terrain": None}, of="M or worse", fire_value=11)
    assert list(grid.by["terrain"])[:2] == [(), ("clear",)]
    assert grid[["town"]] == FIRE.odds("direct_fire", fire_value=11, terrain={"town"}).of("M or worse")


def test_choices_and_players_are_varied() -> None:
    of = "steps_left of guard >= 2"
    losses = FIRE.grid("direct_fire", by={"combat_losses": ["guard", "rifles"]}, of=of, **HIT)
    assert losses["rifles"] == FIRE.odds("direct_fire", **HIT, choices={"combat_losses": "rifles"}).of(of)
    owner = chances(FIRE, "direct_fire", of, {"owner": None}, **HIT, aim=of)
    assert owner[0] > owner[2] > owner[1]


def test_least_and_compare_take_all_variables() -> None:
    found = FIRE.least(
        "guard.steps",
        "direct_fire",
        chance="9/10",
        of="steps_left of guard >= 1",
        **HIT,
        choices={"combat_losses": "guard"},
    )
    assert found.value == 4
    both = RULES.compare("shoot", {"need": 4}, {"need": 5}, of="hit")
    assert (both.a[True], both.b[True]) == (Fraction(1, 2), Fraction(1, 3))
    assert both.names == ("need 4", "need 5")


def test_a_name_that_several_things_have_means_the_fact_and_the_others_have_full_names() -> None:
    rules = enfilade.load(
        text="""
option fog
facts
  fog  0..3
procedure look
  1. roll d6 as die
  2. give seen = die > fog
     give late = die > 5 or option fog
"""
    )
    types = rules.variables("look")
    assert set(types) == {"fog", "option fog"}
    assert chances(rules, "look", "late", {"option fog": None}, fog=1) == [Fraction(1, 6), Fraction(1)]
    assert chances(RULES, "shoot", "hit", {"define need": [4]}) == [Fraction(1, 2)]


def test_a_field_that_no_given_record_has_is_told() -> None:
    with pytest.raises(InputError, match=r"no given record has the field guard.stepz; did you mean guard.steps\?"):
        FIRE.grid("direct_fire", by={"guard.stepz": [1]}, **HIT)


def test_the_types_of_variables_are_public() -> None:
    types = FIRE.variables("direct_fire", **HIT)
    assert types["low_edge"] == Word(("stays", "no_effect"))
    assert types["guard.steps"] == types["units.rifles.steps"]
    assert types["combat_losses"] is None


def test_a_varied_situation_has_its_ruleset_and_its_arguments() -> None:
    rules, call = RULES.varied("shoot", {"need": 6, "night": True})
    assert rules.odds("shoot", **call).chance("hit") == Fraction(1, 6)
    assert call == {"given": {"night": True}}


def test_objects_of_the_caller_have_no_fields_that_are_varied() -> None:
    side = {"kind": "infantry", "stands": 3, "mr": 7}
    with pytest.raises(InputError, match="attacker is me, the name of a record; vary a field of the fact"):
        enfilade.load("franco_prussian").grid("melee", by={"attacker.mr": [1]}, attacker="me", defender=side)


# ---------------------------------------------------------------------------------- records given by names alone

SIDES = enfilade.load(
    text="""
record side
  skill  1..6 = 3
  elan   yes/no
facts
  att   side
  dfn   side
  more  list of side
  ranges  list of 1..9
procedure fight
  1. roll d6 as die
  2. give hit = die <= att.skill + (1 when att.elan otherwise 0) - dfn.skill + count of more where skill > 3 + count of ranges where each > 5
"""
)
NAMED: dict[str, Any] = {"att": "a", "dfn": "d", "more": ["b", "c"], "ranges": []}


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("att.elan", [False, True], [0, 1]),
        ("a.elan", [False, True], [0, 1]),
        ("dfn.skill", [1, 2], [2, 1]),
        ("more.b.skill", [3, 4], [0, 1]),
        ("skill", [3, 4], [0, 2]),
    ],
)
def test_a_field_of_a_record_that_is_given_by_its_name_is_varied(
    name: str, values: list[Any], expected: list[int]
) -> None:
    assert chances(SIDES, "fight", "hit", {name: values}, **NAMED) == [Fraction(each, 6) for each in expected]


def test_a_name_in_two_facts_stays_one_record_when_a_field_varies() -> None:
    both = {**NAMED, "dfn": "a"}
    assert chances(SIDES, "fight", "hit", {"att.skill": [2, 5]}, **both) == [0, 0]
    with pytest.raises(InputError, match="dfn is a, the name of a record; vary a field of the fact that describes"):
        chances(SIDES, "fight", "hit", {"dfn.skill": [2, 5]}, **both)


def test_a_slip_in_a_name_beside_described_records_is_an_error() -> None:
    with pytest.raises(InputError, match="dfn is aa, and no side of that name is given"):
        chances(SIDES, "fight", "hit", {"att.skill": [2, 5]}, **{**NAMED, "att": {"name": "a"}, "dfn": "aa"})
