"""A session that is easy to type in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from enfilade.language import plain
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session

Typed = Callable[..., str]


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
