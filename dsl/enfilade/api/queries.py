"""Queries about the outcome of a situation, shared by exact odds and samples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeVar

from attrs import evolve, frozen

from enfilade.api.distribution import Distribution
from enfilade.api.outcome import REFUSED, RESOLVED
from enfilade.api.query_reader import Query, QueryReader, count_of, whole_query
from enfilade.api.situations import Opening
from enfilade.door import with_doors
from enfilade.errors import EnfiladeError, InputError, InputFault, OddsError

D = TypeVar("D", bound=Distribution)


@with_doors
@frozen(eq=False, repr=False)
class Queries(ABC, Generic[D]):
    """The base class of ``Odds`` and ``Sample``: the queries that both answer."""

    _query_reader: QueryReader
    _opening: Opening
    _conditions: tuple[str, ...]

    # -- the start ------------------------------------------------------------------------------------------

    @property
    def procedure(self) -> str:
        """The name of the procedure."""
        return self._opening.situation.procedure

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the outputs that can be asked for."""
        return tuple(self._opening.situation.program.procedures[self.procedure].outputs)

    @property
    def status(self) -> str:
        """``resolved``, or ``refused`` if the rules refuse before any roll or choice."""
        return RESOLVED if self._opening.refused is None else REFUSED

    @property
    def refusal(self) -> str | None:
        """The name of the refusal; ``None`` if the rules did not refuse."""
        return None if self._opening.refused is None else self._opening.refused.slug

    @property
    def message(self) -> str | None:
        """The sentence of the refusal; ``None`` if the rules did not refuse."""
        return None if self._opening.refused is None else self._opening.refused.note.label or ""

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of the refusal, or of the procedure."""
        refused = self._opening.refused
        situation = self._opening.situation
        return situation.program.procedures[self.procedure].note.cites if refused is None else refused.note.cites

    # -- queries --------------------------------------------------------------------------------------------

    @property
    def result(self) -> D:
        """The distribution of the output ``result``.

        Raises:
            InputError: The procedure has no output ``result``.
        """
        if "result" not in self.output_names:
            allowed = ", ".join(self.output_names) or "no outputs"
            text = f"{self.procedure} has no output `result`; its outputs are {allowed}"
            raise InputError([InputFault("question", "result", allowed, text)])
        return self.of("result")

    def of(self, question: str, *, unit: str | None = None, key: Any = None) -> D:
        """Return the distribution of an output or of any other expression.

        Args:
            question: An expression, written as after ``expect`` in an example: ``steps_left of gun``,
                ``count of effects step_loss``, ``M or worse``.
            unit: The key of a record, to select one entry if the expression gives a map from records.
            key: The key of an entry in a map from anything else.

        Returns:
            The distribution of the value.

        Raises:
            InputError: The question is not a valid expression, or a fact is missing.
            RefusedOdds: The rules refuse.
            NeedsPolicy: The answer depends on a choice without a policy.
            OddsError: The condition of ``given`` is impossible.
            LimitError: The calculation exceeds the limits.
        """
        entry = unit if unit is not None else None if key is None else str(key)
        return self._distribution(self._query(question, key=entry))

    def asks(self, question: str) -> None:
        """Check a question without answering it.

        Raises:
            InputError: The question is not a valid expression.
        """
        self._query(question)

    def of_condition(self, condition: str) -> D:
        """Return the distribution of a condition: ``True`` and ``False`` with their chances."""
        return self._distribution(self._query(condition, condition=True))

    def joint(self, *questions: str) -> D:
        """Return the joint distribution of several values of the same run: each outcome is a tuple of them."""
        if not questions:
            raise OddsError("the question is empty")
        return self._joint(tuple(self._query(question) for question in questions))

    def asked(self, of: str | Iterable[str]) -> D:
        """Return the distribution of a question, or the joint distribution of several: ``of`` or ``joint``."""
        return self.of(of) if isinstance(of, str) else self.joint(*of)

    def chance(self, condition: str) -> Fraction:
        """Return the chance that a condition is true.

        Args:
            condition: The condition, written as after ``expect`` or ``chance of`` in an example.

        Returns:
            The chance, from 0 to 1.

        Raises:
            OddsError: The answer is not exact; ``of_condition(...).bounds(True)`` gives the bounds.
        """
        return self.of_condition(condition)[True]

    def given(self: Q, condition: str) -> Q:
        """Return the conditional odds, given that *condition* is true."""
        self._query(condition, condition=True)
        return evolve(self, conditions=(*self._conditions, condition))

    @property
    def outputs(self) -> D:
        """The joint distribution of all outputs, by name."""
        return self._distribution(whole_query("outputs"))

    @property
    def effects(self) -> D:
        """The distribution of the list of performed effects, in order."""
        return self._distribution(whole_query("effects"))

    @property
    def state(self) -> D:
        """The distribution of the final records: by kind, then by key, then by field."""
        return self._distribution(whole_query("state"))

    def count(self, effect: str) -> D:
        """Return the distribution of the number of times that an effect is performed.

        Raises:
            InputError: The ruleset has no such effect.
        """
        return self.of(count_of(self._opening.situation.program, effect))

    # -- answers --------------------------------------------------------------------------------------------

    def _keys(self) -> Mapping[str, str]:
        return {ref.key: ref.record for ref in self._opening.situation.state.records}

    def _query(self, question: str, *, key: str | None = None, condition: bool = False) -> Query:
        return self._query_reader.read(self.procedure, self._keys(), question, key=key, condition=condition)

    @abstractmethod
    def _distribution(self, query: Query) -> D:
        """Answer one query."""

    @abstractmethod
    def _joint(self, queries: tuple[Query, ...]) -> D:
        """Answer several queries jointly."""

    def __repr__(self) -> str:
        """Show the procedure, the conditions and the refusal."""
        given = f", given {' and '.join(self._conditions)}" if self._conditions else ""
        refused = "" if self._opening.refused is None else f": refused, {self.refusal}"
        return f"<{type(self).__name__} of {self.procedure}{given}{refused}>"

    def _repr_mimebundle_(self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None) -> Any:
        """Show the distribution of the result in a notebook; nothing more than the text if there is none."""
        try:
            return self.result._repr_mimebundle_(include, exclude)
        except EnfiladeError:
            return {}


Q = TypeVar("Q", bound=Queries[Any])
