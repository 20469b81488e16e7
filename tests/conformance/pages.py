"""The cases that the pages of the diagnostics make: each example has its diagnostic, and what to write instead has none.

``python -m tests.conformance.pages`` writes them anew.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.check.marking import MAIN, diagnostics_of

from enfilade.diagnostics.pages import CODES, page_for

FILE: Final = Path(__file__).parent / "cases" / "pages.json"
HEADINGS: Final = {"Example": "", "Instead": "/mended"}
_BLOCK: Final = re.compile(r"^```rules\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(code: str, heading: str) -> list[str]:
    """The rules below a heading of a page."""
    page = page_for(code) or ""
    return _BLOCK.findall(page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0])


def _cases() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of each case, its text, and what the check of it finds."""
    for code, title in CODES.items():
        for heading, end in HEADINGS.items():
            for text in blocks(code, heading)[:1]:
                found = diagnostics_of({MAIN: text})
                if all(each.code != "example-failed" for each in found):
                    diagnostics = [
                        {"code": each.code, "severity": each.severity.value, "line": each.span.line} for each in found
                    ]
                    yield f"diagnostics/{code}{end}", text, {"about": title, "expect": {"diagnostics": diagnostics}}


def written() -> str:
    """The file."""
    made = list(_cases())
    cases = [
        {"id": name, "source": f"page of {name.split('/')[1]}", "ruleset": name, "call": "check", **rest}
        for name, _, rest in made
    ]
    rulesets = {name: {"text": text.splitlines()} for name, text, _ in made}
    data = {"$schema": "../schema.json", "about": "The examples of the pages of the diagnostics.", "rulesets": rulesets,
            "cases": cases}  # fmt: skip
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
