"""Questions of odds as players type them, in one small grammar; what is no such question is an expression of the rules.

question:  CODE ["or worse" | "or better"]    M or worse
        |  LABEL                              no effect: the label of a code
        |  amount [NOUN] | NOUN [amount]      2 or more, at least 2 kills, kills 2 or more, step_loss on guard
        |  "no" NOUN | NOUN                   no kills, a kill: none, or one at least
amount:    ["at least" | "at most" | "exactly" | "more than" | "less than"] NUMBER ["or more" | "or less"] | NUMBER "+"
NOUN:      an output, or an effect with "on" and a record; a plural or the last word of its name will do
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from enfilade.api.ruleset import Ruleset
from enfilade.check.types.type_relations import record_in
from enfilade.core import ir
from enfilade.door import door
from enfilade.errors import EntryError
from enfilade.values.types import CodeOf, Num, RecordOf

_AMOUNT: Final = (
    r"(?:(?P<first>at least|at most|exactly|(?:more|less|fewer) than) )?"
    r"(?P<number>\d{1,9}|one|no)(?P<plus>\+)?(?P<last> or (?:more|less|fewer))?"
)
_NOUN: Final = r"(?P<noun>[A-Za-z][\w ]*?)"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (rf"{_AMOUNT}(?: {_NOUN}(?P<end> or (?:more|less|fewer))?)?", rf"{_NOUN}(?: =)? {_AMOUNT}")
)
# Small letters alone: `A` may be a piece.
_ARTICLE: Final = re.compile(r"\A(?:an?|the) ")
_WORDS_OF_EXPRESSIONS: Final = frozenset({"is", "not", "has", "of", "and", "or", "any", "all", "count", "where"})
_OF_CODE: Final = re.compile(r"(at least|at most|exactly) (\S+)")
_COMPARED: Final = {
    "at least": ">=",
    "at most": "<=",
    "or more": ">=",
    "or less": "<=",
    "or fewer": "<=",
    "more than": ">",
    "less than": "<",
    "fewer than": "<",
}
_NUMBERS: Final = {"no": "0", "one": "1"}
_CODED: Final = {"at least": "{} or worse", "at most": "{} or better", "exactly": "{}"}


@door
def read_question(rules: Ruleset, procedure: str, text: str, first: str = "result") -> str:
    """Translate a typed question to an expression of the language.

    Args:
        rules: The ruleset.
        procedure: The procedure that the question is about.
        text: The question. An expression stays as it is.
        first: The output that a question without a noun is about.

    Raises:
        EntryError: The question counts what the rules do not have.

    Examples:
        >>> import enfilade
        >>> rules = enfilade.load("infantry_attacks")
        >>> read_question(rules, "direct_fire", "at least 2 losses"), read_question(rules, "direct_fire", "no effect")
        ('count of effects step_loss >= 2', 'result is "-"')
        >>> read_question(rules, "direct_fire", "step_loss on guard"), read_question(rules, "direct_fire", "M or worse")
        ('count of effects step_loss where unit is guard >= 1', 'M or worse')
    """
    words = " ".join(_ARTICLE.sub("", text.strip()).split())
    outputs = {each.name: each.domain for each in rules.procedure(procedure).outputs}
    if words in outputs:
        return text
    given = rules.inputs(procedure).get(fact := "_".join(words.split()))
    if given is not None and record_in(given.domain) is None:
        raise EntryError(f"{fact} is given, so it has no odds", _countable(rules, outputs))
    code = _labelled(rules.program).get(words.casefold())
    if code is not None:
        return f'result is "{code}"'
    if (found := _OF_CODE.fullmatch(words)) and isinstance(outputs.get(first), CodeOf):
        return f"{first} is {_CODED[found[1]].format(found[2])}"
    counted = next(filter(None, (form.fullmatch(words) for form in _FORMS)), None)
    if counted is None and isinstance(outputs.get(several := f"{words}s"), Num):
        return f"{several} >= 1"
    if counted is None:
        performed = _effect(rules.program, words)
        return text if performed is None else f"{performed} >= 1"
    said = counted.groupdict()
    noun = said["noun"]
    if noun is not None and not _WORDS_OF_EXPRESSIONS.isdisjoint(noun.split()):
        return text
    if noun is None and not isinstance(outputs.get(first), Num):
        return text
    numbers = _numbers(outputs)
    if noun is None and "result" not in outputs and first == numbers[0] and len(numbers) > 1:
        raise EntryError(f"`{words}` may be about several outputs", _countable(rules, outputs))
    number = first if noun is None else _output(outputs, noun) or _effect(rules.program, noun)
    if number is None:
        raise EntryError(f"the rules count no {noun}", _countable(rules, outputs))
    way = said["first"] or said["last"] or said.get("end") or ("at least" if said["plus"] else "")
    return f"{number} {_COMPARED.get(way.strip(), 'is')} {_NUMBERS.get(said['number'], said['number'])}"


def _countable(rules: Ruleset, outputs: Mapping[str, object]) -> str:
    """What can be counted, for a message."""
    numbers = _numbers(outputs)
    effects = [name for name in rules.names("effect") if name not in outputs]
    named = (("outputs", numbers), ("effects", effects))
    return "; ".join(f"the {what} are {', '.join(names)}" for what, names in named if names)


def _numbers(outputs: Mapping[str, object]) -> list[str]:
    """The outputs that are numbers."""
    return [name for name, domain in outputs.items() if isinstance(domain, Num)]


def _output(outputs: Mapping[str, object], noun: str) -> str | None:
    name = "_".join(noun.split())
    return next((each for each in (name, f"{name}s") if each in outputs), None)


def _labelled(program: ir.Program) -> dict[str, str]:
    """The result codes without a number in them, by their labels."""
    entries = (entry for results in program.results.values() for entry in results.entries)
    return {
        entry.note.label.casefold(): entry.pattern.text
        for entry in entries
        if entry.note.label and "#" not in entry.pattern.text and '"' not in entry.pattern.text
    }


def _effect(program: ir.Program, words: str) -> str | None:
    """How often an effect is performed: ``losses``, ``step_loss on guard``."""
    called, _, whom = words.partition(" on ")
    name = next(_called(program, called.casefold()), None)
    if name is None or not whom:
        return None if name is None else f"count of effects {name}"
    record = next((each.name for each in program.effects[name].params if isinstance(each.type, RecordOf)), None)
    fact = program.facts.get(whom)
    # `on target`, where the target is no record: it can only be this one.
    is_only = record is None or (fact is not None and not isinstance(fact.type, RecordOf))
    return f"count of effects {name}" if is_only else f"count of effects {name} where {record} is {whom}"


def _called(program: ir.Program, words: str) -> Iterator[str]:
    last_words = [name.rpartition("_")[2] for name in program.effects]
    for name, effect in program.effects.items():
        last = name.rpartition("_")[2]
        nouns = {name, name.replace("_", " "), *([last] if last_words.count(last) == 1 else [])}
        if words in {noun + ending for noun in nouns for ending in ("", "s", "es")} or words == effect.note.label:
            yield name
