"""Hidden choices: opponents who choose at the same time, in one ``together`` step, so neither sees the other's choice.

One side maximises the aim, the other minimises it: a matrix game (see ``matrix_games``). The players of one side agree on
their choices. What other players choose at random is a part of chance, and nobody sees it before choosing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.core.legal_answers import check_choice
from enfilade.core.requests import ChoiceRequest
from enfilade.core.walk import locals_in
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.expectimax.choice_nodes import aim_of, told
from enfilade.engines.odds.expectimax.matrix_games import Game, solve
from enfilade.engines.odds.expectimax.mixture import Mixture, mixed
from enfilade.engines.odds.interface import Decision
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import frozen_value
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import next_answer
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.steps.choices import choice_request, ways_to_choose
from enfilade.engines.odds.steps.tasks import Place, State

Way: TypeAlias = tuple[Any, ...]


@frozen
class Hidden:
    """One of several hidden choices.

    Attributes:
        statement: The step.
        name: The choice, with its place.
        player: Who chooses.
        side: ``best``, ``worst``, ``random`` for what chance or a fixed policy decides, ``open`` without a policy.
        ways: The ways to choose, each with its weight.
        request: The choice as the player is asked for it; ``None`` if there is nothing to choose.
    """

    statement: ir.Choose
    name: str
    player: str
    side: str
    ways: Mapping[Way, int]
    request: ChoiceRequest | None

    @property
    def is_aimed(self) -> bool:
        """Whether the player chooses with an aim."""
        return self.side in ("best", "worst")


@frozen
class Plan:
    """A way for several choices together, with its weight over a total."""

    ways: tuple[Way, ...]
    weight: int
    total: int


def are_hidden(step: Step) -> bool:
    """Whether a step is choices at the same time, and none reads what another one chooses."""
    if not isinstance(step.statement, ir.Together):
        return False
    statements = [[each.statement for each in block.steps] for block in step.blocks]
    chosen = [part[0] for part in statements if len(part) == 1 and isinstance(part[0], ir.Choose)]
    written = {s.local for s in chosen}
    return len(chosen) == len(statements) == len(written) and not written & locals_in(tuple(chosen))


def hidden_choices(
    ctx: Context, step: Step, frame: CallFrame, origin: Origin, place: Place
) -> tuple[Hidden, ...] | None:
    """The hidden choices of a step in a state; ``None`` if they can be made one after the other.

    They can't if opponents choose. They can't either if chance chooses before a player with an aim: this player would
    see what chance chose.
    """
    if next_answer(ctx, "choose", origin) is not None:
        return None
    statements = [block.steps[0].statement for block in step.blocks]
    found = tuple(_hidden(ctx, s, frame, origin, place) for s in statements if isinstance(s, ir.Choose))
    sides = {each.side for each in found}
    by_chance = next((at for at, each in enumerate(found) if each.side == "random" and len(each.ways) > 1), len(found))
    if not {"best", "worst"} <= sides and not any(each.is_aimed for each in found[by_chance:]):
        return None
    return found


def _hidden(ctx: Context, s: ir.Choose, frame: CallFrame, origin: Origin, place: Place) -> Hidden:
    request = choice_request(ctx, s, frame, origin, place)
    if request is None:
        # Without a request, the evaluator knows the value.
        ctx.evaluator.begin(origin, frame.depth, frame.facts)
        value = ctx.evaluator._choose(s, ctx.evaluator.frame(frame.depth, place))
        return Hidden(s, s.name, s.player, "random", {(value,) if s.count is None else value: 1}, None)
    decided = None if ctx.policy.decide is None else ctx.policy.decide(request)
    if decided is not None:
        check_choice(request, decided)
        return Hidden(s, request.name, s.player, "random", {decided: 1}, request)
    side = ctx.policy.players.get(request.player, "open")
    return Hidden(s, request.name, s.player, side, ways_to_choose(request, ctx.meter), request)


def plans_of(choices: Sequence[Hidden], side: str) -> list[Plan]:
    """All plans of one side."""
    mine = [each.ways for each in choices if each.side == side]
    total = prod(sum(ways.values()) for ways in mine)
    return [Plan(ways, prod(each[way] for each, way in zip(mine, ways, strict=True)), total) for ways in product(*mine)]


def chosen_by(choices: Sequence[Hidden], plans: Mapping[str, Plan]) -> Iterator[tuple[ir.Choose, Any]]:
    """The steps with the values that are chosen, if each side has a plan."""
    left = {side: iter(plan.ways) for side, plan in plans.items()}
    for each in choices:
        way = next(left[each.side])
        yield each.statement, frozen_value(way[0] if each.statement.count is None else way)


def equilibrium(ctx: Context, choices: Sequence[Hidden], found: Sequence[Sequence[Mixture]], state: State) -> Mixture:
    """The answer if both sides play optimally, with their decisions.

    Args:
        ctx: The context.
        choices: The choices.
        found: The answer for each plan of the side that maximises the aim, and each plan of the other side.
        state: The state at the choices.
    """
    gains = [[aim_of(ctx, each) for each in row] for row in found]
    game = solve(gains)
    chances = [[row * column for column in game.columns] for row in game.rows]
    parts = [
        (chance.numerator, chance.denominator, each)
        for of_row, row in zip(chances, found, strict=True)
        for chance, each in zip(of_row, row, strict=True)
        if chance
    ]
    answer = evolve(mixed(parts), cut=max(each.reach for row in found for each in row))
    for decision in _decisions(choices, gains, game, told(ctx, state)):
        following = (answer,) if answer.decides else ()
        answer = evolve(answer, decision=decision, parts=following)
    return answer


def _decisions(
    choices: Sequence[Hidden], gains: Sequence[Sequence[Fraction]], game: Game, known: tuple[tuple[str, Any], ...]
) -> Iterator[Decision]:
    """The decision of each side, with what each way gains against the other side's strategy; the last one first."""
    columns = [_mean(column, game.rows) for column in zip(*gains, strict=True)]
    rows = [_mean(row, game.columns) for row in gains]
    for side, values, chances in (("worst", columns, game.columns), ("best", rows, game.rows)):
        mine = [each for each in choices if each.side == side]
        if not mine:
            continue
        ways = [tuple(value for way in plan.ways for value in way) for plan in plans_of(choices, side)]
        name, players = ", ".join(each.name for each in mine), dict.fromkeys(each.player for each in mine)
        chosen = ways[chances.index(max(chances))]
        is_mixed = max(chances) < 1
        yield Decision(
            name, ", ".join(players), tuple(zip(ways, values, strict=True)), chosen, known, chances if is_mixed else ()
        )


def _mean(values: Sequence[Fraction], chances: Sequence[Fraction]) -> Fraction:
    return sum((value * chance for value, chance in zip(values, chances, strict=True)), Fraction(0))
