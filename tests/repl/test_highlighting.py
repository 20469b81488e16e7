"""Colours of what is typed."""

from pathlib import Path
from typing import Final

import pytest

from enfilade.source.shipped import shipped_dir
from enfilade_repl.commands import COMMANDS
from enfilade_repl.dispatch import new_session
from enfilade_repl.highlighting import highlighted
from enfilade_repl.session import Session
from enfilade_repl.theme import STYLE_WORDS

SHIPPED: Final = sorted(shipped_dir("rulesets").glob("*/*.rules"))


@pytest.fixture
def session() -> Session:
    made = new_session(seed="1")
    for entry in ("use infantry_attacks", "unit gun: kind artillery, steps 2"):
        assert not made.enter(entry).code
    return made


def styles(session: Session | None, text: str) -> dict[str, str]:
    """The style of each piece of a text, by the piece without the blanks around it."""
    return {piece.strip(): style for line in highlighted(session, text) for style, piece in line}


def letters(session: Session | None, text: str) -> str:
    return "\n".join("".join(piece for _, piece in line) for line in highlighted(session, text))


def test_before_there_is_a_session_nothing_is_coloured() -> None:
    assert styles(None, "use infantry_attacks") == {"use infantry_attacks": ""}


def test_every_command_is_a_command() -> None:
    session = new_session(seed="1")
    assert all(styles(session, command.name)[command.name] == "command" for command in COMMANDS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "direct_fire fire_value 16, terrain [town], units gun (kind mg) on 4 3 -- a note",
            {
                "direct_fire": "procedure", "fire_value": "fact", "terrain": "fact", "kind": "fact", "town": "word",
                "mg": "word", "16": "number", "4": "number", "gun": "name", "on": "keyword", "-- a note": "comment",
            },
            id="what is played",
        ),
        pytest.param(
            'odds by fire_value 1..45 of M or worse given "x"',
            {"odds": "command", "1..45": "number", "M": "word", "worse": "keyword", '"x"': "string"},
            id="questions within a command",
        ),
        pytest.param("lowest 2 of 4d10", {"4d10": "dice"}, id="dice of which some are kept"),
        pytest.param("2d6 + 1", {"2d6": "dice"}, id="dice"),
        pytest.param("dire", {"dire": ""}, id="a first word with which something begins"),
        pytest.param("dirx", {"dirx": "unknown"}, id="a first word with which nothing begins"),
        pytest.param("dire fire_value 1", {"dire": "unknown"}, id="a first word that goes on"),
        pytest.param(
            'chart losses "Losses" [1.2]\n  down 2d6\n  | Roll | 1 |\n  | 2 | 2X | -- not a comment',
            {
                "chart": "keyword", "down": "keyword", "losses": "title", '"Losses"': "string", "[1.2]": "cite",
                "Roll": "label", "2X": "code", "|": "hint",
            },
            id="definitions as the language",
        ),
    ],
)  # fmt: skip
def test_words_are_told_apart(session: Session, text: str, found: dict[str, str]) -> None:
    assert styles(session, text).items() >= found.items()


@pytest.mark.parametrize(("text", "style"), [("somebody", ""), ("odds", "command"), ("use", "")])
def test_answers_are_not_taken_for_unknown_commands(session: Session, text: str, style: str) -> None:
    session.enter("direct_fire")
    assert styles(session, text)[text] == style


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(each, id=each.stem, marks=() if each.stem == "infantry_attacks" else pytest.mark.thorough)
        for each in SHIPPED
    ],
)
def test_no_letter_is_changed_and_every_style_is_known(session: Session, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for piece in text.split("\n\n"):
        assert letters(session, piece) == piece
        assert {style for line in highlighted(session, piece) for style, _ in line} <= STYLE_WORDS | {""}


@pytest.mark.parametrize(
    "text", ["", "\n", "/", "?", '"', "[", "   ", "[1, town", "use\tx", "砲 1", "/  odds", "--", "a\n\n b"]
)
def test_any_text_keeps_its_letters(session: Session, text: str) -> None:
    assert letters(session, text) == text
    assert letters(new_session(seed="1"), text) == text
