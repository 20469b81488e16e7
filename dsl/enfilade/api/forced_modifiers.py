"""Programs in which one modifier always applies, or never: for everyone, or for one of those it is counted for."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.core.modifiers import modifiers_in
from enfilade.core.walk import nodes
from enfilade.values.data import Ref
from enfilade.values.types import Bool, Num, RecordOf, Word

Reader: TypeAlias = Ref | str
"""Whom a modifier is counted for: a record, or a word such as a side."""

_MOST_AMOUNTS: Final = 6


@frozen
class CountedFor:
    """A modifier with the parameter that says whom it is counted for: the first one that is a record or a word.

    ``local`` and ``type`` are ``None`` if it is counted for all alike.
    """

    block: ir.ModBlock
    modifier: ir.Modifier
    local: str | None = None
    type: RecordOf | Word | None = None

    def readers(self, refs: Iterable[Ref]) -> tuple[Reader, ...]:
        """Whom the modifier may be counted for, in a situation with some records."""
        match self.type:
            case RecordOf(record):
                return tuple(ref for ref in refs if ref.record == record)
            case Word(words):
                return words
        return ()

    @property
    def amounts(self) -> tuple[Fraction | None, ...]:
        """The values of a scaled amount that are tried: all of a few, or the ends; ``None`` for the amount as it is."""
        amount = self.modifier.amount
        if not isinstance(amount.type, Num) or amount.type.low is None or amount.type.high is None:
            return (None,)
        low, high = amount.type.low, amount.type.high
        if low == high:
            return (None,)
        few = high - low <= _MOST_AMOUNTS and low == low // 1
        values = [low + step for step in range(int(high - low) + 1)] if few else [low, high]
        return tuple(Fraction(value) for value in values if value)

    @property
    def least_amount(self) -> Fraction | None:
        """The smallest amount but 0 of a scaled amount that has no highest or no lowest value, else ``None``."""
        type_ = self.modifier.amount.type
        if not isinstance(type_, Num) or (type_.low is not None and type_.high is not None):
            return None
        if type_.high is None:
            return Fraction(max(type_.low or 1, 1))
        return Fraction(min(type_.high or -1, -1))

    def forced(
        self, program: ir.Program, *, holds: bool, reader: Reader | None = None, amount: Fraction | None = None
    ) -> ir.Program:  # fmt: skip
        """The program with the condition of the modifier replaced by a constant.

        Args:
            program: The program.
            holds: Whether the condition is true.
            reader: Whom the modifier is counted for; its condition stays as it is for all others.
            amount: The amount; if not given, that of the modifier.
        """
        force = _Force(self, holds, reader, amount)
        changed = evolve(self.block, items=tuple(force.item(item) for item in self.block.items))
        return evolve(program, modifiers={**program.modifiers, self.block.name: changed})


def counted_modifiers(block: ir.ModBlock) -> list[CountedFor]:
    """The modifiers of a block, in the order of the text; those of `for each` sections are counted for all readers."""
    local, type_ = _reader_parameter(block)
    of_readers = {
        id(modifier)
        for item in nodes(block.items)
        if isinstance(item, ir.Section) and item.kind == "for each"
        for modifier in modifiers_in(item.items)
    }
    return [
        CountedFor(block, each) if id(each) in of_readers else CountedFor(block, each, local, type_)
        for each in modifiers_in(block.items)
    ]


def _reader_parameter(block: ir.ModBlock) -> tuple[str | None, RecordOf | Word | None]:
    """The first parameter that is a record or a word, and its type."""
    types = {node.name: node.type for node in nodes(block.items) if isinstance(node, ir.Local)}
    for name in block.params:
        type_ = types.get(name)
        if isinstance(type_, (RecordOf, Word)):
            return name, type_
    return None, None


@frozen
class _Force:
    """Replaces conditions."""

    counted: CountedFor
    holds: bool
    reader: Reader | None
    amount: Fraction | None

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
        is_own = modifier is self.counted.modifier
        amount = (
            ir.Const(_whole(self.amount), type=modifier.amount.type) if is_own and self.amount is not None else None
        )
        type_ = self.counted.type
        if self.reader is None or self.counted.local is None or type_ is None:
            return evolve(modifier, condition=always, amount=amount or modifier.amount)
        local = ir.Local(self.counted.local, type=type_)
        is_it = ir.Op("is", (local, ir.Const(self.reader, type=type_)), type=Bool())
        condition = ir.If(is_it, always, modifier.condition, type=Bool())
        scaled = modifier.amount if amount is None else ir.If(is_it, amount, modifier.amount, type=modifier.amount.type)
        return evolve(modifier, condition=condition, amount=scaled)


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value
