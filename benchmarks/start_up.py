"""How long a process takes to load or play a shipped ruleset, beside one that only imports our two dependencies.

Whole processes are timed, from their start to their end, one of each in turn. They use a wheel of this checkout,
installed into a folder of its own: an editable install has no stored programs, so it is slower than what users get.
Run it from the repository with ``python -m benchmarks.start_up``.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.timing import Ratio, render, to_data

ROOT = Path(__file__).resolve().parents[1]
BASE = "import attr, lark"
IMPORT = "import enfilade"
RESOLVE = "enfilade resolve infantry_attacks"
MAIN = "import sys; from enfilade.cli import main; sys.exit(main({!r}))"
SHOT = ["direct_fire", "fire_value=16", "terrain=town", "ranges=1", "--dice", "4,3"]
RULESETS = ("infantry_attacks", "emperor_musketry", "fire_combat")
PROGRAMS = {
    BASE: BASE,
    IMPORT: IMPORT,
    **{f"load {name}": f"import enfilade; enfilade.load({name!r})" for name in RULESETS},
    RESOLVE: MAIN.format(["resolve", "infantry_attacks", *SHOT]),
    "enfilade --version": MAIN.format(["--version"]),
}
RATIOS = (
    *(Ratio(f"load {name}", BASE, at_most=2.5) for name in RULESETS),
    Ratio(RESOLVE, BASE, at_most=3),
)


def install(folder: Path) -> None:
    """Build a wheel of this checkout and install it into a folder.

    Raises:
        subprocess.CalledProcessError: One of the two failed.
    """
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder / "site"), str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)


def time_process(program: str, environment: Mapping[str, str], folder: Path) -> float:
    """Time a program from the start of its process to its end, in seconds.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, env=environment, cwd=folder)
    return time.perf_counter() - begin


def measure_processes(folder: Path, rounds: int) -> dict[str, float]:
    """Find the median of each program, taking turns; one round before the first is not counted."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "site")}
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for number in range(rounds + 1):
        for name, program in PROGRAMS.items():
            seconds = time_process(program, environment, folder)
            if number:
                times[name].append(seconds)
    return {name: statistics.median(taken) for name, taken in times.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time the start of a process that uses Enfilade.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is timed (the median counts)")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        install(Path(folder))
        medians = measure_processes(Path(folder), arguments.rounds)
    print(json.dumps(to_data(medians, RATIOS, []), indent=2) if arguments.json else render(medians, RATIOS))


if __name__ == "__main__":
    main()
