"""Compares the outcome of an example with its expectations and reports a failure for each line that does not match.

Each message names the expected and the actual result. Only the conditions of ``expect`` are evaluated here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import fields, frozen, has

from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.legal_answers import player_text
from enfilade.core.modifiers import text_of
from enfilade.core.run import Frame
from enfilade.errors import InputError, InputFault, LimitError, RuleError
from enfilade.source.text import Span
from enfilade.tools.playing import Ending
from enfilade.values.data import ChartRef, Performed, Reading, Roll, Tally


@frozen
class Failure:
    """One line of an example that does not match the run.

    Attributes:
        message: The expected and the actual result.
        span: The line, or the wrong part of it.
        helps: The faces of the dice, and the outputs that a condition reads.
    """

    message: str
    span: Span | None
    helps: tuple[str, ...] = ()


def compare(example: ir.Example, ending: Ending) -> Iterator[Failure]:
    """Compare the outcome of a run with its example.

    Args:
        example: The expected outcome.
        ending: The actual outcome.

    Yields:
        A failure for each line that does not match.
    """
    if example.input_error is not None:
        yield from _input_error(example, example.input_error, ending)
    elif ending.faults:
        yield from (Failure(fault.message, _line_of(example, fault, ending)) for fault in ending.faults)
    elif ending.broken is not None:
        yield Failure(
            ending.broken, line_of_example(example, "on") if ending.lacks_dice else example.note.span, _answers(ending)
        )
    elif example.refused is not None:
        yield from _refused(example, example.refused, ending)
        yield from _left_over(example, ending)
    elif ending.refusal is not None:
        yield Failure(f"expected the run to end, but {_how_it_ended(ending)}", example.note.span, _answers(ending))
    else:
        yield from _resolved(example, ending)
        yield from _left_over(example, ending)


# ------------------------------------------------------------------------------------------- other ways to end


def _input_error(example: ir.Example, parameter: str, ending: Ending) -> Iterator[Failure]:
    if any(fault.is_about(parameter) for fault in (*ending.faults, *ending.left_over)):
        return
    span = line_of_example(example, "input error")
    yield Failure(f"expected an input error about {parameter}, but {_how_it_ended(ending)}", span, _answers(ending))


def _refused(example: ir.Example, slug: str, ending: Ending) -> Iterator[Failure]:
    if ending.refusal is None or ending.refusal[0] != slug:
        span = line_of_example(example, "refused")
        yield Failure(f"expected the refusal {slug}, but {_how_it_ended(ending)}", span, _answers(ending))


def _left_over(example: ir.Example, ending: Ending) -> Iterator[Failure]:
    for fault in ending.left_over:
        line = "choosing" if fault.message.startswith("choices") else "on"
        yield Failure(fault.message, line_of_example(example, line), _answers(ending))


def _how_it_ended(ending: Ending) -> str:
    if ending.faults:
        return "there was an input error: " + "; ".join(fault.message for fault in ending.faults)
    if ending.broken is not None:
        return f"the run failed: {ending.broken}"
    if ending.refusal is not None:
        slug, label = ending.refusal
        return f'it was refused {slug} "{label}"' if label else f"it was refused {slug}"
    return f"it gave {printed(ending.outputs['result'])}" if "result" in ending.outputs else "it was resolved"


# ----------------------------------------------------------------------------------------- outputs and effects


def _resolved(example: ir.Example, ending: Ending) -> Iterator[Failure]:
    if example.gives is not None:
        yield from _gives(example, example.gives, ending)
    yield from _effects(example, ending)
    if example.starts:
        yield from _starts(example, ending)
    if ending.machine is not None:
        for condition in example.expect:
            yield from _expect(condition, ending.machine, ending)


def _gives(example: ir.Example, wanted: str, ending: Ending) -> Iterator[Failure]:
    span = line_of_example(example, "gives")
    if "result" not in ending.outputs:
        yield Failure(f"expected {wanted}, but the rules gave no result", span, _answers(ending))
        return
    result = ending.outputs["result"]
    if not is_printed_as(result, wanted):
        yield Failure(f"expected {wanted}, but the result was {printed(result)}", span, _answers(ending))


def _effects(example: ir.Example, ending: Ending) -> Iterator[Failure]:
    if example.no_effects and ending.effects:
        came = "; ".join(effect_text(done) for done in ending.effects)
        yield Failure(
            f"expected no effects, but there were: {came}", line_of_example(example, "no effects"), _answers(ending)
        )
    for index, (name, args) in enumerate(example.effects):
        # An effect listed twice must have happened twice.
        times = example.effects[: index + 1].count((name, args))
        if sum(_is_effect(done, name, args) for done in ending.effects) < times:
            same = [effect_text(done) for done in ending.effects if done.effect == name]
            came = "; ".join(same) or "no effect of that name"
            often = "" if times == 1 else f" {times} times"
            text = f"expected {effect_text(Performed(name, args))}{often}, but there was: {came}"
            yield Failure(text, line_of_example(example, "effect", index), _answers(ending))


def _is_effect(done: Performed, name: str, args: Mapping[str, Any]) -> bool:
    return done.effect == name and all(_is_same(done.args.get(param), value) for param, value in args.items())


def _is_same(came: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return isinstance(came, tuple) and sorted(map(printed, came)) == sorted(map(printed, wanted))
    return is_printed_as(came, printed(wanted))


def _starts(example: ir.Example, ending: Ending) -> Iterator[Failure]:
    wanted = [name for name, _ in example.starts if name]
    came = [name for name, _ in ending.starts if name]
    reasons = [reason for name, reason in ending.starts if not name]
    unmet = [reason for name, reason in example.starts if not name and reason and reason not in reasons]
    if sorted(wanted) != sorted(came) or unmet:
        expected = " and ".join(wanted) or " because of ".join(["nothing", *filter(None, unmet)])
        because = f" because of {', '.join(filter(None, reasons))}" if reasons and not came else ""
        text = f"expected to start {expected}, but {' and '.join(came) or 'nothing'} started{because}"
        yield Failure(text, line_of_example(example, "starts"))


# -------------------------------------------------------------------------------------------------- conditions


def _expect(condition: ir.Expr, machine: Machine, ending: Ending) -> Iterator[Failure]:
    for part in condition.items if isinstance(condition, ir.All) else (condition,):
        wrong = _why_not(part, machine, ending)
        if wrong is not None:
            seen = (*_outputs_read(part, ending), *_fields_read(part, machine, ending))
            yield Failure(wrong, part.span or condition.span, (*seen, *_answers(ending)))
            return


def _why_not(condition: ir.Expr, machine: Machine, ending: Ending) -> str | None:
    try:
        held = machine.value(condition, Frame(dict.fromkeys(_locals_in(condition)) | ending.outputs))
    except (RuleError, LimitError, InputError) as error:
        return f"expected {text_of(condition)}, but the value can't be computed: {error}"
    return None if held else f"expected {text_of(condition)}, which is false"


def _outputs_read(condition: ir.Expr, ending: Ending) -> Iterator[str]:
    for name in dict.fromkeys(_locals_in(condition)):
        if name in ending.outputs:
            yield f"{name} is {printed(ending.outputs[name])}"


def _fields_read(condition: ir.Expr, machine: Machine, ending: Ending) -> Iterator[str]:
    """The values of the record fields that a condition reads; missing records are skipped."""
    for read in dict.fromkeys(_fields_in(condition)):
        try:
            yield f"{text_of(read)} is {printed(machine.value(read, Frame(dict(ending.outputs))))}"
        except (KeyError, RuleError, LimitError, InputError):
            continue


def _fields_in(node: Any) -> Iterator[ir.Field]:
    """The fields that an expression reads, except in list operations, where they differ for each record."""
    if isinstance(node, ir.Field) and node.span is not None:
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from _fields_in(item)
    elif has(type(node)) and not isinstance(node, (ir.Const, ir.Over, ir.MapOver, ir.Sort)):
        for part in fields(type(node)):
            if part.name != "span":
                yield from _fields_in(getattr(node, part.name))


def _locals_in(node: Any) -> Iterator[str]:
    """The locals that an expression reads, in order."""
    if isinstance(node, ir.Local):
        yield node.name
    elif isinstance(node, tuple):
        for item in node:
            yield from _locals_in(item)
    elif has(type(node)) and not isinstance(node, ir.Const):
        for part in fields(type(node)):
            if part.name != "span":
                yield from _locals_in(getattr(node, part.name))


# ------------------------------------------------------------------------------------------------ values as text


def _answers(ending: Ending) -> tuple[str, ...]:
    """The dice, cards and choices of the run, as one help line."""
    texts = [f"{entry.name} {printed(entry.value)}" for entry in ending.log if entry.kind != "fact"]
    return ("with " + "; ".join(texts),) if texts else ()


def printed(value: Any) -> str:
    """Write a value as a table or a die shows it.

    Examples:
        >>> printed(Roll((4, 5), (4, 5))), printed(("a", 2)), printed({"gun": True})
        ('9', 'a, 2', 'gun: yes')
    """
    match value:
        case Roll():
            return _faces(value) if any(isinstance(each, str) for each in value.values) else str(value.total)
        case Reading():
            return printed(value.code)
        case Tally():
            return str(value.total)
        case ChartRef():
            return value.name
        case Performed():
            return effect_text(value)
        case tuple() | list():
            return (
                ", ".join(f"({printed(item)})" if isinstance(item, tuple) else printed(item) for item in value)
                or "nothing"
            )
        case Mapping():
            return ", ".join(f"{printed(key)}: {printed(item)}" for key, item in value.items()) or "nothing"
    return player_text(value)


def _faces(roll: Roll) -> str:
    return " ".join(str(face) for face in roll.faces)


def is_printed_as(value: Any, text: str) -> bool:
    """Whether a text is the printed form of a value; equal numbers match, such as ``7.5`` and ``15/2``."""
    if printed(value) == text or (isinstance(value, Roll) and _faces(value) == text):
        return True
    if isinstance(value, tuple) and len(value) > 1:
        texts = text.split(", ")
        return len(texts) == len(value) and all(map(is_printed_as, value, texts))
    try:
        return Fraction(printed(value)) == Fraction(text)
    except (ValueError, ZeroDivisionError):
        return False


def effect_text(done: Performed) -> str:
    """Write an effect as an example does."""
    return " ".join([done.effect, *(f"{name} {printed(value)}" for name, value in done.args.items())])


def _line_of(example: ir.Example, fault: InputFault, ending: Ending) -> Span | None:
    """The line of an input error. Facts are read first, so a fault in a later stage is in a die or a choice."""
    if ending.machine is None or fault.value is None:
        return line_of_example(example, "given")
    faces = fault.value if isinstance(fault.value, list) else [fault.value]
    return line_of_example(example, "on" if all(each in example.faces for each in faces) else "choosing")


def line_of_example(example: ir.Example, word: str, index: int = 0) -> Span | None:
    """The line of an example that begins with a word, or the whole example if there is none."""
    whole = example.note.span
    if whole is None:
        return None
    pattern = rf"^[^\S\n]*({word}\b[^\n]*?)\s*$"
    found = list(re.finditer(pattern, whole.text, re.MULTILINE))
    if index >= len(found):
        return whole
    return whole.at(found[index].start(1), found[index].end(1))
