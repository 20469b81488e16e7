"""Table recognition: finds the rows and cells of a chart in pasted or scanned text.

Cells are separated by bars, tabs, semicolons, commas or runs of blanks. This module must not interpret labels, and it
keeps the lines around the chart.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from attrs import frozen

from enfilade.door import door
from enfilade.errors import ArgumentError
from enfilade.source.confusables import LookAlike, fold, forbidden

Cells: TypeAlias = tuple[str, ...]
_Line: TypeAlias = tuple[int, Cells]
_RULE = re.compile(r"[\s|:=+-]*[-=]{2,}[\s|:=+-]*\Z")
_MAX_TITLE: Final = 60
_FARTHEST_TITLE: Final = 3
_TABLE = re.compile(r"\b(?:table|chart|results|crt|matrix)\b", re.IGNORECASE)
# A title may have as many words as the chart has columns.
_TITLE = re.compile(r"\b(?:table|chart|crt|matrix)\W*\Z", re.IGNORECASE)
# A line with modifiers, such as `DRM: +1 radar`.
_AMOUNT = re.compile(r"(?<![\w])[+−-]\d")
# The first of two lines above the row labels: `Die` above `Roll`.
_UPPER_CORNER = re.compile(r"\s*(?:(?:net|modified|adjusted|final)\s+)?(?:die|dice)\s*", re.IGNORECASE)
# A line of JSON or YAML, or of an array: `"2": {`, `'1:2': [AE, AE]`, `array(AE, AR)`, `2 => 'M',`.
_CODE = re.compile(
    r"""^\s*(?:-\s+)?(?:"[^"]*"|'[^']*'|[\w:.-]+)\s*:\s*[\[{]|\barray\(|=>|^\s*[\]})]+[,;]?\s*$|[\[{]\s*$"""
)
UNREAD: Final = "??"
"""What stands for a cell that is missing."""
# `or less` after a label, in text whose blanks separate the cells.
_OPEN_END = re.compile(r"(?<=[\d+])\s+(or|and)\s+(less|more|fewer|lower|higher|greater|up|over|below)\b", re.IGNORECASE)
_LABEL_OF_ROW = re.compile(r"\d[\d\s.,/+-]*\Z")
_MAX_LINE: Final = 20_000


class NoChart(ArgumentError):
    """A text contains no chart."""


@frozen
class Pasted:
    """A pasted chart, with look-alike letters replaced by ASCII letters.

    Attributes:
        title: The line above the chart, if there is one.
        caption: The text above the column labels, if there is any.
        corner: The first cell of the header row.
        columns: The other cells of the header row.
        rows: The label of each row, and its cells.
        others: The other lines of the text.
        folded: The look-alike letters that were replaced.
        blanks: The cells that were empty, by row and column label; they are filled with ``-``.
        short: The rows that have a cell too few, by index, and the first column without a cell; ``UNREAD`` fills them.
    """

    title: str | None
    caption: str | None
    corner: str
    columns: Cells
    rows: tuple[tuple[str, Cells], ...]
    others: Cells
    folded: tuple[LookAlike, ...]
    blanks: tuple[tuple[str, str], ...]
    short: tuple[tuple[int, int], ...] = ()


def read_pasted(text: str) -> Pasted:
    """Find the chart in a pasted text.

    Args:
        text: A text with a chart that has a header row and at least one other row.

    Returns:
        The largest chart in the text.

    Raises:
        NoChart: The text contains no chart.

    Examples:
        >>> chart = read_pasted("Fire\\n\\nRoll  1-3  4+\\n1-3   -    M\\n4-6   M    X\\n")
        >>> chart.title, chart.columns, chart.rows[0]
        ('Fire', ('1-3', '4+'), ('1-3', ('-', 'M')))
    """
    _refuse_code(text)
    lines = _without_hidden(text).splitlines()
    found = [_largest(lines, split) for split in _SPLITS]
    table = max(found, key=len, default=[])
    if len(table) < 2:
        raise NoChart(
            "no chart was found: a chart needs a header row and rows below it, with cells separated by tabs, bars, commas or blanks"
        )
    return _to_chart(lines, table)


def _refuse_code(text: str) -> None:
    """Refuse data and code, which would be read as words.

    Raises:
        NoChart: The text is JSON, YAML or the array of a programming language.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    is_code = sum(map(bool, map(_CODE.search, lines))) * 2 > len(lines)
    if text.lstrip()[:1] in ("{", "[") or is_code:
        raise NoChart("this is data or code, not a printed chart; paste the rows of the chart, or save it as CSV")


def _without_hidden(text: str) -> str:
    for _, char in forbidden(text):
        text = text.replace(char, " " if char in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029" else "")
    return text


# --------------------------------------------------------------------------------------------------- the rows


def _bars(line: str) -> list[str]:
    return re.sub(r"^\s*[|│]|[|│]\s*$", "", line).replace("│", "|").split("|") if re.search("[|│]", line) else []


def _split_at(mark: str) -> Callable[[str], list[str]]:
    def split(line: str) -> list[str]:
        if mark not in line or len(line) > _MAX_LINE:
            return []
        return next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])

    return split


def _wide_blanks(line: str) -> list[str]:
    return re.split(r"\s{2,}", line.strip())


def _blanks(line: str) -> list[str]:
    if _TITLE.search(line):
        return []
    joined = _OPEN_END.sub(lambda found: f"\0{found[1]}\0{found[2]}", line)
    return [cell.replace("\0", " ") for cell in joined.split()]


_SPLITS: Final[tuple[Callable[[str], list[str]], ...]] = (
    _bars, _split_at("\t"), _split_at(";"), _split_at(","), _wide_blanks, _blanks,
)  # fmt: skip


def _largest(lines: list[str], split: Callable[[str], list[str]]) -> list[_Line]:
    """The longest run of lines that one way of splitting cuts into equal numbers of cells."""
    runs: list[list[_Line]] = [[]]
    for number, line in enumerate(lines):
        if not line.strip() or _RULE.match(line):
            continue
        cells = tuple(cell.strip() for cell in split(line))
        if sum(map(bool, cells)) < 2:
            runs.append([])
        elif runs[-1] and not _fits(runs[-1], cells):
            header = _with_corner(runs[-1], cells)
            runs.append([(number, cells)] if header is None else [header, (number, cells)])
        else:
            runs[-1].append((number, cells))
    return max(runs, key=len)


def _goes_on(above: str, label: str) -> bool:
    """Whether the label of a row is the number, or the numbers, that follow those of the row above."""
    numbers = [[int(digits) for digits in re.findall(r"\d{1,9}", each)] for each in (above, label)]
    are_labels = all(_LABEL_OF_ROW.match(each) for each in (above, label))
    return are_labels and numbers[1][0] == numbers[0][-1] + 1


def _with_corner(run: list[_Line], cells: Cells) -> _Line | None:
    """The header above some cells, if only the words of its corner make it longer: `Die Roll 1-2 1-1`."""
    number, header = run[-1]
    more = len(header) - len(cells)
    corner = header[: more + 1]
    if len(run) > 1 or more < 1 or len(cells) < 3 or not all(word.isalpha() for word in corner):
        return None
    return number, (" ".join(corner), *header[more + 1 :])


def _fits(run: list[_Line], cells: Cells) -> bool:
    # A header row may lack the corner above the row labels, and a row a cell.
    width = max(len(cells) for _, cells in run)
    is_short = len(run) > 2 and 1 < len(cells) < width and _goes_on(run[-1][1][0], cells[0])
    return len(cells) == width or is_short or (len(run) == 1 and len(cells) == width + 1)


# -------------------------------------------------------------------------------------------------- the chart


def _to_chart(lines: list[str], table: list[_Line]) -> Pasted:
    header, *rows = [cells for _, cells in table]
    width = max(map(len, rows))
    if len(header) < width:
        header = ("Roll", *header)
    short = tuple((number, len(row) - 1) for number, row in enumerate(rows) if len(row) < width)
    rows = [(*row, *[UNREAD] * (width - len(row))) for row in rows]
    kept = [i for i in range(len(header)) if i == 0 or any(row[i] for row in (header, *rows))]
    folded: list[LookAlike] = []
    clean = [tuple(_clean(row[i], folded) for i in kept) for row in (header, *rows)]
    header, *rows = clean
    blanks = [(row[0], label) for row in rows for label, cell in zip(header[1:], row[1:], strict=True) if not cell]
    body = tuple((row[0], tuple(cell or "-" for cell in row[1:])) for row in rows)
    title, caption, others = _text_around(lines, table)
    columns = tuple(label or f"column {number}" for number, label in enumerate(header[1:], 1))
    return Pasted(title, caption, header[0] or "Roll", columns, body, others, tuple(folded), tuple(blanks), short)


def _clean(cell: str, folded: list[LookAlike]) -> str:
    text, found = fold(cell, [])
    folded += found
    return " ".join(text.replace("|", "/").replace('"', "'").split())


def _text_around(lines: list[str], table: list[_Line]) -> tuple[str | None, str | None, Cells]:
    """The title, the caption above the column labels, and all other lines."""
    used = {number for number, _ in table}
    above = [number for number in range(table[0][0]) if lines[number].strip()]
    caption = title = None
    if above and re.search(r"\S[\t|;,]+\s*$|^[\t|;,]+\s*\S", lines[above[-1]]):
        caption = lines[above[-1]].strip("\t|;, ")
        used.add(above.pop())
    if len(above) > 1 and _UPPER_CORNER.fullmatch(lines[above[-1]]):
        used.add(above.pop())
    at = _title_line(lines, above)
    if at is not None:
        title = " ".join(lines[at].strip("\t|;,#* ").replace('"', "'").split())
        used.add(at)
    rest = [line.strip() for number, line in enumerate(lines) if number not in used]
    others = tuple(line for line in rest if line and not _RULE.match(line))
    return title or None, caption or None, others


def _title_line(lines: list[str], above: list[int]) -> int | None:
    """The line just above the chart, or one above it that is called a table."""
    named = [number for number in above[-_FARTHEST_TITLE:] if _TABLE.search(lines[number])]
    plain = [number for number in above[-_FARTHEST_TITLE:] if not _AMOUNT.search(lines[number])]
    at = next(iter((*reversed(named), *plain[-1:])), None)
    return at if at is not None and len(lines[at].strip()) <= _MAX_TITLE else None


@door
def folded_text(folded: tuple[LookAlike, ...]) -> Iterator[str]:
    """List the replaced letters, one line for each.

    Examples:
        >>> list(folded_text((LookAlike(0, "\\u041c", "M"), LookAlike(5, "\\u041c", "M"))))
        ['U+041C CYRILLIC CAPITAL LETTER EM reads M, 2 times']
    """
    times = Counter((each.found, each.meant) for each in folded)
    for found, meant in sorted(times):
        letter = LookAlike(0, found, meant)
        often = f", {times[found, meant]} times" if times[found, meant] > 1 else ""
        yield f"{letter.code_point} {letter.title} reads {meant}{often}"
