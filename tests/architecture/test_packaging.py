"""What a user gets from the wheel: all that is needed, and nothing else, in an environment of its own."""

import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

import enfilade

ROOT: Final = Path(__file__).resolve().parents[2]

VERSION: Final = enfilade.__version__

pytestmark = pytest.mark.slow

# Without these variables nothing of the checkout or of the tester's own environment can be found by accident.
FOREIGN: Final = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")


def run(command: Sequence[str | Path], cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    environment["PYTHONNOUSERSITE"] = "1"
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, ROOT], cwd=place)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a clean environment that holds the wheel."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    run([programs / "python", "-m", "pip", "install", "--quiet", wheel], cwd=place)
    return programs


def run_python(environment: Path, code: str) -> str:
    return run([environment / "python", "-c", code], cwd=environment)


def names_in(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        return archive.namelist()


def shipped_files(kind: str) -> set[str]:
    return {path.relative_to(ROOT / kind).as_posix() for path in (ROOT / kind).rglob("*.rules")}


def test_the_wheel_drops_only_its_own_folders_into_an_environment(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names_in(wheel)}
    assert tops == {"enfilade", "enfilade_repl", f"enfilade-{VERSION}.dist-info"}


@pytest.mark.parametrize("kind", ["rulesets", "stdlib"])
def test_the_wheel_holds_every_shipped_rule(wheel: Path, kind: str) -> None:
    prefix = f"enfilade/{kind}/"
    held = {name.removeprefix(prefix) for name in names_in(wheel) if name.startswith(prefix)}
    assert shipped_files(kind), f"{kind}/ ships nothing"
    assert shipped_files(kind) <= held


def test_the_wheel_holds_what_the_package_reads_beside_its_modules(wheel: Path) -> None:
    package = ROOT / "dsl" / "enfilade"
    beside = {
        path.relative_to(ROOT / "dsl").as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert "enfilade/py.typed" in beside
    assert beside <= set(names_in(wheel))


def test_an_installed_package_finds_its_rulesets(environment: Path) -> None:
    code = "from enfilade.source.shipped import shipped_dir as d; print(d('rulesets')); print(d('stdlib'))"
    for line in run_python(environment, code).splitlines():
        assert environment.parent.resolve() in Path(line).resolve().parents
        assert Path(line).parent.name == "enfilade"


def test_an_installed_shipped_ruleset_loads_without_being_parsed(environment: Path) -> None:
    code = (
        "import sys, enfilade; from enfilade.source.finder import shipped_names\n"
        "print([enfilade.load(name).name for name in shipped_names()] == list(shipped_names()), 'lark' in sys.modules)"
    )
    assert run_python(environment, code).split() == ["True", "False"]


def test_every_public_name_can_be_imported(environment: Path) -> None:
    code = "import enfilade as e; assert e.__all__; print([n for n in e.__all__ if not hasattr(e, n)])"
    assert run_python(environment, code).strip() == "[]"


def test_the_command_says_its_version(environment: Path) -> None:
    assert run([environment / "enfilade", "--version"], cwd=environment).split() == ["enfilade", VERSION]


def test_the_library_imports_neither_a_terminal_nor_numbers_in_bulk(environment: Path) -> None:
    code = "import sys, enfilade; print({'prompt_toolkit', 'numpy', 'enfilade_repl'} & set(sys.modules))"
    assert run_python(environment, code).strip() == "set()"


def test_the_library_needs_only_what_it_declares(environment: Path) -> None:
    code = "from importlib.metadata import distributions as d; print(*sorted(x.name.lower() for x in d()))"
    installed = set(run_python(environment, code).split()) - {"pip", "setuptools"}
    assert installed == {"attrs", "enfilade", "lark"}


def test_the_installed_metadata_agree_with_each_other(environment: Path) -> None:
    run([environment / "python", "-m", "pip", "check"], cwd=environment)
