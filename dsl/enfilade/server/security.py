"""Checks where requests come from, and the headers that keep a page from reaching anything else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            # The editor and the printed cards bring style sheets of their own.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "frame-src 'self' blob:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    # Both let the page share memory with its worker, so that Stop needs no new one.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def host_of(header: str) -> str:
    """The host in a ``Host`` header or an address, without its port; empty if it can't be read.

    Examples:
        >>> host_of("localhost:8000"), host_of("[::1]:8000"), host_of("evil.example@localhost")
        ('localhost', '::1', '')
    """
    if "@" in header or "/" in header:
        return ""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def is_allowed(host: str | None, origin: str | None, hosts: Collection[str], origins: Collection[str]) -> bool:
    """Whether a request may be answered.

    Args:
        host: Its ``Host`` header. A name that is not ours means that a page elsewhere has directed its own name here.
        origin: Its ``Origin`` header: the page that sends it; ``None`` from programs.
        hosts: The names of this server.
        origins: Other pages that may send requests.
    """
    if host is None or host_of(host) not in hosts:
        return False
    if origin is None or origin in origins:
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest == host
