"""``enfilade new``: writes a first ruleset to edit, from nothing or from a pasted chart."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from enfilade import Severity, UsageError
from enfilade.cli.diagnostics import print_diagnostics
from enfilade.files import STDIN, Found, read_into
from enfilade.terminal import FAILED, reason
from enfilade.tools import (
    NoChart,
    Scaffold,
    folded_text,
    is_ruleset_name,
    new_ruleset,
    ruleset_from_pasted,
    scaffold_path,
)


def run_new(args: Namespace) -> int:
    """Write a first ruleset."""
    path = scaffold_path(args.name)
    if not is_ruleset_name(path.stem):
        raise UsageError(
            f"{path.stem} can't be the name of a ruleset: use ASCII letters, digits and _, and start with a letter"
        )
    made = new_ruleset(path.stem) if args.pasted is None else _from_pasted(path.stem, args.pasted)
    _write_new(path, made.text, force=args.force)
    print(f"{path} written")
    if made.folded:
        print(f"look-alike letters replaced with ASCII letters: {len(made.folded)}")
        print("\n".join(f"  {line}" for line in folded_text(made.folded)))
    if made.guesses:
        print("guesses, marked `assumed`:")
        print("\n".join(f"  {guess}" for guess in dict.fromkeys(made.guesses)))
    print_diagnostics(made.diagnostics)
    print(f"next: enfilade check {path}, enfilade test {path}")
    return FAILED if any(d.severity is Severity.ERROR for d in made.diagnostics) else 0


def _from_pasted(name: str, argument: str) -> Scaffold:
    found = Found()
    read_into(None if argument == STDIN else Path(argument), found)
    for wrong in found.diagnostics:
        raise UsageError(f"{argument}: {wrong.message}")
    for problem in found.problems:
        raise UsageError(problem)
    try:
        return ruleset_from_pasted(name, found.sources[0].text)
    except NoChart as nothing:
        raise UsageError(f"{argument}: {nothing}") from nothing


def _write_new(path: Path, text: str, *, force: bool) -> None:
    try:
        with path.open("wb" if force else "xb") as stream:
            stream.write(text.encode("utf-8"))
    except FileExistsError as there:
        raise UsageError(f"{path} already exists; --force overwrites it") from there
    except OSError as wrong:
        raise UsageError(f"{path} can't be written: {reason(wrong)}") from wrong
