"""What confirms the expected values: other code than that which answers.

Outcomes come from the reference evaluator, which no call uses to play. Chances come from the reference evaluator over every
sequence of dice and cards. It must not use the compiled engine or the odds engine.
"""

import json
from collections import defaultdict
from fractions import Fraction
from typing import Any, Final

from tests.conformance.cases import Case
from tests.conformance.ways import loaded
from tests.odds.brute_force import Decide, ends, nobody
from tests.odds.comparing import situation

from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds import Ask
from enfilade.limits import DEFAULT_LIMITS
from enfilade.tools.playing import Ending, play
from enfilade.values.json_data import to_json

MOST: Final = 2_000
"""The sequences of dice that are tried for one case."""


def by_evaluator(case: Case) -> dict[str, Any]:
    """The outcome that the reference evaluator finds."""
    ending = play(loaded(case).program, _as_example(case))
    if ending.faults or ending.left_over:
        return {"status": "input_error", "parameters": [each.parameter for each in (*ending.faults, *ending.left_over)]}
    if ending.refusal is not None:
        return {"status": "refused", "refusal": ending.refusal[0]}
    if ending.broken is not None:
        return {"status": "rule_error"}
    effects = [to_json(each) for each in ending.effects]
    return {"status": "resolved", "outputs": to_json(ending.outputs), "effects": effects, "state": _state(ending)}


def _state(ending: Ending) -> dict[str, Any]:
    assert ending.machine is not None
    found: dict[str, Any] = {}
    for ref, fields in ending.machine.state.records.items():
        found.setdefault(ref.record, {})[ref.key] = to_json(fields)
    return found


def _as_example(case: Case) -> ir.Example:
    """The case as an example that states nothing."""
    given = case.given
    return ir.Example(
        procedure=given["procedure"], label=case.id, facts=given.get("facts", {}), options=given.get("options", {}),
        faces=tuple(given.get("dice", ())), choices=tuple(given.get("choices", ())), gives=None, effects=(), no_effects=False,
        expect=(), refused=None, input_error=None, chances=(), starts=(), note=ir.NO_NOTE, origin="",
    )  # fmt: skip


def by_enumeration(case: Case) -> dict[str, Any]:
    """The chances that are found by trying every sequence of dice and cards."""
    rules, given = loaded(case), case.given
    start = situation(rules.program, given["procedure"], given.get("options"), **given.get("facts", {}))
    of = given.get("of", "result")
    asked = [of] if isinstance(of, str) else of
    conditions = given.get("condition", [])
    keys = {ref.key: ref.record for ref in start.state.records}
    asks: tuple[Ask, ...] = tuple(
        rules.query_reader.read(given["procedure"], keys, text).ask for text in (*asked, *conditions)
    )
    weights: dict[str, Fraction] = defaultdict(Fraction)
    for end in ends(start, asks, _decide(case), Fraction(1, MOST), DEFAULT_LIMITS):
        assert end is not None, "too many sequences"
        assert end.failure is None, end.failure
        if all(end.values[len(asked) :]):
            values = [to_json(value) for value in end.values[: len(asked)]]
            weights[json.dumps(values[0] if isinstance(of, str) else values)] += end.chance
    whole = sum(weights.values())
    outcomes = [{"value": json.loads(value), "chance": str(chance / whole)} for value, chance in weights.items()]
    return {"status": "answered", "outcomes": outcomes, "chance": str(weights["true"] / whole)}


def _decide(case: Case) -> Decide:
    """Decides as the case says: by the name of the choice, the first that is offered."""
    wanted = case.given.get("choices", {})
    if not wanted:
        return nobody

    def decide(request: ChoiceRequest) -> tuple[Any, ...]:
        named = wanted[request.name.partition("[")[0]]
        preferred = named if isinstance(named, list) else [named]
        ranked = [option for each in preferred for option in request.options if to_json(option) == each]
        return tuple(ranked[: 1 if request.count is None else request.count])

    return decide
