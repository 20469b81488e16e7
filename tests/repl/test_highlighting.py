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


def test_a_procedure_its_facts_words_numbers_and_pieces_are_told_apart(session: Session) -> None:
    found = styles(session, "direct_fire fire_value 16, terrain [town], units gun (kind mg) on 4 3 -- a note")
    assert found["direct_fire"] == "procedure"
    assert found["fire_value"] == found["terrain"] == found["kind"] == "fact"
    assert found["town"] == found["mg"] == "word"
    assert found["16"] == found["4"] == "number"
    assert found["gun"] == "name"
    assert found["on"] == "keyword"
    assert found["-- a note"] == "comment"


def test_questions_are_coloured_within_a_command(session: Session) -> None:
    found = styles(session, 'odds by fire_value 1..45 of M or worse given "x"')
    assert found["odds"] == "command"
    assert found["1..45"] == "number"
    assert found["M"] == "word"
    assert found["worse"] == "keyword"
    assert found['"x"'] == "string"


def test_dice_are_dice(session: Session) -> None:
    assert styles(session, "lowest 2 of 4d10")["4d10"] == "dice"
    assert styles(session, "2d6 + 1")["2d6"] == "dice"


def test_a_first_word_is_unknown_only_once_nothing_begins_so(session: Session) -> None:
    assert styles(session, "dire")["dire"] == ""
    assert styles(session, "dirx")["dirx"] == "unknown"
    assert styles(session, "dire fire_value 1")["dire"] == "unknown"


def test_answers_are_not_taken_for_unknown_commands(session: Session) -> None:
    session.enter("direct_fire")
    assert styles(session, "somebody")["somebody"] == ""
    assert styles(session, "odds")["odds"] == "command"
    assert styles(session, "use")["use"] == ""


def test_definitions_are_coloured_as_the_language_is(session: Session) -> None:
    found = styles(session, 'chart losses "Losses" [1.2]\n  down 2d6\n  | Roll | 1 |\n  | 2 | 2X | -- not a comment')
    assert found["chart"] == found["down"] == "keyword"
    assert found["losses"] == "title"
    assert found['"Losses"'] == "string"
    assert found["[1.2]"] == "cite"
    assert found["Roll"] == "label"
    assert found["2X"] == "code"
    assert found["|"] == "hint"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
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
