"""Renders a card as Markdown: tables, lists and footnotes. All text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from enfilade.tools.card.data import Block, Card, Cell, Footnote, Line, Section, Table, mark_sign
from enfilade.tools.card.html import ASSUMED
from enfilade.tools.card.tables import ERRATUM

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|&~!])")
_LIST = re.compile(r"^(\d*)([-+=.)])")


def card_as_markdown(card: Card) -> str:
    """Render a card as Markdown.

    Args:
        card: The card.

    Returns:
        The text, without a final line end.
    """
    lines = [f"# {_words(card.title)}", ""]
    for document in card.documents:
        lines += [f"From: {_words(document)}", ""]
    for section in card.sections:
        lines += _section(section)
    for block in card.blocks:
        lines += _block(block)
    if card.legend:
        lines += [*map(_item, card.legend), ""]
    if card.footnotes:
        lines += [f"## {ASSUMED}", "", *map(_footnote, card.footnotes)]
    return "\n".join(lines).rstrip("\n")


def _footnote(note: Footnote) -> str:
    """A footnote; one that no line refers to is an item of a list, because readers leave out unused footnotes."""
    if note.is_marked:
        return f"[^{note.sign}]: {_escaped(note.text)}"
    return _item(Line(note.text, f"{note.sign} {note.about}".strip(), cites=note.cites))


def _section(section: Section) -> Iterator[str]:
    if section.title is not None:
        yield from (f"## {_words(section.title)}", "")
    for table in (*(() if section.shared is None else (section.shared,)), *section.tables):
        yield from _table(table)
    for block in section.blocks:
        yield from _block(block)


def _table(table: Table) -> Iterator[str]:
    when = f" *{_escaped('; '.join(table.when))}*" if table.when else ""
    yield from (f"### {_words(table.title)}{when}", "")
    for label, rows in table.pages:
        if label:
            yield from (f"*{_escaped(label)}*", "")
        yield _bars(table.head)
        yield "| " + " | ".join(["---", *(":---:" for _ in table.head[1:])]) + " |"
        yield from (_bars(row) for row in (*table.headers, *rows))
        yield ""
    if table.notes:
        yield from (_item(line) for line in table.notes)
        yield ""


def _bars(row: Iterable[Cell]) -> str:
    return "| " + " | ".join(map(_cell, row)) + " |"


def _cell(cell: Cell) -> str:
    text = _escaped(" ".join(cell.values))
    if cell.kind == "surplus" and not text.startswith("("):
        text = f"({text})"
    sign = ERRATUM if cell.kind in ("restored", "erratum") else _marks(cell.marks)
    return text + sign + _cites(cell.cites)


def _block(block: Block) -> Iterator[str]:
    more = f" *{_escaped(block.title.more)}*" if block.title.more else ""
    yield from (f"#### {_words(block.title)}{more}", "")
    yield from (_item(line) for line in block.lines)
    yield ""


def _item(line: Line) -> str:
    parts = [f"**{_escaped(line.lead)}**" if line.lead else "", _words(line), _more(line)]
    return "  " * line.depth + "- " + " ".join(filter(None, parts))


def _more(line: Line) -> str:
    return f"({_escaped(line.more)})" if line.more else ""


def _words(line: Line) -> str:
    return _LIST.sub(r"\1\\\2", _escaped(line.text)) + _marks(line.marks) + _cites(line.cites)


def _marks(marks: tuple[int, ...]) -> str:
    return "".join(f"[^{mark_sign(number)}]" for number in marks)


def _cites(cites: tuple[str, ...]) -> str:
    return f" \\[{_escaped(', '.join(cites))}\\]" if cites else ""


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", " ".join(text.split()))
