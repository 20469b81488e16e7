"""Maps and lists that can't be changed, but are written as JSON and compared like a ``dict`` and a ``list``."""

from __future__ import annotations

from typing import Any, NoReturn


class FrozenMap(dict[Any, Any]):
    """A hashable, immutable map: the value of a fact or a field with the type ``map of WORDS to TYPE``.

    It is a ``dict``, so it can be written as JSON and compared with one. Its hash is computed once.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def _refuse(self, *_args: Any, **_named: Any) -> NoReturn:
        raise TypeError("this map can't be changed; make a copy with dict(...)")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[type[FrozenMap], tuple[dict[Any, Any]]]:
        return FrozenMap, (dict(self),)


class FrozenList(list[Any]):
    """An immutable list of JSON data. It is a ``list``, so it can be written as JSON and compared with one."""

    __slots__ = ()

    def _refuse(self, *_args: Any, **_named: Any) -> NoReturn:
        raise TypeError("this list can't be changed; make a copy with list(...)")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse

    def __reduce__(self) -> tuple[type[FrozenList], tuple[tuple[Any, ...]]]:
        return FrozenList, (tuple(self),)


def frozen_json(value: Any) -> Any:
    """Return JSON data, or data given in place of it, whose lists, maps and sets can't be changed.

    Examples:
        >>> frozen_json([1, {"a": [2]}]) == [1, {"a": [2]}]
        True
    """
    match value:
        case FrozenMap() | FrozenList():
            return value
        case dict():
            return FrozenMap({key: frozen_json(item) for key, item in value.items()})
        case list():
            return FrozenList(map(frozen_json, value))
        case tuple():
            return tuple(map(frozen_json, value))
        case set():
            return frozenset(value)
        case _:
            return value
