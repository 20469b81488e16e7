"""Parameters of methods: what each takes, as a JSON schema, and the check of what a request gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from enfilade.frozen import FrozenMap, frozen_json

Schema: TypeAlias = dict[str, Any]

_TYPES: Final[dict[str, tuple[type, str]]] = {
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "object": (dict, "an object"),
    "array": (list, "a list"),
    "null": (type(None), "null"),
}


class WrongParameter(Exception):
    """A parameter is missing, unknown, or of a wrong type."""


@frozen
class Parameter:
    """A parameter of a method.

    Attributes:
        name: The name.
        about: What it is for, in one sentence.
        schema: Its JSON schema; an empty one takes anything. For all others, null is the same as nothing.
        required: Whether every request needs it.
    """

    name: str
    about: str
    schema: Schema = field(factory=FrozenMap, converter=frozen_json)
    required: bool = False

    def to_json(self) -> Schema:
        """Return the parameter as an OpenRPC content descriptor."""
        return {"name": self.name, "description": self.about, "required": self.required, "schema": self.schema}


def checked(given: Any, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the parameters of a request by name.

    Args:
        given: What the request gives: an object, or nothing.
        parameters: What the method takes.

    Raises:
        WrongParameter: One of them is missing, unknown, or of a wrong type.
    """
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise WrongParameter("`params` must be an object with a value for each name")
    known = {each.name: each for each in parameters}
    for name in given:
        if name not in known:
            raise WrongParameter(f"there is no parameter {name!r}; the parameters are {', '.join(known)}")
    found = {name: value for name, value in given.items() if value is not None or not known[name].schema}
    for each in parameters:
        if each.name in found:
            _check(each.name, found[each.name], each.schema)
        elif each.required:
            raise WrongParameter(f"{each.name} is missing: {each.about}")
    return found


def _check(name: str, value: Any, schema: Schema) -> None:
    """Check a value against the few words of JSON schema that parameters use."""
    kinds = schema.get("type", [])
    wanted = [kinds] if isinstance(kinds, str) else kinds
    if wanted and value is not None and not any(_is(value, kind) for kind in wanted):
        raise WrongParameter(f"{name} must be {' or '.join(_TYPES[kind][1] for kind in wanted)}")
    if "enum" in schema and value is not None and value not in schema["enum"]:
        raise WrongParameter(f"{name} must be one of {', '.join(map(str, schema['enum']))}")
    if isinstance(value, list) and "items" in schema:
        for each in value:
            _check(f"each of {name}", each, schema["items"])
    if isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
        for key, each in value.items():
            _check(f"{name}.{key}", each, schema["additionalProperties"])


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind][0]) and (kind == "boolean" or not isinstance(value, bool))
