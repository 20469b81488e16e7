"""The state of a session: the ruleset in use, the pieces, the combats resolved, and the run that waits for an answer.

A state never changes: each entry makes another. It must not know how it is shown or typed.
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
        name: What it is called.
        fields: What is said of it, as plain data; what is not has its default.
    """

    kind: str
    name: str
    fields: Mapping[str, Any]

    def described(self) -> str:
        """The fields as they are typed.

        Examples:
            >>> Piece("unit", "gun", {"kind": "artillery", "steps": 2, "dug_in": True}).described()
            'kind artillery, steps 2, dug_in'
        """
        return ", ".join(typed_field(name, value) for name, value in self.fields.items())


@frozen(eq=False)
class Ground:
    """The ruleset in use.

    Attributes:
        rules: What is played: with its options, and what was defined at the prompt.
        base: The same without what was defined at the prompt.
        place: The name or path by which it was called.
        path: The file that is watched; ``None`` where it is a shipped ruleset, or none at all.
        scratch: The definitions that were typed.
    """

    rules: Ruleset
    base: Ruleset | None
    place: str = ""
    path: Path | None = None
    scratch: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the prompt calls it."""
        return "scratch" if self.base is None else self.base.name


@frozen(eq=False)
class Resolution:
    """One combat that was played to its end.

    Attributes:
        entry: How it was typed.
        ground: The ruleset that it was played with.
        procedure: What was played.
        given: The facts, those that were answered included, as plain data by name.
        outcome: How it ended.
        pieces: The pieces as they stood when it began.
        applied: Whether its effects were put on the table.
    """

    entry: str
    ground: Ground
    procedure: str
    given: Mapping[str, Any]
    outcome: Outcome
    pieces: Mapping[str, Piece] = field(factory=dict)
    applied: bool = False


@frozen(eq=False)
class Waiting:
    """A run that waits for an answer.

    Attributes:
        entry: How it was typed.
        ground: The ruleset that it is played with.
        run: Where it stands.
        throw: The number of its throw.
        rolls: Whether its dice are rolled without asking.
        told: How many steps of it were shown.
        more: Other runs that wait for their turn, where an event started several.
        instead: The resolution in whose place it comes, where other dice are wanted.
        earlier: The table before the last answer of the run before, where an event started several.
    """

    entry: str
    ground: Ground
    run: Run
    throw: int
    rolls: bool = False
    told: int = 0
    more: tuple[Run, ...] = ()
    instead: Resolution | None = None
    earlier: Table | None = None

    @property
    def question(self) -> Question:
        """What it asks."""
        question = self.run.question
        assert question is not None
        return question


@frozen(eq=False)
class Form:
    """Records of which something is still to be said, field by field.

    Attributes:
        kind: The kind of record.
        records: The records as the library takes them.
        missing: The fields to ask for: the number of the record, and the field.
        fact: The fact that they are the answer to; ``None`` where they are pieces for the table.
    """

    kind: str
    records: tuple[Mapping[str, Any], ...]
    missing: tuple[tuple[int, str], ...]
    fact: str | None = None

    def prompt(self, rules: Ruleset) -> Line:
        """The prompt for the first missing field."""
        at, field = self.missing[0]
        name, *_ = self.records[at].values()
        return field_prompt(str(name), rules.records[self.kind].fields[field])


@frozen(eq=False)
class Aside:
    """What is kept of a ruleset that is not in use.

    Attributes:
        ground: The ruleset, with its options and what was defined.
        pieces: Its pieces.
    """

    ground: Ground
    pieces: Mapping[str, Piece]


@frozen(eq=False)
class Table:
    """All that an entry can change.

    Attributes:
        ground: The ruleset in use.
        pieces: The pieces by name.
        aside: What stood on the table of other rulesets, by the name of each: it comes back when one is used again.
        resolutions: What was played to its end, the last last.
        seed: What the dice come from.
        throw: The number of the next throw.
        waiting: A run that waits for an answer.
        form: Records that wait for fields.
    """

    seed: str
    ground: Ground | None = None
    pieces: Mapping[str, Piece] = field(factory=dict)
    aside: Mapping[str, Aside] = field(factory=dict)
    resolutions: tuple[Resolution, ...] = ()
    throw: int = 1
    waiting: Waiting | None = None
    form: Form | None = None

    def stands_as(self, other: Table) -> bool:
        """Whether nothing differs from another table but what waits for an answer."""
        return (self.ground, self.resolutions, self.seed, self.throw, self.aside, dict(self.pieces)) == (
            other.ground, other.resolutions, other.seed, other.throw, other.aside, dict(other.pieces)
        )  # fmt: skip

    @property
    def in_use(self) -> Ground:
        """The ruleset in use.

        Raises:
            EntryError: There is none.
        """
        if self.ground is None:
            raise EntryError("no ruleset is in use", "use RULESET")
        return self.ground

    def dice_of(self, throw: int) -> str:
        """What the dice of a throw come from: the seed, and the number of the throw."""
        return f"{self.seed} {throw}"

    @property
    def asks(self) -> bool:
        """Whether an answer is wanted."""
        return self.waiting is not None or self.form is not None
