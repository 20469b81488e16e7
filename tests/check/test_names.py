"""What a name means: which of several it is, words after `is` and `or`, and what is said of one that is not declared."""

import pytest
from tests.check.marking import found, marked

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

FACTS = """
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


def assert_marked(text: str) -> None:
    assert found(text) == marked(text)


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
            return str(e.value)
        case ir.Fact() | ir.Option():
            return e.name
        case ir.Field():
            return e.name
        case ir.Local():
            return "each"
        case ir.All():
            return "(" + " & ".join(map(shown, e.items)) + ")"
        case ir.Any_():
            return "(" + " | ".join(map(shown, e.items)) + ")"
        case ir.Not():
            return f"!{shown(e.of)}"
        case ir.Op():
            return f"{shown(e.args[0])} {e.name} {shown(e.args[1])}"
        case ir.Over():
            return f"{e.how} {shown(e.body)}"
    raise AssertionError(e)


# -- words after `is`, and what `or` does with them


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("kind is gun", "kind is gun"),
        ("kind is gun or wagon", "(kind is gun | kind is wagon)"),
        ("kind is gun or wagon or leader", "(kind is gun | kind is wagon | kind is leader)"),
        ("kind is not wagon or leader", "(kind is not wagon & kind is not leader)"),
        (
            "kind is not wagon or leader and loaded_on is none",
            "((kind is not wagon & kind is not leader) & loaded_on is None)",
        ),
        ("loaded_on is none and kind is not wagon or leader", "(loaded_on is None & (kind is not wagon & kind is not leader))"),
        ("night or kind is gun", "(night | kind is gun)"),
        ("kind is gun or night", "(kind is gun | night)"),
        ("kind is gun or steps > 1", "(kind is gun | steps > 1)"),
        ("kind is gun or wagon and steps > 1", "((kind is gun | kind is wagon) & steps > 1)"),
        ("night and kind is not wagon or leader and steps > 1", "(night & (kind is not wagon & kind is not leader) & steps > 1)"),
        ("not kind is gun", "!kind is gun"),
        ("(kind is gun or wagon) and night", "((kind is gun | kind is wagon) & night)"),
    ],
)  # fmt: skip
def test_a_bare_word_after_or_joins_the_comparison_before_it(condition: str, expected: str) -> None:
    assert shown(over_units(condition)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a is 3 or b", "(a is 3 | a is b)"),
        ("a is 3 or 4 or 5", "(a is 3 | a is 4 | a is 5)"),
        ("a is not 3 or 4", "(a is not 3 & a is not 4)"),
        ("a is 3 or b is 4", "(a is 3 | b is 4)"),
        ("a > 3 or b > 3", "(a > 3 | b > 3)"),
        ("a is 3 or night", "(a is 3 | night)"),
        ("night or a is 3", "(night | a is 3)"),
        ("terrain has woods or town", "(terrain has woods | terrain has town)"),
        ("terrain has woods and night or terrain has town", "((terrain has woods & night) | terrain has town)"),
        ("any of ranges is 1 or 2", "(any each is 1 | any each is 2)"),
        ("all of ranges is not 1 or 2", "(all each is not 1 & all each is not 2)"),
    ],
)
def test_numbers_and_words_after_or_go_with_the_comparison_before_them(condition: str, expected: str) -> None:
    assert shown(meaning(condition)) == expected


@pytest.mark.parametrize(
    ("condition", "names"), [("a is 1..2 or 5", ["within", "is"]), ("a is 5 or more or 2", [">=", "is"])]
)
def test_a_number_joins_a_band_or_an_or_more_before_it(condition: str, names: list[str]) -> None:
    both = meaning(condition)
    assert isinstance(both, ir.Any_)
    assert [e.name for e in both.items if isinstance(e, ir.Op)] == names


def test_none_of_and_any_of_are_not_joined_under_is_not() -> None:
    one = meaning("any of ranges is not 1 or 2")
    assert isinstance(one, ir.Any_)


def test_a_word_goes_before_a_fact_of_the_same_name() -> None:
    assert shown(meaning("arm is foot")) == "arm is foot"
    comparison = meaning("arm is foot")
    assert isinstance(comparison, ir.Op)
    assert isinstance(comparison.args[1], ir.Const)


def test_a_fact_stands_after_is_where_it_is_no_word_of_the_other_side() -> None:
    comparison = meaning("a is b")
    assert isinstance(comparison, ir.Op)
    assert isinstance(comparison.args[1], ir.Fact)


def test_a_code_is_compared_with_the_codes_of_its_chart_only() -> None:
    assert_marked("""
chart fire
  down  d6
  severity  - < M < X
  | d6  | Result |
  | 1-3 |   -    |
  | 4,5 |   M    |
  |  6  |   X    |
procedure p
  1. roll d6 as die
  2. read fire with die as hit
  3. give one   = hit.code is M or X
  4. give two   = hit.code is M or worse
  5. give three = hit.code is M1          -- ! unknown-code
  6. give four  = hit.code is "-" or better
""")


def test_fields_stand_by_themselves_inside_where_and_over_but_not_outside() -> None:
    assert_marked(
        FACTS
        + """
define inside  = count of units where steps > 1 and kind is gun
define summed  = sum of steps over units where kind is gun
define mapped  = map of unit to steps over units
define outside = steps + 1                -- ! unknown-name
procedure p
  1. give x = inside + summed
"""
    )


def test_the_inner_element_hides_the_outer_one() -> None:
    inner = over_units("any of units where loaded_on is unit")
    assert isinstance(inner, ir.Over)
    comparison = inner.body
    assert isinstance(comparison, ir.Op)
    field, unit = comparison.args
    assert isinstance(field, ir.Field)
    assert field.of == unit == ir.Local(inner.var)


def test_facts_options_outputs_modifiers_and_words_are_spaces_of_their_own() -> None:
    assert_marked("""
option night
facts
  night  yes/no
  fog    one of night, day
modifiers shifts
  -1  night  night
procedure night
  1. give night = night
  2. give shift = shifts
  3. give word  = fog is night
  4. give optional = option night
effect night
event night
die night faces 1, 2
deck night of red, blue
record night
  fog yes/no
""")


@pytest.mark.parametrize(
    "kind", ["define twice = 1", "chart twice\n  down d6\n  | d | r |\n  | 1-6 | x |", "modifiers twice\n  +1 x yes"]
)
def test_whatever_stands_by_itself_in_an_expression_shares_a_space_with_the_facts(kind: str) -> None:
    text = f"facts\n  twice  0..\n{kind}\nprocedure p\n  1. give x = twice\n"
    assert found(text) == [("duplicate-name", 3)]


# -- names that are declared nowhere


def test_the_nearest_name_is_suggested() -> None:
    text = FACTS + "define dark = nihgt\nprocedure p\n  1. give x = dark\n"
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert [d.helps for d in checked.diagnostics] == [("did you mean `night`?",)]


def test_no_name_is_suggested_for_a_single_letter() -> None:
    text = "facts\n  a  0..\ndefine dark = b + 1\n"
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert [d.helps for d in checked.diagnostics] == [()]


def test_a_name_that_is_declared_nowhere_is_said_once_with_all_its_places() -> None:
    text = FACTS + "define one = nihgt\ndefine two = nihgt or night\nprocedure p\n  1. give x = one or two or nihgt\n"
    (only,) = check_source(SourceFile("test.rules", text), Folders()).diagnostics
    lines = [label.span.source.line_column(label.span.start)[0] for label in only.labels]
    first = only.span.source.line_column(only.span.start)[0]
    assert (only.code, [line - first for line in lines]) == ("unknown-name", [1, 3])


@pytest.mark.parametrize(
    "line",
    [
        "define x = unti is none                  -- ! unknown-name",
        "define x = arm is hrose                  -- ! unknown-word",
        "define x = arm is foot or hrose          -- ! unknown-word",
        "define x = terrain has wods              -- ! unknown-word",
        "define x = any of units where kind is gnu  -- ! unknown-word",
        "define x = target.stpes                  -- ! unknown-name",
        "define x = stpes of target               -- ! unknown-name",
        "define x = twice(3)                      -- ! unknown-name",
        "define x = night(3)                      -- ! not-callable",
        "define x = unit                          -- ! wrong-kind",
        "define x = option fogg                   -- ! unknown-name",
        "define x (unti) = 1                      -- ! unknown-name",
        "define x (n unti) = 1                    -- ! unknown-type",
        "modifiers x shift columns of fire\\n  -1 y night",
    ],
)
def test_each_kind_of_name_is_looked_up_where_it_stands(line: str) -> None:
    if "\\n" in line:
        assert found(FACTS + line.replace("\\n", "\n") + "\n") == [("unknown-name", FACTS.count("\n") + 1)]
    else:
        assert_marked(f"{FACTS}{line}\n")


def test_locals_of_a_block_are_not_known_after_it_unless_both_ways_declare_them() -> None:
    assert_marked(
        FACTS
        + """
procedure p
  1. when night
       let one = 1
       let two = 1
     otherwise
       let one = 2
  2. give first_one = one
  3. give other_one = two                 -- ! unknown-name
  4. for each n in (1..3)
       let three = n
  5. give last_one = three                -- ! unknown-name
  6. give after = n                       -- ! unknown-name
"""
    )


def test_an_output_and_a_local_of_one_name_in_two_ways_are_not_the_same_after_them() -> None:
    assert_marked(
        FACTS
        + """
procedure p
  1. when night
       give one = 1
     otherwise
       let one = 2
  2. give two = one                       -- ! unknown-name
"""
    )


def test_outputs_of_a_call_are_known_by_their_names_also_where_procedures_call_each_other() -> None:
    assert_marked("""
facts
  a  0..
procedure q
  1. give half = a / 2 rounded down
procedure p
  1. call q as one
  2. give x = one.half
  3. give y = one.hafl                    -- ! unknown-name
""")


def test_words_that_no_list_shares_are_never_equal() -> None:
    assert_marked("""facts
  arm     one of foot, horse
  branch  one of horse, gun
  season  one of summer, winter
procedure p
  1. give same    = arm is branch
     give strange = arm is season    -- ! type
""")
