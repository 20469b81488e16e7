"""The wheel's build hook: stores the checked program of each shipped ruleset, as ``enfilade.api.prechecked`` says."""

import sys
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
