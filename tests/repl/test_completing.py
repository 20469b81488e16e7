"""What completion offers: commands, facts, words, pieces, files, and the legal answers of everything that is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade.api.questions import ChoiceQuestion, FactQuestion
from enfilade.core.types import ListOf
from enfilade.language import plain
from enfilade.types import record_kind
from enfilade_repl.answers import fact_type
from enfilade_repl.commands import COMMANDS
from enfilade_repl.completion import candidates
from enfilade_repl.completion.facts import Candidate
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session
from enfilade_repl.settings import SETTINGS

SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")
MOST_QUESTIONS: Final = 120


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


def offered(session: Session, text: str) -> list[str]:
    """What is offered, each as the text that it would make of the last word."""
    return [each.text for each in candidates(session, text)]


def completed(text: str, found: Candidate) -> str:
    """The text with a candidate put in."""
    return text[: len(text) - found.start] + found.text


def meta(session: Session, text: str, wanted: str) -> str:
    return next(each.meta for each in candidates(session, text) if each.text == wanted)


# ------------------------------------------------------------------------------------------------------------ commands


def test_every_command_is_offered_with_its_help() -> None:
    session = new_session(seed="1")
    found = {each.text: each.meta for each in candidates(session, "")}
    assert all(found[command.name] == command.help for command in COMMANDS)


def test_a_candidate_takes_the_place_of_what_was_typed() -> None:
    (found,) = [each for each in candidates(new_session(seed="1"), "  us") if each.text == "use"]
    assert completed("  us", found) == "  use"


def test_what_begins_so_stands_before_what_goes_on_so(session: Session) -> None:
    names = offered(session, "odds direct_fire fi")
    assert names.index("fire_value") < names.index("opportunity_fire")


def test_a_word_that_is_complete_is_not_offered_again(session: Session) -> None:
    assert "use" not in offered(session, "use")


def test_rulesets_and_files_follow_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.rules", "notes.txt", ".hidden.rules"):
        tmp_path.joinpath(name).write_text("", encoding="utf-8")
    tmp_path.joinpath("folder").mkdir()
    found = offered(new_session(seed="1"), "use ")
    assert {*SHIPPED, "mine.rules", "folder/"} <= set(found)
    assert not {"notes.txt", ".hidden.rules"} & set(found)


def test_a_path_goes_on_below_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("games").mkdir()
    tmp_path.joinpath("games", "mine.rules").write_text("", encoding="utf-8")
    (found,) = candidates(new_session(seed="1"), "load games/mi")
    assert completed("load games/mi", found) == "load games/mine.rules"


def test_a_folder_that_is_not_there_offers_nothing() -> None:
    assert not offered(new_session(seed="1"), "load /no such folder/x")


def test_a_file_name_that_would_move_the_cursor_is_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("a\x1b[2J.rules").write_text("", encoding="utf-8")
    assert not offered(new_session(seed="1"), "load a")


def test_sessions_that_are_kept_follow_open(tmp_path: Path) -> None:
    session = new_session(seed="1")
    session.folder = tmp_path
    assert "last" not in offered(session, "open ")
    tmp_path.joinpath("sessions").mkdir()
    tmp_path.joinpath("sessions", "friday.session").write_text("", encoding="utf-8")
    assert {"last", "friday"} <= set(offered(session, "open "))


def test_settings_are_offered_with_their_values() -> None:
    session = new_session(seed="1")
    assert offered(session, "set ") == [each.name for each in SETTINGS]
    assert offered(session, "set theme ") == ["dark", "light", "none"]
    assert meta(session, "set theme ", "dark") == "as it is"
    assert not offered(session, "set nothing ")


def test_options_are_offered_with_their_values(session: Session) -> None:
    assert offered(session, "option ") == ["flanking_fire", "low_edge"]
    assert offered(session, "option low_edge ") == ["stays", "no_effect"]


def test_charts_modifiers_and_citations_are_offered(session: Session) -> None:
    assert offered(session, "chart ") == ["direct_fire_table"]
    assert offered(session, "why ") == ["short", "all", "not"]
    assert {"hill", "night", "entrenched"} <= set(offered(session, "why not "))
    assert meta(session, "why not ", "night") == "Night turn"
    assert {"16.3", "7.5"} <= set(offered(session, "rule "))


def test_help_is_offered_for_every_name(session: Session) -> None:
    found = set(offered(session, "help "))
    assert {"odds", "direct_fire", "fire_value", "low_edge", "direct_fire_table", "hill", "unit", "gun"} <= found
    assert found == set(offered(session, "?"))


def test_pieces_are_offered_with_what_is_said_of_them(session: Session) -> None:
    assert offered(session, "drop ") == ["gun", "cart"]
    assert meta(session, "drop ", "gun") == "kind artillery, steps 2"


def test_what_was_defined_can_be_forgotten(session: Session) -> None:
    session.enter("define twice (n 1..) = n * 2")
    assert offered(session, "forget ") == ["define twice"]


def test_a_slash_stands_before_commands(session: Session) -> None:
    assert "odds" in offered(session, "/od")
    assert "direct_fire" in offered(session, "/odds ")


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_nothing_breaks_after_any_command(played: Session, name: str) -> None:
    for text in ("", " ", " x", " gun ", " of ", " if gun.", " not ", " direct_fire units [gun (", ' "', " by night "):
        offered(played, name + text)
        offered(new_session(seed="1"), name + text)


# --------------------------------------------------------------------------------------------------------------- facts


def test_procedures_are_offered_with_their_labels(session: Session) -> None:
    assert offered(session, "dire") == ["direct_fire"]
    assert meta(session, "dire", "direct_fire") == "Direct Fire"


def test_facts_are_offered_with_what_they_may_be(session: Session) -> None:
    assert "fire_value" in offered(session, "direct_fire ")
    assert meta(session, "direct_fire ", "fire_value") == "total fire value of the firing units: 1 or more"


@pytest.mark.parametrize(
    "text", ["direct_fire night, ", "direct_fire not night, ", "direct_fire night yes ", "direct_fire night "]
)
def test_a_fact_that_was_given_is_not_offered_again(session: Session, text: str) -> None:
    assert "night" not in offered(session, text)
    assert "terrain" in offered(session, text)


def test_words_follow_their_fact(session: Session) -> None:
    assert offered(session, "direct_fire terrain ") == ["clear", "town", "woods", "hill", "swamp"]
    assert offered(session, "direct_fire terrain wo") == ["woods"]


def test_a_set_goes_on_with_the_words_that_are_left(session: Session) -> None:
    for text in ("direct_fire terrain town, ", "direct_fire terrain [town, ", "direct_fire terrain town and "):
        found = offered(session, text)
        assert "woods" in found
        assert "town" not in found


def test_commas_between_facts_may_be_left_out(session: Session) -> None:
    assert {"terrain", "on", "choosing"} <= set(offered(session, "direct_fire fire_value 16 "))


def test_yes_and_no_follow_a_fact_that_is_either(session: Session) -> None:
    assert {"yes", "no"} <= set(offered(session, "direct_fire night "))


def test_only_facts_that_are_yes_or_no_can_be_denied(session: Session) -> None:
    found = offered(session, "direct_fire not ")
    assert "night" in found
    assert "fire_value" not in found


def test_pieces_follow_a_fact_that_takes_records(session: Session) -> None:
    assert offered(session, "direct_fire units ") == ["gun", "cart"]
    assert offered(session, "direct_fire unit ") == ["gun", "cart"]
    assert "gun" not in offered(session, "direct_fire units gun, ")


def test_fields_and_their_words_follow_an_open_bracket(session: Session) -> None:
    assert "entrenched" in offered(session, "direct_fire units gun (")
    assert offered(session, "direct_fire units gun (kind mo") == ["mortar", "mounted_cavalry"]
    assert "kind" not in offered(session, "direct_fire units [gun (kind mg, ")
    assert {"gun", "cart", "none"} <= set(offered(session, "direct_fire units x (loaded_on "))


def test_a_piece_is_described_with_fields_and_words(session: Session) -> None:
    assert offered(session, "unit ") == ["gun", "cart"]
    for text in ("unit new: ", "unit new ", "gun ", "gun: "):
        assert "dug_in" in offered(session, text)
    assert offered(session, "unit new: kind art") == ["artillery"]


def test_dice_are_not_guessed(session: Session) -> None:
    assert not offered(session, "direct_fire fire_value 16 on ")
    assert offered(session, "direct_fire fire_value 16 on 4 3 ch") == ["choosing"]
    assert "gun" in offered(session, "direct_fire fire_value 16 on 4 3 choosing ")


def test_a_text_that_can_not_be_read_offers_what_it_can(session: Session) -> None:
    for text in ("direct_fire units ]]) ", "direct_fire ((((", 'direct_fire "', "direct_fire ,,, ", "unit : ", "= "):
        offered(session, text)


# ------------------------------------------------------------------------------------------------------- what is asked


def test_outputs_and_codes_follow_odds_of(session: Session) -> None:
    found = offered(session, "odds direct_fire fire_value 11, units gun of ")
    assert "steps_left of cart" not in found
    assert {"M", "M or worse", "X", "steps_left of gun", "column"} <= set(found)
    (worse,) = [each for each in candidates(session, "odds direct_fire of M or w") if each.text == "M or worse"]
    assert completed("odds direct_fire of M or w", worse) == "odds direct_fire of M or worse"


def test_every_question_that_is_offered_can_be_asked(session: Session) -> None:
    session.enter("direct_fire fire_value 16, units gun on 4 3")
    for question in offered(session, "odds of "):
        said = plain(session.enter(f"odds of {question}").lines)
        assert not session.code, said


def test_words_that_the_parser_would_take_follow_in_a_question(played: Session) -> None:
    assert {"is", "or more"} <= set(offered(played, "odds of column "))


def test_clauses_follow_the_situation(played: Session) -> None:
    assert {"of", "by", "given", "best"} <= set(offered(played, "odds "))
    assert "of" in offered(played, "odds direct_fire fire_value 3 ")
    assert "fire_value" in offered(played, "odds by ")
    assert offered(played, "odds best ") == ["owner"]
    assert offered(played, "odds best owner ") == ["aim"]
    assert "result" not in offered(played, "odds best owner ")


def test_other_facts_and_fields_follow_what_if(played: Session) -> None:
    assert offered(played, "what ") == ["if"]
    found = offered(played, "what if ")
    assert {"terrain", "gun.steps", "steps"} <= set(found)
    assert offered(played, "what if gun.kind a") == ["artillery"]
    assert offered(played, "again terrain w") == ["woods"]


def test_two_sides_are_compared(played: Session) -> None:
    assert "with" in offered(played, "compare terrain town ")
    assert "hill" in offered(played, "compare terrain town with terrain ")
    assert "M or worse" in offered(played, "compare terrain town with terrain hill of ")


def test_what_is_least_is_asked_word_by_word(played: Session) -> None:
    assert "fire_value" in offered(played, "least ")
    assert "50%" in offered(played, "least fire_value ")
    assert offered(played, "least fire_value 50% ") == ["of"]
    assert "M or worse" in offered(played, "least fire_value 50% of ")


def test_resolutions_are_offered_by_number(played: Session) -> None:
    assert offered(played, "log ") == ["1"]


# ----------------------------------------------------------------------------------------------------------- language


def test_definitions_begin_with_a_keyword() -> None:
    session = new_session(seed="1")
    assert "procedure" in offered(session, "proc")
    assert "modifiers" in offered(session, "mod")


def test_the_words_that_the_parser_takes_are_offered_in_a_definition(session: Session) -> None:
    assert "roll" in offered(session, "procedure scatter\n  ro")
    assert offered(session, 'chart new "New"\n  severity never ') == ["falls", "rises"]
    assert {"lowest", "fire_value"} <= set(offered(session, "define low = "))


def test_names_of_the_text_itself_are_offered_in_it(session: Session) -> None:
    assert "drift_die" in offered(session, "procedure scatter\n  roll d6 as drift_die\n  give result = dri")


def test_nothing_is_offered_for_a_new_name_or_in_a_row(session: Session) -> None:
    assert not offered(session, "procedure sca")
    assert not offered(session, 'chart new "New"\n  | Roll | 1')


# -------------------------------------------------------------------------------------------------- what is asked back


def situations() -> Iterator[tuple[str, str]]:
    for name in SHIPPED:
        rules = enfilade.load(name)
        yield from ((name, each.name) for each in rules.procedures)
        yield from ((name, each.name) for each in rules.events)


@pytest.mark.parametrize(("ruleset", "name"), list(situations()))
def test_every_prompt_completes_and_what_it_offers_first_is_legal(ruleset: str, name: str) -> None:
    session = new_session(seed="7")
    session.enter(f"use {ruleset}")
    session.enter(name)
    for _ in range(MOST_QUESTIONS):
        if not session.state.asks:
            break
        found = list(candidates(session, ""))
        assert {"cancel", "help", "undo"} <= {each.text for each in found}
        answer = answered(session, found)
        said = plain(session.enter(answer).lines)
        assert session.code != 2, f"{answer}: {said}"


def answered(session: Session, found: list[Candidate]) -> str:
    """The first answers that are offered; where none can be, dice are rolled and records are described."""
    commands = {command.name for command in COMMANDS}
    answers = [each.text for each in found if each.text not in commands]
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
    if isinstance(type_, ListOf):
        return f"{question.key}_1, {question.key}_2"
    return f"{question.key}_1"


def test_the_default_is_offered_first(session: Session) -> None:
    session.enter("direct_fire")
    session.enter("16")
    session.enter("")
    assert session.state.pending is not None
    assert session.state.pending.question.key == "night"
    assert offered(session, "")[0] == "no"
    assert meta(session, "", "no") == "the answer if you press Enter"


def test_commands_that_have_to_wait_are_not_offered_while_something_is_asked(session: Session) -> None:
    session.enter("direct_fire")
    found = set(offered(session, ""))
    assert found & {command.name for command in COMMANDS} == {each.name for each in COMMANDS if each.while_asking}
    assert not offered(session, "use ")
    assert "fire_value" in offered(session, "odds by ")


def test_an_answer_that_is_a_list_goes_on(session: Session) -> None:
    session.enter("direct_fire opportunity_fire, fire_value 16, ranges 1")
    session.enter("cancel")
    session.enter("direct_fire")
    while session.state.pending is not None and session.state.pending.question.key != "terrain":
        session.enter("16" if session.state.pending.question.key == "fire_value" else "")
    assert "town" not in offered(session, "town, ")
    assert "woods" in offered(session, "town, ")


def test_records_can_be_described_in_an_answer(session: Session) -> None:
    session.enter("direct_fire")
    while session.state.pending is not None and session.state.pending.question.key != "units":
        session.enter("16" if session.state.pending.question.key == "fire_value" else "")
    assert {"gun", "cart", "nothing"} <= set(offered(session, ""))
    assert offered(session, "new (kind art") == ["artillery"]
