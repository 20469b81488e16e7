"""The session at a terminal, typed at through a pipe: keys in, what is printed out."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

import enfilade.files
from enfilade.language import line, width
from enfilade_repl import dispatch
from enfilade_repl import session as session_module
from enfilade_repl.app import Terminal, greeting, run_terminal
from enfilade_repl.prompt_adapters import EntryCompleter, EntryLexer
from enfilade_repl.screen import Screen
from enfilade_repl.terminal_session import TerminalSession

ENTER: Final = "\r"
LEAVE: Final = "\x04"
CLEAR: Final = "\x03"


class Recorded(DummyOutput):
    """A terminal that keeps what is printed between the prompts."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.text = ""
        self._size = Size(rows=rows, columns=columns)

    def write(self, data: str) -> None:
        """Keep it."""
        self.text += data

    def get_size(self) -> Size:
        """Tell the size."""
        return self._size


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as made:
        yield made


class Player:
    """Somebody who types all at once, and what that came to."""

    def __init__(self, keys: PipeInput, *, columns: int = 80) -> None:
        self.output = Recorded(columns)
        self._keys = keys
        self.terminal = Terminal(seed="7", input=keys, output=self.output)

    def types(self, *entries: str, opening: tuple[str, ...] = ()) -> str:
        """Type entries and leave; the text that was printed."""
        self._keys.send_text("".join(f"{entry}{ENTER}" for entry in entries) + LEAVE)
        assert self.terminal.run(opening) == 0
        return self.output.text

    @property
    def session(self) -> session_module.Session:
        """The session."""
        return self.terminal.terminal_session.session


def settings(home: Path, text: str) -> Path:
    path = home / "config" / "enfilade" / "settings"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------------------------------------- entries


def test_what_is_typed_is_done_and_shown(keys: PipeInput) -> None:
    player = Player(keys)
    said = player.types("use infantry_attacks", "direct_fire fire_value 16, terrain town on 4 3")
    assert "Infantry Attacks: Direct Fire" in said
    assert "Direct Fire Table: roll 7, column 7" in said
    assert len(player.session.state.resolutions) == 1


def test_a_session_begins_with_the_games_and_a_first_step(keys: PipeInput) -> None:
    said = Player(keys, columns=200).types().splitlines()
    assert f"Games: {', '.join(enfilade.files.shipped_names())}." in said[0]
    for step in ("`use infantry_attacks`", "`games`", "`help`", "Ctrl-D"):
        assert step in said[1]


def test_the_greeting_fits_the_terminal() -> None:
    assert max(map(width, greeting(60).splitlines())) <= 60


def test_opening_entries_are_shown_and_done_before_anything_is_asked(keys: PipeInput) -> None:
    said = Player(keys).types(opening=("use infantry_attacks",))
    assert said.startswith("enfilade> use infantry_attacks\r\nInfantry Attacks: Direct Fire")


def test_quit_leaves(keys: PipeInput) -> None:
    player = Player(keys)
    player.types("quit", "use infantry_attacks")
    assert player.session.state.ruleset is None


def test_ctrl_d_leaves_while_something_is_asked(keys: PipeInput) -> None:
    player = Player(keys)
    player.types("use infantry_attacks", "direct_fire")
    assert player.session.state.asks


def test_ctrl_c_drops_the_line_and_keeps_the_session(keys: PipeInput) -> None:
    player = Player(keys)
    player.types("use infantry_attacks", f"unit gun: kind mg{CLEAR}unit cart: kind wagon")
    assert set(player.session.state.pieces) == {"cart"}


def test_ctrl_c_at_a_question_asks_it_again(keys: PipeInput) -> None:
    player = Player(keys)
    said = player.types("use infantry_attacks", f"direct_fire fire_value 16{ENTER}4{CLEAR}4 3")
    assert "fire_roll: 4 + 3 = 7" in said


def test_enter_goes_on_with_a_definition_until_a_line_is_empty(keys: PipeInput) -> None:
    player = Player(keys)
    said = player.types(f"procedure pick{ENTER}roll 2d6 as dice{ENTER}give result = dice.total{ENTER}", "pick on 4 3")
    assert "defined procedure pick" in said
    assert player.session.state.resolutions[-1].outcome.result == 7


def test_a_pasted_block_is_as_many_entries_as_it_holds(keys: PipeInput) -> None:
    player = Player(keys)
    block = "use infantry_attacks\nunit gun: kind mg\nprocedure pick\n  roll d6 as die\n  give result = die.total\n\npick on 3\n"
    said = player.types(f"\x1b[200~{block}\x1b[201~")
    assert set(player.session.state.pieces) == {"gun"}
    assert player.session.state.resolutions[-1].outcome.result == 3
    assert "infantry_attacks> unit gun: kind mg\r\n" in said


def test_the_end_of_a_pasted_block_answers_nothing(keys: PipeInput) -> None:
    player = Player(keys)
    player.types("\x1b[200~use infantry_attacks\ndirect_fire fire_value 16\n\n\x1b[201~")
    assert player.session.state.asks


# ------------------------------------------------------------------------------------------------ what may go wrong


def test_a_fault_of_ours_is_one_line_and_a_file(keys: PipeInput, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enter = session_module.Session.enter

    def fails(self: session_module.Session, text: str) -> object:
        if text == "chart":
            raise ZeroDivisionError("by nothing")
        return enter(self, text)

    monkeypatch.setattr(session_module.Session, "enter", fails)
    player = Player(keys, columns=400)
    said = player.types("use infantry_attacks", "chart", "unit gun: kind mg")
    assert "This is a bug in Enfilade: ZeroDivisionError: by nothing. The session goes on." in said
    (kept,) = home.joinpath("state", "enfilade", "faults").iterdir()
    assert str(kept) in said
    assert "Traceback" in kept.read_text(encoding="utf-8")
    assert "Traceback" not in said
    assert set(player.session.state.pieces) == {"gun"}


def test_a_fault_in_showing_is_told_too(keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    show = Screen.show

    def fails(self: Screen, lines: Any, *, pages: bool = False) -> None:
        if pages:
            raise ZeroDivisionError("by nothing")
        show(self, lines)

    monkeypatch.setattr(Screen, "show", fails)
    assert "This is a bug in Enfilade" in Player(keys, columns=400).types("help")


def test_work_that_is_stopped_changes_nothing(keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(session: session_module.Session, text: str) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(dispatch, "evaluate", stopped)
    player = Player(keys)
    said = player.types("use infantry_attacks", "2d6 + 1", "unit gun: kind mg")
    assert "Stopped. Nothing has changed." in said
    assert set(player.session.state.pieces) == {"gun"}


def test_work_that_took_long_is_timed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from enfilade_repl import terminal_session

    times = iter((0.0, 4.21))
    monkeypatch.setattr(terminal_session, "time", SimpleNamespace(monotonic=lambda: next(times, 5.0)))
    output = Recorded()
    made = TerminalSession(Screen(output), "7", home / "state", home / "settings")
    made.enter("help")
    assert output.text.endswith("4.2 s\r\n")
    made.enter("help")
    assert output.text.count(" s\r\n") == 1


def test_a_library_that_can_not_be_imported_is_no_silence(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(self: TerminalSession) -> object:
        raise ModuleNotFoundError("No module named 'lark'")

    monkeypatch.setattr(TerminalSession, "_made", missing)
    with pytest.raises(ModuleNotFoundError, match="lark"):
        Player(keys).types("help")
    monkeypatch.setenv("TERM", "dumb")
    assert run_terminal() == 2
    assert "the library can't be imported: No module named 'lark'" in capsys.readouterr().err


# ----------------------------------------------------------------------------------------- what is kept between sessions


def test_entries_are_remembered_and_answers_are_not(keys: PipeInput, home: Path) -> None:
    Player(keys).types("use infantry_attacks", "direct_fire fire_value 16", "4 3", "odds")
    kept = home.joinpath("state", "enfilade", "history").read_text(encoding="utf-8")
    assert "+use infantry_attacks" in kept
    assert "+odds" in kept
    assert "+4 3" not in kept


def test_where_no_file_can_be_kept_the_session_says_so_after_each_entry(
    keys: PipeInput, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.joinpath("file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "file"))
    said = Player(keys, columns=400).types("use infantry_attacks", "unit gun: kind mg", "unit cart: kind wagon")
    assert said.count("The history is not saved") == 1
    assert said.count("Your entries stay in memory") == 3


def test_the_journal_can_be_opened_again(keys: PipeInput, home: Path) -> None:
    Player(keys).types("use infantry_attacks", "unit gun: kind mg")
    (kept,) = home.joinpath("state", "enfilade", "sessions").iterdir()
    kept.rename(kept.with_name("friday.session"))
    with create_pipe_input() as later:
        player = Player(later)
        player.types("open friday")
        assert set(player.session.state.pieces) == {"gun"}


def test_settings_are_read_and_written(keys: PipeInput, home: Path) -> None:
    path = settings(home, "theme light\ndice roll\n")
    player = Player(keys)
    player.types("set pager off")
    assert player.session.settings["theme"] == "light"
    assert "pager off\n" in path.read_text(encoding="utf-8")
    assert "theme light\n" in path.read_text(encoding="utf-8")
    assert [each.name for each in path.parent.iterdir()] == ["settings"]


def test_settings_are_not_written_by_what_only_looks_at_them(keys: PipeInput, home: Path) -> None:
    Player(keys).types("set", "set theme pink", "help set")
    assert not home.joinpath("config").exists()


def test_a_wrong_line_of_the_settings_is_told_once_and_the_others_count(keys: PipeInput, home: Path) -> None:
    path = settings(home, "theme pink\nkeys vi\n")
    player = Player(keys, columns=400)
    said = player.types("help", "help", "help")
    assert said.count(f"{path}: line 1: the setting theme can't be pink") == 1
    assert player.session.settings["keys"] == "vi"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"\xef\xbb\xbfkeys vi\n"])
def test_any_file_of_settings_lets_a_session_begin(keys: PipeInput, home: Path, content: bytes) -> None:
    settings(home, "").write_bytes(content)
    assert "Play" in Player(keys).types("help")


def test_settings_that_can_not_be_written_hold_for_the_session(
    keys: PipeInput, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.joinpath("file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "file"))
    player = Player(keys, columns=400)
    assert "The setting applies only to this session" in player.types("set theme none")
    assert player.session.settings["theme"] == "none"


# ----------------------------------------------------------------------------------------------------------------- keys


def test_vi_keys_edit_the_line(keys: PipeInput, home: Path) -> None:
    settings(home, "keys vi\n")
    said = Player(keys).types("xhelp use\x1b0x")
    assert "use RULESET" in said


def test_emacs_keys_edit_the_line(keys: PipeInput) -> None:
    said = Player(keys).types("elp use\x01h")
    assert "use RULESET" in said


def test_keys_change_with_the_setting(keys: PipeInput) -> None:
    said = Player(keys).types("set keys vi", "xhelp use\x1b0x")
    assert "use RULESET" in said


def test_enter_within_a_block_breaks_the_line(keys: PipeInput) -> None:
    player = Player(keys)
    up = "\x1b[A"
    player.types(f"procedure pick{ENTER}give result = 3{up}\x05{ENTER}roll d6 as die\x1b[B\x05{ENTER}", "pick on 2")
    assert player.session.state.resolutions[-1].outcome.dice[0].answers == (2,)


# ------------------------------------------------------------------------------------------------------- on any screen


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(columns: int, home: Path) -> None:
    output = Recorded(columns)
    terminal_session = TerminalSession(Screen(output), "7", home / "state", home / "settings")
    for entry in (
        "use infantry_attacks", "unit gun: kind artillery, steps 2", "direct_fire fire_value 45, units gun on 2 1",
        "odds", "odds by fire_value 1..12 of M or worse", "why", "chart", "help", "what if terrain woods", "luck", "log",
    ):  # fmt: skip
        terminal_session.enter(entry)
    assert max(map(width, output.text.splitlines())) <= columns


def test_letters_that_a_terminal_lacks_are_not_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    output = Recorded()
    terminal_session = TerminalSession(Screen(output), "7", home / "state", home / "settings")
    terminal_session.enter("use infantry_attacks")
    terminal_session.enter("odds direct_fire fire_value 11")
    assert terminal_session.session.plain
    assert output.text.isascii()


def test_a_dumb_terminal_is_typed_at_as_any_program_is(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    entries = "use infantry_attacks\nprocedure pick\n  give result = 3\n\npick\ndirect_fire fire_value 16\n4 3\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(entries))
    assert run_terminal(["help use"], seed="7") == 0
    said = capsys.readouterr().out
    assert "enfilade> help use\n" in said
    assert "result  3\n" in said
    assert "fire_roll: 4 + 3 = 7\n" in said
    assert "\x1b" not in said


def test_ctrl_c_on_a_dumb_terminal_drops_the_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    typed = iter(["stop", "help use", "quit"])

    def read(prompt: str) -> str:
        found = next(typed)
        if found == "stop":
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr("builtins.input", read)
    assert run_terminal() == 0
    assert "use RULESET" in capsys.readouterr().out


# ---------------------------------------------------------------------------------------------------------------- pager


class Terminals(io.StringIO):
    """Something that takes itself for a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def _paged(monkeypatch: pytest.MonkeyPatch) -> tuple[TerminalSession, Recorded]:
    """A session on a terminal of 24 rows."""
    monkeypatch.setattr(sys, "stdout", Terminals())
    output = Recorded()
    folder = Path(os.environ["XDG_STATE_HOME"])
    return TerminalSession(Screen(output), "7", folder, folder / "settings"), output


@pytest.mark.parametrize(("count", "pages", "left"), [(100, True, 79), (100, False, 0), (21, True, 0)])
def test_only_what_is_longer_than_the_screen_is_paged(
    monkeypatch: pytest.MonkeyPatch, count: int, pages: bool, left: int
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminals())
    output = Recorded()
    Screen(output).show([line(("code", "row"))] * count, pages=pages)
    assert output.text.count("row") == count - left
    assert (f"{left} more lines. Press Enter for the next screen." in output.text) == (left > 0)


def test_enter_shows_the_next_screen_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_session, output = _paged(monkeypatch)
    terminal_session.enter("help commands")
    assert "leave; Ctrl-D does the same" not in output.text
    for _ in range(10):
        terminal_session.enter("")
    assert "leave; Ctrl-D does the same" in output.text
    assert output.text.count("use a shipped ruleset") == 1


def test_an_entry_after_a_screen_is_run_and_drops_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_session, output = _paged(monkeypatch)
    terminal_session.enter("help commands")
    terminal_session.enter("games")
    assert "Infantry Attacks: Direct Fire" in output.text
    before = output.text
    terminal_session.enter("")
    assert output.text == before


def test_nothing_waits_while_a_question_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_session, output = _paged(monkeypatch)
    terminal_session.enter("use infantry_attacks")
    terminal_session.enter("direct_fire 16")
    terminal_session.enter("help")
    terminal_session.enter("card")
    assert "Press Enter for the next screen" not in output.text
    # The empty entry rolls the dice.
    terminal_session.enter("")
    assert not terminal_session.session.state.asks


# ------------------------------------------------------------------------------------------------- fittings, and imports


def test_completion_and_colours_survive_any_fault(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from enfilade_repl import completion, highlighting

    def fails(*given: Any) -> Any:
        raise RuntimeError("a fault")

    terminal_session = TerminalSession(Screen(Recorded()), "7", home / "state", home / "settings")
    monkeypatch.setattr(completion, "candidates", fails)
    monkeypatch.setattr(highlighting, "highlighted", fails)
    terminal_session.prepare().join()
    document = Document("use it")
    assert list(EntryCompleter(terminal_session).get_completions(document, CompleteEvent())) == []
    assert EntryLexer(terminal_session).lex_document(document)(0) == [("", "use it")]


def test_completion_can_be_switched_off(home: Path) -> None:
    terminal_session = TerminalSession(Screen(Recorded()), "7", home / "state", home / "settings")
    completer = EntryCompleter(terminal_session)
    assert [each.text for each in completer.get_completions(Document("us"), CompleteEvent())] == ["use"]
    terminal_session.enter("set complete off")
    assert list(completer.get_completions(Document("us"), CompleteEvent())) == []


def test_completion_runs_in_a_thread(keys: PipeInput) -> None:
    assert Player(keys).terminal.prompt.complete_in_thread


def test_the_library_is_not_imported_before_the_first_prompt() -> None:
    program = (
        "import sys\n"
        "from prompt_toolkit.input import create_pipe_input\n"
        "from prompt_toolkit.output import DummyOutput\n"
        "from enfilade_repl.app import Terminal\n"
        "import enfilade.cli, enfilade.cli.commands, enfilade_repl.main\n"
        "with create_pipe_input() as keys:\n"
        "    Terminal(input=keys, output=DummyOutput())._furnish()\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('lark', 'enfilade', 'enfilade_repl')))\n"
    )
    imported = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    for late in (
        "lark",
        "enfilade.api",
        "enfilade.diagnostics",
        "enfilade_repl.session",
        "enfilade.language.styled_text",
    ):
        assert f"'{late}'" not in imported
    assert "'enfilade_repl.app'" in imported


# ----------------------------------------------------------------------------------------------------- files that change

RULES: Final = "enfilade 1\nruleset mine\n\nprocedure pick\n  give result = {}\n"


@pytest.fixture
def mine(home: Path) -> Path:
    path = home / "mine.rules"
    path.write_text(RULES.format("1"), encoding="utf-8")
    return path


@pytest.fixture
def terminal_session(home: Path, mine: Path) -> TerminalSession:
    made = TerminalSession(Screen(Recorded(200)), "7", home / "state", home / "settings")
    made.enter(f"load {mine}")
    made.enter("pick")
    return made


def said(terminal_session: TerminalSession) -> str:
    output = terminal_session.screen._output
    assert isinstance(output, Recorded)
    return output.text


def test_a_file_that_was_saved_is_read_again(terminal_session: TerminalSession, mine: Path) -> None:
    assert not terminal_session.has_changed()
    mine.write_text(RULES.format("22"), encoding="utf-8")
    assert terminal_session.has_changed()
    terminal_session.reload()
    assert "mine> reload\r\n" in said(terminal_session)
    assert "read again" in said(terminal_session)
    assert not terminal_session.has_changed()
    assert not terminal_session.is_behind


def test_a_file_with_mistakes_is_told_once_and_the_last_good_version_stays(
    terminal_session: TerminalSession, mine: Path
) -> None:
    mine.write_text(RULES.format("= ="), encoding="utf-8")
    assert terminal_session.has_changed()
    terminal_session.reload()
    assert "stays in use" in said(terminal_session)
    assert not terminal_session.has_changed()
    assert terminal_session.is_behind
    terminal_session.enter("pick")
    assert terminal_session.session.state.resolutions[-1].outcome.result == 1


def test_while_something_is_asked_a_changed_file_waits(terminal_session: TerminalSession, mine: Path) -> None:
    terminal_session.enter("procedure ask\n  roll d6 as die\n  give result = die.total\n")
    terminal_session.enter("ask")
    assert terminal_session.session.state.asks
    mine.write_text(RULES.format("22"), encoding="utf-8")
    assert terminal_session.has_changed()
    before = said(terminal_session)
    terminal_session.reload()
    assert said(terminal_session) == before
    assert terminal_session.is_behind
    terminal_session.enter("3")
    assert terminal_session.has_changed()
    terminal_session.reload()
    assert not terminal_session.is_behind
