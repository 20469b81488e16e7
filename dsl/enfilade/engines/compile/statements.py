"""Code generation for statements: branches, loops, and assignments to locals, records and outputs."""

from __future__ import annotations

from typing import assert_never

from enfilade.core import ir
from enfilade.core.traits import ASKS, CHANGES, Action
from enfilade.engines.compile import calls, charts, modifiers, rolls_and_choices
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.frames import given_local
from enfilade.engines.compile.function_writer import FROM_STATE, Writer
from enfilade.engines.compile.python_text import fixed, is_constant
from enfilade.engines.compile.specialised_types import element
from enfilade.values.types import Bool, Num, RecordOf, Type

OUTPUTS = "outputs"


def body(w: Writer, statements: ir.Body) -> None:
    """Write a block of statements; inside loops and functions each statement counts as a step."""
    w.tick(len(statements))
    for statement in statements:
        w.execute(w, statement)
        if isinstance(statement, ir.Stop):
            break


def execute(w: Writer, s: ir.Statement) -> None:
    """Write one statement."""
    match s:
        case ir.Refuse():
            with w.block(f"if {condition(w, s.condition)}:"):
                w.line(f"raise Refused({w.constant(s.slug)}, {w.context.pool.shared(s.note)})")
        case ir.Must():
            with w.block(f"if not ({condition(w, s.condition)}):"):
                w.line(f"not_allowed({w.context.pool.shared(s)}, {w.value(s.given)})")
        case ir.RollDice():
            rolls_and_choices.roll(w, s)
        case ir.DrawCards():
            rolls_and_choices.draw(w, s)
        case ir.Reshuffle():
            cards = "" if s.cards is None else f", {w.value(s.cards)}"
            w.line(f"{w.machine()}.shuffle({w.constant(s.deck)}{cards})")
            w.changed()
        case ir.SetLocal():
            _set_local(w, s)
        case ir.SetField():
            _set_field(w, s)
        case ir.Perform():
            calls.perform(w, s)
        case ir.Choose():
            rolls_and_choices.choose(w, s)
        case ir.Branch():
            _branch(w, s)
        case ir.Loop():
            _loop(w, s)
        case ir.Repeat():
            _repeat(w, s)
        case ir.Together():
            _together(w, s)
        case ir.Stop():
            calls.stop(w)
        case ir.CallProcedure():
            calls.call(w, s, lambda refused: body(w, refused))
        case ir.Give():
            _give(w, s)
        case ir.ApplyResults():
            calls.apply(w, s)
        case _:
            assert_never(s)


def _set_local(w: Writer, s: ir.SetLocal) -> None:
    match s.value:
        case ir.Look() if s.local in w.frame.plan.parts:
            parts = charts.look(w, s.value, w.parts(s.local))
        case ir.SumModifiers() if s.local in w.frame.plan.parts:
            parts = modifiers.summed(w, s.value, w.parts(s.local))
        case _:
            text = w.value(s.value)
            w.assign(s.local, text)
            return
    rolls_and_choices.assign_parts(w, s.local, parts, parts.get("", "None"))


def _set_field(w: Writer, s: ir.SetField) -> None:
    kind = w.kind(s.of)
    ref = w.atom(s.of)
    ref = w.temporary(ref) if is_constant(ref) else ref
    cites = w.constant(s.note.cites)
    name = w.constant(s.field)
    if not (isinstance(kind, RecordOf) and not kind.optional):
        w.line(f"if {ref} is None: no_change({name}, {cites})")
    value = w.atom(s.value)
    type_, shared = w.context.program.records[s.record].fields[s.field].type, w.context.pool.shared
    test = calls.type_test(w, value, w.kind(s.value), type_)
    if test:
        w.line(f"if {test}: wrong_field({ref}, {name}, {value}, {shared(type_)}, {cites})")
    fields = w.temporary(f"{w.machine()}.write({ref}, {name}, {value})")
    w.changed()
    # These fields are now a private copy, valid until another record changes.
    w.available[FROM_STATE, ref] = fields


def _give(w: Writer, s: ir.Give) -> None:
    value, local = w.value(s.value), given_local(s.name)
    if local in w.frame.plan.used:
        w.assign(local, value)
        value = w.local(local)
    if w.outputs is None:
        w.line(f"{w.need(OUTPUTS)}[{w.constant(s.name)}] = {value}")
    else:
        w.outputs[s.name] = value if fixed(value) or _stays(w, s.value) else w.temporary(value)


def _stays(w: Writer, e: ir.Expr) -> bool:
    """Whether an expression is a local with a single assignment."""
    match e:
        case ir.Local(name) | ir.Part(ir.Local(name)):
            return name in w.frame.plan.once
    return False


def _branch(w: Writer, s: ir.Branch) -> None:
    with w.block(f"if {condition(w, s.condition)}:"):
        body(w, s.body)
    if s.otherwise:
        with w.block("else:"):
            body(w, s.otherwise)


def _loop(w: Writer, s: ir.Loop) -> None:
    kind, items = element(w.kind(s.over)), w.named(w.value(s.over))
    w.keep_fact_expressions()
    each, outside = w.local(s.local), (w.place, w.counting)
    placed = w.context.graph.does(s.body, ASKS, but=("effect",))
    numbered = placed and not (isinstance(kind, RecordOf) and not kind.optional)
    number = w.fresh()
    head = f"for {number}, {each} in enumerate({items}, 1):" if numbered else f"for {each} in {items}:"
    with w.block(head):
        w.counting = True
        if placed:
            _place(w, _element_place(each, number, kind))
        body(w, s.body)
        w.check_steps()
    w.place, w.counting = outside
    w.keep_fact_expressions()


def _element_place(each: str, number: str, kind: Type) -> str:
    if isinstance(kind, RecordOf) and not kind.optional:
        return f"{each}.key"
    if isinstance(kind, (Num, Bool)):
        return number
    return f"({each}.key if isinstance({each}, Ref) else {number})"


def _place(w: Writer, piece: str) -> None:
    """Write the position of the run in its loops, which is part of the names of requests."""
    name = w.fresh()
    w.line(f"{name} = f'{{{w.place}}}[{{{piece}}}]'" if w.place != "''" else f"{name} = f'[{{{piece}}}]'")
    w.place = name


def _repeat(w: Writer, s: ir.Repeat) -> None:
    times = None if s.times is None else w.stable(w.needed(s.times))
    w.keep_fact_expressions()
    outside = w.place, w.counting
    done = w.fresh()
    w.line(f"{done} = 0")
    with w.block("while True:" if times is None else f"while {done} < {times}:"):
        w.counting = True
        if s.limit is not None:
            w.line(f"if {done} >= {s.limit}: too_many_rounds({s.limit})")
        w.line(f"{done} += 1")
        w.tick()
        if w.context.graph.does(s.body, ASKS, but=("effect",)):
            _place(w, done)
        body(w, s.body)
        w.check_steps()
        if s.until is not None:
            w.line(f"if {condition(w, s.until)}: break")
    w.place, w.counting = outside
    w.keep_fact_expressions()


def _together(w: Writer, s: ir.Together) -> None:
    """Write simultaneous parts: each starts from the same state, then changes are joined, then ``stop`` takes effect."""
    changes = w.changes and w.context.graph.does(s.parts, CHANGES)
    m, start, ends, stops = w.machine() if changes else "", w.fresh(), w.fresh(), w.fresh()
    may_stop = Action.STOP in w.context.graph.may(s.parts)
    if may_stop:
        w.line(f"{stops} = False")
    if changes:
        w.line(f"{start} = {m}.snapshot()")
        w.line(f"{ends} = []")
    for part in s.parts:
        if changes:
            w.line(f"{m}.restore({start})")
            w.changed()
        _part(w, part, stops if may_stop else "")
        if changes:
            w.line(f"{ends}.append({m}.snapshot())")
    if changes:
        w.line(f"{m}.join({start}, {ends}, {w.context.pool.shared(s.note)})")
        w.changed()
    if may_stop:
        with w.block(f"if {stops}:"):
            calls.stop(w)


def _part(w: Writer, part: ir.Body, stops: str) -> None:
    if not stops:
        body(w, part)
        return
    outside, w.is_procedure = w.is_procedure, False
    with w.block("try:"):
        body(w, part)
    w.line(f"except Stopped: {stops} = True")
    w.is_procedure = outside
