"""The state of a session: the ruleset in use, the pieces, the combats resolved, and the run that waits for an answer.

A state is immutable: each entry makes a new one. It must not depend on display or input.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from enfilade import Outcome, Question, Ruleset, Run
from enfilade.language import Line, field_prompt, typed_field
from enfilade_repl.entry import EntryError


@frozen
class Piece:
    """A record on the table.

    Attributes:
        kind: The kind of record: ``unit``.
        name: Its name.
        fields: The fields that were given, as plain data; the others have their defaults.
    """

    kind: str
    name: str
    fields: Mapping[str, Any]

    def described(self) -> str:
        """The fields, in the form that a player types.

        Examples:
            >>> Piece("unit", "gun", {"kind": "artillery", "steps": 2, "dug_in": True}).described()
            'kind artillery, steps 2, dug_in'
        """
        return ", ".join(typed_field(name, value) for name, value in self.fields.items())


@frozen(eq=False)
class LoadedRuleset:
    """The ruleset in use.

    Attributes:
        rules: The ruleset with its options and the definitions typed at the prompt.
        base: The ruleset with its options, without those definitions.
        place: The name or path from which it was loaded.
        path: The watched file; ``None`` for a shipped ruleset, or if there is no file.
        scratch: The definitions typed at the prompt.
    """

    rules: Ruleset
    base: Ruleset | None
    place: str = ""
    path: Path | None = None
    scratch: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in the prompt."""
        return "scratch" if self.base is None else self.base.name


@frozen(eq=False)
class Resolution:
    """A combat that has been resolved.

    Attributes:
        entry: What the player typed.
        ruleset: The ruleset in use then.
        procedure: The procedure.
        given: The facts by name, as plain data, answers to questions included.
        outcome: The outcome.
        pieces: The pieces before the combat.
        applied: Whether `apply` has changed the pieces by its effects.
    """

    entry: str
    ruleset: LoadedRuleset
    procedure: str
    given: Mapping[str, Any]
    outcome: Outcome
    pieces: Mapping[str, Piece] = field(factory=dict)
    applied: bool = False


@frozen(eq=False)
class PendingRun:
    """A run that waits for an answer.

    Attributes:
        entry: What the player typed.
        ruleset: The ruleset in use.
        run: The run, at its question.
        throw: The number of its throw, which seeds its dice.
        rolls: Whether dice are rolled without asking.
        told: The number of steps shown so far.
        more: Further runs, if an event started several.
        instead: The resolution that this run replaces, after `reroll`.
        again: The resolution that this run plays again, after `again` or `reroll`.
        earlier: The state before the last answer of the previous run, if an event started several.
    """

    entry: str
    ruleset: LoadedRuleset
    run: Run
    throw: int
    rolls: bool = False
    told: int = 0
    more: tuple[Run, ...] = ()
    instead: Resolution | None = None
    again: Resolution | None = None
    earlier: SessionState | None = None

    @property
    def question(self) -> Question:
        """The question."""
        question = self.run.question
        assert question is not None
        return question


@frozen
class WaitingEntry:
    """An entry that plays a procedure once its new pieces are described.

    Attributes:
        entry: The entry.
        name: The procedure or the event.
        text: What follows its name.
        rolls: Whether to roll the dice without asking.
    """

    entry: str
    name: str
    text: str
    rolls: bool


@frozen(eq=False)
class Form:
    """Records that the player describes field by field.

    Attributes:
        kind: The kind of record.
        records: The records so far, as plain data.
        missing: The fields to ask for: the index of the record, and the name of the field.
        fact: The fact that the records answer; ``None`` if they are pieces for the table.
        waiting: The entry that names the pieces, played once they are on the table.
    """

    kind: str
    records: tuple[Mapping[str, Any], ...]
    missing: tuple[tuple[int, str], ...]
    fact: str | None = None
    waiting: WaitingEntry | None = None

    def prompt(self, rules: Ruleset) -> Line:
        """The prompt for the first missing field."""
        at, field = self.missing[0]
        name, *_ = self.records[at].values()
        return field_prompt(str(name), rules.records[self.kind].fields[field])


@frozen(eq=False)
class InactiveRuleset:
    """A ruleset that was used before, kept until it is used again.

    Attributes:
        ruleset: The ruleset, with its options and definitions.
        pieces: Its pieces.
    """

    ruleset: LoadedRuleset
    pieces: Mapping[str, Piece]


@frozen(eq=False)
class SessionState:
    """Everything an entry can change.

    Attributes:
        ruleset: The ruleset in use.
        pieces: The pieces by name.
        inactive: Rulesets used before, by name, with their pieces, options and definitions: they come back with `use`.
        resolutions: The combats resolved, in order.
        seed: The seed of the dice.
        throw: The number of the next throw.
        pending: The run that waits for an answer.
        form: The records that wait for fields.
        ways: What the last entry may mean, as entries that have one meaning, from which the player chooses one.
    """

    seed: str
    ruleset: LoadedRuleset | None = None
    pieces: Mapping[str, Piece] = field(factory=dict)
    inactive: Mapping[str, InactiveRuleset] = field(factory=dict)
    resolutions: tuple[Resolution, ...] = ()
    throw: int = 1
    pending: PendingRun | None = None
    form: Form | None = None
    ways: tuple[str, ...] = ()

    def stands_as(self, other: SessionState) -> bool:
        """Whether two states are equal except for the open question."""
        return (self.ruleset, self.resolutions, self.seed, self.throw, self.inactive, dict(self.pieces)) == (
            other.ruleset, other.resolutions, other.seed, other.throw, other.inactive, dict(other.pieces)
        )  # fmt: skip

    @property
    def in_use(self) -> LoadedRuleset:
        """The ruleset in use.

        Raises:
            EntryError: There is none.
        """
        if self.ruleset is None:
            raise EntryError("no game is in use", "`games` lists the games, `use NAME` starts one")
        return self.ruleset

    def dice_of(self, throw: int) -> str:
        """The seed of one throw: the session's seed and the number of the throw."""
        return f"{self.seed} {throw}"

    @property
    def asks(self) -> bool:
        """Whether a question is open."""
        return self.pending is not None or self.form is not None or bool(self.ways)
