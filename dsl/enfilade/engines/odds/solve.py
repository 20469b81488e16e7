"""The answer to a question: forward simulation, or expectimax if players choose with an aim."""

from __future__ import annotations

from attrs import evolve

from enfilade.core.graph import analysis
from enfilade.engines.odds.analysis.planner import Planner
from enfilade.engines.odds.forward import Forward
from enfilade.engines.odds.interface import Ask, NeedsPolicy, Policy, Progress, Situation, Weighted
from enfilade.engines.odds.question import Question
from enfilade.engines.odds.shapes import Shape, Shapes
from enfilade.engines.odds.states.causes import cut_off, name_causes
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import merged, one_state, projected
from enfilade.errors import LimitError
from enfilade.limits import Limits


def solve(
    situation: Situation, asks: tuple[Ask, ...], policy: Policy, limits: Limits, progress: Progress | None
) -> Weighted:
    """Answer some questions; see ``exact_odds``."""
    planner, shapes = analysis(situation.program, Planner), analysis(situation.program, Shapes)

    known = shapes.known_answer(situation, asks, policy)
    if known is not None:
        return known
    shape = shapes.taken(situation, asks, policy, limits, progress)
    if shape is None:
        question = Question(situation, asks, planner)
        ctx = Context(situation, planner, policy, limits, question.effects, Forward(), progress)
        shape = Shape(ctx, question, asks)
    try:
        try:
            answer = _simulated(shape.ctx, shape.question)
        except NeedsPolicy:
            # Either a player chooses with an aim, or all options may give the same answer.
            answer = _with_choices(shape.ctx, shape.question)
        else:
            shapes.keep(shape, answer)
        return _with_causes(shape.ctx, answer)
    except LimitError as error:
        name_causes(shape.ctx, error)
        raise


def _with_choices(ctx: Context, question: Question) -> Weighted:
    """The answer by expectimax; the time that was used, and the steps that were memoised, count."""
    from enfilade.engines.odds.expectimax.expectimax import ComesBackToHiddenChoices, Expectimax

    try:
        return Expectimax(ctx, question).answer()
    except ComesBackToHiddenChoices:
        return Expectimax(ctx, question, comes_back=False).answer()


def _with_causes(ctx: Context, answer: Weighted) -> Weighted:
    """The answer with the rolls and loops that were cut off, if it is not exact."""
    return evolve(answer, cut_off=cut_off(ctx)) if answer.remainder else answer


def _simulated(ctx: Context, question: Question) -> Weighted:
    """The answer by forward simulation from the start.

    Raises:
        NeedsPolicy: A choice has no policy.
        Refused: The rules refuse the situation for at least some dice.
    """
    frame, origin = ctx.root_frame(question.live), ctx.root()
    block = ctx.planner.procedure(ctx.situation.procedure, question.live)
    flow = ctx.run(one_state(), block, frame, origin)
    if flow.refusal is not None:
        raise flow.refusal
    ended = projected(merged([flow.done, flow.stopped]), ctx.live_slots(question.live, 1))
    return question.weighted(ctx, frame, ended, origin)
