"""What an editor tells about a word of the language: where the reference describes it, and the form of its lines."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from enfilade.editor.answers import Hover
from enfilade.editor.declaration_notes import DECLARATION_NOTES
from enfilade.source.text import SourceFile, Span


@cache
def _reference() -> Any:
    """The sections of the reference and the words in its index; ``python -m docs.keywords`` writes them."""
    return json.loads(Path(__file__).with_name("keywords.json").read_text(encoding="utf-8"))


def hover_of_keyword(source: SourceFile, start: int, end: int, kind: str) -> Hover | None:
    """Describe a keyword or dice; ``None`` if the index of the reference has no such word.

    Args:
        source: The text.
        start: Where the token begins.
        end: Where it ends.
        kind: Its kind.
    """
    span = Span(source, start, end)
    phrase = " ".join(span.text.split())
    line = source.line_text(span.line).split()
    sections = _sections("roll" if kind == "dice" else phrase)
    if not sections:
        return None
    # A word may stand in several forms: one with such a line comes first.
    title, form = min(sections, key=lambda each: not any(_is_like(row, line, phrase) for row in each[1].splitlines()))
    note = DECLARATION_NOTES.get(phrase, "") if line[:1] == [phrase.partition(" ")[0]] else ""
    about = note or f"*{title}*, in the reference of the language"
    return Hover(span, kind, phrase, lines=tuple(filter(None, (about, form and f"```\n{form}\n```"))))


def _is_like(row: str, line: list[str], phrase: str) -> bool:
    """Whether a line of a form begins like a line of the text, and has the phrase."""
    return row.split()[:1] == line[:1] and phrase in row


def _sections(phrase: str) -> list[tuple[str, str]]:
    """The titles and forms of the sections about a phrase, about one that it is a part of, or about a part of it."""
    words: dict[str, list[str]] = _reference()["words"]
    whole = (each for each in words if each.startswith(f"{phrase} ") or each.endswith(f" {phrase}"))
    parts = (each for each in sorted(words, key=len, reverse=True) if phrase.startswith(f"{each} "))
    alike = (each for each in words if each.split()[0] == phrase.split()[0])
    keys = [each for each in (phrase, *whole) if each in words] or [*parts] or [*alike]
    return [_reference()["sections"][anchor] for each in keys for anchor in words[each]]
