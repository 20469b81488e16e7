"""A wrong value gets one sentence, whichever door it comes in by: the type says it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from tests.service.requests import request

import enfilade
from enfilade import Ruleset
from enfilade.errors import EnfiladeError, EntryError
from enfilade.language import EntryReader, read_facts
from enfilade.service import Service

TEXT = """enfilade 1
ruleset doors "Doors"
facts
  range   1..9
  half    number 0..5 = 1
  ground  one of town, woods, clear = clear
  over    set of town, woods = []
  night   yes/no
  most    1..6 or none = none
procedure fire
  1. give result = range + half + (1 when night or ground is town or over has town otherwise 0) + (0 when most is none otherwise 1)
"""

WRONG = [
    ("range", 0, "range is 0; allowed: 1 to 9"),
    ("range", "far", "range is far, which is not a number; allowed: 1 to 9"),
    ("half", 7, "half is 7; allowed: a number, 0 to 5"),
    ("half", "some", "half is some, which is not a number; allowed: a number, 0 to 5"),
    ("ground", "wods", "ground is wods; allowed: town, woods, clear; did you mean woods?"),
    ("ground", "lake", "ground is lake; allowed: town, woods, clear"),
    ("over", "lake", "over has lake; allowed: any of town, woods"),
    ("most", 9, "most is 9; allowed: 1 to 6, or none"),
    ("most", "all", "most is all, which is not a number; allowed: 1 to 6, or none"),
]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


def in_python(rules: Ruleset, name: str, value: Any) -> None:
    rules.resolve("fire", **{"range": 1, name: value})


def at_the_shell(rules: Ruleset, name: str, value: Any) -> None:
    rules.resolve("fire", **{"range": 1, **read_facts(rules, "fire", [f"{name}={value}"])})


def at_the_prompt(rules: Ruleset, name: str, value: Any) -> None:
    try:
        EntryReader(rules).facts(
            rules.inputs("fire"), f"range 1, {name} {value}" if name != "range" else f"{name} {value}"
        )
    except EntryError as wrong:
        # The prompt shows what is allowed, or what was meant, on a line of its own.
        domain = rules.inputs("fire")[name].domain
        allowed = f"allowed: {domain.allowed}"
        hint = wrong.hint if wrong.hint == allowed else f"{allowed}; {wrong.hint}"
        raise EntryError(f"{wrong}; {hint}") from wrong


def in_the_protocol(rules: Ruleset, name: str, value: Any) -> None:
    facts = {"range": 1, name: value}
    answer = Service().handle(request(1, "resolve", ruleset={"text": TEXT}, procedure="fire", facts=facts))
    raise EnfiladeError(answer["error"]["message"])


@pytest.mark.parametrize("door", [in_python, at_the_shell, at_the_prompt, in_the_protocol])
@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_a_wrong_value_is_told_in_the_same_words(
    rules: Ruleset, door: Callable[[Ruleset, str, Any], None], name: str, value: Any, said: str
) -> None:
    with pytest.raises(EnfiladeError) as caught:
        door(rules, name, value)
    assert str(caught.value) == said


def test_values_of_numpy_are_values(rules: Ruleset) -> None:
    np = pytest.importorskip("numpy")
    same: dict[str, tuple[Any, Any]] = {
        "range": (np.int64(3), 3),
        "half": (np.float64(0.5), "1/2"),
        "ground": (np.str_("town"), "town"),
        "over": (np.array(["town"]), ["town"]),
        "night": (np.bool_(True), True),
        "most": (np.int8(2), 2),
    }
    for name, (given, like) in same.items():
        facts: dict[str, Any] = {"range": 1, "half": 0}
        results = [rules.resolve("fire", **{**facts, name: each}).result for each in (given, like)]
        assert results[0] == results[1], name


def test_an_array_without_elements_is_no_set(rules: Ruleset) -> None:
    np = pytest.importorskip("numpy")
    with pytest.raises(EnfiladeError, match="over is a ndarray; allowed: any of town, woods"):
        rules.resolve("fire", range=1, over=np.array("town"))


UNITS: Final = """
record unit
  morale  1..10 = 7
facts
  targets  list of unit
procedure p
  1. give sum = sum of morale over targets
"""


def test_a_record_of_a_list_is_described_behind_its_name() -> None:
    rules = enfilade.load(text=UNITS)
    for words in (
        ["targets.a=(morale 8)"],
        ['targets.a={"morale": 8}'],
        ["targets.a.morale=8"],
        ["targets=a (morale 8)"],
    ):
        assert rules.resolve("p", **read_facts(rules, "p", words)).outputs["sum"] == 8
    assert rules.resolve("p", **read_facts(rules, "p", ["targets.a", "targets.b"])).outputs["sum"] == 14
    for value in ("banana", "4", "b (morale 8)"):
        with pytest.raises(enfilade.UsageError, match="does not describe the record a"):
            read_facts(rules, "p", [f"targets.a={value}"])
