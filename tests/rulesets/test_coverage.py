"""The examples of every shipped ruleset use all that can be used, but for single cells."""

from typing import Final

import pytest

import enfilade
from enfilade.tools.coverage import Tracker
from enfilade.tools.examples import run_examples

RULESETS: Final = ("fire_combat", "infantry_attacks", "emperor_musketry", "bombardment", "franco_prussian")


@pytest.mark.parametrize("name", RULESETS)
def test_examples_reach_every_row_column_modifier_code_and_refusal(name: str) -> None:
    program = enfilade.load(name).program
    tracker = Tracker(program)
    played = [result.procedure for result in run_examples(program, tracker)]
    counts = tracker.coverage(played).counts
    missed = {count.kind: [item.name for item in count.never] for count in counts if count.never}
    missed.pop("cells", None)
    assert missed == {}
    assert sum(count.total for count in counts) > 15
