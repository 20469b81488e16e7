"""``enfilade fmt`` and ``enfilade new``: the commands that write rules."""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from enfilade.cli.checking import FAILED, print_diagnostics
from enfilade.cli.finding import Found, find_all, reason
from enfilade.cli.terminal import UsageError, complain, counted
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.text import SourceFile
from enfilade.tools.format import format_source

_HARMLESS = "look-alike"


def run_fmt(args: Namespace) -> int:
    """Lay out files, in place unless only asked about."""
    found = find_all(args.paths)
    wrong = list(found.diagnostics)
    changed: list[SourceFile] = []
    for source in found.sources:
        formatted = format_source(source, fix=args.fix)
        wrong += [d for d in formatted.diagnostics if d.code != _HARMLESS]
        if source.path is None and not (args.check or args.diff):
            sys.stdout.write(formatted.text)
        elif formatted.text != source.text:
            changed.append(source)
            _change(source, formatted.text, args)
    _report(found, wrong, changed, args)
    if found.problems:
        return 2
    return FAILED if wrong or (changed and (args.check or args.diff)) else 0


def _change(source: SourceFile, text: str, args: Namespace) -> None:
    if args.diff:
        sys.stdout.writelines(_diff(source, text))
    elif args.check:
        print(f"{source.name} would be laid out anew")
    elif source.path is not None:
        _write_over(source.path, text)
        print(f"{source.name} laid out")


def _report(found: Found, wrong: list[Diagnostic], changed: list[SourceFile], args: Namespace) -> None:
    if wrong:
        # What stands on the output may be a formatted text, so the rest goes elsewhere.
        print_diagnostics(wrong, sys.stderr)
        names = sorted({each.span.source.name for each in wrong})
        complain(f"left as {'it was' if len(names) == 1 else 'they were'}: {', '.join(names)}")
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
    """Put a new text in the place of a file, whole or not at all."""
    path = Path(os.path.realpath(path))
    try:
        mode = path.stat().st_mode
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as wrong:
        raise UsageError(f"{path} can't be written: {reason(wrong)}") from wrong
