"""Desugaring of lines that charts share: lines taken over by `like`, edges of `columns`, shared results and modifiers.

If the cells of a chart name other charts, its name means those charts in `results of`, and in modifiers that the
chart can't use itself.

Afterwards every chart is complete, and every chart with results has a block of its own. The checker decides whether
shared lines fit a chart.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, evolve, field

from enfilade.bind.symbols import Symbols
from enfilade.bind.unread import Unread
from enfilade.diagnostics.diagnostic import Diagnostic, Subject
from enfilade.diagnostics.suggest import nearest
from enfilade.syntax import tree as t


def share_between_charts(symbols: Symbols, unread: Unread) -> None:
    """Copy to each chart the lines that it shares with others.

    Args:
        symbols: The declarations; their charts and results are changed. A chart keeps its ``like`` line only if the
            line names an unknown chart or leads back to the chart itself.
        unread: What could not be read of the texts.
    """
    _replace_charts_of_charts(symbols)
    _share_results(symbols)
    inherited = _Inheritance(symbols, dict(symbols.charts), unread)
    for name in inherited.charts:
        symbols.charts[name] = _with_edges(symbols, inherited.chart(name))


@define
class _Inheritance:
    """The charts with the lines that `like` brings in; each chart is worked out once.

    Attributes:
        charts: The charts as written.
        unread: What could not be read of the texts.
        complete: The charts worked out so far.
        broken: The charts whose chain of `like` lines ends at an unknown chart, which was reported.
    """

    symbols: Symbols
    charts: dict[str, t.Chart]
    unread: Unread
    complete: dict[str, t.Chart] = field(factory=dict)
    broken: set[str] = field(factory=set)

    def chart(self, name: str) -> t.Chart:
        """A chart with its inherited lines; as written if its chain is broken or goes back to itself."""
        chain = {name: self.charts[name]}
        while (like := self.charts[name].like) is not None and like.name not in self.complete:
            if like.name in chain:
                message = f"`like` leads from the chart `{like.name}` back to itself"
                self.symbols.diagnostics.append(Diagnostic("circular", message, like.span))
                return next(iter(chain.values()))
            if like.name in self.broken or like.name not in self.charts:
                self._break(like, chain)
                return next(iter(chain.values()))
            name = like.name
            chain[name] = self.charts[name]
        form = None if like is None else self.complete[like.name]
        for link, chart in reversed(chain.items()):
            form = self.complete[link] = chart if form is None else _with_lines_of(chart, form)
        return self.complete[next(iter(chain))]

    def _break(self, like: t.Ident, chain: Iterable[str]) -> None:
        known = like.name in self.broken
        self.broken.update(chain)
        if known or self.unread.may_declare(like.name):
            return
        close = nearest(like.name, self.charts)
        helps = (f"did you mean `{close}`?",) if close else ()
        message = f"there is no chart `{like.name}`"
        about = Subject((like.name,), close)
        self.symbols.diagnostics.append(Diagnostic("unknown-name", message, like.span, helps=helps, about=about))


def _with_lines_of(chart: t.Chart, form: t.Chart) -> t.Chart:
    """A chart with the lines of another chart before its own; the chart's own lines take precedence."""
    own = [item.line for item in chart.items if item.line is not None]
    taken = [t.ChartItem(item.line, (), item.span) for item in form.items if _is_inherited(item.line, own)]
    return evolve(chart, items=(*taken, *chart.items), params=chart.params or form.params, like=None)


def _is_inherited(line: t.ChartLine | None, own: list[t.ChartLine]) -> bool:
    match line:
        case None | t.PageLine() | t.Erratum() | t.Surplus() | t.ChartNote():
            return False
        case t.AxisLine(way=way):
            ways = {each.way for each in own if isinstance(each, t.AxisLine)}
            # `across` and `find` exclude each other.
            return way not in ways and not (way in ("across", "find") and ways & {"across", "find"})
        case t.Edge(where=where):
            return all(not isinstance(each, t.Edge) or each.where != where for each in own)
        case t.HeaderLine():
            return not any(isinstance(each, t.HeaderLine) for each in own)
        case t.CellMark(name=mark):
            return all(not isinstance(each, t.CellMark) or each.name.name != mark.name for each in own)
        case t.SeverityRule():
            return line not in own
    # Any other kind of line occurs once.
    return not any(type(each) is type(line) for each in own)


def _with_edges(symbols: Symbols, chart: t.Chart) -> t.Chart:
    """A chart with the edges of the `columns` in its `across` line; the chart's own edges take precedence."""
    lines = [item.line for item in chart.items]
    across = next((line for line in lines if isinstance(line, t.AxisLine) and line.way == "across"), None)
    if across is None or not isinstance(across.axis.value, t.Name):
        return chart
    columns = symbols.columns.get(across.axis.value.name)
    stated = {line.where for line in lines if isinstance(line, t.Edge)}
    edges = () if columns is None else tuple(edge for edge in columns.edges if edge.where not in stated)
    if not edges:
        return chart
    return evolve(chart, items=(*(t.ChartItem(edge, (), edge.span) for edge in edges), *chart.items))


def _replace_charts_of_charts(symbols: Symbols) -> None:
    """Replace a chart of charts by the charts in its cells, in results and modifiers."""
    for name, block in symbols.modifiers.items():
        charts = tuple(each for chart in block.charts for each in _charts_meant(symbols, chart, block.purpose))
        if charts != block.charts:
            symbols.modifiers[name] = evolve(block, charts=charts)
    for name, results in list(symbols.results.items()):
        first, *rest = [
            each for chart in (results.chart, *results.also) for each in _charts_meant(symbols, chart, "results")
        ]
        if (first, *rest) != (results.chart, *results.also):
            del symbols.results[name]
            symbols.results[first.name] = evolve(results, chart=first, also=tuple(rest))


def _charts_meant(symbols: Symbols, name: t.Ident, purpose: str) -> tuple[t.Ident, ...]:
    """The charts that a chart's name means: the charts in its cells, or itself if it can be shifted or rolled on."""
    chart = symbols.charts.get(name.name)
    lines = [] if chart is None else [item.line for item in chart.items]
    if not any(isinstance(line, t.CellsLine) and line.kind == "charts" for line in lines):
        return (name,)
    axes = {line.way: line.axis for line in lines if isinstance(line, t.AxisLine)}
    if (purpose == "shift" and "across" in axes) or (purpose == "roll" and _is_rolled(symbols, axes.get("down"))):
        return (name,)
    rows = [row for item in chart.items for row in item.rows] if chart is not None else []
    cells = dict.fromkeys(cell.text for row in rows[1:] for cell in row.cells[1:])
    return tuple(t.Ident(text, name.span) for text in cells if text in symbols.charts) or (name,)


def _is_rolled(symbols: Symbols, down: t.Axis | None) -> bool:
    if down is None or isinstance(down.value, t.Dice):
        return True
    return isinstance(down.value, t.Name) and down.value.name in symbols.dice


def _share_results(symbols: Symbols) -> None:
    for results in list(symbols.results.values()):
        for also in results.also:
            if also.name in symbols.results:
                message = f"`results of {also.name}` is declared twice"
                symbols.diagnostics.append(Diagnostic("duplicate-name", message, also.span))
            else:
                symbols.results[also.name] = evolve(results, chart=also)
