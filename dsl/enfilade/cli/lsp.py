"""``enfilade lsp``: the language server, over standard input and output."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from importlib.util import find_spec
from typing import Final

from enfilade import UsageError
from enfilade.terminal import DONE

_MISSING: Final = "lsp needs pygls: `pip install 'enfilade[lsp]'`"


def collect_garbage_rarely() -> None:
    """Let Python look for circular garbage rarely, and never among the modules.

    A search takes longer than the answer to a keystroke, because the trees of a large text are many objects. Almost all
    of them are freed without it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def run_lsp(args: Namespace) -> int:
    """Serve an editor until it ends the connection."""
    del args
    if find_spec("pygls") is None:
        raise UsageError(_MISSING)
    from enfilade.cli.lsp_server import server

    collect_garbage_rarely()
    # pygls closes its streams at the end; the command line still flushes its own.
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as given, os.fdopen(os.dup(sys.stdout.fileno()), "wb") as told:
        server().start_io(given, told)
    return DONE
