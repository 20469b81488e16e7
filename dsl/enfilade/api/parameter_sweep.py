"""Parameter sweeps: odds of many situations with shared settings, optionally calculated in parallel."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, Final, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from enfilade.api.distribution import Distribution
from enfilade.api.outcome_values import facts_text
from enfilade.api.prepared import PreparedRules
from enfilade.api.shared_settings import Situations
from enfilade.api.variables import Variables, changed, variables_of
from enfilade.door import require_between
from enfilade.engines.odds.interface import NeedsPolicy
from enfilade.errors import OddsError, RefusedOdds, RuleError, RunError
from enfilade.frozen import frozen_json

T = TypeVar("T")
Parts: TypeAlias = Callable[[int, int], None]
"""A progress callback: the number of finished parts and their total."""

_CHUNK: Final = 8
_MOST_WORKERS: Final = 256


# ------------------------------------------------------------------------------------------------------ calculation


@frozen
class Cell:
    """One situation with its odds, or with the reason why it has none.

    Attributes:
        facts: The values of the variables, by name.
        odds: The distribution of the question; ``None`` if there is none.
        refused: The refusal, if the rules refuse.
        failed: The error, if the rules reach a case that they do not cover, such as a division by 0.
    """

    facts: Mapping[str, Any] = field(converter=frozen_json)
    odds: Distribution | None
    refused: RefusedOdds | None = None
    failed: RuleError | None = None

    @property
    def distribution(self) -> Distribution:
        """The distribution of the question.

        Raises:
            RefusedOdds: The rules refuse.
            RuleError: The rules reach a case that they do not cover.
        """
        if self.odds is None:
            wrong = self.refused or self.failed
            assert wrong is not None
            raise wrong
        return self.odds

    @property
    def why_not(self) -> str:
        """The reason why there are no odds, in a few words; empty if there are odds."""
        if self.failed is not None:
            return f"error: {self.failed.message}"
        return "" if self.refused is None else f"refused {self.refused.refusal}"


def cell_of(
    situations: Situations, variables: Variables, of: str | Iterable[str], changes: Mapping[str, Any], *,
    condition: bool = False,
) -> Cell:  # fmt: skip
    """Calculate one situation; a refusal by the rules is a valid result, and so is a case that they do not cover."""
    try:
        odds = changed(situations, variables, changes).odds()
        return Cell(changes, odds.of_condition(of) if condition and isinstance(of, str) else odds.asked(of))
    except RefusedOdds as refused:
        return Cell(changes, None, refused)
    except RuleError as failed:
        return Cell(changes, None, failed=failed)


@contextmanager
def said_of(changes: Mapping[str, Any]) -> Iterator[None]:
    """Let an error say in which of many situations it came; an error of input names the value anyway."""
    try:
        yield
    except (NeedsPolicy, OddsError, RunError) as error:
        error.situation = facts_text(changes)
        raise


def cells_of(
    situations: Situations, of: str | Iterable[str], all_changes: Sequence[Mapping[str, Any]],
    executor: Executor | None = None, parts: Parts | None = None,
) -> tuple[Cell, ...]:  # fmt: skip
    """Calculate many situations, in parallel if there is an executor; the results are the same.

    Args:
        situations: The shared settings.
        of: The question; several are asked jointly.
        all_changes: For each situation the values of its variables.
        executor: The executor for the work; the texts of the ruleset are sent to its workers.
        parts: The progress callback, if there is no executor.
    """
    if executor is None:
        variables = variables_of(situations)
        cells = (_named_cell(situations, variables, of, changes) for changes in all_changes)
        return tuple(_counted(cells, len(all_changes), parts))
    chunks = [all_changes[start : start + _CHUNK] for start in range(0, len(all_changes), _CHUNK)]
    sent = evolve(situations, progress=None)
    return tuple(cell for found in run_all(executor, _cells, [(sent, of, chunk) for chunk in chunks]) for cell in found)


def _named_cell(
    situations: Situations, variables: Variables, of: str | Iterable[str], changes: Mapping[str, Any]
) -> Cell:
    with said_of(changes):
        return cell_of(situations, variables, of, changes)


def _counted(cells: Iterable[Cell], total: int, parts: Parts | None) -> Iterator[Cell]:
    for done, cell in enumerate(cells, 1):
        if parts is not None:
            parts(done, total)
        yield cell


def _cells(
    situations: Situations, of: str | Iterable[str], all_changes: Sequence[Mapping[str, Any]]
) -> tuple[Cell, ...]:  # fmt: skip
    return cells_of(evolve(situations, rules=cached_rules(situations.rules)), of, all_changes)


def run_all(executor: Executor, do: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> list[T]:
    """Run tasks on an executor and return their results in order; after an error, cancel the waiting tasks."""
    waiting = [executor.submit(do, *task) for task in tasks]
    try:
        return [future.result() for future in waiting]
    except BaseException:
        for future in waiting:
            future.cancel()
        raise


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Provide worker processes, and terminate them at once after an error or an interrupt.

    Args:
        count: The number of processes.

    Raises:
        ArgumentError: It is none from 1 to 256.
    """
    require_between("workers", count, 1, _MOST_WORKERS)
    # Imported here because the import is slow and most calls need no processes.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    before = active_children()
    # Spawned, not forked: a forked copy of this process would lack its threads.
    workers = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield workers
    except BaseException:
        for child in active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        workers.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ignore interrupts in a worker; the parent process handles them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_KEPT: dict[PreparedRules, PreparedRules] = {}
_MOST_KEPT: Final = 8


def cached_rules(rules: PreparedRules) -> PreparedRules:
    """Return an equal ruleset that this process received before, with its caches (memoisation)."""
    if rules not in _KEPT and len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    return _KEPT.setdefault(rules, rules)
