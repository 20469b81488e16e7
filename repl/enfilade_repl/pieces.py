"""Pieces on the table: adds them, describes them, and applies the changes of combats to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from enfilade import InputField
from enfilade.language import Line, line, typed_name, value_text
from enfilade.types import Type, record_kind
from enfilade_repl.answers import form_for
from enfilade_repl.entry import EntryError, first_word, types_of
from enfilade_repl.session import Session
from enfilade_repl.state import PendingRun, Piece, Resolution, SessionState

_NO_DEFAULT: Final = object()
_QUOTED: Final = re.compile(r'"([^"]+)"')
_OF_WORDS: Final = re.compile(r"(\w[\w.'-]*(?: +\w[\w.'-]*)+) *(?=:)")


def enter_piece(session: Session, kind: str, text: str) -> Iterator[Line]:
    """Put a piece on the table, or change it: ``gun: kind artillery, steps 2``."""
    quoted = _QUOTED.match(text) or _OF_WORDS.match(text)
    name, rest = (quoted[1].strip(), text[quoted.end() :]) if quoted else first_word(text)
    rest = rest.strip().removeprefix(":").strip()
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1]
    if not name and text[:1] in ("", ":"):
        raise EntryError(f"a {kind} needs a name", f"type `{kind} NAME: FIELD VALUE, ...`")
    if not name or (quoted is None and text[len(name) :][:1] not in ("", " ", ":", "(")):
        wrong = re.split(r"[\s:(]", text)[0].strip('"')
        raise EntryError(
            f"`{wrong}` can't be a name",
            f'a name needs quotes if it has signs other than letters, digits and _, as in `{kind} "{wrong}"`',
        )
    known = session.state.pieces.get(name)
    if known is not None and known.kind != kind:
        raise EntryError(f"{name} is already a {known.kind}", f"type `drop {name}` first, or choose another name")
    # Fields that the rules no longer declare are removed from the piece.
    declared = session.ruleset.rules.records[kind].fields
    old = {field: value for field, value in (known.fields if known else {}).items() if field in declared}
    fields = {**old, **session.reader.fields(kind, rest)}
    form = form_for(session.reader, kind, ({session.reader.key_field(kind): name, **fields},), None)
    if form is not None and not rest:
        session.state = evolve(session.state, form=form)
        return
    yield from put_down(session, kind, name, fields)


def put_down(session: Session, kind: str, name: str, fields: Mapping[str, Any]) -> Iterator[Line]:
    """Check a piece and put it on the table."""
    table = session.state
    among = {each.name: (each.kind, each.fields) for each in table.pieces.values() if each.name != name}
    checked = session.ruleset.rules.record_fields(kind, name, fields, among)
    piece = Piece(kind, name, checked)
    session.state = evolve(table, pieces={**table.pieces, name: piece})
    yield piece_line(piece)


def piece_line(piece: Piece) -> Line:
    """A piece, in the form that a player types."""
    described = piece.described()
    return line(("kind", f"{piece.kind} "), ("name", typed_name(piece.name)), f": {described}" if described else "")


def changed_by(done: Resolution) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """The records that a resolution changed: the kind, the name, and the fields before and after of each."""
    state = done.outcome.to_json(explanation=False)["state"]
    for kind, name, fields in records_in(types_of(done.ruleset.rules, done.procedure), done.given):
        after = state.get(kind, {}).get(name)
        if after is None:
            continue
        declared = done.ruleset.rules.records[kind].fields
        before = {field: fields.get(field, default_of(each)) for field, each in declared.items()}
        changed = {field: value for field, value in after.items() if value != before[field]}
        if changed:
            yield kind, name, {field: before[field] for field in changed}, changed


def changes_of(table: SessionState, done: Resolution) -> Iterator[tuple[Piece, str]]:
    """What `apply` would change: each changed piece with a description of the change."""
    if done.applied:
        return
    for kind, name, _, changed in changed_by(done):
        piece = table.pieces.get(name)
        if piece is None or piece.kind != kind:
            continue
        declared = done.ruleset.rules.records[kind].fields
        before = {field: piece.fields.get(field, default_of(declared[field])) for field in changed}
        texts = [f"{field} {value_text(before[field])} -> {value_text(value)}" for field, value in changed.items()]
        yield Piece(kind, name, {**piece.fields, **changed}), ", ".join(texts)


def as_before(done: Resolution | None, table: SessionState) -> dict[str, Piece]:
    """The pieces that a resolution changed, with their fields as before the resolution."""
    if done is None or not done.applied:
        return {}
    return {
        name: evolve(table.pieces[name], fields={**table.pieces[name].fields, **before})
        for kind, name, before, _ in changed_by(done)
        if name in table.pieces and table.pieces[name].kind == kind
    }


def records_in(types: Mapping[str, Type], facts: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The records in some facts: the kind, name and fields of each."""
    for fact, value in facts.items():
        kind = record_kind(types[fact]) if fact in types else None
        for item in value if isinstance(value, list) else [value]:
            if kind is not None and isinstance(item, Mapping):
                name, *_ = item.values()
                yield kind, str(name), dict(list(item.items())[1:])


def described(pending: PendingRun, pieces: Mapping[str, Piece]) -> dict[str, Piece]:
    """The records described for a run, with their fields before the run.

    Records that are pieces already are left out. A record without a name gets the name of its fact, and replaces the
    piece of that name. A record of a combat that is played again was on the table before, and stays off it if dropped.
    """
    run = pending.run
    again = pending.again
    before = (
        ()
        if again is None
        else {name for _, name, _ in records_in(types_of(again.ruleset.rules, again.procedure), again.given)}
    )
    found: dict[str, Piece] = {}
    types = types_of(pending.ruleset.rules, run.event or run.procedure)
    for kind, name, fields in records_in(types, run.facts):
        known = pieces.get(name)
        if known is None and name in before:
            continue
        if known is None or (name in run.facts and pending.instead is None):
            declared = pending.ruleset.rules.records[kind].fields
            said = {field: value for field, value in fields.items() if value != default_of(declared[field])}
            found[name] = Piece(kind, name, said)
    return found


def default_of(field: InputField) -> Any:
    """The default of a field, as plain data."""
    return _NO_DEFAULT if field.required else field.default
