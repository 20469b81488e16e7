"""Hostile rulesets end within ``Limits.untrusted()``, with our errors; ``benchmarks/hostile.py`` measures all of them."""

from __future__ import annotations

from typing import Final

import pytest
from benchmarks.hostile import HOSTILE, tried

import enfilade

ONE_OF_EACH: Final = {
    "deep nesting": "brackets",
    "long lines": "quote",
    "long chains": "doubling",
    "many declarations": "definitions",
    "large charts": "columns",
    "misspelt names": "look-alikes",
    "huge numbers": "powers",
    "huge lists": "doubled",
    "endless loops": "nested",
    "explosions and rerolls": "reroll",
    "big pools in odds": "sum",
    "loops in odds": "many rolls",
    "recursion between modules": "outside",
    "huge outputs": "effects",
    "odd texts": "control characters",
}


LARGE: Final = {"loops in odds", "many declarations", "long chains"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.thorough if kind in LARGE else ()) for kind in HOSTILE]
)
def test_every_call_of_a_hostile_ruleset_ends_or_raises_our_errors(kind: str) -> None:
    assert tried(HOSTILE[kind][ONE_OF_EACH[kind]])


def test_a_long_chain_of_procedures_is_described_with_the_refusal_at_its_end() -> None:
    chain = "".join(f"procedure p{n}\n  1. call p{n + 1}\n" for n in range(400))
    rules = enfilade.load(text=f'{chain}procedure p400\n  1. refuse late "too late" when 1 is 1\n')
    assert {len(each.refusals) for each in rules.procedures} == {1}
