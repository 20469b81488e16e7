"""Code generation for aggregates, filters and sorts over lists: loops that stop early as in the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from enfilade.core import ir
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.operators import size_checked
from enfilade.engines.compile.specialised_types import element, is_small, is_whole
from enfilade.values.types import Type


@contextmanager
def elements(
    w: Writer, var: str, over: ir.Expr, where: ir.Expr | None, around: tuple[str, ...] | None = None
) -> Iterator[str]:
    """Write a loop over the selected elements of a list; each visited element counts as a step.

    Args:
        w: The function being written.
        var: The local that holds the element.
        over: The list.
        where: The condition that selects elements; ``None`` selects all.
        around: Lines before and after the loop. An ``if`` skips them and the loop if the list is empty; ``None``
            writes no lines and no ``if``.
    """
    kind, (items, test) = element(w.kind(over)), _visited(w, over)
    nested, w.counting = w.counting, True
    with _typed(w, var, kind), _around(w, items, around), ExitStack() as inner:
        inner.enter_context(w.each(w.variable(var), items, over))
        if test:
            inner.enter_context(w.block(f"if {w.local(var)}{test}:"))
        w.tick()
        if where is not None:
            inner.enter_context(w.block(f"if {condition(w, where)}:"))
        yield w.local(var)
    w.counting = nested
    if nested:
        w.check_steps()


@contextmanager
def _around(w: Writer, items: str, around: tuple[str, ...] | None) -> Iterator[None]:
    if around is None:
        yield
        return
    with w.block(f"if {items}:"):
        for line in around[:1]:
            w.line(line)
        yield
        for line in around[1:]:
            w.line(line)


def _visited(w: Writer, over: ir.Expr) -> tuple[str, str]:
    """Return the list and a filter on its elements; effects are filtered in the loop, without a list of their own."""
    if isinstance(over, ir.EffectsSoFar):
        return w.need("effects"), f".effect == {w.constant(over.effect)}"
    return w.named(w.value(over)), ""


@contextmanager
def _typed(w: Writer, var: str, kind: Type) -> Iterator[None]:
    before = w.frame.kinds.get(var)
    w.frame.kinds[var] = kind
    yield
    if before is None:
        del w.frame.kinds[var]
    else:
        w.frame.kinds[var] = before


def over(w: Writer, e: ir.Over) -> str:
    """Write an aggregate over a list."""
    match e.how:
        case "any" | "all" | "none":
            return _search(w, e)
        case "count":
            return _count(w, e)
        case "sum" | "product":
            return _total(w, e)
        case "filter" | "list":
            return _gather(w, e)
    return _extreme(w, e)


def _search(w: Writer, e: ir.Over) -> str:
    """Write a search that stops at the first decisive element."""
    name = w.temporary(str(e.how != "any"))
    with elements(w, e.var, e.over, e.where):
        test = condition(w, e.body)
        with w.block(f"if not {test}:" if e.how == "all" else f"if {test}:"):
            w.line(f"{name} = {e.how == 'any'}")
            w.line("break")
    return name


def _count(w: Writer, e: ir.Over) -> str:
    name = w.temporary("0")
    with elements(w, e.var, e.over, e.where, ()):
        w.line(f"{name} += 1")
    return name


def _total(w: Writer, e: ir.Over) -> str:
    name = w.temporary("0" if e.how == "sum" else "1")
    with elements(w, e.var, e.over, e.where, ()):
        w.line(f"{name} {'+=' if e.how == 'sum' else '*='} {w.needed(e.body)}")
        if e.how == "product":
            w.line(f"{name} = checked({name})")
    if is_small(w.kind(e)):
        return name
    return size_checked(w, name) if is_whole(w.kind(e)) else f"checked({name})"


def _gather(w: Writer, e: ir.Over) -> str:
    """Write a loop that collects the selected elements, or a value for each."""
    name = w.temporary("()")
    listed = w.fresh()
    with elements(w, e.var, e.over, e.where, (f"{listed} = []", f"{name} = tuple({listed})")) as each:
        _add(w, e, listed, each)
    return name


def _add(w: Writer, e: ir.Over, name: str, each: str) -> None:
    if e.how != "filter":
        w.line(f"{name}.append({w.value(e.body) if e.how == 'list' else w.needed(e.body)})")
        return
    with w.block(f"if {condition(w, e.body)}:"):
        w.line(f"{name}.append({each})")


def _extreme(w: Writer, e: ir.Over) -> str:
    """Write the maximum or the minimum."""
    found, name = w.temporary("[]"), w.fresh()
    with elements(w, e.var, e.over, e.where) as each:
        _add(w, e, found, each)
    w.line(f"if {found}: {name} = {'max' if e.how == 'highest' else 'min'}({found})")
    with w.block("else:"):
        w.line(f"{name} = {f'nothing_highest({e.how!r})' if e.default is None else w.value(e.default)}")
    return name


def map_over(w: Writer, e: ir.MapOver) -> str:
    """``map of unit to steps over units``."""
    name = w.temporary("{}")
    with elements(w, e.var, e.over, e.where, ()):
        key = w.named(w.value(e.key))
        w.line(f"{name}[{key}] = {w.value(e.value)}")
    return name


def sort(w: Writer, e: ir.Sort) -> str:
    """Write a stable sort of a list by a key."""
    found = _in_order(w, e)
    if e.take is None:
        return f"tuple({found})"
    return f"tuple({found}[:max({w.needed(e.take)}, 0)])"


def _in_order(w: Writer, e: ir.Sort) -> str:
    items, is_plain = w.temporary("[]"), e.key == ir.Local(e.var)
    keys = items if is_plain else w.temporary("[]")
    with elements(w, e.var, e.over, None) as each:
        w.line(f"{keys}.append({w.needed(e.key)})")
        if not is_plain:
            w.line(f"{items}.append({each})")
    if is_plain:
        w.line(f"{items}.sort(reverse={e.descending})")
    else:
        order = f"sorted(range(len({keys})), key={keys}.__getitem__, reverse={e.descending})"
        w.line(f"{items} = [{items}[i] for i in {order}]")
    return items
