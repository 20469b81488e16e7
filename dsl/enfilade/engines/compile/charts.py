"""Code generation for chart lookups, with labels found through precomputed tables.

Only the used parts of a reading are computed, in the order of the reference evaluator: page, column modifiers,
column, roll modifiers, row, cell.
"""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.core import ir
from enfilade.core.walk import size
from enfilade.engines.compile import labels
from enfilade.engines.compile.cells import cell, find_in_row
from enfilade.engines.compile.columns import find_column
from enfilade.engines.compile.edges import Lookup
from enfilade.engines.compile.frames import WHOLE, Frame
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.modifiers import NOBODY, READER, Reader, reader_of, tally
from enfilade.engines.compile.python_text import display
from enfilade.engines.compile.rows import find_row
from enfilade.engines.compile.specialised_types import UNKNOWN, is_small
from enfilade.values import intervals
from enfilade.values.types import Num, Type

PARTS = ("code", "row", "column", "base_column", "shift", "roll", "modified", "roll_modifier", "reader")
_ALL_PARTS = (*PARTS, "chart", "page")
NO_SHIFT = Num(0, 0)


def look(w: Writer, e: ir.Look, parts: frozenset[str]) -> dict[str, str]:
    """Write a lookup in a chart.

    Returns:
        The source of each wanted part, to be evaluated once, at this point.
    """
    kinds = tuple(w.kind(arg) for arg in e.args)
    roll_kind = UNKNOWN if e.roll is None else w.kind(e.roll)
    texts = w.atoms([item for item in (*e.args, e.roll, e.reader) if item is not None])
    reader = NOBODY if e.reader is None else reader_of(w, texts.pop(), e.reader)
    roll = "None" if e.roll is None else texts.pop()
    chart, declared = w.context.program.charts[e.chart], ("chart", e.chart)
    if not w.should_inline(declared, size(chart)):
        whole = w.call(w.context.function(declared), [w.depth_text(), roll, reader.text, *texts])
        return {WHOLE: whole} | {part: f"{whole}.{part}" for part in _ALL_PARTS}
    frame = Frame(texts={**dict(zip(chart.params, texts, strict=True)), READER: reader.text},
                  kinds={**dict(zip(chart.params, kinds, strict=True)), READER: reader.kind})  # fmt: skip
    with w.framed(frame, declared):
        return _read(Lookup(w, chart, reader, parts), roll, roll_kind)


def whole_reading(w: Writer, chart: ir.Chart, roll: str, reader: str) -> str:
    """Return the source of a whole reading, for a chart that is a function of its own."""
    return _read(Lookup(w, chart, Reader(reader), frozenset([WHOLE])), roll, UNKNOWN)[WHOLE]


def look_in(w: Writer, e: ir.LookIn) -> str:
    """Write a lookup in a chart that a cell of another chart names."""
    items = [item for item in (e.chart, e.roll, e.reader) if item is not None]
    texts = w.atoms(items)
    reader = "None" if e.reader is None else texts.pop()
    roll = "None" if e.roll is None else texts.pop()
    # A cell can't name a chart with parameters.
    names = [name for name, chart in w.context.program.charts.items() if not chart.params]
    functions = {name: w.context.function(("chart", name)) for name in names}
    table = w.fresh()
    w.line(f"{table} = {{{', '.join(f'{w.constant(name)}: {function}' for name, function in functions.items())}}}")
    return w.call(f"{table}[{texts[0]}.name]", [w.depth_text(), roll, reader])


def _read(r: Lookup, roll: str, roll_kind: Type) -> dict[str, str]:
    w, chart = r.w, r.chart
    r.begin()
    _page(r)
    shift, shift_kind = _sum(r, chart.shifts)
    find_column(r, shift, shift_kind)
    added, added_kind = _sum(r, chart.roll_modifiers)
    in_row = chart.find if chart.finds_roll and chart.find is not None else None
    looked_up = (chart.down if in_row is None else in_row).value
    found, found_kind = (roll, roll_kind) if looked_up is None else (w.atom(looked_up), w.kind(looked_up))
    modified, modified_kind = _modified(r, found, found_kind, added, added_kind)
    if in_row is not None and chart.down.value is not None:
        find_row(r, w.atom(chart.down.value), w.kind(chart.down.value))
        code = find_in_row(r, (modified, modified_kind))
    else:
        find_row(r, modified, modified_kind)
        code = find_in_row(r, None) if chart.find is not None else cell(r)
    r.end()
    texts = {
        "code": code, "row": _label(r, chart.down, r.row), "column": _label(r, chart.across, r.column),
        "base_column": _label(r, chart.across, r.base), "shift": shift, "roll": found, "modified": modified,
        "roll_modifier": added, "reader": r.reader.text, "chart": w.constant(chart.name), "page": f"str({r.page})" if chart.pages else w.constant("0"),
    }  # fmt: skip
    if WHOLE in r.parts:
        texts["code"] = w.named(code)
        texts[WHOLE] = f"Reading({', '.join([w.constant(chart.name), *_in_order(texts), r.edges, texts['page']])})"
    return texts


def _in_order(texts: dict[str, str]) -> list[str]:
    return [texts[part] for part in PARTS]


def _page(r: Lookup) -> None:
    axes = [axis for axis in r.chart.pages if axis.value is not None]
    if not r.chart.pages:
        return
    w, key = r.w, []
    for axis in axes:
        assert axis.value is not None
        key.append(_index(r, axis, axis.value))
    table = w.context.pool.shared(dict(r.chart.page_index))
    r.page = w.fresh()
    w.line(f"{r.page} = {table}.get({display(key)})")
    w.line(f"if {r.page} is None: no_page({w.context.pool.shared(r.chart)})")


def _index(r: Lookup, axis: ir.Axis, e: ir.Expr) -> str:
    """Return the index of the label on an axis without edges."""
    w = r.w
    value = w.atom(e)
    found = labels.find(w, axis.mode, axis.headers[0].matches, value, w.kind(e))
    index = w.named(found.text)
    if found.outside:
        w.line(f"if {index} < 0: no_place({w.context.pool.shared(r.chart)}, {value})")
    return index


def _sum(r: Lookup, blocks: Sequence[str]) -> tuple[str, Num]:
    """Return the total of several blocks of modifiers."""
    w, texts, kind = r.w, [], NO_SHIFT
    for block in blocks:
        params = w.context.program.modifiers[block].params
        args = tuple(w.local(name) for name in params)
        given = tuple(w.frame.kinds.get(name, UNKNOWN) for name in params)
        texts.append(tally(w, block, args, given, r.reader, frozenset(["total"]))["total"])
        kind = intervals.add(kind, w.context.types.total(block))
    if len(texts) < 2:
        return (texts[0] if texts else "0"), kind
    text = " + ".join(texts)
    return w.named(f"({text})" if is_small(kind) else f"checked({text})"), kind


def _modified(r: Lookup, found: str, kind: Type, added: str, added_kind: Num) -> tuple[str, Type]:
    """Return the value that selects the row, after modifiers."""
    if not r.chart.roll_modifiers:
        return found, kind
    if isinstance(kind, Num):
        return r.w.named(f"({found} + {added})"), intervals.add(kind, added_kind)
    return r.w.named(f"({found} + {added} if {added} else {found})"), UNKNOWN


def _label(r: Lookup, axis: ir.Axis | None, index: str) -> str:
    if axis is None or index == "None" or not r.wants("row", "column", "base_column"):
        return "None"
    names = r.w.context.pool.shared(axis.labels)
    return f"{names}[{index}]" if r.given is None else f"({names}[{index}] if {index} is not None else None)"
