"""Runs one command and turns whatever happens into an exit code, without a traceback for a user's mistake."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from enfilade.cli.terminal import CheckFailed, UsageError, complain, prepare_streams

FAILED: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments after the program's name; those of the process if ``None``.

    Returns:
        The exit code.
    """
    from enfilade.cli.commands import build_parser

    try:
        prepare_streams()
        parser = build_parser()
        args = parser.parse_args(argv)
        code: int = args.run(args)
        sys.stdout.flush()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else WRONG_USAGE
    except UsageError as wrong:
        complain(str(wrong))
        return WRONG_USAGE
    except CheckFailed:
        complain("the ruleset has errors")
        return FAILED
    except BrokenPipeError:
        return _leave_pipe()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    return code


def _leave_pipe() -> int:
    # The reader is gone. Python would complain when it flushes at its end, so the end goes elsewhere.
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    return BROKEN_PIPE
