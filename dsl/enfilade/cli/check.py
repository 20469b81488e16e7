"""``enfilade check``: diagnostics of rules files, as text, as JSON, or as annotations for GitHub."""

from __future__ import annotations

from argparse import Namespace

from enfilade import Diagnostic, Severity
from enfilade.cli.diagnostics import distinct, print_diagnostics
from enfilade.files import Found, find_all
from enfilade.language import render_annotation
from enfilade.terminal import FAILED, complain, counted, write_json


def run_check(args: Namespace) -> int:
    """Check files and print their diagnostics."""
    # Imported here, because other commands use this module only to print diagnostics.
    from enfilade.tools import check_file

    found = find_all(args.paths)
    diagnostics = list(found.diagnostics)
    for source in found.sources:
        diagnostics += check_file(source)
    diagnostics = distinct(diagnostics)
    _print_check(diagnostics, len(found.sources) + len(found.diagnostics), args.format)
    return _code(diagnostics, found, strict=args.strict)


def _print_check(diagnostics: list[Diagnostic], files: int, form: str) -> None:
    errors = sum(d.severity is Severity.ERROR for d in diagnostics)
    warnings = len(diagnostics) - errors
    if form == "json":
        write_json(
            {"files": files, "errors": errors, "warnings": warnings, "diagnostics": [d.to_json() for d in diagnostics]}
        )
    elif form == "github":
        for each in diagnostics:
            print(render_annotation(each))
    else:
        print_diagnostics(diagnostics)
        print(f"{counted(files, 'file')} checked: {counted(errors, 'error')}, {counted(warnings, 'warning')}")


def _code(diagnostics: list[Diagnostic], found: Found, *, strict: bool) -> int:
    for problem in found.problems:
        complain(problem)
    if found.problems:
        return 2
    failed = any(strict or d.severity is Severity.ERROR for d in diagnostics)
    return FAILED if failed else 0
