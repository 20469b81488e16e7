"""Charts: axes, labels, pages, edges. What is printed becomes what can be read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from attrs import evolve

from enfilade.check import coverage
from enfilade.check.axes import AxisType
from enfilade.check.context import note_of
from enfilade.check.covering import Labels
from enfilade.check.draft import UNREADABLE, Draft, draft_of
from enfilade.check.errata import Errata
from enfilade.check.labels import EMPTY, index_of, match_label
from enfilade.check.scope import Scope
from enfilade.core import ir
from enfilade.core.types import Num, Unknown
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.source.text import Span
from enfilade.syntax import tree as t

MAX_CELLS = 100_000


class Charts(Errata):
    """Elaborates charts."""

    def build_chart(self, tree: t.Chart) -> ir.Chart | None:
        """A chart, with all its mistakes reported; ``None`` where it has no shape at all."""
        draft = draft_of(tree, self._twice)
        scope, params = self.param_scope(tree.params, f"chart {tree.name.name}")
        if not self._has_shape(tree, draft):
            return None
        types = {way: self._not_dice(line, self.axis_type(line.axis, scope)) for way, line in draft.axes.items()}
        page_types = [self._not_dice(line, self.axis_type(line.axis, scope)) for line in draft.pages]
        self._need_inside(draft, types)
        self.ctx.uses[("chart", tree.name.name)] = (scope.used, scope.calls)
        return self._assembled(tree, draft, types, page_types, scope, params)

    def _twice(self, what: str, span: Span) -> None:
        self.ctx.report("duplicate-name", f"the chart has two `{what}` lines", span)

    def _has_shape(self, tree: t.Chart, draft: Draft) -> bool:
        if self._has_lost_header(tree, draft) or tree.like is not None:
            return False
        down = draft.axes.get("down")
        cells = sum(len(row.cells) for page in draft.tables for row in page.rows)
        if cells > MAX_CELLS:
            self.ctx.report("chart-too-large", f"a chart has at most {MAX_CELLS} cells", tree.name.span)
            return False
        if down is None or not draft.tables or not draft.tables[0].rows:
            what = "`down` line" if down is None else "rows"
            self.ctx.report(
                "chart-shape",
                f"the chart `{tree.name.name}` has no {what}",
                tree.name.span,
                "say what finds the row (`down 2d6`), and give a header row and rows",
            )
            return False
        if draft.width < 1:
            self.ctx.report("chart-shape", "a header row has a corner and at least one column",
                            draft.tables[0].rows[0].span)  # fmt: skip
            return False
        return True

    def _has_lost_header(self, tree: t.Chart, draft: Draft) -> bool:
        """Whether a line was not read without which no row is where it seems to be: a header, or a page."""
        source = tree.span.source
        rows = draft.tables[0].rows if draft.tables else []
        end = rows[0].span.start if rows else len(source.text)
        lost = [each for each in self.ctx.lost if each.span.source is source and each.span.start <= tree.span.start]
        lines = [line for each in lost if tree.span.start < each.span.end for line in each.lines]
        return any(source.text[line:].lstrip(" \t").startswith("|") == (line < end) for line in lines)

    def _not_dice(self, line: t.AxisLine, type_: AxisType) -> AxisType:
        if line.way != "down" and type_.dice:
            self.ctx.report(
                "dice-axis",
                f"`{line.way}` can't be dice: what is rolled finds the row",
                line.span,
                "put the dice on the `down` line",
            )
            return evolve(type_, type=Unknown(), dice=(), values=None)
        return type_

    def _need_inside(self, draft: Draft, types: dict[str, AxisType]) -> None:
        if "inside" in types and types["inside"].values is None:
            if not isinstance(types["inside"].type, Unknown):
                self.ctx.report(
                    "inside-open",
                    "the values inside a cell need an end: a small range, or words",
                    draft.axes["inside"].span,
                    "state the range: `inside 1..3 of ...`",
                )
            types["inside"] = evolve(types["inside"], values=())

    def _assembled(
        self,
        tree: t.Chart,
        draft: Draft,
        types: dict[str, AxisType],
        page_types: list[AxisType],
        scope: Scope,
        params: tuple[str, ...],
    ) -> ir.Chart:
        across, find = types.get("across"), types.get("find")
        self._check_readable(draft)
        self._check_shape(draft, across, find)
        self._check_modifiers(tree, types["down"], across)
        down = self._rows(types["down"], tree, draft)
        across_axis = self._columns(across, find, draft, tree, scope)
        self._check_page_headers(draft, across_axis)
        self.check_stray_edges(tree, types["down"], across, find)
        inside = self._inside_axis(types.get("inside"), draft)
        cut, printed = self.cells(draft, inside)
        code_type, values = self.values(tree, draft, cut, inside)
        pages, page_index = self._pages(draft, page_types, tree)
        chart = ir.Chart(
            tree.name.name,
            params,
            pages,
            page_index,
            down,
            across_axis,
            inside,
            None if find is None else ir.Axis(find.node, "contains", (), (), _said(draft.axes["find"])),
            self.finders(tree, draft, find),
            values,
            printed,
            draft.kind,
            code_type,
            draft.severity,
            self.severity_rules(draft, down, across_axis),
            self._edges(draft, scope),
            self.errata(draft, (down, across_axis, inside), scope),
            (),
            (),
            draft.tables[0].rows[0].cells[0].text,
            types["down"].dice,
            note_of(tree.tail, tree.name.span),
            tuple(code.text for code in draft.tables[0].rows[0].cells[1:]),
            _restored(draft),
            self._surplus(draft),
        )
        self.check_severity(draft, chart)
        return chart

    # -- shape ------------------------------------------------------------------------------------------------

    def _check_shape(self, draft: Draft, across: AxisType | None, find: AxisType | None) -> None:
        header = draft.tables[0].rows[0]
        if across is None and find is None and draft.width != 1:
            self.ctx.report(
                "chart-shape",
                f"the chart has {draft.width} columns, and no `across` line says what finds one",
                header.span,
                "add `across ...`",
            )
        if across is not None and find is not None:
            self.ctx.report(
                "chart-shape", "a chart has `across` or `find`, not both", draft.axes["find"].span, "leave one out"
            )
        if across is None and draft.headers:
            self.ctx.report(
                "chart-shape", "header rows need an `across` line", draft.headers[0].span, "add `across ...`"
            )
        for page in draft.tables:
            head = page.rows[0] if page.rows else None
            if len(page.rows) < 2:
                span = head.span if head is not None else page.labels[0].span
                self.ctx.report("chart-shape", "a header row without rows below it", span)
            if page is draft.tables[0] and draft.has_wrong_header:
                self._ragged_header(page.rows[0], page.rows[1])
                continue
            for row in page.rows[1:]:
                if len(row.cells) - 1 != draft.width and not draft.has_wrong_header:
                    self.ctx.report(
                        "ragged-row",
                        f"this row has {_count(len(row.cells) - 1, 'cell')}, and the header {draft.width}",
                        row.span,
                        *(f"is a bar missing in `{cell.text}`?" for cell in draft.lost_bars(row)),
                        labels=(Mark(header.span, f"{draft.width} columns"),),
                    )

    def _ragged_header(self, header: t.Row, row: t.Row) -> None:
        """All rows agree with one another: the header is wrong."""
        self.ctx.report(
            "ragged-row",
            f"the header has {len(header.cells) - 1} columns, and each row {len(row.cells) - 1} cells",
            header.span,
            labels=(Mark(row.span, f"{len(row.cells) - 1} cells"),),
        )

    def _surplus(self, draft: Draft) -> tuple[ir.Surplus, ...]:
        """The columns that are printed and never looked up."""
        if not draft.surplus:
            return ()
        present = {cell.text for page in draft.beyond for cell in (page.rows[0].cells if page.rows else ())}
        for label in (label for line in draft.surplus for label in line.labels):
            if label.text not in present:
                self.ctx.report("no-cell", f"the chart has no column `{label.text}`", label.span)
        note = note_of(draft.surplus[0].tail, draft.surplus[0].span)
        texts = [tuple(tuple(cell.text for cell in row.cells) for row in page.rows) for page in draft.beyond]
        return tuple(ir.Surplus(rows[0] if rows else (), rows[1:], note) for rows in texts)

    def _check_readable(self, draft: Draft) -> None:
        """A cell that can't be read needs an erratum that says how it is read."""
        if any(not _finds_cell(draft, erratum) for erratum in draft.errata):
            return  # It may be the one for this cell: its own mistake is told.
        for page in draft.tables:
            for row in page.rows[1:]:
                for at, cell in enumerate(row.cells[1 : draft.width + 1], start=1):
                    if cell.text == UNREADABLE:
                        where = f"row {row.cells[0].text}, column {page.rows[0].cells[at].text}"
                        message = "this cell can't be read, and nothing says how it is read"
                        help_ = f'add a line `erratum {where} reads CODE assumed "why"`'
                        self.ctx.report("unread-cell", message, cell.span, help_)

    def _check_page_headers(self, draft: Draft, across: ir.Axis | None) -> None:
        if across is not None and any(None in header.matches for header in across.headers) and not draft.headers:
            return
        for page in draft.tables:
            head = page.rows[0] if page.rows else None
            if head is not None and [c.text for c in head.cells[1:]] != [c.text for c in draft.columns]:
                self.ctx.report("page-header", "each page starts with the same header row", head.span)

    def _check_modifiers(self, tree: t.Chart, down: AxisType, across: AxisType | None) -> None:
        """Modifiers need something to shift, or a number to add to."""
        if self.ctx.is_damaged(tree.span):
            return
        for purpose, of in (("shift", across), ("roll", down)):
            fits = of is not None and (purpose == "shift" or isinstance(of.type, (Num, Unknown)))
            trees = [each for each in self.ctx.symbols.modifiers.values() if each.purpose == purpose]
            for block in trees if not fits else []:
                for chart in block.charts:
                    if chart.name == tree.name.name:
                        why = "has no columns to shift" if purpose == "shift" else "is read with words, not numbers"
                        self.ctx.report("modifiers-target", f"`{chart.name}` {why}", chart.span)

    # -- axes -------------------------------------------------------------------------------------------------

    def _rows(self, type_: AxisType, tree: t.Chart, draft: Draft) -> ir.Axis:
        """The rows: their labels are those of the first page; the other pages print the same or are reported."""
        texts = [[row.cells[0] for row in page.rows[1:]] for page in draft.tables]
        first = texts[0]
        labelled = [self.label(code, type_) for code in first]
        present = [label for label in labelled if label is not None]
        natural = type_.type if type_.dice and isinstance(type_.type, Num) else None
        type_ = self.with_modifiers(type_, tree, "roll")
        noted = len(self.ctx.diagnostics)
        self.check_cover(Labels(tree, "row", type_, natural, present, len(present) == len(labelled)))
        draft.lacks_rows = any(d.code == "table-gap" for d in self.ctx.diagnostics[noted:])
        for other in texts[1:]:
            if None not in labelled and [code.text for code in other] != [code.text for code in first]:
                self.ctx.report(
                    "page-rows", "each page has the same row labels", other[0].span if other else tree.name.span
                )
        header = ir.Header(tuple(None if label is None else label.match for label in labelled))
        note = _said(draft.axes["down"])
        return ir.Axis(type_.node, type_.mode, tuple(code.text for code in first), (header,), note)

    def _columns(
        self, across: AxisType | None, find: AxisType | None, draft: Draft, tree: t.Chart, scope: Scope
    ) -> ir.Axis | None:
        columns = draft.columns
        texts = tuple(code.text for code in columns)
        self._distinct_columns(columns)
        if across is None:
            return ir.Axis(None, "contains", texts, ()) if find is not None else None
        lines = [(line, line.cells) for line in draft.headers] or across.headers
        if lines:
            headers = tuple(self._header(line, cells, across, len(texts), scope) for line, cells in lines)
            self.check_header_edges(headers, across, tree)
            self.check_header_gap(headers, across)
        else:
            labelled = [self.label(code, across) for code in columns]
            headers = (ir.Header(tuple(None if label is None else label.match for label in labelled)),)
            present = [label for label in labelled if label is not None]
            whole = len(present) == len(labelled) and not draft.has_wrong_header
            self.check_cover(Labels(tree, "column", across, None, present, whole))
        self.check_shift_edges(tree)
        return ir.Axis(across.node, across.mode, texts, headers, _said(draft.axes["across"]))

    def _distinct_columns(self, columns: Sequence[t.Code]) -> None:
        seen: dict[str, t.Code] = {}
        for code in columns:
            if code.text in seen and code.text not in EMPTY:
                self.ctx.report(
                    "duplicate-column",
                    f"the column `{code.text}` stands here twice",
                    code.span,
                    labels=(Mark(seen[code.text].span, "first here"),),
                )
            seen.setdefault(code.text, code)

    def _header(
        self, line: t.HeaderLine, cells: tuple[t.Code, ...], axis: AxisType, width: int, scope: Scope
    ) -> ir.Header:
        condition = None if line.condition is None else self.condition(line.condition, scope)
        if len(cells) != width:
            few = ("write `•` for a column in which nothing starts",) if len(cells) < width else ()
            message = f"this header row has {_count(len(cells), 'label')}, and the chart {width} columns"
            self.ctx.report("ragged-row", message, line.span, *few)
        labels = [None if code.text in EMPTY else self.label(code, axis) for code in cells]
        matches = tuple(None if label is None else label.match for label in labels)
        if axis.mode == "contains" and isinstance(axis.type, Num):
            present = [label for label in labels if label is not None]
            whole = len(present) == len([code for code in cells if code.text not in EMPTY])
            gaps = coverage.gaps_of([label.match for label in present], axis.type) if whole else []
            overlaps = coverage.overlaps_of(present)
            self.report_overlaps("column", overlaps, gaps)
            for gap in gaps[len(overlaps) :]:
                self.ctx.report("table-gap", f"this header row does not cover {gap}", line.span)
        texts = tuple(None if code.text in EMPTY else code.text for code in cells)
        short = (None,) * (width - len(cells))
        note = note_of(line.tail, line.span)
        return ir.Header((matches + short)[:width], condition, note, (texts + short)[:width])

    def _inside_axis(self, type_: AxisType | None, draft: Draft) -> ir.Axis | None:
        if type_ is None or type_.values is None:
            return None
        matches = tuple(match_label(text, type_.type, "contains", None) for text in type_.values)
        return ir.Axis(type_.node, "contains", type_.values, (ir.Header(matches),), _said(draft.axes["inside"]))

    def _pages(
        self, draft: Draft, types: list[AxisType], tree: t.Chart
    ) -> tuple[tuple[ir.Axis, ...], dict[tuple[int, ...], int]]:
        if not types:
            if len(draft.tables) > 1:
                self.ctx.report(
                    "chart-shape", "a chart with pages says what finds the page", tree.name.span, "add `pages ...`"
                )
            return (), {}
        axes, index = [], {}
        for way, type_ in enumerate(types):
            codes = {page.labels[way].text: page.labels[way] for page in draft.tables if len(page.labels) > way}
            labels = [self.label(code, type_) for code in codes.values()]
            present = [label for label in labels if label is not None]
            self.check_cover(Labels(tree, "page", type_, None, present, len(present) == len(labels)))
            header = ir.Header(tuple(None if label is None else label.match for label in labels))
            axes.append(ir.Axis(type_.node, "contains", tuple(codes), (header,), _said(draft.pages[way])))
        for number, page in enumerate(draft.tables):
            if len(page.labels) != len(types):
                self.ctx.report(
                    "chart-shape",
                    f"a page has {len(types)} labels",
                    page.labels[0].span if page.labels else tree.name.span,
                )
                continue
            key = tuple(axes[way].labels.index(label.text) for way, label in enumerate(page.labels))
            if key in index:
                names = ", ".join(label.text for label in page.labels)
                self.ctx.report("duplicate-name", f"the page {names} stands here twice", page.labels[0].span)
            index[key] = number
        for key in product(*(range(len(axis.labels)) for axis in axes)):
            if key not in index:
                names = ", ".join(axis.labels[at] for axis, at in zip(axes, key, strict=True))
                self.ctx.report("table-gap", f"the chart has no page for {names}", tree.name.span)
        return tuple(axes), index

    # -- edges ------------------------------------------------------------------------------------------------

    def _edges(self, draft: Draft, scope: Scope) -> dict[str, ir.Edge]:
        edges: dict[str, ir.Edge] = {}
        for edge in draft.edges:
            if edge.where in edges:
                self.ctx.report("duplicate-name", f"`{edge.where}` is said twice", edge.span)
            actions = tuple(self._action(action, draft, scope) for action in edge.actions)
            edges[edge.where] = ir.Edge(edge.where, actions, note_of(edge.tail, edge.span))
        return edges

    def _action(self, action: t.EdgeAction, draft: Draft, scope: Scope) -> ir.EdgeAction:
        condition = None if action.condition is None else self.condition(action.condition, scope)
        if action.act != "gives" or action.name is None:
            return ir.EdgeAction(action.act, action.name, condition)
        # What is wrong with it was said when the type of the cells was worked out.
        with self.ctx.silently():
            value = self.cell_value(t.Code(action.name, action.span), "codes" if "find" in draft.axes else draft.kind)
        return ir.EdgeAction(action.act, value, condition)


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _finds_cell(draft: Draft, erratum: t.Erratum) -> bool:
    columns = [code.text for code in draft.columns]
    rows = [row.cells[0].text for page in draft.tables for row in page.rows[1:]]
    return index_of(erratum.place.column.text, columns) is not None and (
        index_of(erratum.place.row.text, list(dict.fromkeys(rows))) is not None
    )


def _restored(draft: Draft) -> frozenset[tuple[int, int, int]]:
    """The cells that can't be read and are given as an erratum reads them."""
    marks = {id(cell) for cell in draft.restored}
    return frozenset(
        (page, row, column)
        for page, table in enumerate(draft.tables)
        for row, line in enumerate(table.rows[1:])
        for column, cell in enumerate(line.cells[1:])
        if id(cell) in marks
    )


def _said(line: t.AxisLine) -> ir.Note:
    """What the line of an axis says about itself, or nothing."""
    note = note_of(line.tail, line.span)
    return note if note.label or note.cites or note.assumed else ir.NO_NOTE
