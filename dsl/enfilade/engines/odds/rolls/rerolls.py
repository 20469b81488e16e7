"""Rerolls: a closed form for most dice that are rolled again, and an enumeration of rolls without a closed form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Final

from enfilade.core import ir
from enfilade.engines.odds.dice.multisets import all_throws
from enfilade.engines.odds.dice.pool import Group, Side, throws
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution
from enfilade.engines.odds.states.expressions import required
from enfilade.engines.odds.states.known_answers import Answers, AnswersFirst, Asked
from enfilade.errors import LimitError

_SIDE_SECONDS: Final = 3e-6
"""The time that the rules take to read one side of a die."""
_FAINTEST: Final = Fraction(1, 10**9)


def sides_of(ctx: Context, die: ir.Die) -> tuple[Side, ...]:
    """The different sides of a die with their weights."""
    sides = ctx.planner.sides.get(die.name)
    if sides is None:
        ctx.meter.expect(seconds=die.count * _SIDE_SECONDS)
        counted = Counter(die.face_at(index) for index in range(die.count))
        sides = ctx.planner.sides[die.name] = tuple(Side(face, weight) for face, weight in counted.items())
    return sides


def most_times(pending: PendingRoll, rule: ir.RollRule) -> int | None:
    """How often the rule applies at most; ``None`` for no limit."""
    if rule.times is None:
        return None
    times: int = required(pending.ctx, rule.times, pending.env)
    return min(max(times, 0), pending.ctx.evaluator.limits.rerolls)


def rerolled(pending: PendingRoll, rule: ir.RollRule, group: Group) -> Group:
    """Replace dice that are rolled again on some sides by equivalent dice with other weights.

    Raises:
        LimitError: They would be rolled again forever.
    """
    evaluator = pending.ctx.evaluator
    again = [evaluator._test(rule, side.face, pending.env) for side in group.sides]
    every = group.weight
    gone = sum(side.weight for side, hit in zip(group.sides, again, strict=True) if hit)
    if not gone:
        return group
    if rule.times is None:
        if gone == every:
            raise LimitError("rerolls", f"{pending.statement.name} would be rolled again forever")
        return Group(group.count, tuple(side for side, hit in zip(group.sides, again, strict=True) if not hit))
    times = most_times(pending, rule)
    assert times is not None
    stays = sum(gone**turn * every ** (times - turn) for turn in range(times + 1))
    sides = tuple(
        Side(side.face, side.weight * (gone**times if hit else stays))
        for side, hit in zip(group.sides, again, strict=True)
    )
    return Group(group.count, tuple(side for side in sides if side.weight))


def enumerate_rerolls(
    pending: PendingRoll, known: Answers = (), extra: Mapping[int, Any] | None = None
) -> Distribution:
    """A roll with rerolls or explosions that have no closed form: depth-first over the dice, one request at a time.

    Sequences with a chance below one in ``10**9`` become the remainder.

    Args:
        pending: The roll.
        known: The dice that are known already.
        extra: Further changes, by slot.
    """
    ctx, evaluator = pending.ctx, pending.ctx.evaluator
    found: dict[Any, Fraction] = {}
    waiting: list[tuple[Fraction, Answers]] = [(Fraction(1), known)]
    while waiting:
        weight, answers = waiting.pop()
        asker = AnswersFirst(answers)
        evaluator.asker = asker  # type: ignore[assignment]
        try:
            roll = evaluator._roll(pending.statement, pending.env)
        except Asked:
            request = asker.roll_request
            assert request is not None
            groups = tuple(Group(count, sides_of(ctx, die)) for count, die in request.dice if count)
            every = throws(groups)
            if weight / every < _FAINTEST:
                ctx.cut(pending.statement)
                continue
            for faces, times in all_throws(groups, ctx.meter):
                waiting.append((weight * times / every, (*answers, tuple(face.printed for face in faces))))
        else:
            key = pending.read_of(roll)
            found[key] = found.get(key, Fraction(0)) + weight
        finally:
            evaluator.asker = evaluator.no_answers
    total = lcm(*(weight.denominator for weight in found.values())) if found else 1
    table = {key: int(weight * total) for key, weight in found.items()}
    return pending.states(table, extra, total)
