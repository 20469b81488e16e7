"""Examples as data."""

from fractions import Fraction
from pathlib import Path

from tests.check.marking import MAIN, cases_in

import enfilade


def test_an_example_is_plain_data_for_those_who_run_it() -> None:
    cases = cases_in(Path(__file__).with_name("cases").joinpath("examples.rules").read_text(encoding="utf-8"))
    head, _, _ = cases[0].files[MAIN].partition("example")
    rules = enfilade.load(
        text=f"""{head}example shot "it"
  given fire 3, night, half 1/2, ground [clear, woods], unit rifles (steps 3), unit gun (kind gun, place rifles)
  option fog
  option edge misses
  on 3 5
  choosing rifles, yes, [rifles, gun]
  gives X
  effect loss on rifles with amount 2
  expect total is 4 and steps of rifles is 3
  chance of X or worse = 4/6
"""
    )
    (example,) = rules.program.examples
    assert example.facts == {
        "fire": 3,
        "night": True,
        "half": Fraction(1, 2),
        "ground": ["clear", "woods"],
        "units": [{"name": "rifles", "steps": 3}, {"name": "gun", "kind": "gun", "place": "rifles"}],
    }
    assert example.options == {"fog": True, "edge": "misses"}
    assert (example.faces, example.choices) == ((3, 5), ("rifles", True, ["rifles", "gun"]))
    assert (example.gives, example.effects) == ("X", (("loss", {"amount": 2, "unit": "rifles"}),))
    assert [chance.wanted for chance in example.chances] == [Fraction(2, 3)]
