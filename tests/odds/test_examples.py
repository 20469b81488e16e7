"""Every example of every ruleset there is: the odds of its situation are those of brute force.

``ENFILADE_SEQUENCES=20000`` tries more sequences of dice for each than usual.
"""

import os
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from attrs import evolve
from tests.differential.programs import Situations, each_source, program_of
from tests.odds.brute_force import Decide, first, last, told
from tests.odds.comparing import SMALL, check

from enfilade.core import ir
from enfilade.core.inputs import convert_facts, convert_options
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds import Ask, Situation, Whole

SEQUENCES: Final = int(os.environ.get("ENFILADE_SEQUENCES", "400"))
WHOLES: Final = (Whole("outputs"), Whole("effects"), Whole("state"))


def cases(program: ir.Program) -> Iterator[Situation]:
    """The situation of each example, once."""
    seen = set()
    for example in program.examples:
        if example.procedure not in program.procedures or example.input_error is not None:
            continue
        facts, state = convert_facts(program, program.procedures[example.procedure].inputs, example.facts)
        found = Situation(program, example.procedure, convert_options(program, example.options), facts, state)
        key = (example.procedure, repr(found.options), repr(facts), repr(state))
        if key not in seen:
            seen.add(key)
            yield found


def asks_of(case: Situation) -> tuple[Ask, ...]:
    """Outputs, effects and state as wholes, and each output."""
    outputs = case.program.procedures[case.procedure].outputs
    return (*WHOLES, *map(ir.Local, outputs))


def questions(asks: tuple[Ask, ...], number: int) -> Iterator[tuple[int, ...]]:
    """Each whole, some outputs alone, two outputs together; others in each case."""
    yield from ((0,), (1,), (2,))
    outputs = range(len(WHOLES), len(asks))
    if outputs:
        result = [index for index in outputs if asks[index] == ir.Local("result")]
        yield from ((index,) for index in result)
        rng = random.Random(number)
        yield (rng.choice(outputs),)
        yield rng.choice(outputs), rng.choice(outputs)
        yield rng.choice(outputs), 2


MOST: Final = 2
"""The examples of a procedure that are tried, from the first to the last."""
BRIEF: Final = evolve(SMALL, seconds=0.2)
"""For situations that nobody chose: work within one roll is limited by time alone."""
LARGE = ("deadlands", "king_of_tokyo", "savage_worlds", "star_fleet_damage", "undaunted_normandy", "yahtzee")
"""Games with examples whose joint odds are too large: whole hands, dice set aside, lists of systems that are hit.

So are some blocks of the manual, which show several forms in one procedure.
"""


def some_cases(program: ir.Program) -> Iterator[Situation]:
    """Some situations of each procedure, from all over its examples."""
    every = list(cases(program))
    for procedure in program.procedures:
        found = [case for case in every if case.procedure == procedure]
        yield from found[:: -(-len(found) // MOST) or 1]


# The examples of these two are also those of the ruleset that they are part of.
@each_source("\nexample ", but=("fire", "melee"))
def test_the_odds_of_examples_are_those_of_brute_force(name: str) -> None:
    for number, case in enumerate(some_cases(program_of(name))):
        asks = asks_of(case)
        limits = BRIEF if name in LARGE or name.startswith("manual-") else None
        check(case, asks, questions(asks, number), SEQUENCES, last if number % 2 else first, limits)


@each_source()
def test_the_odds_of_situations_by_chance_are_those_of_brute_force(name: str) -> None:
    program, rng = program_of(name), random.Random(name)
    for number, procedure in enumerate(program.procedures):
        made = Situations(program, rng)
        case = Situation(program, procedure, made.options(), *made.facts(procedure))
        asks = asks_of(case)
        check(case, asks, questions(asks, number), SEQUENCES // 4, first, BRIEF)


def as_listed(choices: tuple[Any, ...]) -> Decide:
    """Chooses what an example lists first, if it is legal, as the chances of the example do."""

    def decide(request: ChoiceRequest) -> tuple[Any, ...]:
        legal = [option for choice in choices for option in request.options if getattr(option, "key", option) == choice]
        return (legal[0],) if legal and request.count is None else first(request)

    return decide


@each_source("\n  chance ")
def test_the_chances_that_examples_state_are_those_of_brute_force(name: str) -> None:
    program = program_of(name)
    for example in program.examples:
        stated = [each for each in example.chances if not each.is_mean and not each.players]
        if stated and example.procedure in program.procedures:
            facts, state = convert_facts(program, program.procedures[example.procedure].inputs, example.facts)
            case = Situation(program, example.procedure, convert_options(program, example.options), facts, state)
            conditions = tuple(each.of for each in stated)
            found = check(case, conditions, [(0,), (len(conditions) - 1,)], SEQUENCES, as_listed(example.choices))
            for index, each in enumerate(stated):
                low = found.of(index).get((told(True),), Fraction(0))
                assert low <= each.wanted <= low + found.open, example.label
