"""Prepared rolls of many situations: one row each; equal situations are worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from copy import copy
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from enfilade.api.fact_columns import read_columns
from enfilade.api.outcome_arrays import Size, array_generator, array_of, shape_of
from enfilade.api.outcome_values import ANY_ORDER
from enfilade.api.parameter_sweep import Cell, Parts, cells_of, said_of
from enfilade.api.prepared_rolls import PreparedRoll, RandomGenerator, method_of
from enfilade.api.shared_settings import Situations
from enfilade.door import with_doors
from enfilade.engines.weighted_arrays import WeightedArrays, draw_digits, load_numpy
from enfilade.errors import RefusedOdds

if TYPE_CHECKING:
    from numpy import float64, intp
    from numpy.typing import NDArray

    from enfilade.api.outcome_arrays import ArrayGenerator

Prepared: TypeAlias = PreparedRoll | RefusedOdds


@with_doors
@frozen(slots=False, eq=False, repr=False)
class PreparedRolls:
    """The odds of a question in many situations, ready to be rolled together; created by ``Ruleset.prepare_many``.

    Each row is a situation. If the rules refuse some of them, the methods that roll raise the first refusal;
    ``accepted`` leaves those rows out.

    Attributes:
        rows: The number of each row in the columns that were given, from 0.

    Examples:
        >>> import enfilade
        >>> fires = enfilade.load("infantry_attacks").prepare_many("direct_fire", {"fire_value": [11, 45, 11]})
        >>> len(fires), fires[0] is fires[2], fires[1].distribution["3X"]
        (3, True, Fraction(1, 9))
        >>> fires.outcomes
        ('-', 'M', 'M1', 'M2', 'X', '2X', '3X')
    """

    rows: tuple[int, ...]
    _distinct: tuple[Prepared, ...]
    _which: tuple[int, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def __getitem__(self, row: int) -> PreparedRoll:
        """Return one row; equal situations give the same object.

        Raises:
            IndexError: There is no such row.
            RefusedOdds: The rules refuse this situation.
        """
        found = self._distinct[self._which[index(row)]]
        if isinstance(found, RefusedOdds):
            refused = copy(found)
            refused.situation = f"row {self.rows[row]}"
            raise refused
        return found

    def __iter__(self) -> Iterator[PreparedRoll]:
        """Iterate over the rows.

        Raises:
            RefusedOdds: The rules refuse a row, when its turn comes.
        """
        return map(self.__getitem__, range(len(self)))

    @property
    def refusals(self) -> Mapping[int, RefusedOdds]:
        """The refusals by the rules, by row."""
        found = ((row, self._distinct[which]) for row, which in enumerate(self._which))
        return {row: each for row, each in found if isinstance(each, RefusedOdds)}

    def accepted(self) -> PreparedRolls:
        """Return the rows that the rules do not refuse; ``rows`` says which they are."""
        refused = self.refusals
        kept = [row for row in range(len(self)) if row not in refused]
        return PreparedRolls(
            tuple(self.rows[row] for row in kept), self._distinct, tuple(self._which[row] for row in kept)
        )

    @cached_property
    def outcomes(self) -> tuple[Any, ...]:
        """The possible outcomes of all rows, in order.

        Raises:
            RefusedOdds: The rules refuse a row.
        """
        made = self._prepared
        order = next((each.distribution.order for each in made.values()), ANY_ORDER)
        return tuple(sorted({outcome for each in made.values() for outcome in each.outcomes}, key=order.key()))

    @cached_property
    def values(self) -> NDArray[Any]:
        """The possible outcomes as an array, which has the type of ``rolls``; as in ``PreparedRoll``.

        Shape:
            One dimension, in the order of ``outcomes``.

        Raises:
            RefusedOdds: The rules refuse a row.
            OddsError: Two questions are the same.
            ImportError: NumPy is not installed.
        """
        names = next((each.distribution.names for each in self._prepared.values()), ())
        return array_of(self.outcomes, names)

    def roll(self, rng: RandomGenerator | None = None) -> list[Any]:
        """Roll each row once, independently; this needs no NumPy.

        Args:
            rng: The generator, as in ``PreparedRoll.roll``.

        Returns:
            The outcome of each row.

        Raises:
            InputError: *rng* is not a generator.
            RefusedOdds: The rules refuse a row.
        """
        method_of(rng)
        made = self._prepared
        return [made[which].roll(rng) for which in self._which]

    def rolls(self, size: Size = 1, rng: ArrayGenerator = None) -> NDArray[Any]:
        """Roll each row many times; all rolls are independent.

        With the same seed and size, rows of equal odds at the same place get the same rolls, whatever the other rows are.

        Args:
            size: The number of rolls of each row, or the shape of their array.
            rng: The generator, as in ``PreparedRoll.rolls``.

        Returns:
            The outcomes, with the type of ``values`` and the shape ``(rows, size)``; ``size=()`` gives one dimension.

        Raises:
            InputError: An argument is not allowed.
            RefusedOdds: The rules refuse a row.
            OddsError: Two questions are the same.
            ImportError: NumPy is not installed.
        """
        return self.values.take(self.positions(size, rng))

    def positions(self, size: Size = 1, rng: ArrayGenerator = None) -> NDArray[Any]:
        """Roll each row many times, as ``rolls`` does, and return positions in ``outcomes``.

        Args:
            size: The number of rolls of each row, or the shape of their array.
            rng: The generator, as in ``PreparedRoll.rolls``.

        Returns:
            An array of the shape ``(rows, size)``, of the smallest signed type of whole numbers.

        Raises:
            InputError: An argument is not allowed.
            RefusedOdds: The rules refuse a row.
            ImportError: NumPy is not installed.
        """
        np = load_numpy()
        shape, generator = (len(self), *shape_of(size)), array_generator(rng)
        digits = draw_digits(generator, shape)
        found: NDArray[Any] = np.empty(shape, np.min_scalar_type(-len(self.outcomes)))
        for rows, choice in self._groups:
            found[rows] = choice.positions(digits[rows], generator)
        return found

    def chances(self) -> NDArray[float64]:
        """Return the chance of every outcome in every row, rounded to floats.

        The exact chances of a row are in its ``distribution``.

        Returns:
            Chances from 0 to 1 (float64), with the shape ``(rows, outcomes)``.

        Raises:
            RefusedOdds: The rules refuse a row.
            ImportError: NumPy is not installed.
        """
        np = load_numpy()
        made = self._prepared
        shares = {
            which: [float(each.distribution[outcome]) for outcome in self.outcomes] for which, each in made.items()
        }
        found: NDArray[float64] = np.empty((len(self), len(self.outcomes)))
        for row, which in enumerate(self._which):
            found[row] = shares[which]
        return found

    @cached_property
    def _prepared(self) -> dict[int, PreparedRoll]:
        """The different situations of the rows, by their numbers."""
        return {which: self[row] for row, which in enumerate(self._which)}

    @cached_property
    def _groups(self) -> list[tuple[NDArray[intp], WeightedArrays]]:
        """For each different situation its rows, and the choice among the outcomes of all rows."""
        np = load_numpy()
        rows: dict[int, list[int]] = {}
        for row, which in enumerate(self._which):
            rows.setdefault(which, []).append(row)
        weights = {which: made.distribution.weights for which, made in self._prepared.items()}
        return [
            (np.array(rows[which], np.intp), WeightedArrays(each.get(outcome, 0) for outcome in self.outcomes))
            for which, each in weights.items()
        ]

    def __repr__(self) -> str:
        """Show the number of rows and of different situations."""
        return f"<PreparedRolls: {len(self)} rows, {len(set(self._which))} different situations>"

    def __reduce__(self) -> tuple[type[PreparedRolls], tuple[Any, ...]]:
        """Pickle the distributions."""
        return PreparedRolls, (self.rows, self._distinct, self._which)


def prepare_rows(
    situations: Situations, columns: Any, of: str | Iterable[str], executor: Executor | None, parts: Parts | None = None
) -> PreparedRolls:
    """Prepare the rolls of many situations.

    Args:
        situations: The settings shared by all situations.
        columns: The columns: a mapping from facts to lists, or a data frame.
        of: The question; several are asked jointly.
        executor: The executor for the work, if any.
        parts: Called after each different situation with the progress, if there is no executor.

    Raises:
        InputError: The columns or the facts in them are wrong.
        OddsError: A part of the odds was not worked out.
    """
    rows = read_columns(situations, columns)
    distinct = tuple(_prepared(cell) for cell in cells_of(situations, of, rows.distinct, executor, parts))
    return PreparedRolls(tuple(range(len(rows.which))), distinct, rows.which)


def _prepared(cell: Cell) -> Prepared:
    if cell.refused is not None:
        return cell.refused
    with said_of(cell.facts):
        return PreparedRoll(cell.distribution)
