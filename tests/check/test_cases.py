"""Texts with their mistakes marked: each diagnostic is at its line, and there is no other.

The files in ``cases`` are read as ``tests/check/marking.py`` says. Messages are held word for word in ``tests/golden/check``.
"""

from pathlib import Path
from typing import Final

import pytest
from tests.check.marking import Case, cases_in, marked, places

FILES: Final = sorted(Path(__file__).with_name("cases").glob("*.rules"))
CASES: Final = [
    pytest.param(case, id=f"{path.stem}: {case.title}")
    for path in FILES
    for case in cases_in(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_a_text_is_told_of_its_mistakes_at_their_lines(case: Case) -> None:
    assert places(case.files) == marked(case.files)


def test_the_files_of_a_text_and_its_lines_are_those_of_its_place() -> None:
    content = "a\n-- file: x.rules\nx\n-- case: One\nb  -- ! type\n-- file: y.rules\ny\n-- head\nc\n-- case: Two\nd  -- ! name, type\n"
    one, two = cases_in(content)
    assert one == Case("One", {"program.rules": "a\n\n\n\nb  -- ! type\n", "x.rules": "x\n", "y.rules": "y\n"})
    assert two == Case("Two", {"program.rules": "\n" * 8 + "c\n\nd  -- ! name, type\n"})
    assert marked(two.files) == [("name", "program.rules", 11), ("type", "program.rules", 11)]
