"""A run can wait between any two questions, be saved, continued elsewhere, and taken back."""

import json
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import pytest

import enfilade
from enfilade import (
    AnswerError,
    ChoiceQuestion,
    DrawQuestion,
    FactQuestion,
    InputError,
    NotStarted,
    RollQuestion,
    Ruleset,
    Run,
    Started,
)

TEXT = """
ruleset duel "A Duel"
players attacker, defender

die  musket  faces 0..9
deck chits   of 2 x red, blue

record unit
  steps  0.. = 2
  ammo   yes/no

facts
  fire    1..             "fire value"  [3.1]
  cover   0..2 = 0
  units   list of unit
  target  unit

effect loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1 but at least 0

procedure shoot "Shoot" [3]
  facts
    aimed  yes/no required
  1. refuse too_strong "nobody is that strong" when fire > 99
  2. roll 2 musket as volley by attacker
  3. draw 2 from chits as hand
  4. repeat 2 times
       defender chooses victim among units where steps > 0 "who is hit", if any
       when victim is not none: loss on victim
  5. defender chooses whether stands "stand or run"
  6. for each unit in units
       roll d6 as morale
  7. when aimed: loss on target
  8. give result = volley.total + fire - cover
  9. give left = map of unit to steps over units

event contact "somebody comes near"
on contact "Reaction" [4]
  unless cover is 2  in_cover  "nobody sees it"  [4.1]
  start shoot with aimed no
"""

UNITS = {"a": {}, "b": {"steps": 1}}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


def begin(rules: Ruleset, **more: Any) -> Run:
    return rules.begin("shoot", **{"fire": 3, "units": UNITS, "target": "a", "aimed": False, **more})


def played(run: Run, *answers: Any) -> Run:
    for answer in answers:
        run = run.answer(answer)
    return run


def asked_by(run: Run, *answers: Any) -> list[str]:
    """The questions that a run asks, answered one by one, up to its end."""
    keys = []
    for answer in answers:
        assert run.question is not None
        keys.append(run.question.key)
        run = run.answer(answer)
    return [*keys, *([] if run.question is None else [run.question.key])]


ANSWERS: Final = (3, True, "a", [0, 9], ["red", "blue"], "a", "a", "yes", 4, 5)
"""An answer to each question of a shot, when only its units are given."""


# ------------------------------------------------------------------------------------------------------ questions


def test_facts_that_are_sure_to_be_needed_are_asked_first_and_others_when_they_are(rules: Ruleset) -> None:
    assert asked_by(rules.begin("shoot", units=UNITS), *ANSWERS) == [
        "fire", "aimed", "target", "volley", "hand", "victim[1]", "victim[2]", "stands", "morale[a]", "morale[b]",
    ]  # fmt: skip
    over = played(rules.begin("shoot", units=UNITS), *ANSWERS)
    assert over.outcome is not None
    assert (over.question, over.outcome.result) == (None, 12)


def test_a_question_says_who_what_and_which_answers_are_legal(rules: Ruleset) -> None:
    fact = rules.begin("shoot").question
    assert isinstance(fact, FactQuestion)
    assert (fact.name, fact.text, fact.cites, fact.input.type) == ("fire", "fire value", ("3.1",), "1..")
    assert (fact.legal["minimum"], fact.default) == (1, None)
    run = begin(rules)
    roll = run.question
    assert isinstance(roll, RollQuestion)
    assert (roll.player, roll.legal[0].count, roll.legal[0].faces) == ("attacker", 2, tuple(range(10)))
    run = run.answer([1, 2])
    draw = run.question
    assert isinstance(draw, DrawQuestion)
    assert (draw.deck, draw.count, draw.legal) == ("chits", 2, ("red", "red", "blue"))
    choice = run.answer(["red", "red"]).question
    assert isinstance(choice, ChoiceQuestion)
    assert (choice.player, choice.text, choice.place, choice.legal) == ("defender", "who is hit", ("1",), ("a", "b"))


@pytest.mark.thorough
def test_questions_and_saves_have_the_published_form(rules: Ruleset) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    run = rules.begin("shoot", units=UNITS)
    kinds = set()
    for answer in ANSWERS:
        assert run.question is not None
        jsonschema.validate(json.loads(json.dumps(run.question.to_json())), enfilade.published_schema("question"))
        jsonschema.validate(json.loads(run.save()), enfilade.published_schema("run"))
        kinds.add(run.question.kind)
        run = run.answer(answer)
    assert kinds == {"fact", "roll", "draw", "choice"}


def test_facts_with_a_default_are_asked_for_only_on_request(rules: Ruleset) -> None:
    run = rules.begin("shoot", fire=3, target={}, aimed=False, ask_all=True)
    assert run.question is not None
    assert (run.question.default, asked_by(run, 0)) == (0, ["cover", "units"])


def test_a_choice_with_one_legal_answer_is_taken_and_logged_but_not_asked(rules: Ruleset) -> None:
    run = begin(rules, units={"a": {}})
    answers: list[Any] = [[1, 2], ["red", "red"]]
    assert asked_by(run, *answers) == ["volley", "hand", "stands"]
    assert [entry.name for entry in played(run, *answers).log if entry.forced] == ["victim[1]", "victim[2]"]


def test_a_refused_run_is_over_before_anything_is_asked(rules: Ruleset) -> None:
    run = begin(rules, fire=100, dice=[1, 2])
    assert run.outcome is not None
    assert (run.outcome.refusal, run.log) == ("too_strong", ())


# ------------------------------------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("before", "answer"),
    [
        ([], [10, 1]),
        ([], [1]),
        ([], 1),
        ([], "no"),
        ([[1, 2]], ["red", "green"]),
        ([[1, 2]], ["blue", "blue"]),
        ([[1, 2]], ["red"]),
        ([[1, 2], ["red", "red"]], "c"),
        ([[1, 2], ["red", "red"]], ["a", "b"]),
        ([[1, 2], ["red", "red"]], None),
        ([[1, 2], ["red", "red"], "a", "a"], "perhaps"),
        ([[1, 2], ["red", "red"], "a", "a"], 1),
    ],
)
def test_an_illegal_answer_is_an_input_error_and_the_run_stays(rules: Ruleset, before: list[Any], answer: Any) -> None:
    run = played(begin(rules), *before)
    question, log = run.question, run.log
    with pytest.raises(InputError):
        run.answer(answer)
    assert (run.question, run.log) == (question, log)


@pytest.mark.parametrize("answer", [0, "many", None, 1.5])
def test_a_fact_that_is_answered_is_checked_like_one_that_is_given(rules: Ruleset, answer: Any) -> None:
    run = rules.begin("shoot", units=UNITS, target="a", aimed=False)
    with pytest.raises(InputError) as caught:
        run.answer(answer)
    assert caught.value.errors[0].parameter == "fire"


def test_a_record_may_be_the_answer(rules: Ruleset) -> None:
    run = rules.begin("shoot", fire=1, units=UNITS, aimed=True)
    run = played(run, {"name": "c", "steps": 7}, [1, 2], ["red", "red"], "a", "a", True, 1, 2)
    assert run.outcome is not None
    assert run.outcome.state["unit"]["c"]["steps"] == 6


def test_an_answer_makes_a_new_run_and_leaves_the_old_one(rules: Ruleset) -> None:
    run = begin(rules)
    one, other = run.answer([1, 2]), run.answer([3, 4])
    assert run.log == ()
    assert [one.log[0].value, other.log[0].value] == [(1, 2), (3, 4)]


def test_a_run_that_is_over_takes_no_answer(rules: Ruleset) -> None:
    run = begin(rules, fire=100)
    acts: list[Callable[[], Run]] = [lambda: run.answer(1), run.roll, run.answer_random, run.undo]
    for act in acts:
        with pytest.raises(AnswerError):
            act()


def test_dice_and_choices_may_be_given_up_front(rules: Ruleset) -> None:
    run = begin(rules, dice=[1, 2, "red", "red"], choices={"stands": True})
    assert asked_by(run, "a", "b") == ["victim[1]", "victim[2]", "morale[a]"]
    assert asked_by(rules.resume(played(run, "a").save()), "b") == ["victim[2]", "morale[a]"]


def test_answers_that_are_left_over_at_the_end_are_an_input_error(rules: Ruleset) -> None:
    run = begin(rules, dice=[1, 2, "red", "red", 1, 2, 3], choices=["a", "a"])
    with pytest.raises(InputError, match="dice are left over: 3"):
        run.answer(True)


# ----------------------------------------------------------------------------------------------- dice of a seed


def test_a_seed_rolls_the_same_as_resolving_with_it(rules: Ruleset) -> None:
    run = begin(rules, seed=7).roll().roll().answer("a").answer("b").answer(True).roll().roll()
    facts: dict[str, Any] = {"fire": 3, "units": UNITS, "target": "a", "aimed": False}
    assert run.outcome == rules.resolve("shoot", **facts, seed=7, choices=["a", "b", True])


def test_dice_go_on_from_where_they_were_after_saving_and_taking_back(rules: Ruleset) -> None:
    run = begin(rules, seed=7).roll()
    rolled = run.roll().log[-1]
    assert rules.resume(run.save()).roll().log[-1] == rolled
    assert run.roll().undo().roll().log[-1] == rolled
    assert begin(rules, seed=7).answer([1, 2]).roll().log[-1] == rolled


def test_random_answers_are_legal_and_belong_to_their_seed(rules: Ruleset) -> None:
    one, other = (begin(rules, seed="x") for _ in range(2))
    while one.question is not None:
        one, other = one.answer_random(), other.answer_random()
    assert one.outcome == other.outcome


def test_a_roll_answers_no_choice_and_no_fact(rules: Ruleset) -> None:
    with pytest.raises(AnswerError, match=r"asks for victim\[1\]"):
        played(begin(rules), [1, 2], ["red", "red"]).roll()
    with pytest.raises(AnswerError, match="asks for fire"):
        rules.begin("shoot").roll()


def test_chance_takes_the_default_of_a_fact_or_one_of_its_values(rules: Ruleset) -> None:
    run = rules.begin("shoot", ask_all=True, seed=7, units=UNITS)
    while isinstance(run.question, FactQuestion) and run.question.name != "target":
        run = run.answer_random()
    again = rules.begin("shoot", ask_all=True, seed=7, units=UNITS).answer_random()
    assert 1 <= run.facts["fire"] == again.facts["fire"] <= 100
    assert run.facts["aimed"] in (False, True)
    with pytest.raises(AnswerError, match="target has neither a default nor a list of values"):
        rules.begin("shoot", fire=3, units=UNITS, aimed=True).answer_random()
    shot = enfilade.load("infantry_attacks").begin("direct_fire", ask_all=True, fire_value=16)
    assert shot.answer_random().facts["ranges"] == [2]


# ------------------------------------------------------------------------------------------------- typed answers


def test_a_question_is_put_in_the_words_of_the_prompt(rules: Ruleset) -> None:
    run = rules.begin("shoot", units=UNITS, target="a", aimed=False)
    for text, prompt in (
        ("3", "fire, fire value [3.1] (1 or more):"),
        ("4 5", "attacker: volley, 2 musket, 0..9 (Enter to roll, or type the dice):"),
        ("red, red", "hand, 2 from chits (Enter to draw, or type the cards):"),
        ("a", "defender: who is hit (1) (a, b):"),
        ("a", "defender: who is hit (2) (a, b):"),
    ):
        assert run.question is not None
        assert run.question.prompt() == prompt
        run = run.answer_text(text)


def test_typed_text_answers_as_data_does(rules: Ruleset) -> None:
    run = begin(rules, seed=7)
    for text in ("4, 5", "red red", "a", "b", "yes", "", "3"):
        run = run.answer_text(text)
    other = played(begin(rules, seed=7), [4, 5], ["red", "red"], "a", "b", True)
    assert run.outcome == other.roll().answer([3]).outcome


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("many", "fire is many, which is not a number; allowed: 1 or more"),
        ("", "fire needs a value; type 1 or more"),
        ('"3', 'a quote is not closed in `"3`'),
    ],
)
def test_a_typed_answer_that_is_wrong_is_told_in_the_words_of_the_prompt(rules: Ruleset, text: str, told: str) -> None:
    with pytest.raises(AnswerError) as caught:
        rules.begin("shoot").answer_text(text)
    assert told in str(caught.value)


MOVED: Final = """
record unit
  mr      1..9
  stands  0.. = 3
facts
  target  unit
procedure volley
  1. roll d6 as die
  2. give result = die + target.mr - target.stands
"""


def test_a_typed_name_is_a_known_piece() -> None:
    run = enfilade.load(text=MOVED).begin("volley")
    guns = SimpleNamespace(kind="unit", fields={"mr": 6, "stands": 2})
    target = run.answer_text("guns", pieces={"guns": guns}).facts["target"]
    assert (target["name"], target["mr"], target["stands"]) == ("guns", 6, 2)
    with pytest.raises(AnswerError, match="target needs its mr"):
        run.answer_text("guns")


# --------------------------------------------------------------------------------------------- saving, taking back


def test_a_run_may_be_saved_and_continued_at_every_question(rules: Ruleset) -> None:
    other = pickle.loads(pickle.dumps(rules))
    run = rules.begin("shoot", units=UNITS)
    for answer in ANSWERS:
        again = other.resume(run.save())
        assert (again.question, again.log, again.save()) == (run.question, run.log, run.save())
        assert pickle.loads(pickle.dumps(run)).save() == run.save()
        run = again.answer(answer)
    assert rules.resume(run.save()).outcome == run.outcome is not None


def test_undo_goes_back_answer_by_answer(rules: Ruleset) -> None:
    begun = rules.begin("shoot", units={"a": {}}, target="a", aimed=False)
    answers: list[Any] = [3, [1, 2], ["red", "red"], True, 6]
    keys, run = asked_by(begun, *answers), played(begun, *answers)
    for key in reversed(keys):
        run = run.undo()
        assert run.question is not None
        assert run.question.key == key
    with pytest.raises(AnswerError, match="no answer to take back"):
        run.undo()


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 2}, {"hash": "sha256:0"}, {"procedure": "none"}, {"log": 3},
        {"log": [{"kind": "roll", "name": "volley"}]}, {"log": [{"kind": "roll", "name": "other", "value": [1]}]},
        {"facts": {"unknown": 1}}, {"facts": [1]}, {"seed": [1]}, {"event": "unknown"}, {"options": 3},
        {"facts": {"fire": 0}}, {"options": {"unknown": True}}, {"log": [{"kind": "roll", "name": "volley", "value": [77, 1]}]},
    ],
)  # fmt: skip
def test_a_saved_run_that_was_changed_is_refused(rules: Ruleset, change: dict[str, Any]) -> None:
    data = json.loads(begin(rules).save()) | change
    with pytest.raises((AnswerError, InputError)):
        rules.resume(json.dumps(data), accept_changes=True)


CHANGED: dict[str, dict[str, Any]] = {
    "a die": {"log": [{"kind": "roll", "name": "volley", "value": [6, 6]}]}, "no log": {"log": []},
    "a fact": {"facts": {"fire": 2}}, "the seed": {"seed": 5}, "dice to come": {"dice": [[1, 1]]},
    "the name": {"ruleset": "other"}, "the checksum": {"checksum": "sha256:0"}, "no checksum": {"checksum": None},
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_a_legal_change_of_a_saved_run_is_found(rules: Ruleset, change: dict[str, Any]) -> None:
    saved = begin(rules).answer([1, 2]).save()
    changed = json.dumps(json.loads(saved) | change)
    assert changed != saved
    with pytest.raises(AnswerError, match="was changed after it was saved"):
        rules.resume(changed)


def test_a_changed_run_continues_if_the_host_accepts_changes_and_blanks_are_none(rules: Ruleset) -> None:
    data = json.loads(begin(rules).answer([1, 2]).save())
    data["log"][-1]["value"] = [6, 6]
    run = rules.resume(json.dumps(data), accept_changes=True)
    assert run.log[-1].value == (6, 6)
    saved = run.save()
    assert rules.resume(saved).log == run.log
    assert rules.resume(json.dumps(json.loads(saved), indent=2)).save() == saved


@pytest.mark.parametrize("saved", ["", "[]", "{}", "null", "[" * 100_000])
def test_what_is_no_saved_run_is_refused(rules: Ruleset, saved: str) -> None:
    with pytest.raises(AnswerError, match="not a saved run"):
        rules.resume(saved)


def test_a_run_of_other_rules_is_refused(rules: Ruleset) -> None:
    other = enfilade.load(text=TEXT.replace("too_strong", "far_too_strong"))
    with pytest.raises(AnswerError, match="saved with other rules"):
        other.resume(begin(rules).save())


# ---------------------------------------------------------------------------------------------------------- events


def test_an_event_starts_a_run_that_asks_on(rules: Ruleset) -> None:
    (started,) = rules.notify("contact", fire=3, cover=1, units=UNITS, target="a")
    assert isinstance(started, Started)
    assert (started.procedure, started.cites) == ("shoot", ("4",))
    assert started.to_json()["question"]["key"] == "volley"
    run = rules.resume(started.run.save())
    run = played(run, [1, 2], ["red", "red"], "a", "b", True, 1, 2)
    assert run.outcome is not None
    assert run.outcome.result == 5


def test_an_event_says_why_nothing_starts(rules: Ruleset) -> None:
    (not_started,) = rules.notify("contact", cover=2)
    assert not_started == NotStarted("in_cover", "nobody sees it", ("4.1",))
    assert not_started.to_json()["reason"] == "in_cover"


SEVERAL = """
facts
  near  yes/no
procedure shoot
  1. roll 4d10 as volley
  2. give result = volley.faces
event contact
on contact "All that stand near"
  start shoot
  start shoot
on contact "And one more"
  start shoot
"""


def test_the_runs_that_an_event_starts_roll_dice_of_their_own() -> None:
    rules = enfilade.load(text=SEVERAL)
    runs, again, fresh = (
        [started.run for started in rules.notify("contact", seed=seed) if isinstance(started, Started)]
        for seed in (7, 7, None)
    )
    rolled = [run.roll().log[-1].value for run in runs]
    assert len(set(rolled)) == 3
    assert rolled[0] == rules.begin("shoot", seed=7).roll().log[-1].value
    assert [run.roll().log[-1].value for run in again] == rolled
    assert [rules.resume(run.save()).roll().log[-1].value for run in runs] == rolled
    assert [run.start.seed for run in fresh] == [None, None, None]


def test_an_unknown_event_is_an_input_error(rules: Ruleset) -> None:
    with pytest.raises(InputError, match="did you mean contact"):
        rules.notify("contcat")


KNOWN: Final = """\
facts
  moved  yes/no
  hexes  0..9
  cover  0..3
procedure shot
  1. roll d6 as die
  2. when moved and not (hexes is 0): give result = die - 2
     otherwise: give result = die - cover
"""


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([True, 3], ["moved", "hexes", "die"]),
        ([True, 0, 1], ["moved", "hexes", "cover", "die"]),
        ([False, 1], ["moved", "cover", "die"]),
    ],
)
def test_facts_that_what_is_known_makes_sure_are_asked_before_the_dice(answers: list[Any], asked: list[str]) -> None:
    assert asked_by(enfilade.load(text=KNOWN).begin("shot", ask_all=True), *answers) == asked


def test_a_run_gives_the_facts_so_far_as_plain_data(rules: Ruleset) -> None:
    run = rules.begin("shoot", units={"a": {"steps": 2}}).answer(3)
    assert run.facts["fire"] == 3
    assert run.facts["units"][0]["name"] == "a"
    assert rules.begin("shoot", given=run.facts).facts == run.facts


def test_a_run_begins_with_records_that_are_described_in_fields_of_others() -> None:
    rules = enfilade.load(
        text="""
record squad
  firepower  0.. = 4
record stack
  squads  list of squad
facts
  stack  stack
  spare  squad or none
procedure shoot
  1. roll d6 as die
     give result = die + sum of firepower over stack.squads
     give spared = spare is not none
"""
    )
    facts = {"stack": {"squads": [{"name": "a", "firepower": 6}, {"name": "b"}, "c"]}, "spare": {"name": "c"}}
    run = rules.begin("shoot", given=facts).answer([1])
    assert run.outcome is not None
    again = rules.resume(run.save()).outcome
    assert again is not None
    assert run.outcome.result == again.result == rules.resolve("shoot", given=facts, dice=[1]).result == 15
