"""The contributor's page names files and commands that exist, and the forms and hooks are well formed."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FORMS: Final = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
HOOKS: Final[list[dict[str, Any]]] = [
    hook
    for repository in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    for hook in repository["hooks"]
]


def test_the_page_names_paths_that_exist() -> None:
    named = re.findall(r"\]\(([^)#]+)", PAGE) + re.findall(
        r"`((?:\.ci|docs|dsl|editors|rulesets|tests)/[\w./]+)`", PAGE
    )
    named += re.findall(r"python (tests/\S+\.py)", PAGE)
    assert len(named) >= 20
    assert [path for path in named if "NAME" not in path and not (ROOT / path).exists()] == []


def test_the_page_names_modules_that_exist() -> None:
    modules = set(re.findall(r"python3? -m ([\w.]+)", PAGE))
    assert len(modules) >= 5
    assert [name for name in modules if find_spec(name) is None] == []


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_runs_a_command_of_the_development_environment(hook: dict[str, Any]) -> None:
    assert hook["language"] == "system"
    command = shlex.split(hook["entry"])[0]
    assert shutil.which(command, path=str(Path(sys.executable).parent)), command
    tracked = [path.relative_to(ROOT).as_posix() for path in (ROOT / "rulesets").rglob("*.rules")]
    assert "files" not in hook or any(re.search(hook["files"], path) for path in tracked)


@pytest.mark.parametrize("path", [path for path in FORMS if path.stem != "config"], ids=lambda path: path.stem)
def test_a_form_asks_for_something_with_names_of_its_own(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "labels", "body"}
    ids = [field["id"] for field in form["body"]]
    assert len(set(ids)) == len(ids)
    assert all(field["type"] in ("input", "textarea") and field["attributes"]["label"] for field in form["body"])
    assert any(field.get("validations", {}).get("required") is True for field in form["body"])


def test_there_is_a_form_for_each_kind_of_issue() -> None:
    assert [path.stem for path in FORMS] == ["config", "game", "program", "rules"]
