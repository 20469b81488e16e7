"""What new users typed at the prompt and on the command line, and what it says and does: a test for each finding."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from tests.repl.conftest import Typed

import enfilade
from enfilade.cli import main
from enfilade.files import shipped_names
from enfilade.language import folded, plain
from enfilade_repl.app import _continuation, greeting, run_terminal
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal, new_path
from enfilade_repl.session import Session
from enfilade_repl.transcript import entries_of

GAME: Final = "use infantry_attacks"
GUARD: Final = "unit guard infantry 3 steps"
SHOT: Final = "direct_fire 16 town on 4 3"
HIT: Final = "direct_fire 45 units guard on 1 1"

Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    """Run a command: its exit code, its output and its complaints."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_1_the_prompt_works_without_prompt_toolkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{GAME}\n{SHOT}\n"))
    assert run_terminal() == 0
    said = capsys.readouterr().out
    assert said.count("pip install 'enfilade[repl]'") == 1
    assert "result  No Effect" in said


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("help M1", "M1  Morale check [14.1]"),
        ("help 2X", "2X  Step losses [7.61, 14.1, 6.7]"),
        ("help night", "night turn"),
        ("help column_modifiers", "Target hex is town or woods"),
        ("modifiers", "Night turn [1.2]"),
        ("results", "Morale check"),
        ("card", "Column Modifiers [7.5]"),
        ("chart", "Column Modifiers [7.5]"),
    ],
)
def test_2_codes_and_modifiers_are_explained(typed: Typed, entry: str, told: str) -> None:
    assert told in typed(GAME, entry)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("gird", 'There is no command "gird". Did you mean `grid`?'),
        ("grid", "Name the fact to vary. For example, `grid by fire_value`."),
        ("attack", 'There is no command "attack". Type `direct_fire` to play. `help` lists all commands.'),
        ("hello", 'There is no command "hello". Type `direct_fire` to play. `help` lists all commands.'),
    ],
)
def test_4_what_is_not_understood_leads_on(typed: Typed, entry: str, told: str) -> None:
    assert told in typed(GAME, entry, code=2)


def test_4_beginnings_and_other_spellings_are_understood(typed: Typed) -> None:
    assert all(name in typed("games") for name in shipped_names())
    assert typed("use inf").startswith("Infantry Attacks: Direct Fire")
    assert "adjacent to all" in typed(SHOT, "why not adjacent")
    assert typed("whatif terrain hill") == typed("what if terrain hill")


def test_5_tables_show_bands_and_the_words_of_a_set(typed: Typed) -> None:
    rows = typed(GAME, SHOT, "odds by fire_value").splitlines()
    assert len(rows) == 9
    assert rows[2].split()[0] == "1..6"
    by_terrain = typed("odds by terrain")
    for word in ("clear", "town", "woods", "hill", "swamp"):
        assert word in by_terrain


def test_6_record_without_fields_swallows_no_command(session: Session, typed: Typed) -> None:
    typed(GAME)
    # The line that follows is an entry of its own, although the prompt waits for fields.
    assert list(entries_of(["record x", "games"], session.needs_more)) == ["record x", "games"]
    assert "To save combats to a file, type `record x.rules`." in typed("record x", code=2)


def test_7_names_and_values_are_typed_as_people_type_them(session: Session, typed: Typed) -> None:
    typed(GAME, 'unit "Old Guard": kind infantry, steps 3', 'unit "1/5" infantry 3 steps', GUARD, SHOT)
    assert list(session.state.pieces) == ["Old Guard", "1/5", "guard"]
    assert (
        session.state.pieces["1/5"].fields == session.state.pieces["guard"].fields == {"kind": "infantry", "steps": 3}
    )
    assert dict(session.last.given) == {"fire_value": 16, "terrain": ["town"]}


def test_8_a_piece_of_another_kind_says_how_to_describe_the_right_one(typed: Typed) -> None:
    typed("use franco_prussian", "unit uhlans: kind cavalry, stands 3, mr 6")
    told = typed("melee attacker uhlans", code=2)
    assert told == (
        "uhlans is a unit, and attacker takes a side. Describe the side here: NAME (kind ..., stands ..., mr ...)."
    )


def test_8_pieces_may_refer_to_each_other(session: Session, typed: Typed, tmp_path: Path) -> None:
    rules = (
        "record leader\n  with  unit or none\n\nrecord unit\n  steps  0.. = 2\n  led_by  leader or none\n\n"
        "procedure p\n  give result = 1\n"
    )
    (tmp_path / "led.rules").write_text(rules, encoding="utf-8")
    typed(f"use {tmp_path / 'led.rules'}", "unit guard", "leader ney: with guard", "guard: led_by ney")
    assert typed("table") == "unit guard: led_by ney\nleader ney: with guard"


@pytest.mark.parametrize(
    ("question", "chance"),
    [
        ("a step_loss", "44.44 %"),
        ("step_loss on guard", "44.44 %"),
        ("guard loses a step", "44.44 %"),
        ("eliminate on guard", "11.11 %"),
        ("guard eliminated", "11.11 %"),
        ("guard is eliminated", "11.11 %"),
    ],
)
def test_9_effects_have_odds(typed: Typed, question: str, chance: str) -> None:
    assert chance in typed(GAME, GUARD, HIT, f"odds of {question}")


def test_9_results_have_odds_by_their_labels(typed: Typed) -> None:
    assert typed(GAME, SHOT, "odds of no effect") == typed('odds of result is "-"')


def test_10_what_did_not_happen_is_not_shown(typed: Typed) -> None:
    said = typed(GAME, SHOT)
    for noise in ("nothing", "hex_shift", "result  -"):
        assert noise not in said
    assert said.endswith("result  No Effect")
    said = typed(GUARD, HIT)
    for noise in ("nothing that", "nothing to choose", "leader_casualty_checks"):
        assert noise not in said
    assert "nothing to choose" not in typed("share")
    assert "leader_casualty_checks" in typed("outputs")


def test_11_questions_say_what_they_mean(session: Session, typed: Typed) -> None:
    typed("use fire_combat", "infantry_fire")
    assert "the kind of target and its cover" in plain([session.prompt])
    typed("cancel", "use emperor_musketry")
    assert "lives[1] is many, which is not a number. Allowed: 0 or more." in typed(
        "spread_kills kills 2 lives many", code=2
    )


def test_12_facts_are_typed_as_in_examples(shell: Shell) -> None:
    shot = ("resolve", "infantry_attacks", "direct_fire", "--dice", "4,3", "--why", "short", "fire_value=45")
    fields = shell(*shot, "units=b3,c2", *_FIELDS)
    assert fields == shell(*shot, "units=b3 (kind infantry, steps 3), c2 (kind mg, steps 1)")
    assert fields[0] == 0
    assert "b3: checks morale" in fields[1]


_FIELDS: Final = ("units.b3.kind=infantry", "units.b3.steps=3", "units.c2.kind=mg", "units.c2.steps=1")


def test_12_a_number_alone_is_a_list_of_one() -> None:
    rules = enfilade.load("infantry_attacks")
    one = rules.resolve("direct_fire", fire_value=16, ranges=1, terrain="town", dice=[4, 3])
    assert one == rules.resolve("direct_fire", fire_value=16, ranges=[1], terrain={"town"}, dice=[4, 3])


def test_13_a_bot_asks_reads_and_tells_in_the_words_of_the_prompt(session: Session, typed: Typed) -> None:
    typed(GAME, "direct_fire 16 town")
    run = enfilade.load("infantry_attacks").begin("direct_fire", fire_value=16, terrain={"town"})
    assert run.question is not None
    assert f"{run.question.prompt()} " == "".join(text for _, text in session.prompt)
    outcome = run.answer_text("4, 3").outcome
    assert outcome is not None
    assert outcome.sentence() == typed("4, 3", "why short")


def test_14_fractions_may_be_in_lowest_terms(typed: Typed, shell: Shell) -> None:
    assert "14/36" in typed(GAME, GUARD, HIT, "odds")
    assert "7/18" in typed("set fractions lowest", "odds")
    shot = ("infantry_attacks", "direct_fire", "fire_value=16", "--of", "M or worse")
    assert " 5/6 " in shell("odds", *shot, "--fractions")[1]
    head = shell("compare", *shot, "--a", "terrain=town", "--b", "terrain=hill")[1].splitlines()[0]
    assert "{" not in head
    assert "terrain town" in head


def test_16_cards_scroll_on_a_phone_and_have_a_dark_mode(shell: Shell) -> None:
    page = shell("chart", "infantry_attacks", "--format", "html")[1]
    assert "prefers-color-scheme: dark" in page
    assert "overflow-x" in page


@pytest.mark.parametrize(
    ("entry", "same_as"),
    [
        ("what does M2 mean?", "help M2"),
        ("what is night", "help night"),
        ("what charts are there?", "charts"),
        ("what games are there", "games"),
        ("help what if", "help what"),
        ("why?", "why"),
    ],
)
def test_17_questions_in_plain_english_are_answered(typed: Typed, entry: str, same_as: str) -> None:
    assert typed(GAME, SHOT, entry) == typed(same_as)


@pytest.mark.parametrize("word", ["roll", "roll it", "roll the dice", ""])
def test_18_at_a_roll_the_word_roll_rolls(typed: Typed, word: str) -> None:
    assert "result" in typed(GAME, "direct_fire 16", word)


def test_18_at_a_fact_the_word_roll_waits(typed: Typed) -> None:
    assert "has to wait" in typed(GAME, "direct_fire", "roll", code=2)


@pytest.mark.parametrize("answer", ["seven", "no"])
def test_19_words_are_not_counted_as_dice(typed: Typed, answer: str) -> None:
    told = typed(GAME, "direct_fire 16", answer, code=2)
    assert told == f"`{answer}` is not a roll of these dice. Allowed: 2 of 1..6."


def test_20_help_at_a_field_of_a_new_piece_tells_what_is_allowed(typed: Typed) -> None:
    told = typed(GAME, "unit gun", "?")
    assert told.startswith("Allowed: infantry, mg, mortar")
    assert len(told.splitlines()) == 2


@pytest.mark.parametrize("entry", ["undo direct_fire", "undo 2", "redo all"])
def test_21_undo_takes_back_nothing_else_than_what_was_named(session: Session, typed: Typed, entry: str) -> None:
    typed(GAME, SHOT)
    before = session.state
    assert "one entry at a time" in typed(entry, code=2)
    assert session.state is before
    assert "Taken back: direct_fire" in typed("undo that")


@pytest.mark.parametrize(
    ("entry", "same_as"),
    [
        ("use infantry attacks", "use infantry_attacks"),
        ("chart direct fire table", "chart direct_fire_table"),
        ("help direct fire", "help direct_fire"),
        ("odds direct fire fire value 11", "odds direct_fire fire_value 11"),
        ("least fire value 50% of M or worse", "least fire_value 50% of M or worse"),
        ("odds by fire value 1..20 of M or worse", "odds by fire_value 1..20 of M or worse"),
        ("unit horse: mounted cavalry, dug in", "unit horse: mounted_cavalry, dug_in"),
    ],
)
def test_22_blanks_in_names_stand_for_underscores(typed: Typed, entry: str, same_as: str) -> None:
    typed(GAME, SHOT)
    assert typed(entry) == typed(same_as)


def test_22_facts_with_blanks_are_played(typed: Typed) -> None:
    assert "column 16" in typed(GAME, "direct fire fire value 16 on 4 3")


@pytest.mark.parametrize(
    ("entry", "same_as"),
    [
        ("what if it is night", "what if night"),
        ("what if at night?", "what if night"),
        ("what if they were in woods", "what if terrain woods"),
        ("what if it was night and terrain is town", "what if night, terrain town"),
        ("what if it were not night", "what if not night"),
    ],
)
def test_23_small_words_around_facts_are_left_out(typed: Typed, entry: str, same_as: str) -> None:
    typed(GAME, SHOT)
    # The heading of the table of odds quotes what was typed.
    told, meant = (typed(each).split("\nresult ")[0] for each in (entry, same_as))
    assert told == meant


def test_24_a_field_may_follow_its_piece_after_a_blank(typed: Typed) -> None:
    typed(GAME, GUARD, "direct_fire 16 units guard on 2 6")
    told, meant = (typed(f"what if {each}").splitlines()[:5] for each in ("the guard were dug in", "guard.dug_in"))
    assert told == meant


def test_24_a_number_alone_means_a_fact_before_a_field_of_a_piece(typed: Typed) -> None:
    typed(GAME, GUARD, "direct_fire 16 units guard on 2 6", "again 30")
    assert "column 30" in typed("2 6")


def test_25_an_unknown_fact_does_not_fill_the_screen_with_names(typed: Typed) -> None:
    typed("use franco_prussian", "side a: kind infantry, stands 8, mr 6", "side b: kind infantry, stands 8, mr 6")
    typed("melee attacker a defender b on 1 2")
    told = typed("what if zzz", code=2)
    assert told.startswith("There is no fact zzz. The names are ")
    assert "more" in told
    assert len(told) < 500


def test_a_field_with_a_point_is_shown_in_brackets(typed: Typed) -> None:
    told = typed("use franco_prussian", "odds melee attacker.mr 7", code=2)
    assert told.startswith("There is no fact attacker.mr. Write fields in brackets: attacker (mr ...).")


def _kept(folder: Path) -> Session:
    # Two sessions of one process in one second would have the same path.
    number = len(list(folder.rglob("*.session")))
    path = new_path(folder).with_stem(f"session-{number}")
    session = new_session(seed="7", journal=Journal(path, {"seed": "7", "dice": "ask"}))
    session.folder = folder
    return session


def test_26_the_list_of_sessions_leaves_out_what_was_undone_or_rolled_again(tmp_path: Path) -> None:
    session = _kept(tmp_path)
    for entry in (GAME, "direct_fire 16 on 5 6", "direct_fire 16 on 4 3", "undo", "direct_fire 45 on 1 1", "reroll"):
        assert session.enter(entry).code == 0, entry
    session.journal.close()
    results = [f"direct_fire: {done.outcome.result}" for done in session.state.resolutions]
    listed = plain(_kept(tmp_path).enter("open").lines).split("  ")[1]
    assert listed == "; ".join(results)
    assert len(results) == 2


def test_26_the_open_session_is_not_called_unknown(tmp_path: Path) -> None:
    session = _kept(tmp_path)
    session.enter(GAME)
    assert session.journal.path is not None
    assert "is this session" in plain(session.enter(f"open {session.journal.path.stem}").lines)


# ------------------------------------------------------------------------------------------ a second sitting

FIRE: Final = "infantry_fire target_class 1 range minimum formation line strength 8 firing_class 2"


@pytest.mark.parametrize("dice", ["on 8", "roll 8", ", roll 8", "dice 8", "with 8", "rolled 8", "on 6 2", "with 6, 2"])
def test_27_dice_are_typed_in_the_line_of_the_facts(typed: Typed, dice: str) -> None:
    assert typed(GAME, f"direct_fire 16 town {dice}").endswith(typed("direct_fire 16 town", "6 2"))


def test_27_a_total_that_leaves_the_dice_open_is_refused(typed: Typed) -> None:
    assert "possible totals are 2..12" in typed(GAME, "direct_fire 16 on 13", code=2).casefold()


def test_28_again_takes_dice(session: Session, typed: Typed) -> None:
    typed(GAME, SHOT, "again 30 on 2 2")
    assert dict(session.last.given)["fire_value"] == 30
    assert session.last.outcome.dice[0].answers == (2, 2)


@pytest.mark.parametrize(
    "entry",
    [
        FIRE.replace("strength 8", "strength 8 men"),
        FIRE.replace("minimum", "min"),
        FIRE.replace("firing_class 2", "firing 2"),
        FIRE.replace("target_class 1", "target 1"),
    ],
)
def test_29_units_beginnings_and_single_words_of_names_are_understood(
    session: Session, typed: Typed, entry: str
) -> None:
    typed("use fire_combat", f"{FIRE} on 8", f"{entry} on 8")
    assert dict(session.last.given) == dict(session.state.resolutions[0].given)


def test_29_a_word_of_two_names_is_not_guessed(typed: Typed) -> None:
    told = typed("use fire_combat", "infantry_fire class 2", code=2)
    assert told == "`class` may mean firing_class or target_class. Write the whole name."


@pytest.mark.parametrize("entry", ["play fire combat", "fire combat", "Fire_Combat", "use infantry and artillery fire"])
def test_30_the_name_of_a_game_starts_it(typed: Typed, entry: str) -> None:
    assert typed(GAME, entry).startswith("Infantry and Artillery Fire Combat")


@pytest.mark.parametrize("entry", ["use Morne Plaine", "Morne Plaine", "play bombardment", "bombardment"])
def test_30_the_title_of_a_game_starts_it(typed: Typed, entry: str) -> None:
    assert typed(entry).startswith("Morne Plaine: Bombardment")


def test_30_a_procedure_goes_before_a_game_with_its_name(session: Session, typed: Typed) -> None:
    typed("bombardment", "bombardment")
    assert session.state.pending is not None


UHLANS: Final = "side uhlans: kind cavalry, stands 3, mr 6"
FOOT: Final = "side foot: kind infantry, stands 4, mr 6"


def test_31_least_says_that_a_field_is_set_on_both_sides(typed: Typed) -> None:
    typed("use franco_prussian", UHLANS, FOOT, "melee uhlans vs foot on 6 1")
    assert typed('least stands 50% of result is "attacker wins"').startswith("stands of every side ")


def test_32_sides_are_told_apart_by_their_order(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", UHLANS, FOOT, "melee uhlans vs foot on 6 1")
    given = session.last.given
    assert (given["attacker"]["name"], given["defender"]["name"]) == ("uhlans", "foot")


def test_32_without_vs_two_sides_are_not_guessed(typed: Typed) -> None:
    typed("use franco_prussian", UHLANS, FOOT)
    assert "`uhlans` may mean attacker or defender" in typed("melee uhlans foot on 6 1", code=2)


def test_33_a_missing_field_is_asked_for_with_what_was_typed(typed: Typed) -> None:
    told = typed("use franco_prussian", "side uhlans: kind cavalry", code=2)
    assert "Write `uhlans (kind cavalry, stands 0, mr 5)`." in told


def test_34_a_range_after_odds_is_varied(typed: Typed) -> None:
    typed("use fire_combat", f"{FIRE} on 8")
    assert typed("odds strength 1..12") == typed("odds by strength 1..12")


@pytest.mark.parametrize(
    ("entry", "same_as"),
    [
        ("chance of at least 1", "odds of result is 1 or worse"),
        ("odds of at most 1", "odds of result is 1 or better"),
        ("codes", "results"),
        ("assumptions", "card"),
        ("units", "table"),
    ],
)
def test_35_other_words_for_commands(typed: Typed, entry: str, same_as: str) -> None:
    typed("use fire_combat", f"{FIRE} on 8")
    assert typed(entry) == typed(same_as)


@pytest.mark.parametrize("word", ["resume", "continue"])
def test_35_the_last_session_is_found(typed: Typed, word: str) -> None:
    assert "`open last` continues the last session." in typed(GAME, word, code=2)


def test_35_bye_leaves(session: Session) -> None:
    assert session.enter("bye").ends


def test_36_the_greeting_says_how_to_continue() -> None:
    assert "`open last`" in greeting(80, has_sessions=True)
    assert "`open last`" not in greeting(80)


def test_37_the_numbers_beside_a_meaning_are_explained(typed: Typed) -> None:
    told = typed(GAME, "help 2X")
    assert "A1" in told
    assert "Assumed by the author of the rules" in told


def test_38_the_titles_of_charts_stand_beside_their_numbers(typed: Typed) -> None:
    told = typed("use fire_combat", "infantry_fire", "?")
    assert "5  Target Class 5: Hard Cover Target (Min. Range Fire Only.)" in told


def test_39_examples_name_facts_of_the_game_in_use(typed: Typed) -> None:
    for entry in ("grid", "plot", "least"):
        told = typed("use fire_combat", f"{FIRE} on 8", entry, code=2).splitlines()[-1]
        assert "firing_class" in told
        assert "fire_value" not in told


def test_40_carets_stand_below_their_place_at_60_columns(session: Session, typed: Typed, tmp_path: Path) -> None:
    terms = " + ".join(f"strength_of_the_unit_{number}" for number in range(4))
    facts = "".join(f"  strength_of_the_unit_{number}  0..\n" for number in range(4))
    rules = f"ruleset wide\nfacts\n{facts}procedure p\n  1. give result = {terms} + nihgt\n"
    (tmp_path / "wide.rules").write_text(rules, encoding="utf-8")
    session.columns = 60
    lines = [plain([each]) for each in session.enter(f"use {tmp_path / 'wide.rules'}").lines]
    at = next(number for number, each in enumerate(lines) if "^" in each)
    assert all(len(each) <= 60 for each in lines[at - 1 : at + 1])
    assert lines[at].index("^") == lines[at - 1].index("nihgt")


def test_41_a_plot_over_words_names_every_word(typed: Typed) -> None:
    told = typed(GAME, SHOT, "plot by terrain of M or worse")
    for word in ("clear", "town", "woods", "hill", "swamp"):
        assert word in told.splitlines()[-1]


def test_42_replies_are_sentences(typed: Typed) -> None:
    for entry in ("nonsense here", "odds", "log 4", "drop", "least", "set colour blue", "open nowhere", "table", "log"):
        code = 0 if entry in ("table", "log") else 2
        told = " ".join(typed(GAME, entry, code=code).split())
        assert told[0].isupper() or told[0] == "`"
        assert told.endswith((".", "?"))


def test_43_a_word_of_some_procedures_names_them_and_not_another_game() -> None:
    session = new_session()
    session.enter("use franco_prussian")
    told = plain(session.enter("fire 6 at infantry").lines)
    assert told == 'There is no command "fire". Type `rifle_fire 6 at infantry` to play.'
    assert "begin with the name of a procedure" in plain(session.enter("french infantry attacks").lines).casefold()


# ------------------------------------------------------------------------------------------- a third sitting


@pytest.mark.parametrize(
    "entry",
    [
        "direct_fire 16 fire_value, town terrain on 4 3",
        "direct_fire 16 against the town on 4 3",
        "direct_fire with fire_value of 16 at terrain of town on 4 3",
    ],
)
def test_44_small_words_and_values_before_names_are_understood(typed: Typed, entry: str) -> None:
    told = typed(GAME, entry).removeprefix("given fire_value 16; terrain town\n")
    assert told == typed("direct_fire fire_value 16, terrain town on 4 3")


def test_44_the_singular_of_a_list_names_it(typed: Typed) -> None:
    assert typed(GAME, "direct_fire 16 town at range 1 on 4 3") == typed("direct_fire 16 town ranges 1 on 4 3")


def test_44_a_misspelt_fact_is_still_asked_about(typed: Typed) -> None:
    told = typed(GAME, "direct_fire fire_valu 3", code=2)
    assert told == "There is no fact fire_valu. Did you mean fire_value?"


def test_45_sides_are_described_in_words(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", "melee 6 infantry mr 7 vs 4 cavalry mr 6 in town on 3 4")
    given = session.last.given
    assert given["town"] is True
    described = {"kind", "stands", "mr"}
    assert {each: given["attacker"][each] for each in described} == {"kind": "infantry", "stands": 6, "mr": 7}
    assert {each: given["defender"][each] for each in described} == {"kind": "cavalry", "stands": 4, "mr": 6}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("melee 6 vs 2", "6 may mean stands or mr. Write stands 6 or mr 6."),
        ("melee stands 6 vs stands 2", "Write `attacker (kind infantry, stands 6, mr 5)`."),
    ],
)
def test_45_a_side_that_lacks_something_says_what(typed: Typed, entry: str, told: str) -> None:
    assert told in typed("use franco_prussian", entry, code=2)


def test_45_a_side_may_be_described_at_its_question(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", "melee", "6 infantry mr 7")
    assert "defender" in plain([session.prompt])


@pytest.mark.parametrize(
    ("game", "entry"),
    [
        ("infantry_attacks", "16 town"),
        ("infantry_attacks", "fire at town"),
        ("infantry_attacks", "fire_value 16"),
        ("infantry_attacks", "night, 16"),
        ("fire_combat", "fire strength 6"),
        ("franco_prussian", "fire 6 at infantry"),
        ("franco_prussian", "6 infantry mr 7 vs 4 cavalry mr 6"),
    ],
)
def test_46_a_line_that_is_suggested_works(game: str, entry: str) -> None:
    session = new_session(seed="7")
    session.enter(f"use {game}")
    told = plain(session.enter(entry).lines)
    lines = [part for part in told.split("`")[1::2] if part != "help"]
    assert lines, told
    for each in lines:
        assert session.enter(each).code == 0, each
        assert session.enter("cancel").code == 0


@pytest.mark.parametrize("game", shipped_names())
@pytest.mark.parametrize("entry", ["3 attack 2", "6 vs 2", "attack", "range", "fire 3 at 2"])
def test_46_what_fits_nothing_is_not_suggested(game: str, entry: str) -> None:
    session = new_session(seed="7")
    session.enter(f"use {game}")
    reply = session.enter(entry)
    assert reply.code == 2
    assert session.state.pending is None
    told = plain(reply.lines)
    # Neither the entry as an argument nor a helper of an imported module.
    assert f" {entry}`" not in told
    assert "roll_d66" not in told


def test_46_the_name_of_a_fact_leads_to_its_help(typed: Typed) -> None:
    assert "`help ranges`" in typed(GAME, "range", code=2)


def test_47_procedures_are_listed_without_helpers(typed: Typed) -> None:
    told = typed("use fire_combat", "procedures")
    assert "infantry_fire" in told
    assert "roll_d66" not in told


# ---------------------------------------------------------------------------------------- words of the games


def test_48_a_shipped_game_has_no_warnings_for_players(typed: Typed) -> None:
    assert "warning" not in typed("use fire_combat")
    assert "severity-break" in typed("check")


def test_48_an_authors_own_file_still_says_how_many(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text("facts\n  night  yes/no\nprocedure p\n  give result = 1\n", encoding="utf-8")
    assert "1 warning (`check` shows them)" in typed(f"use {tmp_path / 'mine.rules'}")


def test_48_results_read_as_sentences(typed: Typed) -> None:
    assert "each unit that can check morale: checks morale" in typed(GAME, "results")


@pytest.mark.parametrize("entry", ["odds", "odds by night", "compare night", "what if night"])
def test_49_tables_of_odds_say_no_effect(typed: Typed, entry: str) -> None:
    told = typed(GAME, SHOT, entry)
    assert "No Effect" in told
    assert not any(row.startswith("-  ") for row in told.splitlines())


def test_49_data_keeps_the_code() -> None:
    found = enfilade.load("infantry_attacks").odds("direct_fire", fire_value=16).result
    assert "No Effect" in str(found)
    assert found["-"] > 0
    assert next(each["value"] for each in found.to_json()["outcomes"]) == "-"


# ------------------------------------------------------------------------------------------- a fourth sitting

UNITS: Final = "direct_fire 16 town units guard on 4 3"


@pytest.mark.parametrize("shot", [SHOT, UNITS])
@pytest.mark.parametrize("word", ["vs", "vs.", "versus", "against"])
def test_50_versus_separates_what_is_compared(typed: Typed, shot: str, word: str) -> None:
    assert typed(GAME, GUARD, shot, f"compare town {word} clear") == typed("compare town with clear")


@pytest.mark.parametrize("shot", [SHOT, UNITS])
@pytest.mark.parametrize("entry", ["compare town, clear", "compare town and clear", "what if town vs clear"])
def test_50_two_changes_without_a_word_between_are_refused(typed: Typed, shot: str, entry: str) -> None:
    assert "`compare town with clear`" in typed(GAME, GUARD, shot, entry, code=2)


@pytest.mark.parametrize("entry", ["what if vs", "compare vs", "compare town vs", "compare with clear"])
def test_50_a_missing_change_is_refused(typed: Typed, entry: str) -> None:
    typed(GAME, GUARD, UNITS)
    typed(entry, code=2)


def test_50_a_change_of_two_facts_is_still_one(typed: Typed) -> None:
    assert "town, night" in typed(GAME, SHOT, "compare town, night")


def test_51_facts_alone_lists_the_facts_of_a_game(session: Session, typed: Typed) -> None:
    typed(GAME)
    assert not session.needs_more("facts")
    assert "fire_value" in typed("facts")
    assert "night turn" in typed("facts direct_fire")
    assert list(entries_of(["facts", "games"], session.needs_more)) == ["facts", "games"]


def test_51_facts_still_begin_a_definition(session: Session, typed: Typed) -> None:
    assert session.needs_more("facts")
    typed(GAME)
    lines = ["facts", "  fog yes/no", "", "games"]
    assert list(entries_of(lines, session.needs_more)) == ["facts\n  fog yes/no", "games"]
    assert "defined facts" in typed("facts\n  fog yes/no")


@pytest.mark.parametrize(
    ("word", "told"), [("cancel", "Nothing was defined."), ("help", "an empty line ends the definition")]
)
def test_51_a_definition_can_be_left(session: Session, typed: Typed, word: str, told: str) -> None:
    typed(GAME)
    entry = f"define M1\n  {word}"
    assert session.needs_more("define M1")
    assert not session.needs_more(entry)
    assert told in typed(entry)
    assert session.state.ruleset is not None
    assert not session.state.ruleset.scratch


def test_51_the_second_line_says_how_to_leave() -> None:
    (first,), (second,) = _continuation(0, 1, 0), _continuation(0, 2, 0)
    assert "`cancel` discards it" in first[1]
    assert second[1] == "... "


def test_52_words_of_facts_are_taken_in_any_case(session: Session, typed: Typed) -> None:
    assert typed(GAME, "direct_fire 16 Town on 4 3") == typed("direct_fire 16 terrain TOWN on 4 3") == typed(SHOT)
    typed("direct_fire fire_value 16", "4 3", "unit guard: Infantry, steps 3")
    assert session.state.pieces["guard"].fields["kind"] == "infantry"


def test_52_an_answer_is_taken_in_any_case(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", "rifle_fire 4 stands at 8", "Chassepot")
    assert session.state.pending is not None
    assert session.state.pending.run.facts["rifle"] == "chassepot"


def test_52_an_option_is_taken_in_any_case(typed: Typed) -> None:
    typed(GAME, "unit A infantry 2 steps", "unit C infantry 2 steps", "direct_fire 45 units A, C on 1 1")
    assert "can't be chosen" not in typed("c")


@pytest.mark.parametrize("entry", ["again", "reroll"])
def test_53_a_combat_played_again_leaves_a_dropped_piece_off(session: Session, typed: Typed, entry: str) -> None:
    typed(GAME, GUARD, HIT, "drop guard", entry)
    if session.state.asks:
        typed("cancel")
    assert not session.state.pieces


def test_53_a_cancelled_combat_keeps_applied_changes(session: Session, typed: Typed) -> None:
    typed(GAME, GUARD, HIT, "apply")
    applied = session.state.pieces
    typed("again", "cancel")
    assert session.state.pieces == applied


def test_54_undo_after_a_refusal_asks_the_last_question_again(session: Session, typed: Typed) -> None:
    typed("use franco_prussian", "charge_roll")
    asked = plain([session.prompt])
    assert "refused" in typed("infantry", code=1)
    assert "the last answer of the refused combat" in typed("undo")
    assert plain([session.prompt]) == asked
    typed("cancel")
    assert session.state.ruleset is not None
    assert session.state.ruleset.name == "franco_prussian"


def test_54_a_refusal_without_answers_takes_back_nothing_else(session: Session, typed: Typed) -> None:
    typed(GAME, "use franco_prussian")
    typed("charge_roll infantry", code=1)
    assert "changed nothing" in typed("undo")
    assert "use franco_prussian" in typed("undo")


@pytest.mark.parametrize("entry", ["what is No Effect", "help no effect", "what does No Effect mean"])
def test_55_the_label_of_a_result_is_explained(typed: Typed, entry: str) -> None:
    assert typed(GAME, entry).startswith("-  No Effect")


def test_55_a_cell_with_several_codes_is_explained_code_by_code(typed: Typed) -> None:
    told = typed("use fire_combat", "what is 1 M")
    assert "1  Strength points lost" in told
    assert "\nM  " in told


@pytest.mark.parametrize("code", ["X", "M", "2X", "X?"])
def test_55_a_result_code_alone_is_explained(typed: Typed, code: str) -> None:
    assert typed(GAME, code) == typed(f"what is {code.rstrip('?')}")


def test_55_a_number_alone_stays_an_expression(typed: Typed) -> None:
    assert typed("use fire_combat", "1") == "1"


@pytest.mark.parametrize(
    ("entry", "told"), [("drm", "`modifiers`"), ("status", "`table`"), ("list", "`facts`"), ("rules", "`card`")]
)
def test_55_words_for_other_commands_name_the_command(typed: Typed, entry: str, told: str) -> None:
    assert told in typed(GAME, entry, code=2)


def test_55_a_number_that_fits_two_facts_names_both(typed: Typed) -> None:
    told = typed("use bombardment", "bombardment bv 4, 2", code=2)
    assert told == "2 may mean max_range or distance. Write max_range 2 or distance 2."


@pytest.mark.parametrize("entry", ["?", "help"])
def test_56_help_at_a_question_says_what_the_fact_means(typed: Typed, entry: str) -> None:
    told = typed(GAME, "direct_fire", "16", "1", "no", "no", "town", entry)
    assert "companies  companies in the hex [4.2]" in told
    assert "Assumed: the card has modifiers for one company and for two companies, but none for more." in told
    assert "Allowed: 0 to 2." in told
    assert "`cancel` stops the combat" in told


def test_56_back_takes_back_the_last_answer(typed: Typed) -> None:
    assert typed(GAME, "direct_fire", "16", "back") == "Taken back: fire_value"


def test_56_a_number_picks_the_option_at_its_place(typed: Typed, session: Session) -> None:
    typed(GAME, "unit A: infantry 3 steps", "unit B: infantry 3 steps", "direct_fire 45 units A, B on 1 1")
    options = session.state.pending.question.legal if session.state.pending else ()
    assert "B" in options
    typed("2")
    chosen = session.state.pending.run.log if session.state.pending else session.last.outcome.choices
    assert "B" in str(chosen)


def test_56_a_number_beyond_the_options_is_refused(typed: Typed) -> None:
    typed(GAME, "unit A: infantry 3 steps", "unit B: infantry 3 steps", "direct_fire 45 units A, B on 1 1")
    assert "can't be chosen" in typed("3", code=2)


def test_56_a_procedure_typed_at_a_roll_says_to_cancel_first(typed: Typed) -> None:
    told = typed(GAME, "direct_fire 16", "direct_fire 20 town", code=2)
    assert told.endswith("Type `cancel` to stop it, and then `direct_fire 20 town`.")


def test_57_an_eliminated_target_is_marked_on_the_table(typed: Typed) -> None:
    told = typed(
        "use bombardment",
        "target_unit hussars: cs 1, morale 2",
        "bombardment bv 9 distance 1 hussars on 4",
        "apply",
        "table",
    )
    assert told == "target_unit hussars: morale 1, cs 1, eliminated"


@pytest.mark.parametrize(
    ("entry", "same_as"),
    [
        ("show modifiers", "modifiers"),
        ("mods", "modifiers"),
        ("show me the results", "results"),
        ("list charts", "charts"),
    ],
)
def test_58_show_and_list_stand_before_the_name_of_a_command(typed: Typed, entry: str, same_as: str) -> None:
    assert typed(GAME, entry) == typed(same_as)


@pytest.mark.parametrize("entry", ["what do I need for X or worse", "what fire_value do I need to get X or worse"])
def test_58_what_is_needed_leads_to_least(typed: Typed, entry: str) -> None:
    assert "`least fire_value 50% of X or worse`" in typed(GAME, SHOT, entry, code=2)


def test_58_least_takes_the_word_for(typed: Typed) -> None:
    typed(GAME, SHOT)
    assert typed("least fire_value for 50% of M or worse") == typed("least fire_value 50% of M or worse")


@pytest.mark.parametrize(
    ("game", "entry", "told"),
    [
        ("franco_prussian", "what is result_4", "result_4 is a row of the chart morale_outcomes: lose_stand"),
        ("franco_prussian", "what is a hit", "hits is an output of artillery_fire, rifle_fire, volley"),
        ("bombardment", "what is points", "points is an output of bombardment"),
        ("infantry_attacks", "what is 16", "16 is a column of the chart direct_fire_table"),
    ],
)
def test_58_printed_labels_and_outputs_are_explained(typed: Typed, game: str, entry: str, told: str) -> None:
    assert told in typed(f"use {game}", entry)


def test_58_the_value_of_an_output_in_the_last_combat_is_told(typed: Typed) -> None:
    assert "In the last combat: -2" in typed(GAME, SHOT, "what is hex_shift")


def test_59_values_without_names_are_shown_with_their_facts(typed: Typed) -> None:
    told = typed(GAME, "direct_fire 16 town and hill, range 3, 4 1")
    assert told.startswith("given fire_value 16; terrain town, hill; ranges 3, 4, 1\n")


def test_59_facts_with_their_names_are_not_repeated(typed: Typed) -> None:
    assert typed(GAME, "direct_fire fire value 16, terrain town").startswith("Direct Fire")


def test_59_described_records_are_shown_with_their_fields(typed: Typed) -> None:
    told = typed("use franco_prussian", "melee 6 infantry mr 7 vs 4 cavalry mr 6 on 3 4").splitlines()[0]
    assert told.startswith("given attacker attacker (stands 6, kind infantry, mr 7); defender")


@pytest.mark.parametrize(
    ("entry", "facts"),
    [
        ("direct_fire 16 town, adjacent", "adjacent_to_all is a modifier, which applies when all of ranges is 1."),
        ("direct_fire 16 town adjacent", "adjacent_to_all is a modifier, which applies when all of ranges is 1."),
        ("direct_fire 16 town 3 3", "There is no fact 3. Dice come after the word `on`."),
        ("direct_fire 16 town --dice 4,1", "There is no fact --dice."),
    ],
)
def test_60_a_word_after_the_terrain_is_not_a_terrain(typed: Typed, entry: str, facts: str) -> None:
    assert facts in typed(GAME, entry, code=2)


def test_60_what_if_tells_the_condition_of_a_modifier(typed: Typed) -> None:
    assert "applies when all of ranges is 1" in typed(GAME, SHOT, "what if adjacent", code=2)


def test_60_lists_of_words_take_beginnings(session: Session, typed: Typed) -> None:
    typed(GAME, "direct_fire 16 town, hi on 4 3")
    assert session.last.given["terrain"] == ["town", "hill"]


@pytest.mark.parametrize(
    "entry", ["what if massed", "odds by massed of M or worse", "compare massed", "least massed 50% of M"]
)
def test_61_a_question_about_another_game_says_so(typed: Typed, entry: str) -> None:
    told = typed(GAME, SHOT, "use fire_combat", entry, code=2)
    assert told.startswith(
        "This is about the last combat, direct_fire of infantry_attacks; the ruleset in use is fire_combat."
    )


def test_62_words_at_a_roll_name_cancel(typed: Typed) -> None:
    told = typed(GAME, "direct_fire 16", "fire at the town", code=2)
    assert told.endswith("`cancel` stops the combat that is being played.")


@pytest.mark.parametrize(
    ("game", "entry", "fact", "value"),
    [
        ("bombardment", "bombardment bv 4 at 2 hexes", "distance", 2),
        ("infantry_attacks", "direct_fire 16 at 3 hexes, hill", "ranges", [3]),
        ("franco_prussian", 'rifle_fire chassepot 4 stands at 8", infantry', "distance", 8),
        ("emperor_musketry", "infantry_fire formation line, lives 3 lives", "lives", 3),
        ("emperor_musketry", "infantry_fire formation line, 3 lives, 0 BD", "distance_bd", 0),
        ("fire_combat", "infantry_fire formation line, strength 8 SP", "strength", 8),
    ],
)
def test_63_the_unit_after_a_number_tells_the_fact(
    session: Session, typed: Typed, game: str, entry: str, fact: str, value: object
) -> None:
    typed(f"use {game}", entry)
    pending = session.state.pending
    assert (session.last.given if pending is None else pending.run.facts)[fact] == value


@pytest.mark.parametrize("answer", ["3 lives", "3"])
def test_63_an_answer_may_have_its_unit(typed: Typed, session: Session, answer: str) -> None:
    typed("use emperor_musketry", "infantry_fire formation line", answer)
    assert session.state.pending is not None
    assert session.state.pending.run.facts["lives"] == 3


def test_63_quoted_names_that_end_in_a_digit_stay_names(session: Session, typed: Typed) -> None:
    typed(GAME, 'unit "Battery 8": artillery, steps 2', 'direct_fire 16 units "Battery 8" on 6 6')
    assert session.last.given["units"][0]["name"] == "Battery 8"


def test_64_a_table_too_wide_for_the_terminal_is_split_at_columns(session: Session, typed: Typed) -> None:
    session.columns = 40
    told = typed(GAME, "direct_fire fire_value 45 on 4 3", "odds by terrain")
    lines = told.splitlines()
    assert max(map(len, lines)) <= 40
    assert [each.split()[0] for each in lines if each].count("swamp") == 2
    assert "3X" in lines[7]


def test_64_shared_text_is_folded_at_words_except_the_command(session: Session, typed: Typed) -> None:
    typed(GAME, SHOT)
    lines = [piece for each in session.enter("share").lines for piece in folded(each, 60)]
    *text, command = [plain([each]) for each in lines]
    assert max(map(len, text)) <= 60
    assert command.startswith("to check it: enfilade resolve")
    assert len(command) > 60


def test_65_facts_after_given_change_the_situation(typed: Typed) -> None:
    told = typed(GAME, SHOT, "odds of M or worse given range 1")
    assert told == typed("again range 1 on 4 3", "odds of M or worse")


def test_65_conditions_after_given_stay_conditions(typed: Typed) -> None:
    assert "100.00 %" in typed(GAME, SHOT, "odds of M or worse given M1 or worse")


@pytest.mark.parametrize("question", ["A eliminated", "A being eliminated", "A in eliminated", "A is eliminated"])
def test_65_odds_of_the_fate_of_a_piece(typed: Typed, question: str) -> None:
    typed(GAME, "unit A: infantry, steps 1", "direct_fire 45 units A on 4 3")
    assert typed(f"odds of {question}").splitlines()[1:] == typed("odds of eliminated has A").splitlines()[1:]


@pytest.mark.parametrize("entry", ["odds of step loss", "odds of step losses", "odds of a step loss"])
def test_65_effects_are_named_with_blanks(typed: Typed, entry: str) -> None:
    shown = typed(GAME, GUARD, HIT, entry).splitlines()
    assert shown[0] == f"{entry.removeprefix('odds of ')} (exact)"
    assert shown[1:] == typed("odds of step_loss").splitlines()[1:]


@pytest.mark.parametrize(
    ("entry", "same_as"),
    [
        ("odds of 2 kills", "odds of kills is 2"),
        ("odds of 2 or more kills", "odds of kills >= 2"),
        ("odds of 1 or fewer kills", "odds of kills <= 1"),
        ("odds of the target loses lives", "odds of kill"),
    ],
)
def test_65_odds_of_a_number_of_something(typed: Typed, entry: str, same_as: str) -> None:
    volley = "infantry_fire formation line, lives 3, drill 2, experience 1, distance 0 on 3 3 3"
    told = typed("use emperor_musketry", volley, entry).splitlines()[1:]
    assert told == typed(same_as).splitlines()[1:]


def test_66_why_takes_a_spoken_question_and_knows_results(typed: Typed) -> None:
    assert typed(GAME, SHOT, "why was it shifted") == typed("why")
    assert "`M` is a result, not a modifier" in typed("why not M", code=2)


def test_65_an_output_goes_before_the_plural_of_an_effect(typed: Typed) -> None:
    told = typed("use emperor_musketry", "odds volley formation line, lives 4, drill 2, experience 1 of kills")
    assert told.startswith("kills (exact)\n0  ")
    assert "mean" in told


def test_a_number_of_effects_is_asked_for_in_words(typed: Typed) -> None:
    shown = typed(GAME, GUARD, HIT, "odds of at least 2 losses").splitlines()
    assert shown[0] == "at least 2 losses (exact)"
    assert shown[1:] == typed("odds of count of effects step_loss >= 2").splitlines()[1:]


def test_no_unit_is_eliminated(typed: Typed) -> None:
    assert "nothing" in typed(GAME, GUARD, HIT, "odds of eliminated")


def test_a_piece_has_a_name_of_two_words(typed: Typed) -> None:
    typed(GAME, "unit Old Guard: infantry, 2 steps", "direct_fire 16 town vs Old Guard on 4 3")
    assert typed("Old Guard") == 'unit "Old Guard": kind infantry, steps 2'
    assert typed("drop Old Guard") == "Off the table: Old Guard"


def test_unit_stands_for_the_only_kind_with_this_word(typed: Typed) -> None:
    assert typed("use bombardment", "unit Hussars: cs 5, morale 3") == "target_unit Hussars: morale 3, cs 5"


@pytest.mark.parametrize(
    ("entry", "given"),
    [
        ("volley Guard at 3 inches", "given target Guard; distance 3"),
        ("volley Guard under fire 3 inches", "given target Guard; shooter_under_fire yes; distance 3"),
        ("rifle_fire 3 inches under cover", "given distance 3; target_cover yes"),
        ("rifle_fire 3 inches no cover german no dreyse", "given distance 3; target_cover no; german no; rifle dreyse"),
        ("rifle_fire 3 inches without cover", "given distance 3; target_cover no"),
    ],
)
def test_a_word_of_the_name_of_a_fact_is_enough(typed: Typed, entry: str, given: str) -> None:
    typed("use franco_prussian", "unit Guard: infantry, mr 6, stands 4")
    assert typed(entry).splitlines()[0] == given


def test_a_number_alone_has_no_meaning(typed: Typed) -> None:
    assert (
        typed(GAME, "what is the -2", code=2) == "-2 is only a number. `why` explains the numbers of the last combat."
    )


def test_least_takes_a_question_as_odds_does(typed: Typed) -> None:
    in_words = typed(GAME, SHOT, "least fire_value 50% of at least M1")
    assert in_words == typed("least fire_value 50% of result is M1 or worse")


def test_new_pieces_are_named_in_the_line_that_plays(typed: Typed) -> None:
    shot = "direct_fire 20 at range 1, woods, 1 company, Rifles dug in, MG and Lt Smith"
    told = typed(GAME, shot, "infantry", "mg", "leader")
    assert told.startswith("unit Rifles: kind infantry, dug_in\nunit MG: kind mg\n")
    assert 'given fire_value 20; ranges 1; terrain woods; companies 1; units Rifles, MG, "Lt Smith"' in told
    assert "target_is_company" not in told
    typed("3 4")
    assert "Rifles (kind infantry, dug_in), MG (kind mg)" in typed("log")


def test_names_of_several_words_are_taken_at_the_question(session: Session, typed: Typed) -> None:
    typed(GAME, "direct_fire", "16", "1", "", "", "town", "")
    typed("1st Rifle Company, MG platoon, MG", "infantry", "mg", "mg")
    assert list(session.state.pieces) == ["1st Rifle Company", "MG platoon", "MG"]


def test_both_sides_may_be_new(typed: Typed) -> None:
    typed("use franco_prussian", "melee Zouaves vs Bavarians", "infantry", "6", "7", "infantry", "5")
    assert "side Bavarians: kind infantry" in typed("6")


def test_a_quoted_name_is_new(typed: Typed) -> None:
    assert typed(GAME, 'direct_fire 16 town vs "old guard"', "infantry").startswith('unit "old guard": kind infantry')


def test_a_name_that_is_no_fact_says_how_to_be_asked(typed: Typed) -> None:
    told = typed("use emperor_musketry", "volley Guard at 2", code=2)
    assert told.endswith("Or type `volley` alone, and answer the questions.")


OPEN_FIRE: Final = "infantry_fire 10, min, open, target class 2, firing class 1, general order on 5"
SIX_LIVES: Final = "infantry_fire formation line, lives 6, drill 2, experience 1, distance 0 on 3 3 3 3 3 3"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("least drill for 50% chance of at least 1 kill", "drill 1 (737856/1000000, 73.79 %)"),
        ("least drill for 50%", "Give a fact, a chance and a condition. For example, `least drill 50% of at least 2`."),
        ("odds of at least 2 hits", "The rules count no hits. The outputs are fire, "),
    ],
)
def test_chances_are_asked_for_in_words(typed: Typed, entry: str, told: str) -> None:
    typed("use emperor_musketry", SIX_LIVES)
    assert typed(entry, code=0 if told.startswith("drill") else 2).startswith(told)


def test_a_code_or_worse_is_at_least_the_code(typed: Typed) -> None:
    typed(GAME, SHOT)
    assert typed("odds at least M2") == typed("odds of M2 or worse").replace("M2 or worse", "result is M2 or worse", 1)


def test_odds_against_a_change_compare(typed: Typed) -> None:
    typed(GAME, SHOT)
    assert typed("odds vs hill") == typed("compare hill")
    assert "Write `compare town with hill`" in typed("compare town and hill", code=2)


def test_a_fact_that_two_changes_share_is_named_once(typed: Typed) -> None:
    typed("use fire_combat", OPEN_FIRE)
    assert "Write `compare range min with max`" in typed("compare range min and max", code=2)


def test_a_chance_of_0_is_shown(typed: Typed) -> None:
    typed(GAME, SHOT)
    no, yes = typed("odds of at least 2 losses").splitlines()[1:]
    assert no.startswith(" no  36/36")
    assert yes.startswith("yes   0/36    0.00 %")


def test_a_value_comes_with_a_word_of_the_label_of_its_fact(session: Session, typed: Typed) -> None:
    typed("use fire_combat", OPEN_FIRE, "again light cover on 5")
    assert session.last.given["firing_from"] == "light"


def test_a_number_is_named_by_its_title(typed: Typed) -> None:
    typed("use fire_combat", "infantry_fire 10")
    assert "`light cover` may mean 3 or 4. Type the number." in typed("light cover", code=2)
    typed("line")


def test_what_needs_an_answer_says_so(typed: Typed) -> None:
    typed("use fire_combat", "infantry_fire 10")
    assert typed("odds", code=2) == "`odds` needs target_class. Answer the question first, then type `odds`."


def test_the_only_procedure_needs_no_name(session: Session, typed: Typed) -> None:
    typed(GAME, "play")
    assert session.state.asks


def test_a_saved_session_is_no_ruleset(typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "`open friday` continues it" in typed(GAME, SHOT, "save friday")
    assert "friday.session is a saved session" in typed("load friday", code=2)


@pytest.mark.parametrize(
    "shot",
    [
        "direct fire with 22 at 2 hexes in woods against Alpha infantry 3 steps, Bravo infantry 2 steps, I rolled 4 6",
        "direct fire 22, ranges 2, woods, targets Alpha infantry 3 steps and Bravo infantry 2 steps, roll 4 6",
    ],
)
def test_a_whole_combat_in_a_sentence(session: Session, typed: Typed, shot: str) -> None:
    typed(GAME, shot)
    given = session.last.given
    units = [("Alpha", "infantry", 3), ("Bravo", "infantry", 2)]
    assert [(each["name"], each["kind"], each["steps"]) for each in given["units"]] == units
    assert (given["fire_value"], given["ranges"], given["terrain"]) == (22, [2], ["woods"])


def test_the_same_combat_with_a_change(session: Session, typed: Typed) -> None:
    typed(GAME, SHOT, "same but in clear on 4 4")
    assert session.last.given["terrain"] == ["clear"]
    assert typed("roll again") == "Direct Fire [7.5, 7.6]"


def test_a_refused_combat_is_played_again_with_a_change(session: Session, typed: Typed) -> None:
    told = typed("use franco_prussian", "rifle_fire 3 stands at 200 yards", "dreyse", code=1)
    assert told.endswith("`undo` goes back to the last question; `again FACTS` changes the facts.")
    typed("again distance 4", "5", "5")
    assert session.last.given["distance"] == 4


def test_who_does_not_know_is_helped(typed: Typed) -> None:
    typed("use franco_prussian", "rifle_fire 3 stands at 2 inches")
    assert typed("I don't know") == typed("help")
    assert typed("why do you ask") == typed("help")


def test_a_range_is_varied_in_words(typed: Typed) -> None:
    typed("use franco_prussian", "rifle_fire 3 stands at 2 inches", "dreyse", "5", "5")
    assert typed("odds for distance 2 to 4") == typed("odds by distance 2..4")
    assert (
        typed("use fire_combat", OPEN_FIRE, "odds of 1 loss or more").splitlines()[1:]
        == (typed("odds of at least 1 loss").splitlines()[1:])
    )


def test_a_refused_line_is_played_again_with_a_change(session: Session, typed: Typed) -> None:
    line = "infantry_fire formation line, lives 3, drill 2, experience 1, distance_bd 2"
    typed("use emperor_musketry", line, code=1)
    typed("again distance_bd 0", "3 3 3")
    assert session.last.given["lives"] == 3


@pytest.mark.parametrize(
    ("said", "same_as"),
    [("odds 1+", "odds at least 1"), ("odds distance 1-4", "odds by distance 1..4")],
)
def test_odds_in_the_signs_of_players(typed: Typed, said: str, same_as: str) -> None:
    typed("use franco_prussian", "rifle_fire 3 stands at 2 inches", "dreyse", "5", "5")
    assert typed(said) == typed(same_as)


def test_a_misspelt_game_is_named(typed: Typed) -> None:
    assert "Did you mean `use bombardment`?" in typed(GAME, "bombardmant", code=2)


def test_a_word_of_the_label_of_a_field_is_enough(typed: Typed) -> None:
    told = typed("use bombardment", "unit 1st Grenadiers: morale 4, strength 5")
    assert told == 'target_unit "1st Grenadiers": morale 4, cs 5'


def test_a_number_comes_with_whatever_is_counted(typed: Typed) -> None:
    typed(GAME, "direct_fire")
    typed("8 fire factors")
    told = typed(
        "cancel", "use fire_combat", "infantry_fire 6 strength points, min, open, target class 2, firing class 1"
    )
    assert told.startswith("given strength 6; range minimum; firing_from open; target_class 2; firing_class 1")


def test_what_if_leaves_the_dice_alone(typed: Typed) -> None:
    typed(GAME, SHOT)
    for said in ("what if the dice were 6 6", "what if they rolled 12"):
        assert "`again on 6 6` plays the combat with the dice you name" in typed(said, code=2)


def test_a_chart_is_shown_while_a_question_is_open(typed: Typed) -> None:
    typed(GAME, "direct_fire 16")
    assert typed("show me the direct fire table") == typed("chart direct_fire_table")


def test_a_range_of_a_fact_of_several_words_is_varied(typed: Typed) -> None:
    typed("use fire_combat", OPEN_FIRE)
    assert typed("odds of 1 for target class 1 to 5") == typed("odds of 1 by target_class 1..5")


def test_words_of_other_games_lead_to_the_fact(session: Session, typed: Typed) -> None:
    typed("use bombardment", "bombardment bv 8 distance 2 terrain woods units Old Guard", "3")
    assert session.last.given["target"]["name"] == "Old Guard"
    told = typed("use franco_prussian", "rifle_fire range 2 stands 2", code=2)
    assert told == "There is no fact range. Did you mean distance?"


def test_the_chance_may_come_last(typed: Typed) -> None:
    typed("use fire_combat", OPEN_FIRE)
    assert typed("least strength for at least 1 loss at 50%") == typed("least strength 50% of at least 1 loss")
