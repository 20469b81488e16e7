"""Conversion of values of the core to plain Python data, for callers of the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from enfilade.limits import check_time
from enfilade.values.data import FrozenMap, Ref, Tally


def plain(value: Any) -> Any:
    """Convert a value to immutable Python data: records become keys, lists become tuples.

    Examples:
        >>> plain({Ref("unit", "gun"): (1, 2)})
        {'gun': (1, 2)}
    """
    match value:
        case Ref():
            return value.key
        case tuple() | list():
            check_time()
            return tuple(plain(item) for item in value)
        case Mapping():
            return FrozenMap({plain(key): plain(item) for key, item in value.items()})
        case Tally():
            return Tally(value.total, plain(value.amounts))
        case _:
            return value
