"""Declarations: facts, records, options, dice, definitions; types of expressions; what is circular, deep or unused."""

from collections.abc import Callable

import pytest
from tests.check.marking import found, marked

import enfilade
from enfilade.check.demand import MAX_DEPTH
from enfilade.check.expression_depth import MAX_CASES, MAX_TERMS
from enfilade.check.program import check_source
from enfilade.core.types import Num, Type
from enfilade.diagnostics.diagnostic import Severity
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

HEAD = """
record unit
  kind   one of infantry, gun
  steps  0.. = 1
  wagon  unit or none
facts
  a        1..
  b        0..3
  half     number 0..
  night    yes/no
  arm      one of foot, horse
  terrain  set of clear, woods
  ranges   list of 1..
  units    list of unit
  target   unit
  leader   unit or none
"""


def assert_marked(text: str) -> None:
    assert found(text) == marked(text)


def codes_of(expression: str) -> list[str]:
    """The codes of a definition over the facts."""
    return [code for code, _ in found(f"{HEAD}define it = {expression}\n")]


def type_of(expression: str) -> Type:
    """The type of a definition over the facts."""
    text = f"{HEAD}define it = {expression}\n"
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert checked.program is not None, checked.diagnostics
    return checked.program.definitions["it"].type


# -- facts, records, options


def test_each_kind_of_fact_takes_a_default_of_its_own_type() -> None:
    assert_marked("""
words arm  one of foot, horse
record unit
  arm    arm = foot
  steps  0..4 = 2
facts
  n1  0..2 = 2
  n2  0..2 = 3             -- ! out-of-range
  n3  number 0.. = 1/2
  n4  0.. = 1/2            -- ! out-of-range
  f1  yes/no = yes
  f2  yes/no = 1           -- ! out-of-range
  w1  one of x, y = x
  w2  one of x, y = z      -- ! unknown-word
  s1  set of x, y = x
  s2  set of x, y = [x, y]
  s3  set of x, y = none   -- ! out-of-range
  l1  list of 1.. = [2, 3]
  l2  list of 1.. = [0]    -- ! out-of-range
  l3  list of 1.., at least 1 = [1]
  l4  list of 1.., at least 2 = [1]  -- ! out-of-range
  a1  arm = horse
  a2  arm = gun            -- ! unknown-word
  u1  unit or none = none
  u2  unit = none          -- ! out-of-range
  d1  0.. = n1             -- ! not-constant
  d2  0.. = nn             -- ! unknown-name
""")


def test_fields_and_words_and_players_stand_once() -> None:
    assert_marked("""
players red, blue, red           -- ! duplicate-name
words arm  one of foot, foot     -- ! duplicate-name
record unit
  steps  0..
  steps  1..                     -- ! duplicate-name
record unit                      -- ! duplicate-name
  lives  0..
record arm                       -- ! duplicate-name
  lives  0..
option fog
option fog                       -- ! duplicate-name
facts
  a  0..
facts
  a  1..                         -- ! duplicate-name
""")


def test_a_type_is_a_range_or_words_or_a_record_and_a_fact_is_none() -> None:
    assert_marked(
        """
record unit
  steps  0..
facts
  a  0..
  b  a                -- ! unknown-type
  c  unit
  d  unti             -- ! unknown-type
  f  5..3             -- ! empty-range
  g  list of 5..3     -- ! empty-range
"""
    )


def test_an_option_is_off_or_has_a_default() -> None:
    assert_marked("""
option  plain
option  words    one of a, b            -- ! missing-default
option  chosen   one of a, b = b
option  wrong    one of a, b = c        -- ! unknown-word
option  number   0..3 = 2
option  list     list of 0..3           -- ! type
""")


# -- dice


def test_dice_show_numbers_or_symbols_and_so_does_a_roll() -> None:
    assert_marked("""
die numbers  faces 0..9
die symbols  faces 3 x blank, hit
die both     faces 1, 2, hit                -- ! mixed-faces
die counted  faces 1, 2, hit as 3
deck cards   of 3 x red, blue
procedure p
  1. roll 2 numbers + d6 as one
  2. roll numbers + symbols as two          -- ! mixed-faces
  3. roll symbols as three
  4. give total = one
  5. give wrong = three + 1                 -- ! type
  6. give shown = three
  7. draw 1 from cards as card
  8. give both = one.value                  -- ! unknown-name
""")


@pytest.mark.parametrize(
    ("die", "codes"), [("d1", []), ("d1000000", []), ("d0", ["die-too-large"]), ("d1000001", ["die-too-large"])]
)
def test_a_die_has_one_to_a_million_sides(die: str, codes: list[str]) -> None:
    assert [code for code, _ in found(f"procedure p\n  1. roll {die} as x\n")] == codes


@pytest.mark.parametrize(
    "faces", ["0..1000000", "2000000 x blank", "900000 x blank, 900000 x hit", "0..600000, 0..600000"]
)
def test_the_sides_of_a_die_are_counted_before_they_are_made(faces: str) -> None:
    assert [code for code, _ in found(f"die big faces {faces}\n")] == ["die-too-large"]
    assert [code for code, _ in found(f"deck big of {faces}\n")] == ["die-too-large"]


def test_the_number_of_dice_is_whole_and_not_negative() -> None:
    assert_marked(
        HEAD
        + """
procedure p
  1. roll (a - b) d6 as one                 -- ! negative-dice
  2. roll (a - b but at least 0) d6 as two
  3. roll (half) d6 as three                -- ! not-whole
  4. roll (half rounded up) d6 as four
  5. roll (night) d6 as five                -- ! type
"""
    )


def test_a_reroll_or_an_explosion_on_what_no_side_shows_is_doubted() -> None:
    assert_marked("""
procedure p
  1. roll d6 as one, explode on 6
  2. roll d6 as two, explode on 7           -- ! never-holds
  3. roll d6 as three, reroll 0             -- ! never-holds
  4. roll d6 as four, reroll 5 or more once
""")


# -- definitions


def test_a_definition_by_cases_ends_with_otherwise_and_only_there() -> None:
    assert_marked(
        HEAD
        + """
define one
  1  when night
  2  otherwise
define two
  1  when night
  2  when arm is foot         -- ! no-otherwise
define three
  1  otherwise                -- ! unreachable-case
  2  when night
  3  otherwise
define four
  1  when night               -- ! type
  foot  otherwise
"""
    )


def test_what_goes_back_to_itself_is_said_once() -> None:
    assert_marked("""
define a = a + 1              -- ! circular
define b = c
define c = d + 1
define d = b                  -- ! circular
define e = a + b
""")


def test_a_circle_goes_through_charts_and_modifiers_too() -> None:
    assert_marked("""
facts
  a  1..6
define score = table
chart table
  down   a
  cells  numbers
  row above  stays
  | a   | n |
  | 1-3 | 1 |
  | 4-6 | 2 |
modifiers m add to roll of table
  +1  high  score > 1         -- ! circular
""")


def test_procedures_and_effects_may_go_back_to_themselves() -> None:
    assert_marked("""
record unit
  steps  0..
facts
  units  list of unit
effect spread (unit)
  for each other in units where steps > 0
    spread on other
procedure p
  1. when any of units where steps > 3: call p
""")


def test_a_circle_names_every_use_but_not_that_of_a_definition_by_itself() -> None:
    play = "procedure p\n  1. give result = a\n"
    (alone,), (two,) = (
        enfilade.check(f"{text}{play}") for text in ("define a = a + 1\n", "define a = b\ndefine b = a\n")
    )
    assert alone.message == "`a` depends on itself"
    assert two.message == "`a` depends on itself: a uses b, b uses a"


@pytest.mark.parametrize("order", [1, -1])
def test_definitions_go_so_deep_and_no_deeper_in_whatever_order_they_stand(order: int) -> None:
    def text(depth: int) -> str:
        lines = [f"define d{n} = d{n - 1} + 1\n" if n else "define d0 = 1\n" for n in range(depth)]
        return "".join(lines[::order])

    assert found(text(MAX_DEPTH)) == []
    assert [code for code, _ in found(text(MAX_DEPTH + 1))] == ["too-deep"]
    assert [code for code, _ in found(text(MAX_DEPTH * 20))] == ["too-deep"]


def test_what_stands_too_deep_for_us_is_a_diagnostic_and_no_exception() -> None:
    inner = "(" * 30 + "{}" + " + 1)" * 30
    text = "".join(f"define d{n} = {inner.format(f'd{n - 1}' if n else '1')}\n" for n in reversed(range(MAX_DEPTH)))
    assert {code for code, _ in found(text)} <= {"too-deep", "nesting-too-deep"}


def terms(count: int) -> str:
    return "facts\n  a 0.. = 1\nprocedure p\n  give x = " + "a+" * (count - 1) + "1\n"


def cases(count: int) -> str:
    lines = "".join(f"  {n} when a is {n}\n" for n in range(count - 1))
    return f"facts\n  a 0.. = 1\ndefine d\n{lines}  0 otherwise\nprocedure p\n  give x = d\n"


@pytest.mark.parametrize(("make", "limit"), [(terms, MAX_TERMS), (cases, MAX_CASES)])
def test_terms_and_cases_have_a_limit_at_which_every_engine_still_works(make: Callable[[int], str], limit: int) -> None:
    assert [found(make(n)) for n in (limit - 1, limit)] == [[], []]
    assert [code for code, _ in found(make(limit + 1))] == ["nesting-too-deep"]
    rules = enfilade.load(text=make(limit))
    outcome = rules.resolve("p")
    assert str(outcome.explain())
    assert dict(rules.odds("p").of("x")) == {outcome.outputs["x"]: 1}


BANDS = "|".join(str(n) for n in range(1, 1_500))
TOO_DEEP = {
    "terms": terms(3_000), "constants": "define d = " + "1+" * 300 + "1\n", "cases": cases(3_000),
    "bands": f"facts\n  a 1.. = 1\ncolumns g of a\n  header |{BANDS}|\nprocedure p\n  give x = g.column\n",
}  # fmt: skip


@pytest.mark.parametrize("text", TOO_DEEP.values(), ids=TOO_DEEP)
def test_a_long_chain_in_an_expression_is_a_diagnostic_and_no_exception(text: str) -> None:
    assert "nesting-too-deep" in [code for code, _ in found(text)]


def test_parameters_have_the_type_of_what_they_are_called_after() -> None:
    assert_marked(
        HEAD
        + """
define one (unit) = unit.steps
define two (arm) = arm is foot
define three (n 0..2, flag yes/no, who one of red or blue) = n when flag or who is red otherwise 0
define four (nobody) = 1                    -- ! unknown-name
define five (a, a) = a                      -- ! duplicate-name
define use1 = one(target) + three(2, yes, blue)
define use2 = one(leader)
define use3 = one(a)                        -- ! type
define use4 = two(hrose)                    -- ! unknown-word
define use5 = three(2)                      -- ! arguments
define use6 = three                         -- ! arguments
define use7 = a(3)                          -- ! not-callable
define use8 = six(3)                        -- ! unknown-name
"""
    )


def test_only_facts_of_the_main_text_that_nothing_uses_are_unused_and_only_where_something_plays() -> None:
    assert_marked("""
facts
  used    0..
  unused  0..            -- ! unused-fact
procedure p
  1. give x = used
""")
    assert found("facts\n  unused  0..\ndefine x = 1\n") == []


def test_an_unused_fact_is_not_looked_for_while_there_are_errors() -> None:
    assert_marked("""
facts
  unused  0..
procedure p
  1. give x = usde       -- ! unknown-name
""")


def test_a_fact_counts_as_used_through_whatever_uses_it() -> None:
    assert_marked("""
record unit
  steps  0..
facts
  chart_fact     1..
  modifier_fact  yes/no
  define_fact    0..
  effect_fact    0..
  result_fact    0..
  event_fact     yes/no
  units          list of unit
define there = define_fact + 1
chart t
  down    d6
  across  chart_fact, column at or below
  shift off right  stays
  | d6  | 1 | 4 |
  | 1-6 | - | X |
modifiers m shift columns of t
  +1  up  modifier_fact and there > 2
effect e (unit)
  unit.steps becomes effect_fact
results of t for each unit
  -  "none"
  X  "one"
    each reader where result_fact > 1: e
procedure p
  1. roll d6 as die
  2. read t with die for each unit as shots
  3. apply shots
event walked
on walked
  unless event_fact  no_reason
  start p
""")


# -- types


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a + b", Num(1, None)),
        ("b * 2 - 1", Num(-1, 5)),
        ("a / 2", Num(None, None, False)),
        ("b but at least 1", Num(1, 3)),
        ("a but within 2..4", Num(2, 4)),
        ("-b", Num(-3, 0)),
        ("b mod 2", Num(0, 1)),
        ("half mod 2", Num(0, 2, False)),
        ("1 when night otherwise 5", Num(1, 5)),
        ("count of units", Num(0, None)),
        ("sum of ranges", Num(0, None)),
        ("highest of ranges or 0", Num(0, None)),
        ("half rounded down", Num(0, None)),
    ],
)
def test_numbers_carry_the_range_that_they_can_have(expression: str, expected: Num) -> None:
    got = type_of(expression)
    assert isinstance(got, Num)
    assert got.whole == expected.whole
    if expected.low is not None:
        assert got.low == expected.low
    assert got.high == expected.high


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("a + arm", "type"),
        ("a + night", "type"),
        ("a / 0", "division-by-zero"),
        ("a / (1 - 1)", None),
        ("not a", "type"),
        ("a and night", "type"),
        ("a is foot", "type"),
        ("arm is 3", "type"),
        ("arm > 3", "type"),
        ("terrain is woods", "type"),
        ("arm has foot", "type"),
        ("ranges has foot", "type"),
        ("units has target", None),
        ("target is leader", None),
        ("leader is none", None),
        ("target is none", "type"),
        ("a is none", "type"),
        ("night is yes", None),
        ("a is even", None),
        ("arm is even", "type"),
        ("a is doubles", "type"),
        ("a is 3 or worse", "type"),
        ("sum of units", "type"),
        ("sum of steps over units", None),
        ("sum of kind over units", "type"),
        ("highest of ranges", "empty-list"),
        ("lowest of steps over units", "empty-list"),
        ("highest of [1, 2]", None),
        ("units sorted", "type"),
        ("units sorted by steps", None),
        ("units sorted by kind", "type"),
        ("highest 2 of units", "type"),
        ("highest 2 of units by steps", None),
        ("first (half) of ranges", "not-whole"),
        ("item (a / 2) of ranges", "not-whole"),
        ("[1, foot]", "type"),
        ('[1, "foot"]', "type"),
        ("(1..)", "open-range"),
        ("a is 5..3", "empty-range"),
        ("each", "misplaced"),
        ("nth", "misplaced"),
        ("count of units over ranges", "syntax"),
        ("a when night otherwise arm", "type"),
        ("target when night otherwise none", None),
        ("units where steps", "type"),
        ("map of unit to steps over units", None),
        ("steps of target", None),
        ("steps of arm", "unknown-name"),
        ("target.steps.more", "unknown-name"),
        ("leader.steps", None),
        ("cards left in cards", "unknown-name"),
        ("effects hit", "unknown-name"),
        ("option fog", "unknown-name"),
    ],
)
def test_each_expression_has_the_right_type_or_one_message(expression: str, code: str | None) -> None:
    assert codes_of(expression) == ([] if code is None else [code])


def test_a_mistake_in_an_expression_is_said_once_however_much_stands_around_it() -> None:
    for around in ("({} + 1) * 2 is 3", "count of units where steps > {}", "highest of [{}, 1] or 0", "not ({} is 3 or more)",
                   "1 when {} > 2 otherwise {}", "sum of ({} * steps) over units", "[{}] sorted", "item 1 of [{}, 2]"):  # fmt: skip
        assert codes_of(around.replace("{}", "nihgt")) == ["unknown-name"], around
        assert codes_of(around.replace("{}", "(a + arm)", 1).replace("{}", "1")) == ["type"], around


def test_a_warning_does_not_stop_the_run() -> None:
    checked = check_source(SourceFile("t", "facts\n  a  0..\nprocedure p\n  1. give x = 1\n"), Folders())
    assert [d.severity for d in checked.diagnostics] == [Severity.WARNING]
    assert checked.program is not None


# -- steps


def test_what_may_change_is_a_local_or_a_field() -> None:
    assert_marked(
        HEAD
        + """
procedure p
  1. let x = 1
  2. x becomes x + 1
  3. x becomes x / 2
  4. a becomes 3                      -- ! not-changeable
  5. y becomes 3                      -- ! unknown-name
  6. target.steps becomes 2
  7. target.steps becomes half        -- ! type
  8. target.stpes becomes 2           -- ! unknown-name
  9. target.wagon becomes none
  10. target.kind becomes gunn        -- ! unknown-word
  11. arm.steps becomes 2             -- ! type
  12. give y = a + b + half + (count of units) + (count of ranges)
  13. give z = night and terrain has woods and leader is none
"""
    )


def test_an_effect_is_given_all_that_it_needs_once() -> None:
    assert_marked(
        HEAD
        + """
effect hit (unit, amount 1..)
effect rain
procedure p
  1. hit on target with amount 2
  2. hit on target                       -- ! arguments
  3. hit with amount 2                   -- ! arguments
  4. hit on target with amuont 2         -- ! unknown-name
  5. hit on target with amount 2, unit leader  -- ! arguments
  6. hit on a with amount 2              -- ! type
  7. rain on target                      -- ! arguments
  8. rain
  9. htt on target                       -- ! unknown-name
  10. for each unit in units
        hit with amount 2
"""
    )


def test_a_call_gives_the_facts_that_only_the_called_procedure_knows() -> None:
    assert_marked("""
record side
  lives  0..
  fire   0..6
facts
  red    side
  range  1..
procedure volley
  facts
    lives  0..
    fire   0..6
    extra  0.. = 0
  1. give hits = lives + fire + extra + range
procedure p
  1. call volley with lives 3, fire 2 as one
  2. call volley with fields of red as two
  3. call volley with fields of red, range 2 as three
  4. call volley with lives 3 as four              -- ! arguments
  5. call volley with fields of red, guns 2        -- ! unknown-name
  6. call volley with fields of range              -- ! type
  7. call vollye with lives 3 as five              -- ! unknown-name
  8. give x = one.hits + two.hits + three.hits + five.hits
  9. give y = four.hist                            -- ! unknown-name
""")


def test_players_choose_among_what_can_be_told_apart() -> None:
    assert_marked(
        HEAD
        + """
players owner
effect hit (unit)
procedure p
  1. owner chooses one among units, if any
  2. owner chooses two among ranges
  3. owner chooses three from left, right
  4. owner chooses whether four
  5. owner chooses five among effects hit          -- ! type
  6. owner chooses six among [units, units]        -- ! type
  7. firer chooses seven among units               -- ! unknown-name
  8. owner chooses 2 eight among units
  9. owner chooses (half) nine among units         -- ! not-whole
  10. owner assigns 2 hit among units
  11. owner assigns 2 hit among ranges             -- ! type
  12. owner assigns 2 htt among units              -- ! unknown-name
  13. owner chooses ten among [ranges, ranges]
  14. owner chooses 2 eleven among [ranges, ranges]  -- ! type
"""
    )
