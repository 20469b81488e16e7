"""One step of an explanation, as data and as a line of text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from enfilade.door import with_doors
from enfilade.frozen import frozen_json
from enfilade.values.json_reader import JsonReader

INDENT = "  "
_WHOLE_SENTENCES = ("not when ", "for each ")


@with_doors
@frozen
class Step:
    """One step of a run, as plain data.

    Attributes:
        kind: procedure, fact, roll, draw, choice, value, modifiers, modifier, reading, note, results, effect, change,
            output or refusal.
        text: What happened, in the player's words.
        value: The result of the step, as JSON data.
        cites: The citations of the line.
        assumed: The author's reason for a decision that the rulebook leaves open.
        name: The name of the declaration in the ruleset, if any.
        label: The label of an output, or of the code that was read, if the rules have one.
        reader: The key of the record that the step is for, if any.
        applied: Whether a modifier applied; ``None`` for other kinds of steps.
        because: Why a modifier did not apply: the first false condition, or the modifier that counts instead.
        given: Whether a fact was given (``True``) or has its default (``False``); ``None`` for other kinds of steps.
        depth: The level of indentation.
    """

    kind: str
    text: str
    value: Any = field(default=None, converter=frozen_json)
    cites: tuple[str, ...] = ()
    assumed: str | None = None
    name: str | None = None
    reader: str | None = None
    applied: bool | None = None
    because: str | None = None
    given: bool | None = None
    depth: int = 0
    label: str | None = None

    def __str__(self) -> str:
        """Return the step as one line of text, without indentation."""
        text = self.text if self.applied is not False else f"{self.text}: {_reason(self.because)}"
        cites = f" [{', '.join(self.cites)}]" if self.cites else ""
        assumed = f" (assumed: {self.assumed})" if self.assumed else ""
        return f"{text}{cites}{assumed}"

    @property
    def line(self) -> str:
        """The step as an indented line of the explanation's text."""
        return INDENT * self.depth + str(self)

    def to_json(self) -> dict[str, Any]:
        """Return the step as plain data, without attributes that do not apply to its kind."""
        data = {"step": self.text, "value": self.value, "cites": list(self.cites), "assumed": self.assumed}
        optional = {name: getattr(self, name) for name in _OPTIONAL if getattr(self, name) is not None}
        return data | {"kind": self.kind, "depth": self.depth} | optional

    @classmethod
    def from_json(cls, data: Any) -> Step:
        """Create a step from plain data.

        Raises:
            InputError: Something in the data is missing or damaged; the error names its place.
        """
        return cls.read(JsonReader(data, "step"))

    @classmethod
    def read(cls, read: JsonReader) -> Step:
        """Read a step of an explanation."""
        given = read.mapping()
        readers: dict[str, Callable[[JsonReader], Any]] = {
            "value": lambda part: part.value, "depth": JsonReader.count, "applied": JsonReader.flag,
            "given": JsonReader.flag, **dict.fromkeys(("assumed", "name", "reader", "because", "label"), JsonReader.optional_text),
        }  # fmt: skip
        kept = {name: reader(read[name]) for name, reader in readers.items() if name in given}
        return cls(read["kind"].text(), read["step"].text(), cites=read["cites"].texts(), **kept)


_OPTIONAL = ("name", "label", "reader", "applied", "because", "given")


def _reason(because: str | None) -> str:
    if because is None or because.startswith(_WHOLE_SENTENCES) or because.endswith(" counts instead"):
        return because or "its condition is false"
    return negated(because)


def negated(condition: str) -> str:
    """Write the opposite of a condition.

    Args:
        condition: A condition in the words of the rules.

    Examples:
        >>> negated("terrain has hill"), negated("range >= 3"), negated("not night"), negated("night or fog")
        ('terrain is not hill', 'range < 3', 'night', 'not (night or fog)')
        >>> negated("any of ranges >= 3")
        'not any of ranges >= 3'
    """
    if " and " in condition or " or " in condition:
        return f"not ({condition})"
    for pattern, opposite in _OPPOSITES:
        found = pattern.fullmatch(condition)
        if found is not None:
            return found.expand(opposite)
    return f"not {condition}"


_TERM = r"((?!any of|all of)[\w.]+(?: of [\w.]+)?)"
_OPPOSITES = tuple(
    (re.compile(pattern), opposite)
    for pattern, opposite in (
        (r"not ([\w.]+)", r"\1"),
        (rf"{_TERM} (?:has|is) (?!not\b|none\b)([\w.]+)", r"\1 is not \2"),
        (rf"{_TERM} is not ([\w.]+)", r"\1 is \2"),
        (rf"{_TERM} >= {_TERM}", r"\1 < \2"),
        (rf"{_TERM} <= {_TERM}", r"\1 > \2"),
        (rf"{_TERM} > {_TERM}", r"\1 <= \2"),
        (rf"{_TERM} < {_TERM}", r"\1 >= \2"),
    )
)
