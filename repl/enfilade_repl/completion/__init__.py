"""Completion: candidates for the text before the cursor, from commands, facts, pieces, files, answers and the grammar.

A pure function of the session and the text. It must not report errors or take long, because it runs after every
key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from enfilade import ChoiceQuestion, DrawQuestion, FactQuestion
from enfilade.language import NAME, Named, Vocabulary, default_text, expected_after, tokens, value_text, vocabulary_of
from enfilade_repl.answers import fact_type
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.completion.commands import names_of_all, of_commands, played
from enfilade_repl.completion.facts import Candidate, Offer, Sheet, begun, last_word, matching, sheet_of
from enfilade_repl.definition_text import KEYWORDS, is_definition
from enfilade_repl.entry import first_word
from enfilade_repl.session import Session

__all__ = ["Candidate", "candidates"]

_NEW_NAME: Final = re.compile(
    r"(?:words|record|define|die|deck|columns|chart|modifiers|effect|procedure|event|players|option)[ \t]+\w*"
)


def candidates(session: Session, text: str) -> Iterator[Candidate]:
    """List the completions at the cursor.

    Args:
        session: The session.
        text: The text before the cursor.
    """
    typed = text.lstrip()
    if typed.startswith("/"):
        yield from of_commands(session, typed[1:].lstrip())
    elif typed.startswith("?"):
        yield from matching(typed[1:].lstrip(), names_of_all(session))
    elif session.state.asks:
        word, rest = begun(typed)
        command = find_command(word)
        if rest is None or command is None:
            yield from _answers(session, typed)
        yield from of_commands(session, typed)
    elif _in_definition(session, text):
        yield from _of_language(session, text)
    else:
        yield from _of_entry(session, typed)


# ------------------------------------------------------------------------------------------------------------ entries


def _of_entry(session: Session, text: str) -> Iterator[Candidate]:
    word, rest = begun(text)
    if rest is None:
        yield from matching(word, _first_words(session))
        yield from _of_facts_alone(session, text)
        return
    ruleset = session.state.ruleset
    if find_command(word) is not None:
        yield from of_commands(session, text)
    elif ruleset is not None:
        known = vocabulary_of(ruleset.rules)
        if word in {*known.facts, *known.fields, *session.state.pieces}:
            yield from _of_names(session, known, word, rest)
        else:
            yield from _of_facts_alone(session, text)


def _of_facts_alone(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the facts of the only procedure, which needs no name."""
    playable = list(session.playable())
    if len(playable) == 1 and session.state.ruleset is not None:
        yield from played(session, vocabulary_of(session.state.ruleset.rules).facts[playable[0]], text)


def _first_words(session: Session) -> Iterator[Offer]:
    ruleset = session.state.ruleset
    if ruleset is not None:
        labels = vocabulary_of(ruleset.rules).labels
        yield from session.playable().items()
        yield from ((piece.name, piece.described()) for piece in session.state.pieces.values())
        yield from ((kind, f"{labels.get(kind) or 'a piece'}: NAME: fields") for kind in ruleset.rules.records)
    yield from ((command.name, command.help) for command in COMMANDS)
    yield from ((word, "a definition") for word in KEYWORDS)


def _of_names(session: Session, known: Vocabulary, word: str, rest: str) -> Iterator[Candidate]:
    """Complete the facts or fields after a procedure, an event, a kind of record, or a piece."""
    pieces = session.state.pieces
    if word in known.facts:
        yield from played(session, known.facts[word], rest)
    elif word in known.fields:
        name, fields = begun(rest)
        if fields is None:
            named = ((each.name, each.described()) for each in pieces.values() if each.kind == word)
            yield from matching(name, named)
        else:
            yield from Sheet(known.fields[word], known.fields, pieces).offers(fields.removeprefix(":"))
    elif word in pieces:
        yield from Sheet(known.fields[pieces[word].kind], known.fields, pieces).offers(rest.removeprefix(":"))


# ---------------------------------------------------------------------------------------------------------- questions


def _answers(session: Session, text: str) -> Iterator[Candidate]:
    """The legal answers, the default first; none for dice, because only the player knows the dice on the table."""
    if session.state.ways:
        yield from matching(text, ((str(number), way) for number, way in enumerate(session.state.ways, 1)))
        return
    form = session.state.form
    if form is not None:
        ruleset = session.ruleset
        named = vocabulary_of(ruleset.rules).fields[form.kind][form.missing[0][1]]
        yield from matching(last_word(text), sheet_of(session, {}).values(named.domain))
        return
    pending = session.state.pending
    assert pending is not None
    question = pending.question
    said = re.split(r"[\s,]+", text.removesuffix(last_word(text)))
    if isinstance(question, FactQuestion):
        yield from _fact_answers(session, question, text, said)
    elif isinstance(question, (ChoiceQuestion, DrawQuestion)):
        legal = dict.fromkeys(map(value_text, question.legal))
        yield from matching(last_word(text), ((each, "") for each in legal if each not in said))


def _fact_answers(session: Session, question: FactQuestion, text: str, said: list[str]) -> Iterator[Candidate]:
    assert session.state.pending is not None
    type_ = fact_type(session.state.pending)
    default: list[Offer] = []
    if not question.input.required and default_text(question):
        default = [(default_text(question), "the answer if you press Enter")]
    if text != last_word(text):
        default = []
    if "(" in text:
        # The answer describes a new record.
        named = {question.key: Named(question.key, type_, "")}
        yield from sheet_of(session, named).offers(f"{question.key} {text}")
        return
    values = sheet_of(session, {}).values(type_, said)
    yield from matching(last_word(text), (*default, *values))


# ----------------------------------------------------------------------------------------------- words of the language


def _in_definition(session: Session, text: str) -> bool:
    word, _ = first_word(text.strip())
    return word in KEYWORDS and (find_command(word) is None or is_definition(f"{text}x"))


def _of_language(session: Session, text: str) -> Iterator[Candidate]:
    """The keywords and names that the parser accepts next."""
    found = re.search(r"\w*$", text)
    typed = found[0] if found else ""
    head = text[: len(text) - len(typed)]
    if not head.strip():
        yield from matching(typed, _first_words(session))
        return
    row = head.rpartition("\n")[2].lstrip().startswith("|")
    if row or head.endswith('"') or _NEW_NAME.fullmatch(f"{head.rpartition(chr(10))[2]}{typed}"):
        return
    words = expected_after(head)
    names: Iterable[Offer] = ()
    if NAME in words:
        ruleset = session.state.ruleset
        known = vocabulary_of(ruleset.rules) if ruleset is not None else None
        own = dict.fromkeys(token.text for token in tokens(head) if token.kind == "name")
        labels = known.labels if known is not None else {}
        every = sorted({*(known.names if known is not None else ()), *own} - set(KEYWORDS))
        names = ((name, labels.get(name, "")) for name in every)
    fixed = ((word, "") for word in sorted(words - {NAME, "assumed"}))
    yield from matching(typed, (*fixed, *names))
