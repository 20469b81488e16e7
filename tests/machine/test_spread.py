"""`kills spread evenly over lives`: every way to spread a number as evenly as possible, to give or to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

import enfilade
from enfilade.core.operators import spread
from enfilade.errors import LimitError
from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse

# Bombs on the decks of a group of carriers, hits on the steps of a stack, losses on the units of an attack.
RULES = """
players owner
record ship
  decks  0.. = 2
facts
  carriers  list of ship
  bombs     0..
effect deck_lost "loses decks" (ship or none, amount 1..)
  when ship is not none: ship.decks becomes ship.decks - amount
procedure raid
  1. owner chooses hits among bombs spread evenly over (list of decks over carriers)
     let place = 0
     for each ship in carriers
       place becomes place + 1
       when item place of hits > 0: deck_lost on ship with amount item place of hits
  2. when bombs > sum of hits: deck_lost with amount bombs - sum of hits  "bombs fall into the sea"
     give result = hits
procedure rolled
  1. roll d6 as bombs_rolled
     give ways = count of (bombs_rolled spread evenly over [2, 2, 2])
"""


def one_by_one(amount: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to spread by hand: each on one of those with the fewest so far and with room left."""
    states = {(0,) * len(room)}
    for _ in range(min(amount, sum(room))):
        following = set()
        for had in states:
            fewest = min(h for h, r in zip(had, room, strict=True) if h < r)
            for n, (h, r) in enumerate(zip(had, room, strict=True)):
                if h == fewest and h < r:
                    following.add((*had[:n], h + 1, *had[n + 1 :]))
        states = following
    yield from states


@pytest.mark.parametrize("room", [*product(range(4), repeat=3), (5,), (), (1, 2, 3, 4)])
def test_each_way_is_one_that_goes_up_one_by_one(room: tuple[int, ...]) -> None:
    for amount in range(11):
        found = spread(amount, room)
        assert sorted(found, reverse=True) == list(found)
        assert set(found) == set(one_by_one(amount, room))


def test_a_large_number_is_spread_at_once_and_too_many_ways_are_refused() -> None:
    assert spread(10**9, (10**9, 10**9 - 1)) == ((5 * 10**8, 5 * 10**8),)
    with pytest.raises(LimitError, match=str(DEFAULT_LIMITS.length)):
        spread(20, (1,) * 40)


def test_a_player_chooses_one_of_the_ways_and_no_other() -> None:
    rules = enfilade.load(text=RULES)
    carriers = [{"name": "a"}, {"name": "b", "decks": 1}, {"name": "c"}]
    outcome = rules.resolve("raid", carriers=carriers, bombs=4, choices=[[1, 1, 2]])
    assert outcome.result == (1, 1, 2)
    with pytest.raises(enfilade.InputError):
        rules.resolve("raid", carriers=carriers, bombs=4, choices=[[2, 0, 2]])


def test_an_effect_may_be_done_to_nobody() -> None:
    rules = enfilade.load(text=RULES)
    outcome = rules.resolve("raid", carriers=[{"name": "a"}], bombs=3)
    assert [dict(each.args) for each in outcome.effects] == [{"ship": "a", "amount": 2}, {"ship": None, "amount": 1}]
    assert "bombs fall into the sea, amount 1" in str(outcome.explain())


def test_odds_of_ways() -> None:
    assert enfilade.load(text=RULES).odds("rolled").of("ways")[3] == Fraction(4, 6)


def test_both_read_the_same_when_printed() -> None:
    module = parse_module(SourceFile.from_text(RULES)).module
    assert "bombs spread evenly over" in unparse(module)
    assert parse_module(SourceFile.from_text(unparse(module))).module == module


def test_a_list_of_records_is_told_what_to_write() -> None:
    text = RULES.replace("(list of decks over carriers)", "carriers")
    (found,) = [each for each in enfilade.check(text) if "whole numbers" in each.message]
    assert found.helps == ("list the maximum for each element: `list of lives over units`",)


def test_odds_without_the_fact_that_a_choice_reads_are_an_input_error() -> None:
    with pytest.raises(enfilade.InputError, match="bombs"):
        enfilade.load(text=RULES).odds("raid", carriers=[{"name": "a"}, {"name": "b"}]).result[(1, 1)]
