"""What an editor tells about a word of the language: where the reference describes it, and the form of its lines."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from enfilade.editor.answers import Hover
from enfilade.editor.declaration_notes import DECLARATION_NOTES
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.unexpected import KEYWORDS

_WORD: Final = re.compile(r"(\d*d\d+)\b|\b[a-z]+(?:/[a-z]+)?\b")
_SIGNS: Final = ("yes/no",)
# A comment, or a row of a chart.
_NO_CODE: Final = re.compile(r"(?:^|\s)--(?:\s|$)|^\s*\|")


@cache
def _reference() -> Any:
    """The sections of the reference and the words in its index; ``python -m docs.keywords`` writes them."""
    return json.loads(Path(__file__).with_name("keywords.json").read_text(encoding="utf-8"))


def hover_of_keyword(source: SourceFile, offset: int) -> Hover | None:
    """Describe the keyword or the dice at a place; ``None`` if none is there.

    Args:
        source: The text.
        offset: The place.
    """
    whole = source.line_span(source.line_column(offset)[0])
    # Tokens would tell more exactly what is code, but take longer than a hover may.
    if whole.text[: offset - whole.start].count('"') % 2 or _NO_CODE.search(whole.text, 0, offset - whole.start):
        return None
    words = _WORD.finditer(whole.text)
    at = next((each for each in words if each.start() <= offset - whole.start < each.end()), None)
    if at is None or not (at[1] or at[0] in KEYWORDS or at[0] in _SIGNS):
        return None
    word, line = at[0], whole.text.split()
    sections = _sections("roll" if at[1] else word)
    if not sections:
        return None
    # A word may stand in several forms: one with such a line comes first.
    title, form = min(sections, key=lambda each: not any(_is_like(row, line, word) for row in each[1].splitlines()))
    note = DECLARATION_NOTES.get(word, "") if line[:1] == [word] else ""
    about = note or f"*{title}*, in the reference of the language"
    span = Span(source, whole.start + at.start(), whole.start + at.end())
    return Hover(
        span, "dice" if at[1] else "keyword", word, lines=tuple(filter(None, (about, form and f"```\n{form}\n```")))
    )


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
