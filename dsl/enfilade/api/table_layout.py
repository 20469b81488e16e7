"""Layout of tables as text and as HTML, for grids and comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


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


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a table as HTML, for notebooks."""
    above = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<table class="enfilade-odds"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{above}</tr></thead><tbody>{body}</tbody></table>"
    )
