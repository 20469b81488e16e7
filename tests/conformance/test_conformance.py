"""The conformance kit: our implementation answers each case as expected, and other code confirms what is expected."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from tests.conformance.cases import CASES, FILES, HERE, ROOT, SCHEMA, Case, cases_of, differences
from tests.conformance.oracles import by_enumeration, by_evaluator
from tests.conformance.ways import by_api, by_command, by_protocol

import enfilade
from enfilade.diagnostics.pages import CODES

BY_ID: Final = {case.id: case for case in CASES}

each_file = pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.thorough] if path.stem == "games" else []) for path in FILES],
)


# -- the kit ------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_each_file_of_cases_has_the_form_of_the_schema() -> None:
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    validator.check_schema(SCHEMA)
    wrong = [
        error.message for path in FILES for error in validator(SCHEMA).iter_errors(json.loads(path.read_text("utf8")))
    ]
    assert wrong == []


def test_there_are_hundreds_of_cases_each_with_a_name_of_its_own_and_a_ruleset_that_is_used() -> None:
    oracles = Counter(case.oracle for case in CASES if case.call == "odds")
    assert oracles["enumeration"] + oracles["counted"] >= 100
    assert len(CASES) == len(BY_ID) >= 500
    for path in FILES:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert {case["ruleset"] for case in data["cases"]} == set(data["rulesets"]), path.stem


def test_each_section_of_the_reference_that_shows_rules_has_a_case() -> None:
    _, *pieces = re.split(r"^##+ ([^\n]+)$", (ROOT / "docs" / "language.md").read_text("utf8"), flags=re.MULTILINE)
    headings = [title for title, body in zip(pieces[::2], pieces[1::2], strict=True) if "\n```rules\n" in body]
    sections = {f"docs/language.md#{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}" for title in headings}
    assert len(sections) > 40
    assert sections - {case.source for case in CASES} == set()


# Limits that a host sets, and bytes, which no JSON text can hold.
NO_CASE: Final = {"chart-too-large", "check-too-long", "too-large", "too-many-modules", "not-utf8"}


def test_each_diagnostic_code_has_a_case() -> None:
    expected = {found["code"] for case in CASES for found in case.expect.get("diagnostics", ())}
    assert set(CODES) - expected == NO_CASE | {"example-failed"}
    assert BY_ID["diagnostics/example-failed"].expect["failed"] == 1


PARTS: Final = {"reconstitute"}
"""Shipped procedures that no player calls."""


def test_each_shipped_ruleset_is_asked_for_odds_and_each_of_its_procedures_is_played() -> None:
    shipped = [path.name for path in (ROOT / "rulesets").iterdir() if path.is_dir()]
    assert {case.ruleset.get("shipped") for case in CASES if case.call == "odds"} >= {*shipped}
    played = {
        (case.ruleset.get("shipped"), case.given["procedure"])
        for case in CASES
        if case.call == "resolve" and case.expect["status"] == "resolved"
    }
    every = {(name, procedure.name) for name in shipped for procedure in enfilade.load(name).procedures}
    assert {name for _, name in every - played} == PARTS


def test_the_readme_names_each_file_of_cases_and_shows_one_of_the_cases() -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    assert [path.stem for path in FILES if f"`{path.stem}`" not in readme] == []
    shown = json.loads(readme.partition("```json\n")[2].partition("```")[0])
    assert shown in json.loads((HERE / "cases" / "charts.json").read_text(encoding="utf-8"))["cases"]


# -- our implementation -------------------------------------------------------------------------------------------


@each_file
def test_each_case_through_the_api(path: Path) -> None:
    assert [wrong for case in cases_of(path) for wrong in differences(case, by_api(case))] == []


@pytest.mark.thorough
def test_all_cases_but_those_of_examples_through_the_protocol() -> None:
    cases = [case for case in CASES if case.call != "examples"]
    answers = by_protocol(cases)
    assert [wrong for case, answer in zip(cases, answers, strict=True) for wrong in differences(case, answer)] == []


COMMANDS: Final = [
    "charts/header-rows/fire", "players-and-choices/chooses/pursue", "calls/facts/two-wrong", "calls/ends/divided-by-nought",
    "shipped/bombardment/refused/already-fired-this-phase", "shipped/infantry_attacks/odds", "odds/joint", "odds/needs-policy",
    "diagnostics/edge-unsaid", "diagnostics/mistake-in-a-module", "examples/failing", "library/steps",
]  # fmt: skip


@pytest.mark.thorough
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
    cases = filter(is_played, cases_of(path))
    assert [wrong for case in cases for wrong in differences(case, by_evaluator(case))] == []


@pytest.mark.thorough
@each_file
def test_odds_are_those_of_every_sequence_of_dice(path: Path) -> None:
    cases = [case for case in cases_of(path) if case.oracle == "enumeration"]
    assert [wrong for case in cases for wrong in differences(case, by_enumeration(case))] == []


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
