"""Runs the examples of a ruleset as tests.

The reference evaluator plays each example with its dice and choices; the outcome is compared with the lines of the
example, and stated chances are compared with exact odds. Nothing here prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.events import Observer
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.door import with_doors
from enfilade.engines.short_explanation import sentence
from enfilade.engines.trace import Tracer
from enfilade.source.text import Span
from enfilade.tools.example_chances import compare_chances, is_about_chances_alone
from enfilade.tools.example_failures import Failure, compare
from enfilade.tools.playing import play


@with_doors
@frozen
class ExampleResult:
    """The result of one example.

    Attributes:
        procedure: The procedure that was played.
        label: The example's label.
        span: Its place in the source.
        failures: The lines that don't match; empty if the example passed.
        log: The dice, cards and choices used.
    """

    procedure: str
    label: str
    span: Span | None
    failures: tuple[Failure, ...]
    log: tuple[LogEntry, ...]

    @property
    def passed(self) -> bool:
        """Whether every line of the example matches."""
        return not self.failures

    @property
    def place(self) -> str:
        """File, line and column, as in ``my_game.rules:12:1``."""
        if self.span is None:
            return "<text>"
        line, column = self.span.source.line_column(self.span.start)
        return f"{self.span.source.name}:{line}:{column}"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The failures as diagnostics, each placed at its line."""
        named = f"{self.procedure}, {self.label!r}"
        spans = [(failure, failure.span or self.span) for failure in self.failures]
        return tuple(
            Diagnostic("example-failed", failure.message, span, helps=(f"in the example {named}", *failure.helps))
            for failure, span in spans
            if span is not None
        )

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "procedure": self.procedure,
            "label": self.label,
            "place": self.place,
            "passed": self.passed,
            "failures": [_failure_json(failure, self.span) for failure in self.failures],
            "answers": [entry.to_json() for entry in self.log],
        }


def _failure_json(failure: Failure, example: Span | None) -> dict[str, Any]:
    span = failure.span or example
    line, column = (None, None) if span is None else span.source.line_column(span.start)
    return {"message": failure.message, "line": line, "column": column, "help": list(failure.helps)}


def run_examples(program: ir.Program, observer: Observer | None = None) -> Iterator[ExampleResult]:
    """Run all examples of a ruleset, in the order of the text.

    Args:
        program: The ruleset.
        observer: Receives the events of all runs.

    Yields:
        The result of each example.
    """
    with_probes = evolve(program, procedures={**program.procedures, **program.probes}) if program.probes else program
    for example in program.examples:
        played = with_probes if example.procedure in program.probes else program
        failures, log = _run_example(played, example, observer)
        failures += tuple(compare_chances(played, example))
        yield ExampleResult(example.procedure, example.label, example.note.span, failures, log)


def _run_example(
    program: ir.Program, example: ir.Example, observer: Observer | None
) -> tuple[tuple[Failure, ...], tuple[LogEntry, ...]]:
    if is_about_chances_alone(example):
        return (), ()
    ending = play(program, example, observer)
    failures = tuple(compare(example, ending))
    if failures and ending.refusal is None and not ending.faults:
        tracer = Tracer(program)
        play(program, example, tracer)
        if tracer.readings:
            first, *others = failures
            failures = (evolve(first, helps=(*first.helps, f"it came so: {sentence(tracer.steps)}")), *others)
    return failures, ending.log
