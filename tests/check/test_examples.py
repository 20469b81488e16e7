"""Examples: what they name, what they give, and what they ask for."""

from fractions import Fraction

import pytest
from tests.check.marking import found, marked

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

HEAD = """
players owner
option fog
option edge one of stays, misses = stays
record unit
  kind   one of infantry, gun = infantry
  steps  0.. = 1
  place  unit or none
facts
  fire    1..
  night   yes/no
  half    number 0.. = 0
  ground  set of clear, woods
  units   list of unit
  target  unit or none
effect loss "loses a step" (unit, amount 1..)
effect rain "it rains"
chart table
  down  d6
  severity  - < X < "2X"
  | d6  | Result |
  | 1,2 |   -    |
  | 3,4 |   X    |
  | 5,6 |   2X   |
event walked
procedure shot
  1. roll d6 as die
  2. read table with die as hit
  3. give result = hit.code
  4. give steps = map of unit to steps over units
  5. give total = fire + half + (1 when night and ground has woods otherwise 0)
  6. when option fog and edge is misses and target is not none: give seen = no
"""


def assert_marked(lines: str, name: str = "shot ") -> None:
    text = f'{HEAD}example {name}"it"\n{lines}'
    assert found(text) == marked(text)


def example(lines: str) -> ir.Example:
    """The one example of a text that checks."""
    checked = check_source(SourceFile("test.rules", f'{HEAD}example shot "it"\n{lines}'), Folders())
    assert checked.program is not None, checked.diagnostics
    (only,) = checked.program.examples
    return only


def test_an_example_is_plain_data_for_those_who_run_it() -> None:
    found_example = example("""
  given fire 3, night, half 1/2, ground [clear, woods], unit rifles (steps 3), unit gun (kind gun, place rifles)
  option fog
  option edge misses
  on 3 5
  choosing rifles, yes, [rifles, gun]
  gives X
  effect loss on rifles with amount 2
  expect total is 4 and steps of rifles is 3
  chance of X or worse = 4/6
""")
    assert found_example.facts == {
        "fire": 3,
        "night": True,
        "half": Fraction(1, 2),
        "ground": ["clear", "woods"],
        "units": [{"name": "rifles", "steps": 3}, {"name": "gun", "kind": "gun", "place": "rifles"}],
    }
    assert found_example.options == {"fog": True, "edge": "misses"}
    assert (found_example.faces, found_example.choices) == ((3, 5), ("rifles", True, ["rifles", "gun"]))
    assert (found_example.gives, found_example.effects) == ("X", (("loss", {"amount": 2, "unit": "rifles"}),))
    assert [chance for _, chance in found_example.chances] == [Fraction(2, 3)]


@pytest.mark.parametrize(
    "line",
    [
        "given fier 3                              -- ! unknown-name",
        "given unit a (stpes 3)                    -- ! unknown-name",
        "given unti a (steps 3)                    -- ! unknown-name",
        "option fgo                                -- ! unknown-name",
        "gives 3X                                  -- ! unknown-code",
        "effect los on a                           -- ! unknown-name",
        "effect loss on a with amuont 1            -- ! unknown-name",
        "expect tottal is 3                        -- ! unknown-name",
        "expect total                              -- ! type",
        "expect result is Y                        -- ! unknown-code",
        "expect steps of rifles is 1               -- ! unknown-name",
        "chance of X = 2                           -- ! chance",
        "chance of X = -1/2                        -- ! chance",
        "chance of X = total                       -- ! chance",
        "chance of Y = 1/2                         -- ! unknown-code",
        "chance of Y or worse = 1/2                -- ! unknown-code",
        "starts shto                               -- ! unknown-name",
    ],
)
def test_each_line_of_an_example_is_held_against_what_it_names(line: str) -> None:
    assert_marked(f"  on 3\n  {line}\n")


def test_a_bare_code_in_a_chance_is_one_of_the_result() -> None:
    for condition, count in (
        ("X", 2),
        ('"2X"', 2),
        ("X or worse", 4),
        ("- or better", 2),
        ('X or "2X"', 4),
        ("result is X", 2),
    ):
        text = condition.replace("- or", '"-" or')
        assert_marked(f"  given fire 3\n  chance of {text} = {count}/6\n")


def test_an_example_names_its_procedure_unless_there_is_only_one() -> None:
    assert_marked("  on 3\n", "")
    other = HEAD + "procedure other\n  1. give x = 1\n"
    assert [code for code, _ in found(other + 'example "it"\n  on 3\n')] == ["which-procedure"]
    assert found(other + 'example other "it"\n  expect x is 1\n') == []
    assert [code for code, _ in found('define a = 1\nexample "it"\n  on 3\n')] == ["which-procedure"]


def test_the_keys_of_records_are_known_in_what_must_come_of_it() -> None:
    assert_marked("""
  given unit rifles, nuits [a]              -- ! unknown-name
  expect steps of rifles is 1 and steps of a is 1
""")
    assert_marked("  given unit rifles, target rifles\n  expect steps of rifles is 1\n")
    assert_marked("  given target (name foe)\n  expect steps of foe is 1\n")


def test_results_that_are_not_given_are_asked_for_in_vain() -> None:
    text = HEAD.replace("give result = hit.code", "give code = hit.code")
    lines = 'example shot "it"\n  on 3\n  gives X\n  chance of X or worse = 1/2\n'
    assert [code for code, _ in found(text + lines)] == ["no-result"]


def test_a_record_alone_belongs_to_the_only_list_of_its_kind() -> None:
    two = HEAD.replace("  target  unit or none", "  others  list of unit\n  target  unit or none")
    assert [code for code, _ in found(two + 'example shot "it"\n  given unit a\n')] == ["which-list"]
    assert [code for code, _ in found(two + 'example shot "it"\n  given others [a]\n')] == []


def test_an_event_is_played_too() -> None:
    text = (
        HEAD
        + """
facts
  advanced  yes/no
on walked
  unless advanced  no_reason "an advance is not a move"
  start shot
example walked "starts"
  starts shot
example walked "does not"
  given advanced
  starts nothing, no_reason
example wlaked "no such event"  -- ! unknown-name
  starts shot
"""
    )
    assert found(text) == marked(text)
