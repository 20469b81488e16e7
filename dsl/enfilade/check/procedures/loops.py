"""The types of locals in blocks that may run again: a fixpoint over the rounds, with widening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from enfilade.check.context import Context
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.type_relations import find_common_type, is_known, widened
from enfilade.values.types import Type

T = TypeVar("T")
# Each round widens, so a second one is nearly always the last.
MAX_ROUNDS: Final = 5


def check_loop(ctx: Context, scope: Scope, check: Callable[[], T]) -> T:
    """Check a block that may run again: each local begins with the join of all types that a round may leave it.

    Of a value that a round changes, the block doesn't know what conditions above the loop tell.

    Args:
        ctx: The context.
        scope: The scope around the block.
        check: Checks the block; only the last call reports.
    """
    diagnostics, outer = ctx.diagnostics, {name: list(types) for name, types in scope.assigned.items()}
    known, forgotten = dict(scope.known), set(scope.forgotten)
    for _ in range(MAX_ROUNDS):
        before = dict(scope.locals)
        scope.set_known(known)
        scope.forgotten.clear()
        scope.assigned.clear()
        ctx.diagnostics = []
        try:
            built = check()
        finally:
            found, ctx.diagnostics = ctx.diagnostics, diagnostics
        changed, lost = _changed_types(ctx, scope, before), known.keys() & scope.forgotten
        if not changed and not lost:
            break
        known = {value: type_ for value, type_ in known.items() if value not in lost}
        scope.locals.clear()
        scope.locals.update(before)
        for name, type_ in changed.items():
            scope.locals[name] = before[name].retyped(type_)
    ctx.diagnostics += found
    scope.set_known(known)
    scope.forgotten |= forgotten
    for name, types in outer.items():
        scope.assigned.setdefault(name, []).extend(types)
    return built


def _changed_types(ctx: Context, scope: Scope, before: dict[str, Typed]) -> dict[str, Type]:
    """The types of locals that a round of the block makes wider than they were before it."""
    changed: dict[str, Type] = {}
    for name, types in scope.assigned.items():
        if name in before:
            joined = _join(ctx, before[name].type, types)
            if joined != before[name].type:
                changed[name] = widened(before[name].type, joined)
    return changed


def _join(ctx: Context, type_: Type, types: list[Type]) -> Type:
    """The join of all types that have one with *type_*."""
    for each in types:
        # A type may be unknown in the first round only.
        both = find_common_type(ctx, type_, each) if is_known(each) else None
        type_ = type_ if both is None else both
    return type_
