"""Tables of grids: a row for each band of values, or a map of two variables, as text, HTML and Vega-Lite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any, Final

from attrs import evolve, frozen

from enfilade.api.bands import agree, band_text, banded, runs
from enfilade.api.bar_charts import LEAST_BAR, MOST_BAR, bar
from enfilade.api.distribution import Distribution, cut_off_in
from enfilade.api.exact_numbers import CUT, LEFT_OUT, chance_text, decimal, percent, shortened, written
from enfilade.api.outcome_values import ANY_ORDER, Order, as_outcome, value_text
from enfilade.api.parameter_sweep import Cell
from enfilade.api.table_layout import html_notes, html_table, text_table
from enfilade.errors import RuleError

_MOST_COLUMNS: Final = 12
_SHADES: Final = " ░▒▓█"
_PLAIN_SHADES: Final = " .:+#"
_NOT_EXACT: Final = "not exact"


@frozen
class GridTable:
    """The cells of a grid, and what a table shows of them.

    Attributes:
        of: The question.
        by: The variables with their values.
        cells: A cell for every combination; the last variable varies fastest.
    """

    of: str
    by: Mapping[str, tuple[Any, ...]]
    cells: tuple[Cell, ...]

    # -- what is shown --------------------------------------------------------------------------------------

    @cached_property
    def outcomes(self) -> list[Any]:
        """All outcomes, in order."""
        known = [cell.odds for cell in self.cells if cell.odds is not None]
        key = self._order.key()
        return sorted({value for odds in known for value in odds}, key=key)

    @cached_property
    def _order(self) -> Order:
        """The order of the outcomes."""
        return next((cell.odds.order for cell in self.cells if cell.odds is not None), ANY_ORDER)

    @cached_property
    def is_condition(self) -> bool:
        """Whether the question is a condition."""
        return all(isinstance(value, bool) for value in self.outcomes)

    @cached_property
    def is_number(self) -> bool:
        """Whether the question is a number."""
        return not self.is_condition and are_numbers(self.outcomes)

    @cached_property
    def is_map(self) -> bool:
        """Whether the grid is a map: a condition or a number over two variables."""
        return len(self.by) == 2 and self.has_heights

    @property
    def has_heights(self) -> bool:
        """Whether each cell has one number to draw: the chance of a condition, or the mean of a number."""
        return self.is_condition or self.is_number

    @property
    def what(self) -> str:
        """What the numbers are."""
        if self.is_number and self.is_map:
            return "mean"
        return "mean, least and most" if self.is_number and len(self.outcomes) > _MOST_COLUMNS else "percent"

    def height(self, cell: Cell) -> Fraction | None:
        """The chance of a condition, or the mean of a number; ``None`` if there is none, or if it is not exact."""
        return None if cell.odds is None else cell.odds.known_mean

    def drawn_height(self, cell: Cell) -> Fraction | None:
        """The height of a cell in a plot; ``None`` if there are no odds.

        Raises:
            OddsError: The chance or the mean is not exact.
        """
        if cell.odds is None:
            return None
        return cell.odds[True] if self.is_condition else cell.odds.mean

    def height_text(self, cell: Cell) -> str:
        """The chance or the mean as text, or why there is none; a map has the sentence of an error below it."""
        height = self.height(cell)
        if height is None:
            return "error" if self.is_map and cell.failed is not None else cell.why_not or _NOT_EXACT
        return percent(height) if self.is_condition else decimal(height)

    def _share(self, height: Fraction | None) -> Fraction | None:
        """The place of a height between the ends of the scale, from 0 to 1."""
        if height is None or self.is_condition:
            return height
        low, high = self._ends
        return (height - low) / (high - low) if high > low else Fraction(0)

    @cached_property
    def _ends(self) -> tuple[Fraction, Fraction]:
        known = [each for cell in self.cells if (each := self.height(cell)) is not None]
        return min(known), max(known)

    # -- as text --------------------------------------------------------------------------------------------

    def text(self, width: int | None, *, plain: bool) -> str:
        """Draw the table; with a width, with bars or shades."""
        heading = f"{self.of} ({self.what})"
        if self.is_map:
            return "\n".join([heading, self._map_text(width, plain=plain), *self._not_computed])
        head, rows, cells = self._rows()
        lines = text_table(head, rows, len(self.by), None if self.is_condition else width).splitlines()
        longest = max(map(len, (heading, *lines)))
        room = 0 if width is None else min(width - longest - 3, MOST_BAR)
        if not self.is_condition or room < LEAST_BAR:
            return "\n".join([heading, *lines, *self._notes(cells)])
        chances = [self.height(cell) or Fraction(0) for cell in cells]
        pairs = zip(lines[1:], chances, strict=True)
        drawn = [f"{line.ljust(longest)}  {bar(chance, room, plain=plain)}".rstrip() for line, chance in pairs]
        return "\n".join([heading, lines[0], *drawn, *self._notes(cells)])

    @property
    def _not_computed(self) -> list[str]:
        """What a reader should know of outcomes that were not computed, as lines; no lines if there are none."""
        failed = dict.fromkeys(_told_once(cell.failed) for cell in self.cells if cell.failed is not None)
        return [*failed, *self._remainder]

    @property
    def _remainder(self) -> list[str]:
        """How much of the odds was not computed, as lines; no lines if it is nothing."""
        open_cells = [cell.odds for cell in self.cells if cell.odds is not None and cell.odds.remainder]
        if not open_cells:
            return []
        most = chance_text(max(odds.remainder for odds in open_cells))
        bound = "" if most.startswith("<") else "at most "
        return [f"not computed: {bound}{most}", *map(str, cut_off_in(open_cells))]

    def _notes(self, cells: list[Cell]) -> list[str]:
        """What a reader should know of outcomes that were not computed and of long fractions, as lines."""
        return [*self._not_computed, *self._long_fractions(cells)]

    def _long_fractions(self, cells: list[Cell]) -> list[str]:
        known = [cell.odds for cell in cells if cell.odds is not None and cell.odds.exact] if self.is_condition else []
        is_long = any(len(odds.shown(True)) > _MOST_COLUMNS for odds in known)
        return [] if not is_long else [CUT if known[0].is_in_lowest_terms else LEFT_OUT]

    def _map_text(self, width: int | None, *, plain: bool) -> str:
        shades = (_PLAIN_SHADES if plain else _SHADES) if width is not None else ""
        text = _Map.of(self).text(shades)
        if width is None or max(map(len, text.splitlines())) <= width:
            return text
        # A map that is too wide may fit with its variables exchanged.
        turned = _Map.of(self._turned()).text(shades)
        return min(text, turned, key=lambda each: max(map(len, each.splitlines())))

    def _turned(self) -> GridTable:
        (down, rows), (across, columns) = self.by.items()
        cells = tuple(self.cells[row * len(columns) + at] for at in range(len(columns)) for row in range(len(rows)))
        return evolve(self, by={across: columns, down: rows}, cells=cells)

    def _rows(self) -> tuple[list[str], list[list[str]], list[Cell]]:
        """Return the headings, the rows, and the first cell of each row."""
        found = banded(tuple(self.by.values()), self.cells)
        cells = [cell for _, cell in found]
        head, shown = self._columns(cells)
        rows = [[*labels, *texts] for (labels, _), texts in zip(found, shown, strict=True)]
        return [*self.by, *head], rows, cells

    def _columns(self, cells: list[Cell]) -> tuple[list[str], list[list[str]]]:
        outcomes = self.outcomes
        if self.is_condition:
            return ["chance", ""], [[self.height_text(cell), _weights(cell)] for cell in cells]
        if self.is_number and len(outcomes) > _MOST_COLUMNS:
            return ["mean", "least", "most", ""], [[*_summed(cell), cell.why_not] for cell in cells]
        shown = outcomes[:_MOST_COLUMNS]
        more = ["others"] if len(shown) < len(outcomes) else []
        rows = [[*_percents(cell, shown, rest=bool(more)), cell.why_not] for cell in cells]
        return [*map(self._order.text, shown), *more, ""], rows

    # -- for notebooks --------------------------------------------------------------------------------------

    def html(self) -> str:
        """Draw the table as HTML. Shades are transparent, so they suit light and dark backgrounds."""
        caption = f"{self.of} ({self.what})"
        if self.is_map:
            return _Map.of(self).html(caption)
        head, rows, _ = self._rows()
        return html_table(caption, head, rows, notes=self._not_computed)

    def vega_lite(self) -> dict[str, Any]:
        """Describe the grid in Vega-Lite: bars over one variable, or a heat map of two.

        Raises:
            OddsError: The chance of the condition, or the mean of the number, is not exact.
        """
        title = "mean" if self.is_number else "chance"
        names = [{"field": f"v{at}", "type": "ordinal", "sort": None, "title": name} for at, name in enumerate(self.by)]
        height: dict[str, Any] = {"field": "height", "type": "quantitative", "title": title}
        tooltip = [*({"field": each["field"], "title": each["title"]} for each in names), {"field": "exactly"}]
        if self.is_map:
            scale = {"scheme": "blues", **({"domain": [0, 1]} if self.is_condition else {})}
            encoding = {"y": names[0], "x": names[1], "color": {**height, "scale": scale}}
            mark = "rect"
        else:
            outcome = {} if self.has_heights else {"color": {"field": "outcome", "sort": None}}
            encoding = {"x": names[0], "y": height, **outcome}
            mark = "bar"
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "title": f"{self.of} ({title if self.is_number else self.what})",
            # A transparent background suits light and dark pages.
            "background": None,
            "data": {"values": [*self._points()]},
            "mark": mark,
            "encoding": {**encoding, "tooltip": tooltip},
        }

    def _points(self) -> Iterator[dict[str, Any]]:
        for cell in self.cells:
            at = {f"v{n}": _plain(value) for n, value in enumerate(cell.facts.values())}
            height = self.drawn_height(cell) if self.has_heights else None
            if height is not None:
                yield {**at, "height": float(height), "exactly": written(height)}
            elif cell.odds is not None:
                for value in cell.odds:
                    chance, _ = cell.odds.bounds(value)
                    yield {
                        **at,
                        "outcome": self._order.text(value),
                        "height": float(chance),
                        "exactly": written(chance),
                    }


@frozen
class _Map:
    """A map of two variables: the bands of both, and the first cell of each pair of bands."""

    table: GridTable
    head: str
    down: list[str]
    across: list[str]
    cells: list[list[Cell]]

    @classmethod
    def of(cls, table: GridTable) -> _Map:
        (down, rows), (across, columns) = table.by.items()
        width = len(columns)
        grid = [table.cells[at * width : (at + 1) * width] for at in range(len(rows))]
        below = [*runs(grid, _all_agree)]
        beside = [*runs([*zip(*grid, strict=True)], _all_agree)]
        return cls(
            table,
            f"{down} \\ {across}",
            [band_text([rows[at] for at in run]) for run in below],
            [band_text([columns[at] for at in run]) for run in beside],
            [[grid[row[0]][column[0]] for column in beside] for row in below],
        )

    def text(self, shades: str) -> str:
        rows = [[label, *(self._shown(cell, shades) for cell in cells)] for label, cells in self._lines()]
        return text_table([self.head, *self.across], rows)

    def _shown(self, cell: Cell, shades: str) -> str:
        text, share = self.table.height_text(cell), self.table._share(self.table.height(cell))
        if not shades or share is None:
            return text
        return f"{shades[min(int(share * len(shades)), len(shades) - 1)] * 2} {text}"

    def html(self, caption: str) -> str:
        above = "".join(f"<th>{escape(each)}</th>" for each in (self.head, *self.across))
        rows = "".join(
            f"<tr><th>{escape(label)}</th>{''.join(map(self._td, cells))}</tr>" for label, cells in self._lines()
        )
        return (
            f'<table class="enfilade-odds"><caption>{escape(caption)}</caption>'
            f"<thead><tr>{above}</tr></thead>"
            f"<tbody>{rows}{html_notes(self.table._not_computed, len(self.across) + 1)}</tbody></table>"
        )

    def _td(self, cell: Cell) -> str:
        share = self.table._share(self.table.height(cell))
        style = f' style="background:rgba(76,120,168,{decimal(share * Fraction(3, 4), 2)})"' if share else ""
        return f"<td{style}>{escape(self.table.height_text(cell))}</td>"

    def _lines(self) -> Iterator[tuple[str, list[Cell]]]:
        return zip(self.down, self.cells, strict=True)


def _all_agree(a: Sequence[Cell], b: Sequence[Cell]) -> bool:
    return all(agree(one, other) for one, other in zip(a, b, strict=True))


def are_numbers(outcomes: list[Any]) -> bool:
    """Whether all outcomes are numbers."""
    return all(isinstance(value, (int, Fraction)) and not isinstance(value, bool) for value in outcomes)


def _told_once(failed: RuleError) -> str:
    """An error with its place, without the values there, which differ from cell to cell."""
    place = None if failed.place is None else evolve(failed.place, values={})
    return f"error: {RuleError(failed.message, place=place)}"


def _plain(value: Any) -> Any:
    return value if type(value) is int else value_text(as_outcome(value))


def _weights(cell: Cell) -> str:
    """The exact chance of a condition, if it is known and short."""
    if cell.odds is None or cell.odds.remainder:
        return ""
    shown = cell.odds.shown(True)
    if cell.odds.is_in_lowest_terms:
        return shortened(shown, _MOST_COLUMNS)
    return shown if len(shown) <= _MOST_COLUMNS else ""


def _percents(cell: Cell, shown: list[Any], *, rest: bool) -> list[str]:
    if cell.odds is None:
        return [""] * (len(shown) + rest)
    odds = cell.odds
    known = [percent(odds.bounds(value)[0], 1).removesuffix(" %") if value in odds else "." for value in shown]
    others = 1 - sum(odds.bounds(value)[0] for value in shown) - odds.remainder
    return [*known, percent(Fraction(others), 1).removesuffix(" %")] if rest else known


def _summed(cell: Cell) -> list[str]:
    """The mean, the least and the most as text."""
    if cell.odds is None:
        return ["", "", ""]
    mean = cell.odds.known_mean
    return [_NOT_EXACT if mean is None else decimal(mean), *map(_end_text, _ends_of(cell.odds))]


def _ends_of(odds: Distribution) -> tuple[Any, Any]:
    """The lowest and the highest of the numbers; ``None`` for one that is not known."""
    values = list(odds)
    if not odds.remainder:
        return values[0], values[-1]
    is_least = values and odds.open_from is not None and values[0] <= odds.open_from
    return values[0] if is_least else None, None


def _end_text(value: Any) -> str:
    return "not computed" if value is None else value_text(value)
