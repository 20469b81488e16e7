"""What all checks share: the declarations, what is known of them so far, and the diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from attrs import define, evolve, field, frozen

from enfilade.bind.symbols import Symbols
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.types import Type
from enfilade.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity, Subject
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.error_recovery import Lost

BUILT_IN_DIE = "d"
MAX_FACES = 1_000_000


@frozen
class Passes:
    """The checks that need each other: an expression may call a definition, whose body is an expression.

    Whatever is below these passes reaches them through the context, so that no module imports one above it.
    """

    expression: Callable[[Context, t.Expr, Scope, Type | None], Typed]
    definition: Callable[[Context, t.Define], ir.Definition | None]
    chart: Callable[[Context, t.Chart], ir.Chart | None]
    modifiers: Callable[[Context, t.Modifiers], ir.ModBlock | None]
    procedure: Callable[[Context, t.Procedure], ir.Procedure | None]


@define
class Context:
    """One check of one ruleset.

    Attributes:
        symbols: The declarations (symbol table).
        passes: The checks that need each other.
        diagnostics: What was found so far.
        lost: The declarations of which something could not be read.
        main: The main text.
        unclear: How many numbers so far are not known, their own mistake having been noted.
        has_unclear_modifiers: Whether the amount of some modifier is such a number.
        early: The procedures whose outputs were used before they were known, for they call themselves.
        guessed: The procedures that are looked at a second time, with the outputs that the first time found.
        open: The declarations that are being checked, each needed by the one before.
        failed: The declarations that could not be checked.
        depths: For each declaration, the length of the longest chain of declarations that it depends on.
        effect_params: The parameters of each effect.
        own_inputs: The facts that each procedure declares for itself.
        outputs: The types of the outputs of each procedure, as far as they are known.
        first_outputs: The type of each output of a procedure where it is known for the first time.
    """

    symbols: Symbols
    passes: Passes
    diagnostics: list[Diagnostic] = field(factory=list)
    lost: tuple[Lost, ...] = ()
    main: SourceFile | None = None
    words: dict[str, tuple[str, ...]] = field(factory=dict)
    records: dict[str, ir.RecordDecl] = field(factory=dict)
    facts: dict[str, ir.Input] = field(factory=dict)
    options: dict[str, ir.OptionDecl] = field(factory=dict)
    dice: dict[str, ir.Die] = field(factory=dict)
    decks: dict[str, ir.Deck] = field(factory=dict)
    definitions: dict[str, ir.Definition] = field(factory=dict)
    charts: dict[str, ir.Chart] = field(factory=dict)
    columns: dict[str, ir.Columns] = field(factory=dict)
    modifiers: dict[str, ir.ModBlock] = field(factory=dict)
    effects: dict[str, ir.Effect] = field(factory=dict)
    results: dict[str, ir.Results] = field(factory=dict)
    procedures: dict[str, ir.Procedure] = field(factory=dict)
    unclear: int = 0
    has_unclear_modifiers: bool = False
    early: set[str] = field(factory=set)
    guessed: set[str] = field(factory=set)
    open: list[tuple[str, str]] = field(factory=list)
    failed: set[tuple[str, str]] = field(factory=set)
    depths: dict[tuple[str, str], int] = field(factory=dict)
    effect_params: dict[str, tuple[ir.Input, ...]] = field(factory=dict)
    own_inputs: dict[str, dict[str, ir.Input]] = field(factory=dict)
    outputs: dict[str, dict[str, Type]] = field(factory=dict)
    first_outputs: dict[str, dict[str, Type]] = field(factory=dict)

    def for_questions(self) -> Context:
        """A context that shares what this one found, and reports nothing to it: questions may run concurrently."""
        return evolve(
            self,
            diagnostics=[],
            open=[],
            dice=dict(self.dice),
            effect_params=dict(self.effect_params),
            own_inputs=dict(self.own_inputs),
            failed=set(self.failed),
            depths=dict(self.depths),
            first_outputs=dict(self.first_outputs),
        )

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Look at something whose mistakes are reported elsewhere, or are no mistakes of the author's."""
        noted = len(self.diagnostics)
        yield
        del self.diagnostics[noted:]

    def is_damaged(self, span: Span) -> bool:
        """Whether something of the declaration that begins here could not be read."""
        return any(
            each.span.source is span.source and each.span.start <= span.start < each.span.end for each in self.lost
        )

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        *helps: str,
        labels: tuple[Label, ...] = (),
        fix: Fix | None = None,
        about: Subject | None = None,
    ) -> None:
        """Report an error."""
        self.diagnostics.append(Diagnostic(code, message, span, labels=labels, helps=helps, fix=fix, about=about))

    def warn(self, code: str, message: str, span: Span, *helps: str, labels: tuple[Label, ...] = ()) -> None:
        """Report what is likely a mistake, but may be meant."""
        self.diagnostics.append(Diagnostic(code, message, span, Severity.WARNING, labels=labels, helps=helps))

    def unknown(self, what: str, name: t.Ident, known: list[str], *, is_parameter: bool = False) -> None:
        """Report a name that is declared nowhere, with the nearest that is."""
        close = similar(name.name, known)
        helps = (f"did you mean `{close}`?",) if close is not None else ()
        about = Subject((name.name,), close, is_parameter)
        self.report("unknown-name", f"there is no {what} `{name.name}`", name.span, *helps, about=about)

    def die(self, name: t.Ident) -> ir.Die | None:
        """The die of that name: a declared one, or d6 and the like."""
        if name.name in self.dice:
            return self.dice[name.name]
        digits = name.name[1:]
        if name.name[0] == BUILT_IN_DIE and digits.isdigit():
            return self._built_in(name, digits)
        self.unknown("die", name, [*self.symbols.dice, "d6", "d10"])
        return None

    def _built_in(self, name: t.Ident, digits: str) -> ir.Die | None:
        if len(digits) > len(str(MAX_FACES)) or not 1 <= int(digits) <= MAX_FACES:
            self.report("die-too-large", f"a die has 1 to {MAX_FACES} faces", name.span)
            return None
        return self.dice.setdefault(name.name, ir.Die(name.name, int(digits), None))


def similar(word: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant. Of one letter alone, only the case may be wrong: any other is as near.

    Examples:
        >>> similar("nihgt", ["night", "fog"]), similar("Y", ["X"]), similar("x", ["X"])
        ('night', None, 'X')
    """
    if len(word) > 1:
        return nearest(word, sorted(known))
    return next((each for each in sorted(known) if each != word and each.casefold() == word.casefold()), None)


def note_of(tail: t.Tail, span: Span | None = None) -> ir.Note:
    """What a line says about itself."""
    return ir.Note(tail.label, tail.cites, tail.assumed, span)
