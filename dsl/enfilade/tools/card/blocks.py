"""Builds the blocks of a card: lookup rules and edges of charts, modifiers, results, options, definitions."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import evolve

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.tools.card.data import Block, Footnotes, Line
from enfilade.tools.card.tables import selecting_charts, title_of
from enfilade.tools.card.words import (
    EDGES,
    amount_of,
    capitalised,
    edge_words,
    expression_words,
    name_words,
    statement_lines,
)

_MODES = {
    "below": "the highest label at or below the value",
    "above": "the lowest label at or above the value",
}

# --------------------------------------------------------------------------------------------- reading a chart


def reading_block(program: ir.Program, chart: ir.Chart, columns: ir.Columns | None, notes: Footnotes) -> Block:
    """The lookup rules of a chart, edges included."""
    lines = [
        *_axes(program, chart, columns, notes),
        *_label_notes(chart, notes),
        *edge_lines(chart, refusals_of(program, chart), notes),
    ]
    if chart.severity:
        lines.append(Line(" < ".join(chart.severity), "Mild to severe"))
    return Block("reading", chart.name, Line("Reading the table"), tuple(lines))


def _axes(program: ir.Program, chart: ir.Chart, columns: ir.Columns | None, notes: Footnotes) -> Iterator[Line]:
    for axis in chart.pages:
        yield _axis("Page", axis, axis.note.label or _value(axis), notes)
    rolled = " + ".join(_dice(program, group) for group in chart.dice)
    more = "with its die roll modifiers" if chart.roll_modifiers else ""
    if not isinstance(chart.down.value, ir.Const):
        words = chart.down.note.label or _value(chart.down) or "the value given"
        in_row = chart.finds_roll
        yield _axis("Row", chart.down, words if in_row else rolled or words, notes, "" if in_row else more)
    if chart.find is not None:
        words = _value(chart.find) or rolled or "the value given"
        modified = more if chart.finds_roll else ""
        yield _axis("Column", chart.find, f"the column whose cell in this row contains {words}", notes, modified)
    elif chart.across is not None:
        shared = "" if columns is None else columns.note.label or ""
        value = chart.across.note.label or shared or _value(chart.across)
        yield _axis("Column", chart.across, value, notes, "moved by column shifts" if chart.shifts else "")
    if chart.inside is not None:
        labels = " · ".join(chart.inside.labels)
        yield _axis("In a cell", chart.inside, f"{chart.inside.note.label or _value(chart.inside)} {labels}", notes)


def _label_notes(chart: ir.Chart, notes: Footnotes) -> Iterator[Line]:
    """The notes on single rows and columns."""
    for lead, axis in (("Row", chart.down), ("Column", chart.across)):
        for index, note in axis.notes if axis is not None else ():
            label = "" if axis is None else axis.labels[index]
            yield Line(note.label or "", f"{lead} {label}", "", note.cites, notes.marks(note))
    for sign, note in chart.marks:
        yield Line(note.label or "", sign, "", note.cites, notes.marks(note))


def _axis(lead: str, axis: ir.Axis, words: str, notes: Footnotes, more: str = "") -> Line:
    mode = _MODES.get(axis.mode)
    text = f"{words}: {mode}" if mode else words
    return Line(text, lead, more, axis.note.cites, notes.marks(axis.note))


def _value(axis: ir.Axis) -> str:
    return "" if axis.value is None else expression_words(axis.value)


def _dice(program: ir.Program, group: ir.DiceGroup) -> str:
    die = program.dice.get(group.die)
    name = (die.note.label if die else None) or name_words(group.die)
    count = str(group.count.value) if isinstance(group.count, ir.Const) else expression_words(group.count)
    if count == "1":
        return name
    return f"{count}{name}" if name == group.die else f"{count} × {name}"


def edge_lines(chart: ir.Chart, refusals: dict[str, str], notes: Footnotes) -> Iterator[Line]:
    """The rules for values off each edge."""
    for name, (lead, _) in EDGES.items():
        edge = chart.edges.get(name)
        if edge is not None:
            text = edge_words(edge, refusals)
            limit = _limit_words(chart, name)
            yield Line(text, limit or lead, edge.note.label or "", edge.note.cites, notes.marks(edge.note))


def _limit_words(chart: ir.Chart, edge: str) -> str:
    """``Column 6 or more``, if the edge begins at a number and not at the end of the labels."""
    what, side = edge.split()
    axis = chart.across if what == "column" else chart.down if what == "row" else None
    limit = next((each for each in axis.limits if each.side == side), None) if axis is not None else None
    if limit is None:
        return ""
    if limit.included:
        return f"{what.capitalize()} {limit.at} {'or more' if side == 'above' else 'or less'}"
    return f"{what.capitalize()} {side} {limit.at}"


def refusals_of(program: ir.Program, chart: ir.Chart) -> dict[str, str]:
    """The labels of the refusals, by name, in procedures that read a chart."""
    reads = {chart.name, *(selector for selector, _ in selecting_charts(program).get(chart.name, ()))}
    found: dict[str, str] = {}
    for procedure in program.procedures.values():
        inside = list(nodes(procedure.body))
        if any(isinstance(node, ir.Look) and node.chart in reads for node in inside):
            refused = [node for node in inside if isinstance(node, ir.Refuse)]
            found |= {node.slug: node.note.label for node in refused if node.note.label}
    return found


# --------------------------------------------------------------------------------------------------- modifiers

_PURPOSES = {"shift": "columns, + to the right", "roll": "added to the roll", "sum": ""}
_RULES = {"first": "only the first that applies", "highest": "only the highest", "lowest": "only the lowest"}


def modifiers_block(program: ir.Program, block: ir.ModBlock, charts: str, notes: Footnotes) -> Block:
    """A block of modifiers.

    Args:
        program: The ruleset.
        block: The block.
        charts: The charts that it modifies, if its place on the card does not show them.
        notes: The footnotes of the card.
    """
    title = title_of(block.name, block.note, notes)
    more = "; ".join(filter(None, (_PURPOSES[block.purpose], _RULES.get(block.rule, ""), charts)))
    title = Line(title.text, more=more, cites=title.cites, marks=title.marks)
    return Block("modifiers", block.name, title, tuple(_items(block.items, 0, notes)))


def _items(items: tuple[ir.ModItem, ...], depth: int, notes: Footnotes) -> Iterator[Line]:
    for item in items:
        note = item.note
        match item:
            case ir.Modifier():
                yield from _modifier(item, depth, notes)
            case ir.Section():
                yield Line(_heading(item), "", "", note.cites, notes.marks(note), depth, True)
                yield from _items(item.items, depth + 1, notes)
            case ir.Net():
                bound = f"in all at {'most' if item.way == 'most' else 'least'} {expression_words(item.amount)}"
                yield Line(bound, "", note.label or "", note.cites, notes.marks(note), depth)


def _heading(section: ir.Section) -> str:
    label = f": {section.note.label}" if section.note.label else ""
    match section.kind:
        case "never together":
            return f"At most one of these applies{label}"
        case "only one":
            return f"Of these, {_RULES[section.which or 'first']} counts{label}"
        case "for each":
            return f"For each {name_words(section.record or '')} separately{label}"
        case _:
            condition = "" if section.condition is None else expression_words(section.condition)
            return f"With {condition}{label}" if condition.startswith("option ") else f"When {condition}{label}"


def _modifier(m: ir.Modifier, depth: int, notes: Footnotes) -> Iterator[Line]:
    lead, letter = amount_of(m.amount)
    text, condition = (
        (m.note.label, "") if m.note.label else (capitalised(name_words(m.name)), expression_words(m.condition))
    )
    same = condition.casefold() == text.casefold()
    more = "; ".join(filter(None, ("" if same else condition, letter)))
    yield Line(text, lead, more, m.note.cites, notes.marks(m.note), depth)
    for but in m.buts:
        yield _but(but, depth + 1, notes)


def _but(but: ir.But, depth: int, notes: Footnotes) -> Line:
    note, condition = but.note, expression_words(but.condition)
    if but.amount is None:
        return Line(note.label or f"when {condition}", "not", "", note.cites, notes.marks(note), depth)
    lead, letter = amount_of(but.amount)
    lead = lead if lead != "+0" else "0"
    return Line(note.label or f"when {condition}", f"but {lead}", letter, note.cites, notes.marks(note), depth)


# ----------------------------------------------------------------------------------------------------- results


def results_block(program: ir.Program, results: ir.Results, charts: str, notes: Footnotes) -> Block:
    """The codes of a chart with their labels and effects."""
    lines: list[Line] = []
    for entry in results.entries:
        lines += _entry(program, results, entry, notes)
    each = f"for each {name_words(results.record)}" if results.record else ""
    more = "; ".join(filter(None, (each, charts)))
    title = Line(results.note.label or "Results", "", more, results.note.cites, notes.marks(results.note))
    return Block("results", results.chart, title, tuple(lines))


def _entry(program: ir.Program, results: ir.Results, entry: ir.Entry, notes: Footnotes) -> list[Line]:
    """A code with its label, then its effects; a code without a label has its first effect on the same line."""
    note, pattern = entry.note, entry.pattern
    label = "and after that" if entry.then else note.label or ""
    bare = f"{pattern.bare} means {pattern.bare_is}" if pattern.bare else ""
    first = Line(label, ", ".join(map(name_words, (pattern.text, *pattern.also))), bare, note.cites, notes.marks(note))
    done = [each for line in entry.lines for each in _result_lines(program, results, line, notes)]
    if label or not done or done[0].more:
        return [first, *done]
    cites = tuple(dict.fromkeys((*first.cites, *done[0].cites)))
    marks = tuple(dict.fromkeys((*first.marks, *done[0].marks)))
    return [evolve(first, text=done[0].text, cites=cites, marks=marks), *done[1:]]


def _result_lines(program: ir.Program, results: ir.Results, line: ir.ResultLine, notes: Footnotes) -> Iterator[Line]:
    front = ""
    if line.how == "each" and (line.where is not None or len(line.body) > 1):
        reader = results.record or "reader"
        front = f"each {name_words(reader)}"
        front += "" if line.where is None else f" {_condition_words(line.where, reader)}"
    done = [(depth, text, stands_on) for depth, text, stands_on in statement_lines(program, line.body) if text]
    if front and len([depth for depth, _, _ in done if depth == 0]) > 1:
        yield Line(front, depth=1)
        done, front = [(depth + 1, text, stands_on) for depth, text, stands_on in done], ""
    for depth, text, stands_on in done:
        cites = tuple(dict.fromkeys(cite for note in stands_on for cite in note.cites))
        marks = notes.marks(*stands_on)
        yield Line(f"{front}: {text}" if front else text, cites=cites, marks=marks, depth=1 + depth)
        front = ""


def _condition_words(where: ir.Expr, reader: str) -> str:
    """A condition about a reader; a definition of the reader alone reads as a sentence: ``that can check morale``."""
    words = expression_words(where).replace(f" ({reader})", "")
    match where:
        case ir.Define(args=(ir.Local(name="reader"),)):
            return f"that {words}"
    return f"where {words}"


# --------------------------------------------------------------------------------- options, definitions and more


def options_block(program: ir.Program, notes: Footnotes) -> Block:
    """The options."""
    lines = tuple(
        Line(each.note.label or "", _lead(each), _choices(each), each.note.cites, notes.marks(each.note))
        for each in program.options.values()
    )
    return Block("options", "", Line("Options"), lines)


def _lead(option: ir.OptionDecl) -> str:
    name = capitalised(name_words(option.name))
    return "" if name.casefold() == (option.note.label or "").casefold() else name


def _choices(option: ir.OptionDecl) -> str:
    words = getattr(option.type, "words", ())
    return f"{', '.join(map(name_words, words))}; default: {name_words(str(option.default))}" if words else ""


def definitions_block(program: ir.Program, used: Collection[str], notes: Footnotes) -> Block:
    """The used definitions that have cases, citations or assumptions.

    Args:
        program: The ruleset.
        used: The names of the declarations in use.
        notes: The footnotes of the card.
    """
    lines: list[Line] = []
    for each in (each for name, each in program.definitions.items() if name in used):
        line_notes = (each.note, *each.cases)
        if len(each.cases) > 1 or any(note.cites or note.assumed for note in line_notes):
            lines += _definition(each, notes)
    return Block("definitions", "", Line("Calculated values"), tuple(lines))


def _definition(define: ir.Definition, notes: Footnotes) -> Iterator[Line]:
    title = title_of(define.name, define.note, notes)
    if len(define.cases) < 2:
        more, note = expression_words(define.body), define.cases[0]
        cites = tuple(dict.fromkeys((*title.cites, *note.cites)))
        yield Line(title.text, more=more, cites=cites, marks=notes.marks(define.note, note))
        return
    yield Line(title.text, cites=title.cites, marks=title.marks, is_group=True)
    body: ir.Expr = define.body
    for note in define.cases:
        value, when = (body.value, expression_words(body.condition)) if isinstance(body, ir.If) else (body, "")
        body = body.otherwise if isinstance(body, ir.If) else body
        text = note.label or (f"when {when}" if when else "otherwise")
        more = f"when {when}" if note.label and when else ""
        yield Line(text, expression_words(value), more, note.cites, notes.marks(note), 1)


def procedure_block(procedure: ir.Procedure, notes: Footnotes) -> Block:
    """The refusals of a procedure."""
    refused = [s for s in procedure.body if isinstance(s, ir.Refuse)]
    lines = tuple(
        dict.fromkeys(
            Line(s.note.label or name_words(s.slug), cites=s.note.cites, marks=notes.marks(s.note)) for s in refused
        )
    )
    title = title_of(procedure.name, procedure.note, notes)
    return Block(
        "procedure", procedure.name, Line(f"Not allowed: {title.text}", "", "", title.cites, title.marks), lines
    )
