"""Writes a first ruleset: one to learn from, or one around a chart that was pasted or scanned.

What it writes checks, and its example passes. Everything that it had to guess is marked ``assumed``. It must not write
a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.source.confusables import LookAlike
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.chart_guesses import Guess, guess_axis, guess_dice, guess_severity
from enfilade.tools.examples import run_examples
from enfilade.tools.first_ruleset import FIRST_RULESET
from enfilade.tools.format import format_text
from enfilade.tools.pasted_chart import Pasted, folded_text, read_pasted

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_CODE = re.compile(r"(?!.*--)[^\s,\"<\[\]|:]+\Z")
_DICE = re.compile(r"\d*d\d+\Z")
_CONSTANTS: Final = ("yes", "no", "none")
# How a transcriber marks a cell that can't be read.
_SMUDGED: Final = ("?", "??")
_MAX_SEVERITY: Final = 40
_MAX_NAME: Final = 40
# What stands above row labels that are dice.
_ROLL = re.compile(r"roll|die|dice|throw|score|d\d|\A[\W\d]*\Z", re.IGNORECASE)


@frozen
class Scaffold:
    """A ruleset to begin with.

    Attributes:
        text: Its text.
        guesses: What was guessed, one sentence each.
        folded: Letters of the pasted text that only looked like ASCII ones.
        diagnostics: What is to be mended in it; no errors unless the chart itself has some.
    """

    text: str
    guesses: tuple[str, ...] = ()
    folded: tuple[LookAlike, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def is_ruleset_name(name: str) -> bool:
    """Whether a ruleset may have that name."""
    return _NAME.match(name) is not None


def new_ruleset(name: str) -> Scaffold:
    """Write a first ruleset to learn from.

    Args:
        name: Its name: ASCII letters, digits and ``_``.

    Returns:
        A text that checks clean, and whose examples pass.
    """
    text = FIRST_RULESET.replace("FILE", f"{name}.rules").replace("NAME", name).replace("TITLE", title_of(name))
    return Scaffold(format_text(text))


def title_of(name: str) -> str:
    """A name as a title.

    Examples:
        >>> title_of("my_game")
        'My game'
    """
    return name.replace("_", " ").capitalize()


def ruleset_from_pasted(name: str, text: str) -> Scaffold:
    """Write a ruleset around a chart that was pasted or scanned.

    Args:
        name: Its name.
        text: The pasted text.

    Returns:
        A text with the chart in it, and what was guessed.

    Raises:
        NoChart: The text holds no chart.
    """
    pasted = read_pasted(text)
    for with_results, with_severity in ((True, True), (True, False), (False, False)):
        writer = _Writer(name, pasted, with_results, with_severity)
        written = format_text(writer.text())
        checked = check_source(SourceFile.from_text(written, f"{name}.rules"), Folders())
        errors = [d for d in checked.diagnostics if d.severity is Severity.ERROR]
        failed = checked.program is not None and not all(each.passed for each in run_examples(checked.program))
        if not errors and not failed:
            break
    return Scaffold(written, tuple(writer.guesses), pasted.folded, checked.diagnostics)


class _Writer:
    """Writes one ruleset around a pasted chart."""

    def __init__(self, name: str, pasted: Pasted, with_results: bool, with_severity: bool) -> None:
        self.name = name
        self.pasted = pasted
        self.with_results = with_results
        self.with_severity = with_severity
        self.guesses: list[str] = []
        self.chart = _word(pasted.title or "", "fire_table")
        labels = [label for label, _ in pasted.rows]
        about_dice = _ROLL.search(pasted.corner) is not None
        self.rows = (guess_dice(labels) if about_dice else None) or guess_axis(labels)
        self.columns = guess_axis(pasted.columns)
        self.across_dice = None if self.rows.kind == "dice" else guess_dice(pasted.columns)
        self.smudges = _smudges([cells for _, cells in pasted.rows])
        cells = [cell for _, row in pasted.rows for cell in row]
        self.codes = tuple(dict.fromkeys(cell for cell in cells if not (self.smudges and cell in _SMUDGED)))
        self.title = pasted.title or title_of(name)
        self.numeric = all(re.fullmatch(r"[+-]?\d+", code) for code in self.codes)

    def text(self) -> str:
        parts = [self._heading(), self._facts(), self._die(), self._chart(), self._results(), self._procedure()]
        return (
            "\n\n".join("\n".join(part) for part in map(list, [*parts, self._example(), self._others()]) if part) + "\n"
        )

    def _guess(self, what: str) -> str:
        self.guesses.append(what)
        return f'assumed "{what}"'

    # -- declarations ---------------------------------------------------------------------------------------------

    def _heading(self) -> Iterator[str]:
        yield "-- Begun from a pasted chart. Every line marked `assumed` is a guess: compare it with the rulebook."
        yield from (f"-- {line}" for line in folded_text(self.pasted.folded))
        yield from (f"-- row {row}, column {column} was empty and reads - here" for row, column in self.pasted.blanks)
        for guess in (self.columns if self.across_dice is None else self.across_dice, self.rows):
            yield from (f"-- the label {before} is written {after}" for before, after in guess.rewritten)
        yield ""
        yield "enfilade 1"
        yield f'ruleset {self.name} "{_label(self.title)}"'

    def _facts(self) -> Iterator[str]:
        lines = [*self._facts_of(self.columns, "column", self.across_dice), *self._facts_of(self.rows, "row", None)]
        if lines:
            yield "facts"
            yield from (f"  {line}" for line in lines)

    def _facts_of(self, guess: Guess, way: str, dice: Guess | None) -> Iterator[str]:
        if guess.kind == "dice" or dice is not None or (way == "column" and len(self.pasted.columns) == 1):
            return
        if guess.kind == "odds":
            yield f'attack   1..  "strength of the attacker"  {self._guess(f"{guess.why}: attack to defence")}'
            yield 'defence  1..  "strength of the defender"'
        elif guess.kind == "words":
            words = dict.fromkeys(word for label in guess.labels for word in _words(label))
            yield f"{self._fact(way)}  one of {', '.join(map(_quoted, words))}  {self._guess(f'{guess.why}')}"
        else:
            yield f"{self._fact(way)}  {self._range(guess)}  {self._guess(f'{guess.why}, so the {way} is a number')}"

    def _fact(self, way: str) -> str:
        if way == "column":
            return _word(self.pasted.caption or "", "situation" if self.columns.kind == "words" else "strength")
        corner = _word(self.pasted.corner, "kind")
        return corner if corner != self._fact("column") else f"{corner}_of_row"

    def _range(self, guess: Guess) -> str:
        bounds = [
            bound for spans in guess.spans for span in spans for bound in (span.low, span.high) if bound is not None
        ]
        ends = guess.high is not None and guess.kind != "thresholds"
        if guess.low is None and not ends:
            return "0.." if min(bounds) >= 0 else "-99..99"
        low = "" if guess.low is None else guess.low
        return f"{low}..{guess.high}" if ends else f"{low}.."

    def _die(self) -> Iterator[str]:
        for guess in (self.rows, self.across_dice):
            if guess is not None and guess.die is not None:
                yield guess.die

    # -- the chart ------------------------------------------------------------------------------------------------

    def _chart(self) -> Iterator[str]:
        given = "" if self.across_dice is None else f" (roll_read {self.across_dice.low}..{self.across_dice.high})"
        yield f'chart {self.chart}{given} "{_label(self.title)}"'
        yield f"  down  {self._axis(self.rows, 'row')}"
        if self.across_dice is not None:
            yield f"  across  roll_read{_printed_on(self.across_dice)}  {self._guess(self.across_dice.why)}"
        elif len(self.pasted.columns) > 1:
            yield f"  across  {self._axis(self.columns, 'column')}"
        for guess, way in ((self.columns, "column"), (self.rows, "row")):
            if guess.kind == "odds":
                yield f"  {way} below  stays  {self._guess('the chart does not say what happens below its lowest odds')}"
        yield from self._cells()

    def _axis(self, guess: Guess, way: str) -> str:
        if guess.kind == "dice":
            return f"{guess.dice}{_printed_on(guess)}  {self._guess(guess.why)}"
        if guess.kind == "odds":
            return f"attack / defence, {way} at or below"
        mode = f", {way} at or below" if guess.kind == "thresholds" else ""
        return f"{self._fact(way)}{mode}"

    def _cells(self) -> Iterator[str]:
        if self.numeric:
            yield "  cells  numbers"
        elif self.with_severity and 1 < len(self.codes) <= _MAX_SEVERITY:
            order = guess_severity([self._read(number) for number in range(len(self.pasted.rows))])
            yield f"  severity  {' < '.join(map(_code, order))}  {self._guess('guessed from where the codes stand')}"
            if len(self.pasted.columns) > 1:
                yield "  -- Put `severity  never falls to the right` here to have the chart searched for slips."
        columns = self.columns.labels if self.across_dice is None else self.across_dice.labels
        for (row, column), code in self.smudges.items():
            place = f"row {_code(self.rows.labels[row])}, column {_code(columns[column])}"
            guess = self._guess("the cell can't be read; this is what stands beside it")
            yield f"  erratum {place} reads {_code(code)}  {guess}"
        yield _row((self.pasted.corner, *columns))
        for number, (label, (_, cells)) in enumerate(zip(self.rows.labels, self.pasted.rows, strict=True)):
            yield _row((label, *("??" if (number, at) in self.smudges else cell for at, cell in enumerate(cells))))

    def _read(self, row: int) -> tuple[str, ...]:
        """A row with what its smudged cells are taken for."""
        cells = self.pasted.rows[row][1]
        return tuple(self.smudges.get((row, at), cell) for at, cell in enumerate(cells))

    def _results(self) -> Iterator[str]:
        if self.numeric or not self.with_results:
            return
        yield '-- Say below each code what it does: `effect NAME "what it is"` declares what can be done.'
        yield f"results of {self.chart}"
        yield from (f"  {_code(code)}" for code in self.codes)

    # -- play -----------------------------------------------------------------------------------------------------

    def _procedure(self) -> Iterator[str]:
        dice = self.rows if self.rows.kind == "dice" else self.across_dice
        steps = [f"roll {dice.dice} as fire_roll"] if dice is not None else []
        given = "" if self.across_dice is None else "(fire_roll)"
        roll = " with fire_roll" if self.rows.kind == "dice" else ""
        steps.append(f"read {self.chart}{given}{roll} as shot")
        steps += [] if self.numeric or not self.with_results else ["apply shot"]
        steps += ["give result = shot.code"]
        yield 'procedure fire "Fire"'
        yield from (f"  {number}. {step}" for number, step in enumerate(steps, 1))

    def _example(self) -> Iterator[str]:
        label, cells = self.pasted.rows[0][0], self._read(0)
        yield f'example fire "the first cell of row {_label(label)}"'
        given: list[str] = []
        if self.across_dice is None and len(self.pasted.columns) > 1:
            given += self._given(self.columns, "column")
        if self.rows.kind != "dice":
            given += self._given(self.rows, "row")
        if given:
            yield "  given " + ", ".join(given)
        dice = self.rows if self.rows.kind == "dice" else self.across_dice
        if dice is not None:
            yield "  on " + " ".join(map(str, _faces(dice)))
        yield f"  gives {_code(cells[0])}"

    def _given(self, guess: Guess, way: str) -> list[str]:
        if guess.kind == "odds":
            attack, _, defence = guess.labels[0].partition(":")
            return [f"attack {attack}", f"defence {defence}"]
        if guess.kind == "words":
            return [f"{self._fact(way)} {_quoted(_words(guess.labels[0])[0])}"]
        return [f"{self._fact(way)} {_one(guess)}"]

    def _others(self) -> Iterator[str]:
        if self.pasted.others:
            yield "-- The rest of the pasted text:"
            yield from (f"-- {line}" for line in self.pasted.others)


def _smudges(rows: list[tuple[str, ...]]) -> dict[tuple[int, int], str]:
    """The cells that can't be read, each with the code beside it. Where there are many, `?` is a code."""
    found = [(row, at) for row, cells in enumerate(rows) for at, cell in enumerate(cells) if cell in _SMUDGED]
    if 10 * len(found) > sum(map(len, rows)):
        return {}
    beside = {(row, at): (*reversed(rows[row][:at]), *rows[row][at + 1 :]) for row, at in found}
    readable = {place: [cell for cell in cells if cell not in _SMUDGED] for place, cells in beside.items()}
    return {place: cells[0] for place, cells in readable.items() if cells}


def _printed_on(guess: Guess) -> str:
    """A d10 whose 0 is ten prints its bands in its own order."""
    return f", printed on {guess.dice}" if guess.die and "0 as 10" in guess.die else ""


def _one(guess: Guess) -> int:
    """A number that the first label stands for."""
    span = guess.spans[0][0]
    return span.low if span.low is not None else span.high or 0


def _faces(guess: Guess) -> list[int]:
    """Dice that show the number of the first row."""
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
    """A title as a name."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    is_name = _NAME.match(name) and not _DICE.match(name) and name not in _CONSTANTS
    return name if is_name and len(name) <= _MAX_NAME else otherwise


def _words(label: str) -> list[str]:
    return [word.strip() for word in label.split(",") if word.strip()] or [label]


def _quoted(word: str) -> str:
    return word if _NAME.match(word) and word not in _CONSTANTS else f'"{_label(word)}"'


def _code(code: str) -> str:
    return code if _CODE.match(code) else f'"{_label(code)}"'


def _label(text: str) -> str:
    return text.replace('"', "'")


def _row(cells: tuple[str, ...]) -> str:
    return "  | " + " | ".join(cells) + " |"


def scaffold_path(argument: str) -> Path:
    """The file that a name or a path means."""
    path = Path(argument)
    return path if path.suffix == ".rules" else path.with_name(f"{path.name}.rules")
