"""Space Hulk: shot after shot down the corridor, and every fight of three claws against one blow."""

from fractions import Fraction
from itertools import product

RULESET = "space_hulk"
FACES = range(1, 7)


def approach(squares: int, jammed: bool, shots: int = 0) -> dict[tuple[bool, bool], Fraction]:
    """The chance of each pair: is it killed before it arrives, and is the gun jammed then?"""
    if squares == 0 or jammed:
        return {(False, jammed): Fraction(1)}
    found: dict[tuple[bool, bool], Fraction] = {}
    for one, other in product(FACES, repeat=2):
        killed = max(one, other) >= (5 if shots else 6)
        after = {(True, one == other): Fraction(1)} if killed else approach(squares - 1, one == other, shots + 1)
        for end, chance in after.items():
            found[end] = found.get(end, Fraction(0)) + chance / 36
    return found


def loses_a_fight() -> Fraction:
    """The highest of three claws beats the blow."""
    return Fraction(sum(max(claws) > blow for *claws, blow in product(FACES, repeat=4)), 6**4)


def chance_of_a_kill_at_range() -> Fraction:
    """One that must come three squares never arrives."""
    return sum((chance for (killed, _), chance in approach(3, jammed=False).items() if killed), Fraction(0))


def chance_of_being_overrun() -> Fraction:
    """Two come, three squares each, and one of them wins its fight."""
    total = Fraction(0)
    for (first, jam), chance in approach(3, jammed=False).items():
        lost = Fraction(0) if first else loses_a_fight()
        late = sum((share for (killed, _), share in approach(3, jam).items() if not killed), Fraction(0))
        total += chance * (lost + (1 - lost) * late * loses_a_fight())
    return total


def chance_of_losing_with_a_sword() -> Fraction:
    """The highest of three claws is rolled again, and the blow is still too low."""
    lost = sum(max(*sorted(claws)[:2], again) > blow for *claws, again, blow in product(FACES, repeat=5))
    return Fraction(lost, 6**5)


ONE = {"guard": {}, "swarm": [{"name": "a", "distance": 3}]}
TWO = {"guard": {}, "swarm": [{"name": "a", "distance": 3}, {"name": "b", "distance": 3}]}
SWORD = {"guard": {"arm": "power sword"}, "enemy": {}, "choices": {"parries": True}}

CHANCES = [
    ("advance", ONE, "fought is none", chance_of_a_kill_at_range()),
    ("advance", TWO, "result is overrun", chance_of_being_overrun()),
    ("close_combat", SWORD, "result is lost", chance_of_losing_with_a_sword()),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
