"""How long a ruleset of 2,000 lines takes from text to ready, beside a bare parse of it by Lark.

Run it from the repository with ``python -m benchmarks.loading``.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from benchmarks.large_ruleset import large_ruleset
from benchmarks.timing import Case, Ratio, measure, render, to_data

PARSE = "bare Lark parse"
CHECK = "enfilade.check"
LOAD = "enfilade.load to ready"
RATIOS = (Ratio(CHECK, PARSE), Ratio(LOAD, PARSE), Ratio(LOAD, CHECK))


def text_case(name: str, text: str, numbers: Iterable[int], read: Callable[[str], object]) -> Case:
    """Make a case that reads the text once; each time it differs by a comment, so that no cache knows it."""
    unused = iter(numbers)

    def prepare() -> Callable[[], object]:
        fresh = f"{text}\n-- copy {next(unused)}\n"
        return lambda: read(fresh)

    return Case(name, 1, prepare)


def gather_cases(lines: int) -> list[Case]:
    """List the three ways of reading, after seeing that the text is one that can be loaded."""
    enfilade: Any = importlib.import_module("enfilade")
    bare_parser = importlib.import_module("enfilade.syntax.parser").bare_parser()
    text = large_ruleset(lines)
    found = enfilade.check(text)
    if found:
        shown = "\n".join(map(str, list(found)[:10]))
        print(f"NOTICE: the large ruleset has {len(found)} diagnostics; the first are\n{shown}", file=sys.stderr)
    enfilade.load(text=text)
    numbers = count()
    return [
        text_case(PARSE, text, numbers, bare_parser.parse),
        text_case(CHECK, text, numbers, enfilade.check),
        text_case(LOAD, text, numbers, lambda fresh: enfilade.load(text=fresh)),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time loading a large ruleset beside a bare parse of it.")
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15, help="how often each is timed (the median counts)")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args()
    try:
        cases = gather_cases(arguments.lines)
    except ImportError as error:
        sys.exit(f"NOTICE: nothing to measure, Enfilade can't be imported: {error}")
    medians = measure(cases, arguments.rounds)
    if arguments.json:
        print(json.dumps(to_data(medians, RATIOS, []), indent=2))
        return
    print(render(medians, RATIOS))


if __name__ == "__main__":
    main()
