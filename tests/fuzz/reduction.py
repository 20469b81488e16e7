"""Reduction of an input that fails: lines, then tokens, are left out as long as the failure stays the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tests.fuzz.mutation import pieces_of

SECONDS: Final = 20.0


def reduced(text: str, fails: Callable[[str], bool], seconds: float = SECONDS) -> str:
    """Make a failing text smaller (delta debugging).

    Args:
        text: A text that fails.
        fails: Whether a text fails in the same way.
        seconds: How long to try.

    Examples:
        >>> reduced("a b\\nc d e\\n", lambda text: "d" in text)
        'd'
    """
    end = time.monotonic() + seconds
    for unit in ("line", "token", "character"):
        text = _without_pieces(text, unit, fails, end)
    return text


def _without_pieces(text: str, unit: str, fails: Callable[[str], bool], end: float) -> str:
    pieces = pieces_of(text, unit)
    size = max(len(pieces) // 2, 1)
    while pieces:
        at, changed = 0, False
        while at < len(pieces) and time.monotonic() < end:
            fewer = pieces[:at] + pieces[at + size :]
            if fails("".join(fewer)):
                pieces, changed = fewer, True
            else:
                at += size
        if (size == 1 and not changed) or time.monotonic() >= end:
            break
        size = max(size // 2, 1)
    return "".join(pieces)
