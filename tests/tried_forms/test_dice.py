"""Dice, loops, cards: the forms that authors tried first, each as a small ruleset."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tried_forms.trying import messages, tried

import enfilade
from enfilade.cli import main
from enfilade.errors import InputError, LimitError, RuleError
from enfilade.language.questions import legal_text

# ------------------------------------------------------------------------------------------------------- odds


def test_h1_an_output_of_a_call_without_dice_is_read_after_a_later_roll() -> None:
    rules = tried("""
procedure set
  1. give result = 3

procedure play
  1. call set as s
  2. roll d6 as x
  3. give result = x + s.result
""")
    assert rules.plays(2)["result"] == 5
    assert rules.chance("result is 5") == Fraction(1, 6)


# ------------------------------------------------------------------------------------------------------ loops

ROPE = """
enfilade 1.1
facts
  tries  0..

procedure play
  1. let caught = tries is 99
  2. let n = 0
  3. repeat until caught, at most {bound} times
       n becomes n + 1
       roll d6 as throw
       caught becomes throw >= 5
  4. give result = caught
     give n
"""


def test_b3_at_most_ends_the_loop() -> None:
    rules = tried(ROPE.format(bound=3))
    assert rules.plays(1, 2, 3, tries=1) == {"result": False, "n": 3}
    assert rules.plays(1, 5, tries=1) == {"result": True, "n": 2}
    assert rules.chance("result", tries=1) == 1 - Fraction(2, 3) ** 3


def test_b3_limit_is_the_safety_limit() -> None:
    rules = tried(ROPE.format(bound=3).replace("at most", "limit"))
    assert rules.plays(1, 5, tries=1)["n"] == 2
    with pytest.raises(LimitError, match="3 rounds"):
        rules.plays(1, 2, 3, 4, tries=1)


def test_b3_in_enfilade_1_at_most_stays_the_safety_limit() -> None:
    rules = tried(ROPE.format(bound=3).replace("enfilade 1.1", "enfilade 1"))
    with pytest.raises(LimitError, match="3 rounds"):
        rules.plays(1, 2, 3, 4, tries=1)


def test_b3_the_version_belongs_to_a_file(tmp_path: Path) -> None:
    procedure = "procedure {}\n  1. repeat until d is 6, at most 2 times\n       roll d6 as d\n  2. give result = d\n"
    (tmp_path / "old.rules").write_text("enfilade 1\n" + procedure.format("old"), encoding="utf-8")
    (tmp_path / "new.rules").write_text("enfilade 1.1\nuse old\n" + procedure.format("new"), encoding="utf-8")
    rules = enfilade.load(tmp_path / "new.rules")
    assert rules.resolve("new", dice=[1, 2]).result == 2
    with pytest.raises(LimitError):
        rules.resolve("old", dice=[1, 2, 3])


def test_b2_the_rounds_are_an_expression() -> None:
    rules = tried(ROPE.format(bound="2 * tries"))
    assert rules.plays(1, 2, tries=1) == {"result": False, "n": 2}
    assert rules.plays(tries=0) == {"result": False, "n": 0}
    assert rules.chance("result", tries=2) == 1 - Fraction(2, 3) ** 4


def test_b4_leave_ends_the_loop_and_later_steps_run() -> None:
    rules = tried("""
facts
  targets  list of 1..6

procedure play
  1. let hits = 0
  2. for each target in targets
       roll 2d6 as die
       when die is doubles
         when die >= 10: leave
         hits becomes hits + 10
       when die >= target: hits becomes hits + 1
  3. let rounds = 0
  4. repeat 3 times
       roll d6 as more
       when more is 1: leave
       rounds becomes rounds + 1
  5. give result = hits
     give rounds
""")
    assert rules.plays((2, 2), (6, 6), 4, 1, targets=[1, 2, 3]) == {"result": 11, "rounds": 1}
    assert rules.chance("rounds is 3", targets=[]) == Fraction(125, 216)
    assert rules.chance("result is 0", targets=[6, 6]) is not None


def test_b4_leave_ends_the_innermost_loop() -> None:
    rules = tried(
        """
procedure play
  1. let n = 0
  2. repeat until n >= 4, limit 20 times
       repeat while n < 10
         roll d3 as step
         n becomes n + step
         when step is 2: leave
       when n is 3: leave
  3. give result = n
     give last = step
""".replace("     give last = step\n", "")
    )
    assert rules.plays(1, 2)["result"] == 3
    assert rules.plays(2, 1, 2)["result"] == 5
    assert rules.chance("result is 3") == Fraction(1, 9)


def test_b4_what_is_declared_before_leave_is_known_after_the_loop() -> None:
    rules = tried("""
procedure play
  1. repeat until die is 6, limit 100 times
       roll d6 as die
       when die is 1: leave
  2. give result = die
""")
    assert rules.chance("result is 1") == Fraction(1, 2)


def test_b4_stop_in_a_loop_is_warned_of_and_names_leave() -> None:
    assert messages("""
procedure play
  1. let n = 0
  2. repeat 3 times
       roll d6 as die
       when die is 6: stop
       n becomes n + 1
  3. give result = n
""") == [
        "`stop` ends the whole procedure and skips the outputs given after the loop: `result`; "
        "write `leave` to end only the loop"
    ]


def test_b4_an_effect_named_leave_stays_an_effect() -> None:
    rules = tried("""
effect leave "the field is left"
procedure play
  1. repeat 2 times: leave
  2. give result = count of effects leave
""")
    assert rules.plays() == {"result": 2}


def test_h14_repeat_while_may_have_no_round() -> None:
    rules = tried("""
facts
  strength  0..9

procedure play
  1. let left = strength
  2. repeat while left > 0, limit 100 times
       roll d6 as die
       when die >= 4: left becomes left - 1
       otherwise when die is 1: leave
  3. give result = left
""")
    assert rules.plays(strength=0) == {"result": 0}
    assert rules.plays(4, 2, 1, strength=3) == {"result": 2}
    assert rules.chance("result is 0", strength=2) == Fraction(3, 4) ** 2


# ---------------------------------------------------------------------------------------- dice that values name


def test_b1_a_die_whose_size_is_a_fact() -> None:
    rules = tried("""
facts
  n     0..2
  size  4..12

procedure play
  1. roll n d(size) + d6 as x
  2. give result = x
     give best = highest of x.values
""")
    assert rules.plays(5, 6, 3, n=2, size=7) == {"result": 14, "best": 6}
    assert rules.chance("result is 14", n=1, size=8) == Fraction(1, 48)
    assert rules.chance("best is 8", n=1, size=8) == Fraction(1, 8)


def test_b1_a_word_names_a_die() -> None:
    rules = tried("""
words trait one of d4, d6, d8, average
die average faces 2, 3, 3, 4, 4, 5
record unit
  fighting  trait
  dice      0..3 = 2

facts
  hero   unit
  skill  trait

procedure play
  1. roll hero.fighting as x
  2. roll hero.dice skill as more
  3. give result = x + more
""")
    hero = {"name": "hero", "fighting": "d8"}
    assert rules.plays(8, 4, 3, hero=hero, skill="average") == {"result": 15}
    assert rules.chance("result is 2", hero={**hero, "dice": 1}, skill="d4") == Fraction(1, 32)


def test_b1_a_die_that_changes_during_play() -> None:
    rules = tried("""
facts
  size  4..12

procedure play
  1. let left = size
  2. repeat while left >= 4, limit 9 times
       roll d(left but within 4..12) as x
       when x > 2: leave
       left becomes left - 2
  3. give result = left
""")
    assert rules.plays(1, 2, 3, size=8) == {"result": 4}
    assert rules.chance("result is 2", size=4) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("die", "message"),
    [
        (
            "d(open_size)",
            "the number of sides must have a limited range: at most 100 values, none below 1; "
            "declare the number with a range, such as `4..12`, or write `(... but within 4..12)`",
        ),
        ("open_size", "a number can't be the name of a die; write `d(open_size)`"),
        ("arm", "`foot` is not a die; all words of the list must be names of dice, such as `d4, d6`"),
        ("dd6", "there is no die `dd6`; did you mean `d6`?"),
    ],
)
def test_b1_a_value_that_names_no_die(die: str, message: str) -> None:
    found = messages(f"""
facts
  open_size  1..
  arm        one of foot, horse

procedure play
  1. roll {die} as x
  2. give result = x
     give other = [open_size] has 1 and arm is foot
""")
    assert found == [message]


def test_b2_counts_are_fields() -> None:
    rules = tried("""
record unit
  dice  0..4
  gun   yes/no
facts
  striker  unit
procedure play
  1. roll striker.dice d6 as x
  2. give result = x
     give best = highest striker.dice of x.values
""")
    assert rules.plays(2, 3, striker={"name": "a", "dice": 2})["result"] == 5


def test_b2_the_bound_of_an_explosion_is_an_expression() -> None:
    rules = tried("""
facts
  cap  0..3
procedure play
  1. roll 2d6 as x, explode on 6 at most cap + 1 times
  2. roll d6 as y, reroll 1 at most cap times
  3. give result = x + y
     give sixes = count of x.values where each is 6
""")
    assert rules.plays((6, 1), 6, 2, cap=0) == {"result": 15, "sixes": 2}
    assert rules.chance("sixes is 4", cap=0) == Fraction(1, 6) ** 4


# ------------------------------------------------------------------------------------------------- explosions

EXPLODING = """
procedure play
  1. roll {n}d6 as x, explode on 6{bound}, added to the die
  2. give best = highest of x.values
     give high = count of x.values where each >= 8
     give result = x
     give two = sum of (highest 2 of x.values)
     give first = x.natural
"""


def test_h8_extra_dice_add_to_the_die() -> None:
    rules = tried(EXPLODING.format(n=2, bound=" at most 2 times"))
    assert rules.plays((6, 3), 6, 2) == {"best": 14, "high": 1, "result": 17, "two": 17, "first": 14}
    assert rules.chance("best is 8") == Fraction(32, 36) ** 2 - Fraction(31, 36) ** 2
    assert rules.chance("high is 2") == Fraction(5, 36) ** 2


def test_h8_without_a_bound_the_odds_stay_exact() -> None:
    rules = tried(EXPLODING.format(n=3, bound=""))
    assert rules.plays((6, 6, 3), (1, 6), 4)["best"] == 16
    assert rules.rules.odds("play").chance("high is 3") == Fraction(5, 36) ** 3
    assert rules.rules.odds("play").chance("best >= 8") == 1 - Fraction(31, 36) ** 3
    total = rules.rules.odds("play").chance("result is 4")
    assert total == Fraction(3, 216)


def test_h8_without_the_words_extra_dice_are_dice_of_their_own() -> None:
    rules = tried(EXPLODING.replace(", added to the die", "").format(n=2, bound=" at most 2 times"))
    assert rules.plays((6, 3), 6, 2)["best"] == 6
    assert rules.plays((6, 3), 6, 2)["two"] == 12


# ------------------------------------------------------------------------------- modifiers that look at the roll

FIRE = """
record unit
  green  yes/no

facts
  strength  1..12
  units     list of unit

chart fire (range 0..6)
  down    2d6
  across  strength, column at or below
  shift off left   stays
  shift off right  stays
  row above stays
  row below stays
  | 2d6  | 1 | 5 | 9 |
  | 2-4  | - | - | M |
  | 5-9  | - | M | X |
  | 10+  | M | X | X |

modifiers shifts shift columns of fire
  +1  doubles  roll is doubles
  -1  far      range >= 4
  for each unit
    -1  cowers  green and roll is doubles

modifiers drm add to roll of fire
  +1  low  roll <= 3 and strength > 4

procedure play
  1. roll 2d6 as shot_roll
  2. read fire(5) with shot_roll as far
  3. read fire(1) with shot_roll for each unit as near
  4. give result = far.code
     give shift = far.shift
     give codes = map of reader to code over near
"""


def test_b5_modifiers_see_the_roll_and_the_parameters_of_the_chart() -> None:
    rules = tried(FIRE)
    units = [{"name": "a", "green": True}, {"name": "b"}]
    assert rules.plays((4, 4), strength=5, units=units)["shift"] == 0
    assert rules.plays((4, 3), strength=5, units=[])["shift"] == -1
    codes = rules.plays((4, 4), strength=5, units=units)["codes"]
    assert codes == {"a": "M", "b": "X"}
    assert rules.chance("shift is 0", strength=5, units=[]) == Fraction(1, 6)
    assert rules.chance("result is M", strength=9, units=[]) is not None


def test_b5_the_explanation_names_the_modifier() -> None:
    assert "doubles" in tried(FIRE).explained((4, 4), strength=5, units=[])


def test_b5_a_fact_named_roll_wins() -> None:
    text = FIRE.replace("facts\n", "facts\n  roll 0..9\n").replace("roll is doubles", "roll is 9")
    rules = tried(text)
    assert rules.plays((4, 4), strength=5, units=[], roll=0)["shift"] == -1
    assert rules.plays((4, 3), strength=5, units=[], roll=9)["shift"] == 0


def test_b5_without_its_chart_such_a_block_has_no_sum() -> None:
    text = FIRE.replace("give shift = far.shift", "give shift = shifts.total")
    assert messages(text) == [
        "`shifts` depends on range and roll of `fire`, so it has a value only when the chart is read; "
        "read the chart, and use `.shift` or `.roll_modifier` of the reading"
    ]


def test_b5_a_number_is_no_roll() -> None:
    text = FIRE.replace("read fire(5) with shot_roll", "read fire(5) with (shot_roll + 0)")
    assert messages(text) == [
        "the modifiers of `fire` depend on the roll, but this is a number and not a roll; use a roll of dice"
    ]


# ---------------------------------------------------------------------------------- choices among equal elements

KEEP = """
players owner

procedure play
  1. roll {n}d6 as dice
  2. owner chooses 2 kept among dice.values "the dice to keep"
  3. give result = sum of kept
     give kept
"""


def test_h11_equal_dice_are_different_things_to_choose() -> None:
    rules = tried(KEEP.format(n=3))
    assert rules.plays((6, 6, 2), choices=[[6, 6]])["result"] == 12
    assert rules.plays((6, 6, 2), choices=[[6, 2]])["result"] == 8
    assert rules.plays((6, 6, 6))["result"] == 12
    with pytest.raises(InputError, match="6 was chosen more times"):
        rules.plays((6, 2, 2), choices=[[6, 6]])


def test_h11_a_question_shows_them_once_with_their_number() -> None:
    run = tried(KEEP.format(n=3)).rules.begin("play", dice=[6, 6, 2])
    assert run.question is not None
    assert run.question.legal == (6, 6, 2)
    assert legal_text(run.question) == "2 of 2 x 6, 2"


def test_h11_the_odds_stay_small() -> None:
    odds = tried(KEEP.format(n=4)).rules.odds("play", players={"owner": "best"}, aim="result")
    assert odds.chance("result is 12") == 1 - Fraction(5, 6) ** 4 - 4 * Fraction(1, 6) * Fraction(5, 6) ** 3
    random = tried(KEEP.format(n=3)).rules.odds("play", players={"owner": "random"})
    assert random.chance("result is 12") == Fraction(1, 36)


# ------------------------------------------------------------------------------------------------------- cards

FATE = """
deck fate "the fate deck"
  suit   one of rams, crows, or none
  value  0..14
  cards  each suit, each value 1..3
  card   black_joker (value 0)    "must be used"
  card   2 x omen (value 14)

procedure play
  1. draw 2 from fate as hand
  2. let best = highest of hand by value
  3. give result = best.value
     give rams = count of hand where suit is rams
     give jokers = any of hand is black_joker
     give suit = best.suit
  4. remove best from fate_left
""".replace("  4. remove best from fate_left\n", "")


def test_b6_cards_have_fields() -> None:
    rules = tried(FATE)
    assert rules.plays("rams 3", "crows 1") == {"result": 3, "rams": 1, "jokers": False, "suit": "rams"}
    assert rules.plays("black_joker", "omen")["result"] == 14
    assert rules.plays("omen", "omen")["suit"] is None
    assert rules.chance("rams is 2") == Fraction(3, 36)
    assert rules.chance("result is 14") == 1 - Fraction(7 * 6, 9 * 8)


def test_b6_a_card_that_may_be_none_has_fields() -> None:
    rules = tried("""
players red
deck fate
  value  1..3
  card low (value 1)
  card high (value 3)
procedure play
  1. draw 1 from fate as hand
     red may choose card among hand
     let value = 0
     when card is not none: value becomes card.value
  2. give result = value
     give bare = 1 when card is none otherwise card.value
""")
    assert rules.plays("high", choices=["high"])["result"] == 3
    assert rules.plays("high", choices=[None])["result"] == 0
    assert rules.rules.odds("play", choices={"card": ["high", None]}).result[3] == Fraction(1, 2)


def test_b6_a_field_of_a_card_is_read_with_of() -> None:
    rules = tried("""
deck fate
  value  1..3
  card low (value 1)
  card high (value 3)
procedure play
  1. draw 2 from fate as hand
  2. give result = value of item 1 of hand
""")
    assert rules.plays("high", "low")["result"] == 3
    assert rules.chance("result is 1") == Fraction(1, 2)


def test_what_something_was_put_behind_is_not_empty() -> None:
    rules = tried("""
procedure play
  1. roll 2d6 as claws
     roll d6 as again
  2. give result = highest of ((claws.values without [highest of claws.values]) followed by again)
""")
    assert rules.plays(6, 3, 2)["result"] == 3
    assert rules.plays(6, 3, 4)["result"] == 4


def test_b6_cards_leave_the_deck_and_go_back() -> None:
    rules = tried("""
deck fate
  value  0..9
  cards  each value 1..3
  card   joker (value 0)

procedure play
  1. remove joker from fate
  2. draw 2 from fate as hand
  3. return item 1 of hand to fate
     return [joker] to fate
  4. draw 3 from fate as more
  5. give result = sum of value over more
     give left = count of cards left in fate
""")
    assert rules.plays("1", "2", "1", "3", "joker") == {"result": 4, "left": 0}
    assert rules.chance("result is 4") == Fraction(1, 3)
    with pytest.raises(InputError):
        rules.plays("joker", "2", "1", "3", "joker")


def test_b6_a_card_that_is_not_there_can_t_leave() -> None:
    rules = tried("""
deck chits of 2 x red, black
procedure play
  1. remove red from chits
     remove [red, black] from chits
  2. give result = count of cards left in chits
""")
    assert rules.plays() == {"result": 0}
    with pytest.raises(RuleError, match="red is not in the deck"):
        enfilade.load(
            "deck chits of red\nprocedure play\n  1. remove [red, red] from chits\n  2. give result = 1\n"
        ).resolve("play", dice=[])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cards each colour", "there is no field of the deck `colour`"),
        ("cards each weight", "`each weight` has no list of values; write its range: `each value 1..13`"),
        ("card omen (value 99)", "value of this card must be 0 to 14"),
        ("card omen", "the card `omen` has no value; write `(value ...)`"),
    ],
)
def test_b6_mistakes_in_decks(line: str, message: str) -> None:
    text = f"""
deck fate
  value   0..14
  weight  0.. = 0
  {line}
  card    joker (value 0)
procedure play
  1. draw 1 from fate as hand
  2. give result = item 1 of hand
"""
    assert messages(text) == [message]


COUNTED = """
players red
facts
  n     0..6
  more  0..3 = 0
deck chits "the cup" of n x crimson, 2 x black, (n + more) x gold

procedure play
  1. draw 1 from chits as first_chit
  2. return first_chit to chits
     remove black from chits
  3. draw 2 from chits as hand
  4. let left = count of cards left in chits
     reshuffle chits
  5. give result = count of hand where each is crimson
     give left
     give all = count of cards left in chits
"""


def test_b6_the_number_of_cards_is_a_fact() -> None:
    rules = tried(COUNTED)
    assert rules.plays("black", "crimson", "gold", n=1) == {"result": 1, "left": 1, "all": 4}
    assert rules.chance("result is 2", n=2) == Fraction(2 * 1, 5 * 4)
    assert rules.chance("result is 1", n=0, more=1) == 0
    assert "the cards of the cup: crimson, black, black, gold" in rules.explained("black", "gold", "crimson", n=1)


def test_b6_a_question_shows_the_cards_that_are_there() -> None:
    rules = tried(COUNTED).rules
    run = rules.begin("play", n=0, more=1)
    assert run.question is not None
    assert run.question.legal == ("black", "black", "gold")
    with pytest.raises(InputError):
        rules.resolve("play", n=0, more=1, dice=["crimson", "black", "gold"])
    assert rules.resolve("play", n=0, more=1, dice=["gold", "black", "gold"]).decks["chits"] == (
        "black",
        "black",
        "gold",
    )


def test_b6_decks_differ_between_worlds() -> None:
    rules = tried("""
record side
  units  0..6
facts
  home  side
deck cup
  value  0..9
  card   home.units x own (value 1)
  card   2 x other (value 0)
  card   storms x storm (value 9)

define storms = home.units mod 2

procedure play
  1. roll d3 as lost
     home.units becomes home.units - lost but at least 0
  2. let before = count of cards left in cup
     draw 1 from cup as hand
  3. give result = value of item 1 of hand
     give before
""")
    home = {"name": "home", "units": 2}
    assert rules.plays(1, "storm", home=home) == {"result": 9, "before": 4}
    # One unit is left after a 1: own, other, other, storm. After a 2 or a 3: other, other.
    assert rules.chance("result is 9", home=home) == Fraction(1, 3) * Fraction(1, 4)
    assert rules.chance("result is 1", home=home) == Fraction(1, 3) * Fraction(1, 4)


def test_b6_a_deck_in_a_called_procedure_is_put_together_once() -> None:
    rules = tried("""
facts
  n  1..6
deck chits of n x red, black

helper procedure pull
  1. draw 1 from chits as hand
  2. give result = item 1 of hand

procedure play
  1. call pull as one
  2. call pull as two
  3. give result = one.result is black or two.result is black
""")
    assert rules.chance("result", n=3) == Fraction(2, 4)
    assert rules.chance("result", n=1) == 1


def test_b6_counts_that_make_no_deck() -> None:
    text = """
facts
  n  ..6
deck chits of n x red, (n / 2) x black
die fight faces n x hit, blank
procedure play
  1. draw 1 from chits as hand
  2. roll fight as blow
  3. give result = item 1 of hand
     give blow
"""
    assert messages(text) == [
        "the number of `red` may be below 0; declare the number with a range, such as `0..9`, or write `(... but at least 0)`",
        "a whole number is needed, but this may be a fraction; round it: `rounded down`, `rounded up`",
        "the number of faces of a die must be fixed; write a number, such as `2 x hit`",
    ]
    text = "define n = count of cards left in chits\ndeck chits of n x red\nprocedure play\n  1. give result = n\n"
    assert [each for each in messages(text) if "depends on itself" in each]
    rules = tried(COUNTED.replace("0..6", "0..")).rules
    with pytest.raises(LimitError, match="at most 100000"):
        rules.resolve("play", n=200_000, dice=["black"])


@pytest.mark.parametrize("card", ["king as 13", "2 x king as 13"])
def test_b6_a_card_of_a_plain_deck_has_no_value_of_its_own(card: str) -> None:
    assert messages(f"""
deck cards of queen, {card}
procedure play
  1. draw 1 from cards as hand
  2. give result = item 1 of hand
""") == [
        "a card can't have a value after its name; give the deck a field: `value 0..13` below `deck cards`, "
        "and `card king (value 13)`"
    ]


# ------------------------------------------------------------------------------------------- faces with a blank

BLOCK = """
die block faces attacker_down, "both down", 2 x push, "defender down"
deck fate of "rams 9", crow
players coach
procedure play
  1. roll 2 block as blows
  2. draw 1 from fate as card
  3. coach chooses pick among blows.values
  4. give result = pick
     give card = item 1 of card
"""


@pytest.mark.parametrize(
    "dice", ["both down push rams 9", "both down, push, rams 9", '"both down" push "rams 9"', "both down push, rams 9"]
)
def test_b7_faces_with_a_blank_on_the_command_line(
    dice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "block.rules"
    path.write_text(BLOCK, encoding="utf-8")
    assert main(["resolve", str(path), "play", "--dice", dice, "--choices", "both down"]) == 0
    shown = capsys.readouterr().out
    assert "both down" in shown
    assert "rams 9" in shown


def test_b7_faces_with_a_blank_at_the_prompt() -> None:
    run = tried(BLOCK).rules.begin("play")
    run = run.answer(["both", "down", "push"])
    run = run.answer(["rams", "9"])
    outcome = run.answer("both down").outcome
    assert outcome is not None
    assert outcome.outputs == {"result": "both down", "card": "rams 9"}


# ------------------------------------------------------------------------------------ pools as lists of values

PUSH = """
players owner
facts
  pool  0..9

procedure play
  1. roll pool d6 as first_roll
     let dice = first_roll.values
  2. owner chooses whether pushes
  3. when pushes
       roll (count of dice where each is 2..5) d6 as more
       dice becomes (dice where each is 1 or 6) followed by more.values
  4. give result = count of dice where each is 6
     give ones = count of dice where each is 1
"""


def test_h13_the_values_of_a_pool_in_a_list_expression() -> None:
    rules = tried("""
facts
  pool  1..8
procedure play
  1. roll pool d6 as start
  2. give result = count of ([1, 2, 3] where start.values has each)
     give most = highest of start.values
""")
    assert rules.plays((1, 1, 2), pool=3) == {"result": 2, "most": 2}
    assert rules.chance("result is 3", pool=3) == Fraction(1, 36)
    assert rules.rules.odds("play", pool=8).chance("result is 0") == Fraction(1, 2) ** 8


def test_h13_a_pool_that_is_rolled_again_in_part_stays_a_list() -> None:
    rules = tried(PUSH)
    assert rules.plays((6, 1, 3), 6, choices=[True], pool=3) == {"result": 2, "ones": 1}
    held = rules.rules.odds("play", pool=2, choices={"pushes": False})
    assert held.chance("result is 0") == Fraction(25, 36)
    # With seven dice the lists before and after the push are more worlds than the limit.
    pushed = rules.rules.odds("play", pool=6, choices={"pushes": True})
    assert pushed.chance("result is 0") == (Fraction(1, 6) + Fraction(4, 6) * Fraction(5, 6)) ** 6


def test_h13_dice_that_are_read_in_order_are_kept_in_order() -> None:
    rules = tried("""
procedure play
  1. roll 2d6 as dice
     let pair = dice.values
  2. give result = item 1 of pair
     give best = highest of pair
""")
    assert rules.chance("result is 1 and best is 6") == Fraction(1, 36)


def test_a_deck_and_a_die_are_types() -> None:
    rules = tried("""
die  arrows  faces 3 x hit, 3 x miss
deck fate of red, 2 x black
deck omens
  value 0..
  card  comet (value 14)
  card  crow  (value 3)

record hex
  card_there fate or none

facts
  place   hex
  shown   fate
  before  list of arrows
  omen    omens

define is_lucky (card fate) = card is red

procedure play
  1. draw 1 from fate as cards
     roll arrows as die
  2. give result = omen.value when is_lucky(shown) otherwise 0
     give same = (item 1 of cards) is shown
     give known = place.card_there is shown
     give again = before has die
""")
    facts: dict[str, Any] = {"place": {"card_there": "red"}, "shown": "red", "before": ["miss"], "omen": "comet"}
    assert rules.plays("red", "hit", **facts) == {"result": 14, "same": True, "known": True, "again": False}
    assert rules.chance("same", **facts) == Fraction(1, 3)
    assert rules.chance("again", **facts) == Fraction(1, 2)


@pytest.mark.parametrize("declared", ["words months one of june, july", "deck months of june, july"])
def test_a_list_of_one_word_that_is_the_name_of_a_list_is_warned_of(declared: str) -> None:
    text = f"{declared}\nfacts\n  month  one of months\nprocedure play\n  1. give result = 1 when month is months otherwise 2\n"
    (found,) = messages(text)
    assert found.startswith("this list has only the word `months`")
    assert found.endswith("write only the name `months`")
