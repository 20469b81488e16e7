"""The facts that procedures and events can use: a may-analysis over the call graph.

A least fixpoint over the strongly connected components of the program graph, callees first. A fact that a call passes
to a procedure does not count as used through that call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import evolve, frozen

from enfilade.check.types.type_relations import is_list_of, record_in
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.core.traits import Node, Unit, Use
from enfilade.core.walk import nodes
from enfilade.values.types import Type

Facts: TypeAlias = frozenset[str]
_NO_FACTS: Facts = frozenset()


@frozen
class _Body:
    """The facts that nodes read directly, and each declaration they use with the facts passed to it."""

    reads: Facts
    uses: tuple[tuple[Unit, Facts], ...]


def with_inputs(program: ir.Program) -> ir.Program:
    """The program in which each procedure and each event lists the facts that it can use.

    A procedure's own facts come first, then the others in the order of declaration.
    """
    used = _used_facts(program)
    edges = graph_of(program).edges_from
    procedures = {
        name: evolve(each, inputs=_inputs(program, used["procedure", name], each))
        for name, each in program.procedures.items()
    }
    reactions = tuple(
        evolve(each, inputs=_inputs(program, _reached_facts(_body_of(tuple(nodes(each)), edges(each)), used)))
        for each in program.reactions
    )
    return evolve(program, procedures=procedures, reactions=reactions)


def with_probes(program: ir.Program, probes: Mapping[str, ir.Procedure]) -> ir.Program:
    """The program with the procedures that only its examples play, and the facts that each can use."""
    if not probes:
        return program
    everything = with_inputs(evolve(program, procedures={**program.procedures, **probes}))
    return evolve(program, probes={name: everything.procedures[name] for name in probes})


def _used_facts(program: ir.Program) -> Mapping[Unit, Facts]:
    graph = graph_of(program)
    bodies = {unit: _body_of(graph.nodes(unit), graph.edges(unit)) for unit in graph.units}
    used = {unit: body.reads for unit, body in bodies.items()}
    for component in graph.components:
        before = None
        while before != (now := [used[unit] for unit in component]):
            before = now
            for unit in component:
                used[unit] = _reached_facts(bodies[unit], used)
    return used


def _body_of(body: tuple[Node, ...], edges: Iterable[Use]) -> _Body:
    reads = frozenset(node.name for node in body if isinstance(node, ir.Fact))
    calls = [node for node in body if isinstance(node, (ir.CallProcedure, ir.Start))]
    uses = {(use.unit, _NO_FACTS): None for use in edges if use.unit[0] != "procedure"}
    uses |= {(("procedure", call.procedure), frozenset(name for name, _ in call.args)): None for call in calls}
    return _Body(reads, tuple(uses))


def _reached_facts(body: _Body, used: Mapping[Unit, Facts]) -> Facts:
    # A step may apply results that are not declared.
    return body.reads.union(*(used.get(unit, _NO_FACTS) - given for unit, given in body.uses))


def _inputs(program: ir.Program, used: Facts, procedure: ir.Procedure | None = None) -> tuple[str, ...]:
    own = {} if procedure is None else procedure.facts
    types = [program.facts[name].type for name in used if name in program.facts]
    records = _referred_records(program, [*types, *(fact.type for fact in own.values())])
    lists = {name for name, fact in program.facts.items() if any(is_list_of(fact.type, each) for each in records)}
    shared = tuple(name for name in program.facts if name in used or name in lists)
    return shared if procedure is None else (*(f"{procedure.name}.{name}" for name in own), *shared)


def _referred_records(program: ir.Program, types: list[Type]) -> set[str]:
    """The kinds of records that occur in values of some types, directly or by reference."""
    records: set[str] = set()
    while types:
        record = record_in(types.pop())
        if record is not None and record not in records:
            records.add(record)
            types += [field.type for field in program.records[record].fields.values()]
    return records
