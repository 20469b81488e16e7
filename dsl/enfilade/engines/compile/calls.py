"""Code generation for calls: effects, procedures, results, and the end of a procedure."""

from __future__ import annotations

from collections.abc import Callable

from enfilade.core import ir
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.python_text import END, PERFORMS, mapping
from enfilade.engines.compile.specialised_types import is_whole
from enfilade.values.types import Bool, Listed, Num, ReadingOf, RecordOf, Type, Word


def stop(w: Writer) -> None:
    """End the procedure: by a return in its own function, by an exception in functions that it calls."""
    w.line(END if w.is_procedure else "raise Stopped")


def fits(kind: Type, type_: Type) -> bool:
    """Whether the static type of a value proves that it belongs to a type."""
    match type_, kind:
        case Listed(), Num():
            return isinstance(kind, Listed) and set(kind.values) <= set(type_.values)
        case Num(), Num():
            above = type_.low is None or (kind.low is not None and kind.low >= type_.low)
            below = type_.high is None or (kind.high is not None and kind.high <= type_.high)
            return above and below and (is_whole(kind) or not type_.whole)
        case (Bool(), Bool()):
            return True
        case Word(known), Word(words):
            return set(words) <= set(known)
        case RecordOf(record, optional), RecordOf():
            return record == kind.record and (optional or not kind.optional)
    return False


def type_test(w: Writer, value: str, kind: Type, type_: Type) -> str:
    """Return a test that a value does not belong to a type; empty if its static type proves that it does."""
    if fits(kind, type_):
        return ""
    match type_, kind:
        case Num(), Num():
            return _outside_range(w, value, kind, type_)
        case (RecordOf(record), RecordOf()) if record == kind.record:
            return f"{value} is None"
    return f"not belongs({w.context.pool.shared(type_)}, {value})"


def _outside_range(w: Writer, value: str, kind: Num, type_: Num) -> str:
    if isinstance(type_, Listed) or (type_.whole and not is_whole(kind)):
        return f"not belongs({w.context.pool.shared(type_)}, {value})"
    tests = []
    if type_.low is not None and (kind.low is None or kind.low < type_.low):
        tests.append(f"{value} < {w.constant(type_.low)}")
    if type_.high is not None and (kind.high is None or kind.high > type_.high):
        tests.append(f"{value} > {w.constant(type_.high)}")
    return " or ".join(tests)


def perform(w: Writer, s: ir.Perform) -> None:
    """``step_loss on gun with amount 1``: record the effect and run its body."""
    effect, shared = w.context.program.effects[s.effect], w.context.pool.shared
    texts = dict(zip((name for name, _ in s.args), w.atoms([arg for _, arg in s.args]), strict=True))
    kinds = {name: w.kind(arg) for name, arg in s.args}
    for param in effect.params:
        test = type_test(w, texts[param.name], kinds[param.name], param.type)
        if test:
            rest = f"{shared(param)}, {texts[param.name]}, {w.constant(s.note.cites)}"
            w.line(f"if {test}: wrong_argument({w.constant(s.effect)}, {rest})")
    args = mapping({w.constant(name): text for name, text in texts.items()})
    w.need(PERFORMS)
    w.line(f"{w.need('effects')}.append(Performed({w.constant(s.effect)}, {args}))")
    with w.entered():
        if effect.body:
            given = [texts[param.name] for param in effect.params]
            w.call(w.context.function(("effect", s.effect)), [w.depth_text(), *given], result=False)
            w.changed()
    w.drop_state_expressions()


def call(w: Writer, s: ir.CallProcedure, refused: Callable[[ir.Body], None]) -> None:
    """``call volley with lives 3 as shot``."""
    place = w.named(_inner_place(w, s))
    texts = w.values([arg for _, arg in s.args])
    given = mapping({w.constant(name): text for (name, _), text in zip(s.args, texts, strict=True)})
    facts = w.need("facts")
    before, done = w.fresh(), w.fresh()
    given, m = w.named(given), w.machine()
    if s.if_refused is not None:
        if w.changes:
            w.line(f"{before} = {m}.snapshot()")
        w.line(f"{done} = len({m}.effects)")
    if w.context.program.procedures[s.procedure].facts:
        own = w.constant(f"{s.procedure}.")
        w.line(f"{m}.facts = facts_within({facts}, {own}, {given})")
    elif s.args:
        w.line(f"{m}.facts = {{**{facts}, **{given}}}")
    if s.if_refused is None:
        _call(w, s, place)
    else:
        with w.block("try:"):
            _call(w, s, place)
        with w.block("except Refused:"):
            _restore(w, before, done)
            if s.local is not None:
                w.assign(s.local, "{}")
            refused(s.if_refused)
    w.changed()


def _inner_place(w: Writer, s: ir.CallProcedure) -> str:
    piece = f"[{s.procedure if s.local is None else s.local}]"
    return w.constant(piece) if w.place == "''" else f"{w.place} + {w.constant(piece)}"


def _call(w: Writer, s: ir.CallProcedure, place: str) -> None:
    with w.entered():
        outputs = w.call(w.context.function(("procedure", s.procedure)), [w.depth_text(), place])
    if s.args or w.context.program.procedures[s.procedure].facts:
        w.line(f"m.facts = {w.need('facts')}")
    w.changed()
    if s.local is not None:
        w.assign(s.local, outputs)


def _restore(w: Writer, before: str, done: str) -> None:
    """Undo the changes of a called procedure that refused."""
    w.line(f"m.facts = {w.need('facts')}")
    if w.changes:
        w.line(f"m.restore({before})")
    w.line(f"del m.effects[{done}:]")
    w.changed()


def apply(w: Writer, s: ir.ApplyResults) -> None:
    """``apply shots``: apply the results of the chart's codes, if there are any."""
    guard, pairs = _pairs(w, s)
    with w.block(f"if {guard}:"):
        args = [w.depth_text(), w.place, w.named(pairs)]
        w.call(w.context.function(("results", s.chart)), args, result=False)
        w.changed()
    w.drop_state_expressions()


def _pairs(w: Writer, s: ir.ApplyResults) -> tuple[str, str]:
    """Return a test whether there are readings, and the pairs of reader and code."""
    has_readers = w.context.program.results[s.chart].record is not None
    if s.readers is not None:
        code, readers = w.atoms_of([lambda: _code(w, s), lambda: w.value(s.readers)])  # type: ignore[arg-type]
        return readers, f"[(ref, {code}) for ref in {readers}]"
    if isinstance(s.reading, ir.Local) and (code := w.part(s.reading.name, "code")) is not None:  # type: ignore[assignment]
        return "True", f"(({w.part(s.reading.name, 'reader') if has_readers else 'None'}, {code}),)"
    readings = w.named(w.value(s.reading))
    if isinstance(w.kind(s.reading), ReadingOf):
        return "True", f"(({f'{readings}.reader' if has_readers else 'None'}, {readings}.code),)"
    return readings, f"pairs_of({readings}, {has_readers})"


def _code(w: Writer, s: ir.ApplyResults) -> str:
    if isinstance(s.reading, ir.Local) and (code := w.part(s.reading.name, "code")) is not None:
        return code
    return f"{w.value(s.reading)}.code"
