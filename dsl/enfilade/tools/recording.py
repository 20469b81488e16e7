"""Writes an outcome as an example of its ruleset: a regression test made from play.

``example_of`` makes the syntax tree. ``tried_out`` checks and runs the examples, and drops every line that fails,
because some outputs cannot be stated by any condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from enfilade.api.outcome import Effect, Outcome
from enfilade.api.outcome_values import value_text
from enfilade.api.ruleset import Ruleset
from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.door import door
from enfilade.errors import EnfiladeError
from enfilade.source.finder import Finder, Folders
from enfilade.source.text import SourceError, SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.literals import expression_from, given_item_from, value_from
from enfilade.syntax.unparse import unparse_lines
from enfilade.tools.examples import run_examples
from enfilade.values.types import Label, ListOf, MapOf, Maybe, OutputsOf, RecordOf, Type, WordSet

_MAX_LABEL: Final = 60


# ------------------------------------------------------------------------------------------------------ an example


@door
def example_of(
    rules: Ruleset, outcome: Outcome, given: Mapping[str, Any], options: Mapping[str, Any], title: str
) -> t.Example:
    """Make an example that states all outputs and effects of an outcome.

    Args:
        rules: The ruleset that was played.
        outcome: The outcome.
        given: The facts.
        options: The options that differ from their defaults.
        title: The beginning of the label; the result follows.
    """
    lines: list[t.ExampleLine] = []
    if given:
        lines.append(t.Given(tuple(given_item_from(name, value) for name, value in given.items())))
    lines += [t.ExOption(given_item_from(name, value)) for name, value in options.items()]
    if outcome.dice:
        lines.append(t.ExOn(tuple(t.Code(value_text(face)) for each in outcome.dice for face in each.answers)))
    if outcome.choices:
        lines.append(t.Choosing(tuple(value_from(each.chosen) for each in outcome.choices)))
    lines += _outputs(rules, outcome)
    lines += [_effect(rules, effect) for effect in outcome.effects] or [t.NoEffects()]
    label = f"{title}: {_result_in_short(outcome)}"
    return t.Example(t.Ident(outcome.procedure), label, tuple(lines), t.NO_TAIL)


def _result_in_short(outcome: Outcome) -> str:
    """The result if it is short enough for a label, else the name of the procedure."""
    result = value_text(outcome.result) if outcome.result is not None else ""
    fits = result and len(result) <= _MAX_LABEL and '"' not in result and result.isprintable()
    return f"gives {result}" if fits else outcome.procedure


def _effect(rules: Ruleset, effect: Effect) -> t.ExEffect:
    """State an effect: its record and its other arguments."""
    args = dict(effect.args)
    params = rules.program.effects[effect.effect].params
    on = next((each.name for each in params if isinstance(each.type, RecordOf)), None)
    target = value_from(args.pop(on)) if on is not None and args.get(on) is not None else None
    others = tuple(given_item_from(name, value) for name, value in args.items() if _is_simple(value))
    return t.ExEffect(t.Ident(effect.effect), target, others)


def _is_simple(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_simple, value))
    return value is None or isinstance(value, (bool, int, str, Fraction))


# ---------------------------------------------------------------------------------------------------- its outputs


def _outputs(rules: Ruleset, outcome: Outcome) -> Iterator[t.ExampleLine]:
    """State each output that a condition can state."""
    types = rules.program.procedures[outcome.procedure].outputs
    for name, value in outcome.outputs.items():
        if name == "result" and isinstance(value, (str, int)) and not isinstance(value, bool):
            yield t.Gives(t.Code(value_text(value)))
        elif name in types:
            yield from map(t.Expect, _conditions(rules, t.Name(name), types[name], value))


def _conditions(rules: Ruleset, what: t.Expr, type_: Type, value: Any) -> Iterator[t.Expr]:
    """State a value; a map has a condition for each entry, a call one for each of its outputs."""
    match type_:
        case Maybe(of) if value is not None:
            yield from _conditions(rules, what, of, value)
        case MapOf(key, of) if isinstance(what, t.Name):
            for each, entry in value.items():
                yield from _conditions(rules, t.OfEntry(t.Ident(what.name), _operand(key, each)), of, entry)
        case OutputsOf(procedure):
            types = rules.program.procedures[procedure].outputs
            base = t.Paren(what) if isinstance(what, t.OfEntry) else what
            for name, each in value.items():
                yield from _conditions(rules, t.FieldOf(base, t.Ident(name)), types[name], each)
        case WordSet(words) if value is not None:
            yield from _of_set(what, type_, value, [word for word in words if word not in value])
        case _ if _is_simple(value):
            yield t.Compared(what, t.Relation("is", _operand(type_, value)))


def _of_set(what: t.Expr, type_: Type, members: Iterable[str], others: list[str]) -> Iterator[t.Expr]:
    """State the members of a set of words, and the words that it lacks."""
    parts: list[t.Expr] = [_has(what, _operand(type_, word)) for word in members]
    if others:
        first, *rest = (_operand(type_, word) for word in others)
        none_of = _has(what, first)
        # `has a or b` repeats the subject.
        parts.append(t.Not(t.Paren(t.Or((none_of, *rest)) if rest else none_of)))
    if parts:
        yield parts[0] if len(parts) == 1 else t.And(tuple(parts))


def _has(what: t.Expr, word: t.Expr) -> t.Expr:
    return t.Compared(what, t.Relation("has", word))


def _operand(type_: Type, value: Any) -> t.Expr:
    """The right side of a condition."""
    of = type_.of if isinstance(type_, ListOf) else type_
    return expression_from(value, quoted=isinstance(of, Label))


# --------------------------------------------------------------------------------------------------------- a file


@frozen
class TriedOut:
    """A file of examples that all pass.

    Attributes:
        text: The file.
        numbers: The numbers of the examples in it.
    """

    text: str
    numbers: tuple[int, ...]


class NoFile(EnfiladeError):
    """The file can't use the rules of its examples.

    Attributes:
        module: Whether the file can't find the rules.
    """

    def __init__(self, message: str, *, module: bool = False) -> None:
        super().__init__(message)
        self.module = module


@door
def tried_out(
    path: Path, head: str, examples: Mapping[int, t.Example], *, all_examples: bool, finder: Finder | None = None
) -> TriedOut:
    """Check and run examples, and remove failing lines until the rest passes.

    Args:
        path: The path that the file will have; nothing is written.
        head: The text before the examples.
        examples: The examples by number.
        all_examples: Whether to run the examples of the ruleset too. Those that fail because of the head are removed.
        finder: Finds the files that the head uses; by default, in folders.

    Raises:
        NoFile: Something other than an example fails.
    """
    file = _File(path, head, dict(examples), Folders() if finder is None else finder)
    while file.examples:
        removed = len(file.removed)
        wrong = set(file.wrong(all_examples=all_examples))
        if not wrong and removed == len(file.removed):
            break
        file.leave_out(wrong)
    return TriedOut(file.text, tuple(file.examples))


class _File:
    """The file during the trial of its examples.

    Attributes:
        examples: The remaining examples.
        removed: The labels of the ruleset's examples that fail because of the head.
    """

    def __init__(self, path: Path, head: str, examples: dict[int, t.Example], finder: Finder) -> None:
        self.examples = examples
        self.removed: list[str] = []
        self._path = path
        self._head = head
        self._finder = finder

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(f"{text}\n" for text, _ in self._rows())

    def _rows(self) -> Iterator[tuple[str, tuple[int, int] | None]]:
        """Each line of the file; for a line of an example, the number of the example and of the line in it."""
        yield from ((text, None) for text in self._head.rstrip().splitlines())
        if self.removed:
            yield "", None
        for label in self.removed:
            yield from ((text, None) for text in unparse_lines(t.Remove("example", t.Ident(label))))
        for number, example in self.examples.items():
            yield "", None
            yield from ((text, (number, at)) for at, text in enumerate(unparse_lines(example)))

    def wrong(self, *, all_examples: bool) -> Iterator[tuple[int, int]]:
        """Yield the failing lines of the examples, and fill ``removed``."""
        source = SourceFile(str(self._path), self.text, self._path)
        try:
            checked = check_source(source, self._finder)
        except SourceError as error:
            raise NoFile(error.message) from error
        if checked.program is None:
            errors = (found for found in checked.diagnostics if found.severity is Severity.ERROR)
            yield from (self._line(source, found) for found in errors)
            return
        program = checked.program
        tried = [each for each in program.examples if all_examples or each.origin == source.name]
        for result in run_examples(evolve(program, examples=tuple(tried))):
            if result.span is not None and result.span.source is source:
                # The rules have changed since the outcome, so other lines pass only by chance.
                yield from ((self._line(source, found)[0], 0) for found in result.diagnostics)
            elif not result.passed and result.label not in self.removed:
                self.removed.append(result.label)

    def _line(self, source: SourceFile, found: Diagnostic) -> tuple[int, int]:
        line, _ = source.line_column(found.span.start) if found.span.source is source else (1, 1)
        place = list(self._rows())[line - 1][1]
        if place is None:
            raise NoFile(found.message, module=found.code == "unknown-module")
        return place

    def leave_out(self, wrong: set[tuple[int, int]]) -> None:
        """Remove failing conditions and effects, or the whole example if any other line fails."""
        kept: dict[int, t.Example] = {}
        for number, example in self.examples.items():
            bad = {at for at in range(len(example.lines) + 1) if (number, at) in wrong}
            # Line 0 is the head of the example.
            if all(at > 0 and isinstance(example.lines[at - 1], (t.Expect, t.ExEffect)) for at in bad):
                lines = tuple(line for at, line in enumerate(example.lines, 1) if at not in bad)
                kept[number] = evolve(example, lines=lines)
        self.examples = kept
