"""What a name means where it stands: a word, a field, a local, a fact, a definition, a chart, an option."""

from __future__ import annotations

from enfilade.check.base import NOTHING, Base, is_known, plain
from enfilade.check.context import similar
from enfilade.check.scope import Element, Scope, Typed
from enfilade.core import ir
from enfilade.core.types import (
    Bool,
    CodeOf,
    EffectOf,
    Label,
    ListOf,
    MapOf,
    Maybe,
    Nothing,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    TallyOf,
    Type,
    Unknown,
    Word,
    WordSet,
    describe,
)
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_COUNTS = ("count", "sum", "highest", "lowest", "list", "map", "any", "all", "none", "item")
_ROLL_PARTS = ("faces", "values", "total", "natural")
_TALLY_PARTS = ("total", "names", "amounts")
# The number of a column, from the left, is worked out from its label: see `_column_number`.
_NUMBERED = {"column_number": "column", "base_column_number": "base_column"}
_READING_PARTS: dict[str, Type] = {
    "row": Label(),
    "column": Label(),
    "base_column": Label(),
    "shift": Num(),
    "roll": Num(),
    "modified": Num(),
    "roll_modifier": Num(),
}


class Names(Base):
    """Resolves names."""

    def name(self, e: t.Name, scope: Scope, expected: Type | None = None) -> Typed:
        """A bare name, looked up among the words of *expected* first."""
        if expected is not None and e.name in self.words_of(expected):
            return Typed.of(ir.Const(e.name, e.span, type=expected))
        found = self.lookup(e.name, e.span, scope)
        if found is not None:
            return found
        if not isinstance(expected, Unknown):
            self._unknown(e, scope, expected)
        return NOTHING

    def lookup(self, name: str, span: Span, scope: Scope) -> Typed | None:
        """What a name means, if anything."""
        for element in reversed(scope.elements):
            found = self._of_element(name, span, element)
            if found is not None:
                return found
        if name in scope.locals:
            local = scope.locals[name]
            return Typed.of(ir.Local(local.node.name, span, local.type)) if isinstance(local.node, ir.Local) else local
        for element in reversed(scope.elements):
            if isinstance(element.type, RecordOf) and element.type.record == name:
                return Typed.of(ir.Local(element.slot, span, type=element.type))
        if name in scope.own_facts:
            inner, type_ = scope.own_facts[name]
            scope.used.add(inner)
            return Typed.of(ir.Fact(inner, span, type=type_))
        if name in self.ctx.facts:
            scope.used.add(name)
            return Typed.of(ir.Fact(name, span, type=self.ctx.facts[name].type))
        return self._declared(name, span, scope)

    def _of_element(self, name: str, span: Span, element: Element) -> Typed | None:
        local = Typed.of(ir.Local(element.slot, span, type=element.type))
        match element.type:
            case RecordOf(record):
                if name in self.ctx.records[record].fields:
                    return Typed.of(ir.Field(local.node, name, span, type=self.ctx.records[record].fields[name].type))
            case EffectOf(effect):
                params = {param.name: param.type for param in self.effect_params(effect)}
                if name in params:
                    return Typed.of(ir.Part(local.node, name, span, type=params[name]))
            case ReadingOf():
                return self._of_reading(name, span, local)
        return None

    def _of_reading(self, name: str, span: Span, local: Typed) -> Typed | None:
        part = self.reading_part(local, name, span)
        if part is not None:
            return part
        assert isinstance(local.type, ReadingOf)
        if local.type.reader is not None:
            reader = Typed.of(ir.Part(local.node, "reader", span, type=RecordOf(local.type.reader)))
            if name == local.type.reader:
                return reader
            fields = self.ctx.records[local.type.reader].fields
            if name in fields:
                return Typed.of(ir.Field(reader.node, name, span, type=fields[name].type))
        return None

    def _declared(self, name: str, span: Span, scope: Scope) -> Typed | None:
        symbols = self.ctx.symbols
        if name in symbols.definitions:
            definition = self.definition(name, span)
            scope.calls.add(("define", name))
            if definition is None:
                return NOTHING
            self.need_arguments(name, definition.params, 0, span)
            return Typed.of(ir.Define(name, (), span, type=definition.type))
        if name in symbols.charts:
            return self.chart_value(name, (), span, scope)
        if name in symbols.modifiers:
            block = self.block(name, span)
            scope.calls.add(("modifiers", name))
            if block is None:
                return NOTHING
            self.need_arguments(name, block.params, 0, span)
            return Typed.of(ir.SumModifiers(name, (), None, span, type=block.type))
        if name in symbols.options:
            return self.option(t.Ident(name, span), span)
        return None

    def option(self, name: t.Ident, span: Span) -> Typed:
        """An option of the ruleset."""
        option = self.ctx.options.get(name.name)
        if option is None:
            self.ctx.unknown("option", name, list(self.ctx.options))
            return NOTHING
        return Typed.of(ir.Option(name.name, span, type=option.type))

    def is_columns(self, name: str, span: Span, scope: Scope) -> bool:
        """Whether a name means header rows that charts share."""
        return name in self.ctx.symbols.columns and self.lookup(name, span, scope) is None

    def need_arguments(self, name: str, params: tuple[str, ...], given: int, span: Span) -> bool:
        """Whether as many arguments are given as there are parameters."""
        if given == len(params):
            return True
        wanted = f"{name}({', '.join(params)})" if params else name
        self.ctx.report(
            "arguments", f"`{name}` takes {_arguments(len(params))}, and is given {given}", span, f"write `{wanted}`"
        )
        return False

    def invoke(self, e: t.Invoke, scope: Scope) -> Typed:
        """A definition, a chart or a block of modifiers with arguments."""
        name, symbols = e.name.name, self.ctx.symbols
        if name in symbols.definitions:
            definition = self.definition(name, e.name.span)
            scope.calls.add(("define", name))
            if definition is None or not self.need_arguments(name, definition.params, len(e.args), e.span):
                return NOTHING
            args = self.arguments(e.args, self.param_types("define", name), scope)
            return Typed.of(ir.Define(name, args, e.span, type=definition.type))
        if name in symbols.charts:
            return self.chart_value(name, e.args, e.span, scope)
        if name in symbols.modifiers:
            block = self.block(name, e.name.span)
            scope.calls.add(("modifiers", name))
            if block is None or not self.need_arguments(name, block.params, len(e.args), e.span):
                return NOTHING
            args = self.arguments(e.args, self.param_types("modifiers", name), scope)
            return Typed.of(ir.SumModifiers(name, args, None, e.span, type=block.type))
        kind = symbols.kind_of(name)
        if kind is not None:
            self.ctx.report("not-callable", f"`{name}` is {kind}, and takes no arguments", e.name.span)
        else:
            known = [*symbols.definitions, *symbols.charts, *symbols.modifiers]
            self.ctx.unknown("definition", e.name, known)
        return NOTHING

    def arguments(self, args: tuple[t.Expr, ...], types: tuple[Type, ...], scope: Scope) -> tuple[ir.Expr, ...]:
        """Arguments, each held to the type of its parameter."""
        nodes = []
        for arg, type_ in zip(args, types, strict=True):
            typed = self.expr(arg, scope, type_)
            if not isinstance(type_, RollOf):
                typed = plain(typed)
            if not self.fits(typed.type, type_):
                self.mismatch(describe(type_), typed.type, arg.span)
            nodes.append(typed.node)
        return tuple(nodes)

    def fits(self, got: Type, wanted: Type) -> bool:
        """Whether values of one type may stand where another is wanted; their ranges are tested when it runs."""
        match got, wanted:
            case _ if not is_known(got) or not is_known(wanted):
                return True
            case Num(), Num():
                return got.whole or not wanted.whole
            case Word(), Word():
                return bool(set(got.words) & set(wanted.words))
            case RecordOf(a), RecordOf(b):
                return a == b
            case ListOf(Word() as a), WordSet(b):
                return set(a.words) <= set(b)
            case ListOf(a), ListOf(b):
                # The empty list is one of anything.
                return self.fits(a, b)
            case CodeOf(), CodeOf():
                return True
        if isinstance(wanted, Maybe):
            return isinstance(got, Nothing) or self.fits(got.of if isinstance(got, Maybe) else got, wanted.of)
        if isinstance(wanted, RecordOf) and wanted.optional:
            return isinstance(got, Nothing)
        return type(got) is type(wanted)

    def chart_value(self, name: str, args: tuple[t.Expr, ...], span: Span, scope: Scope) -> Typed:
        """A chart without dice, as the value of the cell that it gives."""
        chart = self.chart(name, span)
        scope.calls.add(("chart", name))
        if chart is None or not self.need_arguments(name, chart.params, len(args), span):
            return NOTHING
        if chart.down.value is None:
            self.ctx.report(
                "chart-needs-roll", f"`{name}` is read with dice", span, f"write a step `read {name} with ...`"
            )
            return NOTHING
        nodes = self.arguments(args, self.param_types("chart", name), scope)
        look = ir.Look(name, nodes, None, None, span, ReadingOf(name, chart.code_type))
        return Typed.of(ir.Part(look, "code", span, chart.code_type))

    # -- parts ------------------------------------------------------------------------------------------------

    def field_of(self, of: Typed, name: t.Ident, span: Span) -> Typed:
        """``unit.steps``, ``fire_roll.total``, ``shot.column``."""
        node = of.node
        match of.type:
            case Unknown():
                return NOTHING
            case RecordOf(record):
                fields = self.ctx.records[record].fields
                if name.name in fields:
                    return Typed.of(ir.Field(node, name.name, span, type=fields[name.name].type))
                self.ctx.unknown(f"field of {record}", name, list(fields))
                return NOTHING
            case RollOf() if name.name in _ROLL_PARTS:
                return self._roll_part(of, name.name, span)
            case TallyOf(total, names) if name.name in _TALLY_PARTS:
                types: dict[str, Type] = {
                    "total": total,
                    "names": ListOf(Word(names)),
                    "amounts": MapOf(Word(names), Num()),
                }
                return Typed.of(ir.Part(node, name.name, span, type=types[name.name]))
            case ReadingOf():
                part = self.reading_part(of, name.name, span)
                if part is not None:
                    return part
            case EffectOf(effect):
                params = {param.name: param.type for param in self.effect_params(effect)}
                if name.name in params:
                    return Typed.of(ir.Part(node, name.name, span, type=params[name.name]))
            case OutputsOf(procedure):
                outputs = self.outputs(procedure, span)
                if name.name in outputs:
                    return Typed.of(ir.Part(node, name.name, span, type=outputs[name.name]))
                if ("procedure", procedure) in self.ctx.open and procedure not in self.ctx.guessed:
                    self.ctx.early.add(procedure)
                    return NOTHING
                unclear = [output for output, type_ in outputs.items() if not is_known(type_)]
                if nearest(name.name, unclear) is None:
                    self.ctx.unknown(f"output of {procedure}", name, list(outputs))
                return NOTHING
        parts = self._parts_of(of.type)
        self.ctx.report(
            "unknown-name",
            f"{describe(of.type)} has no `{name.name}`",
            name.span,
            *([f"it has {', '.join(parts)}"] if parts else []),
        )
        return NOTHING

    def _parts_of(self, type_: Type) -> tuple[str, ...]:
        match type_:
            case RollOf():
                return _ROLL_PARTS
            case TallyOf():
                return _TALLY_PARTS
            case ReadingOf():
                return ("code", *_READING_PARTS, *_NUMBERED)
            case EffectOf(effect):
                return tuple(param.name for param in self.effect_params(effect))
        return ()

    def _roll_part(self, of: Typed, name: str, span: Span) -> Typed:
        assert isinstance(of.type, RollOf)
        if name == "total":
            return plain(of)
        value = of.type.value
        if name == "natural":
            return Typed.of(ir.Part(of.node, name, span, type=value))
        printed = Num() if isinstance(value, Num) and name == "faces" else value
        return Typed.of(ir.Part(of.node, name, span, type=ListOf(printed, of.type.low)))

    def reading_part(self, of: Typed, name: str, span: Span) -> Typed | None:
        """A part of what was read on a chart."""
        assert isinstance(of.type, ReadingOf)
        if name == "code":
            return Typed.of(ir.Part(of.node, name, span, type=of.type.code))
        if name == "reader" and of.type.reader is not None:
            return Typed.of(ir.Part(of.node, name, span, type=RecordOf(of.type.reader)))
        if name in _NUMBERED:
            return self._column_number(of, _NUMBERED[name], span)
        if name in _READING_PARTS:
            return Typed.of(ir.Part(of.node, name, span, type=_READING_PARTS[name]))
        return None

    def _column_number(self, of: Typed, name: str, span: Span) -> Typed:
        """The number of the column from the left, or none where no column was read."""
        assert isinstance(of.type, ReadingOf)
        charts = [chart for each in of.type.charts if (chart := self.chart(each, span)) is not None]
        labels = {chart.columns for chart in charts}
        if len(labels) != 1:
            if charts:
                message = "the charts that this may be read on have different columns"
                self.ctx.report("type", message, span, f"use `.{name}`, the printed label")
            return NOTHING
        node: ir.Expr = ir.Const(None, span)
        label = ir.Part(of.node, name, span, _READING_PARTS[name])
        number = Maybe(Num(1, None))
        for at, text in reversed(list(enumerate(labels.pop(), start=1))):
            is_here = ir.Op("is", (label, ir.Const(text)), span, Bool())
            node = ir.If(is_here, ir.Const(at), node, span, number)
        return Typed(node, number)

    def of_entry(self, e: t.OfEntry, scope: Scope) -> Typed:
        """``steps of gun``: an entry of a map, or a field of a record."""
        found = self.lookup(e.name.name, e.name.span, scope)
        if found is not None and isinstance(found.type, MapOf):
            key = plain(self.expr(e.of, scope, found.type.key))
            if not self.fits(key.type, found.type.key):
                self.mismatch(describe(found.type.key), key.type, e.of.span)
            return Typed.of(ir.Op("entry", (found.node, key.node), e.span, type=found.type.value))
        of = self.expr(e.of, scope)
        if isinstance(of.type, (RecordOf, Unknown)):
            return self.field_of(of, e.name, e.span)
        if found is None:
            self.ctx.unknown("map, field or count", e.name, [*_COUNTS, *self._known(scope)])
            return NOTHING
        self.ctx.report("type", f"`{e.name.name} of` needs a map, or a record with that field", e.span)
        return NOTHING

    def each(self, e: t.Each, scope: Scope) -> Typed:
        """``each``: the innermost element."""
        if not scope.elements:
            self.ctx.report("misplaced", "`each` has a meaning inside `where`, `over` and `by` only", e.span)
            return NOTHING
        element = scope.elements[-1]
        return Typed.of(ir.Local(element.slot, e.span, type=element.type))

    def hash(self, e: t.Hash, scope: Scope) -> Typed:
        """``#``: a number of the code that was read, by the reader at hand where there are several."""
        found = scope.numbers.get(e.letter)
        if found is None:
            self.ctx.report(
                "misplaced", f"`#{e.letter}` has a meaning below a result code with `#{e.letter}` only", e.span
            )
            return NOTHING
        if not isinstance(found.type, MapOf):
            return found
        for element in reversed(scope.elements):
            if not is_known(element.type):
                return NOTHING
            if element.type == found.type.key:
                return Typed.of(
                    ir.Op("entry", (found.node, ir.Local(element.slot, type=element.type)), e.span, type=Num(0, None))
                )
        self.ctx.report(
            "misplaced",
            "`#` stands for one reader's number here",
            e.span,
            "write `highest of # over readers`, or put the line under `each reader`",
        )
        return NOTHING

    # -- words ------------------------------------------------------------------------------------------------

    def words_of(self, type_: Type) -> tuple[str, ...]:
        """The words that a bare name may mean where this type is expected."""
        match type_:
            case Word(words) | WordSet(words):
                return words
            case CodeOf(codes):
                return codes
            case ListOf(of) | RollOf(of):
                return self.words_of(of)
        return ()

    def code(self, text: str, expected: CodeOf, span: Span) -> Typed:
        """A result code of a chart."""
        if text not in expected.codes:
            self.unknown_word(text, expected.codes, span, "code")
            return NOTHING
        return Typed.of(ir.Const(text, span, type=expected))

    def unknown_word(self, text: str, words: tuple[str, ...], span: Span, what: str = "word") -> None:
        """Note a word that the other side does not have."""
        close = similar(text, words)
        listed = ", ".join(words[:12]) + (", ..." if len(words) > 12 else "")
        help_ = f"did you mean `{close}`?" if close else f"it is one of {listed}"
        self.ctx.report(f"unknown-{what}", f"`{text}` is none of the {what}s that are possible here", span, help_)

    def _unknown(self, e: t.Name, scope: Scope, expected: Type | None) -> None:
        if self._may_be_known(e.name, scope):
            return
        words = () if expected is None else self.words_of(expected)
        known = [*words, *scope.locals, *self.ctx.facts] if words else self._known(scope)
        kind = self.ctx.symbols.kind_of(e.name)
        if kind == "columns":
            help_ = f"write `{e.name}.column`, or the name of what stands beside its bands"
            self.ctx.report("wrong-kind", f"`{e.name}` is columns, and can't stand in an expression", e.span, help_)
        elif kind is not None:
            self.ctx.report("wrong-kind", f"`{e.name}` is {kind}, and can't stand in an expression", e.span)
        elif words and not set(words) & {e.name}:
            self.unknown_word(e.name, tuple(words), e.span, "code" if isinstance(expected, CodeOf) else "word")
        else:
            self.ctx.unknown("fact, definition or word", t.Ident(e.name, e.span), known)

    def _may_be_known(self, name: str, scope: Scope) -> bool:
        """Whether a name may belong to something whose own mistake was noted: an element, or a local much like it."""
        if not all(self._is_clear(element.type) for element in scope.elements):
            return True
        unclear = [local for local, typed in scope.locals.items() if isinstance(typed.type, Unknown)]
        return nearest(name, unclear) is not None

    def _is_clear(self, type_: Type) -> bool:
        """Whether all that an element has is known."""
        if isinstance(type_, EffectOf):
            return all(is_known(param.type) for param in self.effect_params(type_.effect))
        return is_known(type_)

    def _known(self, scope: Scope) -> list[str]:
        symbols = self.ctx.symbols
        fields = [
            name
            for element in scope.elements
            if isinstance(element.type, RecordOf)
            for name in self.ctx.records[element.type.record].fields
        ]
        return [
            *fields,
            *scope.locals,
            *scope.own_facts,
            *self.ctx.facts,
            *symbols.definitions,
            *symbols.charts,
            *symbols.modifiers,
            *symbols.options,
        ]


def _arguments(number: int) -> str:
    return "1 argument" if number == 1 else f"{number or 'no'} arguments"
