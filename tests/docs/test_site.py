"""The documentation site: it builds without a warning, has the pages that it promises, and links between files become links between pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.site.api import public_modules
from docs.site.crawl import faults_of
from docs.site.links import ROOT, origins, with_site_links

from enfilade.files import shipped_names
from enfilade.language import CODES


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The pages that Sphinx reads. Any warning is a failure, such as a link to an anchor that does not exist.

    No HTML is written, which takes minutes; ``.ci/run`` writes it and follows its links.
    """
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-b", "dummy", "-d", str(folder)]
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder / "none")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    return {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.doctree")}


def test_every_diagnostic_game_and_public_module_has_its_page(pages: set[str]) -> None:
    promised = {f"diagnostics/{code}" for code in CODES} | {f"api/{module}" for module in public_modules()}
    assert promised | {f"games/{name}" for name in shipped_names()} <= pages


def test_every_file_of_the_documentation_is_on_the_site(pages: set[str]) -> None:
    assert set(origins()) <= pages


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


def test_a_link_between_files_leads_to_the_page_of_the_file() -> None:
    text = "See [limits](docs/embedding.md#limits), [games](rulesets/bombardment) and [tests](tests/golden)."
    assert with_site_links(text, "project/security", "SECURITY.md") == (
        "See [limits](../embedding.md#limits), [games](../games/bombardment.md) and tests."
    )


def test_links_in_code_and_links_to_other_hosts_stay() -> None:
    text = "`[a](b)` [c](https://example.org/d) [e](#f)\n```\n[g](h)\n```\n"
    assert with_site_links(text, "playing", "docs/playing.md") == text


def test_a_link_to_a_file_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match=re.escape("docs/playing.md has a link to nowhere.md, which does not exist")):
        with_site_links("[a](nowhere.md)", "playing", "docs/playing.md")
