"""The situation of a question about odds: the last combat, the pending combat or any other, with changed facts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, frozen

from enfilade import AmbiguousEntry, EnfiladeError, InputField, Ruleset
from enfilade.language import (
    EntryReader,
    line,
    read_patience,
    read_question,
)
from enfilade.tools import code_lines
from enfilade.types import Type
from enfilade_repl.entry import EntryError, first_word, types_of, with_name
from enfilade_repl.expressions import NAME, instead_of_dice, understood
from enfilade_repl.session import Session


@frozen
class Situation:
    """A procedure with its facts, known dice and choices, for which odds are computed.

    Attributes:
        rules: The ruleset.
        procedure: The procedure.
        given: The facts.
        dice: The dice rolled so far.
        choices: The choices made so far.
    """

    rules: Ruleset
    procedure: str
    given: Mapping[str, Any]
    dice: list[Any] | None = None
    choices: Mapping[str, Any] | None = None

    @property
    def types(self) -> dict[str, Type]:
        """The types of its facts, by name."""
        return types_of(self.rules, self.procedure)

    @property
    def inputs(self) -> Mapping[str, InputField]:
        """Its facts, by name."""
        return self.rules.inputs(self.procedure)

    @property
    def variables(self) -> Mapping[str, Type | None]:
        """What can be varied, with its type."""
        return self.rules.variables(self.procedure, given=dict(self.given))

    @property
    def other_types(self) -> dict[str, Type]:
        """The types of fields, options and definitions, by name; a name that is a word of a fact means the word."""
        facts = self.types
        words = {word for type_ in facts.values() for word in getattr(type_, "words", ())}
        players = self.rules.players
        return {
            name: type_
            for name, type_ in self.variables.items()
            if type_ is not None and name not in (*facts, *words, *players)
        }

    @property
    def fields(self) -> dict[str, Type]:
        """The types of fields alone, by name."""
        others = self.rules.names("definition", "option")
        return {
            name: type_
            for name, type_ in self.other_types.items()
            if name not in others and not name.startswith(("option ", "define "))
        }

    def call(self, session: Session) -> dict[str, Any]:
        """The keyword arguments for ``Ruleset.odds`` and similar methods."""
        return {
            "given": dict(self.given),
            "dice": self.dice,
            "choices": self.choices,
            "limits": self.rules.limits.with_patience(read_patience(session.settings["patience"])),
            "progress": session.progress,
        }


def situation(session: Session) -> Situation:
    """The situation of the pending run, or of the last combat."""
    pending = session.state.pending
    if pending is None:
        done = session.last
        # The facts are those before the combat, not those changed by its effects. The rules are those in use.
        ruleset = session.state.ruleset
        in_use = (
            ruleset is not None
            and ruleset.name == done.ruleset.name
            and done.procedure in ruleset.rules.names("procedure")
        )
        return Situation(
            ruleset.rules if in_use and ruleset is not None else done.ruleset.rules, done.procedure, done.given
        )
    run = pending.run
    log = [entry for entry in run.log if not entry.forced]
    dice = [face for entry in log if entry.kind in ("roll", "draw") for face in entry.value]
    choices = {entry.name: _said(entry.value) for entry in log if entry.kind == "choice"}
    known = types_of(pending.ruleset.rules, run.procedure)
    given = {name: value for name, value in run.facts.items() if name in known}
    return Situation(pending.ruleset.rules, run.procedure, given, dice or None, choices or None)


def tell_game(session: Session, game: str, procedure: str) -> None:
    """Say of which ruleset a situation is, if another one is in use, even if the entry fails."""
    in_use = session.state.ruleset
    played = {done.ruleset.rules.name for done in session.state.resolutions[-1:]}
    if in_use is not None and in_use.rules.name != game and game in played:
        session.tell(
            line(
                (
                    "hint",
                    f"This is about the last combat, {procedure} of {game}; the ruleset in use is {in_use.rules.name}.",
                )
            )
        )


def _said(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def asked(session: Session, text: str) -> Situation:
    """Parse a situation: a procedure with facts, the last situation with changed facts, or an expression."""
    text = with_name(text, session.names())
    word, rest = first_word(text)
    ruleset = session.state.ruleset
    if ruleset is not None and word in ruleset.rules.names("procedure"):
        given = session.reader.facts(ruleset.rules.inputs(word), rest)
        return Situation(ruleset.rules, word, given)
    if not text:
        return situation(session)
    is_about = is_situation(session, text)
    try:
        return _changed_last(session, text) if is_about else _of_expression(session, text)
    except EntryError:
        # `odds at 3 hexes` is about the last combat, like `odds if 3 hexes`.
        if is_about or (session.state.pending is None and not session.state.resolutions):
            raise
        try:
            return _changed_last(session, text)
        except AmbiguousEntry:
            raise
        except EnfiladeError:
            pass
        raise


def _changed_last(session: Session, text: str) -> Situation:
    here = situation(session)
    tell_game(session, here.rules.name, here.procedure)
    return changed(session, here, text)


def is_situation(session: Session, text: str) -> bool:
    """Whether a text names a procedure or changes the last situation; otherwise it is an expression."""
    word, _ = first_word(text)
    table = session.state
    if table.ruleset is not None and word in table.ruleset.rules.names("procedure"):
        return True
    if not table.resolutions and table.pending is None:
        return False
    here = situation(session)
    return word in here.types or re.match(r"\w+\.[A-Za-z_]", text) is not None or word in here.other_types


def is_about_a_code(session: Session, text: str) -> bool:
    """Whether a text is a result code of the ruleset in use, alone or with `or worse` or `or better`.

    Raises:
        EntryError: It is, and no combat is there to ask about.
    """
    ruleset = session.state.ruleset
    code = _OF_CODE.sub("", text)
    if ruleset is None or code.isdigit() or not any(code_lines(ruleset.rules, code)):
        return False
    if session.state.pending is None and not session.state.resolutions:
        playable = next(iter(session.playable()), "PROCEDURE")
        raise EntryError(
            f"`{text}` is a question, but no combat has been played", f"write `odds {playable} ... of {text}`"
        )
    return True


_OF_CODE: Final = re.compile(r"\s+or\s+(?:worse|better)$")


def can_be_asked(session: Session, text: str) -> bool:
    """Whether a text is a question about the last situation rather than an expression."""
    if not session.state.resolutions and session.state.pending is None:
        return False
    try:
        understood(session, text)
    except EnfiladeError:
        here = situation(session)
        try:
            here.rules.odds(here.procedure, given=dict(here.given)).asks(question_of(here, text))
        except EnfiladeError:
            return False
        return True
    return False


def _of_expression(session: Session, text: str) -> Situation:
    try:
        return Situation(understood(session, text).rules, NAME, {})
    except EnfiladeError as wrong:
        first = getattr(wrong, "diagnostics", ())
        if hint := instead_of_dice(text):
            raise EntryError(f"`{text}` is not an expression", hint) from None
        why = first[0].message if first else str(wrong)
        raise EntryError(f"`{text}` is not a procedure, fact, question or expression", why) from None


def changed(session: Session, here: Situation, text: str) -> Situation:
    """A situation with some changes: `terrain woods`, `gun.steps 1`, a field of every record, an option, a definition."""
    return with_changes(here, read_changes(session, here, text))


def with_changes(here: Situation, changes: Mapping[str, Any]) -> Situation:
    """A situation with changes that were read."""
    rules, call = here.rules.varied(here.procedure, changes, given=dict(here.given), choices=here.choices)
    return evolve(here, rules=rules.with_options(**call.get("options", {})), given=call["given"])


def read_changes(session: Session, here: Situation, text: str, *, of_rules: bool = True) -> dict[str, Any]:
    """The changes of a situation that a text asks for, by the names of what changes.

    Args:
        session: The session.
        here: The situation.
        text: The text.
        of_rules: Whether options and definitions may change, too.
    """
    others = here.other_types if of_rules else here.fields
    facts, fields = EntryReader(here.rules, session.state.pieces).changes(here.inputs, others, text)
    return {**facts, **fields}


def outputs_of(here: Situation) -> tuple[str, ...]:
    """The names of the outputs of a situation."""
    return tuple(output.name for output in here.rules.procedure(here.procedure).outputs)


def first_output(here: Situation, aim: str | None = None) -> str:
    """The default question: the result; without a result the aim, or the first output."""
    outputs = outputs_of(here)
    if aim is not None and "result" not in outputs:
        return aim
    if here.procedure == NAME and "total" in outputs:
        return "total"
    return "result" if "result" in outputs or not outputs else outputs[0]


def question_of(here: Situation, said: str, aim: str | None = None) -> str:
    """The question that a player asks, in the language of the rules.

    Raises:
        EntryError: The player counts something that the rules do not have.
    """
    return read_question(here.rules, here.procedure, said, first_output(here, aim))
