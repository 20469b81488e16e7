"""Values and words: the forms that authors tried first, each as a small ruleset, or the message that names the form."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.tried_forms.trying import Tried, messages, tried

from enfilade.errors import RuleError
from enfilade.tools.examples import run_examples
from enfilade.types import Either


def wrong_examples(rules: Tried) -> list[str]:
    """The messages of the examples that fail."""
    return [found.message for result in run_examples(rules.program) for found in result.diagnostics]


WORDS = """
words state one of plain, advantage, disadvantage
words arm   one of infantry, tank
facts
  n  0..
"""


def test_a1_bare_word_is_a_value() -> None:
    rules = tried(
        WORDS
        + """
define s = plain when n is 0 otherwise advantage
define by_cases
  plain         when n is 0
  disadvantage  otherwise

procedure play
  1. let m = plain
  2. for each arm in [infantry, tank]
       when arm is tank: give seen = arm
  3. when n > 2
       give result = disadvantage
     otherwise
       give result = s
  4. give same = m is by_cases
  5. give both = [plain, advantage] followed by by_cases
"""
    )
    assert rules.plays(n=0) == {
        "seen": "tank",
        "result": "plain",
        "same": True,
        "both": ("plain", "advantage", "plain"),
    }
    assert rules.plays(n=3)["result"] == "disadvantage"


def test_a1_bare_code_or_face_is_a_value() -> None:
    rules = tried("""
die fight  faces 2 x blank, hit
chart crt
  down  d6
  | Die | Result |
  | 1-3 |   DE   |
  | 4-6 |   EX   |
procedure play
  1. roll fight as blow
  2. let fate = EX
  3. when blow is hit: give result = DE
     otherwise: give result = fate
""")
    assert rules.chance("result is EX") == Fraction(2, 3)


def test_a1_word_that_nothing_declares_is_said_to_need_quotes() -> None:
    assert messages("procedure play\n  1. give result = win\n") == [
        'there is no fact, definition or word `win`; declare the name, or, if you mean a word, write `"win"`'
    ]


def test_a1_word_of_another_list_is_refused_where_the_list_is_known() -> None:
    (told,) = messages(WORDS + "  kind  arm\nprocedure play\n  1. give result = kind is plain\n")
    assert told == "`plain` is not a possible word here; write one of infantry, tank"


CRT = """
facts
  n         0..3
  strength  number 0..3 = 1
chart crt
  down  d6
  | Die | Result |
  | 1-3 |   DE   |
  | 4-6 |   EX   |
"""


def test_a2_local_becomes_a_code_after_a_word() -> None:
    rules = tried(
        CRT
        + """
procedure play
  1. let outcome = "passed"
     let printed = "X"
  2. when n > 0
       roll d6 as die
       read crt with die as test
       outcome becomes test.code
       printed becomes test.code
     otherwise
       outcome becomes "failed"
  3. give result = outcome
  4. give printed
"""
    )
    assert rules.plays(n=0) == {"result": "failed", "printed": "X"}
    assert rules.chance("result is EX or printed is X", n=2) == Fraction(1, 2)


def test_a2_roll_in_one_branch_and_number_in_the_other_is_a_number() -> None:
    rules = tried(
        CRT
        + """
procedure play
  1. roll d6 as first_die
  2. when n is 0: roll 2d6 as score
     otherwise: let score = 7
  3. when n is 2: first_die becomes 1
  4. give result = score + first_die
"""
    )
    assert rules.plays(3, 2, 6, n=0) == {"result": 11}
    assert rules.plays(3, n=2) == {"result": 8}
    assert rules.chance("result is 9", n=0) == Fraction(25, 216)


def test_a2_local_that_may_be_absent() -> None:
    rules = tried(
        CRT
        + """
procedure play
  1. let best = none
     let worst = n
  2. for each each_die in [n, 2]
       when best is none: best becomes each_die
       otherwise when each_die > best: best becomes each_die
  3. when n is 3: worst becomes none
  4. give result = best
  5. give lost = worst is none
"""
    )
    assert rules.plays(n=1) == {"result": 2, "lost": False}
    assert rules.plays(n=3) == {"result": 3, "lost": True}


def test_a2_empty_list_holds_what_is_put_into_it_later() -> None:
    rules = tried(
        CRT
        + """
procedure play
  1. let found = []
  2. for each i in [1, 2, 1]
       when not (found has i): found becomes found followed by i
  3. give result = found
  4. give high = highest of found or 0
"""
    )
    assert rules.plays() == {"result": (1, 2), "high": 2}


def test_a2_local_that_never_fits_is_refused_where_it_changes() -> None:
    text = "procedure play\n  1. let x = 1\n  2. x becomes [1]\n  3. give result = x\n"
    assert messages(text) == ["this is a list of 1, at least 1, but a whole number is needed"]


def test_h7_local_that_begins_at_0_takes_fractions() -> None:
    rules = tried(
        CRT
        + """
procedure play
  1. let lost = 0
  2. for each i in [1, 2]
       lost becomes lost + strength
  3. give result = lost
"""
    )
    assert rules.plays(strength=Fraction(1, 2))["result"] == 1


OUTPUTS = """
facts
  n       0..3
  leader  0..3 or none

record unit
  steps  0.. = 1
facts
  first_unit   unit or none
  second_unit  unit

procedure attack
  1. when n is 0: stop
  2. roll d6 as die
  3. when die >= 4: give losses = die - n
  4. give result = die
"""


def test_a6_output_that_some_ways_do_not_give_can_be_tested() -> None:
    rules = tried(
        OUTPUTS
        + """
procedure play
  1. call attack as it
  2. give result = (it.losses or 0) + (it.result or 10)
  3. give missed = it.losses is none
"""
    )
    assert rules.plays(5, n=1) == {"result": 9, "missed": False}
    assert rules.plays(2, n=1) == {"result": 2, "missed": True}
    assert rules.plays(n=0) == {"result": 10, "missed": True}
    assert rules.chance("missed", n=1) == Fraction(1, 2)


def test_a6_example_asks_for_an_output_that_was_not_given() -> None:
    rules = tried(
        OUTPUTS
        + """
procedure play
  1. roll d6 as die
  2. when die is 6: stop
  3. give result = die

example play "nothing is given"
  on 6
  expect result is none
  chance of result is none = 1/6
  chance of (result or 0) is 0 = 1/6
"""
    )
    assert wrong_examples(rules) == []


def test_a6_output_that_is_missing_where_it_is_needed_is_an_error() -> None:
    rules = tried(OUTPUTS + "procedure play\n  1. call attack as it\n  2. give result = it.losses + 1\n")
    with pytest.raises(RuleError, match="a value is needed, but this expression is none"):
        rules.plays(1, n=1)


def test_a6_absent_number_or_0() -> None:
    rules = tried(
        OUTPUTS
        + """
define bonus = leader or 0
procedure play
  1. give result = bonus + n
  2. give steps = (first_unit or second_unit).steps
  3. give known = n is 1 or leader is none
"""
    )
    assert rules.plays(n=1, leader=2, second_unit={})["result"] == 3
    assert rules.plays(n=1, first_unit=None, second_unit={"steps": 4})["steps"] == 4


LISTS = """
words month  one of jan, feb, mar
words arm    one of foot, horse
record unit
  steps  0.. = 1
  arm    arm = foot
facts
  points  0..3
  arm     arm
  units   list of unit
"""


def test_a5_ranges_and_declared_words_are_lists() -> None:
    rules = tried(
        LISTS
        + """
facts
  sizes  list of 0..9 = [0..2, 9]
procedure play
  1. let n = 0
  2. for each i in 1..3: n becomes n + i
  3. for each i in 1..points: n becomes n + 1
  4. let k = 0
  5. for each m in month
       when m is feb: k becomes k + 1
  6. for each a in words arm
       when a is arm: k becomes k + 10
  7. give result = n
     give k
     give days = [0..points]
     give same = sizes has 9
     give number = count of month
"""
    )
    assert rules.plays(points=2, arm="horse") == {
        "result": 8, "k": 11, "days": (0, 1, 2), "same": True, "number": 3,
    }  # fmt: skip


def test_a5_range_that_holds_nothing_is_said() -> None:
    assert messages("define x = [3..1]\nprocedure play\n  1. give result = x\n") == [
        "the range 3..1 contains no number; write the lower end first"
    ]


def test_a9_element_of_a_list_has_a_name() -> None:
    rules = tried(
        LISTS
        + """
define crossed  = any of a in units where any of b in units where a is not b and a.steps is b.steps
define strength = sum of (u.steps * 2) over u in units where u.arm is foot
define best     = highest of (u.steps + 1) over u in units or 0
define strong   = count of (u in units where (none of other in units where other.steps > u.steps))
define weakest  = item 1 of (lowest 1 of u in units by u.steps)
define twins    = map of a to (count of b in units where b.steps is a.steps) over a in units
procedure play
  1. give result = strength when crossed otherwise 0
     give best
     give strong
     give low = weakest.steps
     give most = all of u in units is not weakest or units is []
     give twins
"""
    )
    units = [{"name": "a", "steps": 2}, {"name": "b", "steps": 2}, {"name": "c", "arm": "horse"}]
    played = rules.plays(units=units)
    assert (played["result"], played["best"], played["strong"], played["low"]) == (8, 3, 2, 1)
    assert list(played["twins"].values()) == [2, 2, 1]


def test_a9_fields_of_an_outer_element_stay_visible() -> None:
    rules = tried(
        LISTS
        + """
record stack
  units   list of unit
  weight  0.. = 1
facts
  stacks  list of stack
procedure play
  1. give known = count of units
  2. give result = count of stack in stacks where any of u in stack.units where u.steps > weight
"""
    )
    units = [{"name": "a", "steps": 2}, {"name": "b"}]
    stacks = [{"name": "one", "units": ["a"]}, {"name": "two", "units": ["b"]}]
    assert rules.plays(units=units, stacks=stacks)["result"] == 1


QUALITY = """
words quality  one of green < regular < veteran
record unit
  quality  quality = regular
facts
  quality  quality
  units    list of unit
"""


def test_a3_words_have_an_order() -> None:
    rules = tried(
        QUALITY
        + """
define best      = highest of quality over units or green
define worst     = lowest of quality over (u in units where u.quality > green) or veteran
define by_rank   = list of quality over (units sorted by quality high to low)
define steady    = count of units where quality >= regular
define in_band   = quality is regular..veteran
define named     = quality is regular or better
define lower     = quality is regular or lower
define sorted_so = [veteran, quality, green] sorted
define below     = green < quality
procedure play
  1. give result = best
     give worst
     give by_rank
     give steady
     give in_band
     give named
     give lower
     give below
     give elite = highest 1 of u in units by u.quality
     give levels = [green..regular]
"""
    )
    units = [{"name": "a", "quality": "green"}, {"name": "b", "quality": "veteran"}, {"name": "c"}]
    played = rules.plays(quality="regular", units=units)
    assert {name: value for name, value in played.items() if name != "elite"} == {
        "result": "veteran", "worst": "regular", "by_rank": ("veteran", "regular", "green"), "steady": 2,
        "in_band": True, "named": True, "lower": True, "below": True, "levels": ("green", "regular"),
    }  # fmt: skip
    assert rules.plays(quality="green", units=[])["result"] == "green"


def test_a3_order_in_a_roll_has_odds() -> None:
    rules = tried("""
words grade  one of low < middle < high
die judge  faces 2 x low, 3 x middle, high
facts
  needed  grade
procedure play
  1. roll 2 judge as dice
  2. let best = low
  3. for each face in dice.values
       when face >= needed: best becomes high
  4. give result = best is high
  5. give grade = highest of (grade_of(each)) over dice.values
define grade_of (face grade) = face
""")
    assert rules.chance("result", needed="middle") == 1 - Fraction(2, 6) ** 2


def test_a3_bare_words_of_a_definition_keep_the_order_of_their_list() -> None:
    rules = tried(
        """
words quality one of green < regular < veteran
facts
  n  1..3
define rated = green when n is 1 otherwise regular when n is 2 otherwise veteran
procedure play
  1. let raised = rated but at least regular
     give result = raised
     give best   = rated > regular
"""
    )
    assert rules.plays(n=1) == {"result": "regular", "best": False}
    assert rules.plays(n=3) == {"result": "veteran", "best": True}


def test_a3_words_without_an_order_are_not_compared() -> None:
    assert messages(
        "words arm one of foot, horse\nfacts\n  arm  arm\nprocedure play\n  1. give result = arm > foot\n"
    ) == [
        "this is one of foot, horse, but a number is needed; use `is`; to put words in order, declare them with `<`: "
        "`one of low < high`"
    ]


def test_h2_output_that_is_a_word_or_a_number() -> None:
    rules = tried("""
words fate  one of miss, jam
procedure shoot
  1. roll d6 as die
  2. when die is 1
       give result = jam
     otherwise when die < 4
       give result = miss
     otherwise
       give result = die

procedure play
  1. call shoot as shot
  2. give result = shot.result
  3. give high   = shot.result >= 5
     give even   = shot.result is even
     give odd    = shot.result is not 4..5
     give missed = shot.result is miss or jam

example play "a word"
  on 2
  gives miss
  expect result is miss and missed and odd
  chance of miss = 2/6
  chance of result is 5 = 1/6
  chance of result >= 5 = 2/6
  chance of result is not 5 = 5/6
  chance of result is 5 or more = 2/6
""")
    assert rules.plays(2) == {"result": "miss", "high": False, "even": False, "odd": True, "missed": True}
    assert rules.plays(4) == {"result": 4, "high": False, "even": True, "odd": False, "missed": False}
    assert rules.chance("result is 2") == 0
    assert rules.chance("result is miss") == Fraction(1, 3)
    assert wrong_examples(rules) == []


def test_a10_long_lines_go_on_and_the_rest_of_arithmetic() -> None:
    rules = tried("""
facts
  a      0..6
  b      0..6
  night  yes/no

define long = a +
    b * 2 -          -- the second line
    1
define cond = night and
    a > 3 or
    b > 4
define items = [
    a,
    b + 1]
define distance = absolute(a - b)
define top (rolls list of 1..9, at least 1) = highest of rolls
define low (rolls list of 1..9 at least 1) = lowest of rolls

procedure play
  1. give result = long + (
       a + b)
     give cond
     give items =
       items
  2. give distance
     give top = top([a + 1, 2])
     give low = low([a + 1, 2])
""")
    assert rules.plays(a=1, b=5, night=True) == {
        "result": 16, "cond": True, "items": (1, 6), "distance": 4, "top": 2, "low": 2,
    }  # fmt: skip


def test_a10_line_that_begins_with_an_operator_is_said_to_belong_above() -> None:
    assert messages("facts\n  a  0..\ndefine long = a\n    + 1\nprocedure play\n  1. give x = long\n")[0] == (
        "a line can't begin with `+`; put `+` at the end of the line above; this line then continues it"
    )


def test_a10_absolute_can_be_defined() -> None:
    rules = tried("define absolute (n 0..9) = n + 1\nprocedure play\n  1. give result = absolute(2)\n")
    assert rules.plays() == {"result": 3}


MUD = """
facts
  terrain  one of clear, town, mud
  night    yes/no
"""


def test_h3_word_or_condition_after_is_not_is_refused() -> None:
    assert messages(MUD + "procedure play\n  1. give result = terrain is not town or night\n") == [
        "`terrain is not town or night` can be understood in two ways, because `night` is a yes/no value; "
        "write `(terrain is not town) or night`, or `terrain is not town and not night`"
    ]
    text = MUD.replace("night ", "mud ") + "procedure play\n  1. give result = terrain is not town or mud\n"
    assert messages(text) == [
        "`terrain is not town or mud` can be understood in two ways, because `mud` is a yes/no value; "
        "write `(terrain is not town) or mud`, or `terrain is not town and terrain is not mud`"
    ]


def test_h3_each_reading_can_be_written() -> None:
    rules = tried(
        MUD
        + """
procedure play
  1. give either  = (terrain is not town) or night
     give neither = terrain is not town and not night
     give words   = terrain is not town or mud
     give other   = terrain is town or night
"""
    )
    assert rules.plays(terrain="mud", night=True) == {"either": True, "neither": False, "words": False, "other": True}


def test_h3_first_version_keeps_its_reading() -> None:
    rules = tried("enfilade 1\n" + MUD + "procedure play\n  1. give result = terrain is not town or night\n")
    assert rules.plays(terrain="town", night=True) == {"result": True}


def test_a8_count_that_never_or_always_reaches_a_number_is_warned_of() -> None:
    def told(condition: str) -> list[str]:
        return messages(f"procedure play\n  1. roll 3d6 as x\n  2. give result = {condition}\n")

    never = (
        "this condition compares the number of elements, so it is never true; compare the elements: `where each >= 4`"
    )
    assert told("count of x.values >= 4") == [never]
    always = (
        "this condition compares the number of elements, so it is always true; compare the elements: `where each >= 3`"
    )
    assert told("count of x.values >= 3") == [always]
    assert told("count of x.values where each >= 4 and each <= 5 >= 2") == []


def test_a7_none_is_no_word() -> None:
    assert messages("words fate one of ones, none\nfacts\n  fate  fate\nprocedure play\n  1. give result = fate\n") == [
        "`none` can't be a word: it means that there is no value; delete `none`; if the fact may have no value, "
        "declare `words fate ...` without `none`, and write `fate  fate or none`"
    ]


def test_h12_none_in_a_chart_of_words_is_no_value() -> None:
    rules = tried("""
words side  one of A, B
record unit
  owner  side or none
facts
  unit  unit
chart control
  down   d6
  cells  words
  | Die | Side |
  | 1-2 |  A   |
  | 3-4 |  B   |
  | 5-6 | none |
procedure play
  1. roll d6 as die
  2. read control with die as x
  3. unit.owner becomes x.code
  4. give result = unit.owner
     give open = x.code is none
""")
    assert rules.plays(5, unit={"owner": "A"}) == {"result": None, "open": True}
    assert rules.plays(3, unit={"owner": "A"}) == {"result": "B", "open": False}
    assert rules.chance("open", unit={}) == Fraction(1, 3)


def test_h10_parameter_takes_the_type_of_a_field_and_effects_take_empty_brackets() -> None:
    rules = tried("""
record unit
  class  1..3 = 1
facts
  unit  unit
define strong (class) = class >= 2
effect rout "routs" ()
procedure play
  1. when strong(unit.class): rout
  2. give result = strong(unit.class)
""")
    assert rules.plays(unit={"class": 2}) == {"result": True}


def test_h10_readers_are_read_for() -> None:
    rules = tried("""
record unit
  class  1..3 = 1
  lost   0.. = 0
facts
  units  list of unit
effect loss (unit)
  unit.lost becomes unit.lost + 1
chart fire
  down  d6
  | d6  | Code |
  | 1-3 |  M   |
  | 4-6 |  -   |
chart again
  down  d6
  | d6  | Code |
  | 1-5 |  X   |
  | 6   |  -   |
results of fire for each unit
  -
  M
    each reader
      roll d6 as second
      read again with second for reader as other
      when other.code is X: loss
procedure play
  1. roll d6 as die
  2. read fire with die for each unit as shots
  3. apply shots
  4. give result = sum of lost over units
""")
    assert rules.plays(1, 5, units=["a"]) == {"result": 1}


def test_h10_example_needs_a_label() -> None:
    text = "procedure play\n  1. give result = 1\n\nexample play\n  gives 1\n"
    assert messages(text) == ['an example needs a label in quotes; add a label: `example play "a label"`']


def test_f2_parameter_without_a_type_is_told_to_have_one() -> None:
    assert messages("define turn (letter) = letter\nprocedure play\n  1. give result = turn(1)\n") == [
        "there is no record, fact or field `letter`; give it a type: `(letter 0..)`, `(letter one of a or b)`"
    ]


def test_f1_keywords_are_names_where_no_phrase_goes_on() -> None:
    rules = tried("""
deck chits  of 3 x red, 2 x blue
facts
  count   1..2
  any     yes/no
  list    list of 1..3 = [1, 2]
  sum     0..1
  option  0..2 = 2
define turned (n 0..9) = n * 2
define last = sum + count
procedure shot
  1. give lost = 1
procedure play
  1. call shot as first
  2. draw turned(1) from chits as hand
  3. roll turned(count) d6 as dice
  4. give result = first.lost + last + (count of hand)
  5. give item = option when any otherwise sum
     give first_two = first 2 of list
     give highest = highest of list or 0
     give total = sum of dice.values
""")
    played = rules.rules.resolve(
        "play", dice=["red", "red", 1, 2, 3, 4], count=2, any=True, sum=1
    ).outputs  # fmt: skip
    assert (played["result"], played["item"], played["first_two"], played["highest"], played["total"]) == (
        6, 2, (1, 2), 2, 10,
    )  # fmt: skip


def test_f1_reserved_word_is_refused_where_it_is_declared() -> None:
    assert messages("procedure play\n  1. let each = 1\n  2. give result = 1\n")[0] == (
        "`each` can't be a name: it means an element of a list; choose another name, such as `each_one`"
    )


def test_f2_label_before_the_value_is_told_its_place() -> None:
    text = "define twice{} = 2\nprocedure play\n  1. give result = twice\n"
    wanted = "a label must be at the end of its line; write the label after the value"
    assert messages(text.format(' "the double"'))[0] == wanted
    assert messages('define twice "the double" (n 0..) = n\n')[0] == wanted


def test_f2_words_of_a_parameter_are_joined_by_or() -> None:
    assert messages("define f (how one of stunned, killed) = 1\nprocedure play\n  1. give x = f(stunned, killed)\n")[
        0
    ] == (
        "there is no record, fact or field `killed`; "
        "separate the words of a parameter with `or`: `one of stunned or killed`"
    )


def test_a3_bands_of_words_in_charts_and_bounds() -> None:
    rules = tried("""
words quality  one of green < regular < veteran
facts
  quality  quality
chart morale
  down  quality
  | Quality          | Result |
  | green            |   M    |
  | regular..veteran |   -    |
chart courage
  down   quality
  cells  numbers
  | Quality  | Bonus |
  | ..green  |   0   |
  | regular+ |   2   |
procedure play
  1. give result = morale
     give bonus = courage
     give least = quality but at least regular
     give held = quality but within green..regular
""")
    assert rules.plays(quality="green") == {"result": "M", "bonus": 0, "least": "regular", "held": "green"}
    assert rules.plays(quality="veteran") == {"result": "-", "bonus": 2, "least": "veteran", "held": "regular"}


def test_a1_player_is_a_value() -> None:
    rules = tried("""
players attacker, defender
facts
  side  player
procedure play
  1. give result = attacker when side is defender otherwise defender
""")
    assert rules.plays(side="defender") == {"result": "attacker"}


def test_a10_described_record_as_a_default_is_told_where_it_goes() -> None:
    text = (
        "record unit\n  steps  0..\nfacts\n  units  list of unit = [a (steps 2)]\nprocedure play\n  1. give x = units\n"
    )
    assert messages(text) == [
        "a record can't be described in a default; delete the default; the player enters the record"
    ]


def test_a2_word_is_put_into_a_list_of_words() -> None:
    rules = tried("""
words colour  one of red, blue
facts
  seen  list of colour
procedure play
  1. let kept = []
  2. kept becomes kept followed by red
     kept becomes kept followed by "blue"
     kept becomes kept followed by seen
  3. give result = kept
     give less = kept without red
     give more = seen followed by blue
""")
    assert rules.plays(seen=["red"]) == {
        "result": ("red", "blue", "red"), "less": ("blue", "red"), "more": ("red", "blue"),
    }  # fmt: skip


def test_f1_local_named_like_a_step_is_told_why_it_can_not_change() -> None:
    text = "procedure play\n  1. let {0} = 1\n  2. {0} becomes 2\n  3. give result = {0}\n"
    for word in ("roll", "draw", "give", "stop", "let", "when", "read", "call"):
        assert messages(text.format(word))[0] == (
            f"`{word}` begins a step, so it can't be the name of a local variable that changes; choose another name, such as `{word}_value`"
        )


@pytest.mark.parametrize("text", [
    """
facts
  a  0..3
define f = 1 when a is 1
  otherwise 2 when a is 2
  otherwise 3
procedure play
  1. let x = 10 when a is 0
       otherwise 20
  2. when a is 3: x becomes 100 when x is 10
         otherwise 30
     otherwise x becomes x
  3. give result = f + x
""".replace("otherwise x becomes", "otherwise: x becomes"),
    """
facts
  a  0..3
define f = (1 when a is 1
    otherwise (2 when a is 2
      otherwise 3))
procedure play
  1. let x = 10 when a is 0 otherwise 20
  2. when a is 3
       x becomes 100 when x is 10 otherwise 30
  3. give result = f +
       x
""",
])  # fmt: skip
def test_a10_a_wrapped_value_may_begin_its_line_with_otherwise(text: str) -> None:
    rules = tried(text)
    assert [rules.plays(a=a)["result"] for a in range(4)] == [13, 21, 22, 33]


def test_an_output_that_is_a_word_or_a_number_is_described_as_both() -> None:
    rules = tried("""
procedure play
  1. roll d6 as die
  2. when die is 1
       give result = "lost"
     otherwise
       give result = die
""").rules
    (output,) = rules.procedures[0].outputs
    assert output.type == "1..6 or the word lost"
    assert isinstance(output.domain, Either)
