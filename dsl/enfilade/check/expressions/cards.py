"""Cards with fields: the cards of a product, the cards that a line names, and the fields of a card."""

from __future__ import annotations

from itertools import product
from typing import Any

from enfilade.check.context import Context
from enfilade.check.scope import Typed
from enfilade.check.types.literals import plain_value
from enfilade.core import ir
from enfilade.limits import in_force
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import MapOf, Maybe, Num, Type, Word


def product_of_cards(
    ctx: Context, line: t.CardProduct, fields: dict[str, ir.Input]
) -> list[tuple[str, dict[str, Any]]]:
    """Each combination of values as a card, named by its values: `"rams 9"`."""
    axes: list[tuple[str, tuple[Any, ...]]] = []
    for axis in line.axes:
        if axis.name.name not in fields:
            ctx.unknown("field of the deck", axis.name, list(fields))
            return []
        values = _values_of_axis(axis, fields[axis.name.name].type)
        if not values:
            ctx.report(
                "no-cards",
                f"`each {axis.name.name}` has no list of values",
                axis.span,
                "write its range: `each value 1..13`",
            )
            return []
        axes.append((axis.name.name, values))
    defaults = {name: field.default for name, field in fields.items()}
    cards = []
    for values in product(*(values for _, values in axes)):
        given = dict(zip((name for name, _ in axes), values, strict=True))
        cards.append((" ".join(map(str, values)), defaults | given))
        if len(cards) > in_force().faces:
            ctx.report("die-too-large", f"a deck must have 1 to {in_force().faces} cards", line.span)
            return []
    return cards


def _values_of_axis(axis: t.CardAxis, type_: Type) -> tuple[Any, ...]:
    of = type_.of if isinstance(type_, Maybe) else type_
    if isinstance(of, Word):
        return of.words
    if not isinstance(of, Num):
        return ()
    low, high = (of.low if axis.low is None else axis.low), (of.high if axis.high is None else axis.high)
    if low is None or high is None or high - low > in_force().faces:
        return ()
    return tuple(range(int(low), int(high) + 1))


def values_of_card(ctx: Context, line: t.CardLine, fields: dict[str, ir.Input]) -> dict[str, Any]:
    """The fields of a card that a line names: given, or by default."""
    values = {name: field.default for name, field in fields.items()}
    given = {item.name.name for item in line.fields}
    for item in line.fields:
        if item.name.name not in fields:
            ctx.unknown("field of the deck", item.name, list(fields))
            continue
        type_ = fields[item.name.name].type
        value = True if item.value is None else plain_value(item.value)
        if type_.has(value):
            values[item.name.name] = value
        else:
            ctx.report("out-of-range", f"{item.name.name} of this card must be {type_.allowed}", item.span)
    # A misspelt field is one mistake: it is not missing too.
    missing = fields if given <= fields.keys() else {}
    for name, field in missing.items():
        if name not in given and not field.has_default:
            ctx.report(
                "missing-default", f"the card `{line.name.name}` has no {name}", line.name.span, f"write `({name} ...)`"
            )
    return values


def field_of_card(ctx: Context, card: Typed, name: str, span: Span) -> Typed | None:
    """A field of a card, read from a table; ``None`` if the value is no card or has no such field."""
    fields = fields_of_cards(ctx, card.type)
    if name not in fields:
        return None
    type_, table = fields[name]
    node = ir.Op("entry", (ir.Const(table, type=MapOf(card.type, type_)), card.node), span, type_)
    return Typed.of(node)


def fields_of_cards(ctx: Context, type_: Type) -> dict[str, tuple[Type, Any]]:
    """The fields of the deck whose cards a type lists."""
    if not isinstance(type_, Word):
        return {}
    for deck, fields in ctx.card_fields.items():
        if set(type_.words) <= set(ctx.decks[deck].cards):
            return fields
    return {}
