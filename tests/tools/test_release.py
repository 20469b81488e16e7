"""The release script, in a small project of its own with git: what it refuses, what it leaves, and what it keeps."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from scripts.build import FailedError
from scripts.release import Release, main

CHANGES: Final = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A first thing.\n"
PROJECT: Final = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "skirmish"
dynamic = ["version"]
requires-python = ">=3.11"
[tool.hatch.version]
path = "dsl/enfilade/version.py"
[tool.hatch.build.targets.wheel]
only-include = ["dsl/enfilade"]
"""


def git(project: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=project, check=True, capture_output=True, text=True).stdout.strip()


def commit(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "Change something")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that was never released, with version 0.1.0 in its file."""
    root = tmp_path / "project"
    (root / "dsl" / "enfilade").mkdir(parents=True)
    (root / ".ci").mkdir()
    (root / "dsl/enfilade/version.py").write_text('__version__ = "0.1.0"\n')
    (root / "CHANGELOG.md").write_text(CHANGES)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / ".gitignore").write_text("dist/\n")
    passes(root, "true")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "config", "user.name", "A Maintainer")
    git(root, "config", "user.email", "maintainer@example.org")
    commit(root)
    return root


def passes(root: Path, command: str) -> None:
    script = root / ".ci" / "run"
    script.write_text(f"#!/bin/sh\n{command}\n")
    script.chmod(0o755)


def release(project: Path, version: str) -> Release:
    return Release(project, version, lambda sdist, wheel: None)


def state(project: Path) -> tuple[str, ...]:
    return tuple(
        git(project, *words.split()) for words in ("rev-parse HEAD", "status --porcelain", "tag", "worktree list")
    )


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("0.1.0", ""),  # It was never released.
        ("0.0.9", "must be later than 0.1.0"),
        ("next", '"next" is not a version'),
        ("0.2", ""),
        ("v0.2.0", "Write the version as 0.2.0"),
        ("0.2.0rc1", ""),
        ("0.3.0", "The tag v0.3.0 exists"),
    ],
)
def test_a_version_must_be_one_and_later_and_is_released_once(project: Path, version: str, said: str) -> None:
    git(project, "tag", "v0.3.0")
    found = "\n".join(release(project, version).problems())
    assert (said in found, bool(found)) == (True, bool(said))


def add_a_file(project: Path) -> None:
    (project / "new.txt").write_text("")


def leave_main(project: Path) -> None:
    git(project, "checkout", "--quiet", "-b", "other")


def empty_the_changelog(project: Path) -> None:
    (project / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n## [0.0.1] - 2020-01-01\n\n- Old.\n")
    commit(project)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [(add_a_file, "new.txt"), (leave_main, "from main"), (empty_the_changelog, "no line under [Unreleased]")],
)
def test_a_release_needs_a_clean_main_and_a_changelog(
    project: Path, spoil: Callable[[Path], None], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(project)
    before = state(project)
    assert main(["0.2.0"], lambda root, version: release(project, version)) == 1
    assert said in capsys.readouterr().err
    assert state(project) == before


@pytest.mark.thorough
def test_a_dry_run_builds_and_keeps_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state(project)
    assert main(["0.2.0", "--dry-run"], lambda root, version: release(project, version)) == 0
    said = capsys.readouterr().out
    assert "skirmish-0.2.0.tar.gz, skirmish-0.2.0-py3-none-any.whl" in said
    assert "Nothing was kept" in said
    assert state(project) == before
    assert not (project / "dist").exists()


@pytest.mark.thorough
def test_a_release_keeps_the_commit_the_tag_and_the_files(project: Path) -> None:
    assert main(["0.2.0"], lambda root, version: release(project, version)) == 0
    assert git(project, "rev-parse", "v0.2.0^{commit}") == git(project, "rev-parse", "main")
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "worktree", "list").count("\n") == 0
    assert (project / "dsl/enfilade/version.py").read_text() == '__version__ = "0.2.0"\n'
    text = (project / "CHANGELOG.md").read_text()
    assert re.search(r"## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A first", text)
    assert sorted(each.name for each in (project / "dist").iterdir()) == [
        "skirmish-0.2.0-py3-none-any.whl",
        "skirmish-0.2.0.tar.gz",
    ]


def refuse(sdist: Path, wheel: Path) -> None:
    raise FailedError(f"{wheel.name} is not well formed")


@pytest.mark.thorough
@pytest.mark.parametrize("failing", ["ci", "checks"])
def test_a_step_that_fails_leaves_the_project_as_it_was(project: Path, failing: str) -> None:
    if failing == "ci":
        passes(project, "echo a test failed; exit 1")
        commit(project)
    before = state(project)
    wanted = Release(project, "0.2.0", refuse)
    with pytest.raises(FailedError, match="a test failed" if failing == "ci" else "not well formed"):
        list(wanted.make(keep=True))
    assert state(project) == before
