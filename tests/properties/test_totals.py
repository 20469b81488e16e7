"""Where a roll says that its total alone is read, other faces of that total change nothing that comes of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define, field
from tests.differential.programs import ROOT

import enfilade
from enfilade import Outcome, RollQuestion, Ruleset, Run
from enfilade.core import ir
from enfilade.errors import InputError, RuleError

SOURCES: Final = [
    *("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks"),
    *(str(path) for path in sorted(ROOT.glob("tests/generality/*.rules"))),
]
THROWS: Final = 2


@define
class Twins:
    """Two runs of the same situation whose dice agree in their totals alone, wherever a total is said to do."""

    rng: random.Random
    apart: list[tuple[Any, Any]] = field(factory=list)

    def play(self, one: Run, other: Run) -> tuple[Outcome, Outcome]:
        """Play both to their ends."""
        while one.question is not None:
            assert one.question == other.question
            if isinstance(one.question, RollQuestion):
                faces = one.roll(self.rng.randrange(10**6)).log[len(one.log)].value
                changed = self.changed(one.question, faces)
                one, other = one.answer(faces), other.answer(changed)
            else:
                seed = self.rng.randrange(10**6)
                one, other = one.answer_random(seed), other.answer_random(seed)
        assert one.outcome is not None
        assert other.outcome is not None
        return one.outcome, other.outcome

    def changed(self, question: RollQuestion, faces: tuple[Any, ...]) -> tuple[Any, ...]:
        """Other faces of the same total, where the question says that they will do."""
        if not question.reads_total:
            return faces
        total = rolled(question, faces)
        for _ in range(200):
            again = tuple(
                self.rng.choice(dice.faces or range(1, dice.sides + 1))
                for dice in question.legal
                for _ in range(dice.count)
            )
            if again != faces and rolled(question, again) == total:
                self.apart.append((faces, again))
                return again
        return question.faces_for(total)


def rolled(question: RollQuestion, faces: tuple[Any, ...]) -> Any:
    slots = [die for count, die in question._groups for _ in range(count)]
    sides = [die.face(face) for die, face in zip(slots, faces, strict=True)]
    return sum(side.value for side in sides if side is not None)


def situations(rules: Ruleset) -> Iterator[tuple[ir.Example, Mapping[str, Any]]]:
    """The situations of the examples that are played."""
    for example in rules.program.examples:
        if example.procedure in rules.program.procedures and example.input_error is None:
            yield example, example.facts


def told(outcome: Outcome) -> dict[str, Any]:
    data = outcome.to_json(explanation=False)
    return {name: data[name] for name in data if name != "dice"} | {"decks": outcome.decks}


FEW: Final = ("infantry_attacks", "bombardment", "hammer_of_the_scots", "operational_combat", "wings_of_war")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(source, id=Path(source).stem, marks=() if Path(source).stem in FEW else pytest.mark.thorough)
        for source in SOURCES
    ],
)
def test_faces_of_the_same_total_come_to_the_same(source: str) -> None:
    rules = enfilade.load(source)
    twins = Twins(random.Random(source.rpartition("/")[2]))
    for example, facts in situations(rules):
        for _ in range(THROWS):
            try:
                run = rules.begin(example.procedure, given=facts, options=example.options)
                if run.question is not None and run.question.kind == "fact":
                    continue
                one, other = twins.play(run, run)
            except (InputError, RuleError):
                continue
            assert told(one) == told(other), (example.label, one.dice, other.dice)


def test_some_of_these_games_read_totals_and_were_tried_with_other_faces() -> None:
    rules = enfilade.load("infantry_attacks")
    twins = Twins(random.Random(1))
    for _ in range(20):
        run = rules.begin("direct_fire", fire_value=16)
        twins.play(run, run)
    assert len(twins.apart) > 10
