"""However a procedure is played, it comes to the same: at once, question by question, saved, taken back, or explained."""

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import enfilade
from enfilade import InputError, InputFault, LimitError, MissingAnswer, Outcome, RuleError, Ruleset, Run
from enfilade.core.inputs import convert_facts, external_names, facts_to_data
from enfilade.core.ir import Example
from enfilade.core.needed_facts import certain_facts
from enfilade.engines.fact_reader import FactReader
from enfilade.source.finder import shipped_names

GENERALITY = Path(__file__).resolve().parents[1] / "generality"
PLACES = (*shipped_names(), *map(str, sorted(GENERALITY.glob("*.rules"))))
FEW = ("infantry_attacks", "bombardment", "x_wing", "pandemic_outbreak", "paths_of_glory")
each_place = pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, id=Path(place).stem, marks=() if Path(place).stem in FEW else pytest.mark.thorough)
        for place in PLACES
    ],
)
SEEDS = st.integers(0, 2**32)


@cache
def ruleset(place: str) -> Ruleset:
    return enfilade.load(place)


@cache
def playable(place: str) -> tuple[Example, ...]:
    """The examples whose facts are well formed, as situations to play from."""
    rules = ruleset(place)
    found = [each for each in rules.program.examples if each.input_error is None]
    return tuple(each for each in found if each.procedure in rules.program.procedures)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Ruleset, Example]:
    """A ruleset with one of its own situations."""
    place = draw(st.sampled_from(PLACES))
    assume(playable(place))
    example = draw(st.sampled_from(playable(place)))
    return ruleset(place).with_options(**example.options), example


def play_on(run: Run, seed: int, most: int = 200) -> Run:
    """Answer every question at random."""
    for number in range(most):
        if run.question is None:
            break
        run = run.answer_random(f"{seed} {number}")
    return run


def finished(rules: Ruleset, example: Example, seed: int) -> Run | None:
    """A run played to its end, unless the rules can't go on from where chance took it."""
    try:
        run = play_on(rules.begin(example.procedure, given=example.facts), seed)
    except (RuleError, LimitError):
        return None
    return run if run.outcome is not None else None


@st.composite
def finished_runs(draw: st.DrawFn) -> tuple[Ruleset, Example, Run, Outcome]:
    """A situation of a ruleset with a run that was played to its end."""
    rules, example = draw(situations())
    run = finished(rules, example, draw(SEEDS))
    assume(run is not None)
    assert run is not None
    assert run.outcome is not None
    return rules, example, run, run.outcome


@settings(max_examples=15, deadline=None)
@given(finished_runs())
def test_a_run_comes_to_what_resolving_with_its_answers_comes_to(
    found: tuple[Ruleset, Example, Run, Outcome],
) -> None:
    rules, example, _, outcome = found
    again = rules.resolve(example.procedure, given=example.facts, dice=outcome.dice, choices=outcome.choices)
    assert (again, again.log) == (outcome, outcome.log)


@settings(max_examples=10, deadline=None)
@given(finished_runs(), SEEDS, st.integers(0, 30))
def test_a_saved_run_goes_on_as_if_it_had_not_been_saved(
    found: tuple[Ruleset, Example, Run, Outcome], seed: int, most: int
) -> None:
    rules, example, run, _ = found
    half = rules.begin(example.procedure, given=example.facts)
    for entry in run.log[:most]:
        half = half if entry.forced or half.question is None else half.answer(entry.value)
    again = rules.resume(half.save())
    assert (again.question, again.log, again.outcome) == (half.question, half.log, half.outcome)
    assert again.save() == half.save()
    # Another answer than that of the finished run may lead to where the rules can't go on.
    with suppress(RuleError, LimitError):
        back = half if half.question is None else half.answer_random(seed).undo()
        assert (back.question, back.log) == (half.question, half.log)


@settings(max_examples=12, deadline=None)
@given(finished_runs())
def test_an_explanation_ends_with_the_outputs_of_what_it_explains(
    found: tuple[Ruleset, Example, Run, Outcome],
) -> None:
    data = json.loads(json.dumps(found[3].to_json()))
    given = {step["name"]: step["value"] for step in data.get("explanation", []) if step["kind"] == "output"}
    assert data["status"] == "refused" or {name: given[name] for name in data["outputs"]} == data["outputs"]
    assert Outcome.from_json(data) == found[3]


@settings(max_examples=12, deadline=None)
@given(situations(), SEEDS)
def test_the_state_at_the_start_is_never_changed(situation: tuple[Ruleset, Example], seed: int) -> None:
    rules, example = situation
    procedure = rules.program.procedures[example.procedure]
    before = convert_facts(rules.program, procedure.inputs, example.facts)
    one, two = finished(rules, example, seed), finished(rules, example, seed)
    assert convert_facts(rules.program, procedure.inputs, example.facts) == before
    assert (one and one.outcome) == (two and two.outcome)


@each_place
def test_facts_go_to_data_and_back(place: str) -> None:
    rules = ruleset(place)
    for example in playable(place):
        inputs = rules.program.procedures[example.procedure].inputs
        facts, state = convert_facts(rules.program, inputs, example.facts)
        called = {core: name for name, core in external_names(inputs).items()}
        data = {called[core]: value for core, value in facts_to_data(rules.program, facts, state).items()}
        again, state_again = convert_facts(rules.program, inputs, json.loads(json.dumps(data)))
        assert (again, dict(state_again.records)) == (facts, dict(state.records))


@each_place
def test_a_fact_that_is_sure_to_be_needed_is_missed_when_it_is_not_given(place: str) -> None:
    rules = ruleset(place)
    for example in playable(place):
        if example.refused is not None:
            continue
        procedure = rules.program.procedures[example.procedure]
        called = {core: name for name, core in external_names(procedure.inputs).items()}
        required = rules.procedure(example.procedure).json_schema()["required"]
        certain = {called[core] for core in certain_facts(rules.program, example.procedure)}
        for name in certain & example.facts.keys() & {*required}:
            assert misses(rules, example, name), name


def misses(rules: Ruleset, example: Example, name: str) -> bool:
    given = {fact: value for fact, value in example.facts.items() if fact != name}
    try:
        rules.resolve(
            example.procedure, given=given, options=example.options, dice=list(example.faces),
            choices=list(example.choices),
        )  # fmt: skip
    except MissingAnswer as error:
        return error.name == name
    except InputError as error:
        # Records that only the missing fact describes are named by others.
        return any(fault.parameter != name for fault in error.errors)
    return False


# --------------------------------------------------------------------------------------------------- generated validation

DOOR = """
record unit
  kind   one of infantry, gun = infantry
  steps  0..4 = 2
  by     unit or none = none
  near   list of unit
facts
  fire     1..
  shift    -3..3
  share    number 0..1
  night    yes/no
  arm      one of foot, horse
  terrain  set of clear, woods, town
  ranges   list of 1..6, at least 1
  words    list of one of a, b
  units    list of unit
  others   list of unit
  leader   unit or none = none
procedure p
  1. give a = fire + shift + share
  2. give b = night or arm is foot or terrain has town or any of ranges is 1 or any of words is a
  3. give c = (count of units) + (count of others)
  4. give d = leader is none
"""
NAMES = st.sampled_from(["a", "b", "c", "none", ""])
UNITS = st.dictionaries(
    st.sampled_from(["name", "key", "kind", "steps", "by", "near", "stepz"]),
    st.one_of(NAMES, st.none(), st.integers(-1, 5), st.sampled_from(["gun", "tank", ["a"], []])),
    max_size=5,
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 8),
    st.floats(allow_nan=True),
    st.sampled_from(["foot", "town", "1/2", "a"]),
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=4),
    st.sets(st.sampled_from(["town", "woods", "river"])),
    st.lists(UNITS, max_size=4),
)
FACTS = ["fire", "shift", "share", "night", "arm", "terrain", "ranges", "words", "units", "others", "leader", "nothing"]


@pytest.fixture(scope="module")
def door() -> Ruleset:
    return enfilade.load(text=DOOR)


def converted(rules: Ruleset, given: dict[str, Any]) -> Any:
    """What conversion comes to, or all that it finds wrong."""
    try:
        return convert_facts(rules.program, rules.program.procedures["p"].inputs, given)
    except InputError as error:
        return str(error)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_generated_validation_agrees_with_the_conversion_or_gives_up(door: Ruleset, data: st.DataObject) -> None:
    given: dict[str, Any] = data.draw(st.dictionaries(st.sampled_from(FACTS), VALUES, max_size=5))
    inputs = door.program.procedures["p"].inputs
    tried = dict(given)
    accepted = FactReader(door.program, inputs).accept(tried)
    if accepted is not None:
        assert accepted == convert_facts(door.program, inputs, given)
    else:
        assert converted(door, tried) == converted(door, given)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_whatever_is_given_is_taken_or_refused_with_reasons(door: Ruleset, data: st.DataObject) -> None:
    given: dict[str, Any] = data.draw(st.dictionaries(st.sampled_from(FACTS), VALUES, max_size=5))
    faults: tuple[InputFault, ...] = ()
    try:
        convert_facts(door.program, door.program.procedures["p"].inputs, given)
    except InputError as error:
        faults = error.errors
        json.dumps(enfilade.error_to_json(error))
    assert all(fault.parameter and fault.allowed and fault.message for fault in faults)
