"""Each question by icepool, in the quickest idiomatic form that was found; every die is made afresh."""

from collections.abc import Iterator
from typing import Any

import icepool
from icepool import Die
from icepool.evaluator import keep_evaluator
from icepool.evaluator.basic import size_evaluator, sum_evaluator

from benchmarks.odds.tables import (
    FIRE,
    FIRE_TABLE,
    STANDS,
    Row,
    Side,
    Steps,
    Target,
    Unit,
    after_hit,
    after_long_round,
    check_modifier,
    equal_stack,
    fate,
    melee_sides,
    points,
    rank,
    stack,
    without_commander,
)


def clear() -> None:
    """Forget what icepool keeps from one call to the next."""
    icepool.d.cache_clear()
    icepool.z.cache_clear()
    icepool.Pool.clear_cache()
    icepool.math.comb_row_cache.clear()
    for evaluator in sum_evaluator, size_evaluator, keep_evaluator:
        evaluator.__dict__.pop("_cache", None)


def stack_fates(count: int) -> Die[Any]:
    """Joint fate of the units of a stack."""
    units, two_dice = stack(count), 2 @ icepool.d(6)

    def fates(row: Row) -> Any:
        return icepool.tupleize(*(unit_fates(unit, row, two_dice) for unit in units))

    return icepool.map(fates, two_dice.map(FIRE_TABLE), star=False)


def unit_fates(unit: Unit, row: Row, two_dice: Die[int]) -> Any:
    """A unit's own fates after a fire roll in some row."""
    modifier = check_modifier(unit, row)
    return "stands" if modifier is None else two_dice.map(lambda morale: fate(unit, morale + modifier))


def stack_failures(count: int) -> Die[int]:
    """How many of equal units fail."""
    unit, two_dice = equal_stack(1)[0], 2 @ icepool.d(6)

    def failures(row: Row) -> Any:
        modifier = check_modifier(unit, row)
        return 0 if modifier is None else (two_dice + modifier > unit.morale).pool(count).sum()

    return icepool.map(failures, two_dice.map(FIRE_TABLE), star=False)


def stack_fallen(count: int) -> Die[int]:
    """The same question; only our rules can put it in another way."""
    return stack_failures(count)


def line_kept(lives: int) -> Die[Any]:
    """The two dice that count."""
    ranks = icepool.d(10)
    return ranks.pool(lives).lowest(2).expand().map(lambda kept: tuple(each % 10 for each in kept), star=False)


def line_kills(lives: int) -> Die[int]:
    """How many of the two hit: of the ranks only whether they hit is looked at, so the dice are made small first."""
    misses = icepool.z(10).map(lambda face: rank(face) > FIRE)
    return 2 - misses.lowest(lives, 2)


def hits_on_target(hits: int) -> Die[Target]:
    """The target after its hits."""
    d10, start = icepool.d(10), (STANDS, "good order")
    steps: dict[Target, Die[Target]] = {}

    def step(target: Target) -> Die[Target]:
        if target not in steps:
            steps[target] = d10.map(lambda die: after_hit(target, die))
        return steps[target]

    return icepool.map(step, start, repeat=hits, star=False)


def keep_half(dice: int) -> Die[int]:
    """The sum of the better half."""
    return icepool.d(6).highest(dice, (dice + 1) // 2)


def count_eights(dice: int) -> Die[int]:
    """How many of the dice show 8 or more."""
    return (icepool.d(10) >= 8).pool(dice).sum()


def fight(steps: int) -> Die[Steps]:
    """Who is left with how many steps; rounds in which both miss are rolled again, so that there is an end."""
    blows = icepool.tupleize(icepool.d(6) >= 5, icepool.d(6) >= 5).reroll([(False, False)], depth="inf")

    def fought(state: Steps, hits: tuple[bool, bool]) -> Steps:
        return state if 0 in state else (state[0] - hits[1], state[1] - hits[0])

    return icepool.map(fought, (steps, steps), blows, repeat=2 * steps - 1, star=False)


def long_fight(steps: int) -> Die[Steps]:
    """The same where steps come back, without end."""
    d6 = icepool.d(6)

    def fought(state: Steps, a_die: int, b_die: int) -> Steps:
        return state if 0 in state else after_long_round(state, a_die, b_die, steps)

    return icepool.map(fought, (steps, steps), d6, d6, repeat="inf", star=False)


def melee(commanders: int) -> Die[str]:
    """Who wins; while the scores are even both roll again, and what a 6 did to a commander stays."""
    d6, sides = icepool.d(6), melee_sides(commanders)
    if not commanders:
        return (points(*sides) - points(*sides[::-1]) + d6 - d6).reroll([0], depth="inf").map(winner)
    return thrown(*sides, d6, icepool.coin(1, 2)).marginals[0]


def thrown(attacker: Side, defender: Side, d6: Die[int], coin: Die[bool]) -> Die[Any]:
    """Who wins from here; what leaves both as they are is rolled again. Outcomes are winner and commanders left."""
    lead = points(attacker, defender) - points(defender, attacker)

    def came(attack: int, defence: int) -> Any:
        if ahead := lead + attack - defence:
            return winner(ahead), False, False
        a = coin if attacker.commander and defence == 6 else attacker.commander
        d = coin if defender.commander and attack == 6 else defender.commander
        return icepool.tupleize("", a, d)

    def went_on(result: Any) -> Any:
        won, a, d = result
        if won:
            return result
        return thrown(
            attacker if a else without_commander(attacker), defender if d else without_commander(defender), d6, coin
        )

    once = icepool.map(came, d6, d6).reroll([("", attacker.commander, defender.commander)], depth="inf")
    return once.map(went_on, star=False)


def winner(ahead: int) -> str:
    """Who wins, by how much the attacker is ahead."""
    return "attacker wins" if ahead > 0 else "defender wins"


def weights(answer: Die[Any]) -> Iterator[tuple[Any, int]]:
    """The outcomes with their weights."""
    yield from answer.items()
