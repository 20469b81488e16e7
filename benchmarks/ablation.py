"""What each strategy of the odds engine is worth: the time of a question without it, as a multiple of the time with it.

Run it from the top of the repository: ``python -m benchmarks.ablation``. ``--json`` prints data.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.odds import by_enfilade
from benchmarks.odds.strategies import STRATEGIES, switched_off
from benchmarks.timing import render_seconds

QUESTIONS: tuple[tuple[str, int], ...] = (
    ("stack_fates", 4),
    ("stack_failures", 8),
    ("stack_fallen", 8),
    ("line_kept", 10),
    ("line_kills", 10),
    ("direct_fires", 10),
    ("hits_on_target", 40),
    ("sunk", 6),
    ("keep_half", 10),
    ("fight", 6),
    ("long_fight", 3),
    ("melee", 1),
)
"""Questions of ``benchmarks.odds``, each of one size."""
MOST_SECONDS = 20.0
"""A question that takes longer without a strategy is not repeated."""


def forget_plans() -> None:
    """Forget every plan, so that the next question makes new ones."""
    for path in by_enfilade.PATHS:
        by_enfilade.program(path).analyses.clear()


def seconds_of(ask: Callable[[], Any], rounds: int) -> float:
    """The median time of a question whose shape was met, with nothing memoised."""
    begin = time.perf_counter()
    ask()
    if time.perf_counter() - begin > MOST_SECONDS:
        return time.perf_counter() - begin
    taken = []
    for _ in range(rounds):
        by_enfilade.clear()
        begin = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def measured(name: str, size: int, rounds: int) -> dict[str, tuple[float, float]]:
    """For each strategy the time of a question with it and without it, taken one after the other."""

    def ask() -> Any:
        return getattr(by_enfilade, name)(size)

    found = {}
    ask()
    for strategy in STRATEGIES:
        forget_plans()
        present = seconds_of(ask, rounds)
        with switched_off(strategy):
            forget_plans()
            found[strategy] = present, seconds_of(ask, rounds)
    forget_plans()
    return found


def main() -> None:
    """Print a table for each question: a row for each strategy."""
    parser = argparse.ArgumentParser(description="Time questions of odds without each strategy of the engine.")
    parser.add_argument("--rounds", type=int, default=9, help="how often each question is asked")
    parser.add_argument("--json", action="store_true", help="print data instead of a table")
    arguments = parser.parse_args()
    found = {f"{name} {size}": measured(name, size, arguments.rounds) for name, size in QUESTIONS}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for title, times in found.items():
        present = statistics.median(present for present, _ in times.values())
        print(f"\n{title}: {render_seconds(present)} with every strategy")
        for strategy, (present, absent) in times.items():
            print(f"  without {strategy:32}{absent / present:10.2f} x")


if __name__ == "__main__":
    main()
