"""Replays a combat with the same dice, by changed rules or with changed facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from enfilade import ChoiceQuestion, Outcome, Ruleset
from enfilade.language import (
    Line,
    in_columns,
    line,
    lines_of,
    output_text,
    padded,
    width,
)
from enfilade_repl.entry import EntryError
from enfilade_repl.state import Resolution


def thrown_alike(rules: Ruleset, done: Resolution, given: Mapping[str, Any]) -> Outcome:
    """Replay a resolution with the same dice and choices, by changed rules or with changed facts.

    Dice and choices that the rules no longer ask for are left out.

    Raises:
        EntryError: The rules ask for dice or a choice that they did not ask for before.
    """
    known = {each.name: each.answers for each in (*done.outcome.dice, *done.outcome.choices)}
    run = rules.begin(done.procedure, given=dict(given))
    while (question := run.question) is not None:
        if question.key not in known:
            raise EntryError(
                f"{question.key} was not {'given' if question.kind == 'fact' else 'rolled or chosen'} in that combat"
            )
        answers = known[question.key]
        alone = isinstance(question, ChoiceQuestion) and question.count is None and len(answers) == 1
        run = run.answer(answers[0] if alone else list(answers))
    assert run.outcome is not None
    return run.outcome


def outputs_beside(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    head: tuple[str, str, str],
    columns: int,
    *,
    all_same: str = "These dice give the same result.",
) -> Iterator[Line]:
    """The outputs that differ between two outcomes, as a table."""
    names = list(dict.fromkeys((*before, *after)))
    differ = [name for name in names if before.get(name) != after.get(name)]
    if not differ:
        yield line(("hint", all_same))
        return
    rows = [[("label", each) for each in head]]
    rows += [
        [("name", each), ("", output_text(before.get(each))), ("code", output_text(after.get(each)))] for each in differ
    ]
    yield from _fitting(rows, columns)


def _fitting(table: list[list[tuple[str, str]]], columns: int) -> Iterator[Line]:
    """Format a table; if it is too wide, format it as a list with one cell to a line."""
    widest = sum(max(width(row[at][1]) for row in table) + 2 for at in range(len(table[0])))
    if widest <= columns:
        yield from in_columns(table)
        return
    head, *rows = table
    longest = max(width(text) for _, text in head[1:])
    for row in rows:
        yield line(row[0])
        for (_, name), cell in zip(head[1:], row[1:], strict=True):
            yield from lines_of(f"  {padded(name, longest)}  {cell[1]}")
