"""Questions that are too large, or that have no answer: each ends with a clear error, and none takes the machine."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from types import FrameType, SimpleNamespace
from typing import Any, Final

import pytest
from tests.differential.programs import program
from tests.odds.brute_force import told
from tests.odds.comparing import chances, situation

import enfilade
from enfilade.core import ir
from enfilade.engines.odds import Ask, Weighted, Whole, exact_odds
from enfilade.engines.odds.states.meter import duration
from enfilade.errors import EnfiladeError, LimitError, RuleError
from enfilade.limits import Limits

RESULT: Final = ir.Local("result")
WORK: Final = Limits(work=1_000_000)


def asked(text: str, ask: Ask = RESULT, limits: Limits | None = None, **facts: Any) -> Weighted:
    """The odds of a procedure called main, with a budget of work that is the same on every machine."""
    return exact_odds(situation(program(text), "main", **facts), (ask,), None, limits or WORK)


HUGE: Final = """\
facts
  n  1..
die million faces 1..10000
procedure main
  1. roll n million as dice
  2. give result = dice
     give faces = dice.values
     give best = highest of dice.values or 0
"""


@pytest.mark.parametrize("output", ["result", "faces", "best"])
@pytest.mark.parametrize("n", [1_000_000, 10**30])
def test_a_million_dice_are_refused(output: str, n: int) -> None:
    with pytest.raises(LimitError):
        asked(HUGE, ir.Local(output), n=n)


@pytest.mark.parametrize("output", ["result", "faces"])
def test_ten_thousand_dice_of_ten_thousand_faces_are_refused(output: str) -> None:
    with pytest.raises(LimitError):
        asked(HUGE, ir.Local(output), n=10_000)


LARGE_DIE: Final = """\
facts
  n  1..
procedure main
  1. roll n d1000000 as dice
  2. give result = dice
"""


def test_a_million_dice_of_a_million_faces_are_refused() -> None:
    with pytest.raises(LimitError):
        asked(LARGE_DIE, n=1_000_000)


def nested(depth: int, body: str, times: str = "2") -> str:
    """Loops in each other."""
    lines = [f"{'  ' * (at + 1)}repeat {times} times" for at in range(depth)]
    return "\n".join([*lines, f"{'  ' * (depth + 1)}{body}"])


@pytest.mark.parametrize("depth", [20, 28])
def test_loops_deep_in_each_other_are_stopped(depth: int) -> None:
    text = f"procedure main\n  let x = 0\n{nested(depth, 'x becomes x + 1', '9')}\n  give result = x\n"
    with pytest.raises(LimitError):
        asked(text)


@pytest.mark.parametrize("depth", [4, 20])
def test_rolls_in_loops_deep_in_each_other_are_stopped(depth: int) -> None:
    body = f"{nested(depth, 'roll d6 as die', '9')}"
    lines = body.rsplit("\n", 1)
    text = f"procedure main\n  let x = 0\n{body}\n{'  ' * (depth + 1)}x becomes x * 7 + die\n  give result = x\n"
    assert len(lines) == 2
    with pytest.raises(LimitError):
        asked(text)


def chain(procedures: int, last: str) -> str:
    """Procedures that call each other, each within three loops."""
    texts = [f"procedure p{at}\n{nested(3, f'call p{at + 1}', '9')}\n" for at in range(procedures)]
    main = "record side\n  hits  0..\nfacts\n  side  side\nprocedure main\n  call p0\n  give result = side.hits\n"
    return "\n".join([main, *texts, f"procedure p{procedures}\n  {last}\n  side.hits becomes side.hits + die\n"])


@pytest.mark.parametrize("last", ["let die = 3", "roll d6 as die"])
def test_sixty_loops_in_each_other_are_stopped(last: str) -> None:
    with pytest.raises(LimitError):
        asked(chain(20, last), side={"hits": 0})


FACES: Final = """\
procedure main
  1. roll d6 as die, explode on 1..6
  2. give result = die
"""
AGAIN: Final = """\
procedure main
  1. roll 2d6 as die, reroll 1..6
  2. give result = die
"""


@pytest.mark.parametrize("text", [FACES, AGAIN])
def test_dice_that_are_rolled_again_for_ever_have_no_odds(text: str) -> None:
    with pytest.raises((LimitError, RuleError)):
        asked(text)


ENDLESS: Final = """\
procedure main
  1. repeat until die > 6, limit 100 times
       roll d6 as die
  2. give result = die
"""
STUCK: Final = """\
record side
  steps  0.. = 2
facts
  a  side
  b  side
procedure main
  1. repeat until a.steps is 0 or b.steps is 0, limit 1000 times
       roll d6 as die
       when die >= 5 and a.steps > 1: a.steps becomes a.steps - 1
       when die <= 2 and b.steps > 1: b.steps becomes b.steps - 1
  2. give result = a.steps - b.steps
"""


def test_a_fight_that_never_ends_has_no_odds() -> None:
    with pytest.raises((LimitError, RuleError)):
        asked(ENDLESS)
    with pytest.raises((LimitError, RuleError)):
        asked(STUCK, a={"steps": 3}, b={"steps": 4})


SOMETIMES: Final = """\
procedure main
  1. let x = 0
  2. repeat until x > 2 and x is not 9, limit 100 times
       roll d6 as die
       when x is not 9
         x becomes x + 1
         when die is 6: x becomes 9
  3. give result = x
"""


def test_a_fight_that_ends_only_now_and_then_says_so_or_leaves_a_remainder() -> None:
    ends = Fraction(5, 6) ** 3
    with suppress(LimitError, RuleError):
        answer = asked(SOMETIMES)
        assert chances(answer) == {(told(3),): ends}
        assert Fraction(answer.remainder, answer.total) == 1 - ends


JOINT: Final = """\
record unit
  steps  0..60 = 60
facts
  units  list of unit
procedure main
  1. for each unit in units
       roll 3d6 as die
       unit.steps becomes unit.steps - die
  2. give result = list of steps over units
     give total  = sum of steps over units
     give dead   = count of units where steps < 50
"""


def test_a_huge_joint_table_is_stopped_and_its_parts_are_not() -> None:
    units = [f"u{number}" for number in range(30)]
    for ask in RESULT, Whole("state"):
        with pytest.raises(LimitError):
            asked(JOINT, ask, units=units)
    assert sum(chances(asked(JOINT, ir.Local("total"), units=units)).values()) == 1
    assert len(chances(asked(JOINT, ir.Local("dead"), units=units))) == 31


def test_effects_of_many_dice_are_stopped() -> None:
    text = """\
effect mark "is marked" (amount 0..)
procedure main
  1. repeat 60 times
       roll d6 as die
       mark with amount die
  2. give result = count of effects mark
"""
    with pytest.raises(LimitError):
        asked(text, Whole("effects"))
    assert chances(asked(text)) == {(told(60),): Fraction(1)}


def test_a_deck_that_is_dealt_out_is_stopped_where_order_counts_and_not_where_it_does_not() -> None:
    text = "deck cards of 26 x red, 26 x black\nprocedure main\n  draw 20 from cards as hand\n  give result = hand\n  give reds = count of hand where each is red\n"
    with pytest.raises(LimitError):
        asked(text)
    assert len(chances(asked(text, ir.Local("reds")))) == 21


def test_limits_that_a_caller_sets_are_kept() -> None:
    text = "procedure main\n  roll 7d6 as dice\n  give result = dice.values\n"
    for limit, amount in ("work", 1_000), ("seconds", 0.01), ("megabytes", 1):
        changed: dict[str, Any] = {"seconds": None, limit: amount}
        with pytest.raises(LimitError) as found:
            asked(text, limits=Limits(**changed))
        assert found.value.limit == limit


@pytest.mark.parametrize(
    "text",
    [
        "facts\n  n  1..\nprocedure main\n  let x = 2\n  repeat n times\n    x becomes x * x\n  give result = x\n",
        "facts\n  n  1..\nprocedure main\n  let x = [1]\n  repeat n times\n    x becomes x followed by x\n  give result = count of x\n",
        "facts\n  n  1..\nprocedure main\n  let x = 0\n  repeat n times\n    x becomes x + 1\n  give result = x\n",
        "facts\n  n  1..\nprocedure main\n  let x = 0\n  repeat n times\n    roll d6 as die\n    x becomes x + die\n  give result = x\n",
    ],
)
def test_numbers_and_lists_that_grow_without_end_are_stopped(text: str) -> None:
    with pytest.raises(EnfiladeError):
        asked(text, n=10**9)


EXPLODING = """
facts
  n  1..60
procedure p
  1. roll n d10 as dice, explode on 10
     let hits = count of dice.values where each >= 7
     let ones = count of dice.values where each is 1
  2. give result = hits - ones
"""


def test_time_is_checked_within_a_pool() -> None:
    rules = enfilade.load(text=EXPLODING)
    with pytest.raises(LimitError) as found:
        rules.odds("p", n=60, limits=Limits(seconds=0.1)).of("result")
    assert found.value.limit == "seconds"


MIXED: Final = (
    "procedure main\n  1. roll {n}d4 + {n}d6 + {n}d8 as dice\n  2. give result = sum of (highest 9 of dice.values)\n"
)
JOINED: Final = "procedure main\n  1. roll {n}d1000 as dice, explode on 2..1000\n  2. give result = dice\n"
WALKING: Final = """\
procedure main
  1. let a = 0
     let b = 0
  2. repeat until a > {n} or b > {n}, limit 100000 times
       roll 2d20 as step
       a becomes a + (step when step > 20 otherwise 0)
       b becomes b + step
  3. give result = a - b
"""


class Lines:
    """A clock that counts the executed lines of Python, so that a test doesn't depend on the machine."""

    def __init__(self, most: int) -> None:
        self.most, self.count = most, 0

    def trace(self, _frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        self.count += event == "line"
        assert self.count <= self.most
        return self.trace

    def seconds(self) -> float:
        """A million lines are a second."""
        return self.count / 1e6


@pytest.mark.parametrize(("text", "n"), [(EXPLODING, 60), (MIXED, 30), (JOINED, 100), (WALKING, 9_000)])
def test_a_question_ends_soon_after_its_time(text: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "p" if "procedure p" in text else "main"
    rules = enfilade.load(text=text.replace("{n}", str(n)))
    facts: dict[str, Any] = {"n": n} if name == "p" else {}
    lines = Lines(most=2_000_000)
    monkeypatch.setattr("enfilade.limits._processor_time", lines.seconds)
    monkeypatch.setattr("enfilade.limits.time", SimpleNamespace(monotonic=lines.seconds))
    before = sys.gettrace()
    sys.settrace(lines.trace)
    try:
        # Without the checks within long steps these take minutes.
        with pytest.raises(LimitError) as found:
            rules.odds(name, **facts, limits=Limits(seconds=0.5)).of("result")
    finally:
        sys.settrace(before)
    assert found.value.limit == "seconds"


def test_a_pool_that_is_sure_to_take_too_long_is_refused_before_it_is_rolled() -> None:
    with pytest.raises(LimitError) as found:
        asked("procedure main\n  roll 14d6 as dice\n  give result = dice.values\n", limits=Limits())
    assert found.value.limit == "seconds"
    assert found.value.needed is not None
    assert found.value.needed > 6**14 * 1e-7
    assert [cause.name for cause in found.value.causes] == ["dice"]
    assert found.value.place is not None
    assert found.value.place.line == 2


DUEL: Final = """\
record side
  hits  ..100 = 100
  fury  0.. = 0
facts
  a  side
  b  side
procedure main
  1. repeat until a.hits <= 0 or b.hits <= 0, limit 1000 times
       roll 2d12 as blow
       roll 2d12 as riposte
       b.hits becomes b.hits - blow
       a.hits becomes a.hits - riposte
       when blow is 24: a.fury becomes a.fury + 1
  2. give result = a.hits - b.hits
     give fury = a.fury
"""


def test_the_fields_that_multiply_are_named_with_their_lines() -> None:
    rules = enfilade.load(text=DUEL)
    with pytest.raises(LimitError) as found:
        rules.odds("main", a={}, b={}, limits=Limits(work=200_000)).of("fury")
    named = {cause.name: cause for cause in found.value.causes}
    assert set(named["hits"].records) == {"a", "b"}
    assert named["hits"].values is not None
    assert named["hits"].values > 20
    assert named["hits"].place is not None
    assert named["hits"].place.line == 2
    assert "hits of " in str(found.value)


def test_causes_stay_with_an_error_that_another_process_raised() -> None:
    with pytest.raises(LimitError) as found:
        enfilade.load(text=DUEL).odds("main", a={}, b={}, limits=Limits(work=200_000)).of("fury")
    copied = pickle.loads(pickle.dumps(found.value))
    assert (copied.causes, copied.needed, copied.can_sample) == (found.value.causes, None, True)
    assert str(copied) == str(found.value)


def test_a_sample_is_offered_only_if_a_run_ends_soon_and_nobody_aims() -> None:
    rolls = f"{nested(20, 'roll d6 as die', '9')}\n{'  ' * 21}x becomes x * 7 + die"
    nested_loops = f"procedure main\n  let x = 0\n{rolls}\n  give result = x\n"
    with pytest.raises(LimitError) as found:
        enfilade.load(text=nested_loops).odds("main", limits=Limits(work=100_000)).of("result")
    assert not found.value.can_sample


def test_the_totals_past_the_cap_of_a_pool_are_negligible() -> None:
    one, six = (enfilade.load(text=EXPLODING).odds("p", n=n).result for n in (1, 6))
    assert six.remainder < Fraction(1, 10**12)
    together = one.times(6)
    assert all(abs(six.bounds(value)[0] - together.bounds(value)[0]) < Fraction(1, 10**12) for value in together)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.25, "about 0.2 seconds"),
        (30, "about 30 seconds"),
        (119, "about 119 seconds"),
        (120, "about 2 minutes"),
        (7_200, "about 2 hours"),
        (172_800, "about 2 days"),
        (1e9, "about 32 years"),
        (1e15, "more than a million years"),
    ],
)
def test_a_duration_is_rounded_in_the_largest_unit_of_which_there_are_two(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_of_many_records_that_multiply_the_first_are_named_and_the_others_counted() -> None:
    text = "\n".join(
        (
            "record ship",
            "  damage  0.. = 0",
            "facts",
            "  ships  list of ship",
            "procedure main",
            "  1. for each ship in ships",
            "       roll d2 as harm",
            "       ship.damage becomes ship.damage + harm",
            "  2. give result = list of ship.damage over ships",
        )
    )
    ships = [{"name": f"ship_{number}"} for number in range(14)]
    with pytest.raises(LimitError) as found:
        enfilade.load(text=text).odds("main", ships=ships, limits=Limits(work=50_000)).of("result")
    (damage,) = (cause for cause in found.value.causes if cause.name == "damage")
    *named, others = damage.records
    assert set(named) < {ship["name"] for ship in ships}
    # The limit is on the work, which is the same on every machine: it is met at the thirteenth ship.
    assert (len(named), others) == (4, "9 others")


def test_a_local_that_multiplies_is_named_with_the_line_that_sets_it() -> None:
    text = "\n".join(
        (
            "procedure main",
            "  1. roll 3 d6 as start",
            "     give first = start",
            "  2. let grown = 1",
            "     repeat 12 times",
            "       roll d6 as die",
            "       grown becomes 10 * grown + die",
            "  3. give result = grown",
        )
    )
    with pytest.raises(LimitError) as found:
        enfilade.load(text=text).odds("main", limits=Limits(work=50_000)).of("first + result")
    assert {cause.name: cause.place and cause.place.line for cause in found.value.causes} == {"first": 3, "grown": 4}
