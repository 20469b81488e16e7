"""Charts, definitions and blocks of modifiers that an example plays by themselves: the procedure that reads one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from enfilade.bind.names import keys_of_parameters
from enfilade.check.charts.axes import chart_dice_type
from enfilade.check.charts.chart_rolls import ROLL, keys_of_charts, looks_at_roll
from enfilade.check.context import Context
from enfilade.check.demand import require_chart, require_definition, require_modifiers
from enfilade.check.expressions.chart_values import look_up_values, values_given
from enfilade.check.expressions.fields import field_of, reading_part
from enfilade.check.scope import Typed
from enfilade.check.types.coercions import coerce
from enfilade.check.types.written_types import check_parameter
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import Num, ReadingOf, RollOf

_READING = ("row", "column", "base_column", "shift", "roll", "modified", "roll_modifier")


def played_alone(ctx: Context, kind: str, name: t.Ident) -> str | None:
    """The procedure that reads a chart, evaluates a definition, or sums a block of modifiers.

    Its own facts are the parameters. Its output ``result`` is the code, the value or the total.

    Args:
        ctx: The context; the procedure is added to its ``probes``.
        kind: chart, define or modifiers.
        name: The name of the declaration.

    Returns:
        The name of the procedure, with the kind; ``None``, with a diagnostic, if there is no such declaration.
    """
    declared: Mapping[str, t.Chart | t.Define | t.Modifiers] = {
        "chart": ctx.symbols.charts,
        "define": ctx.symbols.definitions,
        "modifiers": ctx.symbols.modifiers,
    }[kind]  # type: ignore[assignment]  # the mappings are read only
    if name.name not in declared:
        what = {"chart": "chart", "define": "definition", "modifiers": "block of modifiers"}[kind]
        ctx.unknown(what, name, list(declared))
        return None
    probe = f"{kind} {name.name}"
    if probe not in ctx.probes:
        facts = {p.name.name: _own_fact(ctx, p) for p in declared[name.name].params}
        keys = {**keys_of_parameters(ctx.symbols, declared[name.name].params, probe)}
        if kind == "chart" and require_chart(ctx, name.name, name.span) is not None:
            facts |= {own: ir.Input(own, value.type, False, None, ir.Note(span=name.span))
                      for own, value in values_given(ctx, name.name).items()}  # fmt: skip
        if kind == "modifiers":
            facts |= _parameters_of_chart(ctx, ctx.symbols.modifiers[name.name])
            keys |= keys_of_charts(ctx, ctx.symbols.modifiers[name.name])
        args = tuple(ir.Fact(f"{probe}.{own}", type=fact.type) for own, fact in facts.items())
        body = _BODIES[kind](ctx, name, args)
        if body is None:
            return None
        ctx.own_inputs[probe], ctx.own_keys[probe] = facts, keys
        ctx.outputs[probe] = {s.name: s.value.type for s in body if isinstance(s, ir.Give)}
        ctx.probes[probe] = ir.Procedure(probe, facts, (), body, ctx.outputs[probe], ir.Note(span=name.span))
    return probe


def _own_fact(ctx: Context, param: t.Param) -> ir.Input:
    return ir.Input(param.name.name, check_parameter(ctx, param), False, None, ir.Note(span=param.span))


def _parameters_of_chart(ctx: Context, block: t.Modifiers) -> dict[str, ir.Input]:
    """The parameters of the chart that a block of modifiers uses, without the roll."""
    found = require_modifiers(ctx, block.name.name, block.name.span)
    if found is None or not found.charts:
        return {}
    chart = ctx.symbols.charts.get(found.charts[0])
    params = {} if chart is None else {param.name.name: param for param in chart.params}
    return {name: _own_fact(ctx, params[name]) for name in found.params if name in params}


def _gives(values: Mapping[str, ir.Expr]) -> ir.Body:
    return tuple(ir.Give(name, value, ir.NO_NOTE) for name, value in values.items())


def _read(ctx: Context, name: t.Ident, args: tuple[ir.Expr, ...]) -> ir.Body | None:
    chart = require_chart(ctx, name.name, name.span)
    if chart is None:
        return None
    steps: ir.Body = ()
    count = len(ctx.symbols.charts[name.name].params)
    roll, args = look_up_values(ctx, name.name, args[:count], args[count:])
    if chart.dice:
        steps = _roll(chart)
        wanted = chart_dice_type(ctx, chart.name)
        total = wanted if isinstance(wanted, Num) else None
        roll = coerce(Typed.of(ir.Local("roll", name.span, RollOf(wanted, 1, 1, total)))).node
        if looks_at_roll(ctx, chart.name):
            args = (*args, ir.Local("roll", name.span))
    reading = ReadingOf(chart.name, chart.code_type)
    look = ir.Look(chart.name, args, roll, None, name.span, reading)
    steps = (*steps, ir.SetLocal("reading", chart.name, look, ir.NO_NOTE))
    local = Typed.of(ir.Local("reading", name.span, reading))
    parts = {part: reading_part(ctx, local, part, name.span) for part in _READING}
    values = {part: found.node for part, found in parts.items() if found is not None}
    return (*steps, *_gives({"result": coerce(local).node, **values}))


def _roll(chart: ir.Chart) -> ir.Body:
    return (ir.RollDice("roll", "roll", chart.dice, (), None, ir.NO_NOTE),)


def _define(ctx: Context, name: t.Ident, args: tuple[ir.Expr, ...]) -> ir.Body | None:
    definition = require_definition(ctx, name.name, name.span)
    if definition is None:
        return None
    return _gives({"result": ir.Define(definition.name, args, name.span, definition.type)})


def _sum(ctx: Context, name: t.Ident, args: tuple[ir.Expr, ...]) -> ir.Body | None:
    block = require_modifiers(ctx, name.name, name.span)
    if block is None:
        return None
    steps: ir.Body = ()
    if ROLL in block.params[len(args) :]:
        chart = require_chart(ctx, block.charts[0], name.span)
        if chart is None:
            return None
        steps, args = _roll(chart), (*args, ir.Local("roll", name.span))
    tally = Typed.of(ir.SumModifiers(block.name, args, None, name.span, block.type))
    parts = {part: field_of(ctx, tally, t.Ident(part, name.span), name.span).node for part in ("names", "amounts")}
    return (*steps, *_gives({"result": coerce(tally).node, **parts}))


_BODIES: Mapping[str, Callable[[Context, t.Ident, tuple[ir.Expr, ...]], ir.Body | None]] = {
    "chart": _read, "define": _define, "modifiers": _sum,
}  # fmt: skip
