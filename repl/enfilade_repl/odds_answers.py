"""What the answers to questions about odds have in common: their drawing, their fractions, and what to type instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol, TypeVar

from enfilade import EnfiladeError, LimitError, NeedsPolicy
from enfilade.language import Line, line, more_patience, with_underscores
from enfilade.types import CodeOf, Num
from enfilade_repl.entry import first_word
from enfilade_repl.session import Session
from enfilade_repl.situation import Situation, first_output, situation


def instead_of(wrong: EnfiladeError) -> str:
    if isinstance(wrong, NeedsPolicy):
        return f"add `random {wrong.player}`, or `best {wrong.player} aim QUESTION`"
    if not isinstance(wrong, LimitError):
        return "ask a simpler question, or estimate the odds with `sample 100000 of QUESTION`"
    if wrong.limit == "rounds" and wrong.place is None:
        return "limit them with `for 20 turns`"
    seconds = more_patience(wrong)
    more = [f"allow more time with `set patience {seconds}s`"] if seconds else []
    return ", or ".join([*more, *(["estimate the odds with `sample 100000 of QUESTION`"] if wrong.can_sample else [])])


class _HasFractions(Protocol):
    def in_lowest_terms(self: T) -> T: ...


T = TypeVar("T", bound=_HasFractions)


def in_terms(session: Session, found: T) -> T:
    """Show the fractions of an answer as the setting `fractions` says: in lowest terms, or as they are."""
    return found.in_lowest_terms() if session.settings["fractions"] == "lowest" else found


def example(session: Session, form: str, typed: str = "") -> str:
    """Suggest an entry to type instead, such as `grid by fire_value of M or worse`, with names from the game in use.

    Args:
        session: The session.
        form: The entry, with ``{fact}`` for the name of a fact, and ``{condition}`` for a condition.
        typed: What the player typed; if it begins with the name of a fact, this is the fact.
    """
    rules = None if session.state.ruleset is None else session.state.ruleset.rules
    here = None
    if session.state.resolutions or session.state.pending is not None:
        here = situation(session)
    elif rules is not None and rules.procedures:
        here = Situation(rules, rules.procedures[0].name, {})
    types = {} if here is None else here.types
    named, _ = first_word(with_underscores(typed, types, begins=True))
    numbers = [name for name, type_ in types.items() if isinstance(type_, Num)]
    fact = next(iter((*(name for name in types if name == named), *numbers, *types)), "FACT")
    return f"for example, `{form.format(fact=fact, condition=_condition(here))}`"


def _condition(here: Situation | None) -> str:
    """A condition for an example: the second code of the result or worse, or at least 2 of a number."""
    if here is None:
        return "CONDITION"
    asked_first = first_output(here)
    domains = {output.name: output.domain for output in here.rules.procedure(here.procedure).outputs}
    match domains.get(asked_first):
        case CodeOf(order=order) if len(order) > 1:
            return f"{order[1]} or worse"
        case Num():
            return f"at least 2 {asked_first}" if asked_first != "result" else "at least 2"
    return "CONDITION"


def drawn(text: str, question: str = "", said: str | None = None) -> Iterator[Line]:
    """Add styles to the heading and the bars of a table that the library wrote as plain text.

    Args:
        text: The table or drawing.
        question: The question in its heading, in the language of the rules.
        said: The question as the player typed it, which replaces a count of effects in the heading.
    """
    said = said if question.startswith("count of effects") else None
    for number, each in enumerate(text.splitlines()):
        found = re.search(r"\s([▏▎▍▌▋▊▉█]+|#+)$", each)
        if number == 0:
            yield line(("label", each.replace(question, said, 1) if said else each))
        elif found is not None:
            yield line(each[: found.start(1)], ("bar", found[1]))
        else:
            yield line(each)
