"""Deadly Demise: every chain of explosions along a column."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from tests.generality.counting import Chances

HARM: Final = {"1": [1], "D3": [1, 2, 3], "D6": [1, 2, 3, 4, 5, 6]}
Test = Callable[[int, int, int], bool]


def chance(
    of: str, behind: list[tuple[int, str]], test: Test, lost: int = 1, wounds: int = 0, links: int = 0
) -> Fraction:
    """The chance that a test of the vehicles lost, the wounds and the explosions is true in the end."""
    if not behind:
        return Fraction(test(lost, wounds, links))
    (health, then), *rest = behind
    found = Fraction(5, 6) * test(lost, wounds, links)
    for harm in HARM[of]:
        share = Fraction(1, 6 * len(HARM[of]))
        if harm < health:
            found += share * test(lost, wounds + harm, links + 1)
        else:
            found += share * chance(then, rest, test, lost + 1, wounds + harm, links + 1)
    return found


def situation(of: str, behind: list[tuple[int, str]]) -> dict[str, Any]:
    """The facts of a column."""
    rest = [{"wounds": health, "demise": then} for health, then in behind]
    return {"first": {"demise": of}, "rest": rest}


SHORT: Final = [(2, "D3"), (3, "D6")]
LONG: Final = [(1, "D6"), (4, "D3"), (2, "1"), (1, "1"), (9, "D3")]
CHANCES: Final[Chances] = [
    ("column", situation("D3", SHORT), "result is 2", chance("D3", SHORT, lambda lost, wounds, links: lost == 2)),
    ("column", situation("D3", SHORT), "wounds >= 4", chance("D3", SHORT, lambda lost, wounds, links: wounds >= 4)),
    ("column", situation("D6", LONG), "links >= 3", chance("D6", LONG, lambda lost, wounds, links: links >= 3)),
    ("column", situation("D6", LONG), "shock is 1", chance("D6", LONG, lambda lost, wounds, links: 0 < links < 3)),
]
