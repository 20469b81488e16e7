"""The reference evaluator of expressions. It rolls no dice, makes no choices and changes no state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from attrs import define, field, setters

from enfilade.core import ir
from enfilade.core.chart_reader import ChartReader
from enfilade.core.events import Defined
from enfilade.core.modifiers import ModifierSums, text_of
from enfilade.core.operators import OPERATORS, checked
from enfilade.core.run import Frame, Run
from enfilade.errors import RuleError
from enfilade.values.data import ChartRef, Performed, Reading, Ref, Roll, Tally


@define(eq=False, slots=False, on_setattr=setters.NO_OP)
class Evaluator(Run):
    """A run that can evaluate expressions."""

    modifiers: ModifierSums = field(init=False)
    charts: ChartReader = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.modifiers = ModifierSums(self, self.value)
        self.charts = ChartReader(self, self.value, self.modifiers.tally)

    def value(self, e: ir.Expr, frame: Frame) -> Any:
        """Evaluate an expression."""
        match e:
            case ir.Const():
                return e.value
            case ir.Fact():
                return self.fact(e.name)
            case ir.Local():
                return frame.locals[e.name]
            case ir.Option():
                return self.options[e.name]
            case ir.Field():
                return self._field(self.value(e.of, frame), e)
            case ir.Part():
                return part(self.value(e.of, frame), e.name)
            case ir.Op():
                return self._operate(e, frame)
            case ir.All():
                return all(self.value(item, frame) for item in e.items)
            case ir.Any_():
                return any(self.value(item, frame) for item in e.items)
            case ir.Not():
                return not self.value(e.of, frame)
            case ir.If():
                return self.value(e.value if self.value(e.condition, frame) else e.otherwise, frame)
            case ir.Items():
                return tuple(self.value(item, frame) for item in e.items)
            case ir.Over():
                return self._over(e, frame)
            case ir.MapOver():
                elements = self._elements(e.var, e.over, e.where, frame)
                return {self.value(e.key, frame): self.value(e.value, frame) for _ in elements}
            case ir.Sort():
                return self._sort(e, frame)
            case ir.Define():
                return self._define(e, frame)
            case ir.SumModifiers():
                args = tuple(self.value(arg, frame) for arg in e.args)
                return self.modifiers.tally(e.block, args, None if e.reader is None else self.value(e.reader, frame))
            case ir.Look():
                args = tuple(self.value(arg, frame) for arg in e.args)
                return self._look(e.chart, args, e, frame)
            case ir.LookIn():
                chart = self.value(e.chart, frame)
                return self._look(chart.name, (), e, frame)
            case ir.EffectsSoFar():
                return tuple(done for done in self.effects if done.effect == e.effect)
            case ir.CardsLeft():
                return self.state.decks[e.deck]
            case _:
                assert_never(e)

    def _look(self, name: str, args: tuple[Any, ...], e: ir.Look | ir.LookIn, frame: Frame) -> Reading:
        roll = None if e.roll is None else self.value(e.roll, frame)
        reader = None if e.reader is None else self.value(e.reader, frame)
        return self.charts.read(name, args, roll, reader)

    def needed(self, e: ir.Expr, frame: Frame) -> Any:
        """Evaluate an expression that must not be ``none``.

        A choice without options gives none, and the checker accepts it as a value.
        """
        value = self.value(e, frame)
        if value is None:
            raise RuleError(f"a value is needed, but this expression is none: {text_of(e)}")
        return value

    def _operate(self, e: ir.Op, frame: Frame) -> Any:
        args = [self.value(arg, frame) for arg in e.args]
        try:
            return OPERATORS[e.name](*args)
        except (TypeError, AttributeError):
            # A choice without options gives none, and the checker accepts it as a value.
            raise RuleError(f"a value is needed, but this expression is none: {text_of(e)}") from None

    def _field(self, ref: Ref | None, e: ir.Field) -> Any:
        if ref is None:
            cites = ()
            raise RuleError(f"none has no {e.name}", cites)
        return self.state.records[ref][e.name]

    def _elements(self, var: str, over: ir.Expr, where: ir.Expr | None, frame: Frame) -> Any:
        """Bind *var* to each element that satisfies *where*, in turn."""
        for element in self.value(over, frame):
            self.tick()
            frame.locals[var] = element
            if where is None or self.value(where, frame):
                yield element

    def _over(self, e: ir.Over, frame: Frame) -> Any:
        elements = self._elements(e.var, e.over, e.where, frame)
        match e.how:
            case "filter":
                return tuple(element for element in elements if self.value(e.body, frame))
            case "list":
                return tuple(self.value(e.body, frame) for _ in elements)
            case "any":
                return any(self.value(e.body, frame) for _ in elements)
            case "all":
                return all(self.value(e.body, frame) for _ in elements)
            case "none":
                return not any(self.value(e.body, frame) for _ in elements)
            case "count":
                return sum(1 for _ in elements)
            case "sum":
                return checked(sum(self.needed(e.body, frame) for _ in elements))
            case "product":
                return self._product(e.body, elements, frame)
        values = [self.needed(e.body, frame) for _ in elements]
        if not values:
            if e.default is None:
                raise RuleError(f"an empty list has no {e.how} value")
            return self.value(e.default, frame)
        return max(values) if e.how == "highest" else min(values)

    def _product(self, factor: ir.Expr, elements: Iterable[Any], frame: Frame) -> Any:
        product: Any = 1
        for _ in elements:
            product = checked(product * self.needed(factor, frame))
        return product

    def _sort(self, e: ir.Sort, frame: Frame) -> tuple[Any, ...]:
        keyed = [(self.needed(e.key, frame), element) for element in self._elements(e.var, e.over, None, frame)]
        keyed.sort(key=lambda pair: pair[0], reverse=e.descending)
        elements = tuple(element for _, element in keyed)
        return elements if e.take is None else elements[: max(self.needed(e.take, frame), 0)]

    def _define(self, e: ir.Define, frame: Frame) -> Any:
        definition = self.program.definitions[e.name]
        args = [self.value(arg, frame) for arg in e.args]
        self.tick()
        self.enter()
        inner = Frame(dict(zip(definition.params, args, strict=True)))
        body, line = definition.body, 0
        # Each line except the last is an `If`: walk the lines here, to know which line has the value.
        while line < len(definition.cases) - 1 and isinstance(body, ir.If):
            if self.value(body.condition, inner):
                body = body.value
                break
            body, line = body.otherwise, line + 1
        value = self.value(body, inner)
        self.depth -= 1
        if self.observer:
            note = definition.cases[line] if definition.cases else ir.NO_NOTE
            self.observer(Defined(e.name, value, definition.note, note))
        return value


def part(value: Any, name: str) -> Any:
    """Read a part of a roll, sum, effect, reading, chart or output map, by its name in the language."""
    match value:
        case Roll():
            return {"faces": value.faces, "values": value.values, "total": value.total, "natural": value.natural}[name]
        case Tally():
            return {"total": value.total, "names": value.names, "amounts": value.amounts}[name]
        case Performed():
            return value.args[name]
        case Reading():
            return _reading_part(value, name)
        case ChartRef():
            return value.name
    # An output that the procedure did not give.
    return value.get(name)


def _reading_part(reading: Reading, name: str) -> Any:
    return {
        "code": reading.code,
        "row": reading.row,
        "column": reading.column,
        "base_column": reading.base_column,
        "shift": reading.shift,
        "roll": reading.roll,
        "modified": reading.modified,
        "roll_modifier": reading.roll_modifier,
        "reader": reading.reader,
        "chart": reading.chart,
        "page": reading.page,
    }[name]
