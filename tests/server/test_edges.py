"""What a client leaves undone: workers that end, long batches, half-sent requests, sockets that stand still."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

import httpx2 as httpx
import pytest
import uvicorn
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.service.requests import request
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from enfilade.server import application, http, running, workers
from enfilade.server.turns import Turns
from enfilade.server.workers import Workers
from enfilade.service.jsonrpc import CANCELLED

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


@contextmanager
def served(number: int = 2) -> Iterator[tuple[uvicorn.Server, int]]:
    """A server on the loopback address in a thread, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = running.server_of(application(workers=number, page=Path("nowhere")))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: server.started)
            yield server, listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that comes sooner or later."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def rest_of(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            found += part
    return found


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


def test_a_batch_of_one_client_does_not_delay_another(tmp_path: Path) -> None:
    file = tmp_path / "go"
    batch = [request(number, "wait", file=str(file)) for number in range(16)]
    with served(2) as (_, port), httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        answers: list[Any] = []
        first = Thread(target=lambda: answers.extend(client.post("/rpc", json=batch).json()))
        first.start()
        # A proxy on this machine says for whom it asks.
        other = client.post("/rpc", json=request(1, "about"), headers={"x-forwarded-for": "192.0.2.7"})
        assert ("result" in other.json(), answers) == (True, [])
        file.touch()
        first.join(PATIENCE)
        assert [each["id"] for each in answers] == [*range(16)]


# -- half-sent requests

POST: Final = b"POST /rpc HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n"
GET: Final = b"GET /none HTTP/1.1\r\nhost: localhost\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"GET / HT", GET + b"GET", GET + b"GET / HTTP/1.1\r\nx"])
def test_a_half_sent_head_is_closed(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(running, "HEAD_SECONDS", 0.3)
    with served() as (server, port), socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(sent)
        assert rest_of(client).count(b"HTTP/1.1 404") == sent.count(GET)
        until(lambda: not server.server_state.connections)


@pytest.mark.thorough
def test_a_head_that_comes_byte_by_byte_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "HEAD_SECONDS", 0.3)
    with served() as (server, port), socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(b"GET / HTTP/1.1\r\n")
        with suppress(OSError):
            for _ in range(1_000):
                client.sendall(b"x")
                time.sleep(0.01)
                if not server.server_state.connections:
                    break
        until(lambda: not server.server_state.connections)


@pytest.mark.thorough
def test_a_request_that_takes_longer_than_a_head_is_answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(running, "HEAD_SECONDS", 0.2)
    file = tmp_path / "go"
    with served() as (_, port):
        answers: list[Any] = []

        def ask() -> None:
            asked = request(1, "wait", file=str(file))
            answers.append(httpx.post(f"http://127.0.0.1:{port}/rpc", json=asked, timeout=PATIENCE).json())

        asking = Thread(target=ask)
        asking.start()
        time.sleep(0.6)
        file.touch()
        asking.join(PATIENCE)
    assert "result" in answers[0]


def test_a_half_sent_body_is_told_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0.3)
    with served() as (server, port), socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(POST + b"{")
        assert rest_of(client).startswith(b"HTTP/1.1 408")
        until(lambda: not server.server_state.connections)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "head", [POST.replace(b"/rpc", b"/"), POST.replace(b"json", b"xml"), POST.replace(b"localhost", b"x")]
)
def test_a_body_that_stays_out_after_its_answer_is_closed(monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    monkeypatch.setattr(running, "HEAD_SECONDS", 0.3)
    with served() as (server, port), socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(head + b"{")
        assert rest_of(client).startswith(b"HTTP/1.1 4")
        until(lambda: not server.server_state.connections)


@pytest.mark.thorough
def test_an_answer_that_nobody_reads_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "UNREAD_SECONDS", 0.3)
    asked = json.dumps(request(1, "about", size=20 * 2**20)).encode()
    with served() as (server, port), socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(POST.replace(b"length: 5", b"length: %d" % len(asked)) + asked)
        until(lambda: bool(server.server_state.connections))
        until(lambda: not server.server_state.connections)


# -- WebSockets


def test_a_connection_without_a_message_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "IDLE_SECONDS", 0.3)
    with (
        TestClient(application(workers=1, page=Path("nowhere")), base_url="http://localhost") as client,
        client.websocket_connect("ws://localhost/ws") as connection,
    ):
        connection.send_json(request(1, "about"))
        assert "result" in connection.receive_json()
        with pytest.raises(WebSocketDisconnect) as closed:
            connection.receive_json()
        assert closed.value.code == 1000


class Stuck:
    """A WebSocket whose other side sends a few messages that are no requests, and reads nothing."""

    client = None

    def __init__(self) -> None:
        self.left = 5
        self.closed: list[int] = []

    async def accept(self) -> None: ...

    async def receive_text(self) -> str:
        self.left -= 1
        return "5" if self.left else await self.send_text("")

    async def send_text(self, _: str) -> Any:
        await asyncio.Event().wait()

    async def close(self, code: int, _: str) -> None:
        self.closed.append(code)
        await self.send_text("")


@pytest.mark.parametrize("limit", ["MOST_UNREAD", "MOST_UNREAD_CHARACTERS"])
def test_a_connection_with_many_unread_answers_is_closed(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(http, limit, 2)
    monkeypatch.setattr(http, "CLOSE_SECONDS", 0.1)

    async def serve() -> list[int]:
        stuck: Any = Stuck()
        async with asyncio.timeout(PATIENCE):
            await http._Connection(Workers(1), stuck).serve()
        return list(stuck.closed)

    assert asyncio.run(serve()) == [1008]


def test_a_connection_whose_answers_nobody_reads_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "UNREAD_SECONDS", 0.3)
    with served() as (server, port), connect(f"ws://127.0.0.1:{port}/ws", max_queue=1, close_timeout=1) as client:
        with suppress(ConnectionClosed):
            for number in range(30):
                client.send(json.dumps(request(number, "about", size=2**20)))
        until(lambda: not server.server_state.connections)


def text_frame(text: str) -> bytes:
    """A short text as a client sends it, with a mask of zeros."""
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text.encode()


def test_a_request_that_is_cancelled_before_it_begins_has_an_answer_and_frees_its_id() -> None:
    asked, cancel = json.dumps(request(1, "about")), json.dumps({"method": "$/cancel", "params": {"id": 1}})
    with served() as (_, port), connect(f"ws://127.0.0.1:{port}/ws") as client:
        # Both come at once.
        client.socket.sendall(text_frame(asked) + text_frame(cancel))
        first = json.loads(client.recv(PATIENCE))
        assert (first["id"], first.get("error", {}).get("code", CANCELLED)) == (1, CANCELLED)
        client.send(json.dumps(request(1, "about")))
        assert "result" in json.loads(client.recv(PATIENCE))
