"""Layout of tables as text and as HTML, for charts, grids and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

VEGA_LITE: Final = "application/vnd.vegalite.v5+json"
"""The MIME type of a Vega-Lite specification."""


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Lay out a table as text.

    Args:
        head: The headings of the columns.
        rows: The cells, row by row.
        left: The number of left-aligned columns, from the left; the others are right-aligned.

    Examples:
        >>> print(text_table(["at", "chance"], [["1", "1/2"], ["10", "1"]]))
        at  chance
        1      1/2
        10       1
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
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
    foot = "".join(f'<tr><td colspan="{len(head)}">{escape(note)}</td></tr>' for note in notes)
    return (
        f'<table class="enfilade-odds"><caption>{escape(caption)}</caption>'
        f"<thead>{heads}</thead><tbody>{body}{foot}</tbody></table>"
    )


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
