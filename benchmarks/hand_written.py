"""Direct fire of Infantry Attacks as a Python programmer would write it by hand.

This is the yardstick: readable, idiomatic, not tuned. It trusts its caller (no input is checked) and can't
explain itself. It must not import Enfilade.
"""

import random
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

THRESHOLDS = (1, 2, 4, 7, 11, 16, 22, 30, 45)
COLUMNS = ("1", "2", "4", "7", "11", "16", "22", "30", "45+")
TABLE = {
    2: ("M", "M1", "M1", "X", "X", "2X", "2X", "3X", "3X"),
    3: ("M", "M", "M", "M2", "M2", "X", "X", "2X", "3X"),
    4: ("-", "M", "M", "M1", "M1", "M2", "X", "X", "2X"),
    5: ("-", "-", "-", "M", "M", "M1", "M2", "M2", "X"),
    6: ("-", "-", "-", "-", "-", "M", "M1", "M1", "M2"),
    7: ("-", "-", "-", "-", "-", "-", "M", "M", "M1"),
    8: ("-", "-", "-", "-", "-", "M", "M", "M1", "M2"),
    9: ("-", "-", "-", "-", "M", "M", "M1", "M2", "M2"),
    10: ("-", "-", "M", "M", "M1", "M1", "M2", "X", "X"),
    11: ("M", "M", "M1", "M1", "M2", "M2", "X", "2X", "2X"),
    12: ("M", "M1", "M2", "M2", "X", "X", "2X", "2X", "3X"),
}
STEP_LOSSES = {"X": 1, "2X": 2, "3X": 3}
MORALE_MODIFIER = {"M": 0, "M1": 1, "M2": 2, "X": 2, "2X": 2, "3X": 2}
UNIT_KIND_SHIFT = {"mortar": 1, "mounted_cavalry": 1, "artillery": 2}
CLEAR = frozenset({"clear"})

Dice = tuple[int, int]


class Situation(TypedDict, total=False):
    """Everything that the hex's column depends on, beside the fire value."""

    ranges: Sequence[int]
    terrain: Collection[str]
    night: bool
    opportunity_fire: bool
    target_is_company: bool
    companies: int
    flanking: bool
    flanking_rule: bool


@dataclass(slots=True)
class Shot:
    """What one shot at a hex came to."""

    column: str
    shift: int
    modifiers: list[str]
    roll: int
    result: str


@dataclass(slots=True)
class Unit:
    """A unit or leader in the target hex."""

    name: str
    kind: str
    steps: int = 1
    entrenched: bool = False
    dug_in: bool = False
    loaded_on: str | None = None


@dataclass(slots=True)
class Reading:
    """What one unit reads off the shot's roll."""

    column: str
    shift: int
    result: str


@dataclass(slots=True)
class Effects:
    """What a shot does to the units in the hex."""

    shot: Shot
    readings: dict[str, Reading]
    steps_left: dict[str, int]
    step_losses: list[str] = field(default_factory=list)
    morale_checks: dict[str, int] = field(default_factory=dict)
    leader_casualty_checks: list[str] = field(default_factory=list)


Choose = Callable[[list[Unit]], Unit]


def roll_2d6(rng: random.Random) -> Dice:
    """Roll two dice."""
    return rng.randint(1, 6), rng.randint(1, 6)


def column_of(fire_value: int, shift: int) -> int:
    """Find the column, from 0; a shift off either end stays on the last column."""
    column = bisect_right(THRESHOLDS, fire_value) - 1 + shift
    return max(0, min(column, len(COLUMNS) - 1))


def direct_fire(
    fire_value: int,
    *,
    ranges: Sequence[int] = (2,),
    terrain: Collection[str] = CLEAR,
    night: bool = False,
    opportunity_fire: bool = False,
    target_is_company: bool = False,
    companies: int = 0,
    flanking: bool = False,
    flanking_rule: bool = False,
    dice: Dice | None = None,
    rng: random.Random | None = None,
) -> Shot:
    """Resolve one shot for the hex, with *dice* or with dice rolled by *rng*."""
    modifiers = {}
    if "town" in terrain or "woods" in terrain:
        modifiers["town_or_woods"] = -2
    if "hill" in terrain:
        modifiers["hill"] = -1
    if "swamp" in terrain:
        modifiers["swamp"] = 1
    if any(distance >= 3 for distance in ranges):
        modifiers["range_3_plus"] = -1
    if all(distance == 1 for distance in ranges):
        modifiers["adjacent_to_all"] = 2
    if night:
        modifiers["night"] = -1
    if opportunity_fire:
        modifiers["opportunity_fire"] = 1
        if target_is_company:
            modifiers["one_company"] = 1
    elif companies == 1:
        modifiers["one_company"] = 1
    elif companies == 2:
        modifiers["two_companies"] = 2
    if flanking and flanking_rule:
        modifiers["flanking_fire"] = 2

    shift = sum(modifiers.values())
    column = column_of(fire_value, shift)
    first, second = dice or roll_2d6(rng or random.Random())
    roll = first + second
    return Shot(COLUMNS[column], shift, list(modifiers), roll, TABLE[roll][column])


def direct_fire_at_units(
    units: Sequence[Unit],
    fire_value: int,
    *,
    choose: Choose,
    dice: Dice | None = None,
    rng: random.Random | None = None,
    **situation: Unpack[Situation],
) -> Effects:
    """Resolve one shot for every unit in the hex; *choose* is the owner, who picks who loses each step."""
    shot = direct_fire(fire_value, dice=dice, rng=rng, **situation)
    in_cover = "town_or_woods" in shot.modifiers
    readings = {unit.name: read_for_unit(unit, fire_value, shot, in_cover) for unit in units}
    effects = Effects(shot, readings, {unit.name: unit.steps for unit in units})
    lose_steps(units, effects, choose)
    check_survivors(units, effects)
    return effects


def read_for_unit(unit: Unit, fire_value: int, shot: Shot, in_cover: bool) -> Reading:
    """Read the table for one unit, in its own column, off the shot's roll."""
    shift = shot.shift + UNIT_KIND_SHIFT.get(unit.kind, 0)
    if unit.entrenched:
        shift -= 1 if in_cover else 2
    if unit.dug_in:
        shift -= 1
    column = column_of(fire_value, shift)
    return Reading(COLUMNS[column], shift, TABLE[shot.roll][column])


def lose_steps(units: Sequence[Unit], effects: Effects, choose: Choose) -> None:
    """Let the owner place the step losses: combat units first, then wagons.

    The third loss may only fall on a unit that itself read at least 3X, and so on. No loss is dodged: a unit takes one
    only if as many of the others can then be taken as after any other unit. What nobody can take is lost.
    """
    combat = [unit for unit in units if unit.kind not in ("wagon", "leader") and unit.loaded_on is None]
    wagons = [unit for unit in units if unit.kind == "wagon"]
    left = effects.steps_left
    for category in (combat, wagons):
        losses = {unit.name: STEP_LOSSES.get(effects.readings[unit.name].result, 0) for unit in category}
        last = max(losses.values(), default=0)
        for number in range(1, last + 1):
            eligible = [unit for unit in category if losses[unit.name] >= number and left[unit.name] > 0]
            if not eligible:
                continue
            if len(eligible) > 1 and number < last:
                steps = {
                    unit.name: left[unit.name] if category is combat else min(left[unit.name], 1) for unit in category
                }
                taken = [
                    most_taken(losses, {**steps, unit.name: steps[unit.name] - 1}, number + 1) for unit in eligible
                ]
                eligible = [unit for unit, count in zip(eligible, taken, strict=True) if count == max(taken)]
            victim = eligible[0] if len(eligible) == 1 else choose(eligible)
            effects.step_losses.append(victim.name)
            if victim.kind == "wagon":
                left[victim.name] = 0
                left.update((unit.name, 0) for unit in units if unit.loaded_on == victim.name)
            else:
                left[victim.name] -= 1


def most_taken(losses: Mapping[str, int], left: Mapping[str, int], number: int) -> int:
    """The most losses from *number* on that units with some steps left can take."""
    if number > max(losses.values()):
        return 0
    eligible = [name for name, most in losses.items() if most >= number and left[name] > 0]
    rest = [most_taken(losses, {**left, name: left[name] - 1}, number + 1) for name in eligible]
    return 1 + max(rest) if rest else most_taken(losses, left, number + 1)


def check_survivors(units: Sequence[Unit], effects: Effects) -> None:
    """List the morale checks, and the leaders who may have been hit."""
    for unit in units:
        if effects.steps_left[unit.name] == 0:
            continue
        result = effects.readings[unit.name].result
        if result in MORALE_MODIFIER:
            effects.morale_checks[unit.name] = MORALE_MODIFIER[result]
        if unit.kind == "leader" and result in STEP_LOSSES:
            effects.leader_casualty_checks.append(unit.name)
