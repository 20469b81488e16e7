"""Grids: the odds of one question over all combinations of the values of some facts (parameter sweep)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from fractions import Fraction
from itertools import product
from typing import Any, Final

from attrs import field, frozen

from enfilade.api.bar_charts import LEAST_BAR, MOST_BAR, bar
from enfilade.api.column_plot import plotted
from enfilade.api.distribution import Distribution
from enfilade.api.exact_numbers import decimal, percent
from enfilade.api.outcome_values import ANY_ORDER, as_outcome, value_text
from enfilade.api.parameter_sweep import Cell, Parts, Situations, cells_of, values_of
from enfilade.api.table_layout import html_table, text_table
from enfilade.core.json_values import to_json
from enfilade.errors import InputError, InputFault, OddsError

MOST_CELLS: Final = 100_000
_MOST_COLUMNS: Final = 12


@frozen(eq=False, repr=False)
class Grid:
    """The odds of a question for all combinations of the values of some facts.

    Examples:
        >>> import enfilade
        >>> grid = enfilade.load("infantry_attacks").grid("direct_fire", by={"fire_value": [11, 22]}, of="X or worse")
        >>> grid[22][True]
        Fraction(1, 4)

    Attributes:
        of: The question.
        by: The facts with their values.
        cells: A cell for every combination; the last fact varies fastest.
    """

    of: str
    by: Mapping[str, tuple[Any, ...]]
    cells: tuple[Cell, ...]
    _places: Mapping[Any, Cell] = field(init=False)

    def __attrs_post_init__(self) -> None:
        places = {tuple(as_outcome(value) for value in cell.facts.values()): cell for cell in self.cells}
        object.__setattr__(self, "_places", places)

    def __getitem__(self, values: Any) -> Distribution:
        """Return the odds at a value, or at a tuple of values for several facts.

        Raises:
            KeyError: The grid has no such cell.
            RefusedOdds: The rules refuse in this cell.
        """
        alone = len(self.by) == 1
        return self._places[tuple(as_outcome(value) for value in ((values,) if alone else values))].distribution

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the cells."""
        return iter(self.cells)

    def __len__(self) -> int:
        """The number of cells."""
        return len(self.cells)

    # -- data -----------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the grid as plain data, in the form of the published schema ``odds``."""
        by = [{"fact": name, "values": to_json(values)} for name, values in self.by.items()]
        return {"of": self.of, "by": by, "cells": [_cell_json(cell) for cell in self.cells]}

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield spreadsheet rows: the names of the columns, then one row for each outcome of each cell.

        The chance is given as a weight and a total, both whole numbers, and as a decimal.
        """
        yield (*self.by, "outcome", "weight", "total", "chance")
        for cell in self.cells:
            at = tuple(value_text(as_outcome(value)) for value in cell.facts.values())
            if cell.odds is None:
                yield (*at, f"refused {cell.refused.refusal if cell.refused else ''}", "", "", "")
                continue
            for row in cell.odds.rows():
                yield (*at, *row)

    # -- to show --------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Show the grid as a text table: chances in percent, or means of numbers."""
        head, rows, left = self._table()
        return f"{self.of} ({self._what()})\n{text_table(head, rows, left)}"

    def text(self, width: int, *, plain: bool = False) -> str:
        """Draw the grid as text; for a condition over one fact, each line has a bar if there is room.

        Args:
            width: The width in columns.
            plain: Whether to use only ASCII characters for the bars.
        """
        lines = str(self).splitlines()
        longest = max(map(len, lines))
        room = min(width - longest - 3, MOST_BAR)
        if len(self.by) == 2 or not set(self._outcomes()) <= {True, False} or room < LEAST_BAR:
            return "\n".join(lines)
        chances = [Fraction(0) if cell.odds is None else cell.odds[True] for cell in self]
        pairs = zip(lines[2:], chances, strict=True)
        drawn = [f"{line.ljust(longest)}  {bar(chance, room, plain=plain)}".rstrip() for line, chance in pairs]
        return "\n".join([*lines[:2], *drawn])

    def plot(self, width: int, height: int = 10, *, plain: bool = False) -> str:
        """Plot the chance of a condition, or the mean of a number, over the values of the varied fact.

        Args:
            width: The width in columns of text.
            height: The height in lines.
            plain: Whether to use only ASCII characters.

        Raises:
            OddsError: The grid varies several facts, or the question is neither a condition nor a number.
        """
        outcomes = self._outcomes()
        condition = all(isinstance(value, bool) for value in outcomes)
        if len(self.by) != 1 or not (condition or _are_numbers(outcomes)):
            raise OddsError("a plot needs one fact that is varied, and a condition or a number")
        heights = [None if cell.odds is None else cell.odds[True] if condition else cell.odds.mean for cell in self]
        values = [value_text(as_outcome(value)) for cell in self for value in cell.facts.values()]
        drawn = plotted(values, heights, width=width, height=height, percents=condition, plain=plain)
        (fact,) = self.by
        return f"{self.of} by {fact} ({'percent' if condition else 'mean'})\n{drawn}"

    def __repr__(self) -> str:
        """Show the question, the facts and the number of cells."""
        return f"<Grid of {self.of} by {', '.join(self.by)}: {len(self.cells)} cells>"

    def _repr_html_(self) -> str:
        head, rows, _ = self._table()
        return html_table(f"{self.of} ({self._what()})", head, rows)

    def _outcomes(self) -> list[Any]:
        known = [cell.odds for cell in self.cells if cell.odds is not None]
        key = (known[0].order if known else ANY_ORDER).key()
        return sorted({value for odds in known for value in odds}, key=key)

    def _what(self) -> str:
        outcomes = self._outcomes()
        if set(outcomes) <= {True, False}:
            return "percent"
        return "mean, least and most" if len(outcomes) > _MOST_COLUMNS and _are_numbers(outcomes) else "percent"

    def _table(self) -> tuple[list[str], list[list[str]], int]:
        outcomes = self._outcomes()
        if all(isinstance(value, bool) for value in outcomes):
            return self._conditions()
        left = len(self.by)
        if len(outcomes) > _MOST_COLUMNS and _are_numbers(outcomes):
            rows = [[*_at(cell), *_summed(cell), _refusal(cell)] for cell in self.cells]
            return [*self.by, "mean", "least", "most", ""], rows, left
        shown = outcomes[:_MOST_COLUMNS]
        more = ["others"] if len(shown) < len(outcomes) else []
        rows = [[*_at(cell), *_percents(cell, shown, rest=bool(more)), _refusal(cell)] for cell in self.cells]
        return [*self.by, *map(value_text, shown), *more, ""], rows, left

    def _conditions(self) -> tuple[list[str], list[list[str]], int]:
        """Return the table of a condition: two-dimensional for two facts, else one line for each cell."""
        if len(self.by) != 2:
            return [*self.by, "chance", ""], [[*_at(cell), *_chance(cell)] for cell in self.cells], len(self.by)
        (down, rows), (across, columns) = self.by.items()
        lines = [
            [
                value_text(as_outcome(row)),
                *(_chance(self.cells[index * len(columns) + n])[0] for n in range(len(columns))),
            ]
            for index, row in enumerate(rows)
        ]
        return [f"{down} \\ {across}", *(value_text(as_outcome(column)) for column in columns)], lines, 1


def _cell_json(cell: Cell) -> dict[str, Any]:
    at = {"facts": to_json(cell.facts)}
    if cell.odds is not None:
        return at | {"odds": cell.odds.to_json()}
    assert cell.refused is not None
    refused = cell.refused
    return at | {"refusal": refused.refusal, "message": refused.reason, "cites": list(refused.cites)}


def _at(cell: Cell) -> list[str]:
    return [value_text(as_outcome(value)) for value in cell.facts.values()]


def _are_numbers(outcomes: list[Any]) -> bool:
    return all(isinstance(value, (int, Fraction)) and not isinstance(value, bool) for value in outcomes)


def _chance(cell: Cell) -> tuple[str, str]:
    if cell.odds is None:
        return _refusal(cell), ""
    return percent(cell.odds[True]), cell.odds.shown(True) if len(cell.odds.shown(True)) <= _MOST_COLUMNS else ""


def _refusal(cell: Cell) -> str:
    return f"refused {cell.refused.refusal}" if cell.refused is not None else ""


def _percents(cell: Cell, shown: list[Any], *, rest: bool) -> list[str]:
    if cell.odds is None:
        return [""] * (len(shown) + rest)
    odds = cell.odds
    known = [percent(odds[value], 1).removesuffix(" %") if value in odds else "." for value in shown]
    others = 1 - sum(odds[value] for value in shown) - odds.remainder
    return [*known, percent(Fraction(others), 1).removesuffix(" %")] if rest else known


def _summed(cell: Cell) -> list[str]:
    if cell.odds is None:
        return ["", "", ""]
    values = list(cell.odds)
    mean = decimal(cell.odds.mean) if cell.odds.exact else "not exact"
    return [mean, value_text(values[0]), value_text(values[-1])]


def grid(
    situations: Situations, by: Any, of: str, executor: Executor | None, parts: Parts | None = None
) -> Grid:  # fmt: skip
    """Calculate a grid.

    Args:
        situations: The settings shared by all cells.
        by: A mapping from each varied fact to its values; ``None`` for all values of the fact.
        of: The question.
        executor: The executor for the work, if any.
        parts: Called after each cell with the progress, if there is no executor.

    Raises:
        InputError: A fact is unknown, or the grid has too many cells.
    """
    if not isinstance(by, Mapping) or not by:
        raise InputError([InputFault("by", by, "a mapping from fact to values", "by names at least one fact")])
    values = {fact: values_of(situations, fact, wanted).values for fact, wanted in by.items()}
    size = 1
    for each in values.values():
        size *= len(each)
    if size > MOST_CELLS:
        text = f"the grid has {size} cells; at most {MOST_CELLS} are allowed"
        raise InputError([InputFault("by", size, f"at most {MOST_CELLS} cells", text)])
    all_facts = [dict(zip(values, combined, strict=True)) for combined in product(*values.values())]
    return Grid(of, values, cells_of(situations, of, all_facts, executor, parts))
