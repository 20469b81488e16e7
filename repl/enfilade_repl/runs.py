"""Runs of procedures in a session: begin, answer, end, and play again.

A function that raises leaves the session as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from attrs import evolve

from enfilade import (
    AmbiguousEntry,
    DrawQuestion,
    FactQuestion,
    InputError,
    NotStarted,
    Outcome,
    Question,
    RollQuestion,
    Run,
)
from enfilade.language import (
    Line,
    cited,
    faces_of_total,
    line,
    nearest,
    outcome_lines,
    output_text,
    read_answer,
    refusal_line,
    short_steps,
    typed_name,
    typed_value,
    value_titles,
    with_underscores,
)
from enfilade.terminal import FAILED
from enfilade.types import Bool, Num, RecordOf, Type, record_kind
from enfilade_repl.answers import fact_type, form_for, form_for_answer
from enfilade_repl.entry import EntryError, first_word, types_of
from enfilade_repl.pieces import as_before, changes_of, default_of, described, put_down, records_in
from enfilade_repl.session import Session
from enfilade_repl.state import Form, PendingRun, Resolution, SessionState, WaitingEntry

BEGINS_WITH_DICE: Final = re.compile(r"on\s+\d", re.IGNORECASE)
_SHORTEST: Final = 3
_NAMED_DICE: Final = re.compile(r"(\d*)d(\d+)", re.IGNORECASE)
_WORD: Final = re.compile(r"\w+")

# -------------------------------------------------------------------------------------------------------------- begins


def play(session: Session, name: str, text: str, *, rolls: bool = False) -> Iterator[Line]:
    """Begin a procedure, or notify the rules of an event.

    Args:
        session: The session.
        name: The procedure or the event.
        text: Its facts, then the dice rolled after ``on`` and the options chosen after ``choosing``.
        rolls: Whether to roll the dice without asking.
    """
    yield from _play(session, WaitingEntry(session.entry, name, text, rolls))


def _play(session: Session, typed: WaitingEntry) -> Iterator[Line]:
    """Play an entry; if it names new pieces that lack fields, ask for these first."""
    name, text, rolls = typed.name, typed.text, typed.rolls
    given, dice, choices = _read(session, name, text)
    form = _form_for_new(session, types_of(session.ruleset.rules, name), given)
    if form is not None:
        session.state = evolve(session.state, form=evolve(form, waiting=typed))
        return
    begin(session, name, given, entry=typed.entry, dice=dice, choices=choices, rolls=rolls, asks_all=not text)
    yield from _taken(session, text, given)
    yield from go_on(session)


def _form_for_new(session: Session, types: Mapping[str, Type], given: Mapping[str, Any]) -> Form | None:
    """The required fields that new pieces of one kind lack; ``None`` if nothing is missing."""
    new: dict[str, list[dict[str, Any]]] = {}
    for kind, name, fields in records_in(types, given):
        if name not in session.state.pieces and name not in types:
            _refuse_misspelt(session, kind, name, fields)
            new.setdefault(kind, []).append({session.reader.key_field(kind): name, **fields})
    forms = (form_for(session.reader, kind, tuple(records), None) for kind, records in new.items())
    return next(filter(None, forms), None)


def _refuse_misspelt(session: Session, kind: str, name: str, fields: Mapping[str, Any]) -> None:
    """Raise an error for a new piece without fields that is nearly the name of another, such as `gnu` for `gun`."""
    pieces = [each.name for each in session.state.pieces.values() if each.kind == kind]
    close = None if fields or any(map(str.isdigit, name)) or len(name) < _SHORTEST else nearest(name, pieces)
    if close is not None:
        hint = f"did you mean {close}? To add a new piece, type `{kind} {typed_name(name)}:` first"
        raise EntryError(f"there is no piece {name}", hint)


def _taken(session: Session, text: str, given: Mapping[str, Any]) -> Iterator[Line]:
    """Show which facts the values of an entry were taken for, if the names of some facts were left out."""
    typed = set(_WORD.findall(with_underscores(text, given)))
    if given.keys() - typed:
        yield line(("hint", f"given {facts_text(session, given)}"))


def facts_text(session: Session, given: Mapping[str, Any]) -> str:
    """Facts with their values, in their order."""
    return "; ".join(_fact_text(session, name, value) for name, value in given.items())


def _fact_text(session: Session, name: str, value: Any) -> str:
    """A fact with its value; pieces by their names alone."""
    listed = value if isinstance(value, list) else [value]
    if not any(isinstance(each, Mapping) for each in listed):
        return f"{name} {output_text(value)}"
    return f"{name} {', '.join(_record_text(session, each) for each in listed)}"


def _record_text(session: Session, value: Any) -> str:
    """A record: the name of a piece, with the fields that were typed; else all its fields."""
    if not isinstance(value, Mapping):
        return output_text(value)
    (field, key), *_ = value.items()
    piece = session.state.pieces.get(str(key))
    if piece is None:
        return typed_value(value)
    changed = {name: each for name, each in value.items() if name != field and piece.fields.get(name) != each}
    return typed_value({field: key, **changed}) if changed else typed_name(str(key))


Read = tuple[dict[str, Any], list[Any] | None, list[Any] | None]


def read_line(session: Session, text: str, read: Callable[[str], dict[str, Any]]) -> Read:
    """Read the facts, the dice and the choices of a line.

    Args:
        session: The session.
        text: The line, after the name of the procedure.
        read: Reads its facts.
    """
    facts, dice, choices = session.reader.split(text)
    try:
        return read(facts), dice, choices
    except AmbiguousEntry as wrong:
        if facts not in text and wrong.text == facts:
            # Facts stand before and behind the dice: a reading has the dice behind all of them.
            wrong.text, wrong.readings = text, tuple(each + _scripts(dice, choices) for each in wrong.readings)
        raise


def in_order(session: Session, lines: Iterable[str]) -> str:
    """Lines of one entry as one line: their facts, then their dice and their choices."""
    found = [session.reader.split(each) for each in lines]
    facts, dice, choices = zip(*found, strict=True)
    told, chosen = ([answer for each in column for answer in each or ()] for column in (dice, choices))
    return ", ".join(filter(None, facts)) + _scripts(told, chosen)


def _scripts(dice: list[Any] | None, choices: list[Any] | None) -> str:
    said = (("on", dice), ("choosing", choices))
    return "".join(f" {word} {' '.join(map(typed_value, each))}" for word, each in said if each)


def _read(session: Session, name: str, text: str) -> Read:
    """Read the facts of a procedure, the dice and the choices of a line."""
    inputs = session.ruleset.rules.inputs(name)
    try:
        return read_line(session, text, partial(evolve(session.reader, asks=True).facts, inputs))
    except EntryError as wrong:
        if not str(wrong).startswith("there is no fact") or "did you mean" in wrong.hint:
            raise
        hint = f"{wrong.hint}; or type `{name}` alone, and answer the questions"
        raise EntryError(str(wrong), hint, wrong.span) from None


def missing(session: Session, entry: str) -> int | None:
    """How many facts that must be given an entry leaves out; ``None`` if its facts can't be read."""
    name, text = first_word(entry)
    try:
        given, _, _ = _read(session, name, text.removeprefix(":"))
    except AmbiguousEntry:
        return 0
    except EntryError:
        return None
    return sum(each.required and fact not in given for fact, each in session.ruleset.rules.inputs(name).items())


def would_begin(session: Session, name: str, text: str) -> bool:
    """Whether a procedure can be played with the facts in a text; the session stays as it is.

    Raises:
        EnfiladeError: The facts, the dice or the choices are not valid.
    """
    rules = session.ruleset.rules
    if name not in rules.names("procedure"):
        return False
    given, dice, choices = _read(session, name, text)
    call: dict[str, Any] = {"given": given, "choices": choices, "seed": session.state.seed}
    run = rules.begin(name, dice=faces_of_total(rules.begin(name, **call).question, dice), **call)
    return run.outcome is None or run.outcome.refusal is None


def begin(
    session: Session, name: str, given: Mapping[str, Any], *, entry: str, dice: Any = None, choices: Any = None,
    rolls: bool = False, asks_all: bool = False, throw: int | None = None, instead: Resolution | None = None,
    again: Resolution | None = None,
) -> None:  # fmt: skip
    """Begin a run and make it pending; an event may start no run, or several."""
    ruleset, table = session.ruleset, session.state
    throw = table.throw if throw is None else throw
    seed = table.dice_of(throw)
    rules = ruleset.rules
    rolls = rolls or session.settings.rolls
    if name in rules.names("procedure"):
        call = {"given": given, "choices": choices, "seed": seed, "ask_all": asks_all}
        run = rules.begin(name, dice=faces_of_total(rules.begin(name, **call).question, dice), **call)
        session.state = evolve(
            table, pending=PendingRun(entry, ruleset, run, throw, rolls, instead=instead, again=again or instead)
        )
        return
    runs: list[Run] = []
    for reaction in rules.notify(name, given=given, seed=seed):
        if isinstance(reaction, NotStarted):
            message = f": {reaction.message}" if reaction.message else ""
            session.say(line(("label", "nothing starts: "), ("code", reaction.reason), message, cited(reaction.cites)))
        else:
            session.say(line(("label", "starts "), ("title", reaction.procedure), cited(reaction.cites)))
            runs.append(reaction.run.restarted(dice=dice, choices=choices))
    if runs:
        session.state = evolve(table, pending=PendingRun(entry, ruleset, runs[0], throw, rolls, more=tuple(runs[1:])))


def go_on(session: Session) -> Iterator[Line]:
    """Continue the pending run to its next question or its end."""
    while (pending := session.state.pending) is not None:
        run = pending.run
        while pending.rolls and isinstance(run.question, (RollQuestion, DrawQuestion)):
            run = run.roll()
        steps = run.explain().steps
        # No further steps are shown while the run asks for a fact.
        value_text = pending.told if isinstance(run.question, FactQuestion) else len(steps)
        at = evolve(pending, run=run, told=value_text)
        # Described records become pieces on the table, even if the run is cancelled later.
        pieces = {**session.state.pieces, **described(at, session.state.pieces)}
        session.state = evolve(session.state, pending=at, pieces=pieces)
        yield from short_steps(steps[pending.told : value_text])
        if run.outcome is None:
            return
        yield from _finish(session, at, run.outcome)


def _finish(session: Session, pending: PendingRun, outcome: Outcome) -> Iterator[Line]:
    """Record and show the outcome of a run; a refusal is shown but not recorded."""
    table = session.state
    after = None
    if pending.more:
        # `undo` can still take back the last answer to the run that ends here.
        answered = any(not entry.forced for entry in pending.run.log)
        earlier = evolve(table, pending=evolve(pending, run=pending.run.undo(), rolls=False)) if answered else None
        after = evolve(pending, run=pending.more[0], told=0, more=pending.more[1:], earlier=earlier)
    if outcome.refusal is not None:
        session.state = evolve(table, pending=after)
        session.code = FAILED
        if after is None:
            session.refuse(_before_last_answer(table, pending), pending)
        yield refusal_line(outcome)
        if session.refused is not None and session.refused.state.asks:
            yield line(("hint", "`undo` goes back to the last question; `again FACTS` changes the facts."))
        return
    run = pending.run
    done = Resolution(pending.entry, pending.ruleset, run.procedure, _own_facts(pending), outcome, table.pieces)
    before = pending.instead
    others = tuple(each for each in table.resolutions if each is not before)
    session.state = evolve(
        table, pending=after, resolutions=(*others, done), throw=max(table.throw, pending.throw) + 1,
        pieces={**table.pieces, **as_before(before, table)},
    )  # fmt: skip
    yield from outcome_lines(outcome)
    changes = list(changes_of(session.state, done))
    if changes:
        told_changes = "; ".join(f"{piece.name} {text}" for piece, text in changes)
        yield line(("hint", "Type `apply` to update the table: "), ("effect", told_changes))


def _before_last_answer(table: SessionState, pending: PendingRun) -> SessionState:
    """The state before the last answer of a run; without an open question if nothing was answered."""
    if all(entry.forced for entry in pending.run.log):
        return evolve(table, pending=None)
    back = pending.run.undo()
    return evolve(table, pending=evolve(pending, run=back, rolls=False, told=len(back.explain().steps)))


def _own_facts(pending: PendingRun) -> dict[str, Any]:
    """The facts of a run that its procedure takes; the other facts of its event are left out."""
    run = pending.run
    known = types_of(pending.ruleset.rules, run.procedure)
    return {name: value for name, value in run.facts.items() if name in known}


# ------------------------------------------------------------------------------------------------------------- answers


def answer(session: Session, text: str) -> Iterator[Line]:
    """Answer the open question."""
    form = session.state.form
    if form is not None:
        yield from _fill(session, form, text)
        return
    pending = session.state.pending
    assert pending is not None
    question, reader = pending.question, session.reader
    if (not text or _names_dice(question, text)) and isinstance(question, (RollQuestion, DrawQuestion)):
        run = pending.run.roll()
    else:
        value = read_answer(question, _by_title(pending, text), reader)
        form = form_for_answer(reader, question, value) if isinstance(question, FactQuestion) and text else None
        if form is not None:
            session.state = evolve(session.state, form=form)
            return
        run = pending.run.answer(value)
        if text.isdigit() and isinstance(value, str) and isinstance(question, FactQuestion) and value != text:
            # A number chose a word.
            yield line(("hint", f"{question.key} {value}"))
    session.state = evolve(session.state, pending=evolve(pending, run=run))
    yield from go_on(session)


def _names_dice(question: Question, text: str) -> bool:
    """Whether a text names the dice that are asked for: `2d6` rolls them."""
    found = _NAMED_DICE.fullmatch(text)
    if found is None or not isinstance(question, RollQuestion):
        return False
    count, sides = int(found[1] or 1), int(found[2])
    return sum(each.count for each in question.legal) == count and all(
        len(each.faces) == sides for each in question.legal
    )


def _by_title(pending: PendingRun, text: str) -> str:
    """The number whose title contains the text: ``light cover`` for ``2, Target Class 2: Light Cover``."""
    question = pending.question
    if not isinstance(question, FactQuestion) or not isinstance(question.input.domain, Num) or not text[:1].isalpha():
        return text
    titles = value_titles(pending.ruleset.rules, pending.run.procedure, question.name)
    word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)
    found = [value for value, title in titles.items() if word.search(title)]
    if len(found) > 1:
        raise EntryError(f"`{text}` may mean {', '.join(found[:-1])} or {found[-1]}", "type the number")
    return found[0] if found else text


def _fill(session: Session, form: Form, text: str) -> Iterator[Line]:
    """Fill in one field of the record form."""
    (at, field), *missing = form.missing
    reader = session.reader
    declared = session.ruleset.rules.records[form.kind].fields[field]
    if not text and not isinstance(declared.domain, Bool):
        raise EntryError(f"{field} needs a value", f"type {declared.domain.allowed}")
    key, *_ = form.records[at]
    name = str(form.records[at][key])
    known = {each: given for each, given in form.records[at].items() if each != key}
    known[field] = reader.value(declared.domain, text, field) if text else True
    record = {key: name, **known, field: _checked(session, form.kind, name, known, field)}
    records = (*form.records[:at], record, *form.records[at + 1 :])
    if missing:
        session.state = evolve(session.state, form=evolve(form, records=records, missing=tuple(missing)))
        return
    session.state = evolve(session.state, form=None)
    if form.fact is None:
        for each in records:
            name, fields = str(each[key]), {other: given for other, given in each.items() if other != key}
            yield from put_down(session, form.kind, name, fields)
        if form.waiting is not None:
            yield from _play(session, form.waiting)
        return
    pending = session.state.pending
    assert pending is not None
    alone = isinstance(fact_type(pending), RecordOf)
    run = pending.run.answer(records[0] if alone else list(records))
    session.state = evolve(session.state, pending=evolve(pending, run=run))
    yield from go_on(session)


def _checked(session: Session, kind: str, name: str, fields: Mapping[str, Any], field: str) -> Any:
    """Check one field of a record whose other fields may still be missing.

    Raises:
        InputError: It is not legal.
    """
    pieces = session.state.pieces.values()
    among = {each.name: (each.kind, each.fields) for each in pieces if each.name != name}
    try:
        return session.ruleset.rules.record_fields(kind, name, fields, among)[field]
    except InputError as wrong:
        about = [fault for fault in wrong.errors if fault.parameter.endswith(f".{field}")]
        if about:
            raise InputError(about) from None
        return fields[field]


# --------------------------------------------------------------------------------------------------------------- again


def current(session: Session, done: Resolution) -> dict[str, Any]:
    """The facts of a resolution, with the current fields of its pieces, except fields that were typed in the facts."""
    types = types_of(done.ruleset.rules, done.procedure)
    records = done.ruleset.rules.records

    def stands(kind: str, record: Any) -> Any:
        if not isinstance(record, Mapping):
            return record
        key, name = next(iter(record.items()))
        now, then = session.state.pieces.get(str(name)), done.pieces.get(str(name))
        if now is None or now.kind != kind or then is None or then.kind != kind:
            return record
        declared = records[kind].fields
        over = {
            field: value
            for field, value in record.items()
            if field in declared and value != then.fields.get(field, default_of(declared[field]))
        }
        return {key: name, **now.fields, **over}

    given: dict[str, Any] = {}
    for fact, value in done.given.items():
        kind = record_kind(types[fact])
        if kind is None:
            given[fact] = value
        else:
            given[fact] = [stands(kind, each) for each in value] if isinstance(value, list) else stands(kind, value)
    return given
