"""What an embedder catches. Mistakes in rules files are diagnostics; these are the errors of calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from enfilade.frozen import FrozenMap

if TYPE_CHECKING:
    from enfilade.diagnostics.diagnostic import Diagnostic
    from enfilade.source.text import Span


_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


class EnfiladeError(Exception):
    """The base of all errors of this library.

    Attributes:
        situation: For an error in one of many situations, such as a cell of a grid, which one; otherwise empty.
    """

    situation = ""

    def __str__(self) -> str:
        text = f"{self.situation}: {self._text()}" if self.situation else self._text()
        return text if text.isprintable() else _visible(text)

    def _text(self) -> str:
        """What is wrong, without the situation."""
        return super().__str__()

    def __reduce__(self) -> tuple[Callable[..., EnfiladeError], tuple[Any, ...]]:
        """Pickle the attributes, because each kind of error takes other arguments."""
        return _unpickled, (type(self), self.args, vars(self))


def _visible(text: str) -> str:
    """Show what a terminal or a log would obey by its code points: it may stand in what a caller passed."""
    return _CONTROLS.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def _unpickled(kind: type[EnfiladeError], args: tuple[Any, ...], attributes: Mapping[str, Any]) -> EnfiladeError:
    error = kind.__new__(kind, *args)
    vars(error).update(attributes)
    return error


class ArgumentError(EnfiladeError, TypeError, ValueError):
    """An argument of a call is of another kind than its parameter takes; nothing was done."""


class RulesetError(EnfiladeError):
    """A ruleset that does not check, or can't be found.

    Attributes:
        diagnostics: The diagnostics; empty if no text was found.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class UsageError(EnfiladeError):
    """Typed text that can't be read, or that names something unknown.

    Raised by the functions that read typed text: names of rulesets, facts, dice.
    """


class EntryError(EnfiladeError):
    """Typed text that can't be read or carried out.

    Attributes:
        hint: The text to type instead; empty if unknown.
        span: The wrong part of the typed text, if known.
    """

    def __init__(self, message: str, hint: str = "", span: Span | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.span = span


class AmbiguousEntry(EntryError):
    """Typed text that can be read in several ways.

    Attributes:
        readings: The text of each, in which every fact has its name.
        text: The text that was read, as it was typed; empty if the reader doesn't know it.
    """

    def __init__(self, message: str, hint: str, readings: Sequence[str], text: str = "") -> None:
        super().__init__(message, hint)
        self.readings = tuple(readings)
        self.text = text


@frozen
class InputFault:
    """One fault in the given values.

    Attributes:
        parameter: The fact, option, roll or choice.
        value: The given value; ``None`` if there was none.
        allowed: What is allowed, in words.
        message: One sentence.
        is_option: Whether an option was given as a fact: it belongs among ``options``.
    """

    parameter: str
    value: Any
    allowed: str
    message: str
    is_option: bool = False

    def is_about(self, name: str) -> bool:
        """Whether the fault concerns a fact, roll or choice, or a part of it.

        Examples:
            >>> InputFault("units[gun].steps", 9, "0..3", "").is_about("units")
            True
        """
        return name == self.parameter or name in re.sub(r"\[[^\]]*\]", "", self.parameter).split(".")


class InputError(EnfiladeError):
    """A given value is outside its domain; nothing was rolled.

    Attributes:
        errors: All faults, in the order of declaration.
    """

    def __init__(self, errors: Sequence[InputFault]) -> None:
        super().__init__("; ".join(error.message for error in errors))
        self.errors = tuple(errors)


class MissingAnswer(InputError):
    """A question of the rules was not answered.

    Attributes:
        kind: What it is: fact, roll, draw or choice.
        name: Its name, with its place if it is repeated: ``morale[gun]``.
    """

    def __init__(self, kind: str, name: str, fault: InputFault) -> None:
        super().__init__([fault])
        self.kind = kind
        self.name = name


@frozen
class RulePlace:
    """The place in the rules where a run failed.

    Attributes:
        file: The name of the text.
        line: The number of the line, from 1.
        text: The expression or the step, as written.
        procedure: The procedure, or what else was running; empty if unknown.
        values: The values that the text uses, by their names there.
    """

    file: str
    line: int
    text: str
    procedure: str = ""
    values: Mapping[str, str] = field(factory=dict, converter=FrozenMap)

    @classmethod
    def of(cls, span: Span, procedure: str = "", values: Mapping[str, str] | None = None) -> RulePlace:
        """The place of an expression or a step; a block is shown by its first line.

        Args:
            span: The text.
            procedure: The procedure, or what else was running.
            values: The values that the text uses, by their names there.
        """
        line, _ = span.source.line_column(span.start)
        text = span.text.splitlines()[0].strip().removesuffix(":")
        return cls(span.source.name, line, text, procedure, values or {})

    def __str__(self) -> str:
        inside = f" in {self.procedure}" if self.procedure else ""
        values = [f"{name} is {value}" for name, value in self.values.items()]
        where = f", where {_listed(values)}" if values else ""
        return f"{self.file}, line {self.line}{inside}: `{self.text}`{where}"


def _listed(items: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(items[:-1]), items[-1])))


class RunError(EnfiladeError):
    """A run, or a calculation of odds, that can't be finished.

    Attributes:
        message: What is wrong, without the place.
        place: Where in the rules, if known.
    """

    def __init__(self, message: str, place: RulePlace | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def _text(self) -> str:
        return self.message if self.place is None else f"{self.message} ({self.place})"


class RuleError(RunError):
    """The rules reach a case that they do not cover.

    Attributes:
        cites: The citations of the line at which it happened.
    """

    def __init__(self, message: str, cites: tuple[str, ...] = (), place: RulePlace | None = None) -> None:
        super().__init__(message, place)
        self.cites = cites


@frozen
class Cause:
    """A reason why odds take too much time or memory.

    Attributes:
        name: A field, a local, a roll, a draw or a deck of the rules.
        values: How many values it has in the states that were reached; ``None`` if they were not counted.
        records: For a field, the records that have it.
        place: Where the rules declare it.
    """

    name: str
    values: int | None = None
    records: tuple[str, ...] = ()
    place: RulePlace | None = None

    def __str__(self) -> str:
        of = f" of {_listed(self.records)}" if self.records else ""
        known = [] if self.values is None else [f"{self.values:,} values"]
        known += [] if self.place is None else [f"line {self.place.line}"]
        return f"{self.name}{of} ({', '.join(known)})" if known else f"{self.name}{of}"


@frozen
class CutOff:
    """A roll or a loop that has endlessly many outcomes, so odds are not exact.

    Attributes:
        name: The name of the roll; ``repeat`` for a loop.
        line: Its line in the rules; ``None`` for a loop that is not in the rules, such as that of ``until``.
        is_loop: Whether it is a loop.
        ends: Whether it is a loop that ends by a counter of its own, but only after many rounds.
    """

    name: str
    line: int | None = None
    is_loop: bool = False
    ends: bool = False

    def __str__(self) -> str:
        if self.line is None:
            return "the turns have no limit: set a highest number of turns, such as 20"
        where = f"{self.name} (line {self.line})"
        if self.ends:
            return f"{where} ends by a counter, but its last rounds are too unlikely to be worked out"
        if self.is_loop:
            return f"{where} has no limit on its rounds: write `at most 20 times` after its condition"
        return f"{where} can be rolled again without end: write `at most 3 times` after its `explode` or `reroll`"


class LimitError(RunError):
    """A limit of a run, or of a calculation of odds, was reached.

    Attributes:
        limit: Its name, as in ``Limits``.
        needed: How much is needed, as far as it can be estimated, in the unit of the limit.
        causes: For odds, what makes them large, the largest first.
        is_size: Whether exact odds take too much time or memory.
        can_sample: Whether a sample can answer the same question instead.
    """

    def __init__(
        self,
        limit: str,
        message: str,
        place: RulePlace | None = None,
        *,
        needed: float | None = None,
        causes: tuple[Cause, ...] = (),
        can_sample: bool = False,
    ) -> None:
        super().__init__(message, place)
        self.limit = limit
        self.needed = needed
        self.causes = causes
        self.can_sample = can_sample
        self.is_size = limit in ("seconds", "megabytes", "work")

    def _text(self) -> str:
        causes = f"; the work grows with {_listed([*map(str, self.causes)])}" if self.causes else ""
        return f"{super()._text()}{causes}{'; estimate them with a sample instead' if self.can_sample else ''}"


class AnswerError(EnfiladeError):
    """A run can't do the requested thing now, such as take an answer when no question is open."""


class OddsError(EnfiladeError):
    """A question about odds that has no answer, such as the mean of words, or an impossible condition."""


class RefusedOdds(OddsError):
    """The rules refuse the situation whose odds were requested.

    Attributes:
        refusal: The name of the refusal.
        reason: Its sentence.
        cites: Its citations.
        by_chance: Whether the refusal depends on rolls, draws or choices: the rules may accept other dice.
    """

    def __init__(self, refusal: str, reason: str = "", cites: tuple[str, ...] = (), *, by_chance: bool = False) -> None:
        sentence = f"{refusal}: {reason}" if reason else refusal
        when = "the rules refuse some dice or choices" if by_chance else "the rules refuse"
        super().__init__(f"{when}, so there are no odds: {sentence}")
        self.refusal = refusal
        self.reason = reason
        self.cites = cites
        self.by_chance = by_chance
