"""What can be asked of a situation, whoever answers: the exact engine, or a sample."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Generic, TypeVar

from attrs import evolve, frozen

from enfilade.api.distribution import Distribution
from enfilade.api.outcome import REFUSED, RESOLVED
from enfilade.api.query_reader import Query, QueryReader, count_of, whole_query
from enfilade.api.situations import Opening
from enfilade.errors import InputError, InputFault, OddsError

D = TypeVar("D", bound=Distribution)


@frozen(eq=False, repr=False)
class Queries(Generic[D]):
    """The questions that can be asked of a situation."""

    _query_reader: QueryReader
    _opening: Opening
    _conditions: tuple[str, ...]

    # -- how it begins --------------------------------------------------------------------------------------

    @property
    def procedure(self) -> str:
        """The name of the procedure."""
        return self._opening.situation.procedure

    @property
    def status(self) -> str:
        """``resolved``, or ``refused`` where the rules refuse before any die is rolled or choice is made."""
        return RESOLVED if self._opening.refused is None else REFUSED

    @property
    def refusal(self) -> str | None:
        """The name of the refusal; ``None`` where the rules did not refuse."""
        return None if self._opening.refused is None else self._opening.refused.slug

    @property
    def message(self) -> str | None:
        """The sentence of the refusal; ``None`` where the rules did not refuse."""
        return None if self._opening.refused is None else self._opening.refused.note.label or ""

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of the refusal, or of the procedure."""
        refused = self._opening.refused
        situation = self._opening.situation
        return situation.program.procedures[self.procedure].note.cites if refused is None else refused.note.cites

    # -- questions ------------------------------------------------------------------------------------------

    @property
    def result(self) -> D:
        """The output that people ask for first.

        Raises:
            InputError: The procedure gives none.
        """
        outputs = self._opening.situation.program.procedures[self.procedure].outputs
        if "result" not in outputs:
            allowed = ", ".join(outputs) or "no outputs"
            text = f"{self.procedure} gives no result; it gives {allowed}"
            raise InputError([InputFault("question", "result", allowed, text)])
        return self.of("result")

    def of(self, question: str, *, unit: str | None = None, key: Any = None) -> D:
        """Ask for the value of an output, or of any expression, written as after ``expect`` in an example.

        Args:
            question: ``steps_left of gun``, ``count of effects step_loss``, ``M or worse``.
            unit: The record whose entry is meant, where the question comes to a map.
            key: The same for a map from anything else.

        Raises:
            InputError: The question can't be understood, or a fact is missing.
            RefusedOdds: The rules refuse.
            NeedsPolicy: The answer hangs on a choice that nobody has made.
            OddsError: The condition of ``given`` can't come true.
            LimitError: It would take more than the limits allow.
        """
        entry = unit if unit is not None else None if key is None else str(key)
        return self._distribution(self._query(question, key=entry))

    def asks(self, question: str) -> None:
        """Make sure that a question can be understood, without answering it.

        Raises:
            InputError: It can't.
        """
        self._query(question)

    def of_condition(self, condition: str) -> D:
        """Ask whether a condition holds: yes and no with their chances."""
        return self._distribution(self._query(condition, condition=True))

    def joint(self, *questions: str) -> D:
        """Ask for several values together, on the same dice: each outcome is a tuple of them."""
        if not questions:
            raise OddsError("nothing is asked")
        return self._joint(tuple(self._query(question) for question in questions))

    def chance(self, condition: str) -> Fraction:
        """The chance that a condition holds, written as after ``expect`` or ``chance of``.

        Where the answer is not exact, it is the least that the chance can be.
        """
        return self.of_condition(condition)[True]

    def given(self: Q, condition: str) -> Q:
        """The odds on condition that something comes true."""
        self._query(condition, condition=True)
        return evolve(self, conditions=(*self._conditions, condition))

    @property
    def outputs(self) -> D:
        """All outputs together, by name."""
        return self._distribution(whole_query("outputs"))

    @property
    def effects(self) -> D:
        """The effects that are performed, in order."""
        return self._distribution(whole_query("effects"))

    @property
    def state(self) -> D:
        """What becomes of the records: by kind, then by key, then by field."""
        return self._distribution(whole_query("state"))

    def count(self, effect: str) -> D:
        """How often an effect is performed.

        Raises:
            InputError: There is no such effect.
        """
        return self.of(count_of(self._opening.situation.program, effect))

    # -- answers --------------------------------------------------------------------------------------------

    def _keys(self) -> Mapping[str, str]:
        return {ref.key: ref.record for ref in self._opening.situation.state.records}

    def _query(self, question: str, *, key: str | None = None, condition: bool = False) -> Query:
        return self._query_reader.read(self.procedure, self._keys(), question, key=key, condition=condition)

    def _distribution(self, query: Query) -> D:
        """Answer one question."""
        raise NotImplementedError

    def _joint(self, queries: tuple[Query, ...]) -> D:
        """Answer some questions together."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Show what is asked about."""
        given = f", given {' and '.join(self._conditions)}" if self._conditions else ""
        refused = "" if self._opening.refused is None else f": refused, {self.refusal}"
        return f"<{type(self).__name__} of {self.procedure}{given}{refused}>"


Q = TypeVar("Q", bound=Queries[Any])
