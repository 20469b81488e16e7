"""What was played is written down so that it comes to the same again: as a command to share, and as examples in a file."""

from __future__ import annotations

import json
import random
import shlex
import shutil
from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pytest
from tests.repl.test_any_game import GAMES, MOST, play, typed_answer

import enfilade
from enfilade import RuleError
from enfilade.cli import main
from enfilade.syntax.unparse import unparse_declaration
from enfilade.tools import example_of
from enfilade.tools.examples import run_examples
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal
from enfilade_repl.recording import changed_options, given_without_defaults
from enfilade_repl.runs import begin, go_on
from enfilade_repl.session import Session
from enfilade_repl.sharing import command_of
from enfilade_repl.state import Resolution

COMMANDS = 5


def played(game: str, *, examples: int = 3) -> Session:
    """A session in which every procedure was played: with answers at random, and from the ruleset's own examples."""
    session = new_session(seed="3")
    assert session.enter(f"use {game}").code == 0
    dice = random.Random(Path(game).name)
    for name in session.names():
        for _ in range(2):
            play(session, f"/play {name}", dice)
    program = session.ruleset.rules.program
    whole = [
        each for each in program.examples
        if each.input_error is None and each.refused is None and not each.options and each.procedure in session.names()
    ]  # fmt: skip
    for _, group in groupby(sorted(whole, key=lambda each: each.procedure), lambda each: each.procedure):
        for example in list(group)[:examples]:
            with suppress(RuleError):
                # Other dice than those of the example may lead to where the rules can't go on.
                begin(session, example.procedure, example.facts, entry=example.procedure, rolls=True)
                list(go_on(session))
            answered(session, dice)
    return session


def example_lines(done: Resolution, number: int) -> list[str]:
    return unparse_declaration(
        example_of(
            done.ruleset.rules,
            done.outcome,
            given_without_defaults(done),
            dict(changed_options(done)),
            f"played {number}",
        )
    )


def answered(session: Session, dice: random.Random) -> None:
    """Answer what is asked, for some time."""
    for _ in range(MOST):
        if session.state.pending is None:
            return
        session.enter(typed_answer(session, session.state.pending.question, dice))
    session.enter("cancel")


def beside(game: str, folder: Path) -> Path:
    """A copy of a game's rules in a folder of its own; the place of shipped rules is of no account."""
    path = Path(game)
    if path.suffix == ".rules":
        for each in path.parent.glob("*.rules"):
            shutil.copy(each, folder)
    return folder


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_what_was_played_plays_the_same_from_a_command_and_from_a_file(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = beside(game, tmp_path)
    own = game.endswith(".rules")
    session = played(str(folder / Path(game).name) if own else game)
    done = session.state.resolutions
    assert done
    for each in random.Random(game).sample(done, min(len(done), COMMANDS)):
        command = command_of(each)
        assert command is not None, each.given
        assert main([*shlex.split(command)[1:], "--json"]) == 0
        came = json.loads(capsys.readouterr().out)
        wanted = each.outcome.to_json()
        assert [came[name] for name in ("outputs", "effects", "dice")] == [
            wanted[name] for name in ("outputs", "effects", "dice")
        ]
    reply = session.enter(f"record {folder / 'afterwards.rules'}")
    assert reply.code == 0
    assert main(["test", str(folder / "afterwards.rules")]) == 0
    text = (folder / "afterwards.rules").read_text(encoding="utf-8").splitlines()
    for number, each in enumerate(done, 1):
        lines = example_lines(each, number)
        assert text[text.index(lines[0]) :][: len(lines)] == lines


# ------------------------------------------------------------------------------------------------------- a command

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


@pytest.fixture
def named(tmp_path: Path) -> Path:
    path = tmp_path / "named.rules"
    path.write_text(NAMED, encoding="utf-8")
    return path


@pytest.fixture
def on_named(session: Session, named: Path) -> Session:
    assert session.enter(f"use {named}").code == 0
    return session


def resolved(session: Session, *entries: str) -> Resolution:
    for entry in entries:
        assert session.enter(entry).code == 0, entry
    assert not session.state.asks
    return session.last


def arguments(done: Resolution) -> list[str]:
    command = command_of(done)
    assert command is not None
    return shlex.split(command)[4:]


def test_a_record_with_nothing_but_defaults_is_in_the_command(on_named: Session) -> None:
    done = resolved(on_named, "shoot x a, y b")
    assert arguments(done) == ['x={"name": "a"}', 'y={"name": "b"}']


def test_records_that_need_no_more_are_given_in_short(on_named: Session) -> None:
    done = resolved(on_named, "pick u u (steps 4), units [a (steps 2), b (steps 3)], share 1/2, path [1, 2] choosing b")
    assert arguments(done) == [
        "u.steps=4", "units.a.steps=2", "units.b.steps=3", "share=1/2", "path=1,2", "--choices=b",
    ]  # fmt: skip


def test_records_are_given_as_json_where_the_short_form_would_lose_something(on_named: Session) -> None:
    done = resolved(on_named, "unit b (steps 3)", "pick u b, units [a, b], path [] choosing b")
    assert arguments(done) == [
        'u={"name": "b", "steps": 3}', 'units=[{"name": "a"}, "b"]', "path=[]", "--choices=b",
    ]  # fmt: skip


def test_what_was_defined_at_the_prompt_is_told_in_the_place_of_a_command(on_named: Session) -> None:
    resolved(on_named, "define twice = share * 2", "procedure double\n  1. give result = twice\n\n", "double share 2")
    for entry in ("share", "share markdown"):
        text = "\n".join("".join(part for _, part in line) for line in on_named.enter(entry).lines)
        assert "enfilade resolve" not in text
        assert "definitions from the prompt: define twice, procedure double" in text


def test_a_command_gives_faces_with_blanks(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "spaced.rules"
    path.write_text(
        'enfilade 1\nruleset spaced\ndie flag faces "two flags", grey\n'
        "procedure throw\n  1. roll 1 flag as thrown\n  2. give faces = thrown.faces\n",
        encoding="utf-8",
    )
    resolved(session, f"use {path}", 'throw on "two flags"')
    command = command_of(session.last)
    assert command is not None
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"] == {"faces": ["two flags"]}


def test_a_zero_is_shared_as_other_numbers_are(on_named: Session) -> None:
    resolved(on_named, "shoot x a, y b")
    for entry in ("share", "share markdown"):
        text = "\n".join("".join(part for _, part in line) for line in on_named.enter(entry).lines).replace("\\", "")
        assert "utputs: taken 2; none_of_it 0" in text


# ---------------------------------------------------------------------------------------------------------- a file


def test_all_outputs_that_the_language_can_say_are_held(on_named: Session) -> None:
    done = resolved(on_named, "unit b (steps 3)", "pick u b, units [a (steps 2), b], share 1/2, path [1, 2] choosing b")
    assert done.outcome.outputs["half"] == Fraction(1, 4)
    assert example_lines(done, 3) == [
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


def test_an_example_that_was_recorded_fails_where_the_rules_change(on_named: Session, named: Path) -> None:
    resolved(on_named, "shoot x a, y b")
    assert on_named.enter(f"record {named.parent / 'held.rules'}").code == 0
    assert main(["test", str(named.parent / "held.rules")]) == 0
    named.write_text(NAMED.replace("x.steps + y.steps", "x.steps * 3"), encoding="utf-8")
    assert main(["test", str(named.parent / "held.rules")]) == 1


def test_an_example_goes_by_its_result_and_not_by_what_was_typed(session: Session) -> None:
    done = resolved(session, "use infantry_attacks", "direct_fire fire_value 16 on 4 3", "reroll 2 2")
    assert example_lines(done, 2)[0] == f'example direct_fire "played 2: gives {done.outcome.result}"'


def test_what_lies_elsewhere_is_refused_for_it_would_not_find_the_rules(on_named: Session, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    resolved(on_named, "shoot x a, y b")
    reply = on_named.enter(f"record {tmp_path / 'elsewhere' / 'played.rules'}")
    text = str(reply.lines)
    assert (reply.code, "can't find the rules" in text) == (2, True)
    assert str(tmp_path / "played.rules") in text
    assert not (tmp_path / "elsewhere" / "played.rules").exists()


def test_rules_of_which_only_the_text_is_kept_are_found_where_they_lie_and_nowhere_else(
    named: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    kept = new_session(journal=Journal(tmp_path / "kept.session", {"seed": "1", "dice": "ask"}))
    resolved(kept, f"use {named}", "shoot x a, y b")
    session = new_session()
    assert session.enter(f"open {tmp_path / 'kept.session'}").code == 0
    reply = session.enter(f"record {tmp_path / 'elsewhere' / 'played.rules'}")
    assert (reply.code, "there is no ruleset `named`" in str(reply.lines)) == (2, True)
    assert session.enter(f"record {tmp_path / 'played.rules'}").code == 0
    assert main(["test", str(tmp_path / "played.rules")]) == 0


def test_a_file_is_found_by_its_own_name_whatever_the_ruleset_calls_itself(session: Session, tmp_path: Path) -> None:
    (tmp_path / "house_game.rules").write_text(NAMED, encoding="utf-8")
    resolved(session, f"use {tmp_path / 'house_game.rules'}", "shoot x a, y b")
    assert session.enter(f"record {tmp_path / 'played.rules'}").code == 0
    assert "extends house_game" in (tmp_path / "played.rules").read_text(encoding="utf-8")
    assert main(["test", str(tmp_path / "played.rules")]) == 0


def test_rules_that_no_file_can_extend_are_told(session: Session, tmp_path: Path) -> None:
    (tmp_path / "house game.rules").write_text(NAMED, encoding="utf-8")
    resolved(session, f"use {tmp_path / 'house game.rules'}", "shoot x a, y b")
    reply = session.enter(f"record {tmp_path / 'played.rules'}")
    assert (reply.code, "No file can extend" in str(reply.lines)) == (2, True)


def test_a_file_can_not_extend_itself(session: Session, tmp_path: Path) -> None:
    resolved(session, "use infantry_attacks", "direct_fire fire_value 16 on 4 3")
    reply = session.enter(f"record {tmp_path / 'infantry_attacks.rules'}")
    assert (reply.code, "would extend itself" in str(reply.lines)) == (2, True)


def test_what_was_forgotten_is_left_out(on_named: Session, named: Path) -> None:
    resolved(on_named, "procedure double\n  1. give result = share * 2\n\n", "double share 2")
    resolved(on_named, "forget procedure double", "shoot x a, y b")
    reply = on_named.enter(f"record {named.parent / 'played.rules'}")
    assert (reply.code, "were left out, because as examples they would not pass: 1" in str(reply.lines)) == (0, True)
    text = (named.parent / "played.rules").read_text(encoding="utf-8")
    assert ("double" in text, "played 2" in text) == (False, True)
    assert main(["test", str(named.parent / "played.rules")]) == 0


def test_what_comes_out_otherwise_with_rules_that_were_changed_since_is_left_out(
    on_named: Session, named: Path
) -> None:
    resolved(on_named, "shoot x a, y b")
    named.write_text(NAMED.replace("x.steps + y.steps", "x.steps * 3"), encoding="utf-8")
    resolved(on_named, "reload", "shoot x a, y b")
    reply = on_named.enter(f"record {named.parent / 'played.rules'}")
    assert (reply.code, "they would not pass: 1" in str(reply.lines)) == (0, True)
    assert "played 1" not in (named.parent / "played.rules").read_text(encoding="utf-8")
    assert main(["test", str(named.parent / "played.rules")]) == 0


def test_what_was_defined_since_makes_other_examples_untrue_and_they_are_removed(
    session: Session, tmp_path: Path
) -> None:
    resolved(session, "use infantry_attacks", "direct_fire fire_value 16 on 4 3")
    resolved(session, "replace cell of direct_fire_table row 7, column 16 with X", "direct_fire fire_value 16 on 4 3")
    reply = session.enter(f"record {tmp_path / 'played.rules'}")
    assert (reply.code, "they would not pass: 1" in str(reply.lines)) == (0, True)
    assert main(["test", str(tmp_path / "played.rules")]) == 0
    rules = enfilade.load(tmp_path / "played.rules")
    assert any(each.label.startswith("played 2") for each in run_examples(rules.program))
