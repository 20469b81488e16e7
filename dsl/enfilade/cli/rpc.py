"""``enfilade rpc``: the protocol as lines of JSON, for hosts in any language."""

from __future__ import annotations

import sys
from argparse import Namespace

from enfilade import Limits
from enfilade.service import Service, openrpc, serve_lines
from enfilade.terminal import DONE, write_json


def run_rpc(args: Namespace) -> int:
    """Answer requests until the input ends, or print what can be requested."""
    if args.describe:
        write_json(openrpc())
        return DONE
    serve_lines(Service() if args.untrusted else Service(Limits()), sys.stdin.buffer, sys.stdout.buffer)
    return DONE
