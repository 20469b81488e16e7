"""Constant pool of generated code: values that the code refers to by name.

No text of a ruleset becomes code. Whole numbers and plain words are written with ``repr``; every other value goes into
the namespace under a generated name.
"""

from __future__ import annotations

import re
from typing import Any, Final

from attrs import define, field

_PLAIN: Final = re.compile(r"[A-Za-z0-9_ ]{1,64}", re.ASCII)
_WHOLE: Final = 1 << 62


@define
class Pool:
    """The globals of the generated functions of one ruleset.

    Attributes:
        names: The values by name.
    """

    names: dict[str, Any] = field(factory=dict)
    _shared: dict[int, str] = field(factory=dict)

    def constant(self, value: Any) -> str:
        """Return the source of a constant.

        Examples:
            >>> pool = Pool()
            >>> pool.constant("town"), pool.constant(-2), pool.constant("2X'"), pool.constant(("a",))
            ("'town'", '(-2)', 'k0', 'k1')
        """
        if value is None or value is True or value is False:
            return repr(value)
        if type(value) is int and -_WHOLE < value < _WHOLE:
            return repr(value) if value >= 0 else f"({value!r})"
        if type(value) is str and _PLAIN.fullmatch(value):
            return repr(value)
        return "()" if type(value) is tuple and not value else self.shared(value)

    def shared(self, value: Any) -> str:
        """Add a value to the namespace and return its name."""
        if id(value) not in self._shared:
            name = f"k{len(self._shared)}"
            self._shared[id(value)] = name
            self.names[name] = value
        return self._shared[id(value)]
