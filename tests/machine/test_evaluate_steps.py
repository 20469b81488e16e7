"""The reference evaluator, step by step: facts, dice, choices, results, state, calls, refusals and limits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import pytest
from tests.machine.playing import Asking, program, run

from enfilade.core.evaluate import Machine
from enfilade.core.events import Event
from enfilade.core.inputs import convert_facts
from enfilade.core.run import Refused
from enfilade.errors import InputError, LimitError, MissingAnswer, RuleError
from enfilade.limits import DEFAULT_LIMITS, Limits

HEAD: Final = """
players owner, foe
record unit
  kind      one of infantry, gun, wagon = infantry
  steps     0..4 = 3
  broken    yes/no
  on_wagon  unit or none = none
  found_by  one of nobody, red, blue = nobody
facts
  units  list of unit
effect hit "loses steps" (unit, amount 1..2) [7.1]
  unit.steps becomes unit.steps - amount     [7.2]
effect rout "routs" (unit)
  unit.broken becomes yes
effect seen_by (unit, who one of red or blue)
  unit.found_by becomes who
"""
UNITS: Final = {"a": {}, "b": {"kind": "gun"}, "c": {"kind": "wagon", "steps": 1}}
FACTS: Final = """
facts
  a      0..
  b      0..
  night  yes/no required
  c      0.. = 7
"""
CARDS: Final = """
deck chits of 2 x red, blue
facts
  n  -2..9 = 1
"""
DRAWN: Final = f"""{CARDS}
procedure p
  1. draw 2 from chits as hand
  2. give left = cards left in chits
  3. draw n from chits as more
  4. reshuffle chits
  5. give again = count of cards left in chits
"""
CALL: Final = f"""{HEAD}
procedure weak
  facts
    limit  0..
  1. refuse too_weak "nobody is left" when limit is 0  [3.4]
  2. give answer = limit * 2
procedure p
  1. for each unit in units where steps > 1: hit with amount 1
  2. call weak with limit (count of units) as it
       if refused: {{then}}
  3. give answer = it.answer
"""
SUNK: Final = f"""{HEAD}
effect sink (unit)
  unit.broken becomes yes
  for each load in units where on_wagon is unit and not broken
    sink on load
procedure p
  1. sink on (item 1 of units)
  2. give sunk = count of effects sink
"""
CARRIED: Final = f"""{HEAD}
procedure p
  1. give carried = list of unit over (units where on_wagon is not none)
  2. give steps   = sum of on_wagon.steps over (units where on_wagon is not none)
"""
UNGIVEN: Final = """
facts
  n  0..
procedure q
  1. when n is 1: give y = 2
procedure p
  1. call q as it
  2. give x = it.y
"""
COUNTING: Final = """
procedure p
  1. let n = 0
  2. repeat until n is 3, limit 5 times
       n becomes n + 1
  3. give n
"""
TIMES: Final = "facts\n  k  -1..\nprocedure p\n  1. let n = 0\n  2. repeat k times: n becomes n + 1\n  3. give n\n"
SPREAD: Final = f"{HEAD}procedure p\n  1. owner chooses one among [[1, 2], [2, 1]]\n  2. give who = one\n"
CHOSEN: Final = f"{HEAD}procedure p\n  1. owner chooses 2 two among units\n  2. give who = two\n"
EXPLODING: Final = "procedure p\n  1. roll d6 as x, explode on 6\n  2. give total = x\n"
RESULTS: Final = f"""{HEAD}
chart t
  down  d6
  | d6  | Result |
  |  1  |   -    |
  |  2  |   X    |
  |  3  |   2X   |
  |  4  |   M1   |
  |  5  |   A1D2 |
  |  6  |   M    |
effect note (unit, what 0..)
results of t for each unit
  -              "none"
  #X, X is 1X    "losses"
    once: owner assigns (highest of # over readers) hit with amount 1 among readers where # >= nth and steps > 1 as losses
    each reader: note with what #
  M1             "one, literally"
    each reader: note with what 41
  M#, M is M0    "morale"
    each reader: note with what #
  A#aD#d         "both"
    each reader: note with what 10 * #a + #d
  then #X
    each reader where kind is gun: note with what 99
procedure p
  1. roll d6 as one
  2. read t with one for each unit as shots
  3. apply shots
  4. give notes = list of what over effects note
"""


def steps(*lines: str, head: str = HEAD) -> str:
    """A text whose procedure ``p`` has these steps."""
    return f"{head}procedure p\n" + "".join(f"  {number}. {line}\n" for number, line in enumerate(lines, 1))


def joined(*parts: str) -> str:
    """Parts that happen together."""
    return steps("together" + "".join(f"\n       {part}" for part in parts), "give after = sum of steps over units")


# -- what a procedure gives, does and asks

ENDS: Final[dict[str, tuple[str, dict[str, Any], dict[str, Any]]]] = {
    "a fact is asked for once and one with a default never": (
        steps("give x = a + a + c", "give y = a", head=FACTS), {"asked": {"a": 1}}, {"asked": ["a"]},
    ),
    "a case that counts asks for its facts": (
        steps("give x = a when night otherwise b", head=FACTS), {"asked": {"night": True, "a": 1}},
        {"asked": ["night", "a"]},
    ),
    "another case that counts asks for its own": (
        steps("give x = a when night otherwise b", head=FACTS), {"asked": {"night": False, "b": 1}},
        {"asked": ["night", "b"]},
    ),
    "what does not happen asks for nothing": (
        steps("when night: give x = a", head=FACTS), {"asked": {"night": False}}, {"asked": ["night"]},
    ),
    "facts are asked for in the order of the steps, and modifiers in that of the file": (
        f"""{FACTS}
modifiers m
  +1  first   b is 1
  +1  second  night and a is 1
  +1  third   a is 1
procedure p
  1. roll d6 as die
  2. give x = m + die
""", {"dice": [3], "asked": {"b": 1, "night": False, "a": 1}}, {"asked": ["die", "b", "night", "a"]},
    ),
    "a roll keeps faces, values, total and natural": (
        """
die bones faces 1..9, 0 as 10
procedure p
  1. roll 3 bones as roll_of_three
  2. give faces = roll_of_three.faces
  3. give values = roll_of_three.values
  4. give total = roll_of_three
  5. give natural = roll_of_three.natural
  6. give even = roll_of_three is even
  7. give doubles = roll_of_three is doubles
""", {"dice": [0, 3, 0]},
        {"outputs": {
            "faces": [0, 3, 0], "values": [10, 3, 10], "total": 23, "natural": 10, "even": False, "doubles": False,
        }},
    ),
    "symbols are counted and not added": (
        steps("roll 4 fight as blows", "give hits = count of blows.values where each is hit or crit",
              head="die fight faces 3 x blank, 2 x hit, crit\n"),
        {"dice": ["hit", "blank", "crit", "hit"]}, {"outputs": {"hits": 3}},
    ),
    "dice of different kinds keep their places when one is rolled again": (
        steps("roll d4 + d10 as x, reroll 1", "give values = x.values", head=""), {"dice": [1, 7, 3]},
        {"outputs": {"values": [3, 7]}},
    ),
    "an explosion is never cut short": (
        EXPLODING, {"dice": [6] * 9 + [1], "limits": Limits(rerolls=10)}, {"outputs": {"total": 55}},
    ),
    "no dice are no question": (
        steps("roll n d6 as x", "give total = x", "give natural = x.natural", head="facts\n  n  0..\n"), {"n": 0},
        {"outputs": {"total": 0, "natural": 0}, "asked": []},
    ),
    "cards are drawn without replacement and come back with a reshuffle": (
        DRAWN, {"dice": ["red", "blue", "red"]}, {"outputs": {"left": ["red"], "again": 3}},
    ),
    "a choice with one legal answer is taken and noted and not asked": (
        steps("owner chooses one among units where kind is gun", "give who = one"), {"units": UNITS},
        {"outputs": {"who": "b"}, "asked": ["one forced"]},
    ),
    "among nothing there is nothing to choose": (
        steps("owner chooses one among units, if any", "give none_there = one is none"), {"units": []},
        {"outputs": {"none_there": True}, "asked": []},
    ),
    "several are chosen": (CHOSEN, {"units": UNITS, "choices": ["c", "a"]}, {"outputs": {"who": ["c", "a"]}}),
    "several of which there is one are forced": (
        CHOSEN, {"units": {"a": {}}}, {"outputs": {"who": ["a"]}, "asked": ["two forced"]},
    ),
    "what stands twice in a list can be chosen once": (
        steps("owner chooses one among units followed by units"), {"units": {"a": {}}}, {"asked": ["one forced"]},
    ),
    "what is repeated has its place in its name": (
        f"""{HEAD}
procedure test
  facts
    n  1..
  1. roll d6 as die
procedure p
  1. for each unit in units
       roll d6 as morale
       repeat 2 times: roll d6 as again
  2. for each n in [5, 6]
       roll d6 as numbered
  3. repeat until 1 is 1
       roll d6 as once
  4. call test with n 1 as call_it
  5. call test with n 1
  6. together
       roll d6 as left_one
       for each unit in units: roll d6 as right_one
""", {"units": {"a": {}, "b": {}}, "dice": [1] * 14},
        {"asked": [
            "morale[a]", "again[a][1]", "again[a][2]", "morale[b]", "again[b][1]", "again[b][2]", "numbered[1]",
            "numbered[2]", "once[1]", "die[call_it]", "die[test]", "left_one", "right_one[a]", "right_one[b]",
        ]},
    ),
    "the next line sees what an effect changed": (
        steps("for each unit in units where steps > 2\n       hit with amount 1\n       give left = unit.steps",
              "give total = sum of steps over units"),
        {"units": UNITS},
        {"outputs": {"left": 2, "total": 5},
         "effects": [("hit", {"unit": "a", "amount": 1}), ("hit", {"unit": "b", "amount": 1})]},
    ),
    "references are followed": (
        CARRIED, {"units": {"a": {"on_wagon": "c"}, "c": {"steps": 4}}}, {"outputs": {"carried": ["a"], "steps": 4}},
    ),
    "effects that go back to themselves end when nothing is left": (
        SUNK, {"units": {"c": {}, "b": {"on_wagon": "c"}, "a": {"on_wagon": "b"}}}, {"outputs": {"sunk": 3}},
    ),
    "parts that happen together begin with the same state and their changes add up": (
        joined("for each unit in units where steps is 3: hit with amount 1",
               "for each unit in units where steps is 3: hit with amount 2"),
        {"units": {"a": {}}}, {"outputs": {"after": 0}},
    ),
    "two settings of one field that are the same do not conflict": (
        joined("for each unit in units: rout", "for each unit in units: rout"), {"units": {"a": {}}},
        {"records": {"a": {"kind": "infantry", "steps": 3, "broken": True, "on_wagon": None, "found_by": "nobody"}}},
    ),
    "two settings of two fields do not conflict": (
        joined("for each unit in units: seen_by with who red", "for each unit in units: rout"), {"units": {"a": {}}},
        {"records": {"a": {"kind": "infantry", "steps": 3, "broken": True, "on_wagon": None, "found_by": "red"}}},
    ),
    "a part that stops ends the procedure when all parts have happened": (
        joined("for each unit in units: hit with amount 1", "stop", "for each unit in units: hit with amount 1"),
        {"units": {"a": {}}},
        {"outputs": {},
         "records": {"a": {"kind": "infantry", "steps": 1, "broken": False, "on_wagon": None, "found_by": "nobody"}}},
    ),
    "repeat until is tested after each round": (COUNTING, {}, {"outputs": {"n": 3}}),
    "repeat some times may be fewer than none": (TIMES, {"k": -1}, {"outputs": {"n": 0}}),
    "repeat some times may be none": (TIMES, {"k": 0}, {"outputs": {"n": 0}}),
    "repeat some times": (TIMES, {"k": 3}, {"outputs": {"n": 3}}),
    "stop ends the procedure from within loops and effects and only that procedure": (
        f"""{HEAD}
effect halt
  stop
procedure inner
  1. for each unit in units
       give seen = unit
       when unit.kind is gun: halt
  2. give ended = yes
procedure p
  1. call inner as it
  2. give seen = it.seen
  3. give on = 1
""", {"units": UNITS}, {"outputs": {"seen": "b", "on": 1}},
    ),
    "a procedure that stops in an effect goes no deeper for it": (
        "effect halt\n  stop\nprocedure inner\n  1. halt\n"
        + steps("repeat 100 times: call inner", "give done = yes", head=""),
        {}, {"outputs": {"done": True}},
    ),
    "a call gives facts and gets outputs": (
        CALL.replace("{then}", "stop"), {"units": UNITS}, {"outputs": {"answer": 6}},
    ),
    "a callee that refuses leaves nothing behind": (
        f"""{HEAD}
procedure inner
  1. for each unit in units: hit with amount 1
  2. refuse always "always" when yes
procedure p
  1. call inner
       if refused: give refused = yes
  2. give losses = count of effects hit
  3. give steps = sum of steps over units
""", {"units": {"a": {}}}, {"outputs": {"refused": True, "losses": 0, "steps": 3}},
    ),
    "the outputs of what was refused are none": (
        CALL.replace("{then}", "give other = 1"), {"units": []}, {"outputs": {"other": 1, "answer": None}},
    ),
    "an output that was given": (UNGIVEN, {"n": 1}, {"outputs": {"x": 2}}),
    "an output that was not given is none": (UNGIVEN, {"n": 2}, {"outputs": {"x": None}}),
    "facts that a call gives hold in the call only": (
        """
facts
  a  0..
define twice = a * 2
procedure q
  1. give y = twice
procedure p
  1. call q with a 10 as ten
  2. give inner = ten.y
  3. give outer = twice
""", {"a": 1}, {"outputs": {"inner": 20, "outer": 2}},
    ),
    "a procedure that calls itself does not pass its own facts on": (
        """
procedure q
  facts
    n      0..
    extra  0.. = 0
  1. when n > 0
       call q with n n - 1 as inner
       give sum_of_all = inner.sum_of_all + extra + n
     otherwise
       give sum_of_all = extra
procedure p
  1. call q with n 2, extra 100 as it
  2. give x = it.sum_of_all
""", {}, {"outputs": {"x": 103}},
    ),
    "a result that changes nothing": (RESULTS, {"dice": [1], "units": {"a": {}}}, {"outputs": {"notes": []}}),
    "a pattern says how the bare code reads": (
        RESULTS, {"dice": [2], "units": {"a": {}}}, {"outputs": {"notes": [1]}},
    ),
    "a pattern matches digits, and what nobody can take is lost": (
        RESULTS, {"dice": [3], "units": {"a": {"steps": 2}}},
        {"outputs": {"notes": [2]}, "effects": [("hit", {"unit": "a", "amount": 1}), ("note", {"unit": "a", "what": 2})]},
    ),
    "a bare code may read as nought": (RESULTS, {"dice": [6], "units": {"a": {}}}, {"outputs": {"notes": [0]}}),
    "a literal code goes before a pattern wherever it stands": (
        RESULTS, {"dice": [4], "units": {"a": {}}}, {"outputs": {"notes": [41]}},
    ),
    "several numbers go by their letters": (
        RESULTS, {"dice": [5], "units": {"a": {}}}, {"outputs": {"notes": [12]}},
    ),
    "then goes on after the entries between": (
        RESULTS, {"dice": [2], "choices": ["b"], "units": {"a": {}, "b": {"kind": "gun"}}},
        {"outputs": {"notes": [1, 1, 99]}},
    ),
    "losses are assigned one by one, each among those who can take it": (
        # The second can fall on b only, for a has one step left.
        RESULTS, {"dice": [3], "choices": ["a"], "units": {"a": {"steps": 2}, "b": {"steps": 3}}},
        {"asked": ["one", "losses[1]", "losses[2] forced"],
         "records": {
             "a": {"kind": "infantry", "steps": 1, "broken": False, "on_wagon": None, "found_by": "nobody"},
             "b": {"kind": "infantry", "steps": 2, "broken": False, "on_wagon": None, "found_by": "nobody"},
         }},
    ),
    "each reader reads for itself, and results run by entry and then by reader": (
        f"""{HEAD}
chart t
  down    d6
  across  steps_of
  shift off right  stays
  | d6  | 1  | 2..4 |
  | 1-3 | -  |  X   |
  | 4-6 | M1 |  2X  |
define steps_of = 1
effect note (unit, what 0..)
modifiers m shift columns of t
  for each unit
    +1  strong  steps > 1
results of t for each unit
  #X, X is 1X  "losses"
    each reader: note with what #
    once: note on (item 1 of readers) with what (sum of # over readers)
  M#           "morale"
    each reader where not broken: note with what 10 * #
  -            "none"
procedure p
  1. roll d6 as one
  2. read t with one for each unit as shots
  3. apply shots
""",
        {"dice": [5],
         "units": {"a": {"steps": 1}, "b": {"steps": 2}, "c": {"steps": 4}, "d": {"steps": 1, "broken": True}}},
        {"effects": [
            ("note", {"unit": "b", "what": 2}), ("note", {"unit": "c", "what": 2}), ("note", {"unit": "b", "what": 4}),
            ("note", {"unit": "a", "what": 10}),
        ]},
    ),
    "a read that is not applied changes nothing": (
        RESULTS.replace("  3. apply shots\n", ""), {"dice": [3], "units": {"a": {}}},
        {"effects": [],
         "records": {"a": {"kind": "infantry", "steps": 3, "broken": False, "on_wagon": None, "found_by": "nobody"}}},
    ),
    "one reading may be applied to several": (
        RESULTS.replace("for each unit as shots", "as shots").replace("apply shots", "apply shots to units"),
        {"dice": [4], "units": {"a": {}, "b": {}}}, {"outputs": {"notes": [41, 41]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "given", "expected"), ENDS.values(), ids=ENDS)
def test_a_procedure_ends_as_it_says(text: str, given: dict[str, Any], expected: dict[str, Any]) -> None:
    ended = run(text, **given)
    assert {name: getattr(ended, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("expression", "asked"),
    [
        ("night and a is 1", {"night": False}),
        ("night and a is 1", {"night": True, "a": 1}),
        ("night or a is 1", {"night": True}),
        ("night or a is 1", {"night": False, "a": 1}),
        ("a is 1 or b is 2 or night", {"a": 0, "b": 2}),
        ("a is 1 and b is 2 and night", {"a": 1, "b": 0}),
        ("not night or a is 2", {"night": False}),
        ("any of [a, b] is 1", {"a": 1, "b": 5}),
    ],
)
def test_a_condition_asks_for_no_more_than_decides_it(expression: str, asked: dict[str, Any]) -> None:
    assert run(steps(f"give x = {expression}", head=FACTS), asked=asked).asked == list(asked)


@pytest.mark.parametrize(
    ("rule", "dice", "values"),
    [
        ("", [6, 2], [6, 2]),
        ("explode on 6", [6, 2, 3], [6, 2, 3]),
        ("explode on 6", [6, 6, 6, 1, 2], [6, 6, 6, 1, 2]),
        ("explode on 6 at most 1 times", [6, 6, 6, 1], [6, 6, 6, 1]),
        ("explode on 6 at most 2 times", [6, 1, 6, 6], [6, 1, 6, 6]),
        ("explode on 5 or more", [5, 6, 1, 2], [5, 6, 1, 2]),
        ("reroll 1 once", [1, 5, 1], [1, 5]),
        ("reroll 1", [1, 5, 1, 1, 4], [4, 5]),
        ("reroll 1 at most 2 times", [1, 1, 1, 4, 1], [1, 4]),
        ("reroll 1..2 once", [5, 2, 6], [5, 6]),
        ("reroll 1 once, explode on 6", [1, 5, 6, 2], [6, 5, 2]),
        ("explode on 6, reroll 1 once", [6, 3, 1, 4], [6, 3, 4]),
    ],
)
def test_dice_are_rolled_again_beside_or_instead_in_their_places(rule: str, dice: list[int], values: list[int]) -> None:
    rest = f", {rule}" if rule else ""
    text = steps(f"roll 2d6 as x{rest}", "give values = x.values", "give natural = x.natural", head="")
    assert run(text, dice=dice).outputs == {"values": values, "natural": values[0]}


@pytest.mark.parametrize("choices", [[[2, 1]], [2, 1], {"one": [2, 1]}, {"one": [[2, 1]]}])
def test_a_list_among_lists_is_chosen_whole_or_piece_by_piece(choices: Any) -> None:
    assert run(SPREAD, choices=choices).outputs["who"] == [2, 1]


# -- errors


@pytest.mark.parametrize(
    ("text", "given", "error", "said"),
    [
        pytest.param(text, given, error, said, id=name)
        for name, text, given, error, said in [
            ("a fact that nobody gives", steps("give x = a", head=FACTS), {}, MissingAnswer, "a is missing"),
            ("cards that are not left", DRAWN, {"dice": ["red", "blue", "blue"]}, InputError,
             "blue is no longer in chits"),
            ("fewer cards than none", steps("draw n from chits as hand", head=CARDS), {"dice": ["red"] * 4, "n": -1},
             RuleError,
             "hand would need fewer than 0 cards"),
            ("more cards than there are", steps("draw n from chits as hand", head=CARDS), {"dice": ["red"] * 4, "n": 4},
             RuleError,
             "only 3 cards left, but 4 must be drawn"),
            ("nothing to choose from", steps("owner chooses one among units"), {"units": []}, RuleError,
             "owner has nothing to choose from"),
            ("one chosen twice", CHOSEN, {"units": UNITS, "choices": ["a", "a"]}, InputError,
             "a was chosen more times"),
            ("a choice that is not legal", steps("owner chooses one among units where kind is not gun"),
             {"units": UNITS, "choices": ["b"]}, InputError, "b can't be chosen"),
            ("a reference that is none", f"{CARRIED}  3. give all = sum of on_wagon.steps over units\n",
             {"units": {"a": {"on_wagon": "c"}, "c": {"steps": 4}}}, RuleError, "none has no steps"),
            ("references in a circle", SUNK.replace(" and not broken", ""),
             {"units": {"c": {"on_wagon": "b"}, "b": {"on_wagon": "c"}}}, InputError, "refers back to itself"),
            ("one field set twice", joined("for each unit in units: seen_by with who red",
                                           "for each unit in units: seen_by with who blue"),
             {"units": {"a": {}}}, RuleError, "set twice"),
            ("parts that come to less than nothing", joined(*["for each unit in units: hit with amount 2"] * 2),
             {"units": {"a": {}}}, RuleError, "would become -1"),
            ("two parts that draw from one deck",
             steps("together\n       draw 1 from c as x\n       draw 1 from c as y", head="deck c of 3 x red\n"),
             {"dice": ["red", "red"]}, RuleError, "both draw from c"),
            ("a value that was not given", UNGIVEN.replace("= it.y", "= it.y + 1"), {"n": 2}, RuleError,
             "a value is needed, but this expression is none"),
        ]
    ],
)  # fmt: skip
def test_what_the_rules_do_not_provide_for_is_told(
    text: str, given: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        run(text, **given)


def test_facts_that_are_given_are_checked_together_before_anything_runs() -> None:
    with pytest.raises(InputError) as caught:
        run(steps("roll d6 as die", "give x = a + b + c", head=FACTS), a=-1, b="many", c=Fraction(1, 2))
    assert [error.parameter for error in caught.value.errors] == ["a", "b", "c"]


@pytest.mark.parametrize("dice", [[7], [0], [1, 2], ["six"], [True]])
def test_what_the_dice_can_not_show_is_refused(dice: list[Any]) -> None:
    with pytest.raises(InputError):
        run("procedure p\n  1. roll d6 as x\n", dice=dice)


@pytest.mark.parametrize("choices", [[[2, 2]], [[2]], [[2, 1, 1]], [2, 2], ["2, 1"]])
def test_a_list_that_is_not_there_is_no_choice(choices: Any) -> None:
    with pytest.raises(InputError, match=r"choose from \[1, 2\], \[2, 1\]"):
        run(SPREAD, choices=choices)


@pytest.mark.parametrize(
    "use",
    [
        "give x = n + 1", "give x = sum of [n, 1]", "give x = highest of [n, 1]", "give x = [n, 1] sorted",
        "give x = n rounded down", "give x = n > 2", "give x = first (n) of [1]", "repeat n times: stop",
        "roll n d6 as x", "draw n from c as x", "owner chooses n x among [1, 2]",
    ],
)  # fmt: skip
def test_none_from_a_choice_is_an_error_of_the_rules_wherever_a_value_is_needed(use: str) -> None:
    head = "players owner\ndeck c of a, b\n"
    with pytest.raises(RuleError, match="none"):
        run(steps("owner chooses n among [1, 2] where each > 3, if any", use, head=head))


@pytest.mark.parametrize(
    ("steps_", "said", "cites"),
    [
        ("for each unit in units: hit with amount 2", "steps of c would become -1", ("7.2",)),
        ("for each unit in units\n       hit with amount 3  [9.9]", "amount of hit is 3", ("9.9",)),
    ],
    ids=["of a field by the effect", "of an argument by the line that performs"],
)
def test_what_is_outside_of_its_range_is_an_error_with_the_citations(
    steps_: str, said: str, cites: tuple[str, ...]
) -> None:
    with pytest.raises(RuleError, match=said) as caught:
        run(steps(steps_), units=UNITS)
    assert caught.value.cites == cites


def test_without_if_refused_the_whole_procedure_refuses_with_the_slug_and_the_note() -> None:
    with pytest.raises(Refused) as caught:
        run(CALL.replace("\n       if refused: {then}", ""), units=[])
    found = caught.value
    assert (found.slug, found.note.label, found.note.cites) == ("too_weak", "nobody is left", ("3.4",))


def test_a_refusal_before_anything_asks_nothing() -> None:
    rules = program('facts\n  a  0..\nprocedure p\n  1. refuse no "no" when a is 0\n  2. roll d6 as x\n')
    asker = Asking([1])
    with pytest.raises(Refused):
        Machine(rules, {}, {"a": 0}, convert_facts(rules, ("a",), {})[1], asker).run("p")
    assert asker.asked == []


# -- limits

TWICE: Final = {
    "definitions": "define d{n} = d{m} + d{m}\n",
    "modifiers": "modifiers d{n}\n  +(d{m})  one  d{m} >= 0\n",
    "charts": "chart d{n}\n  down  0.. of d{m} + d{m}\n  cells numbers\n  | n | x |\n  | 0+ | 1 |\n",
}
NEST: Final = "".join(f"  {'  ' * n}when a is a\n" for n in range(14))
DOWN: Final = "procedure q\n  facts\n    n  0..\n  1. when n > 1: call q with n n - 1\n"


@pytest.mark.parametrize(
    ("limit", "text", "limits", "given"),
    [
        ("steps", "procedure p\n  1. repeat until 1 is 2: let x = 1\n", Limits(steps=100), {}),
        ("steps", "procedure p\n  1. give x = count of (1..60)\n", Limits(steps=50), {}),
        ("depth", "procedure p\n  1. call p\n", Limits(depth=10), {}),
        ("depth", f"{DOWN}procedure p\n  1. call q with n 10\n", Limits(depth=10), {}),
        ("depth", f"facts\n  a  0..\nprocedure p\n{NEST}  {'  ' * 14}call p\n", Limits(depth=10_000), {"a": 1}),
        ("dice", "procedure p\n  1. roll 11d6 as x\n", Limits(dice=10), {}),
        ("dice", "procedure p\n  1. roll 6d6 as x, explode on 6\n", Limits(dice=10), {"dice": [6] * 20}),
        ("rerolls", EXPLODING, Limits(rerolls=10), {"dice": [6] * 20}),
        ("rounds", COUNTING.replace("until n is 3", "until n is 9"), DEFAULT_LIMITS, {}),
        ("length", "procedure p\n  1. give x = count of (1..200000)\n", DEFAULT_LIMITS, {}),
        (
            "bits", "procedure p\n  1. let x = 3\n  2. repeat 20 times: x becomes x * x\n  3. give x\n",
            DEFAULT_LIMITS, {},
        ),
        *(
            pytest.param(
                "steps",
                "facts\n  d0  0..\n" + "".join(line.format(n=n, m=n - 1) for n in range(1, 19))
                + "procedure p\n  1. give x = d18 + 0\n",
                Limits(steps=100), {"d0": 0}, id=f"steps of {name} that use the one below twice",
            )
            for name, line in TWICE.items()
        ),
    ],
)  # fmt: skip
def test_each_limit_has_its_own_error(limit: str, text: str, limits: Limits, given: dict[str, Any]) -> None:
    with pytest.raises(LimitError) as caught:
        run(text, limits=limits, **given)
    assert caught.value.limit == limit


def test_a_limit_is_reached_at_its_number_and_not_before() -> None:
    assert run(f"{DOWN}procedure p\n  1. call q with n 9\n", limits=Limits(depth=10)).outputs == {}
    assert run("procedure p\n  1. roll 10d6 as x\n", limits=Limits(dice=10), dice=[1] * 10).outputs == {}


# -- who listens


def test_an_observer_changes_nothing_and_hears_everything_in_order() -> None:
    heard: list[Event] = []
    loud = run(RESULTS, dice=[2], units={"a": {}}, observer=heard.append)
    assert loud == run(RESULTS, dice=[2], units={"a": {}})
    assert [type(event).__name__ for event in heard][:4] == ["Rolled", "ReadChart", "Computed", "ResultApplied"]
    assert "Did" in [type(event).__name__ for event in heard]
