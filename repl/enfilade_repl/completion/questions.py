"""Completes questions of odds: the situation, changed facts, and the outputs and codes to ask about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from enfilade.language import NAME, Named, Vocabulary, expected_after, vocabulary_of
from enfilade.types import CodeOf, MapOf, Num, Type, Word
from enfilade_repl.clauses import CLAUSES, split
from enfilade_repl.completion.facts import Candidate, Offer, begun, last_word, matching, sheet_of
from enfilade_repl.session import Session

_OF: Final = (("of", CLAUSES["of"]),)
_CHANCES: Final = (("50%", "a chance"), ("1/2", "a chance"))


def _situation(session: Session) -> tuple[str, Mapping[str, Named], tuple[str, ...]]:
    """The pending or last procedure, its facts that can be changed, and the names of its records."""
    table = session.state
    given: Mapping[str, object]
    if table.pending is not None:
        ruleset, procedure, given = table.pending.ruleset, table.pending.run.procedure, table.pending.run.facts
    elif table.resolutions:
        last = table.resolutions[-1]
        ruleset, procedure, given = last.ruleset, last.procedure, last.given
    else:
        return "", {}, ()
    known = vocabulary_of(ruleset.rules)
    named = dict(known.facts.get(procedure, {}))
    records: list[str] = []
    for value in given.values():
        for record in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(record, Mapping) and record:
                name = str(next(iter(record.values())))
                records.append(name)
                named |= _fields_of(known, name, list(record)[1:])
    return procedure, named, tuple(records)


def _fields_of(known: Vocabulary, name: str, said: list[str]) -> dict[str, Named]:
    """The fields of a record, as names for this record (`gun.steps`) and for all records of its kind (`steps`)."""
    kinds = [kind for kind, fields in known.fields.items() if set(said) <= set(fields)]
    found: dict[str, Named] = {}
    for kind in kinds[:1]:
        for field in known.fields[kind].values():
            found[field.name] = Named(field.name, field.domain, f"{field.text} (of every {kind})")
            found[f"{name}.{field.name}"] = Named(f"{name}.{field.name}", field.domain, field.text)
    return found


def facts_after(session: Session, text: str) -> Iterator[Candidate]:
    """Complete changed facts of the last situation."""
    yield from sheet_of(session, _situation(session)[1]).offers(text)


def what_after(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the arguments of `what`."""
    word, rest = begun(text)
    if rest is None:
        yield from matching(word, (("if", "with other facts"),))
    elif word == "if":
        yield from facts_after(session, rest)


def compare_after(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the arguments of `compare`: two changes, and a question."""
    procedure, named, records = _situation(session)
    *before, last = re.split(r"(?<!\S)(?:with|of)\s", text)
    if re.search(r"(?<!\S)of\s", text):
        yield from _questions(session, procedure, last, records)
    else:
        after = (*(() if before else (("with", "the second change"),)), *_OF)
        yield from sheet_of(session, named, after).offers(last)


def least_after(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the arguments of `least`: a fact, a chance, and a condition."""
    procedure, named, records = _situation(session)
    words = text.split(" ")
    if len(words) == 1:
        numbers = {
            name: each for name, each in named.items() if isinstance(each.domain, (Num, Word)) and "." not in name
        }
        yield from matching(text, ((each.name, each.text) for each in numbers.values()))
    elif len(words) == 2:
        yield from matching(words[1], _CHANCES)
    elif len(words) == 3:
        yield from matching(words[2], _OF)
    else:
        yield from _questions(session, procedure, " ".join(words[3:]), records)


def odds_after(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the arguments of `odds`: a situation and clauses."""
    clause, head, part = _last_clause(text)
    ruleset = session.state.ruleset
    known = vocabulary_of(ruleset.rules).facts if ruleset is not None else {}
    procedure, named, records = _situation(session)
    word, rest = begun(head.lstrip())
    if word in known and rest is not None:
        procedure, named = word, known[word]
        records = tuple(re.findall(r"\w+", rest))
    if clause in ("of", "given", "aim", "until"):
        yield from _questions(session, procedure, part, records)
    elif clause == "by":
        yield from sheet_of(session, named, tuple(CLAUSES.items())).offers(part)
    elif clause:
        players = ruleset.rules.players if ruleset is not None else ()
        offers = (("aim", CLAUSES["aim"]),) if " " in part else ((player, "") for player in players)
        yield from matching(last_word(part), offers)
    else:
        facts = rest if rest is not None and word in known else part
        yield from sheet_of(session, named, tuple(CLAUSES.items())).offers(facts)
        if rest is None:
            yield from matching(word, ((name, "") for name in known))
            yield from matching(word, CLAUSES.items())


def _last_clause(text: str) -> tuple[str, str, str]:
    """The unfinished clause: its keyword, the text before all clauses, and the text of the clause so far.

    The word at the cursor begins no clause yet.
    """
    typed = last_word(text)
    (_, head), *others = split(text.removesuffix(typed))
    word, part = others[-1] if others else ("", head)
    return word, head if others else head + typed, part + typed


def worth_after(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the arguments of `worth`: the question that measures each option."""
    word, rest = begun(text)
    if rest is None:
        yield from matching(word, _OF)
    elif word == "of":
        procedure, _, records = _situation(session)
        yield from _questions(session, procedure, rest, records)


def _questions(session: Session, procedure: str, text: str, records: Collection[str]) -> Iterator[Candidate]:
    """Complete a question about a procedure: its outputs and codes, and any other words that the parser accepts."""
    ruleset = session.state.ruleset
    if ruleset is None or procedure not in ruleset.rules.names("procedure"):
        return
    outputs = {each.name: each.domain for each in ruleset.rules.procedure(procedure).outputs}
    those = [name for name in records if name in session.state.pieces]
    codes_first = sorted(outputs.items(), key=lambda each: not isinstance(each[1], CodeOf))
    phrases = [offer for name, type_ in codes_first for offer in _phrases(name, type_, those)]
    yield from matching(text, phrases)
    typed = last_word(text)
    if typed == text:
        return
    words = expected_after(f'example "typed"\n  chance of {text.removesuffix(typed)}')
    names = ((name, "") for name in outputs) if NAME in words else ()
    yield from matching(typed, (*names, *((word, "") for word in sorted(words - {NAME, "assumed"}))))


def _phrases(name: str, type_: Type, records: Iterable[str]) -> Iterator[Offer]:
    """The questions about one output."""
    if isinstance(type_, CodeOf):
        for number, code in enumerate(type_.order or type_.codes):
            yield code, name
            if type_.order and 0 < number < len(type_.order) - 1:
                yield f"{code} or worse", name
        return
    yield name, "an output"
    if isinstance(type_, MapOf):
        yield from ((f"{name} of {piece}", "an output") for piece in records)
