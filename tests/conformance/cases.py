"""The cases of the conformance kit, and what any way to run them has in common.

An answer is the JSON that the API, the protocol and the command line all give. It must not know how it was made.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
FILES: Final = sorted((HERE / "cases").glob("*.json"))
SCHEMA: Final[dict[str, Any]] = json.loads((HERE / "schema.json").read_text(encoding="utf-8"))


MAIN: Final = ("<text>", "main.rules")
"""What the text of a case is called, in memory and on disk."""


@frozen
class Case:
    """A case.

    Attributes:
        id: Its name in the kit.
        ruleset: The ruleset: ``shipped``, ``path``, or ``text`` with ``files``.
        call: ``resolve``, ``odds``, ``check`` or ``examples``.
        given: The parameters of the call.
        expect: What the answer must be.
        oracle: What confirms the expected chances.
        source: Where the case comes from.
    """

    id: str
    ruleset: Mapping[str, Any]
    call: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    oracle: str | None
    source: str

    @property
    def text(self) -> str:
        """The text of the ruleset, which is not a shipped one."""
        path = self.ruleset.get("path")
        return joined(self.ruleset["text"]) if path is None else (ROOT / path).read_text(encoding="utf-8")

    @property
    def files(self) -> dict[str, str]:
        """The texts that it uses, by file name."""
        return {name: joined(lines) for name, lines in self.ruleset.get("files", {}).items()}

    @property
    def name(self) -> str | None:
        """The name or the path of a ruleset that is a file of the repository."""
        path = self.ruleset.get("path")
        return self.ruleset.get("shipped") if path is None else str(ROOT / path)


def joined(lines: list[str]) -> str:
    """The lines of a text, each with its end."""
    return "".join(f"{line}\n" for line in lines)


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for case in data["cases"]:
        yield Case(
            case["id"], data["rulesets"][case["ruleset"]], case["call"], case.get("given", {}), case["expect"],
            case.get("oracle"), case["source"],
        )  # fmt: skip


CASES: Final = [case for path in FILES for case in cases_of(path)]


def differences(case: Case, answer: Mapping[str, Any]) -> list[str]:
    """Each part of an answer that is not as the case expects.

    Args:
        case: The case.
        answer: The answer, as ``answered`` gives it.
    """
    return [
        f"{case.id}: {part} is {answer.get(part)!r}, and not {wanted!r}"
        for part, wanted in case.expect.items()
        if _comparable(part, answer.get(part)) != _comparable(part, wanted)
    ]


def _comparable(part: str, value: Any) -> Any:
    """A part of an answer without the order, if the order does not count, and with types: yes is not 1."""
    if part in ("outcomes", "parameters") and value is not None:
        return sorted(map(json.dumps, value))
    return json.dumps(value, sort_keys=True)


def answered(call: str, data: Any) -> dict[str, Any]:
    """The parts of an answer that a case may expect.

    Args:
        call: The call.
        data: An outcome, odds, diagnostics, results of examples or an error, as JSON.
    """
    if call == "check":
        return {"diagnostics": list(map(_diagnostic, data["diagnostics"]))}
    if call == "examples":
        return {"passed": data["passed"], "failed": data["failed"]}
    if call == "odds" and "status" not in data:
        return {"status": "answered", **_chances(data)}
    parameters = {"parameters": sorted({fault["parameter"] for fault in data["errors"]})} if "errors" in data else {}
    return {**data, **parameters}


def _diagnostic(found: Mapping[str, Any]) -> dict[str, Any]:
    name = Path(found["file"]).name
    beside = {} if name in MAIN else {"file": name}
    return {"code": found["code"], "severity": found["severity"], "line": found["line"], **beside}


def _chances(odds: Mapping[str, Any]) -> dict[str, Any]:
    if not odds["exact"]:
        return {"remainder": odds["remainder"]}
    outcomes = [{"value": each["value"], "chance": each["reduced"]} for each in odds["outcomes"]]
    true = [each["chance"] for each in outcomes if each["value"] is True]
    return {"outcomes": outcomes, "chance": true[0] if true else "0"}
