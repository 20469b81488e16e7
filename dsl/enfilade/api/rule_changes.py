"""The changes between two rulesets in the words of the rules: which cells, modifiers, facts and steps differ.

Declarations are compared by kind and name, after variants are applied. Comments, layout and the order of declarations are
no changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from textwrap import dedent
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from enfilade.api.charts import erratum_place, table_of
from enfilade.api.outcome_values import value_text
from enfilade.api.prepared import PreparedRules
from enfilade.bind.variants import KINDS, name_of
from enfilade.core import ir
from enfilade.door import with_doors
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import without_words
from enfilade.syntax.unparse import unparse_lines

_PLURAL: Final = {t.Facts: "facts", t.Players: "players", t.Source: "source"}
"""Declarations without a name; several of a kind are compared as one."""
_NAMED: Final = {kind: word for word, kind in KINDS.items()} | {t.OnEvent: "on"}
_WITHOUT_ODDS: Final = ("example", "source", "title")
_ORDER: Final = "layout or order"

_Part: TypeAlias = tuple[str, Any]
"""A part of a declaration: its text and its tree."""


@with_doors
@frozen
class RuleChange:
    """One change between two rulesets.

    Attributes:
        kind: The kind of the declaration: chart, modifiers, procedure, facts, title and so on.
        name: The name of the declaration; empty for facts, players, sources and the title.
        part: What changed within it: ``row 7, column 16``, the name of a modifier or a fact, ``step 2``; empty for its
            first line, other lines, or all of it.
        old: The text in the old ruleset; ``None`` if it is new.
        new: The text in the new ruleset; ``None`` if it is gone.
        words_only: Whether only labels, citations and reasons differ, which no odds depend on.
    """

    kind: str
    name: str
    part: str
    old: str | None
    new: str | None
    words_only: bool = False

    @property
    def plays(self) -> bool:
        """Whether the change can affect play and odds: it is more than words, and not in an example."""
        return not self.words_only and self.kind not in _WITHOUT_ODDS

    @property
    def heading(self) -> str:
        """The declaration that changed: ``chart fire_table``."""
        return f"{self.kind} {self.name}".strip()

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        return {
            "kind": self.kind, "name": self.name, "part": self.part, "old": self.old, "new": self.new,
            "words_only": self.words_only,
        }  # fmt: skip


def rule_changes(old: PreparedRules, new: PreparedRules) -> tuple[RuleChange, ...]:
    """Return the changes from one ruleset to another, in the order of the old text; what is new comes last."""
    return tuple(_changes(old, new))


def _changes(old: PreparedRules, new: PreparedRules) -> Iterator[RuleChange]:
    before, after = old.program, new.program
    if before.note.label and after.note.label and before.note.label != after.note.label:
        yield RuleChange("title", "", "", before.note.label, after.note.label, words_only=True)
    mine, theirs = _by_name(old.loaded.checked.declarations), _by_name(new.loaded.checked.declarations)
    for key in dict.fromkeys((*mine, *theirs)):
        one, other = mine.get(key), theirs.get(key)
        if one is None or other is None:
            yield RuleChange(*key, "", _text(one), _text(other))
        elif one != other:
            yield from _changed(key, one, other, before, after)
    for name, value in old.options.items():
        if name in new.options and new.options[name] != value and before.options[name] == after.options[name]:
            yield RuleChange("option", name, "value", value_text(value), value_text(new.options[name]))


def _by_name(declarations: Iterable[t.Declaration]) -> dict[tuple[str, str], t.Declaration]:
    """The declarations by kind and name; a number tells apart several of the same name."""
    found: dict[tuple[str, str], t.Declaration] = {}
    for each in declarations:
        kind: type = type(each)
        if kind in _PLURAL:
            key = _PLURAL[kind], ""
            found[key] = _joined(found[key], each) if key in found else each
        elif kind in _NAMED:
            name = name_of(each) or ""
            if isinstance(each, t.Example):
                name = f"{each.kind} {each.procedure.name if each.procedure else ''}".strip() + f' "{name}"'
            number, key = 1, (_NAMED[kind], name)
            while key in found:
                number += 1
                key = _NAMED[kind], f"{name} ({number})"
            found[key] = each
    return found


def _joined(one: t.Declaration, more: t.Declaration) -> t.Declaration:
    match one, more:
        case t.Facts(), t.Facts():
            return evolve(one, fields=(*one.fields, *more.fields), tail=t.NO_TAIL)
        case t.Players(), t.Players():
            return evolve(one, names=(*one.names, *more.names))
        case t.Source(), t.Source():
            return evolve(one, tail=t.Tail(f"{one.tail.label}, {more.tail.label}"))
    return one


def _text(declaration: t.Declaration | None) -> str | None:
    return None if declaration is None else "\n".join(unparse_lines(declaration))


def _changed(
    key: tuple[str, str], old: t.Declaration, new: t.Declaration, before: ir.Program, after: ir.Program
) -> Iterator[RuleChange]:
    """The changes of one declaration; at least one, because the declarations differ."""
    found = list(_parts_changed(key, old, new, before, after))
    if not found:
        words = without_words(old) == without_words(new)
        found = [RuleChange(*key, _ORDER, _text(old), _text(new), words)]
    yield from found


def _parts_changed(
    key: tuple[str, str], old: t.Declaration, new: t.Declaration, before: ir.Program, after: ir.Program
) -> Iterator[RuleChange]:
    match old, new:
        case t.Facts(), t.Facts():
            yield from _between(key, _fields(old), _fields(new))
        case t.Record(), t.Record():
            yield from _first_lines(key, evolve(old, fields=()), evolve(new, fields=()))
            yield from _between(key, _fields(old), _fields(new))
        case t.Modifiers(), t.Modifiers():
            yield from _first_lines(key, evolve(old, items=()), evolve(new, items=()))
            yield from _between(key, _modifiers(old.items), _modifiers(new.items))
        case t.Results(), t.Results():
            yield from _first_lines(key, evolve(old, entries=()), evolve(new, entries=()))
            yield from _between(key, _entries(old), _entries(new))
        case t.Chart(), t.Chart():
            yield from _first_lines(key, evolve(old, items=()), evolve(new, items=()))
            cells = list(_cells_changed(key, before.charts[key[1]], after.charts[key[1]]))
            yield from cells
            places = {change.part for change in cells}
            lines = _chart_lines(old, before.charts[key[1]], places), _chart_lines(new, after.charts[key[1]], places)
            yield from _lines_changed(key, *lines, without_words(_lines_of(old)) == without_words(_lines_of(new)))
        case _:
            lines = unparse_lines(old), unparse_lines(new)
            yield from _lines_changed(key, *lines, without_words(old) == without_words(new))


def _first_lines(key: tuple[str, str], old: t.Declaration, new: t.Declaration) -> Iterator[RuleChange]:
    yield from _between(key, {"": (_first(old), old)}, {"": (_first(new), new)})


def _first(declaration: t.Declaration) -> str:
    return unparse_lines(declaration)[0]


def _between(
    key: tuple[str, str], old: Mapping[str, _Part], new: Mapping[str, _Part]
) -> Iterator[RuleChange]:  # fmt: skip
    """The parts that differ, by name."""
    for part in dict.fromkeys((*old, *new)):
        one, other = old.get(part), new.get(part)
        if one is None or other is None:
            mine, theirs = (None if each is None else each[0] for each in (one, other))
            yield RuleChange(*key, part, mine, theirs)
        elif one[1] != other[1]:
            yield RuleChange(*key, part, one[0], other[0], without_words(one[1]) == without_words(other[1]))


# ----------------------------------------------------------------------------------------------------------- parts


def _fields(of: t.Facts | t.Record) -> dict[str, _Part]:
    return {each.name.name: (unparse_lines(evolve(of, fields=(each,)))[1].strip(), each) for each in of.fields}


def _modifiers(items: Sequence[t.ModItem]) -> dict[str, _Part]:
    """The lines of a block by name; a line in a section has the sections before it in its text."""
    found: dict[str, _Part] = {}
    waiting: list[tuple[str, t.ModItem]] = [("", item) for item in reversed(items)]
    while waiting:
        within, item = waiting.pop()
        if isinstance(item, t.ModSection):
            head = unparse_lines(evolve(item, items=()))[0]
            waiting += [(f"{within}{head}: ", inner) for inner in reversed(item.items)]
        else:
            text = within + "\n".join(unparse_lines(item))
            name = item.name.name if isinstance(item, t.ModLine) else f"net at {item.way}"
            found[name if name not in found else f"{name} ({len(found)})"] = text, (within, item)
    return found


def _entries(results: t.Results) -> dict[str, _Part]:
    found: dict[str, _Part] = {}
    for each in results.entries:
        name = f"{'then ' if each.then else ''}{each.pattern.text}"
        text = dedent("\n".join(unparse_lines(evolve(results, entries=(each,)))[1:]))
        found[name if name not in found else f"{name} ({len(found)})"] = text, each
    return found


# ---------------------------------------------------------------------------------------------------------- charts


@frozen
class _Grid:
    """A chart by its labels: each row and column, and each cell with the corrections that always apply."""

    pages: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str, str], str]

    def line(self, *, page: str | None = None, row: str | None = None, column: str | None = None) -> str:
        """The cells of a page, a row or a column, in order."""
        pages = self.pages if page is None else (page,)
        rows = self.rows if row is None else (row,)
        columns = self.columns if column is None else (column,)
        places = ((each, label, other) for each in pages for label in rows for other in columns)
        return " | ".join(self.cells[place] for place in places if place in self.cells)


def _grid(chart: ir.Chart) -> _Grid:
    table = table_of(chart)
    pages = _told_apart([", ".join(page.labels) for page in table.pages])
    rows, columns = _told_apart(table.rows), _told_apart(table.columns)
    printed = [[[*row] for row in page.cells] for page in table.pages]
    for erratum in _always(chart):
        cell = printed[erratum.page][erratum.row][erratum.column]
        if erratum.inside is not None and isinstance(cell, tuple):
            values = [*cell]
            values[erratum.inside] = str(erratum.value)
            printed[erratum.page][erratum.row][erratum.column] = tuple(values)
        else:
            printed[erratum.page][erratum.row][erratum.column] = _cell_text(erratum.value)
    cells = {
        (page, row, column): _cell_text(printed[p][r][c])
        for p, page in enumerate(pages) for r, row in enumerate(rows) for c, column in enumerate(columns)
        if c < len(printed[p][r])
    }  # fmt: skip
    return _Grid(tuple(pages), tuple(rows), tuple(columns), cells)


def _cell_text(cell: Any) -> str:
    return " ".join(map(value_text, cell)) if isinstance(cell, tuple) else value_text(cell)


def _told_apart(labels: Sequence[str]) -> list[str]:
    found: list[str] = []
    for label in labels:
        found.append(label if label not in found else f"{label} ({len(found) + 1})")
    return found


def _always(chart: ir.Chart) -> list[ir.Erratum]:
    return [each for each in chart.errata if each.condition is None]


def _cells_changed(key: tuple[str, str], old: ir.Chart, new: ir.Chart) -> Iterator[RuleChange]:
    """The pages, rows, columns and cells that differ."""
    one, other = _grid(old), _grid(new)
    axes = (
        ("page", one.pages, other.pages), ("row", one.rows, other.rows), ("column", one.columns, other.columns)
    )  # fmt: skip
    for what, mine, theirs in axes:
        for label in mine:
            if label not in theirs:
                yield RuleChange(*key, f"{what} {label}", one.line(**{what: label}), None)
        for label in theirs:
            if label not in mine:
                yield RuleChange(*key, f"{what} {label}", None, other.line(**{what: label}))
    for place, cell in one.cells.items():
        if other.cells.get(place, cell) != cell:
            page, row, column = place
            where = f"row {row}, column {column}" if len(one.columns) > 1 else f"row {row}"
            yield RuleChange(*key, where + (f", page {page}" if page else ""), cell, other.cells[place])


def _lines_of(chart: t.Chart) -> tuple[t.ChartLine, ...]:
    return tuple(each.line for each in chart.items if each.line is not None)


def _chart_lines(chart: t.Chart, checked: ir.Chart, changed: set[str]) -> list[str]:
    """The lines of a chart, without its pages, its cells and the corrections that are listed as cells."""
    corrected = {erratum_place(checked, each) for each in _always(checked)} & changed
    return [
        unparse_lines(evolve(chart, items=(t.ChartItem(line, ()),)))[1].strip()
        for line in _lines_of(chart)
        if not isinstance(line, t.PageLine)
        and not (isinstance(line, t.Erratum) and line.condition is None and _place(line) in corrected)
    ]


def _place(line: t.Erratum) -> str:
    rest = [f"page {code.text}" for word, code in line.place.rest if word == "page"]
    return ", ".join([f"row {line.place.row.text}", f"column {line.place.column.text}", *rest])


# ----------------------------------------------------------------------------------------------------------- lines


def _lines_changed(
    key: tuple[str, str], old: Sequence[str], new: Sequence[str], words_only: bool
) -> Iterator[RuleChange]:
    """The lines that differ, neighbours together."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for what, start, end, start_new, end_new in matcher.get_opcodes():
        if what != "equal":
            part = _step_at(old, start) if start < end else _step_at(new, start_new)
            yield RuleChange(
                *key, part if key[0] == "procedure" else "", _block(old[start:end]), _block(new[start_new:end_new]),
                words_only,
            )  # fmt: skip


def _block(lines: Sequence[str]) -> str | None:
    return dedent("\n".join(lines)) if lines else None


def _step_at(lines: Sequence[str], at: int) -> str:
    """The numbered step that a line of a procedure belongs to."""
    for line in reversed(lines[: at + 1]):
        number, dot, _ = line.strip().partition(". ")
        if dot and number.isdigit():
            return f"step {number}"
    return ""
