"""Writes what editors tell of the words of the language, from the index and the forms of ``language.md``.

Run it from the repository with ``python -m docs.keywords`` after a change of that page.
"""

import json
import re
from pathlib import Path

PAGE = Path(__file__).with_name("language.md")
FILE = Path(__file__).parents[1] / "dsl/enfilade/editor/keywords.json"
_SECTION = re.compile(r"^##+ (.+)$", re.MULTILINE)
_FORM = re.compile(r"\*\*Form\*\*\n\n```\n((?s:.*?))\n```|\*\*Form\*\* (`.+)")
_LINK = re.compile(r"\[([^][]*)\]\(#([\w-]+)\)")
_QUOTED = re.compile(r"`([^`]+)`")
_WORDS = re.compile(r"[a-z/]+(?: [a-z/]+)*")


def keywords() -> dict[str, dict[str, list[str]]]:
    """The sections with their titles and forms, and the section of each word and phrase."""
    text = PAGE.read_text("utf-8")
    parts = _SECTION.split(text)
    sections = {}
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        form = _FORM.search(body)
        shown = "" if form is None else form[1] or "\n".join(_QUOTED.findall(form[2]))
        sections[_anchor(title)] = [title, shown]
    index = parts[parts.index("Words of the language") + 1]
    entries = [entry for line in index.splitlines() for entry in line.removeprefix("- ").split(" · ")]
    # An entry begins with its word, and each of its links is about it; then come the phrases of the links.
    pairs = [(_QUOTED.findall(entry)[0], anchor) for entry in entries for _, anchor in _LINK.findall(entry)]
    pairs += [
        (phrase, anchor)
        for entry in entries
        for shown, anchor in _LINK.findall(entry)
        for quoted in _QUOTED.findall(shown)
        for phrase in _WORDS.findall(quoted)
    ]
    found: dict[str, list[str]] = {}
    for phrase, anchor in pairs:
        if anchor not in found.setdefault(phrase, []):
            found[phrase].append(anchor)
    used = {anchor for anchors in found.values() for anchor in anchors}
    return {
        "sections": {anchor: each for anchor, each in sections.items() if anchor in used},
        "words": dict(sorted(found.items())),
    }


def _anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def written() -> str:
    """The text of the file."""
    return json.dumps(keywords(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
