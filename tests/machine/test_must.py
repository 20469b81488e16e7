"""`FACT must be T when C`: facts that contradict each other are an input error, in every engine."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import enfilade
from enfilade.core.evaluate import Machine
from enfilade.core.run import Frame
from enfilade.diagnostics.diagnostic import Severity
from enfilade.engines.askers import ScriptAsker
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse

RULES = """
words place one of hull, engine
record unit
  steps      0..4 = 2
  disrupted  0.. = 0
  boxes      map of place to 0.. = 1
facts
  distance   1..
  fire_type  one of bombardment, reaction = bombardment
  guns       unit

procedure fire "Fire"
  1. distance must be 1 "reaction fire is at an adjacent hex" when fire_type is reaction  [7]
     guns.disrupted must be guns.steps or less
     guns.boxes of hull must be 1..3
  2. roll d6 as die
     give result = die

procedure fire_twice
  1. call fire as first_shot
  2. give result = first_shot.result
"""
GOOD: dict[str, Any] = {"distance": 1, "guns": {"name": "g"}}
WRONG: list[tuple[dict[str, Any], str, Any, str, str]] = [
    ({"distance": 2, "fire_type": "reaction"}, "distance", 2, "1", "reaction fire is at an adjacent hex"),
    (
        {"guns": {"name": "g", "disrupted": 3}},
        "disrupted", 3, "guns.steps or less", "disrupted is 3, but must be guns.steps or less",
    ),
    ({"guns": {"name": "g", "boxes": {"hull": 4, "engine": 1}}}, "boxes", 4, "1..3", "boxes is 4, but must be 1..3"),
]  # fmt: skip


@pytest.fixture(scope="module")
def rules() -> enfilade.Ruleset:
    return enfilade.load(text=RULES)


@pytest.mark.parametrize("facts", [GOOD, {**GOOD, "distance": 7}, {**GOOD, "fire_type": "reaction"}])
def test_facts_that_fit_are_played(rules: enfilade.Ruleset, facts: dict[str, Any]) -> None:
    assert rules.resolve("fire", **facts, dice=[4]).result == 4
    assert rules.odds("fire", **facts).result[4] == Fraction(1, 6)


@pytest.mark.parametrize(("facts", "parameter", "value", "allowed", "message"), WRONG)
@pytest.mark.parametrize("procedure", ["fire", "fire_twice"])
def test_facts_that_contradict_each_other_are_an_input_error(
    rules: enfilade.Ruleset,
    procedure: str,
    facts: dict[str, Any],
    parameter: str,
    value: Any,
    allowed: str,
    message: str,
) -> None:
    for ask in (
        lambda: rules.resolve(procedure, **{**GOOD, **facts}, dice=[4]),
        lambda: rules.odds(procedure, **{**GOOD, **facts}).result,
        lambda: rules.begin(procedure, **{**GOOD, **facts}),
    ):
        with pytest.raises(enfilade.InputError) as caught:
            ask()
        (fault,) = caught.value.errors
        assert (fault.parameter, fault.value, fault.allowed, fault.message) == (parameter, value, allowed, message)


def test_the_reference_evaluator_says_the_same(rules: enfilade.Ruleset) -> None:
    program = rules.program
    reader = rules.resolve("fire", **GOOD, dice=[4])
    assert reader.result == 4
    machine = Machine(program, {}, {"distance": 2, "fire_type": "reaction"}, None, ScriptAsker())  # type: ignore[arg-type]
    with pytest.raises(enfilade.InputError, match="adjacent hex"):
        machine._statement(program.procedures["fire"].body[0], Frame())


def test_it_stands_before_any_roll() -> None:
    text = "facts\n  n  0..\nprocedure p\n  1. roll d6 as die\n  2. n must be 1\n  3. give result = die + n\n"
    errors = [each.message for each in enfilade.check(text) if each.severity is Severity.ERROR]
    assert errors == ["`n must be` can be reached after a roll or a choice"]


def test_it_reads_the_same_when_printed() -> None:
    module = parse_module(SourceFile.from_text(RULES)).module
    assert "distance must be 1 when fire_type is reaction" in unparse(module)
    assert parse_module(SourceFile.from_text(unparse(module))).module == module


def test_must_is_no_reserved_word() -> None:
    rules = enfilade.load(text="facts\n  must  0..\nprocedure p\n  1. must must be 2\n  2. give result = must\n")
    assert rules.resolve("p", must=2).result == 2
