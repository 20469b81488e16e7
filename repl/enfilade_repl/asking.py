"""Words the questions of a run, and reads what is typed for an answer.

It must not judge an answer: the library says whether it is legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from enfilade.api.describe import describe_input
from enfilade.api.outcomes import value_text
from enfilade.api.questions import ChoiceQuestion, DiceToRoll, DrawQuestion, FactQuestion, Question, RollQuestion
from enfilade.cli.values import read_answers
from enfilade.core import ir
from enfilade.core.inputs import declared_input
from enfilade.core.types import ListOf, RecordOf, Type
from enfilade_repl.entry import EntryError, Reader
from enfilade_repl.pieces import typed_value
from enfilade_repl.table import Form, Waiting
from enfilade_repl.text import Fragment, Line, cited, line

_MOST_TOLD: Final = 12
_MOST_FACES: Final = 30


# --------------------------------------------------------------------------------------------------------- questions


def question_line(question: Question) -> Line:
    """What is asked, by whom it is answered, and what is legal, as a prompt."""
    match question:
        case FactQuestion():
            label = f", {question.text}" if question.text != question.key else ""
            hint = f" ({_fact_hint(question)}):"
            return line(("name", question.key), label, cited(question.cites), ("hint", hint), " ")
        case RollQuestion():
            dice = " + ".join(map(dice_text, question.legal))
            who = f"{question.player}: " if question.player else ""
            again = "again " if question.again else ""
            hint = " (Enter rolls, or type the dice):"
            return line(("player", who), again, *_titled(question), ", ", ("dice", dice), ("hint", hint), " ")
        case DrawQuestion():
            who = f"{question.player}: " if question.player else ""
            cards = f", {question.count} from {question.deck}"
            return line(("player", who), *_titled(question), cards, ("hint", " (Enter draws, or type the cards):"), " ")
        case ChoiceQuestion():
            count = "" if question.count is None else f"{question.count} of "
            hint = f" ({count}{_some(value_text(each) for each in question.legal)}):"
            return line(("player", f"{question.player}: "), *_titled(question), ("hint", hint), " ")


def _titled(question: RollQuestion | DrawQuestion | ChoiceQuestion) -> Iterator[Fragment]:
    """What the rules call it, or its name where they don't; the place of what is repeated, and the citations."""
    place = question.key.removeprefix(question.name)
    labelled = question.text != question.name
    yield "name", f"{question.text} {place}".rstrip() if labelled else question.key
    yield cited(question.cites)


def _fact_hint(question: FactQuestion) -> str:
    kind = question.input.type.removeprefix("one of ") + (_PIECES if _is_record(question.legal) else "")
    return kind if question.input.required else f"{kind}; Enter: {default_text(question)}"


_PIECES: Final = ": a piece, or a new name"


def _is_record(schema: Any) -> bool:
    """Whether a schema takes a record, or a list of such."""
    if not isinstance(schema, Mapping):
        return False
    return "$ref" in schema or any(_is_record(each) for each in (schema.get("items"), *(schema.get("anyOf") or ())))


def default_text(question: FactQuestion) -> str:
    """What a fact is where Enter alone is typed."""
    default = question.default
    if isinstance(default, (list, tuple)):
        return ", ".join(map(typed_value, default)) or "nothing"
    return value_text(default)


def dice_text(dice: DiceToRoll) -> str:
    """Dice as they are written: ``2d6``, ``3 musket``.

    Examples:
        >>> dice_text(DiceToRoll("d6", 2, (), 6)), dice_text(DiceToRoll("musket", 3, (0, 1, 2), 3))
        ('2d6', '3 musket, 0..2')
    """
    if re.fullmatch(r"d\d+", dice.die):
        return dice.die if dice.count == 1 else f"{dice.count}{dice.die}"
    shown = _faces(dice)
    faces = f", {shown}" if len(shown) <= _MOST_FACES else ""
    return f"{dice.die if dice.count == 1 else f'{dice.count} {dice.die}'}{faces}"


def legal_text(question: Question) -> str:
    """What is legal, in words."""
    match question:
        case FactQuestion():
            return question.input.type + (_PIECES if _is_record(question.legal) else "")
        case RollQuestion():
            return " and ".join(f"{each.count} of {_faces(each)}" for each in question.legal)
        case DrawQuestion():
            return f"{question.count} of {_some(dict.fromkeys(map(value_text, question.legal)))}"
        case ChoiceQuestion():
            count = "" if question.count is None else f"{question.count} of "
            return count + ", ".join(value_text(each) for each in question.legal)


def _faces(dice: DiceToRoll) -> str:
    faces = dice.faces
    if not faces:
        return f"1..{dice.sides}"
    if all(isinstance(face, int) for face in faces) and list(faces) == list(range(faces[0], faces[-1] + 1)):
        return f"{faces[0]}..{faces[-1]}"
    return ", ".join(map(value_text, faces))


def _some(texts: Any) -> str:
    listed = list(texts)
    more = f", and {len(listed) - _MOST_TOLD} more" if len(listed) > _MOST_TOLD + 1 else ""
    return ", ".join(listed[:_MOST_TOLD] if more else listed) + more


# ----------------------------------------------------------------------------------------------------------- answers


def fact_type(waiting: Waiting) -> Type:
    """The type of the fact that a run asks for."""
    question = waiting.question
    assert isinstance(question, FactQuestion)
    return declared_input(waiting.run.rules.program, question.core).type


def read_fact(reader: Reader, waiting: Waiting, question: FactQuestion, text: str) -> Any:
    """Read the answer to a question for a fact: data for the library, or a form of what is still to be said."""
    type_ = fact_type(waiting)
    if not text and not question.input.required:
        return question.default
    if not text:
        raise EntryError(f"{question.key} has no default", f"it is {question.input.type}")
    value = evolve(reader, asks=True).value(type_, text, question.key)
    kind = type_.of if isinstance(type_, ListOf) else type_
    if isinstance(kind, RecordOf) and value is not None:
        records = tuple(value) if isinstance(type_, ListOf) else (value,)
        form = form_for(reader.program, kind.record, records, question.key)
        return form or value
    return value


def form_for(program: ir.Program, kind: str, records: tuple[Mapping[str, Any], ...], fact: str | None) -> Form | None:
    """What is still to be said of some records; nothing where all is said that must be."""
    required = Reader(program, {}).required(kind)
    missing = tuple((at, name) for at, record in enumerate(records) for name in required if name not in record)
    return Form(kind, records, missing, fact) if missing else None


def read_roll(question: RollQuestion, text: str) -> list[Any]:
    """Read dice: ``4 3``, ``4,3``, ``4+3``, or a total where it is clear which dice are meant.

    Digits are not taken apart: ``12`` is the total of two sixes, and never a 1 and a 2.
    """
    tokens = [token for token in re.split(r"[\s,+]+", text.strip()) if token]
    count = sum(dice.count for dice in question.legal)
    if len(tokens) == 1 and count > 1 and re.fullmatch(r"-?\d{1,9}", tokens[0]):
        return list(question.faces_for(int(tokens[0])))
    return _answers(tokens)


def read_list(text: str) -> list[Any]:
    """Read cards, or what is chosen; an answer of several words stands in quotes.

    Examples:
        >>> read_list('gun, 3 "very good" yes')
        ['gun', 3, 'very good', True]
    """
    return _answers(re.findall(r'"[^"]*"|[^\s,]+', text))


def _answers(tokens: list[str]) -> list[Any]:
    return [token[1:-1] if token[0] == '"' else _answer(token) for token in tokens]


def _answer(token: str) -> Any:
    read = read_answers([token])
    if not isinstance(read, list):
        raise EntryError(f"`{token}` is no answer", "type the answer alone")
    return read[0]


def is_listed(question: Question, text: str) -> bool:
    """Whether a text is one of the answers that can be listed; it is then no command of the same word."""
    match question:
        case FactQuestion():
            words = _words(question.legal)
        case RollQuestion():
            words = [value_text(face) for dice in question.legal for face in dice.faces]
        case DrawQuestion() | ChoiceQuestion():
            words = [value_text(each) for each in question.legal]
    return text in words


def _words(schema: Any) -> list[str]:
    """The words that a schema lists, wherever in it."""
    if not isinstance(schema, Mapping):
        return []
    inner = [schema.get("items"), *(schema.get("anyOf") or ())]
    return [*map(str, schema.get("enum") or ()), *(word for each in inner for word in _words(each))]


def field_line(program: ir.Program, form: Form) -> Line:
    """What is asked of a record that is described field by field, as a prompt."""
    at, field = form.missing[0]
    name, *_ = form.records[at].values()
    declared = describe_input(program.records[form.kind].fields[field], field)
    label = f", {declared.label}" if declared.label else ""
    hint = f" ({declared.type.removeprefix('one of ')}):"
    return line(("name", f"{name} {field}"), label, cited(declared.cites), ("hint", hint), " ")
