"""Chart axes: the expression or dice that find a row, a column or a page, and the values a label matches."""

from __future__ import annotations

import re
from typing import Final

from attrs import evolve, frozen

from enfilade.check.charts.label_advice import band_of_sign, zero_end_advice
from enfilade.check.charts.labels import match_label, values_of
from enfilade.check.context import Context, similar
from enfilade.check.expressions.dice import check_roll
from enfilade.check.expressions.names import look_up
from enfilade.check.scope import Scope
from enfilade.check.types import coverage
from enfilade.check.types.coercions import coerce, total_of
from enfilade.check.types.coverage import Labelled
from enfilade.check.types.expected_types import check_expression, check_number
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.written_types import parameter_scope
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Subject
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, CodeOf, Num, RollOf, Type, Unknown, Word, listed

_ROLLED = ("find", "down", "across")
_YES_NO = Word(("yes", "no"))

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES: Final = "|".join(_MONTHS)
_DATE: Final = re.compile(rf"(\d{{1,2}})[-. ]?({_NAMES})|({_NAMES})[-. ]?(\d{{1,2}})", re.IGNORECASE)


@frozen
class AxisType:
    """An axis whose labels have not been read yet.

    Attributes:
        node: The expression that is looked up; ``None`` for dice.
        type: The type of that expression, or of the total of the dice.
        mode: contains, below or above.
        die: The die whose printed faces are the labels, if any.
        dice: The dice, if dice are looked up.
        values: All values, if there are few: the labels of an axis without printed labels.
        headers: The header lines of a shared ``columns`` declaration.
        span: Where the axis is written.
        is_typed: Whether the axis states only a type, so the value is given where the chart is read.
    """

    node: ir.Expr | None
    type: Type
    mode: str
    die: ir.Die | None
    dice: tuple[ir.DiceGroup, ...]
    values: tuple[str, ...] | None
    headers: list[tuple[t.HeaderLine, tuple[t.Code, ...]]]
    span: Span
    is_typed: bool = False

    @property
    def is_given(self) -> bool:
        """Whether the value is rolled, or given where the chart is read."""
        return bool(self.dice) or self.is_typed


def check_axis(ctx: Context, tree: t.Axis, scope: Scope) -> AxisType:
    """Check an axis, without its labels."""
    for part in tree.parts:
        help_ = "write `column at or below` or `column at or above`; only an `inside` line can list names"
        ctx.report("misplaced", f"`{part.name}` does not say how labels are matched", part.span, help_)
    die = None if tree.printed_on is None else ctx.die(tree.printed_on)
    shared = _shared_columns(ctx, tree)
    if shared is not None:
        inner = check_axis(ctx, shared.axis, scope)
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
    typed_axis = _type_of_axis(ctx, tree, scope)
    if typed_axis is not None:
        return AxisType(None, typed_axis, tree.mode, die, (), values_of(typed_axis), [], tree.span, is_typed=True)
    assert tree.value is not None
    if isinstance(tree.value, t.Dice) or _is_die(ctx, tree.value):
        groups, type_ = check_dice(ctx, _as_dice(tree.value), scope)
        type_ = type_ if tree.stated is None else _stated_range(ctx, tree.stated, scope)
        return AxisType(None, type_, tree.mode, die, groups, values_of(type_), [], tree.span)
    noted = ctx.unknown_numbers
    typed = coerce(check_expression(ctx, tree.value, scope))
    node, type_ = typed.node, typed.type if ctx.unknown_numbers == noted else Unknown()
    if tree.stated is not None:
        type_ = _stated_range(ctx, tree.stated, scope)
    if isinstance(type_, Bool):
        node, type_ = _as_word(node, tree.span), _YES_NO
    if not isinstance(type_, (Num, Word, CodeOf, Unknown)):
        report_mismatch(ctx, "a number or a word", type_, tree.span)
        type_ = Unknown()
    return AxisType(node, type_, tree.mode, die, (), values_of(type_), [], tree.span)


def _type_of_axis(ctx: Context, tree: t.Axis, scope: Scope) -> Type | None:
    """The type of an axis that states only a type: a range, or a list of words that nothing else is named like."""
    if tree.value is None and tree.stated is not None:
        return _stated_range(ctx, tree.stated, scope)
    if tree.stated is not None or not isinstance(tree.value, t.Name) or tree.value.name not in ctx.words:
        return None
    name = tree.value.name
    if look_up(ctx, name, tree.value.span, scope) is not None or name in ctx.symbols.dice:
        return None
    return ctx.words[name]


def _stated_range(ctx: Context, stated: t.Band | t.NumbersType, scope: Scope) -> Num:
    if isinstance(stated, t.NumbersType):
        return listed(int(each.value) for each in stated.values)
    band = stated
    low, high = (None if e is None else check_number(ctx, e, scope).type for e in (band.low, band.high))
    return Num(low.low if isinstance(low, Num) else None, high.high if isinstance(high, Num) else None)


def _shared_columns(ctx: Context, tree: t.Axis) -> t.Columns | None:
    if isinstance(tree.value, t.Name):
        return ctx.symbols.columns.get(tree.value.name)
    return None


def _is_die(ctx: Context, tree: t.Expr | t.Dice) -> bool:
    return isinstance(tree, t.Name) and tree.name in ctx.symbols.dice


def dice_of_axis(tree: t.Axis) -> t.Dice:
    """The dice of an axis that looks up dice."""
    assert tree.value is not None
    return _as_dice(tree.value)


def is_dice(ctx: Context, axis: t.Axis) -> bool:
    """Whether an axis is dice."""
    return isinstance(axis.value, t.Dice) or (axis.value is not None and _is_die(ctx, axis.value))


def _as_dice(tree: t.Expr | t.Dice) -> t.Dice:
    if isinstance(tree, t.Dice):
        return tree
    assert isinstance(tree, t.Name)
    return t.Dice((t.DiceTerm(None, t.Ident(tree.name, tree.span), tree.span),), tree.span)


def check_dice(ctx: Context, tree: t.Dice, scope: Scope) -> tuple[tuple[ir.DiceGroup, ...], Type]:
    """Check dice; return them with the range of their total, or with the symbols of a face."""
    groups, roll = check_roll(ctx, tree, scope)
    if isinstance(roll, RollOf):
        return groups, total_of(roll)
    return groups, Unknown()


def bands_of(tree: t.Columns, line: t.HeaderLine) -> tuple[tuple[t.Code, ...], tuple[t.Code, ...], tuple[t.Code, ...]]:
    """Split the cells of a shared header row: its bands, the values beside them, and the surplus columns."""
    # A row with too few cells lacks the last ones.
    width = max(len(each.cells) for each in tree.headers) - len(tree.besides)
    bands, beside = line.cells[: max(width, 0)], line.cells[max(width, 0) :]
    names = {label.text for surplus in tree.surplus for label in surplus.labels}
    kept = tuple(code for number, code in enumerate(bands, start=1) if str(number) not in names)
    return kept, beside, tuple(code for number, code in enumerate(bands, start=1) if str(number) in names)


def _as_word(condition: ir.Expr, span: Span) -> ir.Expr:
    """A condition as the word ``yes`` or ``no``: the labels of its axis."""
    return ir.If(condition, ir.Const("yes", type=_YES_NO), ir.Const("no", type=_YES_NO), span, type=_YES_NO)


def check_label(ctx: Context, code: t.Code, axis: AxisType) -> Labelled | None:
    """Read a label; ``None``, with a diagnostic, if it is not a value of the axis."""
    if isinstance(axis.type, Unknown):
        return None
    if not code.text:
        help_ = "write a value of the fact or of the dice: `7`, `3..5`, `12+`, or a word"
        ctx.report("empty-cell", "this row or column has no label", code.span, help_)
        return None
    match = match_label(code.text, axis.type, axis.mode, axis.die)
    if match is None:
        code = _wrong_word(code, axis.type)
        words = axis.values if isinstance(axis.type, Word) else None
        close = similar(code.text, words) if words else None
        ends = re.fullmatch(r"(-\d+)\s*[-–—]\s*(-?\d+)", code.text)
        if isinstance(axis.type, Num):
            close = f"{ends[1]}..{ends[2]}" if ends is not None else band_of_sign(code.text)
        help_ = f"did you mean `{close}`?" if close else "write `7`, `3..5`, `6,7`, `12+`, or a word of the fact"
        date = _DATE.fullmatch(code.text)
        if date is not None and isinstance(axis.type, Num):
            month = _MONTHS.index((date[2] or date[3]).casefold()) + 1
            close = "-".join(map(str, sorted((int(date[1] or date[4]), month))))
            help_ = f"a spreadsheet makes such dates of bands: write `{close}`"
        unit = re.fullmatch(r'(\d+(?:(?:-|\.\.)\d+)?\+?) ?([A-Za-z]+|")', code.text)
        if unit is not None and isinstance(axis.type, Num) and close is None:
            close, help_ = unit[1], f"a label has no unit: write `{unit[1]}`"
        if beyond := re.fullmatch(r"[<>≤≥] ?(\d+(?:\.\d+)?[:-]\d+)|(\d+(?:\.\d+)?[:-]\d+) ?\+", code.text):
            odds, side = beyond[1] or beyond[2], "below" if code.text[0] in "<≤" else "above"
            help_ = f"write a column such as `{odds}`, and the line `column {side} stays` for all odds beyond it"
        ctx.report(
            "label",
            f"the label `{code.text}` does not match the values looked up here",
            code.span,
            help_,
            about=Subject((code.text,), close, "" if unit is None else unit[2]),
        )
        return None
    empty = next((band for band in match.bands if coverage.is_empty(band)), None)
    if empty is not None:
        zeros = re.search(r"(?<!\d)0+$", code.text)
        help_ = f"write `{empty.high}..{empty.low}`"
        if zeros is not None and axis.dice and isinstance(empty.low, int):
            help_ = zero_end_advice(empty.low, zeros[0])
        ctx.report("empty-range", f"the range from {empty.low} to {empty.high} contains no number", code.span, help_)
        return None
    return Labelled(code.text, match, code.span)


def _wrong_word(code: t.Code, type_: Type) -> t.Code:
    """The wrong word among several words of a label."""
    for piece in re.split(r"\s*,\s*", code.text) if isinstance(type_, Word) else ():
        at = code.span.text.find(piece)
        if at >= 0 and match_label(piece, type_, "contains", None) is None:
            return t.Code(piece, code.span.at(at, at + len(piece)))
    return code


def chart_dice_type(ctx: Context, name: str) -> Type:
    """The type of the dice that a chart is read with."""
    tree = ctx.symbols.charts[name]
    lines = {item.line.way: item.line for item in tree.items if isinstance(item.line, t.AxisLine)}
    scope = parameter_scope(ctx, tree.params, f"chart {name}")[0]
    with ctx.silently():
        # Dice may show more than the values that the axis states.
        axes = {way: line.axis for way, line in lines.items() if way in _ROLLED}
        axes = {way: evolve(axis, stated=None) if is_dice(ctx, axis) else axis for way, axis in axes.items()}
        types = {way: check_axis(ctx, axis, scope) for way, axis in axes.items()}
    rolled = next((types[way] for way in _ROLLED if way in types and types[way].is_given), types.get("down"))
    return Unknown() if rolled is None else rolled.type
