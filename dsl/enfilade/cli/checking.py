"""``enfilade check``, ``test`` and ``explain``."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import TextIO

from enfilade import Diagnostic, Severity, UsageError
from enfilade.files import Found, find_all
from enfilade.language import render_annotation, render_text
from enfilade.terminal import FAILED, complain, counted, has_color, write_json


def distinct(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each diagnostic once: a module that several files use is checked with each of them."""
    return list(
        {(d.code, d.message, d.span.source.path or d.span.source.name, d.span.start): d for d in diagnostics}.values()
    )


def run_check(args: Namespace) -> int:
    """Check files and print what is wrong with them."""
    # Not at the top: other commands print diagnostics without checking anything.
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


def print_diagnostics(diagnostics: Iterable[Diagnostic], stream: TextIO | None = None) -> None:
    """Print diagnostics for people, an empty line after each."""
    stream = stream or sys.stdout
    color = has_color(stream)
    for each in diagnostics:
        print(render_text(each, color=color) + "\n", file=stream)


def _code(diagnostics: list[Diagnostic], found: Found, *, strict: bool) -> int:
    for problem in found.problems:
        complain(problem)
    if found.problems:
        return 2
    failed = any(strict or d.severity is Severity.ERROR for d in diagnostics)
    return FAILED if failed else 0


def run_explain(args: Namespace) -> int:
    """Print the page of a diagnostic."""
    from enfilade.language import CODES, nearest, page_for

    if args.code is None:
        width = max(map(len, CODES))
        print("\n".join(f"{code:<{width}}  {title}" for code, title in sorted(CODES.items())))
        return 0
    page = page_for(args.code)
    if page is None and args.code in CODES:
        page = f"# {args.code}\n\n{CODES[args.code]}\n"
    if page is None:
        close = nearest(args.code, CODES)
        meant = f"; did you mean {close}?" if close else "; `enfilade explain` lists them"
        raise UsageError(f"there is no diagnostic {args.code}{meant}")
    print(page.rstrip())
    return 0
