"""How long exact odds may take, as people type it."""

from __future__ import annotations

import re
from math import ceil
from typing import Final

from enfilade.door import door
from enfilade.errors import LimitError, UsageError

_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|)")
_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3_600}
_LONGEST: Final = 3_600


@door
def read_patience(text: str) -> float:
    """Read a time, such as ``60s``, ``5m`` or ``2h``, as seconds.

    Raises:
        UsageError: It is not a time, or 0.

    Examples:
        >>> read_patience("60s"), read_patience("1.5m"), read_patience("20")
        (60.0, 90.0, 20.0)
    """
    found = _TIME.fullmatch(text.strip())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0
    if not seconds:
        raise UsageError(f'"{text}" is not a time; type 60s, 5m or 2h')
    return seconds


@door
def more_patience(error: LimitError) -> int | None:
    """The seconds that would do, if the odds take up to an hour; ``None`` if more time is no advice.

    Examples:
        >>> more_patience(LimitError("seconds", "too long", needed=41.3))
        60
    """
    if error.limit != "seconds" or error.needed is None or error.needed > _LONGEST:
        return None
    return ceil(error.needed * 1.25 / 10) * 10
