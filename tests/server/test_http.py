"""The web application: requests, connections, what is refused, and processes that end."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.conftest import Run
from tests.server.serving import posted, serving
from tests.service.requests import LONG, SHOT, request

from enfilade.server import application, http
from enfilade.service import Service

HERE: Final = "http://localhost"
JSON: Final = {"content-type": "application/json"}
TABLE: Final = "https://table.example"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """The client of an application that answers one other page."""
    with TestClient(application(workers=1, origins=[TABLE], page=Path("nowhere")), base_url=HERE) as found:
        yield found


def test_a_request_has_the_answer_that_the_library_gives(client: TestClient) -> None:
    asked = request("a", "resolve", **SHOT, dice=[4, 3])
    answer = client.post("/rpc", json=asked)
    assert JSON.items() <= answer.headers.items()
    assert answer.json() == Service().handle(asked)


def test_a_list_has_an_answer_for_each_request_with_an_id(client: TestClient) -> None:
    answers = client.post("/rpc", json=[request(1, "about"), {"method": "about"}, 5, request(2, "odds", **SHOT)]).json()
    assert [each["id"] for each in answers] == [1, None, 2]
    assert client.post("/rpc", json={"method": "about"}).status_code == 204


@pytest.mark.parametrize(
    ("text", "code"), [("{", -32700), ("[]", -32600), ("5", -32600), ("[" * 100_000, -32700), ('{"id": NaN}', -32700)]
)
def test_what_is_no_request_has_an_error(client: TestClient, text: str, code: int) -> None:
    answer = client.post("/rpc", content=text, headers=JSON)
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("method", "path", "content", "kind", "status"),
    [
        ("POST", "/rpc", "{}", "text/plain", 415),
        ("POST", "/rpc", json.dumps({"text": "x" * http.MOST_BYTES}), "application/json", 413),
        ("GET", "/rpc", "", "", 405),
        ("GET", "/../secret", "", "", 404),
    ],
)  # fmt: skip
def test_a_request_of_another_type_or_size_is_refused(
    client: TestClient, method: str, path: str, content: str, kind: str, status: int
) -> None:
    assert client.request(method, path, content=content, headers={"content-type": kind}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "127.0.0.1:8040"}, 200),
        ({"host": "[::1]:8040"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "localhost@evil.example"}, 403),
        ({"host": "localhost.evil.example"}, 403),
        ({"origin": "http://localhost"}, 200),
        ({"origin": TABLE}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
    ],
)
def test_only_this_server_and_its_own_page_are_answered(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    assert client.post("/rpc", json=request(1, "about"), headers=headers).status_code == status


def test_every_answer_keeps_the_page_to_itself(client: TestClient) -> None:
    for answer in (client.get("/"), client.get("/openrpc.json"), client.get("/none")):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers


def test_another_page_may_be_allowed(client: TestClient) -> None:
    asked = client.options("/rpc", headers={"origin": TABLE, "access-control-request-method": "POST"})
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (204, TABLE)


# ------------------------------------------------------------------------------------------------------- connections


def test_a_connection_answers_and_tells_of_wrong_messages(client: TestClient) -> None:
    with client.websocket_connect("ws://localhost/ws") as socket:
        socket.send_text("{")
        assert socket.receive_json()["error"]["code"] == -32700
        socket.send_json(5)
        assert socket.receive_json()["error"]["code"] == -32600
        socket.send_json(request(1, "odds", **SHOT, progress=True))
        assert socket.receive_json() == {"jsonrpc": "2.0", "method": "$/progress", "params": {"id": 1, "work": 0}}
        while "method" in (answer := socket.receive_json()):
            pass
        assert answer == Service().handle(request(1, "odds", **SHOT))


def test_a_request_of_a_connection_can_be_cancelled_and_the_next_is_answered(client: TestClient) -> None:
    with client.websocket_connect("ws://localhost/ws") as socket:
        socket.send_json(request("long", "odds", **LONG))
        socket.send_json(request("long", "about"))
        assert "id of its own" in socket.receive_json()["error"]["message"]
        socket.send_json({"method": "$/cancel", "params": {"id": "long"}})
        assert socket.receive_json()["error"]["code"] == -32800
        socket.send_json(request(2, "about"))
        assert socket.receive_json()["id"] == 2


def test_a_page_elsewhere_gets_no_connection(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://localhost/ws", headers={"origin": "http://evil.example"}),
    ):
        pass


# ---------------------------------------------------------------------------------------------------- a real process


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="finds the worker in /proc")
def test_a_run_goes_on_after_its_worker_was_killed() -> None:
    with serving("--workers", "1") as (address, number):
        run = json.loads(posted(address, json.dumps(request(1, "begin", **SHOT))))["result"]
        (worker,) = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        os.kill(int(worker), signal.SIGKILL)
        time.sleep(0.1)
        asked = request(2, "answer", ruleset="infantry_attacks", save=run["save"], answer=[4, 3])
        assert json.loads(posted(address, json.dumps(asked)))["result"]["outcome"]["result"] == "-"


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, complaint = run("serve", "--port", str(port))
    assert code == 2
    assert f"port {port} can't be used" in complaint


def test_without_the_extra_the_message_names_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("enfilade.cli.serve.find_spec", lambda name: None)
    code, _, complaint = run("serve")
    assert code == 2
    assert "pip install 'enfilade[serve]'" in complaint
