"""Scopes: the names visible at one place, with their types and their slots in the core."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Final, TypeAlias

from attrs import define, evolve, field, frozen

from enfilade.bind.names import Key
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.source.text import Span
from enfilade.values.types import Type


@frozen
class Typed:
    """An expression of the core, and its type in this context: ``node.type``, or that type without ``or none``."""

    node: ir.Expr
    type: Type

    @classmethod
    def of(cls, node: ir.Expr) -> Typed:
        """An expression with its own type."""
        return cls(node, node.type)

    def retyped(self, type_: Type) -> Typed:
        """The same expression with another type."""
        return Typed(evolve(self.node, type=type_), type_)


Known: TypeAlias = dict[ir.Expr, Type]
"""Values of which a condition tells more than their types say, with the narrower types."""

# What they give may change when a step changes records, decks or effects.
_OF_STATE: Final = (ir.Field, ir.Define, ir.SumModifiers, ir.Look, ir.LookIn, ir.EffectsSoFar, ir.CardsLeft)


@frozen
class Element:
    """The element that ``each`` stands for inside a list expression, in local *slot*; it may have a name of its own."""

    slot: str
    type: Type
    name: str | None = None


@define
class EnclosingLoop:
    """A loop that encloses a step.

    Attributes:
        left: The local that is yes after a ``leave``, if there is one.
        leaves: The locals known at each ``leave``.
    """

    left: str | None = None
    leaves: list[dict[str, Typed]] = field(factory=list)


@define
class Scope:
    """The names visible at one place of a procedure, effect, definition, chart or block of modifiers.

    Attributes:
        owner: The declaration of the place, as in `Key.owner`.
        locals: The slot and type of each local; shared by all places of one body.
        elements: The elements of the lists that enclose the place, innermost last.
        own_facts: A procedure's own facts: the name in the core, and the type.
        numbers: The number that each letter of a result code stands for.
        nth: The number of the choice in ``PLAYER assigns N EFFECT``, inside that step.
        outputs: The type of each output given so far.
        changing: The locals that some step changes; their numbers have no known range.
        assigned: The types assigned to each local so far, for blocks that may run again.
        loops: The loops that enclose the place, innermost last.
        hiding: The outputs given so far that are named like a fact and have another value, each with its step.
        unlike: The types of each local that two branches declare with types that have nothing in common.
        known: What conditions tell at this place; shared by all places of one body, like the locals.
        forgotten: The values of which less is known after some step.
        keys: What those locals mean that the declaration itself does not declare.
        outcome_of: The procedure whose outputs are known here, in an example or a question.
    """

    owner: str
    locals: dict[str, Typed] = field(factory=dict)
    elements: tuple[Element, ...] = ()
    own_facts: Mapping[str, tuple[str, Type]] = field(factory=dict)
    numbers: Mapping[str, Typed] = field(factory=dict)
    nth: Typed | None = None
    outputs: dict[str, Type] = field(factory=dict)
    changing: set[str] = field(factory=set)
    assigned: dict[str, list[Type]] = field(factory=dict)
    loops: list[EnclosingLoop] = field(factory=list)
    hiding: dict[str, Span] = field(factory=dict)
    unlike: dict[str, tuple[Type, Type]] = field(factory=dict)
    known: Known = field(factory=dict)
    forgotten: set[ir.Expr] = field(factory=set)
    keys: dict[str, Key] = field(factory=dict)
    outcome_of: str | None = None
    fresh: count[int] = field(factory=lambda: count(1))

    def slot(self, name: str) -> str:
        """A slot that no other local of this body uses."""
        return f"{name}@{next(self.fresh)}"

    def key_of(self, name: str) -> Key:
        """What a local refers to."""
        return self.keys.get(name) or Key("local", name, self.owner)

    def within(self, element: Element) -> Scope:
        """The scope inside a list expression, in which ``each`` is the given element."""
        return evolve(self, elements=(*self.elements, element))

    def plain(self) -> Scope:
        """The scope without what conditions tell."""
        return evolve(self, known={}) if self.known else self

    def narrowed(self, typed: Typed) -> Typed:
        """A value with the type that conditions tell."""
        type_ = self.known.get(typed.node) if self.known else None
        return typed if type_ is None else typed.retyped(type_)

    def set_known(self, known: Known) -> None:
        """Note what is known now, and nothing else."""
        if known is not self.known:
            self.known.clear()
            self.known.update(known)

    def forget(self, local: str | None = None) -> None:
        """Forget what is known of values that a step may change: those of a local, or of records, decks and effects."""
        for value in list(self.known):
            if any(_may_change(part, local) for part in nodes(value)):
                del self.known[value]
                self.forgotten.add(value)

    def retype(self, name: str, type_: Type) -> None:
        """Give a local the type that it has after a value was assigned to it."""
        self.forget(name)
        self.locals[name] = self.locals[name].retyped(type_)
        self.assigned.setdefault(name, []).append(type_)

    def bind(self, name: str, type_: Type) -> str:
        """Declare a local. A name has one slot in a body, so a second declaration assigns to the same local."""
        self.forget(name)
        self.locals[name] = Typed.of(ir.Local(name, type=type_))
        self.assigned.setdefault(name, []).append(type_)
        return name


def _may_change(part: ir.Expr, local: str | None) -> bool:
    return isinstance(part, _OF_STATE) if local is None else isinstance(part, ir.Local) and part.name == local
