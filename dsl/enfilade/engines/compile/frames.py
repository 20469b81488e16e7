"""Local variables during code generation: their types, and the Python variables that hold them.

Scalar replacement: if only parts of a roll, a reading or a sum of modifiers are used, each part gets a variable of its
own and the object is never built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.engines.compile.specialised_types import UNKNOWN, SpecialisedTypes, element, join, joined
from enfilade.values import intervals
from enfilade.values.types import ListOf, Nothing, Num, OutputsOf, RollOf, Type, type_of

WHOLE = ""
"""The name of the part that is the whole value."""

_ROUNDS = 6
_WIDEN_AFTER = 2


@frozen
class Plan:
    """Facts about the locals of a body, found before its code is generated.

    Attributes:
        kinds: The type of each local.
        parts: The used parts of each local that is split into parts.
        used: The locals that are read.
        once: The locals with a single assignment.
    """

    kinds: Mapping[str, Type] = field(factory=dict)
    parts: Mapping[str, frozenset[str]] = field(factory=dict)
    used: frozenset[str] = frozenset()
    once: frozenset[str] = frozenset()


@define
class Frame:
    """The locals in scope.

    Attributes:
        plan: The facts found before code generation.
        texts: The Python source of each local: a variable, or a constant for a parameter.
        kinds: The type of each local.
        parallel: For each list, the maps keyed by its elements, each as the name of a list of values in the same order.
    """

    plan: Plan = field(factory=Plan)
    texts: dict[str, str] = field(factory=dict)
    kinds: dict[str, Type] = field(factory=dict)
    parallel: dict[str, dict[str, str]] = field(factory=dict)


def plan_of(types: SpecialisedTypes, body: Any, given: Mapping[str, Type]) -> Plan:
    """Find the locals of a body, their types and their uses.

    Args:
        types: Infers the types of expressions.
        body: Statements, or an expression.
        given: The parameters, with their types.
    """
    sources: dict[str, list[Any]] = {name: [type_] for name, type_ in given.items()}
    for name, source in _sources(types, body):
        sources.setdefault(name, []).append(source)
    used = _used(body)
    parts = {name: used.get(name, frozenset()) for name, found in sources.items() if _is_split(found)}
    once = frozenset(name for name, found in sources.items() if len(found) == 1)
    return Plan(_kinds(types, sources), parts, frozenset(used), once)


@frozen
class _Element:
    """One element, or several elements, of a list."""

    over: ir.Expr
    count: ir.Expr | None = None
    optional: bool = False


def _sources(types: SpecialisedTypes, body: Any) -> Iterator[tuple[str, Any]]:
    """Yield each assignment of a local with its source: an expression, a roll, a list or a type."""
    for node in nodes(body):
        match node:
            case ir.SetLocal(local=name, value=value):
                yield name, value
            case ir.RollDice(local=name):
                yield name, node
                faces = [type_of(value) for group in node.groups for value in values_of(types.program.dice[group.die])]
                yield from ((rule.var, joined(faces)) for rule in node.rules)
            case ir.DrawCards(local=name):
                yield name, ListOf(joined([type_of(card) for card in types.program.decks[node.deck].cards]))
            case ir.Choose(local=name):
                yield name, _Element(node.among, node.count, node.if_any)
            case ir.Loop(local=name, over=over) | ir.Over(var=name, over=over):
                yield name, _Element(over)
            case ir.MapOver(var=name, over=over) | ir.Sort(var=name, over=over):
                yield name, _Element(over)
            case ir.Give():
                yield given_local(node.name), _Element(ir.Items((node.value,)))
            case ir.CallProcedure(local=str(name)):
                yield name, OutputsOf(node.procedure)


def _kinds(types: SpecialisedTypes, sources: Mapping[str, list[Any]]) -> dict[str, Type]:
    """Infer the types of all locals by a fixpoint with widening, from the first assignment of each."""
    kinds: dict[str, Type] = {}
    for name, found in sources.items():
        kinds[name] = _kind(types, found[0], kinds)
    for turn in range(_ROUNDS):
        fresh = {name: joined([_kind(types, source, kinds) for source in found]) for name, found in sources.items()}
        if fresh == kinds:
            return kinds
        if turn >= _WIDEN_AFTER:
            fresh = {name: _widened(kinds[name], kind) for name, kind in fresh.items()}
        kinds = fresh
    return {}


def _widened(before: Type, after: Type) -> Type:
    if before == after:
        return after
    return Num(None, None, after.whole) if isinstance(after, Num) and isinstance(before, Num) else UNKNOWN


def _kind(types: SpecialisedTypes, source: Any, kinds: Mapping[str, Type]) -> Type:
    match source:
        case ir.RollDice():
            return roll_type(types.program, source)
        case _Element(over, count, optional):
            each = element(types.of(over, kinds))
            if count is not None:
                return ListOf(each)
            return join(each, Nothing()) if optional else each
    kind: Type = source if isinstance(source, Type) else types.of(source, kinds)
    return kind


def given_local(output: str) -> str:
    """Return the name of the local that holds an output."""
    return f"give {output}"


def roll_type(program: ir.Program, s: ir.RollDice) -> RollOf:
    """Return the type of a roll: the values of one die, and the range of the total if it is known."""
    values = [joined([type_of(value) for value in values_of(program.dice[group.die])]) for group in s.groups]
    counts = [group.count.value for group in s.groups if isinstance(group.count, ir.Const)]
    numbers = [value for value in values if isinstance(value, Num)]
    whole = Num(None, None, all(value.whole for value in numbers)) if len(numbers) == len(values) else None
    if any(rule.adds for rule in s.rules):
        return RollOf(Num(None, None, whole is not None and whole.whole), 0, None, whole)
    if len(counts) < len(s.groups) or s.rules or not sum(counts) or min(counts) < 0 or whole is None:
        return RollOf(joined([*values, Num(0, 0)]), 0, None, whole)
    total = Num(0, 0)
    for count, number in zip(counts, numbers, strict=True):
        total = intervals.add(total, intervals.multiply(Num(count, count), number))
    return RollOf(joined(values), sum(counts), sum(counts), total)


def values_of(die: ir.Die) -> list[Any]:
    """Return the lowest and highest value of a plain die, or all values of a custom die."""
    return [1, die.count] if die.faces is None else list(dict.fromkeys(face.value for face in die.faces))


def _used(body: Any) -> dict[str, frozenset[str]]:
    """Return the used parts of each local."""
    whole: dict[str, int] = {}
    parts: dict[str, set[str]] = {}
    for node in nodes(body):
        if isinstance(node, ir.Local):
            whole[node.name] = whole.get(node.name, 0) + 1
        for of, names in _uses_of_parts(node):
            if isinstance(of, ir.Local):
                parts.setdefault(of.name, set()).update(names)
                whole[of.name] = whole.get(of.name, 0) - 1
    return {name: frozenset(parts.get(name, ())) | ({WHOLE} if count else set()) for name, count in whole.items()}


def _uses_of_parts(node: Any) -> Iterator[tuple[ir.Expr, tuple[str, ...]]]:
    match node:
        case ir.Part():
            yield node.of, (node.name,)
        case ir.Op("doubles", (of,)):
            yield of, ("faces",)
        case ir.ApplyResults():
            yield node.reading, ("code",) if node.readers is not None else ("code", "reader")


def _is_split(sources: list[Any]) -> bool:
    return any(
        bool(sources) and all(isinstance(source, kind) for source in sources)
        for kind in (ir.RollDice, ir.Look, ir.SumModifiers)
    )
