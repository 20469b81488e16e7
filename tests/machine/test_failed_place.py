"""Errors while playing say where in the rules a run failed, and which values were used there."""

from __future__ import annotations

from typing import Any

import pytest

import enfilade

RULES = """\
record unit
  hits  0.. = 0

facts
  a     0.. = 0
  n     0.. = 0
  u     unit
  values  list of 1..

effect hurt (unit)
  hurt on unit

define share = a / n rounded down

procedure dividing
  1. roll d6 as die
  2. give result = a / (n - die) rounded down

procedure defining
  1. give result = share

procedure endless
  1. let hits = 0
  2. repeat until hits >= 3
       roll d6 as die
       when die is 6 and die is 5: hits becomes hits + 1
  3. give result = hits

procedure recursive
  1. hurt on u
  2. give result = 1

procedure items
  1. give result = item 3 of values

procedure fields
  1. u.hits becomes n - 5
  2. give result = 1
"""


@pytest.fixture(scope="module")
def rules() -> enfilade.Ruleset:
    return enfilade.load(text=RULES)


@pytest.mark.parametrize(
    ("procedure", "given", "place"),
    [
        (
            "dividing",
            {"a": 3, "n": 4, "dice": [4]},
            (17, "dividing", "a / (n - die)", {"a": "3", "n": "4", "die": "4"}),
        ),
        ("defining", {"a": 3}, (13, "defining", "a / n", {"a": "3", "n": "0"})),
        ("endless", {"seed": 1}, (24, "endless", "repeat until hits >= 3", {"hits": "0"})),
        ("recursive", {"u": "gun"}, (11, "recursive", "hurt on unit", {})),
        ("items", {"values": [1, 2]}, (34, "items", "item 3 of values", {"values": "1, 2"})),
        ("fields", {"n": 1, "u": "gun"}, (37, "fields", "u.hits becomes n - 5", {})),
    ],
)
def test_a_failed_run_says_where(
    rules: enfilade.Ruleset, procedure: str, given: dict[str, Any], place: tuple[int, str, str, dict[str, str]]
) -> None:
    with pytest.raises(enfilade.RunError) as caught:
        rules.resolve(procedure, **given)
    found = caught.value.place
    assert found is not None
    assert (found.file, found.line, found.procedure, found.text, found.values) == ("<text>", *place)


def test_the_message_ends_with_the_place(rules: enfilade.Ruleset) -> None:
    with pytest.raises(enfilade.RuleError) as caught:
        rules.resolve("dividing", a=3, n=4, dice=[4])
    assert str(caught.value) == (
        "the rules divide by 0: guard the division with `when` "
        "(<text>, line 17 in dividing: `a / (n - die)`, where a is 3, n is 4 and die is 4)"
    )
    assert enfilade.error_to_json(caught.value) == {
        "status": "rule_error",
        "message": "the rules divide by 0: guard the division with `when`",
        "cites": [],
        "place": {
            "file": "<text>", "line": 17, "text": "a / (n - die)", "procedure": "dividing",
            "values": {"a": "3", "n": "4", "die": "4"},
        },
    }  # fmt: skip


def test_a_run_that_asks_says_where(rules: enfilade.Ruleset) -> None:
    run = rules.begin("dividing", a=3, n=4)
    with pytest.raises(enfilade.RuleError) as caught:
        run.answer([4])
    assert caught.value.place is not None
    assert caught.value.place.line == 17


@pytest.mark.parametrize(
    ("procedure", "given", "line"),
    [
        ("dividing", {"a": 3, "n": 4}, 17),
        ("endless", {}, 24),
        ("recursive", {"u": "gun"}, 11),
        ("items", {"values": [1]}, 34),
    ],
)
def test_odds_that_fail_say_where(rules: enfilade.Ruleset, procedure: str, given: dict[str, Any], line: int) -> None:
    with pytest.raises(enfilade.RunError) as caught:
        _ = rules.odds(procedure, **given).result
    assert caught.value.place is not None
    assert caught.value.place.line == line
    assert "sample" not in str(caught.value)
