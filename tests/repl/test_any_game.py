"""Every procedure of every game can be played at the prompt, with slips and second thoughts, and ends somewhere."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import pytest
from tests.repl.answers import some_value

import enfilade
from enfilade.api.questions import ChoiceQuestion, DrawQuestion, FactQuestion, Question, RollQuestion
from enfilade.language import plain, typed_value
from enfilade_repl.answers import fact_type
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal
from enfilade_repl.session import Session

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")
GAMES: Final = [*SHIPPED, *sorted(str(path) for path in (ROOT / "tests/generality").rglob("*.rules"))]
MOST: Final = 80


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
    entered = session.enter(name)
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


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_every_procedure_of_a_game_is_played_at_the_prompt(game: str, tmp_path: Path) -> None:
    path = tmp_path / "played.session"
    session = new_session(seed="3", journal=Journal(path, {"seed": "3", "dice": "ask"}))
    assert session.enter(f"use {game}").code == 0
    dice = random.Random(game.rpartition("/")[2])
    for name in session.names():
        for _ in range(2):
            play(session, f"/play {name}", dice)
    done = session.state.resolutions
    if done:
        for command in ("why", "log", "luck", "share", "table", "chart"):
            reply = session.enter(command)
            assert reply.code == 0 or "nothing" in plain(reply.lines), (command, plain(reply.lines))
    again = new_session()
    if path.exists():
        assert again.enter(f"open {path}").code == 0
        assert [each.outcome for each in again.state.resolutions] == [each.outcome for each in done]
        assert dict(again.state.pieces) == dict(session.state.pieces)


def test_the_games_are_there() -> None:
    assert len(GAMES) > 25
    assert enfilade.load(GAMES[0]).procedures
