"""Each question by Enfilade: the rules as an author writes them, loaded beforehand, and a new question each time."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.odds.tables import FIRE, FIRE_VALUE, RATING, STANDS, Side, Unit, equal_stack, melee_sides, stack
from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.graph import analysis
from enfilade.core.inputs import convert_facts
from enfilade.engines.odds import Situation, Weighted, exact_odds
from enfilade.engines.odds.shapes import Shapes
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

RULES = Path(__file__).parent / "rules"
SHIPPED = Path(__file__).parents[2] / "rulesets"
STACK_FIRE, LINE_FIRE = RULES / "stack_fire.rules", RULES / "line_fire.rules"
MORALE_HITS, CAMPAIGN = RULES / "morale_hits.rules", RULES / "campaign.rules"
POOLS, DUEL = RULES / "pools.rules", RULES / "duel.rules"
DIRECT_FIRE = SHIPPED / "infantry_attacks" / "infantry_attacks.rules"
MELEE = SHIPPED / "franco_prussian" / "melee.rules"
PATHS: set[Path] = set()


@cache
def program(path: Path) -> ir.Program:
    """A checked ruleset.

    Raises:
        ValueError: It has a mistake.
    """
    PATHS.add(path)
    found = check_source(SourceFile.from_path(path), Folders())
    if found.program is None:
        raise ValueError([diagnostic.message for diagnostic in found.diagnostics])
    return found.program


def ask(path: Path, procedure: str, facts: Mapping[str, Any], outputs: tuple[str, ...]) -> Weighted:
    """Ask a new question of a shape that was met: facts are converted, nothing of an answer is kept."""
    rules = program(path)
    known, state = convert_facts(rules, rules.procedures[procedure].inputs, facts)
    options = {option.name: option.default for option in rules.options.values()}
    return exact_odds(Situation(rules, procedure, options, known, state), asks(outputs))


@cache
def asks(outputs: tuple[str, ...]) -> tuple[ir.Expr, ...]:
    """The questions, so that the next call meets the shape of this one."""
    return tuple(ir.Local(output) for output in outputs)


def clear() -> None:
    """Forget every memoised result; plans, slots and frames are kept with the ruleset."""
    for path in PATHS:
        analysis(program(path), Shapes).forget()


def unit_facts(units: list[Unit]) -> dict[str, Any]:
    """A stack as facts."""
    described = [{"name": f"unit{number}", "cover": u.cover, "morale": u.morale} for number, u in enumerate(units)]
    return {"fire_value": FIRE_VALUE, "units": described}


def stack_fates(count: int) -> Weighted:
    """Joint fate of the units of a stack."""
    return ask(STACK_FIRE, "fire", unit_facts(stack(count)), ("fates",))


def stack_failures(count: int) -> Weighted:
    """How many of equal units fail."""
    return ask(STACK_FIRE, "fire", unit_facts(equal_stack(count)), ("failed",))


def stack_fallen(count: int) -> Weighted:
    """The same, asked of the units as they stand at the end."""
    return ask(STACK_FIRE, "fire", unit_facts(equal_stack(count)), ("fallen",))


def line_kept(lives: int) -> Weighted:
    """The two dice that count."""
    return ask(LINE_FIRE, "volley", {"lives": lives, "fire": FIRE}, ("kept",))


def line_kills(lives: int) -> Weighted:
    """How many of the two hit."""
    return ask(LINE_FIRE, "volley", {"lives": lives, "fire": FIRE}, ("kills",))


def direct_fires(most: int) -> Weighted:
    """The shipped direct fire in the open and in a town, with each fire value from 1, and then once more."""
    for fire_value, place in (*product(range(1, most + 1), ("clear", "town")),) * 2:
        answer = ask(DIRECT_FIRE, "direct_fire", {"fire_value": fire_value, "terrain": [place]}, ("result",))
    return answer


def hits_on_target(hits: int) -> Weighted:
    """The target after its hits."""
    facts = {"hits": hits, "rating": RATING, "unit": {"stands": STANDS}}
    return ask(MORALE_HITS, "apply_hits", facts, ("stands", "state"))


def sunk(turns: int) -> Weighted:
    """Whether a ship is sunk after some turns of fire."""
    return ask(CAMPAIGN, "fire", {"turns": turns, "target": {"points": 30}}, ("sunk",))


def keep_half(dice: int) -> Weighted:
    """The sum of the better half."""
    return ask(POOLS, "keep_half", {"dice": dice}, ("total",))


def count_eights(dice: int) -> Weighted:
    """How many of the dice show 8 or more."""
    return ask(POOLS, "count_eights", {"dice": dice}, ("successes",))


def fight(steps: int) -> Weighted:
    """Who is left with how many steps."""
    sides = {"a": {"steps": steps}, "b": {"steps": steps}}
    return ask(DUEL, "fight", sides, ("a_left", "b_left"))


def long_fight(steps: int) -> Weighted:
    """The same where steps come back."""
    sides = {"a": {"steps": steps}, "b": {"steps": steps}}
    return ask(DUEL, "long_fight", {**sides, "full": steps}, ("a_left", "b_left"))


def melee(commanders: int) -> Weighted:
    """Who wins."""
    attacker, defender = map(side_facts, melee_sides(commanders))
    facts = {"attacker": attacker, "defender": defender}
    return ask(MELEE, "melee", facts, ("result",))


def side_facts(side: Side) -> dict[str, Any]:
    """A side as a fact."""
    return {"kind": "infantry", "stands": side.stands, "mr": side.mr, "commander": side.commander}


def weights(answer: Weighted) -> Iterator[tuple[Any, int]]:
    """The outcomes with their weights; a question of one value has that value as its outcome.

    Raises:
        AssertionError: The answer is not exact.
    """
    if answer.remainder:
        raise AssertionError(f"a remainder of {answer.remainder} in {answer.total}")
    for values, weight in answer.weights.items():
        yield values[0] if len(values) == 1 else values, weight
