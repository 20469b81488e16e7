"""What the references have in common: plain counting, without Enfilade."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any, Final, TypeAlias

Chances: TypeAlias = list[tuple[str, dict[str, Any], str, Fraction]]
"""A procedure, its facts, a question, and the chance that it is true."""
D6: Final = range(1, 7)
TWO_DICE: Final = tuple(product(D6, repeat=2))


def share(events: Iterable[object]) -> Fraction:
    """How many of some equally likely events are true."""
    found = [bool(event) for event in events]
    return Fraction(sum(found), len(found))
