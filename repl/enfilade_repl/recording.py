"""Turns what happened into text for others: examples for a rules file, and a combat to paste in a forum."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from enfilade.api.outcomes import told
from enfilade.core import ir
from enfilade.core.jsonable import to_json
from enfilade.engines.explanation import Step
from enfilade_repl.definitions import file_text
from enfilade_repl.entry import record_of, types_of
from enfilade_repl.pieces import field_text, value_text
from enfilade_repl.showing import effect_text, value_told
from enfilade_repl.table import Resolution

# -------------------------------------------------------------------------------------------------------- examples


def example_text(done: Resolution, number: int) -> str:
    """A resolution as an example of its ruleset.

    Args:
        done: The resolution.
        number: Its number in the session.
    """
    lines = [f'example {done.procedure} "played {number}: {_label(done)}"']
    lines += _given(done)
    lines += [
        f"  option {name}" if value is True else f"  option {name} {told(value)}" for name, value in _options(done)
    ]
    outcome = done.outcome
    if outcome.dice:
        lines.append("  on " + "  ".join(" ".join(map(told, each.answers)) for each in outcome.dice))
    if outcome.choices:
        lines.append("  choosing " + ", ".join(value_text(_data(each.chosen)) for each in outcome.choices))
    if "result" in outcome.outputs and isinstance(outcome.result, (str, int)) and not isinstance(outcome.result, bool):
        lines.append(f"  gives {_quoted(told(outcome.result))}")
    effects = list(
        dict.fromkeys(f"  effect {effect_text_of_example(effect.effect, effect.args)}" for effect in outcome.effects)
    )
    lines += effects or ["  no effects"]
    return "\n".join(lines) + "\n"


def _label(done: Resolution) -> str:
    came = f" gives {told(done.outcome.result)}" if done.outcome.result is not None else ""
    return re.sub(r'["\\]', "'", f"{done.entry}{came}")[:100]


def _given(done: Resolution) -> Iterator[str]:
    text = facts_text(done)
    if text:
        yield f"  given {text}"


def facts_text(done: Resolution) -> str:
    """The facts of a resolution as they are typed."""
    return ", ".join(_fact(name, value) for name, value in said_of(done).items())


def _fact(name: str, value: Any) -> str:
    if value is None:
        return f"{name} none"
    if value is False:
        return f"{name} no"
    return field_text(name, value)


def said_of(done: Resolution) -> dict[str, Any]:
    """The facts of a resolution, its records without the fields that have their defaults."""
    types = types_of(done.ground.rules.program, done.procedure)
    records = done.ground.rules.program.records
    return {name: _said(records.get(record_of(types[name]) or ""), value) for name, value in done.given.items()}


def _said(declared: ir.RecordDecl | None, value: Any) -> Any:
    if declared is None:
        return value
    if isinstance(value, list):
        return [_said(declared, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    fields = declared.fields
    return {
        name: each for name, each in value.items()
        if name not in fields or not fields[name].has_default or to_json(fields[name].default) != each
    }  # fmt: skip


def _options(done: Resolution) -> Iterator[tuple[str, Any]]:
    rules = done.ground.rules
    for name, option in rules.program.options.items():
        if rules.options[name] != option.default:
            yield name, rules.options[name]


def effect_text_of_example(name: str, args: Mapping[str, Any]) -> str:
    """An effect as an example writes it: what it is on, and its other arguments."""
    values = list(args.items())
    if not values:
        return name
    (_, first), *others = values
    on = f" on {_quoted(told(first))}"
    return f"{name}{on}" + (
        f" with {', '.join(f'{each} {_quoted(told(value))}' for each, value in others)}" if others else ""
    )


def _data(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z_]\w*|-?\d+|[+-]", text) else f'"{text}"'


def examples_file(resolutions: tuple[Resolution, ...], name: str) -> str:
    """A rules file with an example for each resolution, as a variant of the ruleset that they were played with.

    Args:
        resolutions: The resolutions; those with another ruleset than the last are left out.
        name: What the file is called.
    """
    ground = resolutions[-1].ground
    same = [done for done in resolutions if done.ground.name == ground.name]
    examples = "\n".join(example_text(done, number) for number, done in enumerate(same, 1))
    return file_text(ground, name) + examples


# --------------------------------------------------------------------------------------------------------- to paste


def shared(done: Resolution, *, markdown: bool) -> str:
    """A combat to paste in a forum or an e-mail: what was given, the dice, what came, and why.

    Args:
        done: The resolution.
        markdown: Whether to mark it up.
    """
    rules, outcome = done.ground.rules, done.outcome
    label = rules.procedure(done.procedure).label or done.procedure
    title = rules.title if label in rules.title else f"{rules.title}: {label}"
    explanation = outcome.explain()
    body = [step for step in explanation.steps if step.kind not in ("fact", "output") and step.applied is not False]
    dice = "; ".join(f"{each.name} {' '.join(map(told, each.answers))}" for each in outcome.dice)
    outputs = [
        f"{name} {value_told(value)}"
        for name, value in outcome.outputs.items()
        if name != "result" and value not in (None, False, (), {})
    ]
    effects = [effect_text(effect) for effect in outcome.effects]
    again = f"enfilade resolve {_again(done)}"
    if markdown:
        return "\n".join([
            f"**{title}**", "", *(f"> {text}" for text in explanation.situation()), "",
            *(f"{'  ' * step.depth}- {_marked_up(step)}" for step in body), "",
            f"**{_came(done)}**", *(["", *(f"- {text}" for text in effects)] if effects else []),
            "", f"Dice: {dice or 'none'}", "", f"`{again}`",
        ])  # fmt: skip
    return "\n".join([
        title, *explanation.situation(), *("  " * step.depth + str(step) for step in body), _came(done),
        *([f"outputs: {'; '.join(outputs)}"] if outputs else []), *(f"effect: {text}" for text in effects),
        f"dice: {dice or 'none'}", f"to check it: {again}",
    ])  # fmt: skip


def _came(done: Resolution) -> str:
    return f"result: {told(done.outcome.result)}" if "result" in done.outcome.outputs else "resolved"


def _marked_up(step: Step) -> str:
    return re.sub(r"([\\*_`<>])", r"\\\1", str(step))


def _again(done: Resolution) -> str:
    """The arguments with which the command line plays the same."""
    place = done.ground.place or done.ground.name
    words = [place, done.procedure]
    for name, value in said_of(done).items():
        words += _words(name, value)
    words += [f"--option={name}={told(value)}" for name, value in _options(done)]
    dice = ",".join(told(face) for each in done.outcome.dice for face in each.answers)
    choices = ",".join(told(answer) for each in done.outcome.choices for answer in each.answers)
    words += [f"--dice={dice}"] if dice else []
    words += [f"--choices={choices}"] if choices else []
    return " ".join(shlex.quote(word) for word in words)


def _words(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _record_words(name, value)
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        for item in value:
            yield from _record_words(f"{name}.{next(iter(item.values()))}", item)
    elif isinstance(value, list):
        yield f"{name}={','.join(map(told, value))}" if value else f"{name}=[]"
    else:
        yield f"{name}={told(value)}"


def _record_words(name: str, record: Mapping[str, Any]) -> Iterator[str]:
    for field, value in list(record.items())[1:]:
        if value is not None:
            yield f"{name}.{field}={','.join(map(told, value)) if isinstance(value, list) else told(value)}"
