"""The short explanation: one line that fits a chat.

It says how the result was found: the chart reading or the roll, the modifiers that applied, the result and the effects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from enfilade.engines.step import Step


def short_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps of a run that a short explanation names, in order.

    Args:
        steps: All steps of the run.
    """
    refusals = tuple(step for step in steps if step.kind == "refusal")
    if refusals:
        return refusals[-1:]
    found = _found_at(steps)
    told = [*_modifiers(steps, found), *([] if found is None else [steps[found]])]
    return (*told, *_results(steps, found), *_effects(steps)) or tuple(steps[:1])


def sentence(steps: Sequence[Step]) -> str:
    """The short explanation of a run in one line.

    Args:
        steps: All steps of the run.
    """
    told = short_steps(steps)
    main = [_text(step) for step in told if step.kind not in ("modifier", "effect")]
    main += performed(told)
    applied = [step.text for step in told if step.kind == "modifier"]
    if applied:
        main[:1] = [f"{main[0]} ({', '.join(applied)})" if main else ", ".join(applied)]
    return "; ".join(main)


def performed(steps: Sequence[Step]) -> list[str]:
    """The effects among some steps, in words: one that is performed several times says how often."""
    times = Counter(step.text for step in steps if step.kind == "effect")
    return [text if count == 1 else f"{text}, {count} times" for text, count in times.items()]


def _text(step: Step) -> str:
    # The name of a refusal is for programs.
    return step.text.replace(f"refused, {step.name}:", "refused:", 1) if step.kind == "refusal" else step.text


def _found_at(steps: Sequence[Step]) -> int | None:
    """The index of the chart reading that gave the result, else of the last reading, else of the roll.

    Without a result, one of several rolls says too little.
    """
    result = _result(steps)
    readings = [at for at, step in enumerate(steps) if step.kind == "reading"]
    giving = [at for at in readings if result is not None and steps[at].value == result.value]
    general = [at for at in giving if steps[at].reader is None]
    rolls = [at for at, step in enumerate(steps) if step.kind in ("roll", "draw")]
    decisive = rolls if result is not None or len(rolls) == 1 else []
    return next((found[-1] for found in (general, giving, readings, decisive) if found), None)


def _result(steps: Sequence[Step]) -> Step | None:
    return next((step for step in reversed(steps) if step.kind == "output" and step.name == "result"), None)


def _modifiers(steps: Sequence[Step], found: int | None) -> list[Step]:
    """The modifiers that applied to a reading, or to the scores of a roll, each once."""
    applied = [(at, step) for at, step in enumerate(steps) if step.kind == "modifier" and step.applied]
    if found is not None and steps[found].kind == "reading":
        reader = steps[found].reader
        applied = [(at, step) for at, step in applied if at < found and step.reader in (None, reader)]
    return list({step.text: step for _, step in applied}.values())


def _results(steps: Sequence[Step], found: int | None) -> list[Step]:
    """The result, unless the reading gave it; without a result or an effect the outputs with a label, or all of them."""
    result = _result(steps)
    if result is not None:
        is_read = found is not None and steps[found].kind == "reading" and steps[found].value == result.value
        return [] if is_read else [result]
    if _effects(steps):
        return []
    own = [step for step in steps if step.kind == "output" and not step.depth]
    shown = [step for step in own if step.value not in (None, [], {}) and step.value is not False]
    return [step for step in shown if step.label] or shown


def _effects(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.kind == "effect"]
