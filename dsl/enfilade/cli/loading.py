"""Loads the one ruleset that a command works with, or ends the command with what is wrong with it."""

from __future__ import annotations

import sys

from enfilade import Ruleset, RulesetError, Severity, UsageError
from enfilade.cli.diagnostics import print_diagnostics
from enfilade.cli.entry_point import CheckFailed
from enfilade.files import load_ruleset


def load_checked(argument: str) -> Ruleset:
    """Make a ruleset ready, or print what is wrong with it.

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
