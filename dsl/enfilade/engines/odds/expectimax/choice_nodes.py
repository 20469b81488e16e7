"""The choice node of expectimax: the best option for a player who maximises or minimises an aim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds.expectimax.mixture import Mixture, Vertex, mixed, with_doubt
from enfilade.engines.odds.interface import Decision, NeedsPolicy
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED
from enfilade.engines.odds.states.slots import Name
from enfilade.engines.odds.steps.tasks import State
from enfilade.errors import RuleError


def best(
    ctx: Context,
    request: ChoiceRequest,
    weighted: Mapping[tuple[Any, ...], int],
    found: list[Mixture],
    state: State,
) -> Mixture:
    """The answer for the option that the player's policy selects.

    Args:
        ctx: The context.
        request: The choice.
        weighted: The different answers, each with the number of combinations equal to it.
        found: The answer for each option.
        state: The state at the choice.

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
    values = [aim_of(ctx, each) for each in found]
    at = values.index((max if mode == "best" else min)(values))
    weighed = tuple(zip(ways, values, strict=True))
    decision = Decision(request.name, request.player, weighed, ways[at], told(ctx, state))
    following = (found[at],) if found[at].decides else ()
    cut = max(each.reach for each in found)
    answer = Mixture(found[at].weights, found[at].total, decision, following, cut)
    return with_doubt(answer, doubt_of(ctx, found, at))


def aim_of(ctx: Context, mixture: Mixture) -> Fraction:
    """The expected value of the aim; yes is 1, and no is 0."""
    return sum((value * weight for value, weight in _aims(ctx, mixture)), Fraction(0)) / mixture.total


def doubt_of(ctx: Context, found: list[Mixture], at: int) -> Fraction:
    """The chance of play that was cut off behind options which could turn out to be better than the one taken.

    What was cut off is taken to have values of the aim between those that were met.
    """
    lost = [each.reach for each in found]
    if not any(lost):
        return Fraction(0)
    seen = [value for each in found for value, _ in _aims(ctx, each)]
    span = max(seen, default=Fraction(0)) - min(seen, default=Fraction(0))
    values = [aim_of(ctx, each) for each in found]
    others = [number for number in range(len(found)) if found[number] is not found[at]]
    rivals = [lost[n] for n in others if abs(values[n] - values[at]) <= (lost[n] + lost[at]) * span]
    return max(rivals, default=Fraction(0))


def _aims(ctx: Context, mixture: Mixture) -> Iterator[tuple[Fraction, int]]:
    """The values of the aim, with their weights."""
    for values, weight in mixture.weights.items():
        value = values.value if isinstance(values, Vertex) else values[ctx.policy.aim]
        if not isinstance(value, (int, Fraction)):
            raise RuleError("the aim of a choice must be a number or a condition")
        yield Fraction(value), weight


def told(ctx: Context, state: State) -> tuple[tuple[str, Any], ...]:
    """The locals and fields of a state, and the values that the rules read from its dice, in the words of the rules."""
    known = []
    for slot, value in zip(*state, strict=True):
        text = None if value is UNCHANGED else _text(ctx, ctx.slots.names[slot])
        if text is not None:
            known.append((text, value))
    return tuple(known)


def _text(ctx: Context, name: Name) -> str | None:
    """The name of a slot in the words of the rules; ``None`` if they have none for it."""
    match name:
        case ("field", ref, field):
            return f"{ref.key}.{field}"
        case ("local", _, str(local)) if local in ctx.dice_values:
            return ctx.dice_values[local]
        case ("local", _, str(local)) if not re.search("[@#?]", local):
            return local.removeprefix("give ")
    return None
