"""An author at the prompt: a file that is read again, definitions that are typed, expressions, examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import enfilade
from enfilade.language import plain
from enfilade_repl.session import Session

Typed = Callable[..., str]

DUEL = """\
enfilade 1
ruleset duel "A Duel"

facts
  skill  1..6

procedure fight "Crossing swords"
  1. roll d6 as die
  2. give result = die + skill
"""


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    path = tmp_path / "duel.rules"
    path.write_text(DUEL, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------------------------------------- files


def test_a_file_is_used_and_watched_and_a_shipped_ruleset_is_not(session: Session, typed: Typed, duel: Path) -> None:
    typed(f"use {duel}")
    assert session.ruleset.path == duel
    typed("use infantry_attacks")
    assert session.ruleset.path is None


def test_reading_a_file_again_plays_the_last_combat_with_the_same_dice(
    session: Session, typed: Typed, duel: Path
) -> None:
    typed(f"load {duel}", "fight skill 2 on 4")
    duel.write_text(DUEL.replace("die + skill", "die + 2 * skill"), encoding="utf-8")
    said = typed("reload").splitlines()
    assert said[0].endswith("read again: 0 warnings.")
    assert [each.split() for each in said[1:]] == [["fight", "before", "now"], ["result", "6", "8"]]
    assert session.last.outcome.result == 6


def test_what_comes_to_the_same_is_said_to(session: Session, typed: Typed, duel: Path) -> None:
    typed(f"load {duel}", "fight skill 2 on 4")
    assert typed("reload").splitlines()[-1] == "fight has the same result."


def test_a_file_with_errors_leaves_the_last_good_version_in_use(session: Session, typed: Typed, duel: Path) -> None:
    typed(f"load {duel}", "fight skill 2 on 4")
    duel.write_text(DUEL.replace("+ skill", "+ skil"), encoding="utf-8")
    said = typed("reload", code=1)
    assert "error[unknown-name]" in said
    assert "did you mean `skill`?" in said
    typed("fight skill 3 on 1")
    assert session.last.outcome.result == 4


def test_dice_that_no_longer_fit_are_said_to(session: Session, typed: Typed, duel: Path) -> None:
    typed(f"load {duel}", "fight skill 2 on 4")
    duel.write_text(DUEL.replace("roll d6", "roll 2d6"), encoding="utf-8")
    assert "can't be played again with the same dice" in typed("reload")


def test_a_choice_that_falls_away_is_left_out_of_the_comparison(session: Session, typed: Typed, tmp_path: Path) -> None:
    text = "players a\nprocedure p\n  1. roll d6 as x\n  2. when x > 3: a chooses y from left, right\n  3. give result = x\n"
    path = tmp_path / "p.rules"
    path.write_text(text, encoding="utf-8")
    typed(f"use {path}", "p on 5 choosing left")
    path.write_text(text.replace("x > 3", "x > 5").replace("result = x", "result = x * 2"), encoding="utf-8")
    assert [each.split() for each in typed("reload").splitlines()][-1] == ["result", "5", "10"]


def test_undo_keeps_to_the_version_that_was_read_last(session: Session, typed: Typed, duel: Path) -> None:
    typed(f"load {duel}", "fight skill 2 on 4", "fight skill 3 on 4")
    duel.write_text(DUEL.replace("die + skill", "die * skill"), encoding="utf-8")
    typed("reload", "undo", "fight skill 6 on 1")
    assert session.last.outcome.result == 6


def test_options_and_definitions_stay_when_a_file_is_read_again(session: Session, typed: Typed, duel: Path) -> None:
    duel.write_text(DUEL.replace("facts\n", "option fog\n\nfacts\n"), encoding="utf-8")
    typed(f"load {duel}", "option fog on", "define twice = skill * 2", "reload", "fight skill 2 on 1")
    assert session.ruleset.rules.options["fog"] is True
    assert typed("twice") == "4"


@pytest.mark.parametrize(
    "content", ["", "chart", "\x00", "facts\n  a 1..2\n" * 2, "procedure p\n  1. give result = \n"]
)
def test_a_file_that_does_not_check_is_refused_with_its_diagnostics(session: Session, duel: Path, content: str) -> None:
    duel.write_text(content, encoding="utf-8")
    reply = session.enter(f"use {duel}")
    assert reply.code in (0, 1)
    if reply.code:
        assert "error[" in plain(reply.lines)
        assert session.state.ruleset is None


def test_the_examples_are_run_and_warnings_shown(session: Session, typed: Typed, duel: Path) -> None:
    duel.write_text(DUEL + '\nexample fight "wrong"\n  given skill 2\n  on 4\n  gives 7\n', encoding="utf-8")
    assert "1 failed" in typed(f"load {duel}", "test", code=1)
    assert typed("check") == "0 warnings"


# ------------------------------------------------------------------------------------------------------- definitions


def test_definitions_make_a_ruleset_from_nothing(session: Session, typed: Typed) -> None:
    typed(
        "facts\n  skill 1..6",
        "procedure fight\n  1. roll d6 as die\n  2. give result = die + skill",
        "fight skill 2 on 4",
    )
    assert session.last.outcome.result == 6
    assert plain([session.prompt]) == "scratch>"


def test_definitions_extend_the_ruleset_in_use(session: Session, typed: Typed) -> None:
    typed("use infantry_attacks", "procedure double\n  1. give result = fire_value * 2", "double fire_value 4")
    assert session.last.outcome.result == 8
    typed("direct_fire fire_value 16 on 4 3")
    typed("replace night in column_modifiers\n  -3 night night [1.2]", "direct_fire fire_value 16, night on 4 3")
    assert session.last.outcome.outputs["hex_shift"] == -3


def test_a_definition_of_the_same_name_gives_way(typed: Typed) -> None:
    assert typed("define a = 1").startswith("defined")
    assert typed("define a = 2").startswith("replaced")
    assert typed("a") == "2"


def test_what_is_added_to_a_declaration_does_not_replace_what_was_added_before(session: Session, typed: Typed) -> None:
    typed("use infantry_attacks", "add to facts\n  mud yes/no", "add to facts\n  fog yes/no")
    typed("add to modifiers column_modifiers\n  -1 mud mud", "add to modifiers column_modifiers\n  -1 fog fog")
    typed("direct_fire fire_value 16, mud, fog on 4 3")
    assert session.last.outcome.outputs["hex_shift"] == -2


def test_a_definition_with_an_error_is_not_taken_over(session: Session, typed: Typed) -> None:
    typed("define a = 1")
    before = session.state
    assert "error[" in typed("define a = b + 1", code=1)
    assert session.state is before


def test_a_definition_can_be_forgotten_and_undone(session: Session, typed: Typed) -> None:
    typed("define a = 1", "define b = 2", "forget a")
    assert typed("definitions") == "define b = 2"
    typed("undo")
    assert typed("a") == "1"


def test_modules_of_the_library_are_used(session: Session, typed: Typed) -> None:
    typed("use odds", "define ratio (a 1.., b 1..) = odds_for_defender(a, b)")
    assert typed("ratio(13, 6)") == "2"


def test_what_was_typed_is_saved_as_a_file_that_checks(session: Session, typed: Typed, tmp_path: Path) -> None:
    typed(
        "use infantry_attacks",
        "procedure double\n  1. give result = fire_value * 2",
        f"save {tmp_path / 'double.rules'}",
    )
    saved = enfilade.load(tmp_path / "double.rules")
    assert saved.name == "double"
    assert saved.resolve("double", fire_value=4).result == 8
    assert "There are no definitions to save" in typed("use fire_combat", f"save {tmp_path / 'none.rules'}", code=2)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("define a = 1", False),
        ("define a", True),
        ("facts", True),
        ("facts\n  a 1..2", True),
        ("facts\n  a 1..2\n", False),
        ('chart crt "CRT"', True),
        ("procedure p", True),
        ("procedure p\n  1. roll d6 as x", True),
        ("die z faces 1..4", False),
        ("record unit", True),
        ("2d6", False),
        ("help", False),
        ("define a = (1 +", False),
    ],
)
def test_whether_an_entry_goes_on_is_the_parsers_word(session: Session, text: str, more: bool) -> None:
    assert session.needs_more(text) is more


def test_words_that_are_commands_too_mean_what_stands_behind_them(session: Session, typed: Typed) -> None:
    typed("use infantry_attacks")
    assert not session.needs_more("chart direct_fire_table")
    assert session.needs_more('chart other "Other"')
    assert not session.needs_more("option flanking_fire on")
    assert not session.needs_more("record played.rules")
    assert session.needs_more("record played")
    assert not session.needs_more("record played\nodds")
    assert session.needs_more('record leader "a leader"')
    typed('option fog "Fog of war"')
    assert session.ruleset.rules.options["fog"] is False


# ------------------------------------------------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 4", "14"),
        ("7 / 2 rounded up", "4"),
        ("(1 + 2) * 3", "9"),
        ("3 is 3", "yes"),
        ("[1, 2]", "1, 2, total 3"),
    ],
)
def test_an_expression_without_dice_is_worked_out(session: Session, typed: Typed, expression: str, value: str) -> None:
    before = session.state
    assert typed(expression) == value
    assert session.state is before


def test_dice_are_rolled_with_their_odds_beside(session: Session, typed: Typed) -> None:
    dice, value, beside = typed("2d6 + 1").splitlines()
    rolled = [int(each) for each in dice.removeprefix("2d6: ").split()]
    assert int(value) == sum(rolled) + 1
    assert beside.startswith(f"mean 8; {value} or more: ")


def test_what_is_asked_of_dice_means_their_values(typed: Typed) -> None:
    dice, value, _ = typed("lowest 2 of 4d10").splitlines()
    rolled = sorted(int(each) for each in dice.removeprefix("4d10: ").split())
    assert value == f"{rolled[0]}, {rolled[1]}, total {rolled[0] + rolled[1]}"
    counted = typed("count of 5d6 where each >= 5").splitlines()
    assert int(counted[1]) == sum(int(each) >= 5 for each in counted[0].removeprefix("5d6: ").split())


def test_odds_of_an_expression_are_exact(typed: Typed) -> None:
    assert "7  6/36" in typed("odds 2d6")
    assert "mean 35167/5000" in typed("odds lowest 2 of 4d10")


def test_an_expression_may_use_dice_and_facts_of_the_ruleset(session: Session, typed: Typed) -> None:
    typed("use infantry_attacks", "direct_fire fire_value 16 on 4 3")
    assert typed("fire_value * 2") == "32"
    assert typed("use fire_combat", "1 d10_from_0").splitlines()[0].startswith("1 d10_from_0: ")


# ---------------------------------------------------------------------------------------------- examples and sharing


@pytest.mark.parametrize(
    "entries",
    [
        ("use infantry_attacks", "direct_fire fire_value 45, unit a (kind infantry, steps 2), "
         "unit d (kind mg), unit b (kind wagon), unit c (kind mg, loaded_on b) on 2 2 choosing a d"),
        ("use infantry_attacks", "option low_edge no_effect", "direct_fire fire_value 1, terrain town on 4 3"),
        ("use franco_prussian", "set dice roll", "melee attacker h (kind cavalry, stands 4, mr 8, charging), defender g (kind infantry, stands 5, mr 7)"),
        ("use infantry_attacks", "option flanking_fire on", "direct_fire fire_value 16, flanking on 4 3"),
        ("use bombardment", "bombardment bv 6, distance 2, target h (morale 5, cs 4) on 4"),
        ("use emperor_musketry", "infantry_fire formation line, lives 6, drill 2, experience 2, distance_bd 0.5 on 1 2 3 4 5 6"),
        ("use fire_combat", "infantry_fire formation line, range minimum, strength 6, firing_class 1, target_class 2, night on 8"),
    ],
)  # fmt: skip
def test_what_was_played_becomes_examples_that_pass(session: Session, tmp_path: Path, entries: tuple[str, ...]) -> None:
    from enfilade.tools.examples import run_examples

    for entry in entries:
        reply = session.enter(entry)
    if session.state.asks:
        session.enter("all")
    while session.state.asks:
        session.enter(str(session.state.pending.question.legal[0]))  # type: ignore[union-attr, index]
    assert session.state.resolutions, plain(reply.lines)
    assert session.enter(f"record {tmp_path / 'played.rules'}").code == 0
    rules = enfilade.load(tmp_path / "played.rules")
    played = [each for each in run_examples(rules.program) if each.label.startswith("played ")]
    assert len(played) == len(session.state.resolutions)
    assert [failure for each in played for failure in each.failures] == []


def test_a_combat_is_shared_as_text_and_as_markdown(session: Session, typed: Typed, tmp_path: Path) -> None:
    typed("use infantry_attacks", "direct_fire fire_value 16, terrain town on 4 3")
    text = typed("share")
    assert "Target hex is town or woods" in text
    assert (
        text.splitlines()[-1]
        == "to check it: enfilade resolve infantry_attacks direct_fire fire_value=16 terrain=town --dice=4,3"
    )
    assert typed("share markdown").splitlines()[0] == "**Infantry Attacks: Direct Fire**"
    typed(f"share {tmp_path / 'shot.txt'}")
    assert (tmp_path / "shot.txt").read_text(encoding="utf-8") == text + "\n"


def test_no_text_of_a_combat_has_a_meaning_of_markdown(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "odd.rules"
    path.write_text('procedure p "Fire *at* <b>"\n  1. give result = "[x](y)"\n', encoding="utf-8")
    shared = typed(f"use {path}", "p", "share markdown")
    assert r"Fire \*at\* \<b\>" in shared
    assert r"**result: [x\](y)**" in shared


@pytest.mark.parametrize(
    "entry",
    ["direct_fire fire_value 45, unit a (kind infantry, steps 2), unit b (kind mg) on 2 2 choosing a b",
     "direct_fire fire_value 16, ranges 1, 2, night, not flanking on 4 3"],
)  # fmt: skip
def test_the_command_that_is_shared_comes_to_the_same(
    session: Session, typed: Typed, entry: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import json
    import shlex

    from enfilade.cli import main

    typed("use infantry_attacks", entry)
    command = typed("share").splitlines()[-1].partition("enfilade ")[2]
    assert main([*shlex.split(command), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["result"] == session.last.outcome.result


def test_what_can_not_be_written_is_said(session: Session, typed: Typed, tmp_path: Path) -> None:
    typed("use infantry_attacks", "direct_fire fire_value 16 on 4 3")
    for command in ("record", "share", "save"):
        assert "can't be written" in typed(f"{command} {tmp_path / 'none' / 'x.txt'}", code=2)


# -------------------------------------------------------------------------------------------------------- differences


def test_the_difference_to_another_file_is_shown_with_the_odds(session: Session, typed: Typed, duel: Path) -> None:
    other = duel.with_name("house.rules")
    other.write_text(DUEL.replace("1. roll d6", "1. roll d8"), encoding="utf-8")
    said = typed(f"use {duel}", f"diff {other}").splitlines()
    assert "Rules: duel, 1 change" in said
    assert any(each.startswith("Odds of fight, result") for each in said)
    assert session.ruleset.path == duel
    assert typed(f"diff {duel}").strip() == "Nothing changed."


def test_a_difference_of_one_question_is_shown(typed: Typed, duel: Path) -> None:
    other = duel.with_name("house.rules")
    other.write_text(DUEL.replace("1. roll d6", "1. roll d8"), encoding="utf-8")
    assert "Odds of fight, result >= 8" in typed(f"use {duel}", f"diff {other} of result >= 8")
    assert "nonsense" in typed(f"diff {other} of nonsense", code=2)


def test_a_difference_without_a_file_is_that_of_the_definitions(typed: Typed, duel: Path) -> None:
    typed(f"use {duel}")
    assert "Name the other ruleset" in typed("diff", code=2)
    typed("define strong = skill >= 5")
    assert "strong" in typed("diff")


def test_a_difference_to_a_file_that_is_missing_or_wrong_says_so(typed: Typed, duel: Path) -> None:
    assert "No game is in use" in typed("diff house.rules", code=2)
    typed(f"use {duel}")
    assert "missing.rules" in typed("diff missing.rules", code=2)
    wrong = duel.with_name("wrong.rules")
    wrong.write_text("nonsense\n", encoding="utf-8")
    assert "nonsense" in typed(f"diff {wrong}", code=1)
