"""The command: ``python -m tests.fuzz --minutes 10 --seed 1 --parts mutated,calls --jobs 2``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.fuzz.campaign import KEPT, run_all
from tests.fuzz.parts import PARTS


def main() -> int:
    """Run the parts that the command line names; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Try inputs made by chance.")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="the time for all parts together; 1 without --inputs"
    )
    parser.add_argument("--inputs", type=int, default=0, help="the number of inputs of each part, instead of a time")
    parser.add_argument("--seed", default="1", help="the same seed makes the same inputs")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--folder", type=Path, default=KEPT, help="where failures are kept")
    parser.add_argument("--guided", action="store_true", help="let atheris choose the inputs by the code they reach")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.parts.split(",") if name not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    parts = [PARTS[name] for name in chosen.parts.split(",")]
    if chosen.guided:
        from tests.fuzz.guided import run_guided

        return run_guided(parts, chosen.seed, chosen.folder, 60 * (chosen.minutes or 1))
    seconds, failed = 60 * (chosen.minutes or (0 if chosen.inputs else 1)), 0
    for report in run_all(parts, chosen.seed, chosen.folder, seconds, chosen.jobs, chosen.inputs):
        print(report, flush=True)
        failed += len(report.failures) + report.slow
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
