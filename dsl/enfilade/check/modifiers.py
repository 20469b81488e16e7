"""Modifiers: amounts, conditions and sections, with interval analysis of the total."""

from __future__ import annotations

from itertools import combinations

from enfilade.check import intervals
from enfilade.check.context import Context, note_of
from enfilade.check.expected_types import check_condition, check_number
from enfilade.check.reports import warn_if_unsatisfiable
from enfilade.check.scope import Element, Scope
from enfilade.check.written_types import parameter_scope
from enfilade.core import ir
from enfilade.core.types import Num, RecordOf, TallyOf, Type, Unknown
from enfilade.diagnostics.diagnostic import Label
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t

ZERO = Num(0, 0)
_NOWHERE = Span(SourceFile("<none>", ""), 0, 0)


def check_modifiers(ctx: Context, tree: t.Modifiers) -> ir.ModBlock:
    """Check a block of modifiers."""
    scope, params = parameter_scope(ctx, tree.params, f"modifiers {tree.name.name}")
    for chart in tree.charts:
        if chart.name not in ctx.symbols.charts:
            ctx.unknown("chart", chart, list(ctx.symbols.charts))
    if tree.charts and tree.params:
        ctx.report("syntax", "modifiers of a chart take no parameters", tree.name.span)
    _check_names(ctx, tree)
    items, num = _check_items(ctx, tree.items, scope, True)
    _warn_never_true(ctx, tree.items, items, ())
    if tree.rule != "cumulative":
        _warn_never_both(ctx, tree.name.span, items)
        num = _range_of_one(ctx, tree.items, scope, num)
    num = _netted(ctx, items, tree.items, num, scope)
    charts = tuple(chart.name for chart in tree.charts)
    return ir.ModBlock(
        tree.name.name,
        params,
        tree.purpose,
        charts,
        tree.rule,
        items,
        TallyOf(num, tuple(line.name.name for line in _lines(tree.items))),
        note_of(tree.tail, tree.name.span),
    )


def _check_names(ctx: Context, tree: t.Modifiers) -> None:
    seen: dict[str, t.Ident] = {}
    for line in _lines(tree.items):
        name = line.name
        if name.name in seen:
            ctx.report(
                "duplicate-name",
                f"the modifier `{name.name}` stands here twice",
                name.span,
                labels=(Label(seen[name.name].span, "first here"),),
            )
        seen.setdefault(name.name, name)


def _check_items(
    ctx: Context, items: tuple[t.ModItem, ...], scope: Scope, top: bool
) -> tuple[tuple[ir.ModItem, ...], Num]:
    nodes: list[ir.ModItem] = []
    total = ZERO
    for item in items:
        match item:
            case t.ModLine():
                node, num = _check_line(ctx, item, scope)
                nodes.append(node)
                total = intervals.add(total, intervals.join(num, ZERO))
            case t.ModSection():
                section, num = _check_section(ctx, item, scope)
                nodes.append(section)
                total = intervals.add(total, num)
            case t.ModNet():
                if not top:
                    ctx.report("misplaced", "`net` stands at the end of the block, not in a section", item.span)
                nodes.append(
                    ir.Net(item.way, check_number(ctx, item.amount, scope).node, note_of(item.tail, item.span))
                )
    return tuple(nodes), total


def _netted(ctx: Context, nodes: tuple[ir.ModItem, ...], trees: tuple[t.ModItem, ...], num: Num, scope: Scope) -> Num:
    for tree in trees:
        if isinstance(tree, t.ModNet):
            bound = _number_type_(check_number(ctx, tree.amount, scope).type)
            num = intervals.at_most(num, bound) if tree.way == "most" else intervals.at_least(num, bound)
    return num


def _number_type_(type_: Type) -> Num:
    return type_ if isinstance(type_, Num) else Num()


def _check_line(ctx: Context, line: t.ModLine, scope: Scope) -> tuple[ir.Modifier, Num]:
    noted = ctx.unclear
    amount = check_number(ctx, line.amount, scope)
    condition = check_condition(ctx, line.condition, scope)
    num = _number_type_(amount.type)
    buts = []
    for but in line.buts:
        value = None if but.amount is None else check_number(ctx, but.amount, scope)
        if value is not None:
            num = intervals.join(num, _number_type_(value.type))
        condition_node = check_condition(ctx, but.condition, scope)
        buts.append(ir.But(None if value is None else value.node, condition_node, note_of(but.tail, but.span)))
    note = note_of(line.tail, line.span)
    if ctx.unclear > noted:
        ctx.has_unclear_modifiers, num = True, ZERO
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
    items, total = _check_items(ctx, section.items, inner, False)
    if section.kind == "only one":
        _warn_never_both(ctx, section.span, items)
    if section.kind in ("never together", "only one"):
        total = _range_of_one(ctx, section.items, inner, total)
    node = ir.Section(section.kind, section.which, record, condition, items, note_of(section.tail, section.span))
    return node, total if section.kind not in ("for each", "when") else intervals.join(total, ZERO)


def _warn_never_true(
    ctx: Context, trees: tuple[t.ModItem, ...], items: tuple[ir.ModItem, ...], given: tuple[ir.Expr, ...]
) -> None:
    """Warn of a line that never applies in its section, and of a ``but`` that never applies with its line."""
    for tree, item in zip(trees, items, strict=True):
        if isinstance(item, ir.Section) and isinstance(tree, t.ModSection):
            more = () if item.condition is None else (item.condition,)
            _warn_never_true(ctx, tree.items, item.items, (*given, *more))
        elif isinstance(item, ir.Modifier) and isinstance(tree, t.ModLine):
            if _is_never(ctx, (item.condition,)):
                continue
            if given and warn_if_unsatisfiable(ctx, (*given, item.condition), tree.condition.span):
                continue
            for but, but_tree in zip(item.buts, tree.buts, strict=True):
                if not _is_never(ctx, (but.condition,)):
                    warn_if_unsatisfiable(ctx, (*given, item.condition, but.condition), but_tree.condition.span)


def _warn_never_both(ctx: Context, span: Span, items: tuple[ir.ModItem, ...]) -> None:
    """Warn if only one of several modifiers counts, although no two can apply together."""
    lines = [item for item in items if isinstance(item, ir.Modifier)]
    if len(lines) != len(items) or len(lines) < 2 or any(_is_never(ctx, (line.condition,)) for line in lines):
        return
    if all(_is_never(ctx, (a.condition, b.condition)) for a, b in combinations(lines, 2)):
        names = " and ".join(line.name for line in lines[:2])
        ctx.warn(
            "never-both",
            f"{names} can never both hold",
            span,
            "choosing one of them changes nothing: mend a condition, or say `never together`",
        )


def _is_never(ctx: Context, conditions: tuple[ir.Expr, ...]) -> bool:
    with ctx.silently():
        return warn_if_unsatisfiable(ctx, conditions, _NOWHERE)


def _range_of_one(ctx: Context, items: tuple[t.ModItem, ...], scope: Scope, total: Num) -> Num:
    """The range of the total if at most one of several modifiers counts."""
    silent = len(ctx.diagnostics)
    one = ZERO
    for line in _lines(items):
        one = intervals.join(one, _check_line(ctx, line, scope)[1] if line in items else total)
    del ctx.diagnostics[silent:]
    return one


def _lines(items: tuple[t.ModItem, ...]) -> list[t.ModLine]:
    lines: list[t.ModLine] = []
    for item in items:
        if isinstance(item, t.ModLine):
            lines.append(item)
        elif isinstance(item, t.ModSection):
            lines += _lines(item.items)
    return lines
