"""Parameter sweeps: odds of many situations with shared settings, optionally calculated in parallel."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, Final, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from enfilade.api.distribution import Distribution
from enfilade.api.odds import Odds
from enfilade.api.prepared import PreparedRules
from enfilade.api.situations import Opening, open_situation
from enfilade.core import ir
from enfilade.core.convert import shorten
from enfilade.core.inputs import declared_input, external_names
from enfilade.core.types import Bool, Maybe, Num, Type, Word, describe
from enfilade.core.walk import nodes
from enfilade.diagnostics.suggest import nearest
from enfilade.engines.odds import OddsLimits, Progress
from enfilade.errors import InputError, InputFault, RefusedOdds

T = TypeVar("T")
Parts: TypeAlias = Callable[[int, int], None]
"""A progress callback: the number of finished parts and their total."""

MOST_TRIED: Final = 100
"""How many values of a number without an upper bound are tried by default."""

_LARGEST_LABEL: Final = 10**6
_CHUNK: Final = 8


@frozen(kw_only=True)
class Situations:
    """The shared settings of situations; other fields are as in ``Ruleset.odds``.

    Attributes:
        condition: The condition, or several, for conditional odds, as in ``Odds.given``.
        rules: The ruleset.
        procedure: The name of the procedure.
        facts: The shared facts.
    """

    rules: PreparedRules
    procedure: str
    facts: Mapping[str, Any]
    dice: Any = None
    choices: Any = None
    players: Mapping[str, str] | None = None
    aim: str | None = None
    options: Mapping[str, Any] | None = None
    limits: OddsLimits | None = None
    progress: Progress | None = field(default=None, eq=False)
    condition: str | Sequence[str] | None = None

    @classmethod
    def of_call(cls, rules: PreparedRules, procedure: str, call: Mapping[str, Any]) -> Situations:
        """Separate settings and facts in the arguments of a call."""
        known = {name: value for name, value in call.items() if name in _SETTINGS}
        given = call.get("given") or {}
        facts = {name: value for name, value in call.items() if name not in _SETTINGS and name != "given"}
        rules.check_procedure(procedure)
        return cls(rules=rules, procedure=procedure, facts={**given, **facts}, **known)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions for conditional odds."""
        if self.condition is None:
            return ()
        return (self.condition,) if isinstance(self.condition, str) else tuple(self.condition)

    def opening(self, facts: Mapping[str, Any], program: ir.Program | None = None) -> Opening:
        """Prepare one situation."""
        return open_situation(
            self.rules, self.procedure, {**self.facts, **facts}, dice=self.dice, choices=self.choices,
            players=self.players, options=self.options, program=program,
        )  # fmt: skip

    def odds(self, facts: Mapping[str, Any], program: ir.Program | None = None) -> Odds:
        """Return the odds of one situation.

        Args:
            facts: The situation's own facts.
            program: A program to play instead of the ruleset's own.
        """
        opening = self.opening(facts, program)
        odds = Odds(self.rules.query_reader, opening, (), self.aim, self.limits, self.progress)
        for condition in self.conditions:
            odds = odds.given(condition)
        return odds

    def fact(self, name: str) -> ir.Input:
        """Return the declaration of a fact.

        Raises:
            InputError: The procedure takes no such fact.
        """
        program = self.rules.program
        names = external_names(program.procedures[self.procedure].inputs)
        if name not in names:
            close = nearest(str(name), names)
            allowed = ", ".join(names) or "no facts"
            meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
            text = f"there is no fact {shorten(name)}{meant}"
            if "." in str(name):
                text = f"only a whole fact is varied, and {shorten(name)} looks like a field of a record{meant}"
            raise InputError([InputFault("fact", name, allowed, text)])
        return declared_input(program, names[name])


_SETTINGS: Final = ("dice", "choices", "players", "aim", "options", "limits", "progress", "condition")


# --------------------------------------------------------------------------------------------------------- values


@frozen
class Values:
    """The values of a fact to try.

    Attributes:
        values: The values, in order.
        open_end: Whether the fact has larger values that are not tried.
    """

    values: tuple[Any, ...]
    open_end: bool = False


def values_of(situations: Situations, fact: str, within: Iterable[Any] | None) -> Values:
    """Return the values of a fact to try.

    By default these are the words of a fact, no and yes, or the whole numbers of a range. For a range without an upper
    bound they are the first hundred numbers, and the ends of chart labels above them.

    Args:
        situations: The shared settings.
        fact: The fact.
        within: The caller's values; ``None`` for the default.

    Raises:
        InputError: There is no such fact, or its values can't be listed.
    """
    declared = situations.fact(fact)
    if within is not None:
        values = tuple(within)
        if not values:
            raise InputError([InputFault(fact, [], "at least one value", f"no values of {fact} are given to try")])
        return Values(values)
    found = _listed(declared.type, situations.rules.program)
    if found is None:
        text = f"the values of {fact} can't be listed, it is {describe(declared.type)}; say which to try"
        raise InputError([InputFault("within", None, "the values to try", text)])
    return found


def _listed(type_: Type, program: ir.Program) -> Values | None:
    match type_:
        case Bool():
            return Values((False, True))
        case Word(words):
            return Values(words)
        case Maybe(of):
            return _listed(of, program)
        case Num(low, high):
            first = 0 if low is None else -int(-low // 1)
            last = None if high is None else int(high // 1)
            if last is not None and last - first < MOST_TRIED * 10:
                return Values(tuple(range(first, last + 1)))
            near = range(first, first + MOST_TRIED)
            beyond = {each for each in _label_ends(program) if each >= near.stop and (last is None or each <= last)}
            return Values((*near, *sorted(beyond)), open_end=True)
    return None


def _label_ends(program: ir.Program) -> set[int]:
    """Return the whole numbers at which a chart label begins or ends, so a result may change."""
    ends: set[int] = set()
    for node in nodes(program.charts):
        if isinstance(node, ir.Header):
            bands = (band for match in node.matches if match is not None for band in match.bands)
            ends |= {
                int(end) + step for band in bands for end in (band.low, band.high) if end is not None for step in (0, 1)
            }
    return {end for end in ends if end <= _LARGEST_LABEL}


# ------------------------------------------------------------------------------------------------------ calculation


@frozen
class Cell:
    """One situation with its odds, or with the refusal of the rules.

    Attributes:
        facts: The situation's own facts.
        odds: The distribution of the question; ``None`` if the rules refuse.
        refused: The refusal, if the rules refuse.
    """

    facts: Mapping[str, Any]
    odds: Distribution | None
    refused: RefusedOdds | None = None

    @property
    def distribution(self) -> Distribution:
        """The distribution of the question.

        Raises:
            RefusedOdds: The rules refuse.
        """
        if self.odds is None:
            assert self.refused is not None
            raise self.refused
        return self.odds


def cell_of(situations: Situations, of: str, facts: Mapping[str, Any], *, condition: bool = False) -> Cell:
    """Calculate one situation; a refusal by the rules is a valid result."""
    try:
        odds = situations.odds(facts)
        return Cell(facts, odds.of_condition(of) if condition else odds.of(of))
    except RefusedOdds as refused:
        return Cell(facts, None, refused)


def cells_of(
    situations: Situations, of: str, all_facts: Sequence[Mapping[str, Any]], executor: Executor | None = None,
    parts: Parts | None = None,
) -> tuple[Cell, ...]:  # fmt: skip
    """Calculate many situations, in parallel if there is an executor; the results are the same.

    Args:
        situations: The shared settings.
        of: The question.
        all_facts: The own facts of each situation.
        executor: The executor for the work; the texts of the ruleset are sent to its workers.
        parts: The progress callback, if there is no executor.
    """
    if executor is None:
        return tuple(_counted((cell_of(situations, of, facts) for facts in all_facts), len(all_facts), parts))
    chunks = [all_facts[start : start + _CHUNK] for start in range(0, len(all_facts), _CHUNK)]
    sent = evolve(situations, progress=None)
    return tuple(cell for found in run_all(executor, _cells, [(sent, of, chunk) for chunk in chunks]) for cell in found)


def _counted(cells: Iterable[Cell], total: int, parts: Parts | None) -> Iterator[Cell]:
    for done, cell in enumerate(cells, 1):
        if parts is not None:
            parts(done, total)
        yield cell


def _cells(situations: Situations, of: str, all_facts: Sequence[Mapping[str, Any]]) -> tuple[Cell, ...]:
    kept = evolve(situations, rules=cached_rules(situations.rules))
    return tuple(cell_of(kept, of, facts) for facts in all_facts)


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
    """
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
