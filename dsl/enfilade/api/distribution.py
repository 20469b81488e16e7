"""What one question about odds comes to: its outcomes, each with its chance as an exact fraction.

Inside there are whole numbers over one total; a fraction is made when somebody looks at it, and a float only where
somebody asks for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import gcd
from typing import Any, Final, NoReturn, TypeVar

from enfilade.api.bar_charts import Bars, as_html, as_text, vega_lite
from enfilade.api.exact_numbers import chance_of, decimal, over, written
from enfilade.api.outcome_values import ANY_ORDER, Order, as_outcome, value_text
from enfilade.core.json_values import to_json
from enfilade.errors import OddsError

D = TypeVar("D", bound="Distribution")
_MOST_NATURAL: Final = 10**6


class Distribution(Mapping[Any, Fraction]):
    """Outcomes with their chances, in their order: numbers ascend, codes go from mild to severe.

    It is a mapping from each outcome that can come to its chance. Whatever else is looked up has the chance 0, and is
    not ``in`` it.

    Where the answer is not exact, some of the chance is not worked out: ``remainder``. Then each chance is the least
    that it can be, and ``remainder`` above it the most; what can't be told from that, such as the mean, is an error.

    Examples:
        >>> from enfilade.api.outcome_values import Order
        >>> fire = Distribution({"-": 16, "M": 8, "M1": 6, "M2": 4, "X": 2}, order=Order(("-", "M", "M1", "M2", "X"), 5))
        >>> fire["M2"], fire.at_least("M2"), fire["2X"], "2X" in fire
        (Fraction(1, 9), Fraction(1, 6), Fraction(0, 1), False)
        >>> two = Distribution({2: 1, 3: 2, 4: 1})
        >>> two.mean, two.variance, two.median, two.map(lambda total: total > 2)[True]
        (Fraction(3, 1), Fraction(1, 2), 3, Fraction(3, 4))
    """

    __slots__ = ("_order", "_remainder", "_total", "_weights", "names", "of")

    def __init__(
        self, weights: Mapping[Any, int], total: int | None = None, *, remainder: int = 0, order: Order = ANY_ORDER,
        of: str = "", names: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """Keep the outcomes.

        Args:
            weights: The weight of each outcome, a whole number; one of weight 0 is left out.
            total: What the weights and the remainder come to; found if not given.
            remainder: The weight of what was not worked out.
            order: How the outcomes follow each other.
            of: What was asked, for people.
            names: What each part of an outcome is, where it is several values together.

        Raises:
            ValueError: A weight is negative, there is none, or they do not come to the total.
        """
        found: dict[Any, int] = {}
        for value, weight in weights.items():
            outcome = as_outcome(value)
            found[outcome] = found.get(outcome, 0) + weight
        whole = sum(found.values()) + remainder
        if whole <= 0 or min(found.values(), default=0) < 0 or remainder < 0 or total not in (None, whole):
            raise ValueError("weights are whole numbers from 0, not all 0, and come to the total with the remainder")
        key = order.key()
        self._weights = {value: found[value] for value in sorted(found, key=key) if found[value]}
        self._total = whole
        self._remainder = remainder
        self._order = order
        self.of = of
        self.names = names

    def _like(self, weights: Mapping[Any, int], *, order: Order, of: str, names: tuple[str, ...] = ()) -> Distribution:
        """One of the same draws with other outcomes."""
        return Distribution(weights, self._total, remainder=self._remainder, order=order, of=of, names=names)

    # -- as a mapping ---------------------------------------------------------------------------------------

    def __getitem__(self, value: Any) -> Fraction:
        """The chance of an outcome; 0 where it can't come."""
        return Fraction(self._weights.get(_hashable(value), 0), self._total)

    def get(self, value: Any, default: Any = None) -> Any:
        """The chance of an outcome.

        Args:
            value: The outcome.
            default: What is returned if it can't come.
        """
        weight = self._weights.get(_hashable(value))
        return default if weight is None else Fraction(weight, self._total)

    def __contains__(self, value: object) -> bool:
        """Whether an outcome can come."""
        return _hashable(value) in self._weights

    def __iter__(self) -> Iterator[Any]:
        """The outcomes that can come, in order."""
        return iter(self._weights)

    def __len__(self) -> int:
        """How many outcomes can come."""
        return len(self._weights)

    @property
    def weights(self) -> Mapping[Any, int]:
        """The weight of each outcome, over ``total``."""
        return dict(self._weights)

    @property
    def total(self) -> int:
        """What all weights come to, with that of what was not worked out."""
        return self._total

    @property
    def order(self) -> Order:
        """How the outcomes follow each other."""
        return self._order

    @property
    def exact(self) -> bool:
        """Whether every chance is worked out, to the last."""
        return not self._remainder

    @property
    def remainder(self) -> Fraction:
        """The chance that was not worked out; 0 where the answer is exact."""
        return Fraction(self._remainder, self._total)

    # -- parts of it ----------------------------------------------------------------------------------------

    def where(self, holds: Callable[[Any], object]) -> Fraction:
        """The chance of the outcomes for which something holds."""
        return Fraction(sum(weight for value, weight in self._weights.items() if holds(value)), self._total)

    def at_least(self, value: Any) -> Fraction:
        """The chance of a number or more, or of a code or worse.

        Raises:
            OddsError: The outcomes have no such order.
        """
        least = self._rank(value)
        return self.where(lambda each: (rank := self._order.rank(each)) is not None and rank >= least)

    def at_most(self, value: Any) -> Fraction:
        """The chance of a number or less, or of a code or better.

        Raises:
            OddsError: The outcomes have no such order.
        """
        most = self._rank(value)
        return self.where(lambda each: (rank := self._order.rank(each)) is not None and rank <= most)

    def map(self, change: Callable[[Any], Any], of: str = "") -> Distribution:
        """The distribution of a function of the outcome.

        Args:
            change: The function, called once with each outcome.
            of: What the new distribution is of, for its heading.
        """
        found: dict[Any, int] = {}
        for value, weight in self._weights.items():
            outcome = as_outcome(change(value))
            found[outcome] = found.get(outcome, 0) + weight
        return self._like(found, order=self._order if not self.names else ANY_ORDER, of=of)

    def marginal(self, part: int | str) -> Distribution:
        """The distribution of one of several values that were asked for together.

        Args:
            part: Its place, from 0, or its question.

        Raises:
            OddsError: One value was asked for, or there is no such part.
        """
        if not self.names:
            raise OddsError("one value was asked for; `joint` asks for several together")
        if isinstance(part, str) and part not in self.names:
            raise OddsError(f"there is no part {part}; there are {', '.join(self.names)}")
        index = self.names.index(part) if isinstance(part, str) else part
        if not -len(self.names) <= index < len(self.names):
            raise OddsError(f"there is no part {index}; there are {len(self.names)}")
        found: dict[Any, int] = {}
        for value, weight in self._weights.items():
            found[value[index]] = found.get(value[index], 0) + weight
        order = self._order.parts[index] if self._order.parts else ANY_ORDER
        return self._like(found, order=order, of=self.names[index])

    # -- numbers for it -------------------------------------------------------------------------------------

    @property
    def mean(self) -> Fraction:
        """The expectation of a number; yes counts 1 and no 0.

        Raises:
            OddsError: An outcome is no number, or the answer is not exact.
        """
        self._whole("mean")
        return Fraction(self._sum(lambda value: value), self._total)

    @property
    def variance(self) -> Fraction:
        """The expectation of the square of the distance from the mean.

        Raises:
            OddsError: An outcome is no number, or the answer is not exact.
        """
        self._whole("variance")
        return Fraction(self._sum(lambda value: value * value), self._total) - self.mean**2

    def quantile(self, chance: Any) -> Any:
        """The first outcome that is reached, or undershot, with at least some chance.

        Args:
            chance: From 0 to 1: ``"1/4"``, ``"25%"``, a ``Fraction``.

        Raises:
            OddsError: The outcomes have no order, or what was not worked out could change it.
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
        """The first outcome that is reached, or undershot, in at least half of all cases."""
        return self.quantile(Fraction(1, 2))

    @property
    def mode(self) -> Any:
        """The outcome that is the most likely; the first of several.

        Raises:
            OddsError: What was not worked out could change it.
        """
        best = max(self._weights.values(), default=0)
        others = sorted(self._weights.values())[:-1]
        if self._remainder and best < max(others, default=0) + self._remainder:
            self._not_exact("mode")
        return next(value for value, weight in self._weights.items() if weight == best)

    def floats(self) -> dict[Any, float]:
        """The chances as floats: for plots, and for libraries that know nothing better."""
        return {value: weight / self._total for value, weight in self._weights.items()}

    def _sum(self, of: Callable[[Any], Any]) -> Any:
        for value in self._weights:
            if not isinstance(value, (int, Fraction)):
                raise OddsError(
                    f"that needs a number or a condition, and {value_text(value)} is neither{self._asked()}"
                )
        return sum(of(value) * weight for value, weight in self._weights.items())

    def _rank(self, value: Any) -> Any:
        rank = self._order.rank(as_outcome(value))
        if rank is not None:
            return rank
        severe = self._order.words[: self._order.severe]
        if severe and not isinstance(value, tuple):
            raise OddsError(f"{value_text(as_outcome(value))} has no severity; in order are {', '.join(severe)}")
        text = "numbers and the codes of a chart with a severity have an order"
        raise OddsError(
            f"{value_text(as_outcome(value))} is neither more nor less than another outcome{self._asked()}: {text}"
        )

    def _asked(self) -> str:
        return f" (of {self.of})" if self.of else ""

    def _whole(self, what: str) -> None:
        if self._remainder:
            self._not_exact(what)

    def _not_exact(self, what: str) -> NoReturn:
        left = written(self.remainder)
        raise OddsError(f"the {what} can't be told: a chance of {left} was not worked out{self._asked()}")

    # -- to show --------------------------------------------------------------------------------------------

    @property
    def shown_total(self) -> int:
        """The total over which chances are shown: that of the dice while it is small, else reduced."""
        if self._total <= _MOST_NATURAL:
            return self._total
        return self._total // gcd(self._total, self._remainder, *self._weights.values())

    def shown(self, value: Any) -> str:
        """The chance of an outcome over the common total: ``4/36``."""
        return self.shown_weight(self._weights.get(_hashable(value), 0))

    def beside(self, value: Any) -> str:
        """What is drawn beside an outcome: its chance over the common total."""
        return self.shown(value)

    def shown_weight(self, weight: int) -> str:
        """A weight over the common total, as text."""
        total = self.shown_total
        return over(weight * total // self._total, total)

    def rows(self) -> Iterator[tuple[str, int, int, str]]:
        """A row for each outcome, for a spreadsheet: the outcome, its weight, the total, and the chance as a decimal."""
        total = self.shown_total
        for value in self:
            yield value_text(value), int(self[value] * total), total, decimal(self[value], 9)
        if self.remainder:
            yield "not worked out", int(self.remainder * total), total, decimal(self.remainder, 9)

    def to_json(self) -> dict[str, Any]:
        """Give the distribution as plain data, in the form of the published schema ``odds``."""
        data = {
            "of": list(self.names) if self.names else self.of,
            "total": "1",
            "outcomes": [
                {"value": to_json(value), "chance": self.shown(value), "reduced": written(self[value])}
                for value in self
            ],
            "exact": self.exact,
        }
        if self._remainder:
            data["remainder"] = self.shown_weight(self._remainder)
        return data

    @property
    def source(self) -> str:
        """Where the chances come from, in a word or two, for people."""
        return "exact" if self.exact else "not exact"

    def text(self, width: int | None = None, *, rows: int = 40, plain: bool = False) -> str:
        """Draw the distribution in text: a line with a bar for each outcome.

        Args:
            width: How many columns there are; those of the terminal if not given.
            rows: How many outcomes are shown: the likeliest, where there are more.
            plain: Whether to keep to letters that every terminal has.
        """
        return as_text(self._bars(), width, rows, plain=plain)

    def __str__(self) -> str:
        """Draw it in text."""
        return self.text()

    def __repr__(self) -> str:
        """Show the chances, the first few of many."""
        some = [f"{value!r}: {self.shown(value)}" for value in list(self)[:8]]
        more = ["..."] if len(self) > len(some) else []
        return f"{type(self).__name__}({{{', '.join([*some, *more])}}})"

    def _repr_html_(self) -> str:
        return as_html(self._bars())

    def _repr_mimebundle_(self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None) -> Any:
        bundle = {
            "text/plain": self.text(80),
            "text/html": as_html(self._bars()),
            "application/vnd.vegalite.v5+json": vega_lite(self._bars()),
        }
        wanted = set(bundle if include is None else include) - set(exclude or ())
        return {kind: shown for kind, shown in bundle.items() if kind in wanted}

    def _bars(self) -> Bars:
        of = ", ".join(self.names) or self.of
        heading = f"{of or 'odds'} ({self.source})"
        return Bars(heading, of, self._weights, self._total, self.remainder, self.beside, self.shown)

    # -- as a value -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Two distributions are equal when every chance is, whatever the totals."""
        if isinstance(other, Distribution):
            same = self._reduced() == other._reduced()
            return same and self.remainder == other.remainder
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _reduced(self) -> dict[Any, int]:
        whole = gcd(self._total, self._remainder, *self._weights.values())
        return {value: weight // whole for value, weight in self._weights.items()}

    def __reduce__(self) -> tuple[Callable[..., Distribution], tuple[Any, ...]]:
        """Pickle as weights."""
        make = partial(
            Distribution, remainder=self._remainder, order=self._order, of=self.of, names=self.names
        )  # fmt: skip
        return make, (self._weights, self._total)


def _hashable(value: Any) -> Any:
    """What a caller looks for, as an outcome; what can't be one is none."""
    try:
        hash(outcome := as_outcome(value))
    except TypeError:
        return object()
    return outcome
