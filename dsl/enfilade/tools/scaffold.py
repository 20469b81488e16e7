"""Scaffolding: writes a first ruleset, either as a tutorial or around a pasted chart.

The ruleset has no errors, and its example passes. Every guess is marked ``assumed``. Nothing is written to disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from enfilade.api.loaded_program import as_diagnostic, refused
from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.door import door
from enfilade.errors import ArgumentError
from enfilade.source.confusables import LookAlike
from enfilade.source.finder import Folders
from enfilade.source.text import SourceError, SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.literals import given_item_from
from enfilade.syntax.unparse import unparse_lines
from enfilade.tools.chart_guesses import Guess, guess_axis, guess_dice, guess_severity
from enfilade.tools.examples import run_examples
from enfilade.tools.first_ruleset import FIRST_RULESET
from enfilade.tools.format import format_text
from enfilade.tools.pasted_chart import Pasted, folded_text, read_pasted
from enfilade.tools.pasted_notes import Note, meanings_of, notes_of

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_DICE = re.compile(r"\d*d\d+\Z")
_CONSTANTS: Final = ("yes", "no", "none")
# The marks that transcribers use for illegible cells.
_SMUDGED: Final = ("?", "??")
# Whether to write results, the order of severity, and modifiers: with the next choice if the text has errors.
_ATTEMPTS: Final = ((True, True, True), (True, True, False), (True, False, False), (False, False, False))
_MAX_SEVERITY: Final = 40
_MAX_NAME: Final = 40
_NAME_WORDS: Final = 4
# The section number before a title: `7.3 Gunnery Table`.
_SECTION = re.compile(r"([0-9]+(?:\.[0-9]+)+)\.?\s+(?=[^\W\d_])")
# The words of a title that name the chart, not what it resolves.
_GENERIC = re.compile(r"\b(?:results?|tables?|charts?|matrix|crt)\b", re.IGNORECASE)
_SEVERITY_HINT: Final = "-- Add `severity  never falls to the right` to this chart to search it for misprints."
_RESULTS_HINT: Final = '-- Below each code, write its effects. `effect NAME "what it is"` declares an effect.'
# The usual headings above row labels that are dice.
_ROLL = re.compile(r"roll|die|dice|throw|score|d\d|\A[\W\d]*\Z", re.IGNORECASE)


@frozen
class Scaffold:
    """A first ruleset.

    Attributes:
        text: Its text.
        guesses: The guesses, one sentence each.
        folded: The look-alike letters of the pasted text that were replaced by ASCII letters.
        diagnostics: The diagnostics of the text; they include errors only if the chart itself has errors.
    """

    text: str
    guesses: tuple[str, ...] = ()
    folded: tuple[LookAlike, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@door
def is_ruleset_name(name: str) -> bool:
    """Whether a name is allowed for a ruleset."""
    return _NAME.match(name) is not None


@door
def new_ruleset(name: str) -> Scaffold:
    """Write a first ruleset to learn from.

    Args:
        name: Its name: ASCII letters, digits and ``_``.

    Returns:
        A text without errors or warnings, whose examples pass.
    """
    text = FIRST_RULESET.replace("FILE", f"{name}.rules").replace("NAME", name).replace("TITLE", title_of(name))
    return Scaffold(format_text(text))


def title_of(name: str) -> str:
    """Turn a name into a title.

    Examples:
        >>> title_of("my_game")
        'My game'
    """
    return name.replace("_", " ").capitalize()


@door
def ruleset_from_pasted(name: str, text: str) -> Scaffold:
    """Write a ruleset around a chart that was pasted or scanned.

    Args:
        name: Its name.
        text: The pasted text.

    Returns:
        The text and the guesses.

    Raises:
        ArgumentError: No ruleset may have the name.
        NoChart: The text contains no chart.
        RulesetError: The ruleset would be larger than the limit of a text.
    """
    if not is_ruleset_name(name):
        raise ArgumentError("name must be a letter, followed by letters, digits and _")
    pasted = read_pasted(text)
    for parts in _ATTEMPTS:
        writer = _Writer(name, pasted, *parts)
        written = format_text(writer.text())
        try:
            checked = check_source(SourceFile.from_text(written, f"{name}.rules"), Folders())
        except SourceError as error:
            raise refused((as_diagnostic(error),)) from error
        errors = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
        failed = checked.program is not None and not all(each.passed for each in run_examples(checked.program))
        if not errors and not failed:
            break
    return Scaffold(written, tuple(writer.guesses), pasted.folded, checked.diagnostics)


class _Writer:
    """Writes one ruleset around a pasted chart."""

    def __init__(self, name: str, pasted: Pasted, with_results: bool, with_severity: bool, with_notes: bool) -> None:
        self.name = name
        self.pasted = pasted
        self.with_results = with_results
        self.with_severity = with_severity
        self.guesses: list[str] = []
        section = _SECTION.match(pasted.title or "")
        self.title = (pasted.title or title_of(name))[section.end() if section else 0 :]
        self.cites = (section[1],) if section else ()
        self.chart = _word(self.title if pasted.title else "", "fire_table")
        # The procedure is named after the title too: `Melee Results Table` gives `melee`.
        subject = " ".join(_GENERIC.sub(" ", self.title if pasted.title else "").split())
        self.procedure = _word(subject, "fire")
        self.subject = subject if self.procedure != "fire" else "Fire"
        labels = [label for label, _ in pasted.rows]
        about_dice = _ROLL.search(pasted.corner) is not None
        self.rows = (guess_dice(labels, pasted.corner) if about_dice else None) or guess_axis(labels)
        self.columns = guess_axis(pasted.columns)
        self.across_dice = None if self.rows.kind == "dice" else guess_dice(pasted.columns)
        self.smudges = _smudges([cells for _, cells in pasted.rows], pasted.short)
        cells = [cell for _, row in pasted.rows for cell in row]
        self.codes = tuple(dict.fromkeys(cell for cell in cells if not (self.smudges and cell in _SMUDGED)))
        self.numeric = all(re.fullmatch(r"[+-]?\d+", code) for code in self.codes)
        self.notes = self._named_notes() if with_notes else {}

    def _named_notes(self) -> dict[str, Note]:
        """The modifiers that the chart can have, each with the name of its fact."""
        can = {"roll": self.rows.kind == "dice", "shift": self.across_dice is None and len(self.pasted.columns) > 1}
        found = (note for note in notes_of(self.pasted.others) if can[note.kind])
        return {_short_name(note.label, f"case_{number}"): note for number, note in enumerate(found, 1)}

    def _amounts(self, kind: str) -> list[int]:
        return [note.amount for note in self.notes.values() if note.kind == kind]

    def text(self) -> str:
        """The file: its parts with a blank line between any two."""
        return "\n\n".join("\n".join(lines) for lines in self._parts() if lines) + "\n"

    def _parts(self) -> Iterator[list[str]]:
        head = (t.Language("1.1"), t.RulesetHead(t.Ident(self.name), t.Tail(_label(self.title)), None))
        yield list(self._comments())
        yield [line for each in head for line in unparse_lines(each)]
        axes = (*self._fields(self.columns, "column", self.across_dice), *self._fields(self.rows, "row", None))
        fields = (*axes, *(_field(name, t.FlagType(), t.Tail(_label(each.label))) for name, each in self.notes.items()))
        if fields:
            yield unparse_lines(t.Facts(t.NO_TAIL, fields))
        dice = (guess.die for guess in (self.rows, self.across_dice) if guess is not None)
        yield from (unparse_lines(die) for die in dice if die is not None)
        chart = self._chart()
        is_ordered = any(isinstance(item.line, t.SeverityOrder) for item in chart.items)
        hint = [_SEVERITY_HINT] if is_ordered and len(self.pasted.columns) > 1 else []
        yield [*hint, *unparse_lines(chart)]
        yield from map(unparse_lines, self._modifiers())
        if not self.numeric and self.with_results:
            meanings = meanings_of(self.codes, self.pasted.others)
            tails = {code: t.Tail(_label(meanings[code])) if code in meanings else t.NO_TAIL for code in self.codes}
            entries = tuple(t.Entry(_code(code), (), None, None, False, (), tail) for code, tail in tails.items())
            results = t.Results(t.Ident(self.chart), (), None, entries, t.NO_TAIL)
            yield [_RESULTS_HINT, *unparse_lines(results)]
        yield unparse_lines(self._procedure())
        yield unparse_lines(self._example())
        if self.pasted.others:
            yield [f"-- {line}" for line in ("The rest of the pasted text:", *self.pasted.others)]

    def _guess(self, what: str, label: str | None = None) -> t.Tail:
        self.guesses.append(what)
        return t.Tail(label, (), what)

    # -- declarations ---------------------------------------------------------------------------------------------

    def _comments(self) -> Iterator[str]:
        yield "-- Made from a pasted chart. Every line marked `assumed` is a guess: compare it with the rulebook."
        yield from (f"-- {line}" for line in folded_text(self.pasted.folded))
        yield from (
            f"-- row {row}, column {column} was empty; here it is written as -" for row, column in self.pasted.blanks
        )
        for at, cells in self.pasted.short:
            row = self.pasted.rows[at][0]
            yield f"-- row {row} has {cells} of {len(self.pasted.columns)} cells: look on the page which one is missing"
        for guess in (self.columns if self.across_dice is None else self.across_dice, self.rows):
            yield from (f"-- the label {before} was rewritten as {after}" for before, after in guess.rewritten)

    def _fields(self, guess: Guess, way: str, dice: Guess | None) -> Iterator[t.FieldDecl]:
        if guess.kind == "dice" or dice is not None or (way == "column" and len(self.pasted.columns) == 1):
            return
        if guess.kind == "odds":
            odds = self._guess(f"{guess.why}: attack to defence", "strength of the attacker")
            yield _field("attack", _range(1, None), odds)
            yield _field("defence", _range(1, None), t.Tail("strength of the defender"))
        elif guess.kind == "words":
            words = dict.fromkeys(_label(word) for label in guess.labels for word in _words(label))
            yield _field(self._fact(way), t.WordsType(tuple(map(t.Ident, words)), False), self._guess(guess.why))
        else:
            yield _field(
                self._fact(way), _range(*_bounds(guess)), self._guess(f"{guess.why}, so a number selects the {way}")
            )

    def _fact(self, way: str) -> str:
        if way == "column":
            return _word(self.pasted.caption or "", "situation" if self.columns.kind == "words" else "strength")
        corner = _word(self.pasted.corner, "kind")
        return corner if corner != self._fact("column") else f"{corner}_of_row"

    # -- the chart ------------------------------------------------------------------------------------------------

    def _chart(self) -> t.Chart:
        dice = self.across_dice
        params = () if dice is None else (t.Param(t.Ident("roll_read"), _range(dice.low, dice.high)),)
        *lines, last = self._lines()
        items = (*(t.ChartItem(line, ()) for line in lines), t.ChartItem(last, tuple(map(_row, self._rows()))))
        return t.Chart(t.Ident(self.chart), params, t.Tail(_label(self.title), self.cites), None, items)

    def _lines(self) -> Iterator[t.ChartLine]:
        yield self._axis("down", self.rows, "row")
        if self.across_dice is not None:
            axis = t.Axis(t.Name("roll_read"), None, "contains", _printed_on(self.across_dice))
            yield t.AxisLine("across", axis, self._guess(self.across_dice.why))
        elif len(self.pasted.columns) > 1:
            yield self._axis("across", self.columns, "column")
        for guess, way in ((self.columns, "column"), (self.rows, "row")):
            if guess.kind == "odds":
                why = self._guess("the chart does not say what happens below its lowest odds")
                yield t.Edge(f"{way} below", (t.EdgeAction("stays", None, None),), why)
        for where in self._edges():
            why = self._guess("the text does not say what happens past the edge of the chart")
            yield t.Edge(where, (t.EdgeAction("stays", None, None),), why)
        if self.numeric:
            yield t.CellsLine("numbers", t.NO_TAIL)
        elif self.with_severity and 1 < len(self.codes) <= _MAX_SEVERITY:
            order = guess_severity([self._read(number) for number in range(len(self.pasted.rows))])
            yield t.SeverityOrder(tuple(map(_code, order)), self._guess("guessed from the positions of the codes"))
        for (row, column), code in self.smudges.items():
            place = t.Place(_code(self.rows.labels[row]), _code(self._columns[column]), ())
            why = self._guess("the cell can't be read; this value comes from a neighbouring cell")
            yield t.Erratum(place, _code(code), None, why)

    def _edges(self) -> Iterator[str]:
        """The edges of the chart that the modifiers reach."""
        for kind, low, high in (
            ("shift", "shift off left", "shift off right"),
            ("roll", self.rows.low is not None and "row below", self.rows.high is not None and "row above"),
        ):
            amounts = self._amounts(kind)
            if low and min(amounts, default=0) < 0:
                yield low
            if high and max(amounts, default=0) > 0:
                yield high

    def _modifiers(self) -> Iterator[t.Modifiers]:
        for kind, name, label in (("roll", "drm", "Die roll modifiers"), ("shift", "shifts", "Column shifts")):
            lines = tuple(self._modifier(*each) for each in self.notes.items() if each[1].kind == kind)
            if lines:
                yield t.Modifiers(t.Ident(name), (), kind, (t.Ident(self.chart),), "cumulative", lines, t.Tail(label))

    def _modifier(self, name: str, note: Note) -> t.ModLine:
        tail = self._guess("read from the text around the chart", _label(note.label))
        return t.ModLine(t.Number(note.amount), t.Ident(name), t.Name(name), (), tail)

    def _axis(self, where: str, guess: Guess, way: str) -> t.AxisLine:
        if guess.kind == "dice":
            axis = t.Axis(_dice(guess), None, "contains", _printed_on(guess))
            return t.AxisLine(where, axis, self._guess(guess.why))
        odds = t.Chain(t.Name("attack"), (("/", t.Name("defence")),))
        value: t.Expr = odds if guess.kind == "odds" else t.Name(self._fact(way))
        mode = "below" if guess.kind in ("odds", "thresholds") else "contains"
        return t.AxisLine(where, t.Axis(value, None, mode, None), t.NO_TAIL)

    @property
    def _columns(self) -> tuple[str, ...]:
        return self.columns.labels if self.across_dice is None else self.across_dice.labels

    def _rows(self) -> Iterator[tuple[str, ...]]:
        yield (self.pasted.corner, *self._columns)
        for number, (label, (_, cells)) in enumerate(zip(self.rows.labels, self.pasted.rows, strict=True)):
            yield (label, *("??" if (number, at) in self.smudges else cell for at, cell in enumerate(cells)))

    def _read(self, row: int) -> tuple[str, ...]:
        """A row with guessed codes in its unreadable cells."""
        cells = self.pasted.rows[row][1]
        return tuple(self.smudges.get((row, at), cell) for at, cell in enumerate(cells))

    # -- play -----------------------------------------------------------------------------------------------------

    def _procedure(self) -> t.Procedure:
        dice = self.rows if self.rows.kind == "dice" else self.across_dice
        roll, shot = t.Name(f"{self.procedure}_roll"), t.Name("shot")
        steps: list[t.Statement] = []
        if dice is not None:
            steps.append(t.Roll(_dice(dice), t.Ident(roll.name), (), None, t.NO_TAIL))
        args = () if self.across_dice is None else (roll,)
        rolled = roll if self.rows.kind == "dice" else None
        steps.append(t.Read(t.Ident(self.chart), args, rolled, None, None, t.Ident(shot.name), t.NO_TAIL))
        if not self.numeric and self.with_results:
            steps.append(t.Apply(shot, None, t.NO_TAIL))
        steps.append(t.Give(t.Ident("result"), t.FieldOf(shot, t.Ident("code")), t.NO_TAIL))
        numbered = tuple(t.Step(number, step) for number, step in enumerate(steps, 1))
        return t.Procedure(t.Ident(self.procedure), None, numbered, t.Tail(_label(self.subject)))

    def _example(self) -> t.Example:
        lines: list[t.ExampleLine] = []
        given: dict[str, Any] = {}
        if self.across_dice is None and len(self.pasted.columns) > 1:
            given |= self._given(self.columns, "column")
        if self.rows.kind != "dice":
            given |= self._given(self.rows, "row")
        if given:
            lines.append(t.Given(tuple(given_item_from(name, value) for name, value in given.items())))
        dice = self.rows if self.rows.kind == "dice" else self.across_dice
        if dice is not None:
            lines.append(t.ExOn(tuple(t.Code(str(face)) for face in _faces(dice))))
        lines.append(t.Gives(_code(self._read(0)[0])))
        label = f"the first cell of row {_label(self.pasted.rows[0][0])}"
        return t.Example(t.Ident(self.procedure), label, tuple(lines), t.NO_TAIL)

    def _given(self, guess: Guess, way: str) -> dict[str, Any]:
        if guess.kind == "odds":
            attack, _, defence = guess.labels[0].partition(":")
            return {"attack": int(attack), "defence": int(defence)}
        return {self._fact(way): _label(_words(guess.labels[0])[0]) if guess.kind == "words" else _one(guess)}


def _field(name: str, type_: t.TypeExpr, tail: t.Tail) -> t.FieldDecl:
    return t.FieldDecl(t.Ident(name), type_, False, None, tail)


def _range(low: int | None, high: int | None) -> t.RangeType:
    return t.RangeType(low, high, True, False)


def _bounds(guess: Guess) -> tuple[int | None, int | None]:
    """The range of a fact whose values are the labels of an axis."""
    bounds = [bound for spans in guess.spans for span in spans for bound in (span.low, span.high) if bound is not None]
    high = None if guess.kind == "thresholds" else guess.high
    if guess.low is None and high is None:
        return (0, None) if min(bounds) >= 0 else (-99, 99)
    return guess.low, high


def _dice(guess: Guess) -> t.Dice:
    count, die = re.fullmatch(r"(\d*)(\D.*)", guess.dice or "").groups()  # type: ignore[union-attr]  # any dice match
    return t.Dice((t.DiceTerm(t.Number(int(count)) if count else None, t.Ident(die)),))


def _smudges(rows: list[tuple[str, ...]], short: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Map each unreadable or missing cell to the code beside it; if many are unreadable, `?` must be a code."""
    missing = {(row, at) for row, first in short for at in range(first, len(rows[row]))}
    found = [(row, at) for row, cells in enumerate(rows) for at, cell in enumerate(cells) if cell in _SMUDGED]
    if 10 * len(found) - 10 * len(missing) > sum(map(len, rows)):
        found = sorted(missing)
    beside = {(row, at): (*reversed(rows[row][:at]), *rows[row][at + 1 :]) for row, at in found}
    readable = {place: [cell for cell in cells if cell not in _SMUDGED] for place, cells in beside.items()}
    return {place: cells[0] for place, cells in readable.items() if cells}


def _printed_on(guess: Guess) -> t.Ident | None:
    """The die that gives the order of the printed rows: one whose 0 counts as ten, or as a hundred."""
    return t.Ident(guess.dice or "") if guess.die and any(face.value is not None for face in guess.die.faces) else None


def _one(guess: Guess) -> int:
    """A number of the first label."""
    span = guess.spans[0][0]
    return span.low if span.low is not None else span.high or 0


def _faces(guess: Guess) -> list[int]:
    """Faces that add up to the number of the first row."""
    number, sides = re.fullmatch(r"(\d*)d(\d+)", guess.dice or "") or (None, None), 0
    if isinstance(number, re.Match):
        count, sides = int(number[1] or 1), int(number[2])
    else:
        count, sides = 1, 10
    total, faces = _one(guess), []
    for left in range(count, 0, -1):
        face = max(total - sides * (left - 1), 0 if count == 1 else 1)
        faces.append(face)
        total -= face
    return faces


def _word(text: str, otherwise: str) -> str:
    """Turn a title into a name."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    is_name = _NAME.match(name) and not _DICE.match(name) and name not in _CONSTANTS
    return name if is_name and len(name) <= _MAX_NAME else otherwise


def _short_name(text: str, otherwise: str) -> str:
    """A name from the first words of a text."""
    return _word(" ".join(re.findall(r"\w+", text)[:_NAME_WORDS]), otherwise)


def _words(label: str) -> list[str]:
    return [word.strip() for word in label.split(",") if word.strip()] or [label]


def _code(code: str) -> t.Code:
    return t.Code(_label(code))


def _label(text: str) -> str:
    return text.replace('"', "'")


def _row(cells: Iterable[str]) -> t.Row:
    return t.Row(tuple(map(t.Code, cells)), False)


@door
def scaffold_path(argument: str) -> Path:
    """The path of the ruleset for a name or a path.

    Raises:
        ArgumentError: It has no name.
    """
    path = Path(argument)
    if not path.name:
        raise ArgumentError("a ruleset needs a name, such as house_rules")
    return path if path.suffix == ".rules" else path.with_name(f"{path.name}.rules")
