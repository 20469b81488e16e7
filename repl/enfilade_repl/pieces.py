"""Pieces on the table: records with a name, entered once and used in any number of combats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from enfilade.api.outcomes import value_text


@frozen
class Piece:
    """A record on the table.

    Attributes:
        kind: The kind of record: ``unit``.
        name: What it is called.
        fields: What is said of it, as plain data; what is not has its default.
    """

    kind: str
    name: str
    fields: Mapping[str, Any]

    def described(self) -> str:
        """The fields as they are typed.

        Examples:
            >>> Piece("unit", "gun", {"kind": "artillery", "steps": 2, "dug_in": True}).described()
            'kind artillery, steps 2, dug_in'
        """
        return ", ".join(typed_field(name, value) for name, value in self.fields.items())


def typed_field(name: str, value: Any) -> str:
    """A field or a fact as it is typed.

    Examples:
        >>> typed_field("terrain", ["town", "woods"]), typed_field("night", False), typed_field("units", [{"name": "a"}])
        ('terrain [town, woods]', 'not night', 'units [a]')
    """
    match value:
        case True:
            return name
        case False:
            return f"not {name}"
        case list() | tuple():
            return f"{name} [{', '.join(map(typed_value, value))}]"
        case dict():
            text = typed_value(value)
            return text if text.startswith(f"{name} (") else f"{name} {text}"
    return f"{name} {typed_value(value)}"


def typed_value(value: Any) -> str:
    """A value as it is typed; a record with its fields."""
    if isinstance(value, Mapping):
        name, *_ = value.values()
        fields = ", ".join(_fields(value))
        return f"{name} ({fields})" if fields else str(name)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(typed_value, value))}]"
    text = value_text(value)
    return (
        f'"{text}"' if isinstance(value, str) and not all(char.isalnum() or char in "_./-+" for char in text) else text
    )


def _fields(record: Mapping[str, Any]) -> Iterator[str]:
    for name, value in list(record.items())[1:]:
        yield typed_field(name, value)
