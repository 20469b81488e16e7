"""What is said to be looked at whatever happens is looked at, whatever happens: in every ruleset, in many situations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from attrs import evolve
from tests.differential.comparing import Start
from tests.differential.cores import CORES
from tests.differential.enumerate import Answers, Path
from tests.differential.programs import SOURCES, Situations, probed, program_of

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.needed_facts import NeededFacts
from enfilade.core.requests import FactRequest
from enfilade.limits import Limits
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

SITUATIONS = 6
LIMITS = Limits(steps=20_000)
"""What has no end is to be ended soon."""


class Watched(Machine):
    """The reference evaluator, with a list of the facts that nothing which it called was given."""

    def __init__(self, program: ir.Program, start: Start, asker: Answers) -> None:
        super().__init__(program, start.options, {}, start.state, asker, limits=LIMITS)
        self.looked_at: set[str] = set()

    def fact(self, name: str) -> Any:
        """Note it, unless a call gives it."""
        if name not in self.facts:
            self.looked_at.add(name)
        return super().fact(name)


class Told(Answers):
    """Answers with the facts of a situation, and otherwise along a path."""

    def __init__(self, path: Path, facts: Mapping[str, Any], program: ir.Program) -> None:
        super().__init__(path)
        self._facts = facts
        self._names = {id(declared): name for name, declared in _declared(program)}

    def fact(self, request: FactRequest) -> Any:
        """The fact, where the situation has it."""
        name = self._names[id(request.input)]
        return self._facts[name] if name in self._facts else super().fact(request)


def _declared(program: ir.Program) -> Iterator[tuple[str, ir.Input]]:
    yield from program.facts.items()
    for name, procedure in program.procedures.items():
        yield from ((f"{name}.{own}", declared) for own, declared in procedure.facts.items())


def asking(program: ir.Program) -> ir.Program:
    """A program that asks for facts which have a default too, so that a situation can say them."""
    procedures = {name: evolve(each, facts=_required(each.facts)) for name, each in program.procedures.items()}
    return evolve(program, facts=_required(program.facts), procedures=procedures)


def _required(facts: Mapping[str, ir.Input]) -> dict[str, ir.Input]:
    return {name: evolve(declared, has_default=False) for name, declared in facts.items()}


class Whole(Situations):
    """Situations in which every fact is given."""

    def is_given(self, fact: ir.Input) -> bool:
        """It is."""
        return True

    def is_known(self, name: str) -> bool:
        """Whether a fact is known beforehand; one that is left to its default is."""
        return self.declared(name).has_default or self.rng.random() < 0.5


def looked_at(program: ir.Program, start: Start, path: Path) -> set[str] | None:
    """The facts that a run looks at; ``None`` where it does not come to its end."""
    machine = Watched(program, start, Told(path, start.facts, program))
    try:
        machine.run(start.procedure)
    except Exception:
        # A probe gives arguments of any kind, and may come to nothing.
        return None
    return machine.looked_at


def hold(program: ir.Program, name: str) -> int:
    """Hold a program to what is said to be certain in it; gives how many runs came to their end."""
    rng, ended, demands, asks = random.Random(name), 0, NeededFacts(program), asking(program)
    for procedure in program.procedures:
        for _ in range(SITUATIONS):
            made = Whole(program, rng)
            start = Start(procedure, made.options(), *made.facts(procedure))
            seen = looked_at(asks, start, Path(rng=rng))
            if seen is None:
                continue
            ended += 1
            assert set(demands.certain(procedure)) <= seen
            known = {each: value for each, value in start.facts.items() if made.is_known(each)}
            assert set(demands.certain(procedure, start.options, known)) <= seen
    return ended


def few_of(names: Iterable[str]) -> list[Any]:
    """All names; the default run has every twelfth."""
    return [pytest.param(name, marks=pytest.mark.thorough if number % 12 else ()) for number, name in enumerate(names)]


# -------------------------------------------------------------------------------------------------- drawn rulesets


class Drawn:
    """Draws the text of a ruleset in which much is looked at on some ways only.

    Args:
        rng: Who decides.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def text(self) -> str:
        """The whole text."""
        procedures = "\n".join(self.procedure(number) for number in range(4))
        return f"""
facts
  a   yes/no
  b   yes/no
  c   yes/no
  d   yes/no
  m   0..5
  n   0..5
  hit 1..6
define windy = {self.condition()}
define calm = not windy or {self.condition()}
chart losses
  down    m
  find    hit
  row above  {self.rng.choice(["stays", "gives -", "gives - , or stays when windy"])}
  | m    | few  | many |
  | 0..3 | 1..2 | 3..6 |
  | 4    | 1    | 2..6 |
modifiers sums "sums", {self.rng.choice(["cumulative", "only the highest"])}
  +1 one {self.condition()}
     but -1 when {self.condition()}
  when {self.condition()}
    +(n) two {self.condition()}
  {self.rng.choice(["net at most m", "-1 three calm"])}
effect end (amount 0..)
  {self.stop()}
effect far (amount 0..)
  {self.rng.choice(["end with amount amount", "when calm: end with amount amount", "end with amount m"])}
{procedures}"""

    def procedure(self, number: int) -> str:
        """A procedure that may call those after it, and now and then itself."""
        steps = [self.step(number, "  ") for _ in range(self.rng.randint(2, 4))]
        lines = "\n".join(f"  {at}. {step}" for at, step in enumerate(steps, 1))
        own = "  facts\n    k 0..3 = 0\n" if self.rng.random() < 0.4 else ""
        return f"procedure p{number}\n{own}{lines}\n  9. give last = {self.number()}"

    def stop(self) -> str:
        """Something that may stop."""
        return self.rng.choice(
            [f"when {self.condition()}: stop", "when amount > 3: stop", "when m > amount: far with amount 4"]
        )

    def step(self, number: int, indent: str) -> str:
        """One step, with those that stand in it."""
        inner = f"{indent}     "
        match self.rng.randint(0, 8):
            case 0:
                return f"when {self.condition()}: stop"
            case 1:
                return f"when {self.condition()}\n{inner}{self.plain()}\n{indent}   otherwise\n{inner}{self.plain()}"
            case 2:
                return f"{self.rng.choice(['end', 'far'])} with amount {self.number()}"
            case 3 if number < 3:
                return f"call p{self.rng.randint(number + 1, 3)}{self.rng.choice(['', ' with m 2', ' with a b, n m'])} as came"
            case 4:
                return f"repeat {self.number()} times\n{inner}{self.plain()}"
            case 5:
                return f"when n > 3: call p{number} with n 1 as again"
        return self.plain()

    def plain(self) -> str:
        """A step that holds no others."""
        return self.rng.choice([
            f"give out = {self.number()}", f"give told = {self.condition()}", "read losses as loss",
            f"end with amount {self.number()}",
        ])  # fmt: skip

    def condition(self) -> str:
        """A condition."""
        one, two, way = self.rng.choice("abcd"), self.rng.choice("abcd"), self.rng.randint(0, 5)
        return (
            one,
            f"not {one}",
            f"{one} and {two}",
            f"{one} or {two} and n > 2",
            f"{one} and m > 3",
            f"{two} or n is 3",
        )[way]

    def number(self) -> str:
        """A number."""
        found = [
            "m",
            "n",
            f"(m when {self.condition()} otherwise n)",
            f"(1 when {self.condition()} otherwise 2)",
            "(sums but at least 0)",
        ]
        return self.rng.choice(found)


def drawn(seed: int) -> ir.Program | None:
    """A ruleset that was drawn, unless it makes no sense."""
    source = SourceFile.from_text(f"enfilade 1\nruleset drawn\n{Drawn(random.Random(seed)).text()}")
    return check_source(source, Folders()).program


@pytest.mark.thorough
def test_it_is_so_in_rulesets_that_are_drawn() -> None:
    programs = [program for seed in range(30) if (program := drawn(seed)) is not None]
    assert len(programs) > 15
    assert sum(hold(program, str(number)) for number, program in enumerate(programs)) > 100


@pytest.mark.parametrize("name", few_of(SOURCES))
def test_what_is_certain_is_looked_at_in_every_run_that_comes_to_its_end(name: str) -> None:
    program = probed(program_of(name))
    assert hold(program, name) or not program.procedures


@pytest.mark.parametrize("name", few_of(CORES))
def test_it_is_so_in_programs_that_no_text_can_say(name: str) -> None:
    hold(CORES[name](), name)
