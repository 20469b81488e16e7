"""Questions about how a procedure may end, as people write them: the one door for programs, the command line and the
prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

from attrs import frozen

from enfilade.api.outcome_values import ANY_ORDER, Order, as_outcome, order_of, records_of
from enfilade.check.context import Context
from enfilade.check.questions import check_question, entry_of
from enfilade.core import ir
from enfilade.core.convert import shorten
from enfilade.core.values import Ref, State
from enfilade.diagnostics.suggest import nearest
from enfilade.engines.odds import Ask, Whole
from enfilade.errors import InputError, InputFault

_STATE: Final = Whole("state")
_MOST_KEPT: Final = 256
_ALLOWED: Final = "a condition or a value, written as after `expect` in an example"


@frozen
class Query:
    """A question that was understood.

    Attributes:
        text: What was asked.
        ask: The question for the engine.
        order: How what it comes to is sorted.
    """

    text: str
    ask: Ask
    order: Order = ANY_ORDER

    def outcome(self, value: Any) -> Any:
        """What an engine answers, as an outcome."""
        if self.ask == _STATE and isinstance(value, Mapping):
            value = {ref: fields for ref, fields in value.items() if isinstance(ref, Ref)}
            return as_outcome(records_of(State(value)))
        return as_outcome(value)


class QueryReader:
    """Understands the questions about one ruleset, each once.

    Args:
        context: What the check of the ruleset knows.
    """

    __slots__ = ("_context", "_understood")

    def __init__(self, context: Context) -> None:
        self._context = context
        self._understood: dict[tuple[Any, ...], Query] = {}

    def read(
        self, procedure: str, keys: Mapping[str, str], text: str, *, key: str | None = None, condition: bool = False
    ) -> Query:
        """Understand a question.

        Args:
            procedure: The procedure whose end is asked about.
            keys: The records that can be named: each key with its kind of record.
            text: The question, written as after ``expect`` or ``chance of`` in an example.
            key: Which entry is meant, where the question comes to a map: the key of a record, a word, a number.
            condition: Whether it has to be yes or no.

        Raises:
            InputError: It can't be understood.
        """
        if not isinstance(text, str):
            _refuse(text, f"a question is a text, and not {shorten(text)}")
        place = (procedure, tuple(keys.items()), text, key, condition)
        found = self._understood.get(place)
        if found is None:
            found = _understood(self._context, procedure, keys, text, key, condition=condition)
            if len(self._understood) >= _MOST_KEPT:
                self._understood.clear()
            self._understood[place] = found
        return found


def _understood(
    context: Context, procedure: str, keys: Mapping[str, str], text: str, key: str | None, *, condition: bool
) -> Query:
    asked = check_question(context, procedure, keys, text, condition=condition)
    if key is not None:
        asked = entry_of(asked, key, keys)
    if asked.expr is None:
        _refuse(text, f"the question `{shorten(text)}` can't be answered: {'; '.join(asked.wrong)}")
    return Query(text if key is None else f"{text} of {key}", asked.expr, order_of(asked.type))


def whole_query(what: str) -> Query:
    """Ask for all of something: outputs, effects or state."""
    return Query(what, Whole(what))


def count_of(program: ir.Program, effect: str) -> str:
    """The question how often an effect is performed.

    Raises:
        InputError: There is no such effect.
    """
    if effect not in program.effects:
        close = nearest(str(effect), program.effects)
        allowed = ", ".join(program.effects) or "no effects"
        meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
        raise InputError([InputFault("effect", effect, allowed, f"there is no effect {shorten(effect)}{meant}")])
    return f"count of effects {effect}"


def _refuse(text: Any, message: str) -> NoReturn:
    raise InputError([InputFault("question", text, _ALLOWED, message)])
