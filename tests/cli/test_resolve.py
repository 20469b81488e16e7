"""``enfilade resolve``: facts, dice and choices from words, and the three ways in which a call can end."""

import json
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Final, TypeAlias

import pytest

import enfilade
from enfilade.cli import main
from enfilade.language import EntryReader, read_value
from enfilade.types import Bool, ListOf, Maybe, Num, Type, Word, WordSet

Run: TypeAlias = Callable[..., tuple[int, str, str]]

RULES: Final = """\
players owner
option fog
option edge  one of stays, misses = stays

record unit
  kind   one of foot, horse = foot
  steps  0.. = 1

facts
  strength  number 0..      "strength of the firer"
  terrain   set of clear, woods, town = clear
  ranges    list of 1.. = [2]
  night     yes/no
  shift     -3..3 = 0
  units     list of unit
  leader    unit or none = none

effect loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1

procedure fire "Fire"
  1. refuse too_weak "strength 1 or more" when strength < 1     [3.1]
  2. roll 2d6 as dice
  3. owner chooses victim among units where steps > 0 "who is hit", if any
  4. when victim is not none: loss on victim
  5. give result = dice + shift
  6. give strength
  7. give terrain
  8. give ranges
  9. give night
  10. give fog = option fog
  11. give steps = map of unit to steps over units
  12. give kinds = map of unit to kind over units
  13. give led = leader is not none
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", StringIO())
    (tmp_path / "game.rules").write_text(RULES)

    def run(*argv: str) -> tuple[int, str, str]:
        code = main(["resolve", *argv])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def fire(run: Run, *argv: str) -> dict[str, object]:
    """What comes of the procedure, with dice unless others are given."""
    dice = [] if any(word.startswith("--dice") for word in argv) else ["--dice", "1,2"]
    code, shown, complaint = run("game.rules", "fire", *argv, *dice, "--json")
    assert (code, complaint) == (0, "")
    outputs: dict[str, object] = json.loads(shown)["outputs"]
    return outputs


# ------------------------------------------------------------------------------------------------------- facts


def test_numbers_stay_exact(run: Run) -> None:
    assert fire(run, "strength=7.5")["strength"] == "15/2"
    assert fire(run, "strength=15/2")["strength"] == "15/2"
    assert fire(run, "strength=7")["strength"] == 7


def test_lists_and_sets_are_split_by_commas(run: Run) -> None:
    outputs = fire(run, "strength=1", "ranges=1, 3", "terrain=[town, woods]")
    assert (outputs["ranges"], outputs["terrain"]) == ([1, 3], ["woods", "town"])
    assert fire(run, "strength=1", "ranges=[]")["ranges"] == []


def test_a_fact_without_a_value_is_yes(run: Run) -> None:
    assert fire(run, "strength=1", "night")["night"] is True
    assert fire(run, "strength=1", "night=no")["night"] is False


def test_a_negative_number_is_a_value(run: Run) -> None:
    assert fire(run, "strength=1", "shift=-3")["result"] == 0


def test_records_are_given_field_by_field(run: Run) -> None:
    argv = ("strength=1", "units.gun.steps=2", "units.gun.kind=horse", "unit.cart", "--choices", "gun")
    outputs = fire(run, *argv)
    assert outputs["steps"] == {"gun": 1, "cart": 1}
    assert outputs["kinds"] == {"gun": "horse", "cart": "foot"}


def test_records_are_given_as_json(run: Run) -> None:
    outputs = fire(run, "strength=1", 'units=[{"name": "gun", "steps": 3}]')
    assert outputs["steps"] == {"gun": 2}


def test_a_fact_that_is_one_record_is_given_field_by_field(run: Run) -> None:
    assert fire(run, "strength=1", "leader.steps=2")["led"] is True
    assert fire(run, "strength=1", "leader=none")["led"] is False


def test_facts_come_from_a_file_and_those_of_the_command_count_first(run: Run) -> None:
    Path("given.json").write_text('{"strength": 2.5, "ranges": [4], "night": true}')
    outputs = fire(run, "strength=3", "--facts", "given.json")
    assert (outputs["strength"], outputs["ranges"], outputs["night"]) == (3, [4], True)
    assert fire(run, "--facts", "given.json")["strength"] == "5/2"


def test_facts_stand_before_and_after_options(run: Run) -> None:
    outputs = fire(run, "strength=1", "--dice", "1,2", "night", "--option", "fog")
    assert (outputs["night"], outputs["fog"]) == (True, True)


@pytest.mark.parametrize(
    "words",
    [
        ["strength=1", "strength=2"],
        ["=1"],
        ["units..steps=1"],
        ["strength.x=1"],
        ["units={"],
        ["night="],
        ["strength="],
    ],
)
def test_words_that_are_no_facts_are_wrong_usage(words: list[str], run: Run) -> None:
    code, shown, complaint = run("game.rules", "fire", *words)
    assert (code, shown) == (2, "")
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("text", ["[1]", "{", "", '{"strength": NaN}', "[" * 100_000, "\ud800"])
def test_a_file_of_facts_that_is_none_is_bad_input(text: str, run: Run) -> None:
    Path("given.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    code, shown, complaint = run("game.rules", "fire", "--facts", "given.json")
    assert (code, shown) == (2, "")
    assert complaint.startswith("enfilade: ")


# ---------------------------------------------------------------------------------------------- dice and choices


def test_dice_that_are_not_given_are_rolled_and_a_seed_repeats_them(run: Run) -> None:
    first = json.loads(run("game.rules", "fire", "strength=1", "--seed", "5", "--json")[1])
    again = json.loads(run("game.rules", "fire", "strength=1", "--seed", "5", "--json")[1])
    assert first["dice"] == again["dice"]
    rules = enfilade.load(Path("game.rules"))
    assert rules.resolve("fire", strength=1, seed=5).to_json()["dice"] == first["dice"]


def test_dice_and_choices_go_by_name_too(run: Run) -> None:
    argv = ("strength=1", "units.a.steps=1", "units.b.steps=1", "--dice", "dice=6 6", "--choices", "victim=b")
    outputs = fire(run, *argv)
    assert (outputs["result"], outputs["steps"]) == (12, {"a": 1, "b": 0})


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--dice", "1"], "dice is 2 dice, but 1 was given"),
        (["--dice", "1,2,3"], "dice are left over: 3"),
        (["--dice", "1,7"], "can't show 7"),
        (["--dice", "1,2", "units.a.steps=1", "units.b.steps=1"], "the choice victim of owner is missing"),
        (["--dice", "1,2", "--choices", "a"], "choices are left over: a"),
        (["--dice", "1", "--dice", "dice=2"], "all by name"),
        (["--option", "edge=falls"], "edge is falls"),
        (["night=perhaps"], "allowed: yes or no"),
        (["terrain=moor"], "terrain has moor"),
        (["--facts", "nowhere.json"], "nowhere.json can't be read"),
    ],
)
def test_bad_input_ends_with_two_and_says_what_is_wrong(argv: list[str], says: str, run: Run) -> None:
    code, shown, complaint = run("game.rules", "fire", "strength=1", *argv)
    assert (code, shown) == (2, "")
    assert says in complaint


def test_a_missing_fact_is_named(run: Run) -> None:
    code, _, complaint = run("game.rules", "fire")
    assert code == 2
    assert "strength is missing (strength of the firer)" in complaint


# -------------------------------------------------------------------------------------------------------- endings


def test_a_refusal_ends_with_one(run: Run) -> None:
    assert run("game.rules", "fire", "strength=0") == (1, "refused: too_weak: strength 1 or more [3.1]\n", "")
    code, shown, _ = run("game.rules", "fire", "strength=0", "--json")
    assert code == 1
    assert json.loads(shown).items() >= {"status": "refused", "refusal": "too_weak", "cites": ["3.1"]}.items()


def test_an_input_error_is_json_with_parameter_value_and_what_is_allowed(run: Run) -> None:
    code, shown, complaint = run("game.rules", "fire", "strength=1", "shift=9", "ranges=0", "--json")
    data = json.loads(shown)
    assert (code, data["status"], complaint) == (2, "input_error", "")
    assert [error["parameter"] for error in data["errors"]] == ["ranges[1]", "shift"]
    assert data["errors"][1].items() >= {"value": 9, "allowed": "-3..3"}.items()


def test_an_outcome_is_json_in_the_published_form(run: Run) -> None:
    argv = ("strength=1", "units.a.steps=1", "units.b.steps=1", "--dice", "1,2", "--choices", "b")
    data = json.loads(run("game.rules", "fire", *argv, "--json")[1])
    assert (data["status"], data["procedure"], data["result"]) == ("resolved", "fire", 3)
    assert data["effects"] == [{"effect": "loss", "unit": "b"}]
    assert data["dice"] == [{"roll": "dice", "faces": [1, 2]}]
    assert data["choices"] == [{"choice": "victim", "chosen": "b"}]
    assert {"step", "value", "cites", "assumed"} <= set(data["explanation"][0])


def test_an_outcome_is_text_for_people(run: Run) -> None:
    code, shown, _ = run("game.rules", "fire", "strength=1", "night", "units.a.steps=1", "--dice", "1,2")
    lines = shown.splitlines()
    assert code == 0
    assert lines[0].split() == ["result", "3"]
    assert "  loss unit a" in lines
    assert "dice    dice: 1, 2" in lines


def test_why_takes_a_length_or_a_fact(run: Run) -> None:
    shot = ("infantry_attacks", "direct_fire", "terrain=town", "ranges=1", "--dice", "4,3")
    short = run(*shot, "fire_value=16", "--why", "short")[1]
    assert short.startswith("Direct Fire Table: roll 7, column 16: No Effect (-2 ")
    assert short.count("\n") == 1
    usual = run(*shot, "fire_value=16", "--why")[1]
    assert run(*shot, "--why", "fire_value=16")[1] == usual == run(*shot, "fire_value=16", "--why", "usual")[1]
    assert "by default night no [1.2]" in run(*shot, "fire_value=16", "--why", "all")[1]
    assert run(*shot, "fire_value=16", "--why=tiny")[0] == 2


def test_why_explains_before_the_outcome(run: Run) -> None:
    argv = ("infantry_attacks", "direct_fire", "fire_value=16", "terrain=town", "ranges=1", "--dice", "4,3", "--why")
    code, shown, _ = run(*argv)
    assert code == 0
    assert "Target hex is town or woods" in shown
    assert "[17.6]" in shown


def test_an_unknown_procedure_is_answered_with_the_nearest(run: Run) -> None:
    code, _, complaint = run("game.rules", "fires")
    assert code == 2
    assert "did you mean fire?" in complaint


def test_rules_with_mistakes_are_not_played(run: Run) -> None:
    Path("wrong.rules").write_text(RULES.replace("dice + shift", "dice + shit"))
    code, shown, complaint = run("wrong.rules", "fire", "strength=1")
    assert (code, shown) == (1, "")
    assert "error[unknown-name]" in complaint
    data = json.loads(run("wrong.rules", "fire", "strength=1", "--json")[1])
    assert (data["status"], data["diagnostics"][0]["code"]) == ("ruleset_error", "unknown-name")


def test_rules_that_do_not_provide_for_something_end_with_one(run: Run) -> None:
    Path("odd.rules").write_text("facts\n  a  0..\nprocedure p\n  1. give result = 1 / a\n")
    code, shown, complaint = run("odd.rules", "p", "a=0")
    assert (code, shown) == (1, "")
    assert "divide by 0" in complaint


# ------------------------------------------------------------------------------------------ somebody at the keyboard


class Keyboard(StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


def test_a_person_is_asked_for_what_is_missing_until_the_answer_is_legal(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard("much\n2\nc\nb\n"))
    code, shown, asked = run("game.rules", "fire", "units.a.steps=1", "units.b.steps=1", "--dice", "1,2")
    assert code == 0
    assert "choice  victim: b" in shown
    assert asked.count("strength, strength of the firer (") == 2
    assert asked.count("owner: who is hit (a, b):") == 2


def test_a_person_may_let_the_missing_dice_be_rolled(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard("\n"))
    code, shown, asked = run("game.rules", "fire", "strength=1", "--dice", "")
    assert (code, "dice, 2d6 (Enter to roll, or type the dice):" in asked) == (0, True)
    assert "dice    dice: " in shown


def test_a_person_with_nothing_to_say_ends_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard(""))
    code, shown, complaint = run("game.rules", "fire")
    assert (code, shown) == (2, "")
    assert complaint.endswith("enfilade: no answer was entered\n")


# -------------------------------------------------------------------------------------------- what to type instead


def test_an_event_is_told_and_what_it_starts_is_played(run: Run) -> None:
    told = ("bombardment", "unit_moved_into_contact", "bv=4", "mover=hussars", "target_type=cavalry")
    code, shown, _ = run(*told, "zoc_by=hussars", "--dice", "3")
    assert code == 0
    assert shown.startswith("starts bombardment [Reaction]\n")
    assert "dice    random: 3" in shown
    code, shown, _ = run(*told, "zoc_by=hussars,lancers")
    assert (code, shown.split(":")[:2]) == (0, ["nothing starts", " in_enemy_zoc"])
    (reaction,) = json.loads(run(*told, "zoc_by=hussars", "--seed", "7", "--json")[1])
    assert reaction["outcome"]["status"] == "resolved"


def test_an_event_lacks_a_fact_or_a_name(run: Run) -> None:
    code, _, complaint = run("bombardment", "unit_moved_into_contact", "mover=hussars")
    assert (code, "bv is missing (bombardment value)" in complaint) == (2, True)
    complaint = run("bombardment", "unit_moved_into_contac", "target.cs=3")[2]
    assert complaint.endswith("did you mean unit_moved_into_contact?\n")
    with pytest.raises(enfilade.InputError, match="is an event, not a procedure; report it with `notify`"):
        enfilade.load("bombardment").resolve("unit_moved_into_contact")


def test_without_a_procedure_those_that_there_are_are_listed(run: Run) -> None:
    assert run("game.rules") == (2, "", "enfilade: name a procedure: fire\n")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("strength=1", "fog"), "fog is an option, not a fact\nenfilade: set this option with --option fog"),
        (
            (),
            "strength is missing (strength of the firer); allowed: a number, 0 or more"
            "\nenfilade: to list all facts: enfilade describe game.rules fire",
        ),
        (
            ("strength=1", "guns.a.steps=2"),
            "guns.a.steps is not a field of a record; write units.NAME.kind=... or leader.kind=...",
        ),
        (
            ("strength=1", "units.a.steps=2", "units=a"),
            "units is given twice; give the whole record, or one field at a time",
        ),
    ],
)
def test_a_mistake_is_followed_by_what_to_type(run: Run, argv: tuple[str, ...], says: str) -> None:
    code, _, complaint = run("game.rules", "fire", *argv, "--dice", "1,2")
    assert code == 2
    assert says in complaint


def test_a_refusal_is_explained_by_what_was_given(run: Run) -> None:
    code, shown, _ = run("game.rules", "fire", "strength=1/2", "--why")
    assert (code, shown) == (1, "given strength 1/2\nrefused: too_weak: strength 1 or more [3.1]\n")


@pytest.mark.parametrize("text", ["7", "town", "town,woods", "1,2", "yes", "on", "none", "x1", "no"])
@pytest.mark.parametrize(
    "domain", [Num(), Bool(), Word(("town", "none")), WordSet(("town", "woods")), ListOf(Num()), Maybe(Num())]
)
def test_simple_values_are_those_of_the_parser(text: str, domain: Type) -> None:
    rules = enfilade.load("infantry_attacks")
    parsed = EntryReader(rules, keys=True).value(domain, f" {text}  ", "it")
    assert read_value(rules, domain, text) == parsed


@pytest.mark.parametrize("text", ["7", "town", "[1, 2]", "yes"])
def test_the_value_of_an_unknown_name_is_reported_as_it_was_typed(text: str) -> None:
    assert read_value(enfilade.load("infantry_attacks"), None, text) == text
