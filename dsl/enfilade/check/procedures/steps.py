"""Steps: the dispatch over every kind of step, and control flow. Syntactic sugar is removed (desugaring)."""

from __future__ import annotations

from typing import Final, assert_never

from attrs import evolve

from enfilade.check.context import Context, note_of
from enfilade.check.demand import require_outputs
from enfilade.check.procedures.chance_steps import check_draw, check_move_cards, check_reshuffle, check_roll_step
from enfilade.check.procedures.choices import by_player, check_choice, check_choose
from enfilade.check.procedures.effect_steps import check_assign, check_perform
from enfilade.check.procedures.leaving import LEFT, goes_on, guarded, has_left, mark_left, not_left, unless_left
from enfilade.check.procedures.loops import check_loop
from enfilade.check.procedures.procedure_calls import check_call_arguments, check_required_facts
from enfilade.check.procedures.readings import check_apply, check_read
from enfilade.check.procedures.value_steps import check_becomes, check_give, check_give_fields, check_let, check_must
from enfilade.check.scope import Element, EnclosingLoop, Known, Scope, Typed
from enfilade.check.types.coercions import coerce_unless_optional
from enfilade.check.types.expected_types import check_condition, check_expression, check_list, check_whole
from enfilade.check.types.narrowing import joined, learn
from enfilade.check.types.reports import has_errors, warn_of_covered_cases
from enfilade.check.types.type_relations import common_output, find_common_type, is_known
from enfilade.core import ir
from enfilade.core.given_outputs import is_run
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import Edit, Fix
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, ListOf, OutputsOf, RecordOf, Type, Unknown, Word

# The steps that may change records, decks or effects, and those whose blocks are checked step by step.
_CHANGING: Final = (
    ir.SetField, ir.Perform, ir.ApplyResults, ir.CallProcedure, ir.DrawCards, ir.Reshuffle,
)  # fmt: skip
# Their steps are checked one by one.
_OF_STEPS: Final = (t.When, t.ForEach, t.RepeatUntil, t.RepeatTimes, t.Together)


def check_body(ctx: Context, steps: tuple[t.Step, ...], scope: Scope) -> ir.Body:
    """Check steps in order."""
    out: list[ir.Statement] = []
    for step in steps:
        out += check_statement(ctx, step.statement, scope)
    return tuple(out)


def check_block(ctx: Context, block: t.Block, scope: Scope, keep: bool = False) -> ir.Body:
    """Check a block below a line. Its declarations are local to it, because it may not run."""
    before, known = dict(scope.locals), dict(scope.known)
    body = check_body(ctx, block.steps, scope)
    if not keep:
        _join_locals(ctx, scope, before, dict(scope.locals))
        scope.set_known(joined(scope.known, known))
    return body


def check_statement(ctx: Context, s: t.Statement, scope: Scope) -> list[ir.Statement]:
    """Lower a step to statements of the core."""
    built = _check_statement(ctx, s, scope)
    if not isinstance(s, _OF_STEPS) and any(isinstance(node, _CHANGING) for each in built for node in nodes(each)):
        scope.forget()
    return built


def _check_statement(ctx: Context, s: t.Statement, scope: Scope) -> list[ir.Statement]:
    match s:
        case t.Refuse():
            condition = check_condition(ctx, s.condition, scope)
            learn(scope, condition, False)
            return [ir.Refuse(s.slug.name, condition, note_of(s.tail, s.span))]
        case t.Roll():
            return by_player(ctx, s.player, scope, check_roll_step(ctx, s, scope))
        case t.Draw():
            return by_player(ctx, s.player, scope, check_draw(ctx, s, scope))
        case t.Reshuffle():
            return check_reshuffle(ctx, s, scope)
        case t.MoveCards():
            return check_move_cards(ctx, s, scope)
        case t.Let():
            return check_let(ctx, s, scope)
        case t.Must():
            return check_must(ctx, s, scope)
        case t.Becomes():
            return check_becomes(ctx, s, scope)
        case t.Read():
            return check_read(ctx, s, scope)
        case t.Apply():
            return check_apply(ctx, s, scope)
        case t.Perform():
            return check_perform(ctx, s, scope)
        case t.Choose():
            return check_choose(ctx, s, scope)
        case t.ChooseWhether():
            options = ir.Const((True, False), s.span, ListOf(Bool(), 2))
            return check_choice(ctx, s.player, s.name, options, Bool(), None, False, note_of(s.tail, s.span), scope)
        case t.ChooseWord():
            _check_words_are_words(ctx, s, scope)
            words = tuple(word.name for word in s.words)
            options = ir.Const(words, s.span, ListOf(Word(words), len(words)))
            return check_choice(
                ctx, s.player, s.name, options, Word(words), None, False, note_of(s.tail, s.span), scope, may=s.may
            )
        case t.Assign():
            return check_assign(ctx, s, scope)
        case t.When():
            return [_check_when(ctx, s, scope)]
        case t.ForEach():
            return _check_for_each(ctx, s, scope)
        case t.RepeatUntil():
            return _check_while(ctx, s, scope) if s.is_while else _check_until(ctx, s, scope)
        case t.RepeatTimes():
            times = check_whole(ctx, s.times, scope).node
            body, loop = check_loop(ctx, scope, lambda: _check_round(ctx, s.block, scope, has_round=is_run(times)))
            return _repeat(s, loop, ir.Repeat(scope.slot("round"), None, times, None, body))
        case t.Leave():
            return _check_leave(ctx, s, scope)
        case t.DoNothing():
            return _check_nothing(ctx, s, scope)
        case t.Together():
            parts = tuple(tuple(check_statement(ctx, step.statement, scope)) for step in s.block.steps)
            return [ir.Together(parts, note_of(s.block.tail, s.span))]
        case t.Stop():
            return [ir.Stop(note_of(s.tail, s.span))]
        case t.Call():
            return _check_call(ctx, s, scope)
        case t.Give():
            return check_give(ctx, s, scope)
        case t.GiveFields():
            return check_give_fields(ctx, s, scope)
        case _:
            assert_never(s)


def _check_when(ctx: Context, s: t.When, scope: Scope, above: tuple[tuple[ir.Expr, Span], ...] = ()) -> ir.Branch:
    condition = check_condition(ctx, s.condition, scope)
    cases = (*above, (condition, s.condition.span))
    if not isinstance(s.otherwise, t.When):
        warn_of_covered_cases(ctx, cases)
    before, known = dict(scope.locals), dict(scope.known)
    learn(scope, condition, True)
    noted = len(ctx.diagnostics)
    body = check_block(ctx, s.block, scope, keep=True)
    wrong, noted = has_errors(ctx, noted), len(ctx.diagnostics)
    first, known_first = dict(scope.locals), dict(scope.known)
    _restore_locals(scope, before)
    scope.set_known(known)
    learn(scope, condition, False)
    otherwise: ir.Body = ()
    if isinstance(s.otherwise, t.When):
        otherwise = (_check_when(ctx, s.otherwise, scope, cases),)
    elif s.otherwise is not None:
        otherwise = check_block(ctx, s.otherwise, scope, keep=True)
    ends = [goes_on(body), goes_on(otherwise)]
    if not all(ends):
        _go_on_after(scope, first if ends[0] else dict(scope.locals), known_first if ends[0] else dict(scope.known))
        return ir.Branch(condition, body, otherwise, note_of(s.block.tail, s.span))
    body += _converted(ctx, first, scope.locals, before)
    otherwise += _converted(ctx, scope.locals, first, before)
    if s.otherwise is None:
        _join_locals(ctx, scope, before, first, dict(scope.locals))
    else:
        _join_branches(ctx, scope, before, first, (wrong, has_errors(ctx, noted)))
    scope.set_known(joined(scope.known, known_first))
    return ir.Branch(condition, body, otherwise, note_of(s.block.tail, s.span))


def _go_on_after(scope: Scope, locals_: dict[str, Typed], known: Known) -> None:
    """Go on after `when` with what is known at the end of its only branch that has an end."""
    _restore_locals(scope, locals_)
    scope.set_known(known)


def _converted(ctx: Context, end: dict[str, Typed], other: dict[str, Typed], before: dict[str, Typed]) -> ir.Body:
    """Steps at the end of a branch that make a number of a roll, a sum or a reading if the other branch has a number."""
    steps: list[ir.Statement] = []
    for name in [name for name in end if name in other]:
        mine, theirs = end[name], other[name]
        if mine.node != theirs.node or find_common_type(ctx, mine.type, theirs.type) is not None:
            continue
        value = coerce_unless_optional(mine)
        if value is not mine and find_common_type(ctx, value.type, coerce_unless_optional(theirs).type) is not None:
            steps.append(ir.SetLocal(name, name, value.node, ir.NO_NOTE))
            end[name] = mine.retyped(value.type)
            if name in before:
                before[name] = end[name]
    return tuple(steps)


def _join_branches(
    ctx: Context, scope: Scope, before: dict[str, Typed], first: dict[str, Typed], wrong: tuple[bool, bool]
) -> None:
    """Join the scopes after `when` and `otherwise`: a local that both declare has the join of its types.

    A branch with a mistake may have meant to declare what the other one declares.
    """
    second = dict(scope.locals)
    _join_locals(ctx, scope, before, first, second)
    for name in {**first, **second}:
        if name not in before and (name in first or wrong[0]) and (name in second or wrong[1]):
            _declare_joined(ctx, scope, name, first.get(name) or second[name], second.get(name) or first[name])


def _declare_joined(ctx: Context, scope: Scope, name: str, first: Typed, second: Typed) -> None:
    if first.node != second.node:
        return
    type_ = common_output(ctx, first.type, second.type)
    if type_ is None:
        scope.unlike[name] = (first.type, second.type)
    else:
        scope.locals[name] = first.retyped(type_)


def _join_locals(ctx: Context, scope: Scope, before: dict[str, Typed], *ends: dict[str, Typed]) -> None:
    """Restore the locals from before the branches; a local declared again in a branch gets the join of its types.

    A local whose types have no join is undeclared afterwards.
    """
    _restore_locals(scope, before)
    for name, typed in before.items():
        type_: Type | None = typed.type
        for end in ends:
            if name not in end:
                type_ = None
            elif type_ is not None and end[name].type != typed.type:
                joined_type = common_output(ctx, type_, end[name].type)
                scope.unlike |= {} if joined_type is not None else {name: (type_, end[name].type)}
                type_ = joined_type
        if type_ is None:
            del scope.locals[name]
        else:
            scope.locals[name] = typed if type_ == typed.type else typed.retyped(type_)


def _check_leave(ctx: Context, s: t.Leave, scope: Scope) -> list[ir.Statement]:
    if "leave" in ctx.symbols.effects:
        return _perform_of_name(ctx, "leave", s, scope)
    if not scope.loops:
        ctx.report("misplaced", "`leave` is not inside a loop", s.span, "`stop` ends the procedure")
        return []
    loop = scope.loops[-1]
    loop.left = loop.left or scope.slot(LEFT)
    loop.leaves.append(dict(scope.locals))
    return [mark_left(loop.left, note_of(s.tail, s.span))]


def _check_words_are_words(ctx: Context, s: t.ChooseWord, scope: Scope) -> None:
    """Report ``chooses card from hand``, whose single word is the name of a list."""
    word = s.words[0]
    is_known = word.name in scope.locals or word.name in ctx.facts or word.name in ctx.symbols.words
    if len(s.words) == 1 and is_known and word.span.text == word.name:
        message = f"behind `from` stand the words themselves, and `{word.name}` is the name of a list"
        place = word.span.source.span(word.span.source.text.rfind("from", 0, word.span.start), word.span.start)
        fix = Fix(f"write `among {word.name}`", (Edit(place, "among "),))
        ctx.report("misplaced", message, word.span, fix.message, fix=fix)


def _check_nothing(ctx: Context, s: t.DoNothing, scope: Scope) -> list[ir.Statement]:
    return _perform_of_name(ctx, "nothing", s, scope) if "nothing" in ctx.symbols.effects else []


def _perform_of_name(ctx: Context, name: str, s: t.Leave | t.DoNothing, scope: Scope) -> list[ir.Statement]:
    """An effect that is named like a step, and needs no record or number."""
    return check_perform(ctx, t.Perform(t.Ident(name, s.span), None, (), s.tail, s.span), scope)


def _check_round(
    ctx: Context, block: t.Block, scope: Scope, inner: Scope | None = None, has_round: bool = False
) -> tuple[ir.Body, EnclosingLoop]:
    """Check the block of a loop; if the loop may have no round, the declarations of the block are local to it."""
    before, loop = dict(scope.locals), EnclosingLoop()
    body = _check_enclosed(ctx, block, inner or scope, loop)
    _join_rounds(ctx, scope, before, [dict(scope.locals), *loop.leaves], has_round)
    return body, loop


def _check_enclosed(ctx: Context, block: t.Block, scope: Scope, loop: EnclosingLoop) -> ir.Body:
    scope.loops.append(loop)
    body = check_block(ctx, block, scope, keep=True)
    scope.loops.pop()
    return body


def _check_while(ctx: Context, s: t.RepeatUntil, scope: Scope) -> list[ir.Statement]:
    """Lower ``repeat while c`` to a condition around a loop until it is false."""
    times = None if s.most is None else check_whole(ctx, s.most, scope).node
    condition, (body, loop) = check_loop(ctx, scope, lambda: _check_while_round(ctx, s, scope))
    until = ir.Not(condition, s.condition.span)
    if s.most is None and not loop.leaves:
        learn(scope, condition, False)
    steps = _repeat(s, loop, ir.Repeat(scope.slot("round"), until, times, s.limit, body))
    return [ir.Branch(condition, tuple(steps), (), note_of(s.block.tail, s.span))]


def _check_while_round(ctx: Context, s: t.RepeatUntil, scope: Scope) -> tuple[ir.Expr, tuple[ir.Body, EnclosingLoop]]:
    condition = check_condition(ctx, s.condition, scope)
    learn(scope, condition, True)
    return condition, _check_round(ctx, s.block, scope)


def _check_until(ctx: Context, s: t.RepeatUntil, scope: Scope) -> list[ir.Statement]:
    times, limit = _check_bound(ctx, s, scope)
    has_round = times is None or is_run(times.node)
    body, until, loop = check_loop(ctx, scope, lambda: _check_until_round(ctx, s, scope, has_round))
    if s.most is None and not loop.leaves:
        learn(scope, until, True)
    node = None if times is None else times.node
    return _repeat(s, loop, ir.Repeat(scope.slot("round"), until, node, limit, body))


def _check_until_round(
    ctx: Context, s: t.RepeatUntil, scope: Scope, has_round: bool
) -> tuple[ir.Body, ir.Expr, EnclosingLoop]:
    before, loop = dict(scope.locals), EnclosingLoop()
    body = _check_enclosed(ctx, s.block, scope, loop)
    until = check_condition(ctx, s.condition, scope)
    if loop.leaves or not has_round:
        _join_rounds(ctx, scope, before, [dict(scope.locals), *loop.leaves], has_round)
    return body, until, loop


def _check_bound(ctx: Context, s: t.RepeatUntil, scope: Scope) -> tuple[Typed | None, int | None]:
    """The highest number of rounds, and the number of rounds that are an error: ``at most`` of ``enfilade 1``."""
    if s.most is None:
        return None, s.limit
    if not ctx.is_first_version(s.span):
        return check_whole(ctx, s.most, scope), s.limit
    if isinstance(s.most, t.Number) and isinstance(s.most.value, int):
        return None, s.most.value
    ctx.report(
        "language-version",
        "in version 1 of the language, `at most` is a safety limit and must be a number",
        s.most.span,
        "begin the file with `enfilade 1.1`: in that version, the loop ends after the given number of rounds",
    )
    return None, s.limit


def _join_rounds(
    ctx: Context, scope: Scope, before: dict[str, Typed], ends: list[dict[str, Typed]], has_round: bool
) -> None:
    """Join the scopes after a loop; what every end of a round declares is known if there is a round."""
    _join_locals(ctx, scope, before, *ends)
    for name, typed in ends[0].items() if has_round else ():
        if name not in before and all(name in end and end[name].node == typed.node for end in ends):
            type_: Type | None = typed.type
            for end in ends[1:]:
                type_ = None if type_ is None else find_common_type(ctx, type_, end[name].type)
            if type_ is not None:
                scope.locals[name] = typed.retyped(type_)


def _repeat(s: t.RepeatUntil | t.RepeatTimes, loop: EnclosingLoop, repeat: ir.Repeat) -> list[ir.Statement]:
    """A loop with its note; a loop with ``leave`` in it also ends when it is left."""
    note = note_of(s.block.tail, s.span)
    if loop.left is None:
        return [evolve(repeat, note=note)]
    left = has_left(loop.left)
    until = left if repeat.until is None else ir.Any_((left, repeat.until), repeat.until.span)
    return [not_left(loop.left), evolve(repeat, until=until, body=guarded(repeat.body, loop.left), note=note)]


def _check_for_each(ctx: Context, s: t.ForEach, scope: Scope) -> list[ir.Statement]:
    over = check_list(ctx, s.over, scope)
    assert isinstance(over.type, ListOf)
    element = Element(scope.slot(s.name.name), over.type.of)
    inner = scope
    before = scope.locals.get(s.name.name)
    scope.locals[s.name.name] = Typed.of(ir.Local(element.slot, type=element.type))
    of_record = isinstance(element.type, RecordOf) and element.type.record == s.name.name
    if of_record or isinstance(element.type, Unknown):
        inner = scope.within(element)
    body, loop = check_loop(ctx, scope, lambda: _check_round(ctx, s.block, scope, inner, is_run(over.node)))
    if before is None:
        scope.locals.pop(s.name.name, None)
    else:
        scope.locals[s.name.name] = before
    note = note_of(s.block.tail, s.span)
    if loop.left is None:
        return [ir.Loop(element.slot, over.node, body, note)]
    body = (unless_left(guarded(body, loop.left), loop.left),)
    return [not_left(loop.left), ir.Loop(element.slot, over.node, body, note)]


def _check_call(ctx: Context, s: t.Call, scope: Scope) -> list[ir.Statement]:
    name = s.procedure.name
    if name not in ctx.symbols.procedures:
        ctx.unknown("procedure", s.procedure, list(ctx.symbols.procedures))
        if s.name is not None:
            scope.bind(s.name.name, Unknown())
        return []
    noted = len(ctx.diagnostics)
    args = check_call_arguments(ctx, name, s.args, scope)
    unclear = any(item.name is None and not is_known(check_expression(ctx, item.value, scope).type) for item in s.args)
    if len(ctx.diagnostics) == noted and not unclear:
        check_required_facts(ctx, name, args, s.span)
    slot = None
    if s.name is not None:
        require_outputs(ctx, name, s.procedure.span)
        slot = scope.bind(s.name.name, OutputsOf(name, "always"))
    refused = None if s.if_refused is None else check_block(ctx, s.if_refused, scope)
    if s.name is not None:
        goes_on_refused = refused is not None and goes_on(refused)
        slot = scope.bind(s.name.name, OutputsOf(name, "sometimes" if goes_on_refused else "never"))
    return [ir.CallProcedure(name, args, slot, refused, note_of(s.tail, s.span))]


def _restore_locals(scope: Scope, names: dict[str, Typed]) -> None:
    """Restore the locals from before the block."""
    scope.locals.clear()
    scope.locals.update(names)
