"""The results of a chart: the lines of each matching entry, for each reader or for all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from enfilade.core import ir
from enfilade.core.code_patterns import pattern_for
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.steps.tasks import Line
from enfilade.values.data import FrozenMap


def matched_lines(
    ctx: Context, s: ir.ApplyResults, step: Step, frame: CallFrame, origin: Origin
) -> tuple[tuple[Line, ...], CallFrame] | None:
    """The lines of the matching entries, in order, and their frame; ``None`` if they are undecided."""
    found = _matched_entries(ctx, s, frame, origin)
    if found is None:
        return None
    results = ctx.program.results[s.chart]
    inner = ctx.inner_frame(frame, ("results", s.chart), frame.given, frame.end)
    lines = [line for index, hit in found for line in _lines(ctx, results, index, hit, step, inner)]
    return _with_folds(lines) if step.foldable else tuple(lines), inner


def _with_folds(lines: list[Line]) -> tuple[Line, ...]:
    """The lines, of which the last one of each reader folds it into running totals."""
    seen: set[Any] = set()
    found: list[Line] = []
    for line in reversed(lines):
        found.append(evolve(line, folds=line.reader not in seen))
        seen.add(line.reader)
    return tuple(reversed(found))


def _matched_entries(
    ctx: Context, s: ir.ApplyResults, frame: CallFrame, origin: Origin
) -> list[tuple[int, list[Any]]] | None:
    """The matching entries by index, each with its readers and the numbers in their codes; ``None`` if undecided."""
    evaluator, results = ctx.evaluator, ctx.program.results[s.chart]
    evaluator.begin(origin, frame.depth, frame.facts)
    env = evaluator.frame(frame.depth)
    try:
        pairs = evaluator._readers(results, evaluator.value(s.reading, env), s, env)
        matched = [(ref, pattern_for(results, str(code))) for ref, code in pairs]
    except Undecided as undecided:
        ctx.cut(undecided.source)
        return None
    found = []
    for index, entry in enumerate(results.entries):
        hit = [(ref, of[1]) for ref, of in matched if of is not None and of[0].text == entry.pattern.text]
        if hit:
            found.append((index, hit))
    return found


def _entry_locals(ctx: Context, results: ir.Results, hit: list[Any], inner: CallFrame) -> dict[int, Any]:
    """The locals of an entry: its readers, and the numbers in the code."""
    scope: dict[int, Any] = {ctx.local(inner, "readers"): tuple(ref for ref, _ in hit)}
    for letter in hit[0][1]:
        numbers = FrozenMap({ref: numbers[letter] for ref, numbers in hit})
        value = numbers if results.record else numbers[None]
        scope[ctx.local(inner, f"#{letter}")] = value
    return scope


def _lines(
    ctx: Context, results: ir.Results, index: int, hit: list[Any], step: Step, inner: CallFrame
) -> Iterator[Line]:
    """The lines of an entry: each once for all readers, or once for each of them."""
    entry = results.entries[index]
    plan = ctx.planner.entry(results, index, step.live, inner.end)
    known = tuple(_entry_locals(ctx, results, hit, inner).items())
    reader = ctx.local(inner, "reader")
    for line, block in zip(entry.lines, plan.blocks, strict=True):
        if line.how != "each":
            yield Line(block, known, None, None)
            continue
        for ref, _ in hit:
            yield Line(block, (*known, (reader, ref)), line.where, ref)
