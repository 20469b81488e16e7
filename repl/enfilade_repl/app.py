"""The read-eval-print loop at a terminal: on prompt_toolkit, or line by line if it is missing or the terminal is dumb.

The prompt appears first, and the library is imported while the player reads it. So at the top this module imports only
the parts of the library that a prompt needs, and nothing of prompt_toolkit.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from enfilade.files import shipped_names
from enfilade.terminal import WRONG_USAGE, complain, reason
from enfilade_repl.screen import Screen, is_dumb, keys_kept
from enfilade_repl.settings import settings_path, state_folder
from enfilade_repl.terminal_session import TerminalSession

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.history import History
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

_GREETING: Final = (
    "Enfilade {version}. Games: {games}.",
    "Type `use {first}` to start, `games` for the titles of the games, `help` for all commands, Ctrl-D to quit.",
)
_CONTINUES: Final = "Type `open last` to continue your last session."
_FIRST_GAME: Final = "infantry_attacks"
_NO_TOOLKIT: Final = "`pip install 'enfilade[repl]'` adds colours, completion and a history to this prompt."
_FIRST_PROMPT: Final = "enfilade> "
_GOES_ON: Final = "... "
_HOW_TO_LEAVE: Final = "(an empty line ends the entry, `cancel` discards it)"
_LOOK_EVERY: Final = 0.5
_ROOM: Final = 10
_MENU_ROWS: Final = 6


def run_terminal(opening: Sequence[str] = (), *, seed: str | None = None) -> int:
    """Run a session at the terminal.

    Args:
        opening: Entries to run before the first prompt.
        seed: The seed of the dice; random if not given.

    Returns:
        The exit code.
    """
    try:
        if is_dumb() or not has_prompt_toolkit():
            return _without_keys(TerminalSession(Screen(None), seed, state_folder(), settings_path()), opening)
        return Terminal(seed=seed).run(opening)
    except ImportError as missing:
        complain(f"the library can't be imported: {missing}")
        return WRONG_USAGE


def has_prompt_toolkit() -> bool:
    """Whether prompt_toolkit is installed. It is not imported: an installation that can't be imported is an error."""
    return find_spec("prompt_toolkit") is not None


def greeting(columns: int, *, has_sessions: bool = False) -> str:
    """The first lines of a session: the version, the games, and what to type.

    Args:
        columns: The width of the terminal.
        has_sessions: Whether there are earlier sessions to continue.
    """
    from enfilade import __version__

    said = {"version": __version__, "games": ", ".join(shipped_names()), "first": _FIRST_GAME}
    lines = (*_GREETING, _CONTINUES) if has_sessions else _GREETING
    return "\n".join(fill(each.format(**said), columns, break_on_hyphens=False) for each in lines)


def _has_sessions() -> bool:
    """Whether sessions of earlier days are kept."""
    folder = state_folder() / "sessions"
    return folder.is_dir() and any(folder.iterdir())


# ---------------------------------------------------------------------------------------------- a terminal with keys


class Terminal:
    """A session on a terminal with cursor control.

    Args:
        seed: The seed of the dice.
        input: The source of key presses; the terminal of the process if not given.
        output: The screen; the terminal of the process if not given.
    """

    def __init__(self, *, seed: str | None = None, input: Input | None = None, output: Output | None = None) -> None:
        from prompt_toolkit.application import get_app_session

        self._input = input
        self.output = output or get_app_session().output
        self.terminal_session = TerminalSession(Screen(self.output), seed, state_folder(), settings_path())
        self.terminal_session.screen.theme = self.terminal_session.settings["theme"]
        history, self._history_remark = _history(state_folder(), self._is_asking)
        self.prompt = self._made(history)
        self._theme = ""

    def _made(self, history: History) -> Any:
        from prompt_toolkit.auto_suggest import AutoSuggestFromHistory, ConditionalAutoSuggest
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.shortcuts import PromptSession

        from enfilade_repl.key_bindings import bindings
        from enfilade_repl.prompt_adapters import EntryCompleter, EntryLexer

        return PromptSession(
            self._message, multiline=True, prompt_continuation=_continuation, input=self._input, output=self.output,
            history=history, key_bindings=bindings(self.terminal_session.goes_on), lexer=EntryLexer(self.terminal_session),
            completer=EntryCompleter(self.terminal_session), complete_in_thread=True,
            complete_while_typing=Condition(lambda: self._set("complete") == "typing"),
            auto_suggest=ConditionalAutoSuggest(
                AutoSuggestFromHistory(), Condition(lambda: self._set("suggest") == "on" and not self._is_asking())
            ),
            mouse_support=Condition(lambda: self._set("mouse") == "on"), enable_open_in_editor=True, enable_suspend=True,
            search_ignore_case=True, reserve_space_for_menu=_MENU_ROWS, tempfile_suffix=".rules",
            include_default_pygments_style=False,
        )  # fmt: skip

    def _set(self, name: str) -> str:
        return self.terminal_session.settings[name]

    def _is_asking(self) -> bool:
        session = self.terminal_session.ready
        return session is not None and session.state.asks

    def run(self, opening: Sequence[str] = ()) -> int:
        """Run the loop until the player leaves.

        Returns:
            The exit code.
        """
        with keys_kept():
            self._go_on(opening)
        return 0

    def _go_on(self, opening: Sequence[str]) -> None:
        if not opening:
            self._greet()
        entered = [*opening]
        began = bool(opening)
        while not self.terminal_session.ends:
            # Ctrl-C discards the typed line or stops the output; it never ends the session.
            try:
                while entered:
                    self.terminal_session.enter_all(entered.pop(0), echo=True)
                self._furnish()
                if began:
                    self._remark()
                if not self.terminal_session.ends:
                    text = self.prompt.prompt(pre_run=self._begin)
                    began = True
                    self.terminal_session.enter_all(text)
            except KeyboardInterrupt:
                continue
            except EOFError:
                break

    def _greet(self) -> None:
        self.output.write(greeting(self.terminal_session.screen.columns, has_sessions=_has_sessions()) + "\n")
        self.output.flush()

    def _remark(self) -> None:
        from enfilade.language import line

        self.terminal_session.screen.show(self.terminal_session.remarks())
        if self._history_remark:
            self.terminal_session.screen.show([line(("hint", self._history_remark))])
            self._history_remark = ""

    def _furnish(self) -> None:
        """Apply the settings to the prompt."""
        from prompt_toolkit.enums import EditingMode

        from enfilade_repl.theme import depth_of, style_of

        prompt = self.prompt
        prompt.editing_mode = EditingMode.VI if self._set("keys") == "vi" else EditingMode.EMACS
        has_toolbar = self._set("toolbar") == "on"
        prompt.bottom_toolbar = self._toolbar if has_toolbar else None
        menu = _MENU_ROWS if self._set("complete") == "typing" else 1
        self.terminal_session.screen.prompt_rows = menu + has_toolbar
        theme = self._set("theme")
        if theme != self._theme:
            self._theme = theme
            prompt.style, prompt.color_depth = style_of(theme), depth_of(theme)

    # -- content of the prompt ------------------------------------------------------------------------------

    def _message(self) -> StyleAndTextTuples:
        session = self.terminal_session.ready
        if session is None:
            return [("class:ready", _FIRST_PROMPT)]
        from enfilade.language import folded
        from enfilade_repl.theme import fragments_of

        prompt = session.prompt
        trailing = " " if prompt and prompt[-1][1].endswith(" ") else ""
        rows = folded(prompt, max(self.terminal_session.screen.columns - _ROOM, _ROOM))
        found = fragments_of(rows)[:-1]
        return [*found, ("", trailing)] if len(rows) > 1 else found

    def _toolbar(self) -> StyleAndTextTuples:
        session = self.terminal_session.ready
        if session is None:
            return []
        from enfilade_repl.theme import fragments_of
        from enfilade_repl.toolbar import toolbar_line

        line = toolbar_line(session, self.terminal_session.screen.columns, is_behind=self.terminal_session.is_behind)
        return fragments_of([line], end="")

    # -- while it waits -------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Start the background tasks of the prompt; the library import starts after the prompt appears."""
        app = self.prompt.app
        if self.terminal_session.ready is None:
            app.after_render += self._prepare
        app.create_background_task(self._watching())

    def _prepare(self, app: Any) -> None:
        app.after_render -= self._prepare
        self.terminal_session.prepare()

    async def _watching(self) -> None:
        from prompt_toolkit.application import run_in_terminal

        seen: tuple[bool, bool] = (False, False)
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            changed = self.terminal_session.has_changed()
            if changed and not self._is_asking():
                await run_in_terminal(self.terminal_session.reload)
            now = (self.terminal_session.ready is not None, self.terminal_session.is_behind)
            if now != seen:
                seen = now
                self.prompt.app.invalidate()


def _continuation(width: int, number: int, wrapped: int) -> StyleAndTextTuples:
    how = f"{_HOW_TO_LEAVE} " if number == 1 else ""
    return [("class:hint", "" if wrapped else f"{how}{_GOES_ON}")]


def _history(folder: Path, is_asking: Callable[[], bool]) -> tuple[History, str]:
    """The input history; if its file can't be written, a history in memory, with a remark that says so."""
    from prompt_toolkit.history import InMemoryHistory

    from enfilade_repl.prompt_adapters import EntryHistory

    path = folder / "history"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError as wrong:
        return InMemoryHistory(), f"The history is not saved, because {path} can't be written: {reason(wrong)}."
    return EntryHistory(str(path), is_asking), ""


# ------------------------------------------------------------------------------------------- a terminal without keys


def _without_keys(terminal_session: TerminalSession, opening: Iterable[str]) -> int:
    """Run a session on plain input and output, line by line."""
    from enfilade.language import folded, plain

    entered = list(opening)
    columns = terminal_session.screen.columns
    if not entered:
        print(greeting(columns, has_sessions=_has_sessions()))
    if not has_prompt_toolkit():
        print(fill(_NO_TOOLKIT, columns))
    if not is_dumb():
        _edit_lines()
    for entry in entered:
        terminal_session.enter_all(entry, echo=True)
    terminal_session.screen.show(terminal_session.remarks())
    while not terminal_session.ends:
        if terminal_session.has_changed():
            terminal_session.reload()
        prompt = plain(folded(terminal_session.session.prompt, terminal_session.screen.columns)) + " "
        try:
            text = input(prompt)
            if terminal_session.goes_on(text):
                print(_HOW_TO_LEAVE)
            while terminal_session.goes_on(text):
                text += "\n" + input(_GOES_ON).rstrip()
        except KeyboardInterrupt:
            print()
            continue
        except EOFError:
            print()
            break
        with suppress(KeyboardInterrupt):
            terminal_session.enter_all(text)
    return 0


def _edit_lines() -> None:
    """Let `input` edit the line and recall earlier lines, on systems with readline."""
    with suppress(ImportError):
        import readline  # noqa: F401
