"""``moved_into_contact.reason``: why an event starts nothing, or ``none``.

The ``unless`` lines of the event are lowered to a definition by cases, so engines need no extra code.
"""

from __future__ import annotations

from enfilade.bind.names import Key
from enfilade.check.context import Context
from enfilade.check.demand import require_lowered
from enfilade.check.expressions.names import look_up
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import POISONED
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t


def is_event(ctx: Context, name: str, span: Span, scope: Scope) -> bool:
    """Whether a name means an event."""
    return name in ctx.symbols.events and look_up(ctx, name, span, scope) is None


def check_event_reason(ctx: Context, event: str, part: t.Ident, span: Span) -> Typed:
    """Check ``EVENT.reason``."""
    ctx.names.note(part.span, Key("built-in", part.name))
    if part.name != "reason":
        ctx.unknown(f"part of the event {event}", part, ["reason"])
        return POISONED
    reactions = ctx.query(_reactions_to, event)
    if len(reactions) != 1:
        message = f"`{event}` has {len(reactions)} `on` blocks, each with its own reasons"
        ctx.report("type", message, span, f"write one block `on {event}` with its `unless` lines")
        return POISONED
    tree = _cases_of(ctx.symbols.events[event], reactions[0])
    definition = require_lowered(ctx, tree.name.name, span, lambda: _check_silently(ctx, tree))
    if definition is None:
        return POISONED
    return Typed.of(ir.Define(definition.name, (), span, type=definition.type))


def _reactions_to(ctx: Context, event: str) -> list[t.OnEvent]:
    return [reaction for reaction in ctx.symbols.reactions if reaction.event.name == event]


def _check_silently(ctx: Context, tree: t.Define) -> ir.Definition | None:
    """Check the reasons of an event; the check of the event itself reports their mistakes."""
    with ctx.silently():
        return ctx.passes.definition(ctx, tree)


def _cases_of(event: t.Event, reaction: t.OnEvent) -> t.Define:
    """The reasons of an event, in their order, as a definition by cases."""
    unless = [line for line in reaction.lines if isinstance(line, t.Unless)]
    cases = [t.Case(t.Text(line.slug.name, line.slug.span), line.condition, line.tail, line.span) for line in unless]
    last = t.Case(t.Constant("none", event.span), None, t.NO_TAIL, event.span)
    name = t.Ident(f"{event.name.name}.reason", event.name.span)
    label = reaction.tail.label or event.tail.label or event.name.name
    return t.Define(name, (), (*cases, last), True, t.Tail(f"why not: {label}"), event.span)
