"""Arguments of public functions about which more is asked than of what kind they are."""

from __future__ import annotations

from typing import Any

from enfilade.door import read_argument
from enfilade.engines.committed_dice import CommittedDice
from enfilade.errors import AnswerError


def require_dice(given: Any, rules: str) -> int | str | CommittedDice | None:
    """Return a seed or committed dice.

    Args:
        given: The argument.
        rules: The digest of the ruleset.

    Raises:
        ArgumentError: It is neither.
        AnswerError: The dice are committed for another ruleset.
    """
    if isinstance(given, CommittedDice) and given.rules != rules:
        raise AnswerError("these dice were committed for another ruleset")
    return None if given is None else read_argument("seed", given, "Seed")


def merged_facts(given: Any, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of ``given=`` and of the keywords; keywords take precedence."""
    return facts if given is None else {**read_argument("given", given, "Mapping[str, Any]"), **facts}
