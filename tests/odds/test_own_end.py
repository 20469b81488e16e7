"""Loops that end by a counter of their own are exact, however unlikely their last rounds are."""

from fractions import Fraction
from typing import Any, Final

import pytest

import enfilade

LOOP: Final = """\
{before}
procedure main
  let hits = 0
  let n = 0
  repeat until {until}
    {first}
    roll d2 as die
    when die is 2: hits becomes hits + 1
    {last}
  give hits
  give n
"""
RECORD: Final = """\
record unit
  turns  {turns}
  hits   0.. = 0
  most   0.. = 60
effect pass (unit)
  unit.turns becomes unit.turns {step} 1
facts
  target  unit
procedure turn
  roll d2 as die
  when die is 2: target.hits becomes target.hits + 1
  pass on target
procedure main
  repeat until target.hits is 2 or {until}
    call turn
  give hits = target.hits
  give n = target.turns
"""
ROUND: Final = "n becomes n + 1"


def loop(until: str, *, first: str = "", last: str = ROUND, before: str = "", most: str = "") -> str:
    text = LOOP.format(until=until, first=first, last=last, before=before)
    text = text.replace("  let n = 0\n", f"  let n = 0\n{most}")
    return "\n".join(line for line in text.splitlines() if line.strip())


def chances(text: str, **facts: Any) -> tuple[Fraction, Fraction, Fraction]:
    """The chances of two hits, and of the last two rounds."""
    odds = enfilade.load(text=text).odds("main", **facts)
    found = odds.of("hits")
    assert (found.exact, found.cut_off) == (True, ())
    rounds = odds.of("n")
    assert rounds.exact
    return found[2], rounds[60] if 60 in rounds else Fraction(0), rounds[59] if 59 in rounds else Fraction(0)


SIXTY: Final = (1 - Fraction(61, 2**60), Fraction(60, 2**59), Fraction(58, 2**59))
"""One hit or none in 60 rounds; in 59 of them; and a second hit in the 59th."""


@pytest.mark.parametrize(
    "text",
    [
        loop("hits is 2 or n >= 60"),
        loop("n >= 60 or hits is 2"),
        loop("n is 60 or hits >= 2"),
        loop("not (hits is not 2 and n < 60)"),
        loop("(hits is 2 and die is 2) or n > 59"),
        loop("hits is 2 or n >= 60", first=ROUND, last=""),
        loop("hits is 2 or n >= most", most="  let most = 60\n"),
        loop("hits is 2 or n >= most", before="define most = 60"),
        loop("ended(hits, n)", before="define ended (hits 0.., n 0..) = hits is 2 or n is 60"),
        loop("hits is 2 or over", most="  let over = no\n", last=f"{ROUND}\n    over becomes n >= 60"),
        loop("hits is 2", first="when n >= 60: leave"),
        loop("hits is 2 or twice >= 120", most="  let twice = 0\n", last=f"{ROUND}\n    twice becomes twice + 2"),
        loop("hits is 2 or left is 0", most="  let left = 60\n", last=f"{ROUND}\n    left becomes left - 1"),
        loop("hits is 2 or left <= 0", most="  let left = 60\n", last=f"{ROUND}\n    left becomes left - 1"),
        loop("hits is 2 or half >= 30", most="  let half = 0\n", last=f"{ROUND}\n    half becomes half + 1 / 2"),
    ],
)
def test_a_loop_that_ends_by_its_counter_is_exact(text: str) -> None:
    assert chances(text) == SIXTY


@pytest.mark.parametrize(("given", "until"), [({"most": 60}, "n >= most"), ({"base": 20}, "n >= base * 2 + 20")])
def test_so_it_is_if_a_fact_is_the_end_or_the_end_is_computed(given: dict[str, int], until: str) -> None:
    before = f"facts\n  {next(iter(given))}  0.."
    assert chances(loop(f"hits is 2 or {until}", before=before), **given) == SIXTY


@pytest.mark.parametrize("until", ["target.turns >= 60", "target.turns is 60", "target.turns >= target.most"])
@pytest.mark.parametrize("turns", ["0.. = 0", "0..60 = 0", "0..100 = 0"])
def test_so_it_is_if_a_procedure_and_an_effect_count_a_field(until: str, turns: str) -> None:
    assert chances(RECORD.format(turns=turns, step="+", until=until), target={"name": "a"}) == SIXTY


def test_so_it_is_if_a_field_counts_down() -> None:
    text = RECORD.format(turns="0.. = 60", step="-", until="target.turns is 0")
    assert chances(text, target={"name": "a"})[0] == SIXTY[0]


def test_so_it_is_if_a_die_says_where_the_counter_ends() -> None:
    text = loop("hits is 2 or n >= most", most="  roll d6 as more\n  let most = 54 + more\n")
    wanted = sum((1 - Fraction(1 + most, 2**most) for most in range(55, 61)), Fraction(0)) / 6
    assert chances(text)[0] == wanted


def test_so_it_is_in_a_loop_within_a_loop() -> None:
    text = """\
procedure main
  let hits = 0
  let n = 0
  repeat until hits is 2 or n >= 60
    let inner = 0
    repeat until coin is 2 or inner >= 70
      roll d2 as coin
      inner becomes inner + 1
    when coin is 1: hits becomes 2
    n becomes n + 1
  give hits
  give n
"""
    assert chances(text)[0] == 1 - (1 - Fraction(1, 2**70)) ** 60


@pytest.mark.thorough
@pytest.mark.parametrize("most", [200, 500, 1000])
def test_so_it_is_after_hundreds_of_rounds(most: int) -> None:
    assert chances(loop(f"hits is 2 or n >= {most}"))[0] == 1 - Fraction(1 + most, 2**most)


def test_a_loop_that_ends_too_late_to_be_worked_out_has_no_remedy_that_changes_the_rules() -> None:
    found = enfilade.load(text=loop("hits is 2 or n >= 30000")).odds("main").of("hits")
    assert not found.exact
    (cut,) = found.cut_off
    assert cut.ends
    assert str(cut) == "repeat (line 4) ends by a counter, but its last rounds are too unlikely to be worked out"


@pytest.mark.parametrize("until", ["hits is 2", "n >= 3 and die is 2", "hits is 2 or n < 0"])
def test_a_loop_without_an_end_of_its_own_still_says_so(until: str) -> None:
    found = enfilade.load(text=loop(until)).odds("main").of("n")
    assert [str(each).partition(":")[0] for each in found.cut_off] == ["repeat (line 4) has no limit on its rounds"]
