"""What a name means at a place: locals, the element at hand, facts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from attrs import define, evolve, field, frozen

from enfilade.core import ir
from enfilade.core.types import Type


@frozen
class Typed:
    """An expression of the core and the type it is used at: as ``node.type``, but without ``or none`` if that is excluded."""

    node: ir.Expr
    type: Type

    @classmethod
    def of(cls, node: ir.Expr) -> Typed:
        """An expression with the type that it carries itself."""
        return cls(node, node.type)

    def retyped(self, type_: Type) -> Typed:
        """The same expression, known to be of another type."""
        return Typed(evolve(self.node, type=type_), type_)


@frozen
class Element:
    """The element that ``each`` is, in local *slot*."""

    slot: str
    type: Type


@define
class Scope:
    """The names at one place of one procedure, effect, definition, chart or block of modifiers.

    Attributes:
        where: What the place is called in messages.
        locals: Name to slot and type; shared by all places of one body.
        elements: The elements at hand, innermost last.
        own_facts: A procedure's own facts, by their names, to their names in the core.
        numbers: The numbers of a result code: letter to how it is got.
        outputs: The outputs given so far.
        first_outputs: The type of each output where it is known for the first time.
        changing: The locals that some step changes, so that the range of their numbers is not known.
        growing: The locals that began as the empty list, whose type is that of all that is put into them.
    """

    where: str
    locals: dict[str, Typed] = field(factory=dict)
    elements: tuple[Element, ...] = ()
    own_facts: Mapping[str, tuple[str, Type]] = field(factory=dict)
    numbers: Mapping[str, Typed] = field(factory=dict)
    nth: Typed | None = None
    outputs: dict[str, Type] = field(factory=dict)
    first_outputs: dict[str, Type] = field(factory=dict)
    changing: set[str] = field(factory=set)
    growing: set[str] = field(factory=set)
    fresh: count[int] = field(factory=lambda: count(1))

    def slot(self, name: str) -> str:
        """A slot for a local that no other local of this body has."""
        return f"{name}@{next(self.fresh)}"

    def within(self, element: Element) -> Scope:
        """The same place with an element at hand."""
        return evolve(self, elements=(*self.elements, element))

    def bind(self, name: str, type_: Type) -> str:
        """Declare a local. Within one body a name is one slot: to declare it again is to change it."""
        self.locals[name] = Typed.of(ir.Local(name, type=type_))
        return name
