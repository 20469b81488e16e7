"""What words after `is` and `or` mean."""

from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

FACTS: Final = """
record unit
  kind       one of infantry, gun, wagon, leader
  steps      0.. = 1
  loaded_on  unit or none = none

facts
  a        0..
  b        0..
  night    yes/no
  arm      one of foot, horse, gun
  foot     one of foot, horse
  terrain  set of clear, woods, town
  ranges   list of 1.., at least 1 = [1]
  units    list of unit
  target   unit
"""


def meaning(condition: str) -> ir.Expr:
    """What a condition over the facts becomes in the core."""
    text = f"{FACTS}\ndefine it = {condition}\n\nprocedure p\n  1. give x = it\n"
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert checked.program is not None, checked.diagnostics
    return checked.program.definitions["it"].body


def over_units(condition: str) -> ir.Expr:
    """What a condition on each unit becomes in the core."""
    over = meaning(f"any of units where {condition}")
    assert isinstance(over, ir.Over)
    return over.body


def shown(e: ir.Expr) -> str:
    """An expression of the core, short: who stands in it, and how it is joined."""
    match e:
        case ir.Const():
            return repr(e.value)
        case ir.Fact() | ir.Field():
            return e.name
        case ir.Local():
            return "each"
        case ir.All() | ir.Any_():
            return "(" + (" & " if isinstance(e, ir.All) else " | ").join(map(shown, e.items)) + ")"
        case ir.Not():
            return f"!{shown(e.of)}"
        case ir.Op():
            return f"{shown(e.args[0])} {e.name} {' '.join(map(shown, e.args[1:]))}"
        case ir.Over():
            return f"{e.how} {shown(e.body)}"
    raise AssertionError(e)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("kind is gun", "kind is 'gun'"),
        ("kind is gun or wagon", "(kind is 'gun' | kind is 'wagon')"),
        ("kind is gun or wagon or leader", "(kind is 'gun' | kind is 'wagon' | kind is 'leader')"),
        ("kind is not wagon or leader", "(kind is not 'wagon' & kind is not 'leader')"),
        (
            "kind is not wagon or leader and loaded_on is none",
            "((kind is not 'wagon' & kind is not 'leader') & loaded_on is None)",
        ),
        (
            "loaded_on is none and kind is not wagon or leader",
            "(loaded_on is None & (kind is not 'wagon' & kind is not 'leader'))",
        ),
        ("night or kind is gun", "(night | kind is 'gun')"),
        ("kind is gun or night", "(kind is 'gun' | night)"),
        ("kind is gun or steps > 1", "(kind is 'gun' | steps > 1)"),
        ("kind is gun or wagon and steps > 1", "((kind is 'gun' | kind is 'wagon') & steps > 1)"),
        (
            "night and kind is not wagon or leader and steps > 1",
            "(night & (kind is not 'wagon' & kind is not 'leader') & steps > 1)",
        ),
        ("not kind is gun", "!kind is 'gun'"),
        ("(kind is gun or wagon) and night", "((kind is 'gun' | kind is 'wagon') & night)"),
    ],
)
def test_a_bare_word_after_or_joins_the_comparison_before_it(condition: str, expected: str) -> None:
    assert shown(over_units(condition)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a is b", "a is b"),
        ("a is 3 or b", "(a is 3 | a is b)"),
        ("a is 3 or 4 or 5", "(a is 3 | a is 4 | a is 5)"),
        ("a is not 3 or 4", "(a is not 3 & a is not 4)"),
        ("a is 3 or b is 4", "(a is 3 | b is 4)"),
        ("a > 3 or b > 3", "(a > 3 | b > 3)"),
        ("a is 3 or night", "(a is 3 | night)"),
        ("night or a is 3", "(night | a is 3)"),
        ("a is 1..2 or 5", "(a within 1 2 | a is 5)"),
        ("a is 5 or more or 2", "(a >= 5 | a is 2)"),
        ("terrain has woods or town", "(terrain has 'woods' | terrain has 'town')"),
        ("terrain has woods and night or terrain has town", "((terrain has 'woods' & night) | terrain has 'town')"),
        ("any of ranges is 1 or 2", "(any each is 1 | any each is 2)"),
        ("any of ranges is not 1 or 2", "(any each is not 1 | any each is not 2)"),
        ("all of ranges is not 1 or 2", "(all each is not 1 & all each is not 2)"),
        # A word goes before a fact of the same name.
        ("arm is foot", "arm is 'foot'"),
    ],
)
def test_numbers_and_words_after_or_go_with_the_comparison_before_them(condition: str, expected: str) -> None:
    assert shown(meaning(condition)) == expected


def test_the_inner_element_hides_the_outer_one() -> None:
    inner = over_units("any of units where loaded_on is unit")
    assert isinstance(inner, ir.Over)
    comparison = inner.body
    assert isinstance(comparison, ir.Op)
    field, unit = comparison.args
    assert isinstance(field, ir.Field)
    assert field.of == unit == ir.Local(inner.var)
