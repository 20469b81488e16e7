"""Choices at the same time: matrix games, their values and mixed strategies, and the odds of rules with such choices."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import enfilade
from enfilade import NeedsPolicy, Odds, OddsError
from enfilade.engines.odds.expectimax.matrix_games import Game, solve


def game(*rows: tuple[int, ...]) -> Game:
    """A game solved, with whole numbers as gains."""
    return solve([[Fraction(each) for each in row] for row in rows])


@pytest.mark.parametrize(
    ("rows", "value", "row_chances", "column_chances"),
    [
        pytest.param(
            [(0, -1, 1), (1, 0, -1), (-1, 1, 0)], "0", "1/3 1/3 1/3", "1/3 1/3 1/3", id="rock, paper, scissors"
        ),
        pytest.param([(-2, 3), (3, -4)], "1/12", "7/12 5/12", "7/12 5/12", id="even and odd fingers"),
        pytest.param([(3, 1, 4), (5, 2, 6)], "2", "0 1", "0 1 0", id="a saddle point needs no chance"),
        pytest.param([(7,)], "7", "1", "1", id="nothing to choose"),
        pytest.param(
            [(1, -1, 5), (-1, 1, 5)], "0", "1/2 1/2", "1/2 1/2 0", id="a choice that is never good is never made"
        ),
    ],
)
def test_a_game_has_its_value_and_its_strategies(
    rows: list[tuple[int, ...]], value: str, row_chances: str, column_chances: str
) -> None:
    strategies = [tuple(map(Fraction, chances.split())) for chances in (row_chances, column_chances)]
    assert game(*rows) == Game(Fraction(value), *strategies)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_neither_player_can_do_better_against_the_other_strategy(rows: int, columns: int, data: st.DataObject) -> None:
    gains = [[Fraction(data.draw(st.integers(-4, 4))) for _ in range(columns)] for _ in range(rows)]
    found = solve(gains)
    for strategy in (found.rows, found.columns):
        assert sum(strategy) == 1
        assert min(strategy) >= 0
    by_row = [sum(gain * chance for gain, chance in zip(row, found.columns, strict=True)) for row in gains]
    by_column = [
        sum(gain * chance for gain, chance in zip(column, found.rows, strict=True))
        for column in zip(*gains, strict=True)
    ]
    assert max(by_row) == found.value == min(by_column)


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_two_by_two_games_agree_with_the_formula(gains: list[int]) -> None:
    a, b, c, d = gains
    has_saddle = max(min(a, b), min(c, d)) == min(max(a, c), max(b, d))
    wanted = max(min(a, b), min(c, d)) if has_saddle else Fraction(a * d - b * c, a + d - b - c)
    assert game((a, b), (c, d)).value == wanted


TEXT = """
players red, blue, referee
procedure shootout
  1. together
       red chooses mine from rock, paper, scissors
       blue chooses theirs from rock, paper, scissors
  2. let wins = (mine is rock and theirs is scissors) or (mine is paper and theirs is rock) or (mine is scissors and theirs is paper)
     give result = 0 when mine is theirs otherwise 1 when wins otherwise -1
     give mine
procedure penalty "the keeper saves more often on one side; both know the die"
  1. roll d2 as wind
  2. together
       red chooses aimed from left, right
       blue chooses guarded from left, right
  3. roll d6 as die
  4. give result = die >= (5 when aimed is guarded otherwise 2 when aimed is left otherwise 2 + wind)
procedure seen "the second list reads the first choice, so it is not hidden"
  1. together
       red chooses mine among [1, 2]
       blue chooses theirs among [mine, 3]
  2. give result = theirs - mine
procedure three "two choices of one side, and one of chance"
  1. together
       red chooses a among [0, 1]
       red chooses b among [0, 1]
       blue chooses c among [0, 1]
       referee chooses d among [0, 1]
  2. give result = (1 when a is c otherwise 0) + (1 when b is d otherwise 0)
"""
RULES = enfilade.load(text=TEXT)


def played(procedure: str, *, aim: str = "result", **more: Any) -> Odds:
    """The odds if red plays for the aim and blue against it."""
    players = {"red": "best", "blue": "worst", "referee": "random"}
    return RULES.odds(procedure, aim=aim, **{"players": players, **more})


def test_neither_player_sees_the_other_choice() -> None:
    odds = played("shootout")
    assert odds.result == {score: Fraction(1, 3) for score in (-1, 0, 1)}
    mine, theirs = odds.decisions
    assert (mine.name, mine.player, mine.known, theirs.name) == ("mine", "red", (), "theirs")
    assert mine.chances == theirs.chances == (Fraction(1, 3),) * 3
    assert mine.marks == ("chance 1/3",) * 3


def test_each_state_before_the_choices_is_a_game_of_its_own() -> None:
    # Rows: aimed left or right; columns: guarded left or right; for each wind.
    values = []
    for wind in (1, 2):
        hit, left, right = Fraction(2, 6), Fraction(5, 6), Fraction(5 - wind, 6)
        values.append((hit * hit - left * right) / (hit + hit - left - right))
    odds = played("penalty")
    assert odds.chance("result") == sum(values) / 2
    assert [dict(each.known)["wind"] for each in odds.decisions] == [1, 1, 2, 2]
    assert all(sum(each.chances) == 1 for each in odds.decisions)


def test_a_choice_that_reads_the_other_one_is_made_after_it() -> None:
    odds = played("seen")
    assert (odds.result.mean, [(each.name, each.chances) for each in odds.decisions]) == (
        0,
        [("mine", ()), ("theirs", ())],
    )


@pytest.mark.parametrize(
    ("procedure", "players", "mean", "names"),
    [
        pytest.param("three", {}, 1, ["a, b", "c"], id="one side agrees, and chance plays for nobody"),
        pytest.param(
            "three",
            {"red": "random", "blue": "worst", "referee": "worst"},
            1,
            ["c, d"],
            id="one side agrees after chance",
        ),
        pytest.param(
            "three",
            {"red": "random", "blue": "best"},
            1,
            ["c"],
            id="what does not matter beside chance needs no policy",
        ),
    ],
)
def test_choices_at_the_same_time_are_made_side_by_side(
    procedure: str, players: dict[str, str], mean: int, names: list[str]
) -> None:
    more: dict[str, Any] = {"players": players} if players else {}
    odds = played(procedure, **more)
    assert (odds.result.mean, [each.name for each in odds.decisions]) == (mean, names)


@pytest.mark.parametrize(("aim", "chosen"), [("best", max), ("worst", min)])
def test_nobody_sees_what_chance_chooses_at_the_same_time(aim: str, chosen: Callable[..., Fraction]) -> None:
    values = []
    for wind in (1, 2):
        hit, left, right = Fraction(2, 6), Fraction(5, 6), Fraction(5 - wind, 6)
        values.append(chosen((hit + right) / 2, (left + hit) / 2))
    odds = played("penalty", players={"red": "random", "blue": aim})
    assert odds.chance("result") == sum(values) / 2
    assert [each.name for each in odds.decisions] == ["guarded", "guarded"]


def test_a_choice_that_matters_needs_a_policy_also_beside_one_of_chance() -> None:
    rules = enfilade.load(text=TEXT.replace("(1 when b is d otherwise 0)", "d"))
    with pytest.raises(NeedsPolicy, match="d, a choice of referee"):
        _ = rules.odds("three", players={"red": "random", "blue": "best"}, aim="result").result


def test_a_loop_may_come_back_to_a_choice_at_the_same_time_as_chance() -> None:
    rules = enfilade.load(text=ENDLESS.replace(", limit 40 times", ""))
    odds = rules.odds("main", players={"red": "random", "blue": "best"}, aim="last")
    assert odds.of("last") == {0: Fraction(1, 2), 3: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("how", "value"),
    [
        ({"policy": {"theirs": "rock"}}, 1),
        ({"policy": {"mine": "rock"}}, -1),
        ({"policy": {"mine": "rock", "theirs": "scissors"}}, 1),
        ({"players": {"red": "best", "blue": "best"}}, 1),
    ],
)
def test_a_policy_is_known_to_the_opponent_and_players_with_the_same_aim_choose_together(
    how: dict[str, Any], value: int
) -> None:
    assert played("shootout", **how).result.mean == value


def test_a_choice_without_a_policy_among_opponents_needs_one() -> None:
    with pytest.raises(NeedsPolicy, match="d, a choice of referee"):
        _ = played("three", players={"red": "best", "blue": "worst"}).result


def test_a_mixed_strategy_is_not_written_as_a_policy() -> None:
    with pytest.raises(OddsError, match="mine is made at random"):
        played("shootout").policy()


ENDLESS: Final = """
players red, blue

procedure main
  1. let last = 0
     let shown = 0
  2. repeat until shown is 6, limit 40 times
       together
         red chooses mine among [1, 2]
         blue chooses theirs among [1, 2]
       roll d6 as die
       red chooses bet among [0, 1, 2]
       shown becomes die
       last becomes (0 when die > bet otherwise 1) + (0 when mine is not theirs otherwise 3 when mine is 1 otherwise 1)
  3. give last
"""
"""Each round has a game, and a choice of one player after it; play may go on after the last round."""


@pytest.mark.thorough
def test_choices_in_a_loop_that_is_cut_off_leave_little_more_open_than_what_was_cut_off() -> None:
    odds = enfilade.load(text=ENDLESS).odds("main", players={"red": "best", "blue": "worst"}, aim="last")
    found = odds.of("last")
    assert Fraction(5, 6) ** 40 < found.remainder < 40 * Fraction(5, 6) ** 40
    # Both play 1 with the chance 1/4, and the bet never matters in the last round.
    for value, chance in {0: Fraction(6, 16), 1: Fraction(9, 16), 3: Fraction(1, 16)}.items():
        low, high = found.bounds(value)
        assert low <= chance <= high
        # Without rounding, the length of the weights doubles in each round.
        assert low.denominator.bit_length() < 10_000


@pytest.mark.thorough
def test_a_loop_without_a_limit_is_played_for_a_hundred_rounds() -> None:
    text = (
        ENDLESS.replace(", limit 40 times", "")
        .replace("       red chooses bet among [0, 1, 2]\n", "")
        .replace("bet", "1")
    )
    found = enfilade.load(text=text).odds("main", players={"red": "best", "blue": "worst"}, aim="last").of("last")
    assert found.remainder == pytest.approx((5 / 6) ** 100)
    assert [str(each.line) for each in found.cut_off] == ["7"]
