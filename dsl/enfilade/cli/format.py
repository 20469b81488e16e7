"""``enfilade fmt``: formats rules files in place, or shows the changes."""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from enfilade import Diagnostic, UsageError
from enfilade.cli.diagnostics import print_diagnostics
from enfilade.files import Found, SourceFile, find_all
from enfilade.terminal import FAILED, complain, counted, reason
from enfilade.tools import (
    format_source,
)

_HARMLESS = "look-alike"


def run_fmt(args: Namespace) -> int:
    """Format files in place, or only report the changes."""
    found = find_all(args.paths)
    wrong = list(found.diagnostics)
    changed: list[SourceFile] = []
    for source in found.sources:
        formatted = format_source(source, fix=args.fix, upgrade=args.upgrade)
        mistakes = [d for d in formatted.diagnostics if d.code != _HARMLESS]
        wrong += mistakes
        if source.path is None and not (args.check or args.diff):
            sys.stdout.write(formatted.text)
        elif formatted.text != source.text:
            changed.append(source)
            _change(source, formatted.text, args, "changed: look-alike letters replaced" if mistakes else "formatted")
    _report(found, wrong, changed, args)
    if found.problems:
        return 2
    return FAILED if wrong or (changed and (args.check or args.diff)) else 0


def _change(source: SourceFile, text: str, args: Namespace, done: str) -> None:
    if args.diff:
        sys.stdout.writelines(_diff(source, text))
    elif args.check:
        print(f"{source.name} would be reformatted")
    elif source.path is not None:
        _write_over(source.path, text)
        print(f"{source.name} {done}")


def _report(found: Found, wrong: list[Diagnostic], changed: list[SourceFile], args: Namespace) -> None:
    if wrong:
        # Standard output may contain a formatted text, so messages go to standard error.
        print_diagnostics(wrong, sys.stderr)
        names = sorted({each.span.source.name for each in wrong})
        complain(f"not formatted because of errors: {', '.join(names)}")
    for problem in found.problems:
        complain(problem)
    texts = len(found.sources) + len(found.diagnostics)
    if not args.diff and all(source.path is not None for source in found.sources):
        will = "would change" if args.check else "changed"
        print(f"{counted(texts, 'file')}: {len(changed)} {will}")


def _diff(source: SourceFile, text: str) -> Iterator[str]:
    before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    for line in difflib.unified_diff(before, after, source.name, source.name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _write_over(path: Path, text: str) -> None:
    """Replace a file by a new text atomically."""
    path = Path(os.path.realpath(path))
    name = None
    try:
        mode = path.stat().st_mode
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as wrong:
        if name is not None:
            Path(name).unlink(missing_ok=True)
        raise UsageError(f"{path} can't be written: {reason(wrong)}") from wrong
