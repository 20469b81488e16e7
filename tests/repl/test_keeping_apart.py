"""What one entry does stays apart from what others did: pieces, rulesets, files, journals, events."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from enfilade.language import plain
from enfilade_repl.session import Session

Typed = Callable[..., str]

USE = "use infantry_attacks"
HIT = "direct_fire fire_value 45, unit a (kind infantry, steps 4), unit b (kind mg, steps 1)"

SHOOT = """\
record unit
  steps  1..9
  height 0..3 = 0

effect loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1 but at least 1

facts
  target unit
  aim    0..9 = 0

procedure shoot
  1. roll d6 as die
  2. when die + aim > 3: loss on target
  3. give result = die + aim
"""

EVENTS = """\
facts
  range 0..9 = 1

event boom "something explodes"
on boom
  start first
  start second

procedure first
  1. roll 3d6 as die
  2. give result = die + range
procedure second
  1. roll 3d6 as die2
  2. give result = die2 + range
"""


def use(session: Session, tmp_path: Path, text: str, name: str = "mine.rules") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert session.enter(f"use {path}").code == 0
    return path


# -------------------------------------------------------------------------------------------------------------- pieces


def test_an_edit_after_a_combat_is_kept_by_apply(session: Session, typed: Typed, tmp_path: Path) -> None:
    use(session, tmp_path, SHOOT)
    typed("unit x: steps 6", "shoot target x on 6", "x: height 2", "apply")
    assert dict(session.state.pieces["x"].fields) == {"steps": 5, "height": 2}


def test_what_a_combat_did_not_change_is_not_applied(session: Session, typed: Typed, tmp_path: Path) -> None:
    use(session, tmp_path, SHOOT)
    typed("unit x: steps 6")
    assert "`apply`" not in typed("shoot target x (steps 1) on 6")
    assert "changed no piece" in typed("apply", code=2)


def test_reroll_takes_back_what_was_applied_and_no_more(session: Session, typed: Typed, tmp_path: Path) -> None:
    use(session, tmp_path, SHOOT)
    typed("unit x: steps 6", "unit y: steps 3", "shoot target x on 6", "apply", "y: steps 1", "x: height 2", "reroll")
    assert dict(session.state.pieces["y"].fields) == {"steps": 1}
    assert dict(session.state.pieces["x"].fields) == {"steps": 6, "height": 2}


def test_again_keeps_what_was_typed_over_a_piece_and_finds_the_rest_as_it_stands(
    session: Session, typed: Typed, tmp_path: Path
) -> None:
    use(session, tmp_path, SHOOT)
    typed("unit x: steps 6", "shoot target x (height 3) on 6", "apply", "again", "1")
    assert session.last.given["target"] == {"name": "x", "steps": 5, "height": 3}


def test_a_record_without_a_name_is_another_each_time(session: Session, typed: Typed, tmp_path: Path) -> None:
    use(session, tmp_path, SHOOT)
    typed("shoot target (steps 3) on 1", "shoot target (steps 9) on 1", "again", "1")
    assert session.last.given["target"]["steps"] == 9


def test_a_piece_whose_record_is_gone_is_told_of_and_can_be_dropped(
    session: Session, typed: Typed, tmp_path: Path
) -> None:
    path = use(session, tmp_path, SHOOT)
    typed("unit x: steps 6")
    path.write_text(SHOOT.replace("unit", "squad"), encoding="utf-8")
    typed("reload")
    assert "no longer have this kind of record" in typed("table")
    for entry in ("x: steps 3", "x steps 3"):
        assert session.enter(entry).code == 2
    assert session.enter("shoot target x on 1").code == 2
    typed("drop x")


def test_a_field_that_is_gone_goes_when_a_piece_is_edited(session: Session, typed: Typed, tmp_path: Path) -> None:
    path = use(session, tmp_path, SHOOT)
    typed("unit x: steps 6, height 2")
    path.write_text(SHOOT.replace("  height 0..3 = 0\n", ""), encoding="utf-8")
    assert typed("reload", "x: steps 3") == "unit x: steps 3"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("unit x-1: steps 3", "`x-1` can't be a name"),
        ("unit 3a: steps 3", "`3a` can't be a name"),
        ("drop", "Name a piece"),
        ("shoot target none", "target can't be none"),
        ("/", "Type a command"),
    ],
)
def test_what_can_not_be_a_piece_is_said(
    session: Session, typed: Typed, tmp_path: Path, entry: str, message: str
) -> None:
    use(session, tmp_path, SHOOT)
    assert message in typed(entry, code=2)


def test_a_misspelt_piece_is_no_new_piece(session: Session, typed: Typed, tmp_path: Path) -> None:
    use(session, tmp_path, SHOOT)
    typed("unit gun: steps 3")
    told = "There is no piece gnu. Did you mean gun? To add a new piece, type `unit gnu:` first."
    assert typed("shoot target gnu", code=2) == told


# ----------------------------------------------------------------------------------------------------- back and forth


def test_what_was_given_up_or_refused_is_no_step_to_take_back(session: Session, typed: Typed) -> None:
    typed("use bombardment", "bombardment bv 5, distance 1 on 4", "undo")
    typed("bombardment bv 5, distance 9", code=1)
    typed("bombardment bv 5, distance 1", "cancel")
    assert "Done again" in typed("redo")


def test_an_answer_to_the_run_before_is_taken_back_where_an_event_started_several(
    session: Session, typed: Typed, tmp_path: Path
) -> None:
    use(session, tmp_path, EVENTS)
    typed("boom range 3", "1 2 3")
    ended = [len(session.state.resolutions)]
    typed("undo")
    assert [*ended, len(session.state.resolutions)] == [1, 0]
    typed("4 4 4", "5 5 5")
    assert [each.outcome.result for each in session.state.resolutions] == [15, 18]


def test_a_ruleset_comes_back_with_its_options_and_definitions(session: Session, typed: Typed) -> None:
    typed(USE, "option flanking_fire on", "define twice = fire_value * 2", "use fire_combat", USE)
    assert session.ruleset.rules.options["flanking_fire"] is True
    assert typed("direct_fire fire_value 4 on 1 1", "twice") == "8"


def test_a_combat_of_another_ruleset_is_not_played_again_by_this_one(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire fire_value 4 on 1 1", "use fire_combat")
    for entry in ("again", "reroll"):
        assert (
            typed(entry, code=2)
            == "The last combat was played with infantry_attacks. `use infantry_attacks` switches back to that ruleset."
        )
    assert "exact" in typed("odds")


# -------------------------------------------------------------------------------------------------------------- odds


def test_least_knows_the_dice_that_were_rolled(session: Session, typed: Typed, tmp_path: Path) -> None:
    text = "facts\n  goal 1..12\nprocedure p\n  1. roll d6 as x\n  2. roll d6 as y\n  3. give result = x + y >= goal\n"
    use(session, tmp_path, text)
    typed("p goal 7", "6")
    assert typed("least goal 50% of not result") == "goal 10 (3/6, 50.00 %)"


def test_dice_that_do_not_fit_another_case_are_said_to(session: Session, typed: Typed, tmp_path: Path) -> None:
    text = "facts\n  n 1..3\nprocedure p\n  1. roll n d6 as x\n  2. roll d6 as y\n  3. give result = x + y\n"
    use(session, tmp_path, text)
    typed("p n 2", "6 6")
    assert "don't fit the other situation" in typed("what if n 3", code=2)


def test_what_is_legal_is_said_of_wrong_answers_alone(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire fire_value 4")
    assert "Allowed" not in typed("odds of conquerd", code=2)
    assert "Allowed: 2 of 1..6." in typed("1 2 3", code=2)


def test_players_without_an_aim_are_asked_for_one(session: Session, typed: Typed) -> None:
    typed(USE, f"{HIT} on 4 4")
    assert typed("odds best owner", code=2) == "Name an aim. For example, `odds best owner aim QUESTION`."


# --------------------------------------------------------------------------------------------------------- what is read


def test_an_answer_of_several_words_stands_in_quotes(session: Session, typed: Typed, tmp_path: Path) -> None:
    text = 'players a\nprocedure p\n  1. a chooses mood from good, "very good"\n  2. give result = mood\n'
    use(session, tmp_path, text)
    typed('p choosing "very good"')
    assert session.last.outcome.result == "very good"
    typed("/play p", "very good")
    assert session.last.outcome.result == "very good"


def test_numbers_of_a_list_may_stand_side_by_side(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire", "16", "1 2")
    assert session.state.pending is not None
    assert session.state.pending.run.facts["ranges"] == [1, 2]


def test_a_field_is_changed_though_its_record_is_called_like_its_fact(
    session: Session, typed: Typed, tmp_path: Path
) -> None:
    use(session, tmp_path, SHOOT)
    typed("shoot target (steps 3) on 6")
    assert "steps" not in typed("what if target.height 2")


# --------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("command", ["record", "share", "save"])
def test_no_file_of_somebody_else_is_written_over(session: Session, typed: Typed, tmp_path: Path, command: str) -> None:
    path = use(session, tmp_path, SHOOT)
    other = tmp_path / "README.md"
    other.write_text("mine", encoding="utf-8")
    typed("define k = 1", "shoot target (steps 3) on 6")
    for file in (path, other):
        session.enter(f"{command} {file}")
    assert (path.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")) == (SHOOT, "mine")


def test_what_the_session_wrote_it_may_write_again(session: Session, typed: Typed, tmp_path: Path) -> None:
    typed(USE, f"{HIT} on 4 4", f"share {tmp_path / 'a.txt'}", f"share {tmp_path / 'a.txt'}")
    typed(f"save {tmp_path / 'a.session'}", f"save {tmp_path / 'a.session'}")


@pytest.mark.parametrize("name", ["\x00", "x" * 300])
@pytest.mark.parametrize("command", ["record", "share", "save", "open", "use", "load"])
def test_what_can_not_be_a_file_is_said(session: Session, typed: Typed, command: str, name: str) -> None:
    typed(USE, f"{HIT} on 4 4")
    reply = session.enter(f"{command} {name}.rules")
    assert reply.code == 2, plain(reply.lines)


@pytest.mark.parametrize(
    "record",
    [
        {"entry": "use infantry_attacks", "rules": [1]},
        {"entry": "use infantry_attacks", "rules": {"infantry_attacks": 3}},
        {"entry": "use infantry_attacks", "rules": {"infantry_attacks": {"a": 1}}},
        {"entry": 3},
        {"entry": "share {written}"},
        {"entry": "record {written}"},
        {"entry": "/save {written}"},
        {"entry": "open {itself}"},
    ],
)
def test_a_session_of_somebody_else_can_do_no_harm(session: Session, tmp_path: Path, record: dict[str, object]) -> None:
    path, written = tmp_path / "theirs.session", tmp_path / "written.txt"
    entry = str(record["entry"]).format(written=written, itself=path) if isinstance(record["entry"], str) else 3
    head = {"format": "enfilade-session", "version": 1, "seed": "1", "dice": "zzz"}
    lines = [head, {"entry": "2d6"}, {**record, "entry": entry}]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    reply = session.enter(f"open {path}")
    assert reply.code in (0, 2)
    assert "Traceback" not in plain(reply.lines)
    assert not written.exists()
