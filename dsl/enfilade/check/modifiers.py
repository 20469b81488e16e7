"""Blocks of modifiers: their amounts, conditions, sections, and the range of what they come to."""

from __future__ import annotations

from itertools import combinations

from enfilade.check import intervals
from enfilade.check.base import Base
from enfilade.check.context import note_of
from enfilade.check.scope import Element, Scope
from enfilade.core import ir
from enfilade.core.types import Num, RecordOf, TallyOf, Type, Unknown
from enfilade.diagnostics.diagnostic import Label
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t

ZERO = Num(0, 0)
_NOWHERE = Span(SourceFile("<none>", ""), 0, 0)


class Modifiers(Base):
    """Elaborates blocks of modifiers."""

    def build_block(self, tree: t.Modifiers) -> ir.ModBlock:
        """A block, with all its mistakes reported."""
        scope, params = self.param_scope(tree.params, f"modifiers {tree.name.name}")
        for chart in tree.charts:
            if chart.name not in self.ctx.symbols.charts:
                self.ctx.unknown("chart", chart, list(self.ctx.symbols.charts))
        if tree.charts and tree.params:
            self.ctx.report("syntax", "modifiers of a chart take no parameters", tree.name.span)
        self._check_names(tree)
        items, num = self._items(tree.items, scope, True)
        self._doubt_lines(tree.items, items, ())
        if tree.rule != "cumulative":
            self._doubt_choice(tree.name.span, items)
            num = self._one(tree.items, scope, num)
        num = self._netted(items, tree.items, num, scope)
        self.ctx.uses[("modifiers", tree.name.name)] = (scope.used, scope.calls)
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

    def _check_names(self, tree: t.Modifiers) -> None:
        seen: dict[str, t.Ident] = {}
        for line in _lines(tree.items):
            name = line.name
            if name.name in seen:
                self.ctx.report(
                    "duplicate-name",
                    f"the modifier `{name.name}` stands here twice",
                    name.span,
                    labels=(Label(seen[name.name].span, "first here"),),
                )
            seen.setdefault(name.name, name)

    def _items(self, items: tuple[t.ModItem, ...], scope: Scope, top: bool) -> tuple[tuple[ir.ModItem, ...], Num]:
        nodes: list[ir.ModItem] = []
        total = ZERO
        for item in items:
            match item:
                case t.ModLine():
                    node, num = self._mod_line(item, scope)
                    nodes.append(node)
                    total = intervals.add(total, intervals.join(num, ZERO))
                case t.ModSection():
                    section, num = self._section(item, scope)
                    nodes.append(section)
                    total = intervals.add(total, num)
                case t.ModNet():
                    if not top:
                        self.ctx.report(
                            "misplaced", "`net` stands at the end of the block, not in a section", item.span
                        )
                    nodes.append(ir.Net(item.way, self.number(item.amount, scope).node, note_of(item.tail, item.span)))
        return tuple(nodes), total

    def _netted(self, nodes: tuple[ir.ModItem, ...], trees: tuple[t.ModItem, ...], num: Num, scope: Scope) -> Num:
        for tree in trees:
            if isinstance(tree, t.ModNet):
                bound = self._num(self.number(tree.amount, scope).type)
                num = intervals.at_most(num, bound) if tree.way == "most" else intervals.at_least(num, bound)
        return num

    def _num(self, type_: Type) -> Num:
        return type_ if isinstance(type_, Num) else Num()

    def _mod_line(self, line: t.ModLine, scope: Scope) -> tuple[ir.Modifier, Num]:
        noted = self.ctx.unclear
        amount = self.number(line.amount, scope)
        condition = self.condition(line.condition, scope)
        num = self._num(amount.type)
        buts = []
        for but in line.buts:
            value = None if but.amount is None else self.number(but.amount, scope)
            if value is not None:
                num = intervals.join(num, self._num(value.type))
            condition_node = self.condition(but.condition, scope)
            buts.append(ir.But(None if value is None else value.node, condition_node, note_of(but.tail, but.span)))
        note = note_of(line.tail, line.span)
        if self.ctx.unclear > noted:
            self.ctx.has_unclear_modifiers, num = True, ZERO
        return ir.Modifier(line.name.name, amount.node, condition, tuple(buts), note), num

    def _section(self, section: t.ModSection, scope: Scope) -> tuple[ir.Section, Num]:
        record = None
        condition = None
        inner = scope
        if section.record is not None:
            record = section.record.name
            if record not in self.ctx.records:
                self.ctx.unknown("record", section.record, list(self.ctx.records))
            known = record in self.ctx.records
            inner = scope.within(Element("reader", RecordOf(record) if known else Unknown()))
        if section.condition is not None:
            condition = self.condition(section.condition, scope)
        items, total = self._items(section.items, inner, False)
        if section.kind == "only one":
            self._doubt_choice(section.span, items)
        if section.kind in ("never together", "only one"):
            total = self._one(section.items, inner, total)
        node = ir.Section(section.kind, section.which, record, condition, items, note_of(section.tail, section.span))
        return node, total if section.kind not in ("for each", "when") else intervals.join(total, ZERO)

    # -- what can't hold --------------------------------------------------------------------------------------

    def _doubt_lines(
        self, trees: tuple[t.ModItem, ...], items: tuple[ir.ModItem, ...], given: tuple[ir.Expr, ...]
    ) -> None:
        """Warn of a line that can't hold in its section, and of a ``but`` that can't hold with its line."""
        for tree, item in zip(trees, items, strict=True):
            if isinstance(item, ir.Section) and isinstance(tree, t.ModSection):
                more = () if item.condition is None else (item.condition,)
                self._doubt_lines(tree.items, item.items, (*given, *more))
            elif isinstance(item, ir.Modifier) and isinstance(tree, t.ModLine):
                if self._is_never((item.condition,)):
                    continue
                if given and self.doubt((*given, item.condition), tree.condition.span):
                    continue
                for but, but_tree in zip(item.buts, tree.buts, strict=True):
                    if not self._is_never((but.condition,)):
                        self.doubt((*given, item.condition, but.condition), but_tree.condition.span)

    def _doubt_choice(self, span: Span, items: tuple[ir.ModItem, ...]) -> None:
        """Warn where one of several counts of which no two can hold together."""
        lines = [item for item in items if isinstance(item, ir.Modifier)]
        if len(lines) != len(items) or len(lines) < 2 or any(self._is_never((line.condition,)) for line in lines):
            return
        if all(self._is_never((a.condition, b.condition)) for a, b in combinations(lines, 2)):
            names = " and ".join(line.name for line in lines[:2])
            self.ctx.warn(
                "never-both",
                f"{names} can never both hold",
                span,
                "choosing one of them changes nothing: mend a condition, or say `never together`",
            )

    def _is_never(self, conditions: tuple[ir.Expr, ...]) -> bool:
        with self.ctx.silently():
            return self.doubt(conditions, _NOWHERE)

    def _one(self, items: tuple[t.ModItem, ...], scope: Scope, total: Num) -> Num:
        """The range where at most one of several counts: no wider than their sum."""
        silent = len(self.ctx.diagnostics)
        one = ZERO
        for line in _lines(items):
            one = intervals.join(one, self._mod_line(line, scope)[1] if line in items else total)
        del self.ctx.diagnostics[silent:]
        return one


def _lines(items: tuple[t.ModItem, ...]) -> list[t.ModLine]:
    lines: list[t.ModLine] = []
    for item in items:
        if isinstance(item, t.ModLine):
            lines.append(item)
        elif isinstance(item, t.ModSection):
            lines += _lines(item.items)
    return lines
