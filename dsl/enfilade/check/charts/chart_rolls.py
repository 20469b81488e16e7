"""The roll that a chart is read with, as its modifiers see it: a parameter of the chart and of their block."""

from __future__ import annotations

from enfilade.bind.names import Key, keys_of_parameters
from enfilade.check.charts.axes import check_axis, dice_of_axis
from enfilade.check.context import Context
from enfilade.check.demand import attached_blocks
from enfilade.check.expressions.dice import check_roll
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.type_relations import find_common_type
from enfilade.check.types.written_types import parameter_scope
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import RollOf, Type

ROLL = "roll"


def looks_at_roll(ctx: Context, chart: str) -> bool:
    """Whether the modifiers of a chart look at the roll that it is read with."""
    blocks = [*attached_blocks(ctx, chart, "shift"), *attached_blocks(ctx, chart, "roll")]
    own = {param.name.name for param in ctx.symbols.charts[chart].params}
    return ROLL not in own and any(ROLL in block.params for block in blocks)


def with_roll(
    ctx: Context, chart: str, args: tuple[ir.Expr, ...], roll: ir.Expr | None, tree: t.Read
) -> tuple[ir.Expr, ...]:
    """The arguments of a reading, with the roll if the modifiers of the chart look at it."""
    if roll is None or not looks_at_roll(ctx, chart):
        return args
    if isinstance(roll, ir.Part) and isinstance(roll.of.type, RollOf):
        return (*args, roll.of)
    ctx.report(
        "roll-mismatch",
        f"the modifiers of `{chart}` depend on the roll, but this is a number and not a roll",
        tree.span if tree.roll is None else tree.roll.span,
        "use a roll of dice",
    )
    return args


def bind_parameters_of_charts(ctx: Context, tree: t.Modifiers, scope: Scope) -> tuple[str, ...]:
    """Bind the parameters that all charts of a block share, and the roll; return their names."""
    charts = [ctx.symbols.charts[chart.name] for chart in tree.charts if chart.name in ctx.symbols.charts]
    if not charts:
        return ()
    shared: dict[str, Type] | None = None
    for chart in charts:
        own = _parameters(ctx, chart)
        shared = own if shared is None else _joined(ctx, shared, own)
    keys = keys_of_charts(ctx, tree)
    for name, type_ in (shared or {}).items():
        scope.keys[name] = keys.get(name) or Key("built-in", name)
        scope.locals[name] = Typed.of(ir.Local(name, type=type_))
    return tuple(shared or {})


def keys_of_charts(ctx: Context, tree: t.Modifiers) -> dict[str, Key]:
    """What the parameters of the charts of a block refer to."""
    charts = [ctx.symbols.charts[chart.name] for chart in reversed(tree.charts) if chart.name in ctx.symbols.charts]
    owned = (keys_of_parameters(ctx.symbols, chart.params, f"chart {chart.name.name}") for chart in charts)
    return {name: key for keys in owned for name, key in keys.items()}


def _parameters(ctx: Context, chart: t.Chart) -> dict[str, Type]:
    with ctx.silently():
        inner, names = parameter_scope(ctx, chart.params, f"chart {chart.name.name}")
        found = {name: inner.locals[name].type for name in names}
        roll = None if ROLL in found or ctx.symbols.kind_of(ROLL) is not None else _roll_of(ctx, chart, inner)
    return found if roll is None else {**found, ROLL: roll}


def _roll_of(ctx: Context, chart: t.Chart, scope: Scope) -> Type | None:
    """The type of the roll that a chart is read with; ``None`` if it has no dice."""
    for item in chart.items:
        if isinstance(item.line, t.AxisLine) and item.line.way in ("down", "find", "across"):
            if not check_axis(ctx, item.line.axis, scope).dice:
                continue
            type_ = check_roll(ctx, dice_of_axis(item.line.axis), scope)[1]
            return type_ if isinstance(type_, RollOf) else None
    return None


def _joined(ctx: Context, a: dict[str, Type], b: dict[str, Type]) -> dict[str, Type]:
    types = {name: find_common_type(ctx, type_, b[name]) for name, type_ in a.items() if name in b}
    return {name: type_ for name, type_ in types.items() if type_ is not None}
