"""Turns a combat into text to paste in a forum or an e-mail, with a command that reproduces it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from enfilade import EnfiladeError, Step
from enfilade.language import (
    effect_text,
    is_empty,
    marked_up,
    output_text,
    read_facts,
    read_known_answers,
    read_options,
    value_text,
)
from enfilade_repl.definition_text import name_of
from enfilade_repl.recording import changed_options, given_without_defaults
from enfilade_repl.state import Resolution

CHECKED_BY: Final = "to check it: "


def shared(done: Resolution, *, markdown: bool) -> str:
    """Format a combat as text to paste: the facts, the dice, the outcome and the explanation.

    Args:
        done: The resolution.
        markdown: Whether to format the text as Markdown.
    """
    rules, outcome = done.ruleset.rules, done.outcome
    label = rules.procedure(done.procedure).label or done.procedure
    title = rules.title if label in rules.title else f"{rules.title}: {label}"
    explanation = outcome.explain()
    body = [step for step in explanation.steps if step.kind not in ("fact", "output") and not _is_nothing(step)]
    dice = "; ".join(f"{each.name} {' '.join(map(value_text, each.answers))}" for each in outcome.dice)
    outputs = "; ".join(
        f"{name} {output_text(value)}"
        for name, value in outcome.outputs.items()
        if name != "result" and not is_empty(value)
    )
    effects = [effect_text(effect) for effect in outcome.effects]
    if markdown:
        return "\n".join([
            f"**{marked_up(title)}**", "", *(f"> {marked_up(text)}" for text in explanation.situation()), "",
            *(f"{'  ' * step.depth}- {marked_up(str(step))}" for step in body), "",
            f"**{marked_up(_came(done))}**", *(["", *(f"- {marked_up(text)}" for text in effects)] if effects else []),
            *(["", f"Outputs: {marked_up(outputs)}"] if outputs else []),
            "", f"Dice: {marked_up(dice or 'none')}", *(["", text] if (text := _check(done, markdown=True)) else []),
        ])  # fmt: skip
    return "\n".join([
        title, *explanation.situation(), *("  " * step.depth + str(step) for step in body), _came(done),
        *([f"outputs: {outputs}"] if outputs else []), *(f"effect: {text}" for text in effects),
        f"dice: {dice or 'none'}", *([text] if (text := _check(done, markdown=False)) else []),
    ])  # fmt: skip


def _is_nothing(step: Step) -> bool:
    """Whether a step says only what did not happen: a modifier that did not apply, or a choice among nothing."""
    return step.applied is False or (step.kind == "choice" and step.value in ([], None))


def _came(done: Resolution) -> str:
    return f"result: {value_text(done.outcome.result)}" if "result" in done.outcome.outputs else "resolved"


def _check(done: Resolution, *, markdown: bool) -> str:
    """Instructions for others to reproduce the combat; empty if no command can reproduce it."""
    if done.ruleset.scratch:
        defined = ", ".join(name_of(each) for each in done.ruleset.scratch)
        text = f"played with definitions from the prompt: {defined}"
        return marked_up(text) if markdown else text
    command = command_of(done)
    if command is None:
        return ""
    if not markdown:
        return f"{CHECKED_BY}{command}"
    fence = "`" * (1 + max(map(len, re.findall("`+", command)), default=0))
    return f"{fence}{command}{fence}"


# ------------------------------------------------------------------------------------------------------ the command


def command_of(done: Resolution) -> str | None:
    """The command that reproduces a combat with the unchanged ruleset; ``None`` if there is none.

    Args:
        done: The combat.
    """
    facts = [word for name, value in given_without_defaults(done).items() for word in _words(done, name, value)]
    options = [f"{name}={value_text(value)}" for name, value in changed_options(done)]
    dice = _listed(answer for each in done.outcome.dice for answer in each.answers)
    # A choice of any number is answered with one list, a choice of a fixed number with each of its elements.
    ways = (
        _listed(answer for each in done.outcome.choices for answer in each.answers),
        ",".join(_bracketed(each.answers) for each in done.outcome.choices),
    )
    choices = next((each for each in ways if _plays_the_same(done, facts, options, dice, each)), None)
    if choices is None:
        return None
    words = ["enfilade", "resolve", done.ruleset.place or done.ruleset.name, done.procedure, *facts]
    words += [f"--option={each}" for each in options]
    words += [f"--dice={dice}"] if dice else []
    words += [f"--choices={choices}"] if choices else []
    return " ".join(shlex.quote(word) for word in words)


def _listed(answers: Iterable[Any]) -> str:
    return ",".join(map(value_text, answers))


def _bracketed(answers: Iterable[Any]) -> str:
    texts = [value_text(each) for each in answers]
    quoted = [f'"{each}"' if " " in each else each for each in texts]
    return f"[{', '.join(quoted)}]"


def _plays_the_same(done: Resolution, facts: list[str], options: list[str], dice: str, choices: str) -> bool:
    """Whether the arguments of a command, once parsed, give the same combat: its facts, options, dice and choices."""
    base = done.ruleset.base
    if base is None:
        return False
    rules = base.with_options(**{option.name: option.default for option in base.option_fields})
    try:
        outcome = rules.resolve(
            done.procedure, given=read_facts(rules, done.procedure, facts), options=read_options(rules, options),
            dice=read_known_answers([dice] if dice else None), choices=read_known_answers([choices] if choices else None),
        )  # fmt: skip
    except EnfiladeError:
        return False
    return (outcome.outputs, outcome.effects, outcome.dice) == (
        done.outcome.outputs, done.outcome.effects, done.outcome.dice,
    )  # fmt: skip


def _words(done: Resolution, name: str, value: Any) -> list[str]:
    """A fact as command-line arguments: in the short form, or as JSON if the short form would lose information."""
    short = list(_in_short(name, value))
    if _says_the_same(done, name, short):
        return short
    return [f"{name}={json.dumps(value, ensure_ascii=False)}"]


def _says_the_same(done: Resolution, name: str, words: list[str]) -> bool:
    rules = done.ruleset.rules
    try:
        read = read_facts(rules, done.procedure, words)
        given = {**done.given, name: read[name]}
        return rules.check_facts(done.procedure, given) == rules.check_facts(done.procedure, done.given)
    except (EnfiladeError, KeyError):
        return False


def _in_short(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _record_words(name, value)
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        for item in value:
            yield from _record_words(f"{name}.{next(iter(item.values()))}", item)
    elif isinstance(value, list):
        yield f"{name}={_listed(value)}" if value else f"{name}=[]"
    else:
        yield f"{name}={value_text(value)}"


def _record_words(name: str, record: Mapping[str, Any]) -> Iterator[str]:
    for field, value in list(record.items())[1:]:
        yield f"{name}.{field}={_listed(value) if isinstance(value, list) else value_text(value)}"
