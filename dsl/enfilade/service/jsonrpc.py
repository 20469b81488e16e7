"""JSON-RPC 2.0: requests to methods, and results or error objects back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any, Final

from enfilade.api.error_data import error_to_json
from enfilade.diagnostics.columns import visible
from enfilade.door import with_late_doors
from enfilade.errors import ArgumentError, EnfiladeError
from enfilade.limits import Limits, beyond_python, limited, one_call
from enfilade.service.calls import Call, checked
from enfilade.service.methods import METHODS
from enfilade.service.rulesets import Rulesets

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
NO_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
"""A mistake of the library: the message says which exception it raised."""
CANCELLED: Final = -32800
REFUSED: Final = 1
"""The library refuses: the data of the error says why, in the form of the published schema ``error``."""

MOST_REQUESTS: Final = 100
"""The requests of one list."""
MOST_LEVELS: Final = 64
"""The levels of lists and objects in one request, its own included: what reads and writes values is recursive."""
_MOST_COUNTED: Final = 1_000
_LONGEST_MESSAGE: Final = 200
"""The characters of the message of an exception."""


class NotJson(Exception):
    """A text is not JSON, or is nested too deep to be read."""


class Cancelled(Exception):
    """The caller does not want the answer any more."""


@with_late_doors
class Service:
    """Answers requests.

    Args:
        limits: The limits of each request; by default those for what strangers send.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = Limits.untrusted() if limits is None else limits
        self._rulesets = Rulesets(self.limits)

    def handle_text(self, text: str, *, progress: Callable[[int], None] | None = None) -> str | None:
        """Answer a request that is a text.

        Args:
            text: A request, or a list of requests, as JSON.
            progress: As in ``handle``.

        Returns:
            The answer as JSON in one line; ``None`` if none is wanted.
        """
        try:
            request = read(text)
        except NotJson as wrong:
            return written(error_answer(None, PARSE_ERROR, str(wrong)))
        answer = self.handle(request, progress=progress)
        return None if answer is None else written(answer)

    def handle(self, request: Any, *, progress: Callable[[int], None] | None = None) -> Any:
        """Answer a request.

        Args:
            request: A request, or a list of requests, as plain data.
            progress: Called from time to time with the work done; it raises ``Cancelled`` to end the request.

        Returns:
            The answer as plain data: an object with ``result`` or ``error``; a list for a list; ``None`` if the request has
            no ``id``, so none is wanted. No exception is raised for what a request asks.
        """
        if not isinstance(request, list):
            return self._answered(request, progress)
        wrong = wrong_list(request)
        if wrong is not None:
            return wrong
        answers = [self._answered(each, progress) for each in request]
        return [each for each in answers if each is not None] or None

    def _answered(self, request: Any, progress: Callable[[int], None] | None) -> dict[str, Any] | None:
        wrong = wrong_request(request)
        if wrong is not None:
            return wrong
        number = request.get("id")
        try:
            answer = self._called(number, request["method"], request.get("params"), progress)
        except Exception as error:
            # Whatever a method raises, the caller gets an answer, and the next request as well.
            answer = _failed(number, error)
        return answer if "id" in request else None

    def _called(self, number: Any, name: str, params: Any, progress: Callable[[int], None] | None) -> dict[str, Any]:
        found = METHODS.get(name)
        if found is None:
            said = (
                f"there is no method {visible(name, _LONGEST_MESSAGE)!r}; the methods are {', '.join(sorted(METHODS))}"
            )
            return error_answer(number, NO_METHOD, said)
        call = Call(checked(params, found.parameters), self._rulesets, progress)
        if progress is not None:
            progress(0)
        with limited(self.limits), one_call():
            return {"jsonrpc": "2.0", "id": number, "result": found.run(call)}


def wrong_list(requests: list[Any]) -> dict[str, Any] | None:
    """The answer to a list with too many requests, or with none; ``None`` if it is right."""
    if 1 <= len(requests) <= MOST_REQUESTS:
        return None
    return error_answer(None, INVALID_REQUEST, f"a list must contain 1 to {MOST_REQUESTS} requests")


def wrong_request(request: Any) -> dict[str, Any] | None:
    """The answer to what is no request; ``None`` if it is one."""
    if not isinstance(request, Mapping) or not isinstance(request.get("method"), str):
        return error_answer(None, INVALID_REQUEST, "a request must be an object with a method and with params by name")
    number = request.get("id")
    if number is not None and not is_id(number):
        return error_answer(None, INVALID_REQUEST, "`id` must be a text or a number")
    levels = _levels(request)
    if levels > MOST_LEVELS:
        found = f"more than {_MOST_COUNTED}" if levels > _MOST_COUNTED else levels
        return error_answer(
            number,
            INVALID_REQUEST,
            f"a request may have at most {MOST_LEVELS} levels of lists and objects, not {found}",
        )
    return None


def is_id(number: Any) -> bool:
    """Whether a request may have this ``id``."""
    return isinstance(number, (str, int, float)) and not isinstance(number, bool)


def _levels(value: Any) -> int:
    """The levels of lists and objects in a value, counted without recursion, and no more than ``_MOST_COUNTED`` + 1."""
    levels, within = 0, [value]
    # One that occurs several times counts once.
    while levels <= _MOST_COUNTED and (
        outer := {id(each): each for each in within if isinstance(each, (Mapping, list, tuple))}.values()
    ):
        levels += 1
        within = [each for one in outer for each in (one.values() if isinstance(one, Mapping) else one)]
    return levels


# -- answers --------------------------------------------------------------------------------------------------


def _failed(number: Any, error: Exception) -> dict[str, Any]:
    """The answer to a request whose method raised an exception."""
    try:
        match error:
            case ArgumentError():
                return error_answer(number, INVALID_PARAMS, str(error))
            case Cancelled():
                return error_answer(number, CANCELLED, "cancelled")
            case RecursionError():
                return _failed(number, beyond_python(error))
            case EnfiladeError():
                return error_answer(number, REFUSED, str(error), error_to_json(error))
            case _:
                return _internal_error(number, error)
    except Exception as another:
        # The error itself can't be told.
        return _internal_error(number, another)


def _internal_error(number: Any, error: Exception) -> dict[str, Any]:
    said = ["internal error", type(error).__name__]
    with suppress(Exception):
        said.append(visible(str(error), _LONGEST_MESSAGE))
    return error_answer(number, INTERNAL_ERROR, ": ".join(filter(None, said)))


def read(text: str | bytes) -> Any:
    """A request as plain data.

    Raises:
        NotJson: The text is no JSON, or is nested too deep.
    """
    try:
        return json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise NotJson(
            f"this is nested too deep; a request may have at most {MOST_LEVELS} levels of lists and objects"
        ) from None
    except ValueError:
        raise NotJson("this is not JSON") from None


def _finite(text: str) -> float:
    if not isfinite(number := float(text)):
        raise ValueError(f"{text} is not a JSON number")
    return number


def error_answer(number: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """The answer to a request that has no result."""
    more = {} if data is None else {"data": data}
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message, **more}}


def written(answer: Any) -> str:
    """An answer as JSON, in one line.

    An answer that can't be written is an internal error with the same ``id``, or without one if that can't be written.
    """
    if isinstance(answer, list):
        return f"[{','.join(map(written, answer))}]"
    try:
        return _as_json(answer)
    except Exception as error:
        number = answer.get("id") if isinstance(answer, Mapping) else None
        with suppress(Exception):
            return _as_json(_internal_error(number, error))
        return _as_json(_internal_error(None, error))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
