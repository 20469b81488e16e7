"""``enfilade chart``: a chart as it is printed, or the list of all."""

from __future__ import annotations

from argparse import Namespace

from enfilade.cli.loading import load_checked
from enfilade.cli.terminal import UsageError, write_json
from enfilade.core import ir
from enfilade.diagnostics.suggest import nearest
from enfilade.tools.chart_text import chart_as_csv, chart_as_json, chart_as_markdown, chart_as_text


def run_chart(args: Namespace) -> int:
    """Print a chart; without a name, list the charts."""
    program = load_checked(args.ruleset).program
    if args.name is None:
        _list(program, args.format)
        return 0
    chart = program.charts.get(args.name) or program.columns.get(args.name)
    if chart is None:
        raise UsageError(_unknown(program, args.name))
    if args.format == "json":
        write_json(chart_as_json(chart))
    else:
        shows = {"text": chart_as_text, "markdown": chart_as_markdown, "csv": chart_as_csv}
        print(shows[args.format](chart))
    return 0


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
