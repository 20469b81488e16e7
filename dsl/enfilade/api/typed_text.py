"""Facts and fields as a person types them at a prompt: the reverse of reading typed text."""

from __future__ import annotations

import re
from typing import Any

from enfilade.door import door
from enfilade.syntax.literals import given_item_from, value_from
from enfilade.syntax.unparse import unparse


@door
def typed_field(name: str, value: Any) -> str:
    """Return a fact or a field as a person types it.

    Args:
        name: The name of the fact or field.
        value: Its value, as plain data.

    Examples:
        >>> typed_field("terrain", ["town", "woods"]), typed_field("night", False), typed_field("units", [{"name": "a"}])
        ('terrain [town, woods]', 'not night', 'units [a]')
    """
    return f"not {name}" if value is False else unparse(given_item_from(name, value))


@door
def typed_name(name: str) -> str:
    """The name of a piece as a person types it: in quotes if it is not a plain name.

    Examples:
        >>> typed_name("guns"), typed_name("Old Guard")
        ('guns', '"Old Guard"')
    """
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else f'"{name}"'


@door
def typed_value(value: Any) -> str:
    """A value as a person types it; a record with its fields in brackets."""
    return unparse(value_from(value))
