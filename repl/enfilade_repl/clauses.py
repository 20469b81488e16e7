"""The clauses of a question about odds: `odds 30 town of M or worse by range given night best owner`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from enfilade_repl.entry import EntryError

_WAYS: Final = ("best", "worst", "random")
_CLAUSES: Final = ("of", "by", "given", "aim", "policy", "plus", "then", "for", "until", *_WAYS)
_SAME: Final = {"if": "given"}
_AFTER_THEN: Final = ("when", "carry")


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


def clauses(text: str) -> Clauses:
    """Split a question into its clauses. The word `of` begins a clause only outside another question or condition."""
    pieces: list[tuple[str, str]] = [("", "")]
    for token in re.findall(r"\"[^\"]*\"|\S+\s*|\s+", text):
        word = _SAME.get(token.strip(), token.strip())
        is_of_another = word == "of" and pieces[-1][0] in ("of", "given", "aim", "policy", "when", "carry", "until")
        follows_then = word in _AFTER_THEN and any(each == "then" for each, _ in pieces)
        if (word in _CLAUSES and not is_of_another) or follows_then:
            pieces.append((word, ""))
        else:
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + token)
    said = [(word, part.strip()) for word, part in pieces]
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
