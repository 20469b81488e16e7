"""Explanations: the steps of a run as data, as text and as Markdown, in three lengths.

This module must not run any rules: the steps come from an observer or from JSON.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from attrs import evolve, frozen

from enfilade.diagnostics.markdown import marked_up
from enfilade.diagnostics.suggest import nearest, only_beginning
from enfilade.door import with_doors
from enfilade.engines.short_explanation import sentence, short_steps
from enfilade.engines.step import INDENT, Step
from enfilade.errors import InputError, InputFault
from enfilade.values.json_reader import JsonReader

Length: TypeAlias = Literal["short", "usual", "all"]
"""How much an explanation says: one line; what a player wants to know; every step."""

NOT_APPLIED = "not applied"
"""The heading of the modifiers that did not apply, in the text of an explanation."""


@with_doors
@frozen
class Explanation:
    """The explanation of a run: all its steps.

    Attributes:
        steps: All steps in order, including modifiers that did not apply.
    """

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        """Return the explanation as text, in the usual length."""
        return self.text()

    def text(self, length: Length = "usual") -> str:
        """Return the explanation as text.

        Args:
            length: ``short`` is one line for a chat: the chart reading or the roll, the modifiers that applied, the result
                and the effects. ``usual`` is each step with its citations, then the modifiers that did not apply. ``all``
                is every step in order, with the defaults in use, modifiers that did not apply, and empty outputs.

        Examples:
            >>> import enfilade
            >>> shot = enfilade.load("infantry_attacks").resolve("direct_fire", fire_value=16, terrain={"town"}, dice=[4, 3])
            >>> print(shot.explain().text("short"))
            Direct Fire Table: roll 7, column 7 (16, shifted 2 left): No Effect (-2 Target hex is town or woods)
        """
        match length:
            case "short":
                return sentence(self.steps)
            case "usual":
                missed = _not_applied(self.steps)
                lines = [*self.situation(), *(step.line for step in self.steps if _is_shown(step))]
                return "\n".join([*lines, *([NOT_APPLIED] if missed else []), *(INDENT + line for line in missed)])
            case "all":
                return "\n".join(INDENT * step.depth + _in_full(step) for step in self.steps)
        raise _no_length(length)

    def markdown(self, length: Length = "usual") -> str:
        """Return the explanation as Markdown: a line, or lists as deep as the steps.

        Args:
            length: How much it says, as in ``text``.
        """
        match length:
            case "short":
                return marked_up(sentence(self.steps))
            case "usual":
                missed = [f"- {marked_up(line)}" for line in _not_applied(self.steps)]
                situation = [f"> {marked_up(line)}" for line in self.situation()]
                body = [f"{INDENT * step.depth}- {marked_up(str(step))}" for step in self.steps if _is_shown(step)]
                blocks = [situation, body, [f"**{NOT_APPLIED}**", "", *missed] if missed else []]
                return "\n\n".join("\n".join(block) for block in blocks if block)
            case "all":
                return "\n".join(f"{INDENT * step.depth}- {marked_up(_in_full(step))}" for step in self.steps)
        raise _no_length(length)

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def situation(self) -> tuple[str, ...]:
        """Return the first lines of the text: the given facts, and the defaults in use."""
        return tuple(_situation(self.steps))

    def to_json(self, length: Length = "all") -> list[dict[str, Any]]:
        """Return the steps as plain data.

        Args:
            length: Which steps, as in ``text``.
        """
        return [step.to_json() for step in self._steps_of(length)]

    def _steps_of(self, length: Length) -> tuple[Step, ...]:
        match length:
            case "short":
                return short_steps(self.steps)
            case "usual":
                return tuple(step for step in self.steps if step.kind == "fact" or _is_shown(step) or _is_missed(step))
            case "all":
                return self.steps
        raise _no_length(length)

    @classmethod
    def from_json(cls, data: Any) -> Explanation:
        """Create an explanation from plain data.

        Raises:
            InputError: Something in the data is missing or damaged; the error names its place.
        """
        return cls.read(JsonReader(data, "explanation"))

    @classmethod
    def read(cls, read: JsonReader) -> Explanation:
        """Read the steps of an explanation."""
        return cls(tuple(map(Step.read, read.items())))

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The names of all modifiers that were evaluated, each once."""
        names = (step.name for step in self.steps if step.kind == "modifier" and step.name)
        return tuple(dict.fromkeys(names))

    def why_not(self, name: str) -> tuple[Step, ...]:
        """Find out why a modifier did not apply.

        Args:
            name: The name of the modifier, the beginning of its name, or the end of its label.

        Returns:
            The steps of the modifier, one for each evaluation. In each, ``applied`` tells whether it applied, and
            ``because`` why not.

        Raises:
            InputError: The run evaluated no such modifier.
        """
        steps = [step for step in self.steps if step.kind == "modifier"]
        name = only_beginning(name, self.modifiers) or name
        found = tuple(step for step in steps if step.name == name or step.text.endswith(name))
        if found:
            return found
        close = nearest(name, self.modifiers)
        meant = f"; did you mean {close}?" if close else f"; there are {', '.join(self.modifiers) or 'none'}"
        allowed = ", ".join(self.modifiers) or "no modifiers"
        message = f"no modifier {name} was evaluated{meant}"
        raise InputError([InputFault("name", name, allowed, message)])


def _no_length(length: str) -> InputError:
    allowed = "short, usual or all"
    return InputError(
        [InputFault("length", length, allowed, f"the length of an explanation must be {allowed}, not {length}")]
    )


def _in_full(step: Step) -> str:
    """Return a step as text that says what a heading says otherwise: not applied, given, by default."""
    if step.applied is False:
        return f"{NOT_APPLIED}: {step}"
    return str(step) if step.given is None else f"{'given' if step.given else 'by default'} {step}"


def _is_missed(step: Step) -> bool:
    """Whether a step is a modifier that did not apply, and had a record to apply to."""
    return step.applied is False and not (step.because or "").startswith("for each ")


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
        if _is_missed(step):
            same = evolve(step, reader=None, depth=0)
            missed.setdefault(same, []).append(step.reader or "")
    return [f"{step}{_concerned(readers)}" for step, readers in missed.items()]


def _concerned(readers: list[str]) -> str:
    named = list(dict.fromkeys(reader for reader in readers if reader))
    return f" (for {', '.join(named)})" if named and "" not in readers else ""
