"""The commands that list, save, open, share and end sessions: `log`, `save`, `open`, `record`, `share`, `quit`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from attrs import evolve

from enfilade import Outcome, Ruleset
from enfilade.language import (
    VERBATIM,
    Line,
    explanation_lines,
    in_columns,
    line,
    lines_of,
    outcome_lines,
    output_text,
    value_text,
)
from enfilade.terminal import counted, reason
from enfilade_repl.commands.author import watched_again
from enfilade_repl.commands.command import Command, find
from enfilade_repl.definitions import file_text
from enfilade_repl.entry import EntryError, first_word
from enfilade_repl.journal import (
    SUFFIX,
    Journal,
    came_of,
    kept_sessions,
    new_path,
    place_of,
    remember,
    resolutions_in,
)  # fmt: skip
from enfilade_repl.recording import examples_file, extended_name, facts_text
from enfilade_repl.session import Session
from enfilade_repl.session_format import Kept, Record, read_journal
from enfilade_repl.sharing import CHECKED_BY, shared
from enfilade_repl.state import Resolution


def log(session: Session, text: str) -> Iterator[Line]:
    """List the combats resolved; with a number, show one in full."""
    done = session.state.resolutions
    if text.strip():
        number = int(text) if text.strip().isdigit() else 0
        if not 1 <= number <= len(done):
            raise EntryError(
                f"there is no combat {text.strip()}",
                f"the combats are numbered 1 to {len(done)}" if done else "no combat has been played yet",
            )
        yield from explanation_lines(done[number - 1].outcome.explain())
        yield from outcome_lines(done[number - 1].outcome)
        return
    if not done:
        yield line(("hint", "No combat has been played yet."))
        return
    several = len({each.ruleset.name for each in done}) > 1
    rows = [[("", str(number)), *_row(each, several=several)] for number, each in enumerate(done, 1)]
    yield from in_columns(rows)


def _row(done: Resolution, *, several: bool) -> Iterator[tuple[str, str]]:
    """The row of one resolution; it names the ruleset if there are several."""
    outcome = done.outcome
    if several:
        yield "label", done.ruleset.name
    dice = "  ".join(" ".join(map(value_text, each.answers)) for each in outcome.dice)
    yield "title", done.procedure
    yield "dice", dice
    yield "result", _came(outcome)
    yield "ok", "applied" if done.applied else ""
    yield "hint", facts_text(done)


def _came(outcome: Outcome) -> str:
    """The result, or else the first output."""
    if "result" in outcome.outputs:
        return output_text(outcome.result)
    return next((f"{name} {output_text(value)}" for name, value in outcome.outputs.items()), "")


# ------------------------------------------------------------------------------------------------------------ on disk


def save(session: Session, text: str) -> Iterator[Line]:
    """Save the session, or the definitions typed at the prompt, to a file."""
    path = _path(text, "save friday")
    if path.suffix == ".rules":
        ruleset = session.ruleset
        if not ruleset.scratch:
            raise EntryError("there are no definitions to save")
        _write(session, path, file_text(ruleset, path.stem, extended_name(ruleset, path)))
        yield line(("ok", f"{path} written."))
        return
    path = path if path.suffix else path.with_suffix(SUFFIX)
    mine = path.resolve() in session.written or (
        session.journal.path is not None and path.resolve() == session.journal.path.resolve()
    )
    if path.exists() and not mine:
        raise EntryError(f"{path} already exists and does not belong to this session", "choose another name")
    session.journal.copy_to(path)
    session.written.add(path.resolve())
    _moved(session)
    yield line(
        ("ok", f"Saved in {path}."), ("hint", f" Later entries are saved there too; `open {path.stem}` continues it.")
    )


def _moved(session: Session) -> None:
    """Delete the old journal of a session that now continues in another file."""
    before, folder = session.journal.before, session.folder
    if folder is not None and session.journal.path is not None:
        remember(folder, session.journal.path)
        if before is not None and before.parent == folder / "sessions":
            before.unlink(missing_ok=True)


def open_session(session: Session, text: str, commands: Iterable[Command]) -> Iterator[Line]:
    """Open a saved session, or list the saved sessions."""
    kept = kept_sessions(session.folder) if session.folder is not None else ()
    kept = tuple(path for path in kept if session.journal.path is None or path != session.journal.path.absolute())
    if not text.strip():
        if not kept:
            yield line(("hint", "There are no saved sessions."))
        rows = [
            [("code", str(number)), ("name", path.stem), *_held(path)]
            for number, path in enumerate(kept[:_MOST_LISTED], 1)
        ]
        yield from in_columns(rows, 1)
        return
    if session.journal.path is not None and text.strip() == session.journal.path.stem:
        raise EntryError(f"{text.strip()} is this session", "`open last` opens the previous session")
    path = _found(text.strip(), kept)
    found = read_journal(path)
    yield from entered_again(session, found, path, commands)


_MOST_LISTED: Final = 20


def _held(path: Path) -> Iterator[tuple[str, str]]:
    """The games of a saved session, how many combats it has, and the last one."""
    try:
        kept = read_journal(path)
    except EntryError as wrong:
        yield "warning", str(wrong)
        return
    played = list(resolutions_in(kept))
    games = dict.fromkeys(Path(place).stem for record in kept.records for place in record.rules)
    yield "title", ", ".join(games) or "no game"
    yield "label", counted(len(played), "combat") if played else "no combats"
    yield "hint", played[-1] if played else ""


def _is_played(path: Path) -> bool:
    try:
        return any(record.came is not None for record in read_journal(path).records)
    except EntryError:
        return False


def _found(name: str, kept: tuple[Path, ...]) -> Path:
    if name == "last":
        if not kept:
            raise EntryError("there are no saved sessions")
        return next(filter(_is_played, kept), kept[0])
    if name.isdigit() and 1 <= int(name) <= len(kept[:_MOST_LISTED]) and not Path(name).is_file():
        return kept[int(name) - 1]
    for path in (Path(name), Path(f"{name}{SUFFIX}"), *(each for each in kept if each.stem == name)):
        if path.is_file():
            return path
    raise EntryError(f"there is no session {name}", "`open` lists the saved sessions")


def entered_again(session: Session, kept: Kept, path: Path, commands: Iterable[Command]) -> Iterator[Line]:
    """Replay a journal, and continue writing to it."""
    journal = Journal(path, kept.head, kept)
    try:
        journal.take()
        apart = False
    except (EntryError, OSError):
        # Another session writes to this journal, or nobody can, so this session continues in a new file.
        place = None if session.folder is None else new_path(session.folder)
        journal, apart = Journal(place, kept.head, kept, apart=True), True
    other = session.fresh(kept.head)
    differs = sum(not _entered_alike(other, record, commands) for record in kept.records)
    other.rules_from = None
    session.become(other)
    session.journal.close()
    session.journal = journal
    if session.folder is not None and not apart:
        remember(session.folder, path)
    done = len(session.state.resolutions)
    pieces = counted(len(session.state.pieces), "piece")
    yield line(("ok", f"{path.stem}: "), f"{counted(done, 'combat')}, {pieces} on the table")
    if apart:
        where = "in memory only; `save NAME` keeps them" if journal.path is None else f"in {journal.path.stem}"
        yield line(
            ("warning", "This file is open in another session, or can't be written."),
            ("hint", f" Your later entries are {where}."),
        )
    yield from watched_again(session)
    yield from _left_out(kept, path)
    if differs:
        cause = "without the damaged lines" if kept.damaged else "with this version of Enfilade"
        entries = "1 saved entry gives" if differs == 1 else f"{differs} saved entries give"
        yield line(("warning", f"{entries} a different result {cause}."))


def _left_out(kept: Kept, path: Path) -> Iterator[Line]:
    """Say which lines of a journal are left out."""
    if kept.damaged:
        numbers = ", ".join(map(str, kept.damaged[:10])) + (", ..." if len(kept.damaged) > 10 else "")
        several = len(kept.damaged) > 1
        lines = f"Lines {numbers} of {path} are" if several else f"Line {numbers} of {path} is"
        yield line(("warning", f"{lines} damaged and not used."), ("hint", " All other entries were replayed."))
    if kept.torn:
        yield line(("hint", f"The last line of {path} is incomplete and was not used."))


def _entered_alike(session: Session, record: Record, commands: Iterable[Command]) -> bool:
    """Enter a record again; whether it comes out as it did."""
    if not record.changed or _touches_files(session, record.entry, commands):
        return True
    if not _placed(session, record):
        return False
    session.rules_from = _Recorded(record).load
    reply = session.enter(record.entry)
    # Earlier versions did not keep the number of the combat.
    came = came_of(session.state)
    return reply.changed and (record.came is None or (came is not None and came[: len(record.came)] == record.came))


def _placed(session: Session, record: Record) -> bool:
    """Put the dice back to their place before a record, which differs only if an earlier line is missing.

    Returns:
        False if the record answers a question that is not open.
    """
    if record.before is None:
        return True
    here = place_of(session.state)
    if {name: here.get(name) for name in record.before} == record.before:
        return True
    if "throw" not in record.before:
        return False
    game = record.before.get("game")
    session.settle(evolve(session.state, pending=None, form=None, ways=()))
    if game not in (None, here.get("game")):
        # The line that began to use this game is damaged: its rules are those on the disk.
        session.rules_from = None
        session.enter(f"use {game}")
    session.settle(evolve(session.state, seed=record.before["seed"], throw=record.before["throw"]))
    return True


def _touches_files(session: Session, entry: str, commands: Iterable[Command]) -> bool:
    """Whether an entry would write or open files; the replay of a journal must not do that."""
    command = find(commands, first_word(entry.lstrip("/ "))[0])
    is_answer = session.state.asks and not entry.startswith("/")
    return command is not None and command.touches_files and not is_answer


class _Recorded:
    """Loads rulesets from the texts in a journal."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def load(self, place: str) -> Ruleset:
        """The recorded ruleset of this name or path."""
        data = self._record.rules.get(place)
        if data is None:
            raise EntryError(f"the session file has no copy of {place}")
        return Ruleset.from_json(data)


def record(session: Session, text: str) -> Iterator[Line]:
    """Write the combats resolved as examples to a rules file."""
    path = _path(text, "record played.rules")
    path = path if path.suffix else path.with_suffix(".rules")
    session.last  # noqa: B018 - raises if no combat was resolved
    recorded = examples_file(session.state.resolutions, path)
    _write(session, path, recorded.text)
    yield line(("ok", f"{path} written."), ("hint", f" `enfilade test {path}` runs these examples."))
    if recorded.left_out:
        numbers = ", ".join(map(str, recorded.left_out))
        yield line(
            ("warning", f"These combats of `log` were left out, because as examples they would not pass: {numbers}.")
        )


def share(session: Session, text: str) -> Iterator[Line]:
    """Print the last combat as text to paste, or write it to a file."""
    words = text.split()
    markdown = bool(words) and words[0] in ("markdown", "md")
    rest = words[1:] if markdown else words
    if rest and rest[0] in ("this", "that", "it", "the"):
        rest = []
    shown = shared(session.last, markdown=markdown)
    if rest:
        path = Path(" ".join(rest)).expanduser()
        _write(session, path, shown + "\n")
        yield line(("ok", f"{path} written."))
        return
    # A terminal folds plain text between words; Markdown and the command are copied as they are.
    for each in shown.splitlines():
        yield from lines_of(each, VERBATIM if markdown or each.startswith(CHECKED_BY) else "") or ((),)


def _path(text: str, example: str) -> Path:
    name = text.strip().strip('"')
    if not name:
        raise EntryError("name a file", f"for example, `{example}`")
    return Path(name).expanduser()


def _write(session: Session, path: Path, text: str) -> None:
    """Write a file; refuse to overwrite files that this session did not write."""
    if path.exists() and path.resolve() not in session.written:
        raise EntryError(f"{path} already exists and was not written in this session", "choose another name")
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as wrong:
        raise EntryError(f"{path} can't be written: {reason(wrong)}") from None
    session.written.add(path.resolve())


def leave(session: Session, text: str) -> Iterable[Line]:
    """End the session."""
    session.ends = True
    session.journal.close()
    return ()
