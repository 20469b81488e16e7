"""A service that all tests of the protocol ask."""

from __future__ import annotations

import json
from typing import Any

import pytest

from enfilade import Limits
from enfilade.service import Service


class Asked:
    """A service, and what it answers to a method with parameters."""

    def __init__(self) -> None:
        # More than the two seconds of strangers: what a search leaves out for lack of time depends on the machine.
        self.service = Service(Limits.untrusted(seconds=60, play_seconds=60, play_megabytes=None))

    def answer(self, method: str, **params: Any) -> Any:
        found = self.service.handle({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
        assert found["id"] == 7
        return json.loads(json.dumps(found))

    def __call__(self, method: str, **params: Any) -> Any:
        """The result of a method."""
        found = self.answer(method, **params)
        assert "error" not in found, (method, found)
        return found["result"]

    def error(self, method: str, **params: Any) -> Any:
        return self.answer(method, **params)["error"]


@pytest.fixture(scope="session")
def result() -> Asked:
    return Asked()
