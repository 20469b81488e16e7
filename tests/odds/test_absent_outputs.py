"""Questions about outputs that some paths through a procedure don't give, held to every die that can fall."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from tests.conftest import Run

import enfilade

RULES: Final = """
enfilade 1
ruleset absent "Absent outputs"
words quality one of green < regular < veteran
record unit
  steps   0..4
  kind    one of gun, tank
  leader  unit or none
facts
  units   list of unit
  target  unit
define skill (die 1..6)
  green    when die is 1
  veteran  otherwise
chart hit
  down      d6
  severity  - < M < X
  | d6  | Result |
  | 1   |   -    |
  | 2   |   M    |
  | 3-6 |   X    |
procedure battle
  roll d6 as die
  roll d6 as second
  read hit with die as shot
  when die <= 3
    give number = die * 2
    give listed = [die, second, 6]
    give struck = target
    give result = shot.code
    give flag = die is 1
    give level = skill(die)
    give units
  when die >= 3
    give other = second
    give pair = [die, 1]
  give boss = target.leader
  give always = die

example battle "what needs the value of an absent output is false"
  given target (name gun1, steps 3, kind gun), units [gun1 (steps 3, kind gun), tank1 (steps 4, kind tank)]
  on 4 2
  expect number is none and other is 2
  expect number >= 4 or count of pair is 2
"""
GIVEN: Final[dict[str, Any]] = {
    "units": [{"name": "gun1", "steps": 3, "kind": "gun"}, {"name": "tank1", "steps": 4, "kind": "tank"}],
    "target": "gun1",
}
Outputs = Mapping[str, Any]


def has(outputs: Outputs, *names: str) -> bool:
    return all(outputs.get(name) is not None for name in names)


def where(condition: Callable[[Outputs], bool], *names: str) -> Callable[[Outputs], bool]:
    """A condition that is false where an output is absent."""
    return lambda outputs: has(outputs, *names) and condition(outputs)


def value(read: Callable[[Outputs], Any], *names: str) -> Callable[[Outputs], Any]:
    """A value that is none where an output is absent."""
    return lambda outputs: read(outputs) if has(outputs, *names) else None


@pytest.fixture(scope="module")
def rules() -> enfilade.Ruleset:
    return enfilade.load(text=RULES)


@pytest.fixture(scope="module")
def played(rules: enfilade.Ruleset) -> list[Outputs]:
    """The outputs for every pair of dice."""
    faces = range(1, 7)
    return [dict(rules.resolve("battle", dice=[a, b], **GIVEN).outputs) for a in faces for b in faces]


CONDITIONS: Final = {
    "number >= 4": where(lambda o: o["number"] >= 4, "number"),
    "number is 4 or more": where(lambda o: o["number"] >= 4, "number"),
    "number + other >= 9": where(lambda o: o["number"] + o["other"] >= 9, "number", "other"),
    "number >= other": where(lambda o: o["number"] >= o["other"], "number", "other"),
    "item 2 of listed is 3": where(lambda o: o["listed"][1] == 3, "listed"),
    "any of listed is 5": where(lambda o: 5 in o["listed"], "listed"),
    "listed has 5": where(lambda o: 5 in o["listed"], "listed"),
    "count of listed where each > 2 >= 2": where(lambda o: sum(n > 2 for n in o["listed"]) >= 2, "listed"),
    "not (item 2 of listed is 3)": where(lambda o: o["listed"][1] != 3, "listed"),
    "struck.steps >= 3": lambda o: has(o, "struck"),
    "kind of struck is gun": lambda o: has(o, "struck"),
    "boss.steps >= 1": lambda o: False,
    "M or worse": where(lambda o: o["result"] in ("M", "X"), "result"),
    "result is M or better": where(lambda o: o["result"] in ("-", "M"), "result"),
    "X": where(lambda o: o["result"] == "X", "result"),
    "level >= regular": where(lambda o: o["level"] == "veteran", "level"),
    "level is regular or worse": where(lambda o: o["level"] == "green", "level"),
    "steps of item 2 of units is 4": lambda o: has(o, "units"),
    # Conditions that are joined are read one by one.
    "number >= 4 or other >= 4": lambda o: o.get("number", 0) >= 4 or o.get("other", 0) >= 4,
    "number >= 4 and other >= 4": lambda o: o.get("number", 0) >= 4 and o.get("other", 0) >= 4,
    "number >= 4 and (other >= 4 or always is 2)": lambda o: (
        o.get("number", 0) >= 4 and (o.get("other", 0) >= 4 or o["always"] == 2)
    ),
    "listed is none or item 2 of listed is 3": lambda o: not has(o, "listed") or o["listed"][1] == 3,
    "listed is not none and item 2 of listed is 3": where(lambda o: o["listed"][1] == 3, "listed"),
    "flag and item 2 of listed is 3": where(lambda o: o["flag"] and o["listed"][1] == 3, "listed"),
    # What none can be compared with needs no value.
    "number is not 4": lambda o: o.get("number") != 4,
    "struck is target": lambda o: has(o, "struck"),
}
VALUES: Final = {
    "number": value(lambda o: o["number"], "number"),
    "number + 1": value(lambda o: o["number"] + 1, "number"),
    "number + other": value(lambda o: o["number"] + o["other"], "number", "other"),
    "item 2 of listed": value(lambda o: o["listed"][1], "listed"),
    "count of listed": value(lambda o: len(o["listed"]), "listed"),
    "sum of listed": value(lambda o: sum(o["listed"]), "listed"),
    "highest of listed": value(lambda o: max(o["listed"]), "listed"),
    "listed where each > 2": value(lambda o: tuple(n for n in o["listed"] if n > 2), "listed"),
    "count of listed + count of pair": value(lambda o: 5, "listed", "pair"),
    "struck.steps": value(lambda o: 3, "struck"),
    "item 1 of units": value(lambda o: "gun1", "units"),
    "steps of item 1 of units": value(lambda o: 3, "units"),
    "boss.steps": lambda o: None,
    "number or 0": lambda o: o.get("number", 0),
}


def expected(played: list[Outputs], read: Callable[[Outputs], Any]) -> dict[Any, Fraction]:
    return {answer: Fraction(times, 36) for answer, times in Counter(map(read, played)).items()}


@pytest.mark.parametrize("question", CONDITIONS)
def test_a_condition_on_an_absent_output_is_false(
    rules: enfilade.Ruleset, played: list[Outputs], question: str
) -> None:  # fmt: skip
    odds = rules.odds("battle", **GIVEN)
    wanted = expected(played, CONDITIONS[question])
    found = odds.of_condition(question)
    assert {answer: found[answer] for answer in found} == wanted
    assert odds.of(question) == found


@pytest.mark.parametrize("question", VALUES)
def test_a_value_of_an_absent_output_is_none(
    rules: enfilade.Ruleset, played: list[Outputs], question: str
) -> None:  # fmt: skip
    found = rules.odds("battle", **GIVEN).of(question)
    assert {answer: found[answer] for answer in found} == expected(played, VALUES[question])


def test_several_questions_are_answered_together(rules: enfilade.Ruleset, played: list[Outputs]) -> None:
    questions = ("item 2 of listed", "number >= 4", "other + 1")
    found = rules.odds("battle", **GIVEN).joint(*questions)
    reads = (VALUES[questions[0]], CONDITIONS[questions[1]], value(lambda o: o["other"] + 1, "other"))
    assert {each: found[each] for each in found} == expected(played, lambda o: tuple(read(o) for read in reads))


def test_conditions_samples_grids_and_searches_read_them_alike(rules: enfilade.Ruleset) -> None:
    assert rules.odds("battle", **GIVEN).given("number >= 4").of("always")[2] == Fraction(1, 2)
    sample = rules.sample("battle", trials=200, seed=1, **GIVEN)
    assert set(sample.of("item 2 of listed")) == {None, *range(1, 7)}
    assert set(sample.of("number >= 4")) == {False, True}
    grid = rules.grid("battle", by={"target": ["gun1", "tank1"]}, of="struck.steps >= 4", units=GIVEN["units"])
    assert [cell.distribution[True] for cell in grid] == [0, Fraction(1, 2)]


def test_a_question_that_is_wrong_names_the_own_type_of_the_output(rules: enfilade.Ruleset) -> None:
    with pytest.raises(enfilade.InputError, match=r"this is a list of 1\.\.6, at least 2, but a number is needed"):
        rules.odds("battle", **GIVEN).of("pair + 1")
    with pytest.raises(enfilade.InputError, match=r"this is 1\.\.6, but a list is needed"):
        rules.odds("battle", **GIVEN).of("item 1 of other")


def test_examples_read_them_alike(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "absent.rules"
    path.write_text(RULES, encoding="utf-8")
    code, said, complained = run("test", str(path))
    assert (code, complained) == (0, ""), said


def test_a_number_that_rises_without_an_end_stays_exact_where_it_may_be_absent() -> None:
    text = """
procedure main
  let rounds = 0
  repeat until die is 6
    roll d6 as die
    rounds becomes rounds + 1
  roll d6 as last
  when last > 1: give rounds = rounds
"""
    found = enfilade.load(text=text).odds("main").of_condition("rounds >= 60")
    assert (found.exact, found[True]) == (True, Fraction(5, 6) ** 60)


def test_the_order_of_an_absent_word_is_an_error_of_the_rules() -> None:
    text = """
words quality one of green < regular < veteran
define skill (die 1..6)
  green    when die is 1
  veteran  otherwise
procedure drill
  roll d6 as die
  when die <= 3: give level = skill(die)
procedure main
  call drill as it
  give result = it.level >= regular
"""
    rules = enfilade.load(text=text)
    assert rules.resolve("main", dice=[2]).outputs["result"] is True
    with pytest.raises(enfilade.RuleError, match="a value is needed, but this expression is none"):
        rules.resolve("main", dice=[4])
    with pytest.raises(enfilade.RuleError, match="a value is needed, but this expression is none"):
        _ = rules.odds("main").result


def test_the_command_line_reads_them_alike(run: Run, tmp_path: Path) -> None:
    text = "procedure main\n  roll d6 as die\n  when die <= 3: give killed = [die, die + 1]\n  give die = die\n"
    path = tmp_path / "game.rules"
    path.write_text(f'enfilade 1\nruleset game "Game"\n{text}', encoding="utf-8")
    code, said, _ = run(
        "odds", str(path), "main", "--of", "item 2 of killed", "--of", "item 2 of killed is 3", "--json"
    )
    first, second = json.loads(said)
    assert code == 0
    assert [(each["value"], each["chance"]) for each in first["outcomes"]] == [
        (None, "3/6"), (2, "1/6"), (3, "1/6"), (4, "1/6")
    ]  # fmt: skip
    assert [(each["value"], each["chance"]) for each in second["outcomes"]] == [(False, "5/6"), (True, "1/6")]
