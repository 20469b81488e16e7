"""The commands that show and change the table: `table`, `apply`, `drop`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from enfilade.language import Line, line, unknown_name
from enfilade_repl.entry import EntryError
from enfilade_repl.pieces import changes_of, piece_line
from enfilade_repl.session import Session


def show_pieces(session: Session, text: str) -> Iterable[Line]:
    """The pieces on the table."""
    pieces = session.state.pieces.values()
    if not pieces:
        kinds = ", ".join(session.ruleset.rules.records)
        how = f"Type `KIND NAME: FIELDS` to add a piece (kinds: {kinds})" if kinds else "This ruleset has no pieces"
        return (line(("hint", f"The table is empty. {how}.")),)
    records = session.ruleset.rules.records
    gone = ("hint", "  (the rules no longer have this kind of record)")
    return [(*piece_line(piece), *(() if piece.kind in records else (gone,))) for piece in pieces]


def drop(session: Session, text: str) -> Iterable[Line]:
    """Take a piece off the table."""
    name = text.strip().strip('"')
    if not name:
        raise EntryError(
            "name a piece",
            f"the pieces are {', '.join(session.state.pieces)}" if session.state.pieces else "there are none",
        )
    pieces = dict(session.state.pieces)
    if name not in pieces:
        unknown_name(name, pieces, "there is no piece")
    del pieces[name]
    session.state = evolve(session.state, pieces=pieces)
    return (line(("hint", "Off the table: "), ("name", name)),)


def apply(session: Session, text: str) -> Iterator[Line]:
    """Apply the effects of the last combat to the pieces."""
    table = session.state
    done = session.last
    if done.applied:
        raise EntryError("the table already shows these changes", "`undo` takes the changes back")
    changes = list(changes_of(table, done))
    if not changes:
        raise EntryError("the last combat changed no piece on the table")
    pieces = {**table.pieces, **{piece.name: piece for piece, _ in changes}}
    kept = (*table.resolutions[:-1], evolve(done, applied=True))
    session.state = evolve(table, pieces=pieces, resolutions=kept)
    for piece, text in changes:
        yield line(("name", piece.name), " ", ("effect", text))
