"""JSON-RPC 2.0: requests to methods, and results or error objects back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

from enfilade.api.error_data import error_to_json
from enfilade.errors import EnfiladeError
from enfilade.limits import Limits, limited, one_call
from enfilade.service.methods import METHODS, Call
from enfilade.service.parameters import WrongParameter, checked
from enfilade.service.rulesets import Rulesets

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
NO_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602
CANCELLED: Final = -32800
REFUSED: Final = 1
"""The library refuses: the data of the error says why, in the form of the published schema ``error``."""

_MOST_REQUESTS: Final = 100


class Cancelled(Exception):
    """The caller does not want the answer any more."""


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
        except (ValueError, RecursionError):
            return written(error_answer(None, PARSE_ERROR, "this is not JSON"))
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
        if not request or len(request) > _MOST_REQUESTS:
            return error_answer(None, INVALID_REQUEST, f"a list must contain 1 to {_MOST_REQUESTS} requests")
        answers = [self._answered(each, progress) for each in request]
        return [each for each in answers if each is not None] or None

    def _answered(self, request: Any, progress: Callable[[int], None] | None) -> dict[str, Any] | None:
        if not isinstance(request, Mapping) or not isinstance(request.get("method"), str):
            return error_answer(
                None, INVALID_REQUEST, "a request must be an object with a method and with params by name"
            )
        number = request.get("id")
        if number is not None and (isinstance(number, bool) or not isinstance(number, (str, int, float))):
            return error_answer(None, INVALID_REQUEST, "`id` must be a text or a number")
        answer = self._called(number, request["method"], request.get("params"), progress)
        return answer if "id" in request else None

    def _called(self, number: Any, name: str, params: Any, progress: Callable[[int], None] | None) -> dict[str, Any]:
        found = METHODS.get(name)
        if found is None:
            return error_answer(
                number, NO_METHOD, f"there is no method {name!r}; the methods are {', '.join(sorted(METHODS))}"
            )
        try:
            call = Call(checked(params, found.parameters), self._rulesets, progress)
            if progress is not None:
                progress(0)
            with limited(self.limits), one_call():
                return {"jsonrpc": "2.0", "id": number, "result": found.run(call)}
        except (WrongParameter, TypeError) as wrong:
            return error_answer(number, INVALID_PARAMS, str(wrong))
        except Cancelled:
            return error_answer(number, CANCELLED, "cancelled")
        except EnfiladeError as refused:
            return error_answer(number, REFUSED, str(refused), error_to_json(refused))


def read(text: str | bytes) -> Any:
    """A request as plain data.

    Raises:
        ValueError: The text is no JSON.
        RecursionError: It is nested too deeply.
    """
    return json.loads(text, parse_constant=_refused, parse_float=_finite)


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refused(text)


def error_answer(number: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """The answer to a request that has no result."""
    error: dict[str, Any] = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": number, "error": error if data is None else error | {"data": data}}


def written(answer: Any) -> str:
    """An answer as JSON, in one line."""
    return json.dumps(answer, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
