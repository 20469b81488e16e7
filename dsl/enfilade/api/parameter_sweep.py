"""Odds of many situations: what they share, how one fact is varied, and who works them out."""

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
"""Told how many parts of some work are done, and of how many."""

MOST_TRIED: Final = 100
"""How many values of a number without bound are tried, where the caller names none."""

_LARGEST_LABEL: Final = 10**6
_CHUNK: Final = 8


@frozen(kw_only=True)
class Situations:
    """What the situations of one question share; each field is as in ``Ruleset.odds``.

    Attributes:
        condition: What all odds are on condition of, as in ``Odds.given``: one, or several.
        rules: The ruleset.
        procedure: What is played.
        facts: The facts that all situations have.
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
        """Tell what is set from the facts in the arguments of a call."""
        known = {name: value for name, value in call.items() if name in _SETTINGS}
        given = call.get("given") or {}
        facts = {name: value for name, value in call.items() if name not in _SETTINGS and name != "given"}
        rules.check_procedure(procedure)
        return cls(rules=rules, procedure=procedure, facts={**given, **facts}, **known)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What all is on condition of."""
        if self.condition is None:
            return ()
        return (self.condition,) if isinstance(self.condition, str) else tuple(self.condition)

    def opening(self, facts: Mapping[str, Any], program: ir.Program | None = None) -> Opening:
        """The beginning of one situation."""
        return open_situation(
            self.rules, self.procedure, {**self.facts, **facts}, dice=self.dice, choices=self.choices,
            players=self.players, options=self.options, program=program,
        )  # fmt: skip

    def odds(self, facts: Mapping[str, Any], program: ir.Program | None = None) -> Odds:
        """The odds of one situation.

        Args:
            facts: Its own facts.
            program: What is played instead of the ruleset's own program.
        """
        opening = self.opening(facts, program)
        odds = Odds(self.rules.query_reader, opening, (), self.aim, self.limits, self.progress)
        for condition in self.conditions:
            odds = odds.given(condition)
        return odds

    def fact(self, name: str) -> ir.Input:
        """The declaration of a fact.

        Raises:
            InputError: The procedure takes none of that name.
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
    """The values of one fact that are tried.

    Attributes:
        values: The values, in their order.
        open_end: Whether there are more above, that were not tried.
    """

    values: tuple[Any, ...]
    open_end: bool = False


def values_of(situations: Situations, fact: str, within: Iterable[Any] | None) -> Values:
    """The values of a fact to try.

    Args:
        situations: What is asked.
        fact: The fact.
        within: The values, where the caller names them. Otherwise they are the words of a fact, no and yes, the whole
            numbers of a range, or of a range without end the first hundred and the ends of chart labels above those.

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
    """Where labels of charts begin and end: whole numbers at which something may change."""
    ends: set[int] = set()
    for node in nodes(program.charts):
        if isinstance(node, ir.Band):
            ends |= {int(end) + step for end in (node.low, node.high) if end is not None for step in (0, 1)}
    return {end for end in ends if end <= _LARGEST_LABEL}


# ------------------------------------------------------------------------------------------------------- worked out


@frozen
class Cell:
    """One situation with its odds, or with the refusal of the rules.

    Attributes:
        facts: The facts that it has of its own.
        odds: What the question comes to; ``None`` where the rules refuse.
        refused: The refusal.
    """

    facts: Mapping[str, Any]
    odds: Distribution | None
    refused: RefusedOdds | None = None

    @property
    def distribution(self) -> Distribution:
        """What the question comes to.

        Raises:
            RefusedOdds: The rules refuse.
        """
        if self.odds is None:
            assert self.refused is not None
            raise self.refused
        return self.odds


def cell_of(situations: Situations, of: str, facts: Mapping[str, Any], *, condition: bool = False) -> Cell:
    """Work out one situation; a refusal by the rules is an answer too."""
    try:
        odds = situations.odds(facts)
        return Cell(facts, odds.of_condition(of) if condition else odds.of(of))
    except RefusedOdds as refused:
        return Cell(facts, None, refused)


def cells_of(
    situations: Situations, of: str, all_facts: Sequence[Mapping[str, Any]], executor: Executor | None = None,
    parts: Parts | None = None,
) -> tuple[Cell, ...]:  # fmt: skip
    """Work out many situations, by an executor where there is one: the answers are the same.

    Args:
        situations: What they share.
        of: The question.
        all_facts: The facts of each.
        executor: Whose workers do it; the ruleset is sent to them as its texts.
        parts: Told after each, where nobody else does the work.
    """
    if executor is None:
        return tuple(_counted((cell_of(situations, of, facts) for facts in all_facts), len(all_facts), parts))
    chunks = [all_facts[start : start + _CHUNK] for start in range(0, len(all_facts), _CHUNK)]
    sent = evolve(situations, progress=None)
    return tuple(cell for found in each_by(executor, _cells, [(sent, of, chunk) for chunk in chunks]) for cell in found)


def _counted(cells: Iterable[Cell], total: int, parts: Parts | None) -> Iterator[Cell]:
    for done, cell in enumerate(cells, 1):
        if parts is not None:
            parts(done, total)
        yield cell


def _cells(situations: Situations, of: str, all_facts: Sequence[Mapping[str, Any]]) -> tuple[Cell, ...]:
    kept = evolve(situations, rules=kept_rules(situations.rules))
    return tuple(cell_of(kept, of, facts) for facts in all_facts)


def each_by(executor: Executor, do: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> list[T]:
    """Have an executor do tasks, and give what comes of each, in order; what can't be begun any more is called off."""
    waiting = [executor.submit(do, *task) for task in tasks]
    try:
        return [future.result() for future in waiting]
    except BaseException:
        for future in waiting:
            future.cancel()
        raise


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Worker processes, which end at once when what they work for is broken off.

    Args:
        count: How many.
    """
    # Most calls need none, and it takes long to import.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    before = active_children()
    # Not copies of this process: it may have threads, which a copy would lack.
    workers = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_leave_interrupts)
    try:
        yield workers
    except BaseException:
        for child in active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        workers.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Leave it to the process that began the work to be interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_KEPT: dict[PreparedRules, PreparedRules] = {}
_MOST_KEPT: Final = 8


def kept_rules(rules: PreparedRules) -> PreparedRules:
    """The same ruleset as it came to this process before, with all that it has made ready since."""
    if rules not in _KEPT and len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    return _KEPT.setdefault(rules, rules)
