"""What the peers must know of the rules: the same charts and numbers as in the ``.rules`` texts, as Python data."""

from dataclasses import dataclass, replace

# ---------------------------------------------------------------------------------------- stack_fire.rules

COLUMNS = (1, 4, 8, 12, 16)
_ROWS = {
    (2, 3): "- - M M M1",
    (4, 5): "- M M M1 M1",
    (6, 7, 8): "- - M M1 M2",
    (9, 10): "- M M1 M1 M2",
    (11, 12): "M M1 M1 M2 M2",
}
Row = tuple[str, ...]
FIRE_TABLE: dict[int, Row] = {total: tuple(codes.split()) for totals, codes in _ROWS.items() for total in totals}
FIRE_VALUE = 13


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in a stack."""

    cover: int
    morale: int


def stack(count: int) -> list[Unit]:
    """A stack of units that differ."""
    return [Unit(number % 3, 6 + number % 4) for number in range(count)]


def equal_stack(count: int) -> list[Unit]:
    """A stack of units that are equal."""
    return [Unit(1, 7)] * count


def check_modifier(unit: Unit, row: Row) -> int | None:
    """What is added to a unit's morale roll after a fire roll in some row; ``None`` where it is not hit."""
    column = sum(start <= FIRE_VALUE for start in COLUMNS) - 1 - unit.cover
    code = row[column] if column >= 0 else "-"
    return None if code == "-" else int(code[1:] or 0)


def fate(unit: Unit, modified: int) -> str:
    """What a morale roll, modified, comes to."""
    return "routs" if modified > unit.morale + 3 else "falls_back" if modified > unit.morale else "stands"


# ----------------------------------------------------------------------------------------- line_fire.rules

FIRE = 4


def rank(face: int) -> int:
    """Which die is kept first: a natural 0 is the worst."""
    return 10 if face == 0 else face


# --------------------------------------------------------------------------------------- morale_hits.rules

STANDS = 12
RATING = 7
Target = tuple[int, str]
"""Stands left, and in which order."""


def after_hit(target: Target, die: int) -> Target:
    """What a target is after one more hit and its morale roll."""
    stands, order = target
    if stands == 0 or order == "routed":
        return target
    score = die + RATING - 6 - 2 * (order == "disorganised") - (stands <= 3)
    if score <= 1:
        return stands, "routed"
    if score <= 3:
        return stands - 1, "disorganised"
    if score <= 5:
        return stands - 1, order
    if score <= 7:
        return stands, "disorganised"
    return target


# -------------------------------------------------------------------------------------------- franco_prussian


@dataclass(frozen=True, slots=True)
class Side:
    """A side of foot in a melee, in good order."""

    stands: int
    mr: int
    commander: bool
    supported: bool = False


def melee_sides(commanders: int) -> tuple[Side, Side]:
    """Two sides, of which so many have a commander."""
    return Side(4, 7, commanders >= 1), Side(5, 6, commanders >= 2)


def points(side: Side, enemy: Side) -> int:
    """What is added to a side's die."""
    return side.stands + side.commander + side.supported + (side.mr > enemy.mr)


def without_commander(side: Side) -> Side:
    """The side after its commander was killed."""
    return replace(side, commander=False)


# ------------------------------------------------------------------------------------------------- duel.rules

Steps = tuple[int, int]


def after_round(steps: Steps, a_die: int, b_die: int) -> Steps:
    """The steps of both sides after a round of ``fight``."""
    a, b = steps
    return a - (b_die >= 5), b - (a_die >= 5)


def after_long_round(steps: Steps, a_die: int, b_die: int, full: int) -> Steps:
    """The steps of both sides after a round of ``long_fight``."""
    a, b = after_round(steps, a_die, b_die)
    return a + (a_die == 1 and steps[0] < full), b + (b_die == 1 and steps[1] < full)
