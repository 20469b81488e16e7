"""``enfilade completion``: scripts that let a shell complete commands, options, rulesets and codes, made by shtab."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

from enfilade import UsageError
from enfilade.cli.commands import build_parser
from enfilade.files import shipped_names
from enfilade.language import CODES


def run_completion(args: Namespace) -> int:
    """Print the script for a shell.

    Raises:
        UsageError: shtab is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise UsageError("completion scripts need shtab; install it with: pip install 'enfilade[completion]'") from None
    files = shtab.glob("*.rules")
    completers = {"files": shtab.FILE, "rules": _names_or(files, shipped_names()), "codes": _words(sorted(CODES))}
    print(shtab.complete(build_parser(completers=completers), args.shell))
    return 0


def _words(words: Iterable[str]) -> Mapping[str, Any]:
    """The completion of one of several words."""
    listed = " ".join(words)
    bash = f'_enfilade_codes() {{\n  compgen -W "{listed}" -- "$1"\n}}'
    return {"bash": "_enfilade_codes", "zsh": f"({listed})", "fish": listed, "preamble": {"bash": bash}}


def _names_or(files: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any]:
    """The completion of one of several names, or of a file."""
    listed = " ".join(names)
    shells = {
        # shtab completes folders too if the name of the function contains `files`.
        "bash": f'_enfilade_rules_files() {{\n  compgen -W "{listed}" -- "$1"\n  {files["bash"]} "$1"\n}}',
        "zsh": f"_enfilade_rules() {{\n  compadd -- {listed}\n  {files['zsh']}\n}}",
    }
    preamble = {shell: f"{files['preamble'].get(shell, '')}\n{text}" for shell, text in shells.items()}
    return {
        "bash": "_enfilade_rules_files",
        "zsh": "_enfilade_rules",
        "fish": f"{listed} {files['fish']}",
        "preamble": {**files["preamble"], **preamble},
    }
