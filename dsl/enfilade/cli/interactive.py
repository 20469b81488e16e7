"""Asks a person at the keyboard for facts, dice, cards and choices.

Questions go to standard error, so the output can be redirected. It must not run without a terminal.
"""

from __future__ import annotations

import sys

from enfilade import AnswerError, DrawQuestion, Question, RollQuestion, Run, UsageError
from enfilade.terminal import complain


def play_out(run: Run, *, rolls: bool) -> Run:
    """Ask questions until the run ends.

    Args:
        run: A run, which may be waiting for an answer.
        rolls: Whether to roll dice instead of asking for them.

    Returns:
        The finished run.

    Raises:
        UsageError: The input ended before the run did.
    """
    while (question := run.question) is not None:
        here = rolls and isinstance(question, (RollQuestion, DrawQuestion))
        run = run.roll() if here else _answered(run, question)
    return run


def _answered(run: Run, question: Question) -> Run:
    """Repeat a question until the answer is legal."""
    while True:
        try:
            return run.answer_text(_read(question.prompt()))
        except AnswerError as wrong:
            complain(str(wrong))


def _read(prompt: str) -> str:
    print(prompt, end=" ", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        raise UsageError("no answer was entered")
    return line.strip()
