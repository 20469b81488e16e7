"""Examples: what is given, rolled and chosen as plain data, and what must come of it as conditions of the core."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.check.base import NOTHING, is_known
from enfilade.check.blocks import Blocks
from enfilade.check.context import note_of
from enfilade.check.declarations import NO_VALUE, constant_of
from enfilade.check.given import GivenReader, plain_value
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.types import CodeOf, RecordOf
from enfilade.core.values import Ref
from enfilade.source.text import Span
from enfilade.syntax import tree as t


class Examples(Blocks):
    """Elaborates examples."""

    def build_example(self, tree: t.Example) -> ir.Example | None:
        """An example, or ``None`` where it names nothing that can be played."""
        target = self._target(tree)
        if target is None:
            return None
        own = self.own_inputs(target) if target in self.ctx.symbols.procedures else {}
        items = [item for line in tree.lines if isinstance(line, t.Given) for item in line.items]
        given = GivenReader(self.ctx, {**self.ctx.facts, **own}, items)
        scope = self.outcome_scope(target, given.keys)
        for name in given.unclear - scope.locals.keys():
            scope.locals[name] = NOTHING
        return self._collected(tree, target, given.facts, scope)

    def _target(self, tree: t.Example) -> str | None:
        symbols = self.ctx.symbols
        if tree.procedure is not None:
            name = tree.procedure.name
            if name in symbols.procedures or name in symbols.events:
                return name
            self.ctx.unknown("procedure", tree.procedure, [*symbols.procedures, *symbols.events])
            return None
        # A module that is used may bring its own: in a file with one procedure, its examples play that one.
        own = [name for name, found in symbols.procedures.items() if found.span.source is tree.span.source]
        names = own if len(own) == 1 else list(symbols.procedures)
        if len(names) != 1:
            self.ctx.report(
                "which-procedure",
                f"there are {len(names)} procedures",
                tree.span,
                'say which is played: `example NAME "label"`',
            )
            return None
        return names[0]

    # -- what must come of it ---------------------------------------------------------------------------------

    def outcome_scope(self, target: str, keys: dict[str, str]) -> Scope:
        """The names with which one speaks of how a procedure ended: its outputs, and the records by their keys."""
        scope = Scope(f"`{target}`")
        for key, record in keys.items():
            scope.locals[key] = Typed.of(ir.Const(Ref(record, key), type=RecordOf(record)))
        outputs = self._outputs.get(target, {})
        for name, type_ in outputs.items():
            scope.locals[name] = Typed.of(ir.Local(name, type=type_))
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
                    choices += [plain_value(value) for value in line.values]
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

    def _option_line(self, line: t.ExOption, options: dict[str, Any]) -> None:
        name = line.item.name
        if name.name not in self.ctx.options:
            self.ctx.unknown("option", name, list(self.ctx.options))
        else:
            options[name.name] = True if line.item.value is None else plain_value(line.item.value)

    def _gives(self, line: t.Gives, target: str) -> str:
        type_ = self._outputs.get(target, {}).get("result")
        if type_ is None:
            self._no_result(f"`{target}`", line.span)
        elif isinstance(type_, CodeOf) and line.code.text not in type_.codes:
            self.unknown_word(line.code.text, type_.codes, line.code.span, "code")
        return line.code.text

    def _no_result(self, what: str, span: Span) -> None:
        self.ctx.report("no-result", f"{what} gives no output `result`", span, "use `expect`")

    def _effect_line(self, line: t.ExEffect, effects: list[tuple[str, dict[str, Any]]]) -> None:
        if line.effect.name not in self.ctx.symbols.effects:
            self.ctx.unknown("effect", line.effect, list(self.ctx.symbols.effects))
            return
        params = self.effect_params(line.effect.name)
        args: dict[str, Any] = {}
        for item in line.args:
            if item.name.name not in [p.name for p in params]:
                if not all(is_known(p.type) for p in params):
                    continue
                self.ctx.unknown(f"parameter of {line.effect.name}", item.name, [p.name for p in params])
            else:
                args[item.name.name] = True if item.value is None else plain_value(item.value)
        if line.on is not None:
            record = next((p.name for p in params if isinstance(p.type, RecordOf) and p.name not in args), None)
            if record is not None:
                args[record] = plain_value(line.on)
        effects.append((line.effect.name, args))

    def _chance(self, line: t.Chance, scope: Scope, chances: list[tuple[ir.Expr, Fraction]]) -> None:
        value = constant_of(self.number(line.is_, scope).node)
        if value is NO_VALUE or not 0 <= value <= 1:
            self.ctx.report("chance", "a chance is a fraction from 0 to 1", line.is_.span, "write `30/36`")
            value = 0
        if "result" not in scope.locals and isinstance(line.of, (t.OrMore, t.Text)):
            self._no_result(scope.where, line.of.span)
            return
        chances.append((self.condition(self.about_result(line.of, scope), scope), Fraction(value)))

    def about_result(self, of: t.Expr, scope: Scope) -> t.Expr:
        """A question with what it is about: a code by itself, or `M or worse`, is about the result."""
        if "result" not in scope.locals:
            return of
        if isinstance(of, t.Or) and self._is_bare(of.items[0], scope):
            return t.Or((_is_result(of.items[0]), *of.items[1:]), of.span)
        return _is_result(of) if isinstance(of, t.OrMore) or self._is_bare(of, scope) else of

    def _is_bare(self, e: t.Expr, scope: Scope) -> bool:
        """Whether a code stands by itself: `result` is meant."""
        if isinstance(e, t.Name) and e.name not in scope.locals:
            means_more = self.lookup(e.name, e.span, scope) is not None
            return not means_more or e.name in self.result_codes(scope)
        return isinstance(e, t.Text)

    def result_codes(self, scope: Scope) -> tuple[str, ...]:
        """The codes or words that the result may be."""
        result = scope.locals.get("result")
        return () if result is None else self.words_of(result.type)

    def _starts(self, line: t.Starts) -> tuple[str, str | None]:
        name = line.procedure.name
        if name == "nothing":
            return "", None if line.reason is None else line.reason.name
        if name not in self.ctx.symbols.procedures:
            self.ctx.unknown("procedure", line.procedure, [*self.ctx.symbols.procedures, "nothing"])
        return name, None


def _is_result(of: t.Expr) -> t.Expr:
    return t.Compared(t.Name("result", of.span), t.Relation("is", of, of.span), of.span)
