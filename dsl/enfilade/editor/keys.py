"""What a name refers to, as a key: all occurrences of one declared thing have the same key."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from enfilade.source.text import Span

# Kinds whose names are declared by a line of their own, and are known in the whole ruleset.
GLOBAL: Final = (
    "fact", "define", "chart", "modifiers", "option", "columns", "die", "deck", "words", "record", "effect",
    "procedure", "event", "player",
)  # fmt: skip


@frozen
class Key:
    """What a name refers to.

    Attributes:
        kind: One of ``GLOBAL``; or field, card field, local, modifier, word, refusal, piece (a record that an example
            names), part (a value beside a band, a mark or a part of a code), file, ruleset, or built-in.
        name: The name.
        owner: The declaration that the name belongs to: the procedure of an own fact or a local
            (``procedure direct_fire``), the record of a field, the block of a modifier; empty for global names.
    """

    kind: str
    name: str
    owner: str = ""


@frozen
class Occurrence:
    """A place where a name is written.

    Attributes:
        span: The place of the name alone.
        key: What it refers to.
        declares: Whether the name is declared here.
    """

    span: Span
    key: Key
    declares: bool = False
