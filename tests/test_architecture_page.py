"""``docs/architecture.md`` names files that exist, and the stages in the order that the import test holds."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATHS: Final = sorted(set(re.findall(r"`([\w/]+(?:\.py|\.md|/))`", PAGE)))


@pytest.mark.parametrize("path", PATHS)
def test_a_file_that_the_page_names_exists(path: str) -> None:
    places = (ROOT / "dsl" / "enfilade" / path, ROOT / path, ROOT / "tests" / "architecture" / path)
    assert any(place.exists() for place in places)


def test_the_page_names_the_files_of_both_walks() -> None:
    assert len(PATHS) > 40
