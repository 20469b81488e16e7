"""The pictures of the README show what the program does now: drawn again, they are the same.

`python -m docs.pictures` draws them.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from docs.pictures.__main__ import FOLDER, pictures

README = FOLDER.parents[2] / "README.md"
DRAWN = pictures()


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_drawn_again_is_the_same(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == DRAWN[name]


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_well_formed_and_the_readme_shows_it(name: str) -> None:
    assert ElementTree.fromstring(DRAWN[name]).tag.endswith("svg")
    assert f"docs/pictures/{name}" in README.read_text(encoding="utf-8")
