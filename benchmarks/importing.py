"""How long ``import enfilade`` takes in a fresh interpreter, beside the libraries that it stands on.

Each interpreter times one import statement itself, so that its own start does not count.
Run it from the repository with ``python -m benchmarks.importing``.
"""

import argparse
import json
import statistics
import subprocess
import sys

from benchmarks.timing import Ratio, render, to_data

STATEMENTS = ("import argparse", "import attrs", "import lark", "import attrs, lark", "import enfilade")
RATIOS = tuple(Ratio("import enfilade", name) for name in STATEMENTS[:-1])
PROGRAM = "import time; begin = time.perf_counter(); {}; print(time.perf_counter() - begin)"


def time_import(statement: str) -> float:
    """Time an import statement in an interpreter of its own, in seconds.

    Raises:
        subprocess.CalledProcessError: It can't be imported.
    """
    command = [sys.executable, "-c", PROGRAM.format(statement)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def importable(notices: list[str]) -> list[str]:
    """List the statements that run here; running them once also leaves compiled files for the rest."""
    statements = []
    for statement in STATEMENTS:
        try:
            time_import(statement)
        except subprocess.CalledProcessError as error:
            notices.append(f"`{statement}` is left out: {error.stderr.strip().splitlines()[-1]}")
        else:
            statements.append(statement)
    return statements


def measure_imports(statements: list[str], rounds: int) -> dict[str, float]:
    """Find the median of each statement, taking turns."""
    times: dict[str, list[float]] = {statement: [] for statement in statements}
    for _ in range(rounds):
        for statement, taken in times.items():
            taken.append(time_import(statement))
    return {statement: statistics.median(taken) for statement, taken in times.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time `import enfilade` beside what it stands on.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is timed (the median counts)")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args()
    notices: list[str] = []
    medians = measure_imports(importable(notices), arguments.rounds)
    if arguments.json:
        print(json.dumps(to_data(medians, RATIOS, notices), indent=2))
        return
    print(*(f"NOTICE: {notice}" for notice in notices), render(medians, RATIOS), sep="\n")


if __name__ == "__main__":
    main()
