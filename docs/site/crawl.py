"""Follows every link of a built site, without a network: ``python -m docs.site.crawl FOLDER`` prints those that lead nowhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The links, the files that are loaded, and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attributes if value}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a":
            self.links += [found["href"]] if "href" in found else []
        else:
            self.loaded += [found[name] for name in ("src", "href") if name in found]


def faults_of(folder: Path) -> Iterator[str]:
    """The links that lead to no page or no anchor of the site, and the files that a page loads from elsewhere."""
    pages = {
        path.relative_to(folder).as_posix(): _Page(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
    }
    for name, page in pages.items():
        for link in page.links:
            if not urlsplit(link).scheme and not _is_found(pages, folder, name, link):
                yield f"{name}: {link} leads nowhere"
        for file in page.loaded:
            if urlsplit(file).netloc:
                yield f"{name}: {file} is loaded from elsewhere"


def _is_found(pages: Mapping[str, _Page], folder: Path, name: str, link: str) -> bool:
    parts = urlsplit(link)
    target = normpath(join(dirname(name), unquote(parts.path))) if parts.path else name
    if target not in pages:
        return not parts.fragment and (folder / target).is_file()
    return not parts.fragment or unquote(parts.fragment) in pages[target].anchors


if __name__ == "__main__":
    found = list(faults_of(Path(sys.argv[1])))
    print(*found, sep="\n")
    sys.exit(bool(found))
