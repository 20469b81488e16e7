"""Error messages: turns each exception of an entry into a message with a suggestion, and an exit code."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from enfilade import EnfiladeError, InputError, RefusedOdds, RulesetError
from enfilade.language import Line, diagnostic_lines, fault_lines, legal_text, line, odds_refusal_line, shorten
from enfilade.terminal import FAILED, WRONG_USAGE, reason
from enfilade_repl.entry import EntryError
from enfilade_repl.state import SessionState


@frozen
class ErrorMessage:
    """The message for an exception.

    Attributes:
        lines: The message.
        code: The exit code: 1 if the rules refuse or have errors, 2 if the entry was wrong.
    """

    lines: tuple[Line, ...]
    code: int


def error_message(error: BaseException, table: SessionState) -> ErrorMessage:
    """Turn an exception into a message.

    Args:
        error: The exception.
        table: The state in which it was raised.

    Raises:
        BaseException: The exception itself, if it is not the player's mistake.
    """
    match error:
        case EntryError():
            hint = f"; {error.hint}" if error.hint else ""
            return ErrorMessage((line(("error", str(error)), ("hint", hint)),), WRONG_USAGE)
        case InputError():
            return ErrorMessage((*fault_lines(error), *_reminder(error, table)), WRONG_USAGE)
        case RulesetError() if error.diagnostics:
            return ErrorMessage(tuple(diagnostic_lines(error.diagnostics, errors_alone=True)), FAILED)
        case RefusedOdds():
            return ErrorMessage((odds_refusal_line(error),), FAILED)
        case EnfiladeError():
            return ErrorMessage((line(("error", str(error))),), FAILED)
        case OSError():
            name = shorten(str(error.filename)) if error.filename is not None else "the file"
            return ErrorMessage((line(("error", f"{name} can't be read or written: {reason(error)}")),), WRONG_USAGE)
    raise error


def _reminder(wrong: InputError, table: SessionState) -> Iterator[Line]:
    """The legal answers; shown below an input error unless its message lists them already."""
    if table.pending is None or table.form is not None:
        return
    question = table.pending.question
    told = ("allowed is", "it shows", "totals are", "legal are")
    unsaid = [fault for fault in wrong.errors if not any(words in fault.message for words in told)]
    if any(fault.is_about(question.key) for fault in unsaid):
        yield line(("hint", f"legal: {legal_text(question)}"))
