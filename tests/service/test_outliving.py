"""The service answers the next request, whatever the last one was."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from threading import Event
from typing import Any, Final

import pytest
from attrs import evolve
from tests.service.requests import SHOT, request

from enfilade.errors import LimitError
from enfilade.service import Service, methods, serve_lines
from enfilade.service.calls import Call
from enfilade.service.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    MOST_LEVELS,
    PARSE_ERROR,
    REFUSED,
    written,
)
from enfilade.service.methods import METHODS
from enfilade.tools.chart_guesses import guess_axis
from enfilade.tools.scaffold import ruleset_from_pasted

NEXT: Final = request("next", "about")


def nested(levels: int) -> str:
    """Lists within lists, as JSON."""
    return "[" * levels + "]" * levels


def about_a_shot(value: str) -> str:
    """A request one of whose facts has this value; the value has three levels around it."""
    asked = request(1, "resolve", **SHOT | {"facts": {"fire_value": "VALUE"}})
    return json.dumps(asked).replace('"VALUE"', value)


def answers_to(*lines: str, service: Service | None = None) -> list[Any]:
    """What the thread of ``enfilade rpc`` answers."""
    said = io.BytesIO()
    serve_lines(service or Service(), io.BytesIO("\n".join(lines).encode() + b"\n"), said)
    return [json.loads(each) for each in said.getvalue().splitlines()]


def only_error(line: str) -> Any:
    """The error that a line is answered with, after which the next line has its answer."""
    *before, last = answers_to(line, json.dumps(NEXT))
    assert (last["id"], "result" in last) == ("next", True)
    (answer,) = before
    found = answer[0] if isinstance(answer, list) else answer
    return found["error"]


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Call], Any]], None]:
    """Puts other work in place of the method ``list``."""

    def put(run: Callable[[Call], Any]) -> None:
        monkeypatch.setitem(methods._METHODS, "list", evolve(METHODS["list"], run=run))

    return put


# -- levels


@pytest.mark.parametrize("levels", [600, 100_000])
@pytest.mark.parametrize(
    "line",
    ['{"id": 1, "method": "about", "params": VALUE}', about_a_shot("VALUE"), "[" + about_a_shot("VALUE") + "]", "VALUE",
     '{"id": VALUE, "method": "about"}', '{"method": VALUE}'],
    ids=["params", "facts", "a list", "alone", "id", "method"],
)  # fmt: skip
def test_a_nested_request_has_an_error_and_the_next_is_answered(line: str, levels: int) -> None:
    error = only_error(line.replace("VALUE", nested(levels)))["code"]
    assert error in (INVALID_REQUEST, PARSE_ERROR)


def test_the_error_says_how_many_levels_came_and_how_many_may_come() -> None:
    error = only_error(about_a_shot(nested(600)))
    assert error["message"] == f"a request may have at most {MOST_LEVELS} levels of lists and objects, not 603"


def test_a_request_has_as_many_levels_as_are_allowed_and_no_more() -> None:
    service = Service()
    codes = [
        json.loads(service.handle_text(about_a_shot(nested(MOST_LEVELS - 3 + more))) or "")["error"]["code"]
        for more in (0, 1)
    ]
    assert codes == [REFUSED, INVALID_REQUEST]


def test_levels_of_values_that_contain_themselves_are_counted_to_an_end() -> None:
    around: list[Any] = []
    around += [around, around]
    answer = Service().handle({"id": 1, "method": "about", "params": {"x": around}})
    assert answer["error"]["message"].endswith("not more than 1000")


# -- pasted charts

LONG_LABELS: Final = f"Roll 1 2\n{'9' * 20_000} a b\n{'8' * 20_000} c d\n"


@pytest.mark.parametrize(
    "text", ["1\t2\t3\n" * 9_200, "Roll 1 2 3\n" + "( ( (\n" * 9_000, "1 2 3\t" * 9_200, "(" * 55_000]
)
def test_a_long_pasted_text_has_an_answer_and_so_has_the_next_request(text: str) -> None:
    assert only_error(json.dumps(request(1, "paste", text=text)))["code"] in (REFUSED, INVALID_PARAMS)


def test_a_ruleset_around_a_chart_that_is_larger_than_a_text_is_refused() -> None:
    error = only_error(json.dumps(request(1, "paste", text="1\t2\t3\n" * 9_200)))
    assert error["code"] == REFUSED
    assert [each["code"] for each in error["data"]["diagnostics"]] == ["too-large"]


def test_a_label_with_more_digits_than_a_number_has_is_a_word() -> None:
    assert guess_axis(["9" * 20_000, "1"]).kind == "words"
    assert ruleset_from_pasted("fire", LONG_LABELS).text


def test_a_name_that_no_ruleset_has_is_a_wrong_parameter() -> None:
    assert only_error(json.dumps(request(1, "paste", text="R 1 2\n1 a b\n", name="x\ny")))["code"] == INVALID_PARAMS


# -- what a method raises


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ZeroDivisionError("by zero"), INTERNAL_ERROR, "internal error: ZeroDivisionError: by zero"),
        (KeyError(), INTERNAL_ERROR, "internal error: KeyError"),
        (ValueError("a\n\x1b[2J" + "x" * 900), INTERNAL_ERROR, "a<U+000A><U+001B>[2Jxxx"),
        (AssertionError(), INTERNAL_ERROR, "AssertionError"),
        (MemoryError(), INTERNAL_ERROR, "MemoryError"),
        (RecursionError(), REFUSED, "nested too deep"),
        (LimitError("depth", "too deep"), REFUSED, "too deep"),
    ],
)
def test_what_a_method_raises_is_the_error_of_that_request_only(
    raising: Callable[[Callable[[Call], Any]], None], error: Exception, code: int, said: str
) -> None:
    def fail(_: Call) -> Any:
        raise error

    raising(fail)
    found = only_error(json.dumps(request(1, "list")))
    assert (found["code"], said in found["message"], len(found["message"]) < 300) == (code, True, True)


def test_an_error_whose_text_can_not_be_made_is_told_by_its_type(
    raising: Callable[[Callable[[Call], Any]], None],
) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail(_: Call) -> Any:
        raise Mute

    raising(fail)
    assert only_error(json.dumps(request(1, "list")))["message"] == "internal error: Mute"


def endless() -> list[Any]:
    within: list[Any] = []
    for _ in range(100_000):
        within = [within]
    return within


@pytest.mark.parametrize(
    "result", [object(), float("nan"), {1: {2}}, 10**5_000, endless()], ids=["object", "nan", "set", "long", "nested"]
)
def test_an_answer_that_can_not_be_written_is_an_error_with_the_same_id(
    raising: Callable[[Callable[[Call], Any]], None], result: Any
) -> None:
    raising(lambda call: result)
    lines = [json.dumps([request("a", "list"), request("b", "about")]), json.dumps(NEXT)]
    (first, second), last = answers_to(*lines)
    assert (first["id"], first["error"]["code"]) == ("a", INTERNAL_ERROR)
    assert ("result" in second, "result" in last) == (True, True)


@pytest.mark.parametrize("number", [float("inf"), 10**5_000], ids=["infinite", "long"])
def test_an_id_that_can_not_be_written_is_left_out(number: Any) -> None:
    answer = json.loads(written(Service().handle({"id": number, "method": "about"})))
    assert (answer["id"], answer["error"]["code"]) == (None, INTERNAL_ERROR)


# -- cancelling


class Turns(io.RawIOBase):
    """Lines of a host, of which it sends the next when it has read the answers to those before."""

    def __init__(self, *lines: Any) -> None:
        self.lines = [json.dumps(each).encode() + b"\n" for each in lines]
        self.answers: list[Any] = []
        self.sent = 0
        self.answered = Event()

    def readline(self, size: int | None = -1, /) -> bytes:
        if self.sent == len(self.lines):
            return b""
        if self.sent:
            assert self.answered.wait(20)
        line = self.lines[self.sent]
        self.sent += 1
        if b"$/cancel" not in line:
            self.answered.clear()
        return line

    def write(self, line: Any) -> int:
        self.answers.append(json.loads(bytes(line)))
        self.answered.set()
        return len(line)


@pytest.mark.parametrize("number", [1, 2, "1", True, None, [1], {}])
def test_a_cancel_without_an_open_request_does_nothing(number: Any) -> None:
    late = {"method": "$/cancel", "params": {"id": number}}
    host = Turns(request(1, "about"), late, request(1, "about"), late, request(2, "about"))
    serve_lines(Service(), host, host)  # type: ignore[arg-type]  # all that a file needs here
    assert [(each["id"], "result" in each) for each in host.answers] == [(1, True), (1, True), (2, True)]


def test_a_request_that_waits_or_is_being_answered_is_cancelled(
    raising: Callable[[Callable[[Call], Any]], None],
) -> None:
    # The first request works until it is cancelled, so the other three have come by then.
    def work(call: Call) -> Any:
        while True:
            assert call.progress is not None
            call.progress(1)

    raising(work)
    cancels = [json.dumps({"method": "$/cancel", "params": {"id": each}}) for each in (2, 1)]
    asked = [json.dumps(request(1, "list")), json.dumps(request(2, "about")), json.dumps(NEXT), *cancels]
    assert [each.get("error", {}).get("code") for each in answers_to(*asked)] == [-32800, -32800, None]


def test_a_seed_with_half_a_character_rolls_dice() -> None:
    asked = request(
        1, "resolve", ruleset="infantry_attacks", procedure="direct_fire", facts={"fire_value": 16}, seed="\ud800"
    )
    assert "result" in json.loads(Service().handle_text(json.dumps(asked)) or "")
