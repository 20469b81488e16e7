"""Numbers that rise in a loop without an end: exact wherever they are compared with a number."""

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
SOME: Final = ROUNDS.replace("    total becomes total + die\n", "    when die <= 2: total becomes total + 1\n")
ON_SIX: Final = ROUNDS.replace("until die is 6", "until die is not 6")
TWO_LOOPS: Final = ROUNDS.replace(
    "  give rounds = rounds\n",
    "  repeat until other is 1\n    roll d4 as other\n    rounds becomes rounds + 1\n  give rounds = rounds\n",
)
RUN: Final = """\
procedure main
  let rounds = 0
  let run = 0
  repeat until run >= 2
    roll d6 as die
    rounds becomes rounds + 1
    when die is 6: run becomes run + 1
    otherwise: run becomes 0
  give rounds = rounds
"""
WILD: Final = """\
procedure main
  roll d6 as calm
  roll d6 as wild, explode on 6
  let sum = calm.total + wild.total
  give calm = calm.total
  give sum
"""


def odds(question: str, text: str = ROUNDS) -> enfilade.Distribution:
    return enfilade.load(text=text).odds("main").of(question)


def fewer_than_ten() -> Fraction:
    """The chance of a total below 10: that before the last die, in rounds that each add 1 to 5, is 3 at most."""
    chances = [Fraction(1)]
    for total in range(1, 4):
        chances.append(sum((chances[total - die] for die in range(1, 6) if die <= total), Fraction(0)) / 6)
    return sum(chances, Fraction(0)) / 6


@pytest.mark.parametrize(
    ("text", "question", "chance"),
    [
        (ROUNDS, "rounds >= 1", Fraction(1)),
        (ROUNDS, "rounds >= 3", Fraction(5, 6) ** 2),
        (ROUNDS, "rounds >= 60", Fraction(5, 6) ** 59),
        (ROUNDS, "rounds is 1", Fraction(1, 6)),
        (ROUNDS, "rounds is 60", Fraction(5, 6) ** 59 / 6),
        (ROUNDS, "total < 10", fewer_than_ten()),
        # No 6 in two rounds, and not only 3, 4 and 5 in all rounds before the 6.
        (SOME, "rounds >= 3 and total >= 1", Fraction(25, 36) - Fraction(1, 4) * Fraction(1, 6) * 2),
    ],
)
def test_a_counter_compared_with_a_number_is_exact(text: str, question: str, chance: Fraction) -> None:
    found = odds(question, text)
    assert (found.exact, found[True], found.cut_off) == (True, chance, ())


@pytest.mark.parametrize(
    ("text", "question", "most"),
    [
        (ROUNDS, "rounds", Fraction(1, 10**15)),
        pytest.param(
            ROUNDS.replace("total + die", "total - die"),
            "total <= -10",
            Fraction(1, 10**12),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_the_number_itself_and_one_that_falls_leave_a_remainder_that_is_negligible(
    text: str, question: str, most: Fraction
) -> None:
    assert 0 < odds(question, text).remainder < most


@pytest.mark.parametrize(
    ("text", "question", "cut"),
    [
        (ROUNDS, "total", [("repeat", 4, True)]),
        (ROUNDS, "rounds", [("repeat", 4, True)]),
        (ROUNDS, "rounds mod 2 is 0", [("repeat", 4, True)]),
        (WILD, "sum", [("wild", 3, False)]),
        (WILD, "calm", []),
    ],
)
def test_an_answer_that_is_not_exact_names_the_loop_or_the_roll_and_its_line(
    text: str, question: str, cut: list[tuple[str, int, bool]]
) -> None:
    assert [(each.name, each.line, each.is_loop) for each in odds(question, text).cut_off] == cut


def test_chances_of_a_counter_are_exact_up_to_its_open_end() -> None:
    found = odds("rounds")
    assert (found[3], found.at_least(60)) == (Fraction(25, 216), Fraction(5, 6) ** 59)
    with pytest.raises(enfilade.OddsError, match=r"repeat \(line 4\) has no limit on its rounds"):
        found[found.open_from]
    assert odds("sum", WILD)[9] == Fraction(3, 36) + Fraction(2, 216)


def test_a_chance_that_is_not_exact_is_an_error() -> None:
    asked = enfilade.load(text=ROUNDS).odds("main")
    with pytest.raises(enfilade.OddsError, match="at most 20 times"):
        asked.chance("rounds mod 2 is 0")
    least, most = asked.of_condition("rounds mod 2 is 0").bounds(True)
    assert least < Fraction(5, 11) < most


@pytest.mark.parametrize(
    ("text", "question", "mean"),
    [
        (ROUNDS, "rounds", 6),
        (ROUNDS, "total", 21),
        (ROUNDS, "2 * rounds + 3", 15),
        (ROUNDS, "total / 3", 7),
        (ROUNDS, "rounds but at least 0", 6),
        (ROUNDS, "rounds but at least 3", Fraction(233, 36)),
        (ROUNDS, "rounds but at most 3", Fraction(91, 36)),
        (ROUNDS, "highest of [2, rounds]", Fraction(37, 6)),
        (ON_SIX, "total", Fraction(21, 5)),
        (TWO_LOOPS, "rounds", 10),
        # The longest wait is for two sixes in a row: 6 + 36 rounds.
        (RUN, "rounds", 42),
    ],
)
def test_the_mean_of_a_counter_is_exact(text: str, question: str, mean: Fraction) -> None:
    assert odds(question, text).mean == mean


def test_a_mean_that_is_not_known_is_an_error() -> None:
    text = ROUNDS.replace("    total becomes total + die\n", "    total becomes total * 2 + 1\n")
    with pytest.raises(enfilade.OddsError, match=r"repeat \(line 4\)"):
        odds("total", text).mean  # noqa: B018


def test_turns_of_a_chain_compared_with_a_number_are_exact_and_so_is_their_mean() -> None:
    text = "procedure main\n  roll d6 as die\n  give done = die is 6\n"
    chain = enfilade.load(text=text).odds("main").until("done")
    turns = chain.of("turns <= 3")
    assert (turns.exact, turns[True], chain.of("turns").mean) == (True, 1 - Fraction(5, 6) ** 3, 6)


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


@pytest.mark.parametrize("most", [126, 127, 128])
def test_a_loop_that_may_never_end_is_refused_when_its_states_are_all_known(most: int) -> None:
    text = TRAP.replace(
        "becomes rounds + 1\n       roll d6 as die\n       when x",
        f"becomes rounds + 1 but at most {most}\n       roll d6 as die\n       when x",
    )
    with pytest.raises(enfilade.LimitError, match="the loop can go on forever"):
        _ = enfilade.load(text=text).odds("loop").result


def test_a_loop_that_counts_for_long_is_no_endless_loop() -> None:
    odds = enfilade.load(text=TRAP).odds("long")
    assert (odds.of("rounds")[300], odds.result[0]) == (1, Fraction(5, 6) ** 300)


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
    found = odds("score", LATE)
    assert 0 < found.remainder < Fraction(1, 10**6)
    assert "die" in [each.name for each in found.cut_off]


def test_a_loop_with_a_limit_leaves_what_comes_after_it_open() -> None:
    assert enfilade.load(text=LATE).odds("limited").of("rounds").remainder == Fraction(1, 2)
