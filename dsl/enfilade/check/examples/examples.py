"""Examples: facts, dice and choices as plain data, and expectations as conditions of the core."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve

from enfilade.bind.names import Key, pieces_in
from enfilade.check.context import Context, note_of
from enfilade.check.declarations import key_of_fact, own_inputs
from enfilade.check.examples.example_tables import cases_of
from enfilade.check.examples.played_alone import played_alone
from enfilade.check.expressions.names import look_up
from enfilade.check.procedures.absent_outputs import check_outcome
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import POISONED
from enfilade.check.types.constants import constant_of
from enfilade.check.types.expected_types import check_number
from enfilade.check.types.literals import GivenReader, plain_value
from enfilade.check.types.reports import report_mismatch, report_unknown_word
from enfilade.check.types.type_relations import is_known, or_none, without_none
from enfilade.check.types.written_types import effect_parameters, key_of_parameter_of_effect
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.data import Ref
from enfilade.values.types import NO_VALUE, Bool, CodeOf, ListOf, Num, RecordOf, Type


def check_example(ctx: Context, tree: t.Example, pieces: Mapping[str, Key]) -> ir.Example | None:
    """Check an example with the names of its records; ``None``, with a diagnostic, if it names no procedure or event."""
    target = _target(ctx, tree)
    if target is None:
        return None
    types = fact_types(ctx, target)
    tree = _with_roll_given(ctx, tree, target)
    items = [item for line in tree.lines if isinstance(line, t.Given) for item in line.items]
    for item in items:
        is_record = item.name.name in ctx.records and item.name.name not in types
        key = key_of_fact(ctx, target, item.name.name)
        ctx.names.note(item.name.span, Key("record", item.name.name) if is_record else key)
    given = GivenReader(ctx, types, items)
    scope = outcome_scope(ctx, target, given.keys)
    scope.keys |= {name: pieces[name] for name in given.keys if name in pieces}
    for name in given.unclear - scope.locals.keys():
        scope.locals[name] = POISONED
    return _check_lines(ctx, tree, target, given.facts, scope)


def _with_roll_given(ctx: Context, tree: t.Example, target: str) -> t.Example:
    """An example of a part that rolls nothing: its `on` line is the value of the only parameter that isn't given."""
    probe = ctx.probes.get(target)
    rolled = next((line for line in tree.lines if isinstance(line, t.ExOn)), None)
    if probe is None or rolled is None or any(isinstance(step, ir.RollDice) for step in probe.body):
        return tree
    given = {item.name.name for line in tree.lines if isinstance(line, t.Given) for item in line.items}
    left = [name for name in probe.facts if name not in given]
    if len(left) != 1:
        several = f"`on` gives one parameter, but these have no value: {', '.join(left)}"
        message = several if left else f"`{target}` rolls no dice, and has no parameter without a value"
        help_ = f"give the others: `given {left[-1]} ...`" if left else "delete this line"
        ctx.report("arguments", message, rolled.span, help_)
        return evolve(tree, lines=tuple(line for line in tree.lines if line is not rolled))
    item = t.GivenItem(t.Ident(left[0], rolled.span), _roll_as(probe.facts[left[0]].type, rolled), rolled.span)
    roll = t.Given((item,), rolled.span)
    return evolve(tree, lines=tuple(roll if line is rolled else line for line in tree.lines))


def _roll_as(type_: Type, line: t.ExOn) -> t.Value:
    """Dice as a value: the list of the faces, their total, or a single face."""
    faces = [_face(face) for face in line.faces]
    if isinstance(type_, ListOf):
        return t.Value("list", None, tuple(_value_of(face, line.span) for face in faces), (), line.span)
    numbers = [face for face in faces if isinstance(face, int)]
    return _value_of(sum(numbers) if len(numbers) == len(faces) else faces[0], line.span)


def _value_of(face: int | str, span: Span) -> t.Value:
    return t.Value("number" if isinstance(face, int) else "text", face, (), (), span)


def _face(face: t.Code) -> int | str:
    return int(face.text) if face.text.removeprefix("-").isdigit() else face.text


def check_examples(ctx: Context, tree: t.Example) -> list[ir.Example]:
    """Check an example, or each case of a table of examples."""
    pieces = {key.name: key for _, key in pieces_in(tree)}
    if not tree.rows:
        example = check_example(ctx, tree, pieces)
        return [] if example is None else [example]
    target = _target(ctx, tree)
    if target is None:
        return []
    outputs = ctx.outputs.get(target, {})
    noted = len(ctx.diagnostics)
    cases = cases_of(ctx, tree, fact_types(ctx, target), outputs)
    examples = [example for case in cases if (example := check_example(ctx, case, pieces)) is not None]
    # A mistake in a header or above the table occurs in every case, and is reported for the first.
    first = {found.message: found for found in reversed(ctx.diagnostics[noted:])}
    ctx.diagnostics[noted:] = [found for found in ctx.diagnostics[noted:] if first[found.message] is found]
    return examples


def fact_types(ctx: Context, target: str) -> dict[str, Type]:
    """The types of the facts that an example of a procedure or an event may give."""
    own = own_inputs(ctx, target) if target in ctx.symbols.procedures or target in ctx.probes else {}
    return {name: fact.type for name, fact in {**ctx.facts, **own}.items()}


def _target(ctx: Context, tree: t.Example) -> str | None:
    symbols = ctx.symbols
    if tree.kind and tree.procedure is not None:
        return played_alone(ctx, tree.kind, tree.procedure)
    if tree.procedure is not None:
        name = tree.procedure.name
        if name in symbols.procedures or name in symbols.events:
            return name
        kinds: dict[str, Collection[str]] = {
            "chart": symbols.charts, "define": symbols.definitions, "modifiers": symbols.modifiers,
        }  # fmt: skip
        kind = next((kind for kind, declared in kinds.items() if name in declared), None)
        help_ = "" if kind is None else f"to try it by itself, write `example {kind} {name}`"
        ctx.unknown("procedure", tree.procedure, [*symbols.procedures, *symbols.events], help_=help_)
        return None
    names = ctx.query(_played_in, tree.span.source.name)
    if len(names) != 1:
        ctx.report(
            "which-procedure",
            f"the ruleset has {len(names)} procedures, but this example names none of them",
            tree.span,
            'name one: `example NAME "label"`',
        )
        return None
    return names[0]


def _played_in(ctx: Context, source: str) -> list[str]:
    return ctx.symbols.played_in(source)


def outcome_scope(ctx: Context, target: str, keys: dict[str, str]) -> Scope:
    """The scope of questions about the outcome of a procedure: its outputs, and the records by their keys."""
    scope = Scope(f"procedure {target}", outcome_of=target)
    for key, record in keys.items():
        scope.locals[key] = Typed.of(ir.Const(Ref(record, key), type=RecordOf(record)))
        scope.keys[key] = key_of_fact(ctx, target, key)
    sometimes = ctx.sometimes_given.get(target, ())
    for name, type_ in ctx.outputs.get(target, {}).items():
        scope.locals[name] = Typed.of(ir.Local(name, type=or_none(type_) if name in sometimes else type_))
        if target in ctx.probes:
            scope.keys[name] = Key("built-in", name)
    return scope


def _check_lines(ctx: Context, tree: t.Example, target: str, facts: dict[str, Any], scope: Scope) -> ir.Example:
    options: dict[str, Any] = {}
    faces: list[Any] = []
    choices: list[Any] = []
    effects: list[tuple[str, dict[str, Any]]] = []
    expect: list[ir.Expr] = []
    chances: list[ir.Chance] = []
    starts: list[tuple[str, str | None]] = []
    gives = refused = wrong = None
    no_effects = False
    for line in tree.lines:
        match line:
            case t.Given():
                pass
            case t.ExOption():
                _check_option(ctx, line, options)
            case t.ExOn():
                faces += [_face(face) for face in line.faces]
            case t.Choosing():
                choices += [plain_value(value) for value in line.values]
            case t.Gives():
                gives = _check_gives(ctx, line, target)
            case t.ExEffect():
                _check_effect(ctx, line, effects, facts)
            case t.NoEffects():
                no_effects = True
            case t.Expect():
                expect.append(check_outcome(ctx, line.condition, scope, condition=True).node)
            case t.Refused():
                refused = line.slug.name
            case t.ExpectInputError():
                wrong = line.parameter.name
            case t.Chance():
                _check_chance(ctx, line, scope, chances)
            case t.Starts():
                starts.append(_check_starts(ctx, line))
    return ir.Example(
        procedure=target,
        label=tree.label,
        facts=facts,
        options=options,
        faces=tuple(faces),
        choices=tuple(choices),
        gives=gives,
        effects=tuple(effects),
        no_effects=no_effects,
        expect=tuple(expect),
        refused=refused,
        input_error=wrong,
        chances=tuple(chances),
        starts=tuple(starts),
        note=note_of(tree.tail, tree.span),
        origin=tree.span.source.name,
    )


def _check_option(ctx: Context, line: t.ExOption, options: dict[str, Any]) -> None:
    name = line.item.name
    if name.name not in ctx.options:
        ctx.unknown("option", name, list(ctx.options))
    else:
        options[name.name] = True if line.item.value is None else plain_value(line.item.value)


def _check_gives(ctx: Context, line: t.Gives, target: str) -> str:
    type_ = ctx.outputs.get(target, {}).get("result")
    if type_ is None:
        _report_no_result(ctx, f"`{target}`", line.span)
    elif isinstance(type_, CodeOf) and line.code.text not in type_.codes:
        report_unknown_word(ctx, line.code.text, type_.codes, line.code.span, "code")
    return line.code.text


def _report_no_result(ctx: Context, what: str, span: Span) -> None:
    ctx.report("no-result", f"{what} gives no output `result`", span, "write `expect OUTPUT is ...`")


def _check_effect(
    ctx: Context, line: t.ExEffect, effects: list[tuple[str, dict[str, Any]]], facts: Mapping[str, Any]
) -> None:
    if line.effect.name not in ctx.symbols.effects:
        ctx.unknown("effect", line.effect, list(ctx.symbols.effects))
        return
    params = effect_parameters(ctx, line.effect.name)
    args: dict[str, Any] = {}
    for item in line.args:
        if item.name.name not in [p.name for p in params]:
            if not all(is_known(p.type) for p in params):
                continue
            known = [p.name for p in params]
            ctx.unknown(f"parameter of {line.effect.name}", item.name, known, is_parameter=True)
        else:
            key = key_of_parameter_of_effect(ctx, line.effect.name, item.name.name)
            ctx.names.note(item.name.span, key)
            args[item.name.name] = True if item.value is None else _value_of_effect(item.value, facts)
    if line.on is not None:
        record = next((p.name for p in params if isinstance(p.type, RecordOf) and p.name not in args), None)
        if record is not None:
            args[record] = _value_of_effect(line.on, facts)
    effects.append((line.effect.name, args))


def _value_of_effect(value: t.Value, facts: Mapping[str, Any]) -> Any:
    """A value of an effect; the name of a fact that is one record means this record."""
    plain = plain_value(value)
    given = facts.get(plain) if isinstance(plain, str) else None
    return given.get("name", plain) if isinstance(given, Mapping) else plain


def _check_chance(ctx: Context, line: t.Chance, scope: Scope, chances: list[ir.Chance]) -> None:
    value = constant_of(check_number(ctx, line.is_, scope).node)
    if value is NO_VALUE or not (line.mean or 0 <= value <= 1):
        message, help_ = (
            ("a mean must be a number", "70/3") if line.mean else ("a chance must be a fraction from 0 to 1", "30/36")
        )
        ctx.report("chance", message, line.is_.span, f"write `{help_}`")
        value = 0
    players = tuple((None if each.player is None else _player(ctx, each.player), each.way) for each in line.players)
    if line.mean:
        of = check_outcome(ctx, line.of, scope, condition=False)
        if is_known(of.type) and not isinstance(without_none(of.type), Num | Bool):
            report_mismatch(ctx, "a number", of.type, line.of.span)
        chances.append(ir.Chance(of.node, Fraction(value), True, players))
        return
    if "result" not in scope.locals and isinstance(line.of, (t.OrMore, t.Text)):
        _report_no_result(ctx, f"`{scope.outcome_of}`", line.of.span)
        return
    condition = check_outcome(ctx, about_result(ctx, line.of, scope), scope, condition=True)
    chances.append(ir.Chance(condition.node, Fraction(value), False, players))


def _player(ctx: Context, name: t.Ident) -> str:
    known = ctx.symbols.players
    if name.name not in known:
        ctx.unknown("player", name, list(known))
    return name.name


def about_result(ctx: Context, of: t.Expr, scope: Scope) -> t.Expr:
    """Expand a short question about the result: a bare code, or `M or worse`, is compared with ``result``."""
    if "result" not in scope.locals:
        return of
    if isinstance(of, t.Or) and _is_bare(ctx, of.items[0], scope):
        return t.Or((_is_result(of.items[0]), *of.items[1:]), of.span)
    return _is_result(of) if isinstance(of, t.OrMore) or _is_bare(ctx, of, scope) else of


def _is_bare(ctx: Context, e: t.Expr, scope: Scope) -> bool:
    """Whether an expression is a bare code of the result."""
    if isinstance(e, t.Name) and e.name not in scope.locals:
        means_more = look_up(ctx, e.name, e.span, scope) is not None
        return not means_more or e.name in codes_of_result(scope)
    # A condition that is always or never true is no question.
    return isinstance(e, (t.Text, t.Constant))


def codes_of_result(scope: Scope) -> tuple[str, ...]:
    """The possible codes or words of the result."""
    result = scope.locals.get("result")
    return () if result is None else result.type.words


def _check_starts(ctx: Context, line: t.Starts) -> tuple[str, str | None]:
    name = line.procedure.name
    if name == "nothing":
        return "", None if line.reason is None else line.reason.name
    if name not in ctx.symbols.procedures:
        ctx.unknown("procedure", line.procedure, [*ctx.symbols.procedures, "nothing"])
    return name, None


def _is_result(of: t.Expr) -> t.Expr:
    return t.Compared(t.Name("result", of.span), t.Relation("is", of, of.span), of.span)
