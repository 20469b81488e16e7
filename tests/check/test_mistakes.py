"""One mistake gives one message, at its own cause, and all mistakes of a file are reported together."""

import re
from itertools import permutations
from typing import Final

import pytest
from tests.check.marking import MAIN, found, marked

from enfilade.check.program import check_source
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

# -- ten mistakes in one file

HEADINGS = """players owner

record unit
  kind   one of infantry, gun, wagon
  steps  0.. = 1
"""

DECLARATIONS = (
    """facts
  fire     1..
  night    yes/no
  units    list of unti             -- ! unknown-type
  broken   = =                      -- ! syntax
""",
    """define strength = fire + brvery     -- ! unknown-name
""",
    """define slow = night is foot         -- ! unknown-name
""",
    """effect loss "loses a step" (unit, amount 1..)
  unit.steps becomes unit.kind      -- ! type
""",
    """chart table
  down    2d6
  across  fire, column at or below
  shift off left   stays
  shift off right  stays
  severity  - < M < X
  | 2d6  | 1 | 4 | 9 |
  | 2-6  | - | M | X |              -- ! table-gap
  | 8,9  | M | X |                  -- ! ragged-row
  | 10+  | M | M | X |
""",
    """modifiers shifts shift columns of table
  -1  night   nihgt                 -- ! unknown-name
  +1  high    fire > 9
  +1  night   fire > 12             -- ! duplicate-name
""",
    """results of table for each unit
  -  "none"
  M  "morale"
  X  "a step"
    each reader: loss with amount #  -- ! misplaced
""",
    """procedure shot
  1. roll 2d6 as dice
  2. refuse too_far "out of range" when fire > 99  -- ! late-refusal
  3. read table with dice for each unit as shots
  4. apply shots
  5. give losses = sum of amount over effects los  -- ! unknown-name
""",
    """procedure other
  1. roll 2d6 as dise
  2. read table with dice as hit    -- ! unknown-name
  3. give result = hit.code
  4. stopp                          -- ! unknown-name
""",
    """example shot "a shot"
  given fire 3, nigth               -- ! unknown-name
  on 3 4
  expect losses is 1
  chance of losses is 1 = 15        -- ! chance
""",
)


@pytest.mark.parametrize("order", [1, -1])
def test_ten_mistakes_and_more_are_ten_messages_and_more_each_at_its_own_cause_in_any_order(order: int) -> None:
    text = HEADINGS + "".join(DECLARATIONS[::order])
    expected = sorted(((code, line) for code, _, line in marked({MAIN: text})), key=lambda each: each[1])
    assert len(expected) == 16
    # The refusal is looked for in what can be built: a table without its shape is still a table.
    assert sorted(found(text), key=lambda each: each[1]) == expected


def test_taking_any_one_mistake_away_takes_one_message_away() -> None:
    mended = {
        "unti ": "unit ", "  broken   = =                      -- ! syntax\n": "", "brvery": "fire",
        "night is foot": "night is yes", "unit.kind ": "unit.steps ", "2-6 ": "2-7 ", "| M | X |                  --": "| M | M | X |                  --",
        "nihgt": "night", "+1  night ": "+1  dark  ", "amount #": "amount 1", "effects los ": "effects loss ",
        "dise": "dice", "stopp": "stop", "nigth": "night", "= 15 ": "= 1/2 ",
    }  # fmt: skip
    whole = HEADINGS + "".join(DECLARATIONS)
    count = len(found(whole))
    for old, new in mended.items():
        text = whole.replace(old, new, 1)
        assert text != whole, old
        assert len(found(text)) == count - 1, old


# -- what hangs on one mistake is silent

BODY = """players owner

record unit
  kind   one of infantry, gun
  steps  0.. = 1
  place  unit or none

facts
  fire    1..
  night   yes/no
  terrain one of open, woods
  units   list of unit

define strength = fire + 2
define doubled  = strength * 2

effect loss "loses a step" (unit, amount 1..)
  unit.steps becomes unit.steps - amount but at least 0

chart table
  down    d6
  across  fire, column at or below
  shift off left   stays
  shift off right  stays
  severity  - < X
  | d6  | 1 | 4 |
  | 1-3 | - | X |
  | 4-6 | X | X |

modifiers shifts shift columns of table
  -1  night  night
  +1  open   terrain is open
  for each unit
    +1  gun  kind is gun

results of table for each unit
  -  "none"
  X  "a step"
    once: owner assigns 2 loss with amount 1 among readers where kind is not gun as losses
    each reader where steps > 1: loss with amount 1

procedure check
  facts
    target  1..
  1. roll d6 as die
  2. give result = die but at most target

procedure shot
  1. roll d6 as die
  2. read table with die for each unit as shots
  3. apply shots
  4. call check with target strength as morale
  5. let held = morale.result
  6. give losses  = sum of amount over effects loss
  7. give steps   = map of unit to steps over units
  8. give power   = doubled + strength + held
  9. give reached = highest of steps over (units where kind is gun) or 0

example shot "two units"
  given fire 3, night, terrain woods, unit rifles (kind infantry, steps 3), unit battery (kind gun)
  on 4 2
  choosing rifles, rifles
  expect losses is 2 and steps of rifles is 1
  chance of losses is 2 or more = 1/2
"""


def test_the_body_of_these_tests_is_well() -> None:
    assert found(BODY) == []


SLIPS: Final = (
    ("record unit", "record unti", "unknown-type"),
    ("list of unit", "list of unti", "unknown-type"),
    ("  units   list", "  untis   list", "unknown-name"),
    ("  fire    1..", "  fier    1..", "unknown-name"),
    ("  night   yes", "  nihgt   yes", "unknown-name"),
    ("  kind   one of", "  knid   one of", "unknown-name"),
    ("  steps  0..", "  stpes  0..", "unknown-name"),
    ("infantry, gun\n", "infantry, gnu\n", "unknown-word"),
    ("define strength", "define strentgh", "unknown-name"),
    ("fire + 2", "fire + terrain", "type"),
    ("fire + 2", "fire + twoo", "unknown-name"),
    ("strength * 2", "strength * twoo", "unknown-name"),
    ("effect loss", "effect lsos", "unknown-name"),
    ("(unit, amount 1..)", "(unit, amuont 1..)", "unknown-name"),
    ("(unit, amount 1..)", "(unti, amount 1..)", "unknown-name"),
    ("chart table", "chart tabel", "unknown-name"),
    ("  down    d6", "  down    d6x", "unknown-name"),
    ("  down    d6", "  dwon    d6", "syntax"),
    ("across  fire", "across  fier", "unknown-name"),
    ("across  fire", "accross fire", "syntax"),
    ("  severity  - < X", "  severity  - < Y", "unused-code"),
    ("  | d6  | 1 | 4 |", "  | d6  | 1 | 4", "row-not-closed"),
    ("  | d6  | 1 | 4 |", "  | d6  | 1 |", "ragged-row"),
    ("  | 1-3 | - | X |", "  | 1-3 | - |", "ragged-row"),
    ("  | 1-3 | - | X |", "  | 1-3 | - | X", "row-not-closed"),
    ("  | 1-3 | - | X |", "  | 1-3 | Y | X |", "code-without-result"),
    ("  | 1-3 | - | X |\n", "", "table-gap"),
    ("  | 1-3 |", "  | one |", "label"),
    ("shift columns of table", "shift columns of tabel", "unknown-name"),
    ("  -1  night  night", "  -x  night  night", "syntax"),
    ("  -1  night  night", "  -(dark)  night  night", "unknown-name"),
    ("  for each unit\n", "  for each unti\n", "unknown-name"),
    ("results of table", "results of tabel", "unknown-name"),
    ("results of table for each unit", "results of table for each unti", "unknown-name"),
    ("  X  \"a step\"", "  Y  \"a step\"", "code-without-result"),
    ("assigns 2 loss", "assigns 2 lsos", "unknown-name"),
    ("among readers", "among raeders", "unknown-name"),
    ("procedure check", "procedure chekc", "unknown-name"),
    ("procedure check", "porcedure check", "unknown-declaration"),
    ("    target  1..", "    tagret  1..", "unknown-name"),
    ("give result = die", "give reslut = die", "unknown-name"),
    ("procedure shot", "procedure shto", "unknown-name"),
    ("procedure shot", "procedure", "unfinished-line"),
    ("procedure shot", "proc shot", "unknown-declaration"),
    ("  1. roll d6 as die\n  2. read", "  1. roll d6 as dei\n  2. read", "unknown-name"),
    ("  1. roll d6 as die\n  2. read", "  1. rol d6 as die\n  2. read", "syntax"),
    ("  1. roll d6 as die\n  2. read", "  1. roll d6\n  2. read", "unfinished-line"),
    ("  1. roll d6 as die\n  2. read", "  1. roll d66x as die\n  2. read", "unknown-name"),
    ("read table", "read tabel", "unknown-name"),
    ("for each unit as shots", "for each unti as shots", "unknown-name"),
    ("as shots", "as shtos", "unknown-name"),
    ("call check", "call chekc", "unknown-name"),
    ("with target strength", "with tagret strength", "unknown-name"),
    ("morale.result", "morale.reslut", "unknown-name"),
    ("let held", "let hedl", "unknown-name"),
    ("let held =", "let held", "syntax"),
    ("effects loss", "effects lsos", "unknown-name"),
    ("give losses ", "give lsoses ", "unknown-name"),
    ("give losses ", "gvie losses ", "syntax"),
    ("where kind is gun) or 0", "where kind is gnu) or 0", "unknown-word"),
    ("where kind is gun) or 0", "where kind is gun)", "empty-list"),
    ("example shot", "example shto", "unknown-name"),
    ("given fire 3", "given fier 3", "unknown-name"),
    ("steps 3)", "stpes 3)", "unknown-name"),
    ("rifles (", "rilfes (", "unknown-name"),
    ("expect losses", "expect lsoses", "unknown-name"),
    ("players owner", "players onwer", "unknown-name"),
    ("players owner", "palyers owner", "unknown-declaration"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code"), SLIPS)
def test_one_slip_is_one_message_whatever_hangs_on_it(old: str, new: str, code: str) -> None:
    text = BODY.replace(old, new, 1)
    assert text != BODY
    assert [each for each, _ in found(text)] == [code]


def declarations(text: str) -> list[str]:
    return re.split(r"\n(?=[a-z])", text)


def test_a_declaration_of_which_nothing_can_be_read_is_missed_by_nobody() -> None:
    pieces = declarations(BODY)
    for number, piece in enumerate(pieces):
        head, _, rest = piece.partition(" ")
        broken = [*pieces[:number], f"{head} {{ {rest}", *pieces[number + 1 :]]
        codes = [code for code, _ in found("\n".join(broken))]
        assert len(codes) == 1, (head, codes)


def test_the_order_of_declarations_changes_nothing_but_the_lines() -> None:
    text = BODY.replace("brvery", "x").replace("fire + 2", "fire + brvery").replace("effects loss", "effects los")
    pieces = declarations(text)
    first = sorted(code for code, _ in found("\n".join(pieces)))
    for order in list(permutations(range(4)))[::5]:
        moved = [*pieces[4:], *(pieces[at] for at in order)]
        assert sorted(code for code, _ in found("\n".join(moved))) == first, order


def test_a_file_of_nothing_but_mistakes_says_a_hundred_and_stops() -> None:
    text = "".join(f"define d{n} = = {n}\n" for n in range(300)) + "procedure p\n  1. give x = d299\n"
    assert [code for code, _ in found(text)] == ["syntax"] * 100


def test_an_error_is_never_lost_with_what_follows_from_it() -> None:
    """Whatever is left out, at least one message stays: nothing that is wrong is taken for well."""
    for old, new in [
        ("otherwise", "otherwise otherwise"),
        ("record unit", "record"),
        ("  1. roll", "  1."),
        ("facts", "fatcs"),
    ]:
        checked = check_source(SourceFile("test.rules", BODY.replace(old, new)), Folders())
        assert (checked.program is None) == bool(checked.diagnostics)
