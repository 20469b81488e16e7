"""Loads a small ruleset and plays it in every way: both engines must agree, and the odds are those of brute force."""

from __future__ import annotations

import random
from typing import Final

from attrs import evolve, frozen
from tests.differential.comparing import Start, compare
from tests.differential.enumerate import paths
from tests.differential.programs import Situations
from tests.odds.comparing import SMALL, check, situation

import enfilade
from enfilade.api.plain_data import plain
from enfilade.core import ir
from enfilade.engines.compile import compile_program
from enfilade.engines.odds import Ask, Whole
from enfilade.errors import EnfiladeError
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse
from enfilade.tools.playing import play

_WHOLES: Final = (Whole("outputs"), Whole("effects"), Whole("state"))
_SITUATIONS: Final = 2
_PATHS: Final = 8
_SEQUENCES: Final = 500


@frozen
class Tried:
    """A ruleset without mistakes."""

    program: ir.Program
    rules: enfilade.Ruleset

    def play_by_compiled(self, example: ir.Example) -> enfilade.Outcome | EnfiladeError:
        """Play an example with the compiled engine, whose outputs must be those of the evaluator.

        Returns:
            The outcome, or what was wrong.
        """
        dice, choices = list(example.faces), list(example.choices)
        try:
            outcome = self.rules.resolve(
                example.procedure, given=example.facts, options=example.options, dice=dice, choices=choices
            )
        except EnfiladeError as error:
            return error
        assert outcome.outputs == plain(play(self.program, example).outputs)
        return outcome

    def compare_chances(self, example: ir.Example) -> None:
        """Hold the odds of all outputs of an example to brute force."""
        outputs = self.program.procedures[example.procedure].outputs
        asks: tuple[Ask, ...] = (*_WHOLES, *map(ir.Local, outputs))
        case = situation(self.program, example.procedure, {**example.options}, **example.facts)
        check(case, asks, [(index,) for index in range(len(asks))], _SEQUENCES, limits=SMALL)


def tried(text: str) -> Tried:
    """Check a text, print and parse it again, and compare the engines in some situations."""
    tree = parse_module(SourceFile.from_text(text, "test.rules")).module
    assert parse_module(SourceFile("printed.rules", unparse(tree))).module == tree
    rules = enfilade.load(text=text)
    program = rules.program
    _compare_engines(evolve(program, procedures={**program.procedures, **program.probes}))
    return Tried(program, rules)


def _compare_engines(program: ir.Program) -> None:
    compiled, rng = compile_program(program), random.Random(0)
    for procedure in program.procedures:
        for _ in range(_SITUATIONS):
            made = Situations(program, rng)
            start = Start(procedure, made.options(), *made.facts(procedure))
            for path in paths(_PATHS, rng):
                compare(compiled, start, path)
