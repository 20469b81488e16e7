"""The memory of this process: read from the operating system, because counting each object is far too slow."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final


def _from_proc() -> Callable[[], int] | None:
    """The resident set of the process, from the proc file system."""
    with suppress(OSError, AttributeError, ValueError):
        page = os.sysconf("SC_PAGE_SIZE")

        def resident() -> int:
            with open("/proc/self/statm", "rb", buffering=0) as file:
                return int(file.read(64).split()[1]) * page

        resident()
        return resident
    return None


def _from_peak() -> Callable[[], int] | None:
    """The peak so far: never less than the memory in use, so its growth shows the growth of a large question."""
    with suppress(ImportError):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return None


memory_in_use: Final[Callable[[], int]] = _from_proc() or _from_peak() or (lambda: 0)
"""The bytes that this process uses; always 0 on a system that does not say, so only estimates limit the memory there."""
