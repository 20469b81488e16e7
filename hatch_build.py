"""The hooks of the build: the checked program of each shipped ruleset, and the description for a package index.

A wheel stores the programs as ``enfilade.api.prechecked`` says.
"""

import re
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURES = re.compile(r"<p\b.*?</p>\n+", re.DOTALL)
_LINK = re.compile(r"\[([^][]+)\]\((?!https?:|#)[^()]+\)")


class Description(MetadataHookInterface):
    """Describes the package by the README, without what works in a copy of the repository only."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": published(text)}


def published(readme: str) -> str:
    r"""The README without pictures, and with the words of links to files instead of the links.

    Examples:
        >>> published('Play.\n\n<p align="center">\n  <img src="a.svg">\n</p>\n\nSee [Odds](docs/odds.md).\n')
        'Play.\n\nSee Odds.\n'
    """
    return _LINK.sub(r"\1", _PICTURES.sub("", readme))


class PrecheckedPrograms(BuildHookInterface):
    """Adds ``enfilade/prechecked`` to a wheel; an editable install goes without, for its texts and checks change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Check the rulesets with the library that is being built."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "dsl"))
        from enfilade.api.prechecked import shipped_files

        self.made = Path(mkdtemp())
        for name, text in shipped_files():
            (self.made / name).write_text(text, encoding="utf-8")
            build_data["force_include"][str(self.made / name)] = f"enfilade/prechecked/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the files that are now in the wheel."""
        if version != "editable":
            rmtree(self.made)
