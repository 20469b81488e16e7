"""Prints styled lines on a terminal: wrapped, coloured by a theme, one screen at a time if there are many.

On a dumb terminal they are printed as plain text.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prompt_toolkit.output import Output

    from enfilade.language import Line

_SHORTEST_PAGE: Final = 5


@contextmanager
def keys_kept() -> Iterator[None]:
    """Keep keys typed ahead for the prompt: in raw mode, without echo.

    In line mode the terminal would show the keys twice and consume Ctrl-D. Ctrl-C still interrupts the entry that runs.
    """
    try:
        import termios
    except ImportError:
        # This system has no POSIX terminals.
        yield
        return
    if sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    kept = termios.tcgetattr(stream)
    kept[0] &= ~termios.ICRNL
    kept[3] &= ~(termios.ECHO | termios.ICANON)
    kept[6][termios.VMIN] = 1
    termios.tcsetattr(stream, termios.TCSANOW, kept)
    try:
        yield
    finally:
        termios.tcsetattr(stream, termios.TCSANOW, before)


def is_dumb(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal supports nothing but plain text."""
    return environment.get("TERM", "").lower() in ("dumb", "unknown")


class Screen:
    """Shows lines on a terminal.

    Args:
        output: The terminal; ``None`` for a terminal that supports only plain text.

    Attributes:
        theme: The theme of the colours.
        prompt_rows: The rows that the prompt needs below a page.
    """

    def __init__(self, output: Output | None) -> None:
        self._output = output
        self._is_paged = output is not None and sys.stdout.isatty()
        self.theme = "dark"
        self.prompt_rows = 2
        self._rest: list[Line] = []

    @property
    def columns(self) -> int:
        """The width of the terminal in columns."""
        if self._output is None:
            return shutil.get_terminal_size().columns
        return self._output.get_size().columns or 80

    @property
    def rows(self) -> int:
        """The height of the terminal in rows."""
        return shutil.get_terminal_size().lines if self._output is None else self._output.get_size().rows or 24

    def show(self, lines: Iterable[Line], *, pages: bool = False) -> None:
        """Print lines.

        Args:
            lines: The lines.
            pages: Whether to stop after one screen; ``show_more`` prints the next.
        """
        from enfilade.language import folded

        columns = self.columns
        rows = [row for each in lines for row in folded(each, columns)]
        if pages and self._is_paged:
            self._rest = rows
            self.show_more()
        elif rows:
            self._print(rows)

    def show_more(self) -> bool:
        """Print the next screen of long output.

        Returns:
            Whether there was more to print.
        """
        from enfilade.language import line, plain

        # One row tells how much is left. A line that must not be folded may need several rows.
        page = max(self.rows - self.prompt_rows - 1, _SHORTEST_PAGE)
        heights = accumulate(max(1, -(-len(plain([each])) // self.columns)) for each in self._rest)
        count = max(1, sum(height <= page for height in heights))
        rows, self._rest = self._rest[:count], self._rest[count:]
        if self._rest:
            left = f"{len(self._rest)} more {'line' if len(self._rest) == 1 else 'lines'}"
            rows.append(line(("hint", f"{left}. Press Enter for the next screen.")))
        if rows:
            self._print(rows)
        return bool(rows)

    def forget_more(self) -> None:
        """Drop the rest of long output."""
        self._rest = []

    def _print(self, rows: list[Line]) -> None:
        if self._output is None:
            from enfilade.language import plain

            print(plain(rows), flush=True)
            return
        _render(self._output, rows, self.theme)


def _render(output: Output, rows: list[Line], theme: str) -> None:
    from prompt_toolkit.renderer import print_formatted_text

    from enfilade_repl.theme import depth_of, fragments_of, style_of

    # `print_formatted_text` of the shortcuts would print only after a running application ends.
    print_formatted_text(output, fragments_of(rows), style_of(theme), color_depth=depth_of(theme))
