"""The strict operators: a table from the names in ``ir.Op`` to functions on values.

No other module defines arithmetic, comparison or list operations. Numbers stay exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from enfilade.errors import LimitError, RuleError
from enfilade.limits import LEAST_BITS, in_force
from enfilade.values.data import FrozenMap, Number, Ref, Roll, exact

_ONE = Fraction(1)


def _bits(number: Number) -> int:
    if type(number) is int:
        return number.bit_length()
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _check_bits(bits: int) -> None:
    if bits > LEAST_BITS and bits > in_force().bits:
        raise LimitError("bits", f"a number grew beyond {in_force().bits} bits")


def check_length(length: int) -> None:
    """Raise ``LimitError`` if a list would be too long."""
    if length > in_force().length:
        raise LimitError("length", f"a list may have at most {in_force().length} elements")


def checked(number: Number) -> Number:
    """Return the number, or raise ``LimitError`` if it is too large."""
    _check_bits(_bits(number))
    return exact(number)


def multiply(a: Number, b: Number) -> Number:
    """The product; its size is checked before it is computed."""
    _check_bits(_bits(a) + _bits(b))
    return exact(a * b)


def divide(a: Number, b: Number) -> Number:
    """The exact quotient."""
    if b == 0:
        raise RuleError("the rules divide by 0: guard the division with `when`")
    return checked(_ONE * a / b)


def remainder(a: Number, b: Number) -> Number:
    """The remainder of *a* divided by *b*; it has the sign of *b*."""
    if b == 0:
        raise RuleError("the rules divide by 0: guard the division with `when`")
    return exact(a % b)


def round_down(a: Number) -> int:
    """Round towards minus infinity."""
    return a.__floor__()


def round_up(a: Number) -> int:
    """Round towards plus infinity."""
    return a.__ceil__()


def round_nearest(a: Number) -> int:
    """Round to the nearest whole number, halves up."""
    return (a + Fraction(1, 2)).__floor__()


def round_half_down(a: Number) -> int:
    """Round to the nearest whole number, halves down."""
    return (a - Fraction(1, 2)).__ceil__()


def round_half_even(a: Number) -> int:
    """Round to the nearest whole number, halves to even."""
    return round(a)


def at_least(a: Number, low: Number) -> Number:
    """*a*, but at least *low*."""
    return low if a < low else a


def at_most(a: Number, high: Number) -> Number:
    """*a*, but at most *high*."""
    return high if a > high else a


def within(a: Number, low: Number | None, high: Number | None) -> bool:
    """Whether *a* lies in a band, ends included; ``None`` means no bound."""
    return (low is None or low <= a) and (high is None or a <= high)


def whole_range(low: int, high: int) -> tuple[int, ...]:
    """The whole numbers from *low* to *high*."""
    check_length(high - low + 1)
    return tuple(range(low, high + 1))


def is_even(a: Number) -> bool:
    """Whether *a* is a whole even number."""
    return a % 2 == 0


def is_odd(a: Number) -> bool:
    """Whether *a* is a whole odd number."""
    return a % 2 == 1


def is_doubles(roll: Roll) -> bool:
    """Whether two or more dice all show the same face."""
    return len(roll.faces) > 1 and len(set(roll.faces)) == 1


def has(items: tuple[Any, ...], item: Any) -> bool:
    """Whether a list or a set has an element."""
    return item in items


def item(index: int, items: tuple[Any, ...]) -> Any:
    """The element at *index*, counted from 1."""
    if not 1 <= index <= len(items):
        raise RuleError(f"there is no item {index} in a list of length {len(items)}")
    return items[index - 1]


def with_item(index: int, items: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    """The list with another element at *index*, counted from 1."""
    item(index, items)
    return (*items[: index - 1], value, *items[index:])


def first(count: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The first *count* elements."""
    return items[: max(count, 0)]


def last(count: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The last *count* elements."""
    return items[len(items) - min(max(count, 0), len(items)) :]


def followed(items: tuple[Any, ...], more: tuple[Any, ...]) -> tuple[Any, ...]:
    """Concatenate two lists."""
    check_length(len(items) + len(more))
    return items + more


def without(items: tuple[Any, ...], gone: tuple[Any, ...]) -> tuple[Any, ...]:
    """Multiset difference: each element of *gone* removes the first equal element of the list."""
    rest = list(items)
    for each in gone:
        if each in rest:
            rest.remove(each)
    return tuple(rest)


def spread(amount: int, room: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Every way to spread *amount* as evenly as possible over elements that can each take as much as *room* says.

    One by one, each falls on an element that has had the fewest so far and has room left; what has no room is lost. So
    all go up together, and only in the last round is there anything to choose.

    Examples:
        >>> spread(4, (3, 1, 2)), spread(2, (0, 3)), spread(9, (1, 1))
        (((2, 1, 1), (1, 1, 2)), ((0, 2),), ((1, 1),))
    """
    left, level = max(amount, 0), 0
    while (living := [each for each in room if each > level]) and left >= len(living):
        rounds = min(min(living) - level, left // len(living))
        left -= rounds * len(living)
        level += rounds
    base = tuple(min(max(each, 0), level) for each in room)
    places = [place for place, each in enumerate(room) if each > level]
    count = min(left, len(places))
    check_length(comb(len(places), count))
    return tuple(
        tuple(had + (place in chosen) for place, had in enumerate(base)) for chosen in combinations(places, count)
    )


def selections(items: tuple[Any, ...], low: int, high: int | None) -> tuple[tuple[Any, ...], ...]:
    """Every selection of *low* to *high* elements, small ones first; a record is one element, however often listed.

    The order of the list has no meaning, so that of a selection doesn't depend on it: its elements are sorted.

    Examples:
        >>> selections((6, 2, 6), 0, 2), selections((4,), 2, None)
        (((), (2,), (6,), (2, 6), (6, 6)), ((4,),))
    """
    copies = Counter(sorted(items, key=_rank))
    copies.update({each: 1 - times for each, times in copies.items() if isinstance(each, Ref)})
    most = min(sum(copies.values()), max(sum(copies.values()) if high is None else high, 0))
    least = min(max(low, 0), most)
    found: list[tuple[Any, ...]] = [()]
    for each, times in copies.items():
        check_length(len(found) * (times + 1))
        found = [
            (*way, *(each,) * taken) for way in found for taken in range(times, -1, -1) if len(way) + taken <= most
        ]
    return tuple(sorted((way for way in found if len(way) >= least), key=len))


def as_much(amount: Number, items: tuple[Any, ...], values: tuple[Number, ...]) -> tuple[tuple[Any, ...], ...]:
    """The selections whose values add up to as much as possible without passing an amount, sorted like `selections`.

    Elements without a value above 0 are never selected.

    Examples:
        >>> as_much(5, (3, 3, 2), (3, 3, 2)), as_much(1, (2,), (2,)), as_much(4, (2, 2, 1), (2, 2, 1))
        (((2, 3),), ((),), ((2, 2),))
    """
    return _nearest(amount, _valued(items, values))


def just_enough(amount: Number, items: tuple[Any, ...], values: tuple[Number, ...]) -> tuple[tuple[Any, ...], ...]:
    """The selections whose values add up to as little as possible but at least an amount, sorted like `selections`.

    What they leave is as much as possible of what may be left. If all elements don't reach the amount, it is all of them.

    Examples:
        >>> just_enough(5, (3, 3, 2), (3, 3, 2)), just_enough(4, (3, 3), (3, 3)), just_enough(9, (2, 1), (2, 1))
        (((2, 3),), ((3, 3),), ((1, 2),))
    """
    pairs = _valued(items, values)
    left = _nearest(sum(value for _, value in pairs) - amount, pairs)
    whole = tuple(each for each, _ in pairs)
    return tuple(without(whole, each) for each in reversed(left))


def _valued(items: tuple[Any, ...], values: tuple[Number, ...]) -> list[tuple[Any, Number]]:
    """The elements with a value above 0, each with it, in order; a record is one element, however often listed."""
    pairs = [(each, value) for each, value in zip(items, values, strict=True) if value > 0]
    pairs = [*dict.fromkeys(pairs)] if any(isinstance(each, Ref) for each, _ in pairs) else pairs
    return sorted(pairs, key=lambda pair: _rank(pair[0]))


def _nearest(amount: Number, pairs: list[tuple[Any, Number]]) -> tuple[tuple[Any, ...], ...]:
    """The selections whose values come nearest to an amount without passing it."""
    # The sums that the elements from a place on can make.
    sums: list[set[Number]] = [{0}]
    for _, value in reversed(pairs):
        sums.append({*sums[-1], *(total for each in sums[-1] if (total := each + value) <= amount)})
        check_length(len(sums[-1]))
    sums.reverse()
    found: list[tuple[tuple[Any, ...], Number]] = [((), max(sums[0]))]
    for (each, value), after in zip(pairs, sums[1:], strict=True):
        ways = (way for way, left in found for way in (((*way, each), left - value), (way, left)))
        found = [*dict.fromkeys((way, left) for way, left in ways if left in after)]
        check_length(len(found))
    return tuple(sorted((way for way, _ in found), key=len))


def _rank(value: Any) -> tuple[int, Any]:
    """The place of an element of a list among others: numbers by their size, words and records by their names."""
    if isinstance(value, (int, Fraction)):
        return 0, value
    return (1, value.key) if isinstance(value, Ref) else (2, str(value))


def entry(entries: Mapping[Any, Any], key: Any) -> Any:
    """The value of a key in a map."""
    if key not in entries:
        shown = "none" if key is None else getattr(key, "key", key)
        raise RuleError(f"the map has no value for {shown}")
    return entries[key]


def with_entry(entries: Mapping[Any, Any], key: Any, value: Any) -> FrozenMap:
    """A copy of a map in which a key has another value."""
    entry(entries, key)
    return FrozenMap({**entries, key: value})


def full_map(words: tuple[str, ...], *values: Any) -> FrozenMap:
    """A map from words to values, in the order of the words."""
    return FrozenMap(zip(words, values, strict=True))


def keys(entries: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The keys of a map, in the order of the map."""
    return tuple(entries)


def rank(order: tuple[str, ...], code: Any) -> int:
    """The severity of a code: its index in the order from mild to severe."""
    if code is None:
        raise TypeError("none has no rank")
    return order.index(code)


def as_severe(order: tuple[str, ...], code: Any, limit: Any) -> bool:
    """Whether *code* is at least as severe as *limit*; false if either is outside the order."""
    return code in order and limit in order and order.index(code) >= order.index(limit)


def as_mild(order: tuple[str, ...], code: Any, limit: Any) -> bool:
    """Whether *code* is at most as severe as *limit*; false if either is outside the order."""
    return code in order and limit in order and order.index(code) <= order.index(limit)


def code_of(cell: Any) -> str:
    """Write a cell as a printed code."""
    return str(cell)


def die_among(which: Any, allowed: tuple[Any, ...]) -> Any:
    """The number of sides, or the name, of a die, if it is one of those that a roll can have."""
    if which not in allowed:
        raise RuleError(f"there is no die for {which}; allowed: {allowed[0]} to {allowed[-1]}")
    return which


def without_cards(left: tuple[Any, ...], gone: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cards of a deck, without some that leave it."""
    rest = list(left)
    for card in gone:
        if card not in rest:
            raise RuleError(f"{card} is not in the deck")
        rest.remove(card)
    return tuple(rest)


def copies(items: tuple[tuple[Any, ...], ...], times: tuple[int, ...]) -> tuple[Any, ...]:
    """The cards of a deck: each group of cards as often as its number says."""
    check_length(sum(map(len, items)) * max(times, default=0))
    return tuple(item for group, number in zip(items, times, strict=True) for item in group * number)


def with_cards(left: tuple[Any, ...], back: tuple[Any, ...], deck: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cards of a deck, with some that go back, in the order of the whole deck."""
    rest, in_order = [*left, *back], []
    for card in deck:
        if card in rest:
            rest.remove(card)
            in_order.append(card)
    if rest:
        raise RuleError(f"{rest[0]} can't go back to the deck: no copy of it was drawn")
    return tuple(in_order)


OPERATORS: Mapping[str, Callable[..., Any]] = {
    "add": lambda a, b: checked(a + b),
    "subtract": lambda a, b: checked(a - b),
    "multiply": multiply,
    "divide": divide,
    "mod": remainder,
    "negative": lambda a: -a,
    "absolute": abs,
    "round down": round_down,
    "round up": round_up,
    "round nearest": round_nearest,
    "round half down": round_half_down,
    "round half even": round_half_even,
    "at least": at_least,
    "at most": at_most,
    "within": within,
    "range": whole_range,
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "even": is_even,
    "odd": is_odd,
    "doubles": is_doubles,
    "has": has,
    "item": item,
    "with item": with_item,
    "followed": followed,
    "without": without,
    "spread": spread,
    "selections": selections,
    "as much as possible": as_much,
    "just enough": just_enough,
    "first": first,
    "last": last,
    "entry": entry,
    "with entry": with_entry,
    "map": full_map,
    "keys": keys,
    "rank": rank,
    "as severe": as_severe,
    "as mild": as_mild,
    "code": code_of,
    "die": die_among,
    "without cards": without_cards,
    "with cards": with_cards,
    "copies": copies,
}
