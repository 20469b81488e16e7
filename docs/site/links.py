"""Which files of the repository are pages of the site, and where their links lead there.

The files are read on the repository's host as well, so their links name files beside them. On the site, a link to a
file that is a page leads to the page; the label of any other link stays as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Final

from docs.site import chapters

ROOT: Final = Path(__file__).resolve().parents[2]
HOME: Final = "index"

_COPIED: Final = (
    ("CHANGELOG.md", "project/changelog"),
    ("CONTRIBUTING.md", "project/contributing"),
    ("SECURITY.md", "project/security"),
    ("dsl/README.md", "project/changing-the-language"),
    ("repl/README.md", "project/repl"),
    ("web/README.md", "project/web-page"),
    ("web/client/README.md", "project/typescript-client"),
    ("editors/vscode/README.md", "project/vscode"),
    ("benchmarks/README.md", "project/benchmarks"),
    ("tests/conformance/README.md", "project/conformance"),
    ("stdlib/README.md", "project/standard-library"),
    ("examples/README.md", "examples/index"),
    ("examples/*/README.md", "examples/{folder}"),
    ("rulesets/*/README.md", "games/{folder}"),
)
"""Files outside ``docs`` that become pages, and the names of those pages. A file that does not exist is left out."""

# A piece of code, which stays, or a link. A label may hold code and brackets of its own.
_PIECE: Final = re.compile(r"`+[^`]*`+|\[(?P<label>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
_ELSEWHERE: Final = re.compile(r"[a-z]+:")
_FENCE: Final = re.compile(r"\s*(```+|~~~+)")


@cache
def copied_files() -> Mapping[str, str]:
    """The files outside ``docs`` that become pages, by the name of the page; paths start at the repository."""
    return {
        page.format(folder=path.parent.name, stem=path.stem): path.relative_to(ROOT).as_posix()
        for pattern, page in _COPIED
        for path in sorted(ROOT.glob(pattern))
    }


@cache
def origins() -> Mapping[str, str]:
    """The file behind each page that comes from one."""
    docs = ROOT / "docs"
    # The home page is written for the site alone.
    own = [path for path in (*docs.glob("*.md"), *docs.glob("decisions/*.md")) if path.stem != HOME]
    found = {path.relative_to(docs).with_suffix("").as_posix(): path.relative_to(ROOT).as_posix() for path in own}
    parts = {f"{chapters.FOLDER}/{name}": chapters.FILE for name in chapters.chapters()}
    return {page: file for page, file in found.items() if file != chapters.FILE} | parts | dict(copied_files())


@cache
def _pages() -> Mapping[str, str]:
    """The page of each file, and of each folder with a README."""
    found = {origin: page for page, origin in origins().items()} | {"README.md": HOME}
    return found | {dirname(origin): page for origin, page in found.items() if origin.endswith("/README.md")}


def with_site_links(text: str, page: str, origin: str) -> str:
    """Let the links of a Markdown file lead to pages of the site.

    Args:
        text: The Markdown.
        page: The page that the text becomes, such as ``games/bombardment``.
        origin: The file, from the root of the repository.

    Raises:
        ValueError: A link names a file that does not exist.
    """

    def adapted(piece: re.Match[str]) -> str:
        target = piece["target"]
        if target is None or _ELSEWHERE.match(target):
            return piece[0]
        path, _, anchor = target.partition("#")
        file = normpath(join(dirname(origin), path)) if path else origin
        if not (ROOT / file).exists():
            raise ValueError(f"{origin} has a link to {target}, which does not exist")
        leads_to = chapters.page_of(anchor) if file == chapters.FILE else page if not path else _pages().get(file)
        if leads_to is None:
            return piece["label"]
        place = f"{relpath(leads_to, dirname(page) or '.')}.md" if leads_to != page else ""
        return f"[{piece['label']}]({place}{'#' if anchor else ''}{anchor})"

    lines, fence = [], ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == fence:
            fence = ""
        lines.append(line if fence or mark else _PIECE.sub(adapted, line))
    return "".join(lines)
