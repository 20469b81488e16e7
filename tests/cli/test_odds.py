"""``enfilade odds``, ``least``, ``grid``, ``compare`` and ``matters``: what they print, and how they end."""

import csv
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, Final, TypeAlias

import jsonschema
import pytest
from tests.api.skirmish import TEXT
from tests.cli.test_cli import ENVIRONMENT

import enfilade
from enfilade import published_schema
from enfilade.api.exact_numbers import LEFT_OUT
from enfilade.terminal import ProgressLine

Run: TypeAlias = Callable[..., tuple[int, str, str]]

PRINTED: Final = ("infantry_attacks", "direct_fire")
TWO_UNITS: Final = ("unit.rifles.steps=2", "unit.guns.steps=1")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the game, to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "70")
    (tmp_path / "game.rules").write_text(TEXT, encoding="utf-8")
    return tmp_path


def published(shown: str) -> Any:
    data = json.loads(shown)
    jsonschema.validate(data, published_schema("odds"))
    return data


# --------------------------------------------------------------------------------------------------------- odds


def test_the_odds_of_the_result_are_drawn_in_the_width_of_the_terminal(run: Run, game: Path) -> None:
    code, shown, complaint = run("odds", *PRINTED, "fire_value=11")
    lines = shown.splitlines()
    assert (code, complaint, lines[0]) == (0, "", "result (exact)")
    assert [line.rpartition("/36")[0].split() for line in lines[1:]] == [
        ["No", "Effect", "16"], ["M", "8"], ["M1", "6"], ["M2", "4"], ["X", "2"]
    ]  # fmt: skip
    assert max(map(len, lines)) <= 70


NO_RESULT: Final = """enfilade 1
ruleset hits

procedure one
  roll d6 as die
  give hits = die.total

procedure two
  roll d6 as die
  give hits = die.total
  give misses = 6 - die.total
"""


def test_without_a_result_the_question_is_the_aim_or_the_only_output(run: Run, game: Path) -> None:
    (game / "hits.rules").write_text(NO_RESULT, encoding="utf-8")
    assert run("odds", "hits.rules", "one")[1].startswith("hits (exact)")
    assert run("odds", "hits.rules", "two", "--aim", "misses")[1].startswith("misses (exact)")
    assert run("odds", "hits.rules", "two") == (
        2, "", "enfilade: two gives no result; name the output: --of hits or --of misses\n"
    )  # fmt: skip


def test_the_odds_are_json(run: Run, game: Path) -> None:
    code, shown, _ = run("odds", *PRINTED, "fire_value=11", "--json")
    data = published(shown)
    assert (code, data["of"], data["total"], data["exact"]) == (0, "result", "1", True)
    assert data["outcomes"][3] == {"value": "M2", "chance": "4/36", "reduced": "1/9"}


def test_several_questions_are_answered_apart_or_together(run: Run, game: Path) -> None:
    asked = (
        "odds",
        "game.rules",
        "shoot",
        "fire=10",
        "unit.rifles.steps=2",
        "--of",
        "result",
        "--of",
        "left of rifles",
    )
    apart = json.loads(run(*asked, "--json")[1])
    assert [each["of"] for each in apart] == ["result", "left of rifles"]
    together = published(run(*asked, "--json", "--joint")[1])
    assert together["of"] == ["result", "left of rifles"]
    assert together["outcomes"][-1] == {"value": ["X", 1], "chance": "12/36", "reduced": "1/3"}
    assert "X, 1  12/36" in run(*asked, "--joint")[1]


def test_rows_for_a_spreadsheet_hold_whole_numbers(run: Run, game: Path) -> None:
    rows = list(csv.reader(StringIO(run("odds", "game.rules", "shoot", "fire=10", "--csv")[1])))
    assert rows == [
        ["outcome", "weight", "total", "chance"],
        ["M", "24", "36", "0.666666667"],
        ["X", "12", "36", "0.333333333"],
    ]
    several = run("odds", "game.rules", "shoot", "fire=10", "--csv", "--of", "lucky", "--of", "X")[1]
    assert several.splitlines()[-1] == "X,yes,12,36,0.333333333"


def test_no_cell_of_a_spreadsheet_begins_a_formula(run: Run, game: Path) -> None:
    (game / "trap.rules").write_text(
        'procedure main\n  1. roll d2 as die\n  2. give result = "=1+1" when die is 1 otherwise "-"\n'
    )
    rows = list(csv.reader(StringIO(run("odds", "trap.rules", "main", "--csv")[1])))
    assert sorted(row[0] for row in rows[1:]) == ["'=1+1", "-"]


def test_a_condition_changes_the_odds(run: Run, game: Path) -> None:
    shown = run(
        "odds", "game.rules", "shoot", "fire=10", "--of", "sum", "--given", "X", "--given", "sum > 5", "--json"
    )[1]
    assert [each["chance"] for each in published(shown)["outcomes"]] == ["3/6", "2/6", "1/6"]


def test_facts_options_and_dice_are_given_as_in_resolve(run: Run, game: Path) -> None:
    (game / "facts.json").write_text('{"fire": 10}', encoding="utf-8")
    shown = run(
        "odds", "game.rules", "shoot", "--facts", "facts.json", "night", "--option", "fog", "--of", "column", "--json"
    )[1]
    assert published(shown)["outcomes"][0]["value"] == "1"
    assert "12  1  100.00 %" in run("odds", "game.rules", "shoot", "fire=1", "--dice", "6,6", "--of", "sum")[1]


def test_a_choice_that_nobody_made_is_named_with_what_to_type(run: Run, game: Path) -> None:
    asked = ("odds", "game.rules", "shoot", "fire=10", *TWO_UNITS, "--of", "left")
    code, shown, complaint = run(*asked)
    assert (code, shown) == (1, "")
    assert "the odds depend on victim, a choice of owner" in complaint
    assert "--choices victim=... (rifles, guns)" in complaint
    assert "--best owner --aim QUESTION" in complaint
    assert json.loads(run(*asked, "--json")[1])["choice"] == "victim"
    assert run(*asked, "--choices", "victim=guns,rifles")[0] == 0
    assert run(*asked, "--random", "owner")[0] == 0


def test_a_sample_is_told_of_even_chances_only(run: Run, game: Path) -> None:
    complaint = run("odds", "game.rules", "shoot", "fire=10", *TWO_UNITS, "--of", "left", "--sample", "100")[2]
    assert "--random owner" in complaint
    assert "--best" not in complaint


def test_a_sample_is_not_advised_where_it_was_tried(run: Run, game: Path) -> None:
    endless = "procedure endless\n  1. let n = 0\n  2. repeat until n is 1\n       roll d6 as die\n  3. give n\n"
    (game / "endless.rules").write_text(endless, encoding="utf-8")
    code, _, complaint = run("odds", "endless.rules", "endless", "--of", "n", "--sample", "1")
    place = "endless.rules, line 3 in endless: `repeat until n is 1`, where n is 0"
    assert (code, complaint) == (1, f"enfilade: the run took more than 1000000 steps ({place})\n")
    # A loop that never ends can't be sampled either.
    assert "--sample" not in run("odds", "endless.rules", "endless", "--of", "n")[2]


def test_facts_are_not_demanded_with_the_procedure(run: Run, game: Path) -> None:
    code, _, complaint = run("odds", "game.rules")
    assert (code, complaint.splitlines()[-1].rpartition("required: ")[2]) == (2, "procedure")


def test_the_best_choice_is_shown_beside_the_others(run: Run, game: Path) -> None:
    code, shown, _ = run("odds", "game.rules", "wager", "--of", "won", "--best", "attacker", "--aim", "won")
    assert code == 0
    assert shown.splitlines()[-6:-4] == ["choices, with the expected value of each option for won", ""]
    assert shown.splitlines()[-4:] == [
        "stake (attacker)", "  1: 1/3, 0.3333", "  2: 2/3, 0.6667", "  3: 1  chosen"
    ]  # fmt: skip


def test_the_range_between_worst_and_best(run: Run, game: Path) -> None:
    assert run("odds", "game.rules", "wager", "--aim", "won", "--range")[1] == "won\nworst  1/3, 0.3333\nbest   1\n"
    assert json.loads(run("odds", "game.rules", "wager", "--aim", "won", "--range", "--json")[1])["best"] == "1"


def test_a_refusal_ends_as_in_resolve(run: Run, game: Path) -> None:
    asked = ("game.rules", "shoot", "fire=1", "distance=21")
    assert run("odds", *asked) == run("resolve", *asked) == (1, "refused: too_far: out of range [3.2]\n", "")
    assert json.loads(run("odds", *asked, "--json")[1])["refusal"] == "too_far"


def test_a_refusal_that_hangs_on_dice_says_so(run: Run, game: Path) -> None:
    assert run("odds", "game.rules", "risky")[:2] == (
        1, "refused for some dice or choices: off_chart: there is no such row [5.5]\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["shoot"], "fire is missing"),
        (["shoot", "fire=0"], "fire is 0; allowed: 1 or more"),
        (["shoot", "fire=1", "--of", "resutl is X"], "did you mean `result`"),
        (["shoot", "fire=1", "--given", "sum"], "a condition is needed"),
        (["shot", "fire=1"], "did you mean shoot"),
        (["shoot", "fire=1", "--best", "owner", "--worst", "owner"], "owner can't be both best and worst"),
        (["shoot", "fire=1", "--seed", "1"], "--seed is for --sample"),
        (["shoot", "fire=1", "--workers", "2"], "--workers is for --sample"),
        (["shoot", "--by", "fire=1..3", "--of", "X", "--of", "M"], "--by takes one question"),
        (["shoot", "--by", "fire=3..1"], "3..1 is not a range"),
        (["shoot", "--by", "fire=1", "--by", "fire=2"], "--by fire stands twice"),
        (["shoot", "--by", "fire="], "has no values"),
        (["shoot", "--by", "fyre=1"], "did you mean fire"),
        (["shoot", "fire=1", "--sample", "0"], "trials is 0"),
        (["shoot", "fire=1", "--facts", "nowhere.json"], "nowhere.json can't be read"),
        (["shoot", "fire=1", "--json", "--csv"], "--json and --csv can't be combined"),
        (["shoot", "fire=1", "--patience", "soon"], '"soon" is not a time; type 60s, 5m or 2h'),
        (["wager", "--of", "won", "--best", "attacker"], "--best attacker needs --aim QUESTION"),
        (["wager", "--of", "won", "--worst", "attacker"], "--worst attacker needs --aim QUESTION"),
        (["wager", "--of", "won", "--range"], "--range needs --aim QUESTION"),
        (["shoot", "fire=1", "--by", "unit.a.steps=1..3"], "no given record has the field unit.a.steps"),
    ],
)
def test_what_is_wrong_with_a_call_ends_with_two(run: Run, game: Path, words: list[str], told: str) -> None:
    code, shown, complaint = run("odds", "game.rules", *words)
    assert (code, shown) == (2, "")
    assert told in complaint


def test_a_sample_is_labelled_and_seeded(run: Run, game: Path) -> None:
    asked = ("odds", "game.rules", "shoot", "fire=5", "--sample", "3000", "--seed", "7")
    code, shown, _ = run(*asked)
    assert code == 0
    assert shown.splitlines()[0] == "result (sampled: 3000 runs, seed 7)"
    assert " to " in shown.splitlines()[1]
    assert run(*asked) == (code, shown, "")
    data = published(run(*asked, "--json")[1])
    assert (data["exact"], data["sampled"]["trials"], len(data["outcomes"][0]["interval"])) == (False, 3000, 2)


def test_letters_that_the_output_lacks_are_not_drawn_with() -> None:
    environment = ENVIRONMENT | {"PYTHONIOENCODING": "ascii", "COLUMNS": "60"}
    command = [sys.executable, "-m", "enfilade.cli", "odds", *PRINTED, "fire_value=11"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "####" in done.stdout
    assert "\\u" not in done.stdout


# ------------------------------------------------------------------------------------------------------ the others


@pytest.mark.parametrize(
    ("chance", "of", "said", "code"),
    [
        ("50%", "M or worse", "11 (20/36, 55.56 %)", 0),
        ("25%", "X or worse", "22 (9/36, 25.00 %)", 0),
        ("1/2", "X or worse", "no value reaches this chance; the highest chance is 16/36 at 45+", 1),
    ],
)
def test_the_least_value(run: Run, game: Path, chance: str, of: str, said: str, code: int) -> None:
    asked = ("least", *PRINTED, "fire_value", "--chance", chance, "--of", of)
    assert run(*asked) == (code, f"{said}\n", "")
    data = published(run(*asked, "--json")[1])
    assert data["reached"] is (code == 0)


def test_the_least_value_among_some(run: Run, game: Path) -> None:
    asked = ("least", *PRINTED, "fire_value", "terrain=town", "--chance", "50%", "--of", "M or worse", "--within")
    assert run(*asked, "20..30")[1] == "22 (20/36, 55.56 %)\n"
    assert run(*asked, "1,2,30")[1].startswith("30 (")
    assert run(*asked, "")[0] == 2


@pytest.mark.parametrize("words", [["--chance", "2"], ["--chance", "half"]])
def test_a_chance_is_from_nought_to_one(run: Run, game: Path, words: list[str]) -> None:
    code, _, complaint = run("least", *PRINTED, "fire_value", "--of", "X", *words)
    assert code == 2
    assert "allowed: a fraction from 0 to 1" in complaint


def test_a_grid_is_a_table_with_bars(run: Run, game: Path) -> None:
    code, shown, _ = run("grid", *PRINTED, "--by", "fire_value=1..11", "--of", "M or worse")
    lines = shown.splitlines()
    assert (code, [line.split()[0] for line in lines[2:]]) == (0, ["1", "2..3", "4..6", "7..10", "11"])
    assert lines[-1].split()[:4] == ["11", "55.56", "%", "20/36"]
    assert lines[-1].count("█") > lines[2].count("█") > 0
    assert max(map(len, lines)) <= 70
    assert run("odds", *PRINTED, "--by", "fire_value=1..11", "--of", "M or worse")[1] == shown


def test_a_grid_over_two_facts(run: Run, game: Path) -> None:
    asked = ("grid", "game.rules", "shoot", "--by", "fire=1,5,10", "--by", "night", "--of", "M or worse")
    assert run(*asked)[1].splitlines()[1].split() == ["fire", "\\", "night", "no", "yes"]
    data = published(run(*asked, "--json")[1])
    assert [by["values"] for by in data["by"]] == [[1, 5, 10], [False, True]]
    rows = list(csv.reader(StringIO(run(*asked, "--csv")[1])))
    assert rows[0] == ["fire", "night", "outcome", "weight", "total", "chance"]
    assert rows[1] == ["1", "no", "no", "30", "36", "0.833333333"]


def test_a_map_is_a_page_or_a_picture(run: Run, game: Path) -> None:
    asked = ("grid", "game.rules", "shoot", "--by", "fire=1,5,10", "--by", "night", "--of", "M or worse")
    page = run(*asked, "--html")[1]
    assert '<meta name="color-scheme" content="light dark">' in page
    assert "rgba(76,120,168,0.75)" in page
    picture = json.loads(run(*asked, "--vega")[1])
    assert (picture["mark"], len(picture["data"]["values"])) == ("rect", 6)
    assert "--html and --vega can't be combined" in run(*asked, "--html", "--vega")[2]


def test_fields_and_options_are_varied_and_compared(run: Run, game: Path) -> None:
    units = ("fire_value=45", "unit.guard.kind=infantry", "unit.guard.steps=2", "--choices", "combat_losses=guard")
    shown = run("grid", *PRINTED, *units, "--by", "guard.steps=1..3", "--of", "steps_left of guard >= 1")[1]
    assert [line.split()[0] for line in shown.splitlines()[2:]] == ["1", "2", "3"]
    asked = ("compare", *PRINTED, "fire_value=1", "terrain=town", "--a", "low_edge=stays", "--b", "low_edge=no_effect")
    assert run(*asked)[1].splitlines()[0].split() == [
        "result",
        "low_edge",
        "stays",
        "low_edge",
        "no_effect",
        "difference",
    ]
    beside = (
        "compare",
        *PRINTED,
        *units,
        "--a",
        "guard.steps=1",
        "--b",
        "guard.steps=3",
        "--of",
        "steps_left of guard >= 1",
    )
    assert run(*beside)[1].splitlines()[0].split()[-5:] == ["guard.steps", "1", "guard.steps", "3", "difference"]


def test_fractions_are_in_lowest_terms_on_demand(run: Run, game: Path) -> None:
    of = ("--of", "M or worse", "--fractions")
    assert run("odds", *PRINTED, "fire_value=11", *of)[1].splitlines()[1].split()[:2] == ["no", "4/9"]
    assert run("least", *PRINTED, "fire_value", "--chance", "50%", *of)[1] == "11 (5/9, 55.56 %)\n"
    assert run("grid", *PRINTED, "--by", "fire_value=11", *of)[1].splitlines()[2].split()[3] == "5/9"
    assert run("matters", *PRINTED, "fire_value=11", *of)[1].splitlines()[0] == "M or worse as it is: 5/9, 55.56 %"


def test_what_moves_a_chance_most(run: Run, game: Path) -> None:
    asked = ("sensitivity", *PRINTED, "fire_value=11", "--of", "M or worse", "--by", "night")
    assert run(*asked)[1].splitlines()[2].split()[0] == "fire_value"
    assert published(run(*asked, "--json")[1])["variables"][0]["lowest"]["at"] == [1]


def test_a_grid_needs_a_fact_to_vary(run: Run, game: Path) -> None:
    code, _, complaint = run("grid", "game.rules", "shoot", "fire=1")
    assert (code, "--by fire_value=1..45" in complaint) == (2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("grid", *PRINTED, "fire_value=11", "--by", "ranges"), "--by FACT=VALUES"),
        (("least", *PRINTED, "ranges", "fire_value=11", "--chance", "1/2", "--of", "X"), "--within VALUES"),
    ],
)
def test_values_that_cant_be_listed_are_named_with_what_to_type(
    run: Run, game: Path, words: tuple[str, ...], told: str
) -> None:
    code, _, complaint = run(*words)
    assert (code, told in complaint, "[...]" in complaint) == (2, True, False)


def test_sets_are_parted_by_semicolons(run: Run, game: Path) -> None:
    data = published(run("grid", *PRINTED, "fire_value=11", "--by", "terrain=town;hill,swamp", "--json")[1])
    assert data["by"] == [{"fact": "terrain", "values": [["town"], ["hill", "swamp"]]}]


def test_work_may_be_shared_by_processes(run: Run, game: Path) -> None:
    asked = ("grid", "game.rules", "shoot", "--by", "fire=1..20", "--json")
    assert run(*asked, "--workers", "2") == run(*asked)
    assert run(*asked, "--workers", "0")[0] == 2
    sampled = ("odds", "game.rules", "shoot", "fire=5", "--sample", "6000", "--seed", "1", "--json")
    assert run(*sampled, "--workers", "2") == run(*sampled)


def test_two_situations_beside_each_other(run: Run, game: Path) -> None:
    asked = ("compare", "game.rules", "shoot", "fire=10", "--a", "cover=open", "--b", "cover=woods")
    code, shown, _ = run(*asked)
    assert (code, shown.splitlines()[0].split()) == (0, ["result", "cover", "open", "cover", "woods", "difference"])
    assert published(run(*asked, "--json")[1])["distance"] == "2/3"
    assert run(*asked, "--csv")[1].splitlines()[1] == "cover open,M,24,36,0.666666667"


def test_two_rulesets_beside_each_other(run: Run, game: Path) -> None:
    (game / "other.rules").write_text(TEXT.replace("ruleset skirmish", "ruleset other"), encoding="utf-8")
    shown = run("compare", "game.rules", "shoot", "fire=10", "--other", "other.rules")[1]
    assert shown.splitlines()[0].split() == ["result", "skirmish", "other", "difference"]
    foggy = run("compare", "game.rules", "shoot", "fire=10", "night", "--other-option", "fog")[1]
    assert foggy.splitlines()[0].split() == ["result", "fog", "no", "fog", "yes", "difference"]


def test_what_matters(run: Run, game: Path) -> None:
    asked = ("matters", "game.rules", "shoot", "fire=10", "--of", "M or worse")
    code, shown, _ = run(*asked)
    assert (code, shown.splitlines()[0]) == (0, "M or worse as it is: 36/36, 100.00 %")
    assert [each["name"] for each in published(run(*asked, "--json")[1])["modifiers"]] == [
        "far",
        "woods",
        "night",
        "fog",
    ]


def test_where_no_modifier_takes_part_it_says_so(run: Run, game: Path) -> None:
    asked = ("matters", "game.rules", "wager", "--choices", "stake=1", "--of", "won")
    assert run(*asked)[1].splitlines() == ["won as it is: 1/3, 0.3333", "no modifiers are used"]


# --------------------------------------------------------------------------------------------------- what takes long


LONG: Final = ("odds", "game.rules", "throng", "--of", "faces", "--sample", "100000000", "--seed", "1")


def shown_on(terminal: int, until: str = "", seconds: float = 60) -> str:
    """Read what a process writes to its terminal, until a text comes or the terminal is closed."""
    shown, end = "", time.monotonic() + seconds
    with suppress(OSError):
        while not until or until not in shown:
            assert select.select([terminal], [], [], max(end - time.monotonic(), 0))[0], f"only {shown!r} came"
            shown += os.read(terminal, 10_000).decode()
    return shown


@pytest.mark.skipif(os.name == "nt", reason="a terminal of POSIX")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("workers", [(), ("--workers", "2")], ids=["alone", "with workers"])
def test_an_interrupt_takes_the_progress_away_and_ends_with_130(game: Path, workers: tuple[str, ...]) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "enfilade.cli", *LONG, *workers]
    how: dict[str, Any] = {"env": ENVIRONMENT, "cwd": game, "stdout": subprocess.DEVNULL, "start_new_session": True}
    with subprocess.Popen(command, stderr=theirs, **how) as process:
        os.close(theirs)
        try:
            shown = shown_on(ours, "working: 1 s")
            # A terminal interrupts all of them.
            os.killpg(process.pid, signal.SIGINT)
            shown += shown_on(ours)
            assert process.wait(30) == 130
        finally:
            os.close(ours)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert shown.split("\r\x1b[K")[-1].strip() == "enfilade: interrupted"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_after_a_second_only() -> None:
    quick, slow, piped = Terminal(), Terminal(), StringIO()
    with ProgressLine(quick):
        pass
    with ProgressLine(slow) as ticker:
        ticker(1_200_000)
        time.sleep(1.2)
    with ProgressLine(piped):
        time.sleep(1.2)
    assert quick.getvalue() == piped.getvalue() == ""
    assert "working: 1 s, 1,200,000 products (Ctrl-C stops)" in slow.getvalue()
    assert slow.getvalue().endswith("\r\x1b[K")


FIRES: Final = ("odds", "emperor_musketry", "volley", "formation=line", "lives=4", "drill=2", "experience=1")
RALLY: Final = ("odds", "franco_prussian", "rally", "mr=7", "commander")
CHARGE: Final = (
    "odds", "franco_prussian", "charge_roll", "kind=cavalry", "attacker.kind=cavalry", "attacker.stands=3",
    "attacker.mr=7", "attacker.charging", "defender.kind=infantry", "defender.stands=3", "defender.mr=7",
)  # fmt: skip


def test_the_kills_of_two_independent_volleys_are_added_up(run: Run) -> None:
    shown = run(*FIRES, "--of", "kills", "--plus", "lives=3 drill=1")[1]
    assert "2  451693/1250000  36.14 %" in shown
    assert shown.endswith("mean 8501/5000, 1.7002\n")


def test_the_sum_of_numbers_without_an_end_has_its_mean(run: Run, game: Path) -> None:
    text = "facts\n  least  1..6\nprocedure main\n  let rounds = 0\n  repeat until die >= least\n    roll d6 as die\n    rounds becomes rounds + 1\n  give rounds\n"
    (game / "endless.rules").write_text(text, encoding="utf-8")
    code, shown, _ = run("odds", "endless.rules", "main", "least=6", "--of", "rounds", "--plus", "least=5")
    assert (code, shown.splitlines()[-2:]) == (0, ["mean 9", LEFT_OUT])


def test_the_turns_until_a_unit_rallies(run: Run) -> None:
    shown = run(*RALLY, "--until", "rallied", "--at-most", "6")[1]
    assert shown.startswith("turns (exact)\n1  700000/1000000  70.00 %")
    assert run(*RALLY, "--turns", "2", "--of", "rallied")[1].startswith("rallied (exact)")


def test_a_melee_after_a_charge_roll(run: Run) -> None:
    after = run(*CHARGE, "--then", "melee", "--carry", "attacker.surprise=surprise", "--json")[1]
    assert [each["reduced"] for each in published(after)["outcomes"]] == ["13/80", "67/80"]
    never = run(*CHARGE, "--then", "melee", "--when", "bonus_inches > 9", "--of", "winner_loses is none", "--json")[1]
    assert published(never)["outcomes"][0]["value"] is True


def test_a_procedure_that_is_played_next_may_have_facts_of_its_own(run: Run) -> None:
    shown = run(*RALLY, "--then", "rally mr=5", "--of", "rallied", "--json")[1]
    first = enfilade.load("franco_prussian").odds("rally", mr=7, commander=True)
    chances = {each["value"]: each["reduced"] for each in published(shown)["outcomes"]}
    harder, alike = (then.chance("rallied") for then in (first.then("rally", mr=5), first.then("rally")))
    assert chances[True] == str(harder) != str(alike)


@pytest.mark.parametrize(("words", "complaint"), [
    (("--when", "rallied"), "--when needs exactly one --then"),
    (("--then", "melee", "--carry", "surprise"), "write FACT=EXPRESSION"),
    (("--at-most", "3"), "--at-most needs --until"),
    (("--turns", "2", "--until", "rallied"), "--turns and --until can't be combined"),
    (("--then", "rallying"), "there is no procedure rallying"),
    (("--then", " "), "--then needs the name of a procedure"),
    (("--then", "rally 'mr=3"), "--then rally 'mr=3: a quotation mark has no partner"),
    (("--plus", "mr='3"), "--plus mr='3: a quotation mark has no partner"),
    (("--sample", "10", "--turns", "2"), "--turns needs exact odds; leave out --sample"),
    (("--joint", "--of", "rallied", "--of", "roll", "--plus", "mr=6"), "--plus adds up the answers to one question"),
])  # fmt: skip
def test_several_combats_that_cant_be_asked_for(run: Run, words: tuple[str, ...], complaint: str) -> None:
    code, shown, said = run(*RALLY, *words)
    assert (code != 0, shown, complaint in said) == (True, "", True), said


# ------------------------------------------------------------------------------------------------------- policies

TARGET: Final = ("franco_prussian", "target_morale", "mr=6", "in_town_or_works")


def test_best_play_is_printed_as_a_policy_and_taken_back(run: Run) -> None:
    best = ("--best", "owner", "--aim", "effect is lose_stand")
    code, shown, complaint = run("odds", *TARGET, *best, "--show-policy")
    assert (code, shown, complaint) == (0, "suffers: lose_stand\n", "")
    assert json.loads(run("odds", *TARGET, *best, "--show-policy", "--json")[1]) == {"suffers": "lose_stand"}
    _, wanted, _ = run("odds", *TARGET, *best, "--of", "effect is lose_stand", "--json")
    assert run("odds", *TARGET, "--policy", shown.strip(), "--of", "effect is lose_stand", "--json")[1] == wanted


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--policy", "suffers"), "write CHOICE: EXPRESSION"),
        (("--policy", "suffers: back", "--policy", "suffers: disorg"), "suffers has two policies; give only one"),
        (("--policy", "suffers: retreat"), "the policy for suffers: "),
        (("--show-policy",), "--show-policy needs --aim QUESTION"),
        (("--show-policy", "--aim", "inches", "--sample", "10"), "--show-policy needs exact odds; leave out --sample"),
    ],
)
def test_a_policy_that_is_not_one_is_refused(run: Run, words: tuple[str, ...], complaint: str) -> None:
    code, shown, said = run("odds", *TARGET, *words)
    assert (code, shown) == (2, "")
    assert complaint in said


SIDES: Final = """
record side
  skill  1..6 = 3
facts
  att  side
  dfn  side
procedure fight
  1. roll d6 as die
  2. give hit = die <= 1 + att.skill - dfn.skill
"""


def test_a_record_is_given_by_its_name_and_then_by_some_fields(run: Run, game: Path) -> None:
    (game / "sides.rules").write_text(SIDES, encoding="utf-8")
    code, shown, _ = run("odds", "sides.rules", "fight", "att=a", "att.skill=4", "dfn=d", "--of", "hit")
    assert (code, "33.33 %" in shown) == (0, True)
    complaint = run("odds", "sides.rules", "fight", "att.skill=4", "att=a", "dfn=d", "--of", "hit")[2]
    assert complaint == "enfilade: att is given twice; give the whole record, or one field at a time\n"
    dark = SIDES.replace("1 + att", "(1 when night otherwise 0) + att").replace("facts\n", "facts\n  night  yes/no\n")
    (game / "dark.rules").write_text(dark, encoding="utf-8")
    complaint = run("odds", "dark.rules", "fight", "att=a", "att.skill=4", "dfn=d", "night=perhaps", "--of", "hit")[2]
    assert complaint.startswith("enfilade: night is perhaps; ")


def test_a_field_of_a_record_given_by_its_name_is_varied_on_the_command_line(run: Run, game: Path) -> None:
    (game / "sides.rules").write_text(SIDES, encoding="utf-8")
    situation, of = ("att=a", "dfn=d"), ("--of", "hit")
    rows = run("grid", "sides.rules", "fight", *situation, "--by", "att.skill=3..4", *of, "--csv")[1].splitlines()
    assert [row for row in rows if ",yes," in row] == ["3,yes,1,6,0.166666667", "4,yes,2,6,0.333333333"]
    least = run("least", "sides.rules", "fight", "att.skill", *situation, *of, "--chance", "1/3")
    assert least[:2] == (0, "4 (2/6, 33.33 %)\n")


def test_turns_that_may_never_end_are_refused_with_the_option_to_type(run: Run, game: Path) -> None:
    (game / "sides.rules").write_text(SIDES, encoding="utf-8")
    code, _, complaint = run("odds", "sides.rules", "fight", "att=a", "dfn=d", "dfn.skill=5", "--until", "hit")
    assert code == 1
    assert complaint.endswith("set a highest number of turns\nenfilade: limit the turns: --at-most 20\n")
    loop = f"{SIDES}procedure loop\n  1. repeat until hit is 3\n       roll d2 as hit\n  2. give hit\n"
    (game / "loop.rules").write_text(loop, encoding="utf-8")
    complaint = run("odds", "loop.rules", "loop", "--until", "hit is 3", "--at-most", "9")[2]
    assert "write `at most 20 times` after it" in complaint
    assert "--at-most" not in complaint
