"""The strategies of the odds engine, each with a switch: the same answer without it, more slowly.

``switched_off("compiled steps")`` replaces one function of the engine by a plain one for a while. The benchmark
``benchmarks.ablation`` says what each strategy is worth; ``tests/odds/test_strategies.py`` holds the answers to be the same.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from enfilade.engines.odds import forward
from enfilade.engines.odds.analysis import liveness, planner
from enfilade.engines.odds.dice.multisets import multisets
from enfilade.engines.odds.rolls import roll
from enfilade.engines.odds.shapes import Shapes
from enfilade.engines.odds.states import context, distribution
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.rows import RowRun
from enfilade.engines.odds.states.symmetry import Alike, RecordKernel
from enfilade.engines.odds.states.transitions import apply
from enfilade.engines.odds.steps import composite, independent_rounds


def _unfused(self: Any, steps: list[Any]) -> tuple[Any, ...]:
    for step in steps:
        if step.plain:
            step.body = (step.statement,)
    return tuple(steps)


def _one_reading(value: Any, parts: frozenset[str]) -> Any:
    distribution._READINGS.clear()
    return _READING(value, parts)


_READING = distribution._reading

STRATEGIES: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "memoised steps": (Kernel, "_remember", lambda self, reads, found: None),
    "memoised rounds": (forward, "run_round", apply),
    "questions of one shape": (Shapes, "taken", lambda self, *given: None),
    "steps shared by situations": (context, "_values", lambda facts, frame: (object(),)),
    "answers of situations met": (Shapes, "known_answer", lambda self, *given: None),
    "compiled steps": (planner.Planner, "code", lambda self, step: False),
    "compiled expressions": (planner.Planner, "expression", lambda self, e, kinds: False),
    "many states at hand": (RowRun, "pays", lambda self, states: False),
    "fused steps": (planner.Planner, "_fused", _unfused),
    "columns copied at once": (forward, "copy_column", lambda *given: None),
    "records that are alike": (Alike, "kernel", lambda self, run, bindings, ref: RecordKernel(run, bindings, [])),
    "numbers that are only compared": (planner, "capped", lambda value, caps: value),
    "running totals": (composite, "fold", lambda ctx, states, *given: states),
    "independent rounds as dice": (forward, "all_at_once", lambda *given: None),
    "independent rounds that are alike": (independent_rounds._Pool, "_alike", lambda self, ref, round_: None),
    "sums by convolution": (roll, "added_up", lambda *given: None),
    "order statistics": (roll, "kept_faces", lambda groups, ranks, kept, budget: multisets(groups, budget)),
    "loops whose rounds commute": (liveness, "read_of_list", lambda *given: None),
    "equal readings as one object": (distribution, "_reading", _one_reading),
}
"""For each strategy the owner of a function, its name, and what stands in for it."""


@contextmanager
def switched_off(strategy: str) -> Iterator[None]:
    """Run without a strategy. What was planned before must be forgotten: ``program.analyses.clear()``."""
    owner, name, instead = STRATEGIES[strategy]
    kept = getattr(owner, name)
    setattr(owner, name, instead)
    try:
        yield
    finally:
        setattr(owner, name, kept)
