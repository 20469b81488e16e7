"""Worker processes that answer requests: a pool of ``enfilade rpc``, each with one request at a time."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from typing import Any, Final, TypeAlias

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
            await self._write({**request, "id": own})
            async with asyncio.timeout(_GRACE):
                return {**await self._answer_to(own, progress), "id": request.get("id")}
        except asyncio.CancelledError:
            await asyncio.shield(self._cancel(own))
            raise
        except (OSError, ValueError, NotJson, TimeoutError) as error:
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
        return self._process.returncode is None

    def end(self) -> None:
        """End the process."""
        if self.is_running:
            self._process.kill()

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.end()
        await self._process.communicate()


class Workers:
    """A pool of worker processes.

    Args:
        number: How many there are. They start with the first requests, or with ``warm_up``.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._idle: asyncio.LifoQueue[Worker | None] = asyncio.LifoQueue()
        self._all: set[Worker] = set()
        for _ in range(number):
            self._idle.put_nowait(None)

    async def answer(self, request: dict[str, Any], progress: Progress | None = None) -> dict[str, Any]:
        """Answer a request, in the first idle process. A process that ends is replaced, and the request tried once more.

        Args:
            request: The request, as plain data.
            progress: Called with the work done, if the request wants to know it.
        """
        for _ in range(2):
            worker = await self._idle.get()
            try:
                if worker is None or not worker.is_running:
                    worker = await self._started(worker)
                return await worker.answer(request, progress)
            except Ended:
                pass
            finally:
                self._idle.put_nowait(worker)
        return error_answer(
            request.get("id"), FAILED, "the process that answered this request was stopped; try a smaller request"
        )

    async def warm_up(self) -> None:
        """Start all processes, and load the shipped rulesets in each, so the first visitor doesn't wait for it."""
        request = {"jsonrpc": "2.0", "id": 0, "method": "list"}
        await asyncio.gather(*(self.answer(request) for _ in range(self._number)))

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
