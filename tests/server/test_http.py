"""The web application: requests, connections, what is refused, and processes that end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from enfilade.cli import main
from enfilade.server import application, http
from enfilade.service import Service

HERE: Final = "http://localhost"
SHOT: Final = {"ruleset": "infantry_attacks", "procedure": "direct_fire", "facts": {"fire_value": 16}}
# Its odds take longer than the limit of a request.
LONG: Final = {
    "ruleset": {
        "text": "procedure main\n  1. roll 300d6 as dice\n  2. roll 300d20 as more\n"
        "  3. give result = sum of highest 40 of dice.values + sum of highest 40 of more.values\n"
    },
    "procedure": "main",
}


def request(number: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(application(workers=1, page=Path("nowhere")), base_url=HERE) as found:
        yield found


def test_a_request_has_the_answer_that_the_library_gives(client: TestClient) -> None:
    asked = request("a", "resolve", **SHOT, dice=[4, 3])
    answer = client.post("/rpc", json=asked)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == Service().handle(asked)


def test_a_list_has_an_answer_for_each_request_with_an_id(client: TestClient) -> None:
    answers = client.post("/rpc", json=[request(1, "about"), {"method": "about"}, 5, request(2, "odds", **SHOT)]).json()
    assert [each["id"] for each in answers] == [1, None, 2]
    assert client.post("/rpc", json={"method": "about"}).status_code == 204


@pytest.mark.parametrize(
    ("text", "code"), [("{", -32700), ("[]", -32600), ("5", -32600), ("[" * 100_000, -32700), ('{"id": NaN}', -32700)]
)
def test_what_is_no_request_has_an_error(client: TestClient, text: str, code: int) -> None:
    answer = client.post("/rpc", content=text, headers={"content-type": "application/json"})
    assert answer.json()["error"]["code"] == code


def test_a_request_of_another_type_or_size_is_refused(client: TestClient) -> None:
    assert client.post("/rpc", content="{}", headers={"content-type": "text/plain"}).status_code == 415
    large = json.dumps({"text": "x" * http.MOST_BYTES})
    assert client.post("/rpc", content=large, headers={"content-type": "application/json"}).status_code == 413
    assert client.get("/rpc").status_code == 405
    assert client.get("/../secret").status_code == 404


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


def test_another_page_may_be_allowed() -> None:
    table = "https://table.example"
    with TestClient(application(origins=[table], page=Path("nowhere")), base_url=HERE) as client:
        asked = client.options("/rpc", headers={"origin": table, "access-control-request-method": "POST"})
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (204, table)
        assert client.post("/rpc", json=request(1, "about"), headers={"origin": table}).status_code == 200


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


@pytest.fixture
def served() -> Iterator[tuple[str, int]]:
    """A server in a process of its own: its address and number."""
    command = [sys.executable, "-m", "enfilade", "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        yield address[0], process.pid
        process.send_signal(signal.SIGINT)


def posted(address: str, message: dict[str, Any]) -> Any:
    asked = Request(f"{address}rpc", json.dumps(message).encode(), {"content-type": "application/json"})
    with urlopen(asked, timeout=30) as answer:
        return json.load(answer)


@pytest.mark.skipif(sys.platform != "linux", reason="finds the worker in /proc")
def test_a_run_goes_on_after_its_worker_was_killed(served: tuple[str, int]) -> None:
    address, number = served
    run = posted(address, request(1, "begin", **SHOT))["result"]
    children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
    assert len(children) == 1
    os.kill(int(children[0]), signal.SIGKILL)
    time.sleep(0.1)
    ended = posted(address, request(2, "answer", ruleset="infantry_attacks", save=run["save"], answer=[4, 3]))["result"]
    assert ended["outcome"]["result"] == "-"


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert f"port {port} can't be used" in capsys.readouterr().err


def test_without_the_extra_the_message_names_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("enfilade.cli.serve.find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert "pip install 'enfilade[serve]'" in capsys.readouterr().err
