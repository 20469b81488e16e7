"""The clauses of a question about odds: `odds 30 town of M or worse by range given night best owner`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from enfilade_repl.entry import EntryError

CLAUSES: Final = {
    "of": "the question", "by": "over the values of a fact", "given": "under a condition",
    "aim": "the goal of the players' choices", "plus": "add another, independent combat", "then": "play another procedure next",
    "for": "a number of turns", "until": "until a condition is true",
    "best": "a player who makes the aim as high as possible", "worst": "a player who makes the aim as low as possible",
    "random": "a player who chooses at random", "policy": "what a choice answers: CHOICE: EXPRESSION", "if": "with other facts",
    "when": "the condition on which the next procedure is played", "carry": "a fact of the next procedure, and its value",
}  # fmt: skip
"""The words that begin a clause, and what stands behind each."""
_WAYS: Final = ("best", "worst", "random")
_SAME: Final = {"if": "given"}
_AFTER_THEN: Final = ("when", "carry")
_WITH_A_QUESTION: Final = ("of", "if", "given", "aim", "policy", *_AFTER_THEN, "until")


@frozen
class Clauses:
    """The clauses of a question.

    Attributes:
        head: The situation.
        of: The question.
        by: The facts to vary, as typed.
        given: The conditions.
        aim: The question whose value the players maximise or minimise.
        players: The strategy of each player: best, worst or random.
        plus: For each further, independent combat its changed facts.
        then: The procedures that are played next, with their facts.
        when: The condition on which the next procedure is played.
        carry: For each fact of the next procedure that is worked out from the outputs, the fact and the expression.
        turns: How many times it is played.
        until: The condition that ends the turns.
        policies: What is chosen, as typed: the name of a choice and an expression.
    """

    head: str
    of: str | None = None
    by: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    aim: str | None = None
    players: Mapping[str, str] = {}
    plus: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    when: str | None = None
    carry: tuple[str, ...] = ()
    turns: int | None = None
    until: str | None = None
    policies: tuple[str, ...] = ()

    @property
    def is_of_several(self) -> bool:
        """Whether the question is about several combats."""
        return bool(self.plus or self.then) or self.turns is not None or self.until is not None


def split(text: str) -> list[tuple[str, str]]:
    """Split a question into pairs of the word that begins a clause and the text behind it.

    The first pair has no word; its text is the situation before all clauses.

    The word ``of`` begins a clause only outside another question or condition; ``when`` and ``carry`` only after ``then``.
    """
    pieces = [("", "")]
    for token in re.findall(r"\"[^\"]*\"?|\S+\s*|\s+", text):
        word = token.strip()
        is_of_another = word == "of" and pieces[-1][0] in _WITH_A_QUESTION
        is_early = word in _AFTER_THEN and all(each != "then" for each, _ in pieces)
        if word in CLAUSES and not is_of_another and not is_early:
            pieces.append((word, ""))
        else:
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + token)
    return pieces


def clauses(text: str) -> Clauses:
    """Read a question.

    Raises:
        EntryError: Nothing stands behind the word of a clause, or no number of turns behind ``for``.
    """
    said = [(_SAME.get(word, word), part.strip()) for word, part in split(text)]
    for word, part in said[1:]:
        if not part:
            raise EntryError(f"something is missing after `{word}`")
    players = {part.split()[0]: word for word, part in said if word in _WAYS}
    aims = [part for word, part in said if word == "aim"]
    aims += [part.split(None, 1)[1].removeprefix("aim ") for word, part in said if word in _WAYS and " " in part]

    def every(clause: str) -> tuple[str, ...]:
        return tuple(part for word, part in said if word == clause)

    def one(clause: str) -> str | None:
        return next(iter(every(clause)), None)

    return Clauses(
        said[0][1], one("of"), every("by"), every("given"), aims[0] if aims else None, players, every("plus"),
        every("then"), one("when"), every("carry"), _turns(one("for")), one("until"), every("policy"),
    )  # fmt: skip


def _turns(text: str | None) -> int | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,9})(?: turns?| times)?", text)
    if found is None:
        raise EntryError(f"`for {text}` is not a number of turns", "for example, `odds for 3 turns of QUESTION`")
    return int(found[1])
