"""The class decorator of syntax tree and core nodes: frozen attrs classes that are quick to make.

``attrs.frozen`` compiles a method for equality, one for hashing and one for ``repr`` for each class; with some 250
classes that is half of the time that importing them takes. Here all classes share one of each. Everything else is
attrs: slots, ``fields``, ``evolve``, ``__match_args__``, copying and pickling.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

__all__ = ["node"]

if TYPE_CHECKING:
    # Type checkers know what this one means.
    from attrs import frozen as node
else:

    def node(cls):
        """Make a frozen attrs class; fields with ``eq=False`` take no part in equality or hashing."""
        cls.__eq__, cls.__hash__, cls.__repr__ = _equal, _hash, _show
        made = attrs.frozen(cls, eq=False, repr=False)
        made._compared = tuple(field.name for field in attrs.fields(made) if field.eq)
        # A class without such fields has one value only, so its class will do as the key.
        made._key = attrgetter(*made._compared or ["__class__"])
        return made


# Trees may be deep: each of these takes as few levels of Python's stack as the methods of attrs do.


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    for name in self._compared:  # noqa: SIM110  # a generator takes a level more
        if not getattr(self, name) == getattr(other, name):  # noqa: SIM201  # `!=` takes a level more
            return False
    return True


def _hash(self: Any) -> int:
    return hash(self._key(self))


def _show(self: Any) -> str:
    shown = []
    for field in attrs.fields(type(self)):
        if field.repr:
            shown.append(f"{field.name}={getattr(self, field.name)!r}")
    return f"{type(self).__qualname__}({', '.join(shown)})"
