"""The result of every method has the form that the OpenRPC document gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import jsonschema
import pytest
from tests.service.requests import rulesets

from enfilade.service import METHODS, Service, openrpc

GAME: Final = "infantry_attacks"
SHOT: Final = {"ruleset": GAME, "procedure": "direct_fire", "facts": {"fire_value": 16}}
OF: Final = {**SHOT, "of": "M or worse"}
TEXT: Final = """players owner "the owner"
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
OWN: Final = {"text": TEXT}
AT: Final = {"text": TEXT, "offset": TEXT.index("strength") + 1}


def requests(service: Service) -> Iterator[tuple[str, dict[str, Any]]]:
    """A request to each method, and others where results have several forms."""
    run = result(service, "begin", SHOT)
    done = result(service, "answer", {"ruleset": GAME, "save": run["save"], "text": "2 2"})
    open_run, finished = {"ruleset": GAME, "save": run["save"]}, {"ruleset": GAME, "save": done["save"]}
    for named in rulesets().values():
        described = result(service, "describe", {"ruleset": named})
        yield "describe", {"ruleset": named}
        for chart in described["charts"]:
            yield "chart", {"ruleset": named, "chart": chart["name"]}
    yield from (("about", {}), ("list", {}), ("card", {"ruleset": GAME}), ("source", {"ruleset": GAME}))
    yield from (
        ("check", {"ruleset": {"text": TEXT + "nonsense\n"}}),
        ("check", {"ruleset": {"text": "facts\n  a yes/on\n"}}),
    )
    yield from (("format", {"text": TEXT}), ("tokens", {"text": TEXT}), ("complete", AT), ("folding", {"text": TEXT}))
    yield from (("hover", AT), ("definition", AT), ("references", AT), ("rename", {**AT, "name": "force"}))
    yield from (("rename", {**AT, "name": "if"}), ("symbols", {"text": TEXT}), ("test", {"ruleset": OWN}))
    yield from (("coverage", {"ruleset": OWN}), ("coverage", {"ruleset": "bombardment"}))
    yield from (("test", {"ruleset": GAME}), ("paste", {"text": "Roll 1 2\n1 - X\n2 X X\n"}))
    yield from (("begin", SHOT), ("answer", {**open_run, "answer": [1, 2]}), ("roll", open_run), ("resume", finished))
    yield from (("undo", finished), ("explain", finished), ("verify", finished), ("resolve", SHOT), ("preview", SHOT))
    yield from (("odds", OF), ("odds", {**OF, "of": ["result", "roll"], "joint": True}), ("matters", OF))
    best = {"players": {"owner": "best"}, "aim": "result"}
    yield "odds", {"ruleset": OWN, "procedure": "main", "facts": {"strength": 2}, **best}
    yield from (("compare", {**OF, "a": {}, "b": {"terrain": ["town"]}}), ("sensitivity", OF))
    yield "diff", {"ruleset": OWN, "other": {"text": TEXT.replace("1. roll d6", "1. roll d8")}}
    yield from (("grid", {**OF, "facts": {}, "by": {"fire_value": [1, 16]}}), ("sample", {**OF, "trials": 20}))
    begun = result(service, "begin", {"ruleset": OWN, "procedure": "main", "facts": {"strength": 2}})
    yield from (("worth", open_run), ("worth", {"ruleset": OWN, "save": begun["save"]}))
    yield "least", {**OF, "fact": "fire_value", "chance": "1/2"}
    for strength in (2, 5):
        yield "notify", {"ruleset": OWN, "event": "fired", "facts": {"strength": strength}}


def result(service: Service, method: str, params: Any) -> Any:
    answer = json.loads(json.dumps(service.handle({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})))
    assert "error" not in answer, (method, answer)
    return answer["result"]


def test_results_have_the_form_that_is_published() -> None:
    service, document, met = Service(), openrpc(), set()
    for method, params in requests(service):
        schema = {**document, "$ref": f"#/components/schemas/results/properties/{method}"}
        jsonschema.Draft202012Validator(schema).validate(result(service, method, params))
        met.add(method)
    assert met == set(METHODS)


def test_every_reference_of_the_document_leads_to_a_schema() -> None:
    document = openrpc()
    validator = jsonschema.Draft202012Validator(document)
    for reference in set(json.dumps(document).split('"$ref": "')[1:]):
        path = reference.partition('"')[0]
        validator.evolve(schema={**document, "$ref": path}).is_valid(None)


def test_a_result_of_another_form_is_noticed() -> None:
    schema = {**openrpc(), "$ref": "#/components/schemas/results/properties/list"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate([{"name": 5, "title": "x"}])
