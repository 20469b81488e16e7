"""Dice: the faces and the range of the total of a roll."""

from __future__ import annotations

from enfilade.check import intervals
from enfilade.check.context import Context
from enfilade.check.expected_types import check_number
from enfilade.check.scope import Scope
from enfilade.core import ir
from enfilade.core.types import Num, RollOf, Type, Unknown, Word
from enfilade.syntax import tree as t

_WHOLE = Num()


def check_roll(ctx: Context, tree: t.Dice, scope: Scope) -> tuple[tuple[ir.DiceGroup, ...], Type]:
    """Check dice; return them with the type of their roll."""
    groups = []
    values: Type | None = None
    total: Num | None = Num(0, 0)
    least, most = 0, 0
    open_end = False
    for term in tree.terms:
        die = ctx.die(term.die)
        count = Num(1, 1)
        node: ir.Expr = ir.Const(1, term.span)
        if term.count is not None:
            typed = check_number(ctx, term.count, scope)
            node, count = typed.node, typed.type if isinstance(typed.type, Num) else _WHOLE
            _check_count(ctx, count, term)
        if die is None:
            return (), Unknown()
        groups.append(ir.DiceGroup(node, die.name))
        low = 0 if count.low is None else max(int(count.low), 0)
        least += low
        open_end = open_end or count.high is None
        most += 0 if count.high is None else int(count.high)
        face = face_type(die)
        total = _add_dice(total, face, Num(low, count.high))
        values = face if values is None else values if values == face else _join_faces(ctx, values, face, term)
    roll = RollOf(values or Num(), least, None if open_end else most, total)
    return tuple(groups), roll


def _check_count(ctx: Context, count: Num, term: t.DiceTerm) -> None:
    if not count.whole:
        ctx.report("not-whole", "the number of dice must be whole", term.span, "say how it is rounded")
    if count.low is not None and count.low < 0:
        ctx.report("negative-dice", "the number of dice might be negative", term.span, "write `... but at least 0`")


def _join_faces(ctx: Context, a: Type, b: Type, term: t.DiceTerm) -> Type:
    if isinstance(a, Num) and isinstance(b, Num):
        return intervals.join(a, b)
    if isinstance(a, Word) and isinstance(b, Word):
        return Word(tuple(dict.fromkeys(a.words + b.words)))
    ctx.report("mixed-faces", "dice with numbers and dice with symbols are rolled apart", term.span)
    return Unknown()


def _add_dice(total: Num | None, face: Type, count: Num) -> Num | None:
    """The range of a total after adding *count* dice."""
    if total is None or not isinstance(face, Num):
        return None
    return intervals.add(total, intervals.multiply(face, count))


def face_type(die: ir.Die) -> Type:
    """The type of a face of a die: a number or a symbol."""
    if die.faces is None:
        return Num(1, die.count)
    values = [face.value for face in die.faces]
    if values and all(isinstance(value, int) for value in values):
        return Num(min(values), max(values))
    return Word(tuple(dict.fromkeys(str(value) for value in values)))
