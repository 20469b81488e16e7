"""What all tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def memory_of_earlier_files() -> Iterator[None]:
    """Exclude what the tests of a file leave behind from later garbage collections.

    After some thousand tests, one collection took up to 3.7 seconds, which counted as the time of the rules that ran just then.
    """
    yield
    gc.collect()
    gc.freeze()
