"""Methods and their parameters, and a call of one: what a request gives, under the names of the public API.

A parameter is read as an argument of the public API is: by an annotation, which also says its JSON schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import Factory, field, frozen

from enfilade.api.ruleset import Ruleset
from enfilade.api.runs import Run
from enfilade.door import read_argument, schema_of
from enfilade.errors import ArgumentError
from enfilade.frozen import frozen_json
from enfilade.service.rulesets import Rulesets

Schema: TypeAlias = Mapping[str, Any]


@frozen
class Parameter:
    """A parameter of a method.

    Attributes:
        name: The name.
        about: What it is for, in one sentence.
        takes: What it takes, as an annotation. For all but ``Any``, null is the same as nothing.
        required: Whether every request needs it.
        schema: The JSON schema of what it takes.
    """

    name: str
    about: str
    takes: str = "Any"
    required: bool = False
    schema: Schema = field(default=Factory(lambda self: schema_of(self.takes), takes_self=True), converter=frozen_json)

    def to_json(self) -> dict[str, Any]:
        """Return the parameter as an OpenRPC content descriptor."""
        return {"name": self.name, "description": self.about, "required": self.required, "schema": self.schema}


def checked(given: Any, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the parameters of a request by name.

    Args:
        given: What the request gives: an object, or nothing.
        parameters: What the method takes.

    Raises:
        ArgumentError: One of them is missing, unknown, or of a wrong type.
    """
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise ArgumentError("`params` must be an object with a value for each name")
    known = {each.name: each for each in parameters}
    for name in given:
        if name not in known:
            raise ArgumentError(f"there is no parameter {name!r}; the parameters are {', '.join(known)}")
    found = {name: value for name, value in given.items() if value is not None or known[name].takes == "Any"}
    for each in parameters:
        if each.required and each.name not in found:
            raise ArgumentError(f"{each.name} is missing: {each.about}")
    return {name: read_argument(name, value, known[name].takes) for name, value in found.items()}


@frozen
class Call:
    """A request to a method.

    Attributes:
        params: Its parameters, checked.
        rulesets: Where rulesets come from.
        progress: Called from time to time with the work done; it raises an exception to end the call.
    """

    params: Mapping[str, Any]
    rulesets: Rulesets
    progress: Callable[[int], None] | None = None

    @property
    def rules(self) -> Ruleset:
        """The ruleset of the request."""
        return self.rulesets.of(self.params["ruleset"])

    @property
    def run(self) -> Run:
        """The saved run of the request."""
        return self.rules.resume(self.params["save"])

    def asked(self, *but: str) -> dict[str, Any]:
        """What the request gives besides the ruleset, under the names of the API.

        Args:
            but: Names that are left out.
        """
        given = {
            name: value for name, value in self.params.items() if name not in ("ruleset", "save", "progress", *but)
        }
        if "facts" in given:
            given["given"] = given.pop("facts")
        if "other" in given:
            given["other"] = self.rulesets.of(given["other"])
        return given

    def situation(self, *but: str) -> dict[str, Any]:
        """The same for a question of odds, which tells of its progress."""
        return self.asked(*but) | ({} if self.progress is None else {"progress": self.progress})

    def texts(self, name: str) -> list[str]:
        """A parameter that is a text or a list of texts."""
        return [given] if isinstance(given := self.params.get(name, []), str) else given


@frozen
class Method:
    """A method.

    Attributes:
        about: What it does, in one sentence.
        parameters: What it takes.
        gives: What its result is.
        run: The call.
    """

    about: str
    parameters: tuple[Parameter, ...]
    gives: str
    run: Callable[[Call], Any]


RULESET = Parameter(
    "ruleset", "the name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name",
    "str | Mapping", required=True,
    schema={"type": ["string", "object"], "required": ["text"], "additionalProperties": False,
            "properties": {"text": schema_of("str"), "files": schema_of("Mapping[str, str]")}},
)  # fmt: skip
