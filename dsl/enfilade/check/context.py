"""The context of a check: the symbol table, the declarations checked so far, and the diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias, TypeVar

from attrs import Factory, define, evolve, field, frozen

from enfilade.bind.names import Key, NameRecord
from enfilade.bind.symbols import Symbols
from enfilade.bind.unread import NOTHING_UNREAD, Unread
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.graph import ProgramGraph
from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity, Subject
from enfilade.diagnostics.suggest import distance, nearest
from enfilade.limits import check_time, in_force
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.values.types import Type, Word

BUILT_IN_DIE = "d"
T = TypeVar("T")

# The shortest beginning of a word that is taken for a name is longer than this.
MIN_BEGINNING = 3

# Each suggestion compares a name with all declared ones.
MAX_SUGGESTIONS = 100
MAX_LISTED = 8


@frozen
class Passes:
    """The mutually recursive checks: an expression may call a definition, whose body is an expression.

    Modules in lower layers call them through the context, so no module imports a higher layer.
    """

    expression: Callable[[Context, t.Expr, Scope, Type | None], Typed]
    definition: Callable[[Context, t.Define], ir.Definition | None]
    chart: Callable[[Context, t.Chart], ir.Chart | None]
    modifiers: Callable[[Context, t.Modifiers], ir.ModBlock | None]
    procedure: Callable[[Context, t.Procedure], ir.Procedure | None]
    part_of_columns: Callable[[Context, t.Columns, t.Ident, Span, Scope], Typed]


@frozen
class ChartValue:
    """A value that is given where a chart is read.

    Attributes:
        way: The axis: ``down``, ``across``, ``inside`` or ``pages``.
        type: Its type.
        default: The expression of the axis, used if the value is not given.
        slot: The parameter that holds it; ``None`` for the value that finds the row.
    """

    way: str
    type: Type
    default: ir.Expr | None
    slot: str | None


MarkedCell: TypeAlias = tuple[str | None, str, str | None]
"""The page, if the chart has pages, and the labels of the row and the column."""


@frozen
class Mark:
    """A mark on some cells: its condition, and where they are."""

    condition: ir.Expr | None
    cells: tuple[MarkedCell, ...]


@frozen
class CardGroup:
    """Cards of a deck that are listed together, their fields, and how often each is there."""

    names: tuple[Any, ...]
    values: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    times: t.Expr | None = None


class Reuse(Protocol):
    """Takes over the outcome of checks from an earlier version of a ruleset."""

    def unit(self, ctx: Context, kind: str, tree: Any, build: Callable[[], T]) -> T:
        """Check a declaration, or take over its outcome; see `Context.unit`."""

    def demand(self, require: Callable[[Context, str, Span], T], ctx: Context, name: str, span: Span) -> T:
        """Check a declaration that another one needs."""

    def kept(self, kind: str, parts: tuple[Any, ...], build: Callable[[], T]) -> T:
        """Compute what depends on some objects alone; see `Context.kept`."""

    def graph_of(self, program: ir.Program) -> ProgramGraph:
        """The graph of a program."""

    def query(self, ctx: Context, ask: Callable[..., T], args: tuple[Any, ...]) -> T:
        """Answer a question; see `Context.query`."""


@define
class Context:
    """The state of one check of one ruleset.

    Attributes:
        symbols: The declarations (symbol table).
        passes: The mutually recursive checks.
        diagnostics: The list that receives diagnostics: `reported`, or a list that is thrown away.
        reported: The diagnostics reported so far.
        unread: What could not be read of the texts.
        main: The main text.
        first_versions: The texts that begin with ``enfilade 1``.
        unknown_numbers: The count of numbers that are unknown so far because of a mistake already reported.
        is_nested: Whether a declaration was found circular or nested too deep, which depends on the one checked first.
        unknown_modifiers: The blocks in which a modifier has an unknown amount because of such a mistake.
        recursive: The procedures whose outputs were used while they were checked.
        settled: The recursive procedures whose outputs have the types that the last check found.
        pending: The count of expressions so far whose types a later check of a recursive procedure finds.
        in_progress: The stack of declarations being checked; each depends on the next one.
        failed: The declarations that could not be checked.
        depths: For each declaration, the length of the longest chain of declarations that it depends on.
        card_fields: For each deck with fields, the type of each field and its value for each card.
        card_groups: For each deck, its cards as they are listed.
        effect_params: The parameters of each effect.
        own_inputs: The facts that each procedure declares for itself.
        own_keys: What their names refer to.
        probes: The procedures that examples of charts, definitions and modifiers play.
        outputs: The known types of the outputs of each procedure.
        sometimes_given: The outputs of each procedure that some way through it does not give.
        chart_values: For each chart, the values that are given where it is read.
        code_parts: For each chart, the parts of its codes by name: a map from code to value.
        marks: For each chart, the marks on its cells by name.
        read_with_values: For each chart, how many such values the readings of it give, and whether one gives the value
            or the roll after `with`; ``None`` if not yet known.
        policies: For a question of odds, the policy for each choice by name; ``None`` for all that is known there.
        keys: The records that the policies may name: the kind of each, by key.
        reuse: What is known from an earlier check; ``None`` in a check of its own.
        names: What is noted of the names in the texts.
    """

    symbols: Symbols
    passes: Passes
    diagnostics: list[Diagnostic] = field(factory=list)
    reported: list[Diagnostic] = field(init=False, default=Factory(lambda ctx: ctx.diagnostics, takes_self=True))
    unread: Unread = NOTHING_UNREAD
    main: SourceFile | None = None
    first_versions: list[SourceFile] = field(factory=list)
    words: dict[str, Word] = field(factory=dict)
    records: dict[str, ir.RecordDecl] = field(factory=dict)
    facts: dict[str, ir.Input] = field(factory=dict)
    options: dict[str, ir.OptionDecl] = field(factory=dict)
    dice: dict[str, ir.Die] = field(factory=dict)
    decks: dict[str, ir.Deck] = field(factory=dict)
    card_fields: dict[str, dict[str, tuple[Type, Any]]] = field(factory=dict)
    card_groups: dict[str, tuple[CardGroup, ...]] = field(factory=dict)
    definitions: dict[str, ir.Definition] = field(factory=dict)
    charts: dict[str, ir.Chart] = field(factory=dict)
    columns: dict[str, ir.Columns] = field(factory=dict)
    modifiers: dict[str, ir.ModBlock] = field(factory=dict)
    effects: dict[str, ir.Effect] = field(factory=dict)
    results: dict[str, ir.Results] = field(factory=dict)
    procedures: dict[str, ir.Procedure] = field(factory=dict)
    unknown_numbers: int = 0
    is_nested: bool = False
    suggestions: int = 0
    unknown_modifiers: dict[str, bool] = field(factory=dict)
    recursive: set[str] = field(factory=set)
    settled: set[str] = field(factory=set)
    pending: int = 0
    in_progress: list[tuple[str, str]] = field(factory=list)
    failed: set[tuple[str, str]] = field(factory=set)
    depths: dict[tuple[str, str], int] = field(factory=dict)
    effect_params: dict[str, tuple[ir.Input, ...]] = field(factory=dict)
    own_inputs: dict[str, dict[str, ir.Input]] = field(factory=dict)
    own_keys: dict[str, Mapping[str, Key]] = field(factory=dict)
    probes: dict[str, ir.Procedure] = field(factory=dict)
    outputs: dict[str, dict[str, Type]] = field(factory=dict)
    sometimes_given: dict[str, frozenset[str]] = field(factory=dict)
    chart_values: dict[str, tuple[ChartValue, ...]] = field(factory=dict)
    code_parts: dict[str, dict[str, Mapping[str, Any]]] = field(factory=dict)
    marks: dict[str, dict[str, Mark]] = field(factory=dict)
    read_with_values: dict[str, set[tuple[int, bool]]] | None = None
    policies: Mapping[str, t.Expr | None] = field(factory=dict)
    keys: Mapping[str, str] = field(factory=dict)
    reuse: Reuse | None = None
    names: NameRecord = field(factory=NameRecord)

    def for_questions(self) -> Context:
        """A context for one question: it shares the checked declarations and has its own diagnostics."""
        return evolve(
            self,
            diagnostics=[],
            in_progress=[],
            dice=dict(self.dice),
            effect_params=dict(self.effect_params),
            own_inputs=dict(self.own_inputs),
            own_keys=dict(self.own_keys),
            failed=set(self.failed),
            reuse=None,
            depths=dict(self.depths),
            names=NameRecord(),
        )

    def query(self, ask: Callable[..., T], *args: Any) -> T:
        """Ask a question about many declarations, of which only the answer matters to the one being checked."""
        return ask(self, *args) if self.reuse is None else self.reuse.query(self, ask, args)

    def kept(self, kind: str, parts: Iterable[Any], build: Callable[[], T]) -> T:
        """Compute what depends on some objects alone, or take over what was computed for the same objects.

        Args:
            kind: What is computed.
            parts: The objects, such as a declaration and those that it uses; gone through only where results are kept.
            build: Computes it.
        """
        return build() if self.reuse is None else self.reuse.kept(kind, tuple(parts), build)

    def unit(self, kind: str, tree: Any, build: Callable[[], T]) -> T:
        """Check one declaration, or take over what an earlier check found, if nothing has changed for it.

        Args:
            kind: What is checked in it: a declaration may be checked in several respects.
            tree: The declaration.
            build: Checks it.
        """
        check_time()
        if self.reuse is not None:
            return self.reuse.unit(self, kind, tree, build)
        with self.alone():
            return build()

    @property
    def input_types(self) -> dict[str, Type]:
        """The types of facts and options by name, without names that are both: those are refused elsewhere."""
        facts = {name: fact.type for name, fact in self.facts.items() if name not in self.options}
        return facts | {name: option.type for name, option in self.options.items() if name not in self.facts}

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Discard the diagnostics of a ``with`` block: another check reports them, or the author did not cause them."""
        before, self.diagnostics = self.diagnostics, []
        try:
            yield
        finally:
            self.diagnostics = before

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Check a declaration apart from the one that needs it first, even within ``silently``.

        What is unknown or reported in it tells nothing about the other declaration.
        """
        before = self.diagnostics, self.unknown_numbers
        self.diagnostics = []
        try:
            yield
        finally:
            self.reported += self.diagnostics
            self.diagnostics, self.unknown_numbers = before

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        *helps: str,
        labels: tuple[Label, ...] = (),
        fix: Fix | None = None,
        about: Subject | None = None,
        is_plain: bool = False,
    ) -> None:
        """Report an error."""
        check_time()
        if fix is None and about is not None and about.guess is not None and span.text == about.names[0]:
            fix = Fix(f"replace `{span.text}` by `{about.guess}`", (Edit(span, about.guess),))
        self.diagnostics.append(
            Diagnostic(code, message, span, labels=labels, helps=helps, fix=fix, about=about, is_plain=is_plain)
        )

    def warn(self, code: str, message: str, span: Span, *helps: str, labels: tuple[Label, ...] = ()) -> None:
        """Report a warning: probably a mistake, but possibly intended."""
        self.diagnostics.append(Diagnostic(code, message, span, Severity.WARNING, labels=labels, helps=helps))

    def is_first_version(self, span: Span) -> bool:
        """Whether a place is in a text that begins with ``enfilade 1``."""
        return any(source.name == span.source.name for source in self.first_versions)

    def unknown(
        self, what: str, name: t.Ident, known: list[str], *, is_parameter: bool = False, help_: str = ""
    ) -> None:
        """Report an undeclared name, and suggest the nearest or the only declared one.

        *help_* is said if there is none.
        """
        if name.name in self.symbols.repeated:
            return
        if name.name in self.options and not help_:
            known, help_ = [], f"it is an option: write a line `option {name.name}`"
        self.suggestions += 1
        close = similar(name.name, known) if self.suggestions <= MAX_SUGGESTIONS else None
        helps, fix = (f"did you mean `{close}`?",) if close is not None else (help_,) if help_ else (), None
        if not helps and len({*known}) == 1:
            helps = (f"the only {what} is `{known[0]}`",)
            if not is_parameter:
                fix = Fix(f"replace `{name.name}` by `{known[0]}`", (Edit(name.span, known[0]),))
        if not helps and len({*known}) <= MAX_LISTED and what.isalpha():
            listed = list(dict.fromkeys(known))
            whats = "dice" if what == "die" else f"{what}s"
            helps = (f"the {whats} are {', '.join(f'`{each}`' for each in listed)}",) if listed else ()
        about = Subject((name.name,), close, what)
        self.report("unknown-name", f"there is no {what} `{name.name}`", name.span, *helps, fix=fix, about=about)

    def is_bare_word(self, name: str) -> bool:
        """Whether some list of words, die, deck or chart declares a word."""
        return self.query(_is_bare_word, name)

    def is_die(self, name: str) -> bool:
        """Whether a declared or built-in die has that name."""
        return name in self.dice or bool(re.fullmatch(rf"{BUILT_IN_DIE}[1-9][0-9]*", name))

    def die(self, name: t.Ident) -> ir.Die | None:
        """The die of that name: a declared die, or a built-in one such as ``d6``."""
        if name.name in self.dice:
            return self.dice[name.name]
        digits = name.name[1:]
        if name.name[0] == BUILT_IN_DIE and digits.isdigit():
            return self._built_in(name, digits)
        times = re.fullmatch(r"[dD](\d+)[xX*](\d+)", name.name)
        joined = re.fullmatch(r"[xX](d\d+)", name.name)
        if joined is not None:
            help_ = f"write the number directly before the die: `2{joined[1]}`"
            self.report("unknown-name", f"there is no die `{name.name}`", name.span, help_)
        elif times is not None:
            self.report("unknown-name", f"there is no die `{name.name}`", name.span, f"write `{times[2]}d{times[1]}`")
        else:
            self.unknown("die", name, [*self.symbols.dice, "d6", "d10"])
        return None

    def _built_in(self, name: t.Ident, digits: str) -> ir.Die | None:
        most = in_force().faces
        if len(digits) > len(str(most)) or not 1 <= int(digits) <= most:
            self.report("die-too-large", f"a die must have 1 to {most} faces", name.span)
            return None
        return self.dice.setdefault(name.name, ir.Die(name.name, int(digits), None))


def _is_bare_word(ctx: Context, name: str) -> bool:
    return name in ctx.symbols.bare_words


def similar(word: str, known: Iterable[str]) -> str | None:
    """The known name that the author probably meant. For a single letter, only its case is corrected.

    Examples:
        >>> similar("nihgt", ["night", "fog"]), similar("Y", ["X"]), similar("x", ["X"])
        ('night', None, 'X')
    """
    if len(word) > 1:
        names = sorted(known)
        close = nearest(word, names)
        # One slip of the fingers is nearest; after that, a name that begins like this one.
        if close is not None and distance(word.casefold(), close.casefold(), 1) is not None:
            return close
        begun = [name for name in names if _begins(word, name) or _begins(name, word)]
        begun = begun or [name for name in names if _runs_on(word, name)]
        return begun[0] if len(begun) == 1 else close
    return next((each for each in sorted(known) if each != word and each.casefold() == word.casefold()), None)


def _begins(word: str, name: str) -> bool:
    """Whether a name begins with all the words of another: ``crt`` in ``crt_table``."""
    return name.casefold().startswith(f"{word.casefold()}_")


def _runs_on(word: str, name: str) -> bool:
    """Whether a word begins with a name of some length: ``fire`` in ``firetable``."""
    return len(name) > MIN_BEGINNING and word.casefold().startswith(name.casefold())


def note_of(tail: t.Tail, span: Span | None = None) -> ir.Note:
    """The label, citations and assumption of a line, as a note of the core."""
    return ir.Note(tail.label, tail.cites, tail.assumed, span)
