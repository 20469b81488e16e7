"""Prepared rolls of many situations: one row each, equal rows worked out once."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.api.skirmish import TEXT, UNITS
from tests.api.test_prepared_rolls import RUNS, fits

import enfilade
from enfilade import InputError, NeedsPolicy, OddsError, PreparedRolls, RefusedOdds

RULES = enfilade.load(text=TEXT)
FACTS: dict[str, Any] = {"fire": [1, 10, 1, 5], "cover": ["woods", "open", "woods", "open"]}


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


@pytest.fixture
def np() -> Any:
    """NumPy, where it is installed."""
    return pytest.importorskip("numpy", reason="NumPy is an optional extra")


@pytest.fixture
def fires() -> PreparedRolls:
    """Four situations, two of them equal."""
    return RULES.prepare_many("shoot", FACTS)


# ------------------------------------------------------------------------------------------------------ the rows


def test_each_row_has_the_odds_of_its_situation(fires: PreparedRolls) -> None:
    assert len(fires) == 4
    for row, prepared in enumerate(fires):
        facts = {name: values[row] for name, values in FACTS.items()}
        assert prepared.distribution == RULES.odds("shoot", **facts).result
    assert repr(fires) == "<PreparedRolls: 4 rows, 3 different situations>"


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


def test_rows_are_the_same_whoever_works_them_out(fires: PreparedRolls) -> None:
    with ThreadPoolExecutor(2) as executor:
        threads = RULES.prepare_many("shoot", FACTS, executor=executor)
    processes = RULES.prepare_many("shoot", FACTS, workers=2)
    for row in range(4):
        assert threads[row].distribution == processes[row].distribution == fires[row].distribution


def test_there_is_no_row_after_the_last(fires: PreparedRolls) -> None:
    assert [each is fires[row] for row, each in enumerate(fires)] == [True] * 4
    with pytest.raises(IndexError):
        fires[4]


# ---------------------------------------------------------------------------------------------------- the columns


@pytest.mark.parametrize(
    ("names", "lister"), [("columns", "tolist"), ("columns", "to_list"), ("column_names", "to_pylist")]
)
def test_a_data_frame_gives_a_row_for_each_situation(names: str, lister: str, fires: PreparedRolls) -> None:
    """The names of pandas, polars and Arrow."""
    assert RULES.prepare_many("shoot", Frame(names, lister)).roll(random.Random(1)) == fires.roll(random.Random(1))


def test_columns_may_be_arrays(np: Any) -> None:
    columns = {"fire": np.array([1, 10]), "night": np.array([True, False]), "cover": np.array(["open", "woods"])}
    fires = RULES.prepare_many("shoot", columns)
    assert fires[0].distribution == RULES.odds("shoot", fire=1, night=True).result
    assert fires[1].distribution == RULES.odds("shoot", fire=10, cover="woods").result


@pytest.mark.parametrize("columns", [None, [1, 2], {}, 5, "fire"])
def test_what_has_no_columns_is_refused(columns: Any) -> None:
    with pytest.raises(InputError, match="has no columns; allowed: a mapping from facts to lists of values, or a data"):
        RULES.prepare_many("shoot", columns)


@pytest.mark.parametrize("column", [5, "open", {"a": 1}, None])
def test_a_column_is_a_list(column: Any) -> None:
    with pytest.raises(InputError, match=r"the column fire is .*; allowed: a list with a value for each situation"):
        RULES.prepare_many("shoot", {"fire": column})


def test_columns_have_one_length() -> None:
    with pytest.raises(InputError, match="the columns have different lengths: fire has 2, night has 1"):
        RULES.prepare_many("shoot", {"fire": [1, 2], "night": [True]})


def test_wrong_facts_are_told_with_their_rows() -> None:
    columns = {"fire": [1, 0, "x", 0], "cover": ["open", "mud", "open", "mud"]}
    with pytest.raises(InputError) as caught:
        RULES.prepare_many("shoot", columns)
    assert [(fault.parameter, fault.message.partition(":")[0]) for fault in caught.value.errors] == [
        ("fire", "row 1"),
        ("cover", "row 1"),
        ("fire", "row 2"),
    ]
    with pytest.raises(InputError) as caught:
        RULES.prepare_many("shoot", {"fire": [-number for number in range(100)]})
    assert len(caught.value.errors) == 10


def test_an_unknown_column_is_told() -> None:
    with pytest.raises(InputError, match="there is no fact fires; did you mean fire"):
        RULES.prepare_many("shoot", {"fires": [1]})


def test_a_choice_without_a_policy_is_named() -> None:
    with pytest.raises(NeedsPolicy, match="victim"):
        RULES.prepare_many("shoot", {"fire": [1, 10]}, of="left of guns", units=UNITS)


def test_odds_that_were_not_worked_out_are_not_rolled() -> None:
    text = (
        "facts\n  steps 1..\nprocedure count\n  1. roll d6 as die, explode on 6\n  2. give result = die.total * steps\n"
    )
    with pytest.raises(OddsError, match="were not computed"):
        enfilade.load(text=text).prepare_many("count", {"steps": [1, 2]})


# ---------------------------------------------------------------------------------------------------- the refusals


def test_a_refused_row_raises_only_when_it_is_rolled(np: Any) -> None:
    fires = RULES.prepare_many("shoot", {"distance": [1, 30, 2, 30]}, fire=10)
    assert {row: refusal.refusal for row, refusal in fires.refusals.items()} == {1: "too_far", 3: "too_far"}
    assert fires[0].outcomes == ("M", "X")
    for ask in (fires.roll, fires.rolls, fires.chances, lambda: fires.outcomes, lambda: fires[1]):
        with pytest.raises(RefusedOdds, match=r"^row [13]: .*too_far"):
            ask()
    accepted = fires.accepted()
    assert (accepted.rows, len(accepted), accepted.refusals) == ((0, 2), 2, {})
    assert accepted.rolls(5, 1).shape == (2, 5)


# -------------------------------------------------------------------------------------------------------- the rolls


def test_rolls_of_each_row_are_as_likely_as_its_odds(fires: PreparedRolls, np: Any) -> None:
    rng = random.Random(1)
    single = [fires.roll(rng) for _ in range(RUNS // 4)]
    many = fires.rolls(RUNS, 1)
    for row in range(4):
        assert fits((rolled[row] for rolled in single), fires[row].distribution)
        assert fits(many[row].tolist(), fires[row].distribution)
    assert many[0].tolist() != many[2].tolist()


def test_arrays_have_a_row_for_each_situation(fires: PreparedRolls, np: Any) -> None:
    assert fires.outcomes == ("-", "M", "X")
    assert fires.rolls().shape == (4, 1)
    assert fires.rolls((), 1).shape == (4,)
    assert fires.rolls((2, 3), 1).shape == (4, 2, 3)
    assert (fires.rolls(7, 1).dtype, fires.positions(7, 1).dtype) == (np.dtype("<U1"), np.int8)
    assert fires.rolls(7, 1).tolist() == [[fires.outcomes[place] for place in row] for row in fires.positions(7, 1)]


def test_a_row_rolls_the_same_beside_other_rows(np: Any) -> None:
    """The digits of a row depend on its number alone, so two studies can be compared row by row."""
    first = RULES.prepare_many("shoot", {"fire": [1, 10, 5, 10]}).rolls(50, 9)
    second = RULES.prepare_many("shoot", {"fire": [10, 10, 1, 10]}).rolls(50, 9)
    assert first[1].tolist() == second[1].tolist()
    assert first[3].tolist() == second[3].tolist()
    assert first[0].tolist() != second[0].tolist()


def test_chances_are_those_of_the_odds(fires: PreparedRolls, np: Any) -> None:
    chances = fires.chances()
    assert (chances.shape, chances.dtype) == ((4, 3), np.float64)
    for row in range(4):
        assert chances[row].tolist() == [float(fires[row].distribution[each]) for each in fires.outcomes]


def test_several_questions_are_fields(np: Any) -> None:
    rolled = RULES.prepare_many("shoot", {"fire": [1, 10]}, of=["result", "sum"]).rolls(9, 1)
    assert (rolled.shape, rolled.dtype.names) == ((2, 9), ("result", "sum"))


def test_no_rows_give_empty_arrays(np: Any) -> None:
    empty = RULES.prepare_many("shoot", {"fire": []})
    assert (len(empty), empty.roll(), empty.outcomes) == (0, [], ())
    assert empty.rolls(5, 1).shape == (0, 5)


def test_prepared_rows_can_be_sent(fires: PreparedRolls) -> None:
    again = pickle.loads(pickle.dumps(fires))
    assert again.roll(random.Random(2)) == fires.roll(random.Random(2))
    assert repr(again) == repr(fires)
