"""What finds the row, the column, the page: the type of an axis and the numbers that it can be."""

from __future__ import annotations

from attrs import frozen

from enfilade.check import intervals
from enfilade.check.base import Base, plain, total_of
from enfilade.check.labels import values_of
from enfilade.check.scope import Scope
from enfilade.core import ir
from enfilade.core.types import Bool, CodeOf, Num, RollOf, Type, Unknown, Word
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_WHOLE = Num()
_YES_NO = Word(("yes", "no"))


@frozen
class AxisType:
    """What is known of an axis before its labels are read.

    Attributes:
        node: What is looked up; ``None`` where dice are.
        type: Its type.
        mode: contains, below, above or nearest.
        die: The die whose printed faces the labels name, if any.
        dice: The dice, where dice find the place.
        values: All values, where there are few: the labels of an axis that prints none.
        headers: The header lines of a shared ``columns`` declaration.
        span: Where the axis is written.
    """

    node: ir.Expr | None
    type: Type
    mode: str
    die: ir.Die | None
    dice: tuple[ir.DiceGroup, ...]
    values: tuple[str, ...] | None
    headers: list[tuple[t.HeaderLine, tuple[t.Code, ...]]]
    span: Span


class Axes(Base):
    """Elaborates axes."""

    def axis_type(self, tree: t.Axis, scope: Scope) -> AxisType:
        """The type of an axis."""
        die = None if tree.printed_on is None else self.ctx.die(tree.printed_on)
        shared = self._shared(tree)
        if shared is not None:
            inner = self.axis_type(shared.axis, scope)
            return AxisType(
                inner.node,
                inner.type,
                inner.mode,
                inner.die,
                (),
                inner.values,
                [(line, bands_of(shared, line)[0]) for line in shared.headers],
                tree.span,
            )
        if isinstance(tree.value, t.Dice) or self._is_die(tree.value):
            groups, type_ = self.dice_groups(self._as_dice(tree.value), scope)
            return AxisType(None, type_, tree.mode, die, groups, values_of(type_), [], tree.span)
        noted = self.ctx.unclear
        typed = plain(self.expr(tree.value, scope))
        node, type_ = typed.node, typed.type if self.ctx.unclear == noted else Unknown()
        if tree.stated is not None:
            low, high = (None if e is None else self.number(e, scope).type for e in (tree.stated.low, tree.stated.high))
            type_ = Num(low.low if isinstance(low, Num) else None, high.high if isinstance(high, Num) else None)
        if isinstance(type_, Bool):
            node, type_ = _as_word(node, tree.span), _YES_NO
        if not isinstance(type_, (Num, Word, CodeOf, Unknown)):
            self.mismatch("a number or a word", type_, tree.span)
            type_ = Unknown()
        return AxisType(node, type_, tree.mode, die, (), values_of(type_), [], tree.span)

    def _shared(self, tree: t.Axis) -> t.Columns | None:
        if isinstance(tree.value, t.Name):
            return self.ctx.symbols.columns.get(tree.value.name)
        return None

    def _is_die(self, tree: t.Expr | t.Dice) -> bool:
        return isinstance(tree, t.Name) and tree.name in self.ctx.symbols.dice

    def _as_dice(self, tree: t.Expr | t.Dice) -> t.Dice:
        if isinstance(tree, t.Dice):
            return tree
        assert isinstance(tree, t.Name)
        return t.Dice((t.DiceTerm(None, t.Ident(tree.name, tree.span), tree.span),), tree.span)

    def dice_groups(self, tree: t.Dice, scope: Scope) -> tuple[tuple[ir.DiceGroup, ...], Type]:
        """Dice, and the range of their total, or the symbols that one of them shows."""
        groups, roll = self.roll_type(tree, scope)
        if isinstance(roll, RollOf):
            return groups, total_of(roll)
        return groups, Unknown()

    def roll_type(self, tree: t.Dice, scope: Scope) -> tuple[tuple[ir.DiceGroup, ...], Type]:
        """Dice and the type of their roll."""
        groups = []
        values: Type | None = None
        total: Num | None = Num(0, 0)
        least, most = 0, 0
        open_end = False
        for term in tree.terms:
            die = self.ctx.die(term.die)
            count = Num(1, 1)
            node: ir.Expr = ir.Const(1, term.span)
            if term.count is not None:
                typed = self.number(term.count, scope)
                node, count = typed.node, typed.type if isinstance(typed.type, Num) else _WHOLE
                self._check_count(count, term)
            if die is None:
                return (), Unknown()
            groups.append(ir.DiceGroup(node, die.name))
            low = 0 if count.low is None else max(int(count.low), 0)
            least += low
            open_end = open_end or count.high is None
            most += 0 if count.high is None else int(count.high)
            face = face_type(die)
            total = _added(total, face, Num(low, count.high))
            values = face if values is None else values if values == face else self._mixed(values, face, term)
        roll = RollOf(values or Num(), least, None if open_end else most, total)
        return tuple(groups), roll

    def _check_count(self, count: Num, term: t.DiceTerm) -> None:
        if not count.whole:
            self.ctx.report("not-whole", "the number of dice must be whole", term.span, "say how it is rounded")
        if count.low is not None and count.low < 0:
            self.ctx.report(
                "negative-dice", "the number of dice might be negative", term.span, "write `... but at least 0`"
            )

    def _mixed(self, a: Type, b: Type, term: t.DiceTerm) -> Type:
        if isinstance(a, Num) and isinstance(b, Num):
            return intervals.join(a, b)
        if isinstance(a, Word) and isinstance(b, Word):
            return Word(tuple(dict.fromkeys(a.words + b.words)))
        self.ctx.report("mixed-faces", "dice with numbers and dice with symbols are rolled apart", term.span)
        return Unknown()


def bands_of(tree: t.Columns, line: t.HeaderLine) -> tuple[tuple[t.Code, ...], tuple[t.Code, ...], tuple[t.Code, ...]]:
    """The cells of a shared header line: its bands, what stands beside them, and the surplus columns."""
    width = len(line.cells) - len(tree.besides)
    bands, beside = line.cells[: max(width, 0)], line.cells[max(width, 0) :]
    names = {label.text for surplus in tree.surplus for label in surplus.labels}
    kept = tuple(code for number, code in enumerate(bands, start=1) if str(number) not in names)
    return kept, beside, tuple(code for number, code in enumerate(bands, start=1) if str(number) in names)


def _added(total: Num | None, face: Type, count: Num) -> Num | None:
    """The range of a total with *count* more dice."""
    if total is None or not isinstance(face, Num):
        return None
    return intervals.add(total, intervals.multiply(face, count))


def _as_word(condition: ir.Expr, span: Span) -> ir.Expr:
    """A condition as one of the words that label an axis of yes and no."""
    return ir.If(condition, ir.Const("yes", type=_YES_NO), ir.Const("no", type=_YES_NO), span, type=_YES_NO)


def face_type(die: ir.Die) -> Type:
    """What a side of a die counts: a number, or a symbol."""
    if die.faces is None:
        return Num(1, die.count)
    values = [face.value for face in die.faces]
    if values and all(isinstance(value, int) for value in values):
        return Num(min(values), max(values))
    return Word(tuple(dict.fromkeys(str(value) for value in values)))
