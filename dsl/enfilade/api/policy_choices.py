"""A choice as a policy of odds meets it: what may be chosen, and what the player knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from attrs import evolve, field, frozen

from enfilade.api.outcome_values import as_outcome
from enfilade.core.legal_answers import check_choice, options_text, taken_in_order
from enfilade.core.requests import ChoiceRequest
from enfilade.errors import InputError, InputFault
from enfilade.frozen import FrozenMap


@frozen
class PolicyChoice:
    """A choice for a policy that is a function.

    Attributes:
        name: The choice, with its place in the loops around it.
        player: Who chooses.
        options: What may be chosen, as plain data: a record by its key.
        count: How many are chosen; ``None`` for one.
        locals: The values named so far, by name: totals of single dice, ``let``, outputs, outputs of calls as ``call.output``.
        dice: The values that the dice of each roll show, the highest first.
        fields: The fields of records, by key and field: ``fields["guard.steps"]``.
    """

    name: str
    player: str
    options: tuple[Any, ...]
    count: int | None
    locals: Mapping[str, Any] = field(converter=FrozenMap)
    dice: Mapping[str, tuple[Any, ...]] = field(converter=FrozenMap)
    fields: Mapping[str, Any] = field(converter=FrozenMap)


def policy_choice(request: ChoiceRequest) -> PolicyChoice:
    """The choice for a function, from the policy of a request: kind, name and value of all that is known."""
    known: dict[str, dict[str, Any]] = {"local": {}, "dice": {}, "field": {}}
    told = iter(request.policy)
    for kind, name, value in zip(told, told, told, strict=True):
        known[kind][name] = as_outcome(value)
    options = tuple(as_outcome(option) for option in request.options)
    return PolicyChoice(
        request.name, request.player, options, request.count, known["local"], known["dice"], known["field"]
    )


def followed(request: ChoiceRequest) -> tuple[Any, ...]:
    """The choice that a policy makes: its value, or of a list the first values that are legal.

    Raises:
        InputError: The policy chooses what is not legal.
    """
    wanted, count = request.policy, 1 if request.count is None else request.count
    chosen: tuple[Any, ...] = (wanted,)
    if isinstance(wanted, tuple) and wanted not in request.options:
        chosen = taken_in_order(request.options, wanted)[:count]
        if len(chosen) < count:
            _too_few(request, count)
    try:
        check_choice(request, chosen)
    except InputError as wrong:
        raise InputError(
            [evolve(each, message=f"the policy for {request.name}: {each.message}") for each in wrong.errors]
        ) from None
    return chosen


def _too_few(request: ChoiceRequest, count: int) -> NoReturn:
    """Reject a list that has too few legal values."""
    allowed = options_text(request.options)
    text = f"the policy for {request.name} gives {options_text(request.policy) or 'an empty list'}"
    needed = f"the choice needs {count} of {allowed}; to add more options, write `followed by LIST`"
    raise InputError([InputFault(request.name, as_outcome(request.policy), allowed, f"{text}; {needed}")])
