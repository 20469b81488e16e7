"""Checks rules files and runs their examples, for `enfilade check` and `enfilade test`."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from enfilade.api.ruleset import Ruleset
from enfilade.check.program import Checked, check_source
from enfilade.check.unused import nothing_to_play
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.door import door
from enfilade.files import diagnostic_of
from enfilade.source.finder import Folders
from enfilade.source.text import SourceError, SourceFile
from enfilade.tools.coverage import Coverage, Tracker
from enfilade.tools.examples import ExampleResult, run_examples


@frozen
class FileResults:
    """A rules file and the results of its examples.

    Attributes:
        source: The file.
        diagnostics: Errors and warnings of the checker; if there are errors, no example runs.
        results: The result of each example, in the order of the text.
        coverage: The coverage of the rules by the examples; ``None`` if it was not measured.
    """

    source: SourceFile
    diagnostics: tuple[Diagnostic, ...]
    results: tuple[ExampleResult, ...] = ()
    coverage: Coverage | None = None

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors of the checker, which prevent the examples from running."""
        return tuple(found for found in self.diagnostics if found.severity is Severity.ERROR)

    @property
    def has_failed(self) -> bool:
        """Whether the file has errors or an example failed."""
        return bool(self.errors) or any(not result.passed for result in self.results)


@door
def check_file(source: SourceFile) -> tuple[Diagnostic, ...]:
    """Check a rules file with the modules and rulesets that it uses.

    Args:
        source: The file.

    Returns:
        Errors and warnings, in the order of the text. A module that can't be decoded is an error too.
    """
    checked = _checked(source)
    return (*checked.diagnostics, *_unplayable(checked, source))


def _unplayable(checked: Checked, source: SourceFile) -> tuple[Diagnostic, ...]:
    """The warning of a file with charts that nothing plays: neither procedures nor examples."""
    program = checked.program
    if program is None or program.procedures or program.examples or not program.charts or checked.diagnostics:
        return ()
    return (nothing_to_play(source.span(0, len(source.text.splitlines()[0]) if source.text else 0)),)


@door
def run_file_examples(source: SourceFile, *, coverage: bool = False) -> FileResults:
    """Check a rules file and run its examples.

    Args:
        source: The file.
        coverage: Whether to measure coverage.
    """
    checked = _checked(source)
    program = checked.program
    if program is None:
        return FileResults(source, checked.diagnostics)
    tracker = Tracker(program) if coverage else None
    results = tuple(run_examples(program, tracker))
    reached = None if tracker is None else tracker.coverage(each.procedure for each in results)
    return FileResults(source, checked.diagnostics, results, reached)


@door
def run_ruleset_examples(rules: Ruleset) -> Iterator[ExampleResult]:
    """Run the examples of a ruleset one by one, in the order of the text."""
    return run_examples(rules.program)


def ruleset_coverage(rules: Ruleset) -> Coverage:
    """Count the rules that the examples of a ruleset reach."""
    tracker = Tracker(rules.program)
    played = [each.procedure for each in run_examples(rules.program, tracker)]
    return tracker.coverage(played)


def _checked(source: SourceFile) -> Checked:
    try:
        return check_source(source, Folders())
    except SourceError as wrong:
        return Checked(None, (diagnostic_of(wrong),), (source,))
