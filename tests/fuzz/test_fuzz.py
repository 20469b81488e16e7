"""Every input that once failed runs, and so do some new inputs of each part.

``python -m tests.fuzz --minutes 10`` tries many more; ``README.md`` says how.
"""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
from tests.fuzz import texts
from tests.fuzz.campaign import KEPT, Failure, failure_of, reduced, run_part
from tests.fuzz.part import Part, is_allowed
from tests.fuzz.parts import PARTS
from tests.fuzz.texts import declarations, reordered, run_changes, split

import enfilade

FILES: Final = sorted(path for path in KEPT.rglob("*") if path.is_file())
# How many inputs of each part are tried by default, and by all tests.
COUNTS: Final = {
    "mutated": (20, 60),
    "grammar": (10, 30),
    "drawn": (3, 10),
    "careless": (3, 15),
    "metamorphic": (2, 8),
    "calls": (0, 3),
    "sessions": (0, 2),
    "ledgers": (0, 3),
    "pasted": (10, 10),
    "entries": (100, 100),
    "outcomes": (0, 100),
    "stored": (0, 60),
    "saves": (0, 60),
    "requests": (0, 60),
}
DEFAULT: Final = [name for name, (count, _) in COUNTS.items() if count]
TRIED: Final = [
    *((name, COUNTS[name][0]) for name in DEFAULT),
    *(
        pytest.param(name, COUNTS[name][1], marks=pytest.mark.thorough)
        for name in PARTS
        if COUNTS[name][0] < COUNTS[name][1]
    ),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_input_that_once_failed_runs(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    assert failure_of(PARTS[path.parent.name], text) is None


@pytest.mark.parametrize(("name", "count"), TRIED)
def test_new_inputs_of_each_part_run(name: str, count: int, tmp_path: Path) -> None:
    assert run_part(PARTS[name], "suite", tmp_path, count=count, reduce=False).failures == {}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in DEFAULT else pytest.mark.thorough) for name in PARTS]
)
def test_the_same_seed_makes_the_same_inputs(name: str) -> None:
    first, second, other = (list(islice(PARTS[name].inputs(random.Random(seed)), 4)) for seed in (1, 1, 2))
    assert first == second != other


def test_a_failure_is_counted_and_its_reduced_input_is_kept(tmp_path: Path) -> None:
    def run(text: str) -> None:
        if "bad" in text:
            raise IndexError("out")

    part = Part("sample", lambda rng: iter(["good\n", "good\nbad one\n", "bad\n"]), run)
    report = run_part(part, "1", tmp_path)
    (failure,) = report.failures
    assert (failure.kind, report.failures[failure], report.inputs) == ("IndexError", 2, 3)
    assert [path.read_text() for path in (tmp_path / "sample").iterdir()] == ["bad"]


def test_an_input_that_never_ends_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(text: str) -> None:
        while True:
            pass

    monkeypatch.setattr("tests.fuzz.campaign.ENDLESS", 0.05)
    assert failure_of(Part("sample", lambda rng: iter([]), run), "") == Failure("EndlessError", "")


def test_errors_of_the_library_are_allowed_and_others_are_not() -> None:
    for call in (lambda: enfilade.load(text="facts ("), lambda: enfilade.check(5)):  # type: ignore[arg-type]
        with pytest.raises((enfilade.EnfiladeError, TypeError)) as raised:
            call()
        assert is_allowed(raised.value)
    assert not is_allowed(TypeError("'int' object is not iterable"))


def test_reduction_keeps_what_fails() -> None:
    text = "".join(f"line {number} has words\n" for number in range(40))
    assert reduced(text, lambda each: "17" in each and "23" in each) == "1723"


# -- the metamorphic checks find each kind of difference

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
    run_changes(TEXT)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("reordered", lambda text, rng: text.replace("2d6", "2d4")),
        ("split", lambda text, rng: (text.replace("+ 7", "+ 8"), "words more one of yellow, green\n")),
        ("UNUSED", "\nprocedure more\n  1. give result = unknown\n"),
    ],
)
def test_a_change_that_alters_the_meaning_is_found(monkeypatch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    monkeypatch.setattr(texts, name, change)
    with pytest.raises(AssertionError):
        run_changes(TEXT)


def test_declarations_are_cut_with_what_stands_below_them_and_moved() -> None:
    parts = declarations(TEXT)
    assert "".join(parts) == TEXT
    firsts = [part.split()[0] for part in parts]
    assert firsts == ["enfilade", "facts", "record", "words", "define", "chart", "procedure"]
    changed = reordered(TEXT, random.Random(1))
    assert changed != TEXT
    assert sorted(part.strip() for part in declarations(changed)) == sorted(part.strip() for part in parts)
    main, module = split(TEXT, random.Random(1))
    assert module
    assert "use moved" in main
