"""Releases a version: checks what a release needs, then writes the version, runs CI, builds, commits and tags.

``python -m scripts.release 0.2.0 --dry-run`` does all of it in a worktree of its own and keeps nothing. Without ``--dry-run``
the commit, the tag and the files are kept if every step passed. Nothing is published: the last lines say how to do it.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import frozen
from packaging.version import InvalidVersion, Version

from scripts.build import ROOT, FailedError, build, check, run

VERSION_FILE: Final = Path("dsl/enfilade/version.py")
CHANGELOG: Final = Path("CHANGELOG.md")
_BRANCH: Final = "main"
_VERSION: Final = re.compile(r'^__version__ = "(.*)"$', re.M)
_UNRELEASED: Final = re.compile(r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)", re.M | re.S)


@frozen
class Release:
    """A release of the project in a folder.

    Attributes:
        root: The folder of the project, a git checkout.
        version: The version to release, as text.
        checks: Checks the sdist and the wheel; raises ``FailedError``.
    """

    root: Path
    version: str
    checks: Callable[[Path, Path], None] = check

    @property
    def tag(self) -> str:
        """The name of the tag."""
        return f"v{self.version}"

    def git(self, *words: str | Path, folder: Path | None = None) -> str:
        """Run git in the project, or in another worktree of it, and return its output."""
        return run(["git", *words], folder or self.root).strip()

    # -- what a release needs ---------------------------------------------------------------------------------

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each reason not to release."""
        yield from self._problems_of_the_version()
        if (branch := self.git("rev-parse", "--abbrev-ref", "HEAD")) != _BRANCH:
            yield f"The branch is {branch}. Release from {_BRANCH}."
        if changed := self.git("status", "--porcelain"):
            yield f"Commit or remove these changes:\n{changed}"
        found = _UNRELEASED.search(self._read(CHANGELOG))
        if found is None or not re.search(r"^- ", found[1], re.M):
            yield f"{CHANGELOG} has no line under [Unreleased]. Write what changes for users."

    def _problems_of_the_version(self) -> Iterator[str]:
        tags = self.git("tag", "--list").split()
        if self.tag in tags:
            yield f"The tag {self.tag} exists. Choose another version."
        found = _VERSION.search(self._read(VERSION_FILE))
        current = found[1] if found else "0"
        try:
            new = Version(self.version)
        except InvalidVersion:
            yield f'"{self.version}" is not a version. Write it like 1.2.0 or 1.2.0rc1.'
            return
        if str(new) != self.version:
            yield f"Write the version as {new}."
        # The version in the file is free if it was never released.
        if new < Version(current) or (new == Version(current) and f"v{current}" in tags):
            yield f"Version {self.version} must be later than {current}."

    def _read(self, path: Path) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    # -- the release ------------------------------------------------------------------------------------------

    def make(self, *, keep: bool) -> Iterator[str]:
        """Make the release in a worktree of its own, and yield a line after each step.

        Args:
            keep: Whether to keep the commit, the tag and the files in the end.

        Raises:
            FailedError: A step failed; the project is as before.
        """
        with self._worktree() as copy:
            self._write(copy)
            # The version may be in the file already, but the changelog always changes.
            self.git("commit", "--quiet", "--all", "--message", f"Release {self.version}", folder=copy)
            yield f"wrote    version {self.version} and the changelog"
            run([copy / ".ci" / "run"], copy)
            yield "passed   .ci/run"
            files = build(copy / "dist", copy)
            self.checks(*files)
            yield f"checked  {', '.join(each.name for each in files)}"
            if keep:
                self._keep(self.git("rev-parse", "HEAD", folder=copy), files)
                yield f"kept     the commit, the tag {self.tag}, and the files in dist"

    @contextmanager
    def _worktree(self) -> Iterator[Path]:
        with TemporaryDirectory() as made:
            copy = Path(made) / "release"
            self.git("worktree", "add", "--quiet", "--detach", copy)
            try:
                yield copy
            finally:
                self.git("worktree", "remove", "--force", copy)

    def _write(self, copy: Path) -> None:
        """Write the version and a heading with today's date (UTC) into the files of a worktree."""
        today = datetime.now(UTC).date().isoformat()
        version, changelog = copy / VERSION_FILE, copy / CHANGELOG
        version.write_text(_VERSION.sub(f'__version__ = "{self.version}"', self._read(VERSION_FILE)), encoding="utf-8")
        text = self._read(CHANGELOG).replace(
            "## [Unreleased]\n", f"## [Unreleased]\n\n## [{self.version}] - {today}\n", 1
        )
        changelog.write_text(text, encoding="utf-8")

    def _keep(self, commit: str, files: tuple[Path, ...]) -> None:
        self.git("merge", "--quiet", "--ff-only", commit)
        self.git("tag", "--annotate", self.tag, "--message", f"Release {self.version}", commit)
        out = self.root / "dist"
        out.mkdir(exist_ok=True)
        for each in files:
            shutil.copy(each, out)


def main(argv: Sequence[str] | None = None, release: Callable[[Path, str], Release] = Release) -> int:
    """Release a version, or only try to.

    Args:
        argv: The arguments; those of the process if not given.
        release: Makes the release from the folder of the project and the version.

    Returns:
        0, or 1 if something is missing or a step failed.
    """
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("version", help="the version to release, such as 1.2.0")
    parser.add_argument("--dry-run", action="store_true", help="do every step, and keep nothing")
    args = parser.parse_args(argv)
    wanted = release(ROOT, args.version)
    try:
        if problems := [*wanted.problems()]:
            raise FailedError("\n".join(problems))
        for line in wanted.make(keep=not args.dry_run):
            print(line, flush=True)
    except FailedError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    if args.dry_run:
        print("Nothing was kept. Leave out --dry-run to release.")
    else:
        print(f"To publish: git push --follow-tags, then twine upload dist/enfilade-{args.version}*")
    return 0


if __name__ == "__main__":
    sys.exit(main())
