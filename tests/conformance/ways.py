"""Three ways to run a case: through the API, through ``enfilade rpc``, and by one command of the command line.

Each gives the same JSON. It must not look at what a case expects.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tests.conformance.cases import ROOT, Case, answered

import enfilade
from enfilade.language import output_text
from enfilade.tools import run_ruleset_examples

ENFILADE: Final = [sys.executable, "-m", "enfilade"]
# A path in a file is one of the repository, and the tests may be started anywhere.
ENVIRONMENT: Final = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(ROOT / "dsl"), str(ROOT / "repl")]),
    "PYTHONUTF8": "1",
}


# -- the API ------------------------------------------------------------------------------------------------------


def by_api(case: Case) -> dict[str, Any]:
    """Run a case through the API."""
    try:
        return answered(case.call, _called(case))
    except enfilade.EnfiladeError as error:
        return answered(case.call, enfilade.error_to_json(error))


def _called(case: Case) -> Any:
    if case.call == "check":
        found = enfilade.check(case.text, files=case.files)
        return {"diagnostics": [each.to_json() for each in found]}
    rules = loaded(case)
    if case.call == "examples":
        passed = [result.passed for result in run_ruleset_examples(rules)]
        return {"passed": sum(passed), "failed": len(passed) - sum(passed)}
    given = {_API.get(name, name): value for name, value in case.given.items()}
    if case.call == "resolve":
        return rules.resolve(**given).to_json(explanation=False)
    of, conditions = given.pop("of", "result"), given.pop("condition", [])
    odds = rules.odds(**given)
    for condition in conditions:
        odds = odds.given(condition)
    return odds.asked(of).to_json()


_API: Final = {"facts": "given"}


def loaded(case: Case) -> enfilade.Ruleset:
    """The ruleset of a case."""
    return (
        _loaded(case.name, None) if case.name is not None else _loaded(None, (case.text, *sorted(case.files.items())))
    )


@lru_cache(maxsize=512)
def _loaded(name: str | None, texts: tuple[Any, ...] | None) -> enfilade.Ruleset:
    if texts is None:
        assert name is not None
        return enfilade.load(name)
    text, *files = texts
    return enfilade.load(text=text, files=dict(files))


# -- the protocol -------------------------------------------------------------------------------------------------


def by_protocol(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Run cases as requests to one process of ``enfilade rpc``."""
    lines = "".join(json.dumps(_request(number, case)) + "\n" for number, case in enumerate(cases))
    done = _run(["rpc"], lines)
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    return [answered(case.call, _result(case, answers[number])) for number, case in enumerate(cases)]


def _request(number: int, case: Case) -> dict[str, Any]:
    ruleset = case.name if "shipped" in case.ruleset else {"text": case.text, "files": case.files}
    return {"jsonrpc": "2.0", "id": number, "method": case.call, "params": {"ruleset": ruleset, **_parameters(case)}}


def _parameters(case: Case) -> dict[str, Any]:
    """The parameters, which have the names of the protocol; several questions are asked together."""
    joint = {"joint": True} if isinstance(case.given.get("of"), list) else {}
    brief = {"explanation": False} if case.call == "resolve" else {}
    return {**case.given, **joint, **brief}


def _result(case: Case, answer: Mapping[str, Any]) -> Any:
    if "error" in answer:
        return answer["error"]["data"]
    return answer["result"]["answers"][0] if case.call == "odds" else answer["result"]


# -- the command line ---------------------------------------------------------------------------------------------


def by_command(case: Case, folder: Path) -> dict[str, Any]:
    """Run a case by a command in a process of its own.

    Args:
        case: The case.
        folder: An empty folder for its texts and facts.
    """
    words = arguments(case, folder)
    done = _run(words, "")
    assert done.stdout, done.stderr
    data = json.loads(done.stdout)
    return answered(case.call, data[0] if isinstance(data, list) else data)


def arguments(case: Case, folder: Path) -> list[str]:
    """The words of the command, after the texts and the facts of the case are written to the folder."""
    ruleset = case.name or str(written(case, folder))
    if case.call in ("check", "examples"):
        return ["test" if case.call == "examples" else "check", ruleset, "--json"]
    (folder / "facts.json").write_text(json.dumps(case.given.get("facts", {})), encoding="utf-8")
    words = [case.call, ruleset, case.given["procedure"], "--facts", str(folder / "facts.json"), "--json"]
    for option in ("dice", "choices"):
        if option in case.given:
            words += [f"--{option}", ",".join(map(output_text, case.given[option]))]
    of = case.given.get("of", [])
    if isinstance(of, list) and of:
        words += ["--joint"]
    for question in [of] if isinstance(of, str) else of:
        words += ["--of", question]
    return words


def written(case: Case, folder: Path) -> Path:
    """Write the texts of a case to a folder; the main one is ``main.rules``."""
    for name, text in {**case.files, "main.rules": case.text}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main.rules"


def _run(words: Iterable[str], entered: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ENFILADE, *words], input=entered, capture_output=True, text=True, check=False, cwd=ROOT, env=ENVIRONMENT
    )
