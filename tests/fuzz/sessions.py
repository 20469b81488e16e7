"""The part that types at the prompt: transcripts and scripts of the repository, mixed and mutated, without a terminal."""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Final

from tests.fuzz.mutation import mutated
from tests.fuzz.part import Part
from tests.fuzz.seeds import GAMES, ROOT

from enfilade.language import plain
from enfilade_repl.commands import COMMANDS
from enfilade_repl.dispatch import new_session

_TYPED: Final = re.compile(r"^\w+> (.*)$", re.MULTILINE)
_FILES: Final = ("save", "record", "share", "open", "load", "test", "check", "sample")
MOST: Final = 12


@cache
def entries() -> tuple[str, ...]:
    """The entries of all transcripts, of the scripts of the tests, and of the pages."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/repl/transcripts").glob("*.script"))]
    pages = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))]
    typed = [entry for page in pages for entry in _TYPED.findall(page)]
    return (*typed, *(line for script in scripts for line in script.splitlines()), *COMMANDS_TO_TYPE)


COMMANDS_TO_TYPE: Final = tuple(
    f"{command.name} {rest}".strip()
    for command in COMMANDS
    for rest in ("", "direct_fire", "fire_value 16", "of M or worse", "2", "x", "(", "result = 3", "unit a (steps 2)")
)


def _inputs(rng: random.Random) -> Iterator[str]:
    while True:
        lines = ["set patience 1s", f"use {rng.choice(GAMES)}"]
        at = rng.randrange(len(entries()))
        for _ in range(rng.randint(2, MOST)):
            at = (at + 1) % len(entries()) if rng.random() < 0.7 else rng.randrange(len(entries()))
            line = entries()[at]
            lines.append(mutated(line, rng, entries()).replace("\n", " ") if rng.random() < 0.4 else line)
            lines += [rng.choice(["", "1 2", "yes", "a", "all", "undo"])] * rng.choice([0, 0, 0, 1, 3])
        yield "\n".join(lines)


def run_session(script: str) -> None:
    """Type the lines of a script; a reply is a message and a code, never an exception."""
    with tempfile.TemporaryDirectory() as folder:
        # Deep enough that no `..` of an entry leaves it.
        inner = Path(folder, *"abcdefgh")
        os.makedirs(inner)
        with chdir(inner):
            session = new_session(seed="7")
            for line in script.splitlines():
                typed = line.strip()
                # No command reads or writes a file that an entry names.
                if not (typed.lstrip("/").startswith(_FILES) and ("/" in typed[1:] or "~" in line)):
                    plain(session.enter(line).lines)
                    plain([session.prompt])


SESSIONS: Final = Part("sessions", _inputs, run_session, slow=20.0)
