"""Questions about effects and results in a player's words: `step_loss on guard`, `guard is eliminated`, `no effect`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from enfilade.api.ruleset import Ruleset
from enfilade.check.type_relations import record_in
from enfilade.core import ir
from enfilade.core.types import RecordOf
from enfilade.door import door
from enfilade.language.vocabulary import vocabulary_of

# Small letters alone: `A eliminated` is about a piece called A.
_ARTICLE = re.compile(r"\A(?:an?|the|any)\s+(?=\S)")
_COUNTED = re.compile(
    r"(?P<first>at least |at most |exactly )?(?P<number>\d{1,9})(?P<last> or (?:more|less|fewer))? "
    r"(?P<name>\w[\w ]*?)(?P<end> or (?:more|less|fewer))?"
)
_COMPARISONS = {"at least": ">=", "at most": "<=", "or more": ">=", "or less": "<=", "or fewer": "<="}
_LINKS = ("is ", "are ", "being ", "in ", "gets ")


@door
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
        >>> spoken_question(rules, "at least 2 losses")
        'count of effects step_loss >= 2'
    """
    words = " ".join(_ARTICLE.sub("", text.strip(), count=1).split())
    outputs = {output.name for each in rules.procedures for output in each.outputs}
    if words in outputs or (words in vocabulary_of(rules).words and words not in rules.program.effects):
        return text
    code = _codes(rules.program).get(words.casefold())
    if code is not None:
        return f'result is "{code}"'
    counted = _COUNTED.fullmatch(words)
    if counted is not None:
        compared = _COMPARISONS.get((counted["first"] or counted["last"] or counted["end"] or "").strip(), "is")
        number = _number_named(rules.program, outputs, counted["name"])
        return text if number is None else f"{number} {compared} {counted['number']}"
    performed = next(_effects_named(rules.program, words), None)
    return text if performed is None else f"{performed} >= 1"


def _number_named(program: ir.Program, outputs: Collection[str], words: str) -> str | None:
    """The output, or how often the effect is performed, that some words name: ``kills``, ``losses on guard``."""
    name = words.replace(" ", "_")
    output = next((each for each in (name, f"{name}s") if each in outputs), None)
    return output or next(_effects_named(program, words), None)


def _codes(program: ir.Program) -> dict[str, str]:
    """The result codes without a number in them, by their labels."""
    entries = (entry for results in program.results.values() for entry in results.entries)
    return {
        entry.note.label.casefold(): entry.pattern.text
        for entry in entries
        if entry.note.label and "#" not in entry.pattern.text and '"' not in entry.pattern.text
    }


def _effects_named(program: ir.Program, words: str) -> Iterator[str]:
    """How often an effect is performed, if the words name one, and with it the record that it is performed on."""
    last_words = [name.rpartition("_")[2] for name in program.effects]
    for name, effect in program.effects.items():
        record = next((each.name for each in effect.params if isinstance(each.type, RecordOf)), None)
        spoken, last = name.replace("_", " "), name.rpartition("_")[2]
        nouns = (spoken, last) if last_words.count(last) == 1 else (spoken,)
        in_words = [noun + ending for noun in nouns for ending in ("", "s", "es")]
        for called in dict.fromkeys(filter(None, (name, *in_words, effect.note.label))):
            if words.casefold() == called.casefold():
                yield f"count of effects {name}"
            piece = _piece(words, called)
            fact = program.facts.get(piece or "")
            if fact is not None and record_in(fact.type) is None:
                # `the target loses lives`, where the target is not a record: it can only be this one.
                yield f"count of effects {name}"
            elif piece and record:
                yield f"count of effects {name} where {record} is {piece}"


def _piece(words: str, called: str) -> str | None:
    """The record in `guard is eliminated`, `guard eliminated`, `guards eliminated` or `eliminate on guard`."""
    label = re.escape(called.removeprefix("is "))
    piece = r"(?P<piece>[A-Za-z_]\w*)"
    links = "|".join(_LINKS)
    found = re.fullmatch(rf"{piece} (?:{links})?{label}|{label} on (?P<on>[A-Za-z_]\w*)", words, re.IGNORECASE)
    whom = (found["piece"] or found["on"]) if found else None
    return None if whom is None or f"{whom.casefold()} " in _LINKS else whom
