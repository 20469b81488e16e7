"""A reader of plain data from elsewhere: what is missing or of a wrong kind raises an error that names its place.

For the ``from_json`` methods. It knows nothing of what the data mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from enfilade.errors import InputError, InputFault


@frozen
class JsonReader:
    """A value of plain data and its place.

    Attributes:
        value: The value.
        place: Where it is, such as ``outcome.dice[0].faces``.

    Examples:
        >>> JsonReader({"dice": [{"faces": 5}]}, "outcome")["dice"].items()[0]["faces"].items()
        Traceback (most recent call last):
        enfilade.errors.InputError: outcome.dice[0].faces is damaged: it needs a list
    """

    value: Any
    place: str

    def __getitem__(self, name: str) -> JsonReader:
        """The value under a name."""
        found = self.mapping()
        if name not in found:
            raise JsonReader(None, f"{self.place}.{name}").wrong("a value")
        return JsonReader(found[name], f"{self.place}.{name}")

    def mapping(self) -> Mapping[str, Any]:
        """A mapping whose keys are texts."""
        if not isinstance(self.value, Mapping) or not all(isinstance(name, str) for name in self.value):
            raise self.wrong("a mapping from text to value")
        return self.value

    def values(self) -> tuple[JsonReader, ...]:
        """The values of a mapping."""
        return tuple(self[name] for name in self.mapping())

    def items(self) -> tuple[JsonReader, ...]:
        """The items of a list."""
        if not isinstance(self.value, (list, tuple)):
            raise self.wrong("a list")
        return tuple(JsonReader(item, f"{self.place}[{at}]") for at, item in enumerate(self.value))

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(item.text() for item in self.items())

    def optional_text(self) -> str | None:
        """A text, or nothing."""
        return None if self.value is None else self.text()

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def count(self) -> int:
        """A whole number from 0."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < 0:
            raise self.wrong("a whole number of 0 or more")
        return self.value

    def one_of(self, *allowed: str) -> str:
        """One of some texts."""
        if self.value not in allowed:
            raise self.wrong(" or ".join(f'"{text}"' for text in allowed))
        return self.text()

    def wrong(self, wanted: str) -> InputError:
        """The error for a value of a wrong kind."""
        return InputError([InputFault(self.place, self.value, wanted, f"{self.place} is damaged: it needs {wanted}")])
