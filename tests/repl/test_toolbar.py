"""The line at the bottom."""

import pytest

from enfilade.language import plain, width
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session
from enfilade_repl.toolbar import toolbar_line


def shown(session: Session, columns: int = 200, *, is_behind: bool = False) -> str:
    return plain([toolbar_line(session, columns, is_behind=is_behind)])


@pytest.fixture
def session() -> Session:
    made = new_session(seed="7")
    made.enter("use infantry_attacks")
    return made


def test_without_a_ruleset_it_says_so() -> None:
    assert shown(new_session(seed="7")) == " no ruleset  throw 1  seed 7"


def test_options_are_named_where_they_differ_from_their_defaults(session: Session) -> None:
    assert shown(session) == " infantry_attacks  throw 1  seed 7"
    session.enter("option flanking_fire on")
    session.enter("option low_edge no_effect")
    assert shown(session) == " infantry_attacks  flanking_fire  low_edge no_effect  throw 1  seed 7"


def test_pieces_and_definitions_are_counted(session: Session) -> None:
    session.enter("unit gun: kind artillery")
    session.enter("define twice (n 1..) = n * 2")
    assert "1 defined  1 piece" in shown(session)
    session.enter("unit cart: kind wagon")
    assert "2 pieces" in shown(session)


def test_a_file_that_changed_on_disk_is_told_before_all_else(session: Session) -> None:
    assert shown(session, is_behind=True).startswith(" infantry_attacks  changed on disk")


def test_while_something_is_asked_it_says_what_helps(session: Session) -> None:
    session.enter("direct_fire")
    assert "help, undo, cancel" in shown(session)


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_it_is_never_wider_than_the_terminal(session: Session, columns: int) -> None:
    for entry in ("option flanking_fire on", "option low_edge no_effect", "unit gun: kind artillery", "direct_fire"):
        session.enter(entry)
        assert width(shown(session, columns, is_behind=True)) <= columns
