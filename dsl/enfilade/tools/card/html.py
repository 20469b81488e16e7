"""Renders a card as one HTML file for print, without scripts or network access. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from enfilade.tools.card.data import Block, Card, Cell, Footnote, Line, Section, Table, mark_sign
from enfilade.tools.card.tables import ERRATUM

ASSUMED: Final = "Assumptions: where the rulebook leaves something open"
# Widths in letters: a column of the page, the page, and tables that need an even smaller font.
_COLUMN, _PAGE, _LARGE = 108, 230, 300
# Tables and blocks with more rows may break across pages.
_ROWS: Final = 34
_WORDY: Final = 18
# The number of lines of modifiers that fit next to shared header rows.
_BESIDE: Final = 12
# Width in letters: a wider table in a column gets a slightly smaller font.
_SNUG: Final = 84
# The charts of a card with at most so many of them fill their column: up to each width, in letters of this size.
_FEW: Final = 2
_GROWN: Final = {46: "grown3", 60: "grown2", 74: "grown1"}
# Width in letters: a wider table doesn't fit a phone.
_PHONE: Final = 60

PAPERS: Final = {"a4": "A4 landscape", "letter": "letter landscape", "a5": "A5 portrait"}
"""The sizes of paper, as CSS names them. Two pages of A5 make a folded sheet of A4."""


@cache
def _style() -> str:
    return Path(__file__).with_name("card.css").read_text(encoding="utf-8")


def card_as_html(card: Card, paper: str | None = None) -> str:
    """Render a card as HTML.

    Args:
        card: The card.
        paper: The size of the pages (see ``PAPERS``); ``None`` for the reader's own paper, in landscape.

    Returns:
        The whole file, without a final line end.
    """
    head = f"<header>\n<h1>{_words(card.title)}</h1>"
    documents = [f"<p>From: {_words(line)}</p>" for line in card.documents]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">""",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(card.title.text)}</title>",
            f"<style>\n{_style()}{'' if paper is None else f'@page {{ size: {PAPERS[paper]}; }}' + chr(10)}</style>",
            "</head>",
            f'<body class="{paper}">' if paper else "<body>",
            "\n".join([head, *documents, "</header>"]),
            *_body(card),
            "</body>",
            "</html>",
        ]
    )


def _body(card: Card) -> Iterator[str]:
    """A ``section`` element for each family with a title or shared header rows; all else in one flow of columns."""
    waiting: list[str] = []
    few = sum(len(section.tables) for section in card.sections) <= _FEW
    for section in card.sections:
        alone = section.title is None and section.shared is None
        wide, narrow = _parts(section, few)
        if not alone or wide:
            yield from _flow(waiting)
            waiting = []
        if alone:
            yield from wide
            waiting += narrow
        else:
            yield "\n".join(["<section>", *_top(section), *wide, *_flow(narrow), "</section>"])
    waiting += map(_block, card.blocks)
    footer = _footer(card)
    if not waiting and not footer and not card.sections:
        waiting = ["<p>This ruleset has no charts, modifiers, results or refusals.</p>"]
    yield from _flow(waiting)
    yield from footer


def _top(section: Section) -> Iterator[str]:
    """The title of a family, and its shared header rows next to its lookup rules and short modifiers."""
    if section.title is not None:
        yield f"<h2>{_words(section.title)}</h2>"
    if section.shared is not None:
        beside = [_block(block) for block in _beside(section)]
        side = ["<div>", *beside, "</div>"] if beside else []
        yield "\n".join(['<div class="top">', _figure(section.shared, "shared"), *side, "</div>"])


def _beside(section: Section) -> tuple[Block, ...]:
    """The blocks next to shared header rows: lookup rules, and modifiers if they are short."""
    if section.shared is None:
        return ()
    modifiers = tuple(block for block in section.blocks if block.kind == "modifiers")
    fits = sum(len(block.lines) + 2 for block in modifiers) <= _BESIDE
    return (*(modifiers if fits else ()), *(block for block in section.blocks if block.kind == "reading"))


def _parts(section: Section, few: bool) -> tuple[list[str], list[str]]:
    """Split a section into tables of full page width and parts that fit a column, lookup rules below their chart."""
    wide = [_figure(table, "wide") for table in section.tables if table.width > _COLUMN]
    narrow = [_figure(table, "", grows=few) for table in section.tables if table.width <= _COLUMN]
    rest = [block for block in section.blocks if block not in _beside(section)]
    reading = [_block(block) for block in rest if block.kind == "reading"]
    if narrow and reading:
        *others, last = narrow
        narrow = [*others, "\n".join(['<div class="unit">', last, *reading, "</div>"])]
        reading = []
    return wide, [*narrow, *reading, *(_block(block) for block in rest if block.kind != "reading")]


def _flow(parts: list[str]) -> Iterator[str]:
    if parts:
        yield "\n".join(['<div class="flow">', *parts, "</div>"])


# ------------------------------------------------------------------------------------------------------ tables


def _figure(table: Table, kind: str, *, grows: bool = False) -> str:
    rows = sum(len(page) for _, page in table.pages)
    size = _size(table, kind, grows)
    scrolls = table.width > _PHONE
    classes = " ".join(filter(None, (kind, size, "long" if rows > _ROWS else "", "scrolls" if scrolls else "")))
    front = f'<figure class="{classes}"' if classes else "<figure"
    # What scrolls must be reached by the keyboard.
    front += ' tabindex="0">' if scrolls else ">"
    lines = [front, _caption(table), "<table>", "<thead>"]
    lines += [f'<tr class="bands">{_row(row, "th", "bands")}</tr>' for row in table.headers]
    lines += [f"<tr>{_row(table.head, 'th')}</tr>", "</thead>"]
    for label, page in table.pages:
        lines += ["<tbody>", *_page_label(label, len(table.head)), *(f"<tr>{_row(row, 'td')}</tr>" for row in page)]
        lines += ["</tbody>"]
    return "\n".join([*lines, "</table>", *_notes(table.notes), "</figure>"])


def _size(table: Table, kind: str, grows: bool) -> str:
    """The class for the font size with which a table fits."""
    if kind != "":
        return "huge" if table.width > _LARGE else "large" if table.width > _PAGE else ""
    if grows:
        return next((size for width, size in _GROWN.items() if table.width <= width), "")
    return "snug" if table.width > _SNUG else ""


def _caption(table: Table) -> str:
    when = f' <span class="when">{escape("; ".join(table.when))}</span>' if table.when else ""
    return f"<figcaption>{_words(table.title)}{when}</figcaption>"


def _page_label(label: str, width: int) -> list[str]:
    return [f'<tr class="page"><th colspan="{width}">{escape(label)}</th></tr>'] if label else []


def _row(row: tuple[Cell, ...], tag: str, first: str = "") -> str:
    label, *cells = row
    front = f' class="{first}"' if first else ""
    return f"<th{front}>{_content(label)}</th>" + "".join(_cell(cell, tag) for cell in cells)


def _cell(cell: Cell, tag: str) -> str:
    wordy = "text" if tag == "td" and any(len(value) > _WORDY for value in cell.values) else ""
    classes = " ".join(filter(None, (cell.kind, wordy)))
    front = f' class="{classes}"' if classes else ""
    return f"<{tag}{front}>{_content(cell)}</{tag}>"


def _content(cell: Cell) -> str:
    values = [escape(value) for value in cell.values]
    text = " ".join(f"<i>{value}</i>" for value in values) if len(values) > 1 else "".join(values)
    sign = f"<sup>{ERRATUM}</sup>" if cell.kind in ("restored", "erratum") else _marks(cell.marks)
    return text + sign + _cites(cell.cites)


def _notes(notes: Iterable[Line]) -> list[str]:
    items = [f"<li>{_lead(line)} {_words(line)}{_more(line)}</li>" for line in notes]
    return ['<ul class="notes">', *items, "</ul>"] if items else []


# ------------------------------------------------------------------------------------------------------- lines


def _block(block: Block) -> str:
    items = [_item(line) for line in block.lines]
    title = f"<h3>{_words(block.title)}{_more(block.title)}</h3>"
    long = " long" if len(items) > _ROWS else ""
    return "\n".join([f'<div class="block {block.kind}{long}">', title, "<ul>", *items, "</ul>", "</div>"])


def _item(line: Line) -> str:
    classes = " ".join(filter(None, (f"d{min(line.depth, 4)}" if line.depth else "", "group" if line.is_group else "")))
    front = f' class="{classes}"' if classes else ""
    return f"<li{front}>{_lead(line)}<span>{_words(line)}{_more(line)}</span></li>"


def _lead(line: Line) -> str:
    return f'<span class="lead">{escape(line.lead)}</span>' if line.lead else ""


def _words(line: Line) -> str:
    return escape(line.text) + _marks(line.marks) + _cites(line.cites)


def _more(line: Line) -> str:
    return f' <span class="more">({escape(line.more)})</span>' if line.more else ""


def _marks(marks: tuple[int, ...]) -> str:
    return f"<sup>{' '.join(map(mark_sign, marks))}</sup>" if marks else ""


def _cites(cites: tuple[str, ...]) -> str:
    return f' <span class="cites">[{escape(", ".join(cites))}]</span>' if cites else ""


def _about(note: Footnote) -> str:
    """What a footnote is about, if no line of the card refers to it."""
    return f"{escape(note.about)}{_cites(note.cites)}: " if note.about else ""


def _footer(card: Card) -> list[str]:
    legend = [f"{_lead(line)} {escape(line.text)}" for line in card.legend]
    signs = [f'<p class="legend">{" · ".join(legend)}</p>'] if legend else []
    if not card.footnotes:
        return ["<footer>", *signs, "</footer>"] if signs else []
    items = [
        f'<li><span class="lead">{note.sign}</span><span>{_about(note)}{escape(note.text)}</span></li>'
        for note in card.footnotes
    ]
    return ["\n".join(["<footer>", *signs, f"<h3>{ASSUMED}</h3>", "<ul>", *items, "</ul>", "</footer>"])]
