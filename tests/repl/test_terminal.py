"""The session on a real terminal: what is on the screen."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals here", allow_module_level=True)
pytest.importorskip("pyte", reason="reads the screen")

from tests.repl.on_terminal import ROOT, OnTerminal, on_terminal

pytestmark = pytest.mark.thorough

COLOR: Final = re.compile(rb"\x1b\[[0-9;]*?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m")
PROMPT: Final = "infantry_attacks> "
# Some tens of seconds of work.
LONG: Final = "odds direct_fire by fire_value 1..40000 of M or worse"


def is_ready(terminal: OnTerminal) -> bool:
    """Whether the last line, or the one above the toolbar, is a prompt without anything typed."""
    return any(re.fullmatch(r"\w+>", line) for line in [line for line in terminal.lines if line][-2:])


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[OnTerminal]:
    with on_terminal(tmp_path) as terminal:
        terminal.waits_for("enfilade>")
        yield terminal


@pytest.fixture
def at_game(tmp_path: Path) -> Iterator[OnTerminal]:
    """A terminal with a game in use."""
    with on_terminal(tmp_path, "repl", "infantry_attacks") as terminal:
        terminal.waits_for(PROMPT.strip())
        yield terminal


def test_the_line_at_the_bottom_tells_how_things_stand(tmp_path: Path) -> None:
    with on_terminal(tmp_path, "repl", "infantry_attacks", "--seed", "7") as terminal:
        terminal.waits_for(lambda seen: seen.lines[-1:] == [" infantry_attacks  throw 1  seed 7"])
        terminal.types("option flanking_fire on\r")
        terminal.waits_for(lambda seen: seen.lines[-1:] == [" infantry_attacks  flanking_fire  throw 1  seed 7"])
        terminal.types("set toolbar off\r")
        terminal.waits_for(lambda seen: seen.lines[-1:] == ["infantry_attacks>"])


def test_completion_shows_while_one_types_and_enter_takes_what_was_chosen(terminal: OnTerminal) -> None:
    terminal.types("use infa")
    terminal.waits_for("infantry_attacks  shipped")
    terminal.types("\t")
    terminal.waits_for("enfilade> use infantry_attacks\n")
    terminal.types("\r")
    terminal.settles()
    assert "Direct Fire" not in terminal.screen
    terminal.types("\r")
    terminal.waits_for("Infantry Attacks: Direct Fire")


def test_completion_waits_for_tab_where_that_is_set(terminal: OnTerminal) -> None:
    terminal.enters("set complete tab", "complete tab")
    terminal.types("use b")
    terminal.settles()
    assert "shipped" not in terminal.screen
    terminal.types("\t")
    terminal.waits_for("use bombardment")


def test_what_was_typed_before_is_suggested_found_again_and_searched(tmp_path: Path) -> None:
    with on_terminal(tmp_path) as terminal:
        terminal.waits_for("enfilade>")
        terminal.enters("use infantry_attacks", "Direct Fire")
        terminal.types("\x04")
        terminal.code()
    with on_terminal(tmp_path) as terminal:
        terminal.waits_for("enfilade>")
        terminal.types("us")
        terminal.waits_for("enfilade> use infantry_attacks")
        terminal.types("\x05\r")
        terminal.waits_for("Direct Fire")
        terminal.enters("help seed", "seed [SEED]")
        terminal.types("\x1b[A")
        terminal.waits_for("infantry_attacks> help seed\n")
        terminal.types("\x03\x12use infan")
        terminal.waits_for("infantry_attacks> use infantry_attacks\n")


def test_ctrl_c_stops_long_work_and_keeps_the_session(at_game: OnTerminal) -> None:
    at_game.enters("unit gun: kind mg", "unit gun: kind mg\nunit gun")
    at_game.enters(LONG, "working: ")
    assert "(Ctrl-C stops)" in at_game.screen
    at_game.types("\x03")
    at_game.waits_for("Stopped. Nothing has changed.")
    assert "working" not in at_game.screen
    at_game.enters("table", "table\nunit gun: kind mg")


def test_a_file_that_is_saved_is_read_again_while_something_is_typed(tmp_path: Path) -> None:
    rules = tmp_path / "mine.rules"
    text = "enfilade 1\nruleset mine\n\nprocedure pick\n  give result = {}\n"
    rules.write_text(text.format(1), encoding="utf-8")
    with on_terminal(tmp_path, "repl", "mine.rules") as terminal:
        terminal.waits_for("mine>")
        terminal.enters("pick", "result  1")
        terminal.types("help sh")
        terminal.waits_for("mine> help sh")
        rules.write_text(text.format("= 22"), encoding="utf-8")
        terminal.waits_for("The last version without errors stays in use")
        terminal.waits_for("changed on disk")
        rules.write_text(text.format(22), encoding="utf-8")
        terminal.waits_for("read again")
        terminal.waits_for(lambda seen: "changed on disk" not in seen.screen and "mine> help sh\n" in seen.screen)
        assert re.search(r"result +1 +22", terminal.screen)
        terminal.enters("are", "share [markdown] [FILE]")


def test_what_is_typed_ahead_is_seen_once_and_ctrl_d_leaves(at_game: OnTerminal) -> None:
    at_game.types("help seed\rhelp luck\rtab")
    at_game.waits_for("infantry_attacks> tab")
    assert at_game.screen.count("help luck") == 1
    assert at_game.lines.count("infantry_attacks> help luck") == 1
    at_game.types("\x03odds direct_fire by fire_value 1..1000 of M or worse\r")
    at_game.types("\x04")
    assert at_game.code() == 0


def test_a_definition_takes_several_lines(terminal: OnTerminal) -> None:
    terminal.types("procedure pick\r")
    terminal.waits_for("...")
    terminal.types("roll 2d6 as dice\r")
    terminal.types("give result = dice.total\r")
    terminal.types("\r")
    terminal.waits_for("defined procedure pick")
    how = "(an empty line ends the entry, `cancel` discards it) "
    definition = f"enfilade> procedure pick\n{how}...   roll 2d6 as dice\n...   give result = dice.total\n"
    assert definition in terminal.screen


def test_a_combat_is_played_on_a_narrow_terminal_with_wide_letters(tmp_path: Path) -> None:
    with on_terminal(tmp_path, columns=40, rows=30) as terminal:
        terminal.waits_for(is_ready)
        terminal.enters("use infantry_attacks", "Infantry Attacks: Direct Fire")
        terminal.enters("unit gun: kind artillery, steps 2", "\nunit gun: kind artillery, steps 2")
        terminal.enters("direct_fire", "fire_value, total fire value")
        terminal.enters("16", "ranges, ")
        terminal.types("\r\r\r\r\r\r")
        terminal.waits_for("fire_roll, 2d6")
        terminal.enters("4 3", "fire_roll: 4 + 3 = 7")
        terminal.waits_for(is_ready)
        assert COLOR.search(terminal.written)
        terminal.enters('define big = 1 "砲兵砲兵砲兵砲兵砲兵砲兵砲兵砲兵砲兵砲兵砲兵"', "defined define big")
        terminal.waits_for(is_ready)
        terminal.types("\x04")
        assert terminal.code() == 0


def test_long_output_stops_after_one_screen(tmp_path: Path) -> None:
    with on_terminal(tmp_path, rows=20) as terminal:
        terminal.waits_for("enfilade>")
        terminal.enters("help commands", "Press Enter for the next screen.")
        # The beginning is still on the screen, and what is typed next is an entry.
        assert "use a shipped ruleset" in terminal.screen
        terminal.enters("games", "Morne Plaine: Bombardment")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {}])
def test_there_is_no_colour_where_none_is_wanted(tmp_path: Path, environment: dict[str, str]) -> None:
    if not environment:
        tmp_path.joinpath("config", "enfilade").mkdir(parents=True)
        tmp_path.joinpath("config", "enfilade", "settings").write_text("theme none\n", encoding="utf-8")
    with on_terminal(tmp_path, environment=environment) as terminal:
        terminal.waits_for("enfilade>")
        terminal.types("us")
        terminal.waits_for("use a shipped ruleset")
        terminal.types("\x03")
        terminal.enters("use infantry_attacks", "Direct Fire")
        terminal.enters("nonsense here", "There is no command")
        terminal.waits_for(is_ready)
        assert not COLOR.search(terminal.written)


def test_a_dumb_terminal_gets_no_escapes(tmp_path: Path) -> None:
    with on_terminal(tmp_path, environment={"TERM": "dumb"}) as terminal:
        terminal.waits_for("enfilade>")
        terminal.enters("use infantry_attacks", "Direct Fire")
        terminal.enters("direct_fire fire_value 16", "2d6 (Enter to roll")
        # It must have come to reading the line: what comes just before is seen after it only.
        terminal.settles()
        terminal.types("\x03")
        terminal.settles()
        terminal.enters("4 3", "fire_roll: 4 + 3 = 7")
        terminal.enters(LONG, "fire_value 1..40000")
        terminal.settles()
        terminal.types("\x03")
        terminal.waits_for("Stopped. Nothing has changed.")
        terminal.types("\x04")
        assert terminal.code() == 0
        assert b"\x1b" not in terminal.written


def without_toolkit(home: Path) -> dict[str, str]:
    """The environment of a Python that has no prompt_toolkit."""
    home.joinpath("sitecustomize.py").write_text('import sys\nsys.modules["prompt_toolkit"] = None\n', encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join(str(each) for each in (home, ROOT / "dsl", ROOT / "repl"))}


def test_without_prompt_toolkit_a_session_goes_line_by_line(tmp_path: Path) -> None:
    with on_terminal(tmp_path, rows=200, environment=without_toolkit(tmp_path)) as terminal:
        terminal.waits_for("enfilade>")
        assert terminal.screen.count("`pip install 'enfilade[repl]'` adds") == 1
        terminal.enters("use infantry_attacks", "Direct Fire")
        terminal.enters("direct_fire 16 town", "2d6 (Enter to roll")
        terminal.settles()
        terminal.types("\x03")
        terminal.settles()
        terminal.enters("4 3", "result  No Effect")
        terminal.enters("procedure pick", "...")
        terminal.types("  give result = 12\r\r")
        terminal.waits_for("defined procedure pick")
        terminal.enters("pick", "result  12")
        for entry, seen in (
            ("chart", "Column Modifiers"),
            ("why", "result = 12"),
            ("odds", "100"),
            ("help", "Besides"),
        ):
            terminal.enters(entry, seen)
        terminal.settles()
        assert b"prompt_toolkit" not in terminal.written
        assert terminal.written.count(b"pip install") == 1
        terminal.types("\x04")
        assert terminal.code() == 0


def test_a_prompt_toolkit_that_can_not_be_imported_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "prompt_toolkit"
    broken.mkdir()
    broken.joinpath("__init__.py").write_text('raise ImportError("half installed")\n', encoding="utf-8")
    path = os.pathsep.join(str(each) for each in (tmp_path, ROOT / "dsl", ROOT / "repl"))
    with on_terminal(tmp_path, environment={"PYTHONPATH": path}) as terminal:
        assert terminal.code() == 2
        assert "half installed" in terminal.screen


def test_letters_that_a_terminal_lacks_are_not_sent(tmp_path: Path) -> None:
    plain = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    with on_terminal(tmp_path, environment=plain) as terminal:
        terminal.waits_for("enfilade>")
        terminal.enters("use infantry_attacks", "Direct Fire")
        terminal.enters("odds direct_fire fire_value 11", "####")
        terminal.waits_for(is_ready)
        assert terminal.written.isascii()
