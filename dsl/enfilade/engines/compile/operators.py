"""Code generation for operators: Python's own if the types show that it is equivalent, else the core's function.

The size limit of numbers is checked only if the range of a number may exceed it.
"""

from __future__ import annotations

from typing import Final

from enfilade.core import ir
from enfilade.core.operators import OPERATORS
from enfilade.engines.compile.function_writer import FROM_LOCALS, Writer
from enfilade.engines.compile.python_text import fixed, is_constant
from enfilade.engines.compile.specialised_types import is_positive, is_small, is_text, is_whole
from enfilade.values.types import CodeOf, ListOf, MapOf, Nothing, Num, RollOf, Type, Word, WordSet

INFIX: Final = {"is": "==", "is not": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
ARITHMETIC: Final = {"add": "+", "subtract": "-", "multiply": "*"}
ROUNDED: Final = ("round down", "round up", "round nearest", "round half down", "round half even")
NEVER_FAIL: Final = ("is", "is not", "code", "as severe", "as mild")
SMALL: Final = (1 << 62) - 1
"""Generated code computes with whole numbers up to this size; larger ones use the operators of the core."""


def operation(w: Writer, e: ir.Op) -> str:
    """Return the source of an operator with its arguments."""
    kinds = [w.kind(arg) for arg in e.args]
    if e.name not in NEVER_FAIL and not _is_sure(e, kinds):
        return f"guarded({w.context.pool.shared(e)}, {', '.join(w.values(e.args))})"
    if e.name in INFIX:
        left, right = w.values(e.args)
        sign = e.name if right == "None" and not is_constant(left) else INFIX[e.name]
        return f"({left} {sign} {right})"
    if e.name in ARITHMETIC:
        return _arithmetic(w, e, kinds)
    match e.name, e.args:
        case "negative", (of,):
            return f"(-{w.value(of)})"
        case ("even", (of,)) if is_whole(kinds[0]):
            return f"({w.value(of)} % 2 == 0)"
        case ("odd", (of,)) if is_whole(kinds[0]):
            return f"({w.value(of)} % 2 == 1)"
        case "within", (of, ir.Const(low), ir.Const(high)):
            return _within(w, of, low, high)
        case (("at least" | "at most"), (of, bound)):
            return _held(w, of, bound, "<" if e.name == "at least" else ">")
        case "has", (items, item):
            return _has(w, items, item)
        case "entry", (ir.Local(entries), ir.Local(of)) if (FROM_LOCALS, w.local(entries), w.local(of)) in w.available:
            return w.available[FROM_LOCALS, w.local(entries), w.local(of)]
        case "mod", (_, _) if is_whole(kinds[0]) and is_positive(kinds[1]):
            left, right = w.values(e.args)
            return f"({left} % {right})"
        case "doubles", (ir.Local(name),) if (faces := w.part(name, "faces")) is not None:
            return f"(len({faces}) > 1 and len(set({faces})) == 1)"
        case (("as severe" | "as mild"), (ir.Const(order), code, ir.Const(limit))) if limit in order:
            return _severity(w, e.name, order, code, limit)
        case ("code", (of,)) if is_text(kinds[0]):
            return w.value(of)
        case name, (of,) if name in ROUNDED:
            return _rounded(w, e, of)
    return _called(w, e)


def _is_sure(e: ir.Op, kinds: list[Type]) -> bool:
    """Whether no argument can be ``none``, the result of a choice without options."""
    match e.name, kinds:
        case "has", [items, _]:
            return isinstance(items, (ListOf, WordSet))
        case (("item" | "first" | "last"), [number, items]):
            return isinstance(number, Num) and isinstance(items, ListOf)
        case (("entry" | "keys"), [entries, *_]):
            return isinstance(entries, MapOf)
        case "doubles", [roll]:
            return isinstance(roll, RollOf)
        case "rank", [_, word]:
            return isinstance(word, (CodeOf, Word))
        case "within", [of, *ends]:
            return isinstance(of, Num) and all(isinstance(end, (Num, Nothing)) for end in ends)
    return all(isinstance(kind, Num) for kind in kinds)


def _called(w: Writer, e: ir.Op) -> str:
    function = w.context.pool.shared(OPERATORS[e.name])
    return f"{function}({', '.join(w.values(e.args))})"


def _arithmetic(w: Writer, e: ir.Op, kinds: list[Type]) -> str:
    is_bounded = is_small(w.kind(e))
    if not is_bounded and (e.name == "multiply" or not all(is_whole(kind) for kind in kinds)):
        return _called(w, e)
    left, right = w.values(e.args)
    text = f"{left} {ARITHMETIC[e.name]} {right}"
    return f"({text})" if is_bounded else size_checked(w, text)


def size_checked(w: Writer, text: str) -> str:
    """Return the source of a whole number with a check of the size limit."""
    name, first = _named(w, text)
    return f"({name} if -{SMALL} < {first} < {SMALL} else checked({name}))"


def _within(w: Writer, of: ir.Expr, low: object, high: object) -> str:
    text = w.value(of)
    left = "" if low is None else f"{w.constant(low)} <= "
    right = "" if high is None else f" <= {w.constant(high)}"
    return f"({left}{text}{right})" if left or right else f"({text}, True)[1]"


def _held(w: Writer, of: ir.Expr, bound: ir.Expr, sign: str) -> str:
    text, limit = w.values([of, bound])
    (a, first), (b, second) = _named(w, text), _named(w, limit)
    return f"({b} if {first} {sign} {second} else {a})"


def _named(w: Writer, text: str) -> tuple[str, str]:
    """Return a name for a value, and the source of its first use, which assigns the name."""
    name = text if fixed(text) else w.fresh()
    return name, text if name == text else f"({name} := {text})"


def _has(w: Writer, items: ir.Expr, item: ir.Expr) -> str:
    left, right = w.values([items, item])
    # Python evaluates the element first; make sure that facts are still requested in the right order.
    return f"({right} in {left})" if fixed(left) or fixed(right) else _called_with(w, "has", [left, right])


def _called_with(w: Writer, name: str, args: list[str]) -> str:
    return f"{w.context.pool.shared(OPERATORS[name])}({', '.join(args)})"


def _severity(w: Writer, name: str, order: tuple[str, ...], code: ir.Expr, limit: str) -> str:
    index = order.index(limit)
    enough = frozenset(order[index:] if name == "as severe" else order[: index + 1])
    return f"({w.value(code)} in {w.context.pool.shared(enough)})"


def _rounded(w: Writer, e: ir.Op, of: ir.Expr) -> str:
    if is_whole(w.kind(of)):
        return w.value(of)
    if e.name == "round down" and isinstance(of, ir.Op) and of.name == "divide" and _are_whole(w, of.args):
        return _floor(w, of)
    return _called(w, e)


def _floor(w: Writer, of: ir.Op) -> str:
    """Return the source of a floor division of whole numbers; only large numbers take the exact quotient."""
    left, right = w.values(of.args)
    (a, first), (b, second) = _named(w, left), _named(w, right)
    exact = _called_with(w, "round down", [_called_with(w, "divide", [a, b])])
    return f"({a} // {b} if (-{SMALL} < {first} < {SMALL}) & (0 < {second} < {SMALL}) else {exact})"


def _are_whole(w: Writer, items: tuple[ir.Expr, ...]) -> bool:
    return all(is_whole(w.kind(item)) for item in items)
