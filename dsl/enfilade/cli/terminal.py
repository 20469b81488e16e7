"""What the commands share for talking: streams, colours, JSON, and complaints."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO


class UsageError(Exception):
    """The command can't be done as it was given; exit code 2."""


class CheckFailed(Exception):
    """The ruleset has errors, which have been printed; exit code 1."""


def prepare_streams() -> None:
    """Let no character that a terminal lacks end a command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def has_color(stream: TextIO) -> bool:
    """Whether to use colours: on a terminal, unless ``NO_COLOR`` is set or the terminal has none."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def can_ask() -> bool:
    """Whether somebody sits at the keyboard."""
    return sys.stdin is not None and sys.stdin.isatty()


def complain(message: str) -> None:
    """Say what is wrong with a call."""
    from enfilade.diagnostics.columns import visible

    lines = message.splitlines() or [""]
    print("\n".join([f"enfilade: {visible(lines[0])}", *map(visible, lines[1:])]), file=sys.stderr)


def write_json(data: Any) -> None:
    """Print data for a program; all letters as they are where the stream can take them."""
    print(json.dumps(data, ensure_ascii=not is_utf8(), indent=2))


def is_utf8() -> bool:
    """Whether the output takes all letters."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")


def reason(wrong: Exception) -> str:
    """Why a file can't be read or written, in the words of the system."""
    return str(getattr(wrong, "strerror", None) or wrong).lower()


def counted(number: int, what: str) -> str:
    """A number of things.

    Examples:
        >>> counted(1, "error"), counted(2, "entry")
        ('1 error', '2 entries')
    """
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"
