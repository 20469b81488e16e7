"""Adapters for prompt_toolkit: a completer, a lexer and a history that call our pure functions.

An internal error in an adapter must not end the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, ThreadedHistory
from prompt_toolkit.lexers import Lexer

from enfilade_repl.terminal_session import TerminalSession

# Nobody reads a longer menu, and prompt_toolkit measures every item after each key.
_MOST: Final = 1_000


class EntryCompleter(Completer):
    """Completes entries."""

    def __init__(self, terminal_session: TerminalSession) -> None:
        self._terminal_session = terminal_session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The completions at the cursor; this runs in a separate thread and may wait for the library."""
        if self._terminal_session.settings["complete"] == "off":
            return
        with suppress(Exception):
            from enfilade_repl.completion import candidates

            for each in islice(candidates(self._terminal_session.session, document.text_before_cursor), _MOST):
                yield Completion(each.text, -each.start, display_meta=each.meta)


class EntryLexer(Lexer):
    """Highlights entries."""

    def __init__(self, terminal_session: TerminalSession) -> None:
        self._terminal_session = terminal_session

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """The styles of each line."""
        lines: list[StyleAndTextTuples] = [[("", each)] for each in document.lines]
        session = self._terminal_session.ready
        if session is not None:
            with suppress(Exception):
                from enfilade_repl.highlighting import highlighted

                styled = highlighted(session, document.text)
                lines = [[(f"class:{style}" if style else "", text) for style, text in each] for each in styled]
        return lambda number: lines[number] if number < len(lines) else []

    def invalidation_hash(self) -> Hashable:
        """The cache key of the styles: they depend on the ruleset in use."""
        session = self._terminal_session.ready
        return None if session is None else id(session.state)


class EntryHistory(ThreadedHistory):
    """Keeps entries in a file, but not answers, because earlier dice must not be suggested.

    Args:
        path: The file.
        is_asking: Whether an answer is being typed.
    """

    def __init__(self, path: str, is_asking: Callable[[], bool]) -> None:
        super().__init__(FileHistory(path))
        self._is_asking = is_asking

    def append_string(self, string: str) -> None:
        """Add an entry to the history, unless it is an answer."""
        if not self._is_asking():
            super().append_string(string)

    def store_string(self, string: str) -> None:
        """Write an entry to the file; if that fails, the entry stays in memory until the session ends."""
        with suppress(OSError):
            super().store_string(string)
