"""A checked ruleset with policies for some of its choices, for questions of odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve, frozen

from enfilade.check.context import Context
from enfilade.check.examples.questions import parse_question
from enfilade.check.procedures.procedures import check_effect, check_procedure
from enfilade.check.results import check_results
from enfilade.check.used_facts import with_inputs
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.core.traits import LOCAL, Unit, traits_of
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.syntax import tree as t

_UNKNOWN: Final = ("unknown-name", "unknown-word")


@frozen
class Policed:
    """A program whose choices have policies.

    Attributes:
        program: The program.
        wrong: For each policy with mistakes, the mistakes, one sentence each.
    """

    program: ir.Program
    wrong: Mapping[str, tuple[str, ...]]


def with_policies(
    ctx: Context, program: ir.Program, procedure: str, policies: Mapping[str, str | None], keys: Mapping[str, str]
) -> Policed:
    """Check policies, and give them to the choices of a program.

    Args:
        ctx: The context of the ruleset's check.
        program: The program.
        procedure: The procedure that is asked about.
        policies: The policy for each choice, as text; ``None`` for all that is known where the player chooses.
        keys: The records that the policies may name: the kind of each, by key.
    """
    trees: dict[str, t.Expr | None] = {}
    wrong: dict[str, tuple[str, ...]] = {}
    for name, text in policies.items():
        tree, mistakes = (None, []) if text is None else parse_question(" ".join(text.split()))
        if mistakes:
            wrong[name] = _sentences(mistakes)
        else:
            trees[name] = tree
    checking = evolve(
        ctx.for_questions(),
        policies=trees,
        keys=keys,
        outputs={name: dict(outputs) for name, outputs in ctx.outputs.items()},
        sometimes_given=dict(ctx.sometimes_given),
    )
    units = _units_with_choices(checking, program, procedure)
    rechecked, assigned = _checked_again(checking, program, units), _assigned_in(program, units)
    for name, tree in trees.items():
        mistakes = [d for d in checking.diagnostics if tree is not None and d.span.source is tree.span.source]
        if any(d.severity is Severity.ERROR for d in mistakes):
            wrong[name] = _sentences(mistakes, assigned)
    return Policed(program if wrong else with_inputs(rechecked), wrong)


def _checked_again(ctx: Context, program: ir.Program, units: frozenset[Unit]) -> ir.Program:
    """The program with some declarations checked once more."""
    symbols = ctx.symbols
    procedures = {
        name: check_procedure(ctx, symbols.procedures[name]) for kind, name in sorted(units) if kind == "procedure"
    }
    effects = {name: check_effect(ctx, symbols.effects[name]) for kind, name in sorted(units) if kind == "effect"}
    results = {
        name: check_results(ctx, symbols.results[name]) or program.results[name]
        for kind, name in sorted(units)
        if kind == "results"
    }
    return evolve(
        program,
        procedures={**program.procedures, **procedures},
        effects={**program.effects, **effects},
        results={**program.results, **results},
    )


def _units_with_choices(ctx: Context, program: ir.Program, procedure: str) -> frozenset[Unit]:
    """The declarations with a choice that has a policy: those that the procedure reaches, if it reaches the choice."""
    reached = graph_of(program).reached(("procedure", procedure))
    found: set[Unit] = set()
    for choice in ctx.policies:
        every = {unit for unit in graph_of(program).units if _has_choice(program, unit, choice)}
        found |= every & reached or every
    return frozenset(unit for unit in found if unit[0] != "procedure" or unit[1] in ctx.symbols.procedures)


def _has_choice(program: ir.Program, unit: Unit, choice: str) -> bool:
    return any(isinstance(node, ir.Choose) and node.name == choice for node in graph_of(program).nodes(unit))


def _assigned_in(program: ir.Program, units: frozenset[Unit]) -> frozenset[str]:
    """The variables, dice, choices and outputs that each of some declarations has, by name."""
    found = [
        {
            name.removeprefix("give ")
            for node in graph_of(program).nodes(unit)
            for kind, name in traits_of(node, program).writes
            if kind == LOCAL
        }
        for unit in units
    ]
    return frozenset(set.intersection(*found)) if found else frozenset()


def _sentences(found: list[Diagnostic], assigned: frozenset[str] = frozenset()) -> tuple[str, ...]:
    errors = [d for d in found if d.severity is Severity.ERROR]
    return tuple(dict.fromkeys(_sentence(d, assigned) for d in errors[:3]))


def _sentence(d: Diagnostic, assigned: frozenset[str]) -> str:
    """A mistake in one sentence: a name is not undeclared if the rules assign it elsewhere."""
    if d.code in _UNKNOWN and d.span.text in assigned:
        return f"the player does not know `{d.span.text}` yet when choosing"
    return "; ".join((d.message, *d.helps))
