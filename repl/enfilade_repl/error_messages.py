"""Words what is wrong with an entry: one message with the cause, and what to type instead."""

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
    """What is said of a mistake.

    Attributes:
        lines: The message.
        code: 1 where the rules refuse or do not check, 2 where the entry was wrong.
    """

    lines: tuple[Line, ...]
    code: int


def error_message(error: BaseException, table: SessionState) -> ErrorMessage:
    """Say what is wrong.

    Args:
        error: What was raised.
        table: What the session stands on.

    Raises:
        BaseException: It is no mistake of an entry: the same again.
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
    """What is legal, below a wrong answer to a question."""
    if table.pending is None or table.form is not None:
        return
    question = table.pending.question
    told = ("allowed is", "it shows", "totals are", "legal are")
    unsaid = [fault for fault in wrong.errors if not any(words in fault.message for words in told)]
    if any(fault.is_about(question.key) for fault in unsaid):
        yield line(("hint", f"legal: {legal_text(question)}"))
