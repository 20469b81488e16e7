"""Questions about the outcome of a procedure: one expression, checked against an already checked ruleset.

A question is written as after ``expect`` in an example, or as after ``chance of``: a code by itself, ``M or worse``,
refers to the result. Checking a question never changes the checked ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import evolve, frozen

from enfilade.check.context import Context
from enfilade.check.examples.examples import about_result, codes_of_result, outcome_scope
from enfilade.check.procedures.absent_outputs import check_outcome, if_given
from enfilade.check.scope import Scope
from enfilade.check.types.coercions import coerce_unless_optional
from enfilade.check.types.type_relations import is_known, without_none
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module
from enfilade.values.data import Ref
from enfilade.values.types import Bool, ListOf, MapOf, Maybe, Num, RecordOf, Type, Word, describe, with_article

_OR_WORSE: Final = re.compile(r"(?P<code>\S+) (?P<way>or (?:worse|better))")
_OR_MORE: Final = re.compile(r"\bor (?:more|higher|greater|later|less|fewer|lower|earlier|worse|better)$")
_MOST: Final = 10_000
_LONG_NUMBER: Final = 20
_BEFORE: Final = "define question = ("


@frozen
class Asked:
    """A checked question.

    Attributes:
        expr: The expression, with the outputs as locals; ``None`` if it is wrong.
        type: Its type.
        wrong: Its mistakes, one sentence each.
    """

    expr: ir.Expr | None
    type: Type
    wrong: tuple[str, ...] = ()


def check_question(
    ctx: Context, procedure: str, keys: Mapping[str, str], text: str, *, condition: bool = False
) -> Asked:
    """Check one question.

    Args:
        ctx: The context of the ruleset's check.
        procedure: The procedure whose outcome is asked about.
        keys: The record type of each key that can be named.
        text: The question.
        condition: Whether it must be a yes/no question.

    Returns:
        The question in the core, or its mistakes.
    """
    asking = ctx.for_questions()
    scope = outcome_scope(asking, procedure, dict(keys))
    text = " ".join(text.split())
    if text in scope.locals and not condition:
        # The name of an output may be a keyword.
        typed = coerce_unless_optional(scope.locals[text])
        return Asked(typed.node, without_none(typed.type))
    tree, found = parse_question(_as_written(text, codes_of_result(scope)))
    if tree is None:
        tree, _ = parse_question(_with_aliases(text, scope))
    if tree is None:
        return _with_mistakes(found)
    try:
        if not isinstance(tree, t.Name) or tree.name in codes_of_result(scope):
            tree = about_result(asking, tree, scope)
        return _check_tree(asking, tree, scope, condition=condition)
    except RecursionError:
        return Asked(None, Bool(), ("the text is nested too deep",))


def entry_of(asked: Asked, key: str, keys: Mapping[str, str]) -> Asked:
    """The entry of a map for a record, or for another key.

    Args:
        asked: A question whose answer is a map.
        key: The key as the user writes it.
        keys: The record type of each key that can be named.
    """
    if asked.expr is None:
        return asked
    if not isinstance(asked.type, MapOf):
        return Asked(None, asked.type, (f"the value is {with_article(asked.type)}, which has no entries",))
    value = _key_value(asked.type.key, key, keys)
    if value is None:
        known = ", ".join(keys) if isinstance(asked.type.key, RecordOf) else describe(asked.type.key)
        return Asked(None, asked.type, (f"there is no entry for {key}; the entries are {known or 'none'}",))
    entry = ir.Op("entry", (asked.expr, ir.Const(value)), type=asked.type.value)
    return Asked(if_given(_with_missing_entries_as_none(entry)), Maybe(asked.type.value))


def _key_value(type_: Type, key: str, keys: Mapping[str, str]) -> Any:
    match type_:
        case RecordOf(record):
            return Ref(record, key) if keys.get(key) == record else None
        case Word(words):
            return key if key in words else None
        case Num():
            return int(key) if key.removeprefix("-").isdigit() and len(key) < _LONG_NUMBER else None
        case Bool():
            return {"yes": True, "no": False}.get(key)
    return key


def _with_missing_entries_as_none(expr: ir.Expr) -> ir.Expr:
    """A question in which a missing entry of a map is none."""
    match expr:
        case ir.Op("entry", (entries, key)):
            has = ir.Op("has", (ir.Op("keys", (entries,), type=ListOf(key.type)), key), type=Bool())
            return ir.If(has, expr, ir.Const(None), expr.span, Maybe(expr.type))
        case ir.Op("is" | "is not", args):
            return evolve(expr, args=tuple(_with_missing_entries_as_none(arg) for arg in args))
        case ir.All(items) | ir.Any_(items):
            return evolve(expr, items=tuple(_with_missing_entries_as_none(item) for item in items))
        case ir.Not(of):
            return evolve(expr, of=_with_missing_entries_as_none(of))
    return expr


def _check_tree(asking: Context, tree: t.Expr, scope: Scope, *, condition: bool) -> Asked:
    noted = asking.unknown_numbers
    typed = check_outcome(asking, tree, scope, condition=condition)
    expr, type_ = typed.node, typed.type
    errors = [d for d in asking.diagnostics if d.severity is Severity.ERROR]
    if errors or asking.unknown_numbers > noted or not is_known(type_):
        return _with_mistakes(
            errors, [name for name, local in scope.locals.items() if isinstance(local.node, ir.Local)]
        )
    lenient = _with_missing_entries_as_none(expr)
    return Asked(lenient, Maybe(type_) if isinstance(lenient, ir.If) and lenient is not expr else type_)


def _with_mistakes(found: list[Diagnostic], outputs: Iterable[str] = ()) -> Asked:
    told = tuple("; ".join((d.message, *d.helps)) for d in found[:3])
    if found and found[0].code == "unknown-name" and (found[0].about is None or found[0].about.guess is None):
        told = (found[0].message, *told[1:], f"the outputs are {', '.join(outputs)}")
    return Asked(None, Bool(), told or ("the meaning is not clear",))


def _as_written(text: str, codes: tuple[str, ...]) -> str:
    """The question with quotes around a code that is not a name: ``2X``, ``- or worse``."""
    found = _OR_WORSE.fullmatch(text)
    code = found["code"] if found else text
    if code not in codes or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", code):
        return text
    return f'"{code}" {found["way"]}' if found else f'"{code}"'


def _with_aliases(text: str, scope: Scope) -> str:
    """The question with aliases for outputs whose names are keywords, such as `sum`."""
    for name in [name for name, local in scope.locals.items() if isinstance(local.node, ir.Local)]:
        changed = re.sub(rf"\b{name}\b(?!\s+of\b)", f"{name}_output", text)
        if changed != text and f"{name}_output" not in scope.locals and parse_question(f"{name} is 0")[0] is None:
            scope.locals[f"{name}_output"] = scope.locals[name]
            text = changed
    return text


def parse_question(text: str) -> tuple[t.Expr | None, list[Diagnostic]]:
    """Parse a question: any expression, or the short forms after ``chance of``."""
    if len(text) > _MOST or not text:
        span = SourceFile("<question>", text).span(0, 0)
        return None, [Diagnostic("syntax", "the text is too long" if text else "the question is empty", span)]
    # In brackets `M or worse` would be `M`, or else something named `worse`.
    short = _parse_short(text) if _OR_MORE.search(text) else None
    if short is not None:
        return short, []
    define, found = _parse_declaration(f"{_BEFORE}{text})\n")
    if isinstance(define, t.Define) and isinstance(define.cases[0].value, t.Paren):
        return define.cases[0].value.of, []
    short = _parse_short(text)
    return short, [] if short is not None else [_without_our_bracket(d, len(text)) for d in found]


def _parse_short(text: str) -> t.Expr | None:
    """Parse a question as after ``chance of``."""
    example, _ = _parse_declaration(f'example question "question"\n  chance of {text} = 0\n')
    if isinstance(example, t.Example) and isinstance(example.lines[0], t.Chance):
        return example.lines[0].of
    return None


def _without_our_bracket(found: Diagnostic, length: int) -> Diagnostic:
    """Move a diagnostic about the bracket that the parser adds: place it at the end of the question."""
    is_ours = found.span.start >= len(_BEFORE) + length
    return evolve(found, message="the text ends too early", helps=()) if is_ours else found


def _parse_declaration(text: str) -> tuple[t.Declaration | None, list[Diagnostic]]:
    parsed = parse_module(SourceFile("<question>", text))
    wrong = [d for d in parsed.diagnostics if d.severity is Severity.ERROR and d.code != "look-alike"]
    declarations = parsed.module.declarations
    return (declarations[0] if len(declarations) == 1 and not wrong else None), wrong
