"""The metamorphic checks find each kind of difference; ``test_fuzz.py`` runs them on new rulesets."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from tests.fuzz import metamorphic
from tests.fuzz.metamorphic import (
    Situation,
    check_frequencies,
    declarations,
    deviation,
    renamed,
    reordered,
    run_text,
    split,
)

import enfilade
from enfilade.engines.compile import Compiled

TEXT: Final = """enfilade 1
facts
  strength  0..3
  range  0..4
record unit
  steps  0..3 = 2
words colour one of red, blue
define doubled = strength * 2
chart fire
  down    d6
  |   d6 | Result |
  | 1..5 |   -    |
  |   6  |   X    |
procedure main
  1. roll 2d6 as dice
  2. give result = dice + doubled + 7
"""


def test_a_ruleset_means_the_same_after_every_change() -> None:
    run_text(TEXT)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("format_text", lambda text: text.replace("+ 7", "+ 8")),
        ("reordered", lambda text, rng: text.replace("2d6", "2d4")),
        ("split", lambda text, rng: (text.replace("+ 7", "+ 8"), "words more one of yellow, green\n")),
        ("renamed", lambda text, name, other: text.replace(name, other).replace("+ 7", "+ 8")),
        ("UNUSED", "\nprocedure more\n  1. give result = unknown\n"),
    ],
)
def test_a_change_that_alters_the_meaning_is_found(monkeypatch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    monkeypatch.setattr(metamorphic, name, change)
    with pytest.raises(AssertionError):
        run_text(TEXT)


def test_an_engine_that_differs_from_the_reference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    other = enfilade.load(text=TEXT.replace("+ 7", "+ 8")).program
    monkeypatch.setattr(metamorphic, "Compiled", lambda program: _Wrong(program, other))
    with pytest.raises(AssertionError):
        run_text(TEXT)


class _Wrong:
    """Plays other rules than those that it has."""

    def __init__(self, program: Any, other: Any) -> None:
        self.program = program
        self.run = Compiled(other).run


def test_frequencies_of_other_dice_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, other = (enfilade.load(text=TEXT.replace("2d6", dice)) for dice in ("2d6", "1d11"))
    case = Situation("main", {"strength": 1}, 5)
    assert check_frequencies(rules, case, 3_000) == 1
    monkeypatch.setattr(type(rules), "sample", lambda self, *args, **more: _sample(other, *args, **more))
    with pytest.raises(AssertionError):
        check_frequencies(rules, case, 3_000)


_sample: Final = enfilade.Ruleset.sample


def test_declarations_are_cut_with_what_stands_below_them_and_moved() -> None:
    parts = declarations(TEXT)
    assert "".join(parts) == TEXT
    assert [part.split()[0] for part in parts] == [
        "enfilade", "facts", "record", "words", "define", "chart", "procedure",
    ]  # fmt: skip
    changed = reordered(TEXT, random.Random(1))
    assert changed != TEXT
    assert sorted(declarations(changed)) != []
    main, module = split(TEXT, random.Random(1))
    assert module
    assert "use moved" in main


def test_a_name_is_renamed_as_a_whole_and_not_in_quotes() -> None:
    assert renamed("facts\n  n 0..\n  name 1\n", "n", "m") == "facts\n  m 0..\n  name 1\n"
    assert renamed('facts\n  range 0.. "the range"\n', "range", "m") is None


def test_a_value_without_a_chance_is_infinitely_far_off() -> None:
    assert deviation({1: 1.0}, {2: 1}, 1) == float("inf")
    assert deviation({1: 1.0}, {1: 9}, 9) == 0.0
