"""King of Tokyo, by counting: every die is thrown up to three times, and each throw of the dice that are left is listed."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Final

from tests.generality.counting import Chances

FACES: Final = ("one", "two", "three", "heart", "energy", "claw")


@cache
def finals(dice: int, throws: int, wanted: tuple[str, ...]) -> dict[tuple[str, ...], Fraction]:
    """The faces after *throws* throws of *dice* dice of which those *wanted* are kept, sorted, with their chances."""
    found: dict[tuple[str, ...], Fraction] = {}
    for thrown in product(FACES, repeat=dice):
        kept = tuple(face for face in thrown if face in wanted)
        rest = dice - len(kept)
        later = finals(rest, throws - 1, wanted) if throws > 1 and rest else {thrown[:0]: Fraction(1)}
        for more, chance in later.items():
            key = tuple(sorted(kept + more if throws > 1 else thrown))
            found[key] = found.get(key, Fraction(0)) + chance / 6**dice
    return found


def count_is(face: str, number: int, wanted: tuple[str, ...], dice: int = 3) -> Fraction:
    """The chance that *face* comes *number* times in the end."""
    return sum((c for faces, c in finals(dice, 3, wanted).items() if faces.count(face) == number), Fraction(0))


def fact(health: int, keep: list[Any], dice: int) -> dict[str, Any]:
    """The facts of a turn outside Tokyo, where one of the others is."""
    others = [{"name": "king", "owner": "blue", "in_tokyo": True, "health": health}, {"name": "meka", "owner": "green"}]
    return {
        "active": {"name": "gigazaur", "owner": "red"},
        "others": others,
        "dice_left": dice,
        "choices": {"face": [*keep, None], "yields": False},
    }


CHANCES: Final[Chances] = [
    ("turn", fact(3, ["claw"], 3), "health of king is 0", count_is("claw", 3, ("claw",))),
    ("turn", fact(5, ["claw"], 3), "health of king is 3", count_is("claw", 2, ("claw",))),
    ("turn", fact(9, ["three"], 3), "result is 3", count_is("three", 3, ("three",))),
    ("turn", fact(9, ["energy"], 2), "count of faces where each is energy is 2", count_is("energy", 2, ("energy",), 2)),
    ("turn", fact(9, ["claw", "heart"], 3), "health of king is 9", count_is("claw", 0, ("claw", "heart"))),
]
