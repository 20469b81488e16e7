"""The table of ``docs/architecture.md`` tells how big each folder is, so a change that makes the house grow shows it."""

import re
from typing import Final

from scripts.size import ROOT, sizes

PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
_ROW: Final = re.compile(r"^\| `([\w/]+)/` \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
_SHARE: Final = 0.05
_FEW: Final = 10
"""So many statements more or less don't count in a small folder."""


def stated() -> dict[str, int]:
    """The statements of each folder by the table."""
    return {folder: int(size.replace(",", "")) for folder, _, size in _ROW.findall(PAGE)}


def test_the_table_of_sizes_is_true_to_a_twentieth() -> None:
    found = {folder: size for folder, (_, size) in sizes().items()}
    assert stated().keys() == found.keys(), "run `python -m scripts.size` and put its table into docs/architecture.md"
    wrong = {folder: size for folder, size in found.items() if abs(size - stated()[folder]) > max(_FEW, _SHARE * size)}
    assert wrong == {}, "run `python -m scripts.size` and put its table into docs/architecture.md"
