"""``enfilade test``: runs the examples of rulesets and measures their coverage of the rules."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from attrs import evolve

from enfilade import Diagnostic
from enfilade.cli.diagnostics import distinct, print_diagnostics
from enfilade.files import find_all
from enfilade.terminal import FAILED, complain, counted, write_json
from enfilade.tools import FileResults, coverage_text, run_file_examples

MAX_LISTED = 6


def run_test(args: Namespace) -> int:
    """Run the examples of all files and print the failures."""
    found = find_all(args.paths)
    tested = [run_file_examples(source, coverage=args.coverage) for source in found.sources]
    if args.json:
        write_json(_as_json(tested))
    else:
        _print(tested)
    for diagnostic in found.diagnostics:
        complain(f"{diagnostic.span.source.name}: {diagnostic.message}")
    for problem in found.problems:
        complain(problem)
    if found.problems or found.diagnostics:
        return 2
    return FAILED if any(each.has_failed for each in tested) else 0


def _print(tested: list[FileResults]) -> None:
    print_diagnostics(distinct(error for each in tested for error in each.errors))
    for each in tested:
        print_diagnostics(_said_once(d for result in each.results for d in result.diagnostics))
    width = max((len(each.source.name) for each in tested), default=0)
    for each in tested:
        print(f"{each.source.name:<{width}}  {_summary(each)}")
    print(_total(tested))
    for each in tested:
        if each.coverage is not None and any(count.total for count in each.coverage.counts):
            print(f"\ncoverage of {each.source.name}\n{coverage_text(each.coverage)}")


def _said_once(failures: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Keep the first of the failures that say the same, such as those of the rows of one table of cases."""
    alike: dict[tuple[str, str], list[Diagnostic]] = {}
    for d in failures:
        alike.setdefault((d.message, d.span.source.name), []).append(d)
    return [evolve(first, helps=(*first.helps, *_others(more))) for first, *more in alike.values()]


def _others(more: list[Diagnostic]) -> list[str]:
    lines = [str(d.span.line) for d in more]
    shown = ", ".join(lines[:MAX_LISTED]) + (", ..." if len(lines) > MAX_LISTED else "")
    return [f"also in {counted(len(lines), 'other place')}: lines {shown}"] if lines else []


def _summary(each: FileResults) -> str:
    if each.errors:
        return f"not run: {counted(len(each.errors), 'error')}"
    if not each.results:
        return "no examples"
    passed = sum(result.passed for result in each.results)
    return f"{passed} of {counted(len(each.results), 'example')} passed"


def _total(tested: list[FileResults]) -> str:
    results = tuple(result for each in tested for result in each.results)
    failed = sum(not result.passed for result in results)
    return f"{counted(len(results), 'example')}: {len(results) - failed} passed, {failed} failed"


def _as_json(tested: list[FileResults]) -> dict[str, Any]:
    results = [result for each in tested for result in each.results]
    passed = sum(result.passed for result in results)
    return {
        "passed": passed,
        "failed": len(results) - passed,
        "files": [_file_json(each) for each in tested],
    }


def _file_json(each: FileResults) -> dict[str, Any]:
    diagnostics = [d.to_json() for d in each.errors]
    examples = [result.to_json() for result in each.results]
    covered = {} if each.coverage is None else {"coverage": each.coverage.to_json()}
    return {"file": each.source.name, "diagnostics": diagnostics, "examples": examples, **covered}
