"""What a user gets from the wheel: all that is needed, and nothing else, in an environment of its own."""

import os
import re
import tarfile
import tomllib
import venv
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from scripts.build import TRIAL, build, run

import enfilade

ROOT: Final = Path(__file__).resolve().parents[2]

VERSION: Final = enfilade.__version__

pytestmark = pytest.mark.thorough

CONFIGURED: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: Final[dict[str, Any]] = CONFIGURED["project"]

# Extras for people who work on Enfilade itself; `all` leaves them out.
CONTRIBUTORS: Final = {"bench", "dev", "docs", "fuzz", "release", "test"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that was built from it."""
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def wheel(files: tuple[Path, Path]) -> Path:
    return files[1]


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a clean environment that holds the wheel."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    run([programs / "python", "-m", "pip", "install", "--quiet", wheel], place)
    return programs


def run_python(environment: Path, code: str) -> str:
    return run([environment / "python", "-c", code], environment)


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
        if path.is_file()
        and path.suffix not in (".py", ".pyc")
        # A page that was built here is no part of the sources.
        and package / "server" / "page" not in path.parents
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
    assert run([environment / "enfilade", "--version"], environment).split() == ["enfilade", VERSION]


def test_the_library_imports_neither_a_terminal_nor_numbers_in_bulk(environment: Path) -> None:
    code = "import sys, enfilade; print({'prompt_toolkit', 'numpy', 'enfilade_repl'} & set(sys.modules))"
    assert run_python(environment, code).strip() == "set()"


def test_the_library_needs_only_what_it_declares(environment: Path) -> None:
    code = "from importlib.metadata import distributions as d; print(*sorted(x.name.lower() for x in d()))"
    installed = set(run_python(environment, code).split()) - {"pip", "setuptools"}
    assert installed == {"attrs", "enfilade", "lark"}


def test_the_installed_metadata_agree_with_each_other(environment: Path) -> None:
    run([environment / "python", "-m", "pip", "check"], environment)


def test_an_installed_package_passes_the_trial_of_a_release(environment: Path) -> None:
    said = run([environment / "python", "-W", "error", TRIAL], environment)
    assert f"enfilade {VERSION}, {len(list((ROOT / 'rulesets').iterdir()))} rulesets" in said


def test_the_prompt_plays_without_any_extra(environment: Path) -> None:
    entries = "use infantry_attacks\ndirect_fire fire_value 16, terrain town\n4 1\n"
    assert "M, Morale check" in run([environment / "enfilade", "repl"], environment, entries)


# ----------------------------------------------------------------------------------------------------- the metadata


def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as archive:
        return message_from_bytes(archive.read(f"enfilade-{VERSION}.dist-info/METADATA"))


def test_no_version_of_python_is_too_new(wheel: Path) -> None:
    supported = SpecifierSet(str(metadata(wheel)["Requires-Python"]))
    assert "3.10.13" not in supported
    assert all(each in supported for each in ("3.11.0", "3.14.2", "3.99.0", "4.0.0"))


def test_the_classifiers_name_each_python_from_the_oldest_on(wheel: Path) -> None:
    named = re.findall(r"Python :: 3\.(\d+)$", "\n".join(metadata(wheel).get_all("Classifier", [])), re.M)
    assert [int(minor) for minor in named] == [*range(11, 11 + len(named))]
    assert len(named) >= 4


def test_the_description_has_no_addresses_that_work_in_the_repository_only(wheel: Path) -> None:
    text = str(metadata(wheel).get_payload())
    assert text.startswith("# Enfilade\n")
    assert "Authoring: from a printed chart to tested rules" in text
    addresses = re.findall(r"\]\(([^()]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    assert [each for each in addresses if not "".join(each).startswith(("http://", "https://", "#"))] == []


def test_all_holds_every_extra_for_users() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = map(Requirement, extras["all"])
    assert everything.name == PROJECT["name"]
    assert everything.extras == set(extras) - CONTRIBUTORS - {"all"}


def test_the_sdist_holds_everything_that_it_includes(files: tuple[Path, Path]) -> None:
    wanted = [name.removeprefix("/") for name in CONFIGURED["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]]
    with tarfile.open(files[0]) as archive:
        held = {Path(*Path(name).parts[1:]) for name in archive.getnames()}
    held |= {folder for path in held for folder in path.parents}
    assert [name for name in (*wanted, "README.md", "LICENSE", "pyproject.toml") if Path(name) not in held] == []
