"""The cells of a chart: codes, numbers, words, lists, other charts, and whether each code has a result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from enfilade.check import coverage
from enfilade.check.axes import AxisType
from enfilade.check.context import similar
from enfilade.check.covering import Covering
from enfilade.check.draft import UNREADABLE, Draft
from enfilade.check.labels import EMPTY, numbers_of
from enfilade.core import ir
from enfilade.core.patterns import match_code, pattern_for
from enfilade.core.types import ChartOf, CodeOf, ListOf, Num, Type, Unknown, Word
from enfilade.core.values import ChartRef
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t

Table: TypeAlias = tuple[tuple[tuple[Any, ...], ...], ...]
Cut: TypeAlias = list[list[list[tuple[t.Code, ...]]]]
Finders: TypeAlias = tuple[tuple[tuple[ir.Match | None, ...], ...], ...]

MAX_MARKED = 8
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?")
_WHOLE = re.compile(r"-?[0-9]{1,18}")


class Cells(Covering):
    """Elaborates cells."""

    def cells(self, draft: Draft, inside: ir.Axis | None) -> tuple[Cut, Table]:
        """The cells of each page, each cut for the inside axis; and as printed. A short row is filled up."""
        cut: Cut = []
        printed = []
        for page in draft.tables:
            rows = [_padded(row, draft.width) for row in page.rows[1:]]
            printed.append(tuple(tuple("-" if cell is None else cell.text for cell in row) for row in rows))
            cut.append([[self._cut(cell, inside) for cell in row] for row in rows])
        return cut, tuple(printed)

    def _cut(self, cell: t.Code | None, inside: ir.Axis | None) -> tuple[t.Code, ...]:
        if cell is None or inside is None:
            return () if cell is None else (cell,)
        pieces = cell.text.replace("/", " ").split()
        if cell.text == UNREADABLE:
            return ()
        if len(pieces) == len(inside.labels):
            return tuple(t.Code(piece, cell.span) for piece in pieces)
        if inside.labels:
            self.ctx.report(
                "cell-values",
                f"this cell has {len(pieces)} values, and {len(inside.labels)} are needed",
                cell.span,
                "one for each of " + ", ".join(inside.labels),
            )
        return ()

    # -- values -----------------------------------------------------------------------------------------------

    def values(self, tree: t.Chart, draft: Draft, cut: Cut, inside: ir.Axis | None) -> tuple[Type, Table]:
        """The type of what is read, and the values of the cells."""
        given = list(_given_codes(draft))
        if "find" in draft.axes:
            labels = [*draft.columns, *given]
            self._check_codes(tree, draft, labels)
            return CodeOf(_distinct(labels), draft.severity), ()
        # Two cells that a lost bar made one are no code; the row was reported.
        lost = {cell.text for page in draft.tables for row in page.rows for cell in draft.lost_bars(row)} | {UNREADABLE}
        codes = [code for page in cut for row in page for cell in row for code in cell if code.text not in lost]
        known = {id(code): self.cell_value(code, draft.kind) for code in (*codes, *given)}
        flat = list(known.values())
        if draft.kind == "lists" and any(isinstance(item, str) for each in flat for item in each):
            known = {key: tuple(map(str, each)) for key, each in known.items()}

        def value(cell: tuple[t.Code, ...]) -> Any:
            found = tuple(known.get(id(code), "-") for code in cell)
            return found if inside is not None else found[0] if found else "-"

        table = tuple(tuple(tuple(value(cell) for cell in row) for row in page) for page in cut)
        if draft.kind in ("codes", "numbers", "words"):
            self._check_codes(tree, draft, [*codes, *given])
        # A line that was not read may have said what the cells are.
        unclear = draft.is_ragged or (draft.kind == "codes" and self.ctx.is_damaged(tree.span))
        return Unknown() if unclear else _type_of(draft, [*codes, *given], flat), table

    def cell_value(self, cell: t.Code, kind: str) -> Any:
        """What a cell, or a code that stands for one, is."""
        match kind:
            case "numbers":
                return self._as_number(cell)
            case "lists":
                pieces = [piece.strip() for piece in cell.text.split(",") if piece.strip() not in ("", "-")]
                return tuple(int(piece) if _WHOLE.fullmatch(piece) else piece for piece in pieces)
            case "charts":
                self._check_chart(cell)
                return ChartRef(cell.text)
        if not cell.text:
            self.ctx.report(
                "empty-cell",
                "this cell is empty",
                cell.span,
                "write what is printed: `-` for no effect, `??` if it can't be read",
            )
        return cell.text

    def _as_number(self, cell: t.Code) -> Any:
        text = cell.text.replace("−", "-")
        if not _NUMBER.fullmatch(text) or ("/" in text and not text.partition("/")[2].strip("0")):
            self.ctx.report(
                "cell-number", f"`{cell.text}` is no number", cell.span, "leave `cells numbers` out if cells are codes"
            )
            return 0
        number = Fraction(text)
        return number.numerator if number.denominator == 1 else number

    def _check_chart(self, cell: t.Code) -> None:
        tree = self.ctx.symbols.charts.get(cell.text)
        if tree is None:
            self.ctx.unknown("chart", t.Ident(cell.text, cell.span), list(self.ctx.symbols.charts))
        elif tree.params:
            self.ctx.report("arguments", f"`{cell.text}` takes arguments, and a cell has none to give", cell.span)

    # -- codes ------------------------------------------------------------------------------------------------

    def _check_codes(self, tree: t.Chart, draft: Draft, codes: list[t.Code]) -> None:
        """Hold the codes of a chart against its severity and its results."""
        present = {code.text: code for code in reversed(codes)}
        results = self.ctx.symbols.results.get(tree.name.name)
        order = draft.severity
        wrong = False
        if results is not None:
            wrong = self._check_results(tree, draft, results, present)
        elif order and draft.kind != "numbers":
            bad = [code for text, code in present.items() if text not in order]
            wrong = bool(bad)
            for code in sorted(bad, key=lambda each: each.span.start):
                self._bad_code(code, list(order), "unknown-code", "is not in the chart's severity, and has no result")
        if draft.order is not None and not wrong and not draft.is_ragged and not draft.lacks_rows:
            for listed in draft.order.codes:
                if listed.text not in present and listed.text not in self._of_others(tree, draft.order):
                    self.ctx.warn("unused-code", f"no cell reads `{listed.text}`", listed.span)
        self._check_order(draft)

    def _of_others(self, tree: t.Chart, order: t.SeverityOrder) -> set[str]:
        """The cells of the other charts that have the same line."""
        others = [
            chart
            for chart in self.ctx.symbols.charts.values()
            if chart.name != tree.name and any(item.line is order for item in chart.items)
        ]
        rows = [row for chart in others for item in chart.items for row in item.rows]
        return {piece for row in rows for cell in row.cells[1:] for piece in (cell.text, *cell.text.split())}

    def _check_order(self, draft: Draft) -> None:
        seen: set[str] = set()
        for code in draft.order.codes if draft.order is not None else ():
            if code.text in seen:
                self.ctx.report("duplicate-name", f"the code `{code.text}` stands here twice", code.span)
            seen.add(code.text)

    def _check_results(self, tree: t.Chart, draft: Draft, results: t.Results, present: dict[str, t.Code]) -> bool:
        """Whether codes and entries do not go together: a code without an entry, an entry without a code."""
        patterns = self.result_patterns(results)
        missing = [code for text, code in present.items() if pattern_for(patterns, text) is None]
        missing.sort(key=lambda code: code.span.start)
        idle = [
            (entry, e)
            for entry, e in zip(patterns.entries, results.entries, strict=True)
            if not entry.then
            and not any(match_code(entry.pattern, text) is not None for text in (*present, *draft.severity))
        ]
        if idle and len(missing) > len(idle):
            self._bad_entry(idle[0][1], missing, tree)
        else:
            known = [*draft.severity, *(entry.pattern.text for entry in patterns.entries)]
            for code in missing:
                self._bad_code(code, known, "code-without-result", "has no entry in the results")
        if (
            not missing
            and not results.also
            and not draft.is_ragged
            and not draft.lacks_rows
            and not self.ctx.is_damaged(tree.span)
        ):
            for _, entry in idle:
                self.ctx.warn(
                    "result-without-code",
                    f"no cell of {tree.name.name} reads `{entry.pattern.text}`",
                    entry.pattern.span,
                )
        return bool(missing)

    def _bad_code(self, cell: t.Code, known: list[str], code: str, why: str) -> None:
        close = similar(cell.text, set(known))
        help_ = "add it there, or mend the cell"
        if close:
            help_ = f"did you mean `{close}`? if not, add it there"
        self.ctx.report(code, f"the code `{cell.text}` {why}", cell.span, help_)

    def _bad_entry(self, entry: t.Entry, missing: list[t.Code], tree: t.Chart) -> None:
        """An entry that is spelled wrongly leaves several codes without a result: one mistake."""
        codes = ", ".join(f"`{code.text}`" for code in missing[:MAX_MARKED])
        self.ctx.report(
            "code-without-result",
            f"no cell of {tree.name.name} reads `{entry.pattern.text}`, and {codes} have no entry",
            entry.pattern.span,
            "mend the code of this entry, or add one for each",
            labels=tuple(Mark(code.span, f"`{code.text}`") for code in missing[:MAX_MARKED]),
        )

    # -- a row that is searched -------------------------------------------------------------------------------

    def finders(self, tree: t.Chart, draft: Draft, find: AxisType | None) -> Finders:
        """What each cell stands for, where the value is found in the row."""
        if find is None:
            return ()
        stated = {edge.where for edge in draft.edges}
        pages = [page.rows[1:] for page in draft.tables]
        return tuple(tuple(self._finder_row(stated, draft, row, find) for row in rows) for rows in pages)

    def _finder_row(self, stated: set[str], draft: Draft, row: t.Row, find: AxisType) -> tuple[ir.Match | None, ...]:
        cells = _padded(row, draft.width)
        filled = [cell for cell in cells if cell is not None and cell.text not in (*EMPTY, "-")]
        labels = {cell.span.start: self._finder(cell, find) for cell in filled}
        present = [label for label in labels.values() if label is not None]
        overlaps = coverage.overlaps_of(present)
        self.report_overlaps("cell", overlaps)
        if present and len(present) == len(filled) and not overlaps:
            self._check_find(stated, find, present, row)
        found = [None if cell is None else labels.get(cell.span.start) for cell in cells]
        return tuple(None if label is None else label.match for label in found)

    def _finder(self, cell: t.Code, find: AxisType) -> coverage.Labelled | None:
        match = numbers_of(cell.text, "contains", find.die)
        if match is None or any(coverage.is_empty(band) for band in match.bands):
            self.ctx.report("label", f"`{cell.text}` is no range of numbers", cell.span)
            return None
        return coverage.Labelled(cell.text, match, cell.span)

    def _check_find(self, stated: set[str], find: AxisType, labels: list[coverage.Labelled], row: t.Row) -> None:
        if not isinstance(find.type, Num):
            return
        matches = [label.match for label in labels]
        for gap in coverage.gaps_of(matches, find.type):
            self.ctx.report("table-gap", f"this row does not cover {gap}", row.span)
        for name, reached in (
            ("column below", coverage.reaches_below(matches, find.type, "contains")),
            ("column above", coverage.reaches_above(matches, find.type, "contains")),
        ):
            if reached and name not in stated:
                # Once for all rows.
                stated.add(name)
                self.ctx.report(
                    "edge-unsaid",
                    f"what is found can be {name.split()[1]} every cell of this row",
                    row.span,
                    f"add a line `{name} stays`, or hold the value: `but within ...`",
                )


def _padded(row: t.Row, width: int) -> list[t.Code | None]:
    cells: list[t.Code | None] = list(row.cells[1 : width + 1])
    return cells + [None] * (width - len(cells))


def _given_codes(draft: Draft) -> Iterator[t.Code]:
    """What edges give and errata read: codes like those of the cells."""
    for edge in draft.edges:
        for action in edge.actions:
            if action.act == "gives" and action.name is not None:
                yield t.Code(action.name, action.span)
    for erratum in draft.errata:
        for piece in draft.pieces(erratum.reads.text):
            yield t.Code(piece, erratum.reads.span)


def _distinct(codes: list[t.Code]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code.text for code in codes))


def _type_of(draft: Draft, codes: list[t.Code], values: list[Any]) -> Type:
    match draft.kind:
        case "numbers":
            if not values:
                return Num()
            return Num(min(values), max(values), all(isinstance(number, int) for number in values))
        case "words":
            return Word(_distinct(codes))
        case "lists":
            items = [item for each in values for item in each]
            if items and all(not isinstance(item, str) for item in items):
                return ListOf(Num(min(items), max(items)))
            return ListOf(Word(tuple(dict.fromkeys(map(str, items)))))
        case "charts":
            return ChartOf(_distinct(codes))
    return CodeOf(tuple(dict.fromkeys([*draft.severity, *_distinct(codes)])), draft.severity)
