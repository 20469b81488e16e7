"""Every code is registered, has a page whose examples do what they say, and stands in a golden case."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.diagnostics.codes import CODES
from enfilade.diagnostics.pages import page_for
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.examples import run_examples

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "dsl" / "enfilade" / "diagnostics" / "pages"
HEADINGS: Final = ["## What it finds", "## Why it matters", "## Example", "## Instead"]

# Where a code is written down: the first argument of these.
REPORTING: Final = {"report", "warn", "_report", "Diagnostic", "SyntaxFault", "SourceError"}
# Codes that are put together: `unknown-{what}`.
BUILT: Final = {"unknown-word", "unknown-code"}
# Found in bytes, or only in texts that are too large to show.
NOT_GOLDEN: Final = {
    "not-utf8", "too-large", "line-too-long", "name-too-long", "text-too-long", "nesting-too-deep", "chart-too-large",
    "too-many-modules", "check-too-long",
}  # fmt: skip

_BLOCK = re.compile(r"^```rules\n(.*?)^```", re.DOTALL | re.MULTILINE)


def codes_in(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if name in REPORTING and isinstance(first, ast.Constant) and re.fullmatch(r"[a-z0-9-]+", str(first.value)):
                yield str(first.value)


def used_codes() -> set[str]:
    paths = (ROOT / "dsl" / "enfilade").rglob("*.py")
    return {code for path in paths for code in codes_in(path.read_text(encoding="utf-8"))} | BUILT


def blocks(code: str, heading: str) -> list[str]:
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    return _BLOCK.findall(page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0])


def found_in(text: str) -> list[str]:
    """The codes of a text, those of examples that fail included."""
    checked = check_source(SourceFile("page.rules", text), Folders())
    codes = [d.code for d in checked.diagnostics]
    if checked.program is not None:
        codes += [d.code for result in run_examples(checked.program) for d in result.diagnostics]
    return codes


WITH_EXAMPLES: Final = [code for code in sorted(CODES) if blocks(code, "Example")]


def test_every_code_that_is_used_is_registered_and_every_registered_code_is_used() -> None:
    assert used_codes() == set(CODES)


def test_codes_are_registered_in_the_order_of_the_alphabet_each_with_a_title() -> None:
    assert list(CODES) == sorted(CODES)
    assert [code for code, title in CODES.items() if not title or "\n" in title or title.endswith(".")] == []


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page_with_the_four_headings(code: str) -> None:
    page = page_for(code)
    assert page is not None
    assert page.startswith(f"# {code}\n")
    assert re.findall(r"^## .*", page, re.MULTILINE) == HEADINGS
    assert max(map(len, page.splitlines())) <= 120


def test_no_page_is_without_a_code() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted(CODES)


@pytest.mark.parametrize("code", WITH_EXAMPLES)
def test_the_example_of_a_page_gives_its_code_and_nothing_else(code: str) -> None:
    for block in blocks(code, "Example"):
        assert found_in(block) == [code]


@pytest.mark.parametrize("code", WITH_EXAMPLES)
def test_what_a_page_says_to_write_instead_gives_no_diagnostic(code: str) -> None:
    instead = blocks(code, "Instead")
    assert instead
    assert [found_in(block) for block in instead] == [[] for _ in instead]


def test_every_code_stands_in_a_golden_case() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "golden").rglob("*.golden")]
    shown = {code for text in texts for code in re.findall(r"(?:error|warning)\[([a-z0-9-]+)\]", text)}
    assert set(CODES) - shown - NOT_GOLDEN == set()
