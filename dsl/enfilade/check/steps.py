"""Steps of procedures and effects, and the lines of results: sugar goes, and each becomes a statement of the core."""

from __future__ import annotations

from typing import Final, assert_never

from attrs import evolve

from enfilade.check.base import as_list, is_known, list_of, plain
from enfilade.check.context import note_of
from enfilade.check.expressions import card_type
from enfilade.check.readings import Readings
from enfilade.check.scope import Element, Scope, Typed
from enfilade.core import ir
from enfilade.core.types import (
    Bool,
    CodeOf,
    Label,
    ListOf,
    Maybe,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    Type,
    Unknown,
    Word,
    describe,
)
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t

# The empty list is of any type.
_EMPTY: Final = ListOf(Unknown())


class Steps(Readings):
    """Elaborates statements."""

    def body(self, steps: tuple[t.Step, ...], scope: Scope) -> ir.Body:
        """A block of steps, in order."""
        out: list[ir.Statement] = []
        for step in steps:
            out += self.statement(step.statement, scope)
        return tuple(out)

    def block_body(self, block: t.Block, scope: Scope, keep: bool = False) -> ir.Body:
        """A block below a line; what it declares is known in it only, for it may not run."""
        before = dict(scope.locals)
        body = self.body(block.steps, scope)
        if not keep:
            self._after(scope, before, dict(scope.locals))
        return body

    def statement(self, s: t.Statement, scope: Scope) -> list[ir.Statement]:
        """A step as statements of the core."""
        match s:
            case t.Refuse():
                return [ir.Refuse(s.slug.name, self.condition(s.condition, scope), note_of(s.tail, s.span))]
            case t.Roll():
                return [self._roll(s, scope)]
            case t.Draw():
                return self._draw(s, scope)
            case t.Reshuffle():
                if s.deck.name not in self.ctx.decks:
                    self.ctx.unknown("deck", s.deck, list(self.ctx.decks))
                    return []
                return [ir.Reshuffle(s.deck.name, note_of(s.tail, s.span))]
            case t.Let():
                return self._let(s, scope)
            case t.Becomes():
                return self._becomes(s, scope)
            case t.Read():
                return self.read(s, scope)
            case t.Apply():
                return self.apply(s, scope)
            case t.Perform():
                return self._perform(s, scope)
            case t.Choose():
                return self._choose(s, scope)
            case t.ChooseWhether():
                options = ir.Const((True, False), s.span, ListOf(Bool(), 2))
                return self._choice(s.player, s.name, options, Bool(), None, False, note_of(s.tail, s.span), scope)
            case t.ChooseWord():
                words = tuple(word.name for word in s.words)
                options = ir.Const(words, s.span, ListOf(Word(words), len(words)))
                return self._choice(s.player, s.name, options, Word(words), None, False, note_of(s.tail, s.span), scope)
            case t.Assign():
                return self._assign(s, scope)
            case t.When():
                return [self._when(s, scope)]
            case t.ForEach():
                return self._for_each(s, scope)
            case t.RepeatUntil():
                body = self.block_body(s.block, scope, keep=True)
                until = self.condition(s.condition, scope)
                return [ir.Repeat(scope.slot("round"), until, None, s.limit, body, note_of(s.block.tail, s.span))]
            case t.RepeatTimes():
                times = self.whole(s.times, scope).node
                body = self.block_body(s.block, scope)
                return [ir.Repeat(scope.slot("round"), None, times, None, body, note_of(s.block.tail, s.span))]
            case t.Together():
                parts = tuple(tuple(self.statement(step.statement, scope)) for step in s.block.steps)
                return [ir.Together(parts, note_of(s.block.tail, s.span))]
            case t.Stop():
                return [ir.Stop(note_of(s.tail, s.span))]
            case t.Call():
                return self._call(s, scope)
            case t.Give():
                return self._give(s, scope)
            case _:
                assert_never(s)

    # -- dice and cards ---------------------------------------------------------------------------------------

    def player(self, name: t.Ident | None) -> str | None:
        """A declared player."""
        if name is not None and name.name not in self.ctx.symbols.players:
            self.ctx.unknown("player", name, list(self.ctx.symbols.players))
        return None if name is None else name.name

    def _roll(self, s: t.Roll, scope: Scope) -> ir.Statement:
        groups, type_ = self.roll_type(s.dice, scope)
        rules = tuple(self._roll_rule(rule, type_, scope) for rule in s.rules)
        if isinstance(type_, RollOf) and any(rule.act == "explode" for rule in s.rules):
            low = None if type_.total is None else type_.total.low
            type_ = evolve(type_, high=None, total=Num(low, None))
        slot = scope.bind(s.name.name, type_)
        return ir.RollDice(slot, s.name.name, groups, rules, self.player(s.player), note_of(s.tail, s.span))

    def _roll_rule(self, rule: t.RollRule, roll: Type, scope: Scope) -> ir.RollRule:
        value = roll.value if isinstance(roll, RollOf) else Unknown()
        slot = scope.slot("die")
        relation = t.Relation("is", rule.target, rule.span)
        test = self.relation(Typed.of(ir.Local(slot, rule.span, type=value)), relation, scope, rule.span)
        return ir.RollRule(rule.act, slot, test, rule.times)

    def _draw(self, s: t.Draw, scope: Scope) -> list[ir.Statement]:
        deck = self.ctx.decks.get(s.deck.name)
        count = self.whole(s.count, scope)
        if deck is None:
            self.ctx.unknown("deck", s.deck, list(self.ctx.decks))
            scope.bind(s.name.name, Unknown())
            return []
        least = count.node.value if isinstance(count.node, ir.Const) else 0
        slot = scope.bind(s.name.name, ListOf(card_type(deck), least))
        return [ir.DrawCards(slot, s.name.name, deck.name, count.node, self.player(s.player), note_of(s.tail, s.span))]

    # -- values -----------------------------------------------------------------------------------------------

    def _let(self, s: t.Let, scope: Scope) -> list[ir.Statement]:
        typed = self.expr(s.value, scope)
        if isinstance(typed.type, RollOf):
            typed = plain(typed)
        type_ = _widened(typed.type) if s.name.name in scope.changing else typed.type
        slot = scope.bind(s.name.name, type_)
        (scope.growing.add if type_ == _EMPTY else scope.growing.discard)(s.name.name)
        return [ir.SetLocal(slot, s.name.name, typed.node, note_of(s.tail, s.span))]

    def _becomes(self, s: t.Becomes, scope: Scope) -> list[ir.Statement]:
        if len(s.target) == 1:
            return self._local_becomes(s, s.target[0], scope)
        of: Typed = self.name(t.Name(s.target[0].name, s.target[0].span), scope)
        for part in s.target[1:-1]:
            of = self.field_of(of, part, s.target[0].span.to(part.span))
        last = s.target[-1]
        if not isinstance(of.type, RecordOf):
            self.mismatch("a record", of.type, s.target[0].span)
            return []
        field = self.ctx.records[of.type.record].fields.get(last.name)
        if field is None:
            self.ctx.unknown(f"field of {of.type.record}", last, list(self.ctx.records[of.type.record].fields))
            return []
        value = plain(self.expr(s.value, scope, field.type))
        if not self.fits(value.type, field.type):
            self.mismatch(describe(field.type), value.type, s.value.span)
        return [ir.SetField(of.node, of.type.record, last.name, value.node, note_of(s.tail, s.span))]

    def _local_becomes(self, s: t.Becomes, name: t.Ident, scope: Scope) -> list[ir.Statement]:
        local = scope.locals.get(name.name)
        if local is None or not isinstance(local.node, ir.Local):
            known = self.ctx.symbols.kind_of(name.name)
            if known is not None:
                self.ctx.report(
                    "not-changeable",
                    f"`{name.name}` is {known}, and does not change",
                    name.span,
                    "only locals made by `let` and fields of records change",
                )
            else:
                self.ctx.unknown("local", name, list(scope.locals))
            return []
        if name.name in scope.growing:
            # What it holds so far does not limit what is put into it.
            scope.locals[name.name] = local.retyped(_EMPTY)
            value = plain(self.expr(s.value, scope, _EMPTY))
            scope.locals[name.name] = local.retyped(self._grown(local.type, value.type, s.value.span))
            return [ir.SetLocal(local.node.name, name.name, value.node, note_of(s.tail, s.span))]
        value = plain(self.expr(s.value, scope, local.type))
        if not self.fits(value.type, local.type):
            self.mismatch(describe(local.type), value.type, s.value.span)
        return [ir.SetLocal(local.node.name, name.name, value.node, note_of(s.tail, s.span))]

    def _grown(self, before: Type, value: Type, span: Span) -> Type:
        """The type of a list that began empty: it holds whatever was put into it."""
        if not isinstance(value, ListOf):
            self.mismatch(describe(before), value, span)
            return before
        return self.common(before, ListOf(_widened(value.of)), span)

    # -- effects and choices ----------------------------------------------------------------------------------

    def _perform(self, s: t.Perform, scope: Scope) -> list[ir.Statement]:
        if s.effect.name not in self.ctx.symbols.effects:
            known = [
                *self.ctx.symbols.effects,
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
            self.ctx.unknown("step or effect", s.effect, known)
            return []
        scope.calls.add(("effect", s.effect.name))
        args = self._effect_args(s.effect, s.on, s.args, scope, s.span)
        return [ir.Perform(s.effect.name, args, note_of(s.tail, s.span))]

    def _effect_args(
        self, effect: t.Ident, on: t.Expr | None, withs: tuple[t.With, ...], scope: Scope, span: Span
    ) -> tuple[tuple[str, ir.Expr], ...]:
        params = self.effect_params(effect.name)
        given: dict[str, ir.Expr] = {}
        wrong = False
        for item in withs:
            param = next((p for p in params if item.name is not None and p.name == item.name.name), None)
            if param is None:
                wrong = True
                name = item.name or t.Ident("fields", item.span)
                if not all(is_known(p.type) for p in params):
                    continue
                self.ctx.unknown(f"parameter of {effect.name}", name, [p.name for p in params])
            else:
                given[param.name] = self._held_arg(item.value, param.type, scope)
        self._record_arg(effect, on, params, given, scope, span)
        missing = [p.name for p in params if p.name not in given]
        # A parameter that is spelled wrongly here, or whose type is not known, was reported already.
        if missing and not wrong and not any(isinstance(p.type, Unknown) for p in params):
            self.ctx.report(
                "arguments",
                f"`{effect.name}` needs {', '.join(missing)}",
                span,
                f"write `{effect.name} on ... with {missing[0]} ...`",
            )
        return tuple((p.name, given[p.name]) for p in params if p.name in given)

    def _held_arg(self, e: t.Expr, type_: Type, scope: Scope) -> ir.Expr:
        typed = plain(self.expr(e, scope, type_))
        if not self.fits(typed.type, type_):
            self.mismatch(describe(type_), typed.type, e.span)
        return typed.node

    def _record_arg(
        self,
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
                self.expr(on, scope)
            elif record is None:
                twice = [p.name for p in params if isinstance(p.type, RecordOf)]
                why = f"is given {twice[0]} twice" if twice else "is not done to anybody"
                self.ctx.report("arguments", f"`{effect.name}` {why}", on.span, "leave `on ...` out")
            else:
                given[record.name] = self._held_arg(on, record.type, scope)
            return
        if record is None or not isinstance(record.type, RecordOf):
            return
        for element in reversed(scope.elements):
            if element.type == RecordOf(record.type.record):
                given[record.name] = ir.Local(element.slot, span, element.type)
                return

    def _choose(self, s: t.Choose, scope: Scope) -> list[ir.Statement]:
        among = as_list(self.listing(s.among, scope))
        assert isinstance(among.type, ListOf)
        count = None if s.count is None else self.whole(s.count, scope).node
        return self._choice(
            s.player, s.name, among.node, among.type.of, count, s.if_any, note_of(s.tail, s.span), scope
        )

    def _choice(
        self,
        player: t.Ident,
        name: t.Ident,
        among: ir.Expr,
        type_: Type,
        count: ir.Expr | None,
        if_any: bool,
        note: ir.Note,
        scope: Scope,
    ) -> list[ir.Statement]:
        single = (Word, Num, Bool, CodeOf, Label, Unknown)
        is_list = count is None and isinstance(type_, ListOf) and isinstance(type_.of, single)
        if not is_list and not isinstance(type_, (RecordOf, *single)):
            self.ctx.report("type", f"a player can't choose among {describe(ListOf(type_))}", note.span or player.span)
            type_ = Unknown()
        if count is not None:
            type_ = ListOf(type_)
        elif if_any:
            type_ = RecordOf(type_.record, True) if isinstance(type_, RecordOf) else Maybe(type_)
        slot = scope.bind(name.name, type_)
        who = self.player(player) or player.name
        return [ir.Choose(slot, name.name, who, among, count, if_any, note)]

    def _assign(self, s: t.Assign, scope: Scope) -> list[ir.Statement]:
        """``owner assigns N effect among LIST``: N choices, one at a time; what nobody can take is lost."""
        if s.effect.name not in self.ctx.symbols.effects:
            self.ctx.unknown("effect", s.effect, list(self.ctx.symbols.effects))
            return []
        scope.calls.add(("effect", s.effect.name))
        nth = scope.slot("nth")
        inner = evolve(scope, nth=Typed.of(ir.Local(nth, s.span, type=Num(1, None))))
        count = self.whole(s.count, scope)
        among = self.listing(s.among, inner)
        assert isinstance(among.type, ListOf)
        name = s.name or s.effect
        note = note_of(s.tail, s.span)
        chosen = scope.slot(name.name)
        given = self._assigned_args(s, among.type.of, chosen, inner)
        choose = ir.Choose(chosen, name.name, self.player(s.player) or s.player.name, among.node, None, True, note)
        there = ir.Op("is not", (ir.Local(chosen, type=Maybe(among.type.of)), ir.Const(None)), type=Bool())
        perform = ir.Perform(s.effect.name, given, ir.Note(None, note.cites, note.assumed, note.span))
        times = ir.Op("range", (ir.Const(1), count.node), s.count.span, ListOf(Num(1, None)))
        return [ir.Loop(nth, times, (choose, ir.Branch(there, (perform,), ())), note)]

    def _assigned_args(self, s: t.Assign, type_: Type, chosen: str, scope: Scope) -> tuple[tuple[str, ir.Expr], ...]:
        if not isinstance(type_, RecordOf):
            self.mismatch("a list of records", list_of(type_), s.among.span)
            return ()
        inner = scope.within(Element(chosen, RecordOf(type_.record)))
        return self._effect_args(s.effect, None, s.args, inner, s.span)

    # -- order ------------------------------------------------------------------------------------------------

    def _when(self, s: t.When, scope: Scope) -> ir.Branch:
        condition = self.condition(s.condition, scope)
        before = dict(scope.locals)
        body = self.block_body(s.block, scope, keep=True)
        first = dict(scope.locals)
        _reset(scope, before)
        otherwise: ir.Body = ()
        if isinstance(s.otherwise, t.When):
            otherwise = (self._when(s.otherwise, scope),)
        elif s.otherwise is not None:
            otherwise = self.block_body(s.otherwise, scope, keep=True)
        self._meet(scope, before, first, s)
        return ir.Branch(condition, body, otherwise, note_of(s.block.tail, s.span))

    def _meet(self, scope: Scope, before: dict[str, Typed], first: dict[str, Typed], s: t.When) -> None:
        """After `when` and `otherwise`: what both declare is known, with the type that holds both."""
        second = dict(scope.locals)
        self._after(scope, before, first, second)
        for name in first if s.otherwise is not None else ():
            if name not in before and name in second and first[name].node == second[name].node:
                type_ = self._either_type(first[name].type, second[name].type)
                if type_ is not None:
                    scope.locals[name] = first[name].retyped(type_)

    def _after(self, scope: Scope, before: dict[str, Typed], *ends: dict[str, Typed]) -> None:
        """Know again what was known before; what some way declared anew has a type that holds both.

        A name that means two different things is of no use after them, and not known any more.
        """
        _reset(scope, before)
        for name, typed in before.items():
            type_: Type | None = typed.type
            for end in ends:
                if name not in end:
                    type_ = None
                elif type_ is not None and end[name].type != typed.type:
                    type_ = self._either_type(type_, end[name].type)
            if type_ is None:
                del scope.locals[name]
            else:
                scope.locals[name] = typed if type_ == typed.type else typed.retyped(type_)

    def _either_type(self, a: Type, b: Type) -> Type | None:
        """The type that holds both, if there is one."""
        silent = len(self.ctx.diagnostics)
        type_ = self.common(a, b, Span(SourceFile("<none>", ""), 0, 0))
        fits = len(self.ctx.diagnostics) == silent
        del self.ctx.diagnostics[silent:]
        return type_ if fits else None

    def _for_each(self, s: t.ForEach, scope: Scope) -> list[ir.Statement]:
        over = self.listing(s.over, scope)
        assert isinstance(over.type, ListOf)
        element = Element(scope.slot(s.name.name), over.type.of)
        inner = scope
        before = scope.locals.get(s.name.name)
        scope.locals[s.name.name] = Typed.of(ir.Local(element.slot, type=element.type))
        of_record = isinstance(element.type, RecordOf) and element.type.record == s.name.name
        if of_record or isinstance(element.type, Unknown):
            inner = scope.within(element)
        body = self.block_body(s.block, inner)
        if before is None:
            scope.locals.pop(s.name.name, None)
        else:
            scope.locals[s.name.name] = before
        return [ir.Loop(element.slot, over.node, body, note_of(s.block.tail, s.span))]

    # -- calls ------------------------------------------------------------------------------------------------

    def _call(self, s: t.Call, scope: Scope) -> list[ir.Statement]:
        name = s.procedure.name
        if name not in self.ctx.symbols.procedures:
            self.ctx.unknown("procedure", s.procedure, list(self.ctx.symbols.procedures))
            if s.name is not None:
                scope.bind(s.name.name, Unknown())
            return []
        noted = len(self.ctx.diagnostics)
        args = self.call_args(name, s.args, scope)
        unclear = any(item.name is None and not is_known(self.expr(item.value, scope).type) for item in s.args)
        if len(self.ctx.diagnostics) == noted and not unclear:
            self._check_given(name, args, s.span)
        scope.calls.add(("procedure", name, *sorted(fact for fact, _ in args)))
        refused = None if s.if_refused is None else self.block_body(s.if_refused, scope)
        slot = None
        if s.name is not None:
            self.outputs(name, s.procedure.span)
            slot = scope.bind(s.name.name, OutputsOf(name))
        return [ir.CallProcedure(name, args, slot, refused, note_of(s.tail, s.span))]

    def _check_given(self, procedure: str, args: tuple[tuple[str, ir.Expr], ...], span: Span) -> None:
        """A procedure's own facts are known to nobody else: a call gives those that have no default."""
        given = [fact for fact, _ in args]
        own = self.own_inputs(procedure).items()
        missing = [name for name, fact in own if not fact.has_default and f"{procedure}.{name}" not in given]
        if missing and not any(isinstance(fact.type, Unknown) for _, fact in own):
            self.ctx.report(
                "arguments",
                f"`{procedure}` needs {', '.join(missing)}",
                span,
                f"write `call {procedure} with {missing[0]} ...`",
            )

    def call_args(self, procedure: str, items: tuple[t.With, ...], scope: Scope) -> tuple[tuple[str, ir.Expr], ...]:
        """The facts that a call gives, by their names in the core."""
        own = self.own_facts(procedure)
        args: list[tuple[str, ir.Expr]] = []
        for item in items:
            if item.name is None:
                args += self._fields_as_facts(procedure, item, own, scope)
                continue
            found = own.get(item.name.name)
            fact = self.ctx.facts.get(item.name.name)
            if found is None and fact is None:
                self.ctx.unknown("fact", item.name, [*own, *self.ctx.facts])
                continue
            inner, type_ = found if found is not None else (item.name.name, fact.type if fact else Unknown())
            args.append((inner, self._held_arg(item.value, type_, scope)))
        return tuple(args)

    def _fields_as_facts(
        self, procedure: str, item: t.With, own: dict[str, tuple[str, Type]], scope: Scope
    ) -> list[tuple[str, ir.Expr]]:
        record = self.expr(item.value, scope)
        if not isinstance(record.type, RecordOf):
            self.mismatch("a record", record.type, item.value.span)
            return []
        args: list[tuple[str, ir.Expr]] = []
        for name, field in self.ctx.records[record.type.record].fields.items():
            fact = self.ctx.facts.get(name)
            found = own.get(name) or (None if fact is None else (name, fact.type))
            if found is not None and self.fits(field.type, found[1]):
                args.append((found[0], ir.Field(record.node, name, item.span, field.type)))
        if not args:
            self.ctx.report("no-fields", f"no field of {record.type.record} is a fact of `{procedure}`", item.span)
        return args

    def _give(self, s: t.Give, scope: Scope) -> list[ir.Statement]:
        value = s.value if s.value is not None else t.Name(s.name.name, s.name.span)
        typed = self.expr(value, scope)
        if isinstance(typed.type, (RollOf, ReadingOf)):
            typed = plain(typed)
        self.given(s.name.name, typed.type, scope)
        slot = ir.Local(f"give {s.name.name}", type=scope.outputs[s.name.name])
        if s.name.name not in scope.locals or scope.locals[s.name.name].node == slot:
            scope.locals[s.name.name] = Typed.of(slot)
        return [ir.Give(s.name.name, typed.node, note_of(s.tail, s.span))]


def _reset(scope: Scope, names: dict[str, Typed]) -> None:
    """Know again what was known before."""
    scope.locals.clear()
    scope.locals.update(names)


def _widened(type_: Type) -> Type:
    """A local may change, so that its number has no known range."""
    if isinstance(type_, Num):
        return Num(None, None, type_.whole)
    return type_
