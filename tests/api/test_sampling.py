"""Samples: the same seed gives the same counts, whoever does the work; and they come near the exact odds."""

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import ArgumentError, InputError, NeedsPolicy, OddsError, RefusedOdds, Sampled
from enfilade.api.sampling import CHUNK

RULES = enfilade.load(text=TEXT)


def near(sampled: Sampled, exact: Any) -> None:
    """Each chance lies within an interval that fails once in a million times."""
    for value in exact:
        low, high = sampled.interval(value, "0.999999")
        assert low <= exact[value] <= high


@pytest.mark.parametrize("kernel", [True, False])
def test_a_sample_comes_near_the_exact_odds(kernel: bool) -> None:
    sample = RULES.sample("shoot", trials=10_000, seed=1, fire=5, kernel=kernel)
    assert sample.result.drawn is kernel
    near(sample.result, RULES.odds("shoot", fire=5).result)


def test_a_sample_is_labelled_as_one() -> None:
    sample = RULES.sample("shoot", trials=100, seed="a", fire=5)
    labels = (sample.result.exact, sample.result.trials, sample.result.seed, sample.trials, sample.seed)
    assert labels == (False, 100, "a", 100, "a")
    assert ("sampled: 100 runs, seed a" in str(sample.result), repr(sample)) == (True, "<Sample of shoot>")


@pytest.mark.parametrize("kernel", [True, False])
def test_the_same_seed_gives_the_same_counts(kernel: bool) -> None:
    def counts(seed: int) -> Any:
        return dict(RULES.sample("shoot", trials=10_000, seed=seed, fire=5, kernel=kernel).result.weights)

    assert counts(1) == counts(1)
    assert counts(1) != counts(2)


def test_the_counts_of_a_seed_stay_what_they_are() -> None:
    drawn = RULES.sample("shoot", trials=10_000, seed=1, fire=10).result
    played = RULES.sample("shoot", trials=10_000, seed=1, fire=10, kernel=False).result
    assert dict(drawn.weights) == {"M": 6578, "X": 3422}
    assert dict(played.weights) == {"M": 6644, "X": 3356}


def test_without_a_seed_one_is_made_and_told() -> None:
    sample = RULES.sample("shoot", trials=3_000, fire=5)
    assert sample.result == RULES.sample("shoot", trials=3_000, seed=sample.seed, fire=5).result


@pytest.mark.parametrize(
    ("executor", "workers"),
    [
        pytest.param(lambda: ThreadPoolExecutor(3), None, id="threads"),
        pytest.param(
            lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")), None,
            id="processes", marks=pytest.mark.thorough,
        ),
        pytest.param(nullcontext, 2, id="workers", marks=pytest.mark.thorough),
    ],
)  # fmt: skip
def test_the_counts_are_the_same_whoever_plays(executor: Callable[[], Any], workers: int | None) -> None:
    how: dict[str, Any] = {"trials": 3 * CHUNK + 7, "seed": 5, "fire": 5, "kernel": False}
    here = RULES.sample("shoot", **how).joint("result", "sum")
    with executor() as given:
        there = RULES.sample("shoot", **how, executor=given, workers=workers).joint("result", "sum")
    assert (there.weights, sum(there.weights.values())) == (here.weights, how["trials"])


def test_questions_are_those_of_exact_odds() -> None:
    sample = RULES.sample("shoot", trials=1_500, seed=3, fire=10, units=UNITS[:1])
    exact = RULES.odds("shoot", fire=10, units=UNITS[:1])
    for question in ("left of rifles", "count of effects loss", "lucky", "sum"):
        near(sample.of(question), exact.of(question))
    assert sample.chance("M or worse") == 1
    near(sample.state, exact.state)
    near(sample.effects, exact.effects)
    assert len(sample.outputs) == len(exact.outputs)
    near(sample.given("X").of("sum"), exact.given("X").of("sum"))
    assert sample.given("X").result.total == sample.result.weights["X"]


def test_the_answers_come_from_the_same_runs() -> None:
    sample = RULES.sample("shoot", trials=5_000, seed=3, fire=5)
    assert sample.joint("result", "sum").marginal("result").weights == sample.result.weights
    again = pickle.loads(pickle.dumps(sample.result))
    assert (again, again.trials, again.seed) == (sample.result, 5_000, 3)


def test_a_condition_that_never_came_true_is_told() -> None:
    with pytest.raises(OddsError, match="sum is 99 was true in none of 100 runs"):
        RULES.sample("shoot", trials=100, seed=3, fire=5, condition="sum is 99").result  # noqa: B018


@pytest.mark.parametrize("kernel", [True, False])
def test_choices_are_fixed_or_random(kernel: bool) -> None:
    how: dict[str, Any] = {"trials": 4_000, "seed": 1, "fire": 10, "units": UNITS, "kernel": kernel}
    fixed = RULES.sample("shoot", choices={"victim": "guns"}, **how)
    near(fixed.of("left of guns"), {0: Fraction(1, 3), 1: Fraction(2, 3)})
    by_chance = RULES.sample("shoot", players={"owner": "random"}, **how)
    near(by_chance.of("left of guns"), {0: Fraction(1, 6), 1: Fraction(5, 6)})
    with pytest.raises(NeedsPolicy):
        RULES.sample("shoot", **how).of("left of guns")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"trials": 0}, "trials is 0"),
        ({"trials": 2.5}, "trials takes a whole number, not float"),
        ({"trials": True}, "trials takes a whole number, not bool"),
        ({"workers": 0}, "workers is 0"),
        ({"players": {"owner": "best"}}, "a sample can't find the best choices for owner"),
        ({"fire": 0}, "fire is 0"),
    ],
)
def test_what_is_wrong_with_a_sample_is_told(how: dict[str, Any], told: str) -> None:
    with pytest.raises((ArgumentError, InputError), match=told):
        RULES.sample("shoot", **({"trials": 10, "fire": 5} | how))


@pytest.mark.parametrize("trials", [10, 20_000])
def test_refusals_are_no_outcomes(trials: int) -> None:
    with pytest.raises(RefusedOdds, match="too_far"):
        RULES.sample("shoot", trials=trials, fire=5, distance=21).result  # noqa: B018
    with pytest.raises(RefusedOdds, match="refuse some dice"):
        RULES.sample("risky", trials=trials, seed=1).result  # noqa: B018


def test_dice_that_are_known_fall_in_every_run() -> None:
    assert RULES.sample("toss", trials=50, seed=1, dice=[4], choices={"again": False}).of("score") == {4: 1}


def test_progress_is_told() -> None:
    told: list[int] = []
    RULES.sample("shoot", trials=3 * CHUNK, seed=1, fire=5, kernel=False, progress=told.append).result  # noqa: B018
    assert told == [CHUNK, 2 * CHUNK, 3 * CHUNK]
