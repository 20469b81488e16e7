"""What is done for each element of a list, as loops that stop where the rules stop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from enfilade.core import ir
from enfilade.core.types import Type
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.kinds import element, is_small
from enfilade.engines.compile.unit import Writer

_MADE: Final = re.compile(r"tuple\((t\d+)\)", re.ASCII)


@contextmanager
def elements(w: Writer, var: str, over: ir.Expr, where: ir.Expr | None) -> Iterator[str]:
    """Write what is done for each element that is meant; each one that is visited is a step."""
    kind, (items, test) = element(w.kind(over)), _visited(w, over)
    nested, w.counting = w.counting, True
    with _typed(w, var, kind), w.block(f"for {w.variable(var)} in {items}:"), ExitStack() as inner:
        if test:
            inner.enter_context(w.block(f"if {w.local(var)}{test}:"))
        w.tick()
        if where is not None:
            inner.enter_context(w.block(f"if {condition(w, where)}:"))
        yield w.local(var)
    w.counting = nested
    if nested:
        w.check_steps()


def _visited(w: Writer, over: ir.Expr) -> tuple[str, str]:
    """What to go through, and a test of what is meant of it: no list is made only to be visited once."""
    if isinstance(over, ir.EffectsSoFar):
        return w.need("effects"), f".effect == {w.constant(over.effect)}"
    items = w.value(over)
    made = _MADE.fullmatch(items)
    return (items if made is None else made[1]), ""


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
    """Something done for each element of a list."""
    match e.how:
        case "any" | "all" | "none":
            return _search(w, e)
        case "count":
            return _count(w, e)
        case "sum":
            return _sum(w, e)
        case "filter" | "list":
            return f"tuple({_gather(w, e)})"
    return _extreme(w, e)


def _search(w: Writer, e: ir.Over) -> str:
    """Look for the first element that decides."""
    name = w.fresh()
    w.line(f"{name} = {e.how != 'any'}")
    with elements(w, e.var, e.over, e.where):
        test = condition(w, e.body)
        with w.block(f"if not {test}:" if e.how == "all" else f"if {test}:"):
            w.line(f"{name} = {e.how == 'any'}")
            w.line("break")
    return name


def _count(w: Writer, e: ir.Over) -> str:
    name = w.fresh()
    w.line(f"{name} = 0")
    with elements(w, e.var, e.over, e.where):
        w.line(f"{name} += 1")
    return name


def _sum(w: Writer, e: ir.Over) -> str:
    name = w.fresh()
    w.line(f"{name} = 0")
    with elements(w, e.var, e.over, e.where):
        w.line(f"{name} += {w.value(e.body)}")
    return name if is_small(w.kind(e)) else f"checked({name})"


def _gather(w: Writer, e: ir.Over) -> str:
    """A list of the elements that are meant, or of what is worked out for each."""
    name = w.fresh()
    w.line(f"{name} = []")
    with elements(w, e.var, e.over, e.where) as each:
        if e.how != "filter":
            w.line(f"{name}.append({w.value(e.body)})")
        else:
            with w.block(f"if {condition(w, e.body)}:"):
                w.line(f"{name}.append({each})")
    return name


def _extreme(w: Writer, e: ir.Over) -> str:
    """The highest or the lowest."""
    found, name = _gather(w, e), w.fresh()
    w.line(f"if {found}: {name} = {'max' if e.how == 'highest' else 'min'}({found})")
    with w.block("else:"):
        w.line(f"{name} = {f'nothing_highest({e.how!r})' if e.default is None else w.value(e.default)}")
    return name


def map_over(w: Writer, e: ir.MapOver) -> str:
    """``map of unit to steps over units``."""
    name = w.fresh()
    w.line(f"{name} = {{}}")
    with elements(w, e.var, e.over, e.where):
        key = w.kept(w.value(e.key))
        w.line(f"{name}[{key}] = {w.value(e.value)}")
    return name


def sort(w: Writer, e: ir.Sort) -> str:
    """A list in order of a key; equal elements keep their order."""
    found = _in_order(w, e)
    if e.take is None:
        return f"tuple({found})"
    return f"tuple({found}[:max({w.value(e.take)}, 0)])"


def _in_order(w: Writer, e: ir.Sort) -> str:
    items, keys = w.fresh(), w.fresh()
    w.line(f"{items} = []")
    if e.key != ir.Local(e.var):
        w.line(f"{keys} = []")
    with elements(w, e.var, e.over, None) as each:
        if e.key != ir.Local(e.var):
            w.line(f"{keys}.append({w.value(e.key)})")
        w.line(f"{items}.append({each})")
    if e.key == ir.Local(e.var):
        w.line(f"{items}.sort(reverse={e.descending})")
    else:
        order = f"sorted(range(len({keys})), key={keys}.__getitem__, reverse={e.descending})"
        w.line(f"{items} = [{items}[i] for i in {order}]")
    return items
