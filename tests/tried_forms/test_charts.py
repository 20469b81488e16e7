"""Charts and results: the forms that authors tried first, each as a small ruleset."""

from __future__ import annotations

from fractions import Fraction

from tests.tried_forms.trying import messages, tried

from enfilade.tools.examples import run_examples

# --------------------------------------------------------------------------------------------- read by any value

BREAK_OFF = """
words who one of all, wounded, leader

facts
  kind  who

chart break_off_numbers "Break off"
  down   kind
  cells  numbers
  | Who     | N |
  | all     | 3 |
  | wounded | 5 |
  | leader  | 1 |

"""


def test_c1_a_chart_is_read_with_a_word() -> None:
    for value in ('with "all"', "with all", "for all"):
        rules = tried(f"{BREAK_OFF}procedure play\n  1. read break_off_numbers {value} as x\n  2. give result = x\n")
        assert rules.plays()["result"] == 3


def test_c1_a_chart_is_looked_up_inside_an_expression() -> None:
    rules = tried(f"{BREAK_OFF}procedure play\n  1. give result = break_off_numbers(all) + break_off_numbers\n")
    assert rules.plays(kind="wounded")["result"] == 8
    assert "wounded: 5" in rules.explained(kind="wounded")


def test_c1_a_value_that_is_given_needs_no_fact() -> None:
    rules = tried(f"{BREAK_OFF}procedure play\n  1. let x = break_off_numbers(leader)\n  2. give result = x\n")
    assert rules.program.procedures["play"].inputs == ()


def test_c1_an_axis_that_states_a_type() -> None:
    rules = tried("""
words box one of hull, engine

chart damage "Damage"
  down    0..14, row at or below
  across  box
  cells   numbers
  | Hits | hull | engine |
  |  0   |  0   |   1    |
  |  5   |  2   |   4    |

procedure play
  1. roll 2d6 as hits
  2. read damage(engine) with hits as x
  3. give result = x + damage(hits, hull)
""")
    assert rules.plays(2, 3)["result"] == 6
    assert rules.chance("result is 1") == Fraction(6, 36)


def test_c1_an_axis_that_states_a_type_in_a_chart_with_dice() -> None:
    rules = tried("""
chart crt "Combat"
  down    d6
  across  1..2
  | Die | 1 | 2 |
  | 1-3 | - | M |
  | 4-6 | M | X |

procedure play
  1. roll d6 as die
  2. read crt(2) with die as x
  3. give result = x.code
""")
    assert rules.plays(1)["result"] == "M"
    assert rules.chance("result is X") == Fraction(1, 2)


def test_c1_a_parameter_stands_in_the_default() -> None:
    rules = tried("""
facts
  bonus  0..1

chart wounds (score 0..3)
  down   score + bonus
  cells  numbers
  | Score | N |
  | 0..2  | 0 |
  | 3..9  | 1 |

procedure play
  1. give result = wounds(2)
     give other  = wounds(2, 7)
""")
    assert rules.plays(bonus=1) == {"result": 1, "other": 1}
    assert rules.plays(bonus=0) == {"result": 0, "other": 1}


def test_c1_a_value_is_missing() -> None:
    missing = messages("""
chart damage
  down  0..14
  | Hits  | N |
  | 0..14 | A |

procedure play
  1. read damage as x
  2. give result = x.code
""")
    assert missing == [
        "the `down` line of `damage` has only a type, so a value is needed here; "
        "write `read damage with NUMBER as ...`, or `damage(NUMBER)` in an expression"
    ]


def test_c1_a_wrong_value() -> None:
    assert messages(f"{BREAK_OFF}procedure play\n  1. give result = break_off_numbers(4)\n") == [
        "this is 4, but one of all, wounded, leader is needed"
    ]
    assert messages(f"{BREAK_OFF}procedure play\n  1. give result = break_off_numbers(all, 3)\n") == [
        "`break_off_numbers` takes 1 argument, but gets 2; write `break_off_numbers(down)`"
    ]


# ------------------------------------------------------------------------------------- results made of other results

FORCES = """
record force
  steps      0..9 = 3
  retreated  0..9 = 0

facts
  attackers  force
  defenders  force

effect step_loss (force, amount 0..)
  force.steps becomes force.steps - amount but at least 0

effect retreat (force, hexes 0..)
  force.retreated becomes force.retreated + hexes

chart crt
  down  d6
  | Die | Result |
  |  1  |  DR1   |
  |  2  |  DR2   |
  |  3  |  DRL   |
  |  4  |  EX    |
  |  5  |  NE    |
  |  6  |  A1D2  |
"""
FIGHT = """
procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give attacker = attackers.steps
     give defender = defenders.steps
     give hexes    = defenders.retreated
"""


def test_c6_an_exchange_is_another_result_and_a_step_of_the_attacker() -> None:
    rules = tried(f"""{FORCES}
results of crt
  DR#  "Retreat"
    retreat on defenders with hexes #
  DRL  "Retreat and lose a step"
    step_loss on defenders with amount 1
    then DR1
  EX   "Exchange"
    then DRL
    step_loss on attackers with amount 1
  NE   "No effect"
  A#aD#d
    step_loss on attackers with amount #a
    step_loss on defenders with amount #d
{FIGHT}""")
    assert rules.plays(3, attackers="a", defenders="d") == {"attacker": 3, "defender": 2, "hexes": 1}
    assert rules.plays(4, attackers="a", defenders="d") == {"attacker": 2, "defender": 2, "hexes": 1}
    assert rules.chance("hexes is 1", attackers="a", defenders="d") == Fraction(3, 6)


def test_c6_codes_share_an_entry() -> None:
    rules = tried(f"""{FORCES}
results of crt
  DRL, EX, A1D2  "Lose a step"
    step_loss on defenders with amount 1
  DR1, DR2, NE
{FIGHT}""")
    assert rules.chance("defender is 2", attackers="a", defenders="d") == Fraction(1, 2)


def test_c6_codes_with_numbers_share_an_entry_for_each_reader() -> None:
    rules = tried("""
record unit
  lost  0..9 = 0

facts
  units  list of unit = []

effect lose (unit, amount 0..)
  unit.lost becomes unit.lost + amount

chart fire
  down  d6
  | Die | Result |
  | 1-2 |   M1   |
  |  3  |   K2   |
  |  4  |   X2   |
  | 5-6 |   -    |

results of fire for each unit
  -
  M#, K#
    each reader: lose with amount #
  X#
    then M#
    then K1

procedure play
  1. roll d6 as die
  2. read fire with die for each unit as shots
  3. apply shots
  4. give result = sum of lost over units
""")
    units: dict[str, dict[str, int]] = {"a": {}, "b": {}}
    assert [rules.plays(face, units=units)["result"] for face in (1, 3, 4)] == [2, 4, 6]
    assert rules.chance("result is 6", units=units) == Fraction(1, 6)


def test_c6_then_names_no_entry_or_itself() -> None:
    entries = "DR#\n  DRL\n    then DRX\n  EX\n    then NE\n  NE\n    then EX\n  A#aD#d"
    assert messages(f"{FORCES}\nresults of crt\n  {entries}\n{FIGHT}")[:2] == [
        "there is no entry for `DRX`; did you mean `DRL`?",
        "`NE` leads back to itself; delete one `then`",
    ]


def test_c6_codes_that_share_an_entry_have_the_same_numbers() -> None:
    assert messages(f"{FORCES}\nresults of crt\n  DR#, DRL, EX, NE\n  A#aD#d\n{FIGHT}")[0] == (
        "`DR#` and `DRL` share an entry, but one of them contains a number that the other lacks; give `DRL` an entry of its own"
    )


# -------------------------------------------------------------------------------- beyond the labels, and through them

ODDS = """
facts
  attack   1..
  defence  1..
  terrain  -3..0 = 0

chart crt
  down    d6
  across  attack / defence, column at or below
  column below  refuse too_weak
  {lines}
  | Die | 1:2 | 1:1 | 3:1 | 5:1 | 6:1 |
  | 1-2 | AE  | AR  | EX  | DR  | DR  |
  | 3-4 | AR  | EX  | DR  | DR  | EX  |
  | 5-6 | EX  | DR  | DR  | EX  | DE  |

modifiers terrain_shift shift columns of crt
  +(terrain)  in_terrain  terrain < 0

procedure play
  1. refuse too_weak "too weak" when attack / defence < 1/2
  2. roll d6 as die
  3. read crt with die as shot
  4. give result = shot.code
     give column = shot.column
     give shift  = shot.shift
     give base   = shot.base_column
"""


def test_c2_from_a_ratio_on_the_result_is_automatic() -> None:
    for line, at_six in (("column 6:1 or more gives WON", "WON"), ("column above 6:1 gives WON", "DE")):
        rules = tried(ODDS.format(lines=f"{line}\n  shift off left stays"))
        assert rules.plays(6, attack=12, defence=2)["result"] == at_six
        assert rules.plays(6, attack=13, defence=2)["result"] == "WON"
        assert rules.plays(6, attack=11, defence=2)["result"] == "EX"
        assert rules.chance("result is WON", attack=13, defence=2, terrain=-1) == 1


def test_c2_below_and_for_rows() -> None:
    rules = tried("""
facts
  drm  -4..9 = 0

chart crt
  down  d10
  row 0 or less  gives OUT
  row above 12   gives HIGH
  | Die  | R |
  | ..3  | A |
  | 4..8 | B |
  | 9+   | C |

modifiers drm_of_fire add to roll of crt
  +(drm)  given  drm is not 0

procedure play
  1. roll d10 as die
  2. read crt with die as shot
  3. give result = shot.code
""")
    assert [rules.plays(face, drm=-4)["result"] for face in (4, 5, 8)] == ["OUT", "A", "B"]
    assert rules.plays(10, drm=2)["result"] == "C"
    assert rules.chance("result is OUT", drm=-4) == Fraction(4, 10)


def test_c2_a_limit_that_no_value_passes() -> None:
    text = """
facts
  attack  1..5

chart crt
  down    d6
  across  attack, column at or below
  column 6 or more gives DE
  | Die | 1 | 3 |
  | 1-6 | A | B |

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. give result = shot.code
"""
    assert messages(text) == ["no value can be above the column labels"]
    assert messages(text.replace("1..5", "1..9").replace(", column at or below", "")) == [
        "no column of crt covers 2; add a column, or extend a label: `6,7` or `6..7`",
        "no column of crt covers 4..5; add a column, or extend a label: `6,7` or `6..7`",
    ]


def test_c3_the_odds_are_capped_after_the_shifts() -> None:
    rules = tried(ODDS.format(lines="column 7:1, 8:1 reads 6:1\n  shift off left stays"))
    shifted = rules.plays(6, attack=16, defence=2, terrain=-1)
    assert shifted == {"result": "DE", "column": "6:1", "shift": -1, "base": "8:1"}
    assert rules.plays(6, attack=16, defence=2, terrain=-3)["column"] == "5:1"
    assert "column 6:1 for 7:1 (8:1 for 8, shifted 1 left): DE" in rules.explained(6, attack=16, defence=2, terrain=-1)
    assert "column 6:1 for 8:1 (9): DE" in rules.explained(6, attack=18, defence=2)
    assert rules.chance("result is DE", attack=16, defence=2, terrain=-2) == Fraction(1, 3)


def test_c3_columns_passed_on_the_left() -> None:
    rules = tried(ODDS.format(lines="column 1:3, 1:4 reads 1:2\n  shift off left stays").replace("< 1/2", "< 1/4"))
    assert rules.plays(1, attack=2, defence=8)["base"] == "1:4"
    assert rules.plays(1, attack=1, defence=1, terrain=-1)["column"] == "1:2"
    assert rules.plays(1, attack=3, defence=1, terrain=-2)["column"] == "1:2"


def test_columns_out_of_order_under_a_shift() -> None:
    text = """
facts
  strength  1..12

chart crt
  down    d6
  across  strength
  shift off right stays
  | Die | 1..3 | 8..12 | 4..7 |
  | 1-6 |  A   |   B   |  C   |

modifiers shifts shift columns of crt
  +1  strong  strength is 3

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. give result = shot.code
"""
    assert messages(text) == [
        "columns must be in order for shifts, but `4..7` follows `8..12`; put the columns in order, from low to high"
    ]


# ------------------------------------------------------------------------------------------------- composite cells


def test_c5_parts_of_a_cell_are_split_by_blanks() -> None:
    rules = tried("""
chart combat
  down    d6
  inside  side, degree, loss_a, loss_d
  | Die |  Result  |
  |  1  |    -     |
  | 2-3 | D R 2 3  |
  | 4-5 | A R - 12 |
  |  6  | D E 0 4  |

procedure play
  1. roll d6 as die
  2. read combat with die as face
  3. give code   = face.code
     give side   = face.side
     give degree = face.degree
     give loss   = face.loss_d when face.loss_d is not none otherwise 0
     give other  = face.loss_a
""")
    assert rules.plays(2) == {"code": "D R 2 3", "side": "D", "degree": "R", "loss": 3, "other": 2}
    assert rules.plays(4) == {"code": "A R - 12", "side": "A", "degree": "R", "loss": 12, "other": None}
    assert rules.plays(1) == {"code": "-", "side": None, "degree": None, "loss": 0, "other": None}
    assert rules.chance("side is D") == Fraction(1, 2)
    assert rules.chance("loss is 4 or more") == Fraction(1, 2)


def test_c5_parts_of_a_cell_with_a_wrong_number_of_them() -> None:
    assert messages("""
chart combat
  down    d6
  inside  side, shift
  | Die | Result |
  | 1-3 |  D R   |
  | 4-6 |  D     |
""")[:2] == [
        "`shift` is a part that every reading already has; give this part another name",
        "this cell has 1 part, but 2 are needed; write side, shift, separated by blanks; write `-` for a part without a value",
    ]


def test_c5_a_literal_letter_behind_a_number() -> None:
    rules = tried("""
record force
  lost  0..9 = 0

facts
  attackers  force
  defenders  force

effect loss (force, amount 0..)
  force.lost becomes force.lost + amount

chart crt
  down  d6
  | Die | Result |
  | 1-2 |  D1x   |
  |  3  |  D2x   |
  |  4  |  D3    |
  |  5  |  A1/D2 |
  |  6  |  D1xx  |

results of crt
  D#   "The defender loses"
    loss on defenders with amount #
  D#x  "and the attacker one"
    then D#
    loss on attackers with amount 1
  D#xx
    then D#
    loss on attackers with amount 2
  A#a/D#d
    loss on attackers with amount #a
    loss on defenders with amount #d

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give a = attackers.lost
     give d = defenders.lost
""")
    outcomes = [rules.plays(face, attackers="x", defenders="y") for face in range(1, 7)]
    assert [(each["a"], each["d"]) for each in outcomes] == [(1, 1), (1, 1), (1, 2), (0, 3), (1, 2), (2, 1)]
    assert rules.chance("a is 1", attackers="x", defenders="y") == Fraction(4, 6)


RETREATS = """
record force
  lost       0..9 = 0
  retreated  0..9 = 0

facts
  defenders  force

effect loss (force, amount 0..)
  force.lost becomes force.lost + amount

effect retreat (force, hexes 0..)
  force.retreated becomes hexes

chart crt
  down  d6
  | Die | Result |
  | 1-3 |  D1R2  |
  |  4  |  D0R3  |
  | 5-6 |   NE   |
"""


def test_c5_numbers_have_names() -> None:
    rules = tried(f"""{RETREATS}
results of crt
  NE
  D{{loss}}R{{hexes}}
    loss on defenders with amount loss
    retreat on defenders with hexes hexes

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.loss
     give lost   = defenders.lost
     give hexes  = defenders.retreated
     give far    = shot.hexes is not none and shot.hexes > 2
""")
    assert rules.plays(1, defenders="d") == {"result": 1, "lost": 1, "hexes": 2, "far": False}
    assert rules.plays(4, defenders="d") == {"result": 0, "lost": 0, "hexes": 3, "far": True}
    assert rules.plays(6, defenders="d")["result"] is None
    assert rules.chance("hexes is 2", defenders="d") == Fraction(1, 2)


def test_c5_words_have_names_and_so_has_each_reader() -> None:
    rules = tried("""
record unit
  lost   0..9 = 0
  fate   one of none_yet, back, gone = none_yet

facts
  units  list of unit = []

effect lose (unit, amount 0..)
  unit.lost becomes unit.lost + amount

effect leave_map (unit)
  unit.fate becomes gone

chart fire
  down  d6
  | Die |  Result  |
  | 1-3 |  back 2  |
  | 4-5 |  gone 1  |
  |  6  |    -     |

results of fire for each unit
  -
  "{fate} {n}"
    once: lose on item 1 of readers with amount highest of n over readers
    each reader where fate is gone: leave_map

procedure play
  1. roll d6 as die
  2. read fire with die for each unit as shots
  3. apply shots
  4. give result = sum of lost over units
     give words  = list of fate over shots
     give gone   = count of units where fate is gone
""")
    units: dict[str, dict[str, int]] = {"a": {}, "b": {}}
    assert rules.plays(1, units=units) == {"result": 2, "words": ("back", "back"), "gone": 0}
    assert rules.chance("result is 1", units=units) == Fraction(2, 6)


# ----------------------------------------------------------------------------- one row, marks, notes, labels, edges


def test_c7_a_chart_with_columns_alone() -> None:
    rules = tried("""
words ground one of clear, woods, town

facts
  terrain  ground

chart cost "Terrain costs"
  across  terrain
  cells   numbers
  | Terrain | clear | woods | town |
  | Cost    |   1   |   2   |  1   |

chart defence "Typed"
  across  ground
  cells   numbers
  | Terrain | clear | woods | town |
  | Worth   |   0   |   1   |  3   |

procedure play
  1. read cost as here
  2. give result = here
     give there  = cost(clear) + defence(terrain)
""")
    assert rules.plays(terrain="woods") == {"result": 2, "there": 2}
    assert "Terrain costs: row Cost, column woods: 2" in rules.explained(terrain="woods")


def test_c7_several_rows_need_a_down_line() -> None:
    assert messages("""
facts
  a  1..2

chart x
  across  a
  | A | 1 | 2 |
  | B | X | Y |
  | C | X | Y |
""")[0] == (
        "the chart `x` has no `down` line; add a `down` line (`down 2d6`), a header row and rows; "
        "a chart without `down` may have only one row below its header"
    )


def test_c7_values_beside_the_columns_are_a_chart_of_one_row() -> None:
    rules = tried(
        """
facts
  guns  1..

columns strength of guns
  column above  stays
  header | 1..3 | 4..6 | 7.. |

chart fire
  down    d6
  across  strength
  | Die | 1 | 2 | 3 |
  | 1-3 | - | - | M |
  | 4-6 | - | M | X |

chart ammunition "beside the columns"
  across  strength
  cells   numbers
  | Column | 1 | 2 | 3 |
  | Ammo   | 0 | 1 | 2 |

procedure play
  1. roll d6 as die
  2. read fire with die as shot
  3. give result = shot.code
     give ammo   = ammunition
""".replace("  column above  stays\n", "")
    )
    assert rules.plays(5, guns=8) == {"result": "X", "ammo": 2}


def test_c7_a_mark_changes_its_meaning_by_a_fact() -> None:
    rules = tried("""
facts
  capture  yes/no
  strength 1..2

chart crt
  down    d6
  across  strength
  mark * captured when capture "a capture mark"
  mark † flees
  | Die |  1  |  2   |
  | 1-3 | DR  | DR*  |
  | 4-6 | DR* | DE*† |

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. give result   = shot.code
     give captured = shot.captured
     give flees    = shot.flees
""")
    assert rules.plays(1, strength=2, capture=True) == {"result": "DR", "captured": True, "flees": False}
    assert rules.plays(1, strength=1, capture=True)["captured"] is False
    assert rules.plays(5, strength=2, capture=False) == {"result": "DE", "captured": False, "flees": True}
    assert rules.chance("captured", strength=1, capture=True) == Fraction(1, 2)
    assert rules.rules.chart("crt").pages[0].cells == (("DR", "DR*"), ("DR*", "DE*†"))


def test_c7_marks_of_a_chart_with_one_column() -> None:
    rules = tried("""
chart crt
  down  d6
  mark * again
  | Die | Result |
  | 1-4 |   A    |
  | 5,6 |   A*   |

results of crt
  A  "Again"

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.again
""")
    assert rules.chance("result") == Fraction(1, 3)


def test_c7_notes_beside_rows_and_columns() -> None:
    rules = tried("""
facts
  strength 1..2

chart crt "Combat"
  down    d6
  across  strength
  note column 2    "the defender retreats first" [7.2]
  note row 4-6     "both sides lose ammunition"
  | Die | 1 | 2 |
  | 1-3 | A | B |
  | 4-6 | C | D |

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. give result = shot.code
""")
    first, both = (rules.explained(face, strength=2) for face in (1, 5))
    assert "the defender retreats first" in first
    assert "ammunition" not in first
    assert "both sides lose ammunition" in both
    assert "the defender retreats first" not in rules.explained(1, strength=1)


def test_c7_an_open_row_takes_all_that_is_above_the_die() -> None:
    rules = tried("""
chart injury
  down  2d6
  | 2d6 | Result |
  | 2-7 |   A    |
  | 8,9 |   B    |
  | 10+ |   C    |

procedure play
  1. roll 2d6 as die
  2. read injury with die + 1 as hurt
  3. give result = hurt.code
""")
    assert rules.plays(6, 6)["result"] == "C"
    assert rules.chance("result is C") == Fraction(10, 36)


def test_c7_fractions_as_labels() -> None:
    rules = tried("""
facts
  attack   1..
  defence  1..

chart crt
  down    d6
  across  attack / defence, column at or below
  column below  gives AE
  | Die | 1/2 | 1 | 3/2 | 2+ |
  | 1-6 |  A  | B |  C  | D  |

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. give result = shot.code
     give column = shot.column
""")
    assert rules.plays(1, attack=5, defence=3) == {"result": "C", "column": "3/2"}
    assert rules.plays(1, attack=1, defence=2)["result"] == "A"
    assert rules.plays(1, attack=1, defence=3)["result"] == "AE"


# ---------------------------------------------------------------------------------------- a number found in the row

WEATHER = """
words month one of june, july, november

facts
  now   month
  wind  -1..1 = 0

chart weather "Weather"
  down   now
  find   2d6
  cells  words
  column below  stays
  column above  stays
  | Month    | fair | rain | mud  |
  | june     | 2-9  | 10+  |  -   |
  | july     | 2-10 | 11+  |  -   |
  | november | 2-4  | 5-8  | 9-12 |

modifiers weather_drm "Weather modifiers" add to roll of weather
  +(wind)  wind  wind is not 0

procedure play
  1. roll 2d6 as die
  2. read weather with die as today
  3. give result   = today.code
     give modified = today.modified
"""


def test_c4_find_takes_dice_and_modifiers_and_gives_words() -> None:
    rules = tried(WEATHER)
    assert rules.plays(5, 4, now="june", wind=1) == {"result": "rain", "modified": 10}
    assert rules.plays(6, 6, now="november", wind=1)["result"] == "mud"
    assert rules.chance("result is fair", now="november") == Fraction(6, 36)
    assert rules.chance("result is fair", now="november", wind=1) == Fraction(3, 36)
    assert "Weather: 9 +1 = 10, row june: rain" in rules.explained(5, 4, now="june", wind=1)


def test_c4_a_word_of_a_find_chart_is_a_word() -> None:
    rules = tried(WEATHER.replace("facts\n", "record sky\n  seen  one of fair, rain, mud = fair\n\nfacts\n  above sky\n").replace(
        "  3. give", "     above.seen becomes today.code\n  3. give seen = above.seen\n     give"))  # fmt: skip
    assert rules.plays(6, 4, now="june", above="s")["seen"] == "rain"


def test_c4_find_in_a_chart_of_one_row_and_with_a_value_that_is_given() -> None:
    rules = tried("""
chart weather
  find  0..20
  | Score   | fair | rain  | mud |
  | Weather | 0..4 | 5..11 | 12+ |

procedure play
  1. roll 2d6 as die
  2. read weather with die as today
  3. let later = weather(12)
  4. give result = today.code
     give later
""")
    assert rules.plays(3, 4) == {"result": "rain", "later": "mud"}
    assert rules.chance("result is mud") == Fraction(1, 36)


def test_c4_the_explanation_names_the_number() -> None:
    rules = tried("""
facts
  grade   1..2
  attack  1..9

chart morale "Morale"
  down   grade
  find   attack
  | Class | rout | hold |
  |   1   |  1   | 2..9 |
  |   2   | 1..3 | 4..9 |

procedure play
  1. give result = morale
""")
    assert "Morale: 5, row 2: hold" in rules.explained(attack=5, grade=2)


def test_c4_dice_on_two_lines() -> None:
    assert messages("""
chart x
  down  d6
  find  d6
  | A   | b   |
  | 1-6 | 1-6 |
""") == ["the dice are on the `down` line already; delete the dice from one of the two lines"]


# -------------------------------------------------------------------------------------------------- charts of charts

SELECTED = """
words ground one of clear, woods

facts
  terrain  ground

chart effect_tables
  down   terrain
  cells  charts
  | Terrain | Table  |
  | clear   | open   |
  | woods   | hidden |

chart open
  down  d6
  | Die | R |
  | 1-3 | A |
  | 4-6 | B |

chart hidden
  down  d6
  | Die | R |
  | 1-5 | A |
  |  6  | C |

"""


def test_c8_a_chart_of_charts_is_read_with_the_roll_of_the_chart_it_names() -> None:
    rules = tried(f"""{SELECTED}
procedure play
  1. roll d6 as die
  2. read effect_tables with die as shot
  3. read effect_tables with die for woods as other
  4. give result = shot.code
     give other  = other.code
""")
    assert rules.plays(4, terrain="clear") == {"result": "B", "other": "A"}
    assert rules.plays(6, terrain="woods") == {"result": "C", "other": "C"}
    assert rules.chance("result is A", terrain="woods") == Fraction(5, 6)


def test_c8_results_and_words_are_compared_and_kept() -> None:
    assert messages(f"""{SELECTED}
record unit
  fate  one of X, Y = X

facts
  mine  unit

procedure play
  1. roll d6 as die
  2. read effect_tables with die as shot
  3. mine.fate becomes shot.code
""") == [
        "this is a result code, but one of X, Y is needed; "
        "the chart also contains A, B, C; to use its cells as words, add `cells words`"
    ]


# ------------------------------------------------------------------------------------------------ messages and errata


def test_dice_printed_across_a_chart_of_one_row() -> None:
    rules = tried("""
chart luck "Luck"
  across  2d6
  | Die    | 2-5 | 6-8 | 9+ |
  | Result |  A  |  B  | C  |

procedure play
  1. roll 2d6 as die
  2. read luck with die as shot
  3. give result = shot.code
""")
    assert rules.plays(3, 4)["result"] == "B"
    assert rules.chance("result is A") == Fraction(10, 36)


def test_h5_an_erratum_over_a_cell_that_can_be_read() -> None:
    rules = tried(
        """
effect loss "loses"

chart crt
  down  d6
  erratum row 4-6  reads DR  "a misprint"
  | Die | Result |
  | 1-3 |   -    |
  | 4-6 |   DE   |

results of crt
  -   "No effect"
  DR  "Retreat"

procedure play
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.code
""".replace("row 4-6  reads", "row 4-6, column Result  reads")
    )
    assert rules.chance("result is DR") == Fraction(1, 2)


def test_charts_with_values_and_dice_are_played_by_themselves() -> None:
    program = tried("""
words box one of hull, engine

facts
  target  box

chart armour
  down   box
  cells  numbers
  | Box    | N |
  | hull   | 4 |
  | engine | 2 |

chart own
  down   target
  cells  numbers
  | Box    | N |
  | hull   | 4 |
  | engine | 2 |

chart grid
  down    2d6
  across  box
  | Die  | hull | engine |
  | 2-7  |  A   |   B    |
  | 8-12 |  C   |   D    |

chart weather
  down  target
  find  2d6
  | Sky    | fair | rain |
  | hull   | 2-7  | 8-12 |
  | engine | 2-4  | 5-12 |

procedure play
  1. give result = own(hull) + armour(engine)

example chart armour "its value is given"
  given box hull
  gives 4

example chart own "its value is a fact"
  given target engine
  gives 2

example chart grid "dice and a value"
  given box engine
  on 3 4
  gives B

example chart weather "dice found in the row"
  given target engine
  on 3 4
  gives rain
""").program
    assert [found.diagnostics for found in run_examples(program)] == [()] * 4


# ---------------------------------------------------------------------------------------------- faces of one die

D66 = """
die pair faces 11..16, 21..26, 31..36, 41..46, 51..56, 61..66 "d66, tens first"

chart events
  down   pair
  cells  words
  | d66   | Event |
  | 11-36 | rain  |
  | 41-66 | fog   |

procedure event
  1. roll pair as number
  2. read events with number as found
  3. give result = found.code
"""


def test_rows_need_no_numbers_that_no_face_shows() -> None:
    assert messages(D66) == []
    assert tried(D66).chance("result is fog", procedure="event") == Fraction(1, 2)


def test_rows_need_every_number_that_a_face_shows() -> None:
    (message,) = messages(D66.replace("41-66", "42-66"))
    assert message.startswith("no row of events covers 37..41")


def test_d6_matters_says_for_whom_a_modifier_is_counted() -> None:
    rules = tried("""
record side
  drilled  yes/no
facts
  a  side
  b  side
  night  yes/no

modifiers worth (side)
  +1  drill  side.drilled
  -1  dark   night

procedure play
  1. roll d6 as first
     roll d6 as second
  2. give result = first + worth(a) > second + worth(b)
""").rules
    found = rules.matters("play", of="result", a={"drilled": True}, b={})
    shown = {each.shown: (each.applied, each.left_out) for each in found}
    # As it is, 21 of 36; without the drill of a, or with that of b, 15 of 36.
    assert shown["drill for a"] == (Fraction(21, 36), Fraction(15, 36))
    assert shown["drill for b"] == (Fraction(15, 36), Fraction(21, 36))
    assert str(found).splitlines()[0].startswith("result as it is: 21/36")
    assert "dark for b" in shown


BRANCHES = """
facts
  night  yes/no
{results}
chart by_day
  down  d6
  |  d6 | Code |
  | 1-3 |  -   |
  | 4-6 |  X   |
chart by_night
  down  d6
  |  d6 | Code |
  | 1-5 |  -   |
  |  6  |  D   |

procedure play
  1. roll d6 as die
  2. when night: read by_night with die as shot
     otherwise: read by_day with die as shot
  3. give result = shot.code
     give row = shot.row
{apply}"""


def test_readings_of_two_charts_in_two_branches_join() -> None:
    rules = tried(BRANCHES.format(results="", apply=""))
    assert rules.plays(6, night=True) == {"result": "D", "row": "6"}
    assert rules.plays(6, night=False) == {"result": "X", "row": "4-6"}
    assert rules.chance("result is D", night=True) == Fraction(1, 6)


def test_joined_readings_apply_results_that_the_charts_share() -> None:
    results = 'effect hit\nresults of by_day and by_night\n  X, D "a hit"\n    hit\n  - "a miss"'
    rules = tried(BRANCHES.format(results=results, apply="  4. apply shot\n     give hits = count of effects hit\n"))
    assert rules.plays(6, night=True)["hits"] == 1
    assert rules.chance("hits is 1", night=False) == Fraction(1, 2)
    alone = BRANCHES.format(
        results=results.replace(" and by_night", "").replace("X, D", "X"), apply="  4. apply shot\n"
    )
    assert messages(alone) == ["the chart `by_night or by_day` has no `results of` block"]


HEADERS = """
facts
  attack   1..
  weather  one of fair, mud
{fact}
chart table
  down    d6
  across  attack
  header "Fair"  when weather is fair  | 1..4 | 5..9 | 10+  |
  header "Mud"   when weather is mud   |  •   | 1..9 | 10+  |
  |  Die |  A  |  B  |  C  |
  | 1..6 |  0  |  1  |  2  |

procedure play
  1. roll d6 as die
  2. read table with die as shot
  3. give result = shot.column is {caption}
     give column = shot.column

example play "a caption in a question"
  given attack 4, weather fair{given}
  on 2
  expect column is {caption}
"""


def test_a_caption_that_is_a_name_needs_no_quotes() -> None:
    for caption in ("A", '"A"'):
        rules = tried(HEADERS.format(caption=caption, fact="", given=""))
        assert rules.plays(2, attack=4, weather="fair")["result"] is True
        assert rules.plays(2, attack=4, weather="mud")["result"] is False
        assert rules.rules.odds("play", attack=4, weather="fair").chance("column is A") == 1
        assert not any(result.diagnostics for result in run_examples(rules.program))


def test_a_name_that_is_no_caption_is_unknown_and_a_fact_of_that_name_goes_before() -> None:
    assert messages(HEADERS.format(caption="Q", fact="", given="")) == ["there is no fact, definition or word `Q`"]
    text = HEADERS.format(caption="A", fact="  A  1..3\n", given=", A 1")
    found = "a printed label can't be compared with 1..3; compare the number of the column: `.column_number`"
    assert set(messages(text)) == {found}


def test_rows_that_are_read_as_headers_leave_no_row_to_roll_for() -> None:
    text = HEADERS.format(caption="A", fact="", given="").replace("  |  Die |  A  |  B  |  C  |\n", "")
    assert "this header row has no rows below it" in messages(text)


# -------------------------------------------------------------------------------------- cells without a number

TO_HIT = """
facts
  range  1..30
  gun    one of light, heavy

chart to_hit "To Hit"
  down    gun
  across  range
  cells   numbers
  severity  never falls to the right
  column above  gives none
  | Gun   | 1..6 | 7..12 | 13..24 |
  | light |  4   |   6   |   -    |
  | heavy |  3   |   5   |   6    |
  erratum row heavy, column 7..12 reads - "misprint" when gun is light

"""


def test_a_cell_of_a_to_hit_table_may_have_no_number() -> None:
    rules = tried(f"""{TO_HIT}procedure play
  1. read to_hit as needed
  2. roll d6 as die
  3. give hit = die >= (needed or 99)
     give needed = needed
     give sure = needed is not none and (to_hit or 0) <= 4
""")
    assert rules.plays(6, gun="light", range=20) == {"hit": False, "needed": None, "sure": False}
    assert rules.plays(6, gun="heavy", range=20) == {"hit": True, "needed": 6, "sure": False}
    assert rules.plays(6, gun="heavy", range=30)["needed"] is None
    assert rules.chance("hit", gun="light", range=7) == Fraction(1, 6)
    assert rules.chance("hit", gun="light", range=20) == 0
    assert "row light, column 13..24 (20): none" in rules.explained(6, gun="light", range=20)


def test_a_number_that_may_be_absent_needs_another_in_its_place() -> None:
    (found,) = messages(f"enfilade 1.1\n{TO_HIT}procedure play\n  1. give sum = to_hit + 1\n")
    assert found == (
        "this is 3..6 or none, but a number is needed; write what counts if there is no number: `needed or 99`"
    )
