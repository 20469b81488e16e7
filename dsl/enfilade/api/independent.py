"""Independent distributions put together: any function of several values, and mixtures.

Chances stay whole-number weights: the weight of a combination is the product of the weights of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import lcm, prod
from typing import Any

from enfilade.api.distribution import Distribution, check_exact, cut_off_in
from enfilade.api.exact_numbers import chance_of
from enfilade.api.outcome_values import ANY_ORDER, value_text
from enfilade.api.weights import combined
from enfilade.door import door
from enfilade.errors import OddsError


@door
def combine(function: Callable[..., Any], *parts: Distribution, of: str = "") -> Distribution:
    """Return the distribution of a function of independent values.

    Args:
        function: The function; called once for each combination of outcomes.
        *parts: The distribution of each argument.
        of: The heading of the new distribution.

    Returns:
        The distribution. What was not worked out of a part is not worked out of the whole.

    Raises:
        OddsError: A part is a sample, which has no exact chances.
        LimitError: There are too many combinations.

    Examples:
        >>> die = Distribution(dict.fromkeys(range(1, 7), 1))
        >>> combine(max, die, die)[6], combine(lambda a, b: a > b, die, die)[True]
        (Fraction(11, 36), Fraction(5, 12))
    """
    check_exact(parts)
    found = combined(function, [part.weights for part in parts])
    total = prod(part.total for part in parts)
    return Distribution(
        found, total, remainder=total - sum(found.values()), order=_order_of(parts), of=of, cut_off=cut_off_in(parts)
    )


@door
def mixture(
    parts: Mapping[Any, Distribution] | Iterable[tuple[Any, Distribution]], by: Mapping[Any, Fraction] | None = None,
    of: str = "",
) -> Distribution:  # fmt: skip
    """Return the distribution of a value whose distribution is itself decided by chance.

    Args:
        parts: Pairs of a chance and a distribution; or, with *by*, a distribution for each of its outcomes.
        by: The distribution that decides, such as that of the weather.
        of: The heading of the new distribution.

    Raises:
        InputError: A chance is not an exact number from 0 to 1.
        OddsError: The chances don't add up to 1, an outcome of *by* has no distribution, or a part is a sample.

    Examples:
        >>> fair, rain = Distribution({"hit": 1, "miss": 1}), Distribution({"hit": 1, "miss": 5})
        >>> weather = Distribution({"fair": 2, "rain": 1})
        >>> mixture({"fair": fair, "rain": rain}, by=weather)["hit"]
        Fraction(7, 18)
        >>> mixture([("1/2", fair), ("1/2", rain)])["hit"]
        Fraction(1, 3)
    """
    pairs = [(chance_of(chance), part) for chance, part in (_by(parts, by) if by is not None else parts)]
    check_exact([part for _, part in pairs])
    missing = 1 - sum((chance for chance, _ in pairs), Fraction(0))
    if missing and not isinstance(by, Distribution):
        raise OddsError(f"the chances of the parts add up to {1 - missing}, not 1")
    whole = lcm(missing.denominator, *(chance.denominator * part.total for chance, part in pairs))
    found: dict[Any, int] = {}
    for chance, part in pairs:
        scale = int(chance * whole / part.total)
        for value, weight in part.weights.items():
            found[value] = found.get(value, 0) + weight * scale
    order, cut_off = _order_of([part for _, part in pairs]), cut_off_in(part for _, part in pairs)
    return Distribution(found, whole, remainder=whole - sum(found.values()), order=order, of=of, cut_off=cut_off)


def _by(parts: Any, by: Mapping[Any, Fraction]) -> list[tuple[Fraction, Distribution]]:
    lacking = [value for value in by if value not in parts]
    if lacking:
        raise OddsError(f"`by` can give {value_text(lacking[0])}, but the parts have no distribution for this value")
    return [(chance, parts[value]) for value, chance in by.items()]


def _order_of(parts: Iterable[Distribution]) -> Any:
    """The common order of the parts, or natural order."""
    orders = [part.order for part in parts]
    return orders[0] if orders and all(order == orders[0] for order in orders) else ANY_ORDER
