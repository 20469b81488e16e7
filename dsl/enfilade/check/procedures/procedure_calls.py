"""Arguments of a procedure call: the facts that the caller gives."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.declarations import key_of_fact, own_facts, own_inputs
from enfilade.check.expressions.calls import check_argument
from enfilade.check.scope import Scope
from enfilade.check.types.expected_types import check_expression
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_assignable
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Subject
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import RecordOf, Type, Unknown


def check_required_facts(ctx: Context, procedure: str, args: tuple[tuple[str, ir.Expr], ...], span: Span) -> None:
    """Check that a call gives the procedure's own facts that have no default."""
    given = [fact for fact, _ in args]
    own = own_inputs(ctx, procedure).items()
    missing = [name for name, fact in own if not fact.has_default and f"{procedure}.{name}" not in given]
    if missing and not any(isinstance(fact.type, Unknown) for _, fact in own):
        ctx.report(
            "arguments",
            f"`{procedure}` needs a value for {', '.join(missing)}",
            span,
            f"write `call {procedure} with {missing[0]} ...`",
            about=Subject(tuple(missing)),
        )


def check_call_arguments(
    ctx: Context, procedure: str, items: tuple[t.With, ...], scope: Scope
) -> tuple[tuple[str, ir.Expr], ...]:
    """Check the facts that a call gives; return them by their names in the core. A fact goes before a field of a record."""
    own = own_facts(ctx, procedure)
    fields: dict[str, ir.Expr] = {}
    args: dict[str, ir.Expr] = {}
    for item in items:
        if item.name is None:
            fields |= _check_fields_as_facts(ctx, procedure, item, own, scope)
            continue
        found = own.get(item.name.name)
        fact = ctx.facts.get(item.name.name)
        if found is None and fact is None:
            ctx.unknown("fact", item.name, [*own, *ctx.facts])
            continue
        ctx.names.note(item.name.span, key_of_fact(ctx, procedure, item.name.name))
        inner, type_ = found if found is not None else (item.name.name, fact.type if fact else Unknown())
        if inner in args:
            ctx.report("duplicate-name", f"`{item.name.name}` is given twice", item.name.span, "delete one")
        args[inner] = check_argument(ctx, item.value, type_, scope)
    return tuple((fields | args).items())


def _check_fields_as_facts(
    ctx: Context, procedure: str, item: t.With, own: dict[str, tuple[str, Type]], scope: Scope
) -> list[tuple[str, ir.Expr]]:
    record = check_expression(ctx, item.value, scope)
    if not isinstance(record.type, RecordOf):
        report_mismatch(ctx, "a record", record.type, item.value.span)
        return []
    args: list[tuple[str, ir.Expr]] = []
    for name, field in ctx.records[record.type.record].fields.items():
        fact = ctx.facts.get(name)
        found = own.get(name) or (None if fact is None else (name, fact.type))
        if found is not None and is_assignable(field.type, found[1]):
            args.append((found[0], ir.Field(record.node, name, item.span, field.type)))
    if not args:
        ctx.report(
            "no-fields", f"no field of {record.type.record} has the same name as a fact of `{procedure}`", item.span
        )
    return args
