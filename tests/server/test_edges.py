"""What a client leaves undone: workers that end, long batches, half-sent requests, sockets that stand still."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from tests.service.requests import request

from enfilade.server import workers
from enfilade.server.turns import Turns
from enfilade.server.workers import Workers

PATIENCE: Final = 20.0
# A worker that answers anything with its number and a text, waits for a file, or ends before a file is there.
STUB: Final = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    method, given = asked["method"], asked.get("params") or {}
    if method == "end" and not os.path.exists(given["file"]):
        open(given["file"], "w").close()
        os._exit(1)
    while method == "wait" and not os.path.exists(given["file"]):
        time.sleep(0.01)
    if method != "$/cancel":
        result = {"process": os.getpid(), "text": "x" * given.get("size", 0)}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start at once, and do only what a test needs."""
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, "-S", "-c", STUB))


# -- workers that end


def asked_twice(kill: Callable[[Workers], None], number: int) -> Any:
    """The results of a request before and after something was done to the workers."""

    async def ask() -> Any:
        pool = Workers(number)
        await pool.warm_up()
        before = await pool.answer(request(1, "about"))
        kill(pool)
        try:
            return before, await pool.answer(request(2, "about"))
        finally:
            await pool.close()

    return asyncio.run(ask())


def kill_all(pool: Workers) -> None:
    for worker in pool._all:
        os.kill(worker._process.pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.skipif(sys.platform == "win32", reason="has no such signal")
def test_workers_that_were_killed_are_replaced_and_the_request_is_answered(number: int) -> None:
    # Nothing is awaited between the signal and the request, so nobody has told the pool yet.
    before, after = asked_twice(kill_all, number)
    assert (before["id"], after["id"]) == (1, 2)
    assert before["result"]["process"] != after["result"]["process"]


def test_a_request_whose_worker_ends_is_answered_by_another(tmp_path: Path) -> None:
    async def ask() -> Any:
        pool = Workers(2)
        try:
            found = await pool.answer(request(1, "end", file=str(tmp_path / "ended")))
            return found, [worker for worker in pool._idle if worker is not None], pool._all
        finally:
            await pool.close()

    answer, idle, kept = asyncio.run(ask())
    assert "result" in answer
    assert set(idle) == kept
    assert len(kept) == 1


def test_a_request_that_ends_every_worker_has_an_error_and_the_next_is_answered(tmp_path: Path) -> None:
    async def ask() -> Any:
        pool = Workers(1)
        try:
            found = await pool.answer(request(1, "end", file=str(tmp_path / "none" / "ended")))
            return found, await pool.answer(request(2, "about"))
        finally:
            await pool.close()

    first, second = asyncio.run(ask())
    assert (first["error"]["code"], "result" in second) == (workers.FAILED, True)


def test_a_request_that_is_cancelled_twice_leaves_its_place_to_the_next(tmp_path: Path) -> None:
    async def ask() -> Any:
        pool = Workers(1)
        try:
            task = asyncio.create_task(pool.answer(request(1, "wait", file=str(tmp_path / "never"))))
            while pool._idle:
                await asyncio.sleep(0.01)
            for _ in range(3):
                task.cancel()
                await asyncio.sleep(0.01)
            return await pool.answer(request(2, "about"))
        finally:
            await pool.close()

    assert "result" in asyncio.run(ask())


# -- turns


def order_of(places: int, *clients: str) -> list[str]:
    """In which order requests of clients have a place, if each ends before the next place is free."""

    async def run() -> list[str]:
        turns, order = Turns(places), []

        async def one(client: str) -> None:
            async with turns.place(client):
                order.append(client)
                await asyncio.sleep(0)

        await asyncio.gather(*map(one, clients))
        return order

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("places", "clients", "order"),
    [
        (1, "aaaab", "abaaa"),
        (1, "aaabbbccc", "abcabcabc"),
        (2, "aaaab", "abaaa"),
        (3, "aaaabbbb", "aabababb"),
    ],
)
def test_clients_take_turns(places: int, clients: str, order: str) -> None:
    assert "".join(order_of(places, *clients)) == order


@pytest.mark.parametrize(("places", "most"), [(1, 1), (2, 1), (4, 3)])
def test_no_client_holds_all_places(places: int, most: int) -> None:
    async def run() -> tuple[int, int]:
        turns, end, held = Turns(places), asyncio.Event(), {"a": 0, "b": 0}

        async def one(client: str) -> None:
            async with turns.place(client):
                held[client] += 1
                await end.wait()

        tasks = [asyncio.create_task(one("a")) for _ in range(9)]
        await asyncio.sleep(0.01)
        tasks.append(asyncio.create_task(one("b")))
        await asyncio.sleep(0.01)
        found = held["a"], held["b"]
        end.set()
        await asyncio.gather(*tasks)
        return found

    assert asyncio.run(run()) == (most, min(places - most, 1))


def test_who_is_cancelled_leaves_no_place_behind() -> None:
    async def run() -> str:
        turns = Turns(1)

        async def one() -> str:
            async with turns.place("a"):
                await asyncio.sleep(0.01)
                return "done"

        tasks = [asyncio.create_task(one()) for _ in range(3)]
        await asyncio.sleep(0)
        # One that has its place, one that waits, and one whose place comes at the same moment.
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert not turns._waiting
        assert not turns._held
        holds = turns.place("a")
        await holds.__aenter__()
        late = asyncio.create_task(one())
        await asyncio.sleep(0)
        await holds.__aexit__(None, None, None)
        late.cancel()
        await asyncio.wait([late])
        return await one()

    assert asyncio.run(run()) == "done"
