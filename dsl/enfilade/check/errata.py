"""Severity along a chart, and errata: where a chart is held against what its author says of it."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from attrs import evolve

from enfilade.check.cells import Cells
from enfilade.check.context import note_of, similar
from enfilade.check.draft import Draft
from enfilade.check.labels import index_of
from enfilade.check.scope import Scope
from enfilade.check.severity import Break, breaks_of
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t

Spot: TypeAlias = tuple[int, int, int]
Found: TypeAlias = tuple[t.SeverityRule, Break]

MAX_LISTED = 12
MAX_MARKED = 6


class Errata(Cells):
    """Elaborates severity rules and errata."""

    def severity_rules(
        self, draft: Draft, down: ir.Axis, across: ir.Axis | None
    ) -> tuple[tuple[str, str, str | None], ...]:
        """The rules that severity follows along rows and columns."""
        if draft.rules and draft.order is None:
            self.ctx.report("no-severity", "say the order first: `severity - < M < X`", draft.rules[0].span)
            return ()
        for rule in draft.rules:
            axis = across if rule.way in ("right", "left") else down
            if rule.at is not None and (axis is None or rule.at.text not in axis.labels):
                self.ctx.report("no-cell", f"there is no label `{rule.at.text}`", rule.at.span)
        return tuple((rule.shape, rule.way, None if rule.at is None else rule.at.text) for rule in draft.rules)

    def check_severity(self, draft: Draft, chart: ir.Chart) -> None:
        """Warn of cells that break a rule, each cell once, errata applied but for those under a condition."""
        if draft.is_ragged or not chart.severity_rules or not chart.cells or not _has_all_values(chart):
            return
        mended = evolve(chart, cells=_mended(chart))
        pairs = zip(chart.severity_rules, draft.rules, strict=True)
        breaks = [(line, found) for rule, line in pairs for found in breaks_of(mended, rule)]
        for group in _by_cell(breaks):
            self._report_breaks(draft, group)

    def _report_breaks(self, draft: Draft, group: list[Found]) -> None:
        rule, first = group[0]
        counts = Counter(spot for _, found in group for spot in {found.first, found.second})
        spot = max((first.second, *counts), key=lambda each: counts[each])
        others = [each for each in dict.fromkeys(s for _, f in group for s in (f.first, f.second)) if each != spot]
        marks = [Mark(cell.span, f"`{cell.text}`") for cell in (_cell_at(draft, each) for each in others[:MAX_MARKED])]
        rules = dict.fromkeys(line.span for line, _ in group)
        a, b = first.codes
        self.ctx.warn(
            "severity-break",
            f"severity {rule.shape} {_way(rule.way)}, but `{a}` is followed by `{b}`",
            _cell_at(draft, spot).span,
            "mend the cell if it is a slip, or say what is meant with `erratum`",
            labels=(*marks, *(Mark(span, "said here") for span in rules)),
        )

    # -- errata -----------------------------------------------------------------------------------------------

    def errata(
        self, draft: Draft, axes: tuple[ir.Axis, ir.Axis | None, ir.Axis | None], scope: Scope
    ) -> tuple[ir.Erratum, ...]:
        """The cells that read otherwise than printed; *axes* are down, across and inside."""
        out = []
        for erratum in draft.errata:
            place = self._place(erratum.place, draft, *axes)
            condition = None if erratum.condition is None else self.condition(erratum.condition, scope)
            if place is None or not draft.pieces(erratum.reads.text):
                continue
            value = self._value(erratum, draft, axes[2], place[3])
            out.append(ir.Erratum(*place, value, condition, note_of(erratum.tail, erratum.span)))
        return tuple(out)

    def _value(self, erratum: t.Erratum, draft: Draft, inside: ir.Axis | None, within: int | None) -> Any:
        pieces = [t.Code(piece, erratum.reads.span) for piece in draft.pieces(erratum.reads.text)]
        # What is wrong with them was said when the type of the cells was worked out.
        with self.ctx.silently():
            values = tuple(self.cell_value(piece, draft.kind) for piece in pieces)
        wanted = len(inside.labels) if inside is not None and within is None else 1
        if len(values) != wanted:
            self.ctx.report(
                "cell-values", f"this cell has {len(values)} values, and {wanted} are needed", erratum.reads.span
            )
        return (values * wanted)[:wanted] if inside is not None and within is None else values[0]

    def _place(
        self, place: t.Place, draft: Draft, down: ir.Axis, across: ir.Axis | None, inside: ir.Axis | None
    ) -> tuple[int, int, int, int | None] | None:
        row = self._index(place.row, down.labels, "row")
        column = self._index(place.column, tuple(code.text for code in draft.columns), "column")
        page = self._page(place, draft)
        within = None
        for what, code in place.rest:
            if what == "inside":
                within = self._index(code, inside.labels if inside else (), "value inside")
                if within is None:
                    return None
        return None if row is None or column is None or page is None else (page, row, column, within)

    def _page(self, place: t.Place, draft: Draft) -> int | None:
        named = [code for what, code in place.rest if what == "page"]
        if not named and len(draft.tables) == 1:
            return 0
        texts = [code.text for code in named]
        for number, page in enumerate(draft.tables):
            if [label.text for label in page.labels] == texts:
                return number
        labels = tuple(", ".join(label.text for label in page.labels) for page in draft.tables)
        if named:
            self._index(t.Code(", ".join(texts), named[0].span), labels, "page")
        else:
            self.ctx.report("no-cell", "this cell stands on every page", place.span, "say which: `..., page LABEL`")
        return None

    def _index(self, code: t.Code, labels: tuple[str, ...], what: str) -> int | None:
        found = index_of(code.text, labels)
        if found is not None:
            return found
        close = similar(code.text, labels)
        self.ctx.report(
            "no-cell",
            f"the chart has no {what} `{code.text}`",
            code.span,
            f"did you mean `{close}`?" if close else "it has " + ", ".join(labels[:MAX_LISTED]),
        )
        return None


def _has_all_values(chart: ir.Chart) -> bool:
    """Whether each cell has a value for each label of the inside axis; that one has not was reported."""
    wanted = len(chart.inside.labels) if chart.inside else None
    cells = [cell for page in chart.cells for row in page for cell in row]
    return wanted is None or all(isinstance(cell, tuple) and len(cell) == wanted for cell in cells)


def _mended(chart: ir.Chart) -> tuple[Any, ...]:
    """The cells as the errata read them."""
    pages = [[list(row) for row in page] for page in chart.cells]
    for erratum in chart.errata:
        if erratum.condition is not None:
            continue
        row = pages[erratum.page][erratum.row]
        if erratum.inside is None:
            row[erratum.column] = erratum.value
        else:
            cell = list(row[erratum.column])
            cell[erratum.inside] = erratum.value
            row[erratum.column] = tuple(cell)
    return tuple(tuple(tuple(row) for row in page) for page in pages)


def _by_cell(breaks: list[Found]) -> list[list[Found]]:
    """Put breaks together that share a cell: one wrong cell breaks its row and its column."""
    groups: list[tuple[set[Spot], list[Found]]] = []
    for each in breaks:
        spots = {each[1].first, each[1].second}
        joined = [group for group in groups if group[0] & spots]
        groups = [group for group in groups if not group[0] & spots]
        members = [one for group in joined for one in group[1]]
        groups.append((spots.union(*(group[0] for group in joined)), [*members, each]))
    return [members for _, members in groups]


def _cell_at(draft: Draft, at: Spot) -> t.Code:
    page, row, column = at
    return draft.tables[page].rows[row + 1].cells[column + 1]


def _way(way: str) -> str:
    return f"to the {way}" if way in ("right", "left") else way
