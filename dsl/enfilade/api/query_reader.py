"""Queries: questions about the outcome of a procedure are checked, compiled for the engines and cached (memoisation).

The command line, the prompt and embedding programs all use this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

from attrs import evolve, frozen

from enfilade.api.outcome_values import ANY_ORDER, Order, as_outcome, order_of, records_of
from enfilade.check.context import Context
from enfilade.check.examples.questions import check_question, entry_of
from enfilade.core import ir
from enfilade.diagnostics.suggest import nearest
from enfilade.engines.odds import Ask, Whole
from enfilade.engines.trace import sign_labels
from enfilade.errors import InputError, InputFault
from enfilade.values.data import Ref, State
from enfilade.values.numbers import shorten

_STATE: Final = Whole("state")
_MOST_KEPT: Final = 256
_ALLOWED: Final = "a condition or value that may follow `expect` in an example"


@frozen
class Query:
    """A checked question.

    Attributes:
        text: The question as written.
        ask: The question in the form that engines take.
        order: The order of its outcomes.
    """

    text: str
    ask: Ask
    order: Order = ANY_ORDER

    def outcome(self, value: Any) -> Any:
        """Convert an engine's answer to an outcome."""
        if self.ask == _STATE and isinstance(value, Mapping):
            value = {ref: fields for ref, fields in value.items() if isinstance(ref, Ref)}
            return as_outcome(records_of(State(value)))
        return as_outcome(value)


class QueryReader:
    """Reads questions about one ruleset, with a cache.

    Args:
        context: The context of the checker for the ruleset.
        program: The program of the ruleset.
    """

    __slots__ = ("_cache", "_context", "_program")

    def __init__(self, context: Context, program: ir.Program) -> None:
        self._context = context
        self._program = program
        self._cache: dict[tuple[Any, ...], Query] = {}

    @property
    def context(self) -> Context:
        """The context of the checker, for internal use."""
        return self._context

    def read(
        self, procedure: str, keys: Mapping[str, str], text: str, *, key: str | None = None, condition: bool = False
    ) -> Query:
        """Read a question.

        Args:
            procedure: The procedure that the question is about.
            keys: The kind of each record that the question may name, by key.
            text: The question, in the form used after ``expect`` or ``chance of`` in an example.
            key: The entry to select if the question gives a map: the key of a record, a word or a number.
            condition: Whether the question must be a condition.

        Raises:
            InputError: The question is not a valid expression.
        """
        place = (procedure, tuple(keys.items()), text, key, condition)
        found = self._cache.get(place)
        if found is None:
            found = _checked_query(self._context, procedure, keys, text, key, condition=condition)
            labels = sign_labels(self._program, found.order.words)
            found = evolve(found, order=evolve(found.order, labels=labels)) if labels else found
            if len(self._cache) >= _MOST_KEPT:
                self._cache.clear()
            self._cache[place] = found
        return found


def _checked_query(
    context: Context, procedure: str, keys: Mapping[str, str], text: str, key: str | None, *, condition: bool
) -> Query:
    asked = check_question(context, procedure, keys, text, condition=condition)
    if key is not None:
        asked = entry_of(asked, key, keys)
    if asked.expr is None:
        _refuse(text, f"the question `{shorten(text)}` can't be answered: {'; '.join(asked.wrong)}")
    return Query(text if key is None else f"{text} of {key}", asked.expr, order_of(asked.type))


def whole_query(what: str) -> Query:
    """Return the query for all outputs, all effects or the whole state."""
    return Query(what, Whole(what))


def count_of(program: ir.Program, effect: str) -> str:
    """Return the question for the number of times that an effect is performed.

    Raises:
        InputError: The ruleset has no such effect.
    """
    if effect not in program.effects:
        close = nearest(str(effect), program.effects)
        allowed = ", ".join(program.effects) or "no effects"
        meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
        raise InputError([InputFault("effect", effect, allowed, f"there is no effect {shorten(effect)}{meant}")])
    return f"count of effects {effect}"


def _refuse(text: Any, message: str) -> NoReturn:
    raise InputError([InputFault("question", text, _ALLOWED, message)])
