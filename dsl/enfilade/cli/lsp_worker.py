"""What takes long, beside the language server: examples, odds and cards, answered by a process that can be ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from attrs import frozen

from enfilade import EnfiladeError, Ruleset
from enfilade.cli import lsp_protocol as protocol
from enfilade.editor import Analysis, Subject, analyse
from enfilade.tools import ExampleResult, reference_card, run_ruleset_examples

# Odds are as wide as a narrow column beside the text.
_WIDTH: Final = 56


@frozen
class Question:
    """A question about a text, with all that its answer needs.

    Attributes:
        job: One of ``JOBS``.
        text: The text.
        name: Its name.
        path: Its path, if it is a file.
        opened: The texts of the open files by path.
        argument: What the question is about: a place, a line or a procedure.
    """

    job: str
    text: str
    name: str
    path: str | None
    opened: Mapping[str, str]
    argument: Any = None


class Failed(Exception):
    """The process ended, or an answer failed; the text says why."""


class Worker:
    """A process that answers one question after the other. It starts with the first one."""

    def __init__(self) -> None:
        """Make a worker without a process."""
        self._process: BaseProcess | None = None
        self._free = asyncio.Lock()

    async def ask(self, question: Question) -> Any:
        """Answer a question; if the caller is cancelled meanwhile, the process ends.

        Raises:
            Failed: There is no answer.
        """
        async with self._free:
            if self._process is None or not self._process.is_alive():
                self._start()
            self._pipe.send(question)
            try:
                is_right, answer = await asyncio.get_running_loop().run_in_executor(None, self._pipe.recv)
            except (EOFError, OSError) as wrong:
                raise Failed("the process that computes odds and examples has ended") from wrong
            except asyncio.CancelledError:
                self.end()
                raise
        if not is_right:
            raise Failed(answer)
        return answer

    def _start(self) -> None:
        # A process that is copied would share the threads and the streams of the server.
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other,), daemon=True)
        self._process.start()
        other.close()

    def end(self) -> None:
        """End the process; the next question starts another."""
        if self._process is not None:
            self._process.kill()
            self._process = None


def _work(pipe: Connection) -> None:
    """Answer questions until the server is gone."""
    kept: dict[str, Analysis] = {}
    while True:
        try:
            asked: Question = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            before = kept.get(asked.name)
            found = analyse(asked.text, name=asked.name, path=asked.path, opened=asked.opened, before=before)
            kept[asked.name] = found
            pipe.send((True, None if found.ruleset is None else JOBS[asked.job](found, found.ruleset, asked.argument)))
        except Exception as wrong:
            pipe.send((False, f"{type(wrong).__name__}: {wrong}"))


def card_at(found: Analysis, rules: Ruleset, offset: int) -> dict[str, Any]:
    """The card of the chart at a place."""
    chart = found.subject(offset).chart
    return {"chart": chart, "html": reference_card(rules, chart)}


def example_results(found: Analysis, rules: Ruleset, _: None) -> list[dict[str, Any]]:
    """How the examples of the text went."""
    every = run_ruleset_examples(rules)
    return [_example(each) for each in every if each.span is not None and each.span.source.name == found.source.name]


def _example(result: ExampleResult) -> dict[str, Any]:
    """How an example went, with its lines counted from 0; failures without a line of their own have the first."""
    assert result.span is not None
    first = protocol.position_of(result.span.source, result.span.start).line
    failures = [
        {"line": protocol.position_of(each.span.source, each.span.start).line if each.span else first,
         "message": "\n".join((each.message, *each.helps))}
        for each in result.failures
    ]  # fmt: skip
    return {"line": first, "label": result.label, "passed": result.passed, "failures": failures}


def example_text(found: Analysis, rules: Ruleset, line: int) -> str:
    """Run the example that begins on a line, and say how it went."""
    del found
    for each in run_ruleset_examples(rules):
        if each.span is not None and each.span.line == line:
            failures = "; ".join(failure.message for failure in each.failures)
            return f"{each.label}: passed" if each.passed else f"{each.label}: {failures}"
    return "There is no example on this line."


def odds_of_procedure(found: Analysis, rules: Ruleset, procedure: str) -> str:
    """The odds of a procedure with the facts of its first example."""
    return _odds(rules, found.subject_of(procedure))


def odds_at(found: Analysis, rules: Ruleset, offset: int) -> str:
    """The odds at a place."""
    return _odds(rules, found.subject(offset))


def _odds(rules: Ruleset, subject: Subject) -> str:
    """The odds of an example, or of a procedure with the facts of its first example; or why they can't be told."""
    procedure = subject.procedure
    if procedure is None:
        return "Put the cursor in a procedure, in a chart that a procedure reads, or in an example."
    facts = f' as in "{subject.example}"' if subject.example else " with default facts"
    try:
        odds = rules.odds(procedure, given=subject.facts, options=subject.options)
        names = [each for each in odds.output_names if each == "result"] or odds.output_names
        found = "\n\n".join(odds.of(name).text(_WIDTH) for name in names) or f"{procedure} has no outputs."
    except EnfiladeError as wrong:
        advice = "" if subject.example else f"\n\nWrite an example of {procedure}: the odds are those of its facts."
        found = f"{procedure}: {wrong}{advice}"
    return f"{procedure}{facts}\n\n{found}"


JOBS: Final[Mapping[str, Callable[[Analysis, Ruleset, Any], Any]]] = {
    "card": card_at,
    "examples": example_results,
    "run example": example_text,
    "odds": odds_of_procedure,
    "odds here": odds_at,
}
"""The questions that are answered beside the server, by name."""
