"""A whole ruleset: every declaration checked, each when it is first needed, and put together as a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from enfilade.bind.assembly import assemble
from enfilade.bind.forms import share_forms
from enfilade.bind.symbols import Symbols, bind_names
from enfilade.check.base import is_list_of, record_in
from enfilade.check.causes import without_consequences
from enfilade.check.charts import Charts
from enfilade.check.context import Context, note_of
from enfilade.check.examples import Examples
from enfilade.check.headers import Headers
from enfilade.check.modifiers import Modifiers
from enfilade.check.refusals import late_refusals
from enfilade.core import ir
from enfilade.core.types import Num, Type, Unknown
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.source.finder import Finder
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t

T = TypeVar("T")
Key: TypeAlias = tuple[str, str]
MAX_DEPTH = 24
LANGUAGE_VERSION = 1


@frozen
class Checked:
    """What a check found.

    Attributes:
        program: What engines run; ``None`` where there is an error.
        diagnostics: Errors and warnings, in the order of the text.
        sources: All the texts, the main one first.
        checker: What checked it, for questions about it.
        declarations: Those of all texts, joined: what a variant replaces or removes is not among them.
    """

    program: ir.Program | None
    diagnostics: tuple[Diagnostic, ...]
    sources: tuple[SourceFile, ...]
    checker: Checker | None = field(default=None, eq=False, repr=False)
    declarations: tuple[t.Declaration, ...] = field(default=(), eq=False, repr=False)


def check_source(source: SourceFile, finder: Finder) -> Checked:
    """Check a ruleset with all that it takes over.

    Args:
        source: The main text.
        finder: Where modules are found.

    Returns:
        The program, unless something is wrong, and all that was found.
    """
    assembly = assemble(source, finder)
    symbols = bind_names(assembly.declarations)
    lost = frozenset(name for each in assembly.lost for name in each.names)
    share_forms(symbols, lost if assembly.is_whole else None)
    context = Context(symbols, [*assembly.diagnostics, *symbols.diagnostics], assembly.lost, source)
    checker = Checker(context)
    program = checker.check(assembly.declarations, tuple(s.text for s in assembly.sources))
    bodies = [d.span for d in assembly.declarations if isinstance(d, (t.Procedure, t.Effect, t.Results))]
    examples = [d.span for d in assembly.declarations if isinstance(d, t.Example)]
    found = _distinct(context.diagnostics, assembly.sources)
    diagnostics = without_consequences(found, assembly.lost, assembly.is_whole, bodies, examples)
    errors = any(d.severity is Severity.ERROR and d.code != "look-alike" for d in found)
    return Checked(None if errors else program, diagnostics, assembly.sources, checker, assembly.declarations)


def _distinct(diagnostics: list[Diagnostic], sources: tuple[SourceFile, ...]) -> tuple[Diagnostic, ...]:
    """Each mistake once, in the order of the text; modules after the main text."""
    order = {source.name: index for index, source in enumerate(sources)}
    for d in diagnostics:
        order.setdefault(d.span.source.name, len(order))
    seen = {(d.span.source.name, d.span.start, d.code, d.message): d for d in reversed(diagnostics)}
    return tuple(sorted(seen.values(), key=lambda d: (order[d.span.source.name], d.span.start, d.span.end, d.code)))


def _without_range(type_: Type) -> Type:
    """A number that may have been added to in each round of a circle has no range that could be told."""
    return Num(None, None, type_.whole) if isinstance(type_, Num) else type_


class Checker(Headers, Charts, Modifiers, Examples):
    """Checks one ruleset."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self._effect_params = {}
        self._own_inputs = {}
        self._outputs = {}
        self._first_outputs = {}
        self._failed: set[Key] = set()
        self._depths: dict[tuple[str, ...], int] = {}

    def for_questions(self) -> Checker:
        """A checker that knows what this one found, and finds nothing for it: any number may ask at a time."""
        asking = Checker(evolve(self.ctx, diagnostics=[], open=[], dice=dict(self.ctx.dice)))
        asking._effect_params = dict(self._effect_params)
        asking._own_inputs = dict(self._own_inputs)
        asking._outputs = self._outputs
        return asking

    def check(self, declarations: tuple[t.Declaration, ...], sources: tuple[str, ...]) -> ir.Program:
        """Check all declarations."""
        symbols = self.ctx.symbols
        self._check_version(declarations)
        self.types_first()
        for name, define in symbols.definitions.items():
            self.definition(name, define.name.span)
        for name, block in symbols.modifiers.items():
            self.block(name, block.name.span)
        for name, chart in symbols.charts.items():
            self.chart(name, chart.name.span)
        for name, columns in symbols.columns.items():
            shared = self._guarded(partial(self.build_columns, columns), columns.name.span)
            if shared is not None:
                self.ctx.columns[name] = shared
        for name, effect in symbols.effects.items():
            built = self._guarded(partial(self.build_effect, effect), effect.name.span)
            if built is not None:
                self.ctx.effects[name] = built
        for name, tree in symbols.results.items():
            results = self._guarded(partial(self.build_results, tree), tree.chart.span)
            if results is not None:
                self.ctx.results[name] = results
        for name, procedure in symbols.procedures.items():
            self.outputs(name, procedure.name.span)
        found = [self._guarded(partial(self.build_reaction, on), on.event.span) for on in symbols.reactions]
        played = [self._guarded(partial(self.build_example, each), each.span) for each in symbols.examples]
        reactions = [reaction for reaction in found if reaction is not None]
        examples = [example for example in played if example is not None]
        documents = tuple(note_of(each.tail, each.span) for each in declarations if isinstance(each, t.Source))
        return self._program(symbols, reactions, examples, sources, documents)

    def _check_version(self, declarations: tuple[t.Declaration, ...]) -> None:
        for d in declarations:
            if isinstance(d, t.Language) and d.version != LANGUAGE_VERSION:
                self.ctx.report(
                    "language-version",
                    f"this is written in version {d.version} of the language, and version "
                    f"{LANGUAGE_VERSION} is known here",
                    d.span,
                )

    # -- one at a time, when needed ---------------------------------------------------------------------------

    def _need(self, kind: str, name: str, span: Span, done: dict[str, T], build: Callable[[], T | None]) -> T | None:
        if name in done:
            return done[name]
        key = (kind, name)
        if key in self._failed:
            return None
        if key in self.ctx.open:
            self.ctx.report("circular", f"`{name}` goes back to itself", span, "a definition can't need its own value")
            return None
        if len(self.ctx.open) > MAX_DEPTH:
            self._too_deep(name, span)
            return None
        self.ctx.open.append(key)
        built = self._guarded(build, span)
        self.ctx.open.pop()
        if built is None:
            self._failed.add(key)
        else:
            done[name] = built
            self._measure(key, span)
        return built

    def _guarded(self, build: Callable[[], T | None], span: Span) -> T | None:
        """Build something, unless it stands too deep in itself for us."""
        try:
            return build()
        except RecursionError:
            self._too_deep(span.text, span)
            return None

    def _measure(self, key: Key, span: Span) -> None:
        """Refuse what builds on too much: whatever runs it goes as deep."""
        below = [self._depths.get(call[:2], 0) for call in self.ctx.uses.get(key, (set(), set()))[1]]
        if key[0] == "chart":
            blocks = [*self.attached(key[1], "shift"), *self.attached(key[1], "roll")]
            below += [self._depths.get(("modifiers", block.name), 0) for block in blocks]
        self._depths[key] = 0 if key[0] == "procedure" else 1 + max(below, default=0)
        if self._depths[key] == MAX_DEPTH + 1:
            self._too_deep(key[1], span)

    def _too_deep(self, name: str, span: Span) -> None:
        if not any(d.code == "too-deep" for d in self.ctx.diagnostics):
            self.ctx.report(
                "too-deep",
                f"`{name}` stands on too much",
                span,
                f"definitions, charts and modifiers go at most {MAX_DEPTH} deep",
            )

    def definition(self, name: str, span: Span) -> ir.Definition | None:
        tree = self.ctx.symbols.definitions[name]
        return self._need("define", name, span, self.ctx.definitions, lambda: self.build_definition(tree))

    def block(self, name: str, span: Span) -> ir.ModBlock | None:
        tree = self.ctx.symbols.modifiers[name]
        return self._need("modifiers", name, span, self.ctx.modifiers, lambda: self.build_block(tree))

    def chart(self, name: str, span: Span) -> ir.Chart | None:
        tree = self.ctx.symbols.charts[name]
        return self._need("chart", name, span, self.ctx.charts, lambda: self.build_chart(tree))

    def outputs(self, name: str, span: Span) -> dict[str, Type]:
        tree = self.ctx.symbols.procedures[name]
        if ("procedure", name) not in self.ctx.open:
            noted, known = len(self.ctx.diagnostics), set(self.ctx.procedures)
            self._need("procedure", name, span, self.ctx.procedures, lambda: self.build_procedure(tree))
            if name in self.ctx.early:
                self._look_again(name, span, noted, known)
        return self._outputs.get(name, {})

    def _look_again(self, name: str, span: Span, noted: int, known: set[str]) -> None:
        """Check a procedure that uses its own outputs, now that it is known what they are."""
        found = {output: _without_range(type_) for output, type_ in self._first_outputs.get(name, {}).items()}
        for other in [other for other in self.ctx.procedures if other not in known]:
            del self.ctx.procedures[other]
            self._outputs.pop(other, None)
        del self.ctx.diagnostics[noted:]
        self.ctx.early.discard(name)
        self.ctx.guessed.add(name)
        self._outputs[name] = found
        self.outputs(name, span)

    def attached(self, chart: str, purpose: str) -> list[ir.ModBlock]:
        trees = [tree for tree in self.ctx.symbols.modifiers.values() if tree.purpose == purpose]
        own = [tree for tree in trees if chart in [each.name for each in tree.charts]]
        return [block for tree in own if (block := self.block(tree.name.name, tree.name.span)) is not None]

    def param_types(self, kind: str, name: str) -> tuple[Type, ...]:
        symbols = self.ctx.symbols
        tables: dict[str, Mapping[str, Any]] = {
            "define": symbols.definitions,
            "chart": symbols.charts,
            "modifiers": symbols.modifiers,
        }
        return tuple(self.param(param) for param in tables[kind][name].params)

    def chart_dice(self, name: str) -> Type:
        tree = self.ctx.symbols.charts[name]
        for item in tree.items:
            if isinstance(item.line, t.AxisLine) and item.line.way == "down":
                silent = len(self.ctx.diagnostics)
                axis = self.axis_type(item.line.axis, self.param_scope(tree.params, name)[0])
                del self.ctx.diagnostics[silent:]
                return axis.type
        return Unknown()

    # -- the whole --------------------------------------------------------------------------------------------

    def _program(
        self,
        symbols: Symbols,
        reactions: list[ir.Reaction],
        examples: list[ir.Example],
        sources: tuple[str, ...],
        documents: tuple[ir.Note, ...],
    ) -> ir.Program:
        charts = {name: self._with_blocks(chart) for name, chart in self.ctx.charts.items()}
        procedures = {
            name: evolve(p, inputs=self._inputs("procedure", name, p)) for name, p in self.ctx.procedures.items()
        }
        reactions = [evolve(r, inputs=self._inputs("on", r.event, None)) for r in reactions]
        head = symbols.head
        tail = t.NO_TAIL if head is None else head.tail
        program = ir.Program(
            head.name.name if head else "scratch",
            ir.Note(tail.label, tail.cites, tail.assumed),
            tuple(symbols.players),
            self.ctx.options,
            self.ctx.facts,
            self.ctx.records,
            self.ctx.definitions,
            self.ctx.dice,
            self.ctx.decks,
            charts,
            self.ctx.columns,
            self.ctx.modifiers,
            self.ctx.effects,
            self.ctx.results,
            procedures,
            {name: ir.Note(e.tail.label, e.tail.cites, e.tail.assumed, e.span) for name, e in symbols.events.items()},
            tuple(reactions),
            tuple(examples),
            sources,
            documents,
        )
        self.ctx.diagnostics += late_refusals(program)
        self._check_unused(program)
        return program

    def _with_blocks(self, chart: ir.Chart) -> ir.Chart:
        shifts = tuple(block.name for block in self.attached(chart.name, "shift"))
        rolls = tuple(block.name for block in self.attached(chart.name, "roll"))
        return evolve(chart, shifts=shifts, roll_modifiers=rolls)

    def _inputs(self, kind: str, name: str, procedure: ir.Procedure | None) -> tuple[str, ...]:
        """The facts that something can use, its own first, then in the order of declaration."""
        used = self._with_referred(self._used(kind, name, set()), procedure)
        own = tuple(f"{name}.{fact}" for fact in procedure.facts) if procedure is not None else ()
        return own + tuple(fact for fact in self.ctx.facts if fact in used)

    def _with_referred(self, used: set[str], procedure: ir.Procedure | None) -> set[str]:
        """The facts used, and the lists that hold what fields of their records refer to."""
        types = [self.ctx.facts[name].type for name in used if name in self.ctx.facts]
        types += [fact.type for fact in procedure.facts.values()] if procedure is not None else []
        records: set[str] = set()
        while types:
            record = record_in(types.pop())
            if record is not None and record not in records:
                records.add(record)
                types += [field.type for field in self.ctx.records[record].fields.values()]
        return used | {name for name, fact in self.ctx.facts.items() if any(is_list_of(fact.type, r) for r in records)}

    def _used(self, kind: str, name: str, seen: set[tuple[str, ...]]) -> set[str]:
        if (kind, name) in seen:
            return set()
        seen = seen | {(kind, name)}
        facts, calls = self.ctx.uses.get((kind, name), (set(), set()))
        found = set(facts)
        for call in calls:
            if call[0] == "procedure":
                found |= self._used("procedure", call[1], seen) - set(call[2:])
            else:
                found |= self._used(call[0], call[1], seen)
        if kind == "chart":
            for purpose in ("shift", "roll"):
                for block in self.attached(name, purpose):
                    found |= self._used("modifiers", block.name, seen)
        return found

    def _check_unused(self, program: ir.Program) -> None:
        used = {fact for p in program.procedures.values() for fact in p.inputs} | {
            f for r in program.reactions for f in r.inputs
        }
        if not program.procedures or any(d.severity is Severity.ERROR for d in self.ctx.diagnostics):
            return
        # What a module declares is for whoever uses it.
        main = self.ctx.main
        for name, fact in self.ctx.facts.items():
            if name not in used and fact.note.span is not None and fact.note.span.source is main:
                self.ctx.warn(
                    "unused-fact", f"no procedure uses the fact `{name}`", self.ctx.symbols.facts[name].name.span
                )
        self._check_unapplied(program)

    def _check_unapplied(self, program: ir.Program) -> None:
        """Doubt results of the main text that nothing applies."""
        bodies = (program.procedures, program.effects, program.results)
        found = (each for table in bodies for declared in table.values() for each in nodes(declared))
        applied = {self._results_span(node.chart) for node in found if isinstance(node, ir.ApplyResults)}
        for name, results in self.ctx.symbols.results.items():
            if results.span not in applied and results.span.source is self.ctx.main and results.chart.name == name:
                applied.add(results.span)
                self.ctx.warn(
                    "results-unapplied",
                    f"nothing applies the results of `{name}`",
                    results.chart.span,
                    "a chart that is read changes nothing by itself: write a step `apply NAME` after `read ... as NAME`",
                )

    def _results_span(self, chart: str) -> Span | None:
        results = self.ctx.symbols.results.get(chart)
        return None if results is None else results.span
