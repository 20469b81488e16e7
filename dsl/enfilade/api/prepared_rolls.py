"""Prepared rolls: odds that were worked out once, to be rolled many times."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from attrs import frozen

from enfilade.api.distribution import Distribution
from enfilade.api.exact_numbers import written
from enfilade.api.outcome_arrays import Size, array_generator, array_of, not_a_generator, shape_of
from enfilade.door import with_doors
from enfilade.engines.askers import FRESH_DICE
from enfilade.engines.weighted_arrays import WeightedArrays
from enfilade.engines.weighted_choice import WeightedChoice
from enfilade.errors import OddsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from enfilade.api.outcome_arrays import ArrayGenerator

_GENERATORS: Final = "a random.Random or a numpy.random.Generator"


class RandomGenerator(Protocol):
    """A generator with the method ``random``: ``random.Random``, the module ``random``, ``numpy.random.Generator``."""

    def random(self) -> float:
        """Return a whole multiple of 2**-53, from 0 and below 1."""


@with_doors
@frozen(slots=False, eq=False, repr=False)
class PreparedRoll:
    """A distribution that is ready to be rolled; created by ``Ruleset.prepare``, or from any exact distribution.

    A roll is one independent draw from the distribution. Its chances are exact: the weights are whole numbers, and random
    digits are drawn until they decide.

    Attributes:
        distribution: The distribution.

    Raises:
        OddsError: The distribution is a sample, or a part of it was not worked out.

    Examples:
        >>> import enfilade, random
        >>> shot = enfilade.load("infantry_attacks").prepare("direct_fire", fire_value=16)
        >>> shot.outcomes
        ('-', 'M', 'M1', 'M2', 'X', '2X')
        >>> rng = random.Random(1)
        >>> [shot.roll(rng) for _ in range(5)]
        ['-', 'M2', 'M2', 'M', 'M']
    """

    distribution: Distribution

    def __attrs_post_init__(self) -> None:
        _check(self.distribution)

    @cached_property
    def outcomes(self) -> tuple[Any, ...]:
        """The possible outcomes, in order."""
        return tuple(self.distribution)

    @cached_property
    def values(self) -> NDArray[Any]:
        """The possible outcomes as an array, which has the type of ``rolls`` (dtype).

        The type is bool, int64 or text if all outcomes have that type, else object. Several questions give a structured
        array with a field for each question. The array can't be changed.

        Shape:
            One dimension, in the order of ``outcomes``.

        Raises:
            OddsError: Two questions are the same.
            ImportError: NumPy is not installed.
        """
        return array_of(self.outcomes, self.distribution.names)

    def roll(self, rng: RandomGenerator | None = None) -> Any:
        """Roll once; this needs no NumPy.

        Args:
            rng: A generator; without it, one with an unpredictable seed. With ``random.Random(seed)`` the same seed gives
                the same outcomes on every platform and in every version of Python.

        Returns:
            The outcome; for several questions, a tuple.

        Raises:
            InputError: *rng* is not a generator.
        """
        return self.outcomes[self._choice.draw(method_of(rng))]

    def rolls(self, size: Size, rng: ArrayGenerator = None) -> NDArray[Any]:
        """Roll many times.

        Args:
            size: The number of rolls, or the shape of the array.
            rng: A ``numpy.random.Generator``; a ``random.Random``, whose next 128 bits are taken as the seed; a seed; or
                nothing, for an unpredictable seed. A seed gives the same array wherever NumPy's generators do.

        Returns:
            The outcomes: an array of the given shape, with the type of ``values``.

        Raises:
            InputError: An argument is not allowed.
            OddsError: Two questions are the same.
            ImportError: NumPy is not installed.
        """
        return self.values.take(self.positions(size, rng))

    def positions(self, size: Size, rng: ArrayGenerator = None) -> NDArray[Any]:
        """Roll many times, as ``rolls`` does, and return positions in ``outcomes``.

        Args:
            size: The number of rolls, or the shape of the array.
            rng: The generator, as in ``rolls``.

        Returns:
            An array of the given shape, of the smallest signed type of whole numbers (int8 up to 128 outcomes).

        Raises:
            InputError: An argument is not allowed.
            ImportError: NumPy is not installed.
        """
        return self._arrays.draw(shape_of(size), array_generator(rng))

    @cached_property
    def _choice(self) -> WeightedChoice:
        return WeightedChoice(self.distribution.weights.values())

    @cached_property
    def _arrays(self) -> WeightedArrays:
        return WeightedArrays(self.distribution.weights.values())

    def __repr__(self) -> str:
        """Show the question and the number of outcomes."""
        return f"<PreparedRoll of {self.distribution.of or 'a distribution'}: {len(self.outcomes)} outcomes>"

    def __reduce__(self) -> tuple[type[PreparedRoll], tuple[Distribution]]:
        """Pickle the distribution."""
        return PreparedRoll, (self.distribution,)


def method_of(rng: RandomGenerator | None) -> Callable[[], float]:
    """Return the method ``random`` of a generator.

    Raises:
        InputError: It is not a generator.
    """
    if rng is None:
        return FRESH_DICE
    try:
        return rng.random
    except AttributeError:
        raise not_a_generator(rng, _GENERATORS) from None


def _check(distribution: Distribution) -> None:
    if distribution.exact:
        return
    of = distribution.of or "the distribution"
    if not distribution.remainder:
        raise OddsError(f"{of} can't be rolled: a sample has only estimates")
    raise OddsError(
        f"{of} can't be rolled: outcomes with a total chance of {written(distribution.remainder)} were not computed; ask for a condition,"
        " limit the loop or the die, or use `sample`"
    )
