"""The compiled engine comes to exactly what the reference evaluator comes to: outputs, effects, state, questions, errors.

``ENFILADE_SITUATIONS=200`` compares in more situations than usual.
"""

import ast
import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any, Final

import pytest
from attrs import evolve
from tests.differential.comparing import Run, Start, by_compiled, compare, failure, typed
from tests.differential.cores import CORES
from tests.differential.enumerate import Answers, Path, WrongAnswers, paths
from tests.differential.programs import Situations, each_source, probed, program_of

import enfilade
from enfilade.core import ir
from enfilade.core.inputs import convert_facts, external_names
from enfilade.core.requests import ChoiceRequest, RollRequest
from enfilade.engines.compile import Compiled, compile_program
from enfilade.engines.compile.engine import HELPERS
from enfilade.engines.constant_pool import Pool
from enfilade.engines.fact_reader import FactReader, validation_source
from enfilade.engines.fact_validation import record_source
from enfilade.errors import EnfiladeError
from enfilade.limits import Limits
from enfilade.values.data import State
from enfilade.values.types import Listed, ListOf, RecordOf, WordSet

SITUATIONS: Final = int(os.environ.get("ENFILADE_SITUATIONS", "4"))
PATHS: Final = 16
ENDLESS: Final = ("endless", "doubling")


@cache
def compiled_of(name: str) -> Compiled:
    """A ruleset with a probe for each of its definitions, charts and blocks of modifiers."""
    return compile_program(probed(program_of(name)))


def starts(program: ir.Program, name: str, situations: int = SITUATIONS) -> Iterator[tuple[Start, random.Random]]:
    """Situations for each procedure of a ruleset."""
    rng = random.Random(name)
    for procedure in program.procedures:
        for _ in range(situations):
            made = Situations(program, rng)
            yield Start(procedure, made.options(), *made.facts(procedure)), rng


# ------------------------------------------------------------------------------------------------ the same, always


def runs_the_same(compiled: Compiled, name: str) -> None:
    """Compare a ruleset in some situations along some paths."""
    for start, rng in starts(compiled.program, name):
        for path in paths(PATHS, rng):
            compare(compiled, start, path)


@each_source()
def test_every_ruleset_runs_the_same(name: str) -> None:
    runs_the_same(compiled_of(name), name)


@pytest.mark.parametrize("name", [name for name in CORES if name not in ENDLESS])
def test_what_no_text_can_say_runs_the_same(name: str) -> None:
    runs_the_same(compile_program(CORES[name]()), name)


LIMITS: Final = (Limits(depth=1), Limits(depth=2), Limits(depth=3, dice=2), Limits(rerolls=1, dice=4))


@each_source()
def test_answers_that_can_t_be_are_refused_and_limits_reached_the_same(name: str) -> None:
    for number, (start, rng) in enumerate(starts(compiled_of(name).program, name)):
        for way in range(10):
            answers = partial(WrongAnswers, right=rng.randrange(3), way=way)
            compare(compiled_of(name), start, Path(rng=rng), answers)
        for path in paths(6, rng):
            compare(compiled_of(name), evolve(start, limits=LIMITS[number % len(LIMITS)]), path)


def test_a_small_run_is_compared_over_every_throw() -> None:
    """The paths of two dice are all 36 throws, each once."""
    start = Start("direct_fire", {"flanking_fire": False, "low_edge": "stays"}, {"fire_value": 16}, State())
    compiled = compiled_of("infantry_attacks")
    throws = [compare(compiled, start, path).log[0][1] for path in paths(100, random.Random(1))]
    assert sorted(throws) == [(a, b) for a in range(1, 7) for b in range(1, 7)]


# ------------------------------------------------------------------------------------------------ how it is made


@each_source()
def test_nothing_is_left_to_the_reference_evaluator_and_no_text_becomes_code(name: str) -> None:
    compiled, program = compiled_of(name), program_of(name)
    for procedure in compiled.program.procedures:
        assert compiled.entry(procedure).__module__ != "enfilade.engines.compile.engine"
        _hold_to_our_names(compiled.source(procedure, "entry"))
        _hold_to_our_names(compiled.source(procedure, "scripted"))
    for declared in program.procedures.values():
        _hold_to_our_names(validation_source(Pool(), program, declared.inputs))
    for record in program.records.values():
        _hold_to_our_names(record_source(Pool(), record))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] if name in ENDLESS else []) for name in CORES]
)
def test_nothing_of_what_no_text_can_say_becomes_code(name: str) -> None:
    compiled = compile_program(CORES[name]())
    for procedure, kind in product(compiled.program.procedures, ("entry", "scripted")):
        _hold_to_our_names(compiled.source(procedure, kind))


def test_what_python_itself_can_t_nest_is_left_to_the_reference_evaluator() -> None:
    compiled = compile_program(CORES["nested"]())
    assert compiled.entry("deep").__module__ == "enfilade.engines.compile.engine"


OUR_NAMES: Final = re.compile(r"(?:t|f|f_|a|e|k|x|v)\d+(?:_[a-z_]+)?")
OUR_WORDS: Final = {
    "asker", "at", "decks", "depth", "dice", "e", "effects", "facts", "given", "i", "key", "known", "left", "m", "name", "named", "numbers",
    "options", "outputs", "place", "reader", "records", "ref", "roll", "run", "s", "side", "state", "steps", "v", "_", "PROGRAM",
    "bool", "dict", "enumerate", "frozenset", "int", "isinstance", "len", "list", "max", "min", "range", "set", "sorted", "str", "sum",
    "tuple", "type", "zip", "RecursionError",
}  # fmt: skip


def _hold_to_our_names(source: str) -> None:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            assert OUR_NAMES.fullmatch(node.id) or node.id in OUR_WORDS or node.id in HELPERS
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert re.fullmatch(r"[A-Za-z0-9_ \[\]]*", node.value)


# ---------------------------------------------------------------------------------------------- without an end


@pytest.mark.parametrize("procedure", ["endless", "endless_calls", "endless_list"])
def test_what_has_no_end_is_ended(procedure: str) -> None:
    compiled = compile_program(CORES["endless"]())
    start = Start(procedure, {}, {}, State(), Limits(steps=5_000))
    assert compare(compiled, start, Path()).outcome == ("limit", "steps")


@pytest.mark.thorough
def test_definitions_that_multiply_are_ended() -> None:
    compiled = compile_program(CORES["doubling"]())
    start = Start("double", {}, {"n": 1}, State(), Limits(steps=1_000))
    assert by_compiled(compiled, start, Answers(Path())) == ("limit", "steps")


# ------------------------------------------------------------------------------------------- fast paths


def plain_starts(name: str, situations: int) -> Iterator[tuple[Start, dict[str, Any], random.Random]]:
    """Situations in which nobody is there, with the facts as a caller writes them too."""
    program = compiled_of(name).program
    for start, rng in starts(program, name, situations):
        made, inputs = Situations(program, rng), program.procedures[start.procedure].inputs
        if not any(_is_peopled(made.declared(fact).type) for fact in inputs):
            facts = {n: () if _mentions(v, start.state) else v for n, v in start.facts.items()}
            external = {core: own for own, core in external_names(inputs).items()}
            given = {external[n]: _written(made.declared(n).type, value, rng) for n, value in facts.items()}
            yield evolve(start, facts=facts, state=State({}, start.state.decks)), given, rng


def _written(type_: Any, value: Any, rng: random.Random) -> Any:
    if isinstance(type_, WordSet):
        return rng.choice([set, list, tuple, frozenset])(value)
    return list(value) if isinstance(value, tuple) else value


def _is_peopled(type_: Any) -> bool:
    is_list = isinstance(type_, ListOf) and isinstance(type_.of, RecordOf) and type_.least > 0
    return is_list or isinstance(type_, RecordOf)


def _mentions(value: Any, state: State) -> bool:
    return isinstance(value, tuple) and any(item in state.records for item in value)


def agrees(program: ir.Program, inputs: tuple[str, ...], given: dict[str, Any]) -> bool:
    """Whether the generated validation takes some facts; it then takes them as the conversion does."""
    found = FactReader(program, inputs).accept(dict(given))
    if found is not None:
        wanted = convert_facts(program, inputs, given)[0]
        assert {name: typed(value) for name, value in found[0].items()} == {n: typed(v) for n, v in wanted.items()}
    return found is not None


@each_source()
def test_the_generated_validation_agrees_with_the_conversion(name: str) -> None:
    program = compiled_of(name).program
    for start, given, _ in plain_starts(name, SITUATIONS):
        if not agrees(program, program.procedures[start.procedure].inputs, given):
            # Fractions, maps and numbers of a list of values take the conversion.
            own = program.procedures[start.procedure].facts
            types = [{**program.facts, **own}[each].type for each in given if each in {**program.facts, **own}]
            assert any(isinstance(value, (Fraction, Mapping)) for value in given.values()) or any(
                isinstance(each, Listed) for each in types
            )


ODD: Final = [
    True, None, 1.0, "3", "town", 1 << 70, -1, [], [True], ["1"], {"town", 3}, "town,woods", {}, b"x", [None], [[1]], ["town"] * 3,
    {"town": 1}, range(3), object(), frozenset({"woods"}), [1] * 2_000, -(1 << 80), ("woods", "town"), "yes", float("nan"),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_the_generated_validation_accepts_only_canonical_facts(odd: Any) -> None:
    program = program_of("infantry_attacks")
    inputs = program.procedures["direct_fire"].inputs
    for name in (*inputs, "unheard_of"):
        agrees(program, inputs, {"fire_value": 3, name: odd})


@each_source()
def test_dice_given_beforehand_come_to_the_same(name: str) -> None:
    for start, given, rng in plain_starts(name, 2):
        for path in paths(8, rng):
            run = compare(compiled_of(name), start, path)
            rolls = [answer for request, answer in run.log if isinstance(request, RollRequest)]
            _hold_to(compiled_of(name), start, given, [face for faces in rolls for face in faces], run)


def _hold_to(compiled: Compiled, start: Start, given: dict[str, Any], faces: list[Any], run: Run) -> None:
    scripted = compiled.scripted(start.procedure)
    if run.outcome[0] == "crash":
        # A probe gave a number to a definition of lists: both engines break off, or the quick way hands over.
        with suppress(TypeError, AttributeError):
            assert scripted(start.options, given, faces) is None
        return
    try:
        found = scripted(start.options, given, faces)
    except EnfiladeError as error:
        assert run.outcome == failure(error)  # noqa: PT017  # either way is right
        return
    if found is not None:
        assert typed(_as_outcome(found)) == typed(run.outcome)
        assert found[4:] == (start.facts, start.state)
        assert all(isinstance(request, RollRequest) or _is_forced(request) for request, _ in run.log)
        assert scripted(start.options, given, [*faces, 1]) is None
        assert not faces or scripted(start.options, given, faces[:-1]) is None


def _is_forced(request: Any) -> bool:
    wanted = 1 if request.count is None else request.count
    return isinstance(request, ChoiceRequest) and len(request.options) == wanted


def _as_outcome(found: Any) -> Any:
    names, values, effects, state, _, _ = found
    return "done", list(zip(names, values, strict=True)), effects, state


def test_the_shortest_way_is_taken_where_it_matters() -> None:
    scripted = compiled_of("infantry_attacks").scripted("direct_fire")
    options = {"flanking_fire": False, "low_edge": "stays"}
    found = scripted(options, {"fire_value": 16, "terrain": {"town"}, "ranges": [1]}, [4, 3])
    assert found is not None
    names, values, _, _, facts, _ = found
    assert dict(zip(names, values, strict=True))["column"] == "16"
    assert facts == {"fire_value": 16, "terrain": ("town",), "ranges": (1,)}


def test_units_and_choices_without_an_alternative_take_the_fast_path() -> None:
    rules = enfilade.load("infantry_attacks")
    units = [{"name": "gun", "kind": "artillery", "steps": 2}, {"name": "cart", "kind": "wagon", "loaded_on": None}]
    facts: dict[str, Any] = {"fire_value": 45, "units": units}
    shot = rules.resolve("direct_fire", dice=[1, 1], **facts)
    found = compiled_of("infantry_attacks").scripted("direct_fire")(rules.options, dict(facts), [1, 1])
    assert found is not None
    assert found[5].records == FactReader(rules.program, ("units",)).read({"units": units})[1].records
    run = rules.begin("direct_fire", dice=[1, 1], **facts)
    assert run.outcome == shot
    assert run.log == shot.log
    assert str(run.explain()) == str(shot.explain())
