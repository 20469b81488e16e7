"""Exact odds: the chances of everything that a procedure can do, as exact fractions.

The engine simulates all outcomes at once: it carries a distribution over states from step to step. The cost depends on the
number of states that differ in live variables, not on the number of throws: two hundred hits on one target cost two
hundred steps over the states of that target.

Plan, once for each ruleset and each set of variables that a question reads (folder ``analysis``):

- ``uses``: the variables that expressions read. Built on ``core.traits`` and ``core.graph``.
- ``liveness``: liveness analysis, a backward dataflow analysis with a fixpoint for loops.
- ``called``: the same within effects, results and calls. ``endings``: the variables live at the end of a call.
- ``dead_code`` and ``purity``: dead code elimination, the steps that can be left out.
- ``aggregates``, ``pool_plan`` and ``steady``: the values that the rules read from a roll, which replace its faces.
- ``demands``: lists whose order is never read, so they are multisets, and what is read of their elements.
- ``thresholds``: numbers that only rise and are only compared, so they are capped.
- ``commuting_rounds``: loops over a list in which the order of the rounds does not matter.
- ``running_totals``: the sums that need only one number in each state.
- ``planner`` makes the plan; ``plan`` has its data.

Roll (folder ``rolls``, and its arithmetic in ``dice``, which knows no rules):

- ``rolls.roll`` chooses the method for a roll, ``rolls.outcomes`` turns the result into states.
- ``dice.convolution``: totals and counts, by multiplying polynomials.
- ``dice.keep_highest``: "highest 2 of 5d6", order statistics.
- ``dice.multisets``: other values that do not depend on the order of the dice.
- ``rolls.rerolls``, ``rolls.explosions``, ``dice.exploding`` and ``tails``: dice that are rolled again; the tail of an
  unbounded explosion.
- ``rolls.draws``: cards drawn without replacement.

Run (folder ``steps``, one file for each kind of step):

- ``solve`` answers a question; ``question`` reads the final states. ``shapes`` keeps the context and the memoised
  steps for the next question of the same shape.
- ``reads`` lists what an answer can depend on, without simulating anything.
- ``forward`` simulates the steps of a block over a distribution.
- ``steps.tasks`` and ``steps.composite``: how each composite step is entered and left (branches, loops, effects, calls,
  results, simultaneous parts). ``forward`` schedules their tasks from the beginning, ``expectimax`` from the end.
- ``steps.calls``, ``steps.apply_results``, ``steps.simultaneous``, ``steps.loops``: what belongs to one kind of step.
- ``steps.fold_records`` keeps the running totals. ``steps.independent_rounds``: rounds that only add to them are dice of a pool.
- ``steps.markov_chain`` and ``steps.linear_equations``: loops until a condition holds, solved as a Markov chain.
- ``steps.choices``: choices with a fixed policy. ``expectimax``: players who choose with an aim, from the end backward;
  ``mixture`` belongs to it.

All parts share the ``context``: program, plans, limits, slots, evaluator and caches.

- ``distribution``, ``slots`` and ``live_slots``: states as rows of live slots, with weights.
- ``kernels`` and ``transitions``: memoisation. A step runs once for all states that agree in everything it reads.
- ``symmetry``: a block that runs for each of several records runs once for all that are alike.
- ``state_evaluator``: the reference evaluator in one state; ``expressions`` compiles and memoises values.
- ``interface``: the data of questions and answers. ``known_answers``: dice already rolled.
- ``meter``: the budget of time and memory (``memory``). ``causes``: what makes a question too large.
"""

from __future__ import annotations

from enfilade.engines.odds.interface import (
    MOST_DECISIONS,
    Ask,
    Decision,
    NeedsPolicy,
    Policy,
    Progress,
    Situation,
    Weighted,
    Whole,
)
from enfilade.limits import Limits, limits_or_those_in_force, one_question

__all__ = [
    "MOST_DECISIONS",
    "Ask",
    "Decision",
    "NeedsPolicy",
    "Policy",
    "Progress",
    "Situation",
    "Weighted",
    "Whole",
    "exact_odds",
]


def exact_odds(
    situation: Situation,
    asks: tuple[Ask, ...],
    policy: Policy | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Weighted:
    """The chance of each combination of values of some questions.

    Args:
        situation: The procedure with its facts.
        asks: The questions about the end of the run.
        policy: How the players choose.
        limits: The limits; those in force if not given.
        progress: Called from time to time with the work done.

    Returns:
        The weight of each tuple of values, over a total.

    Raises:
        Refused: The rules refuse the situation.
        NeedsPolicy: The answer depends on a choice that has no policy.
        InputError: A fact is missing.
        RuleError: The rules reach a case that they do not cover.
        LimitError: The work exceeds the limits.
    """
    # Imported here, so a program that only plays does not load the engine.
    from enfilade.engines.odds.solve import solve

    limits = limits_or_those_in_force(limits)
    with one_question(limits):
        return solve(situation, asks, policy or Policy(), limits, progress)
