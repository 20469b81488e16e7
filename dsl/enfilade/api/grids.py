"""Grids: the odds of one question over all combinations of the values of some facts (parameter sweep)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from itertools import product
from typing import Any, Final

from attrs import evolve, field, frozen

from enfilade.api.column_plot import plotted
from enfilade.api.distribution import Distribution
from enfilade.api.error_data import error_to_json
from enfilade.api.grid_tables import GridTable
from enfilade.api.outcome_values import as_outcome, value_text
from enfilade.api.parameter_sweep import Cell, Parts, cells_of
from enfilade.api.plain_columns import plain_column
from enfilade.api.shared_settings import Situations
from enfilade.api.table_layout import VEGA_LITE, mime_bundle
from enfilade.api.values_to_try import values_of
from enfilade.api.variables import find_variable, variables_of
from enfilade.door import with_doors
from enfilade.errors import InputError, InputFault, OddsError
from enfilade.frozen import frozen_json
from enfilade.values.json_data import to_json

MOST_CELLS: Final = 100_000


@with_doors
@frozen(eq=False, repr=False)
class Grid:
    """The odds of a question for all combinations of the values of some variables: facts, fields, options and others.

    Examples:
        >>> import enfilade
        >>> grid = enfilade.load("infantry_attacks").grid("direct_fire", by={"fire_value": [11, 22]}, of="X or worse")
        >>> grid[22][True]
        Fraction(1, 4)

    Attributes:
        of: The question.
        by: The variables with their values.
        cells: A cell for every combination; the last fact varies fastest.
    """

    of: str
    by: Mapping[str, tuple[Any, ...]] = field(converter=frozen_json)
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
            RuleError: In this cell the rules reach a case that they do not cover.
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
                yield (*at, cell.why_not, "", "", "")
                continue
            for row in cell.odds.rows():
                yield (*at, *row)

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the grid as columns of plain data, for a data frame: ``polars.DataFrame(grid.to_columns())``.

        Returns:
            A column for each variable by its name, then ``outcome``; ``chance``, rounded to a float; ``exactly``, the chance
            as text; ``refusal``, the name of a refusal; and ``error``, what is wrong where the rules fail. There is a row
            for each outcome of each cell, and one for each cell without odds, which has only its refusal or its error.
        """
        rows = [(cell.facts, *row) for cell in self.cells for row in _outcome_rows(cell)]
        at = {name: plain_column(facts[name] for facts, *_ in rows) for name in self.by}
        outcomes, chances, exactly, refusals, errors = ([row[part] for row in rows] for part in range(1, 6))
        shown = {"outcome": plain_column(outcomes), "chance": chances, "exactly": exactly}
        return at | shown | {"refusal": refusals, "error": errors}

    def in_lowest_terms(self) -> Grid:
        """Return an equal grid that shows its chances in lowest terms."""
        lowest = (cell if cell.odds is None else evolve(cell, odds=cell.odds.in_lowest_terms()) for cell in self)
        return Grid(self.of, self.by, tuple(lowest))

    # -- to show --------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Show the grid as a text table: chances in percent, or means of numbers; equal neighbours are one band."""
        return self._table.text(None, plain=True)

    def text(self, width: int, *, plain: bool = False) -> str:
        """Draw the grid as text: a map of two variables with shades, a condition over one with bars if there is room.

        Args:
            width: The width in columns.
            plain: Whether to use only ASCII characters for bars and shades.
        """
        return self._table.text(width, plain=plain)

    def plot(self, width: int, height: int = 10, *, plain: bool = False) -> str:
        """Plot the chance of a condition, or the mean of a number, over the values of the varied fact.

        Args:
            width: The width in columns of text.
            height: The height in lines.
            plain: Whether to use only ASCII characters.

        Raises:
            OddsError: The grid varies several facts, the question is neither a condition nor a number, or a chance or a
                mean is not exact.
        """
        table = self._table
        if len(self.by) != 1 or not table.has_heights:
            raise OddsError("a plot can vary only one fact, and the question must be a number or a condition")
        heights = [table.drawn_height(cell) for cell in self]
        values = [value_text(as_outcome(value)) for cell in self for value in cell.facts.values()]
        drawn = plotted(values, heights, width=width, height=height, percents=table.is_condition, plain=plain)
        (fact,) = self.by
        return f"{self.of} by {fact} ({'percent' if table.is_condition else 'mean'})\n{drawn}"

    def vega_lite(self) -> dict[str, Any]:
        """Describe the grid in Vega-Lite: bars over one variable, or a heat map of two.

        Raises:
            OddsError: The grid varies more than two variables, or two of them for a question that is neither a condition
                nor a number; or the chance of the condition, or the mean of the number, is not exact.
        """
        if len(self.by) > 1 and not self._table.is_map:
            raise OddsError("a plot can vary one fact, or two facts if the question is a number or a condition")
        return self._table.vega_lite()

    def html(self) -> str:
        """Draw the grid as an HTML table; a map of two variables is a heat map, for light and dark pages."""
        return self._table.html()

    def __repr__(self) -> str:
        """Show the question, the facts and the number of cells."""
        return f"<Grid of {self.of} by {', '.join(self.by)}: {len(self.cells)} cells>"

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_mimebundle_(self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None) -> Any:
        shown: dict[str, Any] = {"text/plain": str(self), "text/html": self.html()}
        with suppress(OddsError):  # such a grid has no plot
            shown[VEGA_LITE] = self.vega_lite()
        return mime_bundle(shown, include, exclude)

    @property
    def _table(self) -> GridTable:
        return GridTable(self.of, self.by, self.cells)


def _outcome_rows(cell: Cell) -> Iterator[tuple[Any, float | None, str | None, str | None, str | None]]:
    """The outcome, the chance, the exact chance, the refusal and the error: a row for each outcome, or one without odds."""
    if cell.odds is None:
        refusal = None if cell.refused is None else cell.refused.refusal
        yield None, None, None, refusal, None if cell.failed is None else str(cell.failed)
        return
    for value in cell.odds:
        yield value, float(cell.odds.bounds(value)[0]), cell.odds.shown(value), None, None


def _cell_json(cell: Cell) -> dict[str, Any]:
    at = {"facts": to_json(cell.facts)}
    if cell.odds is not None:
        return at | {"odds": cell.odds.to_json()}
    if cell.failed is not None:
        return at | {"error": error_to_json(cell.failed)}
    assert cell.refused is not None
    refused = cell.refused
    return at | {"refusal": refused.refusal, "message": refused.reason, "cites": list(refused.cites)}


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
        raise InputError([InputFault("by", by, "a mapping from fact to values", "`by` must name at least one fact")])
    program, variables = situations.rules.program, variables_of(situations)
    values = {name: values_of(program, find_variable(variables, name), wanted).values for name, wanted in by.items()}
    size = 1
    for each in values.values():
        size *= len(each)
    if size > MOST_CELLS:
        text = f"the grid has {size} cells; at most {MOST_CELLS} are allowed"
        raise InputError([InputFault("by", size, f"at most {MOST_CELLS} cells", text)])
    all_facts = [dict(zip(values, combined, strict=True)) for combined in product(*values.values())]
    return Grid(of, values, cells_of(situations, of, all_facts, executor, parts))
