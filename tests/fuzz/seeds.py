"""The texts that mutations begin with: the rules files of the repository, the blocks of its pages, and golden programs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
GAMES: Final = ("infantry_attacks", "bombardment", "emperor_musketry", "fire_combat", "franco_prussian")
_BLOCK: Final = re.compile(r"```rules[^\n]*\n(.*?)```", re.DOTALL)


@cache
def shipped_texts() -> tuple[str, ...]:
    """The blocks of the reference and the rules of the repository, all of which parse."""
    blocks = re.findall(r"```rules\n(.*?)```", (ROOT / "docs" / "language.md").read_text(encoding="utf-8"), re.DOTALL)
    folders = (ROOT / folder for folder in ("rulesets", "stdlib", "tests/generality"))
    files = (path for folder in folders for path in sorted(folder.rglob("*.rules")))
    return (*blocks, *(path.read_text(encoding="utf-8") for path in files))


@cache
def rules_texts() -> tuple[str, ...]:
    """The shipped texts, the blocks of the other pages, and the programs of the golden files."""
    pages = [
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md")) if path.stem != "language"
    ]
    blocks = [block for page in pages for block in _BLOCK.findall(page)]
    golden = [
        path.read_text(encoding="utf-8").split("-" * 72)[0] for path in sorted(ROOT.glob("tests/golden/*/*.golden"))
    ]
    cards = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("tests/golden/card/*.rules"))]
    return (*shipped_texts(), *blocks, *golden, *cards)
