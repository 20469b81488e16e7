"""Layout of tables as text and as HTML, for charts, grids and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

_GAP: Final = "  "
VEGA_LITE: Final = "application/vnd.vegalite.v5+json"
"""The MIME type of a Vega-Lite specification."""


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, width: int | None = None) -> str:
    """Lay out a table as text; a table that is too wide becomes several, below each other.

    Args:
        head: The headings of the columns.
        rows: The cells, row by row.
        left: The number of left-aligned columns, from the left; the others are right-aligned. Each of several tables
            begins with them.
        width: The most characters of a line; ``None`` for any number.

    Examples:
        >>> print(text_table(["at", "chance"], [["1", "1/2"], ["10", "1"]]))
        at  chance
        1      1/2
        10       1
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    parts = _columns_that_fit(widths, left, width)
    return "\n\n".join(_laid_out([[line[at] for at in part] for line in lines], left) for part in parts)


def _columns_that_fit(widths: Sequence[int], left: int, width: int | None) -> list[list[int]]:
    """The columns of each table: as many as fit into a width, at least one beside those on the left."""
    first = list(range(min(left, len(widths))))
    parts = [list(first)]
    used = begun = sum(widths[at] + len(_GAP) for at in first) - len(_GAP)
    for at in range(len(first), len(widths)):
        used += len(_GAP) + widths[at]
        if width is not None and used > width and len(parts[-1]) > len(first):
            parts.append(list(first))
            used = begun + len(_GAP) + widths[at]
        parts[-1].append(at)
    return parts


def _laid_out(lines: Sequence[Sequence[str]], left: int) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        _GAP.join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def html_table(
    caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], *,
    above: Sequence[Sequence[str]] = (), notes: Sequence[str] = (),
) -> str:  # fmt: skip
    """Lay out a table as HTML, for notebooks. It has no colours of its own, so it suits light and dark pages.

    Args:
        caption: The caption.
        head: The headings of the columns.
        rows: The cells, row by row.
        above: Rows of headings above those of the columns.
        notes: Lines below the table.
    """
    heads = "".join(f"<tr>{_html_cells('th', cells)}</tr>" for cells in (*above, head))
    body = "".join(f"<tr>{_html_cells('td', cells)}</tr>" for cells in rows)
    return (
        f'<table class="enfilade-odds"><caption>{escape(caption)}</caption>'
        f"<thead>{heads}</thead><tbody>{body}{html_notes(notes, len(head))}</tbody></table>"
    )


def html_notes(notes: Sequence[str], columns: int) -> str:
    """Lay out lines below an HTML table, each as wide as the table."""
    return "".join(f'<tr><td colspan="{columns}">{escape(note)}</td></tr>' for note in notes)


def _html_cells(tag: str, cells: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)


def mime_bundle(
    shown: Mapping[str, Any], include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
) -> dict[str, Any]:  # fmt: skip
    """Return the forms of an object that a notebook wants, by MIME type: the answer of ``_repr_mimebundle_``.

    Args:
        shown: All forms.
        include: The wanted types; ``None`` for all.
        exclude: The types to leave out.
    """
    wanted = set(shown if include is None else include) - set(exclude or ())
    return {kind: form for kind, form in shown.items() if kind in wanted}
