"""Outcomes as NumPy arrays, and the generators and shapes that callers give for arrays of rolls."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from enfilade.engines.weighted_arrays import load_numpy
from enfilade.errors import InputError, InputFault, OddsError
from enfilade.values.numbers import shorten

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    ArrayGenerator: TypeAlias = Generator | random.Random | int | None
    """The generator of arrays of rolls: NumPy's own, one that makes a seed, a seed, or a fresh one."""

Size: TypeAlias = int | tuple[int, ...]
"""The number of rolls, or the shape of their array."""

_INTEGERS: Final = range(-(1 << 63), 1 << 63)
_GENERATORS: Final = "a numpy.random.Generator, a random.Random or a seed of 0 or more"


def array_of(outcomes: Sequence[Any], names: Sequence[str] = ()) -> NDArray[Any]:
    """Return outcomes as an array that can't be changed.

    Args:
        outcomes: The outcomes.
        names: For joint outcomes, the question of each part.

    Returns:
        An array of type bool, int64 or text if all outcomes are of that type, else of type object; for joint outcomes
        a structured array with a field for each question.

    Raises:
        OddsError: Two parts have the same question.
        ImportError: NumPy is not installed.
    """
    np = load_numpy()
    if names:
        if twice := [name for place, name in enumerate(names) if name in names[:place]]:
            raise OddsError(f"`{twice[0]}` is requested twice; the fields of an array need different names")
        columns = [array_of([outcome[place] for outcome in outcomes]) for place in range(len(names))]
        found: NDArray[Any] = np.empty(
            len(outcomes), [(name, each.dtype) for name, each in zip(names, columns, strict=True)]
        )
        for name, column in zip(names, columns, strict=True):
            found[name] = column
    else:
        found = np.empty(len(outcomes), object)
        for place, outcome in enumerate(outcomes):
            found[place] = outcome
        kind = _kind(outcomes)
        found = found if kind is None else found.astype(kind)
    found.flags.writeable = False
    return found


def _kind(outcomes: Sequence[Any]) -> str | None:
    """Return the type of an array for some outcomes; ``None`` for Python objects."""
    kinds = {type(outcome) for outcome in outcomes}
    if kinds == {bool}:
        return "bool"
    if kinds == {str}:
        return "str"
    return "int64" if kinds == {int} and all(outcome in _INTEGERS for outcome in outcomes) else None


def array_generator(rng: ArrayGenerator) -> Generator:
    """Return a NumPy generator.

    Args:
        rng: A NumPy generator, which is returned itself; a generator of Python, whose next 128 bits are the seed; a
            seed; or ``None`` for an unpredictable seed.

    Raises:
        InputError: It is none of these.
        ImportError: NumPy is not installed.
    """
    np = load_numpy()
    bits = getattr(rng, "getrandbits", None)
    try:
        made: Generator = np.random.default_rng(rng if bits is None else bits(128))
    except (TypeError, ValueError):
        raise not_a_generator(rng, _GENERATORS) from None
    return made


def not_a_generator(rng: object, allowed: str) -> InputError:
    """Return the error for something that is not a generator."""
    return InputError([InputFault("rng", rng, allowed, f"{shorten(rng)} can't roll dice; allowed: {allowed}")])


def shape_of(size: Size) -> tuple[int, ...]:
    """Return the shape of an array of rolls.

    Raises:
        InputError: The size is neither a whole number of 0 or more nor a tuple of such numbers.
    """
    shape = size if isinstance(size, tuple) else (size,)
    if any(type(each) is not int or each < 0 for each in shape):
        allowed = "a whole number of 0 or more, or a tuple of them"
        raise InputError([InputFault("size", size, allowed, f"{shorten(size)} is not a size; allowed: {allowed}")])
    return shape
