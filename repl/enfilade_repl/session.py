"""A session: entries in, styled lines out, with undo and redo.

Each entry makes a new state; an entry that fails or is interrupted leaves the state as it was. A session must not
depend on a terminal: the terminal gets the prompt from the session, passes it text, and prints the reply.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from attrs import evolve, frozen

from enfilade import Ruleset, UsageError
from enfilade.files import load_ruleset
from enfilade.language import EntryReader, Line, line, question_prompt
from enfilade.terminal import DONE
from enfilade_repl.definition_text import is_facts_alone, needs_more
from enfilade_repl.entry import EntryError
from enfilade_repl.error_messages import error_message
from enfilade_repl.journal import Journal
from enfilade_repl.settings import Settings
from enfilade_repl.state import LoadedRuleset, PendingRun, Resolution, SessionState

Interpreter: TypeAlias = Callable[["Session", str], Iterable[Line]]
Loader: TypeAlias = Callable[[str], Ruleset]


@frozen
class Reply:
    """The result of an entry.

    Attributes:
        lines: The lines to show.
        code: 0 done, 1 the rules refuse or a check failed, 2 the entry was wrong.
        ends: Whether the session is over.
        changed: Whether the entry changed the state or the settings.
    """

    lines: tuple[Line, ...] = ()
    code: int = DONE
    ends: bool = False
    changed: bool = False


@frozen(eq=False)
class Step:
    """A state that undo or redo can return to.

    Attributes:
        state: The state.
        entry: The entry between this state and the next one.
        refused: The run that the rules refused after this state, if they did.
    """

    state: SessionState
    entry: str
    refused: PendingRun | None = None


class Session:
    """One session; commands change it by replacing its state, settings and journal.

    Args:
        interpret: The function that runs an entry; ``dispatch.new_session`` passes one for every kind of entry.
        seed: The seed of the dice; random if not given.
        settings: The player's settings.
        journal: Records the entries; in memory only if not given.
        progress: Called with the amount of work that a long question has taken so far.

    Attributes:
        state: The current state.
        settings: The player's settings.
        columns: The maximum width of tables and drawings.
        plain: Whether drawings use ASCII only.
        folder: The folder of saved sessions; ``None`` if sessions are not saved.
        entry: The current entry, as typed.
        code: The exit code of the current entry.
        written: The files that this session wrote, and may overwrite.
        journal: Records the entries.
        progress: Called with the amount of work that a long question has taken so far.
        parts: Called with the number of finished parts of a computation and the total number of parts.
        ends: Whether the current entry ends the session.
        most_throws: The highest number of a throw so far, undone throws included.
        refused: If the last entry ended in a refusal of the rules, the state before its last answer and the entry that
            began the combat; `undo` returns to it.
        chooses: Whether somebody is there to choose between two readings of an entry; otherwise it is refused.
        rules_from: The source of rulesets during the replay of a journal, instead of the file system.
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
        self.chooses = True
        self.rules_from: Loader | None = None
        self.most_throws = 1
        self._settled = self.state
        self.refused: Step | None = None
        self._past: tuple[Step, ...] = ()
        self._future: tuple[Step, ...] = ()
        self._doing = ""
        self._said: list[Line] = []
        self._told: list[Line] = []
        self._told_broken = False

    # -- the state ----------------------------------------------------------------------------------

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
            EntryError: No combat has been resolved yet.
        """
        if not self.state.resolutions:
            raise EntryError("no combat has been played yet", "type the name of a procedure to play it")
        return self.state.resolutions[-1]

    @property
    def reader(self) -> EntryReader:
        """The reader of typed facts for the ruleset in use."""
        return EntryReader(self.ruleset.rules, self.state.pieces)

    @property
    def prompt(self) -> Line:
        """The prompt: the open question, or the name of the ruleset in use."""
        table = self.state
        if table.ways:
            numbers = f"1 to {len(table.ways)}" if len(table.ways) > 1 else "1"
            return line(("question", "which"), ("hint", f" ({numbers}, or another entry)"), ": ")
        if table.form is not None:
            return table.form.prompt(self.ruleset.rules)
        if table.pending is not None:
            return question_prompt(table.pending.question)
        name = table.ruleset.name if table.ruleset is not None else "enfilade"
        return line(("prompt", f"{name}> "))

    def load(self, place: str) -> Ruleset:
        """Load a ruleset by its name or path; during a replay, load it from the journal."""
        try:
            rules = load_ruleset(place) if self.rules_from is None else self.rules_from(place)
        except UsageError as wrong:
            raise EntryError(str(wrong)) from None
        self.journal.loaded(place, rules.to_json())
        return rules

    # -- entries --------------------------------------------------------------------------------------------

    def say(self, said: Line) -> None:
        """Add a line to the reply, before the lines that the entry yields."""
        self._said.append(said)

    def tell(self, told: Line) -> None:
        """Begin the reply with a line, once, even if the entry fails."""
        if told not in self._told:
            self._told.append(told)

    def enter(self, text: str) -> Reply:
        """Run an entry.

        Args:
            text: The entry.

        Returns:
            The reply; a mistake gives a reply too, not an exception.
        """
        before, settled, past, future = self.state, self._settled, self._past, self._future
        settings, journal, refused = self.settings, self.journal, self.refused
        self.entry, self.code, self.ends, self._said, self._told = text.strip(), DONE, False, [], []
        try:
            lines = tuple(self._interpret(self, text.strip("\n")))
            said = (*self._said, *lines)
        except BaseException as error:
            self.state, self._settled, self._past, self._future = before, settled, past, future
            self.settings = settings
            self.journal.forget_loaded()
            excuse = error_message(error, before, self.columns)
            said, self.code = excuse.lines, excuse.code
        changed = self.state is not before or self.settings is not settings
        self.most_throws = max(self.most_throws, self.state.throw)
        if self.state is not self._settled and not self.state.asks and self.state.stands_as(self._settled):
            # The run was cancelled or refused: nothing has changed.
            self.state, self._doing = self._settled, ""
        elif self.state is not self._settled and not self.state.asks:
            # Undo and redo set `_settled` too, so they never reach this line.
            self._past, self._future = (*self._past, Step(self._settled, self._doing or self.entry)), ()
            self._settled, self._doing = self.state, ""
        elif self.state.asks and not self.state.ways and (not before.asks or before.ways):
            self._doing = refused.entry if refused is not None and self.state is refused.state else self.entry
        if self.refused is refused and changed and not self.state.ways:
            self.refused = None
        if self.journal is journal and (changed or self.entry):
            # The entry that opens another session must not be recorded in that session.
            self.journal.keep(before, self.state, self.entry, changed=changed)
        return Reply((*self._told, *said, *self._not_kept()), self.code, self.ends, changed)

    def _not_kept(self) -> Iterator[Line]:
        """Say that the journal can't be written, and that it can again."""
        if self.journal.broken:
            yield line(
                ("warning", f"{self.journal.broken}. Your entries stay in memory until the file can be written.")
            )
        elif self._told_broken:
            yield line(("hint", "The journal can be written again and is complete."))
        self._told_broken = bool(self.journal.broken)

    def refuse(self, state: SessionState, run: PendingRun) -> None:
        """Note the state before the last answer of a combat that the rules refuse.

        Args:
            state: That state; without an open question if nothing was answered.
            run: The refused run.
        """
        self.refused = Step(state, self._doing or self.entry, run)

    # -- undo and redo -------------------------------------------------------------------------------------

    def undo(self) -> str:
        """Return to the previous state.

        Returns:
            The undone entry.

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
        """Return to the state before the last undo.

        Returns:
            The entry that is redone.

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
        """Make a new session with the initial data of another, to replay its journal.

        Args:
            head: The head of the journal: the seed, and the setting of `dice`.
        """
        settings = self.settings.with_value("dice", head.get("dice") or "ask")
        return Session(self._interpret, seed=head.get("seed", ""), settings=settings, columns=self.columns)

    def settle(self, table: SessionState) -> None:
        """Replace the state without adding an undo step."""
        self.state = self._settled = table

    def become(self, other: Session) -> None:
        """Take over the state and history of another session."""
        self._doing = other._doing
        self.state, self._settled = other.state, other._settled
        self._past, self._future = other._past, other._future
        self.most_throws = other.most_throws
        dice = other.settings["dice"]
        self.settings = self.settings.with_value("dice", dice)

    def replace_ruleset(self, old: LoadedRuleset, new: LoadedRuleset) -> None:
        """Replace a reloaded ruleset, in the states of undo and redo too."""

        def replaced(table: SessionState) -> SessionState:
            return evolve(table, ruleset=new) if table.ruleset is old else table

        self._past = tuple(evolve(step, state=replaced(step.state)) for step in self._past)
        self._future = tuple(evolve(step, state=replaced(step.state)) for step in self._future)
        self.state = self._settled = replaced(self.state)

    # -- for the terminal ---------------------------------------------------------------------------------

    def needs_more(self, text: str) -> bool:
        """Whether an entry continues on the next line: a definition that the parser finds unfinished."""
        lists_facts = is_facts_alone(text) and bool(self.playable())
        return not self.state.asks and not lists_facts and needs_more(text)

    def names(self) -> tuple[str, ...]:
        """The names of all procedures and events of the ruleset in use, helpers and imported ones included."""
        return () if self.state.ruleset is None else self.state.ruleset.rules.names("procedure", "event")

    def playable(self) -> dict[str, str]:
        """What a player can begin in the ruleset in use, with its label: helpers and imported procedures are left out."""
        if self.state.ruleset is None:
            return {}
        rules = self.state.ruleset.rules
        labels = {each.name: each.label or "" for each in rules.procedures}
        return labels | {each.name: each.label or "" for each in rules.events}
