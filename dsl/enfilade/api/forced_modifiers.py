"""Programs in which one modifier always applies, or never: for everyone, or for one of the records it is counted for."""

from __future__ import annotations

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.core.modifiers import modifiers_in
from enfilade.core.types import Bool, RecordOf
from enfilade.core.values import Ref
from enfilade.core.walk import nodes


@frozen
class CountedFor:
    """A modifier with the parameter that holds the record it is counted for: the first one that is a record.

    ``local`` and ``record`` are ``None`` if it is counted for all records alike.
    """

    block: ir.ModBlock
    modifier: ir.Modifier
    local: str | None = None
    record: str | None = None

    def forced(self, program: ir.Program, *, holds: bool, ref: Ref | None = None) -> ir.Program:
        """The program with the condition of the modifier replaced by a constant; with *ref*, only for that record."""
        force = _Force(self, holds, ref)
        changed = evolve(self.block, items=tuple(force.item(item) for item in self.block.items))
        return evolve(program, modifiers={**program.modifiers, self.block.name: changed})


def counted_modifiers(block: ir.ModBlock) -> list[CountedFor]:
    """The modifiers of a block, in the order of the text; those of `for each` sections are counted for all readers."""
    local, record = _record_parameter(block)
    of_readers = {
        id(modifier)
        for item in nodes(block.items)
        if isinstance(item, ir.Section) and item.kind == "for each"
        for modifier in modifiers_in(item.items)
    }
    return [
        CountedFor(block, each) if id(each) in of_readers else CountedFor(block, each, local, record)
        for each in modifiers_in(block.items)
    ]


def _record_parameter(block: ir.ModBlock) -> tuple[str | None, str | None]:
    """The first parameter that is a record, and the kind of record."""
    types = {node.name: node.type for node in nodes(block.items) if isinstance(node, ir.Local)}
    for name in block.params:
        type_ = types.get(name)
        if isinstance(type_, RecordOf):
            return name, type_.record
    return None, None


@frozen
class _Force:
    """Replaces conditions."""

    counted: CountedFor
    holds: bool
    ref: Ref | None

    def item(self, item: ir.ModItem) -> ir.ModItem:
        if item is self.counted.modifier:
            return self._with_condition(self.counted.modifier, self.holds)
        if not isinstance(item, ir.Section):
            return item
        inner = tuple(self.item(each) for each in item.items)
        if item.kind == "never together" and self.holds and any(each is self.counted.modifier for each in item.items):
            # If this modifier applies, the modifiers that exclude it can't.
            inner = tuple(
                each if old is self.counted.modifier else self._excluded(each)
                for each, old in zip(inner, item.items, strict=True)
            )
        return evolve(item, items=inner)

    def _excluded(self, item: ir.ModItem) -> ir.ModItem:
        return self._with_condition(item, False) if isinstance(item, ir.Modifier) else item

    def _with_condition(self, modifier: ir.Modifier, holds: bool) -> ir.Modifier:
        always = ir.Const(holds, type=Bool())
        if self.ref is None or self.counted.local is None:
            return evolve(modifier, condition=always)
        local = ir.Local(self.counted.local, type=RecordOf(self.ref.record))
        is_it = ir.Op("is", (local, ir.Const(self.ref, type=RecordOf(self.ref.record))), type=Bool())
        return evolve(modifier, condition=ir.If(is_it, always, modifier.condition, type=Bool()))
