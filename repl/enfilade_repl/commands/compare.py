"""The commands that compare: `what if`, `compare`, and `worth`, which compares the options of a choice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from enfilade import ChoiceQuestion, EnfiladeError, InputError, LimitError, NeedsPolicy, OddsError, RefusedOdds
from enfilade.language import (
    Line,
    chance_text,
    line,
    number_text,
    odds_refusal_line,
    refusal_line,
    value_text,
)
from enfilade_repl.clauses import clauses
from enfilade_repl.entry import EntryError
from enfilade_repl.odds_answers import drawn, example, instead_of
from enfilade_repl.same_dice import _fitting, outputs_beside, thrown_alike
from enfilade_repl.session import Session
from enfilade_repl.situation import Situation, changed, first_output, outputs_of, read_changes, situation, tell_game

_DICE: Final = re.compile(r"\b(?:rolled|rolls?|dice|die)\b[^,]*\d")
_ASKS: Final = re.compile(r"(?:is|are|does|do)\s+(?:(?:the|an?)\s+)?(.+?)(?:\s+mean)?$")
_WITH: Final = re.compile(r"\bwith\b")
_VERSUS: Final = re.compile(r"\b(?:vs\b\.?|versus\b|against\b)")
_JOINS: Final = re.compile(r",|\band\b")


def what_if(session: Session, text: str) -> Iterator[Line]:
    """Replay the last combat with changed facts and the same dice, and compare the odds."""
    text = re.sub(r"^if\b\s*", "", text)
    if not text:
        raise EntryError("name a fact to change", example(session, "what if {fact} VALUE"))
    asked = _ASKS.match(text)
    if asked is not None:
        raise EntryError("`what` goes on with `if` and facts", f"`help {asked[1]}` explains a name")
    if _DICE.search(text):
        raise EntryError("`what if` changes facts, not dice", "`again on 6 6` plays the combat with the dice you name")
    here = situation(session)
    tell_game(session, here.rules.name, here.procedure)
    _refuse_two_changes(session, here, text)
    other = changed(session, here, text)
    if session.state.pending is None:
        yield from _same_dice(session, other)
    yield from _set_beside(session, here, other, ("as it is", text), None)


def _same_dice(session: Session, other: Situation) -> Iterator[Line]:
    done = session.last
    try:
        after = thrown_alike(other.rules, done, other.given)
    except (EntryError, InputError) as wrong:
        yield line(("hint", f"The same dice can't be used: {wrong}."))
        return
    if after.refusal is not None:
        yield refusal_line(after)
        return
    head = ("with these dice", "as it is", "what if")
    yield from outputs_beside(done.outcome.outputs, after.outputs, head, session.columns)


def _set_beside(session: Session, a: Situation, b: Situation, names: tuple[str, str], of: str | None) -> Iterator[Line]:
    """Compare the odds of a question in two situations; without a question, those of the first output that differs."""
    outputs = [of] if of else [first_output(a), *outputs_of(a)]
    for question in dict.fromkeys(outputs):
        try:
            found = a.rules.compare(
                a.procedure, dict(a.given), dict(b.given), other=b.rules, of=question, progress=session.progress,
                dice=a.dice, choices=a.choices,
            )  # fmt: skip
            table = str(evolve(found, names=names))
        except RefusedOdds as wrong:
            yield (("hint", f"{_refused_side(a, b, names, question)}: "), *odds_refusal_line(wrong))
            return
        except InputError as wrong:
            if not a.dice and not a.choices:
                raise
            raise EntryError("the rolls and choices made so far don't fit the other situation", str(wrong)) from None
        except (NeedsPolicy, LimitError, OddsError) as wrong:
            if of is not None:
                raise EntryError(str(wrong), instead_of(wrong)) from None
            continue
        # The comparison with the same dice already shows outputs that are certain in both situations.
        if of is not None or (found.a != found.b and max(len(found.a), len(found.b)) > 1):
            yield from drawn(table)
            return
    yield line(("hint", "The odds are the same."))


def _refused_side(a: Situation, b: Situation, names: tuple[str, str], question: str) -> str:
    """The name of the situation for which the rules refuse the odds."""
    try:
        a.rules.odds(a.procedure, given=dict(a.given), dice=a.dice, choices=a.choices).of(question)
    except RefusedOdds:
        return names[0]
    return names[1]


def compare(session: Session, text: str) -> Iterator[Line]:
    """Compare two changes of the last situation: `compare terrain town with terrain hill of M or worse`."""
    said = clauses(text)
    parts = _sides(said.head)
    if not all(parts):
        raise EntryError(
            "name one or two changes to compare", example(session, "compare {fact} VALUE with {fact} VALUE")
        )
    here = situation(session)
    tell_game(session, here.rules.name, here.procedure)
    if len(parts) == 1:
        _refuse_joined(session, here, parts[0])
    sides = [changed(session, here, part) for part in parts]
    names = (parts[0], parts[1]) if len(parts) == 2 else ("as it is", parts[0])
    a, b = sides if len(parts) == 2 else (here, sides[0])
    yield from _set_beside(session, a, b, names, said.of)


def _sides(text: str) -> list[str]:
    """The changes to compare, separated by `with`, or by `vs`, `versus` or `against` if there is no `with`."""
    separator = _WITH if _WITH.search(text) else _VERSUS
    return [part.strip(" ,") for part in separator.split(text, maxsplit=1)]


def _refuse_joined(session: Session, here: Situation, text: str) -> None:
    """Raise an error for values of one fact that may be one change or several, as in `compare town, clear`."""
    parts = [part.strip() for part in _JOINS.split(text)]
    if len(parts) < 2 or not all(parts):
        return
    fact, _, _ = parts[0].rpartition(" ")
    # In `distance 2 and 4` and in `range min and max`, the fact is named once.
    for second in (parts[1], f"{fact} {parts[1]}"):
        try:
            one, other = read_changes(session, here, parts[0]), read_changes(session, here, second)
        except EnfiladeError:
            continue
        if one.keys() & other.keys():
            hint = f"write `compare {parts[0]} with {second}` to compare two changes"
            raise EntryError(f"`{text}` may be one change or {'two' if len(parts) == 2 else 'several'}", hint)


def _refuse_two_changes(session: Session, here: Situation, text: str) -> None:
    """Raise an error if `what if` gets two changes, as in `what if town vs clear`."""
    parts = [part.strip(" ,") for part in _VERSUS.split(text)]
    if len(parts) != 2 or not all(parts):
        return
    try:
        for part in parts:
            read_changes(session, here, part)
    except EnfiladeError:
        return
    raise EntryError("`what if` takes one change", f"write `compare {parts[0]} with {parts[1]}` to compare two")


def worth(session: Session, text: str) -> Iterator[Line]:
    """Compare the options of a choice by a question, or by every output in which the options differ."""
    pending = session.state.pending
    question = None if pending is None or session.state.form is not None else pending.run.question
    if pending is None or not isinstance(question, ChoiceQuestion):
        raise EntryError("`worth` works only while a choice is being asked for", "use `odds` for any other question")
    if question.count is not None and question.count > 1:
        raise EntryError(f"{question.count} options are chosen at once here; `worth` can compare only single options")
    here = situation(session)
    of = text.strip().removeprefix("of ").strip() or None
    given = outputs_of(here)
    outputs = [of] if of else [name for name in given if name != question.name]
    players = dict.fromkeys(here.rules.players, "random")
    rows = []
    for option in question.legal:
        choices = {**(here.choices or {}), question.key: option}
        call = {**here.call(session), "choices": choices, "players": players}
        asking = here.rules.odds(here.procedure, **call)
        rows.append([_summary(asking, each) for each in outputs])
    differ = [at for at in range(len(outputs)) if of or len({row[at] for row in rows}) > 1]
    if not differ:
        yield line(("hint", "All options have the same odds."))
        return
    table = [[("label", question.key), *(("label", outputs[at]) for at in differ)]]
    table += [
        [("name", value_text(option)), *(("", row[at]) for at in differ)]
        for option, row in zip(question.legal, rows, strict=True)
    ]
    yield from _fitting(table, session.columns)


def _summary(asking: Any, of: str) -> str:
    """A distribution in short: its only value, the chance of a condition, the mean, or the likeliest value."""
    try:
        found = asking.of(of)
    except (OddsError, LimitError) as wrong:
        return str(wrong)
    values = list(found)
    if len(values) == 1:
        return str(found.order.text(values[0]))
    if all(isinstance(value, bool) for value in values):
        return chance_text(found[True], found.shown(True))
    if all(isinstance(value, (int, Fraction)) for value in values) and (mean := found.known_mean) is not None:
        return f"mean {number_text(mean)}"
    likeliest = max(values, key=lambda value: found[value])
    return f"{found.order.text(likeliest)} ({chance_text(found[likeliest], found.shown(likeliest))})"
