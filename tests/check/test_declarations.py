"""Limits of definitions and expressions, the ranges of numbers, and warnings."""

from collections.abc import Callable
from typing import Final

import pytest
from tests.check.marking import found

import enfilade
from enfilade.check.demand import MAX_DEPTH
from enfilade.check.expressions.expression_depth import MAX_CASES, MAX_TERMS
from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Severity
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.values.types import Num


def codes_of(text: str) -> list[str]:
    return [code for code, _ in found(text)]


@pytest.mark.parametrize("order", [1, -1])
def test_definitions_go_so_deep_and_no_deeper_in_whatever_order_they_stand(order: int) -> None:
    def text(depth: int) -> str:
        lines = [f"define d{n} = d{n - 1} + 1\n" if n else "define d0 = 1\n" for n in range(depth)]
        return "".join(lines[::order])

    assert codes_of(text(MAX_DEPTH)) == []
    assert codes_of(text(MAX_DEPTH + 1)) == ["too-deep"]
    assert codes_of(text(MAX_DEPTH * 20)) == ["too-deep"]


def test_what_stands_too_deep_for_us_is_a_diagnostic_and_no_exception() -> None:
    inner = "(" * 30 + "{}" + " + 1)" * 30
    text = "".join(f"define d{n} = {inner.format(f'd{n - 1}' if n else '1')}\n" for n in reversed(range(MAX_DEPTH)))
    assert set(codes_of(text)) <= {"too-deep", "nesting-too-deep"}


def terms(count: int) -> str:
    return "facts\n  a 0.. = 1\nprocedure p\n  give x = " + "a+" * (count - 1) + "1\n"


def cases(count: int) -> str:
    lines = "".join(f"  {n} when a is {n}\n" for n in range(count - 1))
    return f"facts\n  a 0.. = 1\ndefine d\n{lines}  0 otherwise\nprocedure p\n  give x = d\n"


@pytest.mark.parametrize(("make", "limit"), [(terms, MAX_TERMS), (cases, MAX_CASES)])
def test_terms_and_cases_have_a_limit_at_which_every_engine_still_works(make: Callable[[int], str], limit: int) -> None:
    assert [found(make(n)) for n in (limit - 1, limit)] == [[], []]
    assert codes_of(make(limit + 1)) == ["nesting-too-deep"]
    rules = enfilade.load(text=make(limit))
    outcome = rules.resolve("p")
    assert str(outcome.explain())
    assert dict(rules.odds("p").of("x")) == {outcome.outputs["x"]: 1}


BANDS: Final = "|".join(str(n) for n in range(1, 1_500))
TOO_DEEP: Final = {
    "terms": terms(1_000), "constants": "define d = " + "1+" * 300 + "1\n", "cases": cases(1_000),
    "bands": f"facts\n  a 1.. = 1\ncolumns g of a\n  header |{BANDS}|\nprocedure p\n  give x = g.column\n",
}  # fmt: skip


@pytest.mark.parametrize("text", TOO_DEEP.values(), ids=TOO_DEEP)
def test_a_long_chain_in_an_expression_is_a_diagnostic_and_no_exception(text: str) -> None:
    assert "nesting-too-deep" in codes_of(text)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a + b", Num(1, None)),
        ("b * 2 - 1", Num(-1, 5)),
        ("a / 2", Num(None, None, False)),
        ("b but at least 1", Num(1, 3)),
        ("a but within 2..4", Num(2, 4)),
        ("-b", Num(-3, 0)),
        ("b mod 2", Num(0, 1)),
        ("half mod 2", Num(0, 2, False)),
        ("1 when night otherwise 5", Num(1, 5)),
        ("count of units", Num(0, None)),
        ("sum of ranges", Num(0, None)),
        ("highest of ranges or 0", Num(0, None)),
        ("half rounded down", Num(0, None)),
    ],
)
def test_numbers_carry_the_range_that_they_can_have(expression: str, expected: Num) -> None:
    facts = "  a  1..\n  b  0..3\n  half  number 0..\n  night  yes/no\n  ranges  list of 1..\n  units  list of unit\n"
    text = f"record unit\n  steps  0.. = 1\nfacts\n{facts}define it = {expression}\n"
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert checked.program is not None, checked.diagnostics
    got = checked.program.definitions["it"].type
    assert isinstance(got, Num)
    low = got.low if expected.low is None else expected.low
    assert got == Num(low, expected.high, expected.whole)


@pytest.mark.thorough
def test_the_sides_of_all_parts_are_counted_together() -> None:
    assert found("die big faces 0..600000, 0..600000\n") == [("die-too-large", 1)]


def test_a_warning_does_not_stop_the_run() -> None:
    checked = check_source(SourceFile("t", "facts\n  a  0..\nprocedure p\n  1. give x = 1\n"), Folders())
    assert [d.severity for d in checked.diagnostics] == [Severity.WARNING]
    assert checked.program is not None
