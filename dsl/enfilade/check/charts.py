"""Charts: axes, labels, cells, edges, errata. What is printed becomes what can be read."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import define, evolve, field

from enfilade.check import coverage, intervals
from enfilade.check.axes import Axes, AxisType
from enfilade.check.base import Base
from enfilade.check.context import note_of
from enfilade.check.labels import EMPTY, match_label, numbers_of
from enfilade.check.scope import Scope
from enfilade.check.severity import breaks_of
from enfilade.core import ir
from enfilade.core.patterns import pattern_for
from enfilade.core.types import ChartOf, CodeOf, ListOf, Num, ReadingOf, TallyOf, Type, Unknown, Word
from enfilade.core.values import ChartRef
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.diagnostics.suggest import nearest
from enfilade.syntax import tree as t

MAX_CELLS = 100_000
MAX_GIVEN = 3

Table = tuple[tuple[tuple[Any, ...], ...], ...]


@define
class _Page:
    """The rows of one page as printed: the first is the header."""

    labels: tuple[t.Code, ...]
    rows: list[t.Row] = field(factory=list)


@define
class _Draft:
    """What the lines of a chart say, sorted."""

    axes: dict[str, t.AxisLine] = field(factory=dict)
    pages: list[t.AxisLine] = field(factory=list)
    kind: str = "codes"
    order: t.SeverityOrder | None = None
    rules: list[t.SeverityRule] = field(factory=list)
    edges: list[t.Edge] = field(factory=list)
    headers: list[t.HeaderLine] = field(factory=list)
    errata: list[t.Erratum] = field(factory=list)
    tables: list[_Page] = field(factory=list)


class Charts(Axes, Base):
    """Elaborates charts."""

    def build_chart(self, tree: t.Chart) -> ir.Chart | None:
        """A chart, with all its mistakes reported; ``None`` where it has no shape at all."""
        draft = self._sorted_lines(tree)
        scope, params = self.param_scope(tree.params, f"chart {tree.name.name}")
        down = draft.axes.get("down")
        if down is None or not draft.tables or len(draft.tables[0].rows) < 1:
            what = "a `down` line" if down is None else "rows"
            self.ctx.report(
                "chart-shape",
                f"the chart `{tree.name.name}` has no {what}",
                tree.name.span,
                "say what finds the row (`down 2d6`), and give a header row and rows",
            )
            return None
        types = {way: self.axis_type(line.axis, scope) for way, line in draft.axes.items()}
        page_types = [self.axis_type(line.axis, scope) for line in draft.pages]
        self._need_inside(tree, draft, types)
        self.ctx.uses[("chart", tree.name.name)] = (scope.used, scope.calls)
        return self._assembled(tree, draft, types, page_types, scope, params)

    def _sorted_lines(self, tree: t.Chart) -> _Draft:
        draft = _Draft()
        for item in tree.items:
            line = item.line
            match line:
                case t.AxisLine():
                    self._take_axis(draft, line)
                case t.CellsLine():
                    draft.kind = line.kind
                case t.SeverityOrder():
                    draft.order = line
                case t.SeverityRule():
                    draft.rules.append(line)
                case t.Edge():
                    draft.edges.append(line)
                case t.HeaderLine():
                    draft.headers.append(line)
                case t.Erratum():
                    draft.errata.append(line)
                case t.PageLine():
                    draft.tables.append(_Page(line.labels))
            if item.rows:
                if not draft.tables:
                    draft.tables.append(_Page(()))
                draft.tables[-1].rows += item.rows
        return draft

    def _take_axis(self, draft: _Draft, line: t.AxisLine) -> None:
        if line.way == "pages":
            draft.pages.append(line)
        elif line.way in draft.axes:
            self.ctx.report("duplicate-name", f"the chart has two `{line.way}` lines", line.span)
        else:
            draft.axes[line.way] = line

    def _need_inside(self, tree: t.Chart, draft: _Draft, types: dict[str, AxisType]) -> None:
        if "inside" in types and types["inside"].values is None:
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
        draft: _Draft,
        types: dict[str, AxisType],
        page_types: list[AxisType],
        scope: Scope,
        params: tuple[str, ...],
    ) -> ir.Chart:
        header = draft.tables[0].rows[0]
        across, find = types.get("across"), types.get("find")
        columns = header.cells[1:]
        self._check_shape(tree, draft, header, across or find)
        row_texts = self._row_labels(draft)
        down = self._axis(types["down"], "down", row_texts, tree, draft)
        across_axis = self._columns(across, find, columns, draft, tree, scope)
        inside = self._inside_axis(types.get("inside"))
        cells, printed = self._cells(draft, inside, find)
        code_type, values = self._values(tree, draft, cells)
        pages, page_index = self._pages(draft, page_types, tree)
        chart = ir.Chart(
            tree.name.name,
            params,
            pages,
            page_index,
            down,
            across_axis,
            inside,
            None if find is None else ir.Axis(find.node, "contains", (), ()),
            self._finders(draft, find),
            values,
            printed,
            draft.kind,
            code_type,
            self._order(draft),
            self._rules(draft, down, across_axis),
            self._edges(draft, code_type, scope),
            self._errata(draft, down, across_axis, inside, pages, scope),
            (),
            (),
            header.cells[0].text,
            types["down"].dice,
            note_of(tree.tail, tree.name.span),
        )
        self._check_severity(tree, draft, chart)
        return chart

    # -- shape ------------------------------------------------------------------------------------------------

    def _check_shape(self, tree: t.Chart, draft: _Draft, header: t.Row, across: AxisType | None) -> None:
        width = len(header.cells)
        if across is None and width != 2:
            self.ctx.report(
                "chart-shape",
                f"the chart has {width - 1} columns, and no `across` line says what finds one",
                header.span,
                "add `across ...`",
            )
        total = 0
        for page in draft.tables:
            head = page.rows[0] if page.rows else None
            if head is not None and [c.text for c in head.cells[1:]] != [c.text for c in header.cells[1:]]:
                self.ctx.report("page-header", "each page starts with the same header row", head.span)
            if len(page.rows) < 2:
                span = head.span if head is not None else page.labels[0].span
                self.ctx.report("chart-shape", "a header row without rows below it", span)
            for row in page.rows[1:]:
                total += len(row.cells)
                if len(row.cells) != width:
                    self.ctx.report(
                        "ragged-row",
                        f"this row has {len(row.cells) - 1} cells, and the header {width - 1}",
                        row.span,
                        labels=(Mark(header.span, f"{width - 1} columns"),),
                    )
        if total > MAX_CELLS:
            self.ctx.report("chart-too-large", f"a chart has at most {MAX_CELLS} cells", tree.name.span)

    def _row_labels(self, draft: _Draft) -> list[list[t.Code]]:
        return [[row.cells[0] for row in page.rows[1:]] for page in draft.tables]

    def _cells(
        self, draft: _Draft, inside: ir.Axis | None, find: AxisType | None
    ) -> tuple[list[list[list[Any]]], Table]:
        """The cells of each page, cut for the inside axis, padded where a row was short; and as printed."""
        width = len(draft.tables[0].rows[0].cells) - 1
        pages: list[list[list[Any]]] = []
        printed = []
        for page in draft.tables:
            rows = [_padded(row, width) for row in page.rows[1:]]
            printed.append(tuple(tuple(cell.text for cell in row) for row in rows))
            pages.append([[self._cut(cell, inside) for cell in row] for row in rows])
        return pages, tuple(printed)

    def _cut(self, cell: t.Code, inside: ir.Axis | None) -> Any:
        if inside is None:
            return cell
        pieces = cell.text.replace("/", " ").split()
        if len(pieces) != len(inside.labels):
            self.ctx.report(
                "cell-values",
                f"this cell has {len(pieces)} values, and {len(inside.labels)} are needed",
                cell.span,
                "one for each of " + ", ".join(inside.labels),
            )
            pieces = (pieces + ["-"] * len(inside.labels))[: len(inside.labels)]
        return tuple(t.Code(piece, cell.span) for piece in pieces)

    # -- axes -------------------------------------------------------------------------------------------------

    def _axis(self, type_: AxisType, way: str, texts: list[list[t.Code]], tree: t.Chart, draft: _Draft) -> ir.Axis:
        """The rows: their labels are those of the first page; the other pages print the same or are reported."""
        first = texts[0]
        labelled = [self._label(code, type_) for code in first]
        present = [label for label in labelled if label is not None]
        type_ = self._with_modifiers(type_, tree, "roll")
        self._check_cover(type_, "row", present, tree, draft)
        for other in texts[1:]:
            if [code.text for code in other] != [code.text for code in first]:
                self.ctx.report(
                    "page-rows", "each page has the same row labels", other[0].span if other else tree.name.span
                )
        header = ir.Header(tuple(None if label is None else label.match for label in labelled))
        note = note_of(draft.axes["down"].tail, draft.axes["down"].span)
        return ir.Axis(type_.node, type_.mode, tuple(code.text for code in first), (header,), _if_said(note))

    def _columns(
        self,
        across: AxisType | None,
        find: AxisType | None,
        columns: tuple[t.Code, ...],
        draft: _Draft,
        tree: t.Chart,
        scope: Scope,
    ) -> ir.Axis | None:
        texts = tuple(code.text for code in columns)
        self._distinct_columns(columns)
        if across is None:
            return ir.Axis(None, "contains", texts, ()) if find is not None else None
        lines = [(line, line.cells) for line in draft.headers] or across.headers
        if lines:
            headers = tuple(self._header(line, cells, across, len(texts), scope) for line, cells in lines)
        else:
            labelled = [self._label(code, across) for code in columns]
            headers = (ir.Header(tuple(None if label is None else label.match for label in labelled)),)
            shifted = across
            self._check_cover(shifted, "column", [label for label in labelled if label is not None], tree, draft)
        if lines:
            self._check_header_edges(headers, across, tree, draft)
        self._check_shift_edges(tree, draft)
        note = note_of(draft.axes["across"].tail, draft.axes["across"].span)
        return ir.Axis(across.node, across.mode, texts, headers, _if_said(note))

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
            self.ctx.report(
                "ragged-row", f"this header row has {len(cells)} labels, and the chart {width} columns", line.span
            )
        labels = [None if code.text in EMPTY else self._label(code, axis) for code in cells]
        matches = tuple(None if label is None else label.match for label in labels)
        overlap = coverage.overlap_of([label for label in labels if label is not None])
        if overlap is not None and axis.mode == "contains":
            self._overlap("column", overlap)
        return ir.Header((matches + (None,) * width)[:width], condition, note_of(line.tail, line.span))

    def _inside_axis(self, type_: AxisType | None) -> ir.Axis | None:
        if type_ is None or type_.values is None:
            return None
        matches = tuple(match_label(text, type_.type, "contains", None) for text in type_.values)
        return ir.Axis(type_.node, "contains", type_.values, (ir.Header(matches),))

    def _pages(
        self, draft: _Draft, types: list[AxisType], tree: t.Chart
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
            labels = [self._label(code, type_) for code in codes.values()]
            present = [label for label in labels if label is not None]
            self._check_cover(type_, "page", present, tree, draft)
            header = ir.Header(tuple(None if label is None else label.match for label in labels))
            axes.append(ir.Axis(type_.node, "contains", tuple(codes), (header,)))
        for number, page in enumerate(draft.tables):
            if len(page.labels) != len(types):
                self.ctx.report(
                    "chart-shape",
                    f"a page has {len(types)} labels",
                    page.labels[0].span if page.labels else tree.name.span,
                )
                continue
            index[tuple(axes[way].labels.index(label.text) for way, label in enumerate(page.labels))] = number
        for key in product(*(range(len(axis.labels)) for axis in axes)):
            if key not in index:
                names = ", ".join(axis.labels[at] for axis, at in zip(axes, key, strict=True))
                self.ctx.report("table-gap", f"the chart has no page for {names}", tree.name.span)
        return tuple(axes), index

    def _label(self, code: t.Code, axis: AxisType) -> coverage.Labelled | None:
        if isinstance(axis.type, Unknown):
            return None
        match = match_label(code.text, axis.type, axis.mode, axis.die)
        if match is not None:
            return coverage.Labelled(code.text, match, code.span)
        words = axis.values if isinstance(axis.type, Word) else None
        close = nearest(code.text, sorted(words)) if words else None
        help_ = f"did you mean `{close}`?" if close else "write `7`, `3..5`, `6,7`, `12+`, or a word of that fact"
        self.ctx.report("label", f"the label `{code.text}` does not fit what is looked up", code.span, help_)
        return None

    # -- coverage and edges -----------------------------------------------------------------------------------

    def _with_modifiers(self, type_: AxisType, tree: t.Chart, purpose: str) -> AxisType:
        num = type_.type
        if not isinstance(num, Num):
            return type_
        for block in self.attached(tree.name.name, purpose):
            num = intervals.add(num, _total(block))
        return evolve(type_, type=num)

    def _check_cover(
        self, axis: AxisType, what: str, labels: list[coverage.Labelled], tree: t.Chart, draft: _Draft
    ) -> None:
        overlap = coverage.overlap_of(labels) if axis.mode == "contains" else None
        if overlap is not None:
            self._overlap(what, overlap)
        matches = [label.match for label in labels]
        if isinstance(axis.type, Num) and matches:
            self._check_numbers(axis, axis.type, what, labels, tree, draft)
        elif isinstance(axis.type, Word):
            taken = [word for match in matches for word in match.words]
            missing = [word for word in axis.type.words if word not in taken]
            if missing:
                self.ctx.report(
                    "table-gap",
                    f"the {what}s of {tree.name.name} do not cover {', '.join(missing)}",
                    tree.name.span,
                    f"add a {what} for it, or write it beside another: `a, b`",
                )
            twice = next((word for word in taken if taken.count(word) > 1), None)
            if twice is not None:
                label = [each for each in labels if twice in each.match.words][1]
                self.ctx.report("table-overlap", f"`{twice}` stands in two {what}s", label.span)

    def _overlap(self, what: str, overlap: coverage.Overlap) -> None:
        self.ctx.report(
            "table-overlap",
            f"two {what}s take {overlap.value}",
            overlap.second.span,
            labels=(Mark(overlap.first.span, "the other"),),
        )

    def _check_numbers(
        self, axis: AxisType, num: Num, what: str, labels: list[coverage.Labelled], tree: t.Chart, draft: _Draft
    ) -> None:
        matches = [label.match for label in labels]
        if axis.mode == "contains":
            gap = coverage.gap_of(matches, num) if num.whole else None
            if gap is not None:
                self._gap(gap, num, what, labels, tree)
            if not num.whole:
                self.ctx.report(
                    "axis-fraction",
                    f"the value may be a fraction, and a {what} label takes whole numbers only",
                    axis.span,
                    f"write `{what} at or below`, `{what} at or above`, or round it",
                )
            for label in labels:
                if coverage.out_of_reach(label.match, num):
                    low, high = num.low, num.high
                    self.ctx.warn(
                        "unreachable",
                        f"the {what} `{label.text}` can never be reached",
                        label.span,
                        f"the value is {'' if low is None else low}..{'' if high is None else high}",
                    )
        if what != "page":
            stated = {edge.where for edge in draft.edges}
            self._edge(
                f"{what} below",
                coverage.reaches_below(matches, num, axis.mode),
                stated,
                labels,
                num,
                draft,
                bool(axis.dice),
            )
            self._edge(
                f"{what} above",
                coverage.reaches_above(matches, num, axis.mode),
                stated,
                labels,
                num,
                draft,
                bool(axis.dice),
            )

    def _gap(self, gap: int, num: Num, what: str, labels: list[coverage.Labelled], tree: t.Chart) -> None:
        before = [label for label in labels if (high := _high(label)) is not None and high < gap]
        span = before[-1].span if before else labels[0].span
        self.ctx.report(
            "table-gap",
            f"the {what}s of {tree.name.name} do not cover {gap}",
            span,
            f"add a {what} for {gap}, or let a label take it: `6,7` or `6..7`",
        )

    def _edge(
        self,
        name: str,
        reached: bool,
        stated: set[str],
        labels: list[coverage.Labelled],
        num: Num,
        draft: _Draft,
        dice: bool,
    ) -> None:
        if reached and name not in stated:
            end = labels[0] if name.endswith("below") else labels[-1]
            value = num.low if name.endswith("below") else num.high
            shown = "any number" if value is None else str(value)
            self.ctx.report(
                "edge-unsaid",
                f"the value can be {name.split()[1]} every label (it goes to {shown}), and the chart "
                "does not say what happens then",
                end.span,
                f"add a line `{name} stays`, `{name} gives CODE` or `{name} refuse slug`",
            )
        if not reached and name in stated and not (name.startswith("row") and dice):
            edge = next(edge for edge in draft.edges if edge.where == name)
            self.ctx.warn("edge-unreachable", f"nothing can be {name.split()[1]} the {name.split()[0]}s", edge.span)

    def _check_header_edges(self, headers: tuple[ir.Header, ...], axis: AxisType, tree: t.Chart, draft: _Draft) -> None:
        if not isinstance(axis.type, Num):
            return
        present = [[m for m in header.matches if m is not None] for header in headers]
        labels = [coverage.Labelled("", m[0], axis.span) for m in present if m]
        stated = {edge.where for edge in draft.edges}
        below = any(coverage.reaches_below(matches, axis.type, axis.mode) for matches in present if matches)
        above = any(coverage.reaches_above(matches, axis.type, axis.mode) for matches in present if matches)
        if labels:
            self._edge("column below", below, stated, labels, axis.type, draft, False)
            self._edge("column above", above, stated, labels, axis.type, draft, False)
        if headers and all(header.condition is not None for header in headers) and len(headers) == 1:
            self.ctx.warn("header-gap", "this header row may not hold, and there is no other", axis.span)

    def _check_shift_edges(self, tree: t.Chart, draft: _Draft) -> None:
        blocks = self.attached(tree.name.name, "shift")
        total = Num(0, 0)
        for block in blocks:
            total = intervals.add(total, _total(block))
        stated = {edge.where for edge in draft.edges}
        for name, reached in (
            ("shift left", total.low is None or total.low < 0),
            ("shift right", total.high is None or total.high > 0),
        ):
            side = name.split()[1]
            if reached and name not in stated:
                self.ctx.report(
                    "edge-unsaid",
                    f"modifiers can shift off the {side} of {tree.name.name}, and the chart does not "
                    "say what happens then",
                    tree.name.span,
                    f"add a line `shift off {side} stays`, `gives CODE` or `refuse slug`",
                )
            if not reached and name in stated:
                edge = next(edge for edge in draft.edges if edge.where == name)
                self.ctx.warn("edge-unreachable", f"no modifier shifts to the {side}", edge.span)

    def _edges(self, draft: _Draft, code_type: Type, scope: Scope) -> dict[str, ir.Edge]:
        edges: dict[str, ir.Edge] = {}
        for edge in draft.edges:
            if edge.where in edges:
                self.ctx.report("duplicate-name", f"`{edge.span.text.split(' stays')[0]}` is said twice", edge.span)
            actions = tuple(
                ir.EdgeAction(
                    a.act,
                    self._given_code(a, code_type),
                    None if a.condition is None else self.condition(a.condition, scope),
                )
                for a in edge.actions
            )
            edges[edge.where] = ir.Edge(edge.where, actions, note_of(edge.tail, edge.span))
        return edges

    def _given_code(self, action: t.EdgeAction, code_type: Type) -> Any:
        if action.act != "gives" or action.name is None:
            return action.name
        if isinstance(code_type, Num):
            return self._as_number(t.Code(action.name, action.span))
        return action.name

    # -- cells ------------------------------------------------------------------------------------------------

    def _values(self, tree: t.Chart, draft: _Draft, cells: list[list[list[Any]]]) -> tuple[Type, Table]:
        if "find" in draft.axes:
            labels = tuple(code.text for code in draft.tables[0].rows[0].cells[1:])
            return CodeOf(labels, self._order(draft)), ()
        flat: list[Any] = []

        def convert(cell: Any) -> Any:
            if isinstance(cell, tuple):
                return tuple(convert(each) for each in cell)
            value = self._cell_value(cell, draft.kind)
            flat.append(value)
            return value

        values = tuple(tuple(tuple(convert(cell) for cell in row) for row in page) for page in cells)
        given = [
            action.name for edge in draft.edges for action in edge.actions if action.act == "gives" and action.name
        ]
        return self._code_type(tree, draft, flat, given, cells), values

    def _cell_value(self, cell: t.Code, kind: str) -> Any:
        match kind:
            case "numbers":
                return self._as_number(cell)
            case "lists":
                pieces = [piece.strip() for piece in cell.text.split(",") if piece.strip() not in ("", "-")]
                return tuple(_number_or_text(piece) for piece in pieces)
            case "charts":
                if cell.text not in self.ctx.symbols.charts:
                    self.ctx.unknown("chart", t.Ident(cell.text, cell.span), list(self.ctx.symbols.charts))
                return ChartRef(cell.text)
        return cell.text

    def _as_number(self, cell: t.Code) -> Any:
        try:
            number = Fraction(cell.text.replace("−", "-"))
        except (ValueError, ZeroDivisionError):
            self.ctx.report(
                "cell-number", f"`{cell.text}` is no number", cell.span, "leave `cells numbers` out if cells are codes"
            )
            return 0
        return number.numerator if number.denominator == 1 else number

    def _code_type(
        self, tree: t.Chart, draft: _Draft, flat: list[Any], given: list[str], cells: list[list[list[Any]]]
    ) -> Type:
        match draft.kind:
            case "numbers":
                more = [self._as_number(t.Code(code, tree.name.span)) for code in given]
                more += [self._as_number(e.reads) for e in draft.errata]
                numbers = [*flat, *more]
                if not numbers:
                    return Num()
                return Num(min(numbers), max(numbers), all(isinstance(number, int) for number in numbers))
            case "words":
                return Word(tuple(dict.fromkeys([*map(str, flat), *given])))
            case "lists":
                items = [item for each in flat for item in each]
                if items and all(not isinstance(item, str) for item in items):
                    return ListOf(Num(min(items), max(items)))
                return ListOf(Word(tuple(dict.fromkeys(map(str, items)))))
            case "charts":
                return ChartOf(tuple(dict.fromkeys(ref.name for ref in flat)))
        codes = [*map(str, flat), *given, *(piece for e in draft.errata for piece in _pieces(e.reads.text, draft))]
        order = self._order(draft)
        self._check_codes(tree, draft, cells, order, set(codes))
        return CodeOf(tuple(dict.fromkeys([*order, *codes])), order)

    def _order(self, draft: _Draft) -> tuple[str, ...]:
        return () if draft.order is None else tuple(dict.fromkeys(code.text for code in draft.order.codes))

    def _check_codes(
        self, tree: t.Chart, draft: _Draft, cells: list[list[list[Any]]], order: tuple[str, ...], present: set[str]
    ) -> None:
        results = self.ctx.symbols.results.get(tree.name.name)
        patterns = None if results is None else self.result_patterns(results)
        reported: set[str] = set()
        for cell in _all_cells(cells):
            code = cell.text
            if code in reported:
                continue
            known = code in order or (patterns is not None and pattern_for(patterns, code) is not None)
            if patterns is not None and pattern_for(patterns, code) is None:
                reported.add(code)
                self._bad_code(cell, order, results, "code-without-result", "has no entry in the results")
            elif order and not known:
                reported.add(code)
                self._bad_code(
                    cell, order, results, "unknown-code", "is not in the chart's severity, and has no result"
                )
        if draft.order is not None:
            for listed in draft.order.codes:
                if listed.text not in present:
                    self.ctx.warn("unused-code", f"no cell reads `{listed.text}`", listed.span)

    def _bad_code(self, cell: t.Code, order: tuple[str, ...], results: t.Results | None, code: str, why: str) -> None:
        known = [*order, *(entry.pattern.text for entry in results.entries)] if results else list(order)
        close = nearest(cell.text, sorted(set(known)))
        help_ = f"did you mean `{close}`?" if close else "add it there, or mend the cell"
        self.ctx.report(code, f"the code `{cell.text}` {why}", cell.span, help_)

    def _finders(self, draft: _Draft, find: AxisType | None) -> tuple[tuple[tuple[ir.Match | None, ...], ...], ...]:
        if find is None:
            return ()
        width = len(draft.tables[0].rows[0].cells) - 1
        pages = []
        for page in draft.tables:
            rows = []
            for row in page.rows[1:]:
                labels = [
                    None if c.text in EMPTY or c.text == "-" else self._finder(c, find) for c in _padded(row, width)
                ]
                present = [label for label in labels if label is not None]
                overlap = coverage.overlap_of(present)
                if overlap is not None:
                    self._overlap("cell", overlap)
                self._check_find(find, present, row, draft)
                rows.append(tuple(None if label is None else label.match for label in labels))
            pages.append(tuple(rows))
        return tuple(pages)

    def _finder(self, cell: t.Code, find: AxisType) -> coverage.Labelled | None:
        match = numbers_of(cell.text, "contains", find.die)
        if match is None:
            self.ctx.report("label", f"`{cell.text}` is no range of numbers", cell.span)
            return None
        return coverage.Labelled(cell.text, match, cell.span)

    def _check_find(self, find: AxisType, labels: list[coverage.Labelled], row: t.Row, draft: _Draft) -> None:
        if not labels or not isinstance(find.type, Num):
            return
        matches = [label.match for label in labels]
        gap = coverage.gap_of(matches, find.type)
        if gap is not None:
            self.ctx.report("table-gap", f"this row does not cover {gap}", row.span)
        stated = {edge.where for edge in draft.edges}
        for name, reached in (
            ("column below", coverage.reaches_below(matches, find.type, "contains")),
            ("column above", coverage.reaches_above(matches, find.type, "contains")),
        ):
            if reached and name not in stated:
                self.ctx.report(
                    "edge-unsaid",
                    f"what is found can be {name.split()[1]} every cell of this row",
                    row.span,
                    f"add a line `{name} stays`, or hold the value: `but within ...`",
                )

    # -- severity and errata ----------------------------------------------------------------------------------

    def _rules(self, draft: _Draft, down: ir.Axis, across: ir.Axis | None) -> tuple[tuple[str, str, str | None], ...]:
        if draft.rules and draft.order is None:
            self.ctx.report("no-severity", "say the order first: `severity - < M < X`", draft.rules[0].span)
            return ()
        for rule in draft.rules:
            axis = across if rule.way in ("right", "left") else down
            if rule.at is not None and (axis is None or rule.at.text not in axis.labels):
                self.ctx.report("label", f"there is no label `{rule.at.text}`", rule.at.span)
        return tuple((rule.shape, rule.way, None if rule.at is None else rule.at.text) for rule in draft.rules)

    def _check_severity(self, tree: t.Chart, draft: _Draft, chart: ir.Chart) -> None:
        if any(len(row.cells) != len(draft.tables[0].rows[0].cells) for page in draft.tables for row in page.rows):
            return
        for rule, line in zip(chart.severity_rules, draft.rules, strict=False):
            for broken in breaks_of(chart, rule):
                first, second = (self._cell_at(draft, at) for at in (broken.first, broken.second))
                a, b = broken.codes
                self.ctx.warn(
                    "severity-break",
                    f"severity {rule[0]} {_way(rule[1])}, but `{a}` is followed by `{b}`",
                    second.span,
                    "mend the cell if it is a slip, or leave it and say so with `erratum`",
                    labels=(Mark(first.span, f"`{a}`"), Mark(line.span, "said here")),
                )

    def _cell_at(self, draft: _Draft, at: tuple[int, int, int]) -> t.Code:
        page, row, column = at
        return draft.tables[page].rows[row + 1].cells[column + 1]

    def _errata(
        self,
        draft: _Draft,
        down: ir.Axis,
        across: ir.Axis | None,
        inside: ir.Axis | None,
        pages: tuple[ir.Axis, ...],
        scope: Scope,
    ) -> tuple[ir.Erratum, ...]:
        out = []
        for erratum in draft.errata:
            place = self._place(erratum.place, draft, down, across, inside, pages)
            if place is None:
                continue
            pieces = tuple(
                self._cell_value(t.Code(p, erratum.reads.span), draft.kind) for p in _pieces(erratum.reads.text, draft)
            )
            value = pieces if inside is not None and place[3] is None else pieces[0]
            condition = None if erratum.condition is None else self.condition(erratum.condition, scope)
            out.append(ir.Erratum(*place, value, condition, note_of(erratum.tail, erratum.span)))
        return tuple(out)

    def _place(
        self,
        place: t.Place,
        draft: _Draft,
        down: ir.Axis,
        across: ir.Axis | None,
        inside: ir.Axis | None,
        pages: tuple[ir.Axis, ...],
    ) -> tuple[int, int, int, int | None] | None:
        row = self._index(place.row, down.labels, "row")
        columns = across.labels if across is not None else (draft.tables[0].rows[0].cells[1].text,)
        column = self._index(place.column, columns, "column")
        page, within = 0, None
        for what, code in place.rest:
            if what == "page":
                names = tuple(label.text for table in draft.tables for label in table.labels[:1])
                found = self._index(code, names, "page")
                page = 0 if found is None else found
            else:
                within = self._index(code, inside.labels if inside else (), "value inside")
        return None if row is None or column is None else (page, row, column, within)

    def _index(self, code: t.Code, labels: tuple[str, ...], what: str) -> int | None:
        if code.text in labels:
            return labels.index(code.text)
        close = nearest(code.text, sorted(labels))
        self.ctx.report(
            "label",
            f"the chart has no {what} `{code.text}`",
            code.span,
            f"did you mean `{close}`?" if close else "it has " + ", ".join(labels[:12]),
        )
        return None


def reading_type(chart: ir.Chart, reader: str | None) -> Type:
    """The type of what is read on a chart."""
    return ReadingOf(chart.name, chart.code_type, reader)


def _if_said(note: ir.Note) -> ir.Note:
    """A note that says something, or none."""
    return note if note.label or note.cites or note.assumed else ir.NO_NOTE


def _total(block: ir.ModBlock) -> Num:
    return block.type.total if isinstance(block.type, TallyOf) else Num()


def _padded(row: t.Row, width: int) -> list[t.Code]:
    cells = list(row.cells[1 : width + 1])
    return cells + [t.Code("-", row.span)] * (width - len(cells))


def _all_cells(cells: list[list[list[Any]]]) -> list[t.Code]:
    return [
        each
        for page in cells
        for row in page
        for cell in row
        for each in (cell if isinstance(cell, tuple) else (cell,))
    ]


def _pieces(text: str, draft: _Draft) -> list[str]:
    return text.replace("/", " ").split() if "inside" in draft.axes else [text]


def _number_or_text(text: str) -> Any:
    return int(text) if text.removeprefix("-").isdigit() else text


def _high(label: coverage.Labelled) -> int | Fraction | None:
    highs = [band.high for band in label.match.bands if band.high is not None]
    return max(highs) if highs else None


def _way(way: str) -> str:
    return f"to the {way}" if way in ("right", "left") else way
