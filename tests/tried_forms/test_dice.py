"""Dice, loops, cards: the forms that authors tried first, each as a small ruleset."""

from __future__ import annotations

from fractions import Fraction

from tests.tried_forms.trying import tried

# ------------------------------------------------------------------------------------------------------- odds


def test_h1_an_output_of_a_call_without_dice_is_read_after_a_later_roll() -> None:
    rules = tried("""
procedure set
  1. give result = 3

procedure play
  1. call set as s
  2. roll d6 as x
  3. give result = x + s.result
""")
    assert rules.plays(2)["result"] == 5
    assert rules.chance("result is 5") == Fraction(1, 6)
