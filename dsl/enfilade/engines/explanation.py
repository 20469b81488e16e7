"""Explanations: the steps of a run as data, and as text for people.

This module must not run any rules: the steps come from an observer or from JSON.
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
        kind: procedure, fact, roll, draw, choice, value, modifiers, modifier, reading, note, results, effect, change,
            output or refusal.
        text: What happened, in the player's words.
        value: The result of the step, as JSON data.
        cites: The citations of the line.
        assumed: The author's reason for a decision that the rulebook leaves open.
        name: The name of the declaration in the ruleset, if any.
        reader: The key of the record that the step is for, if any.
        applied: Whether a modifier applied; ``None`` for other kinds of steps.
        because: Why a modifier did not apply: the first false condition, or the modifier that counts instead.
        given: Whether a fact was given (``True``) or has its default (``False``); ``None`` for other kinds of steps.
        depth: The level of indentation.
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
    def from_json(cls, data: Mapping[str, Any]) -> Step:
        """Create a step from plain data."""
        kept = {name: data[name] for name in ("value", "assumed", "depth", *_OPTIONAL) if name in data}
        return cls(data["kind"], data["step"], cites=tuple(data["cites"]), **kept)


_OPTIONAL = ("name", "reader", "applied", "because", "given")


def _reason(because: str | None) -> str:
    if because is None or because.startswith(_WHOLE_SENTENCES) or because.endswith(" counts instead"):
        return because or "it does not hold"
    return f"not ({because})" if " and " in because or " or " in because else f"not {because}"


@frozen
class Explanation:
    """The explanation of a run: all its steps.

    Attributes:
        steps: All steps in order, including modifiers that did not apply.
    """

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        """Return the explanation as text: each step with its citations, then the modifiers that did not apply."""
        lines = [*self.situation(), *(step.line for step in self.steps if _is_shown(step))]
        missed = _not_applied(self.steps)
        if missed:
            lines += ["did not count", *(INDENT + line for line in missed)]
        return "\n".join(lines)

    def situation(self) -> tuple[str, ...]:
        """Return the first lines of the text: the given facts, and the defaults in use."""
        return tuple(_situation(self.steps))

    def to_json(self) -> list[dict[str, Any]]:
        """Return the steps as plain data."""
        return [step.to_json() for step in self.steps]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> Explanation:
        """Create an explanation from plain data."""
        return cls(tuple(Step.from_json(step) for step in data))

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The names of all modifiers that were evaluated, each once."""
        names = (step.name for step in self.steps if step.kind == "modifier" and step.name)
        return tuple(dict.fromkeys(names))

    def why_not(self, name: str) -> tuple[Step, ...]:
        """Find out why a modifier did not apply.

        Args:
            name: The name or the label of the modifier.

        Returns:
            The steps of the modifier, one for each evaluation. In each, ``applied`` tells whether it applied, and
            ``because`` why not.

        Raises:
            InputError: The run evaluated no such modifier.
        """
        steps = [step for step in self.steps if step.kind == "modifier"]
        found = tuple(step for step in steps if step.name == name or step.text.endswith(name))
        if found:
            return found
        begun = [each for each in self.modifiers if each.startswith(name)]
        close = begun[0] if len(begun) == 1 else nearest(name, self.modifiers)
        meant = f"; did you mean {close}?" if close else f"; there are {', '.join(self.modifiers) or 'none'}"
        allowed = ", ".join(self.modifiers) or "no modifiers"
        message = f"no modifier {name} was looked at{meant}"
        raise InputError([InputFault("name", name, allowed, message)])


def _is_shown(step: Step) -> bool:
    """Whether a step appears in the body of the text; empty outputs are left out."""
    empty = step.kind == "output" and step.value in ([], {})
    return step.kind != "fact" and step.applied is not False and not empty


def _situation(steps: tuple[Step, ...]) -> list[str]:
    """Return one line with the given facts and one with the defaults in use."""
    given = [step.text for step in steps if step.given]
    default = [str(step) for step in steps if step.given is False]
    named = (("given", given), ("by default", default))
    return [f"{how} {'; '.join(facts)}" for how, facts in named if facts]


def _not_applied(steps: tuple[Step, ...]) -> list[str]:
    """Return one line for each modifier and reason, with the readers it concerns if they differ."""
    missed: dict[Step, list[str]] = {}
    for step in steps:
        if step.applied is False and not (step.because or "").startswith("for each "):
            same = evolve(step, reader=None, depth=0)
            missed.setdefault(same, []).append(step.reader or "")
    return [f"{step}{_concerned(readers)}" for step, readers in missed.items()]


def _concerned(readers: list[str]) -> str:
    named = list(dict.fromkeys(reader for reader in readers if reader))
    return f" (for {', '.join(named)})" if named and "" not in readers else ""
