"""Prints a digest of the odds of every example there is, to compare versions of Python: ``python -m tests.odds.digest``."""

import hashlib
import sys
from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve
from tests.differential.programs import SOURCES, program_of
from tests.odds.brute_force import first, told
from tests.odds.comparing import SMALL, asked
from tests.odds.test_examples import asks_of, cases, questions

from enfilade.engines.odds import Weighted

COUNTED: Final = evolve(SMALL, seconds=None, megabytes=None)
"""Limits that are the same on every machine."""


def plain(value: Any) -> str:
    """What was told, as text in one order."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(plain, value))) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(plain, value)) + ")"
    return repr(value)


def answers() -> Iterator[str]:
    """The answer to each question, with its outcomes in the order in which they come."""
    for name in SOURCES:
        for number, case in enumerate(cases(program_of(name))):
            asks = asks_of(case)
            for which in questions(asks, number):
                answer = asked(case, tuple(asks[index] for index in which), first, COUNTED)
                if isinstance(answer, Weighted):
                    outcomes = [f"{plain(told(values))} {weight}" for values, weight in answer.weights.items()]
                    yield f"{name} {case.procedure} {which} {answer.total} {answer.remainder} {outcomes}"
                else:
                    yield f"{name} {case.procedure} {which} {answer}"


if __name__ == "__main__":
    digest, count = hashlib.sha256(), 0
    for line in answers():
        digest.update(line.encode())
        count += 1
        if "--lines" in sys.argv:
            print(line)
    print(sys.version.split()[0], count, digest.hexdigest())
