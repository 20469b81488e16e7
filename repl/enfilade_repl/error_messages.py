"""Error messages: turns each exception of an entry into a message with a suggestion, and an exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from enfilade import EnfiladeError, InputError, RefusedOdds, RulesetError
from enfilade.language import Line, diagnostic_lines, legal_text, line, odds_refusal_line, shorten
from enfilade.terminal import FAILED, WRONG_USAGE, reason
from enfilade.tools import modifier_conditions
from enfilade_repl.entry import EntryError
from enfilade_repl.sentences import sentences
from enfilade_repl.state import SessionState

_RECORD: Final = re.compile(r"\b\w+\[(?P<name>[^\d\[\]][^\[\]]*)\](?:\.(?P<field>\w+))?")


_OF_DICE: Final = ("roll", "rolled", "rolls", "dice")


@frozen
class ErrorMessage:
    """The message for an exception.

    Attributes:
        lines: The message.
        code: The exit code: 1 if the rules refuse or have errors, 2 if the entry was wrong.
    """

    lines: tuple[Line, ...]
    code: int


def error_message(error: BaseException, table: SessionState, columns: int) -> ErrorMessage:
    """Turn an exception into a message.

    Args:
        error: The exception.
        table: The state in which it was raised.
        columns: The width of the terminal.

    Raises:
        BaseException: The exception itself, if it is not the player's mistake.
    """
    names = _names(table)
    match error:
        case EntryError():
            advice = _advice(error, table) or error.hint
            hint = f" {sentences(advice, names)}" if advice else ""
            return ErrorMessage((line(("error", sentences(str(error), names)), ("hint", hint)),), WRONG_USAGE)
        case InputError():
            named = {found["name"] for fault in error.errors for found in _RECORD.finditer(fault.message)}
            faults = (line(("error", sentences(_of_pieces(fault.message), names | named))) for fault in error.errors)
            return ErrorMessage((*faults, *_reminder(error, table)), WRONG_USAGE)
        case RulesetError() if error.diagnostics:
            return ErrorMessage(tuple(diagnostic_lines(error.diagnostics, errors_alone=True, columns=columns)), FAILED)
        case RefusedOdds():
            return ErrorMessage((odds_refusal_line(error),), FAILED)
        case EnfiladeError():
            return ErrorMessage((line(("error", sentences(str(error), names))),), FAILED)
        case OSError():
            name = shorten(str(error.filename)) if error.filename is not None else "the file"
            return ErrorMessage((line(("error", f"{name} can't be read or written: {reason(error)}.")),), WRONG_USAGE)
    raise error


def _of_pieces(message: str) -> str:
    """A message about a field of a record, with the name of the record as people say it.

    Examples:
        >>> _of_pieces("unit[Old Guard].steps is many"), _of_pieces("unit[gun] needs its kind")
        ('Old Guard: steps is many', 'gun needs its kind')
    """
    return _RECORD.sub(lambda found: ": ".join(filter(None, (found["name"], found["field"]))), message)


def _advice(error: EntryError, table: SessionState) -> str:
    """What to type instead of an unknown fact: for a modifier the fact that makes it apply, for a number the word `on`."""
    text = "" if error.span is None else error.span.text
    if table.ruleset is None or not str(error).startswith("there is no fact") or error.hint.startswith("did you mean"):
        return ""
    if (text.isdigit() or text in _OF_DICE) and not table.asks:
        return "dice come after the word `on`"
    found = modifier_conditions(table.ruleset.rules, text)
    if not found:
        return ""
    return "; ".join(f"{name} is a modifier, which applies when {condition}" for name, condition in found.items())


def _names(table: SessionState) -> frozenset[str]:
    """The names with which a sentence may begin: those of the rules, and of the pieces."""
    symbols = () if table.ruleset is None else table.ruleset.rules.symbols
    return frozenset((*(symbol.name for symbol in symbols), *table.pieces))


def _reminder(wrong: InputError, table: SessionState) -> Iterator[Line]:
    """The legal answers; shown below an input error unless its message lists them already."""
    if table.pending is None or table.form is not None:
        return
    question = table.pending.question
    told = ("allowed:", "it shows", "totals are", "choose from")
    unsaid = [fault for fault in wrong.errors if not any(words in fault.message for words in told)]
    if any(fault.is_about(question.key) for fault in unsaid):
        yield line(("hint", f"Allowed: {legal_text(question)}."))
