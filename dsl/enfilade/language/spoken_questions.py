"""Questions about effects and results in a player's words: `step_loss on guard`, `guard is eliminated`, `no effect`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from enfilade.api.ruleset import Ruleset
from enfilade.core import ir
from enfilade.core.types import RecordOf
from enfilade.language.vocabulary import vocabulary_of

_ARTICLE = re.compile(r"\A(?:an?|the|any)\s+(?=\S)", re.IGNORECASE)


def spoken_question(rules: Ruleset, text: str) -> str:
    """Translate a question that names an effect, or the label of a result code, to an expression of the language.

    Args:
        rules: The ruleset.
        text: The question: the name or the label of an effect, alone, after a record or before ``on`` and a record; or
            the label of a code. Any other text stays as it is.

    Examples:
        >>> import enfilade
        >>> rules = enfilade.load("infantry_attacks")
        >>> spoken_question(rules, "a step_loss on guard"), spoken_question(rules, "guard is eliminated")
        ('count of effects step_loss where unit is guard >= 1', 'count of effects eliminate where unit is guard >= 1')
        >>> spoken_question(rules, "no effect"), spoken_question(rules, "M or worse")
        ('result is "-"', 'M or worse')
    """
    words = " ".join(_ARTICLE.sub("", text.strip(), count=1).split())
    if words in vocabulary_of(rules).words and words not in rules.program.effects:
        return text
    code = _codes(rules.program).get(words.casefold())
    if code is not None:
        return f'result is "{code}"'
    found = next(_effects_named(rules.program, words), None)
    return text if found is None else found


def _codes(program: ir.Program) -> dict[str, str]:
    """The result codes without a number in them, by their labels."""
    entries = (entry for results in program.results.values() for entry in results.entries)
    return {
        entry.note.label.casefold(): entry.pattern.text
        for entry in entries
        if entry.note.label and "#" not in entry.pattern.text and '"' not in entry.pattern.text
    }


def _effects_named(program: ir.Program, words: str) -> Iterator[str]:
    """The condition that an effect is performed, if the words name one, and with it the record that it is performed on."""
    for name, effect in program.effects.items():
        record = next((each.name for each in effect.params if isinstance(each.type, RecordOf)), None)
        for called in filter(None, (name, effect.note.label)):
            if words.casefold() == called.casefold():
                yield f"count of effects {name} >= 1"
            piece = _piece(words, called)
            if piece and record:
                yield f"count of effects {name} where {record} is {piece} >= 1"


def _piece(words: str, called: str) -> str | None:
    """The record in `guard is eliminated`, `guard eliminated`, `guards eliminated` or `eliminate on guard`."""
    label = re.escape(called.removeprefix("is "))
    piece = r"(?P<piece>[A-Za-z_]\w*)"
    found = re.fullmatch(rf"{piece} (?:is |are )?{label}|{label} on (?P<on>[A-Za-z_]\w*)", words, re.IGNORECASE)
    return (found["piece"] or found["on"]) if found else None
