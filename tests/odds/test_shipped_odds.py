"""What is known of the odds of the shipped rulesets, from the documents or by another way of counting."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, Final

import icepool
import pytest
from tests.differential.programs import program_of
from tests.odds.brute_force import told
from tests.odds.comparing import Chances, chances, situation

from enfilade.core import ir
from enfilade.core.run import Refused
from enfilade.core.values import Ref
from enfilade.engines.odds import NeedsPolicy, Policy, Situation, Whole, exact_odds

RESULT: Final = ir.Local("result")


def fire(fire_value: int, **facts: Any) -> Situation:
    """One direct fire."""
    return situation(program_of("infantry_attacks"), "direct_fire", fire_value=fire_value, **facts)


@cache
def results(fire_value: int) -> dict[str, Fraction]:
    """The chances of the results of one direct fire."""
    return {values[0][1]: chance for values, chance in chances(exact_odds(fire(fire_value), (RESULT,))).items()}


def at_least(fire_value: int, *codes: str) -> Fraction:
    """The chance of any of some results."""
    return sum((results(fire_value).get(code, Fraction(0)) for code in codes), Fraction(0))


ANY: Final = ("M", "M1", "M2", "X", "2X", "3X")
LOSS: Final = ("X", "2X", "3X")


def test_fire_value_11_without_modifiers() -> None:
    counts = {"-": 16, "M": 8, "M1": 6, "M2": 4, "X": 2}
    assert results(11) == {code: Fraction(count, 36) for code, count in counts.items()}


def least(chance: Fraction, *codes: str) -> int | None:
    """The least fire value with at least that chance of some results."""
    return next((value for value in range(1, 61) if at_least(value, *codes) >= chance), None)


def test_the_least_fire_values() -> None:
    assert (least(Fraction(1, 2), *ANY), at_least(11, *ANY)) == (11, Fraction(20, 36))
    assert (least(Fraction(1, 4), *LOSS), at_least(22, *LOSS)) == (22, Fraction(9, 36))
    assert least(Fraction(1, 2), *LOSS) is None
    assert at_least(45, *LOSS) == Fraction(16, 36) == max(at_least(value, *LOSS) for value in range(1, 61))


UNITS: Final = [
    {"name": "gun", "kind": "artillery", "steps": 2},
    {"name": "rifles", "kind": "infantry", "steps": 3},
]


def fates(*units: str) -> Chances:
    """The chances of what some units have left, together; the owner loses what stands first."""
    asks = tuple(ir.Field(ir.Const(Ref("unit", unit)), "steps") for unit in units)
    answer = exact_odds(fire(30, units=UNITS), asks, Policy(decide=lambda request: request.options[:1]))
    return chances(answer)


def test_the_joint_fate_of_units_on_one_roll_is_not_the_product_of_their_own() -> None:
    together, gun, rifles = fates("gun", "rifles"), fates("gun"), fates("rifles")
    products = {(*one, *other): gun[one] * rifles[other] for one in gun for other in rifles}
    assert together != {fate: chance for fate, chance in products.items() if chance}
    assert sum(together.values()) == sum(products.values()) == 1
    for one in gun:
        assert sum(chance for fate, chance in together.items() if fate[0] == one[0]) == gun[one]


def test_losses_that_the_owner_assigns_are_asked_for_by_name() -> None:
    with pytest.raises(NeedsPolicy) as caught:
        exact_odds(fire(30, units=UNITS), (Whole("state"),))
    assert caught.value.player == "owner"
    assert caught.value.choice.startswith("combat_losses")


def test_what_the_hex_comes_to_does_not_hang_on_who_takes_the_losses() -> None:
    assert chances(exact_odds(fire(11, units=UNITS), (RESULT,))) == chances(exact_odds(fire(11), (RESULT,)))


def test_a_refusal_takes_no_part_of_the_probability() -> None:
    melee = program_of("melee")
    side = {"kind": "infantry", "stands": 3, "mr": 6}
    routed = situation(melee, "melee", attacker={**side, "routed": True}, defender=side)
    with pytest.raises(Refused) as caught:
        exact_odds(routed, (RESULT,))
    assert caught.value.slug == "disorganized_cannot_charge"


@pytest.mark.parametrize(("attacker", "defender"), [(3, 3), (4, 3), (3, 7), (6, 3)])
def test_ties_in_the_melee_are_thrown_again_without_end(attacker: int, defender: int) -> None:
    side = {"kind": "infantry", "mr": 6}
    fight = situation(
        program_of("melee"), "melee", attacker={**side, "stands": attacker}, defender={**side, "stands": defender}
    )
    ahead = (attacker - defender + icepool.d(6) - icepool.d(6)).reroll([0], depth="inf")
    wins = Fraction((ahead > 0).quantity(True), ahead.denominator())
    wanted = {("attacker wins",): wins, ("defender wins",): 1 - wins}
    answer = exact_odds(fight, (RESULT,))
    assert answer.remainder == 0
    assert chances(answer) == {(told(winner),): chance for (winner,), chance in wanted.items() if chance}


def test_the_number_of_rounds_of_a_melee_sums_to_one_with_what_is_beyond_the_limit() -> None:
    side = {"kind": "infantry", "stands": 3, "mr": 6}
    fight = situation(program_of("melee"), "melee", attacker=side, defender=side)
    answer = exact_odds(fight, (ir.Local("rounds"),))
    found = chances(answer)
    assert found[(told(1),)] == Fraction(5, 6)
    assert found[(told(2),)] == Fraction(5, 36)
    assert sum(found.values()) + Fraction(answer.remainder, answer.total) == 1
