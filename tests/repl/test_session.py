"""A session without a terminal: what is typed, what comes of it, and what it leaves behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from enfilade.language import folded, in_columns, line, plain, width
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.dispatch import interpret, new_session
from enfilade_repl.session import Session
from enfilade_repl.settings import Settings, read_settings

Typed = Callable[..., str]

USE = "use infantry_attacks"
SHOT = "direct_fire fire_value 16, terrain town, ranges 1"
HIT = "direct_fire fire_value 45, unit a (kind infantry, steps 2), unit b (kind mg, steps 1)"


def prompt(session: Session) -> str:
    return plain([session.prompt])


# ------------------------------------------------------------------------------------------------------------- playing


def test_a_procedure_with_facts_asks_for_the_dice_alone(session: Session, typed: Typed) -> None:
    typed(USE, SHOT)
    assert prompt(session) == "fire_roll, 2d6 (Enter to roll, or type the dice):"
    said = typed("4 3")
    assert "Direct Fire Table: roll 7, column 16: No Effect" in said
    assert prompt(session) == "infantry_attacks>"
    assert session.last.outcome.dice[0].answers == (4, 3)


def test_a_bare_name_asks_for_every_fact_that_can_matter(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire", "16", "1", "yes", "", "town", "", "")
    assert prompt(session).startswith("fire_roll")
    typed("4 3")
    assert session.last.given["night"] is True
    assert session.last.given["terrain"] == ["town"]


def test_dice_on_the_line_are_taken_and_the_rest_is_asked(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", "volley rifle dreyse, stands 2, distance 5, target (mr 7, stands 3) on 5")
    assert "check" in prompt(session)
    typed("4")
    assert session.last.outcome.outputs["disorg"] is True


def test_choices_on_the_line_are_taken_too(session: Session, typed: Typed) -> None:
    typed(USE, f"{HIT} on 2 2 choosing a a")
    assert session.last.outcome.outputs["steps_left"]["a"] == 0


def test_left_over_dice_are_a_mistake_and_nothing_has_happened(session: Session, typed: Typed) -> None:
    typed(USE)
    before = session.state
    assert "left over" in typed(f"{SHOT} on 4 3 2", code=2)
    assert session.state is before


@pytest.mark.parametrize(
    ("typed_dice", "faces"),
    [("4 3", (4, 3)), ("4,3", (4, 3)), ("4+3", (4, 3)), (" 4   3 ", (4, 3)), ("2", (1, 1)), ("12", (6, 6))],
)
def test_dice_may_be_typed_in_several_ways(
    session: Session, typed: Typed, typed_dice: str, faces: tuple[int, ...]
) -> None:
    typed(USE, SHOT, typed_dice)
    assert session.last.outcome.dice[0].answers == faces


def test_a_total_may_be_typed_where_nothing_else_is_read(session: Session, typed: Typed) -> None:
    typed(USE, SHOT, "9")
    assert sum(session.last.outcome.dice[0].answers) == 9


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("13", "Possible totals are 2..12."),
        ("4 7", "d6 can't show 7. It shows 1..6."),
        ("1 2 3", "2 dice"),
        ("x y", "Allowed: 2 of 1..6"),
    ],
)
def test_wrong_dice_are_told_what_is_legal_and_asked_again(
    session: Session, typed: Typed, wrong: str, message: str
) -> None:
    typed(USE, SHOT)
    assert message in typed(wrong, code=2)
    assert prompt(session).startswith("fire_roll")


def test_all_rolls_what_is_left(session: Session, typed: Typed) -> None:
    typed(
        "use franco_prussian",
        "melee attacker a (kind cavalry, stands 4, mr 7), defender b (kind infantry, stands 3, mr 7)",
    )
    typed("1", "all")
    assert session.last.outcome.dice[0].answers == (1,)


def test_roll_before_a_procedure_and_a_setting_roll_at_once(session: Session, typed: Typed) -> None:
    typed(USE, f"roll {SHOT}", "set dice roll", SHOT)
    assert len(session.state.resolutions) == 2


def test_a_refusal_is_told_and_not_kept(session: Session, typed: Typed) -> None:
    said = typed("use bombardment", "bombardment bv 5, distance 9", code=1)
    assert said.splitlines()[-1].startswith("refused out_of_range: the target is beyond the range of the piece")
    assert session.state.resolutions == ()


def test_an_event_plays_what_it_starts_or_says_why_it_starts_nothing(session: Session, typed: Typed) -> None:
    said = typed("use bombardment", "unit_moved_into_contact bv 4, mover a, reaction_used")
    assert said.startswith("nothing starts: already_reacted_this_turn: ")
    assert "starts bombardment" in typed("unit_moved_into_contact bv 4, mover a on 1")


def test_play_means_the_procedure_where_a_command_has_its_name(session: Session, typed: Typed) -> None:
    typed("procedure luck\n  1. roll d6 as x\n  2. give result = x\n")
    assert "dice" in typed("luck")
    typed("play luck on 4")
    assert session.last.outcome.result == 4


# -------------------------------------------------------------------------------------------------------------- pieces


def test_pieces_are_put_on_the_table_shown_changed_and_taken_off(session: Session, typed: Typed) -> None:
    typed(USE)
    assert typed("unit gun: kind artillery, steps 2") == "unit gun: kind artillery, steps 2"
    assert typed("gun: steps 1, dug_in") == "unit gun: kind artillery, steps 1, dug_in"
    assert typed("gun steps 3") == "unit gun: kind artillery, steps 3, dug_in"
    assert typed("gun") == "unit gun: kind artillery, steps 3, dug_in"
    assert typed("table") == "unit gun: kind artillery, steps 3, dug_in"
    typed("drop gun")
    assert "The table is empty." in typed("table")


def test_a_piece_without_its_fields_is_asked_for_them_one_by_one(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", "side hussars")
    assert prompt(session) == "hussars kind, the kind of unit that fights (infantry, cavalry, artillery):"
    assert "Allowed: infantry, cavalry, artillery." in typed("horses", code=2)
    typed("cavalry", "4")
    assert prompt(session) == "hussars mr, Morale Rating (5 to 9):"
    assert typed("7") == "side hussars: kind cavalry, stands 4, mr 7"


def test_an_answer_that_names_a_new_record_asks_for_its_fields(session: Session, typed: Typed) -> None:
    typed(
        "use franco_prussian",
        "melee",
        "hussars",
        "cavalry",
        "4",
        "7",
        "guard (kind infantry, stands 3, mr 6)",
        "",
        "all",
    )
    attacker = session.last.given["attacker"]
    assert (attacker["name"], attacker["kind"], attacker["mr"]) == ("hussars", "cavalry", 7)
    assert list(session.state.pieces) == ["hussars", "guard"]


def test_what_was_described_once_is_a_piece_from_then_on(session: Session, typed: Typed) -> None:
    typed(USE, f"{HIT} on 1 1")
    assert list(session.state.pieces) == ["a", "b"]


def test_effects_are_applied_when_the_player_says_so_and_once(session: Session, typed: Typed) -> None:
    said = typed(USE, f"{HIT} on 2 2 choosing a b")
    assert "Type `apply` to update the table: a steps 2 -> 1; b steps 1 -> 0, eliminated no -> yes" in said
    assert session.state.pieces["a"].fields["steps"] == 2
    typed("apply")
    assert session.state.pieces["a"].fields["steps"] == 1
    assert "already" in typed("apply", code=2)
    typed("undo")
    assert session.state.pieces["a"].fields["steps"] == 2


def test_the_next_combat_finds_the_pieces_as_they_stand(session: Session, typed: Typed) -> None:
    typed(USE, f"{HIT} on 2 2 choosing a b", "apply", "direct_fire fire_value 45, units a on 1 1")
    assert session.last.given["units"][0]["steps"] == 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("unit gun: kind gnu", "gun: kind is gnu. Allowed:"),
        ("unit gun: stepps 2", "A unit has no stepps. Did you mean steps?"),
        ("unit gun: steps 2", "gun needs its kind"),
        ("unit gun: kind mg, loaded_on cart", "no unit of that name"),
        ("unit : kind mg", "A unit needs a name."),
        ("gun: steps 2", "There is no piece gun. Type `KIND gun: FIELDS` to add this piece (kinds: unit)."),
        ("drop gun", "There is no piece gun. There are none."),
    ],
)
def test_a_wrong_piece_is_refused_and_nothing_is_put_down(
    session: Session, typed: Typed, entry: str, message: str
) -> None:
    typed(USE)
    assert message in typed(entry, code=2)
    assert dict(session.state.pieces) == {}


# ------------------------------------------------------------------------------------------------- back and forth


def test_a_mistyped_die_is_taken_back_inside_a_procedure(session: Session, typed: Typed) -> None:
    typed(USE, HIT, "2 2")
    assert prompt(session).startswith("owner: which combat unit loses a step (1)")
    assert typed("undo") == "Taken back: fire_roll"
    typed("4 4")
    assert session.last.outcome.dice[0].answers == (4, 4)


def test_undo_before_the_first_answer_gives_the_procedure_up(session: Session, typed: Typed) -> None:
    typed(USE, SHOT, "undo")
    assert prompt(session) == "infantry_attacks>"


def test_undo_and_redo_go_through_what_changed_something(session: Session, typed: Typed) -> None:
    typed(USE, "unit gun: kind mg", f"{SHOT} on 4 3", "why", "seed 9", "option flanking_fire on")
    tables = [session.state]
    taken = []
    for _ in range(4):
        taken.append(typed("undo"))
        tables.append(session.state)
    assert taken == [
        "Taken back: option flanking_fire on", f"Taken back: {SHOT} on 4 3",
        "Taken back: unit gun: kind mg", f"Taken back: {USE}",
    ]  # fmt: skip
    assert "nothing to undo" in typed("undo", code=2)
    for table in reversed(tables[:-1]):
        typed("redo")
        assert session.state is table
    assert "nothing to redo" in typed("redo", code=2)


def test_an_undone_roll_comes_again_and_reroll_takes_another(session: Session, typed: Typed) -> None:
    typed(USE, SHOT, "")
    first = session.last.outcome.dice
    typed("undo", SHOT, "")
    assert session.last.outcome.dice == first
    seen = {first[0].answers}
    for _ in range(8):
        typed("reroll")
        assert len(session.state.resolutions) == 1
        seen.add(session.last.outcome.dice[0].answers)
    assert len(seen) > 4
    last = session.last.outcome.dice
    typed("undo", "redo")
    assert session.last.outcome.dice == last


def test_reroll_meets_the_pieces_as_they_were_before_the_effects(session: Session, typed: Typed) -> None:
    typed(USE, f"{HIT} on 2 2 choosing a b", "apply", "reroll")
    first = session.last
    while session.state.asks:
        typed("a")
    assert session.last is not first
    assert session.last.given["units"][0]["steps"] == 2
    assert session.state.pieces["b"].fields.get("steps", 1) == 1


def test_the_same_seed_and_entries_come_to_the_same(typed: Typed, session: Session) -> None:
    other = new_session(seed="7")
    for entry in (USE, SHOT, "", "2d6", "again terrain hill", "all", "reroll"):
        assert plain(session.enter(entry).lines) == plain(other.enter(entry).lines)


def test_again_plays_the_same_with_other_facts_and_new_dice(session: Session, typed: Typed) -> None:
    typed(USE, f"{SHOT} on 4 3", "again terrain hill", "2 2")
    assert session.last.given["terrain"] == ["hill"]
    assert session.last.given["fire_value"] == 16


def test_a_reroll_that_is_given_up_leaves_the_first_throw(session: Session, typed: Typed) -> None:
    typed(USE, f"{HIT} on 2 2 choosing a b")
    first = session.last
    typed("reroll")
    while not session.state.asks:
        typed("undo", "reroll")
    assert session.last is first
    typed("cancel")
    assert session.last is first


def test_reroll_leaves_what_was_entered_since_as_it_is(session: Session, typed: Typed) -> None:
    typed(
        USE, f"{SHOT} on 4 3", "unit gun: kind mg", "define twice = fire_value * 2", "option flanking_fire on", "reroll"
    )
    assert "gun" in session.state.pieces
    assert typed("twice") == "32"
    assert session.ruleset.rules.options["flanking_fire"] is True
    assert len(session.state.resolutions) == 1


def test_questions_after_a_combat_are_about_the_rules_in_use(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire fire_value 16, night on 4 3")
    before = typed("odds")
    typed("replace night in column_modifiers\n  -3 night night [1.2]")
    assert typed("odds") != before
    assert typed("odds") == typed("odds direct_fire fire_value 16, night")
    typed("add to facts\n  mud yes/no", "add to modifiers column_modifiers\n  -4 mud mud")
    assert "mud" in typed("what if mud")


def test_pieces_are_put_aside_with_their_ruleset_and_come_back(session: Session, typed: Typed) -> None:
    typed(USE, "unit gun: kind mg")
    assert "set aside until you use infantry_attacks again: 1 piece" in session_said(session, "use franco_prussian")
    assert dict(session.state.pieces) == {}
    assert "restored: 1 piece" in session_said(session, USE)
    assert list(session.state.pieces) == ["gun"]


def session_said(session: Session, entry: str) -> str:
    return plain(session.enter(entry).lines)


# --------------------------------------------------------------------------------------------------- while it asks


def test_questions_about_odds_and_reasons_may_be_asked_before_an_answer(session: Session, typed: Typed) -> None:
    typed(USE, HIT, "2 2")
    assert "100.00 %" in typed("odds")
    assert "fire_roll: 2 + 2 = 4" in typed("why")
    assert "what if" in typed("help what")
    assert prompt(session).startswith("owner: which combat unit loses a step (1)")


def test_worth_takes_a_question_with_or_without_of(session: Session, typed: Typed) -> None:
    typed(USE, HIT, "2 2")
    assert typed("worth steps_left of a") == typed("worth of steps_left of a")


def test_worth_tells_what_each_way_to_choose_comes_to(session: Session, typed: Typed) -> None:
    typed(USE, HIT, "2 2")
    table = typed("worth of steps_left of a").splitlines()
    assert [each.split() for each in table] == [
        ["combat_losses[1]", "steps_left", "of", "a"], ["a", "mean", "1/2,", "0.5"], ["b", "1"],
    ]  # fmt: skip
    assert "steps_left" in typed("worth")


def test_what_would_change_the_table_has_to_wait(session: Session, typed: Typed) -> None:
    typed(USE, SHOT)
    for command in COMMANDS:
        if not command.while_asking:
            assert "doesn't work while a question is open" in typed(command.name, code=2)


def test_an_answer_goes_before_a_command_of_the_same_word(session: Session, typed: Typed) -> None:
    typed("facts\n  mood one of why, seed\n", "procedure ask\n  1. give result = mood\n", "ask")
    assert typed("/seed").startswith("seed 7")
    typed("why")
    assert session.last.outcome.result == "why"


def test_cancel_gives_up_what_is_played(session: Session, typed: Typed) -> None:
    typed(USE, SHOT, "cancel")
    assert prompt(session) == "infantry_attacks>"
    assert "No combat is being played." in typed("cancel", code=2)


def test_a_question_without_a_default_takes_no_empty_answer(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire")
    assert typed("", code=2).startswith("fire_value needs a value. Type 1 or more.")
    assert prompt(session).startswith("fire_value")


# --------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("direct_fyre", 'There is no command "direct_fyre". Did you mean `direct_fire`?'),
        ("grid", "Name the fact to vary. For example, `grid by fire_value`."),
        ("new my_game", 'There is no command "new" here. To make a ruleset, type `enfilade new FILE.rules` in a shell'),
        (
            "record played",
            "The record played has no fields. Indent the fields of the record in the lines below. To save combats to a file, type `record played.rules`.",
        ),
        ("record played\nodds", "The record played has no fields."),
        ("direct_fire fire_valu 3", "There is no fact fire_valu. Did you mean fire_value?"),
        ("direct_fire fire_value 0", "fire_value is 0. Allowed: 1 or more."),
        ("direct_fire companies 3, fire_value 2", "companies is 3. Allowed: 0 to 2."),
        ("use nothing", "There is no ruleset or file nothing"),
        ("use", "Name a ruleset"),
        ("why", "No combat has been played yet"),
        ("odds", "No combat has been played yet"),
        ("chart indirect", "There is no chart indirect. "),
        ("rule 99.9", "99.9"),
        ("option fog", "There is no option fog"),
        ("set colour blue", "There is no setting colour"),
        ("set theme pink", "The setting theme can't be pink. Allowed: dark, light, none."),
        ("log 3", "There is no combat 3"),
        ("4 3", "No roll is being asked for."),
        ("2d6 +", "This line ends too early."),
        ("help nonsuch", 'There is no "nonsuch".'),
        ("redo", "There is nothing to redo"),
        ("worth", "`worth` works only while a choice is being asked for."),
        ("save", "Name a file"),
        ("open nowhere", "There is no session nowhere"),
        ("/nonsuch", 'There is no command "nonsuch".'),
        ("\x1b[2J", "U+001B"),
        ("least fire_value", "Give a fact, a chance and a condition."),
        ("forget x", '"x" was not defined in this session.'),
    ],
)
def test_a_mistake_gets_one_message_and_changes_nothing(session: Session, entry: str, message: str) -> None:
    session.enter(USE)
    before = session.state
    reply = session.enter(entry)
    assert message in plain(reply.lines)
    assert session.state is before
    assert "Traceback" not in plain(reply.lines)
    assert "\x1b" not in plain(reply.lines)


def test_without_a_ruleset_commands_say_what_is_missing(session: Session) -> None:
    for command in COMMANDS:
        reply = session.enter(command.name)
        assert reply.code in (0, 2), command.name
        assert "Traceback" not in plain(reply.lines)


@pytest.mark.parametrize("entry", ["odds", "2d6", SHOT, "undo", "use fire_combat", "define x = 1", "apply", ""])
def test_an_entry_that_is_interrupted_leaves_everything_as_it_was(
    session: Session, typed: Typed, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(USE, f"{HIT} on 2 2 choosing a b")
    if entry == "":
        typed(SHOT)
    before, at = session.state, prompt(session)

    def interrupted(self: Session, text: str) -> NoReturn:
        tuple(interpret(self, text))
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "_interpret", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.enter(entry)
    monkeypatch.undo()
    assert (session.state, prompt(session)) == (before, at)
    if not session.state.asks:
        typed("undo")
        typed("redo")
        assert session.state is before


# ---------------------------------------------------------------------------------------------------------- comfort


def test_every_command_has_help_and_its_aliases_mean_it(session: Session, typed: Typed) -> None:
    overview, every = typed("help"), typed("help commands")
    for command in COMMANDS:
        assert f" {command.name}" in overview
        assert f" {command.name} " in every
        said = typed(f"help {command.name}")
        assert command.usage in said
        assert command.help in said
        for alias in command.aliases:
            assert find_command(alias) is command
    assert typed("?") == overview


def test_every_example_of_a_commands_help_can_be_typed(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_game.rules").write_text("procedure p\n  1. give result = 1\n")
    Path("house_rules.rules").write_text("ruleset house_rules extends infantry_attacks\n")
    begun = new_session(seed="1")
    for entry in (USE, "unit gun: kind mg, steps 2", "procedure scatter\n  1. give result = 1\n", f"{HIT} on 4 4"):
        assert begun.enter(entry).code == 0
    choosing = new_session(seed="1")
    choosing.become(begun)
    for entry in (HIT, "2 2"):
        choosing.enter(entry)
    for command in COMMANDS:
        for example in command.more:
            session = new_session(seed="1")
            session.become(choosing if command.name == "worth" else begun)
            reply = session.enter(re.sub(r"\bgun\.|of gun", lambda found: found[0].replace("gun", "a"), example))
            assert reply.code == (2 if example == "open last" else 0), (example, plain(reply.lines))


def test_help_tells_of_every_name_of_the_ruleset(session: Session, typed: Typed) -> None:
    typed(USE)
    program = session.ruleset.rules.program
    for name in (
        *program.procedures, *program.facts, *program.charts, *program.options, *program.records, *program.effects,
        *program.definitions, "hill", "entrenched", "infantry_attacks",
    ):  # fmt: skip
        assert name in typed(f"help {name}"), name


def test_settings_are_shown_and_set(session: Session, typed: Typed) -> None:
    assert "theme" in typed("set")
    typed("set keys vi")
    assert session.settings["keys"] == "vi"
    assert session.settings.to_text().splitlines()[1] == "keys vi"


def test_fractions_are_in_lowest_terms_if_the_setting_says_so(session: Session, typed: Typed) -> None:
    typed("use infantry_attacks")
    asked = "odds direct_fire fire_value 11 of M or worse"
    assert "20/36" in typed(asked)
    assert "5/9" in typed("set fractions lowest", asked)


def test_fields_and_options_are_varied_at_the_prompt(session: Session, typed: Typed) -> None:
    typed("use infantry_attacks", "direct_fire fire_value 1, terrain town, unit guard (kind infantry, steps 2) on 4 3")
    assert "stays      16.67 %" in typed("odds by low_edge of M or worse")
    assert "low_edge stays  low_edge no_effect" in typed("compare low_edge stays with low_edge no_effect")
    assert "1..3" in typed("odds by guard.steps 1..3 of M or worse")
    assert "can change only facts and fields" in plain(session.enter("again low_edge no_effect").lines)


def test_luck_is_the_chance_of_a_total_as_far_out(session: Session, typed: Typed) -> None:
    typed(USE, f"{SHOT} on 6 6", f"{SHOT} on 6 6")
    row = typed("luck").splitlines()[1].split()
    assert row[:5] == ["d6", "4", "24", "14", "6"]
    assert row[-2:] == ["0.08", "%"]


def test_dice_without_numbers_have_no_luck(session: Session, typed: Typed) -> None:
    typed(
        "die coin faces heads, tails", "procedure toss\n  1. roll coin as x\n  2. give result = x.faces\n", "roll toss"
    )
    assert typed("luck") == "No dice with numbers have been rolled yet."


def test_a_narrow_session_draws_no_wider_than_it_is(session: Session, typed: Typed) -> None:
    session.columns = 40
    for entry in (
        USE,
        f"{HIT} on 2 2 choosing a b",
        "why",
        "odds",
        "odds by fire_value 1..9 of M or worse",
        "chart",
        "help",
        "log",
        "table",
    ):
        for each in session.enter(entry).lines:
            for piece in folded(each, 40):
                assert sum(width(text) for _, text in piece) <= 40, entry


def test_wide_characters_are_measured() -> None:
    rows = in_columns([[("name", "砲兵"), "guns"], ["歩", "foot"]])
    assert [sum(width(text) for _, text in row) for row in rows] == [10, 10]
    assert plain(folded(line("砲兵砲兵砲兵砲兵 砲兵"), 12)) == "砲兵砲兵砲兵\n  砲兵 砲兵"


def test_settings_of_a_file_count_line_by_line() -> None:
    settings, wrong = read_settings("theme light\nnonsense\n\n# a remark\ndice roll\n")
    assert (settings["theme"], settings.rolls) == ("light", True)
    assert len(wrong) == 1
    assert read_settings(settings.to_text()) == (settings, ())
    assert Settings() == read_settings("")[0]
