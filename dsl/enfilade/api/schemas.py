"""The published JSON schemas: outcomes, questions, saved runs, errors, odds, verifications, differences, and results of the protocol."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

from enfilade.door import door
from enfilade.errors import ArgumentError

SCHEMAS: Final = ("outcome", "question", "run", "error", "odds", "verification", "diff", "results")


@door
def published_schema(name: str) -> dict[str, Any]:
    """Return one of the published schemas.

    Args:
        name: One of ``SCHEMAS``.

    Returns:
        The schema.

    Raises:
        ArgumentError: There is no schema of that name.

    Examples:
        >>> published_schema("outcome")["title"]
        'Outcome'
    """
    if name not in SCHEMAS:
        raise ArgumentError(f"there is no schema {name!r}; the schemas are {', '.join(SCHEMAS)}")
    text = files("enfilade").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
