"""``enfilade chart``: prints a chart, a reference card of all charts, or the list of charts."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Final

from enfilade import Ruleset, UsageError
from enfilade.cli.loading import load_checked
from enfilade.cli.pdf import pdf_of
from enfilade.language import nearest
from enfilade.terminal import write_json
from enfilade.tools import chart_text, reference_card

_PAGES: Final = ("html", "markdown", "pdf")


def run_chart(args: Namespace) -> int:
    """Print a chart; without a name, print a card of all charts (HTML, Markdown, PDF) or a list of them (other formats)."""
    rules = load_checked(args.ruleset)
    if args.name is not None and args.name not in rules.charts:
        raise UsageError(_unknown(rules, args.name))
    if args.name is None and args.format not in _PAGES:
        _list(rules, args.format)
    elif args.format == "pdf":
        _write_pdf(rules, args.name, args.paper or "a4")
    elif args.name is None or args.format == "html":
        print(reference_card(rules, args.name, args.format, args.paper))
    elif args.format == "json":
        write_json(rules.chart(args.name).to_json())
    else:
        print(chart_text(rules, args.name, args.format))
    return 0


def _write_pdf(rules: Ruleset, name: str | None, paper: str) -> None:
    if sys.stdout.isatty():
        raise UsageError("a PDF can't be shown in a terminal; write the PDF to a file: add `> card.pdf`")
    sys.stdout.buffer.write(pdf_of(reference_card(rules, name, paper=paper)))


def _list(rules: Ruleset, form: str) -> None:
    charts = sorted((each for each in rules.symbols if each.kind in ("chart", "columns")), key=lambda each: each.name)
    if form == "json":
        write_json([{"name": chart.name, "title": chart.label or chart.name} for chart in charts])
        return
    width = max((len(chart.name) for chart in charts), default=0)
    for chart in charts:
        print(f"{chart.name:<{width}}  {chart.label or ''}".rstrip())


def _unknown(rules: Ruleset, name: str) -> str:
    close = nearest(name, rules.charts)
    if close:
        return f"{rules.name} has no chart {name}; did you mean {close}?"
    return f"{rules.name} has no chart {name}; its charts are {', '.join(sorted(rules.charts)) or 'none'}"
