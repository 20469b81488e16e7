"""The reference evaluator's values: numbers, lists, definitions, modifiers, and what a chart says off its edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import pytest
from tests.machine.playing import program, run, value

from enfilade.core.evaluate import Machine
from enfilade.core.events import Event, Tallied
from enfilade.core.inputs import convert_facts
from enfilade.core.run import Refused
from enfilade.engines.askers import ScriptAsker
from enfilade.errors import InputError, RuleError
from enfilade.values.data import Reading

# -- numbers


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 / 3", Fraction(1, 3)), ("1 / 3 + 2 / 3", 1), ("4 / 2", 2), ("1 / 3 * 3", 1), ("0.1 + 0.2", Fraction(3, 10)),
        ("7 mod 3", 1), ("-7 mod 3", 2), ("(7 / 2) mod 1", Fraction(1, 2)), ("-(1 / 2)", Fraction(-1, 2)),
        ("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("10 - 3 - 2", 5), ("16 / 4 / 2", 2), ("-2 * -3", 6),
        ("5 but at most 3", 3), ("2 but at least 3", 3), ("9 but within 1..6", 6), ("0 but within 1..6", 1),
        ("3 + 4 but at most 5", 5), ("3 + (4 but at most 2)", 5), ("7 / 2 rounded down but at least 4", 4),
    ],
)  # fmt: skip
def test_numbers_are_exact(expression: str, expected: Any) -> None:
    got = value(expression)
    assert (got, type(got)) == (expected, type(expected))


ROUNDING = ["rounded down", "rounded up", "rounded to nearest", "rounded half down", "rounded half even"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("1 / 2", [0, 1, 1, 0, 0]), ("3 / 2", [1, 2, 2, 1, 2]), ("5 / 2", [2, 3, 3, 2, 2]), ("-1 / 2", [-1, 0, 0, -1, 0]),
        ("-3 / 2", [-2, -1, -1, -2, -2]), ("1 / 3", [0, 1, 0, 0, 0]), ("2 / 3", [0, 1, 1, 1, 1]), ("-2 / 3", [-1, 0, -1, -1, -1]),
        ("4", [4, 4, 4, 4, 4]),
    ],
)  # fmt: skip
def test_each_way_of_rounding_does_its_own_with_a_half(number: str, expected: list[int]) -> None:
    assert [value(f"({number}) {how}") for how in ROUNDING] == expected


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("3 is 3", True), ("3 is 2..4", True), ("5 is 2..4", False), ("3 is 3 or more", True), ("2 is 3 or more", False),
        ("3 is 3 or less", True), ("4 is even", True), ("4 is odd", False), ("-3 is odd", True), ("1 / 2 is even", False),
        ("1 / 2 is odd", False), ("3 is not 2 or 4", True), ("3 is not 2 or 3", False), ("2 < 3 and 3 <= 3", True),
        ("1 / 3 < 0.34", True), ("6 / 3 is 2", True), ("not 1 is 1", False),
    ],
)  # fmt: skip
def test_comparisons(condition: str, holds: bool) -> None:
    assert value(condition) is holds


# -- lists, records, maps

UNITS = """
record unit
  kind   one of infantry, gun, wagon = infantry
  steps  0..9 = 1
  load   unit or none
facts
  units    list of unit
  nobody   list of unit
  numbers  list of -99..99
  terrain  set of clear, woods, town
"""
ABC = {"a": {"steps": 3}, "b": {"kind": "gun", "steps": 1}, "c": {"steps": 3, "load": "a"}}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("units where kind is gun", ["b"]), ("count of units where steps > 1", 2), ("sum of steps over units", 7),
        ("sum of steps over units where kind is gun", 1), ("highest of steps over units or 0", 3),
        ("lowest of steps over (units where steps > 5) or 42", 42), ("units sorted by steps", ["b", "a", "c"]),
        ("units sorted by steps high to low", ["a", "c", "b"]), ("highest 2 of units by steps", ["a", "c"]),
        ("lowest 1 of units by steps", ["b"]), ("first 2 of units", ["a", "b"]), ("last 2 of units", ["b", "c"]),
        ("first 9 of units", ["a", "b", "c"]), ("last 0 of units", []), ("highest (0 - 1) of units by steps", []),
        ("item 2 of units", "b"), ("list of steps over units", [3, 1, 3]), ("list of (each.steps * 2) over units", [6, 2, 6]),
        ("map of unit to steps over units", {"a": 3, "b": 1, "c": 3}), ("any of units where kind is gun", True),
        ("all of units where steps > 1", False), ("none of units where kind is wagon", True),
        ("units where load is none", ["a", "b"]), ("units where load is not none and load.steps is 3", ["c"]),
        ("units has (item 1 of units)", True), ("units without (units where kind is gun)", ["a", "c"]),
        ("steps of (item 1 of units)", 3),
        # Sorting keeps the order of what is equal, both ways.
        ("numbers sorted by each mod 2", [2, 4, 3, 1]), ("numbers sorted by each mod 2 high to low", [3, 1, 2, 4]),
        # A set has each word once, in the order of its declaration.
        ("terrain", ["woods", "town"]), ("terrain has woods", True), ("terrain has clear", False),
        # Any and all of nothing.
        ("any of nobody where steps > 0", False), ("all of nobody where steps > 0", True),
        ("none of nobody where steps > 0", True), ("sum of steps over nobody", 0),
    ],
)  # fmt: skip
def test_lists_are_cut_counted_and_put_in_order_and_keep_their_order(expression: str, expected: Any) -> None:
    given = {"units": ABC, "nobody": [], "numbers": [3, 2, 1, 4], "terrain": ["town", "woods", "woods"]}
    used = {name: facts for name, facts in given.items() if name in expression}
    assert value(expression, UNITS, **used) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[1, 2] followed by 3", [1, 2, 3]),
        ("[] followed by [3, 4]", [3, 4]),
        ("[1, 2, 1] without 1", [2, 1]),
        ("[1, 2, 1, 1] without [1, 1]", [2, 1]),
        ("[1, 2] without 3", [1, 2]),
        ("(2..4)", [2, 3, 4]),
        ("(4..2)", []),
    ],
)
def test_lists_grow_and_shrink_one_for_one(expression: str, expected: list[int]) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "head", "given", "error", "said"),
    [
        ("1 / n", "facts\n  n  0..\n", {"n": 0}, RuleError, "divide by 0"),
        ("1 mod n", "facts\n  n  0..\n", {"n": 0}, RuleError, "divide by 0"),
        ("item 4 of units", UNITS, {"units": ABC}, RuleError, "no item 4"),
        ("m of (item 3 of units)", f"{UNITS}define m = map of unit to steps over units where kind is gun\n", {"units": ABC},
         RuleError, "no value for c"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_an_error_of_the_rules(
    expression: str, head: str, given: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        value(expression, head, **given)


# -- definitions


SIZE: Final = "facts\n  n  0..\ndefine size\n  10 when n > 5\n  20 when n > 2\n  30 otherwise\n"
NESTED: Final = "facts\n  n  0..\ndefine twice (n 0..) = n * 2\ndefine nested (n 0..) = twice(n + 1) + n\n"


@pytest.mark.parametrize(
    ("head", "expression", "n", "expected"),
    [
        (SIZE, "size", 6, 10),
        (SIZE, "size", 3, 20),
        (SIZE, "size", 0, 30),
        (NESTED, "nested(twice(n))", 3, 2 * 7 + 6),
    ],
)
def test_the_first_case_that_holds_counts_and_arguments_are_worked_out_once_in_their_own_place(
    head: str, expression: str, n: int, expected: int
) -> None:
    assert value(expression, head, n=n) == expected


# -- modifiers

MODS = """
record unit
  kind        one of infantry, gun
  entrenched  yes/no
facts
  night   yes/no
  town    yes/no
  woods   yes/no
  n       -9..9 = 0
  units   list of unit
option late
modifiers m
  -1  dark  night
  -2  cover  town or woods
      but -1 when night
      but not when woods and town
  +(n)  counted  n is not 0
  when option late
    +5  late  yes
"""


def total(head: str, **facts: Any) -> tuple[Any, list[str]]:
    """The sum of the modifiers, and the names of those that count."""
    text = head + "procedure p\n  1. give total = m.total\n  2. give names = m.names\n  3. give amounts = m.amounts\n"
    found = run(text, **facts).outputs
    assert list(found["amounts"]) == found["names"]
    return found["total"], found["names"]


BOTH: Final = "facts\n  a  yes/no\n  b  yes/no\n  c  yes/no\n"
THREE: Final = f"{BOTH}modifiers m{{rule}}\n  +1  one  a\n  +3  three  b\n  +2  two  c\n"
ONLY: Final = f"{BOTH}modifiers m\n  {{rule}}\n    +1  one  a\n    +3  three  b\n    +2  two  c\n"
EVERY: Final = {"a": True, "b": True, "c": True}


@pytest.mark.parametrize(
    ("head", "given", "expected"),
    [
        # They add up in the order of the file.
        (MODS, {}, (0, [])),
        (MODS, {"night": True, "n": 3}, (2, ["dark", "counted"])),
        (MODS, {"options": {"late": True}}, (5, ["late"])),
        # `but` replaces the amount, and the first that holds wins; `but not when` cancels.
        (MODS, {"town": True}, (-2, ["cover"])),
        (MODS, {"town": True, "night": True}, (-2, ["dark", "cover"])),
        (MODS, {"town": True, "woods": True, "night": True}, (-2, ["dark", "cover"])),
        (MODS, {"town": True, "woods": True}, (0, [])),
        # Only one of several counts.
        (ONLY.format(rule="only the first"), EVERY, (1, ["one"])),
        (ONLY.format(rule="only the highest"), EVERY, (3, ["three"])),
        (ONLY.format(rule="only the lowest"), EVERY, (1, ["one"])),
        *((ONLY.format(rule=f"only the {how}"), {"b": True}, (3, ["three"])) for how in ("first", "highest", "lowest")),
        *((ONLY.format(rule=f"only the {how}"), {}, (0, [])) for how in ("first", "highest", "lowest")),
        (ONLY.format(rule="never together"), {"a": True}, (1, ["one"])),
        # One of a whole block.
        (THREE.format(rule=", only the first"), EVERY, (1, ["one"])),
        (THREE.format(rule=", only the highest"), EVERY, (3, ["three"])),
        (THREE.format(rule=", only the lowest"), EVERY, (1, ["one"])),
        # `net` caps the sum, and not the lines.
        (THREE.format(rule="") + "  net at most 2\n", EVERY, (2, ["one", "three", "two"])),
        (THREE.format(rule="") + "  net at least 9\n", EVERY, (9, ["one", "three", "two"])),
        (THREE.format(rule="") + "  net at most 9\n  net at least 7\n", EVERY, (7, ["one", "three", "two"])),
        (THREE.format(rule="") + "  net at most 7\n", EVERY, (6, ["one", "three", "two"])),
    ],
)  # fmt: skip
def test_modifiers_that_count_add_up(head: str, given: dict[str, Any], expected: tuple[int, list[str]]) -> None:
    assert total(head, **given) == expected


def test_two_that_are_never_together_are_an_error_of_the_input() -> None:
    with pytest.raises(InputError, match="one and three never apply together"):
        total(ONLY.format(rule="never together"), a=True, b=True)
    with pytest.raises(InputError, match="not both") as caught:
        total(ONLY.format(rule='never together "not both"'), b=True, c=True)
    assert [error.parameter for error in caught.value.errors] == ["two"]


def test_an_observer_is_told_of_each_line_why_it_did_not_count() -> None:
    heard: list[Event] = []
    head = f"{BOTH}modifiers m\n  +1  one  a and b\n  only the highest\n    +3  three  b\n    +2  two  c\n"
    value("m", head, observer=heard.append, b=True, c=True)
    (tallied,) = [event for event in heard if isinstance(event, Tallied)]
    assert [(line.name, line.applied, line.because) for line in tallied.lines] == [
        ("one", False, "a"), ("three", True, None), ("two", False, "three counts instead"),
    ]  # fmt: skip


# -- charts


CHART = """
facts
  fire  -99..99
  by    -9..9 = 0
  drm   -9..9 = 0
  low   yes/no
chart t
  down    2d6
  across  fire, column at or below
{edges}  | 2d6   | 1  | 4  | 7  |
  | 3..5  | a1 | a4 | a7 |
  | 6..9  | b1 | b4 | b7 |
  | 10,11 | c1 | c4 | c7 |
modifiers shifts shift columns of t
  +(by)  by  by is not 0
modifiers drms add to roll of t
  +(drm)  drm  drm is not 0
procedure p
  1. roll 2d6 as die
  2. read t with die as hit
  3. give code   = hit.code
  4. give place  = [hit.row, hit.base_column, hit.column]
  5. give shift  = hit.shift
  6. give rolls  = [hit.roll, hit.modified, hit.roll_modifier]
"""
STAYS = """  column below     stays
  shift off left   stays
  shift off right  stays
  row below        stays
  row above        stays
"""
GIVES = """  column below     gives CB
  shift off left   gives SL
  shift off right  gives SR
  row below        gives RB
  row above        gives RA
"""


LOW: Final = STAYS.replace(
    "shift off left   stays", "shift off left   stays, or gives SL when low, or gives XX when fire > 3"
)
FAR: Final = "modifiers more shift columns of t\n  -9  far  yes\n"


@pytest.mark.parametrize(
    ("facts", "dice", "code"),
    [
        ({"fire": 1}, [1, 2], "a1"), ({"fire": 3}, [1, 2], "a1"), ({"fire": 4}, [1, 2], "a4"), ({"fire": 99}, [5, 5], "c7"),
        ({"fire": 0}, [1, 2], "a1"), ({"fire": 1, "by": -1}, [1, 2], "a1"), ({"fire": 7, "by": 1}, [1, 2], "a7"),
        ({"fire": 4, "by": 1}, [3, 3], "b7"), ({"fire": 0, "by": 1}, [3, 3], "b4"), ({"fire": 1}, [1, 1], "a1"),
        ({"fire": 1}, [6, 6], "c1"), ({"fire": 1, "drm": 4}, [1, 1], "b1"), ({"fire": 1, "drm": -9}, [6, 6], "a1"),
        ({"fire": 1, "drm": 9}, [6, 6], "c1"),
    ],
)  # fmt: skip
def test_off_an_edge_that_stays_the_last_row_or_column_is_read(facts: Any, dice: list[int], code: str) -> None:
    assert run(CHART.format(edges=STAYS), dice=dice, **facts).outputs["code"] == code


@pytest.mark.parametrize(
    ("facts", "dice", "code"),
    [
        ({"fire": 0}, [3, 3], "CB"), ({"fire": 1, "by": -1}, [3, 3], "SL"), ({"fire": 7, "by": 1}, [3, 3], "SR"),
        ({"fire": 1}, [1, 1], "RB"), ({"fire": 1}, [6, 6], "RA"), ({"fire": 1, "drm": 1}, [1, 1], "a1"),
        ({"fire": 1, "drm": -1}, [1, 2], "RB"), ({"fire": 0, "by": 1}, [3, 3], "CB"), ({"fire": 0, "by": 1}, [1, 1], "CB"),
        ({"fire": 7, "by": 1}, [1, 1], "SR"),
    ],
)  # fmt: skip
def test_off_an_edge_that_gives_a_code_that_code_is_read(facts: Any, dice: list[int], code: str) -> None:
    assert run(CHART.format(edges=GIVES), dice=dice, **facts).outputs["code"] == code


FALLING: Final = """
facts
  fire  -99..99
chart below
  down    1..1 of 1
  across  fire, column at or below
  column below  stays
  | n | 7 | 4 | 1 |
  | 1 | h | m | l |
chart above
  down    1..1 of 1
  across  fire, column at or above
  column above  stays
  | n | 7 | 4 | 1 |
  | 1 | h | m | l |
chart rows
  down  fire
  row above  stays
  row below  stays
  | n    | r |
  | 5..7 | h |
  | 1..4 | l |
procedure p
  1. give codes = [below, above, rows]
"""
RATIOS: Final = """
facts
  attack   1..
  defence  1..
chart {name}
  down    1..1 of 1
  across  attack / defence, column at or {way}
  column {edge}  gives E
  | n | 1:2 | 1:1 | 3:2 | 2:1 |
  | 1 |  a  |  b  |  c  |  d  |
procedure p
  1. give x = {name}
"""
BELOW: Final = RATIOS.format(name="below_it", way="below", edge="below")
ABOVE: Final = RATIOS.format(name="above_it", way="above", edge="above")
ODDS: Final = [{"attack": a, "defence": d} for a, d in ((1, 3), (1, 2), (2, 3), (1, 1), (7, 5), (3, 2), (5, 2))]
SEARCHED: Final = """
facts
  mud    yes/no
  fire   1..9
  class  1..2
  who    one of red, blue
chart headers
  down    1..1 of 1
  across  fire
  header  when not mud  | 1..4 | 5..9 |
  header  when mud      |  •   | 1..9 |
  | n | A | B |
  | 1 | a | b |
chart pages
  pages   mud
  pages   who
  down    1..1 of 1
  inside  class
  page no, red
  | n |  r  |
  | 1 | a b |
  page no, blue
  | n |  r  |
  | 1 | c d |
  page yes, red
  | n |  r  |
  | 1 | e f |
  page yes, blue
  | n |  r  |
  | 1 | g h |
chart searched
  down  who
  find  fire
  column above  gives more
  | who  | low | mid | high |
  | red  |  1  | 2-5 |  6+  |
  | blue | 1-3 |  -  | 4-8  |
procedure p
  1. give codes = [headers, pages, searched]
"""
ERRATA: Final = """
facts
  class  1..2
  fixed  yes/no
chart t
  down    1..2 of class
  inside  class
  erratum row 1, column r reads "x y" when fixed
  erratum row 2, column r, inside 2 reads z
  | n |  r  |
  | 1 | a b |
  | 2 | c d |
procedure p
  1. give x = t
"""
CHARTS: Final = """
facts
  n  1..2
chart pick
  down   n
  cells  charts
  | n | chart |
  | 1 | one   |
  | 2 | two   |
chart one
  down  d6
  | d6  | r |
  | 1-6 | a |
chart two
  down  d6
  | d6  | r |
  | 1-3 | b |
  | 4-6 | c |
procedure p
  1. roll d6 as die
  2. read pick as way
  3. read way with die as hit
  4. give x = hit.code
"""
CELLS: Final = "facts\n  n  1..2\nchart t\n  down n\n  cells {}\n  | n | r |\n  | 1 | {} |\n  | 2 | {} |\nprocedure p\n  1. give x = {}\n"
SEVERITY: Final = """
chart t
  down  d4
  severity  - < M < X
  | d4 | r |
  | 1  | - |
  | 2  | M |
  | 3  | X |
  | 4  | * |
results of t
  -  "none"
  M  "morale"
  X  "one"
  *  "note"
procedure p
  1. roll d4 as die
  2. read t with die as hit
  3. give x = [hit.code is M or worse, hit.code is M or better, hit.code is not M]
"""
SECTION: Final = """
record unit
  entrenched  yes/no
facts
  night  yes/no
  units  list of unit
chart t
  down    d6
  across  1..1 of 1, column at or below
  shift off left   gives L
  shift off right  gives R
  | d6  | 1 |
  | 1-6 | x |
modifiers m shift columns of t
  +1  dark  night
  for each unit
    -2  entrenched  entrenched
        but -1 when night
procedure p
  1. roll d6 as die
  2. read t with die as hex
  3. read t with die for each unit as shots
  4. give hex = hex.shift
  5. give shifts = map of reader to shift over shots
  6. give codes = map of reader to code over shots
"""
KEPT: Final = """
die musket faces 0..9
procedure p
  1. roll 5 musket as volley
  2. give kept = lowest 2 of volley.values by (10 when each is 0 otherwise each)
  3. give all  = volley.values sorted by (10 when each is 0 otherwise each)
"""
READ: Final[dict[str, tuple[str, list[dict[str, Any]], str, list[Any]]]] = {
    "a reading tells where it was": (
        CHART.format(edges=GIVES),
        [{"fire": 1, "by": -1, "dice": [3, 3]}, {"fire": 0, "dice": [3, 3]}, {"fire": 1, "dice": [1, 1]}],
        "place", [["6..9", "1", None], ["6..9", None, None], [None, "1", "1"]],
    ),
    "shifts are summed, the column moves once, and then the edge applies once": (
        CHART.format(edges=STAYS) + FAR,
        [{"fire": 1, "by": 9, "dice": [3, 3]}, {"fire": 7, "by": 8, "dice": [3, 3]}],
        "code", ["b1", "b4"],
    ),
    "an edge differs under a condition, and the last that holds counts": (
        CHART.format(edges=LOW),
        [
            {"fire": 1, "by": -1, "dice": [3, 3]}, {"fire": 1, "by": -1, "low": True, "dice": [3, 3]},
            {"fire": 4, "by": -2, "low": True, "dice": [3, 3]},
        ],
        "code", ["b1", "SL", "XX"],
    ),
    "a label stays where its number is, though columns fall from left to right": (
        FALLING, [{"fire": fire} for fire in (-5, 1, 3, 7, 50)], "codes",
        [["l", "l", "l"], ["l", "l", "l"], ["l", "m", "l"], ["h", "h", "h"], ["h", "h", "h"]],
    ),
    "ratios favour the defender at or below": (BELOW, ODDS, "x", ["E", "a", "a", "b", "b", "c", "d"]),
    "ratios favour the attacker at or above": (ABOVE, ODDS, "x", ["a", "a", "b", "b", "c", "c", "E"]),
    "headers, pages, classes and rows that are searched": (
        SEARCHED,
        [
            {"fire": 2, "class": 1, "who": "red"}, {"fire": 2, "class": 2, "who": "blue", "mud": True},
            {"fire": 9, "class": 2, "who": "blue"},
        ],
        "codes", [["a", "a", "mid"], ["b", "h", "low"], ["b", "d", "more"]],
    ),
    "errata are read instead of what is printed where their condition holds": (
        ERRATA, [{"fixed": fixed, "class": n} for fixed in (False, True) for n in (1, 2)], "x", ["a", "z", "x", "z"],
    ),
    "a cell may name a chart that is read with the same roll": (
        CHARTS, [{"n": 1, "dice": [5]}, {"n": 2, "dice": [5]}], "x", ["a", "c"],
    ),
    "cells are numbers": (
        CELLS.format("numbers", "1/2", "-3", "t + 1"), [{"n": 1}, {"n": 2}], "x", [Fraction(3, 2), -2],
    ),
    "cells are words": (
        CELLS.format("words", "red", "blue", "t is red"), [{"n": 1}, {"n": 2}], "x", [True, False],
    ),
    "cells are lists": (CELLS.format("lists", "1, 2", "-", "sum of t"), [{"n": 1}, {"n": 2}], "x", [3, 0]),
    "cells are lists of words": (CELLS.format("lists", "3, crit", "-", 't has "3"'), [{"n": 1}], "x", [True]),
    "codes are compared by severity, and those outside of it are neither": (
        SEVERITY, [{"dice": [n]} for n in (1, 2, 3, 4)], "x",
        [[False, True, True], [True, True, False], [True, False, True], [False, False, True]],
    ),
    "the lowest dice are kept, with a zero read as ten last": (KEPT, [{"dice": [0, 7, 3, 0, 9]}], "kept", [[3, 7]]),
    "dice are sorted by what they are read as": (KEPT, [{"dice": [0, 7, 3, 0, 9]}], "all", [[3, 7, 9, 0, 0]]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "situations", "output", "expected"), READ.values(), ids=READ)
def test_a_chart_is_read_as_it_is_printed(
    text: str, situations: list[dict[str, Any]], output: str, expected: list[Any]
) -> None:
    assert [run(text, **given).outputs[output] for given in situations] == expected


def test_a_reading_tells_how_it_came_there() -> None:
    assert run(CHART.format(edges=STAYS), dice=[1, 2], fire=5, by=1, drm=4).outputs == {
        "code": "b7", "place": ["6..9", "4", "7"], "shift": 1, "rolls": [3, 7, 4],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("night", "expected"),
    [
        (False, {"hex": 0, "shifts": {"a": 0, "b": -2}, "codes": {"a": "x", "b": "L"}}),
        (True, {"hex": 1, "shifts": {"a": 1, "b": 0}, "codes": {"a": "R", "b": "x"}}),
    ],
)
def test_a_section_for_each_record_counts_for_that_reader_alone(night: bool, expected: dict[str, Any]) -> None:
    assert run(SECTION, dice=[1], units={"a": {}, "b": {"entrenched": True}}, night=night).outputs == expected


def test_an_edge_refuses_by_its_name() -> None:
    edges = STAYS.replace("column below     stays", 'column below     refuse too_weak "not so few" [8.1]')
    with pytest.raises(Refused) as caught:
        run(CHART.format(edges=edges), dice=[3, 3], fire=0)
    found = caught.value
    assert (found.slug, found.note.label, found.note.cites) == ("too_weak", "not so few", ("8.1",))


def test_a_reading_is_kept_whole_for_whoever_reads_it() -> None:
    rules = program(CHART.format(edges=STAYS))
    made = Machine(
        rules, {}, {"fire": 5, "by": 2, "drm": 0, "low": False}, convert_facts(rules, (), {})[1], ScriptAsker([])
    )
    assert made.charts.read("t", (), 7, None) == Reading(
        "t", "b7", "6..9", "7", "4", 2, 7, 7, 0, None, ("shift right",)
    )  # fmt: skip
