"""Sessions as they are typed (`.script`) and as they come out (`.txt`): played again, they come out the same.

`python tests/repl/test_transcripts.py` writes what comes out again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session
from enfilade_repl.transcript import COLUMNS, entries_in, play_lines, replay

FOLDER = Path(__file__).with_name("transcripts")
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))
FLAGSHIPS = [path for path in TRANSCRIPTS if path.name.startswith("flagship_")]


def session() -> Session:
    return new_session(columns=COLUMNS)


@pytest.mark.parametrize("name", ["definitions", "flagship_musketry_exchange"])
def test_a_transcript_comes_out_the_same(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    came: list[str] = []
    difference = replay(session(), path.read_text(encoding="utf-8"), came.append)
    assert difference is None, f"{path.name}, {difference}"
    assert "".join(came) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(each, id=each.stem, marks=pytest.mark.thorough if each.stem == "matters" else ())
        for each in TRANSCRIPTS
    ],
)
def test_a_script_comes_out_as_its_transcript(path: Path) -> None:
    assert played(path.with_suffix(".script")) == path.read_text(encoding="utf-8")


def test_what_was_typed_is_found_in_a_transcript() -> None:
    text = (FOLDER / "definitions.txt").read_text(encoding="utf-8")
    assert entries_in(session(), text)[2].startswith("facts\n  strength")


@pytest.mark.parametrize("path", FLAGSHIPS, ids=lambda path: path.stem)
def test_the_flagship_combat_of_a_document_takes_eight_entries_at_most(path: Path) -> None:
    first, *typed = path.with_suffix(".script").read_text(encoding="utf-8").splitlines()
    assert first.startswith("seed ")
    assert 1 < len(typed) <= 8


def test_every_document_has_its_flagship_combat() -> None:
    used = {
        line.split()[-1]
        for path in FLAGSHIPS
        for line in path.read_text(encoding="utf-8").splitlines()
        if "> use " in line
    }
    assert used == {"bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks"}


def played(script: Path) -> str:
    """What comes of a script."""
    written: list[str] = []
    play_lines(session(), script.read_text(encoding="utf-8").splitlines(), written.append)
    return "".join(written)


if __name__ == "__main__":
    for each in FOLDER.glob("*.script"):
        each.with_suffix(".txt").write_text(played(each), encoding="utf-8")
