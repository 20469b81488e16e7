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
from enfilade.door import door
from enfilade.engines.explanation import NOT_APPLIED, Explanation, Length
from enfilade.engines.short_explanation import performed
from enfilade.engines.step import Step
from enfilade.engines.trace import code_text
from enfilade.errors import AnswerError, InputError, RefusedOdds
from enfilade.language.styled_text import Line, cited, in_columns, line
from enfilade.values.json_data import to_json

_IN_SHORT: Final = frozenset(
    ("procedure", "roll", "draw", "choice", "modifiers", "modifier", "reading", "results", "effect", "change", "value")
)
_STYLES: Final = {
    "procedure": "title", "roll": "dice", "draw": "dice", "choice": "dice", "reading": "read", "effect": "effect",
    "change": "effect", "results": "code", "refusal": "refused", "output": "output", "note": "hint",
}  # fmt: skip


@door
def step_line(step: Step) -> Line:
    """One step: its text, its citations, and the author's reason if the rulebook leaves the point open."""
    whole = str(step)
    cites = cited(step.cites)
    assumed = f" (assumed: {step.assumed})" if step.assumed else ""
    text = whole.removesuffix(assumed).removesuffix(cites[1])
    return line(step.line.removesuffix(whole), (_STYLES.get(step.kind, ""), text), cites, ("hint", assumed))


@door
def short_steps(steps: Iterable[Step]) -> Iterator[Line]:
    """The steps that a player wants to see at once: rolls, modifiers that applied, charts read, effects."""
    yield from map(brief_line, filter(is_brief, steps))


@door
def brief_line(step: Step) -> Line:
    """One step without the author's assumption, which belongs to the full explanation."""
    return step_line(step) if step.kind == "note" else tuple(each for each in step_line(step) if each[0] != "hint")


@door
def is_brief(step: Step) -> bool:
    """Whether a player wants to see a step at once."""
    unnamed = step.kind == "value" and step.text.startswith(f"{step.name}:")
    nothing = step.kind in ("value", "choice") and step.value in ([], {}, None)
    if step.kind == "note":
        # What the chart prints beside the row or column that was used.
        return step.label is not None and step.assumed is None
    return step.kind in _IN_SHORT and step.applied is not False and not unnamed and not nothing


@door
def explanation_lines(explanation: Explanation, length: Length = "usual") -> Iterator[Line]:
    """An explanation, styled.

    Args:
        explanation: The explanation.
        length: How much it says, as in ``Explanation.text``.
    """
    body = {step.line: step_line(step) for step in explanation.steps}
    for text in explanation.text(length).splitlines():
        yield body.get(text) or _plain_line(text)


def _plain_line(text: str) -> Line:
    for word in ("given ", "by default ", NOT_APPLIED):
        if text.startswith(word):
            return line(("label", word), text.removeprefix(word))
    return line(text)


@door
def outcome_lines(outcome: Outcome) -> Iterator[Line]:
    """A combat's result and the outputs that the rules label, or its refusal.

    What must be applied to units comes first, and then the result that the chart gives. If the rules label no output and there is no result, every output is shown. ``output_lines`` shows all of them.
    """
    if outcome.refusal is not None:
        yield refusal_line(outcome)
        return
    labels = _labels(outcome)
    outputs = dict(outcome.outputs)
    if "result" in outputs:
        text = code_text(value_text(outputs.pop("result")), labels.get("result"))
        steps = _steps(outcome)
        effects = performed(steps)
        if effects:
            is_read = any(step.kind == "reading" and step.value == to_json(outcome.result) for step in steps)
            yield line(("label", "result  "), ("result", "; ".join(effects)))
            yield line(("label", "chart   " if is_read else "comes to "), text)
        else:
            yield line(("label", "result  "), ("result", text))
        outputs = {name: value for name, value in outputs.items() if name in labels}
    for name, value in outputs.items():
        if not is_empty(value):
            yield line(("name", labels.get(name, name)), ": ", output_text(value))


def _steps(outcome: Outcome) -> tuple[Step, ...]:
    """The steps of the explanation; none if the outcome can't be explained."""
    try:
        return outcome.explain().steps
    except AnswerError:
        return ()


def _labels(outcome: Outcome) -> dict[str, str]:
    """The labels of the outputs; that of the result is the label of its code."""
    steps = _steps(outcome)
    labels = {step.name: step.label for step in steps if step.kind == "output" and step.name and step.label}
    result = to_json(outcome.result)
    read = [step.label for step in steps if step.kind == "reading" and step.label and step.value == result]
    return labels | ({"result": read[-1]} if read else {})


@door
def output_lines(outcome: Outcome) -> Iterator[Line]:
    """Every output of a combat with its label, one to a line.

    Args:
        outcome: The outcome.
    """
    rows = [[("name", name), ("", output_text(value))] for name, value in outcome.outputs.items()]
    yield from in_columns(rows)


@door
def is_empty(value: Any) -> bool:
    """Whether an output has an empty value: no, none, or an empty list. 0 is not empty."""
    return value is None or value is False or value == () or value == {}


@door
def refusal_line(outcome: Outcome) -> Line:
    """A refusal by the rules, with its sentence and citations."""
    message = f": {outcome.message}" if outcome.message else ""
    return line(("refused", "refused "), ("code", outcome.refusal or ""), message, cited(outcome.cites))


@door
def fault_lines(wrong: InputError) -> Iterator[Line]:
    """The faults of an input error, a line for each."""
    for fault in wrong.errors:
        yield line(("error", fault.message))


@door
def effect_text(effect: Effect) -> str:
    """An effect in words.

    Examples:
        >>> effect_text(Effect("step_loss", {"unit": "gun", "amount": 1}))
        'step_loss unit gun amount 1'
    """
    given = [f"{name} {output_text(arg)}" for name, arg in effect.args.items() if arg is not None]
    return " ".join([effect.effect, *given])


@door
def diagnostic_lines(
    diagnostics: Iterable[Diagnostic], *, errors_alone: bool = False, columns: int | None = None
) -> Iterator[Line]:
    """Diagnostics with their places, as `enfilade check` prints them.

    Args:
        diagnostics: The diagnostics.
        errors_alone: Whether to leave out warnings.
        columns: The width of the terminal, into which source lines are cut, so each caret stays below its place.
    """
    for found in diagnostics:
        if errors_alone and found.severity is not Severity.ERROR:
            continue
        style = "error" if found.severity is Severity.ERROR else "warning"
        for number, each in enumerate(render_text(found, width=columns).splitlines()):
            marked = each.lstrip(" |").startswith("^")
            yield line((style if number == 0 or marked else "hint" if "= help" in each else "", each))


@door
def odds_refusal_line(refused: RefusedOdds) -> Line:
    """A refusal of odds, with its sentence and citations."""
    chance = "for some dice or choices: " if refused.by_chance else ""
    reason = f": {refused.reason}" if refused.reason else ""
    return line(("refused", "refused "), chance, ("code", refused.refusal), reason, cited(refused.cites))
