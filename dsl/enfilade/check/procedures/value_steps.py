"""Steps that assign values: `let`, `becomes`, `give`."""

from __future__ import annotations

from typing import Final

from enfilade.bind.names import Key
from enfilade.check.context import Context, note_of
from enfilade.check.demand import require_outputs
from enfilade.check.expressions.fields import check_field, field_of, key_of_member
from enfilade.check.expressions.names import check_key, check_name
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import coerce, coerce_unless_optional
from enfilade.check.types.expected_types import check_condition, check_expression, check_whole
from enfilade.check.types.narrowing import learn
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import (
    common_output,
    find_common_type,
    is_assignable,
    is_known,
    without_ranges,
)
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.syntax import tree as t
from enfilade.values.intervals import is_listed
from enfilade.values.types import (
    Bool,
    Listed,
    ListOf,
    MapOf,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    Type,
    Unknown,
    with_article,
)

# The empty list: its elements may have any type.
_EMPTY: Final = ListOf(Unknown())


def note_output(ctx: Context, name: str, type_: Type, scope: Scope) -> None:
    """Note the type of an output: the join of the types that steps give it."""
    before = scope.outputs.get(name)
    scope.outputs[name] = type_ if before is None else common_output(ctx, before, type_) or Unknown()


def check_let(ctx: Context, s: t.Let, scope: Scope) -> list[ir.Statement]:
    """Check ``let x = e``."""
    typed = check_expression(ctx, s.value, scope)
    if isinstance(typed.type, RollOf):
        typed = coerce(typed)
    name = s.name.name
    type_ = _next_type(scope.locals.get(name), typed.type) if name in scope.changing else typed.type
    if isinstance(type_, ListOf) and f"{name}.item" in scope.changing:
        type_ = ListOf(without_ranges(type_.of), type_.least)
    slot = scope.bind(s.name.name, type_)
    return [ir.SetLocal(slot, s.name.name, typed.node, note_of(s.tail, s.span))]


def check_becomes(ctx: Context, s: t.Becomes, scope: Scope) -> list[ir.Statement]:
    """Check ``x becomes e`` and ``unit.steps becomes e``."""
    if len(s.target) == 1 and (s.entry is not None or s.index is not None):
        return _check_part_of_local_becomes(ctx, s, s.target[0], scope)
    if len(s.target) == 1:
        return _check_local_becomes(ctx, s, s.target[0], scope)
    of: Typed = check_name(ctx, t.Name(s.target[0].name, s.target[0].span), scope)
    for part in s.target[1:-1]:
        of = check_field(ctx, of, part, s.target[0].span.to(part.span))
    last = s.target[-1]
    if not isinstance(of.type, RecordOf):
        report_mismatch(ctx, "a record", of.type, s.target[0].span)
        return []
    field = ctx.records[of.type.record].fields.get(last.name)
    if field is None:
        ctx.unknown(f"field of {of.type.record}", last, list(ctx.records[of.type.record].fields))
        return []
    ctx.names.note(last.span, key_of_member(ctx, of.type, last.name), field.type)
    if s.entry is not None or s.index is not None:
        whole = Typed.of(ir.Field(of.node, last.name, last.span, field.type))
        changed = _with_part(ctx, s, whole, scope)
        note = note_of(s.tail, s.span)
        return [] if changed is None else [ir.SetField(of.node, of.type.record, last.name, changed, note)]
    value = coerce(check_expression(ctx, s.value, scope, field.type))
    if not is_assignable(value.type, field.type):
        report_mismatch(ctx, field.type, value.type, s.value.span)
    return [ir.SetField(of.node, of.type.record, last.name, value.node, note_of(s.tail, s.span))]


def _with_entry(ctx: Context, s: t.Becomes, map_: Typed, entry: t.Expr, scope: Scope) -> ir.Expr | None:
    """The map in which one entry has the new value; ``None``, with a diagnostic, if it is no map."""
    if not isinstance(map_.type, MapOf):
        if is_known(map_.type):
            report_mismatch(ctx, "a map", map_.type, s.target[0].span.to(s.target[-1].span))
        return None
    key = check_key(ctx, entry, scope, map_.type)
    value = coerce(check_expression(ctx, s.value, scope, map_.type.value))
    if not is_assignable(value.type, map_.type.value):
        report_mismatch(ctx, map_.type.value, value.type, s.value.span)
    return ir.Op("with entry", (map_.node, key, value.node), s.span, map_.type)


def _with_item(ctx: Context, s: t.Becomes, items: Typed, index: t.Expr, scope: Scope) -> ir.Expr | None:
    """The list in which one item has the new value; ``None``, with a diagnostic, if it is no list."""
    number = check_whole(ctx, index, scope)
    if not isinstance(items.type, ListOf):
        if is_known(items.type):
            report_mismatch(ctx, "a list", items.type, s.target[0].span.to(s.target[-1].span))
        return None
    value = coerce(check_expression(ctx, s.value, scope, items.type.of))
    if not is_assignable(value.type, items.type.of):
        report_mismatch(ctx, items.type.of, value.type, s.value.span)
    return ir.Op("with item", (number.node, items.node, value.node), s.span, items.type)


def _with_part(ctx: Context, s: t.Becomes, whole: Typed, scope: Scope) -> ir.Expr | None:
    """A map with another entry, or a list with another item."""
    if s.entry is not None:
        return _with_entry(ctx, s, whole, s.entry, scope)
    assert s.index is not None
    return _with_item(ctx, s, whole, s.index, scope)


def _check_part_of_local_becomes(ctx: Context, s: t.Becomes, name: t.Ident, scope: Scope) -> list[ir.Statement]:
    local = scope.locals.get(name.name)
    if local is None or not isinstance(local.node, ir.Local):
        return _check_local_becomes(ctx, s, name, scope)
    changed = _with_part(ctx, s, local, scope)
    scope.forget(name.name)
    return [] if changed is None else [ir.SetLocal(local.node.name, name.name, changed, note_of(s.tail, s.span))]


def _check_local_becomes(ctx: Context, s: t.Becomes, name: t.Ident, scope: Scope) -> list[ir.Statement]:
    local = scope.locals.get(name.name)
    if local is None or not isinstance(local.node, ir.Local):
        known = ctx.symbols.kind_of(name.name)
        if known is not None:
            ctx.report(
                "not-changeable",
                f"`{name.name}` is {known} and can't change",
                name.span,
                "only local variables declared by `let` and fields of records can change",
            )
        else:
            ctx.unknown("local", name, list(scope.locals))
        return []
    value = coerce_unless_optional(check_expression(ctx, s.value, scope, _expected_in(local.type)))
    type_ = find_common_type(ctx, coerce_unless_optional(local).type, _next_type(local, value.type))
    if type_ is None:
        report_mismatch(ctx, local.type, value.type, s.value.span)
        return []
    scope.retype(name.name, type_)
    return [ir.SetLocal(local.node.name, name.name, value.node, note_of(s.tail, s.span))]


def _expected_in(type_: Type) -> Type | None:
    """The type that a local expects of its next value; nothing is expected of a local that is an empty list."""
    return None if type_ == _EMPTY else type_


def check_must(ctx: Context, s: t.Must, scope: Scope) -> list[ir.Statement]:
    """Check ``arm must be foot or horse when fire_type is reaction``."""
    first = s.subject[0]
    subject: t.Expr = t.Name(first.name, first.span)
    for part in s.subject[1:]:
        subject = t.FieldOf(subject, part, first.span.to(part.span))
    if s.entry is not None:
        if isinstance(subject, t.FieldOf):
            subject = t.PartOf(subject, s.entry, s.span)
        else:
            subject = t.OfEntry(first, s.entry, s.span)
    compared = tuple(t.Compared(subject, t.Relation("is", target, target.span), s.span) for target in s.targets)
    conditions = tuple(check_condition(ctx, each, scope) for each in compared)
    condition = conditions[0] if len(conditions) == 1 else ir.Any_(conditions, s.span)
    always = condition
    if s.condition is not None:
        holds = check_condition(ctx, s.condition, scope)
        condition = ir.If(holds, condition, ir.Const(True), s.span, Bool())
    given = coerce_unless_optional(check_expression(ctx, subject, scope)).node
    if always is condition:
        learn(scope, condition, True)
    allowed = " ".join(s.targets[0].span.to(s.targets[-1].span).text.split())
    return [ir.Must(condition, given, s.subject[-1].name, allowed, note_of(s.tail, s.span))]


def check_give(ctx: Context, s: t.Give, scope: Scope) -> list[ir.Statement]:
    """Check ``give column = shot.column``."""
    value = s.value if s.value is not None else t.Name(s.name.name, s.name.span)
    typed = check_expression(ctx, value, scope)
    if s.value is None and s.name.span in ctx.names.places:
        ctx.names.same[Key("local", s.name.name, scope.owner), ctx.names.places[s.name.span].key] = None
    if isinstance(typed.type, (RollOf, ReadingOf)):
        typed = coerce(typed)
    return [_give(ctx, s.name.name, typed, note_of(s.tail, s.span), scope)]


def _give(ctx: Context, name: str, typed: Typed, note: ir.Note, scope: Scope, told: bool = True) -> ir.Give:
    note_output(ctx, name, typed.type, scope)
    slot = ir.Local(f"give {name}", type=scope.outputs[name])
    is_fact = name in scope.own_facts or name in ctx.facts
    if is_fact and not isinstance(typed.node, ir.Fact) and name not in scope.locals and note.span is not None:
        scope.hiding.setdefault(name, note.span)
    if name not in scope.locals or scope.locals[name].node == slot:
        scope.forget(slot.name)
        scope.locals[name] = Typed.of(slot)
        scope.assigned.setdefault(name, []).append(slot.type)
    return ir.Give(name, typed.node, note, told)


def check_give_fields(ctx: Context, s: t.GiveFields, scope: Scope) -> list[ir.Statement]:
    """Check ``give fields of fight``: each output of the call becomes an output of the same name."""
    typed = check_expression(ctx, s.of, scope)
    match typed.type:
        case OutputsOf(procedure):
            notes = _notes_of_outputs(ctx, procedure)
            found: list[ir.Statement] = []
            for name in require_outputs(ctx, procedure, s.span):
                value = field_of(ctx, typed, t.Ident(name, s.span), s.span)
                ctx.names.same[Key("local", name, scope.owner), Key("local", name, f"procedure {procedure}")] = None
                note = notes.get(name, note_of(s.tail, s.span))
                found.append(_give(ctx, name, value, note, scope, told=False))
            return found
        case Unknown():
            return []
    message = f"this is {with_article(typed.type)}, not the outputs of a call"
    ctx.report("type", message, s.of.span, "write `call PROCEDURE as x` first, then `give fields of x`")
    return []


def _notes_of_outputs(ctx: Context, procedure: str) -> dict[str, ir.Note]:
    """The label and the citations of each output, from the step of the called procedure that gives it."""
    called = ctx.procedures.get(procedure)
    return {} if called is None else {step.name: step.note for step in nodes(called.body) if isinstance(step, ir.Give)}


def _next_type(before: Typed | None, type_: Type) -> Type:
    """Widening: the number in a local that changes has no known range, unless its values are listed."""
    if isinstance(type_, Listed) or (before is not None and isinstance(before.type, Listed) and _is_listed(type_)):
        return type_
    return type_ if isinstance(type_, ListOf) else without_ranges(type_)


def _is_listed(type_: Type) -> bool:
    return isinstance(type_, Num) and is_listed(type_)
