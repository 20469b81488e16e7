"""Pieces on the table: records with a name, entered once and used in any number of combats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from enfilade.language import typed_field


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
