"""The command line ``enfilade``: a client of the library that reads files, prompts, prints, and sets exit codes.

Exit codes: 0 done, 1 the rules refuse or a check or test failed, 2 wrong usage or bad input. Modules that only
one command needs are imported when that command runs, so the other commands start at once.
"""

from enfilade.cli.entry_point import main

__all__ = ["main"]
