"""Files that are watched."""

import os
from pathlib import Path

import pytest

from enfilade_repl.dispatch import new_session
from enfilade_repl.file_watch import Watch, watched_files
from enfilade_repl.session import Session

RULES = "enfilade 1\nruleset mine\n\nprocedure pick\n  give result = {}\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "mine.rules"
    path.write_text(RULES.format(1), encoding="utf-8")
    return path


@pytest.fixture
def session(rules: Path) -> Session:
    made = new_session(seed="1")
    assert not made.enter(f"load {rules}").code
    return made


def save(path: Path, text: str, seconds: int = 5) -> None:
    """Save a file, at a time that differs from the last."""
    after = path.stat().st_mtime_ns + seconds * 10**9 if path.exists() else None
    path.write_text(text, encoding="utf-8")
    if after is not None:
        os.utime(path, ns=(after, after))


def test_the_files_of_a_shipped_ruleset_are_not_watched() -> None:
    session = new_session(seed="1")
    session.enter("use infantry_attacks")
    assert watched_files(session.state.ruleset) == ()
    assert watched_files(None) == ()


def test_the_modules_of_a_ruleset_are_watched_with_it(tmp_path: Path) -> None:
    tmp_path.joinpath("other.rules").write_text("enfilade 1\n\ndefine one = 1\n", encoding="utf-8")
    main = tmp_path / "main.rules"
    main.write_text(
        'enfilade 1\nruleset main\nuse "other.rules"\nuse rounding\n\nprocedure pick\n  give result = one\n',
        encoding="utf-8",
    )
    session = new_session(seed="1")
    reply = session.enter(f"load {main}")
    assert not reply.code, reply.lines
    assert {path.name for path in watched_files(session.state.ruleset)} == {"main.rules", "other.rules"}


def test_a_file_that_was_saved_is_changed_until_note_is_taken(session: Session, rules: Path) -> None:
    watch = Watch()
    assert not watch.is_changed(session.state.ruleset)
    save(rules, RULES.format(2))
    assert watch.is_changed(session.state.ruleset)
    assert watch.is_changed(session.state.ruleset)
    watch.note()
    assert not watch.is_changed(session.state.ruleset)
    assert watch.behind


def test_once_it_was_read_again_the_watch_is_not_behind(session: Session, rules: Path) -> None:
    watch = Watch()
    watch.is_changed(session.state.ruleset)
    save(rules, RULES.format(2))
    watch.is_changed(session.state.ruleset)
    watch.note()
    session.enter("reload")
    assert not watch.is_changed(session.state.ruleset)
    assert not watch.behind


def test_a_file_that_is_away_for_a_moment_has_not_changed(session: Session, rules: Path) -> None:
    watch = Watch()
    watch.is_changed(session.state.ruleset)
    text = rules.read_text(encoding="utf-8")
    rules.unlink()
    assert not watch.is_changed(session.state.ruleset)
    rules.write_text(text.replace("1\n", "22\n"), encoding="utf-8")
    assert watch.is_changed(session.state.ruleset)


def test_options_and_definitions_leave_the_watch_as_it_is(session: Session, rules: Path) -> None:
    watch = Watch()
    watch.is_changed(session.state.ruleset)
    save(rules, RULES.format(2))
    session.enter("define twice (n 1..) = n * 2")
    assert watch.is_changed(session.state.ruleset)
