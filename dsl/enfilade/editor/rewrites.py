"""Rewrites that keep the meaning of a text: tabs of a pasted chart become bars, and several examples become a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import evolve

from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Edit
from enfilade.editor.answers import Action
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.special_prints import align_rows
from enfilade.syntax.unparse import unparse, unparse_lines

REWRITE: Final = "refactor.rewrite"


def tabs_to_bars(chart: t.Chart, place: Callable[[Span], Span]) -> Action | None:
    """Write the rows of a chart that was pasted with tabs between bars.

    Args:
        chart: The chart.
        place: Converts a place in a declaration to one in the text.

    Returns:
        The change; ``None`` if the chart has no tabs, or a cell contains a bar.
    """
    blocks = [item.rows for item in chart.items if any(row.by_tabs for row in item.rows)]
    cells = [cell.text for rows in blocks for row in rows for cell in row.cells]
    if not blocks or any("|" in cell for cell in cells):
        return None
    edits = []
    for rows in blocks:
        lines = _indented(align_rows([[cell.text for cell in row.cells] for row in rows]))
        edits.append(Edit(_lines(place(rows[0].span), place(rows[-1].span)), "\n".join(lines)))
    span = place(chart.name.span)
    return Action("turn tabs into bars", tuple(edits), "", span, REWRITE)


def _lines(first: Span, last: Span) -> Span:
    """From the start of the line of one place to the end of another, without blanks."""
    text = first.source.text
    start = text.rfind("\n", 0, first.start) + 1
    return Span(first.source, start, last.start + len(last.text.rstrip()))


def examples_to_table(declarations: Sequence[t.Declaration], at: int, place: Callable[[Span], Span]) -> Action | None:
    """Turn the examples around one of them that play the same thing into one table.

    Args:
        declarations: The declarations of a text.
        at: The number of the example.
        place: Converts a place in a declaration to one in the text.

    Returns:
        The change, not yet checked; ``None`` if there are fewer than two, or a line of theirs does
        not fit into a cell.
    """
    group = _alike(declarations, at)
    if len(group) < 2:
        return None
    lines = [list(_single(each.lines)) for each in group]
    shared = [line for line in lines[0] if all(line in each for each in lines)]
    cells = [_cells([line for line in each if line not in shared]) for each in lines]
    if any(each is None for each in cells):
        return None
    known = [each for each in cells if each is not None]
    headers = list(dict.fromkeys(name for each in known for name in each))
    if not headers:
        return None
    first = group[0]
    label = "; ".join(dict.fromkeys(each.label for each in group))
    rows = align_rows([headers, *([each.get(name, "") for name in headers] for each in known)])
    head, *common = unparse_lines(evolve(first, label=label, lines=_joined(shared)))
    text = "\n".join([head.replace("example", "examples", 1), *common, *_indented(rows)])
    start, end = place(first.span), place(group[-1].span)
    whole = Span(start.source, start.start, end.start + len(end.text.rstrip()))
    title = f"turn these {len(group)} examples into a table"
    return Action(title, (Edit(whole, text),), "", start, REWRITE)


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _alike(declarations: Sequence[t.Declaration], at: int) -> list[t.Example]:
    """The examples next to one another that play what the example with a number plays."""
    asked = declarations[at]
    assert isinstance(asked, t.Example)
    found: list[t.Example] = []
    for number, each in enumerate(declarations):
        same = isinstance(each, t.Example) and not each.rows and each.tail == asked.tail == t.NO_TAIL
        if isinstance(each, t.Example) and same and (each.procedure, each.kind) == (asked.procedure, asked.kind):
            found.append(each)
        elif number > at:
            break
        else:
            found = []
    return found if asked in found else []


def _single(lines: Sequence[t.ExampleLine]) -> Iterator[t.ExampleLine]:
    """The lines with one fact in each ``given`` line."""
    for line in lines:
        if isinstance(line, t.Given):
            yield from (t.Given((item,)) for item in line.items)
        else:
            yield line


def _joined(lines: Sequence[t.ExampleLine]) -> tuple[t.ExampleLine, ...]:
    """The lines with all facts in one ``given`` line."""
    items = tuple(item for line in lines if isinstance(line, t.Given) for item in line.items)
    others = tuple(line for line in lines if not isinstance(line, t.Given))
    return (t.Given(items), *others) if items else others


def _cells(lines: Sequence[t.ExampleLine]) -> dict[str, str] | None:
    """The header and the cell of each line; ``None`` if a line has no cell, or two have the same header."""
    found: dict[str, str] = {}
    for line in lines:
        for name, cell in _of_line(line):
            if not name or not cell or name in found or "|" in cell or "\n" in cell:
                return None
            found[name] = cell
    return found


def _of_line(line: t.ExampleLine) -> Iterator[tuple[str, str]]:
    match line:
        case t.Given(items=items):
            yield from ((item.name.name, _value(item)) for item in items)
        case t.ExOption(item=item):
            yield f"option {item.name.name}", _value(item)
        case t.Expect(condition=t.Compared(left=t.Name(name=name), relation=t.Relation(op="is", target=target))):
            yield name, unparse(target)
        case t.ExOn() | t.Choosing() | t.Gives() | t.Refused() | t.ExpectInputError():
            (text,) = unparse_lines(t.Example(None, "", (line,), t.NO_TAIL))[1:]
            word = "input error" if isinstance(line, t.ExpectInputError) else text.split()[0]
            yield word, text.strip().removeprefix(word).strip()
        case _:
            yield "", ""


def _value(item: t.GivenItem) -> str:
    return "yes" if item.value is None else unparse(item.value)


def stated_in_examples(program: ir.Program) -> list[tuple[Any, ...]]:
    """What each example of a program states, without its label and its place."""
    names = ("procedure", "facts", "options", "faces", "choices", "gives", "effects", "no_effects", "expect", "refused",
             "input_error", "chances", "starts")  # fmt: skip
    return [tuple(getattr(each, name) for name in names) for each in program.examples]
