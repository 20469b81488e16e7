"""What was played is written down so that it comes to the same again: as a command to share, and as examples in a file.

`test_any_game.py` tries that with every game.
"""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from tests.repl.test_any_game import HEAD, example_lines

import enfilade
from enfilade.cli import main
from enfilade.language import plain
from enfilade.tools.examples import run_examples
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal
from enfilade_repl.session import Session
from enfilade_repl.sharing import command_of
from enfilade_repl.state import Resolution

SHOT = ("use infantry_attacks", "direct_fire fire_value 16 on 4 3")
DOUBLE = ("procedure double\n  1. give result = share * 2\n\n", "double share 2")
NOT_PASS = "were left out, because as examples they would not pass: 1"

NAMED = """enfilade 1
ruleset named
record unit
  kind   one of foot, horse = foot
  steps  0.. = 1
facts
  x      unit
  y      unit
  u      unit
  units  list of unit
  share  number 0.. = 1
  path   list of 1.. = [1]
players owner
effect loss (unit, amount 1..)
procedure shoot
  1. give taken = x.steps + y.steps
     give none_of_it = 0
     give same = x is y
procedure pick
  1. owner chooses among_them among units where steps < 9 "who"
  2. loss on among_them with amount 1
     loss on among_them with amount 1
  3. give out = count of units
     give steps = map of unit to steps over units
     give half = share / 2
     give listed = path
     give kind = u.kind
     give none_found = u when u.steps > 50 otherwise none
     give is_big = u.steps > 2
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("elsewhere").mkdir()
    Path("named.rules").write_text(NAMED, encoding="utf-8")
    return tmp_path


@pytest.fixture
def on_named(session: Session) -> Session:
    resolved(session, "use named.rules")
    return session


def resolved(session: Session, *entries: str) -> Session:
    for entry in entries:
        assert session.enter(entry).code == 0, entry
    assert not session.state.asks
    return session


def said(session: Session, entry: str, code: int = 0) -> str:
    reply = session.enter(entry)
    assert reply.code == code, plain(reply.lines)
    return plain(reply.lines)


def passes(place: str) -> bool:
    return main(["test", place]) == 0


def command(done: Resolution) -> list[str]:
    """The words after `enfilade`."""
    written = command_of(done)
    assert written is not None
    return shlex.split(written)[1:]


# ------------------------------------------------------------------------------------------------------- a command


@pytest.mark.parametrize(
    ("entries", "arguments"),
    [
        pytest.param(
            ("shoot x a, y b",),
            ['x={"name": "a"}', 'y={"name": "b"}'],
            id="a record with nothing but defaults is in the command",
        ),
        pytest.param(
            ("pick u u (steps 4), units [a (steps 2), b (steps 3)], share 1/2, path [1, 2] choosing b",),
            ["u.steps=4", "units.a.steps=2", "units.b.steps=3", "share=1/2", "path=1,2", "--choices=b"],
            id="records that need no more are given in short",
        ),
        pytest.param(
            ("unit b (steps 3)", "pick u b, units [a, b], path [] choosing b"),
            ['u={"name": "b", "steps": 3}', 'units=[{"name": "a"}, "b"]', "path=[]", "--choices=b"],
            id="records are given as json where the short form would lose something",
        ),
    ],
)
def test_the_arguments_of_a_command(on_named: Session, entries: tuple[str, ...], arguments: list[str]) -> None:
    assert command(resolved(on_named, *entries).last)[3:] == arguments


@pytest.mark.parametrize("entry", ["share", "share markdown"])
def test_what_was_defined_at_the_prompt_is_told_in_the_place_of_a_command(on_named: Session, entry: str) -> None:
    resolved(on_named, "define twice = share * 2", "procedure double\n  1. give result = twice\n\n", "double share 2")
    text = said(on_named, entry)
    assert "enfilade resolve" not in text
    assert "definitions from the prompt: define twice, procedure double" in text


def test_a_command_gives_faces_with_blanks(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    Path("spaced.rules").write_text(
        'enfilade 1\nruleset spaced\ndie flag faces "two flags", grey\n'
        "procedure throw\n  1. roll 1 flag as thrown\n  2. give faces = thrown.faces\n",
        encoding="utf-8",
    )
    resolved(session, "use spaced.rules", 'throw on "two flags"')
    assert main([*command(session.last), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"] == {"faces": ["two flags"]}


@pytest.mark.parametrize("entry", ["share", "share markdown"])
def test_a_zero_is_shared_as_other_numbers_are(on_named: Session, entry: str) -> None:
    resolved(on_named, "shoot x a, y b")
    assert "utputs: taken 2; none_of_it 0" in said(on_named, entry).replace("\\", "")


# ---------------------------------------------------------------------------------------------------------- a file


def test_all_outputs_that_the_language_can_say_are_held(on_named: Session) -> None:
    resolved(on_named, "unit b (steps 3)", "pick u b, units [a (steps 2), b], share 1/2, path [1, 2] choosing b")
    assert on_named.last.outcome.outputs["half"] == Fraction(1, 4)
    assert example_lines(on_named.last, 3) == [
        'example pick "played 3: pick"',
        "  given u b (steps 3), units [a (steps 2), b], share 0.5, path [1, 2]",
        "  choosing b",
        "  expect out is 2",
        "  expect steps of a is 2",
        "  expect steps of b is 3",
        "  expect half is 0.25",
        "  expect listed is [1, 2]",
        "  expect kind is foot",
        "  expect none_found is none",
        "  expect is_big is yes",
        "  effect loss on b with amount 1",
        "  effect loss on b with amount 1",
    ]


def test_an_example_that_was_recorded_fails_where_the_rules_change(on_named: Session) -> None:
    resolved(on_named, "shoot x a, y b", "record held.rules")
    assert passes("held.rules")
    Path("named.rules").write_text(NAMED.replace("x.steps + y.steps", "x.steps * 3"), encoding="utf-8")
    assert not passes("held.rules")


def test_an_example_goes_by_its_result_and_not_by_what_was_typed(session: Session) -> None:
    done = resolved(session, *SHOT, "reroll").last
    assert example_lines(done, 2)[0] == f'example direct_fire "played 2: gives {done.outcome.result}"'


def test_what_lies_elsewhere_is_refused_for_it_would_not_find_the_rules(on_named: Session, folder: Path) -> None:
    resolved(on_named, "shoot x a, y b")
    told = said(on_named, f"record {folder / 'elsewhere' / 'played.rules'}", code=2)
    assert "can't find the rules" in told
    assert str(folder / "played.rules") in told
    assert not Path("elsewhere/played.rules").exists()


def test_rules_of_which_only_the_text_is_kept_are_found_where_they_lie_and_nowhere_else(folder: Path) -> None:
    resolved(new_session(journal=Journal(folder / "kept.session", HEAD)), "use named.rules", "shoot x a, y b")
    session = resolved(new_session(), "open kept.session")
    assert "there is no ruleset `named`" in said(session, "record elsewhere/played.rules", code=2)
    resolved(session, "record played.rules")
    assert passes("played.rules")


def test_a_file_is_found_by_its_own_name_whatever_the_ruleset_calls_itself(session: Session) -> None:
    Path("house_game.rules").write_text(NAMED, encoding="utf-8")
    resolved(session, "use house_game.rules", "shoot x a, y b", "record played.rules")
    assert "extends house_game" in Path("played.rules").read_text(encoding="utf-8")
    assert passes("played.rules")


def test_rules_that_no_file_can_extend_are_told(session: Session) -> None:
    Path("house game.rules").write_text(NAMED, encoding="utf-8")
    resolved(session, "use house game.rules", "shoot x a, y b")
    assert "No file can extend" in said(session, "record played.rules", code=2)


def test_a_file_can_not_extend_itself(session: Session) -> None:
    resolved(session, *SHOT)
    assert "would extend itself" in said(session, "record infantry_attacks.rules", code=2)


def test_what_was_forgotten_is_left_out(on_named: Session) -> None:
    resolved(on_named, *DOUBLE, "forget procedure double", "shoot x a, y b")
    assert NOT_PASS in said(on_named, "record played.rules")
    text = Path("played.rules").read_text(encoding="utf-8")
    assert ("double" in text, "played 2" in text) == (False, True)
    assert passes("played.rules")


def test_what_comes_out_otherwise_with_rules_that_were_changed_since_is_left_out(on_named: Session) -> None:
    resolved(on_named, "shoot x a, y b")
    Path("named.rules").write_text(NAMED.replace("x.steps + y.steps", "x.steps * 3"), encoding="utf-8")
    resolved(on_named, "reload", "shoot x a, y b")
    assert NOT_PASS in said(on_named, "record played.rules")
    assert "played 1" not in Path("played.rules").read_text(encoding="utf-8")
    assert passes("played.rules")


def test_what_was_defined_since_makes_other_examples_untrue_and_they_are_removed(session: Session) -> None:
    resolved(session, *SHOT, "replace cell of direct_fire_table row 7, column 16 with X", SHOT[1])
    assert NOT_PASS in said(session, "record played.rules")
    results = list(run_examples(enfilade.load("played.rules").program))
    assert all(each.passed for each in results)
    assert any(each.label.startswith("played 2") for each in results)
