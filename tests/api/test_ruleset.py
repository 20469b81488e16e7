"""What an embedder calls: loading, checking, resolving, describing; data in, data out, and errors that say what is wrong."""

import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import enfilade
from enfilade import Effect, InputError, MissingAnswer, Outcome, RuleError, Ruleset, RulesetError
from enfilade.errors import EnfiladeError, InputFault, LimitError
from enfilade.source.finder import Folders, shipped_names
from enfilade.source.text import SourceFile

TEXT = """
ruleset skirmish "A Skirmish"
players owner

option fog       "Fog of war"  [9]
option low_edge  one of stays, misses = stays

record unit "a unit on the map"
  kind   one of infantry, gun = infantry
  steps  0..4 = 2          "steps left"
  by     unit or none = none

facts
  fire      1..            "fire value"      [3.1]
  distance  number 0.. = 1 "inches"          assumed "measured edge to edge"
  units     list of unit

effect loss "loses a step" (unit, amount 1..)
  unit.steps becomes unit.steps - amount but at least 0
effect smoke "smoke rises" (density number 0..)

procedure shoot "Shoot" [3]
  1. refuse too_far "out of range" when distance > 10  [3.2]
  2. roll 2d6 as fire_roll
  3. owner chooses victim among units where steps > 0 "who is hit", if any
  4. when victim is not none: loss on victim with amount 1
  5. smoke with density distance / 2
  6. give result = fire_roll.total + fire  "the score" [3.3]
  7. give half = distance / 2
  8. give left = map of unit to steps over units
  9. give hit = victim
  10. give fogged = option fog

procedure break
  1. let x = 1 / (fire - 1)
  2. give result = x

procedure forever
  1. let n = 0
  2. repeat until n < 0
       n becomes n + 1
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


@pytest.fixture(scope="module")
def shot(rules: Ruleset) -> Outcome:
    units = [{"name": "a"}, {"name": "b", "kind": "gun", "steps": 1}]
    return rules.resolve("shoot", fire=3, distance="1.5", units=units, dice=[4, 3], choices=["b"])


# ------------------------------------------------------------------------------------------------------- loading


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.rules").write_text("ruleset base\nfacts\n  x  0..\nprocedure p\n  1. give result = x\n")
    (tmp_path / "late.rules").write_text('ruleset late "Late" extends base\nuse "parts/twice.rules"\n')
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "twice.rules").write_text("define twice (n 0..) = n * 2\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "deep.rules").write_text("ruleset deep\n")
    return tmp_path


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ({"name_or_path": "infantry_attacks"}, "infantry_attacks"),
        ({"name_or_path": Path("late.rules")}, "late"),
        ({"name_or_path": "./base.rules"}, "base"),
        ({"name_or_path": "late", "search_path": [Path()]}, "late"),
        ({"name_or_path": "deep", "search_path": ["."]}, "deep"),
        ({"text": "ruleset tiny"}, "tiny"),
        ({"name_or_path": "ruleset tiny\n"}, "tiny"),
    ],
)
def test_a_ruleset_is_found_by_its_name_its_path_on_the_search_path_or_is_a_text(
    folder: Path, monkeypatch: pytest.MonkeyPatch, what: dict[str, Any], name: str
) -> None:
    monkeypatch.chdir(folder)
    assert enfilade.load(**what).name == name
    assert "infantry_attacks" in shipped_names()


def test_a_ruleset_is_found_beside_the_file_that_loads_it(folder: Path) -> None:
    caller = folder / "host.py"
    caller.write_text("import enfilade\nrules = enfilade.load('late')\n")
    space: dict[str, Any] = {"__file__": str(caller), "__name__": "host"}
    exec(compile(caller.read_text(), str(caller), "exec"), space)
    assert space["rules"].name == "late"


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"name_or_path": "infantry_atacks"}, "there is no ruleset infantry_atacks; did you mean infantry_attacks"),
        ({"name_or_path": "nowhere/at_all.rules"}, "can't be read"),
        ({"text": "facts\n  night  yesno\n  day  2..1\n"}, r"<text>:2:\d+: error\["),
    ],
)
def test_what_can_not_be_loaded_says_why_and_names_the_nearest(what: dict[str, Any], said: str) -> None:
    with pytest.raises(RulesetError, match=said):
        enfilade.load(**what)


@pytest.mark.parametrize("arguments", [{}, {"name_or_path": "a", "text": "b"}])
def test_loading_takes_one_thing(arguments: Any) -> None:
    with pytest.raises(TypeError, match="a name, a path or a text"):
        enfilade.load(**arguments)


@pytest.mark.parametrize("path", ["/etc/x.rules", "..\\x.rules", "C:/x.rules", "x.txt", "a\0.rules"])
def test_no_text_reaches_files_that_it_has_no_business_with(folder: Path, path: str) -> None:
    importer = SourceFile("late", "", folder / "late.rules")
    assert Folders().find_module(path, importer, is_path=True) is None


@pytest.mark.parametrize(
    ("search", "path", "is_beside", "found"),
    [
        # A text from memory stays in the search path; one in a folder leaves it only for the search path.
        (["deep"], "../base.rules", False, False),
        (["deep"], "deep.rules", False, True),
        ([], "../base.rules", True, False),
        (["deep"], "../base.rules", True, False),
        ([], "../deep/deep.rules", True, True),
        ([""], "../base.rules", True, True),
    ],
)
def test_a_path_leads_to_the_folder_of_its_text_or_the_search_path(
    folder: Path, search: list[str], path: str, is_beside: bool, found: bool
) -> None:
    source = SourceFile("deep", "", folder / "deep" / "deep.rules") if is_beside else SourceFile.from_text("")
    finder = Folders(tuple(folder / name for name in search))
    assert (finder.find_module(path, source, is_path=True) is not None) is found


# ------------------------------------------------------------------------------------------------------ checking


def test_checking_gives_diagnostics_and_never_an_exception(folder: Path) -> None:
    (folder / "bad.rules").write_bytes(b"ruleset \xff")
    for given, codes in (
        (TEXT, ["may-divide-by-zero"]),
        ("facts\n  night  yesno\n", ["unknown-type"]),
        ("facts\n  night  yesno\n  day  2..1\n", ["unknown-type", "empty-range"]),
        (folder / "late.rules", []),
        (str(folder / "base.rules"), []),
        (folder / "bad.rules", ["not-utf8"]),
    ):
        assert [found.code for found in enfilade.check(given)] == codes
    assert [found.severity for found in enfilade.check(folder / "none.rules")] == [enfilade.Severity.ERROR]
    assert len(enfilade.check(folder)) == 1
    with pytest.raises(RulesetError) as caught:
        enfilade.load(folder / "bad.rules")
    assert [found.code for found in caught.value.diagnostics] == ["not-utf8"]


def test_the_function_check_is_not_hidden_by_the_folder_check() -> None:
    assert (callable(enfilade.check), "enfilade.check" in sys.modules) == (True, True)


# ----------------------------------------------------------------------------------------------------- resolving


def test_outputs_are_plain_and_exact_and_can_not_be_changed(shot: Outcome) -> None:
    assert dict(shot.outputs) == {
        "result": 10, "half": Fraction(3, 4), "left": {"a": 2, "b": 0}, "hit": "b", "fogged": False
    }  # fmt: skip
    with pytest.raises(TypeError):
        shot.outputs["result"] = 3  # type: ignore[index]


def test_effects_have_their_arguments_as_attributes(shot: Outcome) -> None:
    loss, smoke = shot.effects
    assert (loss.effect, loss.unit, loss.amount, smoke.density) == ("loss", "b", 1, Fraction(3, 4))
    assert (smoke.to_json(), repr(loss)) == ({"effect": "smoke", "density": "3/4"}, "loss(unit='b', amount=1)")
    assert Effect.from_json(loss.to_json()) == loss
    with pytest.raises(AttributeError, match="the effect has no argument depth"):
        _ = loss.depth


def test_the_state_comes_back_and_goes_in_again(rules: Ruleset, shot: Outcome) -> None:
    assert shot.state["unit"]["b"] == {"kind": "gun", "steps": 0, "by": None}
    again = rules.resolve("shoot", fire=3, units=shot.state["unit"], dice=[1, 1])
    assert again.outputs["left"] == {"a": 1, "b": 0}


def test_dice_and_choices_of_an_outcome_repeat_it(rules: Ruleset, shot: Outcome) -> None:
    units = [{"name": "a"}, {"name": "b", "kind": "gun", "steps": 1}]
    facts: dict[str, Any] = {"fire": 3, "distance": "1.5", "units": units}
    assert rules.resolve("shoot", **facts, dice=shot.dice, choices=shot.choices) == shot
    data = shot.to_json()
    assert rules.resolve("shoot", **facts, dice=data["dice"], choices=data["choices"]) == shot


def test_the_same_seed_gives_the_same_outcome_and_goes_on_where_given_dice_end(rules: Ruleset) -> None:
    one, two = (rules.resolve("shoot", fire=3, seed=7) for _ in range(2))
    assert (one, one.dice) == (two, two.dice)
    assert len({rules.resolve("shoot", fire=3).dice for _ in range(50)}) > 1
    (given,) = rules.resolve("shoot", fire=3, dice=[4, 3], seed=7).dice
    assert given.to_json() == {"roll": "fire_roll", "faces": [4, 3]}


def test_facts_that_are_called_like_an_argument_go_in_by_a_mapping() -> None:
    rules = enfilade.load(text="facts\n  dice  0..\nprocedure p\n  1. give result = dice\n")
    assert rules.resolve("p", given={"dice": 3}).result == 3


def test_options_belong_to_the_ruleset_or_to_a_call(rules: Ruleset) -> None:
    foggy = rules.with_options(fog=True)
    assert (foggy.options["fog"], rules.options["fog"]) == (True, False)
    for outcome in (foggy.resolve("shoot", fire=1), rules.resolve("shoot", fire=1, options={"fog": "yes"})):
        assert outcome.outputs["fogged"] is True
    assert enfilade.load(text=TEXT, options={"low_edge": "misses"}).options["low_edge"] == "misses"
    with pytest.raises(InputError, match="did you mean fog"):
        rules.with_options(fogg=True)


def test_a_refusal_spends_nothing(rules: Ruleset) -> None:
    outcome = rules.resolve("shoot", fire=3, distance=11, units=[{}], dice=[4, 3], choices=["unit1"])
    assert (outcome.status, outcome.refusal, outcome.message, outcome.cites) == (
        "refused", "too_far", "out of range", ("3.2",)
    )  # fmt: skip
    assert (outcome.dice, outcome.effects, dict(outcome.outputs), outcome.result) == ((), (), {}, None)
    assert outcome.state["unit"]["unit1"]["steps"] == 2


@pytest.mark.parametrize(
    ("given", "kind", "name", "said"),
    [
        ({"dice": []}, "fact", "fire", "fire is missing (fire value); allowed: 1 or more"),
        (
            {"fire": 1, "units": [{}, {}], "seed": 1},
            "choice", "victim", "the choice victim of owner is missing (who is hit); choose from unit1, unit2",
        ),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_with_what_is_legal(
    rules: Ruleset, given: dict[str, Any], kind: str, name: str, said: str
) -> None:
    with pytest.raises(MissingAnswer) as caught:
        rules.resolve("shoot", **given)
    assert (caught.value.kind, caught.value.name, str(caught.value)) == (kind, name, said)


def test_a_procedure_or_a_chart_that_does_not_exist_is_an_input_error(rules: Ruleset) -> None:
    for call in (rules.resolve, rules.begin, rules.procedure):
        with pytest.raises(InputError, match="there is no procedure shot; did you mean shoot"):
            call("shot")
    with pytest.raises(InputError, match="there is no chart crt"):
        rules.chart("crt")


def test_what_the_rules_do_not_provide_for_is_an_error_of_its_own(rules: Ruleset) -> None:
    with pytest.raises(RuleError, match="divide by 0"):
        rules.resolve("break", fire=1)
    with pytest.raises(LimitError) as caught:
        rules.resolve("forever")
    assert caught.value.limit == "steps"


# ---------------------------------------------------------------------------------------------------------- data


def test_an_outcome_comes_back_from_data_and_from_a_pickle(rules: Ruleset, shot: Outcome) -> None:
    for outcome in (shot, rules.resolve("shoot", fire=3, distance=11)):
        data = json.loads(json.dumps(outcome.to_json()))
        again = Outcome.from_json(data)
        assert (again, again.to_json(), pickle.loads(pickle.dumps(outcome))) == (outcome, data, outcome)


def test_an_outcome_in_data_has_the_shapes_that_programs_rely_on(rules: Ruleset, shot: Outcome) -> None:
    data = shot.to_json()
    assert data["effects"][0] == {"effect": "loss", "unit": "b", "amount": 1}
    assert data["dice"] == [{"roll": "fire_roll", "faces": [4, 3]}]
    assert data["choices"] == [{"choice": "victim", "chosen": "b"}]
    assert data["outputs"]["half"] == "3/4"
    refused = rules.resolve("shoot", fire=3, distance=11).to_json()
    assert refused.items() >= {"status": "refused", "refusal": "too_far", "message": "out of range"}.items()


def errors(rules: Ruleset) -> list[EnfiladeError]:
    """An error of each kind."""
    with pytest.raises(InputError) as caught:
        rules.resolve("shoot", fire=0, distance=object(), units={3})
    return [
        caught.value,
        RuleError("why", ("3",)),
        LimitError("steps", "too many"),
        RulesetError("no", enfilade.check("facts\n  x  nothing\n")),
        enfilade.AnswerError("no"),
        MissingAnswer("roll", "a", InputFault("a", None, "1..6", "missing")),
    ]


def test_errors_are_data_and_pickle(rules: Ruleset) -> None:
    for error in errors(rules):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), enfilade.error_to_json(again)) == (str(error), enfilade.error_to_json(error))
    assert enfilade.error_to_json(errors(rules)[0])["errors"][0] == {
        "parameter": "fire", "value": 0, "allowed": "1..", "message": "fire is 0; allowed: 1 or more",
    }  # fmt: skip


@pytest.mark.thorough
def test_outcomes_and_errors_have_the_published_form(rules: Ruleset, shot: Outcome) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for outcome in (shot, rules.resolve("shoot", fire=3, distance=11)):
        jsonschema.validate(json.loads(json.dumps(outcome.to_json())), enfilade.published_schema("outcome"))
    for error in errors(rules):
        jsonschema.validate(json.loads(json.dumps(enfilade.error_to_json(error))), enfilade.published_schema("error"))
    for name in enfilade.SCHEMAS:
        jsonschema.Draft202012Validator.check_schema(enfilade.published_schema(name))


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no schema"):
        enfilade.published_schema("../outcome")


# --------------------------------------------------------------------------------------------------- describing


def test_a_procedure_tells_enough_to_build_a_form(rules: Ruleset) -> None:
    shoot = rules.procedure("shoot")
    assert (shoot.label, shoot.cites) == ("Shoot", ("3",))
    fire, distance, *_ = shoot.inputs
    assert (fire.name, fire.type, fire.required, fire.label, fire.cites) == (
        "fire", "1..", True, "fire value", ("3.1",),
    )  # fmt: skip
    assert (distance.default, distance.required, distance.assumed) == (1, False, "measured edge to edge")
    assert [output.name for output in shoot.outputs] == ["result", "half", "left", "hit", "fogged"]
    assert (shoot.outputs[0].label, shoot.outputs[0].cites) == ("the score", ("3.3",))
    assert [refusal.to_json() for refusal in shoot.refusals] == [
        {"slug": "too_far", "message": "out of range", "cites": ["3.2"]}
    ]  # fmt: skip
    assert [procedure.name for procedure in rules.procedures] == ["shoot", "break", "forever"]
    json.dumps([procedure.to_json() for procedure in rules.procedures])
    assert [(option.name, option.type, option.default) for option in rules.option_fields] == [
        ("fog", "yes/no", False), ("low_edge", "one of stays, misses", "stays")
    ]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("facts", "valid"),
    [
        ({"fire": 3}, True),
        ({"fire": 3, "distance": "3/2", "units": [{"name": "a", "kind": "gun", "by": None}]}, True),
        ({}, False),
        ({"fire": 0}, False),
        ({"fire": 3, "distance": -1}, False),
        ({"fire": 3, "nothing": 1}, False),
        ({"fire": 3, "units": [{"kind": "tank"}]}, False),
        ({"fire": 3, "units": [{"steps": 5}]}, False),
    ],
)
def test_the_json_schema_of_a_call_agrees_with_the_call(rules: Ruleset, facts: Any, valid: bool) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = rules.procedure("shoot").json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid(facts) == valid
    with nullcontext() if valid else pytest.raises(InputError):
        rules.resolve("shoot", **facts, seed=1, choices={})


def test_a_chart_is_given_as_printed() -> None:
    table = enfilade.load("infantry_attacks").chart("direct_fire_table")
    data = table.to_json()
    assert {name: data[name] for name in ("name", "rows", "columns")} == {
        "name": "direct_fire_table",
        "rows": [str(row) for row in range(2, 13)],
        "columns": ["1", "2", "4", "7", "11", "16", "22", "30", "45+"],
    }
    assert [len(row) for row in data["cells"]] == [9] * 11
    assert data["cells"][0] == ["M", "M1", "M1", "X", "X", "2X", "2X", "3X", "3X"]
    assert "inside" not in data


def test_header_rows_under_conditions_and_several_values_in_a_cell_are_given() -> None:
    text = """
facts
  attack  1..
  mud     yes/no
  class   1..2
columns strength of attack "Strength"
  header "Dry"  when not mud  | 1..4 | 5.. |
  header "Mud"  when mud      |  •   | 1.. |
chart losses "Losses"
  down    d6
  across  strength
  inside  class
  cells   numbers
  |  Die |  A  |  B  |
  | 1..6 | 0 1 | 2 3 |
procedure p
  1. roll d6 as die
  2. read losses with die as shot
  3. give result = shot.code
"""
    data = enfilade.load(text=text).chart("losses").to_json()
    assert data["headers"] == [
        {"when": "not mud", "bands": ["1..4", "5.."], "label": "Dry"},
        {"when": "mud", "bands": [None, "1.."], "label": "Mud"},
    ]
    assert (data["inside"], data["cells"]) == (["1", "2"], [[["0", "1"], ["2", "3"]]])


# ------------------------------------------------------------------------------------------------------ as a value


def test_a_ruleset_pickles_as_its_texts(rules: Ruleset, folder: Path) -> None:
    foggy = rules.with_options(fog=True)
    again = pickle.loads(pickle.dumps(foggy))
    assert (again, again.options, again.digest) == (foggy, foggy.options, foggy.digest)
    late = pickle.dumps(enfilade.load(folder / "late.rules"))
    for path in folder.rglob("*.rules"):
        path.unlink()
    assert pickle.loads(late).resolve("p", x=3).result == 3


def test_the_digest_depends_on_the_texts_alone(rules: Ruleset, folder: Path) -> None:
    (folder / "other_name.rules").write_text(TEXT)
    assert enfilade.load(folder / "other_name.rules").digest == rules.digest
    assert enfilade.load(text=TEXT + "\n-- more\n").digest != rules.digest


def test_one_ruleset_serves_many_threads(rules: Ruleset) -> None:
    def play(seed: int) -> Outcome:
        return rules.resolve("shoot", fire=3, seed=seed)

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(play, range(200)))
    assert together == [play(seed) for seed in range(200)]
    assert len({str(outcome.explain()) for outcome in together}) > 1


def test_a_given_situation_may_change_after_the_call(rules: Ruleset) -> None:
    units = [{"name": "a"}]
    outcome = rules.resolve("shoot", fire=3, units=units, dice=[1, 2])
    units[0]["name"] = "b"
    units.clear()
    assert "units a" in str(outcome.explain())


def test_every_public_name_is_there_and_documented() -> None:
    values = {name: getattr(enfilade, name) for name in enfilade.__all__ if name[0] != "_" and name != "Question"}
    assert [name for name, value in values.items() if not isinstance(value, tuple) and not value.__doc__] == []


def test_the_fields_of_a_record_are_taken_in_as_those_of_a_fact(rules: Ruleset) -> None:
    shipped = enfilade.load("infantry_attacks")
    fields = {"kind": "mg", "loaded_on": "cart"}
    assert shipped.record_fields("unit", "gun", fields, {"cart": ("unit", {"kind": "wagon"})}) == fields
    for wrong in ({"kind": "gnu"}, {"steps": 1}, {"kind": "mg", "stepps": 1}, fields):
        with pytest.raises(InputError):
            shipped.record_fields("unit", "gun", wrong)
    with pytest.raises(InputError, match="did you mean unit"):
        shipped.record_fields("unt", "gun", {})


def test_a_ruleset_is_plain_data_and_made_again_from_it() -> None:
    rules = enfilade.load("infantry_attacks", options={"flanking_fire": True})
    again = Ruleset.from_json(json.loads(json.dumps(rules.to_json())))
    assert (again, again.options["flanking_fire"]) == (rules, True)


ODD: tuple[Any, ...] = (3, None, "text", [3], [[3]], [["a", 3]], {"a": 3}, [[]])
PLAIN: dict[str, Any] = enfilade.load("infantry_attacks").to_json()


@pytest.mark.parametrize(
    "data",
    [
        None, 3, "text", [], [1, 2], {},
        *({name: value for name, value in PLAIN.items() if name != left_out} for left_out in PLAIN),
        *(PLAIN | {name: value} for name in PLAIN for value in ODD),
        PLAIN | {"texts": []}, PLAIN | {"texts": {"a": "b"}}, PLAIN | {"texts": [["a", ["b"]]]},
        PLAIN | {"texts": [["a", "b" * 2_000_000]]}, PLAIN | {"texts": [["a", "no rules\0"]]},
        PLAIN | {"links": [["a", "ruleset", "b", "nowhere"]]}, PLAIN | {"options": {"low_edge": "sideways"}},
    ],
)  # fmt: skip
def test_damaged_data_of_a_ruleset_are_refused_with_one_message(data: Any) -> None:
    with pytest.raises(RulesetError) as refused:
        Ruleset.from_json(data)
    assert str(refused.value)
