"""What commands print, word for word: the pages in ``pages`` are played as the guides of the documentation are.

``python -m tests.cli.test_pages`` writes what comes out again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from tests.docs.test_guides import read_page, write_again

PAGES: Final = sorted(Path(__file__).with_name("pages").glob("*.md"))
SLOW: Final = ("variables",)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, id=page.stem, marks=pytest.mark.thorough if page.stem in SLOW else ()) for page in PAGES],
)
def test_what_a_page_shows_is_what_comes(page: Path) -> None:
    for block, _, came in read_page(page.read_text(encoding="utf-8")):
        assert block.body == came, f"{page.name}, line {block.line}"


if __name__ == "__main__":
    for each in PAGES:
        write_again(each)
