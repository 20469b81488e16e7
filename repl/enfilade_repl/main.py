"""Entry points of ``enfilade``, ``enfilade repl`` and ``enfilade play``: at a terminal, from a pipe, from a file.

The prompt must appear at once, so no module that imports the library may be imported at the top.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enfilade import UsageError
from enfilade.terminal import is_utf8, reason

if TYPE_CHECKING:
    from enfilade_repl.session import Session

_DIFFERS: Final = 1


def run_repl(args: Namespace) -> int:
    """Open a session: at a terminal, or with entries from a pipe."""
    opening = [f"use {args.ruleset}"] if getattr(args, "ruleset", None) else []
    seed: str | None = getattr(args, "seed", None)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from enfilade_repl.app import run_terminal

        return run_terminal(opening, seed=seed)
    return _played([*opening], sys.stdin, seed, getattr(args, "columns", None))


def run_play(args: Namespace) -> int:
    """Play a script of entries, or replay a transcript and report the first difference."""
    from enfilade_repl.transcript import is_transcript, replay

    text = _text_of(args.script)
    if not is_transcript(text):
        return _played([], iter(text.splitlines()), args.seed, args.columns)
    difference = replay(_session(args.seed, args.columns), text, _write)
    if difference is None:
        return 0
    print(f"enfilade: {args.script}, {difference}", file=sys.stderr)
    return _DIFFERS


def _played(opening: list[str], lines: Iterator[str], seed: str | None, columns: int | None) -> int:
    from itertools import chain

    from enfilade_repl.transcript import play_lines

    return play_lines(_session(seed, columns), chain(opening, lines), _write)


def _session(seed: str | None, columns: int | None) -> Session:
    from enfilade_repl.dispatch import new_session
    from enfilade_repl.transcript import COLUMNS

    session = new_session(seed=seed, columns=columns or COLUMNS)
    session.plain = not is_utf8()
    return session


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _text_of(script: str) -> str:
    try:
        return sys.stdin.read() if script == "-" else Path(script).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{script} is not UTF-8") from None
    except OSError as wrong:
        from enfilade.files import shipped_names

        if script in shipped_names():
            hint = f"`enfilade repl {script}` starts a session with it"
            raise UsageError(f"{script} is a ruleset, and `play` takes a file of entries; {hint}") from None
        raise UsageError(f"{script} can't be read: {reason(wrong)}") from None
