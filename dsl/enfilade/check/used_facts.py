"""The facts that a procedure can use: reachability over the call graph."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.demand import attached_blocks
from enfilade.check.type_relations import is_list_of, record_in
from enfilade.core import ir


def inputs_of(ctx: Context, kind: str, name: str, procedure: ir.Procedure | None) -> tuple[str, ...]:
    """The facts that something can use, its own first, then in the order of declaration."""
    used = _with_referred(ctx, _used(ctx, kind, name, set()), procedure)
    own = tuple(f"{name}.{fact}" for fact in procedure.facts) if procedure is not None else ()
    return own + tuple(fact for fact in ctx.facts if fact in used)


def _with_referred(ctx: Context, used: set[str], procedure: ir.Procedure | None) -> set[str]:
    """The facts used, and the lists that hold what fields of their records refer to."""
    types = [ctx.facts[name].type for name in used if name in ctx.facts]
    types += [fact.type for fact in procedure.facts.values()] if procedure is not None else []
    records: set[str] = set()
    while types:
        record = record_in(types.pop())
        if record is not None and record not in records:
            records.add(record)
            types += [field.type for field in ctx.records[record].fields.values()]
    return used | {name for name, fact in ctx.facts.items() if any(is_list_of(fact.type, r) for r in records)}


def _used(ctx: Context, kind: str, name: str, seen: set[tuple[str, ...]]) -> set[str]:
    if (kind, name) in seen:
        return set()
    seen = seen | {(kind, name)}
    facts, calls = ctx.uses.get((kind, name), (set(), set()))
    found = set(facts)
    for call in calls:
        if call[0] == "procedure":
            found |= _used(ctx, "procedure", call[1], seen) - set(call[2:])
        else:
            found |= _used(ctx, call[0], call[1], seen)
    if kind == "chart":
        for purpose in ("shift", "roll"):
            for block in attached_blocks(ctx, name, purpose):
                found |= _used(ctx, "modifiers", block.name, seen)
    return found
