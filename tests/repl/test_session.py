"""A session without a terminal: what `test_typed.py` can't say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Final, NoReturn

import pytest
from tests.repl.conftest import Typed

import enfilade
from enfilade.files import shipped_names
from enfilade.language import folded, in_columns, line, plain, width
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.dispatch import interpret, new_session
from enfilade_repl.session import Session
from enfilade_repl.settings import Settings, read_settings

USE: Final = "use infantry_attacks"
SHOT: Final = "direct_fire fire_value 16, terrain town, ranges 1"
HIT: Final = "direct_fire fire_value 45, unit a (kind infantry, steps 2), unit b (kind mg, steps 1)"
SLOW: Final = ("compare", "diff", "odds", "sensitivity", "what", "worth")
PLAYED: Final = f"{HIT} on 2 2 choosing a b"


def prompt(session: Session) -> str:
    return plain([session.prompt])


# -------------------------------------------------------------------------------------------------------------- states


def test_undo_and_redo_go_back_to_the_same_states(session: Session, typed: Typed) -> None:
    typed(USE, "unit gun: kind mg", f"{SHOT} on 4 3", "option flanking_fire on")
    states = [session.state]
    for _ in range(4):
        typed("undo")
        states.append(session.state)
    for state in reversed(states[:-1]):
        typed("redo")
        assert session.state is state


def test_what_has_dice_or_choices_keeps_them(session: Session, typed: Typed) -> None:
    typed(USE, PLAYED)
    outcome = session.last.outcome
    assert [each.answers for each in outcome.dice] == [(2, 2)]
    assert outcome.outputs["steps_left"] == {"a": 1, "b": 0}


def test_the_same_seed_and_entries_come_to_the_same(session: Session) -> None:
    other = new_session(seed="7")
    for entry in (USE, SHOT, "", "2d6", "again terrain hill", "all", "reroll"):
        assert plain(session.enter(entry).lines) == plain(other.enter(entry).lines)


@pytest.mark.parametrize("entry", ["odds", "2d6", SHOT, "undo", "use fire_combat", "define x = 1", "apply", ""])
def test_an_entry_that_is_interrupted_leaves_everything_as_it_was(
    session: Session, typed: Typed, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(USE, PLAYED)
    if entry == "":
        typed(SHOT)
    before, at = session.state, prompt(session)

    def interrupted(self: Session, text: str) -> NoReturn:
        tuple(interpret(self, text))
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "_interpret", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.enter(entry)
    monkeypatch.undo()
    assert (session.state, prompt(session)) == (before, at)
    if not session.state.asks:
        typed("undo", "redo")
        assert session.state is before


def test_bye_leaves(session: Session) -> None:
    assert session.enter("bye").ends


# ------------------------------------------------------------------------------------------------------------ mistakes


def test_a_letter_that_a_terminal_would_obey_is_named(session: Session) -> None:
    said = plain(session.enter("\x1b[2J").lines)
    assert "U+001B" in said
    assert "\x1b" not in said


def test_what_would_change_the_table_has_to_wait_while_something_is_asked(typed: Typed) -> None:
    typed(USE, SHOT)
    for command in COMMANDS:
        if not command.while_asking:
            assert "doesn't work while a question is open" in typed(command.name, code=2)


def test_without_a_ruleset_commands_say_what_is_missing(session: Session) -> None:
    for command in COMMANDS:
        reply = session.enter(command.name)
        assert reply.code in (0, 2), command.name
        assert "Traceback" not in plain(reply.lines)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(each, marks=() if each in ("bombardment", "infantry_attacks") else pytest.mark.thorough)
        for each in shipped_names()
    ],
)
def test_what_fits_nothing_is_not_suggested(session: Session, game: str) -> None:
    session.enter(f"use {game}")
    for entry in ("3 attack 2", "9 9 9 9 9 9", "attack", "range", "fire 3 at 2"):
        reply = session.enter(entry)
        told = plain(reply.lines)
        assert reply.code == (0 if session.state.ways else 2), told
        assert session.state.pending is None, told
        # Neither the entry as an argument nor a helper of an imported module.
        assert f" {entry}`" not in told
        assert "roll_d66" not in told
        if session.state.ways:
            session.enter("cancel")


# ---------------------------------------------------------------------------------------------------------------- help


def test_every_command_has_help_and_its_aliases_mean_it(typed: Typed) -> None:
    overview, every = typed("help"), typed("help commands")
    for command in COMMANDS:
        assert f" {command.name}" in overview
        assert f" {command.name} " in every
        said = typed(f"help {command.name}")
        assert command.usage in said
        assert command.help in said
        assert {find_command(alias) for alias in command.aliases} <= {command}
    assert typed("?") == overview


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A session in which the example of any command can be typed, in a folder with the files that they name."""
    with chdir(tmp_path_factory.mktemp("examples")):
        Path("my_game.rules").write_text("procedure p\n  1. give result = 1\n")
        Path("house_rules.rules").write_text("ruleset house_rules extends infantry_attacks\n")
        session = new_session(seed="1")
        for entry in (
            USE,
            "procedure scatter\n  1. give result = 1\n",
            "direct_fire 16, unit a (kind mg, steps 2) on 4 4",
        ):
            assert session.enter(entry).code == 0
        yield session


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each.name, marks=pytest.mark.thorough if each.name in SLOW else ())
        for each in COMMANDS
        # The example of `matters` takes long, and is typed in `transcripts/another_game.script`.
        if each.more and each.name != "matters"
    ],
)
def test_every_example_of_a_commands_help_can_be_typed(examples: Session, name: str) -> None:
    command = find_command(name)
    assert command is not None
    for example in command.more:
        session = new_session(seed="1")
        session.become(examples)
        if name == "worth":
            session.enter(HIT)
            session.enter("2 2")
        reply = session.enter(re.sub(r"\bgun\b", "a", example))
        assert reply.code == (2 if example == "open last" else 0), (example, plain(reply.lines))


def test_help_tells_of_every_name_of_the_ruleset(session: Session, typed: Typed) -> None:
    typed(USE)
    program = session.ruleset.rules.program
    for name in (
        *program.procedures, *program.facts, *program.charts, *program.options, *program.records, *program.effects,
        *program.definitions, "hill", "entrenched", "infantry_attacks",
    ):  # fmt: skip
        assert name in typed(f"help {name}"), name


# ------------------------------------------------------------------------------------------------------ on the screen


def test_a_narrow_session_draws_no_wider_than_it_is(session: Session) -> None:
    session.columns = 40
    for entry in (
        USE, PLAYED, "why", "odds", "odds by fire_value 1..9 of M or worse", "odds by terrain", "chart", "help", "log", "table",
    ):  # fmt: skip
        for each in session.enter(entry).lines:
            for piece in folded(each, 40):
                assert sum(width(text) for _, text in piece) <= 40, entry


def test_a_table_too_wide_for_the_terminal_is_split_at_columns(session: Session, typed: Typed) -> None:
    session.columns = 40
    lines = typed(USE, "direct_fire fire_value 45 on 4 3", "odds by terrain").splitlines()
    assert [each.split()[0] for each in lines if each].count("swamp") == 2
    assert "3X" in lines[7]


def test_shared_text_is_folded_at_words_except_the_command(session: Session, typed: Typed) -> None:
    typed(USE, SHOT, "4 3")
    lines = [piece for each in session.enter("share").lines for piece in folded(each, 60)]
    *text, command = [plain([each]) for each in lines]
    assert max(map(len, text)) <= 60 < len(command)
    assert command.startswith("to check it: enfilade resolve")


def test_carets_stand_below_their_place_at_60_columns(session: Session, tmp_path: Path) -> None:
    names = [f"strength_of_the_unit_{number}" for number in range(4)]
    facts = "".join(f"  {name}  0..\n" for name in names)
    rules = f"ruleset wide\nfacts\n{facts}procedure p\n  1. give result = {' + '.join(names)} + nihgt\n"
    (tmp_path / "wide.rules").write_text(rules, encoding="utf-8")
    session.columns = 60
    lines = [plain([each]) for each in session.enter(f"use {tmp_path / 'wide.rules'}").lines]
    at = next(number for number, each in enumerate(lines) if "^" in each)
    assert all(len(each) <= 60 for each in lines[at - 1 : at + 1])
    assert lines[at].index("^") == lines[at - 1].index("nihgt")


def test_wide_characters_are_measured() -> None:
    rows = in_columns([[("name", "砲兵"), "guns"], ["歩", "foot"]])
    assert [sum(width(text) for _, text in row) for row in rows] == [10, 10]
    assert plain(folded(line("砲兵砲兵砲兵砲兵 砲兵"), 12)) == "砲兵砲兵砲兵\n  砲兵 砲兵"


# ------------------------------------------------------------------------------------------------- settings, and a bot


def test_settings_of_a_file_count_line_by_line(session: Session, typed: Typed) -> None:
    settings, wrong = read_settings("theme light\nnonsense\n\n# a remark\ndice roll\n")
    assert (settings["theme"], settings.rolls, len(wrong)) == ("light", True, 1)
    assert read_settings(settings.to_text()) == (settings, ())
    assert Settings() == read_settings("")[0]
    typed("set keys vi")
    assert session.settings.to_text().splitlines()[1] == "keys vi"


def test_a_bot_asks_reads_and_tells_in_the_words_of_the_prompt(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire 16 town")
    run = enfilade.load("infantry_attacks").begin("direct_fire", fire_value=16, terrain={"town"})
    assert run.question is not None
    assert f"{run.question.prompt()} " == "".join(text for _, text in session.prompt)
    outcome = run.answer_text("4, 3").outcome
    assert outcome is not None
    assert outcome.sentence() == typed("4, 3", "why short")
