"""Loads the ruleset of a command, or prints its errors and ends the command."""

from __future__ import annotations

import sys

from enfilade import Ruleset, RulesetError, Severity, UsageError
from enfilade.cli.diagnostics import print_diagnostics
from enfilade.cli.entry_point import CheckFailed
from enfilade.files import load_ruleset


def load_checked(argument: str) -> Ruleset:
    """Load a ruleset, or print its errors.

    Raises:
        UsageError: It can't be found or read.
        CheckFailed: It has errors, which have been printed.
    """
    try:
        return load_ruleset(argument)
    except RulesetError as wrong:
        if not wrong.diagnostics:
            raise UsageError(str(wrong)) from wrong
        print_diagnostics((d for d in wrong.diagnostics if d.severity is Severity.ERROR), sys.stderr)
        raise CheckFailed from wrong
