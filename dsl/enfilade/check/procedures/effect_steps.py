"""Steps that perform effects or assign them to records."""

from __future__ import annotations

from attrs import evolve

from enfilade.check.context import Context, note_of
from enfilade.check.expressions.calls import check_argument
from enfilade.check.procedures.choices import by_player
from enfilade.check.procedures.policies import policy_for
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.types.expected_types import check_expression, check_list, check_whole
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_known, list_of
from enfilade.check.types.written_types import effect_parameters, key_of_parameter_of_effect
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Subject
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, ListOf, Maybe, Num, RecordOf, Type, Unknown


def check_perform(ctx: Context, s: t.Perform, scope: Scope) -> list[ir.Statement]:
    """Check ``step_loss on gun with amount 1``."""
    if s.effect.name not in ctx.symbols.effects:
        known = [
            *ctx.symbols.effects,
            "roll",
            "read",
            "give",
            "let",
            "apply",
            "call",
            "when",
            "otherwise",
            "repeat",
            "together",
            "refuse",
            "stop",
        ]
        ctx.unknown("step or effect", s.effect, known)
        return []
    args = _check_effect_arguments(ctx, s.effect, s.on, s.args, scope, s.span)
    return [ir.Perform(s.effect.name, args, note_of(s.tail, s.span))]


def _check_effect_arguments(
    ctx: Context, effect: t.Ident, on: t.Expr | None, withs: tuple[t.With, ...], scope: Scope, span: Span
) -> tuple[tuple[str, ir.Expr], ...]:
    params = effect_parameters(ctx, effect.name)
    given: dict[str, ir.Expr] = {}
    wrong = False
    for item in withs:
        param = next((p for p in params if item.name is not None and p.name == item.name.name), None)
        if param is None:
            wrong = True
            name = item.name or t.Ident("fields", item.span)
            if not all(is_known(p.type) for p in params):
                continue
            ctx.unknown(f"parameter of {effect.name}", name, [p.name for p in params], is_parameter=True)
        else:
            assert item.name is not None
            ctx.names.note(item.name.span, key_of_parameter_of_effect(ctx, effect.name, param.name), param.type)
            given[param.name] = check_argument(ctx, item.value, param.type, scope)
    _check_record_argument(ctx, effect, on, params, given, scope, span)
    for param in params:
        if isinstance(param.type, Maybe) or (isinstance(param.type, RecordOf) and param.type.optional):
            given.setdefault(param.name, ir.Const(None, span, param.type))
    missing = [p.name for p in params if p.name not in given]
    # A misspelt parameter, or a parameter of unknown type, was already reported.
    if missing and not wrong and not any(isinstance(p.type, Unknown) for p in params):
        ctx.report(
            "arguments",
            f"`{effect.name}` needs a value for {', '.join(missing)}",
            span,
            f"write `{effect.name} on ... with {missing[0]} ...`",
            about=Subject(tuple(missing)),
        )
    return tuple((p.name, given[p.name]) for p in params if p.name in given)


def _check_record_argument(
    ctx: Context,
    effect: t.Ident,
    on: t.Expr | None,
    params: tuple[ir.Input, ...],
    given: dict[str, ir.Expr],
    scope: Scope,
    span: Span,
) -> None:
    record = next((p for p in params if isinstance(p.type, RecordOf) and p.name not in given), None)
    if on is not None:
        if record is None and any(isinstance(p.type, Unknown) for p in params):
            check_expression(ctx, on, scope)
        elif record is None:
            twice = [p.name for p in params if isinstance(p.type, RecordOf)]
            why = f"gets {twice[0]} twice" if twice else "does not apply to a record"
            ctx.report(
                "arguments", f"`{effect.name}` {why}", on.span, "delete `on ...`", about=Subject(tuple(twice[:1]))
            )
        else:
            given[record.name] = check_argument(ctx, on, record.type, scope)
        return
    if record is None or not isinstance(record.type, RecordOf):
        return
    for element in reversed(scope.elements):
        if element.type == RecordOf(record.type.record):
            given[record.name] = ir.Local(element.slot, span, element.type)
            return


def check_assign(ctx: Context, s: t.Assign, scope: Scope) -> list[ir.Statement]:
    """Lower ``owner assigns N effect among LIST`` to a loop of N choices. If nobody can be chosen, the effect is lost.

    With ``by VALUE``, a local counts down from N by the value of who is chosen. Only those whose value fits are offered.
    """
    if s.effect.name not in ctx.symbols.effects:
        ctx.unknown("effect", s.effect, list(ctx.symbols.effects))
        return []
    nth = scope.slot("nth")
    inner = evolve(scope, nth=Typed.of(ir.Local(nth, s.span, type=Num(1, None))))
    count = check_whole(ctx, s.count, scope)
    among = check_list(ctx, s.among, inner)
    assert isinstance(among.type, ListOf)
    name = s.name or s.effect
    note = note_of(s.tail, s.span)
    chosen = scope.slot(name.name)
    of_chosen = _about_chosen(ctx, s, among.type.of, chosen, inner)
    given = () if of_chosen is None else _check_effect_arguments(ctx, s.effect, None, s.args, of_chosen, s.span)
    there = ir.Op("is not", (ir.Local(chosen, type=Maybe(among.type.of)), ir.Const(None)), type=Bool())
    perform = ir.Perform(s.effect.name, given, ir.Note(None, note.cites, note.assumed, note.span))
    policy = policy_for(ctx, name.name, among.type.of, inner)
    times = ir.Op("range", (ir.Const(1), count.node), s.count.span, ListOf(Num(1, None)))

    done = ir.Op("subtract", (ir.Local(nth, type=Num(1, None)), ir.Const(1)), type=Num(0, None))
    ahead = ir.Ahead(nth, ir.Op("subtract", (count.node, done), type=Num(1, None)), s.effect.name, given)
    choice = ir.Choose(chosen, name.name, "", among.node, None, True, note, ahead, policy)
    if s.key is None or of_chosen is None:
        body = (*by_player(ctx, s.player, scope, [choice]), ir.Branch(there, (perform,), ()))
        return [ir.Loop(nth, times, body, note)]
    points = ir.Local(scope.slot("points"), type=Num())
    cost = check_whole(ctx, s.key, of_chosen).node
    choice = evolve(
        choice, among=_affordable(ctx, s.key, among, points, inner), ahead=evolve(ahead, left=points, cost=cost)
    )
    pay = ir.SetLocal(points.name, "", ir.Op("subtract", (points, cost), type=Num()), ir.NO_NOTE)
    end = ir.SetLocal(points.name, "", ir.Const(0), ir.NO_NOTE)
    steps = (*by_player(ctx, s.player, scope, [choice]), ir.Branch(there, (pay, perform), (end,)))
    body = (ir.Branch(ir.Op(">", (points, ir.Const(0)), type=Bool()), steps, (), note),)
    return [ir.SetLocal(points.name, "", count.node, ir.NO_NOTE), ir.Loop(nth, times, body, note)]


def _about_chosen(ctx: Context, s: t.Assign, type_: Type, chosen: str, scope: Scope) -> Scope | None:
    """The scope in which the fields are those of who is chosen; ``None``, with a diagnostic, if that is no record."""
    if isinstance(type_, RecordOf):
        return scope.within(Element(chosen, RecordOf(type_.record)))
    report_mismatch(ctx, "a list of records", list_of(type_), s.among.span)
    return None


def _affordable(ctx: Context, key: t.Expr, among: Typed, points: ir.Expr, scope: Scope) -> ir.Expr:
    """The elements of a list whose value is above 0 and fits into the points that are left."""
    assert isinstance(among.type, ListOf)
    slot = scope.slot("each")
    with ctx.silently():
        cost = check_whole(ctx, key, scope.within(Element(slot, among.type.of))).node
    fits = ir.Op("within", (cost, ir.Const(1), points), key.span, Bool())
    return ir.Over("filter", slot, among.node, fits, span=among.node.span, type=list_of(among.type.of))
