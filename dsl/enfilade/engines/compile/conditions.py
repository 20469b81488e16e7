"""Code generation for conditions, with short-circuit evaluation as in the rules."""

from __future__ import annotations

from functools import partial

from enfilade.core import ir
from enfilade.engines.compile.function_writer import Writer


def condition(w: Writer, e: ir.Expr) -> str:
    """Return the source of an expression that is used only for its truth value."""
    match e:
        case ir.All(items) if items:
            return chain(w, items, "and")
        case ir.Any_(items) if items:
            return chain(w, items, "or")
    return w.value(e)


def chain(w: Writer, items: tuple[ir.Expr, ...], word: str) -> str:
    """Join conditions by *and* or *or*; a condition that needs statements is evaluated inside an ``if``."""
    text = condition(w, items[0])
    with w.branch():
        for item in items[1:]:
            lines, more = w.captured(partial(condition, w, item))
            text = _with_lines(w, text, lines, more, word) if lines else f"{text} {word} {more}"
    return f"({text})" if len(items) > 1 else text


def _with_lines(w: Writer, text: str, lines: list[tuple[int, str]], more: str, word: str) -> str:
    name = w.fresh()
    w.line(f"{name} = {text}")
    w.line(f"if {name}:" if word == "and" else f"if not {name}:")
    w.lines += [*lines, (w.indent + 1, f"{name} = {more}")]
    return name
