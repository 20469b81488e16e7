"""Choices to which a loop comes back: held to the best of all policies, each solved by linear equations of its own."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest

import enfilade
from enfilade import NeedsPolicy

PLACES: Final = 3
FACES: Final = 3
Table = Mapping[tuple[int, int, int], int]
"""Where a way leads from a place with each face: to a place, or from 10 on to the end with that many points over 10."""

GAME: Final = """\
players owner, enemy
procedure main
  1. let place = 0
     let score = 0
     let goes = yes
  2. repeat until not goes
       {choice}
       roll d{faces} as die
       let next = 0
{moves}
       when next >= 10
         score becomes next - 10
         goes becomes no
       otherwise
         place becomes next
  3. give result = score
"""
ONE: Final = "owner chooses way among 1..2"
TWO: Final = """let way = 0
       when place is 1
         enemy chooses answer among 1..2
         way becomes answer
       otherwise
         owner chooses move among 1..2
         way becomes move"""


def drawn(seed: int) -> Table:
    """A game: some faces end it, and each way may end."""
    rng = random.Random(seed)
    table = {}
    for place, way in product(range(PLACES), (1, 2)):
        for face in range(1, FACES + 1):
            table[place, way, face] = rng.choice([0, 1, 2, 10, 12, 13, 17])
        table[place, way, rng.randint(1, FACES)] = rng.randint(10, 17)
    return table


def rules(table: Table, choice: str) -> enfilade.Ruleset:
    lines = "".join(
        f"       when place is {place} and way is {way} and die is {face}: next becomes {to}\n"
        for (place, way, face), to in table.items()
    )
    return enfilade.load(text=GAME.format(choice=choice, faces=FACES, moves=lines.rstrip("\n")))


def value(table: Table, policy: tuple[int, ...]) -> Fraction:
    """The mean score from place 0, by elimination from the last place to the first."""
    rows = []
    for place in range(PLACES):
        row, known = [Fraction(int(place == other)) for other in range(PLACES)], Fraction(0)
        for face in range(1, FACES + 1):
            to = table[place, policy[place], face]
            if to >= 10:
                known += Fraction(to - 10, FACES)
            else:
                row[to] -= Fraction(1, FACES)
        rows.append((row, known))
    for last in range(PLACES - 1, 0, -1):
        row, known = rows[last]
        for at in range(last):
            factor = rows[at][0][last] / row[last]
            rows[at] = [a - factor * b for a, b in zip(rows[at][0], row, strict=True)], rows[at][1] - factor * known
    return rows[0][1] / rows[0][0][0]


def result(text: str, **how: Any) -> enfilade.Distribution:
    """The result of a game whose players aim at it."""
    return enfilade.load(text=text).odds("main", aim="result", **how).result


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("mode", "chosen"), [("best", max), ("worst", min)])
def test_one_player_plays_as_the_best_of_all_policies_and_so_does_the_policy_given_back(
    seed: int, mode: str, chosen: Callable[[list[Fraction]], Fraction]
) -> None:
    table = drawn(seed)
    made = rules(table, ONE)
    played = made.odds("main", aim="result", players={"owner": mode})
    assert played.result.exact
    assert played.result.mean == chosen([value(table, policy) for policy in product((1, 2), repeat=PLACES)])
    assert made.odds("main", policy=played.policy()).result == played.result


@pytest.mark.parametrize("seed", range(4))
def test_opponents_play_as_the_best_answers_to_each_other(seed: int) -> None:
    table = drawn(seed)
    found = rules(table, TWO).odds("main", aim="result", players={"owner": "best", "enemy": "worst"}).result
    best = max(min(value(table, (a, answer, c)) for answer in (1, 2)) for a, c in product((1, 2), repeat=2))
    assert (found.exact, found.mean) == (True, best)


HOLD: Final = """\
players you
procedure main
  1. let pot = 0
     let goes = yes
  2. repeat until not goes
       you chooses whether holds
       when holds
         goes becomes no
       otherwise
         roll d6 as die
         when die is 1
           pot becomes 0
           goes becomes no
         otherwise
           pot becomes {pot}
  3. give result = pot
"""


def hold_at(limit: int) -> Fraction:
    """The mean of holding from a number on, by recursion."""
    means: dict[int, Fraction] = {}
    for pot in range(limit + 6, -1, -1):
        on = sum((means[pot + face] for face in range(2, 7)), Fraction(0)) / 6 if pot < limit else Fraction(0)
        means[pot] = Fraction(pot) if pot >= limit else on
    return means[0]


BOUNDED: Final = HOLD.format(pot="(pot + die but at most 40)")
BEST: Final = {"you": "best"}


def test_a_pot_is_held_where_rolling_on_is_worth_less() -> None:
    odds = enfilade.load(text=BOUNDED).odds("main", aim="result", players=BEST)
    assert (odds.result.exact, odds.result.mean) == (True, hold_at(20))
    assert {dict(each.known)["pot"]: each.chosen == (True,) for each in odds.decisions} == {
        pot: pot >= 20 for pot in [0, *range(2, 26)]
    }


@pytest.mark.thorough
def test_a_pot_without_a_bound_leaves_what_was_not_followed_open() -> None:
    found = result(HOLD.format(pot="pot + die"), players=BEST)
    assert 0 < found.remainder < Fraction(1, 10**60)
    assert abs(found.bounds(0)[0] - result(BOUNDED, players=BEST)[0]) < Fraction(1, 10**12)


def test_rounds_that_a_policy_tells_apart_are_followed_one_by_one() -> None:
    assert result(BOUNDED, choices={"holds[2]": True}, players=BEST).mean == Fraction(20, 6)


WAITS: Final = """\
players you
procedure main
  1. let goes = yes
     let score = 0
  2. repeat until not goes
       you chooses whether waits
       when not waits
         roll d2 as die
         when die is 1: {bad}
         when die is 2: goes becomes no
  3. give result = score
"""


@pytest.mark.parametrize("mode", ["best", "worst"])
def test_nobody_gains_by_never_ending(mode: str) -> None:
    found = result(WAITS.format(bad="score becomes 5"), players={"you": mode})
    assert (found.exact, found.mean) == (True, Fraction(5, 2))


NESTED: Final = """\
players you
procedure main
  1. let score = 0
     let turns = yes
  2. repeat until not turns
       let again = yes
       repeat until not again
         roll d6 as die
         score becomes die
         you chooses whether keeps
         when keeps or die is 1: again becomes no
       you chooses whether ends
       when ends or score is 6: turns becomes no
  3. give result = score
"""


def test_a_loop_within_a_loop_is_solved_with_it() -> None:
    # Waiting costs nothing, so the best face comes.
    assert result(NESTED, players=BEST) == {6: 1}


OPEN: Final = """\
players you
procedure main
  1. let goes = yes
     let score = 0
  2. repeat until not goes
       you chooses colour among 1..2
       roll d6 as die
       when die >= 5
         goes becomes no
         score becomes {score}
  3. give result = score
"""


def test_a_choice_without_a_policy_may_change_nothing() -> None:
    assert result(OPEN.format(score="die")) == {5: Fraction(1, 2), 6: Fraction(1, 2)}


def test_a_choice_without_a_policy_that_changes_something_is_named() -> None:
    with pytest.raises(NeedsPolicy, match="colour"):
        result(OPEN.format(score="colour"))


def test_a_player_by_chance_chooses_anew_in_each_round() -> None:
    found = result(OPEN.format(score="colour"), players={"you": "random"})
    assert found == {1: Fraction(1, 2), 2: Fraction(1, 2)}


def test_choices_known_so_far_are_taken_before_the_rest_is_solved() -> None:
    found = result(BOUNDED, dice=[6, 6], choices=[False, False, False], players=BEST)
    assert (found.exact, found[0]) == (True, later(12))


def later(pot: int) -> Fraction:
    """The chance to lose all, holding from 20 on."""
    if pot >= 20:
        return Fraction(0)
    return Fraction(1, 6) + sum((later(pot + face) for face in range(2, 7)), Fraction(0)) / 6


def test_play_that_an_aim_can_never_end_is_left_open() -> None:
    text = """
players red
procedure main
  1. let at = 0
     roll d2 as coin
  2. repeat until at is 2
       red chooses way from left, right
       at becomes 2 when coin is 1 otherwise 1
  3. give result = at
"""
    found = result(text, players={"red": "best"})
    assert (found.remainder, [each.name for each in found.cut_off]) == (Fraction(1, 2), ["repeat"])
