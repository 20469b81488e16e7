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


FIELDS: Final = """
record shot
  x  0..9 = 1
  y  0..9 = 2
facts
  shot  shot
helper procedure total
  facts
    x  0..20
    y  0..9
  1. give result = x * 10 + y
procedure p
  1. call total with fields of shot, x 5 as got
  2. give result = got.result
"""


def test_a_fact_that_is_given_goes_before_a_field_of_the_same_name() -> None:
    for text in (FIELDS, FIELDS.replace("fields of shot, x 5", "x 5, fields of shot")):
        assert enfilade.load(text=text).resolve("p", shot={"name": "s"}).outputs["result"] == 52


THEN: Final = """
facts
  n  0..2
effect a
effect b
effect c
chart t
  down  n
  cells codes
  | n | r |
  | 0 | A |
  | 1 | B |
  | 2 | C |
results of t
  A
    a
  B
    b
  C
  then A, B
    c
procedure p
  1. read t as found
  2. apply found
  3. give result = found.code
"""


def test_then_continues_the_entry_of_each_code_that_it_names() -> None:
    rules = enfilade.load(text=THEN)
    found = [[each.effect for each in rules.resolve("p", n=n).effects] for n in range(3)]
    assert found == [["a", "c"], ["b", "c"], []]


def test_then_can_not_continue_a_part_of_an_entry() -> None:
    together = THEN.replace("  A\n    a\n  B\n    b\n", "  A, B\n    a\n")
    assert enfilade.load(text=together).resolve("p", n=1).effects[1].effect == "c"
    with pytest.raises(enfilade.RulesetError, match="`B` shares its entry with `A`"):
        enfilade.load(text=together.replace("then A, B", "then B"))
