"""The pages that are made when the site is built: copies, lists of pages, cards, and the API."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen
from docs.site import chapters
from docs.site.api import api_pages
from docs.site.links import ROOT, copied_files, origins

import enfilade
from enfilade.language import CODES, page_for
from enfilade.tools import reference_card

_CONTENTS: Final = {
    "decisions/README": [page.split("/")[1] for page in sorted(origins()) if page.startswith("decisions/0")],
    "examples/index": [page.split("/")[1] for page in copied_files() if page.startswith("examples/")][1:],
    "language/index": [*chapters.chapters()][1:],
}
"""Pages of files that introduce others, and those others."""

_LISTS: Final = {
    "project": ("The project", "How Enfilade is made, and how to change it."),
    "games": (
        "The five games",
        "Each ruleset plays a printed game. Its page shows the reference card, follows the rulebook section by section, and ends with the rules themselves.",
    ),
}


@frozen
class MadePage:
    """A page that is made: its path from ``docs``, and its text."""

    path: str
    text: str


def made_pages() -> Iterator[MadePage]:
    """All pages that don't exist as files below ``docs``."""
    for page, origin in copied_files().items():
        text = (ROOT / origin).read_text(encoding="utf-8")
        yield MadePage(f"{page}.md", _with_card(page, text) if page.startswith("games/") else text)
    for folder, (title, text) in _LISTS.items():
        yield MadePage(f"{folder}/index.md", f"# {title}\n\n{text}\n\n{_toctree(_pages_in(folder))}")
    for name, text in chapters.chapters().items():
        yield MadePage(f"{chapters.FOLDER}/{name}.md", text)
    yield MadePage("diagnostics/index.md", _diagnostics_page())
    for code in CODES:
        yield MadePage(f"diagnostics/{code}.md", page_for(code) or "")
    for path, text in api_pages().items():
        yield MadePage(path, text)


def write_pages(pages: Iterable[MadePage], folder: Path) -> None:
    """Write made pages, and remove those of earlier builds. A page that is the same keeps its time, so it isn't read again."""
    texts = {folder / page.path: page.text for page in pages}
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for parent in {path.parent for path in texts}:
        for path in parent.iterdir():
            if path not in texts:
                path.unlink()


def with_contents(page: str, text: str) -> str:
    """Add the list of pages that the sidebar needs to a file that is read on the repository's host as well."""
    return f"{text}\n{_toctree(_CONTENTS[page], 'hidden')}" if page in _CONTENTS else text


@cache
def cards() -> Mapping[str, str]:
    """The reference card of each shipped game as a page of its own, by its path on the site."""
    return {f"{page}-card.html": reference_card(enfilade.load(page.split("/")[1])) for page in _pages_in("games", "")}


def _pages_in(folder: str, above: str | None = None) -> list[str]:
    """The copied pages of a folder, named from *above*, by default the folder itself."""
    start = f"{folder}/" if above is None else above
    return [page.removeprefix(start) for page in copied_files() if page.startswith(f"{folder}/")]


def _toctree(pages: Iterable[str], *options: str) -> str:
    lines = ["```{toctree}", *(f":{option}:" for option in options), ":maxdepth: 1", "", *pages, "```", ""]
    return "\n".join(lines)


def _with_card(page: str, text: str) -> str:
    """Put the card of a game before the first section of its README, and the rules after the last."""
    name = page.split("/")[1]
    beginning, heading, rest = text.partition("\n## ")
    card = (
        f"\n## The card\n\n```{{raw}} html\n"
        f'<iframe class="card" src="{name}-card.html" title="Reference card of {name}"></iframe>\n'
        f'<p><a href="{name}-card.html">The card on a page of its own</a>, to print.</p>\n```\n'
    )
    files = sorted((ROOT / "rulesets" / name).glob("*.rules"), key=lambda path: (path.stem != name, path.stem))
    rules = "".join(f"\n## {path.name}\n\n```rules\n{path.read_text(encoding='utf-8')}```\n" for path in files)
    return f"{beginning}{card}{heading}{rest}\n{rules}"


def _diagnostics_page() -> str:
    rows = "".join(f"| [{code}]({code}.md) | {title} |\n" for code, title in CODES.items())
    return (
        "# Diagnostics\n\nEach message of the checker has a code, in brackets after `error` or `warning`. "
        "Its page says what the checker found, why it matters, and how to correct it. "
        "`enfilade explain CODE` prints the same page.\n\n"
        f"| code | meaning |\n|---|---|\n{rows}\n{_toctree(CODES, 'hidden')}"
    )
