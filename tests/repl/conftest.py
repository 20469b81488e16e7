"""A session that is easy to type in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from enfilade import Ruleset
from enfilade.files import load_ruleset, shipped_names
from enfilade.language import plain
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session

Typed = Callable[..., str]


_shipped = cache(load_ruleset)


def _loaded(place: str) -> Ruleset:
    return _shipped(place) if place in shipped_names() else load_ruleset(place)


@pytest.fixture(autouse=True)
def shipped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load each shipped ruleset once for all tests: most tests begin with `use`, which takes longer than the rest."""
    monkeypatch.setattr("enfilade_repl.session.load_ruleset", _loaded)


@pytest.fixture
def session() -> Session:
    return new_session(seed="7")


@pytest.fixture
def typed(session: Session) -> Typed:
    """Enters each text, and gives what came of the last; all must have gone well."""

    def enter(*texts: str, code: int = 0) -> str:
        said = ""
        for number, text in enumerate(texts, 1):
            reply = session.enter(text)
            said = plain(reply.lines)
            assert reply.code == (code if number == len(texts) else 0), said
        return said

    return enter
