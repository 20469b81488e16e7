"""A total in the place of the faces: where it will do, which faces it stands for, and what is said where it won't."""

from collections import Counter
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import enfilade
from enfilade import InputError, RollQuestion
from enfilade.core import ir
from enfilade.core.dice_totals import DiceSums

HEAD: Final = """
die bones  faces 1..9, 0 as 10
die blanks faces blank as 0, 1, 2
die flag   faces hit, miss
die tens   faces 0, 10, 20
facts
  bonus  0.. = 0
  odd    yes/no = no

chart crt
  down  2d6
  across  bonus
  | 2d6  | 0..3 | 4+ |
  | 2-7  |  -   |  M |
  | 8+   |  M   |  X |

chart drawn (score 2..12)
  down  score
  | at    | is |
  | 2-7   | -  |
  | 8-12  | M  |

modifiers drm add to roll of crt
  +0  nothing  odd

define twice (score 2..12) = score * 2

effect loss (amount 0..)

procedure other
  facts
    score 2..12
  1. give result = score + 1
"""


def question(steps: str, *answers: list[int], bonus: int = 0) -> RollQuestion:
    """The roll that steps ask for, after some answers."""
    lines = "\n".join(f"  {number}. {step}" for number, step in enumerate(steps.split("; "), 1))
    run = enfilade.load(text=f"{HEAD}\nprocedure p\n{lines}\n").begin("p", given={"bonus": bonus} if bonus else {})
    for answer in answers:
        run = run.answer(answer)
    assert isinstance(run.question, RollQuestion)
    return run.question


# ---------------------------------------------------------------------------------------------- what the rules read

BY_TOTAL: Final = [
    "roll 2d6 as dice; give result = dice",
    "roll 2d6 as dice; give result = dice.total + 1",
    "roll 2d6 as dice; read crt with dice as shot; give result = shot.code; give at = shot.roll",
    "roll 2d6 as dice; give result = drawn(dice)",
    "roll 2d6 as dice; give result = twice(dice)",
    "roll 2d6 as dice; loss with amount dice",
    "roll 2d6 as dice; call other with score dice as done; give result = done.result",
    "roll 2d6 as dice; let x = dice.total; give result = x",
    "roll 2d6 as dice; let same = dice; give result = same",
    "roll 2d6 as dice; when dice >= 7: give big = yes",
    "roll 2d6 as dice; roll d6 as more, explode on 6; give result = dice + more",
    "roll 2d6 as dice; give result = 1",
    "roll d6 + d8 as dice; give result = dice",
    "roll 3 bones as dice; give result = dice",
]
BY_FACES: Final = [
    "roll 2d6 as dice; give result = dice.natural",
    "roll 2d6 as dice; give result = dice.total; give faces = dice.faces",
    "roll 2d6 as dice; give result = sum of dice.values",
    "roll 2d6 as dice; give result = count of dice.values where each >= 5",
    "roll 2d6 as dice; give result = dice is doubles",
    "roll 2d6 as dice; give result = item 1 of dice.values",
    "roll 2d6 as dice; give result = dice.total; when dice is doubles: give result = 0",
    "roll 2d6 as dice, explode on 6; give result = dice",
    "roll 2d6 as dice, reroll 1 once; give result = dice",
    "roll 2 flag as dice; give result = 1",
]


@pytest.mark.parametrize(("steps", "by_total"), [*((s, True) for s in BY_TOTAL), *((s, False) for s in BY_FACES)])
def test_a_roll_says_whether_its_total_alone_is_read(steps: str, by_total: bool) -> None:
    asked = question(steps)
    assert (asked.reads_total, asked.to_json()["reads_total"]) == (by_total, by_total)


def test_dice_that_are_rolled_again_are_read_one_by_one() -> None:
    asked = question("roll 2d6 as dice, explode on 6; give result = dice", [6, 6])
    assert (asked.again, asked.reads_total) == (True, False)


def test_a_roll_in_a_loop_an_effect_or_the_results_of_a_chart_is_known_too() -> None:
    text = """
effect shock "shock"
  roll 2d6 as jolt
  when jolt > 7: fall
effect fall
effect panic
  roll 2d6 as fear
  when fear is doubles: fall
chart crt
  down 1d6
  | d6  | is |
  | 1-3 | M  |
  | 4-6 | X  |
results of crt
  M "shock"
    once: shock
  X "panic"
    once: panic
procedure p
  1. repeat 2 times
       roll 2d6 as luck
       when luck > 3: shock
  2. roll 1d6 as shot
  3. read crt with shot as hit
  4. apply hit
"""
    run = enfilade.load(text=text).begin("p")
    seen = {}
    while run.question is not None:
        assert isinstance(run.question, RollQuestion)
        seen[run.question.key] = run.question.reads_total
        run = run.answer([6] * run.question.legal[0].count)
    assert seen == {"luck[1]": True, "jolt": True, "luck[2]": True, "shot": True, "fear": False}


# --------------------------------------------------------------------------------------------------------- its faces

PLAIN: Final = "roll 2d6 as dice; give result = dice"
BONES: Final = "roll 2 bones as dice; give result = dice"


@pytest.mark.parametrize(
    ("steps", "total", "faces"),
    [
        # Any faces of the total stand for it where nothing else is read.
        (PLAIN, 7, (6, 1)),
        (PLAIN, 12, (6, 6)),
        # A total counts what the faces count.
        (BONES, 20, (0, 0)),
        (BONES, 2, (1, 1)),
        (BONES, 11, (0, 1)),
        ("roll 2 blanks as dice; give result = dice", 2, (2, "blank")),
        # One sequence of faces is plain, though the dice are read one by one.
        (BY_FACES[0], 2, (1, 1)),
        (BY_FACES[0], 12, (6, 6)),
        ("roll d6 as die; give result = die.natural", 4, (4,)),
        ("roll 2d10000 as dice; give result = dice", 10_002, (10_000, 2)),
    ],
)
def test_a_total_stands_for_faces(steps: str, total: int, faces: tuple[Any, ...]) -> None:
    assert question(steps).faces_for(total) == faces


def test_a_total_of_several_sequences_is_refused_where_the_dice_are_read_one_by_one() -> None:
    with pytest.raises(InputError) as found:
        question(BY_FACES[0]).faces_for(4)
    assert str(found.value) == (
        "a total of 4 on 2d6 can be 3 1, 2 2, 1 3; the rules use each die separately, so give the faces"
    )
    assert found.value.errors[0].parameter == "dice"
    with pytest.raises(InputError, match=r"9 on 3d6 can be 6 2 1, .* and others; "):
        question("roll 3d6 as dice; give result = dice.natural").faces_for(9)


@pytest.mark.parametrize(
    ("steps", "total", "said"),
    [
        (BY_TOTAL[0], 13, "2d6 can't add up to 13; possible totals are 2..12"),
        (BY_FACES[0], 1, "2d6 can't add up to 1; possible totals are 2..12"),
        ("roll 3 bones as dice; give result = dice", 31, "3 bones can't add up to 31; possible totals are 3..30"),
        ("roll d6 + 2d8 as dice; give result = dice", 40, r"d6 \+ 2d8 can't add up to 40; possible totals are 3..22"),
        (
            "roll 2 tens as dice; give result = dice",
            15,
            "2 tens can't add up to 15; possible totals are 0, 10, 20, 30, 40",
        ),
        (BY_TOTAL[0], "seven", "seven is not a total of 2d6"),
        (BY_TOTAL[0], True, "is not a total of 2d6"),
        (BY_TOTAL[0], 7.5, "7.5 is not a total of 2d6"),
        ("roll 2 flag as dice; give result = 1", 2, "these dice show words: give the faces of 2 flag"),
    ],
)
def test_what_is_no_total_is_refused_with_the_totals_that_there_are(steps: str, total: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        question(steps).faces_for(total)


def test_many_dice_have_totals() -> None:
    many = question("roll bonus d6 as dice; give result = dice", bonus=3000)
    assert sum(many.faces_for(10_000)) == 10_000
    with pytest.raises(InputError, match="there are too many dice to find their faces"):
        question("roll bonus d100 as dice; give result = dice", bonus=9_999).faces_for(10_000)


# --------------------------------------------------------------------------------------------- against every throw

numbers = st.one_of(st.integers(-6, 12), st.sampled_from([40, 100]))
built_in = st.integers(1, 6).map(lambda count: ir.Die(f"d{count}", count, None))
own = st.lists(numbers, min_size=1, max_size=4).map(
    lambda values: ir.Die(f"own {values}", len(values), tuple(ir.Face(f"f{n}", v) for n, v in enumerate(values)))
)
dice = st.lists(st.tuples(st.integers(1, 2), st.one_of(built_in, own)), min_size=1, max_size=2)


@given(dice)
@settings(deadline=None)
def test_the_faces_of_every_total_are_those_of_every_throw(groups: list[tuple[int, ir.Die]]) -> None:
    slots = [[die.face_at(at) for at in range(die.count)] for count, die in groups for _ in range(count)]
    ways = Counter(sum(face.value for face in throw) for throw in product(*slots))
    sums = DiceSums(groups)
    assert list(sums.totals()) == sorted(ways)
    assert (sums.low, sums.high) == (min(ways), max(ways))
    for total, count in ways.items():
        assert sums.has_one_sequence(total) == (count == 1)
        some = sums.faces(total, count + 1)
        assert len(some) == len(set(some)) == count
        for faces in some:
            shown = [die.face(face) for (_, die), face in zip(_each(groups), faces, strict=True)]
            assert sum(side.value for side in shown if side is not None) == total
    for gap in (min(ways) - 1, max(ways) + 1):
        assert sums.is_possible(gap) == (gap in ways)
        assert sums.faces(gap, 1) == [] or gap in ways


def _each(groups: list[tuple[int, ir.Die]]) -> list[tuple[int, ir.Die]]:
    return [(1, die) for count, die in groups for _ in range(count)]
