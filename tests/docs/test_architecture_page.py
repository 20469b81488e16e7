"""``docs/architecture.md`` names files that exist, and the stages in the order that the import test holds."""

import re
from pathlib import Path
from typing import Final

import pytest
from tests.architecture.test_imports import RANKS

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATHS: Final = sorted(set(re.findall(r"`([\w/]+(?:\.py|\.md|/))`", PAGE)))


@pytest.mark.parametrize("path", PATHS)
def test_a_file_that_the_page_names_exists(path: str) -> None:
    places = (ROOT / "dsl" / "enfilade" / path, ROOT / path, ROOT / "tests" / "architecture" / path)
    assert any(place.exists() for place in places)


@pytest.mark.parametrize("page", ["docs/architecture.md", "dsl/README.md"])
def test_a_page_gives_the_import_order_that_is_enforced(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    (order,) = re.findall(r"`(source < [^`]*)`", text)
    ranks = [[RANKS[stage] for stage in step.split(", ")] for step in order.split(" < ")]
    assert all(len(set(step)) == 1 for step in ranks)
    assert ranks == sorted(ranks)
