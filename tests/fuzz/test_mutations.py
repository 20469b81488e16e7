"""Texts that are nearly right never raise an exception, take less than a second, and are laid out for good.

``ENFILADE_FUZZ=10000`` tries more of them.
"""

import os
import runpy
from pathlib import Path
from typing import Any, Final

MUTATE: Final[dict[str, Any]] = runpy.run_path(str(Path(__file__).with_name("mutate.py")))
COUNT: Final = int(os.environ.get("ENFILADE_FUZZ", "500"))


def test_a_text_with_slips_gives_a_tree_or_diagnostics_in_time() -> None:
    for text in MUTATE["mutations"](COUNT):
        assert MUTATE["seconds_for"](text) < MUTATE["SECONDS"], text


def test_the_same_seed_gives_the_same_texts() -> None:
    assert list(MUTATE["mutations"](5, 3)) == list(MUTATE["mutations"](5, 3))
    assert list(MUTATE["mutations"](5, 3)) != list(MUTATE["mutations"](5, 4))
