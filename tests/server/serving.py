"""A server in a process of its own, for tests and commands."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, int]]:
    """Run ``enfilade serve`` on the loopback address; give its address and the number of its process."""
    command = [sys.executable, "-m", "enfilade", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://\S+", process.stdout.readline())
            assert address is not None
            yield address[0], process.pid
        finally:
            process.terminate()


def posted(address: str, request: str) -> str:
    """The answer of a server to a request."""
    asked = Request(f"{address}rpc", request.encode(), {"content-type": "application/json"})
    with urlopen(asked, timeout=60) as answer:
        return str(answer.read().decode())
