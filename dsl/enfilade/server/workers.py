"""Worker processes that answer requests: a pool of ``enfilade rpc``, each with one request at a time."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

from enfilade.server.turns import Turns
from enfilade.service.jsonrpc import CANCELLED, NotJson, error_answer, read, written
from enfilade.service.lines import LONGEST

Progress: TypeAlias = Callable[[int], None]

COMMAND: Final = (sys.executable, "-m", "enfilade", "rpc", "--untrusted")
FAILED: Final = -32000
"""The worker process ended or did not answer, twice."""
_GRACE: Final = 15.0
"""A worker that takes longer than this is replaced: requests end at their limits long before."""
_PATIENCE: Final = 1.0
"""A worker that doesn't end a cancelled request within this time is replaced."""


class Ended(Exception):
    """The worker process has ended, or was ended because it didn't answer."""


class Worker:
    """A process that answers one request after the other."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._number = 0
        self._has_ended = False
        self._ending: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls) -> Worker:
        """Start a process."""
        return cls(
            await asyncio.create_subprocess_exec(*COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST)
        )

    async def answer(self, request: dict[str, Any], progress: Progress | None) -> dict[str, Any]:
        """Answer a request.

        Raises:
            Ended: The process has ended, or doesn't answer.
        """
        self._number += 1
        own = self._number
        try:
            async with asyncio.timeout(_GRACE):
                await self._write({**request, "id": own})
                return {**await self._answer_to(own, progress), "id": request.get("id")}
        except asyncio.CancelledError:
            self._ending = asyncio.create_task(self._cancel(own))
            try:
                await asyncio.shield(self._ending)
            except asyncio.CancelledError:
                # Cancelled once more: nobody waits for the end of the request.
                self.end()
            raise
        except (OSError, ValueError, NotJson, TimeoutError, Ended) as error:
            # At once: the system tells only later that a process has ended.
            self.end()
            raise Ended from error

    async def _answer_to(self, number: int, progress: Progress | None) -> dict[str, Any]:
        out = self._process.stdout
        assert out is not None
        while line := await out.readline():
            found: dict[str, Any] = read(line)
            if found.get("id") == number:
                return found
            if progress is not None and "method" in found:
                progress(found["params"]["work"])
        raise Ended

    async def _cancel(self, number: int) -> None:
        """End a request whose answer nobody wants; end the process if it takes too long."""
        try:
            await self._write({"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": number}})
            async with asyncio.timeout(_PATIENCE):
                await self._answer_to(number, None)
        except (OSError, ValueError, NotJson, TimeoutError, Ended):
            self.end()

    async def _write(self, message: dict[str, Any]) -> None:
        into = self._process.stdin
        assert into is not None
        into.write(written(message).encode() + b"\n")
        await into.drain()

    @property
    def is_running(self) -> bool:
        """Whether the process can answer."""
        out = self._process.stdout
        return not (self._has_ended or self._process.returncode is not None or out is None or out.at_eof())

    def end(self) -> None:
        """End the process; it is not asked again."""
        self._has_ended = True
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.end()
        if self._ending is not None:
            # It still reads what the process says.
            await self._ending
        await self._process.communicate()


class Workers:
    """A pool of worker processes, at which clients take turns.

    Args:
        number: How many there are. They start with the first requests, or with ``warm_up``.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._turns = Turns(number)
        # The one that was used last is used next: it has the rulesets at hand.
        self._idle: list[Worker | None] = [None] * number
        self._all: set[Worker] = set()

    async def answer(
        self, request: dict[str, Any], progress: Progress | None = None, *, client: str = ""
    ) -> dict[str, Any]:
        """Answer a request. A process that ends is replaced, and the request tried once more, in the new one.

        Args:
            request: The request, as plain data.
            progress: Called with the work done, if the request wants to know it.
            client: Who asks: clients take turns, and none has all processes at once if there are several.
        """
        async with self._turns.place(client):
            worker = self._idle.pop()
            try:
                for _ in range(2):
                    with suppress(Ended, OSError):
                        if worker is None or not worker.is_running:
                            worker = await self._started(worker)
                        return await worker.answer(request, progress)
            finally:
                self._idle.append(worker)
        return error_answer(
            request.get("id"), FAILED, "the process that answered this request was stopped; try a smaller request"
        )

    async def warm_up(self) -> None:
        """Start all processes, and load the shipped rulesets in each, so the first visitor doesn't wait for it."""
        request = {"jsonrpc": "2.0", "id": 0, "method": "list"}
        # Each has a client of its own, so that all processes are used.
        clients = (f"warm-up {number}" for number in range(self._number))
        await asyncio.gather(*(self.answer(request, client=client) for client in clients))

    async def _started(self, ended: Worker | None) -> Worker:
        if ended is not None:
            self._all.discard(ended)
            await ended.close()
        worker = await Worker.start()
        self._all.add(worker)
        return worker

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.close() for worker in self._all))


def cancelled(number: Any) -> dict[str, Any]:
    """The answer to a request that was cancelled."""
    return error_answer(number, CANCELLED, "cancelled")
