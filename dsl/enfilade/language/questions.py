"""Questions in words: the prompt of a question, its legal answers, and its default.

Every front end uses these words: a prompt, a page, a bot. This module must not validate answers: the run does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from enfilade.api.describe import InputField
from enfilade.api.outcome_values import value_text
from enfilade.api.questions import ChoiceQuestion, DiceToRoll, DrawQuestion, FactQuestion, Question, RollQuestion
from enfilade.core.legal_answers import short_faces, spoken_name
from enfilade.language.styled_text import Fragment, Line, cited, line
from enfilade.language.typed_text import typed_value

_MOST_LISTED: Final = 12
_MOST_FACES: Final = 30


def question_prompt(question: Question) -> Line:
    """The prompt of a question: the player who answers, the question itself, and the legal answers.

    Args:
        question: The open question of a run.

    Returns:
        One styled line, with a blank at its end.
    """
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
            hint = f" ({count}{_some(_counted(question.legal))}):"
            return line(("player", f"{question.player}: "), *_titled(question), ("hint", hint), " ")


def _titled(question: RollQuestion | DrawQuestion | ChoiceQuestion) -> Iterator[Fragment]:
    """The label of a question, or its name if it has none; its place in a loop, and its citations."""
    yield "name", spoken_name(question.key, question.text)
    yield cited(question.cites)


def _fact_hint(question: FactQuestion) -> str:
    kind = question.input.type.removeprefix("one of ") + (_PIECES if _is_record(question.legal) else "")
    return kind if question.input.required else f"{kind}; Enter: {default_text(question)}"


_PIECES: Final = ": a piece, or a new name"


def _is_record(schema: Any) -> bool:
    """Whether a JSON Schema takes a record, or a list of records."""
    if not isinstance(schema, Mapping):
        return False
    return "$ref" in schema or any(_is_record(each) for each in (schema.get("items"), *(schema.get("anyOf") or ())))


def default_text(question: FactQuestion) -> str:
    """The default of a fact in words: the answer that Enter alone gives."""
    default = question.default
    if isinstance(default, Mapping):
        return ", ".join(f"{name} {value_text(value)}" for name, value in default.items())
    if isinstance(default, (list, tuple)):
        return ", ".join(map(typed_value, default)) or "nothing"
    return value_text(default)


def dice_text(dice: DiceToRoll) -> str:
    """Dice in the notation of the rules: ``2d6``, ``3 musket``.

    Examples:
        >>> dice_text(DiceToRoll("d6", 2, (), 6)), dice_text(DiceToRoll("musket", 3, (0, 1, 2), 3))
        ('2d6', '3 musket, 0..2')
    """
    if re.fullmatch(r"d\d+", dice.die):
        return dice.die if dice.count == 1 else f"{dice.count}{dice.die}"
    shown = _faces(dice)
    faces = f", {shown}" if len(shown) <= _MOST_FACES else ""
    if dice.label is not None:
        return f"{dice.count} {'die' if dice.count == 1 else 'dice'} ({dice.label}){faces}"
    return f"{dice.die if dice.count == 1 else f'{dice.count} {dice.die}'}{faces}"


def legal_text(question: Question) -> str:
    """The legal answers to a question, in words."""
    match question:
        case FactQuestion():
            return question.input.type + (_PIECES if _is_record(question.legal) else "")
        case RollQuestion():
            return " and ".join(f"{each.count} of {_faces(each)}" for each in question.legal)
        case DrawQuestion():
            return f"{question.count} of {_some(dict.fromkeys(map(value_text, question.legal)))}"
        case ChoiceQuestion():
            count = "" if question.count is None else f"{question.count} of "
            return count + ", ".join(_counted(question.legal))


def _faces(dice: DiceToRoll) -> str:
    faces = dice.faces
    if not faces:
        return f"1..{dice.sides}"
    return short_faces(tuple(face if isinstance(face, int) else value_text(face) for face in faces))


def _counted(values: Iterable[Any]) -> list[str]:
    """The values in words; equal ones once, with their number."""
    texts = [value_text(each) for each in values]
    return [text if texts.count(text) == 1 else f"{texts.count(text)} x {text}" for text in dict.fromkeys(texts)]


def _some(texts: Iterable[str]) -> str:
    listed = list(texts)
    more = f", and {len(listed) - _MOST_LISTED} more" if len(listed) > _MOST_LISTED + 1 else ""
    return ", ".join(listed[:_MOST_LISTED] if more else listed) + more


def is_listed(question: Question, text: str) -> bool:
    """Whether a text is one of the answers that can be listed: a word, a face, a card or an option.

    Args:
        question: The open question of a run.
        text: The typed answer.
    """
    match question:
        case FactQuestion():
            words = _words(question.legal)
        case RollQuestion():
            words = [value_text(face) for dice in question.legal for face in dice.faces]
        case DrawQuestion() | ChoiceQuestion():
            words = [value_text(each) for each in question.legal]
    return text in words


def _words(schema: Any) -> list[str]:
    """The words that a JSON Schema lists, at any depth."""
    if not isinstance(schema, Mapping):
        return []
    inner = [schema.get("items"), *(schema.get("anyOf") or ())]
    return [*map(str, schema.get("enum") or ()), *(word for each in inner for word in _words(each))]


def field_prompt(record: str, field: InputField) -> Line:
    """The prompt for a field of a record that a person describes field by field.

    Args:
        record: The name of the record.
        field: The field.
    """
    label = f", {field.label}" if field.label else ""
    hint = f" ({field.type.removeprefix('one of ')}):"
    return line(("name", f"{record} {field.name}"), label, cited(field.cites), ("hint", hint), " ")
