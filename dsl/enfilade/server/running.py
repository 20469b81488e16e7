"""The web application over sockets: uvicorn, with an end for connections that stand still.

uvicorn ends a connection that sends nothing after an answer. It has no time for a head that comes only in part, for the rest
of a body that was answered already, and for answers that nobody reads. Bodies and idle WebSockets are the business of
``http``, which can answer them.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from enfilade.server.http import MOST_BYTES

HEAD_SECONDS: Final = 15.0
"""The time of the head of a request; also of what is left of a body after the answer."""
UNREAD_SECONDS: Final = 60.0
"""The time in which the other side must read some of an answer."""
MOST_CONNECTIONS: Final = 500
"""Further ones are answered with 503."""
_LAST_SECONDS: Final = 2
"""The time that open requests have when the server is stopped."""


class _ReadInTime(asyncio.Protocol):
    """Ends a connection when the other side has read nothing for a time."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to watch."""
        super().connection_made(transport)
        # Whatever is not sent is told: an answer that nobody reads may be small.
        cast(asyncio.Transport, transport).set_write_buffer_limits(high=0)

    def pause_writing(self) -> None:
        """Begin the time, since something is unread."""
        super().pause_writing()
        self._expect(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """End the time, since all is read."""
        self._stop()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the time."""
        self._stop()
        super().connection_lost(exc)

    def _expect(self, unread: int) -> None:
        self._stop()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self._late, unread)

    def _late(self, before: int) -> None:
        unread = self.transport.get_write_buffer_size()
        if unread < before:
            self._expect(unread)
        else:
            self.transport.abort()

    def _stop(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class _Http(_ReadInTime, H11Protocol):
    """HTTP whose requests must come in time."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the time of the first head."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin the time of the next head, or of the rest of the body."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the time."""
        self._end_head()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Begin the time if a request is due; parts of it give it no more time."""
        is_answered = self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY
        if self.transport.is_closing() or not (is_answered or self.conn.their_state is h11.IDLE):
            self._end_head()
        elif self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _end_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None


class _Socket(_ReadInTime, WebSocketsSansIOProtocol):
    """A WebSocket whose answers must be read in time."""


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Make a server for the application, with all its limits."""
    config = uvicorn.Config(
        app,
        http=_Http,
        ws=_Socket,
        log_level="warning",
        limit_concurrency=MOST_CONNECTIONS,
        ws_max_size=MOST_BYTES,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    return uvicorn.Server(config)


def run(app: ASGIApp, listening: socket.socket) -> None:
    """Serve the application until Ctrl-C.

    Args:
        app: The application.
        listening: The socket at whose address it listens.
    """
    server_of(app).run(sockets=[listening])
