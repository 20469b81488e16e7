"""Modifiers: amounts, conditions and sections, with interval analysis of the total."""

from __future__ import annotations

from itertools import combinations

from enfilade.check.charts.chart_rolls import bind_parameters_of_charts
from enfilade.check.context import Context, note_of
from enfilade.check.scope import Element, Scope
from enfilade.check.types.coercions import number_type
from enfilade.check.types.expected_types import check_condition, check_number
from enfilade.check.types.reports import is_unsatisfiable, warn_if_unsatisfiable
from enfilade.check.types.written_types import parameter_scope
from enfilade.core import ir
from enfilade.core.walk import locals_in
from enfilade.diagnostics.diagnostic import Edit, Fix, Label
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes as tree_nodes
from enfilade.values import intervals
from enfilade.values.types import Num, RecordOf, TallyOf, Unknown

ZERO = Num(0, 0)

# Words that people write behind the amount: `+2 columns massed`.
_UNITS = ("column", "columns", "row", "rows", "shift", "shifts", "drm", "die", "pip", "pips")


def check_modifiers(ctx: Context, tree: t.Modifiers) -> ir.ModBlock:
    """Check a block of modifiers."""
    scope, params = parameter_scope(ctx, tree.params, f"modifiers {tree.name.name}")
    for chart in tree.charts:
        if chart.name not in ctx.symbols.charts:
            ctx.unknown("chart", chart, list(ctx.symbols.charts))
    if tree.charts and tree.params:
        _report_parameters(ctx, tree)
    visible = bind_parameters_of_charts(ctx, tree, scope)
    _check_names(ctx, tree)
    items, ranges = _check_items(ctx, tree.items, scope, True)
    _report_crossed_nets(ctx, items)
    _warn_never_true(ctx, tree.items, items, ())
    num = _range_of_sum(items, ranges)
    if tree.rule != "cumulative":
        _warn_never_both(ctx, tree.name.span, items)
        num = _range_of_one(items, ranges)
    num = _range_of_net(items, num)
    charts = tuple(chart.name for chart in tree.charts)
    used = locals_in(items)
    params += tuple(name for name in visible if name in used)
    return ir.ModBlock(
        name=tree.name.name,
        params=params,
        purpose=tree.purpose,
        charts=charts,
        rule=tree.rule,
        items=items,
        type=TallyOf(num, tuple(line.name.name for line in _lines(tree.items))),
        note=note_of(tree.tail, tree.name.span),
    )


def _report_parameters(ctx: Context, tree: t.Modifiers) -> None:
    """Report parameters of a block that modifies a chart: the parameters of the chart serve it."""
    chart = ctx.symbols.charts.get(tree.charts[0].name)
    if chart is None:
        return  # This name is reported.
    own = [param.name.name for param in tree.params]
    known = {param.name.name for param in chart.params}
    listed = tree.params[0].span.to(tree.params[-1].span)
    names = ", ".join(f"`{name}`" for name in own)
    help_ = f"delete these parameters: you can use {names} of `{tree.charts[0].name}` here"
    if not known.issuperset(own):
        help_ = f"declare the parameters in the first line of the chart, `chart {tree.charts[0].name} ({listed.text})`, and use them here"
    ctx.report("syntax", "the modifiers of a chart can't have parameters of their own", listed, help_)


def _check_names(ctx: Context, tree: t.Modifiers) -> None:
    seen: dict[str, t.Ident] = {}
    for line in _lines(tree.items):
        name = line.name
        if name.name in seen:
            ctx.report(
                "duplicate-name",
                f"the modifier `{name.name}` is repeated",
                name.span,
                "delete or rename one of the two",
                labels=(Label(seen[name.name].span, "first here"),),
            )
        _check_form(ctx, line)
        seen.setdefault(name.name, name)


def _check_form(ctx: Context, line: t.ModLine) -> None:
    """Warn of a line that probably means something else: an amount without a sign, or `column` behind the amount."""
    text = line.span.text.lstrip()
    amount = text.split(maxsplit=1)[0] if text else "?"
    name = line.name.name
    if amount[:1] in "123456789":
        message = f"this modifier has no sign, so it means +{amount}"
        ctx.warn("modifier-line", message, line.span.at(0, len(amount)), f"write `+{amount}` or `-{amount}`")
    if name in _UNITS and name not in ctx.facts:
        help_ = f"write the amount, the name and the condition: `{amount} NAME  CONDITION`; the first line of the block says whether the roll or the column changes"
        ctx.warn("modifier-line", f"this modifier has the name `{name}`", line.name.span, help_)


def _check_items(
    ctx: Context, items: tuple[t.ModItem, ...], scope: Scope, top: bool
) -> tuple[tuple[ir.ModItem, ...], tuple[Num, ...]]:
    """Check lines and sections; return them with the range of each."""
    nodes: list[ir.ModItem] = []
    ranges: list[Num] = []
    for item in items:
        node: ir.ModItem
        match item:
            case t.ModLine():
                node, num = _check_line(ctx, item, scope)
            case t.ModSection():
                node, num = _check_section(ctx, item, scope)
            case t.ModNet():
                if not top:
                    ctx.report(
                        "misplaced", "`net` is possible only at the end of the block, not in a section", item.span
                    )
                amount = check_number(ctx, item.amount, scope).node
                node, num = ir.Net(item.way, amount, note_of(item.tail, item.span)), ZERO
        nodes.append(node)
        ranges.append(num)
    return tuple(nodes), tuple(ranges)


def _report_crossed_nets(ctx: Context, items: tuple[ir.ModItem, ...]) -> None:
    """Report a lower limit of the sum above its upper limit."""
    limits = [(each.way, each.amount.type, each.amount.span) for each in items if isinstance(each, ir.Net)]
    lows = [(type_.low, span) for way, type_, span in limits if way == "least" and isinstance(type_, Num)]
    highs = [(type_.high, span) for way, type_, span in limits if way == "most" and isinstance(type_, Num)]
    for (low, at_low), (high, at_high) in zip(lows, highs, strict=False):
        if low is not None and high is not None and low > high and at_low is not None and at_high is not None:
            help_ = f"write `net at least {high}` and `net at most {low}`"
            fix = Fix(help_, (Edit(at_low, str(high)), Edit(at_high, str(low))))
            message = f"the sum can't be at least {low} and at most {high}"
            ctx.report("empty-range", message, max(at_low, at_high, key=lambda each: each.start), help_, fix=fix)


def _range_of_sum(items: tuple[ir.ModItem, ...], ranges: tuple[Num, ...]) -> Num:
    """The range of the total if all modifiers that apply are added up."""
    total = ZERO
    for item, num in zip(items, ranges, strict=True):
        total = intervals.add(total, intervals.join(num, ZERO) if isinstance(item, ir.Modifier) else num)
    return total


def _range_of_one(items: tuple[ir.ModItem, ...], ranges: tuple[Num, ...]) -> Num:
    """The range of the total if at most one of the modifiers counts."""
    total, one = _range_of_sum(items, ranges), ZERO
    for item, num in zip(items, ranges, strict=True):
        one = intervals.join(one, total if isinstance(item, ir.Section) else num)
    return one


def _range_of_net(items: tuple[ir.ModItem, ...], num: Num) -> Num:
    """The range of a total within the bounds of the ``net`` lines."""
    for item in items:
        if isinstance(item, ir.Net):
            bound = item.amount.type if isinstance(item.amount.type, Num) else Num()
            num = intervals.at_most(num, bound) if item.way == "most" else intervals.at_least(num, bound)
    return num


def _check_line(ctx: Context, line: t.ModLine, scope: Scope) -> tuple[ir.Modifier, Num]:
    noted = ctx.unknown_numbers
    amount = check_number(ctx, line.amount, scope)
    condition = check_condition(ctx, line.condition, scope)
    num = number_type(amount)
    buts = []
    for but in line.buts:
        value = None if but.amount is None else check_number(ctx, but.amount, scope)
        if value is not None:
            num = intervals.join(num, number_type(value))
        condition_node = check_condition(ctx, but.condition, scope)
        buts.append(ir.But(None if value is None else value.node, condition_node, note_of(but.tail, but.span)))
    note = note_of(line.tail, line.span)
    if ctx.unknown_numbers > noted:
        ctx.unknown_modifiers[line.name.name], num = True, ZERO
    return ir.Modifier(line.name.name, amount.node, condition, tuple(buts), note), num


def _check_section(ctx: Context, section: t.ModSection, scope: Scope) -> tuple[ir.Section, Num]:
    record = None
    condition = None
    inner = scope
    if section.record is not None:
        record = section.record.name
        if record not in ctx.records:
            ctx.unknown("record", section.record, list(ctx.records))
        known = record in ctx.records
        inner = scope.within(Element("reader", RecordOf(record) if known else Unknown()))
    if section.condition is not None:
        condition = check_condition(ctx, section.condition, scope)
    items, ranges = _check_items(ctx, section.items, inner, False)
    if section.which is not None:
        _warn_never_both(ctx, section.span, items)
    if section.kind == "never together" or section.which is not None:
        total = _range_of_one(items, ranges)
    else:
        total = _range_of_sum(items, ranges)
    kind = section.kind if section.which is None else "only one"
    node = ir.Section(kind, section.which, record, condition, items, note_of(section.tail, section.span))
    return node, total if section.kind not in ("for each", "when") else intervals.join(total, ZERO)


def _warn_never_true(
    ctx: Context, trees: tuple[t.ModItem, ...], items: tuple[ir.ModItem, ...], given: tuple[ir.Expr, ...]
) -> None:
    """Warn of a line that never applies in its section, and of a ``but`` that never applies when its line does."""
    for tree, item in zip(trees, items, strict=True):
        if isinstance(item, ir.Section) and isinstance(tree, t.ModSection):
            more = () if item.condition is None else (item.condition,)
            _warn_never_true(ctx, tree.items, item.items, (*given, *more))
        elif isinstance(item, ir.Modifier) and isinstance(tree, t.ModLine):
            if is_unsatisfiable(ctx, (item.condition,)):
                continue
            if given and warn_if_unsatisfiable(ctx, (*given, item.condition), tree.condition.span):
                continue
            for but, but_tree in zip(item.buts, tree.buts, strict=True):
                if not is_unsatisfiable(ctx, (but.condition,)):
                    warn_if_unsatisfiable(ctx, (*given, item.condition, but.condition), but_tree.condition.span)


def _warn_never_both(ctx: Context, span: Span, items: tuple[ir.ModItem, ...]) -> None:
    """Warn of a rule that only one of several modifiers counts, if no two of them can apply together anyway."""
    lines = [item for item in items if isinstance(item, ir.Modifier)]
    if len(lines) != len(items) or len(lines) < 2 or any(is_unsatisfiable(ctx, (line.condition,)) for line in lines):
        return
    if all(is_unsatisfiable(ctx, (a.condition, b.condition)) for a, b in combinations(lines, 2)):
        names = " and ".join(line.name for line in lines[:2])
        ctx.warn(
            "never-both",
            f"{names} can never both apply",
            span,
            "if this is intended, write `never together`; otherwise correct a condition",
        )


def _lines(items: tuple[t.ModItem, ...]) -> list[t.ModLine]:
    return [node for node in tree_nodes(items) if isinstance(node, t.ModLine)]
