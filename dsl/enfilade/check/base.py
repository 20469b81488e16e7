"""What the parts of the checker ask of each other: the type of a declared thing, checked when first needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.check.context import Context
from enfilade.check.possible import UNCLEAR, never_hold
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.types import ListOf, MapOf, Maybe, Num, ReadingOf, RecordOf, RollOf, TallyOf, Type, Unknown, describe
from enfilade.source.text import Span
from enfilade.syntax import tree as t

NOTHING = Typed(UNCLEAR, Unknown())
BARE = (t.Name, t.Text, t.Number, t.Band, t.OrMore, t.Negative, t.Constant)


class Base:
    """The shared ground of the checker's parts."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def definition(self, name: str, span: Span) -> ir.Definition | None:
        """A definition, checked."""
        raise NotImplementedError

    def chart(self, name: str, span: Span) -> ir.Chart | None:
        """A chart, checked."""
        raise NotImplementedError

    def block(self, name: str, span: Span) -> ir.ModBlock | None:
        """A block of modifiers, checked."""
        raise NotImplementedError

    def outputs(self, name: str, span: Span) -> dict[str, Type]:
        """The outputs of a procedure."""
        raise NotImplementedError

    def expr(self, e: t.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """An expression of any type."""
        raise NotImplementedError

    def condition(self, e: t.Expr, scope: Scope) -> ir.Expr:
        """An expression that is yes or no."""
        raise NotImplementedError

    def number(self, e: t.Expr, scope: Scope) -> Typed:
        """An expression that is a number; its type is always ``Num``."""
        raise NotImplementedError

    def listing(self, e: t.Expr, scope: Scope) -> Typed:
        """An expression that is a list; its type is always ``ListOf``."""
        raise NotImplementedError

    def attached(self, chart: str, purpose: str) -> list[ir.ModBlock]:
        """The blocks of modifiers of a chart."""
        raise NotImplementedError

    def result_patterns(self, tree: t.Results) -> ir.Results:
        """The patterns of a results block."""
        raise NotImplementedError

    def param_scope(self, params: tuple[t.Param, ...], where: str) -> tuple[Scope, tuple[str, ...]]:
        """A scope with parameters as locals, and their slots."""
        raise NotImplementedError

    def chart_dice(self, name: str) -> Type:
        """What the dice of a chart count."""
        raise NotImplementedError

    def own_facts(self, procedure: str) -> dict[str, tuple[str, Type]]:
        """A procedure's own facts: their names in the core, and their types."""
        raise NotImplementedError

    def own_inputs(self, procedure: str) -> dict[str, ir.Input]:
        """A procedure's own facts."""
        raise NotImplementedError

    def given(self, name: str, type_: Type, scope: Scope) -> None:
        """Note the type of an output."""
        raise NotImplementedError

    def effect_params(self, effect: str) -> tuple[ir.Input, ...]:
        """The parameters of an effect."""
        raise NotImplementedError

    def param_types(self, kind: str, name: str) -> tuple[Type, ...]:
        """The types of the parameters of a declaration."""
        raise NotImplementedError

    def fits(self, got: Type, wanted: Type) -> bool:
        """Whether values of one type may stand where another is wanted."""
        raise NotImplementedError

    def lookup(self, name: str, span: Span, scope: Scope) -> Typed | None:
        """What a name means, if anything."""
        raise NotImplementedError

    def words_of(self, type_: Type) -> tuple[str, ...]:
        """The words that a bare name may mean where this type is expected."""
        raise NotImplementedError

    def columns_part(self, tree: t.Columns, name: t.Ident, span: Span, scope: Scope) -> Typed:
        """What header rows that charts share give."""
        raise NotImplementedError

    def doubt(self, conditions: Sequence[ir.Expr], span: Span) -> bool:
        """Warn of conditions that can't hold together; whether they can't."""
        types = {name: fact.type for name, fact in self.ctx.facts.items()}
        types |= {name: option.type for name, option in self.ctx.options.items()}
        never = never_hold(conditions, types)
        if never:
            self.ctx.warn("never-holds", "this can never hold", span, "two parts of it exclude each other")
        return never

    def mismatch(self, wanted: str, got: Type, span: Span, *helps: str) -> None:
        """Note a value of the wrong type, unless its own mistake was noted already."""
        if is_known(got):
            self.ctx.report("type", f"this is {describe(got)}, and {wanted} is needed", span, *helps)


def is_known(type_: Type) -> bool:
    """Whether a type is known: nothing in it was reported before. The empty list is one of anything, and known."""
    match type_:
        case Unknown():
            return False
        case Maybe(of) | RollOf(of):
            return is_known(of)
        case MapOf(key, value):
            return is_known(key) and is_known(value)
        case ReadingOf(_, code):
            return is_known(code)
    return True


def list_of(type_: Type, least: int = 0) -> Type:
    """A list, unless what is in it was reported before."""
    return ListOf(type_, least) if is_known(type_) else Unknown()


def is_list_of(type_: Type, record: str) -> bool:
    """Whether a type is a list of one kind of record."""
    return isinstance(type_, ListOf) and type_.of == RecordOf(record)


def record_in(type_: Type) -> str | None:
    """The kind of record that values of a type are, or hold."""
    while isinstance(type_, ListOf):
        type_ = type_.of
    return type_.record if isinstance(type_, RecordOf) else None


def is_unclear(facts: Mapping[str, ir.Input]) -> bool:
    """Whether the type of some fact is not known, its own mistake having been noted."""
    return not all(is_known(fact.type) for fact in facts.values())


def plain(typed: Typed) -> Typed:
    """A roll as its total or its symbol, a sum of modifiers as its total, a reading as its code."""
    match typed.type:
        case RollOf(Num()):
            return Typed.of(ir.Part(typed.node, "total", typed.node.span, type=total_of(typed.type)))
        case RollOf(value, low, high) if (low, high) != (1, 1):
            return Typed.of(ir.Part(typed.node, "values", typed.node.span, type=ListOf(value, low)))
        case RollOf(value):
            return Typed.of(ir.Part(typed.node, "natural", typed.node.span, type=value))
        case TallyOf(total):
            return Typed.of(ir.Part(typed.node, "total", typed.node.span, type=total))
        case Maybe(of):
            return plain(Typed(typed.node, of))
        case ReadingOf(_, code):
            return Typed.of(ir.Part(typed.node, "code", typed.node.span, type=code))
    return typed


def settled(typed: Typed) -> Typed:
    """As ``plain``, but what may be ``none`` still may."""
    return typed if isinstance(typed.type, Maybe) else plain(typed)


def total_of(roll: RollOf) -> Type:
    """The range of a roll's total; for symbols, what the one die shows."""
    if not isinstance(roll.value, Num):
        return roll.value
    return Num() if roll.total is None else roll.total


def as_list(typed: Typed) -> Typed:
    """A roll as the list of its values, a map as the list of its keys."""
    if isinstance(typed.type, MapOf):
        return Typed.of(ir.Op("keys", (typed.node,), typed.node.span, type=ListOf(typed.type.key)))
    if isinstance(typed.type, RollOf):
        values = ListOf(typed.type.value, typed.type.low)
        return Typed.of(ir.Part(typed.node, "values", typed.node.span, type=values))
    return typed
