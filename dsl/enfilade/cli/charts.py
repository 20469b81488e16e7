"""``enfilade chart``: a chart as it is printed, a card of all charts, or the list of them."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from enfilade.cli.loading import load_checked
from enfilade.core import ir
from enfilade.diagnostics.suggest import nearest
from enfilade.errors import UsageError
from enfilade.terminal import write_json
from enfilade.tools.card import card_as_html, card_as_markdown, card_of
from enfilade.tools.chart_text import chart_as_csv, chart_as_json, chart_as_markdown, chart_as_text

_CARDS: Final = {"html": card_as_html, "markdown": card_as_markdown}


def run_chart(args: Namespace) -> int:
    """Print a chart; without a name, a card of all charts where the format is that of a page, else a list of them."""
    program = load_checked(args.ruleset).program
    if args.name is None and args.format not in _CARDS:
        _list(program, args.format)
        return 0
    if args.name is None or args.format == "html":
        print(_CARDS[args.format](card_of(program, None if args.name is None else _chart(program, args.name).name)))
        return 0
    chart = _chart(program, args.name)
    if args.format == "json":
        write_json(chart_as_json(chart))
    else:
        shows = {"text": chart_as_text, "markdown": chart_as_markdown, "csv": chart_as_csv}
        print(shows[args.format](chart))
    return 0


def _chart(program: ir.Program, name: str) -> ir.Chart | ir.Columns:
    chart = program.charts.get(name) or program.columns.get(name)
    if chart is None:
        raise UsageError(_unknown(program, name))
    return chart


def _list(program: ir.Program, form: str) -> None:
    named: list[ir.Chart | ir.Columns] = [*program.charts.values(), *program.columns.values()]
    charts = sorted(named, key=lambda chart: chart.name)
    if form == "json":
        write_json([{"name": chart.name, "title": chart.note.label or chart.name} for chart in charts])
        return
    width = max((len(chart.name) for chart in charts), default=0)
    for chart in charts:
        print(f"{chart.name:<{width}}  {chart.note.label or ''}".rstrip())


def _unknown(program: ir.Program, name: str) -> str:
    close = nearest(name, [*program.charts, *program.columns])
    if close:
        return f"{program.name} has no chart {name}; did you mean {close}?"
    return (
        f"{program.name} has no chart {name}; it has {', '.join(sorted((*program.charts, *program.columns))) or 'none'}"
    )
