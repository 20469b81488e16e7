"""The session at a terminal, typed at through a pipe: keys in, what is printed out."""

from __future__ import annotations

import io
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
from enfilade_repl import completion, dispatch, highlighting
from enfilade_repl import terminal_session as terminal_session_module
from enfilade_repl.app import Terminal, _continuation, greeting, run_terminal
from enfilade_repl.prompt_adapters import EntryCompleter, EntryLexer
from enfilade_repl.screen import Screen
from enfilade_repl.session import Session
from enfilade_repl.terminal_session import TerminalSession

ENTER: Final = "\r"
LEAVE: Final = "\x04"
CLEAR: Final = "\x03"
UP: Final = "\x1b[A"
USE: Final = "use infantry_attacks"
GUN: Final = "unit gun: kind mg"
RULES: Final = "enfilade 1\nruleset mine\n\nprocedure pick\n  give result = {}\n"


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


class Terminals(io.StringIO):
    """Something that takes itself for a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


class Player:
    """Somebody who types all at once, and what that came to."""

    def __init__(self, keys: PipeInput) -> None:
        self.output = Recorded(columns=400)
        self._keys = keys

    def types(self, *entries: str, opening: tuple[str, ...] = ()) -> str:
        """Type entries and leave; the text that was printed."""
        self._keys.send_text("".join(f"{entry}{ENTER}" for entry in entries) + LEAVE)
        self.terminal = Terminal(seed="7", input=self._keys, output=self.output)
        assert self.terminal.run(opening) == 0
        return self.output.text

    @property
    def session(self) -> Session:
        """The session."""
        return self.terminal.terminal_session.session

    @property
    def pieces(self) -> set[str]:
        """The pieces on the table."""
        return set(self.session.state.pieces)


@pytest.fixture
def player() -> Iterator[Player]:
    with create_pipe_input() as keys:
        yield Player(keys)


def settings(home: Path, text: str) -> Path:
    path = home / "config" / "enfilade" / "settings"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def made(home: Path, columns: int = 80) -> tuple[TerminalSession, Recorded]:
    """A session on a terminal, and what is printed there."""
    output = Recorded(columns)
    return TerminalSession(Screen(output), "7", home / "state", home / "settings"), output


# ------------------------------------------------------------------------------------------------------------- entries


def test_what_is_typed_is_done_and_shown(player: Player) -> None:
    said = player.types("direct_fire fire_value 16, terrain town on 4 3", opening=(USE,))
    assert f"enfilade> {USE}\r\nInfantry Attacks: Direct Fire" in said
    assert "Direct Fire Table: roll 7, column 7" in said
    assert len(player.session.state.resolutions) == 1


def test_a_session_begins_with_the_games_and_a_first_step(player: Player) -> None:
    games, steps, *_ = player.types().splitlines()
    assert f"Games: {', '.join(enfilade.files.shipped_names())}." in games
    for step in ("`use infantry_attacks`", "`games`", "`help`", "Ctrl-D"):
        assert step in steps


def test_the_greeting_fits_the_terminal_and_says_how_to_continue() -> None:
    assert max(map(width, greeting(60).splitlines())) <= 60
    assert "`open last`" in greeting(80, has_sessions=True)
    assert "`open last`" not in greeting(80)


def test_quit_leaves(player: Player) -> None:
    player.types("quit", USE)
    assert player.session.state.ruleset is None


def test_ctrl_d_leaves_while_something_is_asked(player: Player) -> None:
    player.types(USE, "direct_fire")
    assert player.session.state.asks


def test_ctrl_c_drops_the_line_and_keeps_the_session(player: Player) -> None:
    said = player.types(
        USE, f"{GUN}{CLEAR}unit cart: kind wagon", f"direct_fire fire_value 16{ENTER}4{CLEAR}4 3"
    )  # fmt: skip
    assert player.pieces == {"cart"}
    assert "fire_roll: 4 + 3 = 7" in said


def test_enter_goes_on_with_a_definition_until_a_line_is_empty(player: Player) -> None:
    said = player.types(f"procedure pick{ENTER}roll 2d6 as dice{ENTER}give result = dice.total{ENTER}", "pick on 4 3")
    assert "defined procedure pick" in said
    assert player.session.last.outcome.result == 7


def test_the_second_line_of_a_definition_says_how_to_leave() -> None:
    (first,), (second,) = _continuation(0, 1, 0), _continuation(0, 2, 0)
    assert "`cancel` discards it" in first[1]
    assert second[1] == "... "


def test_a_pasted_block_is_as_many_entries_as_it_holds(player: Player) -> None:
    block = f"{USE}\n{GUN}\nprocedure pick\n  roll d6 as die\n  give result = die.total\n\npick on 3\n"
    said = player.types(f"\x1b[200~{block}\x1b[201~")
    assert player.pieces == {"gun"}
    assert player.session.last.outcome.result == 3
    assert f"infantry_attacks> {GUN}\r\n" in said


def test_the_end_of_a_pasted_block_answers_nothing(player: Player) -> None:
    player.types(f"\x1b[200~{USE}\ndirect_fire fire_value 16\n\n\x1b[201~")
    assert player.session.state.asks


# ------------------------------------------------------------------------------------------------ what may go wrong


def test_a_fault_of_ours_is_one_line_and_a_file(player: Player, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enter = Session.enter

    def fails(self: Session, text: str) -> object:
        if text == "chart":
            raise ZeroDivisionError("by nothing")
        return enter(self, text)

    monkeypatch.setattr(Session, "enter", fails)
    said = player.types(USE, "chart", GUN)
    assert "This is a bug in Enfilade: ZeroDivisionError: by nothing. The session goes on." in said
    (kept,) = home.joinpath("state", "enfilade", "faults").iterdir()
    assert str(kept) in said
    assert "Traceback" in kept.read_text(encoding="utf-8")
    assert "Traceback" not in said
    assert player.pieces == {"gun"}


def test_a_fault_in_showing_is_told_too(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    show = Screen.show

    def fails(self: Screen, lines: Any, *, pages: bool = False) -> None:
        if pages:
            raise ZeroDivisionError("by nothing")
        show(self, lines)

    monkeypatch.setattr(Screen, "show", fails)
    assert "This is a bug in Enfilade" in player.types("help")


def test_work_that_is_stopped_changes_nothing(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(session: Session, text: str) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(dispatch, "evaluate", stopped)
    assert "Stopped. Nothing has changed." in player.types(USE, "2d6 + 1", GUN)
    assert player.pieces == {"gun"}


def test_work_that_took_long_is_timed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((0.0, 4.21))
    clock = SimpleNamespace(monotonic=lambda: next(times, 5.0))
    monkeypatch.setattr(terminal_session_module, "time", clock)
    terminal_session, output = made(home)
    terminal_session.enter("help")
    assert output.text.endswith("4.2 s\r\n")
    terminal_session.enter("help")
    assert output.text.count(" s\r\n") == 1


def test_a_library_that_can_not_be_imported_is_no_silence(
    player: Player, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(self: TerminalSession) -> object:
        raise ModuleNotFoundError("No module named 'lark'")

    monkeypatch.setattr(TerminalSession, "_made", missing)
    with pytest.raises(ModuleNotFoundError, match="lark"):
        player.types("help")
    monkeypatch.setenv("TERM", "dumb")
    assert run_terminal() == 2
    assert "the library can't be imported: No module named 'lark'" in capsys.readouterr().err


# ----------------------------------------------------------------------------------------- what is kept between sessions


def test_entries_are_remembered_and_answers_are_not(player: Player, home: Path) -> None:
    player.types(USE, "direct_fire fire_value 16", "4 3", "help")
    kept = home.joinpath("state", "enfilade", "history").read_text(encoding="utf-8")
    assert f"+{USE}" in kept
    assert "+help" in kept
    assert "+4 3" not in kept


def test_where_no_file_can_be_kept_the_session_says_so_after_each_entry(
    player: Player, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.joinpath("file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "file"))
    said = player.types(USE, GUN, "unit cart: kind wagon")
    assert said.count("The history is not saved") == 1
    assert said.count("Your entries stay in memory") == 3


def test_the_journal_can_be_opened_again(player: Player, home: Path) -> None:
    player.types(USE, GUN)
    (kept,) = home.joinpath("state", "enfilade", "sessions").iterdir()
    kept.rename(kept.with_name("friday.session"))
    with create_pipe_input() as later:
        again = Player(later)
        again.types("open friday")
        assert again.pieces == {"gun"}


def test_settings_are_read_and_written(player: Player, home: Path) -> None:
    path = settings(home, "theme light\ndice roll\n")
    player.types("set pager off")
    assert player.session.settings["theme"] == "light"
    assert {"pager off", "theme light"} <= set(path.read_text(encoding="utf-8").splitlines())
    assert [each.name for each in path.parent.iterdir()] == ["settings"]


def test_settings_are_not_written_by_what_only_looks_at_them(player: Player, home: Path) -> None:
    player.types("set", "set theme pink", "help set")
    assert not home.joinpath("config").exists()


def test_a_wrong_line_of_the_settings_is_told_once_and_the_others_count(player: Player, home: Path) -> None:
    path = settings(home, "theme pink\nkeys vi\n")
    said = player.types("help", "help", "help")
    assert said.count(f"{path}: line 1: the setting theme can't be pink") == 1
    assert player.session.settings["keys"] == "vi"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"\xef\xbb\xbfkeys vi\n"])
def test_any_file_of_settings_lets_a_session_begin(player: Player, home: Path, content: bytes) -> None:
    settings(home, "").write_bytes(content)
    assert "Play" in player.types("help")


def test_settings_that_can_not_be_written_hold_for_the_session(
    player: Player, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.joinpath("file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "file"))
    assert "The setting applies only to this session" in player.types("set theme none")
    assert player.session.settings["theme"] == "none"


# ----------------------------------------------------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("kept", "typed"),
    [
        pytest.param("keys vi\n", ("xhelp use\x1b0x",), id="vi"),
        pytest.param("", ("elp use\x01h",), id="emacs"),
        pytest.param("", ("set keys vi", "xhelp use\x1b0x"), id="changed"),
    ],
)
def test_keys_edit_the_line(player: Player, home: Path, kept: str, typed: tuple[str, ...]) -> None:
    settings(home, kept)
    assert "use RULESET" in player.types(*typed)


def test_enter_within_a_block_breaks_the_line(player: Player) -> None:
    player.types(f"procedure pick{ENTER}give result = 3{UP}\x05{ENTER}roll d6 as die\x1b[B\x05{ENTER}", "pick on 2")
    assert player.session.last.outcome.dice[0].answers == (2,)


# ------------------------------------------------------------------------------------------------------- on any screen


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(columns: int, home: Path) -> None:
    terminal_session, output = made(home, columns)
    for entry in (
        USE, "unit gun: kind artillery, steps 2", "direct_fire fire_value 45, units gun on 2 1",
        "odds", "odds by fire_value 1..12 of M or worse", "why", "chart", "help", "what if terrain woods", "luck", "log",
    ):  # fmt: skip
        terminal_session.enter(entry)
    assert max(map(width, output.text.splitlines())) <= columns


def test_letters_that_a_terminal_lacks_are_not_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    terminal_session, output = made(home)
    terminal_session.enter(USE)
    terminal_session.enter("odds direct_fire fire_value 11")
    assert terminal_session.session.plain
    assert output.text.isascii()


def test_a_dumb_terminal_is_typed_at_as_any_program_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    entries = f"{USE}\nprocedure pick\n  give result = 3\n\npick\ndirect_fire fire_value 16\n4 3\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(entries))
    assert run_terminal(["help use"], seed="7") == 0
    said = capsys.readouterr().out
    for told in ("enfilade> help use\n", "result  3\n", "fire_roll: 4 + 3 = 7\n"):
        assert told in said
    assert "\x1b" not in said


def test_the_prompt_works_without_prompt_toolkit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{USE}\ndirect_fire 16 town on 4 3\n"))
    assert run_terminal() == 0
    said = capsys.readouterr().out
    assert said.count("pip install 'enfilade[repl]'") == 1
    assert "result  No Effect" in said


def test_ctrl_c_on_a_dumb_terminal_drops_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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


@pytest.fixture
def paged(home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[TerminalSession, Recorded]:
    """A session on a terminal of 24 rows."""
    monkeypatch.setattr(sys, "stdout", Terminals())
    return made(home)


@pytest.mark.parametrize(("count", "pages", "left"), [(100, True, 79), (100, False, 0), (21, True, 0)])
def test_only_what_is_longer_than_the_screen_is_paged(
    monkeypatch: pytest.MonkeyPatch, count: int, pages: bool, left: int
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminals())
    output = Recorded()
    Screen(output).show([line(("code", "row"))] * count, pages=pages)
    assert output.text.count("row") == count - left
    assert (f"{left} more lines. Press Enter for the next screen." in output.text) == (left > 0)


def test_enter_shows_the_next_screen_until_the_end(paged: tuple[TerminalSession, Recorded]) -> None:
    terminal_session, output = paged
    terminal_session.enter("help commands")
    assert "leave; Ctrl-D does the same" not in output.text
    for _ in range(10):
        terminal_session.enter("")
    assert "leave; Ctrl-D does the same" in output.text
    assert output.text.count("use a shipped ruleset") == 1


def test_an_entry_after_a_screen_is_run_and_drops_the_rest(paged: tuple[TerminalSession, Recorded]) -> None:
    terminal_session, output = paged
    terminal_session.enter("help commands")
    terminal_session.enter("games")
    assert "Infantry Attacks: Direct Fire" in output.text
    before = output.text
    terminal_session.enter("")
    assert output.text == before


def test_nothing_waits_while_a_question_is_open(paged: tuple[TerminalSession, Recorded]) -> None:
    terminal_session, output = paged
    for entry in (USE, "direct_fire 16", "help", "card"):
        terminal_session.enter(entry)
    assert "Press Enter for the next screen" not in output.text
    # The empty entry rolls the dice.
    terminal_session.enter("")
    assert not terminal_session.session.state.asks


# ------------------------------------------------------------------------------------------------- fittings, and imports


def test_completion_and_colours_survive_any_fault(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: Any) -> Any:
        raise RuntimeError("a fault")

    terminal_session, _ = made(home)
    monkeypatch.setattr(completion, "candidates", fails)
    monkeypatch.setattr(highlighting, "highlighted", fails)
    terminal_session.prepare().join()
    document = Document("use it")
    assert list(EntryCompleter(terminal_session).get_completions(document, CompleteEvent())) == []
    assert EntryLexer(terminal_session).lex_document(document)(0) == [("", "use it")]


def test_completion_can_be_switched_off(home: Path) -> None:
    terminal_session, _ = made(home)
    completer = EntryCompleter(terminal_session)
    assert [each.text for each in completer.get_completions(Document("us"), CompleteEvent())] == ["use"]
    terminal_session.enter("set complete off")
    assert list(completer.get_completions(Document("us"), CompleteEvent())) == []


def test_completion_runs_in_a_thread(player: Player) -> None:
    player.types()
    assert player.terminal.prompt.complete_in_thread


def test_the_library_is_not_imported_before_the_first_prompt() -> None:
    program = (
        "import sys\n"
        "from prompt_toolkit.input import create_pipe_input\n"
        "from prompt_toolkit.output import DummyOutput\n"
        "from enfilade_repl.app import Terminal\n"
        "import enfilade.cli, enfilade.cli.commands, enfilade_repl.main\n"
        "with create_pipe_input() as keys:\n"
        "    Terminal(input=keys, output=DummyOutput())._furnish()\n"
        "print(*(name for name in sys.modules if name.split('.')[0] in ('lark', 'enfilade', 'enfilade_repl')))\n"
    )
    imported = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()
    late = {"lark", "enfilade.api", "enfilade.diagnostics", "enfilade_repl.session", "enfilade.language.styled_text"}
    assert late & set(imported) == set()
    assert "enfilade_repl.app" in imported


# ----------------------------------------------------------------------------------------------------- files that change


@pytest.fixture
def mine(home: Path) -> Path:
    path = home / "mine.rules"
    path.write_text(RULES.format("1"), encoding="utf-8")
    return path


@pytest.fixture
def loaded(home: Path, mine: Path) -> tuple[TerminalSession, Recorded]:
    """A session that has played the rules of a file."""
    terminal_session, output = made(home, 200)
    terminal_session.enter(f"load {mine}")
    terminal_session.enter("pick")
    return terminal_session, output


def test_a_file_that_was_saved_is_read_again(loaded: tuple[TerminalSession, Recorded], mine: Path) -> None:
    terminal_session, output = loaded
    assert not terminal_session.has_changed()
    mine.write_text(RULES.format("22"), encoding="utf-8")
    assert terminal_session.has_changed()
    terminal_session.reload()
    assert "mine> reload\r\n" in output.text
    assert "read again" in output.text
    assert (terminal_session.has_changed(), terminal_session.is_behind) == (False, False)


def test_a_file_with_mistakes_is_told_once_and_the_last_good_version_stays(
    loaded: tuple[TerminalSession, Recorded], mine: Path
) -> None:
    terminal_session, output = loaded
    mine.write_text(RULES.format("= ="), encoding="utf-8")
    assert terminal_session.has_changed()
    terminal_session.reload()
    assert "stays in use" in output.text
    assert (terminal_session.has_changed(), terminal_session.is_behind) == (False, True)
    terminal_session.enter("pick")
    assert terminal_session.session.last.outcome.result == 1


def test_while_something_is_asked_a_changed_file_waits(loaded: tuple[TerminalSession, Recorded], mine: Path) -> None:
    terminal_session, output = loaded
    terminal_session.enter("procedure ask\n  roll d6 as die\n  give result = die.total\n")
    terminal_session.enter("ask")
    mine.write_text(RULES.format("22"), encoding="utf-8")
    assert terminal_session.has_changed()
    before = output.text
    terminal_session.reload()
    assert (output.text, terminal_session.is_behind) == (before, True)
    terminal_session.enter("3")
    assert terminal_session.has_changed()
    terminal_session.reload()
    assert not terminal_session.is_behind
