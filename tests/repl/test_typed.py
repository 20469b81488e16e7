"""What is typed, and what must be said: runs the cases of the files `transcripts/*.typed`.

A case begins with `#` and the sentence that it proves, and has a session and a folder of its own; after `##` it is thorough,
as it takes long. Its lines begin with:

    @ NAME           what follows, two blanks to the right, is written to a file; before the first case: in every case
    @ NAME: A => B   the text A of a file is replaced by B
    > ENTRY          is typed, and must go well; after `1>` the rules refuse it, after `2>` it is wrong and changes nothing
    ... MORE         goes on with the entry
    = TEXT           is the reply; further lines with `=` go on with it
    ^ TEXT           is what the reply begins with, and
    $ TEXT           what it ends with
    ~ TEXT           is in the reply
    ! TEXT           is not in the reply
    == ENTRY         says the same, and
    =~ ENTRY         says the same, but for a line that quotes the entry
    ? TEXT           is what is asked next, or its beginning
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from enfilade.language import plain
from enfilade_repl.session import Session

FILES: Final = sorted(Path(__file__).with_name("transcripts").glob("*.typed"))
CODES: Final = {">": 0, "1>": 1, "2>": 2}


def cases() -> Iterator[Any]:
    """Each case, with the files that stand before the first one of its text."""
    for path in FILES:
        before, *each = re.split(r"^(##?) (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for mark, name, text in zip(each[::3], each[1::3], each[2::3], strict=True):
            marks = pytest.mark.thorough if mark == "##" else ()
            yield pytest.param(before + text, id=f"{path.stem}: {name}", marks=marks)


def steps(text: str) -> Iterator[tuple[str, str]]:
    """The marks and what they stand before; lines that go on with another are one with it."""
    mark, texts = "", [""]
    for each in (*filter(None, text.splitlines()), "end"):
        first, _, rest = each.partition(" ")
        if first in ("", "..."):
            texts.append(rest.removeprefix(" ") if first == "" else rest)
        elif first == mark and mark in ("=", "^", "$"):
            texts.append(rest)
        else:
            if mark:
                yield mark, "\n".join(texts)
            mark, texts = first, [rest]


@pytest.mark.parametrize("case", list(cases()))
def test_what_is_typed_is_answered(
    case: str, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = ""

    def entered(entry: str, code: int) -> str:
        before = session.state
        reply = session.enter(entry)
        told = plain(reply.lines)
        assert reply.code == code, f"{entry}: {told}"
        assert code != 2 or session.state is before, entry
        assert "Traceback" not in told
        return told

    for mark, text in steps(case):
        match mark:
            case "@":
                write(text)
            case ">" | "1>" | "2>":
                said = entered(text, CODES[mark])
            case "=":
                assert said == text
            case "^":
                assert said[: len(text)] == text
            case "$":
                assert said[-len(text) :] == text
            case "~":
                assert text in said
            case "!":
                assert text not in said
            case "==":
                assert said == entered(text, 0)
            case "=~":
                assert_same_but_a_line(said, entered(text, 0))
            case "?":
                assert plain([session.prompt])[: len(text)] == text
            case _:
                raise AssertionError(f"no such mark: {mark}")


def write(text: str) -> None:
    """Write a file, or replace a part of one."""
    head, _, body = text.partition("\n")
    name, _, change = head.partition(": ")
    if change:
        old, new = change.split(" => ")
        body = Path(name).read_text(encoding="utf-8")
        assert old in body
        body = body.replace(old, new)
    Path(name).write_text(body + "\n" * (not change), encoding="utf-8")


def assert_same_but_a_line(said: str, other: str) -> None:
    """The same lines, however wide their columns are, but for one that quotes what was typed."""
    lines = [[" ".join(line.split()) for line in each.splitlines()] for each in (said, other)]
    differing = [pair for pair in zip(*lines, strict=True) if pair[0] != pair[1]]
    assert len(differing) <= 1, differing
