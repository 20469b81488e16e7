"""The conformance kit: our implementation answers each case as expected, and other code confirms what is expected."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from tests.conformance.cases import CASES, FILES, HERE, ROOT, SCHEMA, Case, cases_of, differences
from tests.conformance.oracles import by_enumeration, by_evaluator
from tests.conformance.ways import by_api, by_command, by_protocol

from enfilade.diagnostics.codes import CODES

BY_ID: Final = {case.id: case for case in CASES}

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


# -- the kit ------------------------------------------------------------------------------------------------------


@each_file
def test_a_file_of_cases_has_the_form_of_the_schema(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(data)] == []
    assert {case["ruleset"] for case in data["cases"]} == set(data["rulesets"])


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_there_are_at_least_500_cases_and_each_has_a_name_of_its_own() -> None:
    assert len(CASES) >= 500
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_each_section_of_the_reference_that_shows_rules_has_a_case() -> None:
    heading, sections = "", set()
    for piece in re.finditer(
        r"^##+ ([^\n]+)$|^```rules$", (ROOT / "docs" / "language.md").read_text(encoding="utf-8"), re.MULTILINE
    ):
        heading = piece[1] or heading
        if piece[1] is None:
            sections.add(f"docs/language.md#{re.sub(r'[^a-z0-9]+', '-', heading.lower()).strip('-')}")
    assert len(sections) > 100
    assert sections - {case.source for case in CASES} == set()


# Limits that a host sets, and bytes, which no JSON text can hold.
NO_CASE: Final = {"chart-too-large", "check-too-long", "too-large", "too-many-modules", "not-utf8"}


def test_each_diagnostic_code_has_a_case() -> None:
    expected = {found["code"] for case in CASES for found in case.expect.get("diagnostics", ())}
    assert set(CODES) - expected == NO_CASE | {"example-failed"}
    assert BY_ID["diagnostics/example-failed"].expect["failed"] == 1


def test_each_shipped_ruleset_is_played_and_asked_for_odds() -> None:
    shipped = {path.name for path in (ROOT / "rulesets").iterdir() if path.is_dir()}
    for call in ("resolve", "odds"):
        assert {case.ruleset.get("shipped") for case in CASES if case.call == call} >= shipped, call


def test_the_readme_names_each_file_of_cases() -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    assert [path.stem for path in FILES if f"`{path.stem}`" not in readme] == []


def test_the_case_in_the_readme_is_one_of_the_kit() -> None:
    shown = json.loads((HERE / "README.md").read_text(encoding="utf-8").partition("```json\n")[2].partition("```")[0])
    charts = json.loads((HERE / "cases" / "charts.json").read_text(encoding="utf-8"))
    assert shown in charts["cases"]


# -- our implementation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=BY_ID)
def test_a_case_through_the_api(case: Case) -> None:
    assert differences(case, by_api(case)) == []


def test_all_cases_but_those_of_examples_through_the_protocol() -> None:
    cases = [case for case in CASES if case.call != "examples"]
    wrong = [
        found for case, answer in zip(cases, by_protocol(cases), strict=True) for found in differences(case, answer)
    ]
    assert wrong == []


COMMANDS: Final = [
    "charts/header-rows/fire", "players-and-choices/chooses/pursue", "calls/facts/two-wrong", "calls/ends/divided-by-nought",
    "shipped/bombardment/refused/already-fired-this-phase", "shipped/infantry_attacks/odds", "odds/joint", "odds/needs-policy",
    "diagnostics/edge-unsaid", "diagnostics/mistake-in-a-module", "examples/failing", "library/steps",
]  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_a_case_by_a_command_of_its_own(name: str, tmp_path: Path) -> None:
    assert differences(BY_ID[name], by_command(BY_ID[name], tmp_path)) == []


# -- oracles ------------------------------------------------------------------------------------------------------


# What the reference evaluator is not asked: it has no checks of a call, and names no kind of error.
NOT_PLAYED: Final = {"calls/ends/unknown-procedure", "calls/answers/too-few-dice", "calls/answers/missing-choice"}


def is_played(case: Case) -> bool:
    """Whether the reference evaluator can confirm a case: it takes answers in their order alone."""
    by_name = any(isinstance(case.given.get(part), dict) for part in ("dice", "choices"))
    return case.call == "resolve" and case.id not in NOT_PLAYED and not by_name


@each_file
def test_outcomes_are_those_of_the_reference_evaluator(path: Path) -> None:
    assert [
        wrong for case in cases_of(path) if is_played(case) for wrong in differences(case, by_evaluator(case))
    ] == []


@each_file
def test_odds_are_those_of_every_sequence_of_dice(path: Path) -> None:
    cases = [case for case in cases_of(path) if case.oracle == "enumeration"]
    assert [wrong for case in cases for wrong in differences(case, by_enumeration(case))] == []


def test_a_hundred_odds_are_confirmed_by_enumeration_or_counted_without_enfilade() -> None:
    oracles = Counter(case.oracle for case in CASES if case.call == "odds")
    assert oracles["enumeration"] + oracles["counted"] >= 100


# -- the comparison -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "part", "value"),
    [
        ("charts/pages/fire", "outputs", {"result": 3}),
        ("odds/sum", "outcomes", []),
        ("calls/facts/yes", "outputs", {"night": 1}),
        ("diagnostics/edge-unsaid", "diagnostics", []),
        ("examples/failing", "passed", 2),
    ],
)
def test_an_answer_that_differs_is_found(name: str, part: str, value: Any) -> None:
    answer = {**BY_ID[name].expect, part: value}
    assert len(differences(BY_ID[name], answer)) == 1
    assert differences(BY_ID[name], BY_ID[name].expect) == []
