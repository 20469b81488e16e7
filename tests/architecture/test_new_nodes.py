"""A new node of the core: the type checker names every pass that must know it, and ``dsl/README.md`` lists them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]

CLASSES: Final = '''@node
class NewExpression:
    """``new``."""

    span: Span | None = _place
    type: Type = _unknown


@node
class NewStatement:
    """``new``."""

    note: Note = NO_NOTE


'''


def listed_passes() -> dict[str, set[str]]:
    """The files that ``dsl/README.md`` lists, for a new expression and for a new statement."""
    text = (ROOT / "dsl" / "README.md").read_text(encoding="utf-8")
    _, _, section = text.partition("## Adding a node of the core")
    found: dict[str, set[str]] = {"NewExpression": set(), "NewStatement": set()}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) == 3 and cells[1].startswith("`"):
            for node, word in (("NewExpression", "expression"), ("NewStatement", "statement")):
                if word in cells[0]:
                    found[node].add(cells[1].strip("`"))
    return found


def passes_named_by_the_type_checker(place: Path) -> dict[str, set[str]]:
    """Add two nodes in a copy of the library, and read what the type checker says."""
    shutil.copytree(ROOT / "dsl", place / "dsl", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    nodes = place / "dsl" / "enfilade" / "core" / "ir.py"
    text = nodes.read_text(encoding="utf-8")
    text = text.replace("Expr: TypeAlias = (\n", f"{CLASSES}Expr: TypeAlias = (\n    NewExpression\n    | ", 1)
    text = text.replace("Statement: TypeAlias = (\n", "Statement: TypeAlias = (\n    NewStatement\n    | ", 1)
    nodes.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(place / "cache"), "dsl/enfilade"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=400, check=False)
    found: dict[str, set[str]] = {"NewExpression": set(), "NewStatement": set()}
    for line in done.stdout.splitlines():
        named = re.match(r"dsl/enfilade/(\S+?):\d+: error: (.*)", line)
        if named is None:
            continue
        assert "assert_never" in named[2], line
        for node in found:
            if node in named[2]:
                found[node].add(named[1])
    return found


@pytest.mark.thorough
def test_the_type_checker_names_each_pass_that_the_readme_lists(tmp_path: Path) -> None:
    assert passes_named_by_the_type_checker(tmp_path) == listed_passes()


def test_the_readme_lists_passes_that_exist() -> None:
    listed = listed_passes()
    assert all(listed.values())
    assert [each for each in set().union(*listed.values()) if not (ROOT / "dsl" / "enfilade" / each).exists()] == []
