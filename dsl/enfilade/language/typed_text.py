"""Facts and fields as a person types them at a prompt: the reverse of reading typed text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from enfilade.api.outcome_values import value_text


def typed_field(name: str, value: Any) -> str:
    """A fact or a field as a person types it.

    Args:
        name: The fact or field.
        value: Its value, as plain data.

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
    """A value as a person types it; a record with its fields in brackets."""
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
