"""The published JSON schemas of outcomes, questions, saved runs, errors and odds."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

SCHEMAS: Final = ("outcome", "question", "run", "error", "odds")


def published_schema(name: str) -> dict[str, Any]:
    """Return one of the published schemas.

    Args:
        name: One of ``SCHEMAS``.

    Returns:
        The schema.

    Raises:
        ValueError: There is no schema of that name.

    Examples:
        >>> published_schema("outcome")["title"]
        'Outcome'
    """
    if name not in SCHEMAS:
        raise ValueError(f"there is no schema {name!r}; there are {', '.join(SCHEMAS)}")
    text = files("enfilade").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
