"""Loads the one ruleset that a command works with, or ends the command with what is wrong with it."""

from __future__ import annotations

import sys

from enfilade.cli.checking import checked
from enfilade.cli.finding import find_one
from enfilade.cli.terminal import CheckFailed, has_color
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.diagnostics.render import render_text


def load_program(argument: str) -> ir.Program:
    """Check a ruleset and give its program.

    Args:
        argument: A shipped name, a file, or a folder with one main file.

    Raises:
        UsageError: It can't be found or read.
        CheckFailed: It has errors, which have been printed.
    """
    result = checked(find_one(argument))
    if result.program is None:
        print_errors(result.diagnostics)
        raise CheckFailed
    return result.program


def print_errors(diagnostics: tuple[Diagnostic, ...]) -> None:
    """Print the errors of a ruleset that another command needs."""
    color = has_color(sys.stderr)
    for each in diagnostics:
        if each.severity is Severity.ERROR:
            print(render_text(each, color=color) + "\n", file=sys.stderr)
