"""The language reference by chapter: one file for those who search in it, and a page for each chapter on the site."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = "docs/language.md"
FOLDER: Final = "language"

_START: Final = "index"
# A web server takes a page with the name "index" for the first of its folder.
_NAMES: Final = {"index": "index-of-words"}
_TEXT: Final = Path(__file__).resolve().parents[2] / FILE


@cache
def chapters() -> Mapping[str, str]:
    """The text of each chapter by the name of its page, with its headings one level higher."""
    found: dict[str, list[str]] = {_START: []}
    for line, level, heading in _lines():
        if level == 2:
            found[_name(heading)] = []
        list(found.values())[-1].append(line[1:] if level > 1 else line)
    return {name: "".join(lines) for name, lines in found.items()}


@cache
def page_of(anchor: str) -> str:
    """The page that has a heading, by the heading's anchor in the file; the first page for any other anchor."""
    page = _START
    for _, level, heading in _lines():
        if level == 2:
            page = _name(heading)
        if level and _anchor(heading) == anchor:
            return f"{FOLDER}/{page}"
    return f"{FOLDER}/{_START}"


@cache
def _lines() -> tuple[tuple[str, int, str], ...]:
    """The lines, each with its level if it is a heading, else 0, and the text of the heading."""
    found, fence = [], False
    for line in _TEXT.read_text(encoding="utf-8").splitlines(keepends=True):
        fence ^= line.startswith("```")
        heading = None if fence else re.match(r"(#+) (.+)", line)
        found.append((line, len(heading[1]) if heading else 0, heading[2] if heading else ""))
    return tuple(found)


def _name(heading: str) -> str:
    return _NAMES.get(_anchor(heading), _anchor(heading))


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
