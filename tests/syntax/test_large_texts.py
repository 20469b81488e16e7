"""Large texts with many mistakes are checked in work proportional to their size.

The tests count function calls for two sizes of one text, so they do not depend on the machine.
"""

import cProfile
from collections.abc import Callable
from typing import Final

import pytest

import enfilade
from enfilade.check.context import MAX_SUGGESTIONS
from enfilade.diagnostics.render import render_text

SMALL: Final = 100
GROWTH: Final = 5
ALLOWED: Final = 1.3 * GROWTH


def misspelt(count: int) -> str:
    facts = "".join(f"  fact_number_{n:04d} 0..\n" for n in range(count))
    uses = "".join(f"  give x{n} = fact_numbr_{n:04d}\n" for n in range(count))
    return f"facts\n{facts}procedure p\n{uses}"


def look_alikes(count: int) -> str:
    return "define a = " + " + ".join(["М"] * count) + "\n"


def likes(count: int) -> str:
    rows = "  | A | r |\n  | 1..6 | X |\n"
    charts = "".join(f"chart c{n} like c{n - 1}\n{rows}" for n in range(1, count))
    return f"facts\n  a 1..6\nchart c0\n  down a\n{rows}{charts}"


def likes_of_nothing(count: int) -> str:
    return likes(count).replace("chart c0\n", "chart c0 like none_such\n")


def definitions(count: int) -> str:
    return "facts\n  a 1..6\n" + "".join(f"define d{n} = a + {n}\n" for n in range(count))


def procedures(count: int) -> str:
    chain = "".join(f"procedure p{n}\n  1. when n is 1: call p{n + 1}\n" for n in range(count))
    return f"facts\n  n 0..\n{chain}procedure p{count}\n  1. give x = 1\n"


def calls(text: str) -> int:
    """The number of function calls, those of built-in functions included, to check a text and show its diagnostics."""
    return calls_of(lambda: [render_text(found) for found in enfilade.check(text)])


def calls_of(done: Callable[[], object]) -> int:
    """The number of function calls of something."""
    profiler = cProfile.Profile()
    with profiler:
        done()
    return sum(entry.callcount for entry in profiler.getstats())


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(misspelt, marks=pytest.mark.thorough),
        look_alikes,
        pytest.param(likes, marks=pytest.mark.thorough),
        likes_of_nothing,
        pytest.param(definitions, marks=pytest.mark.thorough),
    ],
)
def test_work_grows_with_the_size_of_a_text_and_not_with_its_square(make: Callable[[int], str]) -> None:
    enfilade.check(make(1))  # What is made once only is not counted.
    assert calls(make(GROWTH * SMALL)) < ALLOWED * calls(make(SMALL))


@pytest.mark.thorough
def test_work_of_the_first_play_grows_with_the_number_of_procedures() -> None:
    small, large = (enfilade.load(text=procedures(count)) for count in (SMALL, GROWTH * SMALL))
    enfilade.load(text=procedures(1)).resolve("p0", n=0)
    done = calls_of(lambda: small.resolve("p0", n=0))
    assert calls_of(lambda: large.resolve("p0", n=0)) < ALLOWED * done


def test_so_many_misspelt_names_have_a_suggestion_and_all_have_a_message() -> None:
    found = [each for each in enfilade.check(misspelt(2 * MAX_SUGGESTIONS)) if each.code == "unknown-name"]
    assert len(found) == 2 * MAX_SUGGESTIONS
    suggested = [any("did you mean" in text for text in each.helps) for each in found]
    assert suggested == [True] * MAX_SUGGESTIONS + [False] * MAX_SUGGESTIONS
