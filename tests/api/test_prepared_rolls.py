"""Prepared rolls: draws from the exact odds, one at a time and in arrays."""

import copy
import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import Distribution, InputError, LimitError, Limits, NeedsPolicy, OddsError, PreparedRoll, RefusedOdds

RULES = enfilade.load(text=TEXT)
PRINTED = enfilade.load("infantry_attacks")
DIE = Distribution(dict.fromkeys(range(1, 7), 1), of="die")
RUNS = 40_000


def fits(drawn: Iterable[Any], exact: Distribution) -> bool:
    """A chi-square test: true unless the draws are less likely than about once in ten thousand times."""
    counts = Counter(drawn)
    runs, degrees = sum(counts.values()), len(exact) - 1
    statistic = sum((counts[value] - runs * chance) ** 2 / (runs * chance) for value, chance in exact.items())
    return set(counts) <= set(exact) and float(statistic) < degrees + 4 * (2 * degrees) ** 0.5 + 8


@pytest.fixture
def np() -> Any:
    """NumPy, where it is installed."""
    return pytest.importorskip("numpy", reason="NumPy is an optional extra")


@pytest.fixture
def shot() -> PreparedRoll:
    """A shot of the printed game."""
    return PRINTED.prepare("direct_fire", fire_value=16)


# -------------------------------------------------------------------------------------------------- what is rolled


def test_it_rolls_the_result_with_the_weights_of_the_odds(shot: PreparedRoll) -> None:
    exact = PRINTED.odds("direct_fire", fire_value=16).result
    assert shot.distribution.weights == exact.weights
    assert shot.outcomes == tuple(exact)
    assert repr(shot) == "<PreparedRoll of result: 6 outcomes>"


def test_it_rolls_any_question() -> None:
    shot = RULES.prepare("shoot", of="sum", fire=5)
    assert shot.distribution == RULES.odds("shoot", fire=5).of("sum")
    assert RULES.prepare("shoot", of="M or worse", fire=5).outcomes == (False, True)


def test_several_questions_are_rolled_on_the_same_dice() -> None:
    shot, rng = RULES.prepare("shoot", of=["sum", "lucky"], fire=5), random.Random(1)
    assert shot.distribution == RULES.odds("shoot", fire=5).joint("sum", "lucky")
    rolled = {shot.roll(rng) for _ in range(500)}
    assert rolled == {(total, total == 12) for total in range(2, 13)}


def test_it_takes_the_facts_dice_options_and_condition_of_odds() -> None:
    known = RULES.prepare("shoot", given={"fire": 10}, dice=[6, 6], choices={"victim": "guns"}, units=UNITS)
    assert known.outcomes == ("X",)
    assert RULES.prepare("shoot", of="sum", fire=5, condition="sum > 10").outcomes == (11, 12)
    foggy = RULES.prepare("shoot", fire=10, night=True, options={"fog": True})
    assert foggy.distribution == RULES.odds("shoot", fire=10, night=True, options={"fog": True}).result


def test_any_exact_distribution_can_be_rolled() -> None:
    two = PreparedRoll(DIE + DIE)
    rng = random.Random(3)
    assert fits((two.roll(rng) for _ in range(RUNS)), DIE + DIE)
    state = PreparedRoll(RULES.odds("shoot", fire=10, units=UNITS, choices={"victim": "guns"}).state)
    assert {each["unit"]["guns"]["steps"] for each in state.outcomes} == {0, 1}


def test_pieces_stay_as_they_are() -> None:
    """A roll says what happens; it changes neither the caller's pieces nor the next roll."""
    units = copy.deepcopy(UNITS)
    shot = RULES.prepare("shoot", of="left of guns", fire=10, units=units, choices={"victim": "guns"})
    rng = random.Random(1)
    assert {shot.roll(rng) for _ in range(100)} == {0, 1}
    assert units == UNITS
    units[1]["steps"] = 4
    assert {shot.roll(rng) for _ in range(100)} == {0, 1}


# ------------------------------------------------------------------------------------------------------- one roll


def test_rolls_are_as_likely_as_their_odds(shot: PreparedRoll) -> None:
    rng = random.Random(1)
    assert fits((shot.roll(rng) for _ in range(RUNS)), shot.distribution)
    assert fits((shot.roll() for _ in range(RUNS)), shot.distribution)
    assert not fits((shot.roll(rng) for _ in range(RUNS)), PRINTED.odds("direct_fire", fire_value=11).result)


def test_the_rolls_of_a_seed_stay_what_they_are(shot: PreparedRoll) -> None:
    rng = random.Random(1)
    assert [shot.roll(rng) for _ in range(8)] == ["-", "M2", "M2", "M", "M", "M", "M1", "M2"]


def test_a_roll_takes_the_module_random_and_a_generator_of_numpy(shot: PreparedRoll, np: Any) -> None:
    assert shot.roll(random) in shot.outcomes
    rng = np.random.default_rng(1)
    assert fits((shot.roll(rng) for _ in range(RUNS)), shot.distribution)


def test_a_seed_is_no_generator_of_single_rolls(shot: PreparedRoll) -> None:
    with pytest.raises(InputError, match=r"3 can't roll dice; allowed: a random\.Random or a numpy\.random\.Generator"):
        shot.roll(3)  # type: ignore[arg-type]


def test_a_prepared_roll_can_be_sent(shot: PreparedRoll) -> None:
    again = pickle.loads(pickle.dumps(shot))
    assert again.distribution.weights == shot.distribution.weights
    assert again.roll(random.Random(5)) == shot.roll(random.Random(5))


# --------------------------------------------------------------------------------------------------------- arrays


def test_arrays_are_as_likely_as_the_odds(shot: PreparedRoll, np: Any) -> None:
    assert fits(shot.rolls(RUNS, 1).tolist(), shot.distribution)
    assert fits(shot.rolls((200, 200), random.Random(1)).ravel().tolist(), shot.distribution)
    assert fits(shot.rolls(RUNS).tolist(), shot.distribution)


def test_a_pool_of_many_dice_is_rolled_exactly(np: Any) -> None:
    """Its weights need more than 64 bits."""
    pool = DIE.times(60)
    assert pool.total > 1 << 64
    drawn = PreparedRoll(pool.map(lambda total: total // 10)).rolls(RUNS, 7)
    assert abs(float(drawn.mean()) - float(pool.map(lambda total: total // 10).mean)) < 0.03


def test_the_same_seed_gives_the_same_array(shot: PreparedRoll, np: Any) -> None:
    for seed in (3, np.random.default_rng(3)), (random.Random(3), random.Random(3)):
        first, second = seed
        assert shot.rolls(50, first).tolist() == shot.rolls(50, second).tolist()
    assert shot.rolls(50, 3).tolist() != shot.rolls(50, 4).tolist()
    rng = np.random.default_rng(3)
    assert shot.rolls(50, rng).tolist() != shot.rolls(50, rng).tolist()


def test_positions_are_places_in_the_outcomes(shot: PreparedRoll, np: Any) -> None:
    positions = shot.positions(50, 3)
    assert positions.dtype == np.int8
    assert [shot.outcomes[place] for place in positions] == shot.rolls(50, 3).tolist()


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
def test_arrays_have_the_type_of_the_outcomes(distribution: Distribution, dtype: str, np: Any) -> None:
    rolled = PreparedRoll(distribution).rolls((4, 5), 1)
    assert (rolled.shape, rolled.dtype) == ((4, 5), np.dtype(dtype))
    assert {value for row in rolled.tolist() for value in row} <= set(distribution)


def test_several_questions_are_fields_of_one_array(np: Any) -> None:
    rolled = RULES.prepare("shoot", of=["sum", "lucky", "result"], fire=5).rolls(2000, 1)
    assert rolled.dtype.names == ("sum", "lucky", "result")
    assert rolled.dtype["sum"] == np.int64
    assert ((rolled["sum"] == 12) == rolled["lucky"]).all()
    assert set(rolled["result"].tolist()) == {"-", "M", "X"}


def test_the_values_of_a_prepared_roll_do_not_change(shot: PreparedRoll, np: Any) -> None:
    with pytest.raises(ValueError, match="read-only"):
        shot.values[0] = "3X"
    rolled = shot.rolls(3, 1)
    rolled[0] = "3X"


@pytest.mark.parametrize("size", [-1, 1.5, True, "3", (2, -1)])
def test_a_size_is_a_whole_number_or_several(shot: PreparedRoll, size: Any, np: Any) -> None:
    with pytest.raises(InputError, match="is not a size; allowed: a whole number of 0 or more, or a tuple of them"):
        shot.rolls(size)


@pytest.mark.parametrize("rng", [-1, "x", 1.5])
def test_what_is_no_generator_of_arrays_is_refused(shot: PreparedRoll, rng: Any, np: Any) -> None:
    with pytest.raises(InputError, match="can't roll dice"):
        shot.rolls(3, rng)


def test_two_equal_questions_have_no_array(np: Any) -> None:
    twice = RULES.prepare("shoot", of=["sum", "sum"], fire=5)
    assert twice.roll(random.Random(1)) == (4, 4)
    with pytest.raises(OddsError, match="`sum` is requested twice"):
        twice.rolls(3)


@pytest.mark.parametrize("ask", [lambda shot: shot.rolls(3), lambda shot: shot.positions(3), lambda shot: shot.values])
def test_without_numpy_it_says_what_to_install(
    ask: Callable[[PreparedRoll], Any], shot: PreparedRoll, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert shot.roll(random.Random(1)) == "-"
    with pytest.raises(
        ImportError, match=r"arrays need NumPy, which is not installed: pip install 'enfilade\[arrays\]'"
    ):
        ask(shot)


# ----------------------------------------------------------------------------------------------- what can't be rolled


def test_facts_outside_their_domain_are_told() -> None:
    with pytest.raises(InputError, match="fire is 0"):
        RULES.prepare("shoot", fire=0)
    with pytest.raises(InputError, match="there is no procedure"):
        RULES.prepare("sleep")


def test_a_refusal_is_not_rolled() -> None:
    with pytest.raises(RefusedOdds, match="too_far: out of range"):
        RULES.prepare("shoot", fire=5, distance=21)


@pytest.mark.parametrize("choices", [None, {}, []])
def test_a_choice_without_a_policy_is_named(choices: Any) -> None:
    with pytest.raises(NeedsPolicy, match="victim"):
        RULES.prepare("shoot", of="left of guns", fire=10, units=UNITS, choices=choices)


def test_a_player_may_choose_the_best_or_at_random() -> None:
    how: dict[str, Any] = {"of": "left of guns", "fire": 10, "units": UNITS}
    best = RULES.prepare("shoot", players={"owner": "best"}, aim="left of guns", **how)
    by_chance = RULES.prepare("shoot", players={"owner": "random"}, **how)
    assert best.outcomes == (1,)
    assert by_chance.distribution[0] == Fraction(1, 6)


def test_odds_that_were_not_worked_out_are_not_rolled() -> None:
    rally = enfilade.load("franco_prussian").odds("rally", mr=7, commander=True).until("rallied")
    with pytest.raises(
        OddsError,
        match=r"turns can't be rolled: outcomes with a total chance of .* were not computed; ask for a condition",
    ):
        PreparedRoll(rally.of("turns"))


def test_a_sample_is_not_rolled() -> None:
    sample = RULES.sample("shoot", trials=100, seed=1, fire=5)
    with pytest.raises(OddsError, match="result can't be rolled: a sample has only estimates"):
        PreparedRoll(sample.result)


def test_a_question_that_is_too_large_says_so() -> None:
    with pytest.raises(LimitError, match="estimate them with a sample instead"):
        RULES.prepare("shoot", of="sum", fire=11, limits=Limits(work=2))
