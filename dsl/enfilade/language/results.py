"""Results in words, as styled lines: the steps of a run, its outputs, refusals, input errors and diagnostics.

The words come from the explanation and the ruleset. This module must not compute results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from enfilade.api.outcome import Effect, Outcome
from enfilade.api.outcome_values import output_text, value_text
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.diagnostics.render import render_text
from enfilade.engines.explanation import Explanation, Step
from enfilade.errors import InputError, RefusedOdds
from enfilade.language.styled_text import Fragment, Line, cited, line

_IN_SHORT: Final = frozenset(
    ("procedure", "roll", "draw", "choice", "modifiers", "modifier", "reading", "results", "effect", "change", "value")
)
_STYLES: Final = {
    "procedure": "title", "roll": "dice", "draw": "dice", "choice": "dice", "reading": "read", "effect": "effect",
    "change": "effect", "results": "code", "refusal": "refused", "output": "output", "note": "hint",
}  # fmt: skip


def step_line(step: Step) -> Line:
    """One step: its text, its citations, and the author's reason if the rulebook leaves the point open."""
    whole = str(step)
    cites = cited(step.cites)
    assumed = f" (assumed: {step.assumed})" if step.assumed else ""
    text = whole.removesuffix(assumed).removesuffix(cites[1])
    return line(step.line.removesuffix(whole), (_STYLES.get(step.kind, ""), text), cites, ("hint", assumed))


def short_steps(steps: Iterable[Step]) -> Iterator[Line]:
    """The steps that a player wants to see at once: rolls, modifiers that applied, charts read, effects."""
    for step in steps:
        unnamed = step.kind == "value" and step.text.startswith(f"{step.name}:")
        if step.kind in _IN_SHORT and step.applied is not False and not unnamed:
            text = step_line(step)
            # Assumptions of the author belong to the full explanation.
            yield tuple(fragment for fragment in text if fragment[0] != "hint")


def explanation_lines(explanation: Explanation) -> Iterator[Line]:
    """The whole explanation: the facts, every step, and the modifiers that were not applied."""
    body = {step.line: step_line(step) for step in explanation.steps}
    for text in str(explanation).splitlines():
        yield body.get(text) or _plain_line(text)


def _plain_line(text: str) -> Line:
    for word in ("given ", "by default ", "did not count"):
        if text.startswith(word):
            return line(("label", word), text.removeprefix(word))
    return line(text)


def outcome_lines(outcome: Outcome) -> Iterator[Line]:
    """The outcome of a run: its result and its other non-empty outputs, or its refusal."""
    if outcome.refusal is not None:
        yield refusal_line(outcome)
        return
    outputs = dict(outcome.outputs)
    if "result" in outputs:
        yield line(("label", "result  "), ("result", value_text(outputs.pop("result"))))
    said = [(name, value) for name, value in outputs.items() if not is_empty(value)]
    if said:
        yield line(("label", "outputs "), *_listed(said))


def is_empty(value: Any) -> bool:
    """Whether an output has an empty value: no, none, or an empty list. 0 is not empty."""
    return value is None or value is False or value == () or value == {}


def _listed(outputs: list[tuple[str, Any]]) -> Iterator[Fragment]:
    for number, (name, value) in enumerate(outputs, 1):
        yield "name", f"{name} "
        yield "", output_text(value) + ("; " if number < len(outputs) else "")


def refusal_line(outcome: Outcome) -> Line:
    """A refusal by the rules, with its sentence and citations."""
    message = f": {outcome.message}" if outcome.message else ""
    return line(("refused", "refused "), ("code", outcome.refusal or ""), message, cited(outcome.cites))


def fault_lines(wrong: InputError) -> Iterator[Line]:
    """The faults of an input error, a line for each."""
    for fault in wrong.errors:
        yield line(("error", fault.message))


def effect_text(effect: Effect) -> str:
    """An effect in words.

    Examples:
        >>> effect_text(Effect("step_loss", {"unit": "gun", "amount": 1}))
        'step_loss unit gun amount 1'
    """
    given = [f"{name} {output_text(arg)}" for name, arg in effect.args.items() if arg is not None]
    return " ".join([effect.effect, *given])


def diagnostic_lines(diagnostics: Iterable[Diagnostic], *, errors_alone: bool = False) -> Iterator[Line]:
    """Diagnostics with their places, as `enfilade check` prints them.

    Args:
        diagnostics: The diagnostics.
        errors_alone: Whether to leave out warnings.
    """
    for found in diagnostics:
        if errors_alone and found.severity is not Severity.ERROR:
            continue
        style = "error" if found.severity is Severity.ERROR else "warning"
        for number, each in enumerate(render_text(found).splitlines()):
            marked = each.lstrip(" |").startswith("^")
            yield line((style if number == 0 or marked else "hint" if "= help" in each else "", each))


def odds_refusal_line(refused: RefusedOdds) -> Line:
    """A refusal of odds, with its sentence and citations."""
    chance = "with some dice or choices " if refused.by_chance else ""
    reason = f": {refused.reason}" if refused.reason else ""
    return line(chance, ("refused", "refused "), ("code", refused.refusal), reason, cited(refused.cites))
