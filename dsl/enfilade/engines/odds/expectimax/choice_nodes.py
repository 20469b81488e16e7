"""The choice node of expectimax: the best option for a player who maximises or minimises an aim."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds.expectimax.continuations import State
from enfilade.engines.odds.expectimax.mixture import Mixture, mixed
from enfilade.engines.odds.interface import Decision, NeedsPolicy
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED
from enfilade.errors import RuleError


def best(
    ctx: Context,
    request: ChoiceRequest,
    weighted: Mapping[tuple[Any, ...], int],
    found: list[Mixture],
    state: State,
    decisions: deque[Decision],
) -> Mixture:
    """The answer for the option that the player's policy selects.

    Args:
        ctx: The context.
        request: The choice.
        weighted: The different answers, each with the number of combinations equal to it.
        found: The answer for each option.
        state: The state at the choice.
        decisions: The decision is appended here, if the player has an aim.

    Raises:
        NeedsPolicy: There is no policy, and the options have different answers.
    """
    mode = ctx.policy.players.get(request.player)
    if mode == "random":
        total = sum(weighted.values())
        return mixed((times, total, each) for times, each in zip(weighted.values(), found, strict=True))
    if mode is None:
        if all(each.same_as(found[0]) for each in found[1:]):
            return found[0]
        raise NeedsPolicy(request.name, request.player, request.options)
    ways = list(weighted)
    values = [_aim(ctx, each) for each in found]
    at = values.index((max if mode == "best" else min)(values))
    weighed = tuple(zip(ways, values, strict=True))
    decisions.append(Decision(request.name, request.player, weighed, ways[at], _told(ctx, state)))
    return found[at]


def _aim(ctx: Context, mixture: Mixture) -> Fraction:
    """The expected value of the aim; yes is 1, and no is 0."""
    at, total = ctx.policy.aim, Fraction(0)
    for values, weight in mixture.weights.items():
        value = values[at]
        if not isinstance(value, (int, Fraction)):
            raise RuleError("the aim of a choice is a number, or yes or no, and this is neither")
        total += Fraction(value) * weight
    return total / mixture.total


def _told(ctx: Context, state: State) -> tuple[tuple[str, Any], ...]:
    """The locals and fields of a state whose names come from the rules."""
    told = []
    for slot, value in zip(*state, strict=True):
        name = ctx.slots.names[slot]
        if value is not UNCHANGED and name[0] == "local" and not re.search("[@#?]", name[2]):
            told.append((str(name[2]).removeprefix("give "), value))
        elif value is not UNCHANGED and name[0] == "field":
            told.append((f"{name[1].key}.{name[2]}", value))
    return tuple(told)
