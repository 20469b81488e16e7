"""Explanations: the steps of a run as data, and their text for people.

It must not know how a run comes about: the steps are handed to it, by an observer or from JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, frozen

from enfilade.diagnostics.suggest import nearest
from enfilade.errors import InputError, InputFault

INDENT = "  "
_WHOLE_SENTENCES = ("not when ", "for each ")


@frozen
class Step:
    """One step of a run, as plain data.

    Attributes:
        kind: procedure, fact, roll, draw, choice, value, modifiers, modifier, reading, note, results, effect,
        change,
            output or refusal.
        text: What happened, in the player's words.
        value: What it came to.
        cites: The citations of the line.
        assumed: Why the author had to decide, where the rulebook is silent.
        name: What it is called in the ruleset, if anything.
        reader: The record that it is for, if any.
        applied: Whether a modifier counted; ``None`` for all else.
        because: Why it did not: the first condition that failed, or what beat it.
        given: Whether a fact was given; ``None`` for all else.
        depth: How far it is indented.
    """

    kind: str
    text: str
    value: Any = None
    cites: tuple[str, ...] = ()
    assumed: str | None = None
    name: str | None = None
    reader: str | None = None
    applied: bool | None = None
    because: str | None = None
    given: bool | None = None
    depth: int = 0

    def __str__(self) -> str:
        """The step for people, on one line."""
        text = self.text if self.applied is not False else f"{self.text}: {_reason(self.because)}"
        cites = f" [{', '.join(self.cites)}]" if self.cites else ""
        assumed = f" (assumed: {self.assumed})" if self.assumed else ""
        return f"{text}{cites}{assumed}"

    @property
    def line(self) -> str:
        """The step as a line of the explanation's text: indented below the procedure or loop that it belongs to."""
        return INDENT * self.depth + str(self)

    def to_json(self) -> dict[str, Any]:
        """Give the step as plain data; what does not concern it is left out."""
        data = {"step": self.text, "value": self.value, "cites": list(self.cites), "assumed": self.assumed}
        optional = {name: getattr(self, name) for name in _OPTIONAL if getattr(self, name) is not None}
        return data | {"kind": self.kind, "depth": self.depth} | optional

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Step:
        """Make a step again from plain data."""
        kept = {name: data[name] for name in ("value", "assumed", "depth", *_OPTIONAL) if name in data}
        return cls(data["kind"], data["step"], cites=tuple(data["cites"]), **kept)


_OPTIONAL = ("name", "reader", "applied", "because", "given")


def _reason(because: str | None) -> str:
    if because is None or because.startswith(_WHOLE_SENTENCES) or because.endswith(" counts instead"):
        return because or "it does not hold"
    return f"not ({because})" if " and " in because or " or " in because else f"not {because}"


@frozen
class Explanation:
    """Why a run came out as it did.

    Attributes:
        steps: All steps in the order in which they happened; each modifier that did not count is one of them.
    """

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        """The explanation for people: what happened, each line with its citation, then what did not count."""
        lines = [*self.situation(), *(step.line for step in self.steps if _is_told(step))]
        missed = _not_counted(self.steps)
        if missed:
            lines += ["did not count", *(INDENT + line for line in missed)]
        return "\n".join(lines)

    def situation(self) -> tuple[str, ...]:
        """What was given, and the defaults that were used: the lines that the text begins with."""
        return tuple(_situation(self.steps))

    def to_json(self) -> list[dict[str, Any]]:
        """Give the steps as plain data."""
        return [step.to_json() for step in self.steps]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> Explanation:
        """Make an explanation again from plain data."""
        return cls(tuple(Step.from_json(step) for step in data))

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The names of all modifiers that were looked at, each once."""
        names = (step.name for step in self.steps if step.kind == "modifier" and step.name)
        return tuple(dict.fromkeys(names))

    def why_not(self, name: str) -> tuple[Step, ...]:
        """Find out why a modifier did not count.

        Args:
            name: Its name or its label.

        Returns:
            Its steps, one for each time that it was looked at; one that says ``applied`` did count.

        Raises:
            InputError: No such modifier was looked at.
        """
        steps = [step for step in self.steps if step.kind == "modifier"]
        found = tuple(step for step in steps if step.name == name or step.text.endswith(name))
        if found:
            return found
        close = nearest(name, self.modifiers)
        meant = f"; did you mean {close}?" if close else ""
        allowed = ", ".join(self.modifiers) or "no modifiers"
        message = f"no modifier {name} was looked at{meant}"
        raise InputError([InputFault("name", name, allowed, message)])


def _is_told(step: Step) -> bool:
    """Whether a step stands in the body of the text; an output that holds nothing says nothing."""
    empty = step.kind == "output" and step.value in ([], {})
    return step.kind != "fact" and step.applied is not False and not empty


def _situation(steps: tuple[Step, ...]) -> list[str]:
    """The facts: those that were given on one line, and the defaults that were used on another."""
    given = [step.text for step in steps if step.given]
    default = [str(step) for step in steps if step.given is False]
    named = (("given", given), ("by default", default))
    return [f"{how} {'; '.join(facts)}" for how, facts in named if facts]


def _not_counted(steps: tuple[Step, ...]) -> list[str]:
    """One line for each modifier and reason, with whom it concerns where readers differ."""
    missed: dict[Step, list[str]] = {}
    for step in steps:
        if step.applied is False and not (step.because or "").startswith("for each "):
            same = evolve(step, reader=None, depth=0)
            missed.setdefault(same, []).append(step.reader or "")
    return [f"{step}{_concerned(readers)}" for step, readers in missed.items()]


def _concerned(readers: list[str]) -> str:
    named = list(dict.fromkeys(reader for reader in readers if reader))
    return f" (for {', '.join(named)})" if named and "" not in readers else ""
