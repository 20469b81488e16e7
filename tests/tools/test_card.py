"""A reference card holds all that a ruleset prints, and all that it assumes; whatever its labels say is only text."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from enfilade.api.charts import table_of
from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.code_patterns import pattern_for
from enfilade.core.modifiers import modifiers_in
from enfilade.source.finder import Folders
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.tools.card import card_as_html, card_as_markdown, card_of
from enfilade.tools.card.data import Block, Card, Cell, Footnote, Line, Section, Table
from enfilade.tools.card.words import EDGES, name_words, printed_words
from enfilade.values.types import CodeOf

HERE: Final = Path(__file__).parent
FORD: Final = HERE.parent / "golden/card/ford.rules"
FILES: Final = [
    *sorted(shipped_dir("rulesets").rglob("*.rules")),
    *sorted((HERE.parent / "generality").glob("*.rules")),
    FORD,
]

FEW: Final = ("ford", "infantry_attacks", "fire_combat", "twilight_struggle", "emperor_musketry", "x_wing")
each_file = pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=() if path.stem in FEW else pytest.mark.thorough) for path in FILES],
)
"""Each ruleset; the default run has a few of them, which have all kinds of parts."""


@cache
def program(path: Path) -> ir.Program:
    checked = check_source(SourceFile.from_path(path), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    return checked.program


@cache
def card(path: Path) -> Card:
    return card_of(program(path))


def of_text(text: str, name: str | None = None) -> Card:
    checked = check_source(SourceFile.from_text(text, "game.rules"), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    return card_of(checked.program, name)


def tables(shown_on: Card) -> dict[str, Table]:
    return {table.name: table for section in shown_on.sections for table in section.tables}


def all_tables(shown_on: Card) -> list[Table]:
    """All tables, with the header rows that several share."""
    shared = [section.shared for section in shown_on.sections if section.shared is not None]
    return [*(table for section in shown_on.sections for table in section.tables), *shared]


def all_rows(table: Table) -> list[tuple[Cell, ...]]:
    """The rows of a table, below its head."""
    return [*table.headers, *(row for _, page in table.pages for row in page)]


def blocks(shown_on: Card, kind: str = "") -> list[Block]:
    found = [*(block for section in shown_on.sections for block in section.blocks), *shown_on.blocks]
    return [block for block in found if kind in ("", block.kind)]


def lines(shown_on: Card) -> list[Line]:
    """All lines of a card below its title."""
    titles = [section.title for section in shown_on.sections if section.title is not None]
    of_tables = [line for table in all_tables(shown_on) for line in (table.title, *table.notes)]
    return [*titles, *of_tables, *(line for block in blocks(shown_on) for line in (block.title, *block.lines))]


def section_of(shown_on: Card, chart: str) -> Section:
    return next(each for each in shown_on.sections if chart in {table.name for table in each.tables})


# ------------------------------------------------------------------------------------------ everything is there


@pytest.mark.thorough
@each_file
def test_every_chart_is_on_the_card_with_every_cell(path: Path) -> None:
    laid = tables(card(path))
    for chart in program(path).charts.values():
        if chart.cell_kind == "charts":
            continue
        printed = table_of(chart)
        assert [cell.values for cell in laid[chart.name].head[: len(printed.columns) + 1]] == [
            printed_words(label) for label in (printed.corner, *printed.columns)
        ]
        for (_, rows), page in zip(laid[chart.name].pages, printed.pages, strict=True):
            for label, row, cells in zip(printed.rows, rows, page.cells, strict=True):
                wanted = [printed_words(label), *(printed_words(*(c if isinstance(c, tuple) else (c,))) for c in cells)]
                assert [cell.values for cell in row[: len(wanted)]] == wanted


@each_file
def test_every_row_of_a_table_is_as_wide_as_its_head(path: Path) -> None:
    assert [t.name for t in all_tables(card(path)) for row in all_rows(t) if len(row) != len(t.head)] == []


@each_file
def test_every_chart_of_charts_says_which_is_read_when(path: Path) -> None:
    laid = tables(card(path))
    for chart in program(path).charts.values():
        if chart.cell_kind != "charts":
            continue
        assert chart.name not in laid
        for label, row in zip(chart.down.labels, chart.printed[0], strict=True):
            for target in row:
                told = (laid[target].title.text, *laid[target].when)
                assert any(name_words(f"{chart.corner} {label}").casefold() in text.casefold() for text in told)


@each_file
def test_every_modifier_is_on_the_card_once(path: Path) -> None:
    found = blocks(card(path), "modifiers")
    assert sorted(block.name for block in found) == sorted(program(path).modifiers)
    for block in found:
        modifiers = modifiers_in(program(path).modifiers[block.name].items)
        count = len(modifiers) + sum(len(modifier.buts) for modifier in modifiers)
        assert sum(bool(line.lead) for line in block.lines) == count
        told = {line.text.casefold() for line in block.lines}
        for modifier in modifiers:
            assert (modifier.note.label or name_words(modifier.name)).casefold() in told


@each_file
def test_every_code_that_has_results_is_on_the_card(path: Path) -> None:
    codes = {line.lead for block in blocks(card(path), "results") for line in block.lines}
    for chart, results in program(path).results.items():
        assert {name_words(entry.pattern.text) for entry in results.entries} <= codes
        type_ = program(path).charts[chart].code_type
        for code in type_.codes if isinstance(type_, CodeOf) else ():
            found = pattern_for(results, code)
            assert found is not None
            assert name_words(found[0].text) in codes


@each_file
def test_every_edge_is_on_the_card(path: Path) -> None:
    for chart in program(path).charts.values():
        where = blocks(card(path), "reading")
        if chart.cell_kind != "charts":
            where = [*section_of(card(path), chart.name).blocks]
        told = {line.lead for block in where for line in block.lines}
        assert {EDGES[edge.name][0] for edge in chart.edges.values()} <= told


@each_file
def test_every_assumption_is_a_footnote_and_stands_beside_a_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    written = set(re.findall(r'^(?!--).*\bassumed\s+"([^"]*)"', text, re.MULTILINE))
    notes = card(path).footnotes
    assert written - {note.text for note in notes} == set()
    assert [note.number for note in notes] == list(range(1, len(notes) + 1))
    cells: list[Any] = [cell for t in all_tables(card(path)) for row in (t.head, *all_rows(t)) for cell in row]
    marked = {mark for line in (card(path).title, *lines(card(path)), *cells) for mark in line.marks}
    assert marked == {note.number for note in notes if note.is_marked}


@each_file
def test_every_citation_of_charts_modifiers_and_results_is_on_the_card(path: Path) -> None:
    told = {cite for line in lines(card(path)) for cite in line.cites}
    whole = program(path)
    noted = [
        *(each.note for kind in (whole.charts, whole.modifiers, whole.results) for each in kind.values()),
        *(each.note for block in whole.modifiers.values() for each in modifiers_in(block.items)),
        *(entry.note for results in whole.results.values() for entry in results.entries),
    ]
    assert {cite for note in noted for cite in note.cites} <= told


# --------------------------------------------------------------------------------------------------- a family


def test_charts_of_one_form_stand_under_the_header_rows_that_they_share() -> None:
    first, _ = card(FORD).sections
    assert first.title is not None
    assert first.shared is not None
    assert (first.title.text, first.shared.name) == ("Artillery Table", "gun_strength")
    assert [cell.kind for cell in first.shared.head[-2:]] == ["surplus", "beside"]
    assert [(table.name, table.headers) for table in first.tables] == [("in_open", ()), ("in_cover", ())]


def test_a_restored_cell_and_an_erratum_are_marked_and_noted() -> None:
    laid = tables(card(FORD))
    kinds = [[cell.kind for cell in laid[name].pages[0][1][0]] for name in ("in_open", "in_cover")]
    assert kinds == [["", "restored", "", ""], ["", "", "", "erratum", "surplus"]]
    note = laid["in_cover"].notes[0]
    assert (note.text, note.more) == ("row 1..5, column 3 reads 0 0 when option fog", "second printing")


def test_an_edge_says_what_happens_off_it_in_words() -> None:
    told = {line.lead: line.text for block in blocks(card(FORD), "reading") for line in block.lines}
    assert told["Shifted off the left"] == "the result is 0; when option fog, use the first column"
    assert told["Above the last column"] == "not allowed (no column goes as high)"


GUARDED: Final = """\
use morale
record side
  morale  morale_state = steady
facts
  attack   1..
  defence  1..
  target   side
chart crt
  down    d6
  across  attack / defence, column at or below
  column below  refuse poor_odds "worse than 1:1"
  |  d6 | 1:1 | 2:1 |
  | 1-6 |  AR |  DR |
procedure fight
  1. refuse poor_odds "worse than 1:1" when attack < defence
  2. roll d6 as die
  3. read crt with die as shot
  4. target.morale becomes morale_after(target.morale, 1, 1)
  5. give result = shot.code
"""


def test_the_card_says_of_the_library_only_what_the_ruleset_comes_to_and_the_reason_of_an_edge_once() -> None:
    page = card_as_markdown(of_text(GUARDED))
    # `morale_after` is called, and itself calls for one state worse.
    told = ("state after a check", "one state worse", "one state better", "Not allowed: Rally")
    assert [words in page for words in told] == [True, True, False, False]
    (line,) = [line for line in page.splitlines() if "Below the first column" in line]
    assert line.count("worse than 1:1") == 1


def test_a_card_of_one_chart_holds_what_belongs_to_it() -> None:
    lone = card_of(program(FORD), "in_cover")
    assert list(tables(lone)) == ["in_cover"]
    assert {kind: [block.name for block in blocks(lone, kind)] for kind in ("modifiers", "results", "options")} == {
        "modifiers": ["shifts", "drm"], "results": ["in_open"], "options": [],
    }  # fmt: skip
    laid = {name: list(tables(card_of(program(FORD), name))) for name in ("gun_strength", "shelling", "delay")}
    both = ["in_open", "in_cover"]
    assert laid == {"gun_strength": both, "shelling": both, "delay": ["delay"]}


def test_header_rows_that_no_chart_uses_are_a_table() -> None:
    text = 'facts\n  guns 1..9\ncolumns strength of guns\n  header "All" | 1..4 | 5..9 |\n'
    assert list(tables(of_text(text))) == ["strength"]
    assert list(tables(of_text(text, "strength"))) == ["strength"]


def test_a_ruleset_without_charts_has_a_card_that_says_so() -> None:
    assert "This ruleset has no charts" in card_as_html(of_text('ruleset bare "Bare"\n'))


@pytest.mark.parametrize(
    ("columns", "stands"),
    [(2, "grown3"), (8, "grown2"), (24, "wide scrolls"), (40, "wide large scrolls"), (60, "wide huge scrolls")],
)
def test_a_chart_that_is_too_wide_for_a_column_stands_across_the_page_in_letters_that_fit(
    columns: int, stands: str
) -> None:
    cells = [" | ".join(["n", *map(str, range(1, columns + 1))]), " | ".join(["1-6", *["A1"] * columns])]
    rows = "".join(f"  | {row} |\n" for row in cells)
    text = f"facts\n  a 1..\nchart c\n  down d6\n  across a, column at or below\n{rows}"
    page = card_as_html(of_text(text))
    assert f'<figure class="{stands}"' in page


# --------------------------------------------------------------------------------------------------- only text

EVIL: Final = """</style><script>alert(1)</script><img src=x onerror='y'>&amp;|[a](javascript:b)`*_"""

TAGS: Final = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "p", "section", "div", "figure",
    "figcaption", "table", "thead", "tbody", "tr", "th", "td", "i", "ul", "li", "span", "sup", "footer",
}  # fmt: skip
ATTRIBUTES: Final = {"lang", "charset", "http-equiv", "content", "name", "class", "colspan", "tabindex"}
EMPTY: Final = {"meta"}


class Page(HTMLParser):
    """Reads a page: which tags and attributes it has, whether they match, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def well_formed(html: str, tags: set[str] = TAGS) -> Page:
    """Read a page that has only the tags and attributes of a card, each tag closed where it was opened."""
    page = Page(html)
    assert (page.tags - tags, page.attributes - ATTRIBUTES, page.open) == (set(), set(), [])
    return page


def evil(text: str) -> str:
    """A ruleset whose labels are meant to break out of the page."""
    return re.sub(r'(reads )?"[^"\n]*"', lambda found: found.group() if found.group(1) else f'"{EVIL}"', text)


def evil_card() -> Card:
    """A card each text of which is meant to break out of the page."""
    line = Line(EVIL, EVIL, EVIL, (EVIL,), (1,))
    cell = Cell((EVIL, EVIL), "", (EVIL,), (1,))
    table = Table(EVIL, line, (EVIL, EVIL), ((cell,),), (cell,), ((EVIL, ((cell,),)),), (line,))
    block = Block("results", EVIL, line, (line,))
    section = Section(line, table, (table,), (block,))
    return Card(EVIL, line, (line,), (section,), (block,), (line,), (Footnote(1, EVIL),))


@each_file
def test_a_page_has_only_the_tags_of_a_card_each_closed_where_it_was_opened(path: Path) -> None:
    well_formed(card_as_html(card(path)))


def test_a_page_reaches_for_nothing_outside() -> None:
    text = card_as_html(card(FORD))
    assert "default-src 'none'" in text
    assert not re.search(r"https?:|url\(|@import|<script|<link|<img", text)


def test_labels_and_all_other_texts_are_only_text_on_a_page() -> None:
    assert well_formed(card_as_html(of_text(evil(FORD.read_text(encoding="utf-8"))))).text.count(EVIL) > 20
    page = well_formed(card_as_html(evil_card()))
    assert page.text.count("<script>") == page.text.count(EVIL) > 40


def test_labels_and_all_other_texts_are_only_text_in_markdown() -> None:
    text = card_as_markdown(of_text(evil(FORD.read_text(encoding="utf-8"))))
    assert not re.search(r"(?<!\\)(?:<|\[a|`)", text)
    text = re.sub(r"\[\^A1\]:?", "", card_as_markdown(evil_card()))
    assert not re.search(r"(?<!\\)[<`\[\]]", text)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {2}


@pytest.mark.parametrize("code", ["<b>", "&lt;", "'\"", "A|B"[:1], "</td>", "-->", "<!--"])
def test_codes_and_row_labels_are_only_text(code: str) -> None:
    text = f'chart lone "Lone"\n  down d6\n  | <i> | <u>Result |\n  | 1-6 | {code} |\n'
    laid = of_text(text)
    assert code in well_formed(card_as_html(laid), TAGS - {"i"}).text
    assert not re.search(r"(?<!\\)<", card_as_markdown(laid))
