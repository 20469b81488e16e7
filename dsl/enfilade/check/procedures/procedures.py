"""Procedures, effects, and the procedures that events start."""

from __future__ import annotations

from enfilade.bind.names import keys_of_parameters
from enfilade.check.context import Context, note_of
from enfilade.check.declarations import own_facts, own_inputs
from enfilade.check.procedures.changing_locals import changing_locals
from enfilade.check.procedures.procedure_calls import check_call_arguments
from enfilade.check.procedures.skipped_outputs import warn_of_skipped_outputs
from enfilade.check.procedures.steps import check_body
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.expected_types import check_condition
from enfilade.check.types.written_types import effect_parameters
from enfilade.core import ir
from enfilade.core.given_outputs import surely_given
from enfilade.syntax import tree as t


def check_effect(ctx: Context, tree: t.Effect) -> ir.Effect:
    """Check an effect and its body."""
    params = effect_parameters(ctx, tree.name.name)
    scope = Scope(f"effect {tree.name.name}", changing=changing_locals(tree.steps))
    scope.keys |= keys_of_parameters(ctx.symbols, tree.params, scope.owner)
    for param in params:
        scope.locals[param.name] = Typed.of(ir.Local(param.name, type=param.type))
    body = check_body(ctx, tree.steps, scope)
    return ir.Effect(tree.name.name, params, body, note_of(tree.tail, tree.name.span))


def check_procedure(ctx: Context, tree: t.Procedure) -> ir.Procedure:
    """Check a procedure. `used_facts` fills in its inputs when the whole program is known."""
    name = tree.name.name
    scope = Scope(f"procedure {name}", own_facts=own_facts(ctx, name), changing=changing_locals(tree.steps))
    body = check_body(ctx, tree.steps, scope)
    ctx.outputs[name] = scope.outputs
    ctx.sometimes_given[name] = frozenset(scope.outputs) - surely_given(body)
    warn_of_skipped_outputs(ctx, tree.steps)
    return ir.Procedure(
        name=name,
        facts=own_inputs(ctx, name),
        inputs=(),
        body=body,
        outputs=dict(scope.outputs),
        note=note_of(tree.tail, tree.name.span),
        helper=tree.helper,
    )


def check_reaction(ctx: Context, tree: t.OnEvent) -> ir.Reaction | None:
    """Check the procedures that an event starts."""
    if tree.event.name not in ctx.symbols.events:
        ctx.unknown("event", tree.event, list(ctx.symbols.events))
        return None
    scope = Scope(f"on {tree.event.name}")
    lines: list[ir.Unless | ir.Start] = []
    for line in tree.lines:
        if isinstance(line, t.Unless):
            condition = check_condition(ctx, line.condition, scope)
            lines.append(ir.Unless(condition, line.slug.name, note_of(line.tail, line.span)))
        elif line.procedure.name not in ctx.symbols.procedures:
            ctx.unknown("procedure", line.procedure, list(ctx.symbols.procedures))
        else:
            args = check_call_arguments(ctx, line.procedure.name, line.args, scope)
            lines.append(ir.Start(line.procedure.name, args, note_of(line.tail, line.span)))
    if tree.lines and isinstance(last := tree.lines[-1], t.Unless):
        message = "this `unless` stands below every `start`, so it prevents nothing"
        ctx.warn("misplaced", message, last.span, "put it above the `start` that it prevents")
    return ir.Reaction(tree.event.name, tuple(lines), (), note_of(tree.tail, tree.span))
