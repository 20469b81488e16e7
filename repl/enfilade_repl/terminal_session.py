"""A session at a terminal, with a progress line, Ctrl-C, saved settings, a journal and watched files.

An internal error in an entry is reported and does not end the session. A thread imports the library, so the prompt does
not wait for it; this module must not import the library at the top.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from enfilade.terminal import ProgressLine, is_utf8, reason
from enfilade_repl.screen import Screen
from enfilade_repl.settings import Settings, read_settings

if TYPE_CHECKING:
    from enfilade.language import Line
    from enfilade_repl.file_watch import Watch
    from enfilade_repl.session import Reply, Session

_TOLD_AFTER: Final = 0.7
_TIMED_AFTER: Final = 1.0


class TerminalSession:
    """A session at a terminal.

    Args:
        screen: Shows the lines.
        seed: The seed of the dice; random if not given.
        state: The folder of journals, history and fault reports.
        settings_file: The file of settings.
    """

    def __init__(self, screen: Screen, seed: str | None, state: Path, settings_file: Path) -> None:
        self.screen = screen
        self.state_folder = state
        self._seed = seed
        self._settings_file = settings_file
        self._first_settings, self._remarks = _read(settings_file)
        self._thread: Thread | None = None
        self._session: Session | None = None
        self._failure: BaseException | None = None
        self._watch: Watch | None = None
        self._ticker: ProgressLine | None = None
        self.ends = False

    # -- the session ----------------------------------------------------------------------------------------

    def prepare(self) -> Thread:
        """Start the thread that imports the library and makes the session."""
        if self._thread is None:
            self._thread = Thread(target=self._prepare, daemon=True)
            self._thread.start()
        return self._thread

    def _prepare(self) -> None:
        try:
            self._session = self._made()
        except BaseException as failure:
            self._failure = failure

    def _made(self) -> Session:
        # Import every module that the first entry needs, so the first entry does not wait for imports.
        from enfilade_repl import completion, file_watch, highlighting, journal, toolbar  # noqa: F401
        from enfilade_repl.dispatch import new_session

        session = new_session(seed=self._seed, settings=self._first_settings, progress=self._note)
        session.parts = self._note_part
        session.plain = not is_utf8()
        session.folder = self.state_folder
        head = {"seed": session.state.seed, "dice": session.settings["dice"]}
        session.journal = journal.Journal(journal.new_path(self.state_folder), head)
        with suppress(OSError):
            journal.drop_old_sessions(self.state_folder)
        self._watch = file_watch.Watch()
        return session

    @property
    def ready(self) -> Session | None:
        """The session, or ``None`` while it is being prepared."""
        return self._session

    @property
    def session(self) -> Session:
        """The session; waits until it is prepared."""
        if self._session is None:
            self.prepare().join()
        if self._session is None:
            assert self._failure is not None
            raise self._failure
        return self._session

    @property
    def settings(self) -> Settings:
        """The player's settings."""
        return self._first_settings if self._session is None else self._session.settings

    def _note(self, done: int) -> None:
        if self._ticker is not None:
            self._ticker(done)

    def _note_part(self, done: int, total: int) -> None:
        if self._ticker is not None:
            self._ticker.part(done, total)

    # -- entries --------------------------------------------------------------------------------------------

    def goes_on(self, text: str) -> bool:
        """Whether the typed text continues on the next line; if it has several entries, the last one decides."""
        session = self.session
        # An internal error here is reported when the entry runs.
        with suppress(Exception):
            *_, last = _entries(session, text)
            return session.needs_more(f"{last}\n" if text.endswith("\n") else last)
        return False

    def enter_all(self, text: str, *, echo: bool = False) -> None:
        """Run a typed or pasted text with one or more entries.

        Args:
            text: The text.
            echo: Whether to print the entries, because the player has not typed them.
        """
        echo = echo or len(list(_entries(self.session, text))) > 1
        # Split the text again, because the end of an entry may depend on the entries before it.
        for entry in _entries(self.session, text):
            if echo:
                self._echo(entry)
            self.enter(entry)
            if self.ends:
                return

    def _echo(self, entry: str) -> None:
        from enfilade.language import line, lines_of

        first, *more = lines_of(entry) or ((),)
        self.screen.show([(*self.session.prompt, *first), *((*line("... "), *each) for each in more)])

    def enter(self, entry: str) -> Reply | None:
        """Run one entry and show the reply. An empty entry shows the next screen of a long reply first.

        Returns:
            The reply; ``None`` if there was more to show, or if Ctrl-C or an internal error stopped the entry.
        """
        session = self.session
        if not entry.strip() and not session.state.asks and self.screen.show_more():
            return None
        self.screen.forget_more()
        settings = session.settings
        session.columns = self.screen.columns
        reply, lines = self._done(session, entry)
        self.screen.theme = session.settings["theme"]
        # The steps of a combat and everything below an open question are shown at once.
        may_wait = reply is not None and not reply.changed and not session.state.asks
        self._show(lines, pages=may_wait and session.settings["pager"] == "on")
        if reply is not None:
            self.ends = self.ends or reply.ends
        if session.settings is not settings and entry.strip().removeprefix("/").split()[:1] == ["set"]:
            self.screen.show(self._save_settings(session.settings))
        self.has_changed()
        return reply

    def _done(self, session: Session, entry: str) -> tuple[Reply | None, list[Line]]:
        from enfilade.language import line

        began, before = time.monotonic(), session.state
        try:
            with ProgressLine(after=_TOLD_AFTER) as self._ticker:
                reply = session.enter(entry)
        except KeyboardInterrupt:
            stands = " Nothing has changed." if session.state is before else ""
            return None, [line(("hint", f"Stopped.{stands}"))]
        except Exception as fault:
            return None, [line(("error", self.fault_told(fault)))]
        finally:
            self._ticker = None
        took = time.monotonic() - began
        timing = [line(("hint", f"{took:.1f} s"))] if took > _TIMED_AFTER else []
        return reply, [*reply.lines, *timing]

    def _show(self, lines: list[Line], *, pages: bool = False) -> None:
        from enfilade.language import line

        try:
            self.screen.show(lines, pages=pages)
        except OSError:
            # The terminal was closed.
            raise
        except Exception as fault:
            self.screen.show([line(("error", self.fault_told(fault)))])

    def fault_told(self, fault: BaseException) -> str:
        """The message for an internal error; its traceback is written to a file for a bug report."""
        what = f"{type(fault).__name__}: {fault}".splitlines()[0].rstrip(": ")
        folder = self.state_folder / "faults"
        path = folder / f"{time.strftime('%Y-%m-%d_%H-%M-%S')}_{os.getpid()}.txt"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write("".join(traceback.format_exception(fault)))
            where = f" Please report it with the file {path}."
        except OSError:
            where = ""
        return f"This is a bug in Enfilade: {what}. The session goes on.{where}"

    def remarks(self) -> Iterator[Line]:
        """Mistakes in the settings file, reported once."""
        from enfilade.language import line

        told, self._remarks = self._remarks, ()
        yield from (line(("warning", f"{self._settings_file}: {each}.")) for each in told)

    def _save_settings(self, settings: Settings) -> Iterator[Line]:
        from enfilade.language import line

        beside = self._settings_file.with_name(f".{self._settings_file.name}.{os.getpid()}")
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(settings.to_text(), encoding="utf-8")
            beside.replace(self._settings_file)
        except OSError as wrong:
            why = f"{self._settings_file} can't be written: {reason(wrong)}"
            yield line(("hint", f"The setting applies only to this session: {why}."))

    # -- files that change ----------------------------------------------------------------------------------

    @property
    def is_behind(self) -> bool:
        """Whether a rules file on disk differs from the ruleset in use."""
        return self._watch is not None and self._watch.behind

    def has_changed(self) -> bool:
        """Whether a watched file has changed since the last check."""
        session = self._session
        return session is not None and self._watch is not None and self._watch.is_changed(session.state.ruleset)

    def reload(self) -> None:
        """Reload changed files, unless a question is open."""
        session = self.session
        if session.state.asks or self._watch is None:
            return
        self._watch.note()
        self._echo("reload")
        _, lines = self._done(session, "reload")
        self._show(lines)
        self._watch.is_changed(session.state.ruleset)


def _entries(session: Session, text: str) -> Iterator[str]:
    """Split a text into entries lazily: each entry is found only after the entries before it have run."""
    from enfilade_repl.transcript import entries_of

    # A blank line at the end of pasted text must not answer the question that the text opens.
    lines = (text.rstrip("\n") if text.strip() else "").split("\n")
    yield from entries_of(lines, session.needs_more)


def _read(path: Path) -> tuple[Settings, tuple[str, ...]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Settings(), ()
    except OSError as wrong:
        return Settings(), (f"the settings can't be read: {reason(wrong)}",)
    except UnicodeDecodeError:
        return Settings(), ("the file is not encoded in UTF-8",)
    return read_settings(text)
