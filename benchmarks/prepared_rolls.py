"""How long one roll of a prepared situation takes, beside the hand-written function and beside `resolve`.

All of them fire the same dozen shots. The hand-written function and `resolve` play each shot; a prepared roll draws from
its odds, which were worked out before the clock starts. Run it from the repository with
``python -m benchmarks.prepared_rolls``.
"""

import argparse
import importlib
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.direct_fire import enfilade_facts, hand_facts
from benchmarks.hand_written import direct_fire
from benchmarks.situations import THROWS, Target, make_targets
from benchmarks.timing import Case, Ratio, measure, render, to_data

HAND = "hand-written, fresh roll"
RESOLVED = "resolve, fresh roll"
PREPARED = "prepare().roll"
SEVERAL = "prepare_many().roll, each row"
PREPARING = "prepare, a new situation"
ARRAY = "prepare().rolls, each roll"
FIELDS = "the same, two questions"
ROWS = "prepare_many().rolls, each roll"

RATIOS = (
    Ratio(PREPARED, HAND, at_most=0.3),
    Ratio(SEVERAL, HAND),
    Ratio(RESOLVED, HAND),
    Ratio(PREPARING, HAND),
)

ROLLS = 1_000_000
MOST_SECONDS = 20e-9
"""The aim for one roll of an array."""


def check_agreement(shots: list[tuple[Target, Any]]) -> None:
    """Hold the weights to the hand-written function over all throws.

    Raises:
        AssertionError: A weight differs.
    """
    for target, shot in shots:
        by_hand = Counter(direct_fire(**hand_facts(target), dice=throw).result for throw in THROWS)
        if by_hand != {outcome: chance * len(THROWS) for outcome, chance in shot.distribution.items()}:
            raise AssertionError(f"by hand {by_hand}, prepared {shot.distribution}, for {target}")


def repeated(name: str, calls: int, batch: Callable[[], object]) -> Case:
    """Make a case whose arguments can be used again."""
    return Case(name, calls, lambda: batch)


def cases(arrays: bool) -> list[Case]:
    """List everything that can be measured here.

    Args:
        arrays: Whether NumPy is installed.
    """
    rules = importlib.import_module("enfilade").load("infantry_attacks")
    targets, rng = make_targets(), random.Random(1)
    options = [enfilade_facts(target) for target in targets]
    shots = [rules.prepare("direct_fire", **facts) for facts in options]
    check_agreement(list(zip(targets, shots, strict=True)))
    columns: dict[str, list[Any]] = {"fire_value": [7, 11, 16, 22] * 250, "night": [False, True] * 500}
    rows = rules.prepare_many("direct_fire", columns)

    def play(call: Callable[..., Any], all_facts: list[dict[str, Any]], **how: Any) -> Callable[[], None]:
        return lambda: [call(**facts, **how) for facts in all_facts * 100] and None

    def rolled() -> None:
        for shot in shots * 100:
            shot.roll(rng)

    number = iter(range(100, 10**9))
    found = [
        repeated(HAND, len(targets) * 100, play(direct_fire, [hand_facts(target) for target in targets], rng=rng)),
        repeated(RESOLVED, len(targets) * 100, play(lambda **facts: rules.resolve("direct_fire", **facts), options)),
        repeated(PREPARED, len(targets) * 100, rolled),
        repeated(SEVERAL, len(rows), lambda: rows.roll(rng)),
        repeated(PREPARING, 1, lambda: rules.prepare("direct_fire", fire_value=next(number))),
    ]
    return found + (array_cases(rules, rows) if arrays else [])


def array_cases(rules: Any, rows: Any) -> list[Case]:
    """List the cases that need NumPy; tables are made before the clock starts."""
    generator = importlib.import_module("numpy").random.default_rng(1)
    one = rules.prepare("direct_fire", fire_value=16)
    two = rules.prepare("direct_fire", of=["result", "roll"], fire_value=16)
    size = ROLLS // len(rows)
    return [
        repeated(ARRAY, ROLLS, lambda: one.rolls(ROLLS, generator)),
        repeated(FIELDS, ROLLS, lambda: two.rolls(ROLLS, generator)),
        repeated(ROWS, ROLLS, lambda: rows.rolls(size, generator)),
    ]


def has_numpy() -> bool:
    """Whether NumPy is installed."""
    try:
        importlib.import_module("numpy")
    except ImportError:
        return False
    return True


def main() -> None:
    """Check, measure and print."""
    parser = argparse.ArgumentParser(description="Time rolls of prepared situations beside a hand-written function.")
    parser.add_argument("--rounds", type=int, default=31, help="how often each is timed (the median counts)")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args()
    arrays = has_numpy()
    notices = [] if arrays else ["arrays are left out: NumPy is not installed (pip install numpy)"]
    medians = measure(cases(arrays), arguments.rounds)
    if arguments.json:
        print(json.dumps(to_data(medians, RATIOS, notices), indent=2))
        return
    print(*(f"NOTICE: {notice}" for notice in notices), render(medians, RATIOS), sep="\n")
    if arrays:
        verdict = "kept" if medians[ARRAY] <= MOST_SECONDS else "MISSED"
        print(f"{ARRAY}: {medians[ARRAY] * 1e9:.1f} ns (at most {MOST_SECONDS * 1e9:g} ns: {verdict})")
        print(f"{FIELDS}: {medians[FIELDS] * 1e9:.1f} ns; {ROWS}: {medians[ROWS] * 1e9:.1f} ns")


if __name__ == "__main__":
    main()
