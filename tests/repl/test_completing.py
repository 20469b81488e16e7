"""What completion offers: commands, facts, words, pieces, files, and the legal answers of everything that is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import enfilade
from enfilade.api.questions import ChoiceQuestion, FactQuestion
from enfilade.language import plain
from enfilade.types import record_kind
from enfilade.values.types import ListOf
from enfilade_repl.answers import fact_type
from enfilade_repl.commands import COMMANDS
from enfilade_repl.completion import candidates
from enfilade_repl.completion.facts import Candidate
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session
from enfilade_repl.settings import SETTINGS

SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")
HEAVY: Final = ("fire_combat", "franco_prussian")
MOST_QUESTIONS: Final = 120
COMMAND_NAMES: Final = {command.name for command in COMMANDS}


@pytest.fixture
def session() -> Session:
    made = new_session(seed="1")
    for entry in ("use infantry_attacks", "unit gun: kind artillery, steps 2", "unit cart: kind wagon"):
        assert not made.enter(entry).code
    return made


@pytest.fixture
def played(session: Session) -> Session:
    assert not session.enter("direct_fire fire_value 16, terrain town, units gun on 4 3").code
    return session


@pytest.fixture
def empty() -> Session:
    return new_session(seed="1")


def offered(session: Session, text: str) -> list[str]:
    """What is offered, each as the text that it would make of the last word."""
    return [each.text for each in candidates(session, text)]


def completed(text: str, found: Candidate) -> str:
    """The text with a candidate put in."""
    return text[: len(text) - found.start] + found.text


def meta(session: Session, text: str, wanted: str) -> str:
    return next(each.meta for each in candidates(session, text) if each.text == wanted)


# --------------------------------------------------------------------------------------------------- after what is typed


@pytest.mark.parametrize(
    ("text", "all_of_it"),
    [
        ("set ", [each.name for each in SETTINGS]),
        ("set theme ", ["dark", "light", "none"]),
        ("set nothing ", []),
        ("option ", ["flanking_fire", "low_edge"]),
        ("option low_edge ", ["stays", "no_effect"]),
        ("chart ", ["direct_fire_table"]),
        ("why ", ["short", "all", "not"]),
        ("drop ", ["gun", "cart"]),
        ("load /no such folder/x", []),
        ("dire", ["direct_fire"]),
        ("direct_fire terrain ", ["clear", "town", "woods", "hill", "swamp"]),
        ("direct_fire terrain wo", ["woods"]),
        ("direct_fire units ", ["gun", "cart"]),
        ("direct_fire unit ", ["gun", "cart"]),
        ("direct_fire units gun (kind mo", ["mortar", "mounted_cavalry"]),
        ("unit ", ["gun", "cart"]),
        ("unit new: kind art", ["artillery"]),
        ("direct_fire fire_value 16 on ", []),
        ("direct_fire fire_value 16 on 4 3 ch", ["choosing"]),
        ("odds best ", ["owner"]),
        ("odds best owner ", ["aim"]),
        ("what ", ["if"]),
        ("what if gun.kind a", ["artillery"]),
        ("again terrain w", ["woods"]),
        ("least fire_value 50% ", ["of"]),
        ("log ", ["1"]),
        ('chart new "New"\n  severity never ', ["falls", "rises"]),
        ("procedure sca", []),
        ('chart new "New"\n  | Roll | 1', []),
    ],
)
def test_exactly_what_may_follow_is_offered(played: Session, text: str, all_of_it: list[str]) -> None:
    assert offered(played, text) == all_of_it


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("use", "", "use"),
        ("why not ", "hill night entrenched", ""),
        ("rule ", "16.3 7.5", ""),
        ("help ", "odds direct_fire fire_value low_edge direct_fire_table hill unit gun", ""),
        ("/od", "odds", ""),
        ("/odds ", "direct_fire", ""),
        ("direct_fire ", "fire_value", ""),
        ("direct_fire night, ", "terrain", "night"),
        ("direct_fire not night, ", "terrain", "night"),
        ("direct_fire night yes ", "terrain", "night"),
        ("direct_fire night ", "terrain yes no", "night"),
        ("direct_fire terrain town, ", "woods", "town"),
        ("direct_fire terrain [town, ", "woods", "town"),
        ("direct_fire terrain town and ", "woods", "town"),
        ("direct_fire fire_value 16 ", "terrain on choosing", ""),
        ("direct_fire not ", "night", "fire_value"),
        ("direct_fire units gun, ", "", "gun"),
        ("direct_fire units gun (", "entrenched", ""),
        ("direct_fire units [gun (kind mg, ", "", "kind"),
        ("direct_fire units x (loaded_on ", "gun cart none", ""),
        ("unit new: ", "dug_in", ""),
        ("unit new ", "dug_in", ""),
        ("gun ", "dug_in", ""),
        ("gun: ", "dug_in", ""),
        ("direct_fire fire_value 16 on 4 3 choosing ", "gun", ""),
        ("odds of column ", "is", ""),
        ("odds ", "of by given best", ""),
        ("odds direct_fire fire_value 3 ", "of", ""),
        ("odds by ", "fire_value", ""),
        ("odds best owner ", "", "result"),
        ("what if ", "terrain gun.steps steps", ""),
        ("compare terrain town ", "with", ""),
        ("compare terrain town with terrain ", "hill", ""),
        ("least ", "fire_value", ""),
        ("least fire_value ", "50%", ""),
        ("proc", "procedure", ""),
        ("mod", "modifiers", ""),
        ("procedure scatter\n  ro", "roll", ""),
        ("define low = ", "lowest fire_value", ""),
        ("procedure scatter\n  roll d6 as drift_die\n  give result = dri", "drift_die", ""),
    ],
)
def test_what_may_follow_is_offered_and_what_may_not_is_not(played: Session, text: str, some: str, none: str) -> None:
    found = set(offered(played, text))
    assert set(some.split()) <= found
    assert not set(none.split()) & found


def test_questions_of_several_words_are_offered(played: Session) -> None:
    assert "or more" in offered(played, "odds of column ")
    for text in ("compare terrain town with terrain hill of ", "least fire_value 50% of "):
        assert "M or worse" in offered(played, text)


@pytest.mark.parametrize(
    ("text", "wanted", "told"),
    [
        ("set theme ", "dark", "as it is"),
        ("why not ", "night", "Night turn"),
        ("drop ", "gun", "kind artillery, steps 2"),
        ("dire", "direct_fire", "Direct Fire"),
        ("direct_fire ", "fire_value", "total fire value of the firing units: 1 or more"),
    ],
)
def test_what_is_offered_is_explained(session: Session, text: str, wanted: str, told: str) -> None:
    assert meta(session, text, wanted) == told


def test_every_command_is_offered_with_its_help(empty: Session) -> None:
    found = {each.text: each.meta for each in candidates(empty, "")}
    assert all(found[command.name] == command.help for command in COMMANDS)


def test_a_candidate_takes_the_place_of_what_was_typed(session: Session) -> None:
    for text, wanted, whole in (
        ("  us", "use", "  use"),
        ("odds direct_fire of M or w", "M or worse", "odds direct_fire of M or worse"),
    ):
        (found,) = [each for each in candidates(session, text) if each.text == wanted]
        assert completed(text, found) == whole


def test_what_begins_so_stands_before_what_goes_on_so(session: Session) -> None:
    names = offered(session, "odds direct_fire fi")
    assert names.index("fire_value") < names.index("opportunity_fire")


def test_a_question_mark_is_followed_as_help_is(session: Session) -> None:
    assert offered(session, "help ") == offered(session, "?")


def test_what_was_defined_can_be_forgotten(session: Session) -> None:
    session.enter("define twice (n 1..) = n * 2")
    assert offered(session, "forget ") == ["define twice"]


def test_a_text_that_can_not_be_read_offers_what_it_can(session: Session) -> None:
    for text in ("direct_fire units ]]) ", "direct_fire ((((", 'direct_fire "', "direct_fire ,,, ", "unit : ", "= "):
        offered(session, text)


def test_nothing_breaks_after_any_command(played: Session, empty: Session) -> None:
    for name in COMMAND_NAMES:
        for text in (
            "",
            " ",
            " x",
            " gun ",
            " of ",
            " if gun.",
            " not ",
            " direct_fire units [gun (",
            ' "',
            " by night ",
        ):
            offered(played, name + text)
            offered(empty, name + text)


def test_outputs_and_codes_follow_odds_of(session: Session) -> None:
    found = offered(session, "odds direct_fire fire_value 11, units gun of ")
    assert "steps_left of cart" not in found
    assert {"M", "M or worse", "X", "steps_left of gun", "column"} <= set(found)


@pytest.mark.parametrize("facts", ["16", pytest.param("16, units gun", marks=pytest.mark.thorough)])
def test_every_question_that_is_offered_can_be_asked(session: Session, facts: str) -> None:
    session.enter(f"direct_fire fire_value {facts} on 4 3")
    for question in offered(session, "odds of "):
        said = plain(session.enter(f"odds of {question}").lines)
        assert not session.code, said


# --------------------------------------------------------------------------------------------------------------- files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with some files."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("games").mkdir()
    for name in ("mine.rules", "notes.txt", ".hidden.rules", "games/mine.rules", "a\x1b[2J.rules"):
        tmp_path.joinpath(name).write_text("", encoding="utf-8")
    return tmp_path


def test_rulesets_and_files_follow_use(empty: Session, folder: Path) -> None:
    found = offered(empty, "use ")
    assert {*SHIPPED, "mine.rules", "games/"} <= set(found)
    assert not {"notes.txt", ".hidden.rules"} & set(found)


def test_a_path_goes_on_below_its_folder(empty: Session, folder: Path) -> None:
    (found,) = candidates(empty, "load games/mi")
    assert completed("load games/mi", found) == "load games/mine.rules"


def test_a_file_name_that_would_move_the_cursor_is_not_offered(empty: Session, folder: Path) -> None:
    assert not offered(empty, "load a")


def test_sessions_that_are_kept_follow_open(empty: Session, tmp_path: Path) -> None:
    empty.folder = tmp_path
    assert "last" not in offered(empty, "open ")
    tmp_path.joinpath("sessions").mkdir()
    tmp_path.joinpath("sessions", "friday.session").write_text("", encoding="utf-8")
    assert {"last", "friday"} <= set(offered(empty, "open "))


# -------------------------------------------------------------------------------------------------- what is asked back


def situations() -> Iterator[Any]:
    for name in SHIPPED:
        rules = enfilade.load(name)
        for begun in [*(each.name for each in rules.procedures), *(each.name for each in rules.events)]:
            yield pytest.param(name, begun, marks=pytest.mark.thorough if name in HEAVY else ())


@pytest.mark.parametrize(("ruleset", "name"), list(situations()))
def test_every_prompt_completes_and_what_it_offers_first_is_legal(session: Session, ruleset: str, name: str) -> None:
    session.enter(f"use {ruleset}")
    session.enter(name)
    for _ in range(MOST_QUESTIONS):
        if not session.state.asks:
            break
        found = offered(session, "")
        assert {"cancel", "help", "undo"} <= set(found)
        answer = answered(session, [each for each in found if each not in COMMAND_NAMES])
        said = plain(session.enter(answer).lines)
        assert session.code != 2, f"{answer}: {said}"


def answered(session: Session, answers: list[str]) -> str:
    """The first answers that are offered; where none can be, dice are rolled and records are described."""
    pending = session.state.pending
    if session.state.form is not None:
        # A field that is a number without bounds has nothing to offer.
        return answers[0] if answers else "1"
    assert pending is not None
    question = pending.question
    if isinstance(question, ChoiceQuestion):
        assert answers
        return " ".join(answers[: question.count or 1])
    if not isinstance(question, FactQuestion):
        assert not answers
        return ""
    type_ = fact_type(pending)
    if record_kind(type_) is None:
        assert answers
        return answers[0]
    return f"{question.key}_1, {question.key}_2" if isinstance(type_, ListOf) else f"{question.key}_1"


def asked_for(session: Session, fact: str) -> Session:
    """The session where direct fire asks for a fact."""
    session.enter("direct_fire")
    while session.state.pending is not None and session.state.pending.question.key != fact:
        session.enter("16" if session.state.pending.question.key == "fire_value" else "")
    return session


def test_the_default_is_offered_first(session: Session) -> None:
    asked_for(session, "night")
    assert offered(session, "")[0] == "no"
    assert meta(session, "", "no") == "the answer if you press Enter"


def test_commands_that_have_to_wait_are_not_offered_while_something_is_asked(session: Session) -> None:
    session.enter("direct_fire")
    found = set(offered(session, ""))
    assert found & COMMAND_NAMES == {each.name for each in COMMANDS if each.while_asking}
    assert not offered(session, "use ")
    assert "fire_value" in offered(session, "odds by ")


def test_an_answer_that_is_a_list_goes_on(session: Session) -> None:
    found = offered(asked_for(session, "terrain"), "town, ")
    assert "town" not in found
    assert "woods" in found


def test_records_can_be_described_in_an_answer(session: Session) -> None:
    asked_for(session, "units")
    assert {"gun", "cart", "nothing"} <= set(offered(session, ""))
    assert offered(session, "new (kind art") == ["artillery"]


def test_words_come_before_the_names_of_facts_and_what_is_required_before_the_rest(session: Session) -> None:
    assert next(candidates(session, "direct_fire 16 t")).text == "town"
    assert next(candidates(session, "direct_fire ")).text == "fire_value"
    assert "town" in [each.text for each in candidates(session, "16 to")]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (f"odds {word[:1]}", word)
        for word in ("of", "by", "given", "aim", "policy", "plus", "then", "for", "until", "if")
    ],
)
def test_each_place_of_a_question_of_odds_is_offered(session: Session, text: str, whole: str) -> None:
    assert whole in [each.text for each in candidates(session, text)]


def test_the_numbers_of_readings_are_offered(session: Session) -> None:
    session.enter("direct_fire range 3 16")
    assert [(each.text, each.meta) for each in candidates(session, "")][:2] == [
        ("1", "direct_fire ranges [3, 16]"),
        ("2", "direct_fire ranges [3], fire_value 16"),
    ]
