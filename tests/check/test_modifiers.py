"""Modifiers: names, sections, sums, and conditions that can never hold."""

import pytest
from tests.check.marking import found, marked

from enfilade.check.satisfiability import find_unmet, is_never_true
from enfilade.core import ir
from enfilade.core.types import Bool, Num, Type, Word

HEAD = """
record unit
  kind        one of infantry, gun
  entrenched  yes/no
  steps       0..4 = 1

option night_rules

facts
  few       0..2
  many      0..
  half      number 0..
  night     yes/no
  arm       one of foot, horse, gun
  terrain   set of clear, woods
  units     list of unit
  target    unit or none
"""


def assert_marked(text: str) -> None:
    assert found(HEAD + text) == marked(HEAD + text)


def test_a_modifier_has_one_name_in_its_block_sections_included() -> None:
    assert_marked("""
modifiers m
  +1  dark  night
  never together
    -1  dark  arm is foot       -- ! duplicate-name
  when night
    -1  other  arm is horse
modifiers n
  +1  dark  night
procedure p
  1. give x = m + n
""")


def test_net_caps_the_whole_block() -> None:
    assert_marked("""
modifiers m
  +1  dark  night
  never together
    -1  horse  arm is horse
    net at most 2              -- ! misplaced
  net at most 2
  net at least (few - 1)
procedure p
  1. give x = m
""")


def test_an_amount_is_a_number_and_a_condition_a_condition() -> None:
    assert_marked("""
modifiers m
  +(night)  dark   night       -- ! type
  +(few)    crowd  few         -- ! type
  +1        horse  arm         -- ! type
  +(half)   halved  night
procedure p
  1. give x = m
""")


def test_modifiers_of_a_chart_take_no_parameters_and_name_a_chart() -> None:
    assert_marked("""
chart crt
  down    d6
  across  many, column at or below
  shift off right  stays
  | d6  | 0 | 4 |
  | 1-6 | - | X |
modifiers m (few) shift columns of crt   -- ! syntax
  +1  dark  night
modifiers n add to roll of tabel         -- ! unknown-name
  +1  dark  night
""")


def test_a_section_for_each_record_sees_its_fields() -> None:
    assert_marked("""
modifiers m
  -2  cover  entrenched            -- ! unknown-name
  for each unit
    -2  entrenched  entrenched
        but -1 when kind is gun
        but not when steps > 2
    +1  gun  kind is gunn          -- ! unknown-word
procedure p
  1. give x = m
""")


def test_an_unknown_record_of_a_section_is_the_only_mistake_in_it() -> None:
    assert_marked("""
modifiers m
  for each unti                    -- ! unknown-name
    -2  entrenched  entrenched and kind is gun
    +1  strong  steps > 2
procedure p
  1. give x = m
""")


# -- what can never hold


@pytest.mark.parametrize(
    "condition",
    [
        "few is 3", "few > 2", "few >= 3", "few is 3 or more", "few is 5..9", "few < 0", "many is 2 or less and many > 2",
        "few is 1 and few is 2", "arm is foot and arm is horse", "night and not night", "few > 0 and few is 0",
        "terrain has woods and not terrain has woods", "few is 1..2 and few < 1", "many is even and many is odd",
        "many > 3 and many < 4", "option night_rules and not option night_rules", "target is none and target is not none",
        "arm is not foot or horse and arm is not gun", "night and (arm is foot and arm is gun or not night)",
        "few mod 2 is 3", "few / 3 > 1",
    ],
)  # fmt: skip
def test_a_condition_that_can_never_hold_is_doubted(condition: str) -> None:
    text = f"modifiers m\n  +1  x  {condition}\nprocedure p\n  1. give y = m\n"
    assert [code for code, _ in found(HEAD + text) if code != "unused-fact"] == ["never-holds"]


@pytest.mark.parametrize(
    "condition",
    [
        "few is 2", "few >= 2", "few is 0 or 2", "few is 1 or few is 2", "night or not night", "half > 3 and half < 4",
        "many > 3 and many < 5", "arm is not foot and arm is not horse", "few is not 1 and few is not 2",
        "any of units where kind is gun and any of units where kind is infantry", "many is even and many > 2",
        "terrain has woods and terrain has clear", "few is many", "few < many and many < few + 2",
    ],
)  # fmt: skip
def test_a_condition_that_may_hold_is_not_doubted(condition: str) -> None:
    text = f"modifiers m\n  +1  x  {condition}\nprocedure p\n  1. give y = m\n"
    assert [code for code, _ in found(HEAD + text) if code != "unused-fact"] == []


def test_a_line_is_doubted_in_its_section_and_a_but_in_its_line() -> None:
    assert_marked("""
modifiers m
  when arm is foot
    +1  mounted  arm is horse      -- ! never-holds
    +1  foot     arm is foot
    when night
      +1  day    not night         -- ! never-holds
  +2  dark  night
      but -1 when not night        -- ! never-holds
      but -1 when arm is gun
  for each unit
    +1  gun  kind is gun
        but not when kind is infantry  -- ! never-holds
procedure p
  1. give x = m + few + many + (1 when terrain has woods or target is none otherwise 0) + half + (count of units)
""")


def test_a_condition_that_never_holds_by_itself_is_not_doubted_again_with_others() -> None:
    assert_marked("""
modifiers m
  when night
    +1  crowd  few is 3            -- ! never-holds
        but -1 when arm is foot
        but -2 when few is 4       -- ! never-holds
procedure p
  1. give x = m + many + (1 when terrain has woods or target is none otherwise 0) + half + (count of units)
""")


def test_one_of_several_that_exclude_each_other_is_no_choice() -> None:
    assert_marked("""
modifiers m
  only one of, the highest         -- ! never-both
    +1  one  few is 1
    +2  two  few is 2
  only one of, the highest
    +1  one_again  few is 1
    +2  dark       night
  never together
    +1  once_more  few is 1
    +2  twice      few is 2
modifiers n, only the lowest        -- ! never-both
  -1  foot   arm is foot
  -2  horse  arm is horse
modifiers o, only the first
  -1  foot   arm is foot
  -2  dark   night
procedure p
  1. give x = m + n + o + many + (1 when terrain has woods or target is none otherwise 0) + half + (count of units)
""")


# -- the questions behind it

FEW, NIGHT, ARM = ir.Fact("few"), ir.Fact("night"), ir.Fact("arm")
TYPES: dict[str, Type] = {"few": Num(0, 2), "night": Bool(), "arm": Word(("foot", "horse"))}


def op(name: str, *args: ir.Expr) -> ir.Op:
    return ir.Op(name, args)


def test_never_is_certain_and_possible_may_be_too_kind() -> None:
    opaque = ir.Over("any", "each", ir.Fact("units"), ir.Local("each"))
    assert is_never_true([opaque, ir.Not(opaque)], TYPES)
    assert not is_never_true([opaque], TYPES)
    assert not is_never_true([op("is", FEW, ir.Fact("many"))], TYPES)


def test_two_things_that_are_compared_with_each_other_are_taken_to_be_either() -> None:
    assert not is_never_true([op("<", FEW, ir.Fact("many")), op("<", ir.Fact("many"), FEW)], TYPES)


def test_too_many_situations_are_not_tried() -> None:
    facts = [ir.Fact(f"f{n}") for n in range(20)]
    assert not is_never_true([*facts, ir.Not(facts[0])], {})


def test_a_situation_in_which_nothing_holds_is_told_where_there_is_one() -> None:
    foot, horse = (op("is", ARM, ir.Const(word)) for word in ("foot", "horse"))
    assert find_unmet([foot, horse], TYPES) is None
    assert find_unmet([foot], TYPES) == [("arm", "horse")]
    assert find_unmet([foot, NIGHT], TYPES) == [("arm", "horse"), ("night", False)]
    assert find_unmet([op("<", FEW, ir.Const(1)), op(">=", FEW, ir.Const(1))], TYPES) is None


def test_no_situation_is_told_that_may_not_be_real() -> None:
    assert find_unmet([ir.Field(ir.Local("unit"), "steps")], TYPES) is None
