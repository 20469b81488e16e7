"""Discrete probability distributions: outcomes with their chances as exact fractions.

Chances are stored as whole-number weights over one total. Fractions are created on access, floats only on request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import gcd
from operator import neg
from typing import Any, Final, NoReturn, TypeVar

from enfilade.api.bar_charts import Bars, as_html, as_text, vega_lite
from enfilade.api.exact_numbers import chance_of, chance_text, decimal, over, written
from enfilade.api.outcome_values import ANY_ORDER, Order, as_outcome, value_text
from enfilade.api.plain_columns import plain_column
from enfilade.api.table_layout import VEGA_LITE, mime_bundle
from enfilade.api.weights import added, added_often
from enfilade.door import BigInt, with_doors
from enfilade.errors import ArgumentError, CutOff, OddsError
from enfilade.values.json_data import to_json

D = TypeVar("D", bound="Distribution")
_MOST_NATURAL: Final = 10**6


@with_doors
class Distribution(Mapping[Any, Fraction]):
    """A probability distribution: a mapping from each possible outcome to its chance.

    Outcomes are in order: numbers ascend, codes go from mild to severe. Impossible outcomes have chance 0 and are not
    members.

    If the answer is not exact, ``remainder`` is the part of the probability that was not worked out, and ``cut_off`` names
    the rolls and loops that it belongs to. A chance or a statistic that it could change raises an error; ``bounds`` gives
    the lowest and the highest chance of an outcome. If all that was not worked out are numbers from ``open_from`` on, the
    chances of lower numbers are exact.

    Examples:
        >>> from enfilade.api.outcome_values import Order
        >>> fire = Distribution({"-": 16, "M": 8, "M1": 6, "M2": 4, "X": 2}, order=Order(("-", "M", "M1", "M2", "X"), 5))
        >>> fire["M2"], fire.at_least("M2"), fire["2X"], "2X" in fire
        (Fraction(1, 9), Fraction(1, 6), Fraction(0, 1), False)
        >>> two = Distribution({2: 1, 3: 2, 4: 1})
        >>> two.mean, two.variance, two.median, two.map(lambda total: total > 2)[True]
        (Fraction(3, 1), Fraction(1, 2), 3, Fraction(3, 4))
    """

    __slots__ = (
        "_cut_off",
        "_in_lowest_terms",
        "_names",
        "_of",
        "_open_from",
        "_open_sum",
        "_order",
        "_remainder",
        "_total",
        "_weights",
    )

    def __init__(
        self, weights: Mapping[Any, BigInt], total: BigInt | None = None, *, remainder: BigInt = 0, order: Order = ANY_ORDER,
        of: str = "", names: tuple[str, ...] = (), open_from: Any = None, cut_off: tuple[CutOff, ...] = (),
        open_sum: Any = None,
    ) -> None:  # fmt: skip
        """Create a distribution from weights.

        Args:
            weights: The weight of each outcome, a whole number; outcomes of weight 0 are left out.
            total: The sum of the weights and the remainder; calculated if not given.
            remainder: The weight of the part that was not worked out.
            order: The order of the outcomes.
            of: The question, for headings.
            names: For joint distributions, the question of each part of an outcome.
            open_from: If all outcomes that were not worked out are numbers from some number on, that number.
            cut_off: The rolls and loops from which the remainder comes.
            open_sum: The sum of the numbers that were not worked out, each times its weight, if it is known.

        Raises:
            ArgumentError: A weight is negative, all weights are 0, or their sum is not the total.
        """
        found: dict[Any, int] = {}
        for value, weight in weights.items():
            outcome = as_outcome(value)
            found[outcome] = found.get(outcome, 0) + weight
        whole = sum(found.values()) + remainder
        if whole <= 0 or min(found.values(), default=0) < 0 or remainder < 0 or total not in (None, whole):
            raise ArgumentError(
                "each weight must be a whole number, 0 or more, and at least one must be above 0; the weights and the remainder must add up to the total"
            )
        key = order.key()
        self._weights = {value: found[value] for value in sorted(found, key=key) if found[value]}
        self._total = whole
        self._remainder = remainder
        self._order = order
        self._in_lowest_terms = False
        self._open_from = open_from
        self._open_sum = open_sum
        self._cut_off = cut_off
        self._of = of
        self._names = names

    def _like(self, weights: Mapping[Any, int], *, order: Order, of: str, names: tuple[str, ...] = ()) -> Distribution:
        """Create a distribution of other outcomes with the same total, remainder and kind."""
        return Distribution(
            weights, self._total, remainder=self._remainder, order=order, of=of, names=names, cut_off=self.cut_off
        )

    # -- as a mapping ---------------------------------------------------------------------------------------

    def __getitem__(self, value: Any) -> Fraction:
        """Return the chance of an outcome; 0 if it is impossible.

        Raises:
            OddsError: The remainder could change it; ``bounds`` gives the lowest and the highest chance.
        """
        self._check_below(value)
        return Fraction(self._weights.get(_hashable(value), 0), self._total)

    def get(self, value: Any, default: Any = None) -> Any:
        """Return the chance of an outcome.

        Args:
            value: The outcome.
            default: The value to return for an impossible outcome.
        """
        weight = self._weights.get(_hashable(value))
        return default if weight is None else self[value]

    def __contains__(self, value: object) -> bool:
        """Whether an outcome is possible."""
        return _hashable(value) in self._weights

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the possible outcomes, in order."""
        return iter(self._weights)

    def __len__(self) -> int:
        """The number of possible outcomes."""
        return len(self._weights)

    @property
    def of(self) -> str:
        """The question, for headings."""
        return self._of

    @property
    def names(self) -> tuple[str, ...]:
        """For joint distributions, the question of each part of an outcome."""
        return self._names

    @property
    def cut_off(self) -> tuple[CutOff, ...]:
        """The rolls and loops from which the remainder comes."""
        return self._cut_off

    @property
    def weights(self) -> Mapping[Any, int]:
        """The weight of each outcome, over ``total``."""
        return dict(self._weights)

    @property
    def total(self) -> int:
        """The sum of all weights and the remainder's weight."""
        return self._total

    @property
    def order(self) -> Order:
        """The order of the outcomes."""
        return self._order

    @property
    def exact(self) -> bool:
        """Whether all chances are exact."""
        return not self._remainder

    @property
    def remainder(self) -> Fraction:
        """The probability that was not worked out; 0 if the answer is exact."""
        return Fraction(self._remainder, self._total)

    @property
    def open_from(self) -> Any:
        """The number from which on outcomes were not worked out, if all others were; else ``None``."""
        return self._open_from

    def bounds(self, value: Any) -> tuple[Fraction, Fraction]:
        """Return the lowest and the highest chance of an outcome; they are equal if it is exact."""
        weight = self._weights.get(_hashable(value), 0)
        rest = 0 if self._is_below(value) else self._remainder
        return Fraction(weight, self._total), Fraction(weight + rest, self._total)

    def _is_below(self, value: Any) -> bool:
        """Whether an outcome is none of those that were not worked out."""
        if not self._remainder:
            return True
        rank = ANY_ORDER.rank(value)
        return self._open_from is not None and (rank is None or rank < self._open_from)

    def _check_below(self, value: Any) -> None:
        if self._remainder and not self._is_below(value):
            self._not_exact(f"chance of {value_text(as_outcome(value))}")

    # -- parts of it ----------------------------------------------------------------------------------------

    def where(self, holds: Callable[[Any], object]) -> Fraction:
        """Return the total chance of the outcomes that satisfy a predicate.

        Args:
            holds: The predicate, called with each outcome.

        Raises:
            OddsError: The answer is not exact.
        """
        self._whole("chance")
        return self._known_share(holds)

    def _known_share(self, holds: Callable[[Any], object], rest: int = 0) -> Fraction:
        return Fraction(sum(weight for value, weight in self._weights.items() if holds(value)) + rest, self._total)

    def at_least(self, value: Any) -> Fraction:
        """Return the chance of a number or more, or of a code or worse.

        Raises:
            OddsError: The outcomes have no such order, or the remainder could change the answer.
        """
        least = self._rank(value)
        rest = self._remainder if self._open_from is not None and least <= self._open_from else 0
        if not rest:
            self._whole(f"chance of {value_text(as_outcome(value))} or more")
        return self._known_share(lambda each: (rank := self._order.rank(each)) is not None and rank >= least, rest)

    def at_most(self, value: Any) -> Fraction:
        """Return the chance of a number or less, or of a code or better.

        Raises:
            OddsError: The outcomes have no such order, or the remainder could change the answer.
        """
        most = self._rank(value)
        self._check_below(value)
        return self._known_share(lambda each: (rank := self._order.rank(each)) is not None and rank <= most)

    def map(self, change: Callable[[Any], Any], of: str = "") -> Distribution:
        """Return the distribution of a function of the outcome.

        Args:
            change: The function, called once with each outcome.
            of: The heading of the new distribution.
        """
        found: dict[Any, int] = {}
        for value, weight in self._weights.items():
            outcome = as_outcome(change(value))
            found[outcome] = found.get(outcome, 0) + weight
        return self._like(found, order=self._order if not self.names else ANY_ORDER, of=of)

    def marginal(self, part: int | str) -> Distribution:
        """Return the marginal distribution of one part of a joint distribution.

        Args:
            part: The index of the part, from 0, or its question.

        Raises:
            OddsError: This is not a joint distribution, or it has no such part.
        """
        if not self.names:
            raise OddsError("these outcomes have no parts; use `joint` to answer several questions together")
        if isinstance(part, str) and part not in self.names:
            raise OddsError(f"there is no part {part}; the parts are {', '.join(self.names)}")
        index = self.names.index(part) if isinstance(part, str) else part
        if not -len(self.names) <= index < len(self.names):
            raise OddsError(f"there is no part {index}; the number of parts is {len(self.names)}")
        found: dict[Any, int] = {}
        for value, weight in self._weights.items():
            found[value[index]] = found.get(value[index], 0) + weight
        order = self._order.parts[index] if self._order.parts else ANY_ORDER
        return self._like(found, order=order, of=self.names[index])

    def given(self, holds: Callable[[Any], object]) -> Distribution:
        """Return the conditional distribution, given that the outcome satisfies a predicate.

        Args:
            holds: The predicate, called with each outcome.

        Raises:
            OddsError: No outcome satisfies it, or the answer is not exact.
        """
        self._whole("conditional distribution")
        kept = {value: weight for value, weight in self._weights.items() if holds(value)}
        if not kept:
            raise OddsError(f"no outcome satisfies the condition{self._asked()}")
        return Distribution(kept, order=self._order, of=self.of, names=self.names)

    # -- several combats ------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Distribution:
        """Add an independent number, or a fixed one: the losses of two fires.

        Raises:
            OddsError: An outcome is not a number.
        """
        part = _as_distribution(other)
        return NotImplemented if part is None else self._plus(part)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Distribution:
        """Subtract an independent number, or a fixed one.

        Raises:
            OddsError: An outcome is not a number.
        """
        part = _as_distribution(other)
        return NotImplemented if part is None else self._plus(-part)

    def __neg__(self) -> Distribution:
        """Return the distribution of the number with the other sign.

        Raises:
            OddsError: An outcome is not a number.
        """
        self._sum(lambda value: 0)
        return self.map(neg)._with_mean_of((self,), -1)

    def times(self, number: int) -> Distribution:
        """Return the distribution of the sum of several independent values of this distribution.

        Args:
            number: How many, from 0.

        Raises:
            OddsError: *number* is not a whole number of 0 or more, or an outcome is not a number.

        Examples:
            >>> die = Distribution(dict.fromkeys(range(1, 7), 1))
            >>> die.times(2)[7], (die + die + 1).mean
            (Fraction(1, 6), Fraction(8, 1))
        """
        check_exact((self,))
        whole = self._sum_as(added_often(self._weights, number), self._total**number, self.cut_off)
        return whole._with_mean_of((self,), number)

    def _plus(self, other: Distribution) -> Distribution:
        check_exact((self, other))
        weights = added((self._weights, other._weights))
        whole = self._sum_as(weights, self._total * other._total, cut_off_in((self, other)))
        return whole._with_mean_of((self, other))

    def _sum_as(self, weights: dict[Any, int], total: int, cut_off: tuple[CutOff, ...]) -> Distribution:
        return Distribution(weights, total, remainder=total - sum(weights.values()), of=self.of, cut_off=cut_off)

    def _with_mean_of(self, parts: Iterable[Distribution], times: int = 1) -> Distribution:
        """Return these numbers, which are a sum of parts, with its mean if those of the parts are known (linearity)."""
        means = [part.known_mean for part in parts] if self._remainder else []
        known = [mean for mean in means if mean is not None]
        if not known or len(known) < len(means):
            return self
        found = copy(self)
        found._open_sum = times * sum(known) * self._total - self._sum(lambda value: value)
        return found

    # -- statistics -----------------------------------------------------------------------------------------

    @property
    def mean(self) -> Fraction:
        """The mean (expected value); yes counts 1 and no counts 0.

        Raises:
            OddsError: An outcome is not a number, or the answer is not exact.
        """
        mean = self.known_mean
        if mean is None:
            self._not_exact("mean")
        return mean

    @property
    def known_mean(self) -> Fraction | None:
        """The mean; ``None`` if the part that was not worked out could change it.

        Raises:
            OddsError: An outcome is not a number.
        """
        if self._remainder and self._open_sum is None:
            return None
        return Fraction(self._sum(lambda value: value) + (self._open_sum or 0), self._total)

    @property
    def variance(self) -> Fraction:
        """The variance.

        Raises:
            OddsError: An outcome is not a number, or the answer is not exact.
        """
        self._whole("variance")
        return Fraction(self._sum(lambda value: value * value), self._total) - self.mean**2

    def quantile(self, chance: Any) -> Any:
        """Return the first outcome with a cumulative chance of at least *chance*.

        Args:
            chance: A number from 0 to 1: ``"1/4"``, ``"25%"``, a ``Fraction``.

        Raises:
            OddsError: The outcomes have no order, or the remainder could change the answer.
        """
        wanted = chance_of(chance) * self._total
        for value in self._weights:
            self._rank(value)
        values, sums = list(self._weights), list(accumulate(self._weights.values()))
        first = next((value for value, reached in zip(values, sums, strict=True) if reached >= wanted), None)
        early = (value for value, reached in zip(values, sums, strict=True) if reached + self._remainder >= wanted)
        if self._remainder and (first is None or next(early) != first):
            self._not_exact("quantile")
        return first

    @property
    def median(self) -> Any:
        """The median: the first outcome with a cumulative chance of at least 1/2."""
        return self.quantile(Fraction(1, 2))

    @property
    def mode(self) -> Any:
        """The most likely outcome; the first of several.

        Raises:
            OddsError: The remainder could change the answer.
        """
        best = max(self._weights.values(), default=0)
        others = sorted(self._weights.values())[:-1]
        if self._remainder and best < max(others, default=0) + self._remainder:
            self._not_exact("mode")
        return next(value for value, weight in self._weights.items() if weight == best)

    def floats(self) -> dict[Any, float]:
        """Return the chances as floats, for plots and for libraries without fractions."""
        return {value: weight / self._total for value, weight in self._weights.items()}

    def _sum(self, of: Callable[[Any], Any]) -> Any:
        for value in self._weights:
            if not isinstance(value, (int, Fraction)):
                raise OddsError(
                    f"this answer needs a number or a condition; {value_text(value)} is neither{self._asked()}"
                )
        return sum(of(value) * weight for value, weight in self._weights.items())

    def _rank(self, value: Any) -> Any:
        rank = self._order.rank(as_outcome(value))
        if rank is not None:
            return rank
        severe = self._order.words[: self._order.severe]
        if severe and not isinstance(value, tuple):
            raise OddsError(f"{value_text(as_outcome(value))} has no severity; the order is {', '.join(severe)}")
        text = "only numbers and the codes of a chart with a `severity` line have an order"
        raise OddsError(
            f"{value_text(as_outcome(value))} can't be put in order with the other outcomes{self._asked()}: {text}"
        )

    def _asked(self) -> str:
        return f" (of {self.of})" if self.of else ""

    def _whole(self, what: str) -> None:
        if self._remainder:
            self._not_exact(what)

    def _not_exact(self, what: str) -> NoReturn:
        left = chance_text(self.remainder)
        why = "".join(f"; {cut}" for cut in self.cut_off)
        raise OddsError(
            f"the {what} is unknown: outcomes with a total chance of {left} were not computed{self._asked()}{why}"
        )

    # -- to show --------------------------------------------------------------------------------------------

    @property
    def shown_total(self) -> int:
        """The denominator of shown chances: the number of equally likely throws if it is small, else reduced."""
        if self._total <= _MOST_NATURAL:
            return self._total
        return self._total // gcd(self._total, self._remainder, *self._weights.values())

    @property
    def is_in_lowest_terms(self) -> bool:
        """Whether chances are shown in lowest terms."""
        return self._in_lowest_terms

    def in_lowest_terms(self: D) -> D:
        """Return an equal distribution that shows its chances in lowest terms: ``1/9`` in place of ``4/36``.

        Examples:
            >>> Distribution({"hit": 4, "miss": 32}).in_lowest_terms().shown("hit")
            '1/9'
        """
        found = copy(self)
        found._in_lowest_terms = True
        return found

    def shown(self, value: Any) -> str:
        """Return the chance of an outcome over the common denominator: ``4/36``."""
        return self.shown_weight(self._weights.get(_hashable(value), 0))

    def beside(self, value: Any) -> str:
        """Return the text drawn next to an outcome: its chance over the common denominator."""
        return self.shown(value)

    def shown_weight(self, weight: BigInt) -> str:
        """Return a weight over the common denominator, or in lowest terms, as text."""
        if self._in_lowest_terms:
            return written(Fraction(weight, self._total))
        total = self.shown_total
        return over(weight * total // self._total, total)

    def rows(self) -> Iterator[tuple[str, int, int, str]]:
        """Yield a spreadsheet row for each outcome: the outcome, its weight, the total, and the chance as a decimal."""
        total = self.shown_total
        for value in self:
            least, _ = self.bounds(value)
            yield value_text(value), int(least * total), total, decimal(least, 9)
        if self.remainder:
            yield "not computed", int(self.remainder * total), total, decimal(self.remainder, 9)

    def to_json(self) -> dict[str, Any]:
        """Return the distribution as plain data, in the form of the published schema ``odds``."""
        data = {
            "of": list(self.names) if self.names else self.of,
            "total": "1",
            "outcomes": [
                {"value": to_json(value), "chance": self.shown(value), "reduced": written(self.bounds(value)[0])}
                for value in self
            ],
            "exact": self.exact,
        }
        if self._remainder:
            data["remainder"] = self.shown_weight(self._remainder)
        return data

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the distribution as columns of plain data, for a data frame: ``pandas.DataFrame(odds.to_columns())``.

        Returns:
            The column ``outcome``, or one for each of several questions by its name; ``chance``, rounded to a float; and
            ``exactly``, the chance as text. A remainder has no row.
        """
        parts = zip(*self, strict=True) if self.names and len(self) else [[*self]]
        outcomes = dict(zip(self.names or ("outcome",), map(plain_column, parts), strict=False))
        chances = [self.bounds(value)[0] for value in self]
        return outcomes | {"chance": [*map(float, chances)], "exactly": [self.shown(value) for value in self]}

    @property
    def source(self) -> str:
        """The origin of the chances in a word or two, for headings."""
        return "exact" if self.exact else "not exact"

    def text(self, width: int | None = None, *, rows: int = 40, plain: bool = False) -> str:
        """Draw the distribution as text: a line with a bar for each outcome.

        Args:
            width: The width in columns; the terminal's width if not given.
            rows: The maximum number of outcomes; the most likely ones are shown.
            plain: Whether to use only ASCII characters for the bars.
        """
        return as_text(self._bars(), width, rows, plain=plain)

    def __str__(self) -> str:
        """Draw the distribution as text."""
        return self.text()

    def __repr__(self) -> str:
        """Show the first chances."""
        some = [f"{value!r}: {self.shown(value)}" for value in list(self)[:8]]
        more = ["..."] if len(self) > len(some) else []
        return f"{type(self).__name__}({{{', '.join([*some, *more])}}})"

    def _repr_html_(self) -> str:
        return as_html(self._bars())

    def _repr_mimebundle_(self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None) -> Any:
        bars = self._bars()
        shown = {"text/plain": self.text(80), "text/html": as_html(bars), VEGA_LITE: vega_lite(bars)}
        return mime_bundle(shown, include, exclude)

    def _bars(self) -> Bars:
        of = ", ".join(self.names) or self.of
        heading = f"{of or 'odds'} ({self.source})"
        beside, exactly, lowest = self.beside, self.shown, self._in_lowest_terms
        why = tuple(map(str, self.cut_off)) if self._remainder else ()
        mean = self.known_mean if self._remainder else None
        # A chance of 0 is shown: `no 100 %` alone could be taken for it.
        never = (
            not self._remainder and all(type(value) is bool for value in self._weights) and True not in self._weights
        )
        return Bars(
            heading,
            of,
            {**self._weights, True: 0} if never else self._weights,
            self._total,
            self.remainder,
            beside,
            exactly,
            lowest,
            why,
            mean,
            self._order.text,
        )

    # -- as a value -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether every chance is equal; totals may differ."""
        if isinstance(other, Distribution):
            same = self._reduced() == other._reduced()
            return same and self.remainder == other.remainder
        return (
            {value: self.bounds(value)[0] for value in self} == other if isinstance(other, Mapping) else NotImplemented
        )

    __hash__ = None  # type: ignore[assignment]

    def _reduced(self) -> dict[Any, int]:
        whole = gcd(self._total, self._remainder, *self._weights.values())
        return {value: weight // whole for value, weight in self._weights.items()}

    def __reduce__(self) -> tuple[Callable[..., Distribution], tuple[Any, ...]]:
        """Pickle the weights."""
        make = partial(
            Distribution, remainder=self._remainder, order=self._order, of=self.of, names=self.names,
            open_from=self._open_from, cut_off=self.cut_off, open_sum=self._open_sum,
        )  # fmt: skip
        return make, (self._weights, self._total)


def check_exact(parts: Iterable[Distribution]) -> None:
    """Check that distributions can be put together.

    Raises:
        OddsError: One is a sample.
    """
    if any(type(part) is not Distribution for part in parts):
        raise OddsError("only exact odds can be combined; a sample has only estimates")


def cut_off_in(parts: Iterable[Distribution]) -> tuple[CutOff, ...]:
    """Return the rolls and loops from which the remainders of some distributions come, each once."""
    return tuple(dict.fromkeys(cut for part in parts for cut in part.cut_off))


def _as_distribution(value: Any) -> Distribution | None:
    if isinstance(value, Distribution):
        return value
    return Distribution({value: 1}) if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else None


def _hashable(value: Any) -> Any:
    """Return a value as a hashable outcome; a value that can't be an outcome becomes a key that matches nothing."""
    try:
        hash(outcome := as_outcome(value))
    except TypeError:
        return object()
    return outcome
