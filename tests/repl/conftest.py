"""A session that is easy to type in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from enfilade import Ruleset
from enfilade.check import program
from enfilade.files import load_ruleset, shipped_names
from enfilade.language import plain
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import Parsed, parse_module
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session

Typed = Callable[..., str]


SHIPPED: Final = (shipped_dir("rulesets"), shipped_dir("stdlib"))

_shipped = cache(load_ruleset)


@cache
def _parsed_once(name: str, text: str, path: Path) -> Parsed:
    return parse_module(SourceFile(name, text, path))


def _parsed(source: SourceFile) -> Parsed:
    path = source.path
    if path is None or not any(path.is_relative_to(folder) for folder in SHIPPED):
        return parse_module(source)
    return _parsed_once(source.name, source.text, path)


def _loaded(place: str) -> Ruleset:
    return _shipped(place) if place in shipped_names() else load_ruleset(place)


@pytest.fixture(autouse=True)
def shipped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load and parse each shipped ruleset once for all tests.

    Most tests begin with `use`, and every definition or expression reads the rules again, which takes longer than the rest.
    """
    monkeypatch.setattr("enfilade_repl.session.load_ruleset", _loaded)
    monkeypatch.setattr(program, "parse_module", _parsed)


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
