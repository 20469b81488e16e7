"""Adapters for prompt_toolkit: its completer, lexer and history, made of our pure functions.

A fault of ours in them must not end the prompt.
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

# Nobody looks through more, and the menu measures them all with each key.
_MOST: Final = 1_000


class EntryCompleter(Completer):
    """Completes entries."""

    def __init__(self, terminal_session: TerminalSession) -> None:
        self._terminal_session = terminal_session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """What could stand at the cursor; this runs in a thread of its own, and may wait for the library."""
        if self._terminal_session.settings["complete"] == "off":
            return
        with suppress(Exception):
            from enfilade_repl.completion import candidates

            for each in islice(candidates(self._terminal_session.session, document.text_before_cursor), _MOST):
                yield Completion(each.text, -each.start, display_meta=each.meta)


class EntryLexer(Lexer):
    """Colours entries."""

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
        """The same text looks otherwise once another ruleset is in use."""
        session = self._terminal_session.ready
        return None if session is None else id(session.state)


class EntryHistory(ThreadedHistory):
    """Keeps entries in a file, and no answers: what the dice showed then is nothing to suggest.

    Args:
        path: The file.
        is_asking: Whether an answer is being typed.
    """

    def __init__(self, path: str, is_asking: Callable[[], bool]) -> None:
        super().__init__(FileHistory(path))
        self._is_asking = is_asking

    def append_string(self, string: str) -> None:
        """Keep an entry."""
        if not self._is_asking():
            super().append_string(string)

    def store_string(self, string: str) -> None:
        """Write an entry; where the disk is full it is remembered until the session ends."""
        with suppress(OSError):
            super().store_string(string)
