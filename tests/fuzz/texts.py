"""Parts that try rules: mutated, derived from the grammar, drawn well-typed, and drawn with ill-typed expressions.

The part `metamorphic` changes rules in ways that must not change what they mean: another order of declarations, declarations in
a module, a chart that nobody uses.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from attrs import define, fields
from tests.fuzz.grammar_texts import grammar_texts
from tests.fuzz.mutation import mutations
from tests.fuzz.part import Part
from tests.fuzz.playing import tried
from tests.fuzz.seeds import rules_texts, shipped_texts
from tests.odds.rulesets import Scope, Writer, drawn_ruleset

import enfilade
from enfilade import Severity
from enfilade.core.ir import Program
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
    if not any(diagnostic.severity is Severity.ERROR for diagnostic in found):
        tried(enfilade.load(text=text), random.Random(text))


def is_checked(text: str, **places: Any) -> bool:
    """Whether a text has no errors."""
    return not any(found.severity is Severity.ERROR for found in enfilade.check(text, **places))


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


def _drawn(rng: random.Random) -> Iterator[str]:
    while True:
        yield drawn_ruleset(Writer(rng), choices=rng.random() < 0.3).text


def _careless(rng: random.Random) -> Iterator[str]:
    while True:
        yield drawn_ruleset(Careless(rng), choices=rng.random() < 0.3, most=3).text


TEXTS: Final = (
    Part("mutated", lambda rng: mutations(rules_texts(), rng), run_text, ".rules"),
    Part("grammar", grammar_texts, run_text, ".rules"),
    Part("drawn", _drawn, run_text, ".rules"),
    Part("careless", _careless, run_text, ".rules"),
)


# -- changes that must not change what a ruleset means: the same program comes
# That other names change nothing is looked at in `tests/editor/test_names.py`.

_HEADINGS: Final = ("enfilade", "ruleset", "source", "players", "option", "use")
_MOVED: Final = ("words", "record", "define", "die", "chart", "effect", "deck")
_ORDERED: Final = ("on", "facts")
# Parts of a program that tell where things stand in the text.
_PLACES: Final = ("sources", "examples")
_USES: Final = re.compile(r"^(use|option) ", re.MULTILINE)
UNUSED: Final = "\nchart unused_chart\n  down d6\n  |   d6 | Result |\n  | 1..5 |   -    |\n  |   6  |   X    |\n"


def declarations(text: str) -> list[str]:
    """The declarations of a text with what stands below each; what stands above the first one belongs to it."""
    starts = [each.span.start for each in parse_module(SourceFile("<text>", text)).module.declarations]
    starts = [0, *(text.rfind("\n", 0, start) + 1 for start in starts[1:])]
    return [text[start:end].rstrip("\n") + "\n" for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _word(declaration: str) -> str:
    code = (line for line in declaration.splitlines() if line.strip() and not line.startswith("--"))
    return next(code, "").partition(" ")[0]


def reordered(text: str, rng: random.Random) -> str:
    """The same declarations in another order; the headings stay, and facts and reactions keep their order."""
    parts = declarations(text)
    heads = [each for each in parts if _word(each) in _HEADINGS]
    rest = [each for each in parts if _word(each) not in _HEADINGS]
    kept = {word: iter([each for each in rest if _word(each) == word]) for word in _ORDERED}
    rng.shuffle(rest)
    return "\n".join([*heads, *(next(kept[_word(each)]) if _word(each) in kept else each for each in rest)])


def split(text: str, rng: random.Random) -> tuple[str, str]:
    """A text, and a module that some of its declarations have moved to."""
    parts = declarations(text)
    moved = {at for at, each in enumerate(parts) if _word(each) in _MOVED and rng.random() < 0.5}
    heads = [each for each in parts if _word(each) in _HEADINGS]
    rest = [each for at, each in enumerate(parts) if at not in moved and _word(each) not in _HEADINGS]
    return "\n".join([*heads, "use moved\n", *rest]), "\n".join(parts[at] for at in sorted(moved))


# -- the part


def run_changes(text: str) -> None:
    """Change a text in every way.

    Raises:
        AssertionError: The program is another.
    """
    if not is_checked(text) or " extends " in text:
        return
    rng, program = random.Random(text), enfilade.load(text=text).program

    def same(changed: str, *more: str, **places: Any) -> None:
        assert is_checked(changed, **places), [each.message for each in enfilade.check(changed, **places)][:3]
        other = enfilade.load(text=changed, **places).program
        for part in (each.name for each in fields(Program) if each.name not in (*_PLACES, *more)):
            assert getattr(other, part) == getattr(program, part), part

    same(reordered(text, rng))
    same(text + UNUSED, "charts", "dice")
    if not _USES.search(text):
        with TemporaryDirectory() as folder:
            main, module = split(text, rng)
            Path(folder, "moved.rules").write_text(module, encoding="utf-8")
            same(main, search_path=[folder])


def _unchanged(rng: random.Random) -> Iterator[str]:
    while True:
        yield rng.choice(shipped_texts())
        yield drawn_ruleset(Writer(rng), choices=rng.random() < 0.3).text


METAMORPHIC: Final = Part("metamorphic", _unchanged, run_changes, ".rules", slow=20.0)
