"""Says what happened as styled lines: the steps of a run, its end, and what it would change on the table.

The words are those of the explanation and of the ruleset. It must not work out anything of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from enfilade.api.outcome import REFUSED, Effect, Outcome
from enfilade.api.outcomes import as_outcome, value_text
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.diagnostics.render import render_text
from enfilade.engines.explanation import INDENT, Explanation, Step
from enfilade.errors import InputError
from enfilade_repl.text import Fragment, Line, cited, line

_IN_SHORT: Final = frozenset(
    ("procedure", "roll", "draw", "choice", "modifiers", "modifier", "reading", "results", "effect", "change", "value")
)
_STYLES: Final = {
    "procedure": "title", "roll": "dice", "draw": "dice", "choice": "dice", "reading": "read", "effect": "effect",
    "change": "effect", "results": "code", "refusal": "refused", "output": "output", "note": "hint",
}  # fmt: skip


def step_line(step: Step) -> Line:
    """One step: its text, citations, and why its author had to decide."""
    whole = str(step)
    cites = cited(step.cites)
    assumed = f" (assumed: {step.assumed})" if step.assumed else ""
    text = whole.removesuffix(assumed).removesuffix(cites[1])
    return line(INDENT * step.depth, (_STYLES.get(step.kind, ""), text), cites, ("hint", assumed))


def steps_in_short(steps: Iterable[Step]) -> Iterator[Line]:
    """What a player wants to see at once: rolls, what counted, what was read, what happens."""
    for step in steps:
        unnamed = step.kind == "value" and step.text.startswith(f"{step.name}:")
        if step.kind in _IN_SHORT and step.applied is not False and not unnamed:
            text = step_line(step)
            # Why an author decided as he did is told by `why`.
            yield tuple(fragment for fragment in text if fragment[0] != "hint")


def explained(explanation: Explanation) -> Iterator[Line]:
    """The whole explanation: what was given, all that happened, and what did not count."""
    body = {line_of_step(step): step_line(step) for step in explanation.steps}
    for text in str(explanation).splitlines():
        yield body.get(text) or _plain_line(text)


def line_of_step(step: Step) -> str:
    """A step as it stands in the text of an explanation."""
    return INDENT * step.depth + str(step)


def _plain_line(text: str) -> Line:
    for word in ("given ", "by default ", "did not count"):
        if text.startswith(word):
            return line(("label", word), text.removeprefix(word))
    return line(text)


def ending(outcome: Outcome) -> Iterator[Line]:
    """How a run ended: its result, and the other outputs that say something."""
    if outcome.status == REFUSED:
        yield refusal(outcome)
        return
    outputs = dict(outcome.outputs)
    if "result" in outputs:
        yield line(("label", "result  "), ("result", value_text(outputs.pop("result"))))
    said = [(name, value) for name, value in outputs.items() if not is_nothing(value)]
    if said:
        yield line(("label", "outputs "), *_listed(said))


def is_nothing(value: Any) -> bool:
    """Whether an output says nothing: no, none, or an empty list; 0 is a number like others."""
    return value is None or value is False or value == () or value == {}


def _listed(outputs: list[tuple[str, Any]]) -> Iterator[Fragment]:
    for number, (name, value) in enumerate(outputs, 1):
        yield "name", f"{name} "
        yield "", value_told(value) + ("; " if number < len(outputs) else "")


def value_told(value: Any) -> str:
    """A value of an outcome as people read it."""
    return value_text(as_outcome(value))


def refusal(outcome: Outcome) -> Line:
    """A refusal, with its sentence and citations."""
    message = f": {outcome.message}" if outcome.message else ""
    return line(("refused", "refused "), ("code", outcome.refusal or ""), message, cited(outcome.cites))


def faults(wrong: InputError) -> Iterator[Line]:
    """What is wrong with what was given, a line for each fault."""
    for fault in wrong.errors:
        yield line(("error", fault.message))


def effect_text(effect: Effect) -> str:
    """An effect as a player reads it.

    Examples:
        >>> effect_text(Effect("step_loss", {"unit": "gun", "amount": 1}))
        'step_loss unit gun amount 1'
    """
    return " ".join([effect.effect, *(f"{name} {value_told(arg)}" for name, arg in effect.args.items())])


def diagnostics_of(diagnostics: Iterable[Diagnostic], *, errors_alone: bool = False) -> Iterator[Line]:
    """Diagnostics with their places, as `check` prints them."""
    for found in diagnostics:
        if errors_alone and found.severity is not Severity.ERROR:
            continue
        style = "error" if found.severity is Severity.ERROR else "warning"
        for number, each in enumerate(render_text(found).splitlines()):
            marked = each.lstrip(" |").startswith("^")
            yield line((style if number == 0 or marked else "hint" if "= help" in each else "", each))
