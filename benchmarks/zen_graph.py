"""Direct fire of Infantry Attacks as a decision graph for the ZEN engine, from the same printed table.

Two graphs, both made to be quick. `expression_graph` does everything in one expression node and is the
quickest of a dozen that were tried. `table_graph` keeps the chart as a decision table, as that engine's users
would write it. Both get the total already rolled, and neither asks for a trace.

A graph is evaluated by its key in an engine whose loader holds it already. In version 2.1 of the engine that
is many times quicker than the decision object of `ZenEngine().create_decision(...)`, which takes longer for
an empty graph than the other way takes for a full one. The benchmark shows both, and compares with the first.
"""

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from typing import Any

from benchmarks.hand_written import COLUMNS, TABLE, THRESHOLDS, Shot, Situation, direct_fire
from benchmarks.situations import dice_of, make_targets

Evaluate = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Node = dict[str, Any]

# Amount, name and condition; the longest range says all there is to know about the list.
MODIFIERS = (
    (-2, "town_or_woods", "'town' in terrain or 'woods' in terrain"),
    (-1, "hill", "'hill' in terrain"),
    (1, "swamp", "'swamp' in terrain"),
    (-1, "range_3_plus", "max(ranges) >= 3"),
    (2, "adjacent_to_all", "max(ranges) == 1"),
    (-1, "night", "night"),
    (1, "opportunity_fire", "opportunity_fire"),
    (1, "one_company", "opportunity_fire ? target_is_company : companies == 1"),
    (2, "two_companies", "not opportunity_fire and companies == 2"),
    (2, "flanking_fire", "flanking and flanking_rule"),
)


def quoted(texts: Sequence[str]) -> str:
    """Write a list of texts in the engine's expression language."""
    return "[" + ", ".join(f"'{text}'" for text in texts) + "]"


def shift_expressions() -> dict[str, str]:
    """Write the expressions for the shift, the names and the column; ``$`` looks back at earlier ones."""
    thresholds = reversed(list(enumerate(THRESHOLDS)))
    base = "".join(f"fire_value >= {least} ? {at} : " for at, least in thresholds) + "0"
    names = ", ".join(f"({condition}) ? '{name}' : null" for _, name, condition in MODIFIERS)
    return {
        "shift": " + ".join(f"(({condition}) ? {amount} : 0)" for amount, _, condition in MODIFIERS),
        "modifiers": f"filter([{names}], # != null)",
        "index": f"max([0, min([{len(COLUMNS) - 1}, ({base}) + $.shift])])",
        "column": f"{quoted(COLUMNS)}[$.index]",
    }


def expression_graph() -> Node:
    """Write everything as one expression node."""
    rows = "".join(f"roll == {roll} ? {quoted(row)}[$.index] : " for roll, row in TABLE.items()) + "null"
    return graph(expression_node({**shift_expressions(), "result": rows}, pass_through=False))


def table_graph() -> Node:
    """Write the modifiers as an expression node and the chart as a decision table."""
    kept = ("column", "shift", "modifiers")
    copies = {name: name for name in kept}
    rules = [
        {"_id": f"roll{roll}", "roll": str(roll), "result": f"{quoted(row)}[index]", **copies}
        for roll, row in TABLE.items()
    ]
    table = {
        "id": "chart",
        "name": "chart",
        "type": "decisionTableNode",
        "content": {
            "hitPolicy": "first",
            "inputs": [{"id": "roll", "name": "roll", "field": "roll"}],
            "outputs": [{"id": name, "name": name, "field": name} for name in ("result", *kept)],
            "rules": rules,
        },
    }
    return graph(expression_node(shift_expressions(), pass_through=True), table)


def expression_node(expressions: Mapping[str, str], *, pass_through: bool) -> Node:
    """Make a node of named expressions."""
    listed = [{"id": key, "key": key, "value": value} for key, value in expressions.items()]
    content = {"expressions": listed, "passThrough": pass_through}
    return {"id": "shift", "name": "shift", "type": "expressionNode", "content": content}


def graph(*middle: Node) -> Node:
    """Join nodes into a graph, from the input to the output."""
    first = {"id": "in", "name": "in", "type": "inputNode", "content": {}}
    last = {"id": "out", "name": "out", "type": "outputNode", "content": {}}
    nodes = [first, *middle, last]
    edges = [
        {"id": f"{a['id']}-{b['id']}", "sourceId": a["id"], "targetId": b["id"], "type": "edge"}
        for a, b in pairwise(nodes)
    ]
    return {"nodes": nodes, "edges": edges}


def load_zen() -> Any:
    """Import the engine's module, which is not among our dependencies.

    Raises:
        ImportError: It is not installed (``pip install zen-engine``).
    """
    return importlib.import_module("zen")


def compile_by_key(content: Node) -> Evaluate:
    """Compile a graph in an engine of its own; the quick way to evaluate it."""
    engine = load_zen().ZenEngine({"loader": {"type": "static", "content": {"direct_fire": content}}})
    return partial(engine.evaluate, "direct_fire")


def compile_as_decision(content: Node) -> Evaluate:
    """Compile a graph as a decision object; the documented way to evaluate it many times."""
    zen = load_zen()
    decision = zen.ZenEngine().create_decision(zen.ZenDecisionContent(json.dumps(content)))
    evaluate: Evaluate = decision.evaluate
    return evaluate


def to_context(fire_value: int, situation: Situation, roll: int) -> dict[str, Any]:
    """Write a shot as the graph's input, every fact present."""
    defaults = {
        "ranges": [2],
        "night": False,
        "opportunity_fire": False,
        "target_is_company": False,
        "companies": 0,
        "flanking": False,
        "flanking_rule": False,
    }
    terrain = sorted(situation.get("terrain", ["clear"]))
    return {**defaults, **situation, "terrain": terrain, "fire_value": fire_value, "roll": roll}


def to_shot(answer: Mapping[str, Any], roll: int) -> Shot:
    """Read the graph's output."""
    result = answer["result"]
    return Shot(result["column"], int(result["shift"]), list(result["modifiers"]), roll, result["result"])


def check_agreement(evaluate: Evaluate) -> int:
    """Compare a compiled graph with the hand-written function.

    Returns:
        How many shots were compared.

    Raises:
        AssertionError: They differ somewhere.
    """
    shots = list(product(range(1, 51), make_targets(), TABLE))
    for fire_value, target, roll in shots:
        expected = direct_fire(fire_value, dice=dice_of(roll), **target.situation)
        found = to_shot(evaluate(to_context(fire_value, target.situation, roll)), roll)
        if found != expected:
            raise AssertionError(f"the graph says {found}, the function {expected}")
    return len(shots)


def main() -> None:
    """Check both graphs, compiled both ways."""
    for content in (expression_graph(), table_graph()):
        for compile_graph in (compile_by_key, compile_as_decision):
            print(f"{check_agreement(compile_graph(content))} shots agree with the hand-written function")


if __name__ == "__main__":
    main()
