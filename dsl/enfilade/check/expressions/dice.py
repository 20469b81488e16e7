"""Dice: the faces and the range of the total of a roll."""

from __future__ import annotations

from typing import Final

from enfilade.check.context import Context
from enfilade.check.expressions.names import look_up
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.expected_types import check_expression, check_number, check_whole
from enfilade.check.types.faces import face_type
from enfilade.check.types.reports import report_mismatch
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values import intervals
from enfilade.values.types import Bool, Listed, Num, RollOf, Type, Unknown, Word

_WHOLE = Num()
MAX_SIZES: Final = 100


def check_roll(
    ctx: Context, tree: t.Dice, scope: Scope, before: list[ir.Statement] | None = None
) -> tuple[tuple[ir.DiceGroup, ...], Type]:
    """Check dice; return them with the type of their roll.

    Args:
        ctx: The context.
        tree: The dice.
        scope: The scope.
        before: Takes the steps that find out which die a value names.
    """
    groups = []
    values: Type | None = None
    total: Num | None = Num(0, 0)
    least, most = 0, 0
    open_end = False
    for term in tree.terms:
        dice = _dice_of(ctx, term.die, scope, [] if before is None else before)
        count = Num(1, 1)
        node: ir.Expr = ir.Const(1, term.span)
        if term.count is not None:
            typed = check_number(ctx, term.count, scope)
            node, count = typed.node, typed.type if isinstance(typed.type, Num) else _WHOLE
            _check_count(ctx, count, term)
        if dice is None:
            return (), Unknown()
        groups += [ir.DiceGroup(_count_if(is_rolled, node), die.name) for is_rolled, die in dice]
        low = 0 if count.low is None else max(int(count.low), 0)
        least += low
        open_end = open_end or count.high is None
        most += 0 if count.high is None else int(count.high)
        face = face_type(dice[0][1])
        for _, die in dice[1:]:
            face = _join_faces(ctx, face, face_type(die), term)
        total = _add_dice(total, face, Num(low, count.high))
        values = face if values is None else values if values == face else _join_faces(ctx, values, face, term)
    roll = RollOf(values or Num(), least, None if open_end else most, total)
    return tuple(groups), roll


def _count_if(is_rolled: ir.Expr | None, count: ir.Expr) -> ir.Expr:
    """The number of dice of one kind: 0 if a value names another die."""
    return count if is_rolled is None else ir.If(is_rolled, count, ir.Const(0), count.span, Num(0, None))


def _dice_of(
    ctx: Context, tree: t.Ident | t.FieldOf | t.DieOfSize, scope: Scope, before: list[ir.Statement]
) -> list[tuple[ir.Expr | None, ir.Die]] | None:
    """The dice that may be rolled, each with its condition; a die that the rules name has none."""
    if isinstance(tree, t.DieOfSize):
        return _dice_by_size(ctx, tree, scope, before)
    if isinstance(tree, t.Ident):
        is_value = not ctx.is_die(tree.name) and look_up(ctx, tree.name, tree.span, scope) is not None
        if not is_value:
            die = ctx.die(tree)
            return None if die is None else [(None, die)]
        return _dice_by_word(ctx, t.Name(tree.name, tree.span), scope, before)
    return _dice_by_word(ctx, tree, scope, before)


def _dice_by_size(
    ctx: Context, tree: t.DieOfSize, scope: Scope, before: list[ir.Statement]
) -> list[tuple[ir.Expr | None, ir.Die]] | None:
    size = check_whole(ctx, tree.size, scope)
    if not isinstance(size.type, Num):
        return None
    low, high = size.type.low, size.type.high
    listed = size.type.values if isinstance(size.type, Listed) else None
    if low is None or high is None or low < 1 or (high - low if listed is None else len(listed)) >= MAX_SIZES:
        ctx.report(
            "die-size",
            f"the number of sides must have a limited range: at most {MAX_SIZES} values, none below 1",
            tree.size.span,
            "declare the number with its values, such as `4..12` or `one of 4, 6, 8`; a cap on a larger number would change the odds",
        )
        return None
    sizes = listed or tuple(range(int(low), int(high) + 1))
    dice = [ctx.die(t.Ident(f"d{sides}", tree.span)) for sides in sizes]
    return _picked(size, sizes, [die for die in dice if die is not None], scope, before)


def _dice_by_word(
    ctx: Context, tree: t.Expr, scope: Scope, before: list[ir.Statement]
) -> list[tuple[ir.Expr | None, ir.Die]] | None:
    which = check_expression(ctx, tree, scope)
    if isinstance(which.type, Num):
        ctx.report("die-size", "a number can't be the name of a die", tree.span, f"write `d({tree.span.text})`")
        return None
    if not isinstance(which.type, Word):
        report_mismatch(ctx, "a word that is the name of a die", which.type, tree.span)
        return None
    unknown = [word for word in which.type.words if not ctx.is_die(word)]
    if unknown:
        ctx.report(
            "die-size",
            f"`{unknown[0]}` is not a die",
            tree.span,
            "all words of the list must be names of dice, such as `d4, d6`",
        )
        return None
    dice = [ctx.die(t.Ident(word, tree.span)) for word in which.type.words]
    return _picked(which, which.type.words, [die for die in dice if die is not None], scope, before)


def _picked(
    which: Typed, keys: tuple[int, ...] | tuple[str, ...], dice: list[ir.Die], scope: Scope,
    before: list[ir.Statement],
) -> list[tuple[ir.Expr | None, ir.Die]] | None:  # fmt: skip
    """Dice with the value that names each of them; a step before the roll checks the value."""
    if len(dice) < len(keys):
        return None
    local = ir.Local(scope.slot("die"), which.node.span, which.type)
    checked = ir.Op("die", (which.node, ir.Const(keys)), which.node.span, which.type)
    before.append(ir.SetLocal(local.name, "", checked, ir.NO_NOTE))
    return [(ir.Op("is", (local, ir.Const(key)), type=Bool()), die) for key, die in zip(keys, dice, strict=True)]


def _check_count(ctx: Context, count: Num, term: t.DiceTerm) -> None:
    if not count.whole:
        ctx.report("not-whole", "the number of dice must be whole", term.span, "round it: `rounded down`, `rounded up`")
    if count.low == count.high == 0 and isinstance(term.count, t.Number):
        help_ = f"write `{term.span.text.lstrip('0 ')}`, or delete the roll"
        ctx.report("negative-dice", "a roll of 0 dice has no result", term.span, help_)
    if count.low is not None and count.low < 0:
        ctx.report("negative-dice", "the number of dice may be negative", term.span, "write `... but at least 0`")


def _join_faces(ctx: Context, a: Type, b: Type, term: t.DiceTerm) -> Type:
    if isinstance(a, Num) and isinstance(b, Num):
        return intervals.join(a, b)
    if isinstance(a, Word) and isinstance(b, Word):
        return Word(tuple(dict.fromkeys(a.words + b.words)))
    ctx.report("mixed-faces", "one roll can't mix dice with numbers and dice with symbols", term.span)
    return Unknown()


def _add_dice(total: Num | None, face: Type, count: Num) -> Num | None:
    """The range of a total after adding *count* dice."""
    if total is None or not isinstance(face, Num):
        return None
    return intervals.add(total, intervals.multiply(face, count))
