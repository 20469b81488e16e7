"""How long exact odds take, as the size of a question grows: by hand, by icepool, by dyce, by Enfilade.

Everybody is held to the same fractions before any clock starts. Run it from the top of the repository with
``python -m benchmarks.odds``; ``--only hits_on_target --sizes 40,200`` asks less.
"""

import argparse
import importlib
import json
import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any

from benchmarks.timing import Case, measure, render_seconds
from enfilade.errors import EnfiladeError

HAND, ICEPOOL, DYCE, ENFILADE = "hand-written", "icepool", "dyce", "Enfilade"
MODULES = {HAND: "by_hand", ICEPOOL: "by_icepool", DYCE: "by_dyce", ENFILADE: "by_enfilade"}
BATCH_SECONDS = 0.004
CASE_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Question:
    """A question that grows.

    Attributes:
        name: The function in each contender's file.
        title: What is asked.
        sizes: How large it is asked.
    """

    name: str
    title: str
    sizes: tuple[int, ...]


QUESTIONS = (
    Question(
        "stack_fates", "joint fate of so many units under 2d6 fire, each that is hit checking morale", (1, 2, 4, 6, 8)
    ),
    Question("stack_failures", "how many of so many equal units fail", (1, 8, 40)),
    Question(
        "line_kills", "kills of a line of so many d10, the best 2 counting, the natural 0 last", (2, 5, 10, 20, 40)
    ),
    Question("line_kept", "the two dice that count, together", (2, 5, 10, 20, 40)),
    Question("hits_on_target", "so many hits on one target, a morale roll for each", (1, 5, 40, 100, 200)),
    Question("keep_half", "so many d6, the better half added up", (4, 10, 20, 40)),
    Question("count_eights", "successes of so many d10", (10, 100, 400)),
    Question("fight", "a fight of so many steps a side, until one is destroyed", (1, 3, 6, 12)),
    Question("long_fight", "the same, where steps can come back", (1, 3, 6)),
    Question("melee", "who wins the melee with ties rolled again, so many commanders being at risk", (0, 1, 2)),
)


@dataclass
class Contenders:
    """Who takes part.

    Attributes:
        modules: Each with its functions.
        notices: Why somebody does not.
    """

    modules: dict[str, ModuleType] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    @classmethod
    def gather(cls) -> "Contenders":
        """All that can be imported."""
        found = cls()
        for name, module in MODULES.items():
            try:
                found.modules[name] = importlib.import_module(f"benchmarks.odds.{module}")
            except ImportError as error:
                found.notices.append(f"{name} is left out: {error}")
        return found

    def functions(self, question: Question) -> Iterator[tuple[str, Callable[[int], Any]]]:
        """Those who can answer a question."""
        for name, module in self.modules.items():
            function = getattr(module, question.name, None)
            if function is not None:
                yield name, function


# -------------------------------------------------------------------------------------------------- agreement


def chances(module: ModuleType, answer: Any) -> dict[Any, Fraction]:
    """An answer as fractions."""
    weights = dict(module.weights(answer)) if hasattr(module, "weights") else dict(answer)
    total = sum(weights.values())
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items() if weight}


def agreeing(contenders: Contenders, question: Question, size: int) -> list[str]:
    """Hold everybody to the hand-written answer, and list those who gave one.

    Raises:
        AssertionError: Somebody's differs.
    """
    wanted = chances(contenders.modules[HAND], getattr(contenders.modules[HAND], question.name)(size))
    able = []
    for name, function in contenders.functions(question):
        try:
            found = chances(contenders.modules[name], function(size))
        except EnfiladeError as error:
            contenders.notices.append(f"{name} has no answer to {question.name} of {size}: {error}")
            continue
        if found != wanted:
            raise AssertionError(f"{name} differs on {question.name} of {size}: {found}, not {wanted}")
        able.append(name)
    return able


# ------------------------------------------------------------------------------------------------------ clocks


def batch(function: Callable[[int], Any], size: int, calls: int, clear: Callable[[], None] | None) -> Case:
    """A batch of calls, each from nothing: whatever a library keeps is cleared before each."""

    def run() -> None:
        for _ in range(calls):
            if clear is not None:
                clear()
            function(size)

    return Case("", calls, lambda: run)


def timed(contenders: Contenders, question: Question, size: int) -> dict[str, float]:
    """The median time of each contender, in seconds."""
    cases, longest = [], 0.0
    able = agreeing(contenders, question, size)
    for name, function in contenders.functions(question):
        if name in able:
            clear = getattr(contenders.modules[name], "clear", None)
            once = one_call(function, size)
            calls = max(1, math.ceil(BATCH_SECONDS / once))
            longest = max(longest, once * calls)
            case = batch(function, size, calls, clear)
            cases.append(Case(name, case.calls, case.prepare))
    return measure(cases, max(3, min(25, math.ceil(CASE_SECONDS / longest))))


def one_call(function: Callable[[int], Any], size: int) -> float:
    """About how long a call takes."""
    begin = time.perf_counter()
    function(size)
    return time.perf_counter() - begin


# ------------------------------------------------------------------------------------------------------ tables


def table(question: Question, sizes: Sequence[int], medians: dict[int, dict[str, float]]) -> str:
    """The growth of one question: a row for each contender, a column for each size."""
    rows = [["", *map(str, sizes)]]
    for name in MODULES:
        if any(name in medians[size] for size in sizes):
            rows.append([name, *(render_seconds(t) if (t := medians[size].get(name)) else "-" for size in sizes)])
    for label, value in ratios(medians).items():
        rows.append([label, *(f"{value[size]:.2f}" if size in value else "-" for size in sizes)])
    width = max(len(row[0]) for row in rows)
    lines = [f"  {row[0]:{width}}" + "".join(f"{cell:>12}" for cell in row[1:]) for row in rows]
    return "\n".join([f"{question.name}: {question.title}", *lines, ""])


def ratios(medians: dict[int, dict[str, float]]) -> dict[str, dict[int, float]]:
    """Enfilade beside icepool, beside the faster of icepool and dyce, and beside the hand-written programme."""
    found: dict[str, dict[int, float]] = {}
    for size, times in medians.items():
        if ENFILADE not in times:
            continue
        peers = [times[name] for name in (ICEPOOL, DYCE) if name in times]
        against = {
            "x icepool": times.get(ICEPOOL),
            "x faster peer": min(peers, default=None),
            "x hand-written": times.get(HAND),
        }
        for label, other in against.items():
            if other is not None:
                found.setdefault(label, {})[size] = times[ENFILADE] / other
    return found


def main() -> None:
    """Check, measure and print."""
    parser = argparse.ArgumentParser(description="Time exact odds by hand, by icepool, by dyce and by Enfilade.")
    parser.add_argument(
        "--only", action="append", choices=[q.name for q in QUESTIONS], help="ask only this; may be repeated"
    )
    parser.add_argument("--sizes", help="ask only these sizes, as 1,40,200")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args()
    # dyce calls some of what it offers experimental, each time that it is used.
    warnings.simplefilter("ignore")
    contenders, data = Contenders.gather(), []
    for question in QUESTIONS:
        if arguments.only and question.name not in arguments.only:
            continue
        sizes = tuple(map(int, arguments.sizes.split(","))) if arguments.sizes else question.sizes
        medians = {size: timed(contenders, question, size) for size in sizes}
        data.append({"question": question.name, "median_seconds": medians, "ratios": ratios(medians)})
        if not arguments.json:
            print(table(question, sizes, medians), flush=True)
    notices = list(dict.fromkeys(contenders.notices))
    print(json.dumps({"questions": data, "notices": notices}, indent=2) if arguments.json else "\n".join(notices))


if __name__ == "__main__":
    main()
