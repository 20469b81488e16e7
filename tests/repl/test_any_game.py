"""Every procedure of every game can be played at the prompt, with slips and second thoughts.

What was played stands in the journal, and plays the same from a command and from a file of examples.
"""

from __future__ import annotations

import json
import random
import shlex
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve
from tests.repl.answers import some_value

import enfilade
from enfilade import RuleError
from enfilade.api.questions import ChoiceQuestion, DrawQuestion, FactQuestion, Question, RollQuestion
from enfilade.cli import main
from enfilade.files import load_ruleset
from enfilade.language import plain, typed_value
from enfilade.syntax.unparse import unparse_lines
from enfilade.tools import example_of
from enfilade.tools.examples import run_examples
from enfilade_repl.answers import fact_type
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal
from enfilade_repl.recording import changed_options, given_without_defaults
from enfilade_repl.runs import begin, go_on
from enfilade_repl.session import Session
from enfilade_repl.sharing import command_of
from enfilade_repl.state import Resolution

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")
GAMES: Final = [*SHIPPED, *sorted(str(path) for path in (ROOT / "tests/generality").rglob("*.rules"))]
QUICK: Final = ("infantry_attacks", "blood_bowl", "undaunted_normandy", "risk")
HEAD: Final = {"seed": "3", "dice": "ask"}
MOST: Final = 40
COMMANDS: Final = 2


def typed_answer(session: Session, question: Question, dice: random.Random) -> str:
    """A legal answer as somebody would type it, as far as that can be told."""
    match question:
        case FactQuestion():
            if not question.input.required and dice.random() < 0.4:
                return ""
            assert session.state.pending is not None
            rules = session.state.pending.ruleset.rules
            return _as_typed(some_value(rules, fact_type(session.state.pending), dice, question.key))
        case RollQuestion():
            faces = [
                dice.choice(each.faces or range(1, each.sides + 1))
                for each in question.legal
                for _ in range(each.count)
            ]
            return "" if dice.random() < 0.5 else " ".join(map(typed_value, faces))
        case DrawQuestion():
            return ""
        case ChoiceQuestion():
            count = question.count or 1
            return ", ".join(typed_value(each) for each in dice.sample(question.legal, count))


def _as_typed(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(typed_value, value)) or "nothing"
    return typed_value(value)


def asks(session: Session) -> bool:
    return session.state.asks


def play(session: Session, name: str, dice: random.Random) -> None:
    """Play a procedure with answers at random, some of them slips."""
    session.enter(name)
    for _ in range(MOST):
        if not session.state.asks:
            break
        if session.state.form is not None:
            session.enter("undo")
            continue
        assert session.state.pending is not None
        question = session.state.pending.question
        slip = dice.random()
        if slip < 0.1:
            assert session.enter("no such answer at all").code == 2
        elif slip < 0.15:
            session.enter("undo")
            session.enter(name if not asks(session) else "help")
            continue
        elif slip < 0.18:
            assert session.enter("help").code == 0
        entered = session.enter(typed_answer(session, question, dice))
        assert "Traceback" not in plain(entered.lines)
    if session.state.asks:
        session.enter("cancel")
    assert not session.state.asks


def play_examples(session: Session, dice: random.Random) -> None:
    """Play the first whole example of each procedure."""
    firsts = {
        each.procedure: each
        for each in reversed(session.ruleset.rules.program.examples)
        if each.input_error is None and each.refused is None and not each.options and each.procedure in session.names()
    }
    for procedure, example in firsts.items():
        with suppress(RuleError):
            # Other dice than those of the example may lead to where the rules can't go on.
            begin(session, procedure, example.facts, entry=procedure, rolls=True)
            list(go_on(session))
        for _ in range(MOST):
            if session.state.pending is None:
                break
            session.enter(typed_answer(session, session.state.pending.question, dice))
        else:
            session.enter("cancel")


def example_lines(done: Resolution, number: int) -> list[str]:
    """The example that a file has of a combat."""
    given, options = given_without_defaults(done), dict(changed_options(done))
    return unparse_lines(example_of(done.ruleset.rules, done.outcome, given, options, f"played {number}"))


def in_folder(game: str, folder: Path) -> str:
    """A game, copied with what stands beside it if it is a file."""
    path = Path(game)
    if path.suffix != ".rules":
        return game
    for each in path.parent.glob("*.rules"):
        shutil.copy(each, folder)
    return str(folder / path.name)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(each, id=Path(each).stem, marks=() if Path(each).stem in QUICK else pytest.mark.thorough)
        for each in GAMES
    ],
)
def test_every_procedure_of_a_game_is_played_kept_and_plays_the_same_again(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = cache(load_ruleset)
    for module in ("enfilade_repl.session", "enfilade.cli.resolve"):
        monkeypatch.setattr(f"{module}.load_ruleset", load)
    path = tmp_path / "played.session"
    session = new_session(seed="3", journal=Journal(path, HEAD))
    assert session.enter(f"use {in_folder(game, tmp_path)}").code == 0
    dice = random.Random(Path(game).name)
    for name in session.names():
        play(session, f"/play {name}", dice)
    again = new_session()
    if path.exists():
        assert again.enter(f"open {path}").code == 0
        assert [each.outcome for each in again.state.resolutions] == [
            each.outcome for each in session.state.resolutions
        ]
        assert dict(again.state.pieces) == dict(session.state.pieces)
    play_examples(session, dice)
    done = session.state.resolutions
    assert done
    for command in ("why", "log", "luck", "share", "table", "chart"):
        reply = session.enter(command)
        assert reply.code == 0 or "nothing" in plain(reply.lines), (command, plain(reply.lines))
    for each in dice.sample(done, min(len(done), COMMANDS)):
        assert_a_command_comes_to_the_same(each, capsys)
    assert_a_file_comes_to_the_same(session, tmp_path / "afterwards.rules")


def assert_a_command_comes_to_the_same(done: Resolution, capsys: pytest.CaptureFixture[str]) -> None:
    command = command_of(done)
    assert command is not None, done.given
    capsys.readouterr()
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    came, wanted = json.loads(capsys.readouterr().out), done.outcome.to_json()
    for part in ("outputs", "effects", "dice"):
        assert came[part] == wanted[part]


def assert_a_file_comes_to_the_same(session: Session, path: Path) -> None:
    assert session.enter(f"record {path}").code == 0
    program = enfilade.load(path).program
    # The game's own examples are tested elsewhere, and their odds take long.
    played = tuple(each for each in program.examples if each.label.startswith("played "))
    assert len(played) == len(session.state.resolutions)
    assert [each.failures for each in run_examples(evolve(program, examples=played)) if not each.passed] == []
    text = path.read_text(encoding="utf-8").splitlines()
    for number, each in enumerate(session.state.resolutions, 1):
        lines = example_lines(each, number)
        assert text[text.index(lines[0]) :][: len(lines)] == lines


def test_the_games_are_there() -> None:
    assert len(GAMES) > 25
    assert set(QUICK) <= {Path(each).stem for each in GAMES}
