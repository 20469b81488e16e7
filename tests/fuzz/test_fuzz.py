"""Every input that once failed runs, and so do some new inputs of each part.

``python -m tests.fuzz --minutes 10`` tries many more; ``README.md`` says how.
"""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Final

import pytest
from tests.fuzz.campaign import KEPT, Failure, failure_of, run_part
from tests.fuzz.part import Part, is_allowed
from tests.fuzz.parts import PARTS
from tests.fuzz.reduction import reduced

import enfilade

FILES: Final = sorted(path for path in KEPT.rglob("*") if path.is_file())
COUNTS: Final = {
    "mutated": 60,
    "grammar": 30,
    "drawn": 10,
    "careless": 15,
    "metamorphic": 3,
    "calls": 3,
    "sessions": 3,
    "ledgers": 3,
    "pasted": 10,
}
MANY: Final = 100


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogatepass")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_input_that_once_failed_runs(path: Path) -> None:
    assert failure_of(PARTS[path.parent.name], _text(path)) is None


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_new_inputs_of_each_part_run(part: Part, tmp_path: Path) -> None:
    report = run_part(part, "suite", tmp_path, count=COUNTS.get(part.name, MANY), reduce=False)
    assert report.failures == {}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_the_same_seed_makes_the_same_inputs(part: Part) -> None:
    first, second, other = (list(islice(part.inputs(random.Random(seed)), 4)) for seed in (1, 1, 2))
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
