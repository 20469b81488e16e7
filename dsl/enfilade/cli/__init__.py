"""The command line ``enfilade``: a client of the library that reads files, asks, prints, and sets exit codes.

Exit codes: 0 done, 1 the rules refuse or a check or test failed, 2 wrong usage or bad input. What only one command
needs is imported when that command runs, so that the others start at once.
"""

from enfilade.cli.entry_point import main

__all__ = ["main"]
