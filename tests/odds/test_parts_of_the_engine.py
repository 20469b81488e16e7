"""Parts of the engine by themselves: what no answer shows, because a slower or longer way gives the same one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.differential.programs import program
from tests.odds.comparing import situation

from enfilade.core import ir
from enfilade.core.values import Ref
from enfilade.engines.odds import exact_odds, forward
from enfilade.engines.odds.analysis.demands import ELEMENTS, NUMBER
from enfilade.engines.odds.analysis.variables import ALL
from enfilade.engines.odds.dice.convolution import multiply
from enfilade.engines.odds.dice.multisets import multisets
from enfilade.engines.odds.dice.pool import Group, Side
from enfilade.engines.odds.expectimax.mixture import Mixture, Vertex, mixed
from enfilade.engines.odds.states import meter
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, no_states, with_parts
from enfilade.engines.odds.states.meter import Meter
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.engines.odds.steps import plain
from enfilade.engines.odds.steps.loops import filled
from enfilade.errors import LimitError
from enfilade.limits import Limits

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


def test_mixtures_with_the_same_chances_are_the_same() -> None:
    assert Mixture({1: 1, 2: 2}, 3).same_as(Mixture({1: 4, 2: 8}, 12))
    assert not Mixture({1: 1, 2: 2}, 3).same_as(Mixture({1: 4, 2: 7}, 12))
    assert not Mixture({1: 1}, 2).same_as(Mixture({1: 1}, 3))


def test_what_was_cut_off_in_the_parts_is_cut_off_in_their_mixture() -> None:
    half, whole = Mixture({1: 1}, 2, cut=Fraction(1, 2)), Mixture({1: 1}, 1)
    both = mixed([(1, 4, half), (2, 4, whole)])
    assert both.cut == Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 4)
    assert both.lost == both.reach == both.cut
    assert mixed([(1, 1, whole)]).cut == 0


def test_what_was_cut_off_behind_a_vertex_counts_with_its_chance() -> None:
    vertex = Vertex(lost=Fraction(1, 2), reach=Fraction(3, 4))
    found = Mixture({vertex: 1, 5: 1}, 4, cut=Fraction(1, 4))
    assert found.lost == Fraction(2, 4) + Fraction(1, 4) * Fraction(1, 2)
    assert found.reach == Fraction(1, 4) + Fraction(1, 4) * Fraction(3, 4)


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
    class Watch:
        """A clock that the items set: each takes a ten-thousandth of a second."""

        now = 0.0

        def elapsed(self) -> float:
            return Watch.now

        def has_passed(self, seconds: float) -> bool:
            return Watch.now > seconds

    monkeypatch.setattr(meter, "Stopwatch", Watch)

    def items() -> Iterator[int]:
        for item in range(number):
            Watch.now = item * 1e-4
            yield item

    paced = Meter(Limits(seconds=3, megabytes=None)).paced(items(), number)
    if is_refused:
        with pytest.raises(LimitError):
            list(paced)
    else:
        assert len(list(paced)) == number


# ------------------------------------------------------------------------------------------------------------ steps


def test_a_step_that_only_copies_a_local_runs_for_all_states_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "procedure main\n  1. roll 4 d6 as dice\n  2. give result = dice.total\n"
    ran: list[Any] = []

    def counted(*given: Any) -> Any:
        ran.append(given)
        return plain.run_plain(*given)

    monkeypatch.setattr(forward, "run_plain", counted)
    answer = exact_odds(situation(program(text), "main"), (ir.Local("result"),))
    assert Fraction(answer.weights[4,], answer.total) == Fraction(1, 6**4)
    assert not ran
