"""What an embedder calls: loading, checking, resolving, describing; data in, data out, and errors that say what is wrong."""

import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
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


def test_a_shipped_ruleset_is_found_by_its_name() -> None:
    assert "infantry_attacks" in shipped_names()
    assert enfilade.load("infantry_attacks").title == "Infantry Attacks: Direct Fire"


def test_a_ruleset_is_found_by_a_path(folder: Path) -> None:
    assert enfilade.load(folder / "late.rules").name == "late"
    assert enfilade.load(str(folder / "base.rules")).name == "base"


def test_a_ruleset_is_found_on_the_search_path_as_a_file_or_a_folder(folder: Path) -> None:
    assert enfilade.load("late", search_path=[folder]).resolve("p", x=3).result == 3
    assert enfilade.load("deep", search_path=[str(folder)]).name == "deep"


def test_a_ruleset_is_found_beside_the_file_that_loads_it(folder: Path) -> None:
    caller = folder / "host.py"
    caller.write_text("import enfilade\nrules = enfilade.load('late')\n")
    space: dict[str, Any] = {"__file__": str(caller), "__name__": "host"}
    exec(compile(caller.read_text(), str(caller), "exec"), space)
    assert space["rules"].name == "late"


def test_a_text_may_be_given_directly() -> None:
    assert enfilade.load(text="ruleset tiny").name == "tiny"
    assert enfilade.load("ruleset tiny\n").name == "tiny"


def test_a_ruleset_that_can_not_be_found_names_the_nearest() -> None:
    with pytest.raises(RulesetError, match="there is no ruleset infantry_atacks; did you mean infantry_attacks"):
        enfilade.load("infantry_atacks")
    with pytest.raises(RulesetError, match="can't be read"):
        enfilade.load("nowhere/at_all.rules")


@pytest.mark.parametrize("arguments", [{}, {"name_or_path": "a", "text": "b"}])
def test_loading_takes_one_thing(arguments: Any) -> None:
    with pytest.raises(TypeError, match="a name, a path or a text"):
        enfilade.load(**arguments)


def test_a_ruleset_that_does_not_check_says_what_is_wrong_and_where() -> None:
    with pytest.raises(RulesetError, match=r"<text>:2:\d+: error\[") as caught:
        enfilade.load(text="facts\n  night  yesno\n  day  2..1\n")
    assert len(caught.value.diagnostics) == 2


@pytest.mark.parametrize("path", ["/etc/x.rules", "..\\x.rules", "C:/x.rules", "x.txt", "a\0.rules"])
def test_no_text_reaches_files_that_it_has_no_business_with(folder: Path, path: str) -> None:
    importer = SourceFile("late", "", folder / "late.rules")
    assert Folders().find_module(path, importer, is_path=True) is None


def test_a_text_from_memory_stays_in_the_search_path(folder: Path) -> None:
    memory = SourceFile.from_text("")
    finder = Folders((folder / "deep",))
    assert finder.find_module("../base.rules", memory, is_path=True) is None
    assert finder.find_module("deep.rules", memory, is_path=True) is not None


def test_a_path_leaves_the_folder_of_its_text_only_for_the_search_path(folder: Path) -> None:
    beside = SourceFile("deep", "", folder / "deep" / "deep.rules")
    assert Folders().find_module("../base.rules", beside, is_path=True) is None
    assert Folders((folder / "deep",)).find_module("../base.rules", beside, is_path=True) is None
    assert Folders().find_module("../deep/deep.rules", beside, is_path=True) is not None
    assert Folders((folder,)).find_module("../base.rules", beside, is_path=True) is not None


# ------------------------------------------------------------------------------------------------------ checking


def test_checking_gives_diagnostics_and_never_an_exception(folder: Path) -> None:
    assert enfilade.check(TEXT) == ()
    assert [found.code for found in enfilade.check("facts\n  night  yesno\n")] == ["unknown-type"]
    assert enfilade.check(folder / "late.rules") == ()
    assert enfilade.check(str(folder / "base.rules")) == ()
    assert [found.severity for found in enfilade.check(folder / "none.rules")] == [enfilade.Severity.ERROR]
    assert len(enfilade.check(folder)) == 1


def test_bytes_that_are_no_text_are_a_diagnostic(folder: Path) -> None:
    (folder / "bad.rules").write_bytes(b"ruleset \xff")
    assert [found.code for found in enfilade.check(folder / "bad.rules")] == ["not-utf8"]
    with pytest.raises(RulesetError) as caught:
        enfilade.load(folder / "bad.rules")
    assert [found.code for found in caught.value.diagnostics] == ["not-utf8"]


def test_the_function_check_is_not_hidden_by_the_folder_check() -> None:
    assert callable(enfilade.check)
    assert "enfilade.check" in sys.modules


# ----------------------------------------------------------------------------------------------------- resolving


def test_outputs_are_plain_and_exact(shot: Outcome) -> None:
    assert dict(shot.outputs) == {
        "result": 10, "half": Fraction(3, 4), "left": {"a": 2, "b": 0}, "hit": "b", "fogged": False
    }  # fmt: skip
    assert shot.result == 10


def test_outputs_can_not_be_changed(shot: Outcome) -> None:
    with pytest.raises(TypeError):
        shot.outputs["result"] = 3  # type: ignore[index]


def test_effects_have_their_arguments_as_attributes(shot: Outcome) -> None:
    loss, smoke = shot.effects
    assert (loss.effect, loss.unit, loss.amount) == ("loss", "b", 1)
    assert smoke.density == Fraction(3, 4)
    assert smoke.to_json() == {"effect": "smoke", "density": "3/4"}
    assert Effect.from_json(loss.to_json()) == loss
    assert repr(loss) == "loss(unit='b', amount=1)"
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


def test_the_same_seed_gives_the_same_outcome(rules: Ruleset) -> None:
    one, two = (rules.resolve("shoot", fire=3, seed=7) for _ in range(2))
    assert (one, one.dice) == (two, two.dice)
    assert len({rules.resolve("shoot", fire=3).dice for _ in range(50)}) > 1


def test_a_seed_goes_on_where_given_dice_end(rules: Ruleset) -> None:
    assert rules.resolve("shoot", fire=3, dice=[4, 3], seed=7).dice[0].to_json() == {
        "roll": "fire_roll",
        "faces": [4, 3],
    }


def test_facts_that_are_called_like_an_argument_go_in_by_a_mapping() -> None:
    rules = enfilade.load(text="facts\n  dice  0..\nprocedure p\n  1. give result = dice\n")
    assert rules.resolve("p", given={"dice": 3}).result == 3


def test_options_belong_to_the_ruleset_or_to_a_call(rules: Ruleset) -> None:
    foggy = rules.with_options(fog=True)
    assert (foggy.options["fog"], rules.options["fog"]) == (True, False)
    assert foggy.resolve("shoot", fire=1).outputs["fogged"] is True
    assert rules.resolve("shoot", fire=1, options={"fog": "yes"}).outputs["fogged"] is True
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


def test_a_fact_that_is_missing_is_an_input_error_before_anything_is_rolled(rules: Ruleset) -> None:
    with pytest.raises(MissingAnswer) as caught:
        rules.resolve("shoot", dice=[])
    assert (caught.value.kind, caught.value.name) == ("fact", "fire")
    assert str(caught.value) == "fire is missing (fire value); allowed: 1 or more"


def test_a_choice_that_is_missing_is_named_with_what_is_legal(rules: Ruleset) -> None:
    with pytest.raises(MissingAnswer) as caught:
        rules.resolve("shoot", fire=1, units=[{}, {}], seed=1)
    assert (caught.value.kind, caught.value.errors[0].allowed) == ("choice", "unit1, unit2")


def test_a_procedure_that_does_not_exist_is_an_input_error(rules: Ruleset) -> None:
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


def test_an_outcome_has_the_published_form_and_comes_back(rules: Ruleset, shot: Outcome) -> None:
    schema = enfilade.published_schema("outcome")
    refused = rules.resolve("shoot", fire=3, distance=11)
    for outcome in (shot, refused):
        data = json.loads(json.dumps(outcome.to_json()))
        jsonschema.validate(data, schema)
        again = Outcome.from_json(data)
        assert again == outcome
        assert again.to_json() == data
        assert pickle.loads(pickle.dumps(outcome)) == outcome


def test_an_outcome_in_data_has_the_shapes_that_programs_rely_on(rules: Ruleset, shot: Outcome) -> None:
    data = shot.to_json()
    assert data["effects"][0] == {"effect": "loss", "unit": "b", "amount": 1}
    assert data["dice"] == [{"roll": "fire_roll", "faces": [4, 3]}]
    assert data["choices"] == [{"choice": "victim", "chosen": "b"}]
    assert data["outputs"]["half"] == "3/4"
    refused = rules.resolve("shoot", fire=3, distance=11).to_json()
    assert refused.items() >= {"status": "refused", "refusal": "too_far", "message": "out of range"}.items()


def test_errors_are_data_in_the_published_form(rules: Ruleset) -> None:
    schema = enfilade.published_schema("error")
    with pytest.raises(InputError) as caught:
        rules.resolve("shoot", fire=0, distance=object(), units={3})
    found: list[EnfiladeError] = [caught.value, RuleError("why", ("3",)), LimitError("steps", "too many")]
    found += [RulesetError("no", enfilade.check("facts\n  x  nothing\n")), enfilade.AnswerError("over")]
    for error in found:
        jsonschema.validate(json.loads(json.dumps(enfilade.error_to_json(error))), schema)
        assert enfilade.error_to_json(pickle.loads(pickle.dumps(error))) == enfilade.error_to_json(error)
    first = enfilade.error_to_json(caught.value)["errors"][0]
    assert first == {
        "parameter": "fire",
        "value": 0,
        "allowed": "1..",
        "message": "fire is 0; allowed: 1 or more",
    }


def test_a_missing_answer_pickles() -> None:
    error = MissingAnswer("roll", "a", InputFault("a", None, "1..6", "missing"))
    assert (pickle.loads(pickle.dumps(error)).kind, str(pickle.loads(pickle.dumps(error)))) == ("roll", "missing")


@pytest.mark.parametrize("name", enfilade.SCHEMAS)
def test_the_published_schemas_are_schemas(name: str) -> None:
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
        "fire",
        "1..",
        True,
        "fire value",
        ("3.1",),
    )
    assert (distance.default, distance.required, distance.assumed) == (1, False, "measured edge to edge")
    assert [output.name for output in shoot.outputs] == ["result", "half", "left", "hit", "fogged"]
    assert (shoot.outputs[0].label, shoot.outputs[0].cites) == ("the score", ("3.3",))
    assert [refusal.to_json() for refusal in shoot.refusals] == [
        {"slug": "too_far", "message": "out of range", "cites": ["3.2"]}
    ]  # fmt: skip
    assert [procedure.name for procedure in rules.procedures] == ["shoot", "break", "forever"]
    json.dumps([procedure.to_json() for procedure in rules.procedures])


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
    schema = rules.procedure("shoot").json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid(facts) == valid
    if valid:
        rules.resolve("shoot", **facts, seed=1, choices={})
    else:
        with pytest.raises(InputError):
            rules.resolve("shoot", **facts, seed=1)


def test_what_a_row_is_searched_for_is_asked_for_first() -> None:
    text = """
facts
  rating  1..2
  score   1..4
chart morale
  down  rating
  find  score
  | Rating | back | hold |
  |   1    | 1-3  |  4   |
  |   2    |  1   | 2-4  |
procedure check
  1. read morale as found
  2. roll d6 as dice
  3. give result = found.code
"""
    with pytest.raises(InputError) as caught:
        enfilade.load(text=text).resolve("check", rating=1, dice=[])
    assert [error.parameter for error in caught.value.errors] == ["score"]


def test_a_list_that_begins_empty_holds_what_is_put_into_it() -> None:
    text = """
words  colour one of red, blue, green
facts
  seen  list of colour
procedure gather
  1. let kept = []
     let scores = []
  2. for each colour in seen
       kept becomes kept followed by colour
       when colour is red
         kept becomes kept followed by "none left"
         scores becomes scores followed by 1
       otherwise: scores becomes scores followed by 7
  3. give kept
     give scores
example "the words of the list are known in what is expected of it"
  given seen [red, green]
  expect kept is [red, "none left", green] and scores is [1, 7]
"""
    rules = enfilade.load(text=text)
    kept, scores = rules.procedure("gather").outputs
    assert (kept.type, scores.type) == ("list of one of red, blue, green, none left", "list of a whole number")
    assert rules.resolve("gather", seen=["blue", "red"]).outputs["scores"] == (7, 1)


def test_a_list_that_begins_empty_holds_things_of_one_kind() -> None:
    with pytest.raises(RulesetError, match="these values have different types"):
        enfilade.load(
            text="""
procedure mix
  1. let kept = []
  2. kept becomes kept followed by 1
  3. kept becomes kept followed by "one"
  4. give kept
"""
        )


def test_an_output_may_be_a_value_or_none() -> None:
    text = """
facts
  rating  1..9
procedure replace
  1. roll d10 as dice
  2. when dice <= rating
       give new_rating = rating
     otherwise
       give new_rating = none
example "replaced"
  given rating 5
  on 5
  expect new_rating is 5
example "not replaced"
  given rating 5
  on 6
  expect new_rating is none
"""
    rules = enfilade.load(text=text)
    assert [output.type for output in rules.procedure("replace").outputs] == ["1..9 or none"]
    assert rules.resolve("replace", rating=5, dice=[6]).outputs["new_rating"] is None


def test_facts_of_all_and_facts_of_a_procedure_go_in_together() -> None:
    text = """
facts
  tired  yes/no
procedure ready
  1. refuse too_tired "not today" when tired
procedure charge
  facts
    kind  one of foot, horse
  1. call ready
  2. roll d6 as dice
  3. give result = dice
"""
    charge = enfilade.load(text=text)
    assert charge.resolve("charge", kind="horse", tired=True, dice=[4]).refusal == "too_tired"
    assert charge.resolve("charge", kind="horse", tired=False, dice=[4]).result == 4


def test_options_tell_their_types(rules: Ruleset) -> None:
    assert [(option.name, option.type, option.default) for option in rules.option_fields] == [
        ("fog", "yes/no", False), ("low_edge", "one of stays, misses", "stays")
    ]  # fmt: skip


def test_refusals_of_charts_and_of_called_procedures_are_told() -> None:
    text = """
facts
  fire  1..5
chart table
  down    d6
  across  fire
  column above  refuse too_strong "beyond the table"
  |     | 1 | 2 |
  | 1-6 | a | b |
procedure inner
  1. refuse never "never" when fire is 5
  2. roll d6 as die
  3. read table with die as shot
  4. give result = shot.code
procedure outer
  1. call inner as it
  2. give result = it.result
"""
    rules = enfilade.load(text=text)
    assert {refusal.slug for refusal in rules.procedure("outer").refusals} == {"never", "too_strong"}


def test_a_chart_is_given_as_printed() -> None:
    table = enfilade.load("infantry_attacks").chart("direct_fire_table")
    data = table.to_json()
    assert data["name"] == "direct_fire_table"
    assert data["rows"] == [str(row) for row in range(2, 13)]
    assert data["columns"] == ["1", "2", "4", "7", "11", "16", "22", "30", "45+"]
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
    for name in enfilade.__all__:
        value = getattr(enfilade, name)
        assert name.startswith("__") or isinstance(value, tuple) or value.__doc__ or name == "Question"


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
    rules = enfilade.load("franco_prussian", options={"half_scale": True})
    again = Ruleset.from_json(json.loads(json.dumps(rules.to_json())))
    assert again == rules
    assert again.options["half_scale"] is True


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
