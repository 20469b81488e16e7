"""Statements in a run that asks, in the reference evaluator, and printed again; ``statements.md`` has what they do.

The page is in ``tests/cli/pages``.
"""

from __future__ import annotations

from typing import Final

import pytest

import enfilade
from enfilade.core.evaluate import Machine
from enfilade.core.run import Frame
from enfilade.engines.askers import ScriptAsker
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse

MUST: Final = """
facts
  distance   1..
  fire_type  one of bombardment, reaction = bombardment
procedure fire "Fire"
  1. distance must be 1 "reaction fire is at an adjacent hex" when fire_type is reaction  [7]
  2. roll d6 as die
     give result = 3 / (distance - die)
procedure fire_twice
  1. call fire as first_shot
  2. give fields of first_shot
  3. give ways = distance spread evenly over [2, 2]
"""
WRONG: Final = {"distance": 2, "fire_type": "reaction"}


@pytest.fixture(scope="module")
def rules() -> enfilade.Ruleset:
    return enfilade.load(text=MUST)


@pytest.mark.parametrize("procedure", ["fire", "fire_twice"])
def test_facts_that_contradict_each_other_begin_no_run(rules: enfilade.Ruleset, procedure: str) -> None:
    with pytest.raises(enfilade.InputError) as caught:
        rules.begin(procedure, given=WRONG)
    (fault,) = caught.value.errors
    told = "reaction fire is at an adjacent hex"
    assert (fault.parameter, fault.value, fault.allowed, fault.message) == ("distance", 2, "1", told)


def test_the_reference_evaluator_says_the_same(rules: enfilade.Ruleset) -> None:
    machine = Machine(rules.program, {}, WRONG, None, ScriptAsker())  # type: ignore[arg-type]
    with pytest.raises(enfilade.InputError, match="adjacent hex"):
        machine._statement(rules.program.procedures["fire"].body[0], Frame())


def test_a_run_that_asks_says_where_it_failed(rules: enfilade.Ruleset) -> None:
    run = rules.begin("fire", distance=4)
    with pytest.raises(
        enfilade.RuleError, match=r"line 8 in fire: `3 / \(distance - die\)`, where distance is 4 and die"
    ):
        run.answer([4])


def test_they_read_the_same_when_printed() -> None:
    module = parse_module(SourceFile.from_text(MUST)).module
    for words in (
        'distance must be 1 "reaction fire is at an adjacent hex" [7] when fire_type is reaction',
        "give fields of first_shot",
        "distance spread evenly over",
    ):
        assert words in unparse(module)
    assert parse_module(SourceFile.from_text(unparse(module))).module == module
