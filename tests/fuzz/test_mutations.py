"""Texts that are nearly right never raise an exception, and are laid out for good.

``ENFILADE_FUZZ=10000`` tries more of them; ``python tests/fuzz/mutate.py 10000`` says how long the slowest took.
"""

import os
import runpy
from pathlib import Path
from typing import Any, Final

MUTATE: Final[dict[str, Any]] = runpy.run_path(str(Path(__file__).with_name("mutate.py")))
COUNT: Final = int(os.environ.get("ENFILADE_FUZZ", "500"))


def test_a_text_with_slips_gives_a_tree_or_diagnostics() -> None:
    # What is wrong raises; how long it takes is a matter for the script.
    assert sum(MUTATE["seconds_for"](text) >= 0 for text in MUTATE["mutations"](COUNT)) == COUNT


def test_the_same_seed_gives_the_same_texts() -> None:
    assert list(MUTATE["mutations"](5, 3)) == list(MUTATE["mutations"](5, 3))
    assert list(MUTATE["mutations"](5, 3)) != list(MUTATE["mutations"](5, 4))
