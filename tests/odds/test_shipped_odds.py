"""What is known of the odds of the shipped rulesets, from the documents or by another way of counting."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Final

import pytest
from tests.differential.programs import program_of
from tests.odds.brute_force import told
from tests.odds.comparing import Chances, chances, situation

from enfilade.core import ir
from enfilade.engines.odds import Policy, Situation, exact_odds
from enfilade.values.data import Ref

RESULT: Final = ir.Local("result")


def fire(fire_value: int, **facts: Any) -> Situation:
    """One direct fire."""
    return situation(program_of("infantry_attacks"), "direct_fire", fire_value=fire_value, **facts)


@cache
def results(fire_value: int) -> dict[str, Fraction]:
    """The chances of the results of one direct fire."""
    return {values[0][1]: chance for values, chance in chances(exact_odds(fire(fire_value), (RESULT,))).items()}


def test_fire_value_11_without_modifiers() -> None:
    counts = {"-": 16, "M": 8, "M1": 6, "M2": 4, "X": 2}
    assert results(11) == {code: Fraction(count, 36) for code, count in counts.items()}


def test_the_least_fire_values() -> None:
    losses = [sum(results(value).get(code, 0) for code in ("X", "2X", "3X")) for value in range(1, 61)]
    effects = [1 - results(value).get("-", 0) for value in range(1, 61)]
    found = [next(n for n, chance in enumerate(effects, 1) if 2 * chance >= 1), effects[10]]
    assert found == [11, Fraction(20, 36)]
    assert [next(n for n, chance in enumerate(losses, 1) if 4 * chance >= 1), losses[21]] == [22, Fraction(9, 36)]
    assert losses[44] == Fraction(16, 36) == max(losses)


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


def melee(attacker: int, defender: int) -> Situation:
    """A melee of so many stands."""
    sides = {"attacker": attacker, "defender": defender}
    facts = {name: {"kind": "infantry", "mr": 6, "stands": stands} for name, stands in sides.items()}
    return situation(program_of("melee"), "melee", **facts)


@pytest.mark.parametrize(("attacker", "defender"), [(3, 3), (4, 3), (3, 7), (6, 3)])
def test_ties_in_the_melee_are_thrown_again_without_end(attacker: int, defender: int) -> None:
    margins = [attacker + ours - defender - theirs for ours, theirs in product(range(1, 7), repeat=2)]
    wins, loses = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
    answer = exact_odds(melee(attacker, defender), (RESULT,))
    wanted = {"attacker wins": Fraction(wins, wins + loses), "defender wins": Fraction(loses, wins + loses)}
    assert answer.remainder == 0
    assert chances(answer) == {(told(winner),): chance for winner, chance in wanted.items() if chance}


def test_the_number_of_rounds_of_a_melee_sums_to_one_with_what_is_beyond_the_limit() -> None:
    answer = exact_odds(melee(3, 3), (ir.Local("rounds"),))
    found = chances(answer)
    assert [found[(told(rounds),)] for rounds in (1, 2)] == [Fraction(5, 6), Fraction(5, 36)]
    assert sum(found.values()) + Fraction(answer.remainder, answer.total) == 1
