"""The entry point of ``enfilade``: runs one command and turns every exception into a message and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from enfilade import LimitError, UsageError
from enfilade.terminal import FAILED, INTERRUPTED, WRONG_USAGE, complain, prepare_streams, reason

BROKEN_PIPE: Final = 141


class CheckFailed(Exception):
    """The ruleset has errors, which have been printed; exit code 1."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments after the program's name; those of the process if ``None``.

    Returns:
        The exit code.
    """
    from enfilade.cli.commands import build_parser, parse

    try:
        prepare_streams()
        words = sys.argv[1:] if argv is None else argv
        args = parse(build_parser(words[0] if words else None), words)
        code: int = args.run(args)
        sys.stdout.flush()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else WRONG_USAGE
    except UsageError as wrong:
        complain(str(wrong))
        return WRONG_USAGE
    except LimitError as wrong:
        complain(str(wrong))
        return FAILED
    except CheckFailed:
        complain("the ruleset has errors")
        return FAILED
    except BrokenPipeError:
        _leave_output()
        return BROKEN_PIPE
    except OSError as wrong:
        _leave_output()
        what = f"{wrong.filename} can't be read" if wrong.filename else "the output can't be written"
        complain(f"{what}: {reason(wrong)}")
        return WRONG_USAGE
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    return code


def _leave_output() -> None:
    # The reader closed the pipe. Python would fail when it flushes at exit, so the rest goes to the null device.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
