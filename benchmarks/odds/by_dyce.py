"""Each question by dyce, in the quickest idiomatic form that was found; every histogram is made afresh."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from dyce import H, P
from dyce.h import aggregate_weighted

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
    check_modifier,
    equal_stack,
    fate,
    melee_sides,
    points,
    rank,
    stack,
    without_commander,
)


def stack_fates(count: int) -> H[Any]:
    """Joint fate of the units of a stack."""
    units, two_dice = stack(count), 2 @ H(6)
    return aggregate_weighted(
        (sum_of(unit_fates(unit, row, two_dice) for unit in units), weight)
        for row, weight in two_dice.apply(FIRE_TABLE.__getitem__).items()
    )


def sum_of(parts: Iterator[H[Any]]) -> H[Any]:
    """The histogram of tuples put together, part by part."""
    return reduce(H.__add__, parts)


def unit_fates(unit: Unit, row: Row, two_dice: H[int]) -> H[Any]:
    """A unit's own fates after a fire roll in some row, each a tuple of one."""
    modifier = check_modifier(unit, row)
    if modifier is None:
        return H({("stands",): 1})
    return two_dice.apply(lambda morale: (fate(unit, morale + modifier),))


def stack_failures(count: int) -> H[int]:
    """How many of equal units fail."""
    unit, two_dice = equal_stack(1)[0], 2 @ H(6)

    def failures(row: Row) -> H[int]:
        modifier = check_modifier(unit, row)
        return H({0: 1}) if modifier is None else count @ (two_dice + modifier).gt(unit.morale)

    return aggregate_weighted((failures(row), weight) for row, weight in two_dice.apply(FIRE_TABLE.__getitem__).items())


def stack_fallen(count: int) -> H[int]:
    """The same question; only our rules can put it in another way."""
    return stack_failures(count)


def line_kept(lives: int) -> H[Any]:
    """The two dice that count."""
    pool = lives @ P(10)
    return H.from_counts((tuple(each % 10 for each in kept), count) for kept, count in pool.rolls_with_counts(slice(2)))


def line_kills(lives: int) -> H[int]:
    """How many of the two hit: of the ranks only whether they hit is looked at, so the dice are made small first."""
    misses = H(range(10)).apply(lambda face: int(rank(face) > FIRE))
    return 2 - (lives @ P(misses)).at(slice(2))


def hits_on_target(hits: int) -> H[Target]:
    """The target after its hits."""
    d10, now = H(10), H({(STANDS, "good order"): 1})
    steps: dict[Target, H[Target]] = {}

    def step(target: Target) -> H[Target]:
        if target not in steps:
            steps[target] = d10.apply(lambda die: after_hit(target, die))
        return steps[target]

    for _ in range(hits):
        now = aggregate_weighted((step(target), count) for target, count in now.items())
    return now


def keep_half(dice: int) -> H[int]:
    """The sum of the better half."""
    return (dice @ P(6)).at(slice(dice // 2, None))


def count_eights(dice: int) -> H[int]:
    """How many of the dice show 8 or more."""
    return dice @ H(10).ge(8)


def fight(steps: int) -> H[Steps]:
    """Who is left with how many steps; rounds in which both miss are left out, so that there is an end."""
    blows = H(6).ge(5).apply(lambda a, b: (a, b), H(6).ge(5))
    blows = H({hits: count for hits, count in blows.items() if any(hits)})
    now: H[Steps] = H({(steps, steps): 1})

    def fought(state: Steps, hits: tuple[bool, bool]) -> Steps:
        return state if 0 in state else (state[0] - hits[1], state[1] - hits[0])

    for _ in range(2 * steps - 1):
        now = now.apply(fought, blows)
    return now


def melee(commanders: int) -> H[str]:
    """Who wins; while the scores are even both roll again, and what a 6 did to a commander stays."""
    sides, d6 = melee_sides(commanders), H(6)
    if not commanders:
        ahead = points(*sides) - points(*sides[::-1]) + d6 - d6
        return H({lead: count for lead, count in ahead.items() if lead}).apply(winner)
    return thrown(*sides, d6.apply(lambda attack, defence: (attack, defence), d6), H({True: 1, False: 1}))


def thrown(attacker: Side, defender: Side, dice: H[Any], coin: H[bool]) -> H[Any]:
    """Who wins from here; what leaves both as they are is left out, which is to roll again."""
    lead = points(attacker, defender) - points(defender, attacker)
    kept = H({True: 1})

    def came(attack: int, defence: int) -> Any:
        if ahead := lead + attack - defence:
            return winner(ahead)
        lives = coin if attacker.commander and defence == 6 else kept
        return lives.apply(lambda a, d: (a, d), coin if defender.commander and attack == 6 else kept)

    def went_on(result: Any) -> Any:
        if isinstance(result, str):
            return result
        if all(result):
            return H({})
        one = attacker if result[0] else without_commander(attacker)
        other = defender if result[1] else without_commander(defender)
        return thrown(one, other, dice, coin)

    once = aggregate_weighted((came(*faces), count) for faces, count in dice.items())
    return aggregate_weighted((went_on(result), count) for result, count in once.items())


def winner(ahead: int) -> str:
    """Who wins, by how much the attacker is ahead."""
    return "attacker wins" if ahead > 0 else "defender wins"


def weights(answer: H[Any]) -> Iterator[tuple[Any, int]]:
    """The outcomes with their weights."""
    yield from answer.items()
