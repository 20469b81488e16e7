"""Questions that are too large, or that have no answer: each ends with a clear error, and none takes the machine."""

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import comb
from types import FrameType
from typing import Any, Final

import pytest
from tests.differential.programs import program
from tests.odds.brute_force import told
from tests.odds.comparing import chances, situation

import enfilade
from enfilade.core import ir
from enfilade.engines.odds import Ask, Weighted, Whole, exact_odds
from enfilade.engines.odds.states.meter import Meter, duration
from enfilade.errors import LimitError, RuleError
from enfilade.limits import Limits

RESULT: Final = ir.Local("result")
WORK: Final = Limits(work=1_000_000)


def asked(text: str, ask: Ask = RESULT, limits: Limits | None = None, **facts: Any) -> Weighted:
    """The odds of a procedure called main, with a budget of work that is the same on every machine."""
    return exact_odds(situation(program(text), "main", **facts), (ask,), None, limits or WORK)


def refused(text: str, limits: Limits, question: str = "result", **facts: Any) -> LimitError:
    """The error of a question that is too large."""
    with pytest.raises(LimitError) as found:
        enfilade.load(text=text).odds("main", limits=limits, **facts).of(question)
    return found.value


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
LARGE_DIE: Final = """\
facts
  n  1..
procedure main
  1. roll n d1000000 as dice
  2. give result = dice
"""
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
THIRTY: Final[dict[str, Any]] = {"units": [f"u{number}" for number in range(30)]}
MARKS: Final = """\
effect mark "is marked" (amount 0..)
procedure main
  1. repeat 60 times
       roll d6 as die
       mark with amount die
  2. give result = count of effects mark
"""
DEAL: Final = """\
deck cards of 26 x red, 26 x black
procedure main
  draw 20 from cards as hand
  give result = hand
  give reds = count of hand where each is red
"""


def nested(depth: int, *body: str) -> str:
    """Loops in each other, nine times each."""
    loops = [f"{'  ' * (at + 1)}repeat 9 times" for at in range(depth)]
    return "\n".join([*loops, *(f"{'  ' * (depth + 1)}{line}" for line in body)])


def looping(depth: int, *body: str) -> str:
    """Loops in each other, over a local."""
    return f"procedure main\n  let x = 0\n{nested(depth, *body)}\n  give result = x\n"


def growing(start: str, *body: str) -> str:
    """A loop that goes on as long as the caller says."""
    lines = "".join(f"    {line}\n" for line in body)
    return f"facts\n  n  1..\nprocedure main\n  let x = {start}\n  repeat n times\n{lines}  give result = x\n"


def chain(procedures: int, last: str) -> str:
    """Procedures that call each other, each within three loops."""
    texts = [f"procedure p{at}\n{nested(3, f'call p{at + 1}')}\n" for at in range(procedures)]
    main = "record side\n  hits  0..\nfacts\n  side  side\nprocedure main\n  call p0\n  give result = side.hits\n"
    return "\n".join([main, *texts, f"procedure p{procedures}\n  {last}\n  side.hits becomes side.hits + die\n"])


ROLLED: Final = ("roll d6 as die", "x becomes x * 7 + die")


@pytest.mark.parametrize(
    ("text", "ask", "facts"),
    [
        pytest.param(HUGE, "result", {"n": 10_000}, id="ten thousand dice of ten thousand faces"),
        pytest.param(HUGE, "faces", {"n": 10_000}, id="each of ten thousand dice", marks=pytest.mark.thorough),
        pytest.param(HUGE, "result", {"n": 1_000_000}, id="a million dice", marks=pytest.mark.thorough),
        pytest.param(HUGE, "faces", {"n": 10**30}, id="each of a quintillion dice", marks=pytest.mark.thorough),
        pytest.param(HUGE, "best", {"n": 10**30}, id="the best of a quintillion dice"),
        pytest.param(LARGE_DIE, "result", {"n": 1_000_000}, id="a million dice of a million faces"),
        pytest.param(looping(20, "x becomes x + 1"), "result", {}, id="loops deep in each other"),
        pytest.param(looping(4, *ROLLED), "result", {}, id="rolls in loops"),
        pytest.param(
            looping(20, *ROLLED), "result", {}, id="rolls in loops deep in each other", marks=pytest.mark.thorough
        ),
        pytest.param(chain(20, "let die = 3"), "result", {"side": {"hits": 0}}, id="sixty loops in each other"),
        pytest.param(
            chain(20, "roll d6 as die"),
            "result",
            {"side": {"hits": 0}},
            id="a roll in sixty loops",
            marks=pytest.mark.thorough,
        ),
        pytest.param(JOINT, "result", THIRTY, id="a huge joint table"),
        pytest.param(JOINT, Whole("state"), THIRTY, id="a huge joint state", marks=pytest.mark.thorough),
        pytest.param(MARKS, Whole("effects"), {}, id="effects of many dice"),
        pytest.param(DEAL, "result", {}, id="a deck that is dealt out in order"),
        pytest.param(growing("2", "x becomes x * x"), "result", {"n": 10**9}, id="numbers that grow"),
        pytest.param(growing("[1]", "x becomes x followed by x"), "result", {"n": 10**9}, id="lists that grow"),
        pytest.param(
            growing("0", "x becomes x + 1"), "result", {"n": 10**9}, id="a long loop", marks=pytest.mark.thorough
        ),
        pytest.param(growing("0", *ROLLED), "result", {"n": 10**9}, id="a long loop of rolls"),
    ],
)
def test_what_is_too_large_is_stopped(text: str, ask: str | Whole, facts: dict[str, Any]) -> None:
    with pytest.raises(LimitError):
        asked(text, ir.Local(ask) if isinstance(ask, str) else ask, **facts)


def test_what_is_small_beside_what_is_too_large_is_answered() -> None:
    assert sum(chances(asked(JOINT, ir.Local("total"), **THIRTY)).values(), Fraction(0)) == 1
    assert len(chances(asked(JOINT, ir.Local("dead"), **THIRTY))) == 31
    assert chances(asked(MARKS)) == {(told(60),): Fraction(1)}
    assert len(chances(asked(DEAL, ir.Local("reds")))) == 21


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
FACES: Final = "procedure main\n  roll d6 as die, explode on 1..6\n  give result = die\n"
AGAIN: Final = "procedure main\n  roll 2d6 as die, reroll 1..6\n  give result = die\n"
NEVER: Final = "procedure main\n  repeat until die > 6, limit 100 times\n    roll d6 as die\n  give result = die\n"


@pytest.mark.parametrize(
    ("text", "facts"),
    [(FACES, {}), (AGAIN, {}), (NEVER, {}), (STUCK, {"a": {"steps": 3}, "b": {"steps": 4}})],
)
def test_what_never_ends_has_no_odds(text: str, facts: dict[str, Any]) -> None:
    with pytest.raises((LimitError, RuleError)):
        asked(text, **facts)


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


def test_limits_that_a_caller_sets_are_kept() -> None:
    text = "procedure main\n  roll 7d6 as dice\n  give result = dice.values\n"
    for limit, amount in ("work", 1_000), ("seconds", 0.01), ("megabytes", 1):
        changed: dict[str, Any] = {"seconds": None, limit: amount}
        assert refused(text, Limits(**changed)).limit == limit


EXPLODING = """
facts
  n  1..60
procedure main
  1. roll n d10 as dice, explode on 10
     let hits = count of dice.values where each >= 7
     let ones = count of dice.values where each is 1
  2. give result = hits - ones
"""


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


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (EXPLODING, {"n": 60}),
        (MIXED.format(n=30), {}),
        (JOINED.format(n=100), {}),
        (WALKING.format(n=9_000), {}),
    ],
)
def test_a_question_ends_soon_after_its_time(text: str, facts: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rules = enfilade.load(text=text)
    lines = Lines(most=2_000_000)
    monkeypatch.setattr("enfilade.limits._processor_time", lines.seconds)
    monkeypatch.setattr("enfilade.limits._wall_time", lines.seconds)
    before = sys.gettrace()
    sys.settrace(lines.trace)
    try:
        # Without the checks within long steps these take minutes.
        with pytest.raises(LimitError) as found:
            rules.odds("main", **facts, limits=Limits(seconds=0.5)).of("result")
    finally:
        sys.settrace(before)
    assert found.value.limit == "seconds"


FRACTIONS: Final = """\
procedure main
  let x = 1
  repeat 30 times
    roll d6 as die
    x becomes x * die / (die + 1)
  give result = x
"""
WRITTEN_OUT: Final = "procedure main\n  let x = 1\n{rounds}  give result = x\n".format(
    rounds="".join(f"  roll d6 as d{at}\n  x becomes x * d{at} / (d{at} + 1)\n" for at in range(30))
)


@pytest.mark.thorough
@pytest.mark.parametrize("text", [FRACTIONS, WRITTEN_OUT])
def test_slow_numbers_end_with_their_time(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = enfilade.load(text=text)
    rules.odds("main").asks("result")
    lines = Lines(most=4_400_000)
    monkeypatch.setattr("enfilade.limits._processor_time", lines.seconds)
    monkeypatch.setattr("enfilade.limits._wall_time", lines.seconds)
    before = sys.gettrace()
    sys.settrace(lines.trace)
    try:
        with pytest.raises(LimitError, match="the odds take more than 4 seconds"):
            rules.odds("main", limits=Limits(seconds=4)).of("result")
    finally:
        sys.settrace(before)


CHOSEN: Final = """players red
facts
  numbers  list of 1..99
procedure main
  red chooses {n} kept among numbers
  roll d6 as die
  give result = kept
  give total  = sum of kept + die
"""
WAYS_TO_PLAY: Final[list[dict[str, Any]]] = [
    {},
    {"players": {"red": "random"}},
    {"players": {"red": "best"}, "aim": "total"},
]


@pytest.mark.parametrize("way", WAYS_TO_PLAY)
@pytest.mark.parametrize(
    ("wanted", "limits", "limit"),
    [
        (20, Limits(seconds=2), "seconds"),
        (6, Limits(seconds=2), "seconds"),
        (20, Limits(seconds=None), "megabytes"),
        (6, Limits(seconds=None, megabytes=256), "megabytes"),
    ],
)
def test_combinations_that_are_sure_to_be_too_many_are_refused_before_they_are_listed(
    wanted: int, limits: Limits, limit: str, way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = enfilade.load(text=CHOSEN.format(n=wanted))
    lines = Lines(most=200_000)
    monkeypatch.setattr("enfilade.limits._wall_time", lines.seconds)
    before = sys.gettrace()
    sys.settrace(lines.trace)
    try:
        with pytest.raises(LimitError) as found:
            rules.odds("main", numbers=[*range(1, 41)], limits=limits, **way).of("total")
    finally:
        sys.settrace(before)
    assert found.value.limit == limit
    assert found.value.needed is not None


def test_combinations_of_equal_numbers_are_few() -> None:
    rules = enfilade.load(text=CHOSEN.format(n=20))
    found = rules.odds("main", numbers=[1] * 20 + [2] * 20, players={"red": "random"}, limits=Limits.untrusted())
    assert found.of("count of result where each is 1")[20] == Fraction(1, comb(40, 20))


def test_the_memory_is_looked_at_while_slow_work_counts_little(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1_000_000))
    monkeypatch.setattr("enfilade.limits._wall_time", lambda: next(clock) / 10)
    grown = iter(range(0, 2**40, 2**20))
    monkeypatch.setattr("enfilade.engines.odds.states.meter.memory_in_use", lambda: next(grown))
    counted = Meter(Limits(seconds=None, megabytes=10))

    def work() -> None:
        for _ in range(2_000):
            counted.count(1)

    with pytest.raises(LimitError, match="more than 10 MB"):
        work()


def test_a_pool_that_is_sure_to_take_too_long_is_refused_before_it_is_rolled() -> None:
    error = refused("procedure main\n  1. roll 14d6 as dice\n  2. give result = dice.values\n", Limits())
    assert (error.limit, [(cause.name, error.place and error.place.line) for cause in error.causes]) == (
        "seconds",
        [("dice", 2)],
    )
    assert error.needed is not None
    assert error.needed > 6**14 * 1e-7


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


def test_the_fields_that_multiply_are_named_with_their_lines_also_by_another_process() -> None:
    error = refused(DUEL, Limits(work=200_000), "fury", a={}, b={})
    hits = next(cause for cause in error.causes if cause.name == "hits")
    assert set(hits.records) == {"a", "b"}
    assert (hits.values or 0) > 20
    assert hits.place is not None
    assert hits.place.line == 2
    assert "hits of " in str(error)
    copied = pickle.loads(pickle.dumps(error))
    assert (copied.causes, copied.needed, copied.can_sample, str(copied)) == (error.causes, None, True, str(error))


def test_a_sample_is_offered_only_if_a_run_ends_soon_and_nobody_aims() -> None:
    assert not refused(looping(20, *ROLLED), Limits(work=100_000)).can_sample


def test_the_totals_past_the_cap_of_a_pool_are_negligible() -> None:
    one, six = (enfilade.load(text=EXPLODING).odds("main", n=n).result for n in (1, 6))
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
    error = refused(text, Limits(work=50_000), ships=ships)
    (damage,) = (cause for cause in error.causes if cause.name == "damage")
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
    error = refused(text, Limits(work=50_000), "first + result")
    assert {cause.name: cause.place and cause.place.line for cause in error.causes} == {"first": 3, "grown": 4}
