"""Every code is registered, has a page whose examples do what they say, and stands in a golden case."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.check.marking import found
from tests.conformance import pages
from tests.conformance.pages import blocks

from enfilade.diagnostics.pages import CODES, page_for

ROOT: Final = Path(__file__).resolve().parents[2]
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

_REPORTS = re.compile(rf"\b({'|'.join(REPORTING)})\(")


def codes_in(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if name in REPORTING and isinstance(first, ast.Constant) and re.fullmatch(r"[a-z0-9-]+", str(first.value)):
                yield str(first.value)


def used_codes() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "dsl" / "enfilade").rglob("*.py")]
    return {code for text in texts if _REPORTS.search(text) for code in codes_in(text)} | BUILT


def codes_of(text: str) -> list[str]:
    return [code for code, _ in found(text)]


def test_every_code_that_is_used_has_a_page_and_every_page_has_a_code_that_is_used() -> None:
    assert used_codes() == set(CODES)


def test_codes_are_in_the_order_of_the_alphabet_each_with_a_title() -> None:
    assert list(CODES) == sorted(CODES)
    assert [code for code in CODES if not re.fullmatch(r"[a-z0-9-]+", code)] == []
    assert [code for code, title in CODES.items() if not re.fullmatch(r"[^a-z].*[^.]\.", title)] == []


def test_every_page_has_the_four_headings() -> None:
    for code in CODES:
        page = page_for(code)
        assert page is not None, code
        assert re.findall(r"^#.*", page, re.MULTILINE) == [f"# {code}", *HEADINGS]
        assert max(map(len, page.splitlines())) <= 120, code


@pytest.mark.parametrize("code", ["", "unheard-of", "../codes", "/etc/passwd", "look-alike\x00"])
def test_what_is_not_a_code_has_no_page(code: str) -> None:
    assert page_for(code) is None


@pytest.mark.parametrize("code", [code for code in sorted(CODES) if blocks(code, "Example")])
def test_the_example_of_a_page_gives_its_code_alone_and_what_to_write_instead_gives_none(code: str) -> None:
    assert [codes_of(block) for block in blocks(code, "Example")] == [[code]] * len(blocks(code, "Example"))
    instead = blocks(code, "Instead")
    assert instead
    assert [codes_of(block) for block in instead] == [[]] * len(instead)


def test_every_code_stands_in_a_golden_case() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "golden").rglob("*.golden")]
    shown = {code for text in texts for code in re.findall(r"(?:error|warning)\[([a-z0-9-]+)\]", text)}
    assert set(CODES) - shown - NOT_GOLDEN == set()


def test_the_conformance_kit_has_the_examples_of_the_pages() -> None:
    """``python -m tests.conformance.pages`` writes them."""
    assert pages.FILE.read_text(encoding="utf-8") == pages.written()
