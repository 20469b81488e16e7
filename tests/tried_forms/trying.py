"""Loads a small ruleset and plays it in every way: both engines must agree, and the odds are those of brute force."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, Final

from attrs import frozen
from tests.differential.comparing import Start, compare
from tests.differential.enumerate import paths
from tests.differential.programs import Situations
from tests.odds.comparing import SMALL, check, situation

import enfilade
from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.engines.compile import compile_program
from enfilade.engines.odds import Ask, Whole
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse

_WHOLES: Final = (Whole("outputs"), Whole("effects"), Whole("state"))
_SITUATIONS: Final = 3
_PATHS: Final = 12
_SEQUENCES: Final = 1_000


@frozen
class Tried:
    """A ruleset without mistakes."""

    program: ir.Program
    rules: enfilade.Ruleset

    def plays(self, *faces: Any, choices: Any = None, procedure: str = "play", **facts: Any) -> dict[str, Any]:
        """The outputs of a procedure with the given dice."""
        return dict(self.rules.resolve(procedure, dice=list(faces), choices=choices, **facts).outputs)

    def chance(self, of: str, procedure: str = "play", **facts: Any) -> Fraction:
        """A chance, after a comparison of the odds of all outputs with brute force."""
        case = situation(self.program, procedure, **facts)
        asks: tuple[Ask, ...] = (*_WHOLES, *map(ir.Local, case.program.procedures[procedure].outputs))
        check(case, asks, [(index,) for index in range(len(asks))], _SEQUENCES, limits=SMALL)
        answer: Fraction = self.rules.odds(procedure, **facts).chance(of)
        return answer

    def explained(self, *faces: Any, procedure: str = "play", **facts: Any) -> str:
        """The explanation of a run."""
        return str(self.rules.resolve(procedure, dice=list(faces), **facts).explain())


def tried(text: str) -> Tried:
    """Check a text, print and parse it again, and compare the engines in some situations."""
    source = SourceFile.from_text(text, "test.rules")
    tree = parse_module(source).module
    assert parse_module(SourceFile("printed.rules", unparse(tree))).module == tree
    checked = check_source(source, Folders())
    assert checked.program is not None, [found.message for found in checked.diagnostics]
    _compare_engines(checked.program)
    return Tried(checked.program, enfilade.load(text))


def _compare_engines(program: ir.Program) -> None:
    compiled, rng = compile_program(program), random.Random(0)
    for procedure in program.procedures:
        for _ in range(_SITUATIONS):
            made = Situations(program, rng)
            start = Start(procedure, made.options(), *made.facts(procedure))
            for path in paths(_PATHS, rng):
                compare(compiled, start, path)


def messages(text: str) -> list[str]:
    """What the checker says about a text: each message, with its advice."""
    found = check_source(SourceFile.from_text(text, "test.rules"), Folders()).diagnostics
    return ["; ".join((each.message, *each.helps)) for each in found]
