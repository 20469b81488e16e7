"""Prepared rolls: draws from the exact odds, one at a time, for one situation or for a row of each of many."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import (
    ArgumentError,
    Distribution,
    InputError,
    LimitError,
    Limits,
    NeedsPolicy,
    OddsError,
    PreparedRoll,
    PreparedRolls,
    RefusedOdds,
)

RULES: Final = enfilade.load(text=TEXT)
DIE: Final = Distribution(dict.fromkeys(range(1, 7), 1), of="die")
RUNS: Final = 20_000
FACTS: Final[dict[str, Any]] = {"fire": [1, 10, 1, 5], "cover": ["woods", "open", "woods", "open"]}


def fits(drawn: Iterable[Any], exact: Distribution) -> bool:
    """A chi-square test: true unless the draws are less likely than about once in ten thousand times."""
    counts = Counter(drawn)
    runs, degrees = sum(counts.values()), len(exact) - 1
    statistic = sum((counts[value] - runs * chance) ** 2 / (runs * chance) for value, chance in exact.items())
    return set(counts) <= set(exact) and float(statistic) < degrees + 4 * (2 * degrees) ** 0.5 + 8


@pytest.fixture(scope="module")
def shot() -> PreparedRoll:
    """A shot of the printed game."""
    return enfilade.load("infantry_attacks").prepare("direct_fire", fire_value=16)


@pytest.fixture(scope="module")
def fires() -> PreparedRolls:
    """Four situations, two of them equal."""
    return RULES.prepare_many("shoot", FACTS)


# -------------------------------------------------------------------------------------------------- what is rolled


def test_it_rolls_the_result_with_the_weights_of_the_odds(shot: PreparedRoll) -> None:
    exact = enfilade.load("infantry_attacks").odds("direct_fire", fire_value=16).result
    assert (shot.distribution.weights, shot.outcomes) == (exact.weights, tuple(exact))
    assert repr(shot) == "<PreparedRoll of result: 6 outcomes>"


@pytest.mark.parametrize(
    ("how", "outcomes"),
    [
        ({"of": "sum", "fire": 5}, tuple(range(2, 13))),
        ({"of": "M or worse", "fire": 5}, (False, True)),
        ({"given": {"fire": 10}, "dice": [6, 6], "choices": {"victim": "guns"}, "units": UNITS}, ("X",)),
        ({"of": "sum", "fire": 5, "condition": "sum > 10"}, (11, 12)),
        # A player may choose the best, or at random.
        ({"of": "left of guns", "fire": 10, "units": UNITS, "players": {"owner": "best"}, "aim": "left of guns"}, (1,)),
        ({"of": "left of guns", "fire": 10, "units": UNITS, "players": {"owner": "random"}}, (0, 1)),
    ],
)
def test_it_rolls_any_question_of_any_situation(how: dict[str, Any], outcomes: tuple[Any, ...]) -> None:
    assert RULES.prepare("shoot", **how).outcomes == outcomes


def test_it_has_the_odds_of_its_question() -> None:
    shot, rng = RULES.prepare("shoot", of=["sum", "lucky"], fire=5), random.Random(1)
    assert shot.distribution == RULES.odds("shoot", fire=5).joint("sum", "lucky")
    assert {shot.roll(rng) for _ in range(500)} == {(total, total == 12) for total in range(2, 13)}
    foggy: dict[str, Any] = {"fire": 10, "night": True, "options": {"fog": True}}
    assert RULES.prepare("shoot", **foggy).distribution == RULES.odds("shoot", **foggy).result
    by_chance: dict[str, Any] = {"fire": 10, "units": UNITS, "players": {"owner": "random"}}
    assert RULES.prepare("shoot", of="left of guns", **by_chance).distribution[0] == Fraction(1, 6)


def test_any_exact_distribution_can_be_rolled() -> None:
    two, rng = PreparedRoll(DIE + DIE), random.Random(3)
    assert fits((two.roll(rng) for _ in range(RUNS)), DIE + DIE)
    state = PreparedRoll(RULES.odds("shoot", fire=10, units=UNITS, choices={"victim": "guns"}).state)
    assert {each["unit"]["guns"]["steps"] for each in state.outcomes} == {0, 1}


def test_pieces_stay_as_they_are() -> None:
    """A roll says what happens; it changes neither the caller's pieces nor the next roll."""
    units, rng = copy.deepcopy(UNITS), random.Random(1)
    shot = RULES.prepare("shoot", of="left of guns", fire=10, units=units, choices={"victim": "guns"})
    assert ({shot.roll(rng) for _ in range(100)}, units) == ({0, 1}, UNITS)
    units[1]["steps"] = 4
    assert {shot.roll(rng) for _ in range(100)} == {0, 1}


# ------------------------------------------------------------------------------------------------------- one roll


def test_rolls_are_as_likely_as_their_odds(shot: PreparedRoll) -> None:
    rng, other = random.Random(1), RULES.odds("shoot", fire=10).result
    assert fits((shot.roll(rng) for _ in range(RUNS)), shot.distribution)
    assert fits((shot.roll() for _ in range(RUNS)), shot.distribution)
    assert not fits((shot.roll(rng) for _ in range(RUNS)), other)
    assert shot.roll(random) in shot.outcomes


def test_the_rolls_of_a_seed_stay_what_they_are_and_can_be_sent(shot: PreparedRoll) -> None:
    for each in (shot, pickle.loads(pickle.dumps(shot))):
        rng = random.Random(1)
        assert [each.roll(rng) for _ in range(8)] == ["-", "M2", "M2", "M", "M", "M", "M1", "M2"]


def test_a_seed_is_no_generator_of_single_rolls(shot: PreparedRoll) -> None:
    with pytest.raises(ArgumentError, match="rng takes a generator of random numbers or None, not int"):
        shot.roll(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("ask", [lambda shot: shot.rolls(3), lambda shot: shot.positions(3), lambda shot: shot.values])
def test_without_numpy_it_says_what_to_install(
    ask: Callable[[PreparedRoll], Any], shot: PreparedRoll, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert shot.roll(random.Random(1)) == "-"
    with pytest.raises(ImportError, match=r"arrays need NumPy, which is not installed: .*enfilade\[arrays\]'"):
        ask(pickle.loads(pickle.dumps(shot)))


# ------------------------------------------------------------------------------------------------- what is refused

LEFT: Final[dict[str, Any]] = {"of": "left of guns", "fire": 10, "units": UNITS}


@pytest.mark.parametrize(
    ("procedure", "how", "error", "told"),
    [
        ("shoot", {"fire": 0}, InputError, "fire is 0"),
        ("sleep", {}, InputError, "there is no procedure"),
        ("shoot", {"fire": 5, "distance": 21}, RefusedOdds, "too_far: out of range"),
        *(("shoot", {**LEFT, "choices": choices}, NeedsPolicy, "victim") for choices in list[Any]((None, {}, []))),
        (
            "shoot", {"of": "sum", "fire": 11, "limits": Limits(work=2)},
            LimitError, "estimate them with a sample instead",
        ),
    ],
)  # fmt: skip
def test_what_has_no_odds_is_not_rolled(procedure: str, how: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        RULES.prepare(procedure, **how)


def test_odds_that_were_not_worked_out_and_samples_are_not_rolled() -> None:
    text = "procedure rally\n  1. roll d6 as die\n  2. give rallied = die is 6\n"
    turns = enfilade.load(text=text).odds("rally").until("rallied").of("turns")
    with pytest.raises(OddsError, match=r"turns can't be rolled: outcomes .* were not computed; ask for a condition"):
        PreparedRoll(turns)
    with pytest.raises(OddsError, match="result can't be rolled: a sample has only estimates"):
        PreparedRoll(RULES.sample("shoot", trials=100, seed=1, fire=5).result)


# --------------------------------------------------------------------------------------------- a row for each situation


class Column:
    """A column of a data frame, which lists its values on request."""

    def __init__(self, lister: str, values: list[Any]) -> None:
        setattr(self, lister, lambda: values)


class Frame:
    """A data frame as far as it matters: names of columns, and columns by name."""

    def __init__(self, names: str, lister: str) -> None:
        setattr(self, names, list(FACTS))
        self.lister = lister

    def __getitem__(self, name: str) -> Column:
        return Column(self.lister, FACTS[name])


def test_each_row_has_the_odds_of_its_situation_and_can_be_sent(fires: PreparedRolls) -> None:
    assert repr(fires) == "<PreparedRolls: 4 rows, 3 different situations>"
    for row, prepared in enumerate(fires):
        facts = {name: values[row] for name, values in FACTS.items()}
        assert prepared.distribution == RULES.odds("shoot", **facts).result
        assert prepared is fires[row]
    with pytest.raises(IndexError):
        fires[4]
    again = pickle.loads(pickle.dumps(fires))
    assert (again.roll(random.Random(2)), repr(again)) == (fires.roll(random.Random(2)), repr(fires))


def test_rows_are_as_likely_as_their_odds(fires: PreparedRolls) -> None:
    rng = random.Random(1)
    rolled = [fires.roll(rng) for _ in range(RUNS // 4)]
    assert [fits((each[row] for each in rolled), fires[row].distribution) for row in range(4)] == [True] * 4


def test_equal_rows_are_worked_out_once() -> None:
    done: list[tuple[int, int]] = []
    columns = {"fire": [5, 5, 5, 10], "units": [UNITS, list(UNITS), UNITS, UNITS]}
    fires = RULES.prepare_many("shoot", columns, of="sum", parts=lambda *part: done.append(part))
    assert done == [(1, 2), (2, 2)]
    assert fires[0] is fires[1] is fires[2] is not fires[3]


def test_rows_share_facts_and_settings() -> None:
    fires = RULES.prepare_many("shoot", {"fire": [5, 10]}, night=True, options={"fog": True}, condition="sum > 9")
    exact = RULES.odds("shoot", fire=10, night=True, options={"fog": True}).given("sum > 9").result
    assert fires[1].distribution == exact


@pytest.mark.thorough
def test_rows_are_the_same_whoever_works_them_out(fires: PreparedRolls) -> None:
    with ThreadPoolExecutor(2) as executor:
        threads = RULES.prepare_many("shoot", FACTS, executor=executor)
    processes = RULES.prepare_many("shoot", FACTS, workers=2)
    for row in range(4):
        assert threads[row].distribution == processes[row].distribution == fires[row].distribution


@pytest.mark.parametrize(
    ("names", "lister"), [("columns", "tolist"), ("columns", "to_list"), ("column_names", "to_pylist")]
)
def test_a_data_frame_gives_a_row_for_each_situation(names: str, lister: str, fires: PreparedRolls) -> None:
    """The names of pandas, polars and Arrow."""
    assert RULES.prepare_many("shoot", Frame(names, lister)).roll(random.Random(1)) == fires.roll(random.Random(1))


NO_COLUMNS: Final = "has no columns; allowed: a mapping from facts to lists of values, or a data"
NO_LIST: Final = r"the column fire is .*; allowed: a list with a value for each situation"


@pytest.mark.parametrize(
    ("columns", "how", "error", "told"),
    [
        *((columns, {}, InputError, NO_COLUMNS) for columns in list[Any]((None, [1, 2], {}, 5, "fire"))),
        *(({"fire": column}, {}, InputError, NO_LIST) for column in list[Any]((5, "open", {"a": 1}, None))),
        (
            {"fire": [1, 2], "night": [True]}, {},
            InputError, "the columns have different lengths: fire has 2, night has 1",
        ),
        ({"fires": [1]}, {}, InputError, "there is no fact fires; did you mean fire"),
        ({"fire": [1, 10]}, {"of": "left of guns", "units": UNITS}, NeedsPolicy, "victim"),
    ],
)  # fmt: skip
def test_what_gives_no_rows_is_refused(columns: Any, how: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        RULES.prepare_many("shoot", columns, **how)


def test_wrong_facts_are_told_with_their_rows() -> None:
    with pytest.raises(InputError) as caught:
        RULES.prepare_many("shoot", {"fire": [1, 0, "x", 0], "cover": ["open", "mud", "open", "mud"]})
    found = [(fault.parameter, fault.message.partition(":")[0]) for fault in caught.value.errors]
    assert found == [("fire", "row 1"), ("cover", "row 1"), ("fire", "row 2")]
    with pytest.raises(InputError) as caught:
        RULES.prepare_many("shoot", {"fire": [-number for number in range(100)]})
    assert len(caught.value.errors) == 10


def test_rows_that_were_not_worked_out_are_not_rolled() -> None:
    text = "facts\n  n 1..\nprocedure count\n  1. roll d6 as die, explode on 6\n  2. give result = die * n\n"
    with pytest.raises(OddsError, match="were not computed"):
        enfilade.load(text=text).prepare_many("count", {"n": [1, 2]})


def test_a_refused_row_raises_only_when_it_is_rolled() -> None:
    fires = RULES.prepare_many("shoot", {"distance": [1, 30, 2, 30]}, fire=10)
    assert {row: refusal.refusal for row, refusal in fires.refusals.items()} == {1: "too_far", 3: "too_far"}
    assert fires[0].outcomes == ("M", "X")
    for ask in (fires.roll, lambda: fires.outcomes, lambda: fires[1]):
        with pytest.raises(RefusedOdds, match=r"^row [13]: .*too_far"):
            ask()
    accepted = fires.accepted()
    assert (accepted.rows, len(accepted), accepted.refusals) == ((0, 2), 2, {})


def test_no_rows_are_no_rolls() -> None:
    empty = RULES.prepare_many("shoot", {"fire": []})
    assert (len(empty), empty.roll(), empty.outcomes) == (0, [], ())
