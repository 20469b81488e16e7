"""``verify`` names whatever was changed in a saved run, and proves committed dice."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import pytest

import enfilade
from enfilade import AnswerError, CommittedDice, Ruleset, Run, Verification, verify
from enfilade.api.save_checksums import checksum, part_checksums

TEXT = """
ruleset duel "A Duel"
players attacker, defender
option fog

deck chits of 2 x red, blue

facts
  fire   1..
  cover  0..2 = 0

procedure shoot "Shoot"
  1. roll 2d6 as volley by attacker
  2. defender chooses stands among [1, 2, 3] "how many stand"
  3. roll d6 as morale
  4. draw 1 from chits as hand
  5. roll d6 as rally
  6. give result = volley.total + morale + rally + fire - cover
"""
Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


@pytest.fixture(scope="module")
def dice(rules: Ruleset) -> CommittedDice:
    return CommittedDice.commit(rules.digest, "Friday")


def played(rules: Ruleset, seed: Any = None) -> Run:
    run = rules.begin("shoot", fire=3, seed=seed)
    return (run.roll() if seed is not None else run.answer([1, 2])).answer(2).roll().roll().roll()


@pytest.fixture(scope="module")
def saved(rules: Ruleset, dice: CommittedDice) -> str:
    return played(rules, dice.with_number("27 pigeons")).save()


def edited(saved: str, edit: Edit, *, refit: bool = False) -> str:
    """A save with a change; *refit* makes its checksums fit again."""
    data = json.loads(saved)
    edit(data)
    if refit:
        data["checksums"] = part_checksums(data)
        data["checksum"] = checksum(data)
    return json.dumps(data)


def swap(data: dict[str, Any]) -> None:
    data["log"][2], data["log"][4] = data["log"][4], data["log"][2]


def other_face(entry: dict[str, Any]) -> None:
    entry["value"] = [each % 6 + 1 for each in entry["value"]]


CHANGES: dict[str, tuple[Edit, tuple[str, str]]] = {
    "a die": (lambda data: other_face(data["log"][0]), ("dice", "volley")),
    "a later die": (lambda data: other_face(data["log"][4]), ("dice", "rally")),
    "a card": (lambda data: data["log"][3].update(value=["blue"] if data["log"][3]["value"] == ["red"] else ["red"]),
               ("dice", "hand")),
    "a fact": (lambda data: data["facts"].update(fire=9), ("fact", "fire")),
    "an added fact": (lambda data: data["facts"].update(extra=2), ("fact", "extra")),
    "a removed fact": (lambda data: data["facts"].pop("cover", data["facts"].pop("fire")), ("fact", "fire")),
    "an option": (lambda data: data["options"].update(fog=True), ("option", "fog")),
    "an answer": (lambda data: data["log"][1].update(value=3), ("answer", "stands")),
    "the order": (swap, ("order", "3, 5")),
    "a truncated log": (lambda data: data["log"].pop(), ("length", "5")),
    "the rules": (lambda data: data.update(hash="sha256:" + 64 * "0"), ("rules", "rules")),
    "the procedure": (lambda data: data.update(procedure="run"), ("start", "procedure")),
    "the number": (lambda data: data["seed"].update(number="28"), ("seed", "seed")),
    "the checksum": (lambda data: data.update(checksum="sha256:" + 64 * "0"), ("checksum", "checksum")),
    "a checksum": (lambda data: data["checksums"].pop("answer 2"), ("answer", "stands")),
    "all checksums": (lambda data: data.pop("checksums"), ("checksum", "checksum")),
}  # fmt: skip


def named_in(report: Verification) -> list[tuple[str, str]]:
    """What a report names."""
    return [(each.kind, each.name) for each in report.changes]


@pytest.mark.parametrize(("edit", "named"), CHANGES.values(), ids=CHANGES)
def test_each_change_is_named(rules: Ruleset, saved: str, edit: Edit, named: tuple[str, str]) -> None:
    report = verify(edited(saved, edit), rules)
    assert (named in named_in(report), report.ok) == (True, False)


def test_several_changes_are_named_one_by_one(rules: Ruleset, saved: str) -> None:
    several = ("a die", "a fact", "an option", "an answer")
    changed = saved
    for name in several:
        changed = edited(changed, CHANGES[name][0])
    assert {*named_in(verify(changed, rules))} == {CHANGES[name][1] for name in several}


def test_a_save_that_nobody_changed_is_proven(rules: Ruleset, saved: str, dice: CommittedDice) -> None:
    report = verify(saved, rules, secret=dice.secret, commitment=dice.commitment, number="27 pigeons")
    assert (report.ok, report.dice, report.changes) == (True, "proven", ())
    assert [verify(save, rules).dice for save in (saved, played(rules).save())] == ["committed", "not committed"]


@pytest.mark.thorough
def test_reports_and_saves_have_the_published_form(rules: Ruleset, saved: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    report = verify(edited(saved, CHANGES["a die"][0]), rules)
    jsonschema.validate(json.loads(json.dumps(report.to_json())), enfilade.published_schema("verification"))
    jsonschema.validate(json.loads(saved), enfilade.published_schema("run"))


REFITTED = ("a die", "a later die", "a card", "the order", "the rules", "the procedure", "an added fact")


@pytest.mark.parametrize("change", REFITTED)
def test_a_change_whose_checksums_fit_again_is_found_by_the_secret_or_the_rules(
    rules: Ruleset, saved: str, dice: CommittedDice, change: str
) -> None:
    report = verify(edited(saved, CHANGES[change][0], refit=True), rules, secret=dice.secret)
    assert (report.ok, report.dice == "proven") == (False, False)
    assert named_in(report) == [CHANGES[change][1]] or change not in ("a die", "a later die", "a card")


EARLIER = ("a die", "a fact", "an option", "an answer", "the procedure", "the order")


@pytest.mark.parametrize("change", EARLIER)
def test_a_change_whose_checksums_fit_again_is_found_by_an_earlier_save(
    rules: Ruleset, saved: str, change: str
) -> None:
    report = verify(edited(saved, CHANGES[change][0], refit=True), rules, earlier=saved)
    assert CHANGES[change][1] in named_in(report)


def test_an_earlier_save_may_have_fewer_answers_and_no_number(rules: Ruleset, dice: CommittedDice) -> None:
    run = rules.begin("shoot", fire=3, seed=dice)
    later = run.with_number("27 pigeons").roll().answer(1)
    assert verify(later.save(), rules, earlier=run.save(), secret=dice.secret).dice == "proven"
    other = rules.begin("shoot", fire=4, seed=dice).with_number("27 pigeons").roll()
    report = verify(other.save(), rules, earlier=run.save())
    assert named_in(report) == [("fact", "fire")]


def test_another_commitment_secret_or_number_is_found(rules: Ruleset, saved: str, dice: CommittedDice) -> None:
    other = CommittedDice.commit(rules.digest, "Friday")
    names = [each.name for each in verify(saved, rules, commitment=other.commitment, number="28").changes]
    assert names == ["commitment", "number"]
    report = verify(saved, rules, secret=other.secret)
    assert ([each.name for each in report.changes], report.dice) == (["secret"], "wrong")
    forged = played(rules, other.with_number("27 pigeons")).save(secret=True)
    assert verify(forged, rules).dice == "proven"
    assert [each.name for each in verify(forged, rules, commitment=dice.commitment).changes] == ["commitment"]


def test_typed_dice_of_a_committed_run_are_found(rules: Ruleset, dice: CommittedDice) -> None:
    ready = dice.with_number("1")
    rolled = rules.begin("shoot", fire=3, seed=ready).roll().log[0].value
    typed = [each % 6 + 1 for each in rolled]
    report = verify(rules.begin("shoot", fire=3, seed=ready).answer(typed).save(), rules, secret=dice.secret)
    assert named_in(report) == [("dice", "volley")]


def test_an_illegal_face_and_a_log_that_goes_on_are_found(rules: Ruleset) -> None:
    saved = played(rules).save()
    report = verify(edited(saved, lambda data: data["log"][0].update(value=[7, 1]), refit=True), rules)
    assert named_in(report) == [("answer", "volley")]
    report = verify(edited(saved, lambda data: data["log"].append(data["log"][4]), refit=True), rules)
    assert [each.kind for each in report.changes] == ["order"]


def test_a_save_never_has_the_secret_unless_it_is_shown(rules: Ruleset, saved: str, dice: CommittedDice) -> None:
    shown = (saved, repr(dice), played(rules, dice.with_number("1")).save(secret=True))
    assert [str(dice.secret) in text for text in shown] == [False, False, True]


def test_only_the_side_with_the_secret_can_roll(rules: Ruleset, dice: CommittedDice) -> None:
    run = rules.begin("shoot", fire=3, seed=dice)
    with pytest.raises(AnswerError, match="side's number is missing"):
        run.roll()
    saved = run.with_number("7").save()
    with pytest.raises(AnswerError, match="only the side that has their secret"):
        rules.resume(saved).roll()
    assert rules.resume(saved, committed=dice).roll().log == run.with_number("7").roll().log
    assert pickle.loads(pickle.dumps(run.with_number("7"))).roll().log == run.with_number("7").roll().log
    with pytest.raises(AnswerError, match="only for committed dice"):
        run.with_number("7").with_number("8")
    with pytest.raises(AnswerError, match="committed for another ruleset"):
        enfilade.load("infantry_attacks").begin("direct_fire", fire_value=3, seed=dice)


def test_resolve_and_begin_roll_the_same_committed_dice(rules: Ruleset, dice: CommittedDice) -> None:
    ready = dice.with_number("27 pigeons")
    outcome = rules.resolve("shoot", fire=3, choices=[2], seed=ready)
    assert outcome.result == played(rules, ready).outcome.result  # type: ignore[union-attr]


def test_dice_change_with_the_secret_the_number_the_game_and_the_rules() -> None:
    dice = CommittedDice("Friday", "sha256:1", "", "1", "00")
    streams = [
        dice, dice.with_number("2"), dice.for_part("start 2"), CommittedDice("Monday", "sha256:1", "", "1", "00"),
        CommittedDice("Friday", "sha256:2", "", "1", "00"), CommittedDice("Friday", "sha256:1", "", "1", "01"),
    ]  # fmt: skip
    assert len({each.generator()() for each in streams}) == len(streams)
    first, second = dice.generator(), dice.generator()
    assert [first() for _ in range(5)] == [second() for _ in range(5)]


def test_committed_numbers_are_the_first_53_bits_of_the_published_function() -> None:
    # Another program must be able to check the dice: this value never changes.
    draw = CommittedDice("Friday", "sha256:1", "", "27 pigeons", "00").generator()
    assert [int(draw() * 2**53) for _ in range(2)] == [3629343564411150, 4630064253603894]


def test_committed_faces_are_spread_evenly() -> None:
    draw = CommittedDice("Friday", "sha256:1", "", "27 pigeons", "00").generator()
    counts = Counter(int(draw() * 6) for _ in range(60_000))
    assert sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(6)) < 20.5


def test_committed_dice_are_written_and_read(dice: CommittedDice) -> None:
    assert CommittedDice.from_json(json.loads(json.dumps(dice.to_json(secret=True)))) == dice
    assert CommittedDice.from_json(dice.to_json()).secret is None
    with pytest.raises(AnswerError, match="does not match"):
        CommittedDice.from_json(dice.to_json() | {"secret": "00"})
    others: list[Any] = [None, [], {}, dice.to_json() | {"game": 5}]
    for wrong in others:
        with pytest.raises(AnswerError, match="not a file of committed dice"):
            CommittedDice.from_json(wrong)


@pytest.mark.parametrize("wrong", ["", "[]", "{}", "5"])
def test_what_is_no_save_is_refused(rules: Ruleset, wrong: str) -> None:
    with pytest.raises(AnswerError, match="not a saved run"):
        verify(wrong, rules)


@pytest.mark.parametrize("name", ["facts", "options", "log", "seed", "procedure", "hash", "checksums"])
def test_a_damaged_save_gives_a_report_and_no_other_exception(
    rules: Ruleset, saved: str, dice: CommittedDice, name: str
) -> None:
    values: list[Any] = [None, 5, [], {}, [5], "x", {"a": [1]}]
    for value in values:
        report = verify(json.dumps(json.loads(saved) | {name: value}), rules, secret=dice.secret)
        assert (report.ok, bool(str(report))) == (False, True), value


def test_without_rules_a_save_is_held_against_the_shipped_ruleset_that_it_names() -> None:
    saved = enfilade.load("infantry_attacks").begin("direct_fire", fire_value=3).save()
    changed = saved.replace('"fire_value": 3', '"fire_value": 4')
    assert [named_in(verify(save)) for save in (saved, changed)] == [[], [("fact", "fire_value")]]


@pytest.mark.parametrize("name", ["../secret.rules", "/etc/passwd", "-", "", 5, None, ["duel"], "duel.rules"])
def test_a_save_may_not_choose_which_files_are_read(saved: str, name: Any) -> None:
    with pytest.raises(AnswerError, match="names no ruleset"):
        verify(edited(saved, lambda data: data.update(ruleset=name)))


def test_names_in_a_save_reach_no_terminal_as_control_characters(rules: Ruleset, saved: str) -> None:
    def edit(data: dict[str, Any]) -> None:
        data["facts"]["\x1b[2J" + "x" * 10_000] = 1
        data["seed"].update(commitment="\x1b[2J", number="\x1b[2J")
        data["log"][0]["name"] = "\x1b[2J"

    text = str(verify(edited(saved, edit), rules))
    assert "\x1b" not in text
    assert "<U+001B>" in text
    assert len(text) < 3_000


DEEP: Final = {
    "log": '[{{"kind": "fact", "name": "fire", "value": {}}}]',
    "facts": '{{"fire": {}}}',
    "seed": "{}",
}


@pytest.mark.parametrize("depth", [100, 900, 990, pytest.param(100_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", DEEP)
def test_a_deeply_nested_save_gives_a_report_or_our_error(rules: Ruleset, saved: str, depth: int, name: str) -> None:
    value = DEEP[name].format("[" * depth + "]" * depth)
    text = json.dumps(json.loads(saved) | {name: "HERE"}).replace('"HERE"', value)
    for call in (
        lambda: verify(text, rules),
        lambda: rules.resume(text),
        lambda: rules.resume(text, accept_changes=True),
    ):
        with suppress(enfilade.EnfiladeError):
            assert not getattr(call(), "ok", False)
