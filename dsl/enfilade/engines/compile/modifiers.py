"""Code generation for blocks of modifiers: one ``if`` per line, which adds to a sum.

The sum of a block is reused until something that it depends on may have changed (common subexpression elimination).
The applied modifiers are collected in a list only if a rule says that just one of them counts.
"""

from __future__ import annotations

from functools import partial

from attrs import define, frozen

from enfilade.core import ir
from enfilade.core.modifiers import modifiers_in
from enfilade.core.traits import Action
from enfilade.core.walk import size
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.frames import WHOLE, Frame
from enfilade.engines.compile.function_writer import FROM_FACTS, FROM_LOCALS, FROM_STATE, Writer
from enfilade.engines.compile.python_text import is_constant
from enfilade.engines.compile.specialised_types import UNKNOWN, is_small
from enfilade.values.types import RecordOf, Type

READER = "reader"


@frozen
class Reader:
    """The reader of a chart: the record in a variable, or nobody."""

    text: str = "None"
    kind: Type = UNKNOWN

    @property
    def is_nobody(self) -> bool:
        """Whether there is never a reader."""
        return self.text == "None"


NOBODY = Reader()


def reader_of(w: Writer, text: str, e: ir.Expr) -> Reader:
    """Return the reader, in a variable unless there is never a reader."""
    return Reader(text if text == NOBODY.text or not is_constant(text) else w.temporary(text), w.kind(e))


@define
class Sums:
    """The variables that accumulate the wanted parts of a block.

    Attributes:
        total: The variable of the total.
        names: The variable of the list of names, if wanted.
        amounts: The variable of the dictionary of amounts, if wanted.
        held: The variables of the enclosing "never together" sections, each with the names that applied there.
        listed: The variable of the list of applied modifiers, if only one of several counts.
    """

    total: str
    names: str | None = None
    amounts: str | None = None
    held: tuple[str, ...] = ()
    listed: str | None = None


def summed(w: Writer, e: ir.SumModifiers, parts: frozenset[str]) -> dict[str, str]:
    """Write the sum of a block and return its wanted parts: total, names, amounts, or the whole."""
    kinds = tuple(w.kind(arg) for arg in e.args)
    items = (*e.args, *(() if e.reader is None else (e.reader,)))
    texts = w.atoms(items)
    reader = NOBODY if e.reader is None else reader_of(w, texts.pop(), e.reader)
    return tally(w, e.block, tuple(texts), kinds, reader, parts)


def tally(
    w: Writer, name: str, args: tuple[str, ...], kinds: tuple[Type, ...], reader: Reader, parts: frozenset[str]
) -> dict[str, str]:
    """Write the sum of a block, or reuse an available one."""
    block, declared = w.context.program.modifiers[name], ("modifiers", name)
    wanted = parts | {"total"} | ({"amounts"} if WHOLE in parts else set())
    is_plain = not args and reader.is_nobody
    if is_plain:
        wanted |= w.used_parts.get(name, set())
    source = _source(w, name, is_plain)
    keys = {part: (source, name, *args, reader.text, part) for part in wanted}
    if any(key not in w.available for key in keys.values() if key[-1] != WHOLE):
        if w.should_inline(declared, size(block.items)):
            found = inlined(w, block, args, kinds, reader, frozenset(wanted))
        else:
            found = _called(w, name, args, reader, frozenset(wanted))
        w.available.update({keys[part]: text for part, text in found.items() if part in keys})
    texts = {part: w.available[key] for part, key in keys.items() if key in w.available}
    if WHOLE in parts:
        texts.setdefault(WHOLE, f"Tally({texts['total']}, {texts['amounts']})")
    return texts


def _source(w: Writer, name: str, is_plain: bool) -> str:
    """Return the kind of values that the sum of a block depends on: facts, locals or the state."""
    items = w.context.program.modifiers[name].items
    if w.context.graph.does(_without_readers(items) if is_plain else items, Action.READ_STATE):
        return FROM_STATE
    return FROM_FACTS if is_plain else FROM_LOCALS


def _without_readers(items: tuple[ir.ModItem, ...]) -> tuple[ir.ModItem, ...]:
    """Return the lines that also apply without a reader."""
    return tuple(item for item in items if not _is_for_each(item))


def _is_for_each(item: ir.ModItem) -> bool:
    return isinstance(item, ir.Section) and item.kind == "for each"


def _called(w: Writer, name: str, args: tuple[str, ...], reader: Reader, wanted: frozenset[str]) -> dict[str, str]:
    whole = w.call(w.context.function(("modifiers", name)), [w.depth_text(), reader.text, *args])
    return {WHOLE: whole} | {part: f"{whole}.{part}" for part in wanted if part != WHOLE}


def inlined(
    w: Writer,
    block: ir.ModBlock,
    args: tuple[str, ...],
    kinds: tuple[Type, ...],
    reader: Reader,
    wanted: frozenset[str],
) -> dict[str, str]:
    """Write the sum of a block inline, and return the source of each wanted part."""
    frame = Frame(texts={**dict(zip(block.params, args, strict=True)), READER: reader.text},
                  kinds={**dict(zip(block.params, kinds, strict=True)), READER: reader.kind})  # fmt: skip
    with w.framed(frame, ("modifiers", block.name)):
        shared = _extended_sum(w, block, reader, wanted)
        if shared is not None:
            return {"total": shared}
        sums = _start_sum(w, block, wanted)
        _items(w, block.items, reader, sums)
        _finish_sum(w, block, sums)
    texts = {"total": sums.total}
    if sums.amounts is not None:
        texts["amounts"] = sums.amounts
        texts["names"] = f"tuple({sums.amounts})"
    elif sums.names is not None:
        texts["names"] = f"(tuple({sums.names}) if {sums.names} else ())"
    return {part: w.named(text) for part, text in texts.items() if part in wanted}


def _finish_sum(w: Writer, block: ir.ModBlock, sums: Sums) -> None:
    """Write the end of a sum: the choice of one line among several, the size limit, the caps."""
    if sums.listed is not None:
        _add_listed(w, sums, f"one_that_counts({w.constant(block.rule)}, {sums.listed})", None)
    if not is_small(w.context.types.total(block.name)):
        w.line(f"{sums.total} = checked({sums.total})")
    for item in block.items:
        if isinstance(item, ir.Net):
            _net(w, item, sums)


def _extended_sum(w: Writer, block: ir.ModBlock, reader: Reader, wanted: frozenset[str]) -> str | None:
    """Write the sum for a reader on top of an available sum without a reader: only the reader's lines are added."""
    before = w.available.get((FROM_FACTS, block.name, NOBODY.text, "total"))
    if before is None or wanted != {"total"} or block.rule != "cumulative":
        return None
    if any(isinstance(item, ir.Net) for item in block.items) or not is_small(w.context.types.total(block.name)):
        return None
    sums = Sums(w.fresh())
    w.line(f"{sums.total} = {before}")
    _items(w, tuple(item for item in block.items if _is_for_each(item)), reader, sums)
    return sums.total


def _start_sum(w: Writer, block: ir.ModBlock, wanted: frozenset[str]) -> Sums:
    """Write the initial values of a block's variables."""
    sums = Sums(w.fresh())
    w.line(f"{sums.total} = 0")
    every = [m.name for m in modifiers_in(block.items)]
    if "amounts" in wanted or ("names" in wanted and len(set(every)) < len(every)):
        sums.amounts = w.fresh()
        w.line(f"{sums.amounts} = {{}}")
    elif "names" in wanted:
        sums.names = w.fresh()
        w.line(f"{sums.names} = []")
    if block.rule != "cumulative":
        sums.listed = _list(w)
    return sums


def _list(w: Writer) -> str:
    name = w.fresh()
    w.line(f"{name} = []")
    return name


def _net(w: Writer, item: ir.Net, sums: Sums) -> None:
    bound = w.named(w.needed(item.amount))
    w.line(f"if {bound} {'<' if item.way == 'most' else '>'} {sums.total}: {sums.total} = {bound}")


def _items(w: Writer, items: tuple[ir.ModItem, ...], reader: Reader, sums: Sums) -> None:
    for item in items:
        match item:
            case ir.Modifier():
                _modifier(w, item, sums)
            case ir.Section():
                _section(w, item, reader, sums)
            case ir.Net():
                pass


def _modifier(w: Writer, m: ir.Modifier, sums: Sums) -> None:
    test = condition(w, m.condition)
    if test == "True":
        _buts(w, m, m.buts, sums)
        return
    with w.block(f"if {test}:"):
        _buts(w, m, m.buts, sums)


def _buts(w: Writer, m: ir.Modifier, buts: tuple[ir.But, ...], sums: Sums) -> None:
    """Add the amount of a line: that of the first ``but`` with a true condition, else its own."""
    if not buts:
        _add(w, m, m.amount, sums)
        return
    with w.block(f"if {condition(w, buts[0].condition)}:"):
        if buts[0].amount is not None:
            _add(w, m, buts[0].amount, sums)
    with w.block("else:"):
        _buts(w, m, buts[1:], sums)


def _add(w: Writer, m: ir.Modifier, amount: ir.Expr, sums: Sums) -> None:
    text = w.needed(amount)
    if sums.listed is not None:
        w.line(f"{sums.listed}.append(({w.constant(m.name)}, {text}))")
        return
    if sums.amounts is not None:
        text = w.named(text)
    w.line(f"{sums.total} += {text}")
    _name(w, w.constant(m.name), text, sums)
    for held in sums.held:
        w.line(f"{held} += ({w.constant(m.name)},)")


def _name(w: Writer, name: str, amount: str, sums: Sums) -> None:
    if sums.amounts is not None:
        w.line(f"{sums.amounts}[{name}] = {amount}")
    elif sums.names is not None:
        w.line(f"{sums.names}.append({name})")


def _section(w: Writer, s: ir.Section, reader: Reader, sums: Sums) -> None:
    write = partial(_section_items, w, s, reader, sums)
    if s.kind == "when" and s.condition is not None:
        with w.block(f"if {condition(w, s.condition)}:"):
            write()
    elif s.kind == "for each":
        _for_each(w, s, reader, write)
    else:
        write()


def _for_each(w: Writer, s: ir.Section, reader: Reader, write: partial[None]) -> None:
    """Write the lines for one kind of reader, or nothing if there is never such a reader."""
    kind = reader.kind
    sure = isinstance(kind, RecordOf) and not kind.optional
    if reader.is_nobody or (isinstance(kind, RecordOf) and kind.record != s.record):
        return
    if sure:
        write()
        return
    record = w.constant(s.record)
    with w.block(f"if {reader.text} is not None and {reader.text}.record == {record}:"):
        write()


def _section_items(w: Writer, s: ir.Section, reader: Reader, sums: Sums) -> None:
    if s.kind == "never together":
        _never_together(w, s, reader, sums)
    elif s.kind == "only one":
        _only_one(w, s, reader, sums)
    else:
        _items(w, s.items, reader, sums)


def _never_together(w: Writer, s: ir.Section, reader: Reader, sums: Sums) -> None:
    section = w.context.pool.shared(s)
    if sums.listed is not None:
        start = w.fresh()
        w.line(f"{start} = len({sums.listed})")
        _items(w, s.items, reader, sums)
        names = f"tuple([name for name, _ in {sums.listed}[{start}:]])"
        w.line(f"if len({sums.listed}) - {start} > 1: never_together({section}, {names})")
        return
    held = w.fresh()
    w.line(f"{held} = ()")
    inner = Sums(sums.total, sums.names, sums.amounts, (*sums.held, held))
    _items(w, s.items, reader, inner)
    w.line(f"if len({held}) > 1: never_together({section}, {held})")


def _only_one(w: Writer, s: ir.Section, reader: Reader, sums: Sums) -> None:
    which = w.constant(s.which or "first")
    if sums.listed is not None:
        start = w.fresh()
        w.line(f"{start} = len({sums.listed})")
        _items(w, s.items, reader, sums)
        w.line(f"{sums.listed}[{start}:] = one_that_counts({which}, {sums.listed}[{start}:])")
        return
    listed = _list(w)
    _items(w, s.items, reader, Sums(sums.total, listed=listed))
    _add_listed(w, sums, f"one_that_counts({which}, {listed})", sums.held)


def _add_listed(w: Writer, sums: Sums, items: str, held: tuple[str, ...] | None) -> None:
    name, amount = w.fresh(), w.fresh()
    with w.block(f"for {name}, {amount} in {items}:"):
        w.line(f"{sums.total} += {amount}")
        _name(w, name, amount, sums)
        for each in held or ():
            w.line(f"{each} += ({name},)")
