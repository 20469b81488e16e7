"""A session: entries in, styled lines out.

It holds the table and moves it from entry to entry; an entry that fails, or is interrupted, leaves the table that it
found. It must not know a terminal: what shows a session asks it for its prompt, gives it text, and prints the reply.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from attrs import evolve, frozen

from enfilade import Ruleset, UsageError
from enfilade.files import load_ruleset
from enfilade.language import EntryReader, Line, line, question_prompt
from enfilade.terminal import DONE
from enfilade_repl.definition_text import needs_more
from enfilade_repl.entry import EntryError
from enfilade_repl.error_messages import error_message
from enfilade_repl.journal import Journal
from enfilade_repl.settings import Settings
from enfilade_repl.state import LoadedRuleset, Resolution, SessionState

Interpreter: TypeAlias = Callable[["Session", str], Iterable[Line]]
Loader: TypeAlias = Callable[[str], Ruleset]


@frozen
class Reply:
    """What an entry comes to.

    Attributes:
        lines: What is said.
        code: 0 done, 1 the rules refuse or a check failed, 2 the entry was wrong.
        ends: Whether the session is over.
        changed: Whether it changed the table.
    """

    lines: tuple[Line, ...] = ()
    code: int = DONE
    ends: bool = False
    changed: bool = False


@frozen(eq=False)
class Step:
    """A table that can be gone back or forth to.

    Attributes:
        table: The table.
        entry: The entry between it and the one beside it.
    """

    state: SessionState
    entry: str


class Session:
    """One session.

    Commands are given it, and put new tables, settings and keepers in the place of the old ones.

    Args:
        interpret: Runs an entry; ``dispatch.new_session`` gives the one that knows every kind of entry.
        seed: What the dice come from; fresh if not given.
        settings: How the player likes it.
        journal: What keeps the entries; in memory alone, if not given.
        progress: Told of the work that long questions take.

    Attributes:
        table: What it stands on.
        settings: How the player likes it.
        columns: How wide the lines are that it draws.
        plain: Whether it keeps to letters that every terminal has.
        folder: Where sessions are kept; ``None`` where they are not.
        entry: What is being done, as it was typed.
        code: What the reply will say of it.
        written: The files that it wrote: it may write them again.
        journal: What keeps the entries.
        progress: Told of the work that long questions take.
        parts: Told how many parts of such work are done, and of how many.
        ends: Whether the entry at hand ends it.
        most_throws: The highest number that a throw has had, undone ones included.
        rules_from: Where rulesets are loaded from, if not by their names: a journal that is opened.
    """

    def __init__(
        self, interpret: Interpreter, *, seed: str | None = None, settings: Settings | None = None, journal: Journal | None = None,
        progress: Callable[[int], None] | None = None, columns: int = 80,
    ) -> None:  # fmt: skip
        self._interpret = interpret
        self.state = SessionState(seed=seed if seed is not None else secrets.token_hex(4))
        self.settings = settings or Settings()
        self.journal = journal or Journal(None, {"seed": self.state.seed, "dice": self.settings["dice"]})
        self.progress = progress
        self.parts: Callable[[int, int], None] | None = None
        self.columns = columns
        self.entry = ""
        self.code = DONE
        self.ends = False
        self.plain = False
        self.folder: Path | None = None
        self.written: set[Path] = set()
        self.rules_from: Loader | None = None
        self.most_throws = 1
        self._settled = self.state
        self._past: tuple[Step, ...] = ()
        self._future: tuple[Step, ...] = ()
        self._doing = ""
        self._said: list[Line] = []

    # -- what it stands on ----------------------------------------------------------------------------------

    @property
    def ruleset(self) -> LoadedRuleset:
        """The ruleset in use.

        Raises:
            EntryError: There is none.
        """
        return self.state.in_use

    @property
    def last(self) -> Resolution:
        """The last resolution.

        Raises:
            EntryError: Nothing was played yet.
        """
        if not self.state.resolutions:
            raise EntryError("nothing was resolved yet", "type the name of a procedure")
        return self.state.resolutions[-1]

    @property
    def reader(self) -> EntryReader:
        """What reads facts for the ruleset in use."""
        return EntryReader(self.ruleset.rules, self.state.pieces)

    @property
    def prompt(self) -> Line:
        """What stands before the next entry."""
        table = self.state
        if table.form is not None:
            return table.form.prompt(self.ruleset.rules)
        if table.pending is not None:
            return question_prompt(table.pending.question)
        name = table.ruleset.name if table.ruleset is not None else "enfilade"
        return line(("prompt", f"{name}> "))

    def load(self, place: str) -> Ruleset:
        """Load a ruleset by its name or path, or from the journal that is opened."""
        try:
            rules = load_ruleset(place) if self.rules_from is None else self.rules_from(place)
        except UsageError as wrong:
            raise EntryError(str(wrong)) from None
        self.journal.loaded(place, rules.to_json())
        return rules

    # -- entries --------------------------------------------------------------------------------------------

    def say(self, said: Line) -> None:
        """Say a line before what the entry itself comes to."""
        self._said.append(said)

    def enter(self, text: str) -> Reply:
        """Do what is typed.

        Args:
            text: One entry.

        Returns:
            What it came to; a mistake is an answer too.
        """
        before, settled, past, future = self.state, self._settled, self._past, self._future
        settings, journal = self.settings, self.journal
        self.entry, self.code, self.ends, self._said = text.strip(), DONE, False, []
        try:
            lines = tuple(self._interpret(self, text.strip("\n")))
            said = (*self._said, *lines)
        except BaseException as error:
            self.state, self._settled, self._past, self._future = before, settled, past, future
            self.settings = settings
            self.journal.forget_loaded()
            excuse = error_message(error, before)
            said, self.code = excuse.lines, excuse.code
        changed = self.state is not before or self.settings is not settings
        self.most_throws = max(self.most_throws, self.state.throw)
        if self.state is not self._settled and not self.state.asks and self.state.stands_as(self._settled):
            # It was given up, or refused: nothing has changed.
            self.state, self._doing = self._settled, ""
        elif self.state is not self._settled and not self.state.asks:
            # Undo and redo have settled where they went.
            self._past, self._future = (*self._past, Step(self._settled, self._doing or self.entry)), ()
            self._settled, self._doing = self.state, ""
        elif self.state.asks and not before.asks:
            self._doing = self.entry
        if self.journal is journal and (changed or self.entry):
            # What opens another session is no part of it.
            self.journal.keep(self.state, self.entry, changed=changed)
        return Reply(said, self.code, self.ends, changed)

    # -- back and forth -------------------------------------------------------------------------------------

    def undo(self) -> str:
        """Go back to the table before.

        Returns:
            The entry that is taken back.

        Raises:
            EntryError: There is none.
        """
        if not self._past:
            raise EntryError("there is nothing to undo")
        step = self._past[-1]
        self._future = (Step(self._settled, step.entry), *self._future)
        self.state = self._settled = step.state
        self._past = self._past[:-1]
        return step.entry

    def redo(self) -> str:
        """Go forth to the table that was undone.

        Returns:
            The entry that is done again.

        Raises:
            EntryError: There is none.
        """
        if not self._future:
            raise EntryError("there is nothing to redo")
        step = self._future[0]
        self._past = (*self._past, Step(self._settled, step.entry))
        self.state = self._settled = step.state
        self._future = self._future[1:]
        return step.entry

    def fresh(self, head: Mapping[str, str]) -> Session:
        """A session that begins as another did.

        Args:
            head: What it began with: its seed, and how dice are asked for.
        """
        settings = self.settings.with_value("dice", head.get("dice") or "ask")
        return Session(self._interpret, seed=head.get("seed", ""), settings=settings, columns=self.columns)

    def settle(self, table: SessionState) -> None:
        """Stand on another table from now on: a step that is not to be taken back."""
        self.state = self._settled = table

    def become(self, other: Session) -> None:
        """Stand where another session stands."""
        self._doing = other._doing
        self.state, self._settled = other.state, other._settled
        self._past, self._future = other._past, other._future
        self.most_throws = other.most_throws
        dice = other.settings["dice"]
        self.settings = self.settings.with_value("dice", dice)

    def replace_ruleset(self, old: LoadedRuleset, new: LoadedRuleset) -> None:
        """Put a ruleset that was read again in the place of the old one, in all that can be undone too."""

        def replaced(table: SessionState) -> SessionState:
            return evolve(table, ruleset=new) if table.ruleset is old else table

        self._past = tuple(evolve(step, state=replaced(step.state)) for step in self._past)
        self._future = tuple(evolve(step, state=replaced(step.state)) for step in self._future)
        self.state = self._settled = replaced(self.state)

    # -- for whoever shows it ---------------------------------------------------------------------------------

    def needs_more(self, text: str) -> bool:
        """Whether an entry goes on with the next line: a definition whose text the parser finds unfinished."""
        return not self.state.asks and needs_more(text)

    def names(self) -> tuple[str, ...]:
        """The names of the procedures and events of the ruleset in use."""
        return () if self.state.ruleset is None else self.state.ruleset.rules.names("procedure", "event")
