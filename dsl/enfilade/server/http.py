"""The web application: requests at ``/rpc``, connections at ``/ws``, and the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
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
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return PlainTextResponse(f"A request may have at most {MOST_BYTES} bytes.\n", 413)
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
    """A WebSocket: requests are answered as they are ready, and can be cancelled."""

    def __init__(self, pool: Workers, socket: WebSocket) -> None:
        self._pool = pool
        self._socket = socket
        self._running: dict[Any, asyncio.Task[None]] = {}
        self._messages: asyncio.Queue[str] = asyncio.Queue()

    async def serve(self) -> None:
        """Answer requests until the other side closes."""
        await self._socket.accept()
        writer = asyncio.create_task(self._write())
        try:
            while True:
                self._take(await self._socket.receive_text())
        except (WebSocketDisconnect, KeyError):
            # A KeyError comes of a message of bytes.
            pass
        finally:
            tasks = [*self._running.values(), writer]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

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
            self._running[request["id"]] = asyncio.create_task(self._answer(request))

    async def _answer(self, request: dict[str, Any]) -> None:
        number = request["id"]

        def progress(work: int) -> None:
            self._say({"jsonrpc": "2.0", "method": "$/progress", "params": {"id": number, "work": work}})

        try:
            answer = await self._pool.answer(request, progress, client=_client(self._socket))
        except asyncio.CancelledError:
            answer = cancelled(number)
        finally:
            del self._running[number]
        self._say(answer)

    def _say(self, message: Any) -> None:
        self._messages.put_nowait(written(message))

    async def _write(self) -> None:
        while True:
            await self._socket.send_text(await self._messages.get())
