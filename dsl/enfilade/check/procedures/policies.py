"""Policies for odds: for each choice an expression, checked among the names that are known where the player chooses.

A policy belongs to a question, not to the rules. The procedures, effects and results with the choice are checked once
more, and the choice in the core then has the policy. So every engine and every analysis knows what the policy reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from enfilade.check.context import Context
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import as_list, coerce, coerce_unless_optional
from enfilade.check.types.expected_types import check_condition, check_expression
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_comparable, without_none
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.data import Ref
from enfilade.values.types import Bool, ListOf, Maybe, Nothing, OutputsOf, RecordOf, RollOf, Type


def policy_for(ctx: Context, choice: str, type_: Type, scope: Scope) -> ir.Expr | None:
    """The policy for a choice, in the core; ``None`` without one.

    Args:
        ctx: The context.
        choice: The name of the choice.
        type_: The type of what is chosen: of one option, or of a list if several are chosen.
        scope: The names that are known where the player chooses.
    """
    if choice not in ctx.policies:
        return None
    policy = ctx.policies[choice]
    if policy is None:
        return ir.Items(tuple(_everything_known(ctx, scope)))
    return _check_policy(ctx, policy, type_, _with_keys(ctx, scope))


def _check_policy(ctx: Context, policy: t.Expr, type_: Type, scope: Scope) -> ir.Expr:
    """Check a policy: it gives an option, or a list of options in order of preference."""
    if isinstance(type_, Bool):
        return check_condition(ctx, policy, scope)
    typed = coerce_unless_optional(check_expression(ctx, policy, scope, type_))
    option = type_.of if isinstance(type_, ListOf) else type_
    if not any(_fits(typed.type, each) for each in (type_, ListOf(option))):
        report_mismatch(ctx, type_, typed.type, policy.span)
    return typed.node


def _fits(got: Type, wanted: Type) -> bool:
    if isinstance(got, Nothing):
        return isinstance(wanted, (Maybe, RecordOf))
    got, wanted = without_none(got), without_none(wanted)
    if isinstance(got, ListOf) and isinstance(wanted, ListOf):
        return _fits(got.of, wanted.of)
    return is_comparable(got, wanted)


def _with_keys(ctx: Context, scope: Scope) -> Scope:
    """The scope with the records of the question by their keys; a name of the rules goes before a key."""
    keys = {key: record for key, record in ctx.keys.items() if key not in ctx.facts and key not in scope.own_facts}
    known = {key: Typed.of(ir.Const(Ref(record, key), type=RecordOf(record))) for key, record in keys.items()}
    return evolve(scope, locals={**known, **scope.locals})


def _everything_known(ctx: Context, scope: Scope) -> Iterator[ir.Expr]:
    """The locals, the dice and the fields of records, each as its kind, its name and its value.

    The values of a roll of several dice are sorted: the order of dice tells a player nothing.
    """
    for name, local in scope.locals.items():
        if isinstance(local.node, ir.Local):
            yield from _known(ctx, name, local, scope)
    for key, record in ctx.keys.items():
        of = ir.Const(Ref(record, key), type=RecordOf(record))
        for field, declared in ctx.records[record].fields.items():
            yield from _told("field", f"{key}.{field}", ir.Field(of, field, type=declared.type))


def _known(ctx: Context, name: str, local: Typed, scope: Scope) -> Iterator[ir.Expr]:
    match local.type:
        case RollOf():
            values, slot = as_list(local), scope.slot("die")
            assert isinstance(values.type, ListOf)
            key = ir.Local(slot, type=values.type.of)
            yield from _told("dice", name, ir.Sort(slot, values.node, key, descending=True, type=values.type))
        case OutputsOf(procedure, "never"):
            for output, type_ in ctx.outputs[procedure].items():
                yield from _told("local", f"{name}.{output}", ir.Part(local.node, output, type=type_))
        case OutputsOf():
            pass
        case _:
            yield from _told("local", name, coerce(local).node)


def _told(kind: str, name: str, value: ir.Expr) -> tuple[ir.Expr, ...]:
    return ir.Const(kind), ir.Const(name), value
