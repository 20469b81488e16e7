"""What the README, the contributor's page and that of the architecture say is so; pictures, forms and hooks are as they should be."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from docs.pictures.__main__ import FOLDER, pictures
from tests.architecture.test_imports import RANKS
from tests.conftest import Run

from enfilade_repl.dispatch import new_session
from enfilade_repl.transcript import replay

ROOT: Final = Path(__file__).resolve().parents[2]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# -- the README


def block(marker: str, kind: str = r"\w*") -> str:
    """The fenced block below a mark."""
    found = re.search(rf"{marker}\n+```{kind}\n(.*?)```", README, re.DOTALL)
    assert found is not None, f"the README has no block below {marker}"
    return found[1]


def test_the_first_command_prints_what_the_readme_shows(run: Run) -> None:
    program, *words = shlex.split(block("<!-- first command -->").strip().split("&&")[-1])
    assert program == ".venv/bin/enfilade"
    assert run(*words)[:2] == (0, block("<!-- first output -->"))


def test_the_session_of_the_readme_comes_out_the_same() -> None:
    assert replay(new_session(), block("<!-- session -->"), lambda part: None) is None


def test_the_python_of_the_readme_gives_what_its_comments_say() -> None:
    text = block("", "python")
    names: dict[str, object] = {}
    told = 0
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node) or ""
        comment = text.splitlines()[(node.end_lineno or 1) - 1].partition("  # ")[2]
        if isinstance(node, ast.Expr) and re.match(r"[({'\[]", comment):
            assert eval(source, names) == ast.literal_eval(comment)
            told += 1
        elif not source.startswith("print"):
            exec(source, names)
    assert told == 2


def test_a_picture_drawn_again_is_the_same_and_the_readme_shows_it() -> None:
    """``python -m docs.pictures`` draws them."""
    for name, drawn in pictures().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == drawn, name
        assert ElementTree.fromstring(drawn).tag.endswith("svg"), name
        assert f"docs/pictures/{name}" in README


# -- the pages for contributors


def test_the_contributors_page_names_paths_that_exist() -> None:
    patterns = (r"\]\(([^)#]+)", r"`((?:\.ci|docs|dsl|editors|rulesets|tests)/[\w./]+)`", r"python (tests/\S+\.py)")
    named = [path for pattern in patterns for path in re.findall(pattern, CONTRIBUTING)]
    assert len(named) >= 20
    assert [path for path in named if "NAME" not in path and not (ROOT / path).exists()] == []


def test_the_contributors_page_names_modules_that_exist() -> None:
    modules = set(re.findall(r"python3? -m ([\w.]+)", CONTRIBUTING))
    assert len(modules) >= 5
    assert [name for name in modules if find_spec(name) is None] == []


@pytest.mark.thorough
def test_each_hook_runs_a_command_of_the_development_environment() -> None:
    yaml = pytest.importorskip("yaml")
    tracked = [path.relative_to(ROOT).as_posix() for path in (ROOT / "rulesets").rglob("*.rules")]
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    hooks = [hook for repository in repositories for hook in repository["hooks"]]
    assert hooks
    for hook in hooks:
        assert hook["language"] == "system", hook
        command = shlex.split(hook["entry"])[0]
        assert shutil.which(command, path=str(Path(sys.executable).parent)), command
        assert "files" not in hook or any(re.search(hook["files"], path) for path in tracked), hook


@pytest.mark.thorough
def test_a_form_for_each_kind_of_issue_asks_for_something_with_names_of_its_own() -> None:
    yaml = pytest.importorskip("yaml")
    forms = {path.stem: path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")}
    assert sorted(forms) == ["config", "game", "program", "rules"]
    for name in ("game", "program", "rules"):
        form = yaml.safe_load(forms[name].read_text(encoding="utf-8"))
        assert set(form) == {"name", "description", "labels", "body"}, name
        ids = [field["id"] for field in form["body"]]
        assert len(set(ids)) == len(ids), name
        assert all(field["type"] in ("input", "textarea") and field["attributes"]["label"] for field in form["body"])
        assert any(field.get("validations", {}).get("required") is True for field in form["body"]), name


def test_the_files_that_the_page_of_the_architecture_names_exist() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    folders = (ROOT / "dsl" / "enfilade", ROOT, ROOT / "tests" / "architecture")
    named = set(re.findall(r"`([\w/]+(?:\.py|\.md|/))`", page))
    assert named
    assert [path for path in named if not any((folder / path).exists() for folder in folders)] == []


@pytest.mark.parametrize("page", ["docs/architecture.md", "dsl/README.md"])
def test_a_page_gives_the_import_order_that_is_enforced(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    (order,) = re.findall(r"`(source < [^`]*)`", text)
    ranks = [[RANKS[stage] for stage in step.split(", ")] for step in order.split(" < ")]
    assert all(len(set(step)) == 1 for step in ranks)
    assert ranks == sorted(ranks)
