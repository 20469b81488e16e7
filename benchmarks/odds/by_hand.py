"""Each question as a dynamic programme in whole numbers, written for it alone: the limit of what can be hoped for.

Every function gives the weights of the outcomes over one total, which is the sum of the weights.
"""

from collections import Counter, defaultdict
from itertools import product
from math import comb, gcd, prod
from typing import Any

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
    stack,
    without_commander,
)

Weights = dict[Any, int]
TWO_DICE = [(total, 6 - abs(total - 7)) for total in range(2, 13)]


def fire_rows() -> Counter[Row]:
    """How often the fire roll finds each row."""
    rows = Counter[Row]()
    for total, weight in TWO_DICE:
        rows[FIRE_TABLE[total]] += weight
    return rows


def stack_fates(count: int) -> Weights:
    """Joint fate of the units of a stack."""
    units, found = stack(count), defaultdict[tuple[str, ...], int](int)
    for row, weight in fire_rows().items():
        joint: dict[tuple[str, ...], int] = {(): weight}
        for unit in units:
            own = unit_fates(unit, row)
            joint = {(*fates, one): ways * times for fates, ways in joint.items() for one, times in own.items()}
        for fates, ways in joint.items():
            found[fates] += ways
    return found


def unit_fates(unit: Unit, row: Row) -> dict[str, int]:
    """A unit's own fates after a fire roll in some row, in 36ths."""
    modifier = check_modifier(unit, row)
    if modifier is None:
        return {"stands": 36}
    fates = defaultdict[str, int](int)
    for morale, weight in TWO_DICE:
        fates[fate(unit, morale + modifier)] += weight
    return fates


def stack_failures(count: int) -> Weights:
    """How many of equal units fail."""
    unit, found = equal_stack(1)[0], defaultdict[int, int](int)
    for row, weight in fire_rows().items():
        holds = unit_fates(unit, row)["stands"]
        for failed in range(count + 1):
            ways = comb(count, failed) * holds ** (count - failed) * (36 - holds) ** failed
            if ways:
                found[failed] += weight * ways
    return found


def stack_fallen(count: int) -> Weights:
    """The same question; only our rules can put it in another way."""
    return stack_failures(count)


def line_kept(lives: int) -> Weights:
    """The two dice that count: the lowest rank and the next."""
    found = {}
    for best in range(1, 11):
        above = 10 - best
        if (ways := 11 - best) and lives >= 2:
            same = ways**lives - above**lives - lives * above ** (lives - 1)
            found[best, best] = same
        for second in range(best + 1, 11):
            higher = 10 - second
            ways = lives * ((higher + 1) ** (lives - 1) - higher ** (lives - 1))
            found[best, second] = ways
    return {(a % 10, b % 10): ways for (a, b), ways in found.items() if ways}


def line_kills(lives: int) -> Weights:
    """How many of the two hit."""
    none = (10 - FIRE) ** lives
    one = lives * FIRE * (10 - FIRE) ** (lives - 1)
    return {0: none, 1: one, 2: 10**lives - none - one}


def hits_on_target(hits: int) -> Weights:
    """The target after its hits, one morale roll for each."""
    now: dict[Target, int] = {(STANDS, "good order"): 1}
    steps: dict[Target, list[tuple[Target, int]]] = {}
    for _ in range(hits):
        following = defaultdict[Target, int](int)
        for target, ways in now.items():
            if target not in steps:
                steps[target] = counted(after_hit(target, die) for die in range(1, 11))
            for after, weight in steps[target]:
                following[after] += ways * weight
        now = following
    return now


def counted(outcomes: Any) -> list[tuple[Any, int]]:
    """How often each comes."""
    found = defaultdict[Any, int](int)
    for outcome in outcomes:
        found[outcome] += 1
    return list(found.items())


def keep_half(dice: int) -> Weights:
    """The sum of the better half, face by face from the best, until all that is kept has been seen."""
    kept, found = (dice + 1) // 2, defaultdict[int, int](int)
    now = {(0, 0): 1}
    for face in range(6, 0, -1):
        following = defaultdict[tuple[int, int], int](int)
        for (used, total), ways in now.items():
            left = dice - used
            for more in range(kept - used):
                following[used + more, total + more * face] += ways * comb(left, more)
            enough = sum(comb(left, more) * (face - 1) ** (left - more) for more in range(kept - used, left + 1))
            found[total + (kept - used) * face] += ways * enough
        now = following
    return found


def count_eights(dice: int) -> Weights:
    """How many of the dice show 8 or more."""
    return {n: comb(dice, n) * 3**n * 7 ** (dice - n) for n in range(dice + 1)}


def fight(steps: int) -> Weights:
    """Who is left with how many steps; a round in which both miss leaves all as it was, so it takes no part."""
    rounds = 2 * steps - 1
    now, found = {(steps, steps): 1}, defaultdict[Steps, int](int)
    for done in range(1, rounds + 1):
        following = defaultdict[Steps, int](int)
        for (a, b), ways in now.items():
            for lost, hit, weight in (1, 0, 2), (0, 1, 2), (1, 1, 1):
                after = (a - lost, b - hit)
                if 0 in after:
                    found[after] += ways * weight * 5 ** (rounds - done)
                else:
                    following[after] += ways * weight
        now = following
    return found


def long_fight(steps: int) -> Weights:
    """The same where steps come back: states are struck out one after the other, each passing on what comes to it."""
    rows = {(a, b): long_round((a, b), steps) for a in range(1, steps + 1) for b in range(1, steps + 1)}
    start = (steps, steps)
    for struck in [state for state in rows if state != start]:
        row = rows.pop(struck)
        leaves = sum(row.values()) - row.pop(struck, 0)
        for other in rows.values():
            if through := other.pop(struck, 0):
                for state in other:
                    other[state] *= leaves
                for state, weight in row.items():
                    other[state] = other.get(state, 0) + through * weight
                shrink(other)
    return {state: weight for state, weight in rows[start].items() if state != start}


def long_round(steps: Steps, full: int) -> dict[Steps, int]:
    """What comes of one round, in 36ths."""
    dice = product(range(1, 7), repeat=2)
    return dict(counted(after_long_round(steps, a_die, b_die, full) for a_die, b_die in dice))


def shrink(row: dict[Any, int]) -> None:
    """Take out what all weights have in common."""
    common = gcd(*row.values())
    for state in row:
        row[state] //= common


def melee(commanders: int) -> Weights:
    """Who wins; while the scores are even both roll again, and what a 6 did to a commander stays."""
    known: dict[tuple[Side, Side], Weights] = {}
    return won(*melee_sides(commanders), known)


def won(attacker: Side, defender: Side, known: dict[tuple[Side, Side], Weights]) -> Weights:
    """Who wins from here, over what is left when the throws that change nothing are taken out."""
    if (attacker, defender) in known:
        return known[attacker, defender]
    lead = points(attacker, defender) - points(defender, attacker)
    found, later = {"attacker wins": 0, "defender wins": 0}, []
    for attack, defence in product(range(1, 7), repeat=2):
        ahead = lead + attack - defence
        if ahead:
            found["attacker wins" if ahead > 0 else "defender wins"] += 4
            continue
        for attackers, defenders in product((True, False), repeat=2):
            one = without_commander(attacker) if attackers and defence == 6 else attacker
            other = without_commander(defender) if defenders and attack == 6 else defender
            if (one, other) != (attacker, defender):
                later.append(won(one, other, known))
    total = prod(sum(each.values()) for each in later)
    found = {winner: ways * total for winner, ways in found.items()}
    for each in later:
        for winner, ways in each.items():
            found[winner] += ways * (total // sum(each.values()))
    shrink(found)
    known[attacker, defender] = found
    return found
