"""Examples are tests: each line of one that does not come true is a failure that says what came instead."""

from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.examples import ExampleResult, run_examples

RULES: Final = """\
players owner
option fog
words arm  one of foot, horse

record unit
  steps  0.. = 1
  order  one of formed, broken = formed

facts
  strength  0..10
  units     list of unit
  sought    set of foot, horse = foot

effect loss "loses a step" (unit, amount 1..)
  unit.steps becomes unit.steps - amount but at least 0
effect check "checks" (arms set of arm)

die bones  faces blank, hit, crit

procedure hit
  1. refuse too_weak "1 or more" when strength is 0
  2. roll 2d6 as dice
  3. owner chooses victim among units where steps > 0, if any
  4. when victim is not none: loss on victim with amount (2 when dice.total is 12 otherwise 1)
  5. when strength is 9: check with arms sought
  6. give result = dice
  7. give half = strength / 2
  8. give steps = map of unit to steps over units
  9. when strength > 9: give strong = yes
  10. give fog = option fog

procedure bones_only
  1. roll bones as thrown
  2. give result = thrown

procedure halved
  1. give result = strength / 4

procedure divides
  1. give result = 1 / strength

event seen "the enemy is seen"
on seen
  unless strength is 0  nobody "nobody is there"
  start hit

"""


def program_of(example: str) -> ir.Program:
    checked = check_source(SourceFile.from_text(RULES + example, "game.rules"), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    return checked.program


def result_of(lines: str, procedure: str = "hit") -> ExampleResult:
    """What comes of an example of these lines."""
    body = "".join(f"  {line.strip()}\n" for line in lines.strip().splitlines())
    (result,) = run_examples(program_of(f'example {procedure} "a trial"\n{body}'))
    return result


def messages(result: ExampleResult) -> list[str]:
    return [failure.message for failure in result.failures]


def messages_of(text: str) -> list[list[str]]:
    """What the examples of a text of its own say."""
    checked = check_source(SourceFile.from_text(text, "game.rules"), Folders())
    assert checked.program is not None
    return [messages(result) for result in run_examples(checked.program)]


PASSING: Final = [
    ("hit", "given strength 1\non 3 4\ngives 7\nno effects"),
    ("hit", "given strength 1\non 3 4\nexpect result is 7 and half is 1/2"),
    ("hit", "given strength 1, unit a, unit b\non 3 4\nchoosing b\neffect loss on b\nexpect steps of b is 0"),
    ("hit", "given strength 1, unit a\non 3 4\neffect loss on a with amount 1"),
    ("hit", "given strength 1, unit a (steps 3)\non 6 6\neffect loss on a with amount 2\nexpect steps of a is 1"),
    ("hit", "given strength 9, sought [foot, horse]\non 1 1\neffect check with arms [horse, foot]"),
    ("hit", "option fog\ngiven strength 1\non 1 1\nexpect fog"),
    ("hit", "given strength 0\nrefused too_weak"),
    ("hit", "given strength 11\ninput error strength"),
    ("hit", "on 1 1\ninput error strength"),
    ("hit", "given strength 1, unit a (steps -1)\ninput error steps"),
    ("hit", "given strength 1\non 1 1 1\ninput error dice"),
    ("hit", "given strength 1\non 1 7\ninput error dice"),
    ("bones_only", "on hit\ngives hit"),
    ("halved", "given strength 3\ngives 3/4"),
    ("halved", "given strength 3\ngives 0.75"),
    ("seen", "given strength 1\nstarts hit"),
    ("seen", "given strength 1\non 2 2\nstarts hit\nno effects"),
    ("seen", "given strength 0\nstarts nothing, nobody"),
    # A chance is worked out whatever the dice of the example, with the choices that it makes.
    ("hit", "given strength 1\non 1 1\nchance of result is 7 = 6/36"),
    ("hit", "given strength 1, unit a (steps 1), unit b (steps 1)\non 1 1\nchoosing b\nchance of steps of b is 0 = 1"),
    ("hit", "given strength 1, unit a (steps 1), unit b (steps 1)\non 1 1\nchoosing a\nchance of steps of b is 0 = 0"),
]


@pytest.mark.parametrize(("procedure", "lines"), PASSING)
def test_what_comes_true_passes(procedure: str, lines: str) -> None:
    assert messages(result_of(lines, procedure)) == []


FAILING: Final = [
    ("hit", "given strength 1\non 3 4\ngives 8", "expected 8, but the result was 7"),
    ("hit", "given strength 1\non 3 4\nexpect half is 1", "expected half is 1, which is false"),
    ("hit", "given strength 1\non 3 4\nexpect half > 0 and result is 8", "expected result is 8, which is false"),
    ("hit", "given strength 1\non 3 4\nexpect strong", "expected strong, which is false"),
    (
        "hit",
        "given strength 1, unit a\non 3 4\nno effects",
        "expected no effects, but there were: loss unit a amount 1",
    ),
    (
        "hit",
        "given strength 1, unit a, unit b\non 3 4\nchoosing a\neffect loss on b",
        "expected loss unit b, but there was: loss unit a amount 1",
    ),
    (
        "hit",
        "given strength 1, unit a\non 3 4\neffect loss on a\neffect loss on a",
        "expected loss unit a 2 times, but there was: loss unit a amount 1",
    ),
    ("hit", "given strength 1\non 3 4\neffect check", "expected check, but there was: no effect of that name"),
    ("hit", "given strength 0\non 3 4\ngives 7", 'expected the run to end, but it was refused too_weak "1 or more"'),
    ("hit", "given strength 1\non 3 4\nrefused too_weak", "expected the refusal too_weak, but it gave 7"),
    ("hit", "given strength 1\non 3 4\nrefused too_strong", "expected the refusal too_strong, but it gave 7"),
    ("hit", "given strength 1\non 3 4\ninput error strength", "expected an input error about strength, but it gave 7"),
    (
        "hit",
        "given strength 11\ninput error units",
        "expected an input error about units, but there was an input error: strength is 11; allowed: 0 to 10",
    ),
    ("hit", "given strength 11\non 3 4\ngives 7", "strength is 11; allowed: 0 to 10"),
    ("hit", "given strength 1\non 3 4 5", "dice are left over: 5"),
    ("hit", "given strength 1\non 3 4\nchoosing a", "choices are left over: a"),
    ("hit", "given strength 1\ngives 7", "the dice for dice are missing"),
    ("hit", "given strength 1, unit a, unit b\non 3 4", "the choice victim of owner is missing"),
    ("divides", "given strength 0\ngives 1", "the rules divide by 0"),
    ("seen", "given strength 0\nstarts hit", "expected to start hit, but nothing started because of nobody"),
    ("seen", "given strength 1\nstarts nothing, nobody", "expected to start nothing because of nobody"),
    ("hit", "given strength 1\nchance of result is 7 = 7/36", "expected 7/36, but the chance is 6/36"),
    (
        "hit",
        "given strength 1\nchance of result is 7 = 1/6\nchance of result is 2 = 1/2",
        "expected 1/2, but the chance is 1/36",
    ),
    (
        "hit",
        "given strength 1, unit a (steps 1), unit b (steps 1)\nchance of steps of b is 0 = 1",
        "expected a chance, but the value can't be computed: the odds depend on victim",
    ),
    ("hit", "given strength 0\nchance of result is 7 = 0", "expected a chance, but the rules refuse"),
]


@pytest.mark.parametrize(("procedure", "lines", "says"), FAILING)
def test_what_does_not_come_true_says_what_came(procedure: str, lines: str, says: str) -> None:
    (message,) = messages(result_of(lines, procedure))
    assert message.startswith(says)


# Each line that fails is told at its place, with what helps to see why.
PLACES: Final = [
    ("given strength 1\non 3 4\ngives 8", [("gives 8", "with dice 3, 4")]),
    ("given strength 1, unit a\non 3 4\nexpect half > 0 and steps of a is 5", [("steps of a is 5", "steps is a: 0")]),
    (
        "given strength 1, unit a\non 3 4\nexpect order of a is broken",
        [("order of a is broken", "order of a is formed")],
    ),
    ("given strength 1\non 3 7", [("on 3 7", None)]),
    ("given strength 1, unit a, unit b\non 3 4\nchoosing c", [("choosing c", None)]),
    ("given strength 11\non 3 4", [("given strength 11", None)]),
    ("given strength 1, unit a\non 3 4\neffect loss on a\neffect check", [("effect check", None)]),
    (
        "given strength 1, unit a\non 3 4\ngives 8\nno effects\nexpect half is 5",
        [("gives 8", None), ("no effects", None), ("half is 5", None)],
    ),
    ("given strength 1\nchance of result is 7 = 7/36", [("chance of result is 7 = 7/36", None)]),
    (
        "given strength 1\nchance of result is 7 = 1/6\nchance of result is 2 = 1/2",
        [("chance of result is 2 = 1/2", None)],
    ),
]


@pytest.mark.parametrize(("lines", "places"), PLACES)
def test_each_line_that_fails_is_told_at_its_place(lines: str, places: list[tuple[str, str | None]]) -> None:
    failures = result_of(lines).failures
    assert [failure.span and failure.span.text for failure in failures] == [text for text, _ in places]
    for failure, (_, help_) in zip(failures, places, strict=True):
        assert help_ in (None, *failure.helps)


def test_an_example_with_chances_alone_needs_no_dice() -> None:
    assert result_of("given strength 1\nchance of result is 7 = 1/6").log == ()


def test_a_result_is_data_and_a_failure_a_diagnostic() -> None:
    result = result_of("given strength 1\non 3 4\ngives 8")
    data = result.to_json()
    assert (data["label"], data["passed"]) == ("a trial", False)
    assert data["failures"][0]["message"] == "expected 8, but the result was 7"
    assert data["answers"] == [{"kind": "roll", "name": "dice", "value": [3, 4]}]
    (found,) = result.diagnostics
    assert (found.code, found.helps) == ("example-failed", ("in the example hit, 'a trial'", "with dice 3, 4"))


DECIMALS: Final = 'define shares = [1 / 2, 3]\nexample define shares "a half"\n  gives [0.5, 3]\n'
STARTS: Final = """
facts
  tired  yes/no
event seen "seen"
on seen
  start hit
  unless tired  too_tired
procedure hit
  1. give result = 1
example seen "hit all the same"
  given tired
  starts nothing, too_late
"""
FLARE: Final = """
record unit
  steps  0.. = 1
facts
  target  unit
effect flare (unit, bright yes/no)
procedure p
  1. flare on target with bright {}
example p "seen"
  given target a
  effect flare on a with bright
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(DECIMALS, [], id="a decimal of a list is the fraction that came"),
        pytest.param(
            STARTS, ["expected to start nothing because of too_late, but hit started"],
            id="a start above an unless has no reason",
        ),
        pytest.param(FLARE.format("yes"), [], id="a parameter alone means yes"),
        pytest.param(
            FLARE.format("no"), ["expected flare bright yes unit a, but there was: flare unit a bright no"],
            id="and not no",
        ),
    ],
)  # fmt: skip
def test_an_example_of_a_text_of_its_own(text: str, says: list[str]) -> None:
    assert messages_of(text) == [says]


UNDER: Final = """\
players attacker, defender
procedure go
  1. attacker chooses x from low, high
  2. defender chooses y from one, two
  3. give result = (10 when x is high otherwise 0) + (1 when y is two otherwise 0)

example go "the attacker plays best, whatever the example chooses"
  choosing low, two
  mean of result = 11 under best attacker

example go "all players, or each in a way of its own"
  mean of result = 11/2 under random
  chance of result is 10 = 0 under best attacker, worst defender
  mean of result = 1 under best attacker, worst defender
"""


def test_how_players_choose_goes_before_the_choices_of_the_example() -> None:
    program = check_source(SourceFile.from_text(UNDER), Folders()).program
    assert program is not None
    first, second = run_examples(program)
    assert first.passed
    assert [each.message for each in second.failures] == ["expected 1, but the mean is 10"]
