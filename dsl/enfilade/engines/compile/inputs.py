"""The quick way in: code that takes the facts of one procedure where each plainly is what it should be.

Whatever is unusual in the least, such as a record, a number as text or a name that is not known, is a doubt, and is
left to the general conversion, which knows what to make of it or what to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.inputs import external_names
from enfilade.core.types import Bool, ListOf, Maybe, Num, Type, Word, WordSet
from enfilade.engines.compile.kinds import Typist
from enfilade.engines.compile.writer import Pool

DOUBT: Final = "return None"
_LARGE: Final = 1 << 60
_LONG: Final = 1_000


def quick_inputs(typist: Typist, pool: Pool, procedure: ir.Procedure, kept: Mapping[str, str]) -> list[str]:
    """The lines that turn ``given`` into ``facts``, or end the function with ``None``.

    Args:
        typist: Knows the facts.
        pool: Holds constants.
        procedure: What the facts are for.
        kept: The facts that are wanted in variables too, by their names in the core, and those variables.
    """
    names = external_names(procedure.inputs)
    # Where a fact has another name in the core, each is put in its place; otherwise what is given stands there already.
    renames = any(own != name for own, name in names.items())
    lines = ["facts = {}" if renames else "facts = {**given}", "left = len(given)"]
    for own, name in names.items():
        declared = typist.input(name)
        lines.append(f"if {pool.constant(own)} in given:")
        lines += [f"    {line}" for line in _taken(pool, declared.type, own, name, renames)]
        if name in kept:
            default = f"{kept[name]} = {pool.constant(declared.default)}" if declared.has_default else DOUBT
            lines += [f"    {kept[name]} = v", f"else: {default}"]
    return [*lines, f"if left: {DOUBT}"]


def _taken(pool: Pool, type_: Type, own: str, name: str, renames: bool) -> list[str]:
    lines = [f"v = given[{pool.constant(own)}]", *_checked(pool, type_), "left -= 1"]
    if renames or isinstance(type_, (ListOf, WordSet)):
        lines.append(f"facts[{pool.constant(name)}] = v")
    return lines


def _checked(pool: Pool, type_: Type) -> list[str]:
    """The lines that leave where ``v`` is not of a type, and convert it where it is."""
    match type_:
        case WordSet(words):
            one, order = (
                pool.shared({word: (word,) for word in words}),
                pool.shared({w: i for i, w in enumerate(words)}),
            )
            return [
                f"if type(v) not in SETS: {DOUBT}",
                "if len(v) == 1:",
                "    (v,) = v",
                f"    if type(v) is not str or v not in {one}: {DOUBT}",
                f"    v = {one}[v]",
                "else:",
                f"    v = in_order(v, {order})",
                f"    if v is None: {DOUBT}",
            ]
        case ListOf(of, least):
            test = _wrong(pool, of, "e") or "True"
            return [
                f"if type(v) is not list and type(v) is not tuple or not {least} <= len(v) <= {_LONG}: {DOUBT}",
                "for e in v:",
                f"    if {test}: {DOUBT}",
                "v = tuple(v)",
            ]
    return [f"if {_wrong(pool, type_, 'v') or 'True'}: {DOUBT}"]


def _wrong(pool: Pool, type_: Type, name: str) -> str:
    """The test that a value is not plainly of a type; empty where there is no such test."""
    match type_:
        case Num(low, high):
            least = -_LARGE if low is None else low
            most = _LARGE if high is None else high
            return f"type({name}) is not int or not {pool.constant(least)} <= {name} <= {pool.constant(most)}"
        case Bool():
            return f"{name} is not True and {name} is not False"
        case Word(words):
            return f"type({name}) is not str or {name} not in {pool.shared(frozenset(words))}"
        case Maybe(of):
            return f"{name} is not None and ({_wrong(pool, of, name) or 'True'})"
    return ""


def in_order(given: Any, order: Mapping[str, int]) -> tuple[str, ...] | None:
    """Some words in the order of their declaration; ``None`` where there is any other among them."""
    for each in given:
        if type(each) is not str or each not in order:
            return None
    return tuple(sorted({*given}, key=order.__getitem__))
