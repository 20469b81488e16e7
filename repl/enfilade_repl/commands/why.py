"""The commands that explain: `why`, `chart`, `charts`, `modifiers`, `results`, `card`, `outputs` and `rule`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from enfilade import Explanation
from enfilade.language import (
    NO_LINE,
    Line,
    brief_line,
    cited,
    explanation_lines,
    in_columns,
    is_brief,
    line,
    nearest,
    only_beginning,
    output_lines,
    step_line,
)
from enfilade.terminal import counted
from enfilade.tools import code_lines, reference_lines
from enfilade_repl.chart_view import chart_lines
from enfilade_repl.entry import EntryError
from enfilade_repl.session import Session
from enfilade_repl.situation import tell_game

_LENGTHS: Final[Mapping[str, Literal["short", "usual", "all"]]] = {
    "": "usual",
    "short": "short",
    "usual": "usual",
    "all": "all",
}


def why(session: Session, text: str) -> Iterator[Line]:
    """Explain the last combat, in one of three lengths, or one of its modifiers."""
    pending = session.state.pending
    explanation = session.last.outcome.explain() if pending is None else pending.run.explain()
    if pending is None:
        tell_game(session, session.last.ruleset.rules.name, session.last.procedure)
    if text == "not":
        yield from _not_counted(explanation)
    elif not text:
        yield from _briefly(explanation)
    elif text in _LENGTHS:
        yield from explanation_lines(explanation, _LENGTHS[text])
    else:
        name = text.removeprefix("not ").strip()
        rules = session.last.ruleset.rules if pending is None else pending.ruleset.rules
        if name not in rules.names("modifier") and code_lines(rules, name):
            raise EntryError(f"`{name}` is a result, not a modifier", "`chart` marks the cell that was read")
        for step in explanation.why_not(name):
            whom = f" (for {step.reader})" if step.reader else ""
            yield (*step_line(step), ("", "" if step.applied is False else ": it applied"), ("hint", whom))


def _briefly(explanation: Explanation) -> Iterator[Line]:
    """The facts given, the rolls, the charts and what came of them, with modifiers beside their chart; and what is left out."""
    given = [step.text for step in explanation.steps if step.given]
    if given:
        yield line(("label", "given "), "; ".join(given))
    merged: list[Line] = []
    before = None
    for step in filter(is_brief, explanation.steps):
        if step.kind == "modifier" and merged:
            merged[-1] = (*merged[-1], ("", f"{'; ' if before == 'modifier' else ': '}{step.text}"))
        else:
            merged.append(brief_line(step))
        before = step.kind
    yield from merged
    missed = len({step.name for step in explanation.steps if step.kind == "modifier" and step.applied is False})
    assumed = sum(step.assumed is not None for step in explanation.steps)
    left = [counted(missed, "modifier") + " not applied"] * bool(missed) + [counted(assumed, "assumption")] * bool(
        assumed
    )
    yield line(("hint", f"{'; '.join([*left, '`why all` shows every step'])}."))


def _not_counted(explanation: Explanation) -> Iterator[Line]:
    steps = [step for step in explanation.steps if step.kind == "modifier" and step.applied is False]
    if not steps:
        none = "No modifier was evaluated." if not explanation.modifiers else "Every modifier applied."
        yield line(("hint", none))
    seen = set()
    for step in steps:
        whom = f" (for {step.reader})" if step.reader else ""
        text = (*step_line(step), ("hint", whom))
        if text not in seen:
            seen.add(text)
            yield text


def chart(session: Session, text: str) -> Iterator[Line]:
    """Print a chart as on the card, and mark the cells that the last combat read; without a name, the chart read last."""
    rules = session.ruleset.rules
    readings = session.state.resolutions[-1].outcome.readings if session.state.resolutions else ()
    if session.state.resolutions and session.state.resolutions[-1].ruleset.rules.digest != rules.digest:
        # Another version of the ruleset may have these cells at other positions.
        readings = ()
    name = _chart_named(session, text.strip())
    if name is None and readings and readings[-1].chart in rules.charts:
        name = readings[-1].chart
    if name is None and len(rules.charts) == 1:
        (name,) = rules.charts
    if name is None:
        yield from charts(session, "")
        return
    marked = [reading for reading in readings if reading.chart == name]
    yield from chart_lines(rules.chart(name), marked, session.columns)
    for reading in marked:
        whom = f" for {reading.record}" if reading.record else ""
        yield line(("hint", "read"), whom, " ", ("code", str(reading.code)))
    about = reference_lines(rules, ("reading", "modifiers", "results"), name)
    if about:
        yield from (NO_LINE, *about)


def _chart_named(session: Session, name: str) -> str | None:
    """The chart with a name or the beginning of one; ``None`` for no name."""
    known = session.ruleset.rules.charts
    found = only_beginning(name, known)
    if name and found is None:
        close = nearest(name, known)
        meant = (
            f"did you mean {close}?" if close else f"the charts are {', '.join(known)}" if known else "there are none"
        )
        raise EntryError(f"there is no chart {name}", meant)
    return found


def charts(session: Session, text: str) -> Iterator[Line]:
    """List the charts."""
    rules = session.ruleset.rules
    rows = [[("name", name), ("", rules.chart(name).title)] for name in rules.charts]
    yield from in_columns(rows) or (line(("hint", "This ruleset has no charts.")),)


def modifiers(session: Session, text: str) -> Iterator[Line]:
    """Print the modifiers, of one chart or of all."""
    yield from _blocks(session, text, "modifiers", "no modifiers")


def results(session: Session, text: str) -> Iterator[Line]:
    """Print what the result codes mean, of one chart or of all."""
    yield from _blocks(session, text, "results", "no result codes")


def _blocks(session: Session, text: str, kind: str, none: str) -> Iterator[Line]:
    name = _chart_named(session, text.strip())
    found = reference_lines(session.ruleset.rules, (kind,), name)
    yield from found or (line(("hint", f"{name or 'This ruleset'} has {none}.")),)


def card(session: Session, text: str) -> Iterator[Line]:
    """Print the reference card: every chart with its modifiers, results and assumptions."""
    rules = session.ruleset.rules
    for name in rules.charts:
        yield from (*chart_lines(rules.chart(name), (), session.columns), NO_LINE)
    yield from reference_lines(rules)


def outputs(session: Session, text: str) -> Iterator[Line]:
    """Show every output of the last combat."""
    done = session.last
    tell_game(session, done.ruleset.rules.name, done.procedure)
    yield from output_lines(done.outcome)


def rule(session: Session, text: str) -> Iterator[Line]:
    """Show every line of the rules with a given citation: `rule 16.3`."""
    rules = session.ruleset.rules
    cite = text.strip().strip("[]")
    if not cite:
        yield line(("label", "Cited: "), ", ".join(rules.citations) or "nothing")
        return
    for found in rules.citing(cite):
        what = f"{found.kind} {found.name}".strip()
        yield line(("title", what), cited(found.cites), ("hint", f"  {found.source}:{found.line}"))
        yield line("  ", ("code", found.text))
