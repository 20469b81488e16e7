"""``enfilade diff``: what changed between two rulesets, as text, Markdown or JSON, with an exit code for CI."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from enfilade import EnfiladeError, Ruleset, RulesetDiff, UsageError
from enfilade.cli.resolve import failed
from enfilade.files import load_ruleset
from enfilade.language import read_options, read_patience
from enfilade.terminal import WRONG_USAGE, ProgressLine, write_json

_CHANGED: Final = 1


def run_diff(args: Namespace) -> int:
    """Print what changed; the exit code is 0 for nothing, 1 for a change, 2 if the rulesets can't be compared."""
    try:
        found = _diff(args)
    except EnfiladeError as wrong:
        failed(wrong, as_json=args.format == "json")
        return WRONG_USAGE
    if args.format == "json":
        write_json(found.to_json())
    else:
        print(found.markdown() if args.format == "markdown" else found.text())
    return _CHANGED if found.changed else 0


def _diff(args: Namespace) -> RulesetDiff:
    if args.new is None and not args.other_option:
        raise UsageError("name the new ruleset, or give --other-option NAME=VALUE")
    if args.situations is not None and args.situations < 0:
        raise UsageError(f"--situations takes 0 or more, not {args.situations}")
    old = load_ruleset(args.old)
    new = old if args.new is None else load_ruleset(args.new)
    old, new = (
        _with_options(old, args.option or ()),
        _with_options(new, [*(args.option or ()), *(args.other_option or ())]),
    )
    limits = None if args.patience is None else old.limits.with_patience(read_patience(args.patience))
    with ProgressLine() as ticker:
        return old.diff(
            new, of=args.of or (), situations=args.situations, seed=args.seed, limits=limits, parts=ticker.part
        )


def _with_options(rules: Ruleset, given: list[str] | tuple[str, ...]) -> Ruleset:
    return rules.with_options(**read_options(rules, given)) if given else rules
