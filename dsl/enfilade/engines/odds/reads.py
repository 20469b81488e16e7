"""What the answer to a question can depend on: facts, options and declarations, without simulating anything."""

from __future__ import annotations

from attrs import frozen

from enfilade.core import ir
from enfilade.core.graph import analysis, graph_of
from enfilade.core.traits import OPTION, Unit, traits_of
from enfilade.core.walk import nodes
from enfilade.engines.odds.analysis.planner import Planner
from enfilade.engines.odds.interface import Ask, Situation
from enfilade.engines.odds.question import Question
from enfilade.values.data import State


@frozen
class Reads:
    """What the answer to a question can depend on.

    Attributes:
        facts: The names of facts.
        options: The names of options.
        units: The declarations, by kind and name.
    """

    facts: frozenset[str]
    options: frozenset[str]
    units: frozenset[Unit]


def reads_of(program: ir.Program, procedure: str, ask: Ask) -> Reads:
    """Return what the answer to a question can depend on; steps whose values nobody reads are left out.

    Args:
        program: The ruleset.
        procedure: The procedure that is played.
        ask: The question.
    """
    planner, graph = analysis(program, Planner), graph_of(program)
    question = Question(Situation(program, procedure, {}, {}, State()), (ask,), planner)
    block = planner.procedure(procedure, question.live)
    parts = (*(part for step in block.steps for part in (step.statement, *step.body)), ask)
    units = graph.reached_from(parts) | {("procedure", procedure)}
    inner = (node for unit in units if unit != ("procedure", procedure) for node in graph.nodes(unit))
    named = [name for node in (*nodes(parts), *inner) for name in traits_of(node, program).reads]
    options = frozenset(name for kind, name in named if kind == OPTION)
    return Reads(planner.uses.facts_in(parts), options, units)
