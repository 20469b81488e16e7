"""``enfilade serve``: the page and the protocol, on this machine."""

from __future__ import annotations

import os
import socket
import webbrowser
from argparse import Namespace
from importlib.util import find_spec
from typing import Final

from enfilade import UsageError
from enfilade.terminal import DONE

_LOOPBACK: Final = "127.0.0.1"
_MISSING: Final = "serve needs Starlette and uvicorn: `pip install 'enfilade[serve]'`"


def run_serve(args: Namespace) -> int:
    """Serve until Ctrl-C."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise UsageError(_MISSING)
    from enfilade.server import application, run

    listening = _socket(args.host, args.port)
    port = listening.getsockname()[1]
    shown = f"[{args.host}]" if ":" in args.host else args.host
    hosts = [args.host.lower(), *(each.lower() for each in args.allow_host or ())]
    app = application(workers=args.workers or os.cpu_count() or 1, hosts=hosts, origins=args.allow_origin or ())
    address = f"http://{shown}:{port}/"
    print(f"The page is at {address} (Ctrl-C stops)", flush=True)
    if args.open:
        webbrowser.open(address)
    run(app, listening)
    return DONE


def _socket(host: str, port: int) -> socket.socket:
    """A socket at this address.

    Raises:
        UsageError: The address can't be used.
    """
    listening: socket.socket | None = None
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        if listening is not None:
            listening.close()
        why = error.strerror or str(error)
        raise UsageError(
            f"{host} port {port} can't be used ({why}); choose another with --port, such as --port 0"
        ) from error
    return listening
