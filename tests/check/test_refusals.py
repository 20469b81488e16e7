"""Refusals stand before the first roll or choice, on every way and through all that is called."""

import pytest
from tests.check.marking import found, marked

HEAD = """
players owner
record unit
  steps  0.. = 1
facts
  a      0..
  units  list of unit
deck chits of red, blue
effect asks "rolls within" (unit)
  roll d6 as luck
  unit.steps becomes luck
effect refuses "refuses within" (unit)
  refuse too_weak "no steps left" when unit.steps is 0
effect calls "calls what refuses" (unit)
  call early
procedure early
  1. refuse zero "nothing to do" when a is 0
  2. roll d6 as luck
procedure never_refuses
  1. roll d6 as luck
procedure only_refuses
  1. refuse zero "nothing to do" when a is 0
procedure uses_all
  1. give x = a + (count of units)
"""


def late(steps: str) -> list[int]:
    """The steps of a procedure, from 1, at which a refusal comes late."""
    text = f"{HEAD}procedure p\n{steps}"
    codes = found(text)
    assert {code for code, _ in codes} <= {"late-refusal"}, codes
    return [line - HEAD.count("\n") - 1 for _, line in codes]


@pytest.mark.parametrize("asking", ["roll d6 as x", "draw 1 from chits as x", "owner chooses whether x",
                                    "owner chooses x from left, right", "owner chooses x among units, if any",
                                    "call never_refuses", "asks on (item 1 of units)",
                                    "owner assigns 1 refuses among units"])  # fmt: skip
def test_nothing_is_refused_after_a_roll_a_draw_or_a_choice(asking: str) -> None:
    lines = late(f"  1. {asking}\n  2. refuse one when a is 1\n")
    assert 2 in lines
    assert late(f"  1. refuse one when a is 1\n  2. {asking}\n") in ([], [2])


def test_a_refusal_before_everything_is_well() -> None:
    assert late("  1. let x = a + 1\n  2. refuse one when x is 2\n  3. call only_refuses\n  4. roll d6 as y\n") == []


def test_a_procedure_that_may_refuse_is_called_before_a_roll_or_says_what_happens_then() -> None:
    assert late("  1. call early\n") == []
    assert late("  1. roll d6 as x\n  2. call early\n") == [2]
    assert late("  1. roll d6 as x\n  2. call early\n       if refused: stop\n") == []
    assert late("  1. roll d6 as x\n  2. call never_refuses\n") == []
    assert late("  1. call only_refuses\n  2. refuse one when a is 1\n") == []
    assert late("  1. call early\n  2. refuse one when a is 1\n") == [2]


def test_what_is_done_after_a_refusal_counts_as_well() -> None:
    assert late("  1. call only_refuses\n       if refused: roll d6 as x\n  2. refuse one when a is 1\n") == [3]
    assert late("  1. call only_refuses\n       if refused: stop\n  2. refuse one when a is 1\n") == []
    assert late("  1. roll d6 as x\n  2. call early\n       if refused: refuse one when a is 1\n") == [3]


def test_a_refusal_is_found_through_effects() -> None:
    assert late("  1. roll d6 as x\n  2. refuses on (item 1 of units)\n") == [2]
    assert late("  1. refuses on (item 1 of units)\n  2. roll d6 as x\n") == []
    assert late("  1. roll d6 as x\n  2. calls on (item 1 of units)\n") == [2]
    assert late("  1. asks on (item 1 of units)\n  2. refuse one when a is 1\n") == [2]


def test_a_refusal_is_found_through_results() -> None:
    text = """
chart t
  down  d6
  | d6  | Result |
  | 1-6 |   X    |
results of t for each unit
  X  "one"
    each reader: refuses
procedure p
  1. roll d6 as x
  2. read t with x for each unit as shots
  3. apply shots                              -- ! late-refusal
"""
    assert found(HEAD + text) == marked(HEAD + text)


def test_the_next_round_of_a_loop_comes_after_what_this_one_rolled() -> None:
    assert late("  1. for each unit in units\n       refuse one when a is 1\n       roll d6 as x\n") == [2]
    assert late("  1. repeat 3 times\n       call early\n") == [2]
    assert late("  1. repeat until a is 3\n       refuse one when a is 1\n       roll d6 as x\n") == [2]
    assert late("  1. for each unit in units\n       refuse one when a is 1\n  2. roll d6 as x\n") == []
    assert late("  1. for each unit in units\n       for each unit in units\n         refuse one when a is 1\n"
                "       roll d6 as x\n") == [3]  # fmt: skip


def test_one_way_that_rolls_is_enough() -> None:
    assert late("  1. when a is 1\n       roll d6 as x\n  2. refuse one when a is 2\n") == [3]
    assert late(
        "  1. when a is 1\n       let x = 1\n     otherwise\n       roll d6 as x\n  2. refuse one when a is 2\n"
    ) == [5]


def test_a_way_that_stops_does_not_come_to_what_stands_below() -> None:
    assert late("  1. when a is 1\n       roll d6 as x\n       stop\n  2. refuse one when a is 2\n") == []
    assert late("  1. roll d6 as x\n  2. stop\n  3. refuse one when a is 2\n") == []


def test_parts_that_happen_together_are_asked_one_after_the_other() -> None:
    assert late("  1. together\n       roll d6 as x\n       refuse one when a is 1\n") == [3]
    assert late("  1. together\n       refuse one when a is 1\n       roll d6 as x\n") == []


def test_procedures_that_call_each_other_are_followed_to_the_end() -> None:
    text = """
procedure ping
  1. when a > 3: call pong         -- ! late-refusal
  2. roll d6 as x
procedure pong
  1. call ping
  2. refuse one when a is 1        -- ! late-refusal
"""
    expected = [each for each in marked(HEAD + text) if each[1] != HEAD.count("\n") + 3]
    assert found(HEAD + text) == expected


def test_an_edge_refuses_by_facts_and_not_by_the_roll() -> None:
    text = """
facts
  b  1..
chart t
  down    2d6
  across  b, column at or below
  column below  refuse too_weak "the attack is too weak"
  row above     refuse too_high "no such roll"              -- ! late-refusal
  | 2d6   | 4 | 8 |
  | 2..12 | - | X |
modifiers m add to roll of t
  +1  many  (count of units) > 3
chart u
  down  b
  row above  refuse too_far "out of range"
  | b    | Result |
  | 1..9 |   -    |
"""
    assert found(HEAD + text) == marked(HEAD + text)


def test_many_blocks_within_each_other_take_no_time() -> None:
    depth = 20
    lines = ["  1. repeat 1 times\n"]
    for level in range(1, depth):
        lines.append(" " * (5 + 2 * level) + "repeat 1 times\n")
    lines.append(" " * (5 + 2 * depth) + "roll d6 as x\n")
    assert late("".join(lines)) == []


def test_a_chart_read_after_a_roll_refuses_too_late_unless_a_step_refused_the_same() -> None:
    chart = """facts
  fire  0..9
chart t
  down    d6
  across  fire, column at or below
  column below  refuse too_weak "below the first column"
  | d6  | 2 | 5 |
  | 1-6 | M | X |
procedure p
"""
    late = "  1. roll d6 as die\n  2. read t with die as shot\n  3. give result = shot.code\n"
    assert found(chart + late) == [("late-refusal", 11)]
    assert found(chart + '  0. refuse too_weak "too weak" when fire < 2\n' + late) == []
