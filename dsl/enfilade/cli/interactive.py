"""Asks a person at the keyboard for facts, dice, cards and choices.

Questions go to standard error, so the output can be redirected. It must not run without a terminal.
"""

from __future__ import annotations

import sys

from enfilade import ChoiceQuestion, DrawQuestion, FactQuestion, InputError, Question, RollQuestion, Run, UsageError
from enfilade.language import read_known_answers, read_value, value_text
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
        text = _read(_prompt(question))
        try:
            if not text and isinstance(question, (RollQuestion, DrawQuestion)):
                return run.roll()
            return run.answer(_data(run, question, text))
        except InputError as wrong:
            for fault in wrong.errors:
                complain(fault.message)


def _read(prompt: str) -> str:
    print(prompt, end=" ", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        raise UsageError("no answer was given")
    return line.strip()


def _prompt(question: Question) -> str:
    text = question.text if question.text == question.key else f"{question.text} ({question.key})"
    match question:
        case FactQuestion():
            return f"{text}, {question.input.type}:"
        case RollQuestion():
            dice = " + ".join(f"{each.count} {each.die}" for each in question.legal)
            return f"{text}: {dice} (Enter rolls, or type the dice):"
        case DrawQuestion():
            return f"{text}: {question.count} from {question.deck} (Enter draws, or type the cards):"
        case ChoiceQuestion():
            legal = ", ".join(value_text(each) for each in question.legal)
            count = "" if question.count is None else f" {question.count} of"
            return f"{question.player}: {text},{count} {legal}:"


def _data(run: Run, question: Question, text: str) -> object:
    if isinstance(question, FactQuestion):
        return read_value(run.rules, question.input.domain, text)
    answers = read_known_answers([text]) or []
    alone = isinstance(question, ChoiceQuestion) and question.count is None and len(answers) == 1
    return answers[0] if alone else answers
