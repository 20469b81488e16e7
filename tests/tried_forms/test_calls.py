"""Calls and refusals: the forms that authors tried first, each as a small ruleset."""

from __future__ import annotations

import pytest
from tests.tried_forms.trying import messages, tried

from enfilade.errors import InputError

SHOT = """
facts
  near  1..3

procedure shot
  facts
    flank  yes/no
    range  1..9
  1. refuse no_flank "only from the front" when flank{more}
     refuse too_far "out of range" when range > 3
  2. roll d6 as die
  3. give result = die

procedure play
  1. roll d6 as first_die
  2. call shot with {args} as s
  3. give result = s.result + first_die
     give near
"""
LATE = "`shot` can refuse the combat here, after a roll or a choice; add a line for this case below: `if refused: ...`"


@pytest.mark.parametrize("args", ["flank no, range 2", "range 3", "range near, flank no", "range near * 1"])
@pytest.mark.parametrize("more", ["", " and range > 1"])
def test_h9_a_refusal_that_the_arguments_rule_out_needs_no_line(args: str, more: str) -> None:
    rules = tried(SHOT.format(args=args, more=more))
    assert rules.plays(2, 3, near=1)["result"] == 5


@pytest.mark.parametrize("args", ["flank yes, range 2", "range 4", "range near + 1", "range near, flank near is 1"])
def test_h9_a_refusal_that_stays_possible_needs_a_line(args: str) -> None:
    assert messages(SHOT.format(args=args, more="")) == [LATE]


def test_h9_a_call_within_the_call_and_a_condition_around_the_refusal() -> None:
    text = """
procedure shot
  facts
    flank    yes/no
    charges  yes/no
  1. when charges
       when flank: refuse no_flank "only from the front" when charges
  2. roll d6 as die
  3. give result = die

procedure volley
  facts
    flank  yes/no
  1. refuse no_volley "only from the front" when flank
  2. call shot with flank {flank}, charges {charges} as s
  3. give result = s.result

procedure play
  1. roll d6 as first_die
  2. call volley with flank {outer} as v
  3. give result = v.result + first_die
"""
    assert not messages(text.format(flank="yes", charges="no", outer="no"))
    assert not messages(text.format(flank="no", charges="yes", outer="no"))
    late = LATE.replace("shot", "volley")
    assert messages(text.format(flank="yes", charges="yes", outer="no")) == [late]
    assert messages(text.format(flank="flank", charges="no", outer="yes")) == [late]


def test_h9_a_procedure_that_calls_itself_may_refuse() -> None:
    text = """
procedure shot
  facts
    range  0..9
  1. refuse too_far "out of range" when range > 3
  2. when range > 1
       call shot with range range - 1 as s
         if refused: stop
  3. roll d6 as die
  4. give result = die

procedure play
  1. roll d6 as first_die
  2. call shot with range 2 as s
  3. give result = s.result or first_die
"""
    assert not messages(text)


@pytest.mark.parametrize("line", ["give result = holders of D", "give result = boss is D", "let best = boss or D"])
def test_h14_a_record_that_only_questions_can_name(line: str) -> None:
    assert messages(f"""
record unit
  steps  0..
facts
  units  list of unit
  boss   unit or none

procedure play
  1. let holders = map of unit to steps over units
     {line}
     give all = holders
     give boss
""") == ["there is no fact, definition or word `D`; declare a fact for the unit: `D  unit`"]


def test_a_fact_must_be_one_of_several_values() -> None:
    rules = tried("""
facts
  arm  one of foot, horse, gun
  n    1..9

procedure play
  1. arm must be foot or horse "no guns" when n > 3
     n must be 1 or 4..5 or 8 or more
  2. give result = n
""").rules
    assert rules.resolve("play", n=8, arm="horse").outputs["result"] == 8
    with pytest.raises(InputError, match="no guns"):
        rules.resolve("play", n=5, arm="gun")
    with pytest.raises(InputError, match=r"n is 6, but must be 1 or 4\.\.5 or 8 or more"):
        rules.resolve("play", n=6, arm="foot")
