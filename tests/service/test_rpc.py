"""``enfilade rpc``: a process that answers lines, in order, and can be told to stop."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from enfilade.cli import main
from enfilade.service import METHODS, Service, serve_lines
from enfilade.service.lines import LONGEST

SHOT: Final = {"ruleset": "infantry_attacks", "procedure": "direct_fire", "facts": {"fire_value": 16}}
LONG: Final = {"text": "procedure main\n  1. roll 300d6 as dice\n  2. roll 300d20 as more\n"
                       "  3. give result = sum of highest 40 of dice.values + sum of highest 40 of more.values\n"}  # fmt: skip


def request(number: Any, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def said(*lines: str | bytes) -> list[Any]:
    """What is answered to some lines."""
    raw = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    answers = io.BytesIO()
    serve_lines(Service(), io.BytesIO(raw), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_each_request_has_its_answer_in_order() -> None:
    answers = said(request(1, "about"), "", request("b", "resolve", **SHOT, dice=[4, 3]), request(3, "odd"))
    assert [each["id"] for each in answers] == [1, "b", 3]
    assert answers[1]["result"]["result"] == "-"
    assert answers[2]["error"]["code"] == -32601


def test_a_line_that_is_no_request_has_an_error_and_the_next_is_answered() -> None:
    answers = said("{", b"\xff\xfe", b"x" * (LONGEST + 10), request(1, "about"))
    assert sorted(each["error"]["code"] for each in answers if "error" in each) == [-32700, -32700, -32600]
    assert [each["result"]["version"] for each in answers if "result" in each]


def test_what_can_be_requested_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rpc", "--describe"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["methods"]] == sorted(METHODS)


@pytest.fixture
def host() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "enfilade", "rpc"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def line_of(host: subprocess.Popen[str]) -> Any:
    assert host.stdout is not None
    return json.loads(host.stdout.readline())


def write(host: subprocess.Popen[str], line: str) -> None:
    assert host.stdin is not None
    host.stdin.write(f"{line}\n")
    host.stdin.flush()


def test_a_long_question_tells_of_its_progress_and_is_cancelled(host: subprocess.Popen[str]) -> None:
    write(host, request(1, "odds", ruleset=LONG, procedure="main", progress=True))
    write(host, request(2, "about"))
    told = line_of(host)
    assert (told["method"], told["params"]["id"]) == ("$/progress", 1)
    write(host, json.dumps({"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": 1}}))
    answer = told
    while "method" in answer:
        answer = line_of(host)
    assert (answer["id"], answer["error"]["code"]) == (1, -32800)
    assert line_of(host)["id"] == 2


def test_a_request_that_waits_is_cancelled_before_it_begins() -> None:
    cancel = json.dumps({"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": 1}})
    assert [each["error"]["code"] for each in said(cancel, request(1, "odds", **SHOT))] == [-32800]


def test_the_process_ends_with_its_input(host: subprocess.Popen[str]) -> None:
    output, _ = host.communicate(request(1, "about") + "\n", timeout=60)
    assert json.loads(output)["id"] == 1
    assert host.returncode == 0
