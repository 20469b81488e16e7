"""The documentation site has the pages that it promises, and links between files become links between pages.

``.ci/run`` builds it, fails at any warning, and follows all links.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from enfilade.files import shipped_names
from enfilade.language import CODES

pytest.importorskip("sphinx")
pytestmark = pytest.mark.thorough

from docs.site.api import public_modules  # noqa: E402  # it needs Sphinx
from docs.site.crawl import faults_of  # noqa: E402
from docs.site.links import ROOT, origins, with_site_links  # noqa: E402
from docs.site.pages import made_pages  # noqa: E402


def test_every_diagnostic_game_public_module_and_file_of_the_documentation_has_its_page() -> None:
    docs = ROOT / "docs"
    own = [path.relative_to(docs) for path in (*docs.glob("*.md"), *docs.glob("decisions/*.md"))]
    pages = {path.with_suffix("").as_posix() for path in (*own, *(Path(page.path) for page in made_pages()))}
    promised = {f"diagnostics/{code}" for code in CODES} | {f"api/{module}" for module in public_modules()}
    assert promised | {f"games/{name}" for name in shipped_names()} | set(origins()) <= pages


def test_the_crawl_finds_broken_links_and_files_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top"></h1><a href="#top"></a><a href="b/c.html#x"></a><a href="b/d.html"></a><a href="https://example.org"></a>'
    )
    (tmp_path / "b").mkdir()
    (tmp_path / "b/c.html").write_text('<a href="../a.html#top"></a><script src="https://example.org/e.js"></script>')
    assert list(faults_of(tmp_path)) == [
        "a.html: b/c.html#x leads nowhere",
        "a.html: b/d.html leads nowhere",
        "b/c.html: https://example.org/e.js is loaded from elsewhere",
    ]


@pytest.mark.parametrize(
    ("text", "page", "origin", "adapted"),
    [
        (
            "See [limits](docs/embedding.md#limits), [games](rulesets/bombardment) and [tests](tests/golden).",
            "project/security", "SECURITY.md",
            "See [limits](../embedding.md#limits), [games](../games/bombardment.md) and tests.",
        ),
        # Links in code and links to other hosts stay.
        ("`[a](b)` [c](https://example.org/d) [e](#f)\n```\n[g](h)\n```\n", "playing", "docs/playing.md", None),
    ],
)  # fmt: skip
def test_a_link_between_files_leads_to_the_page_of_the_file(
    text: str, page: str, origin: str, adapted: str | None
) -> None:
    assert with_site_links(text, page, origin) == (adapted or text)


def test_a_link_to_a_file_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match=re.escape("docs/playing.md has a link to nowhere.md, which does not exist")):
        with_site_links("[a](nowhere.md)", "playing", "docs/playing.md")
