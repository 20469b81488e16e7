"""Builds the sdist and the wheel, checks both, and tries the wheel in clean environments.

``python -m scripts.build`` writes to ``dist``. ``--python python3.12`` tries the wheel in a new environment of that Python,
``--pyodide web/node_modules/pyodide`` in Python for browsers. Needs the extra ``release``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TRIAL: Final = Path(__file__).with_name("trial.py")
PYODIDE: Final = Path(__file__).with_name("pyodide.mjs")
# Without these variables nothing of the checkout or of the user's own environment can be found by accident.
_FOREIGN: Final = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
# One entry at the prompt, which then ends with its input.
_ENTRIES: Final = "use infantry_attacks\ndirect_fire fire_value 16, terrain town\n4 1\n"


class FailedError(Exception):
    """A command failed; the message has the command and its output."""


def run(command: Sequence[str | Path], folder: Path, given: str = "") -> str:
    """Run a command apart from the environment of the caller.

    Args:
        command: The command.
        folder: The folder to run it in.
        given: Its standard input.

    Returns:
        Its standard output.

    Raises:
        FailedError: Its exit code is not 0.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    done = subprocess.run(
        command,
        cwd=folder,
        env=kept | {"PYTHONNOUSERSITE": "1"},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise FailedError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def build(out: Path, root: Path = ROOT) -> tuple[Path, Path]:
    """Build the sdist, and from the sdist the wheel: so the sdist has all that the wheel needs.

    Args:
        out: The folder for both files; it is made if necessary.
        root: The folder of the project.

    Returns:
        The paths of the sdist and of the wheel.

    Raises:
        FailedError: The build failed, or *out* has older files, too.
    """
    # The backend is installed with the extra, so it needs no environment of its own.
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", out, root], root)
    sdists, wheels = sorted(out.glob("*.tar.gz")), sorted(out.glob("*.whl"))
    if len(sdists) != 1 or len(wheels) != 1:
        raise FailedError(f"{out} has files of other builds: empty it first")
    return sdists[0], wheels[0]


def check(sdist: Path, wheel: Path) -> None:
    """Check the metadata of both files, and what the wheel puts into an environment.

    Raises:
        FailedError: A check failed.
    """
    run([sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], wheel.parent)
    run([sys.executable, "-m", "check_wheel_contents", "--toplevel", "enfilade,enfilade_repl", wheel], wheel.parent)


def try_python(python: str, wheel: Path) -> str:
    """Install the wheel in a new environment, and try the library, the command and the prompt.

    Args:
        python: The program of a Python.
        wheel: The path of the wheel.

    Returns:
        What the trial prints.

    Raises:
        FailedError: The wheel can't be installed, or an answer is wrong.
    """
    with TemporaryDirectory() as made:
        place = Path(made)
        run([python, "-m", "venv", place / "environment"], place)
        programs = place / "environment" / ("Scripts" if os.name == "nt" else "bin")
        run([programs / "python", "-m", "pip", "install", "--quiet", wheel], place)
        run([programs / "python", "-m", "pip", "check"], place)
        said = run([programs / "python", "-W", "error", TRIAL], place)
        prompt = run([programs / "enfilade", "repl"], place, _ENTRIES)
        if "M, Morale check" not in prompt:
            raise FailedError(f"the prompt of {python} does not play:\n{prompt}")
    return said


def try_pyodide(package: Path, wheel: Path) -> str:
    """Try the wheel and its dependencies in Pyodide, under Node.

    Args:
        package: The folder of the npm package ``pyodide``.
        wheel: The path of the wheel.

    Returns:
        What the trial prints.

    Raises:
        FailedError: The wheels can't be loaded, or an answer is wrong.
    """
    with TemporaryDirectory() as made:
        place = Path(made)
        run([sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", place, wheel], place)
        return run(["node", PYODIDE, package.resolve(), TRIAL, *sorted(place.glob("*.whl"))], place)


def main(argv: Sequence[str] | None = None) -> int:
    """Build, check and try, and print a line for each step.

    Returns:
        0, or 1 if a step failed.
    """
    parser = argparse.ArgumentParser(prog="python -m scripts.build", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for both files (dist)")
    parser.add_argument("--python", action="append", default=[], metavar="PROGRAM", help="a Python to try the wheel in")
    parser.add_argument("--pyodide", type=Path, metavar="FOLDER", help="an npm package `pyodide` to try the wheel in")
    args = parser.parse_args(argv)
    try:
        _build_and_try(args.out.resolve(), args.python, args.pyodide)
    except FailedError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    return 0


def _build_and_try(out: Path, pythons: Iterable[str], pyodide: Path | None) -> None:
    sdist, wheel = build(out)
    print(f"built    {sdist.name}, {wheel.name}", flush=True)
    check(sdist, wheel)
    print("checked  by twine and check-wheel-contents", flush=True)
    for python in pythons:
        print(f"tried    {try_python(python, wheel)}", end="", flush=True)
    if pyodide is not None:
        print(f"tried    {try_pyodide(pyodide, wheel)}", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
