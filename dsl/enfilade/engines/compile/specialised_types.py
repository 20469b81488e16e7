"""Type inference for generated code: types that are specialised to the actual arguments of a body.

The checker assumes that every argument has the declared type, but a run does not test the arguments of definitions and
calls. Generated code may rely on a type only if runs test it. So this module infers the types of locals from their
assignments, and the types of expressions from their locals. Facts, options, fields and arguments of effects keep their
declared types, because runs test those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values import intervals
from enfilade.values.types import (
    Bool,
    EffectOf,
    Label,
    ListOf,
    MapOf,
    Nothing,
    Num,
    ReadingOf,
    RecordOf,
    RollOf,
    TallyOf,
    Type,
    Unknown,
    Word,
    WordSet,
    type_of,
)

UNKNOWN = Unknown()
ANY_NUMBER = Num(None, None, False)
COUNT = Num(0, None)
DEEPEST = 24
ROUNDED = frozenset(["round up", "round nearest", "round half down", "round half even"])

Kinds = Mapping[str, Type]


class SpecialisedTypes:
    """The types of the expressions of one program, specialised by the types of locals."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.given_by_calls = {name for node in nodes(program.procedures) if isinstance(node, ir.CallProcedure)
                               for name, _ in node.args}  # fmt: skip
        self._definitions: dict[tuple[str, tuple[Type, ...]], Type] = {}
        self._codes: dict[str, Type] = {}
        self._totals: dict[str, Num] = {}
        self._depth = 0

    def fact(self, name: str) -> Type:
        """Return the type of a fact; unknown if a call may set it."""
        return UNKNOWN if name in self.given_by_calls else self.input(name).type

    def input(self, name: str) -> ir.Input:
        """Return the declaration of a fact, which may be a procedure's own fact."""
        procedure, dot, own = name.partition(".")
        return self.program.procedures[procedure].facts[own] if dot else self.program.facts[name]

    def of(self, e: ir.Expr, kinds: Kinds) -> Type:
        """Return the type of an expression, given the types of its locals."""
        match e:
            case ir.Fact():
                return self.fact(e.name)
            case ir.Local():
                return kinds.get(e.name, UNKNOWN)
            case ir.Part():
                return self._part(e, self.of(e.of, kinds))
            case ir.Op():
                return self._operation(e, kinds)
            case ir.If():
                return join(self.of(e.value, kinds), self.of(e.otherwise, kinds))
            case ir.Items():
                return ListOf(joined([self.of(item, kinds) for item in e.items]))
            case ir.Over():
                return self._over(e, kinds)
            case ir.Sort():
                return ListOf(element(self.of(e.over, kinds)))
            case ir.Define():
                return self.definition(e.name, tuple(self.of(arg, kinds) for arg in e.args))
            case ir.SumModifiers():
                return TallyOf(self.total(e.block))
            case ir.Look():
                reader = UNKNOWN if e.reader is None else self.of(e.reader, kinds)
                return ReadingOf(e.chart, self.code(e.chart), reader.record if isinstance(reader, RecordOf) else None)
            case ir.MapOver():
                return MapOf(UNKNOWN, UNKNOWN)
            case (
                ir.Const()
                | ir.Field()
                | ir.Option()
                | ir.All()
                | ir.Any_()
                | ir.Not()
                | ir.EffectsSoFar()
                | ir.CardsLeft()
            ):
                return e.type
        return UNKNOWN

    def _part(self, e: ir.Part, of: Type) -> Type:
        name = e.name
        match of:
            case RollOf(value, _, _, total):
                parts: dict[str, Type] = {"natural": value, "values": ListOf(value)}
                return parts.get(name, UNKNOWN) if name != "total" or total is None else total
            case TallyOf(total):
                return total if name == "total" else UNKNOWN
            case ReadingOf(_, code, reader):
                if name == "code":
                    return code
                return RecordOf(reader) if name == "reader" and reader is not None else UNKNOWN
            case EffectOf():
                return e.type
        return UNKNOWN

    def definition(self, name: str, args: tuple[Type, ...]) -> Type:
        """Return the type of a definition for given types of its arguments (memoisation)."""
        key = name, args
        if key not in self._definitions:
            if self._depth >= DEEPEST:
                return UNKNOWN
            self._depth += 1
            definition = self.program.definitions[name]
            self._definitions[key] = self.of(definition.body, dict(zip(definition.params, args, strict=True)))
            self._depth -= 1
        return self._definitions[key]

    def code(self, chart: str) -> Type:
        """Return the type of a chart's codes: those of its cells, edges and errata."""
        if chart not in self._codes:
            self._codes[chart] = joined([type_of(value) for value in codes_of(self.program.charts[chart])])
        return self._codes[chart]

    def total(self, block: str) -> Num:
        """Return the range of a block's total, for any set of applied modifiers."""
        if block not in self._totals:
            self._totals[block] = ANY_NUMBER
            total = Num(0, 0)
            for amount in amounts_of(self.program.modifiers[block]):
                type_ = self.of(amount, {})
                total = intervals.add(total, intervals.join(type_ if isinstance(type_, Num) else ANY_NUMBER, Num(0, 0)))
            for net in self.program.modifiers[block].items:
                if isinstance(net, ir.Net):
                    total = joined_number(total, self.of(net.amount, {}))
            self._totals[block] = total
        return self._totals[block]

    def _operation(self, e: ir.Op, kinds: Kinds) -> Type:
        if isinstance(e.type, Bool):
            return e.type
        if e.name in ("item", "first", "last", "entry"):
            return self._picked(e, kinds)
        args = [self.of(arg, kinds) for arg in e.args]
        if e.name == "code":
            return Label(False)
        if e.name == "with item":
            return ListOf(joined([element(args[1]), args[2]]))
        if e.name == "range":
            both = joined(args)
            return ListOf(Num(None, None, True) if isinstance(both, Num) and both.whole else ANY_NUMBER)
        numbers = [arg if isinstance(arg, Num) else ANY_NUMBER for arg in args]
        return arithmetic(e.name, numbers)

    def _picked(self, e: ir.Op, kinds: Kinds) -> Type:
        if e.name == "entry":
            map_ = self.of(e.args[0], kinds)
            return map_.value if isinstance(map_, MapOf) else UNKNOWN
        items = self.of(e.args[1], kinds)
        return element(items) if e.name == "item" else ListOf(element(items))

    def _over(self, e: ir.Over, kinds: Kinds) -> Type:
        each = element(self.of(e.over, kinds))
        inner = {**kinds, e.var: each}
        match e.how:
            case "any" | "all" | "none":
                return Bool()
            case "filter":
                return ListOf(each)
            case "count":
                return COUNT
            case "list":
                return ListOf(self.of(e.body, inner))
        body = self.of(e.body, inner)
        number = body if isinstance(body, Num) else ANY_NUMBER
        if e.how in ("sum", "product"):
            return intervals.of_sum(number, 0) if e.how == "sum" else intervals.of_product(number)
        return body if e.default is None else join(body, self.of(e.default, kinds))


def arithmetic(name: str, numbers: list[Num]) -> Type:
    """Return the range of a sum, a product and so on (interval arithmetic)."""
    match name, numbers:
        case "add", [a, b]:
            return intervals.add(a, b)
        case "subtract", [a, b]:
            return intervals.subtract(a, b)
        case "multiply", [a, b]:
            return intervals.multiply(a, b)
        case "divide", [a, b]:
            return ANY_NUMBER
        case "mod", [a, b]:
            return remainder(a, b)
        case "negative", [a]:
            return intervals.negate(a)
        case "absolute", [a]:
            return intervals.absolute(a)
        case "round down", [a]:
            return intervals.rounded_down(a)
        case "at least", [a, b]:
            return intervals.at_least(a, b)
        case "at most", [a, b]:
            return intervals.at_most(a, b)
        case ("rank", _):
            return COUNT
    return intervals.rounded(numbers[0]) if name in ROUNDED else UNKNOWN


def remainder(a: Num, b: Num) -> Num:
    """Return the range of the remainder of a division."""
    whole = a.whole and b.whole
    if whole and b.low is not None and b.low > 0 and b.high is not None:
        return Num(0, b.high - 1)
    return Num(None, None, whole)


def element(list_: Type) -> Type:
    """Return the type of the elements of a list or a set."""
    if isinstance(list_, WordSet):
        return Word(list_.words)
    return list_.of if isinstance(list_, ListOf) else UNKNOWN


def joined(types: list[Type]) -> Type:
    """Return the least upper bound of several types."""
    if not types:
        return UNKNOWN
    found = types[0]
    for type_ in types[1:]:
        if type_ != found:
            found = join(found, type_)
    return found


def join(a: Type, b: Type) -> Type:
    """Return the least upper bound of two types; ``Unknown`` if they have nothing in common."""
    match a, b:
        case Num(), Num():
            return intervals.join(a, b)
        case Word(x), Word(y):
            return a if x == y else Word(tuple(dict.fromkeys(x + y)))
        case ListOf(x), ListOf(y):
            return ListOf(join(x, y))
        case RecordOf(x), RecordOf(y) if x == y:
            return RecordOf(x, a.optional or b.optional)
        case (RecordOf(x), Nothing()) | (Nothing(), RecordOf(x)):
            return RecordOf(x, True)
    return a if a == b else UNKNOWN


def joined_number(a: Num, b: Type) -> Num:
    """Return the least upper bound of a range and a type; any number if the type is not a range."""
    return intervals.join(a, b) if isinstance(b, Num) else ANY_NUMBER


def codes_of(chart: ir.Chart) -> list[Any]:
    """Return all possible codes of a chart."""
    codes: list[Any] = [
        action.value for edge in chart.edges.values() for action in edge.actions if action.act == "gives"
    ]
    if chart.find is not None:
        return codes + list(chart.across.labels if chart.across is not None else [None])
    inside = chart.inside is not None
    cells = [cell for page in chart.cells for row in page for cell in row]
    for erratum in chart.errata:
        (codes if erratum.inside is not None or not inside else cells).append(erratum.value)
    return list(dict.fromkeys(codes + ([code for cell in cells for code in cell] if inside else cells)))


def amounts_of(block: ir.ModBlock) -> list[ir.Expr]:
    """Return all amounts of a block of modifiers."""
    lines = [node for node in nodes(block.items) if isinstance(node, (ir.Modifier, ir.But))]
    return [line.amount for line in lines if line.amount is not None]


def is_whole(type_: Type) -> bool:
    """Whether all values are whole numbers, as Python's ``int``."""
    return isinstance(type_, Num) and type_.whole


def is_small(type_: Type) -> bool:
    """Whether all values are whole numbers far below the size limit."""
    if not isinstance(type_, Num) or not type_.whole or type_.low is None or type_.high is None:
        return False
    return type_.low > -SMALL and type_.high < SMALL


SMALL = 1 << 1000


def is_positive(type_: Type) -> bool:
    """Whether all values are whole numbers above 0."""
    return isinstance(type_, Num) and type_.whole and type_.low is not None and type_.low > 0


def is_something(type_: Type) -> bool:
    """Whether no value is ``none``."""
    return isinstance(type_, (Num, Bool, Word, WordSet, ListOf)) or (isinstance(type_, RecordOf) and not type_.optional)


def is_text(type_: Type) -> bool:
    """Whether all values are words, codes or labels."""
    return isinstance(type_, Word) or (isinstance(type_, Label) and not type_.optional)
