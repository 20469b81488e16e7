"""Numbers that rise in a loop without an end: exact wherever they are compared with a number."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

import enfilade

ROUNDS: Final = """\
procedure main
  let rounds = 0
  let total = 0
  repeat until die is 6
    roll d6 as die
    rounds becomes rounds + 1
    total becomes total + die
  give rounds = rounds
  give total = total
"""


def odds(question: str, text: str = ROUNDS) -> enfilade.Distribution:
    return enfilade.load(text=text).odds("main").of(question)


@pytest.mark.parametrize("least", [1, 2, 3, 10, 60])
def test_the_number_of_rounds_compared_with_a_number_is_exact(least: int) -> None:
    found = odds(f"rounds >= {least}")
    assert found.exact
    assert found[True] == Fraction(5, 6) ** (least - 1)
    assert odds(f"rounds is {least}")[True] == Fraction(5, 6) ** (least - 1) / 6


def test_a_total_over_all_rounds_compared_with_a_number_is_exact() -> None:
    # The total before the last die, in rounds that each add 1 to 5.
    chances = [Fraction(1)]
    for total in range(1, 4):
        chances.append(sum((chances[total - die] for die in range(1, 6) if die <= total), Fraction(0)) / 6)
    found = odds("total >= 10")
    assert found.exact
    assert found[False] == sum(chances) / 6


def test_the_number_of_rounds_itself_leaves_a_remainder_that_is_negligible() -> None:
    found = odds("rounds")
    assert 0 < found.remainder < Fraction(1, 10**15)


def test_a_number_that_falls_without_end_leaves_a_remainder() -> None:
    text = ROUNDS.replace("total + die", "total - die")
    found = odds("total <= -10", text)
    assert not found.exact
    assert found.remainder < Fraction(1, 10**12)


def test_two_counters_together_are_exact() -> None:
    text = ROUNDS.replace("    total becomes total + die\n", "    when die <= 2: total becomes total + 1\n")
    found = odds("rounds >= 3 and total >= 1", text)
    assert found.exact
    # No 6 in two rounds, and not only 3, 4 and 5 in all rounds before the 6.
    without = Fraction(1, 2) ** 2 * Fraction(1, 6) / (1 - Fraction(1, 2))
    assert found[True] == Fraction(25, 36) - without


def test_turns_of_a_chain_compared_with_a_number_are_exact() -> None:
    text = "procedure main\n  roll d6 as die\n  give done = die is 6\n"
    turns = enfilade.load(text=text).odds("main").until("done").of("turns <= 3")
    assert turns.exact
    assert turns[True] == 1 - Fraction(5, 6) ** 3


def test_an_answer_that_is_not_exact_names_the_loop_and_its_line() -> None:
    for question in ("total", "rounds", "rounds mod 2 is 0"):
        assert [(cut.name, cut.line, cut.is_loop) for cut in odds(question).cut_off] == [("repeat", 4, True)]
    assert not odds("rounds >= 3").cut_off


def test_an_answer_that_is_not_exact_names_the_roll_and_its_line() -> None:
    text = "procedure main\n  roll d6 as calm\n  roll d6 as wild, explode on 6\n  let sum = calm.total + wild.total\n"
    found = odds("sum", text + "  give sum\n")
    assert [(cut.name, cut.line, cut.is_loop) for cut in found.cut_off] == [("wild", 3, False)]
    assert found[9] == Fraction(3, 36) + Fraction(2, 216)
    assert not odds("calm", text + "  give calm = calm.total\n").cut_off


def test_chances_of_a_counter_are_exact_up_to_its_open_end() -> None:
    found = odds("rounds")
    assert found[3] == Fraction(25, 216)
    assert found.at_least(60) == Fraction(5, 6) ** 59
    with pytest.raises(enfilade.OddsError, match=r"repeat \(line 4\) has no limit on its rounds"):
        found[found.open_from]


def test_a_chance_that_is_not_exact_is_an_error() -> None:
    asked = enfilade.load(text=ROUNDS).odds("main")
    with pytest.raises(enfilade.OddsError, match="at most 20 times"):
        asked.chance("rounds mod 2 is 0")
    least, most = asked.of_condition("rounds mod 2 is 0").bounds(True)
    assert least < Fraction(5, 11) < most


@pytest.mark.parametrize(
    ("question", "mean"),
    [("rounds", 6), ("total", 21), ("2 * rounds + 3", 15), ("total / 3", 7)],
)
def test_the_mean_of_a_counter_is_exact(question: str, mean: int) -> None:
    assert odds(question).mean == mean


def test_the_mean_number_of_turns_is_exact() -> None:
    text = "procedure main\n  roll d6 as die\n  give done = die >= 5\n"
    assert enfilade.load(text=text).odds("main").until("done").of("turns").mean == 3


def test_the_mean_of_a_die_rolled_again_on_6_and_added_up_is_exact() -> None:
    text = ROUNDS.replace("until die is 6", "until die is not 6")
    assert odds("total", text).mean == Fraction(21, 5)


def test_means_of_loops_that_follow_each_other_add_up() -> None:
    again = "  repeat until other is 1\n    roll d4 as other\n    rounds becomes rounds + 1\n  give rounds = rounds\n"
    text = ROUNDS.replace("  give rounds = rounds\n", again)
    assert odds("rounds", text).mean == 10


def test_the_mean_of_a_counter_that_starts_again_is_exact() -> None:
    # The longest wait is for two sixes in a row: 6 + 36 rounds.
    text = (
        "procedure main\n  let rounds = 0\n  let run = 0\n  repeat until run >= 2\n    roll d6 as die\n"
        "    rounds becomes rounds + 1\n    when die is 6: run becomes run + 1\n    otherwise: run becomes 0\n"
        "  give rounds = rounds\n"
    )
    assert odds("rounds", text).mean == 42


def test_a_mean_that_is_not_known_is_an_error() -> None:
    text = ROUNDS.replace("    total becomes total + die\n", "    total becomes total * 2 + 1\n")
    with pytest.raises(enfilade.OddsError, match=r"repeat \(line 4\)"):
        odds("total", text).mean  # noqa: B018


@pytest.mark.parametrize(
    ("question", "mean"),
    [
        ("rounds but at least 0", 6),
        ("rounds but at least 3", Fraction(233, 36)),
        ("rounds but at most 3", Fraction(91, 36)),
        ("highest of [2, rounds]", Fraction(37, 6)),
    ],
)
def test_the_mean_of_a_number_that_is_bounded_on_one_side(question: str, mean: Fraction) -> None:
    assert odds(question).mean == mean


# ----------------------------------------------------------------------------------------------------- endless loops

TRAP = """
record side
  steps  0..3 = 2
facts
  a  side
  b  side
effect loss (side)
  side.steps becomes side.steps - 1 but at least 0
procedure round
  1. roll d6 as one
     roll d6 as two
  2. when one >= 4 and a.steps > 0: loss on b
     when two >= 4 and b.steps > 0: loss on a
  3. give left = a.steps
procedure loop
  1. let rounds = 0
     let x = 0
  2. repeat until x is 2
       rounds becomes rounds + 1
       roll d6 as die
       when x is 0: x becomes 1 when die is 1 otherwise 2 when die is 2 otherwise 0
  3. give result = rounds
procedure long
  1. let rounds = 0
     let sixes = 0
  2. repeat until rounds is 300
       rounds becomes rounds + 1
       roll d6 as die
       when die is 6: sixes becomes sixes + 1 but at most 2
  3. give result = sixes
     give rounds
"""


@pytest.mark.parametrize("condition", ["left is 0", "left is 7"])
@pytest.mark.parametrize("question", ["turns", "turns <= 5", "left"])
def test_turns_that_may_never_end_are_refused_with_the_remedy(condition: str, question: str) -> None:
    played = enfilade.load(text=TRAP).odds("round", a="a", b="b").until(condition)
    with pytest.raises(enfilade.LimitError, match="can go on forever; set a highest number of turns") as caught:
        played.of(question)
    assert (caught.value.limit, caught.value.place) == ("rounds", None)


@pytest.mark.parametrize("question", ["result", "result <= 5", "result is 3"])
def test_a_loop_that_may_never_end_is_refused_with_its_place(question: str) -> None:
    with pytest.raises(enfilade.LimitError, match=r"the loop can go on forever.*; write `at most 20 times`") as caught:
        enfilade.load(text=TRAP).odds("loop").of(question)
    assert caught.value.place is not None
    assert caught.value.place.line == 18


def test_a_loop_that_counts_for_long_is_no_endless_loop() -> None:
    odds = enfilade.load(text=TRAP).odds("long")
    assert odds.of("rounds")[300] == 1
    assert odds.result[0] == Fraction(5, 6) ** 300


LATE: Final = """
procedure main
  1. let rounds = 0
     let z = 160
     let odd = 0
  2. repeat until z is 0
       rounds becomes rounds + 1
       z becomes z - 1
       when z <= 20
         let done = 0
         repeat until done is 1
           roll d6 as die, explode on 6
           when die mod 2 is 0: done becomes 1
         odd becomes 1
  3. give score = rounds + odd * 1000
procedure limited
  1. let rounds = 0
     let x = 0
  2. repeat until x is 2, limit 200 times
       rounds becomes rounds + 1
       roll d2 as coin
       when x is 0: x becomes coin
  3. give rounds
"""


def test_a_roll_that_is_first_met_while_the_end_of_a_loop_is_looked_for_keeps_its_remainder() -> None:
    found = enfilade.load(text=LATE).odds("main").of("score")
    assert 0 < found.remainder < Fraction(1, 10**6)
    assert "die" in [each.name for each in found.cut_off]


def test_a_loop_with_a_limit_leaves_what_comes_after_it_open() -> None:
    assert enfilade.load(text=LATE).odds("limited").of("rounds").remainder == Fraction(1, 2)


@pytest.mark.parametrize("most", [126, 127, 128])
def test_a_loop_that_may_never_end_is_refused_when_its_states_are_all_known(most: int) -> None:
    text = f"""
procedure main
  1. let rounds = 0
     let x = 0
  2. repeat until x is 2
       rounds becomes rounds + 1 but at most {most}
       roll d6 as die
       when x is 0: x becomes 1 when die is 1 otherwise 2 when die is 2 otherwise 0
  3. give result = rounds
"""
    with pytest.raises(enfilade.LimitError, match="the loop can go on forever"):
        _ = enfilade.load(text=text).odds("main").result
