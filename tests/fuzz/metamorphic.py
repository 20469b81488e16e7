"""The part that changes a ruleset in ways that must not change what it means, and looks at it from two sides.

Changes: another layout, other names of facts, another order of declarations, declarations in a module, a chart that nobody uses.
Sides: a run and a replay of its answers, an outcome and its explanation, the compiled engine and the reference evaluator, the
odds and the frequencies of plays. An input is a text; the situations are drawn from the text itself.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from attrs import frozen
from tests.differential.comparing import Start, compare
from tests.differential.enumerate import Path as Decisions
from tests.fuzz.part import Part
from tests.fuzz.playing import SMALL, played, some_facts
from tests.fuzz.seeds import shipped_texts
from tests.odds.rulesets import Writer, drawn_ruleset

import enfilade
from enfilade import EnfiladeError, LimitError, Outcome, Ruleset, Severity
from enfilade.core.inputs import convert_facts
from enfilade.engines.compile import Compiled
from enfilade.language import KEYWORDS
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.tools import format_text

PLAYS: Final = 400
SURELY: Final = 6.0
"""How many standard deviations beyond chance the chi-square statistic may be: once in a thousand million questions."""
_HEADINGS: Final = ("enfilade", "ruleset", "source", "players", "option", "use")
_MOVED: Final = ("words", "record", "define", "die", "chart", "effect", "deck")
_KEPT: Final = ("status", "outputs", "effects", "state", "dice", "refusal")
_QUOTED: Final = re.compile(r'"[^"]*"|--.*')


@frozen
class Situation:
    """A procedure with facts, and the seed of its dice."""

    procedure: str
    facts: dict[str, Any]
    seed: int


def is_checked(text: str, **places: Any) -> bool:
    """Whether a text has no errors."""
    return not any(found.severity is Severity.ERROR for found in enfilade.check(text, **places))


def situations(rules: Ruleset, rng: random.Random, most: int = 2) -> list[Situation]:
    """Situations for some procedures."""
    names = [each.name for each in rules.procedures]
    return [
        Situation(name, some_facts(rules, name, rng), rng.randrange(10**6))
        for name in rng.sample(names, min(most, len(names)))
    ]


def meaning(rules: Ruleset, situation: Situation) -> list[Any]:
    """What a situation gives in play and in odds, without what only shows where it stands in the text."""
    given: dict[str, Any] = {"given": situation.facts, "options": None}
    found: list[Any] = [_outcome_of(lambda: _played(rules, situation)), []]
    try:
        odds = rules.odds(situation.procedure, players=dict.fromkeys(rules.players, "random"), limits=SMALL, **given)
        for output in sorted(each.name for each in rules.procedure(situation.procedure).outputs)[:3]:
            found[1].append((output, canonical(odds.of(output).weights)))
    except LimitError:
        # Layout does not change the work, but the time of two equal questions differs.
        found[1] = []
    except EnfiladeError as error:
        found[1] = type(error).__name__
    return found


def _played(rules: Ruleset, situation: Situation) -> Any:
    data = played(rules, situation.procedure, situation.facts, random.Random(situation.seed)).outcome
    if data is None:
        return None
    return canonical({key: value for key, value in data.to_json().items() if key in _KEPT})


def canonical(value: Any) -> Any:
    """A value that can be compared and hashed: the order of keys is left out, that of lists is not."""
    if isinstance(value, Mapping):
        return frozenset((canonical(key), canonical(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(canonical, value))
    return frozenset(map(canonical, value)) if isinstance(value, (set, frozenset)) else value


def _outcome_of(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except EnfiladeError as error:
        return type(error).__name__


# -- changes


def declarations(text: str) -> list[str]:
    """The declarations of a text with what stands below each; what stands above the first one belongs to it."""
    starts = [each.span.start for each in parse_module(SourceFile("<text>", text)).module.declarations]
    starts = [0, *(text.rfind("\n", 0, start) + 1 for start in starts[1:])]
    return [text[start:end].rstrip("\n") + "\n" for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _word(declaration: str) -> str:
    code = (line for line in declaration.splitlines() if line.strip() and not line.startswith("--"))
    return next(code, "").partition(" ")[0]


def reordered(text: str, rng: random.Random) -> str:
    """The same declarations in another order; the headings stay, and reactions keep their order."""
    parts = declarations(text)
    heads = [each for each in parts if _word(each) in _HEADINGS]
    rest = [each for each in parts if _word(each) not in _HEADINGS]
    reactions = iter([each for each in rest if _word(each) == "on"])
    rng.shuffle(rest)
    return "\n".join([*heads, *(next(reactions) if _word(each) == "on" else each for each in rest)])


def split(text: str, rng: random.Random) -> tuple[str, str]:
    """A text, and a module that some of its declarations have moved to."""
    parts = declarations(text)
    moved = {at for at, each in enumerate(parts) if _word(each) in _MOVED and rng.random() < 0.5}
    heads = [each for each in parts if _word(each) in _HEADINGS]
    rest = [each for at, each in enumerate(parts) if at not in moved and _word(each) not in _HEADINGS]
    return "\n".join([*heads, "use moved\n", *rest]), "\n".join(parts[at] for at in sorted(moved))


def renamed(text: str, name: str, other: str) -> str | None:
    """A text in which every name of one spelling has another; ``None`` if a quoted text or a comment has it too."""
    word = re.compile(rf"(?<![\w#]){re.escape(name)}(?!\w)")
    if name in KEYWORDS or any(name in quoted for quoted in _QUOTED.findall(text)):
        return None
    return word.sub(other, text)


def renamed_in(value: Any, name: str, other: str) -> Any:
    """A value with the name replaced in its keys and words."""
    if isinstance(value, str):
        return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", other, value)
    if isinstance(value, Mapping):
        return {renamed_in(key, name, other): renamed_in(item, name, other) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset)):
        return type(value)(renamed_in(item, name, other) for item in value)
    return value


_USES: Final = re.compile(r"^(use|option) ", re.MULTILINE)
UNUSED: Final = "\nchart unused_chart\n  down d6\n  |   d6 | Result |\n  | 1..5 |   -    |\n  |   6  |   X    |\n"


# -- sides


def check_replay(rules: Ruleset, situation: Situation) -> None:
    """A run and a replay of its answers give the same, and the explanation gives the outputs of the outcome.

    Raises:
        AssertionError: They do not.
    """
    run = played(rules, situation.procedure, situation.facts, random.Random(situation.seed))
    outcome = run.outcome
    if outcome is None:
        return
    facts = {**situation.facts, **{entry.name: entry.value for entry in run.log if entry.kind == "fact"}}
    again = rules.resolve(situation.procedure, given=facts, dice=outcome.dice, choices=outcome.choices)
    assert again.to_json() == outcome.to_json()
    if outcome.status == "resolved":
        steps = outcome.explain().to_json()
        explained = {step["name"]: step["value"] for step in steps if step["kind"] == "output" and not step["depth"]}
        outputs = outcome.to_json()["outputs"]
        assert {name: outputs[name] for name in explained} == explained
        assert Outcome.from_json(outcome.to_json()).explain() == outcome.explain()


def check_engines(rules: Ruleset, situation: Situation, rng: random.Random) -> None:
    """The compiled engine and the reference evaluator ask the same and come to the same.

    Raises:
        AssertionError: They do not.
    """
    program = rules.program
    facts, state = convert_facts(program, program.procedures[situation.procedure].inputs, situation.facts)
    start = Start(situation.procedure, dict(rules.options), facts, state)
    for _ in range(3):
        compare(Compiled(program), start, Decisions(rng=random.Random(rng.random())))


def check_frequencies(rules: Ruleset, situation: Situation, plays: int = PLAYS) -> int:
    """The frequencies of plays agree with the odds, by chi-square.

    Returns:
        How many outputs were compared.

    Raises:
        AssertionError: They do not.
    """
    given: dict[str, Any] = {"given": situation.facts, "players": dict.fromkeys(rules.players, "random")}
    outputs = sorted(each.name for each in rules.procedure(situation.procedure).outputs)
    odds = rules.odds(situation.procedure, limits=SMALL, **given)
    drawn = rules.sample(situation.procedure, trials=plays, seed=situation.seed, kernel=False, limits=SMALL, **given)
    compared = 0
    for output in outputs[:3]:
        exact, counts = odds.of(output), drawn.of(output)
        if exact.exact:
            compared += 1
            chances = {value: weight / exact.total for value, weight in exact.weights.items()}
            far = deviation(chances, counts.weights, plays)
            assert far < SURELY, f"{output} is {far:.1f} standard deviations off"
    return compared


def deviation(chances: Mapping[Any, float], counts: Mapping[Any, int], plays: int) -> float:
    """How many standard deviations the chi-square statistic of some counts is above its mean.

    Values that are expected less than five times are counted together. A value without a chance is infinitely far off.

    Examples:
        >>> deviation({1: 0.5, 2: 0.5}, {1: 50, 2: 50}, 100) < 0 < 6 < deviation({1: 0.5, 2: 0.5}, {1: 90, 2: 10}, 100)
        True
    """
    if counts.keys() - chances.keys():
        return float("inf")
    cells = [(chance * plays, counts.get(value, 0)) for value, chance in chances.items() if chance * plays >= 5]
    rare = [(chance * plays, counts.get(value, 0)) for value, chance in chances.items() if chance * plays < 5]
    if sum(expected for expected, _ in rare) >= 5:
        cells.append((sum(expected for expected, _ in rare), sum(count for _, count in rare)))
    freedom = len(cells) - 1
    if freedom < 1:
        return 0.0
    square = sum((count - expected) ** 2 / expected for expected, count in cells)
    # The cube root of chi-square over its degrees of freedom is nearly normal (Wilson and Hilferty).
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


# -- the part


def run_text(text: str) -> None:
    """Change a text in every way, and look at it from every side.

    Raises:
        AssertionError: Something changed.
    """
    if not is_checked(text) or " extends " in text:
        return
    rng = random.Random(text)
    rules = enfilade.load(text=text)
    cases = situations(rules, rng)
    before = [meaning(rules, case) for case in cases]

    def same(changed: str, **places: Any) -> None:
        assert is_checked(changed, **places), [each.message for each in enfilade.check(changed, **places)][:3]
        other = enfilade.load(text=changed, **places)
        assert_same(before, [meaning(other, case) for case in cases])

    same(format_text(text))
    same(reordered(text, rng))
    same(text + UNUSED)
    if not _USES.search(text):
        with TemporaryDirectory() as folder:
            main, module = split(text, rng)
            Path(folder, "moved.rules").write_text(module, encoding="utf-8")
            same(main, search_path=[folder])
    check_renaming(rules, text, cases, before, rng)
    for case in cases:
        # Situations that the rules don't take, or that never end, have nothing to compare.
        with suppress(EnfiladeError):
            check_replay(rules, case)
        with suppress(EnfiladeError):
            check_engines(rules, case, rng)
        with suppress(EnfiladeError):
            check_frequencies(rules, case)


def assert_same(before: list[list[Any]], after: list[list[Any]]) -> None:
    """Two lists of meanings agree; odds that took too long are left out.

    Raises:
        AssertionError: They do not.
    """
    for (outcome, odds), (other, more) in zip(before, after, strict=True):
        assert other == outcome
        if odds and more:
            assert more == odds


def check_renaming(
    rules: Ruleset, text: str, cases: list[Situation], before: list[list[Any]], rng: random.Random
) -> None:
    """Rename a fact, and whatever else has its name.

    Raises:
        AssertionError: More than the name changed.
    """
    names = sorted({name for case in cases for name in rules.inputs(case.procedure)})
    if not names:
        return
    name = rng.choice(names)
    other = f"{name}_renamed"
    changed = renamed(text, name, other)
    if changed is None or other in text or _USES.search(text):
        return
    assert is_checked(changed), [each.message for each in enfilade.check(changed)][:3]
    rules = enfilade.load(text=changed)
    again = [
        Situation(renamed_in(each.procedure, name, other), renamed_in(each.facts, name, other), each.seed)
        for each in cases
    ]
    assert_same(renamed_in(before, name, other), [meaning(rules, each) for each in again])


@cache
def _shipped() -> tuple[str, ...]:
    return tuple(text for text in shipped_texts() if is_checked(text))


def _inputs(rng: random.Random) -> Iterator[str]:
    while True:
        if rng.random() < 0.5:
            yield rng.choice(_shipped())
        else:
            yield drawn_ruleset(Writer(rng), choices=rng.random() < 0.3).text


METAMORPHIC: Final = Part("metamorphic", _inputs, run_text, ".rules", slow=60.0)
