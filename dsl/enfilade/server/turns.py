"""Turns of clients at a few places: a client with many requests delays only its own.

Requests wait in a queue for each client. The next free place goes to the client whose last turn is the longest ago, and no
client holds all places while there is more than one, so that another client never waits for a whole batch. This module
knows nothing of what is done at a place.
"""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_MOST_REMEMBERED: Final = 1_000
"""The clients whose last turns are known; those that are forgotten have their turn first."""


class Turns:
    """Hands out places to clients.

    Args:
        places: How many there are.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._most = max(places - 1, 1)
        self._held: Counter[str] = Counter()
        self._waiting: dict[str, deque[Future[None]]] = {}
        # In the order of the turns, the longest ago first.
        self._last: dict[str, int] = {}
        self._turn = 0

    @asynccontextmanager
    async def place(self, client: str) -> AsyncIterator[None]:
        """Hold a place for a block, as soon as it is the turn of this client.

        Args:
            client: Whose turn it must be.
        """
        await self._wait(client)
        try:
            yield
        finally:
            self._leave(client)

    async def _wait(self, client: str) -> None:
        ready: Future[None] = get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(ready)
        self._hand_out()
        try:
            await ready
        except CancelledError:
            if not ready.cancelled():
                # The place was given at the moment when nobody wanted it any more.
                self._leave(client)
            else:
                self._forget(client, ready)
            raise

    def _forget(self, client: str, ready: Future[None]) -> None:
        queue = self._waiting.get(client, deque())
        if ready in queue:
            queue.remove(ready)
        if not queue:
            self._waiting.pop(client, None)

    def _leave(self, client: str) -> None:
        self._free += 1
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and (client := self._next()) is not None:
            ready = self._waiting[client].popleft()
            if not self._waiting[client]:
                del self._waiting[client]
            if not ready.done():
                self._give(client, ready)

    def _next(self) -> str | None:
        """The client whose last turn is the longest ago, among those that wait and may have another place."""
        may = [client for client in self._waiting if self._held[client] < self._most]
        return min(may, key=lambda client: self._last.get(client, 0), default=None)

    def _give(self, client: str, ready: Future[None]) -> None:
        self._free -= 1
        self._held[client] += 1
        self._turn += 1
        self._last.pop(client, None)
        self._last[client] = self._turn
        if len(self._last) > _MOST_REMEMBERED:
            del self._last[next(iter(self._last))]
        ready.set_result(None)
