"""The published JSON schemas: outcomes, questions, saved runs, errors, odds, verifications, differences, and results of the protocol."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

from enfilade.api.arguments import require_text

SCHEMAS: Final = ("outcome", "question", "run", "error", "odds", "verification", "diff", "results")


def published_schema(name: str) -> dict[str, Any]:
    """Return one of the published schemas.

    Args:
        name: One of ``SCHEMAS``.

    Returns:
        The schema.

    Raises:
        ValueError: There is no schema of that name.
        TypeError: *name* is not a text.

    Examples:
        >>> published_schema("outcome")["title"]
        'Outcome'
    """
    if require_text("name", name) not in SCHEMAS:
        raise ValueError(f"there is no schema {name!r}; the schemas are {', '.join(SCHEMAS)}")
    text = files("enfilade").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
