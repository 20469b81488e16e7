"""``enfilade rpc`` answers lines, in order, and can be told to stop; the library, a server and a browser give the same answers."""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from tests.conftest import Run
from tests.server.serving import posted, serving
from tests.service.requests import LONG, SHOT, as_requests, request, rulesets, situations

import enfilade
from enfilade.service import METHODS, Service, serve_lines
from enfilade.service.lines import LONGEST

CANCEL: Final = json.dumps({"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": 1}})


def line(number: Any, method: str, **params: Any) -> str:
    return json.dumps(request(number, method, **params))


def said(*lines: str | bytes) -> list[Any]:
    """What is answered to some lines."""
    raw = b"".join((each.encode() if isinstance(each, str) else each) + b"\n" for each in lines)
    answers = io.BytesIO()
    serve_lines(Service(), io.BytesIO(raw), answers)
    return [json.loads(each) for each in answers.getvalue().splitlines()]


def test_each_request_has_its_answer_in_order() -> None:
    answers = said(line(1, "about"), "", line("b", "resolve", **SHOT, dice=[4, 3]), line(3, "odd"))
    assert [each["id"] for each in answers] == [1, "b", 3]
    assert answers[1]["result"]["result"] == "-"
    assert answers[2]["error"]["code"] == -32601


def test_a_line_that_is_no_request_has_an_error_and_the_next_is_answered() -> None:
    answers = said("{", b"\xff\xfe", b"x" * (LONGEST + 10), line(1, "about"))
    assert sorted(each["error"]["code"] for each in answers if "error" in each) == [-32700, -32700, -32600]
    assert [each["result"]["version"] for each in answers if "result" in each]


def test_what_can_be_requested_is_printed(run: Run) -> None:
    code, printed, _ = run("rpc", "--describe")
    assert (code, [each["name"] for each in json.loads(printed)["methods"]]) == (0, sorted(METHODS))


@pytest.fixture
def host() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "enfilade", "rpc"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.mark.thorough
def test_a_long_question_tells_of_its_progress_and_is_cancelled(host: subprocess.Popen[str]) -> None:
    assert host.stdin is not None
    assert host.stdout is not None
    told = map(json.loads, host.stdout)
    print(line(1, "odds", **LONG, progress=True), line(2, "about"), sep="\n", file=host.stdin, flush=True)
    first = next(told)
    assert (first["method"], first["params"]["id"]) == ("$/progress", 1)
    print(CANCEL, file=host.stdin, flush=True)
    answer = next(each for each in told if "method" not in each)
    assert (answer["id"], answer["error"]["code"]) == (1, -32800)
    assert next(told)["id"] == 2


# -- all ways to the engine give the same answers

WEB: Final = Path(__file__).resolve().parents[2] / "web"
NODE: Final = shutil.which("node")
# Each way has its own clock.
TIMED: Final = ('"limit_error"', '"limit":"seconds"', "check-too-long")


def by_server(lines: list[str]) -> list[str]:
    with serving("--workers", "1") as (address, _):
        return [posted(address, each) for each in lines]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Requests about situations of some games by chance."""
    rng = random.Random(1)
    asked = []
    for named in (rulesets()[name] for name in ("infantry_attacks", "bombardment", "risk", "dba_combat")):
        rules = enfilade.load(named) if isinstance(named, str) else enfilade.load(text=named["text"])
        for situation in situations(rules, rng, 2):
            asked += as_requests(named, *situation)
    return [json.dumps(each) for each in asked]


def by_process(command: list[str], lines: list[str]) -> list[str]:
    given = "".join(f"{line}\n" for line in lines)
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout.splitlines()


def compare(lines: list[str], answers: list[str]) -> None:
    service = Service()
    for line, answer in zip(lines, answers, strict=True):
        expected = service.handle_text(line) or ""
        assert answer == expected or any(sign in answer + expected for sign in TIMED), line


@pytest.mark.thorough
def test_a_process_gives_the_answers_of_the_library_and_ends_with_its_input(lines: list[str]) -> None:
    compare(lines, by_process([sys.executable, "-m", "enfilade", "rpc", "--untrusted"], lines))


@pytest.mark.thorough
def test_a_server_gives_the_answers_of_the_library(lines: list[str]) -> None:
    compare(lines, by_server(lines))


@pytest.mark.thorough
@pytest.mark.skipif(
    NODE is None or not (WEB / "public/engine").is_dir(), reason="the page is not built (web/README.md)"
)
def test_python_in_a_browser_gives_the_answers_of_the_library(lines: list[str]) -> None:
    compare(lines, by_process([NODE or "", str(WEB / "scripts/rpc.mjs")], lines))
