"""Code generation for expressions: one Python expression, with statements before it if it needs a loop.

The evaluation order is that of the reference evaluator, so facts are requested in the same order. A fact without a
default is fetched at its first use on each path and is a plain variable after that.
"""

from __future__ import annotations

from typing import assert_never

from enfilade.core import ir
from enfilade.core.walk import size
from enfilade.engines.compile import charts, fact_access, loops, modifiers, operators
from enfilade.engines.compile.conditions import chain, condition
from enfilade.engines.compile.frames import WHOLE, Frame
from enfilade.engines.compile.function_writer import FROM_STATE, Writer
from enfilade.engines.compile.python_text import display, is_constant, is_name
from enfilade.values.types import Bool, EffectOf, OutputsOf, ReadingOf, RecordOf, RollOf, TallyOf, Type

HAVE_ATTRIBUTES = (RollOf, TallyOf, ReadingOf)
ATTRIBUTES = frozenset([
    "faces", "values", "total", "natural", "names", "amounts", "code", "row", "column", "base_column", "shift", "roll",
    "modified", "roll_modifier", "reader", "chart", "page",
])  # fmt: skip


def value(w: Writer, e: ir.Expr) -> str:
    """Return the source of an expression."""
    match e:
        case ir.Const():
            return w.constant(e.value)
        case ir.Fact():
            return fact_access.fact(w, e.name)
        case ir.Local():
            return w.local(e.name)
        case ir.Option():
            return f"{w.need('options')}[{w.constant(e.name)}]"
        case ir.Field():
            return _field(w, e)
        case ir.Part():
            return _part(w, e)
        case ir.Op():
            return operators.operation(w, e)
        case ir.All():
            return _yes_no(w, e.items, chain(w, e.items, "and")) if e.items else "True"
        case ir.Any_():
            return _yes_no(w, e.items, chain(w, e.items, "or")) if e.items else "False"
        case ir.Not():
            return f"(not {condition(w, e.of)})"
        case ir.If():
            return _if(w, e)
        case ir.Items():
            return display(w.values(e.items))
        case ir.Over():
            return loops.over(w, e)
        case ir.MapOver():
            return loops.map_over(w, e)
        case ir.Sort():
            return loops.sort(w, e)
        case ir.Define():
            return _define(w, e)
        case ir.SumModifiers():
            return modifiers.summed(w, e, frozenset([WHOLE]))[WHOLE]
        case ir.Look():
            return charts.look(w, e, frozenset([WHOLE]))[WHOLE]
        case ir.LookIn():
            return charts.look_in(w, e)
        case ir.EffectsSoFar():
            effects = w.need("effects")
            return f"tuple([e for e in {effects} if e.effect == {w.constant(e.effect)}])"
        case ir.CardsLeft():
            return f"{w.decks}[{w.constant(e.deck)}]"
        case _:
            assert_never(e)


def _yes_no(w: Writer, items: tuple[ir.Expr, ...], text: str) -> str:
    return text if all(isinstance(w.kind(item), Bool) for item in items) else f"bool({text})"


def _if(w: Writer, e: ir.If) -> str:
    test = condition(w, e.condition)
    with w.branch():
        first, a = w.captured(lambda: w.value(e.value))
    with w.branch():
        second, b = w.captured(lambda: w.value(e.otherwise))
    if not first and not second:
        return f"({a} if {test} else {b})"
    name = w.fresh()
    for head, lines, text in ((f"if {test}:", first, a), ("else:", second, b)):
        w.line(head)
        w.lines += [*lines, (w.indent + 1, f"{name} = {text}")]
    return name


def _field(w: Writer, e: ir.Field) -> str:
    kind = w.kind(e.of)
    return f"{_fields(w, w.value(e.of), kind, w.constant(e.name))}[{w.constant(e.name)}]"


def _fields(w: Writer, ref: str, kind: Type, name: str) -> str:
    """Return the fields of a record, looked up once per variable (common subexpression elimination)."""
    sure = isinstance(kind, RecordOf) and not kind.optional
    if not is_name(ref) or is_constant(ref):
        held = w.fresh()
        return (
            f"{w.records}[{ref}]"
            if sure
            else f"({w.records}[{held}] if ({held} := {ref}) is not None else no_field({name}))"
        )
    key = FROM_STATE, ref
    if key not in w.available:
        fields = w.available[key] = w.fresh()
        return f"({fields} := {w.records}[{ref}]{'' if sure else f' if {ref} is not None else no_field({name})'})"
    return w.available[key]


def _part(w: Writer, e: ir.Part) -> str:
    match e.of:
        case ir.Local(name) if (text := w.part(name, e.name)) is not None:
            return text
        case ir.SumModifiers():
            return modifiers.summed(w, e.of, frozenset([e.name]))[e.name]
        case ir.Look():
            return charts.look(w, e.of, frozenset([e.name]))[e.name]
    return part_of(w, w.value(e.of), w.kind(e.of), e.name)


def part_of(w: Writer, text: str, kind: Type, name: str) -> str:
    """Return the source of a part of a value that is not split into parts."""
    if isinstance(kind, HAVE_ATTRIBUTES) and name in ATTRIBUTES:
        return f"{text}.{name}"
    if isinstance(kind, OutputsOf):
        return f"output_of({text}, {w.constant(name)})"
    return f"{text}.args[{w.constant(name)}]" if isinstance(kind, EffectOf) else f"part({text}, {w.constant(name)})"


def _define(w: Writer, e: ir.Define) -> str:
    definition = w.context.program.definitions[e.name]
    kinds = [w.kind(arg) for arg in e.args]
    args = w.atoms(e.args)
    declared = "define", e.name
    with w.entered():
        if not w.should_inline(declared, size(definition.body)):
            return w.call(w.context.function(declared), [w.depth_text(), *args])
        texts = dict(zip(definition.params, args, strict=True))
        with w.framed(Frame(texts=texts, kinds=dict(zip(definition.params, kinds, strict=True))), declared):
            return w.value(definition.body)
