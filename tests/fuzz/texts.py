"""Parts that try rules: mutated, derived from the grammar, drawn well-typed, and drawn with ill-typed expressions."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from typing import Final

from attrs import define
from tests.fuzz.grammar_texts import grammar_texts
from tests.fuzz.mutation import mutations
from tests.fuzz.part import Part
from tests.fuzz.playing import tried
from tests.fuzz.seeds import rules_texts
from tests.odds.rulesets import Scope, Writer, drawn_ruleset

import enfilade
from enfilade import Severity
from enfilade.language import render_text
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.tools import format_source

# Formatting reads a text up to four more times, which takes as long as everything else.
_FORMATTED: Final = 4


@define
class Careless(Writer):
    """Writes steps with a wrong expression here and there."""

    def number(self, scope: Scope, depth: int = 2) -> str:
        """Write a number, or an expression that is none."""
        if self.whole(1, 25) > 1:
            return Writer.number(self, scope, depth)
        return str(
            self.pick(
                self.condition(scope, 0), "none", '"word"', "units", "chief", "[1, 2]", "unknown", "table", "(1 / 0)", "hit", "#",
                "each", "(list of steps over units)", "chief.name", "(map of each to 1 over units)", "n..3", "yes",
            )
        )  # fmt: skip


def run_text(text: str) -> None:
    """Check a text, and format one in four; if it loads, play it and ask for odds.

    Raises:
        AssertionError: Formatting changed the meaning, or ``load`` and ``check`` disagree.
    """
    found = enfilade.check(text)
    for diagnostic in found[:20]:
        render_text(diagnostic)
    if zlib.crc32(text.encode("utf-8", "surrogatepass")) % _FORMATTED == 0:
        check_format(text)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in found):
        return
    tried(enfilade.load(text=text), random.Random(text))


def check_format(text: str) -> None:
    """Format a text: its tree stays the same, and a second time changes nothing.

    Raises:
        AssertionError: It does not.
    """
    formatted = format_source(SourceFile("<text>", text)).text
    if formatted != text:
        assert _tree(formatted) == _tree(text)
        assert format_source(SourceFile("<text>", formatted)).text == formatted


def _tree(text: str) -> object:
    return parse_module(SourceFile("<text>", text)).module


def _mutated(rng: random.Random) -> Iterator[str]:
    return mutations(rules_texts(), rng)


def _drawn(rng: random.Random) -> Iterator[str]:
    while True:
        yield drawn_ruleset(Writer(rng), choices=rng.random() < 0.3).text


def _careless(rng: random.Random) -> Iterator[str]:
    while True:
        yield drawn_ruleset(Careless(rng), choices=rng.random() < 0.3, most=3).text


TEXTS: Final = (
    Part("mutated", _mutated, run_text, ".rules"),
    Part("grammar", grammar_texts, run_text, ".rules"),
    Part("drawn", _drawn, run_text, ".rules"),
    Part("careless", _careless, run_text, ".rules"),
)
