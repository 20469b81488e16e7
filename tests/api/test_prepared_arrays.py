"""Prepared rolls in arrays of NumPy, for one situation or for a row of each of many."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from tests.api.skirmish import TEXT
from tests.api.test_prepared_rolls import DIE, FACTS, RUNS, fits

import enfilade
from enfilade import ArgumentError, Distribution, InputError, OddsError, PreparedRoll, PreparedRolls, RefusedOdds

np = pytest.importorskip("numpy", reason="NumPy is an optional extra")
pytestmark = pytest.mark.thorough

RULES = enfilade.load(text=TEXT)


@pytest.fixture(scope="module")
def shot() -> PreparedRoll:
    return enfilade.load("infantry_attacks").prepare("direct_fire", fire_value=16)


@pytest.fixture(scope="module")
def fires() -> PreparedRolls:
    return RULES.prepare_many("shoot", FACTS)


def test_arrays_are_as_likely_as_the_odds(shot: PreparedRoll) -> None:
    rng = np.random.default_rng(1)
    for drawn in (
        shot.rolls(RUNS, 1).tolist(),
        shot.rolls((200, 100), random.Random(1)).ravel().tolist(),
        shot.rolls(RUNS).tolist(),
        [shot.roll(rng) for _ in range(RUNS)],
    ):
        assert fits(drawn, shot.distribution)


def test_a_pool_of_many_dice_is_rolled_exactly() -> None:
    """Its weights need more than 64 bits."""
    pool = DIE.times(60)
    assert pool.total > 1 << 64
    tens = pool.map(lambda total: total // 10)
    assert abs(float(PreparedRoll(tens).rolls(40_000, 7).mean()) - float(tens.mean)) < 0.03


def test_the_same_seed_gives_the_same_array(shot: PreparedRoll) -> None:
    for first, second in ((3, np.random.default_rng(3)), (random.Random(3), random.Random(3))):
        assert shot.rolls(50, first).tolist() == shot.rolls(50, second).tolist()
    rng = np.random.default_rng(3)
    assert shot.rolls(50, 3).tolist() != shot.rolls(50, 4).tolist()
    assert shot.rolls(50, rng).tolist() != shot.rolls(50, rng).tolist()


def test_positions_are_places_in_the_outcomes(shot: PreparedRoll, fires: PreparedRolls) -> None:
    positions = shot.positions(50, 3)
    assert (positions.dtype, fires.positions(7, 1).dtype) == (np.int8, np.int8)
    assert [shot.outcomes[place] for place in positions] == shot.rolls(50, 3).tolist()
    assert fires.rolls(7, 1).tolist() == [[fires.outcomes[place] for place in row] for row in fires.positions(7, 1)]


@pytest.mark.parametrize(
    ("distribution", "dtype"),
    [
        (DIE, "int64"),
        (DIE.map(lambda face: face > 3), "bool"),
        (DIE.map(lambda face: f"M{face}"), "<U2"),
        (DIE.map(lambda face: Fraction(face, 2)), "object"),
        (DIE.map(lambda face: (face, face)), "object"),
        (DIE.map(lambda face: face + 2**63), "object"),
        (DIE.map(lambda face: face if face > 1 else "miss"), "object"),
    ],
)
def test_arrays_have_the_type_of_the_outcomes(distribution: Distribution, dtype: str) -> None:
    rolled = PreparedRoll(distribution).rolls((4, 5), 1)
    assert (rolled.shape, rolled.dtype) == ((4, 5), np.dtype(dtype))
    assert {value for row in rolled.tolist() for value in row} <= set(distribution)


def test_several_questions_are_fields_of_one_array() -> None:
    rolled = RULES.prepare("shoot", of=["sum", "lucky", "result"], fire=5).rolls(2000, 1)
    assert (rolled.dtype.names, rolled.dtype["sum"]) == (("sum", "lucky", "result"), np.int64)
    assert ((rolled["sum"] == 12) == rolled["lucky"]).all()
    assert set(rolled["result"].tolist()) == {"-", "M", "X"}
    rows = RULES.prepare_many("shoot", {"fire": [1, 10]}, of=["result", "sum"]).rolls(9, 1)
    assert (rows.shape, rows.dtype.names) == ((2, 9), ("result", "sum"))


def test_the_values_of_a_prepared_roll_do_not_change(shot: PreparedRoll) -> None:
    with pytest.raises(ValueError, match="read-only"):
        shot.values[0] = "3X"
    shot.rolls(3, 1)[0] = "3X"


NO_SIZE = "is not a size; allowed: a whole number of 0 or more, or a tuple of them"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        *(((size,), NO_SIZE) for size in (-1, (2, -1))), ((3, -1), "can't roll"),
        *(((size,), "size takes a whole number or") for size in (1.5, True, "3")),
        *(((3, rng), "rng takes a generator of random numbers or") for rng in ("x", 1.5)),
    ],
)  # fmt: skip
def test_what_is_no_size_or_no_generator_of_arrays_is_refused(
    shot: PreparedRoll, given: tuple[Any, ...], told: str
) -> None:
    with pytest.raises((ArgumentError, InputError), match=told):
        shot.rolls(*given)


def test_two_equal_questions_have_no_array() -> None:
    twice = RULES.prepare("shoot", of=["sum", "sum"], fire=5)
    assert twice.roll(random.Random(1)) == (4, 4)
    with pytest.raises(OddsError, match="`sum` is requested twice"):
        twice.rolls(3)


# --------------------------------------------------------------------------------------------- a row for each situation


def test_columns_may_be_arrays() -> None:
    columns = {"fire": np.array([1, 10]), "night": np.array([True, False]), "cover": np.array(["open", "woods"])}
    fires = RULES.prepare_many("shoot", columns)
    assert fires[0].distribution == RULES.odds("shoot", fire=1, night=True).result
    assert fires[1].distribution == RULES.odds("shoot", fire=10, cover="woods").result


def test_arrays_have_a_row_for_each_situation(fires: PreparedRolls) -> None:
    many = fires.rolls(RUNS, 1)
    assert [fits(many[row].tolist(), fires[row].distribution) for row in range(4)] == [True] * 4
    assert many[0].tolist() != many[2].tolist()
    shapes = [fires.rolls().shape, fires.rolls((), 1).shape, fires.rolls((2, 3), 1).shape]
    assert (shapes, fires.rolls(7, 1).dtype) == ([(4, 1), (4,), (4, 2, 3)], np.dtype("<U1"))
    assert RULES.prepare_many("shoot", {"fire": []}).rolls(5, 1).shape == (0, 5)


def test_a_row_rolls_the_same_beside_other_rows() -> None:
    """The digits of a row depend on its number alone, so two studies can be compared row by row."""
    first, second = (
        RULES.prepare_many("shoot", {"fire": fire}).rolls(50, 9).tolist() for fire in ([1, 10, 5, 10], [10, 10, 1, 10])
    )
    assert [first[row] == second[row] for row in (0, 1, 3)] == [False, True, True]


def test_chances_are_those_of_the_odds(fires: PreparedRolls) -> None:
    chances = fires.chances()
    assert (chances.shape, chances.dtype) == ((4, 3), np.float64)
    for row in range(4):
        assert chances[row].tolist() == [float(fires[row].distribution[each]) for each in fires.outcomes]


def test_a_refused_row_raises_only_when_it_is_rolled() -> None:
    fires = RULES.prepare_many("shoot", {"distance": [1, 30, 2, 30]}, fire=10)
    for ask in (fires.rolls, fires.chances):
        with pytest.raises(RefusedOdds, match=r"^row [13]: .*too_far"):
            ask()
    assert fires.accepted().rolls(5, 1).shape == (2, 5)
