"""Advice about forms of programming languages: ``max(a, 0)`` as a call, ``ranges[1]`` for an item of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from enfilade.check.context import Context
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.indices import index_before
from enfilade.syntax.tails import start_of, tails

_PRIMARY = (t.Name, t.Number, t.FieldOf, t.Invoke, t.ListOf, t.Paren, t.Each, t.Hash)


def _most(word: str, bound: str) -> Callable[[tuple[t.Expr, ...]], str]:
    """Advice for ``max(a, 0)``, which bounds a number, and ``max(a, b)``, which picks one."""

    def advice(args: tuple[t.Expr, ...]) -> str:
        if len(args) == 1:
            return f"{word} of {_primary(args[0])}"
        numbers = [arg for arg in args if isinstance(arg, (t.Number, t.Negative))]
        others = [arg for arg in args if arg not in numbers]
        if len(numbers) == 1 and len(others) == 1:
            return f"{_text(others[0])} but at {bound} {_text(numbers[0])}"
        return f"{word} of [{', '.join(map(_text, args))}]"

    return advice


def _around(before: str, after: str = "") -> Callable[[tuple[t.Expr, ...]], str]:
    return lambda args: f"{before}{_primary(args[0])}{after}"


_CALLS: Final[dict[str, Callable[[tuple[t.Expr, ...]], str]]] = {
    "max": _most("highest", "least"),
    "min": _most("lowest", "most"),
    "abs": lambda args: f"absolute({_text(args[0])})",
    "len": _around("count of "),
    "length": _around("count of "),
    "size": _around("count of "),
    "count": _around("count of "),
    "sum": _around("sum of "),
    "sorted": _around("", " sorted"),
    "round": _around("", " rounded to nearest"),
    "floor": _around("", " rounded down"),
    "int": _around("", " rounded down"),
    "ceil": _around("", " rounded up"),
    "ceiling": _around("", " rounded up"),
}


def advice_on_call(e: t.Invoke) -> str | None:
    """What to write for a call of a function that other languages have."""
    advice = _CALLS.get(e.name.name.casefold())
    return None if advice is None else f"write `{advice(e.args)}`"


def report_indices(ctx: Context, declarations: tuple[t.Declaration, ...]) -> None:
    """Report ``ranges[1]`` at the end of an expression, which is the whole list and a citation."""
    for node, tail in tails(declarations):
        if tail.span is None or _is_declared_before(node, tail.span):
            continue
        source, start = tail.span.source, tail.span.start
        end = source.text.find("]", start) + 1
        found = index_before(source.text[start_of(node, tail) : end])
        if found is None or end - len(found.brackets) != start:
            continue
        # Texts of the first version keep their meaning.
        report = ctx.warn if ctx.is_first_version(tail.span) else ctx.report
        help_ = f"write `{found.item}`, or, if you mean a citation, put a blank before it"
        report("syntax", found.message, source.span(start, end), help_)


def _is_declared_before(node: Any, tail: Span) -> bool:
    """Whether the name before the tail is the one that the node declares."""
    name = getattr(node, "name", None)
    return isinstance(name, t.Ident) and name.span.end == tail.start and not isinstance(node, t.Give)


def _text(e: t.Expr) -> str:
    return " ".join(e.span.text.split())


def _primary(e: t.Expr) -> str:
    return _text(e) if isinstance(e, _PRIMARY) else f"({_text(e)})"
