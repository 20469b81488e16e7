"""The web application: requests at ``/rpc``, connections at ``/ws``, and the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from enfilade.server.security import HEADERS, LOOPBACK, is_allowed
from enfilade.server.workers import Workers, cancelled
from enfilade.service.jsonrpc import (
    INVALID_REQUEST,
    PARSE_ERROR,
    NotJson,
    error_answer,
    is_id,
    read,
    written,
    wrong_list,
    wrong_request,
)
from enfilade.service.openrpc import openrpc

MOST_BYTES: Final = 4 * 2**20
"""The largest request: a ruleset with all its modules has at most 1 MB of text."""
_MOST_AT_ONCE: Final = 32
"""The requests of one connection that wait or are being answered."""
BODY_SECONDS: Final = 30.0
"""The time of the body of a request."""
IDLE_SECONDS: Final = 600.0
"""The time after which a connection without a message is closed."""
CLOSE_SECONDS: Final = 5.0
"""The time of saying to the other side that its connection is closed."""
MOST_UNREAD: Final = 1_000
"""The answers of one connection that the other side has not read."""
MOST_UNREAD_CHARACTERS: Final = 16 * 2**20
"""Their characters, unless there is only one."""
_IDLE: Final = (1000, "no message for a long time")
_UNREAD: Final = (1008, "too many answers are unread")
_PAGE: Final = Path(__file__).with_name("page")
_NO_PAGE: Final = (
    "This copy of Enfilade does not contain the page. Build the page in a copy of the repository:\n\n"
    "    npm --prefix web ci && npm --prefix web run build\n\n"
    "Requests are answered at /rpc and /ws; /openrpc.json describes them.\n"
)


def application(
    *, workers: int = 2, hosts: Collection[str] = (), origins: Collection[str] = (), page: Path = _PAGE
) -> ASGIApp:
    """Make the web application.

    Args:
        workers: The number of processes that answer requests.
        hosts: The names of this server beside the loopback addresses; requests to other names are refused.
        origins: Other pages that may send requests: ``https://table.example``.
        page: The folder of the built page.
    """
    pool = Workers(workers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(pool.warm_up())
        yield
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await pool.close()

    async def rpc(request: Request) -> Response:
        return await _rpc(pool, request)

    async def connection(socket: WebSocket) -> None:
        await _Connection(pool, socket).serve()

    routes: list[BaseRoute] = [
        Route("/rpc", rpc, methods=["POST"]),
        Route("/openrpc.json", _describe),
        WebSocketRoute("/ws", connection),
        Mount("/", StaticFiles(directory=page, html=True)) if page.is_dir() else Route("/", _no_page),
    ]
    return _Guard(Starlette(routes=routes, lifespan=lifespan), LOOPBACK | frozenset(hosts), frozenset(origins))


class _Guard:
    """Refuses requests from elsewhere, and adds the headers that every answer has."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], origins: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if not is_allowed(headers.get(b"host"), origin, self._hosts, self._origins):
            await self._refuse(scope, receive, send)
            return
        more = dict(HEADERS)
        if origin in self._origins and origin is not None:
            more |= {
                "Access-Control-Allow-Origin": origin,
                "Access-Control-Allow-Headers": "content-type",
                "Vary": "Origin",
            }
            # Such an answer is meant for another page.
            more["Cross-Origin-Resource-Policy"] = "cross-origin"
            if scope["type"] == "http" and scope["method"] == "OPTIONS":
                await Response(status_code=204, headers=more)(scope, receive, send)
                return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"], *((name.lower().encode(), value.encode()) for name, value in more.items())
                ]  # fmt: skip
            await send(message)

        await self._app(scope, receive, answer)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        text = (
            "This server answers only its own page and programs on this machine. See --allow-host and --allow-origin.\n"
        )
        await PlainTextResponse(text, 403)(scope, receive, send)


async def _describe(_: Request) -> Response:
    return JSONResponse(openrpc())


async def _no_page(_: Request) -> Response:
    return PlainTextResponse(_NO_PAGE)


# ---------------------------------------------------------------------------------------------------------- requests


async def _rpc(pool: Workers, request: Request) -> Response:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return PlainTextResponse("Send a request as application/json.\n", 415)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    return PlainTextResponse(f"A request may have at most {MOST_BYTES} bytes.\n", 413)
    except TimeoutError:
        late = f"The body of a request must come within {BODY_SECONDS:g} seconds.\n"
        return PlainTextResponse(late, 408, {"connection": "close"})
    answer = await _answered(pool, bytes(body), _client(request))
    if answer is None:
        return Response(status_code=204)
    return Response(written(answer), media_type="application/json")


def _client(connection: HTTPConnection) -> str:
    """Who asks, for turns at the workers."""
    return connection.client.host if connection.client is not None else ""


async def _answered(pool: Workers, text: bytes, client: str) -> Any:
    try:
        request = read(text)
    except NotJson as wrong:
        return error_answer(None, PARSE_ERROR, str(wrong))
    if not isinstance(request, list):
        return await _one(pool, request, client)
    refusal = wrong_list(request)
    if refusal is not None:
        return refusal
    answers = await asyncio.gather(*(_one(pool, each, client) for each in request))
    return [each for each in answers if each is not None] or None


async def _one(pool: Workers, request: Any, client: str) -> Any:
    wrong = wrong_request(request)
    if wrong is not None:
        return wrong
    return await pool.answer(request, client=client) if "id" in request else None


class _Connection:
    """A WebSocket: requests are answered as they are ready, and can be cancelled.

    It is closed when the other side says nothing for a long time, and when too many answers are unread.
    """

    def __init__(self, pool: Workers, socket: WebSocket) -> None:
        self._pool = pool
        self._socket = socket
        self._running: dict[Any, asyncio.Task[Any]] = {}
        self._messages: asyncio.Queue[str] = asyncio.Queue()
        self._unread = 0
        self._closing: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()

    async def serve(self) -> None:
        """Answer requests until one side closes."""
        await self._socket.accept()
        sides: list[asyncio.Future[Any]] = [asyncio.create_task(each) for each in (self._read(), self._write())]
        try:
            await asyncio.wait([*sides, self._closing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [*self._running.values(), *sides]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if self._closing.done():
            # The other side may read nothing any more.
            with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._socket.close(*self._closing.result())

    async def _read(self) -> None:
        # A KeyError comes of a message of bytes.
        with suppress(WebSocketDisconnect, KeyError):
            while True:
                try:
                    async with asyncio.timeout(IDLE_SECONDS):
                        text = await self._socket.receive_text()
                except TimeoutError:
                    self._close(_IDLE)
                    return
                self._take(text)

    def _take(self, text: str) -> None:
        try:
            request = read(text)
        except NotJson as unread:
            self._say(error_answer(None, PARSE_ERROR, str(unread)))
            return
        wrong = wrong_request(request)
        if wrong is not None:
            self._say(wrong)
        elif request["method"] == "$/cancel":
            params = request.get("params")
            number = params.get("id") if isinstance(params, dict) else None
            task = self._running.get(number) if is_id(number) else None
            if task is not None:
                task.cancel()
        elif request.get("id") in self._running or len(self._running) >= _MOST_AT_ONCE:
            why = f"at most {_MOST_AT_ONCE} requests can wait at once, and each needs an id of its own"
            self._say(error_answer(request.get("id"), INVALID_REQUEST, why))
        elif "id" in request:
            task = asyncio.create_task(self._answer(request))
            self._running[request["id"]] = task
            task.add_done_callback(partial(self._answered, request["id"]))

    async def _answer(self, request: dict[str, Any]) -> Any:
        number = request["id"]

        def progress(work: int) -> None:
            self._say({"jsonrpc": "2.0", "method": "$/progress", "params": {"id": number, "work": work}})

        return await self._pool.answer(request, progress, client=_client(self._socket))

    def _answered(self, number: Any, task: asyncio.Task[Any]) -> None:
        # Not at the end of the task: one that is cancelled before it begins does nothing.
        del self._running[number]
        self._say(cancelled(number) if task.cancelled() else task.result())

    def _say(self, message: Any) -> None:
        if self._closing.done():
            return
        text = written(message)
        self._messages.put_nowait(text)
        self._unread += len(text)
        number = self._messages.qsize()
        if number > MOST_UNREAD or (number > 1 and self._unread > MOST_UNREAD_CHARACTERS):
            self._close(_UNREAD)

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                text = await self._messages.get()
                await self._socket.send_text(text)
                self._unread -= len(text)

    def _close(self, why: tuple[int, str]) -> None:
        if not self._closing.done():
            self._closing.set_result(why)
