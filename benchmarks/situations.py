"""The shots that every contender resolves: a dozen situations, three groups of units, all throws of 2d6."""

from dataclasses import dataclass, field

from benchmarks.hand_written import Dice, Situation, Unit

THROWS: list[Dice] = [(first, second) for first in range(1, 7) for second in range(1, 7)]


def dice_of(total: int) -> Dice:
    """Find two dice that show a total."""
    low = max(1, total - 6)
    return low, total - low


@dataclass(slots=True)
class Target:
    """What is fired at and how, without the dice."""

    fire_value: int
    situation: Situation = field(default_factory=Situation)


def make_targets() -> list[Target]:
    """Make the dozen situations, every object of them new."""
    return [
        Target(16, {"terrain": {"town"}, "ranges": [1]}),
        Target(7, {"terrain": {"woods"}, "ranges": [3], "night": True}),
        Target(45, {"terrain": {"clear"}, "ranges": [1, 1], "companies": 2}),
        Target(1, {"terrain": {"hill"}, "ranges": [2]}),
        Target(22, {"terrain": {"swamp"}, "ranges": [1, 2], "companies": 1}),
        Target(11, {"terrain": {"woods", "hill"}, "opportunity_fire": True, "target_is_company": True}),
        Target(30, {"terrain": {"clear"}, "ranges": [1], "flanking": True, "flanking_rule": True}),
        Target(4, {}),
        Target(60, {"terrain": {"town", "hill"}, "ranges": [3, 1], "night": True, "companies": 2}),
        Target(13, {"terrain": {"woods"}, "ranges": [1], "companies": 1}),
        Target(2, {"terrain": {"swamp"}, "ranges": [5], "flanking": True}),
        Target(37, {"terrain": {"town", "swamp"}, "ranges": [2], "opportunity_fire": True}),
    ]


def make_units() -> list[list[Unit]]:
    """Make groups of three units; none leaves the owner a choice, so that no answers are needed."""
    return [
        [Unit("gun", "artillery", 2, entrenched=True), Unit("cart", "wagon"), Unit("general", "leader")],
        [Unit("rifles", "infantry", 3, dug_in=True), Unit("cart", "wagon"), Unit("colonel", "leader")],
        [Unit("mg", "mg", 2, loaded_on="cart"), Unit("cart", "wagon"), Unit("mortars", "mortar", 2)],
    ]


def make_shots() -> list[tuple[Target, Dice]]:
    """Make every situation with every throw, in turn, so that neighbours differ."""
    return [(target, throw) for throw in THROWS for target in make_targets()]


def make_shots_at_units() -> list[tuple[Target, list[Unit], Dice]]:
    """Make every situation with every throw, at each group of units in turn."""
    return [
        (target, make_units()[number % 3], throw)
        for throw in THROWS
        for number, target in enumerate(make_targets(), start=throw[1])
    ]
