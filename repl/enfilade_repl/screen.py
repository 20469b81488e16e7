"""Prints styled lines on a terminal: wrapped, coloured by a theme, through a pager if there are many.

On a dumb terminal they are printed as plain text.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import StringIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from prompt_toolkit.output import Output

    from enfilade.language import Line

_KEPT_ROWS: Final = 2


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


def pager_command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The command of the pager for long output; empty if there is no pager.

    Examples:
        >>> pager_command({"PAGER": "less -R"})
        ['less', '-R']
    """
    try:
        chosen = shlex.split(environment.get("PAGER", ""))
    except ValueError:
        chosen = []
    return chosen or next(([each] for each in ("less", "more") if shutil.which(each)), [])


class Screen:
    """Shows lines on a terminal.

    Args:
        output: The terminal; ``None`` for a terminal that supports only plain text.
        is_paged: Whether a pager may be used.
    """

    def __init__(self, output: Output | None, *, is_paged: bool = True) -> None:
        self._output = output
        self._is_paged = is_paged and output is not None and sys.stdout.isatty()
        self.theme = "dark"

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
            pages: Whether long output may go to the pager.
        """
        from enfilade.language import folded

        columns = self.columns
        rows = [row for each in lines for row in folded(each, columns)]
        if not rows:
            return
        paged = pages and self._is_paged and len(rows) > self.rows - _KEPT_ROWS
        if not (paged and self._paged(rows)):
            self._print(rows)

    def _print(self, rows: list[Line]) -> None:
        if self._output is None:
            from enfilade.language import plain

            print(plain(rows), flush=True)
            return
        _render(self._output, rows, self.theme)

    def _paged(self, rows: list[Line]) -> bool:
        command = pager_command()
        if not command:
            return False
        colored = os.path.basename(command[0]).startswith("less")
        return run_pager(command, ansi(rows, self.theme) if colored else _plain(rows))


def _plain(rows: list[Line]) -> str:
    from enfilade.language import plain

    return plain(rows) + "\n"


def ansi(rows: list[Line], theme: str) -> str:
    """Convert lines to text with ANSI escape sequences."""
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.output.vt100 import Vt100_Output

    written = StringIO()
    _render(Vt100_Output(written, lambda: Size(rows=24, columns=80), enable_cpr=False), rows, theme)
    return written.getvalue().replace("\r\n", "\n")


def _render(output: Output, rows: list[Line], theme: str) -> None:
    from prompt_toolkit.renderer import print_formatted_text

    from enfilade_repl.theme import depth_of, fragments_of, style_of

    # `print_formatted_text` of the shortcuts would print only after a running application ends.
    print_formatted_text(output, fragments_of(rows), style_of(theme), color_depth=depth_of(theme))


# `e` ends `less` when Space is pressed on the last page. `LESSSECURE` keeps a player who goes on typing commands there from
# writing files.
_LESS: Final = "FRXe -PsSpace shows the next page, q returns to the prompt"


def run_pager(command: list[str], text: str) -> bool:
    """Show a text page by page.

    Args:
        command: The pager.
        text: The text.

    Returns:
        Whether it could be shown.
    """
    environment = {"LESS": _LESS, "LESSSECURE": "1", **os.environ}
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    encoding = sys.stdout.encoding or "utf-8"
    try:
        pager.communicate(text.encode(encoding, "replace"))
    except KeyboardInterrupt:
        _wait_for(pager)
    return True


def _wait_for(pager: subprocess.Popen[bytes]) -> None:
    """Wait for a pager to end; Ctrl-C goes to the pager, which handles it and continues."""
    with suppress(OSError, ValueError):
        assert pager.stdin is not None
        pager.stdin.close()
    while pager.returncode is None:
        with suppress(KeyboardInterrupt):
            pager.wait()
