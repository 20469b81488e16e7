"""A new example for a procedure: it is played with the facts of an earlier example, or with simple ones, and recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from enfilade.api.facts_to_try import values_to_search
from enfilade.api.outcome import REFUSED, Outcome
from enfilade.api.outcome_values import value_text
from enfilade.api.questions import FactQuestion
from enfilade.api.ruleset import Ruleset
from enfilade.editor.answers import Subject
from enfilade.errors import EnfiladeError
from enfilade.limits import go_on
from enfilade.source.finder import Finder
from enfilade.source.text import SourceFile
from enfilade.tools.recording import NoFile, example_of, tried_out

_TRIES: Final = 12
_MOST_ANSWERS: Final = 500


def new_example(rules: Ruleset, subject: Subject, source: SourceFile, finder: Finder) -> str | None:
    """Write an example that passes, if possible with a result that no other example has.

    Args:
        rules: The ruleset.
        subject: The procedure, and the facts of an earlier example.
        source: The text that will contain it.
        finder: Finds the files that the text uses.

    Returns:
        The example as text; ``None`` if none was found.
    """
    assert subject.procedure is not None
    shown = {each.gives for each in rules.program.examples if each.procedure == subject.procedure}
    played = list(_played(rules, subject))
    fresh = (each for each in played if value_text(each[0].result) not in shown)
    found = next(fresh, played[0] if played else None)
    if found is None:
        return None
    outcome, facts = found
    example = example_of(rules, outcome, facts, subject.options, f"new example {len(rules.program.examples) + 1}")
    head = source.text.rstrip()
    try:
        text = tried_out(Path(source.name), head, {0: example}, all_examples=False, finder=finder).text
    except NoFile:
        return None
    return text[len(head) :].strip() or None


def _played(rules: Ruleset, subject: Subject) -> Iterator[tuple[Outcome, Mapping[str, Any]]]:
    """Outcomes of plays with different dice, each with its facts."""
    examples = sum(each.procedure == subject.procedure for each in rules.program.examples)
    for seed in range(examples, examples + _TRIES):
        go_on()
        try:
            found = _play(rules, subject, seed)
        except EnfiladeError:
            continue
        if found is not None and found[0].status != REFUSED:
            yield found


def _play(rules: Ruleset, subject: Subject, seed: int) -> tuple[Outcome, Mapping[str, Any]] | None:
    assert subject.procedure is not None
    run = rules.begin(subject.procedure, given=subject.facts, options=subject.options, seed=seed)
    random = Random(seed)
    for number in range(_MOST_ANSWERS):
        if run.outcome is not None:
            return run.outcome, run.facts
        question = run.question
        if isinstance(question, FactQuestion):
            tried = values_to_search(rules.program, question.input.domain, random)
            if tried is None or not tried.values:
                return None
            run = run.answer(tried.values[min(seed, 1) * random.randrange(len(tried.values))])
        else:
            run = run.answer_random(seed * _MOST_ANSWERS + number)
    return None
