"""The command ``python -m tests.fuzz.frequencies --plays 1000000``: plays of the shipped rulesets against their odds."""

from __future__ import annotations

import argparse
import random
import sys
import time
from contextlib import suppress

from tests.fuzz.metamorphic import check_frequencies, situations
from tests.fuzz.readers import GAMES

import enfilade


def main() -> int:
    """Compare the frequencies of many plays with the odds; the exit code is 1 if a procedure differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.frequencies", description=__doc__)
    parser.add_argument("--plays", type=int, default=1_000_000, help="how many plays for each situation")
    parser.add_argument("--seed", default="1", help="the same seed makes the same situations and dice")
    parser.add_argument("rulesets", nargs="*", default=list(GAMES))
    chosen = parser.parse_args()
    differing = 0
    for name in chosen.rulesets:
        rules = enfilade.load(name)
        for case in situations(rules, random.Random(f"{chosen.seed} {name}"), most=2):
            start, compared = time.monotonic(), 0
            try:
                with suppress(enfilade.EnfiladeError):
                    compared = check_frequencies(rules, case, chosen.plays)
                found = f"{compared} outputs agree"
            except AssertionError as error:
                found, differing = str(error), differing + 1
            print(f"{name:18} {case.procedure:24} {time.monotonic() - start:6.0f} s  {found}", flush=True)
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
