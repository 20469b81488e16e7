"""Odds: the chances of everything that a procedure can come to, as exact fractions.

How it goes about it, from the question to the answer:

1. *Plan* (``plan``, ``needs``). From the question backward: what does each step have to leave behind, because the question or a
   later step reads it? Everything else is dropped where it arises, and a step that only works out such a thing is left out.
2. *Pools* (``pool_plan``, ``pools``). What the rules read of a roll takes the place of its faces. Its distribution comes from
   polynomials and combinations, not from a list of throws.
3. *Worlds* (``worlds``). The run as far as it can still be seen: locals, facts of a call, fields, decks, effects. A
   distribution gives each world a whole number, over one total. Worlds that are alike are one.
4. *Kernels* (``view``, ``kernels``). A step without dice, choice or loop is run as play runs it, compiled, and what it reads is
   noted. A world that agrees in all of that takes the same way, unrun. Whole rounds of loops, calls, effects and results are
   kernels too: what they make of a world is worked out once for all worlds that look alike to them.
5. *Forward* (``engine``, ``chance``, ``loops``). From the start, step by step, over all worlds at once. Loops that come back to where
   they were are linear equations. An explosion without bound has a tail (``tails``).
6. *Choices* (``choices``). Where players choose in view of an aim, from the end backward: a world is worth what the best way to
   go on from it is worth.

So the cost follows the number of worlds that differ in what is still read, not the number of throws: two hundred hits on one
target cost as much as the target has states, two hundred times.
"""

from __future__ import annotations

from enfilade.engines.odds.answer import (
    Ask,
    Decision,
    NeedsPolicy,
    OddsLimits,
    Policy,
    Progress,
    Situation,
    Weighted,
    Whole,
)

__all__ = [
    "Ask",
    "Decision",
    "NeedsPolicy",
    "OddsLimits",
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
    limits: OddsLimits | None = None,
    progress: Progress | None = None,
) -> Weighted:
    """Work out the chances of what some questions come to.

    Args:
        situation: What is played, and with what.
        asks: What is asked of each end.
        policy: Who decides what.
        limits: How far it may go.
        progress: Told of the work done.

    Returns:
        The chance of each tuple of values.

    Raises:
        Refused: The rules do not allow it.
        NeedsPolicy: The answer hangs on a choice that nobody has made.
        InputError: A fact is missing.
        RuleError: The rules ran into something that they do not provide for.
        LimitError: It would take more than the limits allow.
    """
    # The engine is imported when odds are first asked for: whoever only plays does not wait for it.
    from enfilade.engines.odds.questions import answer

    return answer(situation, asks, policy or Policy(), limits or OddsLimits(), progress)
