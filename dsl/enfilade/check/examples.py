"""Examples: what is given, rolled and chosen as plain data, and what must come of it as conditions of the core."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.check.base import is_list_of
from enfilade.check.blocks import Blocks
from enfilade.check.context import note_of
from enfilade.check.declarations import NO_VALUE, constant_of
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.types import CodeOf, ListOf, Num, RecordOf, Type
from enfilade.core.values import Ref
from enfilade.syntax import tree as t


class Examples(Blocks):
    """Elaborates examples."""

    def build_example(self, tree: t.Example) -> ir.Example | None:
        """An example, or ``None`` where it names nothing that can be played."""
        target = self._target(tree)
        if target is None:
            return None
        facts: dict[str, Any] = {}
        keys: dict[str, str] = {}
        for line in tree.lines:
            if isinstance(line, t.Given):
                for item in line.items:
                    self._given(item, target, facts, keys)
        scope = self._outcome_scope(target, keys)
        return self._collected(tree, target, facts, scope)

    def _target(self, tree: t.Example) -> str | None:
        symbols = self.ctx.symbols
        if tree.procedure is not None:
            name = tree.procedure.name
            if name in symbols.procedures or name in symbols.events:
                return name
            self.ctx.unknown("procedure", tree.procedure, [*symbols.procedures, *symbols.events])
            return None
        if len(symbols.procedures) != 1:
            self.ctx.report(
                "which-procedure",
                f"there are {len(symbols.procedures)} procedures",
                tree.span,
                'say which is played: `example NAME "label"`',
            )
            return None
        return next(iter(symbols.procedures))

    # -- what is given ----------------------------------------------------------------------------------------

    def _given(self, item: t.GivenItem, target: str, facts: dict[str, Any], keys: dict[str, str]) -> None:
        own = self.own_inputs(target) if target in self.ctx.symbols.procedures else {}
        name = item.name.name
        declared = own.get(name) or self.ctx.facts.get(name)
        if declared is not None:
            facts[name] = self._value(item.value, declared.type, keys)
            if isinstance(declared.type, RecordOf) and isinstance(facts[name], dict):
                facts[name].setdefault("name", name)
                keys[facts[name]["name"]] = declared.type.record
        elif name in self.ctx.records:
            self._record_item(item, own, facts, keys)
        else:
            self.ctx.unknown("fact or record", item.name, [*own, *self.ctx.facts, *self.ctx.records])

    def _record_item(
        self, item: t.GivenItem, own: dict[str, ir.Input], facts: dict[str, Any], keys: dict[str, str]
    ) -> None:
        record = item.name.name
        inputs = {**self.ctx.facts, **own}
        lists = [name for name, fact in inputs.items() if is_list_of(fact.type, record)]
        if len(lists) != 1 or item.value is None:
            self.ctx.report(
                "which-list",
                f"there are {len(lists)} facts that are a list of {record}",
                item.span,
                f"name the fact: `given units [{record}1 (...), ...]`",
            )
            return
        facts.setdefault(lists[0], []).append(self._value(item.value, RecordOf(record), keys))

    def _value(self, value: t.Value | None, type_: Type, keys: dict[str, str]) -> Any:
        if value is None:
            return True
        match value.kind:
            case "constant":
                return {"yes": True, "no": False, "none": None}[str(value.scalar)]
            case "list":
                inner = type_.of if isinstance(type_, ListOf) else type_
                return [self._value(item, inner, keys) for item in value.items]
            case "record":
                return self._record(value, type_, keys)
            case "name" if isinstance(type_, RecordOf) and value.scalar not in keys:
                keys[str(value.scalar)] = type_.record
                return {"name": value.scalar}
        return value.scalar

    def _record(self, value: t.Value, type_: Type, keys: dict[str, str]) -> Any:
        record = type_.record if isinstance(type_, RecordOf) else None
        fields = {} if record is None else self.ctx.records[record].fields
        out: dict[str, Any] = {}
        if value.scalar is not None:
            out["name"] = value.scalar
            if record is not None:
                keys[str(value.scalar)] = record
        for item in value.fields:
            field = fields.get(item.name.name)
            if field is None and item.name.name != "name":
                self.ctx.unknown(f"field of {record}", item.name, list(fields))
                continue
            inner: Type = Num() if field is None else field.type
            raw = (
                item.value.scalar
                if item.value is not None and isinstance(inner, RecordOf) and item.value.kind == "name"
                else None
            )
            out[item.name.name] = raw if raw is not None else self._value(item.value, inner, keys)
        return out

    # -- what must come of it ---------------------------------------------------------------------------------

    def _outcome_scope(self, target: str, keys: dict[str, str]) -> Scope:
        scope = Scope("an example", can_ask=False)
        for key, record in keys.items():
            scope.locals[key] = Typed(ir.Const(Ref(record, key)), RecordOf(record))
        outputs = self._outputs.get(target, {})
        for name, type_ in outputs.items():
            scope.locals[name] = Typed(ir.Local(name), type_)
        return scope

    def _collected(self, tree: t.Example, target: str, facts: dict[str, Any], scope: Scope) -> ir.Example:
        options: dict[str, Any] = {}
        faces: list[Any] = []
        choices: list[Any] = []
        effects: list[tuple[str, dict[str, Any]]] = []
        expect: list[ir.Expr] = []
        chances: list[tuple[ir.Expr, Fraction]] = []
        starts: list[tuple[str, str | None]] = []
        gives = refused = wrong = None
        no_effects = False
        for line in tree.lines:
            match line:
                case t.Given():
                    pass
                case t.ExOption():
                    self._option_line(line, options)
                case t.ExOn():
                    faces += [int(c.text) if c.text.removeprefix("-").isdigit() else c.text for c in line.faces]
                case t.Choosing():
                    choices += [self._plain(value) for value in line.values]
                case t.Gives():
                    gives = self._gives(line, target)
                case t.ExEffect():
                    self._effect_line(line, effects)
                case t.NoEffects():
                    no_effects = True
                case t.Expect():
                    expect.append(self.condition(line.condition, scope))
                case t.Refused():
                    refused = line.slug.name
                case t.ExpectInputError():
                    wrong = line.parameter.name
                case t.Chance():
                    self._chance(line, scope, chances)
                case t.Starts():
                    starts.append(self._starts(line))
        return ir.Example(
            target,
            tree.label,
            facts,
            options,
            tuple(faces),
            tuple(choices),
            gives,
            tuple(effects),
            no_effects,
            tuple(expect),
            refused,
            wrong,
            tuple(chances),
            tuple(starts),
            note_of(tree.tail, tree.span),
            tree.span.source.name,
        )

    def _plain(self, value: t.Value) -> Any:
        match value.kind:
            case "constant":
                return {"yes": True, "no": False, "none": None}[str(value.scalar)]
            case "list":
                return [self._plain(item) for item in value.items]
        return value.scalar

    def _option_line(self, line: t.ExOption, options: dict[str, Any]) -> None:
        name = line.item.name
        if name.name not in self.ctx.options:
            self.ctx.unknown("option", name, list(self.ctx.options))
        else:
            options[name.name] = True if line.item.value is None else self._plain(line.item.value)

    def _gives(self, line: t.Gives, target: str) -> str:
        type_ = self._outputs.get(target, {}).get("result")
        if type_ is None:
            self.ctx.report("no-result", f"`{target}` gives no output `result`", line.span, "use `expect`")
        elif isinstance(type_, CodeOf) and line.code.text not in type_.codes:
            self.unknown_word(line.code.text, type_.codes, line.code.span, "code")
        return line.code.text

    def _effect_line(self, line: t.ExEffect, effects: list[tuple[str, dict[str, Any]]]) -> None:
        if line.effect.name not in self.ctx.symbols.effects:
            self.ctx.unknown("effect", line.effect, list(self.ctx.symbols.effects))
            return
        params = self.effect_params(line.effect.name)
        args: dict[str, Any] = {}
        for item in line.args:
            if item.name.name not in [p.name for p in params]:
                self.ctx.unknown(f"parameter of {line.effect.name}", item.name, [p.name for p in params])
            else:
                args[item.name.name] = True if item.value is None else self._plain(item.value)
        if line.on is not None:
            record = next((p.name for p in params if isinstance(p.type, RecordOf) and p.name not in args), None)
            if record is not None:
                args[record] = self._plain(line.on)
        effects.append((line.effect.name, args))

    def _chance(self, line: t.Chance, scope: Scope, chances: list[tuple[ir.Expr, Fraction]]) -> None:
        value = constant_of(_folded(self.number(line.is_, scope).node))
        if value is NO_VALUE or not 0 <= value <= 1:
            self.ctx.report("chance", "a chance is a fraction from 0 to 1", line.is_.span, "write `30/36`")
            value = 0
        of = line.of
        result = scope.locals.get("result")
        bare = isinstance(of, (t.OrMore, t.Text)) or (isinstance(of, t.Name) and of.name not in scope.locals)
        if bare and result is not None:
            of = t.Compared(t.Name("result", of.span), t.Relation("is", of, of.span), of.span)
        chances.append((self.condition(of, scope), Fraction(value)))

    def _starts(self, line: t.Starts) -> tuple[str, str | None]:
        name = line.procedure.name
        if name == "nothing":
            return "", None if line.reason is None else line.reason.name
        if name not in self.ctx.symbols.procedures:
            self.ctx.unknown("procedure", line.procedure, [*self.ctx.symbols.procedures, "nothing"])
        return name, None


def _folded(node: ir.Expr) -> ir.Expr:
    """``30/36`` as a constant."""
    if isinstance(node, ir.Op) and node.name == "divide":
        parts = [constant_of(arg) for arg in node.args]
        if NO_VALUE not in parts and parts[1] != 0:
            return ir.Const(Fraction(parts[0]) / parts[1])
    return node
