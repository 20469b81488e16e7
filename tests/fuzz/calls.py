"""The part that calls the public API: the scripts of the pages for embedders, with wrong values in them.

A line of a script is one statement. An exception that Python raises in the statement itself is the caller's mistake; all
others must be errors of the library, or those that its documentation names.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from tests.fuzz.part import Part, is_allowed, place_of
from tests.fuzz.seeds import ROOT

_BLOCK: Final = re.compile(r"```python\n(.*?)```", re.DOTALL)
SCRIPT: Final = "<call>"
WRONG: Final = [
    "None", "True", "-1", "0", "10 ** 30", "1.5", "float('nan')", "float('inf')", "''", "'x'", "'M'", "'\\ud800'", "'a' * 5000",
    "b'x'", "[]", "[None]", "['x', 1]", "[[1]]", "{}", "{1: 2}", "{'name': 5}", "{'x'}", "object()", "Fraction(1, 3)",
    "Decimal('NaN')", "Decimal('1E+999')", "range(3)", "print", "(i for i in 'ab')", "nested", "'1 +'", "'result is result'",
    "'d6'", "'fire_value'", "'steps of guns'", "1j", "type", "[{'name': 'a'}, {'name': 'a'}]",
]  # fmt: skip
MORE: Final = """
import enfilade
rules = enfilade.load("infantry_attacks")
rules.resolve("direct_fire", given={"fire_value": 16}, dice={"fire_roll": [4, 3]}, choices=["a"], seed=1, options={"flanking_fire": True})
run = rules.begin("direct_fire", given={"fire_value": 45, "units": [{"name": "a", "kind": "mg", "steps": 1}]}, ask_all=True, seed="s")
run = run.answer(True)
run = run.answer([1, 2])
saved = run.save()
rules.resume(saved, accept_changes=True)
run.roll(3)
run.answer_random("x")
rules.with_options(flanking_fire=True)
rules.citing("16")
rules.names("chart")
rules.chart("direct_fire_table")
rules.procedure("direct_fire").json_schema()
rules.inputs("direct_fire")
rules.extended("define x = 1")
rules.compare("direct_fire", {"fire_value": 1}, {"fire_value": 2}, of="M or worse")
rules.sensitivity("direct_fire", of="M or worse", by={"fire_value": [1, 2]}, fire_value=11)
odds = rules.odds("direct_fire", given={"fire_value": 11}, players={"owner": "best"}, aim="roll", policy={"combat_losses": "a"})
odds.range("roll")
odds.of("steps_left", unit="a", key=None)
odds.joint("result", "roll")
odds.then("direct_fire", when="roll > 3", carry={"fire_value": "roll"}, given={"fire_value": 3})
odds.until("roll > 3", at_most=5)
odds.result.quantile("1/2")
odds.result.at_least("M")
odds.result.bounds("M")
odds.result.text(40, rows=3)
enfilade.check("facts")
enfilade.load(text="facts", options={}, search_path=["x"])
enfilade.published_schema("outcome")
enfilade.mixture([("1/3", odds.result)])
enfilade.PreparedRoll(odds.result)
enfilade.Limits(seconds=3, megabytes=4)
enfilade.Ruleset.from_json(rules.to_json())
enfilade.Outcome.from_json({"status": "resolved"})
"""


@cache
def scripts() -> tuple[str, ...]:
    """The Python of the pages, and calls that they lack."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("embedding.md", "odds.md")]
    return (*("\n".join(_BLOCK.findall(page)) for page in pages), *[MORE] * 2)


# Arguments that ask for an amount of work, and calls that take one.
_WORK: Final = {"trials", "workers", "executor", "seconds", "megabytes", "rows"}
_WORKING: Final = {"times", "turns", "rolls", "positions", "range", "text", "faces_for"}


def _places(node: ast.AST) -> Iterator[tuple[Any, Any]]:
    """The places of the arguments and items that may be replaced: holders, and the index or attribute in each."""
    holders: list[list[Any]] = []
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) if name in _WORKING:
            return
        case ast.Call():
            holders = [node.args]
            yield from ((each, "value") for each in node.keywords if each.arg not in _WORK)
        case ast.Dict():
            holders = [node.keys, node.values]
        case ast.List():
            holders = [node.elts]
    yield from ((holder, at) for holder in holders for at in range(len(holder)))
    for child in ast.iter_child_nodes(node):
        yield from _places(child)


def spoilt(script: str, rng: random.Random) -> str:
    """A script with some arguments replaced, one statement a line."""
    tree = ast.parse(script)
    lines = [ast.unparse(each) for each in tree.body]
    places = list(_places(tree))
    for _ in range(rng.choice([1, 1, 2, 5, 15])):
        holder, key = rng.choice(places)
        wrong = ast.parse(rng.choice(WRONG), mode="eval").body
        if isinstance(key, str):
            setattr(holder, key, wrong)
        else:
            holder[key] = wrong
    changed = [ast.unparse(each) for each in tree.body]
    # What neither changed nor names something is left out, so that an input is quick.
    return "\n".join(
        new for old, new in zip(lines, changed, strict=True) if new != old or " = " in old or "import" in old
    )


def _inputs(rng: random.Random) -> Iterator[str]:
    while True:
        yield spoilt(rng.choice(scripts()), rng)


def run_script(script: str) -> None:
    """Run the statements of a script; those that fail as they may are left out."""
    from decimal import Decimal
    from fractions import Fraction

    nested: list[Any] = []
    for _ in range(5_000):
        nested = [nested]
    names: dict[str, Any] = {"Fraction": Fraction, "Decimal": Decimal, "nested": nested, "print": lambda *args: None}
    try:
        statements = ast.parse(script).body
    except SyntaxError:
        return
    for statement in statements:
        try:
            exec(compile(ast.Module([statement], []), SCRIPT, "exec"), names)
        except Exception as error:
            if not _may_raise(error):
                raise


def _may_raise(error: Exception) -> bool:
    place = place_of(error)
    documented = isinstance(error, KeyError) and place.endswith(":__getitem__")
    schema = isinstance(error, ValueError) and place.endswith("schemas.py:published_schema")
    return is_allowed(error) or documented or schema or place.startswith(SCRIPT)


CALLS: Final = Part("calls", _inputs, run_script, slow=20.0)
