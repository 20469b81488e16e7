"""Loads the one ruleset that a command works with, or ends the command with what is wrong with it."""

from __future__ import annotations

import sys

from enfilade.cli.checking import checked, print_diagnostics
from enfilade.cli.finding import find_one
from enfilade.cli.terminal import CheckFailed
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Severity


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
        print_diagnostics((d for d in result.diagnostics if d.severity is Severity.ERROR), sys.stderr)
        raise CheckFailed
    return result.program
