"""Writes what was played as examples of its ruleset, in a file that `enfilade test` holds the rules to.

What is written is tried before: a line that the language can't say is left out, and an example that does not come true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from enfilade.api.outcome import Effect
from enfilade.api.outcomes import told
from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.jsonable import to_json
from enfilade.core.types import Label, ListOf, MapOf, Maybe, OutputsOf, RecordOf, Type, WordSet
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.source.finder import SUFFIX, Folders, is_name
from enfilade.source.text import SourceError, SourceFile
from enfilade.syntax.found import KEYWORDS
from enfilade.tools.examples import run_examples
from enfilade_repl.definitions import file_text
from enfilade_repl.entry import EntryError, record_of, types_of
from enfilade_repl.pieces import field_text
from enfilade_repl.table import Ground, Resolution

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+")
_CODE: Final = re.compile(r'[^\s,"<\[\]|:]+')
_MOST_LABEL: Final = 60

# ------------------------------------------------------------------------------------------------ as they are typed


def facts_text(done: Resolution) -> str:
    """The facts of a resolution as they are typed."""
    return ", ".join(_typed(name, value) for name, value in said_of(done).items())


def _typed(name: str, value: Any) -> str:
    if value is None:
        return f"{name} none"
    if value is False:
        return f"{name} no"
    return field_text(name, value)


def said_of(done: Resolution) -> dict[str, Any]:
    """The facts of a resolution, its records without the fields that have their defaults."""
    types = types_of(done.ground.rules.program, done.procedure)
    records = done.ground.rules.program.records
    return {name: _said(records.get(record_of(types[name]) or ""), value) for name, value in done.given.items()}


def _said(declared: ir.RecordDecl | None, value: Any) -> Any:
    if declared is None:
        return value
    if isinstance(value, list):
        return [_said(declared, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    fields = declared.fields
    return {
        name: each for name, each in value.items()
        if name not in fields or not fields[name].has_default or to_json(fields[name].default) != each
    }  # fmt: skip


def options_of(done: Resolution) -> Iterator[tuple[str, Any]]:
    """The options of a resolution that were not as the rules have them."""
    rules = done.ground.rules
    for name, option in rules.program.options.items():
        if rules.options[name] != option.default:
            yield name, rules.options[name]


# ------------------------------------------------------------------------------------------------------ an example


def example_lines(done: Resolution, number: int) -> list[str]:
    """A resolution as an example of its ruleset.

    Args:
        done: The resolution.
        number: Its number in the session.
    """
    lines = [f'example {done.procedure} "played {number}: {_came(done)}"']
    given = ", ".join(_item(name, value) for name, value in said_of(done).items())
    lines += [f"  given {given}"] if given else []
    lines += [f"  option {_item(name, _data(value))}" for name, value in options_of(done)]
    outcome = done.outcome
    if outcome.dice:
        lines.append("  on " + "  ".join(" ".join(map(_face, each.answers)) for each in outcome.dice))
    if outcome.choices:
        lines.append("  choosing " + ", ".join(_value(_data(each.chosen)) for each in outcome.choices))
    lines += [f"  {text}" for text in _outputs(done)]
    lines += [f"  {_effect(done, effect)}" for effect in outcome.effects] or ["  no effects"]
    return lines


def _came(done: Resolution) -> str:
    """The result, where it is short; else the procedure."""
    result = told(done.outcome.result) if done.outcome.result is not None else ""
    fits = result and len(result) <= _MOST_LABEL and '"' not in result and result.isprintable()
    return f"gives {result}" if fits else done.procedure


def _data(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _item(name: str, value: Any) -> str:
    """A fact, a field or an option with its value."""
    return name if value is True else f"{name} {_value(value)}"


def _value(value: Any) -> str:
    """A value as it stands after `given`."""
    match value:
        case None | bool() | int() | Fraction():
            return told(value)
        case Mapping():
            name, *_ = value.values()
            fields = [_item(field, each) for field, each in list(value.items())[1:]]
            return f"{name} ({', '.join(fields)})" if fields else str(name)
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
    text = str(value)
    return text if _is_plain(text) or _NUMBER.fullmatch(text) else f'"{text}"'


def _face(face: Any) -> str:
    text = told(face)
    plain = _CODE.fullmatch(text) and text not in KEYWORDS and not text.startswith("--")
    return text if plain else f'"{text}"'


def _effect(done: Resolution, effect: Effect) -> str:
    """An effect as an example states it: what it is on, and its other arguments."""
    args = dict(effect.args)
    params = done.ground.rules.program.effects[effect.effect].params
    on = next((each.name for each in params if isinstance(each.type, RecordOf)), None)
    text = f"effect {effect.effect}"
    if on is not None and args.get(on) is not None:
        text += f" on {_value(args.pop(on))}"
    others = [f"{name} {_value(_data(value))}" for name, value in args.items() if _is_simple(value)]
    return f"{text} with {', '.join(others)}" if others else text


def _is_simple(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_simple, value))
    return value is None or isinstance(value, (bool, int, str, Fraction))


# ---------------------------------------------------------------------------------------------------- its outputs


def _outputs(done: Resolution) -> Iterator[str]:
    """A line for each output that the language can say."""
    types = done.ground.rules.program.procedures[done.procedure].outputs
    for name, value in done.outcome.outputs.items():
        if name == "result" and isinstance(value, (str, int)) and not isinstance(value, bool):
            yield f"gives {_face(value)}"
        elif name in types:
            yield from (f"expect {text}" for text in _conditions(done, name, types[name], value))


def _conditions(done: Resolution, what: str, type_: Type, value: Any) -> Iterator[str]:
    """What a value is, as conditions: one for each entry of a map."""
    match type_:
        case Maybe(of) if value is not None:
            yield from _conditions(done, what, of, value)
        case MapOf(key, of):
            for each, entry in value.items():
                yield from _conditions(done, f"{what} of {_operand(key, each)}", of, entry)
        case OutputsOf(procedure):
            types = done.ground.rules.program.procedures[procedure].outputs
            for name, each in value.items():
                yield from _conditions(done, f"{what}.{name}", types[name], each)
        case WordSet(words) if value is not None:
            has = [f"{what} has {_operand(type_, word)}" for word in value]
            others = " or ".join(_operand(type_, word) for word in words if word not in value)
            yield " and ".join([*has, *([f"not ({what} has {others})"] if others else [])])
        case _ if _is_simple(value):
            yield f"{what} is {_operand(type_, value)}"


def _operand(type_: Type, value: Any) -> str:
    """A value as it stands in a condition."""
    match value:
        case None | bool() | int():
            return told(value)
        case Fraction():
            return f"({value})"
        case tuple():
            of = type_.of if isinstance(type_, ListOf) else type_
            return f"[{', '.join(_operand(of, each) for each in value)}]"
    # A printed label is no word of the rules, even where it looks like one.
    return f'"{value}"' if isinstance(type_, Label) or not _is_plain(str(value)) else str(value)


def _is_plain(text: str) -> bool:
    """Whether a word stands for itself without quotes."""
    return bool(_NAME.fullmatch(text)) and text not in KEYWORDS


# --------------------------------------------------------------------------------------------------------- a file


@frozen
class Recorded:
    """What is to be written.

    Attributes:
        text: The file.
        left_out: The numbers of the resolutions that do not come to the same with it.
    """

    text: str
    left_out: tuple[int, ...]


def examples_file(resolutions: tuple[Resolution, ...], path: Path) -> Recorded:
    """A rules file with an example for each resolution, as a variant of the ruleset of the last of them.

    Args:
        resolutions: The resolutions; those of another ruleset are left out.
        path: Where the file is to lie.

    Raises:
        EntryError: The file would not find the rules, or nothing can be written.
    """
    ground = resolutions[-1].ground
    known = ground.rules.program.procedures
    examples = {
        number: example_lines(done, number)
        for number, done in enumerate(resolutions, 1)
        if done.ground.name == ground.name and done.procedure in known
    }
    file = _File(path, file_text(ground, path.stem, extended_name(ground, path)), examples)
    file.try_out(all_examples=bool(ground.scratch))
    if not file.examples:
        raise EntryError("nothing of what was resolved comes to the same in a file of its own")
    same = [number for number, done in enumerate(resolutions, 1) if done.ground.name == ground.name]
    return Recorded(file.text, tuple(number for number in same if number not in file.examples))


def extended_name(ground: Ground, path: Path) -> str | None:
    """The name by which a file finds the ruleset that it extends; ``None`` where it extends none.

    Args:
        ground: The ruleset.
        path: The file that extends it.

    Raises:
        EntryError: It would not find it.
    """
    if ground.base is None:
        return None
    name = ground.base.name if ground.path is None else _name_beside(ground.path, path)
    if path.stem == name:
        raise EntryError(f"{path} would extend itself, for the rules are called {name} too", "choose another name")
    return name


def _name_beside(rules: Path, path: Path) -> str:
    """The name by which a file finds rules that lie beside it."""
    if not is_name(rules.stem) or rules.suffix != SUFFIX:
        raise EntryError(f"no file can extend {rules}", f"call it by letters, digits and _ alone, and {SUFFIX}")
    own = rules.resolve().parent
    if path.resolve().parent not in (own, own.parent if own.name == rules.stem else None):
        raise EntryError(f"{path} would not find the rules in {rules}", f"write it beside them: {own / path.name}")
    return rules.stem


class _File:
    """A file of examples that is tried before it is written.

    Args:
        path: Where it is to lie.
        head: What stands before the examples.
        examples: The lines of each example by its number.

    Attributes:
        examples: The same, without what does not hold.
    """

    def __init__(self, path: Path, head: str, examples: dict[int, list[str]]) -> None:
        self.examples = examples
        self._path = path
        self._head = head
        self._removed: list[str] = []

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(f"{text}\n" for text, _ in self._rows())

    def _rows(self) -> Iterator[tuple[str, tuple[int, int] | None]]:
        """The lines, each of an example with the example's number and its own in it."""
        yield from ((text, None) for text in self._head.rstrip().splitlines())
        if self._removed:
            yield "", None
        yield from ((f'remove example "{label}"', None) for label in self._removed)
        for number, lines in self.examples.items():
            yield "", None
            yield from ((text, (number, at)) for at, text in enumerate(lines))

    def try_out(self, *, all_examples: bool) -> None:
        """Leave out what does not hold, until the rest does.

        Args:
            all_examples: Whether those of the ruleset are tried too: what was defined may make some of them untrue.

        Raises:
            EntryError: Something else than an example is wrong.
        """
        while self.examples:
            removed = len(self._removed)
            wrong = set(self._wrong(all_examples))
            if not wrong and removed == len(self._removed):
                return
            self._leave_out(wrong)

    def _wrong(self, all_examples: bool) -> Iterator[tuple[int, int]]:
        """The lines of examples that are wrong; examples of the ruleset that are untrue now are taken away."""
        source = SourceFile(str(self._path), self.text, self._path)
        try:
            checked = check_source(source, Folders())
        except SourceError as error:
            raise _no_file(self._path, error.message) from error
        if checked.program is None:
            errors = (found for found in checked.diagnostics if found.severity is Severity.ERROR)
            yield from (self._line(source, found) for found in errors)
            return
        program = checked.program
        tried = [each for each in program.examples if all_examples or each.origin == source.name]
        for result in run_examples(evolve(program, examples=tuple(tried))):
            if result.span is not None and result.span.source is source:
                # The rules have changed since: what else would come true of it is chance.
                yield from ((self._line(source, found)[0], 0) for found in result.diagnostics)
            elif not result.passed and result.label not in self._removed:
                self._removed.append(result.label)

    def _line(self, source: SourceFile, found: Diagnostic) -> tuple[int, int]:
        """The line of an example that something is wrong with."""
        line, _ = source.line_column(found.span.start) if found.span.source is source else (1, 1)
        place = list(self._rows())[line - 1][1]
        if place is None:
            raise _no_file(self._path, found.message, "write it beside them" if found.code == "unknown-module" else "")
        return place

    def _leave_out(self, wrong: set[tuple[int, int]]) -> None:
        """Leave out a line that says what came of it, or else the whole example."""
        kept: dict[int, list[str]] = {}
        for number, lines in self.examples.items():
            bad = {at for at in range(len(lines)) if (number, at) in wrong}
            if all(lines[at].startswith(("  expect ", "  effect ")) for at in bad):
                kept[number] = [each for at, each in enumerate(lines) if at not in bad]
        self.examples = kept


def _no_file(path: Path, why: str, hint: str = "") -> EntryError:
    return EntryError(f"{path} would not go with the rules: {why}", hint)
