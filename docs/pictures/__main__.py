"""Draws the pictures of the README, and writes them beside this file: ``python -m docs.pictures``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from docs.pictures.card_picture import card_picture
from docs.pictures.session_picture import session_picture

import enfilade
from enfilade_repl.dispatch import new_session
from enfilade_repl.transcript import entries_in

FOLDER: Final = Path(__file__).parent
_README: Final = FOLDER.parents[1] / "README.md"
_SESSION: Final = re.compile(r"<!-- session -->\n```\w*\n(.*?)```", re.DOTALL)


def pictures() -> dict[str, str]:
    """The pictures by file name: the card of a shipped ruleset, and the session that the README shows as text."""
    session = _SESSION.search(_README.read_text(encoding="utf-8"))
    if session is None:
        raise ValueError("README.md has no session")
    return {
        "card.svg": card_picture(enfilade.load("infantry_attacks")),
        "session.svg": session_picture(entries_in(new_session(), session[1])),
    }


if __name__ == "__main__":
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
