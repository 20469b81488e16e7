"""The commands that explain: `why`, `chart`, `charts` and `rule`."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade import Explanation
from enfilade.language import Line, cited, explanation_lines, in_columns, line, nearest, step_line
from enfilade_repl.chart_view import chart_lines
from enfilade_repl.entry import EntryError
from enfilade_repl.session import Session
from enfilade_repl.situation import told_game


def why(session: Session, text: str) -> Iterator[Line]:
    """Explain the last combat, or one of its modifiers."""
    pending = session.state.pending
    explanation = session.last.outcome.explain() if pending is None else pending.run.explain()
    if pending is None:
        yield from told_game(session, session.last.ruleset.rules.name, session.last.procedure)
    name = text.removeprefix("not ").strip() if text != "not" else ""
    if text == "not":
        yield from _not_counted(explanation)
    elif name:
        for step in explanation.why_not(name):
            whom = f" (for {step.reader})" if step.reader else ""
            yield (*step_line(step), ("", "" if step.applied is False else ": it counted"), ("hint", whom))
    else:
        yield from explanation_lines(explanation)


def _not_counted(explanation: Explanation) -> Iterator[Line]:
    steps = [step for step in explanation.steps if step.kind == "modifier" and step.applied is False]
    if not steps:
        none = "no modifier was looked at" if not explanation.modifiers else "every modifier counted"
        yield line(("hint", none))
    seen = set()
    for step in steps:
        whom = f" (for {step.reader})" if step.reader else ""
        text = (*step_line(step), ("hint", whom))
        if text not in seen:
            seen.add(text)
            yield text


def chart(session: Session, text: str) -> Iterator[Line]:
    """Print a chart, and mark the cells that the last combat read; without a name, print the chart read last."""
    rules = session.ruleset.rules
    name = text.strip()
    readings = session.state.resolutions[-1].outcome.readings if session.state.resolutions else ()
    if not name and readings and readings[-1].chart in rules.charts:
        name = readings[-1].chart
    if session.state.resolutions and session.state.resolutions[-1].ruleset.rules.digest != rules.digest:
        # Another version of the ruleset may have these cells at other positions.
        readings = ()
    if not name:
        yield from charts(session, "")
        return
    if name not in rules.charts:
        close = nearest(name, rules.charts)
        meant = f"did you mean {close}?" if close else f"there are {', '.join(rules.charts) or 'none'}"
        raise EntryError(f"there is no chart {name}", meant)
    marked = [reading for reading in readings if reading.chart == name]
    yield from chart_lines(rules.chart(name), marked, session.columns)
    for reading in marked:
        whom = f" for {reading.record}" if reading.record else ""
        yield line(("hint", "read"), whom, " ", ("code", str(reading.code)))


def charts(session: Session, text: str) -> Iterator[Line]:
    """List the charts."""
    rules = session.ruleset.rules
    rows = [[("name", name), ("", rules.chart(name).title)] for name in rules.charts]
    yield from in_columns(rows) or (line(("hint", "it has no charts")),)


def rule(session: Session, text: str) -> Iterator[Line]:
    """Show every line of the rules with a given citation: `rule 16.3`."""
    rules = session.ruleset.rules
    cite = text.strip().strip("[]")
    if not cite:
        yield line(("label", "cited: "), ", ".join(rules.citations) or "nothing")
        return
    for found in rules.citing(cite):
        what = f"{found.kind} {found.name}".strip()
        yield line(("title", what), cited(found.cites), ("hint", f"  {found.source}:{found.line}"))
        yield line("  ", ("code", found.text))
