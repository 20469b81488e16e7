"""``enfilade ledger``: the traceability ledger, which accounts for every line of a ruleset's source document."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from enfilade import UsageError
from enfilade.cli.loading import load_checked
from enfilade.files import SourceError, SourceFile, find_one, leads_outside
from enfilade.terminal import FAILED, complain, write_json
from enfilade.tools import KINDS, Ledger, begin_ledger, compare_text, ledger_path, read_ledger


def run_ledger(args: Namespace) -> int:
    """Print the ledger of a ruleset, or start a new ledger."""
    if args.start is not None:
        text = _text(args.start)
        print(begin_ledger(Path(args.start).stem.replace('"', "'"), text.text), end="")
        return 0
    rules = load_checked(args.ruleset)
    path = ledger_path(find_one(args.ruleset))
    if path is None or not path.is_file():
        where = "beside the rules" if path is None else str(path.name)
        raise UsageError(
            f"{rules.name} has no ledger ({where}); start one with enfilade ledger {args.ruleset} --start DOCUMENT"
        )
    if leads_outside(path, [path.parent]):
        raise UsageError(f"{path} can't be read: it is a link that leads out of its folder")
    ledger = read_ledger(_text(str(path)), rules.sources)
    shown = None if args.text is None else _text(args.text).text
    wrong = () if shown is None else compare_text(ledger, shown)
    if args.json:
        write_json(ledger.to_json() | ({} if shown is None else {"differences": list(wrong)}))
    else:
        _print(ledger, shown)
    for problem in (*ledger.problems, *wrong):
        complain(problem)
    return 0 if ledger.is_whole and not wrong else FAILED


def _text(place: str) -> SourceFile:
    try:
        return SourceFile.from_path(Path(place))
    except (OSError, SourceError) as error:
        raise UsageError(f"{place} can't be read: {error}") from error


def _print(ledger: Ledger, text: str | None) -> None:
    lines = None if text is None else text.splitlines()
    width = len(str(ledger.lines))
    for entry in ledger.entries:
        shown = "; ".join(map(str, entry.targets))
        if lines is None:
            print(f"{entry.line:>{width}}  {entry.hash}  {shown}")
        else:
            print(f"{entry.line:>{width}}  {lines[entry.line - 1] if entry.line <= len(lines) else ''}".rstrip())
            print(f"{'':>{width}}    -> {shown}")
    if ledger.assumptions:
        print(f"\nassumed ({len(ledger.assumptions)})")
    for each in ledger.assumptions:
        cites = f" [{', '.join(each.cites)}]" if each.cites else ""
        print(f"  {each.source}:{each.line}  {each.what}{cites}: {each.why}")
    if ledger.alone:
        print(f"\nonly in the rules ({len(ledger.alone)})")
    for lone in ledger.alone:
        print(f"  {lone}")
    if ledger.unnamed:
        print(f"\nrules that no line is named for ({len(ledger.unnamed)})")
    for rule in ledger.unnamed:
        print(f"  {rule}")
    counts = ", ".join(_counted(ledger, kind) for kind in KINDS if ledger.counts[kind])
    print(f"\n{ledger.title}: {_accounted('lines', ledger.accounted, ledger.lines)}: {counts}")
    named = len(ledger.rules) - len(ledger.unnamed)
    alone = f", {len(ledger.alone)} of them only in the rules" if ledger.alone else ""
    print(f"{_accounted('rules', named, len(ledger.rules))}{alone}")


def _accounted(what: str, part: int, whole: int) -> str:
    return f"{part} of {whole} {what} accounted for ({100 * part // whole if whole else 100} %)"


def _counted(ledger: Ledger, kind: str) -> str:
    count = ledger.counts[kind]
    match kind:
        case "rules":
            shared = f" ({ledger.shared} in part, the rest left to the host program)" if ledger.shared else ""
            return f"{count} in the rules{shared}"
        case "host":
            return f"{count} left to the host program"
        case "says again":
            return f"{count} said again"
        case "heading":
            return f"{count} heading" if count == 1 else f"{count} headings"
        case _:
            return f"{count} {kind}"
