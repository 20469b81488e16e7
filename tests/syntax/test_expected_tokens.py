"""What the parser would take next, where a text breaks off."""

import re
from pathlib import Path
from typing import Final

import pytest

from enfilade.source.shipped import shipped_dir
from enfilade.syntax.expected_tokens import NAME, expected_after
from enfilade.syntax.syntax_messages import DECLARATIONS

SHIPPED: Final = sorted(shipped_dir("rulesets").glob("*/*.rules"))


def test_a_text_begins_with_a_declaration() -> None:
    assert expected_after("") == frozenset(DECLARATIONS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chart losses\n  severity never ", {"falls", "rises"}),
        ("procedure scatter\n  ", {"roll", "read", "give", "facts", NAME}),
        ("procedure scatter\n  roll 2d6 as dice\n  ", {"roll", "read", "give", NAME}),
        ("procedure scatter\n  roll ", {NAME}),
        ("define half = losses rounded ", {"down", "up", "to nearest", "half even"}),
        ("facts\n  night ", {"yes/no", "one of", "set of", "list of"}),
        ("facts\n  night list ", {"of"}),
        ("chart losses\n  severity falls then ", {"rises"}),
        ("define low = strength is 3 ", {"or worse", "or more", "and", "when"}),
        ("record unit\n  kind one of gun, foot\n", {"procedure", "chart"}),
    ],
)
def test_the_words_that_fit_are_expected(text: str, words: set[str]) -> None:
    assert words <= expected_after(text)


def test_facts_of_its_own_stand_before_the_steps_of_a_procedure() -> None:
    assert "facts" not in expected_after("procedure scatter\n  roll 2d6 as dice\n  ")


@pytest.mark.parametrize(
    "text",
    [
        "procedure p\n  rol oo\n  ",
        'define x = "',
        "define x = = ",
        "procedure p\n    roll d6 as a\n  \t ",
        "define x = \x00 ",
        "| 1 ",
    ],
)
def test_nothing_is_expected_after_what_makes_no_sense(text: str) -> None:
    assert not expected_after(text)


def test_text_that_makes_no_sense_further_up_is_left_aside() -> None:
    assert "roll" in expected_after("procedure p\n  rol oo\n\nprocedure q\n  ")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.thorough] if path.stem == "fire_combat" else [])
        for path in SHIPPED
    ],
)
def test_every_word_of_a_shipped_ruleset_was_expected_where_it_stands(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    places = [match for match in re.finditer(r"(?m)^ +([a-z]+)\b", text) if not in_columns(text, match.start())]
    missed = []
    for match in places[:: max(len(places) // 40, 1)]:
        expected = expected_after(text[: match.start(1)])
        if match[1] not in {word.split()[0] for word in expected} and NAME not in expected:
            missed.append((text.count("\n", 0, match.start()) + 1, match[1]))
    assert places
    assert not missed


def in_columns(text: str, at: int) -> bool:
    """Whether a line stands where codes are expected, which may be any word."""
    heads = re.findall(r"(?m)^[a-z].*", text[: at + 1])
    return bool(heads) and heads[-1].startswith("results")
