"""Parts of the engine by themselves: what no answer shows, because a slower or longer way gives the same one."""

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
from tests.differential.programs import program
from tests.odds.comparing import situation

from enfilade.core import ir
from enfilade.engines.odds import exact_odds, forward
from enfilade.engines.odds.analysis.demands import ELEMENTS, NUMBER
from enfilade.engines.odds.analysis.variables import ALL
from enfilade.engines.odds.dice.convolution import multiply
from enfilade.engines.odds.dice.multisets import multisets
from enfilade.engines.odds.dice.pool import Group, Side
from enfilade.engines.odds.dice.tails import Undecided, highest, lowest, tail
from enfilade.engines.odds.expectimax.mixture import Mixture, Vertex, mixed
from enfilade.engines.odds.rolls.draws import number_of_hands
from enfilade.engines.odds.states import meter
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, no_states, with_parts
from enfilade.engines.odds.states.meter import Meter
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.engines.odds.steps import plain
from enfilade.engines.odds.steps.loops import filled
from enfilade.errors import LimitError
from enfilade.limits import Limits
from enfilade.values.data import Ref

# -------------------------------------------------------------------------------------------------- hands of cards


@pytest.mark.parametrize("kinds", [[3], [1, 1, 1], [2, 2], [4, 1, 2]])
def test_the_number_of_different_hands(kinds: list[int]) -> None:
    cards = [kind for kind, there in enumerate(kinds) for _ in range(there)]
    for count in (1, 2, 3):
        assert number_of_hands(kinds, count) == len(set(combinations(cards, count))), count


# -------------------------------------------------------------------------------------------- states before a loop


def test_a_state_with_an_unchanged_field_equals_the_one_that_has_its_value() -> None:
    slots = SlotTable()
    steps, deck, local = (
        slots.number("field", Ref("unit", "a"), "steps"),
        slots.number("deck", "chits"),
        slots.number("local", 1, "die"),
    )
    ctx = cast(Context, SimpleNamespace(slots=slots))
    start: dict[int, Any] = {steps: 2, deck: (1, 2), local: 6}
    origin = Origin((), {}, cast(Any, SimpleNamespace(base=start.__getitem__)))
    layout = (steps, deck, local)
    states = Distribution(
        layout, {(2, UNCHANGED, 1): 1, (UNCHANGED, (1, 2), 1): 2, (1, (), UNCHANGED): 3, (UNCHANGED, (), 1): 4}, 10
    )
    found = filled(ctx, states, origin)
    assert (found.slots, found.total) == (layout, 10)
    assert found.rows == {(2, (1, 2), 1): 3, (1, (), UNCHANGED): 3, (2, (), 1): 4}


def test_no_states_read_nothing() -> None:
    ctx = cast(Context, SimpleNamespace(slots=SlotTable()))
    assert not filled(ctx, no_states(), Origin((), {}, cast(Any, None))).rows


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ({ELEMENTS}, (1, 2, 2)),
        ({NUMBER, ELEMENTS}, (1, 2, 2)),
        ({NUMBER}, (None, None, None)),
        ({NUMBER, ALL}, (2, 1, 2)),
        ({ELEMENTS, ALL}, (2, 1, 2)),
    ],
)
def test_of_a_list_a_state_keeps_what_is_read(parts: set[str], kept: tuple[Any, ...]) -> None:
    assert with_parts((2, 1, 2), frozenset(parts)) == kept


# ------------------------------------------------------------------------------------------------------- mixtures


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (Mixture({1: 1, 2: 2}, 3), Mixture({1: 4, 2: 8}, 12), True),
        (Mixture({1: 1, 2: 2}, 3), Mixture({1: 4, 2: 7}, 12), False),
        (Mixture({1: 1}, 2), Mixture({1: 1}, 3), False),
    ],
)
def test_mixtures_with_the_same_chances_are_the_same(one: Mixture, other: Mixture, is_same: bool) -> None:
    assert one.same_as(other) is is_same


def test_what_was_cut_off_in_the_parts_is_cut_off_in_their_mixture() -> None:
    half, whole = Mixture({1: 1}, 2, cut=Fraction(1, 2)), Mixture({1: 1}, 1)
    both, cut = mixed([(1, 4, half), (2, 4, whole)]), Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 4)
    assert (both.cut, both.lost, both.reach, mixed([(1, 1, whole)]).cut) == (cut, cut, cut, 0)


def test_what_was_cut_off_behind_a_vertex_counts_with_its_chance() -> None:
    vertex = Vertex(lost=Fraction(1, 2), reach=Fraction(3, 4))
    found = Mixture({vertex: 1, 5: 1}, 4, cut=Fraction(1, 4))
    lost, reach = Fraction(2, 4) + Fraction(1, 4) * Fraction(1, 2), Fraction(1, 4) + Fraction(1, 4) * Fraction(3, 4)
    assert (found.lost, found.reach) == (lost, reach)


def test_long_weights_are_shortened_only_where_a_part_is_open_anyway() -> None:
    total = 3**4_000
    exact = Mixture({1: 1, 2: total - 1}, total)
    assert exact.shortened() is exact
    short = Mixture({1: total // 3}, total, cut=Fraction(2, 3))
    found = short.shortened()
    assert found.total == 2**1_024
    assert 0 <= Fraction(1, 3) - Fraction(found.weights[1], found.total) < Fraction(1, 2**1_023)
    assert Mixture({1: 1}, 2, cut=Fraction(1, 2)).shortened().total == 2


# ------------------------------------------------------------------------------------------------------ the budget


def test_listing_multisets_counts_their_dice() -> None:
    sides = tuple(Side(ir.Face(number, number), 1) for number in range(1, 7))
    counted = Meter(Limits(seconds=None, megabytes=None))
    assert len(list(multisets([Group(3, sides)], counted))) == 56
    assert counted.products == 56 * 3 + 56


def test_multiplying_polynomials_counts_their_products() -> None:
    counted = Meter(Limits(seconds=None, megabytes=None))
    found = multiply({(0, 1): 1, (1, 0): 2}, {(0, 0): 1, (2, 2): 3, (1, 1): 1}, counted)
    assert found == {(0, 1): 1, (2, 3): 3, (1, 2): 1, (1, 0): 2, (3, 2): 6, (2, 1): 2}
    assert counted.products == 2 * 3


@pytest.mark.parametrize(("number", "is_refused"), [(20_000, False), (100_000, True)])
def test_a_pace_is_judged_by_what_is_left(number: int, is_refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Mock()
    watch.has_passed = lambda seconds: watch.elapsed() > seconds
    monkeypatch.setattr(meter, "Stopwatch", lambda: watch)

    def items() -> Iterator[int]:
        """Each takes a ten-thousandth of a second."""
        for item in range(number):
            watch.elapsed.return_value = item * 1e-4
            yield item

    watch.elapsed.return_value = 0.0
    paced = Meter(Limits(seconds=3, megabytes=None)).paced(items(), number)
    with pytest.raises(LimitError) if is_refused else nullcontext():
        assert len(list(paced)) == number


# ------------------------------------------------------------------------------------------------------------ steps


def test_a_step_that_only_copies_a_local_runs_for_all_states_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "procedure main\n  1. roll 4 d6 as dice\n  2. give result = dice.total\n"
    ran = Mock(side_effect=plain.run_plain)
    monkeypatch.setattr(forward, "run_plain", ran)
    answer = exact_odds(situation(program(text), "main"), (ir.Local("result"),))
    assert Fraction(answer.weights[4,], answer.total) == Fraction(1, 6**4)
    assert ran.call_count == 0


COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def answers(ask: Callable[[Any], Any], low: int) -> set[Any]:
    """What numbers of the interval answer: the first ones, and one far out."""
    return {ask(number) for number in (*range(low, low + 8), 10**6)}


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_comparison_is_answered_if_all_numbers_agree(compare: Any, swapped: bool) -> None:
    for low in range(4):
        for other in range(-1, 7):

            def ask(number: Any, other: int = other) -> Any:
                return compare(other, number) if swapped else compare(number, other)

            wanted = answers(ask, low)
            if len(wanted) == 1:
                assert ask(tail(low)) is wanted.pop()
            else:
                with pytest.raises(Undecided):
                    ask(tail(low))


@pytest.mark.parametrize(
    "compute",
    [
        pytest.param(lambda x: x + 3, id="plus"),
        pytest.param(lambda x: 3 + x, id="to a number"),
        pytest.param(lambda x: x - 3, id="minus"),
        pytest.param(lambda x: x * 2, id="times"),
        pytest.param(lambda x: 2 * x, id="a number times"),
        pytest.param(lambda x: x / Fraction(2), id="divided"),
        pytest.param(lambda x: math.floor(x / Fraction(2)), id="rounded down"),
        pytest.param(lambda x: math.ceil(x / Fraction(2)), id="rounded up"),
        pytest.param(lambda x: x + x, id="twice"),
        pytest.param(lambda x: highest(x, 2), id="highest"),
        pytest.param(lambda x: highest([x, 9]), id="highest of a list"),
    ],
)
def test_a_rising_calculation_begins_at_the_lowest_number(compute: Callable[[Any], Any]) -> None:
    for low in range(4):
        assert compute(tail(low)) is tail(min(answers(compute, low)))


@pytest.mark.parametrize(
    "compute",
    [
        pytest.param(lambda x: 3 - x, id="subtracted"),
        pytest.param(lambda x: x - x, id="minus itself"),
        pytest.param(lambda x: x * 0, id="times nothing"),
        pytest.param(lambda x: x * -1, id="times a negative number"),
        pytest.param(lambda x: x * tail(2), id="times a tail"),
        pytest.param(lambda x: x / 0, id="divided by nothing"),
        pytest.param(lambda x: 6 / x, id="a divisor"),
        pytest.param(lambda x: x % 2, id="modulo"),
        pytest.param(lambda x: -x, id="negative"),
        pytest.param(abs, id="absolute"),
        pytest.param(round, id="rounded to nearest"),
        pytest.param(lambda x: lowest(x, 9), id="lowest of it and a number within"),
        pytest.param(lambda x: tail(3) == x, id="another tail"),
    ],
)
def test_other_calculations_are_undecided(compute: Callable[[Any], Any]) -> None:
    with pytest.raises(Undecided):
        compute(tail(2))


def test_the_lowest_is_a_number_below_the_tail_or_the_lowest_tail() -> None:
    found = (lowest(tail(5), 2, 9), lowest([tail(5), tail(3)]), lowest(4, 2), highest([4, 2]))
    assert found == (2, tail(3), 2, 4)


def test_the_mean_of_a_scaled_tail_is_scaled() -> None:
    assert (tail(2, None, Fraction(5)) * 3).mean == 15
    assert (3 * tail(2, None, Fraction(5)) + 1).mean == 16
