"""Loads the one ruleset that a command works with, or ends the command with what is wrong with it."""

from __future__ import annotations

import sys

from enfilade.api.loading import load
from enfilade.api.ruleset import Ruleset
from enfilade.cli.checking import print_diagnostics
from enfilade.cli.finding import find_one
from enfilade.cli.terminal import CheckFailed, UsageError
from enfilade.diagnostics.diagnostic import Severity
from enfilade.errors import RulesetError


def load_ruleset(argument: str) -> Ruleset:
    """Make a ruleset ready to be played.

    Args:
        argument: A shipped name, a file, a folder with one main file, or ``-``.

    Raises:
        UsageError: It can't be found or read.
        RulesetError: It has errors.
    """
    source = find_one(argument)
    return load(text=source.text) if source.path is None else load(source.path)


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
