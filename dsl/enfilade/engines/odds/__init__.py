"""Odds: the chances of everything that a procedure can come to, as exact fractions."""

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
    raise NotImplementedError
