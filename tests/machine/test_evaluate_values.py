"""The reference evaluator's values: numbers, lists, definitions, modifiers, and what a chart says off its edges."""

from fractions import Fraction
from typing import Any

import pytest

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.events import Event, Tallied
from enfilade.core.inputs import convert_facts, convert_options
from enfilade.core.run import Refused
from enfilade.core.values import Reading, Ref
from enfilade.engines.askers import ScriptAsker
from enfilade.errors import InputError, RuleError
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile


def program(text: str) -> ir.Program:
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert checked.program is not None, checked.diagnostics
    return checked.program


def plain(value: Any) -> Any:
    """A value with records by their keys."""
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return {plain(k): plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def machine(
    text: str, dice: Any = None, options: Any = None, heard: list[Event] | None = None, **facts: Any
) -> Machine:
    """A run of the procedure ``p`` that has ended."""
    rules = program(text)
    given, state = convert_facts(rules, rules.procedures["p"].inputs, facts)
    listener = None if heard is None else heard.append
    made = Machine(rules, convert_options(rules, options or {}), given, state, ScriptAsker(dice), listener)
    made.outputs = {name: plain(value) for name, value in made.run("p").items()}  # type: ignore[attr-defined]
    return made


def outputs(text: str, **kwargs: Any) -> Any:
    """What the procedure ``p`` gives."""
    return machine(text, **kwargs).outputs  # type: ignore[attr-defined]


def value(expression: str, head: str = "", **facts: Any) -> Any:
    """The value of an expression."""
    return outputs(f"{head}\nprocedure p\n  1. give x = {expression}\n", **facts)["x"]


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


def test_a_division_by_nothing_is_an_error_of_the_rules() -> None:
    for expression in ("1 / n", "1 mod n"):
        with pytest.raises(RuleError, match="divide by 0"):
            value(expression, "facts\n  n  0..\n", n=0)


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
    ],
)  # fmt: skip
def test_lists_are_cut_counted_and_put_in_order_and_keep_their_order(expression: str, expected: Any) -> None:
    assert value(expression, UNITS, units=ABC) == expected


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


def test_the_lowest_dice_are_kept_with_a_zero_read_as_ten_last() -> None:
    text = """
die musket faces 0..9
procedure p
  1. roll 5 musket as volley
  2. give kept = lowest 2 of volley.values by (10 when each is 0 otherwise each)
  3. give all  = volley.values sorted by (10 when each is 0 otherwise each)
"""
    assert outputs(text, dice=[0, 7, 3, 0, 9]) == {"kept": [3, 7], "all": [3, 7, 9, 0, 0]}


def test_sorting_keeps_the_order_of_what_is_equal_both_ways() -> None:
    assert value("numbers sorted by each mod 2", UNITS, numbers=[3, 2, 1, 4]) == [2, 4, 3, 1]
    assert value("numbers sorted by each mod 2 high to low", UNITS, numbers=[3, 2, 1, 4]) == [3, 1, 2, 4]


def test_a_set_has_each_word_once_and_in_the_order_of_its_declaration() -> None:
    text = UNITS + "procedure p\n  1. give x = [terrain has woods, terrain has clear]\n  2. give all = terrain\n"
    assert outputs(text, terrain=["town", "woods", "woods"]) == {"x": [True, False], "all": ["woods", "town"]}


def test_an_entry_of_a_map_and_an_item_of_a_list_must_be_there() -> None:
    assert value("steps of (item 1 of units)", UNITS, units=ABC) == 3
    with pytest.raises(RuleError, match="no item 4"):
        value("item 4 of units", UNITS, units=ABC)
    with pytest.raises(RuleError, match="no value for c"):
        outputs(UNITS + "procedure p\n  1. let m = map of unit to steps over units where kind is gun\n"
                "  2. give x = m of (item 3 of units)\n", units=ABC)  # fmt: skip


def test_any_and_all_of_nothing() -> None:
    assert [value(f"{how} of units where steps > 0", UNITS, units=[]) for how in ("any", "all", "none")] == [
        False,
        True,
        True,
    ]
    assert value("sum of steps over units", UNITS, units=[]) == 0


# -- definitions


def test_the_first_case_that_holds_counts() -> None:
    head = "facts\n  n  0..\ndefine size\n  10 when n > 5\n  20 when n > 2\n  30 otherwise\n"
    assert [value("size", head, n=n) for n in (6, 3, 0)] == [10, 20, 30]


def test_arguments_are_worked_out_once_in_their_own_place() -> None:
    head = "facts\n  n  0..\ndefine twice (n 0..) = n * 2\ndefine nested (n 0..) = twice(n + 1) + n\n"
    assert value("nested(twice(n))", head, n=3) == 2 * 7 + 6


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
    options = facts.pop("options", None)
    text = head + "procedure p\n  1. give total = m.total\n  2. give names = m.names\n  3. give amounts = m.amounts\n"
    found = outputs(text, options=options, **facts)
    assert list(found["amounts"]) == found["names"]
    return found["total"], found["names"]


def test_modifiers_add_up_in_the_order_of_the_file() -> None:
    assert total(MODS) == (0, [])
    assert total(MODS, night=True, n=3) == (2, ["dark", "counted"])
    assert total(MODS, options={"late": True}) == (5, ["late"])


def test_but_replaces_the_amount_and_the_first_that_holds_wins() -> None:
    assert total(MODS, town=True) == (-2, ["cover"])
    assert total(MODS, town=True, night=True) == (-2, ["dark", "cover"])
    assert total(MODS, town=True, woods=True, night=True) == (-2, ["dark", "cover"])


def test_but_not_when_cancels() -> None:
    assert total(MODS, town=True, woods=True) == (0, [])


BOTH = """
facts
  a  yes/no
  b  yes/no
  c  yes/no
"""


def of_three(heading: str, **facts: bool) -> tuple[Any, list[str]]:
    head = f"{BOTH}modifiers m\n  {heading}\n    +1  one  a\n    +3  three  b\n    +2  two  c\n"
    return total(head, **facts)


@pytest.mark.parametrize(("which", "name"), [("the first", "one"), ("the highest", "three"), ("the lowest", "one")])
def test_only_one_of_several_counts(which: str, name: str) -> None:
    every = {"a": True, "b": True, "c": True}
    assert of_three(f"only one of, {which}", **every)[1] == [name]
    assert of_three(f"only one of, {which}", b=True)[1] == ["three"]
    assert of_three(f"only one of, {which}") == (0, [])


def test_one_of_a_whole_block() -> None:
    for rule, names in (("only the first", ["one"]), ("only the highest", ["three"]), ("only the lowest", ["one"])):
        head = f"{BOTH}modifiers m, {rule}\n  +1  one  a\n  +3  three  b\n  +2  two  c\n"
        assert total(head, a=True, b=True, c=True)[1] == names


def test_two_that_are_never_together_are_an_error_of_the_input() -> None:
    assert of_three("never together", a=True) == (1, ["one"])
    with pytest.raises(InputError, match="one and three never apply together"):
        of_three("never together", a=True, b=True)
    with pytest.raises(InputError, match="not both") as caught:
        of_three('never together "not both"', b=True, c=True)
    assert [error.parameter for error in caught.value.errors] == ["two"]


@pytest.mark.parametrize(
    ("net", "expected"),
    [("net at most 2", 2), ("net at least 9", 9), ("net at most 2\n  net at least 4", 4), ("net at most 7", 6)],
)
def test_net_caps_the_sum_and_not_the_lines(net: str, expected: int) -> None:
    head = f"{BOTH}modifiers m\n  +1  one  a\n  +3  three  b\n  +2  two  c\n  {net}\n"
    assert total(head, a=True, b=True, c=True) == (expected, ["one", "three", "two"])


def test_a_section_for_each_record_counts_for_that_reader_alone() -> None:
    text = """
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
    units = {"a": {}, "b": {"entrenched": True}}
    assert outputs(text, dice=[1], units=units) == {
        "hex": 0,
        "shifts": {"a": 0, "b": -2},
        "codes": {"a": "x", "b": "L"},
    }
    assert outputs(text, dice=[1], units=units, night=True) == {
        "hex": 1, "shifts": {"a": 1, "b": 0}, "codes": {"a": "R", "b": "x"},
    }  # fmt: skip


def test_an_observer_is_told_of_each_line_why_it_did_not_count() -> None:
    heard: list[Event] = []
    head = f"{BOTH}modifiers m\n  +1  one  a and b\n  only one of, the highest\n    +3  three  b\n    +2  two  c\n"
    machine(head + "procedure p\n  1. give x = m\n", heard=heard, b=True, c=True)
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


def read(edges: str, dice: list[int], **facts: Any) -> Any:
    return outputs(CHART.format(edges=edges), dice=dice, **facts)


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
    assert read(STAYS, dice, **facts)["code"] == code


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
    assert read(GIVES, dice, **facts)["code"] == code


def test_a_reading_tells_where_it_was_and_how_it_came_there() -> None:
    assert read(STAYS, [1, 2], fire=5, by=1, drm=4) == {
        "code": "b7", "place": ["6..9", "4", "7"], "shift": 1, "rolls": [3, 7, 4],
    }  # fmt: skip
    assert read(GIVES, [3, 3], fire=1, by=-1)["place"] == ["6..9", "1", None]
    assert read(GIVES, [3, 3], fire=0)["place"] == ["6..9", None, None]
    assert read(GIVES, [1, 1], fire=1)["place"] == [None, "1", "1"]


def test_shifts_are_summed_the_column_moves_once_and_then_the_edge_applies_once() -> None:
    text = CHART.format(edges=STAYS) + "modifiers more shift columns of t\n  -9  far  yes\n"
    assert outputs(text, dice=[3, 3], fire=1, by=9)["code"] == "b1"
    assert outputs(text, dice=[3, 3], fire=7, by=8)["code"] == "b4"


def test_an_edge_differs_under_a_condition_and_the_last_that_holds_counts() -> None:
    edges = STAYS.replace(
        "shift off left   stays", "shift off left   stays, or gives SL when low, or gives XX when fire > 3"
    )
    assert read(edges, [3, 3], fire=1, by=-1)["code"] == "b1"
    assert read(edges, [3, 3], fire=1, by=-1, low=True)["code"] == "SL"
    assert read(edges, [3, 3], fire=4, by=-2, low=True)["code"] == "XX"


def test_an_edge_refuses_by_its_name() -> None:
    edges = STAYS.replace("column below     stays", 'column below     refuse too_weak "not so few" [8.1]')
    with pytest.raises(Refused) as caught:
        read(edges, [3, 3], fire=0)
    assert (caught.value.slug, caught.value.note.label, caught.value.note.cites) == ("too_weak", "not so few", ("8.1",))


def test_a_label_stays_where_its_number_is_though_columns_fall_from_left_to_right() -> None:
    text = """
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
chart nearest
  down    1..1 of 1
  across  fire, column nearest
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
  1. give codes = [below, above, nearest, rows]
"""
    assert [outputs(text, fire=fire)["codes"] for fire in (-5, 1, 3, 7, 50)] == [
        ["l", "l", "l", "l"], ["l", "l", "l", "l"], ["l", "m", "m", "l"], ["h", "h", "h", "h"], ["h", "h", "h", "h"],
    ]  # fmt: skip


def test_a_tie_goes_to_the_lower_label_that_is_nearest() -> None:
    text = "facts\n  n  0..9\nchart t\n  down n, row nearest\n  | n | r |\n  | 2 | a |\n  | 4 | b |\nprocedure p\n  1. give x = t\n"
    assert [outputs(text, n=n)["x"] for n in (0, 2, 3, 4, 9)] == ["a", "a", "a", "b", "b"]


def test_ratios_favour_the_defender_at_or_below_and_the_attacker_at_or_above() -> None:
    head = """
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
    odds = [(1, 3), (1, 2), (2, 3), (1, 1), (7, 5), (3, 2), (5, 2)]
    below = head.format(name="below_it", way="below", edge="below")
    above = head.format(name="above_it", way="above", edge="above")
    assert [outputs(below, attack=a, defence=d)["x"] for a, d in odds] == ["E", "a", "a", "b", "b", "c", "d"]
    assert [outputs(above, attack=a, defence=d)["x"] for a, d in odds] == ["a", "a", "b", "b", "c", "c", "E"]


def test_headers_pages_classes_and_rows_that_are_searched() -> None:
    text = """
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
  pages   mud, who
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
    text = text.replace("pages   mud, who", "pages   mud\n  pages   who")

    def codes(**facts: Any) -> Any:
        return outputs(text, **facts)["codes"]

    assert codes(fire=2, **{"class": 1}, who="red") == ["a", "a", "mid"]
    assert codes(fire=2, **{"class": 2}, who="blue", mud=True) == ["b", "h", "low"]
    assert codes(fire=9, **{"class": 2}, who="blue") == ["b", "d", "more"]


def test_errata_are_read_instead_of_what_is_printed_where_their_condition_holds() -> None:
    text = """
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
    assert [outputs(text, fixed=fixed, **{"class": n})["x"] for fixed in (False, True) for n in (1, 2)] == [
        "a",
        "z",
        "x",
        "z",
    ]


def test_a_cell_may_name_a_chart_that_is_read_with_the_same_roll() -> None:
    text = """
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
    assert [outputs(text, n=n, dice=[5])["x"] for n in (1, 2)] == ["a", "c"]


def test_cells_are_numbers_words_or_lists_as_the_chart_says() -> None:
    head = "facts\n  n  1..2\nchart t\n  down n\n  cells {}\n  | n | r |\n  | 1 | {} |\n  | 2 | {} |\n"
    assert [value("t + 1", head.format("numbers", "1/2", "-3"), n=n) for n in (1, 2)] == [Fraction(3, 2), -2]
    assert [value("t is red", head.format("words", "red", "blue"), n=n) for n in (1, 2)] == [True, False]
    assert [value("sum of t", head.format("lists", "1, 2", "-"), n=n) for n in (1, 2)] == [3, 0]
    assert value('t has "3"', head.format("lists", "3, crit", "-"), n=1) is True


def test_codes_are_compared_by_severity_and_those_outside_of_it_are_neither() -> None:
    text = """
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
    assert [outputs(text, dice=[n])["x"] for n in (1, 2, 3, 4)] == [
        [False, True, True], [True, True, False], [True, False, True], [False, False, True],
    ]  # fmt: skip


def test_a_reading_is_kept_whole_for_whoever_reads_it() -> None:
    rules = program(CHART.format(edges=STAYS))
    made = Machine(
        rules, {}, {"fire": 5, "by": 2, "drm": 0, "low": False}, convert_facts(rules, (), {})[1], ScriptAsker([])
    )
    assert made.charts.read("t", (), 7, None) == Reading(
        "t", "b7", "6..9", "7", "4", 2, 7, 7, 0, None, ("shift right",)
    )  # fmt: skip
