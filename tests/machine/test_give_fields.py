"""`give fields of x`: the outputs of a call as outputs of the caller."""

from __future__ import annotations

from fractions import Fraction

import pytest

import enfilade
from enfilade.diagnostics.diagnostic import Severity
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse

VOLLEY = """
facts
  lives  0..3

procedure volley "One side fires"
  1. roll lives d6 as dice
  2. give kills = count of dice.values where each >= 4  "hits" [3.4]
     give best  = highest of dice.values or 0
"""
FIRE = """
procedure fire "Fire"
  1. call volley as shot
  2. give fields of shot
     give best   = 10 * best
     give result = kills
"""
GOOD = VOLLEY + FIRE


def test_every_output_of_the_call_is_given_and_a_later_step_replaces_one() -> None:
    outcome = enfilade.load(text=GOOD).resolve("fire", lives=2, dice=[4, 6])
    assert dict(outcome.outputs) == {"kills": 2, "best": 60, "result": 2}


def test_the_label_and_citations_are_those_of_the_called_procedure() -> None:
    outputs = {each.name: each for each in enfilade.load(text=GOOD).procedure("fire").outputs}
    assert (outputs["kills"].label, outputs["kills"].cites) == ("hits", ("3.4",))


def test_the_explanation_tells_each_value_once() -> None:
    outcome = enfilade.load(text=GOOD).resolve("fire", lives=2, dice=[4, 6])
    assert str(outcome.explain()).count("hits: 2") == 1


def test_an_output_that_the_call_did_not_give_is_none() -> None:
    text = GOOD.replace("     give best  =", "     when kills is 0: give missed = yes\n     give best  =")
    rules = enfilade.load(text=text)
    given = [rules.resolve("fire", lives=1, dice=[face]).outputs["missed"] for face in (1, 6)]
    assert given == [True, None]
    assert rules.odds("fire", lives=1).of("missed")[None] == Fraction(1, 2)


def test_odds_of_an_output_that_came_from_the_call() -> None:
    odds = enfilade.load(text=GOOD).odds("fire", lives=2)
    assert odds.of("kills")[2] == odds.result[2] == Fraction(1, 4)


def test_a_step_with_it_reads_the_same_when_printed() -> None:
    module = parse_module(SourceFile.from_text(GOOD)).module
    assert "give fields of shot" in unparse(module)
    assert parse_module(SourceFile.from_text(unparse(module))).module == module


def test_an_output_may_still_be_called_fields() -> None:
    rules = enfilade.load(text="procedure p\n  1. give fields = 3\n  2. give result = fields\n")
    assert dict(rules.resolve("p").outputs) == {"fields": 3, "result": 3}


@pytest.mark.parametrize(
    ("value", "message"), [("lives", "this is 0..3, not the outputs of a call"), ("shoot", "there is no fact")]
)
def test_what_is_no_call_is_told(value: str, message: str) -> None:
    text = GOOD.replace("give fields of shot", f"give fields of {value}").replace("give best   = 10 * best", "stop")
    found = enfilade.check(text.replace("give result = kills", "stop"))
    errors = [each for each in found if each.severity is Severity.ERROR]
    assert len(errors) == 1
    assert message in errors[0].message
