"""Code generation for the results of a chart: a function of the pairs of reader and code."""

from __future__ import annotations

from enfilade.core import ir
from enfilade.core.code_patterns import letters_of
from enfilade.core.traits import ASKS
from enfilade.core.walk import nodes
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.frames import Frame, plan_of
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.modifiers import READER
from enfilade.engines.compile.specialised_types import UNKNOWN
from enfilade.engines.compile.statements import body
from enfilade.values.types import ListOf, MapOf, Num, RecordOf, Type

READERS = "readers"
PAIRS = "a0"


def results(w: Writer, declared: ir.Results) -> None:
    """Write the results of all codes, in the order of the file."""
    shared = w.context.pool.shared
    cache: dict[str, object] = {}
    found = w.fresh()
    w.line(f"{found} = matched({shared(cache)}, {shared(declared)}, {PAIRS})")
    for entry in declared.entries:
        index = next(i for i, each in enumerate(declared.entries) if each.pattern.text == entry.pattern.text)
        hit = w.fresh()
        w.line(f"{hit} = {found}.get({index})")
        w.keep_fact_expressions()
        with w.block(f"if {hit}:"), w.framed(_frame(w, declared, entry)):
            _entry(w, declared, entry, hit)
    w.keep_fact_expressions()


def _frame(w: Writer, declared: ir.Results, entry: ir.Entry) -> Frame:
    reader: Type = UNKNOWN if declared.record is None else RecordOf(declared.record)
    given: dict[str, Type] = {}
    for letter in letters_of(entry.pattern):
        number = UNKNOWN if letter.startswith("{") else Num(0, None)
        given[f"#{letter}"] = number if declared.record is None else MapOf(reader, number)
    plan = plan_of(w.context.types, entry.lines, {**given, READER: reader, READERS: ListOf(reader)})
    return Frame(plan, kinds=dict(plan.kinds))


def _entry(w: Writer, declared: ir.Results, entry: ir.Entry, hit: str) -> None:
    used = {node.name for node in nodes(entry.lines) if isinstance(node, ir.Local)}
    readers = w.local(READERS)
    w.line(f"{readers} = tuple([ref for ref, _ in {hit}])")
    for letter in letters_of(entry.pattern):
        if f"#{letter}" in used:
            _numbers(w, declared, letter, hit)
    for line in entry.lines:
        if line.how == "each":
            _each(w, line, readers, declared)
        else:
            body(w, line.body)


def _numbers(w: Writer, declared: ir.Results, letter: str, hit: str) -> None:
    """Write the numbers in the codes: one for each reader, or a single one without readers."""
    name, key = w.local(f"#{letter}"), w.constant(letter)
    w.line(f"{name} = {{ref: numbers[{key}] for ref, numbers in {hit}}}")
    if declared.record is None:
        w.line(f"{name} = {name}[None]")
        return
    parallel = w.temporary(f"[{name}[ref] for ref in {w.local(READERS)}]")
    w.frame.parallel.setdefault(READERS, {})[f"#{letter}"] = parallel


def _each(w: Writer, line: ir.ResultLine, readers: str, declared: ir.Results) -> None:
    reader, outside = w.local(READER), w.place
    w.keep_fact_expressions()
    with w.each(reader, readers, ir.Local(READERS)):
        if w.context.graph.does(line.body, ASKS, but=("effect",)):
            w.place = w.fresh()
            w.line(f"{w.place} = f'{{{outside}}}[{{{reader}.key}}]'")
        if line.where is None:
            body(w, line.body)
        else:
            with w.block(f"if {condition(w, line.where)}:"):
                body(w, line.body)
        w.check_steps()
    w.place = outside
    w.keep_fact_expressions()
