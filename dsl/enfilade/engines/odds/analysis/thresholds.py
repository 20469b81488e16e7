"""Thresholds: numbers that only rise and are only compared, so they are capped above the highest comparison.

Damage adds up without a bound, but the question is only whether it reaches the points of the ship. All amounts from there
on are one value (a threshold abstraction, as in abstract interpretation). The liveness analysis carries thresholds
backward like the demands for lists: from a comparison, through the additions, to every assignment. An assignment after
which a number is only compared keeps no more than one above its highest threshold.

That is exact, because for a cap above every threshold a comparison can't tell a number from the capped one, and adding an
amount that is not negative to either gives the same capped sum.

A threshold is a constant, a fact with a default that no call gives, or, for a field, a field of the same record that no
step changes. It is computed at each assignment, so it must never fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from typing import Final, NamedTuple, TypeAlias, TypeGuard

from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.core.traits import FIELD
from enfilade.core.walk import nodes
from enfilade.engines.compile.specialised_types import Kinds, SpecialisedTypes
from enfilade.values.types import Num

Assignment: TypeAlias = ir.SetField | ir.SetLocal
Number: TypeAlias = ir.Field | ir.Local
_THRESHOLD: Final = "threshold#"
_RECORD: Final = ir.Local("the record")
"""Stands for the record of a field in a threshold; no local of the rules has a blank in its name."""
_COMPARISONS: Final = frozenset((">=", ">", "<", "<=", "is", "is not"))


class Addition(NamedTuple):
    """``x + amount``, where the number x is replaced by the sum."""

    number: Number
    amount: ir.Expr


class Thresholds:
    """The thresholds of a ruleset by number, and the additions that can't make a number smaller.

    Args:
        program: The ruleset.
        written: The fields that the rules change.
        assignments: All assignments of the rules.
    """

    def __init__(self, program: ir.Program, written: frozenset[str], assignments: Iterable[Assignment]) -> None:
        self._types = SpecialisedTypes(program)
        self._written = written
        self._thresholds: list[ir.Expr] = []
        self._additions: dict[int, tuple[ir.Expr, Addition]] = {}
        added = (each for assignment in assignments for _, each in _additions(assignment))
        self._rising = {(type(each.number), each.number.name) for each in added}

    def learn(self, assignment: Assignment, kinds: Kinds) -> None:
        """Note the additions of an assignment that can't make a number smaller."""
        for e, addition in _additions(assignment):
            kind = self._types.of(addition.amount, kinds)
            if isinstance(kind, Num) and kind.low is not None and kind.low >= 0:
                self._additions[id(e)] = e, addition

    def is_rising(self, kind: str, name: str, *_: str) -> bool:
        """Whether a variable is a field that some step raises."""
        return kind == FIELD and (ir.Field, name) in self._rising

    def added(self, e: ir.Op) -> Addition | None:
        """An expression as an addition that can't make a number smaller; ``None`` if it is something else."""
        known = self._additions.get(id(e))
        return known[1] if known is not None and known[0] is e else None

    def compared(self, e: ir.Op) -> tuple[Number, str] | None:
        """The rising number that a comparison reads, and the demand for it; ``None`` if there is none."""
        if e.name not in _COMPARISONS:
            return None
        first, second = e.args
        for number, threshold in ((first, second), (second, first)):
            if isinstance(number, Number) and (type(number), number.name) in self._rising:
                general = self._general(threshold, number)
                if general is not None:
                    return number, self._numbered(general)
        return None

    def caps(self, parts: Collection[str], of: ir.Expr | None = None) -> tuple[ir.Expr, ...]:
        """The thresholds of a number of which only these parts are read; none if it is read otherwise.

        Args:
            parts: The demands for the number.
            of: The record, if the number is a field.
        """
        if not all(map(is_threshold, parts)):
            return ()
        found = (self._thresholds[_index(part)] for part in sorted(parts))
        return (
            tuple(found)
            if of is None
            else tuple(replaced(e, lambda node: of if node == _RECORD else None) for e in found)
        )

    def is_closed(self, parts: Iterable[str]) -> bool:
        """Whether these demands are thresholds that are the same for all records."""
        return all(is_threshold(part) and _is_closed(self._thresholds[_index(part)]) for part in parts)

    def _general(self, threshold: ir.Expr, number: Number) -> ir.Expr | None:
        """A threshold for the field of any record."""
        match threshold:
            case ir.Const(value) if type(value) is int:
                return threshold
            case ir.Fact(name) if "." not in name and name not in self._types.given_by_calls:
                return threshold if self._types.input(name).has_default and self._is_number(threshold) else None
            case ir.Field(of, name) if isinstance(number, ir.Field) and of == number.of and name not in self._written:
                return ir.Field(_RECORD, name, type=threshold.type) if self._is_number(threshold) else None
        return None

    def _is_number(self, e: ir.Expr) -> bool:
        return isinstance(self._types.of(e, {}), Num)

    def _numbered(self, threshold: ir.Expr) -> str:
        if threshold not in self._thresholds:
            self._thresholds.append(threshold)
        return f"{_THRESHOLD}{self._thresholds.index(threshold)}"


def is_threshold(part: str) -> bool:
    """Whether a demand is a threshold of a number.

    Examples:
        >>> is_threshold("threshold#0"), is_threshold("count")
        (True, False)
    """
    return part.startswith(_THRESHOLD)


def capped(value: ir.Expr, caps: tuple[ir.Expr, ...]) -> ir.Expr:
    """A number, or one above the highest threshold if the number is higher."""
    highest = reduce(lambda a, b: ir.Op("at least", (a, b)), caps)
    return ir.Op("at most", (value, ir.Op("add", (highest, ir.Const(1)))), value.span)


def _index(part: str) -> int:
    return int(part.removeprefix(_THRESHOLD))


def _is_closed(threshold: ir.Expr) -> bool:
    return all(node != _RECORD for node in nodes(threshold))


def _additions(assignment: Assignment) -> Iterator[tuple[ir.Op, Addition]]:
    """The additions by which an assignment replaces a number, also under conditions."""
    open_ = [assignment.value]
    while open_:
        match open_.pop():
            case ir.If(_, value, otherwise):
                open_ += [value, otherwise]
            case ir.Op("add", (first, second)) as e:
                if _is_assigned(first, assignment):
                    yield e, Addition(first, second)
                elif _is_assigned(second, assignment):
                    yield e, Addition(second, first)


def _is_assigned(e: ir.Expr, assignment: Assignment) -> TypeGuard[Number]:
    """Whether an expression is the number that an assignment replaces."""
    match assignment, e:
        case ir.SetLocal(local), ir.Local(name):
            return name == local
        case ir.SetField(of, _, field), ir.Field(other, name):
            return name == field and other == of
    return False
