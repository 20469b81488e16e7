"""The methods for pages and editors: previews, tokens, completion, examples, pasted charts; and the form of all results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from tests.service.conftest import Asked
from tests.service.requests import SHOT, rulesets

from enfilade.service import METHODS, openrpc

TEXT: Final = """facts
  force  1..

chart crt "Combat"
  down d6
  across force, column at or below
  shift off left   stays
  shift off right  stays
  | Die | 1 | 5 |
  | 1-3 | - | X |
  | 4-6 | X | X |

modifiers up "Shifts" shift columns of crt, cumulative
  +1 strong force >= 3 "Strong"

results of crt
  - "No effect"
  X "Eliminated"

procedure fight
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.code

example fight "weak and low"
  given force 1
  on 2
  gives {}
"""
OWN: Final = {"text": TEXT.format("-")}
FAILING: Final = {"text": TEXT.format("X")}
BY_DICE: Final = {"text": OWN["text"].replace("force >= 3", "roll >= 4")}
EXAMPLE: Final = {"procedure": "fight", "label": "weak and low", "line": 26}
STRONG: Final = {
    "step": "+1 Strong", "name": "strong", "value": 1, "cites": [], "assumed": None, "kind": "modifier", "depth": 1, "applied": True,
}  # fmt: skip
RULES: Final = 'facts\n  night  yes/no  "night turn" [1.2]\ndefine dark = night\n'
# Where `night` is declared and used.
DECLARED: Final = {"file": "<text>", "start": 8, "end": 13}
USED: Final = {"file": "<text>", "start": 56, "end": 61}


@pytest.mark.parametrize(
    ("method", "params", "expected"),
    [
        # A preview tells columns and modifiers before any dice, and leaves out what the dice decide.
        (
            "preview", {"ruleset": OWN, "procedure": "fight", "facts": {"force": 3}},
            {"readings": [{"chart": "crt", "page": 0, "column": 1, "record": None}], "modifiers": [STRONG]},
        ),
        ("preview", {"ruleset": BY_DICE, "procedure": "fight", "facts": {"force": 4}}, {"readings": [], "modifiers": []}),
        (
            "chart", {"ruleset": OWN, "chart": "crt"},
            {
                "name": "crt", "title": "Combat", "rows": ["1-3", "4-6"], "columns": ["1", "5"], "cells": [["-", "X"], ["X", "X"]],
                "meanings": {"-": "No effect", "X": "Eliminated"},
            },
        ),
        ("test", {"ruleset": OWN}, [{**EXAMPLE, "passed": True, "failures": []}]),
        (
            "test", {"ruleset": FAILING},
            [{**EXAMPLE, "passed": False, "failures": [{"message": "expected X, but the result was -", "line": 29}]}],
        ),
        ("tokens", {"text": "option fog [9.1]"}, [["keyword", 0, 6], ["name", 7, 10], ["citation", 11, 16]]),
        (
            "complete", {"text": OWN["text"] + "define x = fo", "offset": len(OWN["text"]) + 13, "ruleset": OWN},
            {"start": len(OWN["text"]) + 11, "items": [{"name": "force", "kind": "fact", "label": ""}]},
        ),
        (
            "complete", {"text": "pro", "offset": 3},
            {"start": 0, "items": [{"name": "procedure", "kind": "keyword", "label": "the steps of a combat: roll, read a chart, apply"}]},
        ),
        # Without a ruleset, the names of the text are completed.
        (
            "complete", {"text": RULES + "define x = ni", "offset": len(RULES) + 13},
            {"start": len(RULES) + 11, "items": [{"name": "night", "kind": "fact", "label": "night turn"}]},
        ),
        (
            "hover", {"text": RULES, "offset": 57},
            {
                "kind": "fact", "name": "night", "type": "yes/no", "label": "night turn", "cites": ["1.2"], "lines": [],
                "markdown": "**fact** `night`: `yes/no`\n\nnight turn [1.2]", **USED,
            },
        ),
        ("hover", {"text": RULES, "offset": 6}, None),
        ("definition", {"text": RULES, "offset": 57}, [DECLARED]),
        ("references", {"text": RULES, "offset": 57}, [DECLARED, USED]),
        (
            "rename", {"text": RULES, "offset": 8, "name": "late"},
            {"edits": [{**DECLARED, "text": "late"}, {**USED, "text": "late"}], "reason": None},
        ),
        ("rename", {"text": RULES, "offset": 8, "name": "dark"}, {"edits": [], "reason": "`dark` is in use: it is the name of a define"}),
        (
            "symbols", {"text": RULES},
            [
                {
                    "name": "facts", "kind": "facts", "detail": "", "file": "<text>", "start": 0, "end": 41,
                    "children": [{"name": "night", "kind": "fact", "detail": "night turn", "file": "<text>", "start": 8, "end": 41}],
                },
                {"name": "dark", "kind": "define", "detail": "", "file": "<text>", "start": 42, "end": 61, "children": []},
            ],
        ),
        ("folding", {"text": RULES}, [{"first": 1, "last": 2, "kind": "region"}]),
    ],
)  # fmt: skip
def test_pages_and_editors_have_their_answers(
    result: Asked, method: str, params: dict[str, Any], expected: Any
) -> None:
    assert result(method, **params) == expected


def test_cells_that_no_example_reads_are_listed(result: Asked) -> None:
    text = (
        'facts\n  force 1..\nchart crt "T"\n  down d6\n  across force, column at or below\n  | D | 1 | 5 |\n  | 1-3 | A | B |\n  | 4-6 | B | B |\n'
        "procedure main\n  1. roll d6 as die\n  2. read crt with die as shot\n  3. give result = shot.code\n"
        'example main "low"\n  given force 2\n  on 2\n  gives A\n'
    )
    found = result("coverage", ruleset={"text": text})
    missed = [(each["chart"], each["page"], each["row"], each["column"]) for each in found["cells"]]
    assert missed == [("crt", 0, 0, 1), ("crt", 0, 1, 0), ("crt", 0, 1, 1)]
    assert found["counts"]["cells"] == {"used": 1, "total": 4}


def test_a_pasted_chart_becomes_a_ruleset(result: Asked) -> None:
    found = result("paste", text="Roll 1 2\n1 - X\n2 X X\n", name="small")
    assert found["ok"]
    assert "ruleset small" in found["text"]
    assert result.error("paste", text="nothing")["code"] == -32602


@pytest.mark.parametrize("name", ["infantry_attacks", pytest.param("franco_prussian", marks=pytest.mark.thorough)])
def test_the_texts_of_a_ruleset_can_be_checked_again(result: Asked, name: str) -> None:
    assert result("check", ruleset=result("source", ruleset=name))["ok"]


# -- the result of every method has the form that the OpenRPC document gives

GAME: Final = "infantry_attacks"
OF: Final = {**SHOT, "of": "M or worse"}
PLAYED: Final = """players owner "the owner"
facts
  strength 1..6 "factors"
event fired "Fired"
on fired "Reaction"
  unless strength > 4 strong "too strong"
  start main
procedure main
  1. roll d6 as die
  2. owner chooses pick among [1, 2]
  3. give result = die + pick + strength
example main "a three"
  given strength 2
  on 3
  choosing 1
  gives 6
"""
PLAYING: Final = {"text": PLAYED}
AT: Final = {"text": PLAYED, "offset": PLAYED.index("strength") + 1}


@pytest.fixture
def jsonschema() -> Any:
    return pytest.importorskip("jsonschema")


def requests(result: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    """A request to each method, and others where results have several forms."""
    run = result("begin", **SHOT)
    open_run = {"ruleset": GAME, "save": run["save"]}
    finished = {"ruleset": GAME, "save": result("answer", **open_run, text="2 2")["save"]}
    begun = result("begin", ruleset=PLAYING, procedure="main", facts={"strength": 2})
    for named in rulesets().values():
        yield "describe", {"ruleset": named}
        for chart in result("describe", ruleset=named)["charts"]:
            yield "chart", {"ruleset": named, "chart": chart["name"]}
    best = {"players": {"owner": "best"}, "aim": "result"}
    yield from (
        ("about", {}), ("list", {}), ("card", {"ruleset": GAME}), ("source", {"ruleset": GAME}),
        ("check", {"ruleset": {"text": PLAYED + "nonsense\n"}}), ("check", {"ruleset": {"text": "facts\n  a yes/on\n"}}),
        ("format", {"text": PLAYED}), ("tokens", {"text": PLAYED}), ("complete", AT), ("folding", {"text": PLAYED}),
        ("hover", AT), ("definition", AT), ("references", AT), ("rename", {**AT, "name": "force"}),
        ("rename", {**AT, "name": "if"}), ("symbols", {"text": PLAYED}), ("test", {"ruleset": PLAYING}),
        ("coverage", {"ruleset": PLAYING}), ("coverage", {"ruleset": "bombardment"}),
        ("test", {"ruleset": GAME}), ("paste", {"text": "Roll 1 2\n1 - X\n2 X X\n"}),
        ("begin", SHOT), ("answer", {**open_run, "answer": [1, 2]}), ("roll", open_run), ("resume", finished),
        ("undo", finished), ("explain", finished), ("verify", finished), ("resolve", SHOT), ("preview", SHOT),
        ("odds", OF), ("odds", {**OF, "of": ["result", "roll"], "joint": True}), ("matters", OF),
        ("odds", {"ruleset": PLAYING, "procedure": "main", "facts": {"strength": 2}, **best}),
        ("compare", {**OF, "a": {}, "b": {"terrain": ["town"]}}), ("sensitivity", OF),
        ("diff", {"ruleset": PLAYING, "other": {"text": PLAYED.replace("1. roll d6", "1. roll d8")}}),
        ("grid", {**OF, "facts": {}, "by": {"fire_value": [1, 16]}}), ("sample", {**OF, "trials": 20}),
        ("worth", open_run), ("worth", {"ruleset": PLAYING, "save": begun["save"]}),
        ("least", {**OF, "fact": "fire_value", "chance": "1/2"}),
        ("notify", {"ruleset": PLAYING, "event": "fired", "facts": {"strength": 2}}),
        ("notify", {"ruleset": PLAYING, "event": "fired", "facts": {"strength": 5}}),
    )  # fmt: skip


@pytest.mark.thorough
def test_results_have_the_form_that_is_published(result: Asked, jsonschema: Any) -> None:
    document, met = openrpc(), set()
    assert [each["name"] for each in result("list")] == result("about")["rulesets"]
    for method, params in requests(result):
        schema = {**document, "$ref": f"#/components/schemas/results/properties/{method}"}
        jsonschema.Draft202012Validator(schema).validate(result(method, **params))
        met.add(method)
    assert met == set(METHODS)


@pytest.mark.thorough
def test_every_reference_of_the_document_leads_to_a_schema(jsonschema: Any) -> None:
    document = openrpc()
    validator = jsonschema.Draft202012Validator(document)
    for reference in set(json.dumps(document).split('"$ref": "')[1:]):
        path = reference.partition('"')[0]
        validator.evolve(schema={**document, "$ref": path}).is_valid(None)


@pytest.mark.thorough
def test_a_result_of_another_form_is_noticed(jsonschema: Any) -> None:
    schema = {**openrpc(), "$ref": "#/components/schemas/results/properties/list"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate([{"name": 5, "title": "x"}])
