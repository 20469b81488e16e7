"""Demand-driven checking: a declaration is checked when it is first needed, and the result is memoised.

A declaration that depends on itself is reported as circular, and too long a chain of dependencies as too deep. A
procedure that calls itself is checked until the types of its outputs no longer change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import count
from typing import Any, TypeAlias, TypeVar

from enfilade.check.context import Context
from enfilade.check.types.type_relations import is_known, widened
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Type, Unknown

T = TypeVar("T")
Key: TypeAlias = tuple[str, str]
MAX_DEPTH = 24
# Each round widens, so the third one is nearly always the last.
MAX_ROUNDS = 8


def _require(
    ctx: Context, kind: str, name: str, span: Span, tree: Any, done: dict[str, T], build: Callable[[], T | None]
) -> T | None:
    key = (kind, name)
    built = done[name] if name in done else _check_now(ctx, key, span, tree, done, build)
    if built is not None and ctx.in_progress:
        user = ctx.in_progress[-1]
        ctx.depths[user] = max(ctx.depths[user], 1 + ctx.depths[key])
    return built


def _check_now(
    ctx: Context, key: Key, span: Span, tree: Any, done: dict[str, T], build: Callable[[], T | None]
) -> T | None:
    name = key[1]
    if key in ctx.failed:
        return None
    if key in ctx.in_progress:
        circle = [each for _, each in ctx.in_progress[ctx.in_progress.index(key) :]]
        uses = ", ".join(f"{user} uses {used}" for user, used in zip(circle, [*circle[1:], name], strict=True))
        way = f": {uses}" if len(circle) > 1 else ""
        ctx.is_nested = True
        ctx.report("circular", f"`{name}` depends on itself{way}", span, "a definition can't use its own value")
        return None
    if len(ctx.in_progress) > MAX_DEPTH:
        _report_too_deep(ctx, name, span)
        return None
    ctx.in_progress.append(key)
    ctx.depths[key] = 1
    built = ctx.unit(key[0], tree, build)
    ctx.in_progress.pop()
    if built is None:
        ctx.failed.add(key)
    else:
        done[name] = built
        _check_depth(ctx, key, span)
    return built


def _check_depth(ctx: Context, key: Key, span: Span) -> None:
    """Report too long a chain of dependencies: calls in a run would nest as deeply."""
    if key[0] == "procedure":
        ctx.depths[key] = 0
    if ctx.depths[key] == MAX_DEPTH + 1:
        _report_too_deep(ctx, key[1], span)


def _report_too_deep(ctx: Context, name: str, span: Span) -> None:
    ctx.is_nested = True
    if not any(d.code == "too-deep" for d in ctx.reported):
        ctx.report(
            "too-deep",
            f"`{name}` depends on a chain of more than {MAX_DEPTH} declarations",
            span,
            "combine some definitions of the chain into one, or calculate a part in a procedure",
        )


def _demanded(require: Callable[[Context, str, Span], T]) -> Callable[[Context, str, Span], T]:
    @wraps(require)
    def demanded(ctx: Context, name: str, span: Span) -> T:
        if ctx.reuse is None:
            return require(ctx, name, span)
        return ctx.reuse.demand(require, ctx, name, span)

    return demanded


@_demanded
def require_definition(ctx: Context, name: str, span: Span) -> ir.Definition | None:
    """A definition, checked when first needed; ``None`` if it could not be checked."""
    tree = ctx.symbols.definitions[name]
    return _require(ctx, "define", name, span, tree, ctx.definitions, lambda: ctx.passes.definition(ctx, tree))


def require_lowered(
    ctx: Context, name: str, span: Span, build: Callable[[], ir.Definition | None]
) -> ir.Definition | None:
    """A definition that another construct is lowered to; ``None`` if it could not be checked."""
    return _require(ctx, "define", name, span, build, ctx.definitions, build)


@_demanded
def require_modifiers(ctx: Context, name: str, span: Span) -> ir.ModBlock | None:
    """A block of modifiers, checked when first needed; ``None`` if it could not be checked."""
    tree = ctx.symbols.modifiers[name]
    return _require(ctx, "modifiers", name, span, tree, ctx.modifiers, lambda: ctx.passes.modifiers(ctx, tree))


@_demanded
def require_chart(ctx: Context, name: str, span: Span) -> ir.Chart | None:
    """A chart, checked when first needed; ``None`` if it could not be checked."""
    tree = ctx.symbols.charts[name]
    return _require(ctx, "chart", name, span, tree, ctx.charts, lambda: ctx.passes.chart(ctx, tree))


@_demanded
def require_outputs(ctx: Context, name: str, span: Span) -> dict[str, Type]:
    """The output types of a procedure, which is checked when first needed."""
    if ("procedure", name) in ctx.in_progress:
        ctx.recursive.add(name)
    elif name not in ctx.procedures:
        _check_procedure(ctx, name, span)
    return ctx.outputs.get(name, {})


def _check_procedure(ctx: Context, name: str, span: Span) -> None:
    """Check a procedure; a recursive one until the types of its outputs no longer change: a fixpoint, with widening."""
    tree, noted, known = ctx.symbols.procedures[name], len(ctx.reported), set(ctx.procedures)
    assumed: dict[str, Type] = {}
    absent: frozenset[str] = frozenset()
    for round_ in count(1):
        _require(ctx, "procedure", name, span, tree, ctx.procedures, lambda: ctx.passes.procedure(ctx, tree))
        if name not in ctx.recursive or name in ctx.settled or name not in ctx.outputs:
            return
        found, given = _found_outputs(ctx, name, assumed), ctx.sometimes_given[name]
        changed = [output for output in found if found[output] != assumed.get(output)]
        wrong = dict.fromkeys(ctx.outputs[name], Unknown())
        _forget_procedures(ctx, known, noted)
        assumed = found
        if round_ == MAX_ROUNDS or (not changed and given == absent):
            ctx.settled.add(name)
            _report_growing(ctx, name, changed)
            assumed = wrong | found
        absent = given
        ctx.outputs[name], ctx.sometimes_given[name] = assumed, absent


def _found_outputs(ctx: Context, name: str, assumed: Mapping[str, Type]) -> dict[str, Type]:
    """The types of outputs that a check found, without those that are not known yet."""
    known = {output: type_ for output, type_ in ctx.outputs[name].items() if is_known(type_)}
    return {output: widened(assumed.get(output, type_), type_) for output, type_ in known.items()}


def _forget_procedures(ctx: Context, known: set[str], noted: int) -> None:
    """Forget the procedures checked since, and what was reported: they may depend on outputs that changed."""
    for other in [other for other in ctx.procedures if other not in known]:
        del ctx.procedures[other], ctx.outputs[other], ctx.sometimes_given[other]
        ctx.settled.discard(other)
    del ctx.reported[noted:]


def _report_growing(ctx: Context, procedure: str, outputs: list[str]) -> None:
    """Report outputs without a type: each call of itself nests the value of the last one deeper."""
    for output in outputs:
        name = ctx.symbols.procedures[procedure].name.span
        message = f"the output `{output}` depends on itself: each call of `{procedure}` by itself makes its type larger"
        ctx.report("circular", message, name, "join the lists with `followed by` instead of putting one into the other")


def attached_blocks(ctx: Context, chart: str, purpose: str) -> list[ir.ModBlock]:
    """The blocks of modifiers of a chart with one purpose, ``shift`` or ``roll``."""
    own = ctx.query(_blocks_of, chart, purpose)
    return [block for name in own if (block := require_modifiers(ctx, name.name, name.span)) is not None]


def _blocks_of(ctx: Context, chart: str, purpose: str) -> list[t.Ident]:
    trees = [tree for tree in ctx.symbols.modifiers.values() if tree.purpose == purpose]
    return [tree.name for tree in trees if chart in [each.name for each in tree.charts]]
