"""Questions about odds: of what was just played, of what is being played, or of anything that could be.

Each is put to the library as it stands; here it is only found out what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from enfilade import Decision, EnfiladeError, LimitError, NeedsPolicy, OddsError, Ruleset, UsageError
from enfilade.cli.odds import read_values
from enfilade.language import EntryReader, Line, line, number_text, value_text
from enfilade.types import Type, record_kind
from enfilade_repl.entry import EntryError, first_word, types_of
from enfilade_repl.expressions import NAME, understood

if TYPE_CHECKING:
    from enfilade_repl.session import Session

_CHANCE: Final = re.compile(r"(?P<fact>\w+)\s+(?P<chance>\d[\d./]*\s*%?)\s+of\s+(?P<of>.+)")
_WAYS: Final = ("best", "worst", "random")
_CLAUSES: Final = ("of", "by", "given", "aim", *_WAYS)


@frozen
class Asked:
    """A situation that is asked about.

    Attributes:
        rules: The ruleset.
        procedure: What is played.
        given: The facts.
        dice: What was rolled already.
        choices: What was chosen already.
    """

    rules: Ruleset
    procedure: str
    given: Mapping[str, Any]
    dice: list[Any] | None = None
    choices: Mapping[str, Any] | None = None

    @property
    def types(self) -> dict[str, Type]:
        """The types of the facts that it can have."""
        return types_of(self.rules, self.procedure)

    def call(self, session: Session) -> dict[str, Any]:
        """The situation as the library takes it."""
        return {"given": dict(self.given), "dice": self.dice, "choices": self.choices, "progress": session.progress}


def situation(session: Session) -> Asked:
    """What is being played, or was played last."""
    waiting = session.table.waiting
    if waiting is None:
        done = session.last
        # As it was played: what its effects changed on the table since is another situation. The rules are those in use.
        ground = session.table.ground
        in_use = (
            ground is not None and ground.name == done.ground.name and done.procedure in ground.rules.names("procedure")
        )
        return Asked(ground.rules if in_use and ground is not None else done.ground.rules, done.procedure, done.given)
    run = waiting.run
    log = [entry for entry in run.log if not entry.forced]
    dice = [face for entry in log if entry.kind in ("roll", "draw") for face in entry.value]
    choices = {entry.name: _said(entry.value) for entry in log if entry.kind == "choice"}
    known = types_of(waiting.ground.rules, run.procedure)
    given = {name: value for name, value in run.facts.items() if name in known}
    return Asked(waiting.ground.rules, run.procedure, given, dice or None, choices or None)


def _said(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def asked(session: Session, text: str) -> Asked:
    """Find out which situation is meant: a procedure with its facts, or the last one with some facts changed."""
    word, rest = first_word(text)
    ground = session.table.ground
    if ground is not None and word in ground.rules.names("procedure"):
        given = session.reader.facts(types_of(ground.rules, word), rest)
        return Asked(ground.rules, word, given)
    if not text:
        return situation(session)
    if not _is_situation(session, text):
        return _of_expression(session, text)
    here = situation(session)
    return evolve(here, given=changed(session, here, text))


def _is_situation(session: Session, text: str) -> bool:
    """Whether a text names a procedure, or changes the last situation; any other is an expression."""
    word, _ = first_word(text)
    table = session.table
    if table.ground is not None and word in table.ground.rules.names("procedure"):
        return True
    if not table.resolutions and table.waiting is None:
        return False
    here = situation(session)
    return word in here.types or re.match(r"\w+\.[A-Za-z_]", text) is not None or word in _fields(here)


def _can_be_asked(session: Session, text: str) -> bool:
    """Whether a text is a question about the last situation, and no expression."""
    if not session.table.resolutions and session.table.waiting is None:
        return False
    try:
        understood(session, text)
    except EnfiladeError:
        here = situation(session)
        try:
            here.rules.odds(here.procedure, given=dict(here.given)).asks(text)
        except EnfiladeError:
            return False
        return True
    return False


def _of_expression(session: Session, text: str) -> Asked:
    try:
        return Asked(understood(session, text).rules, NAME, {})
    except EnfiladeError as wrong:
        first = getattr(wrong, "diagnostics", ())
        why = first[0].message if first else str(wrong)
        raise EntryError(f"`{text}` is no procedure, no fact, no question and no expression", why) from None


# ----------------------------------------------------------------------------------------------------- what is changed


def changed(session: Session, here: Asked, text: str) -> dict[str, Any]:
    """The facts of a situation with some of them changed: `terrain woods`, `gun.steps 1`, or a field for every record."""
    reader = EntryReader(here.rules, session.table.pieces)
    facts, fields = reader.changes(here.types, _fields_by_name(here), text)
    given = {**here.given, **facts}
    for name, value in fields.items():
        given = _with_field(here, given, name, value)
    return given


def _records_of(here: Asked) -> Iterator[tuple[str, str, Any]]:
    """Each fact that holds records, the kind of them, and its value."""
    for fact, value in here.given.items():
        kind = record_kind(here.types[fact]) if fact in here.types else None
        if kind is not None:
            yield fact, kind, value


def _fields_by_name(here: Asked) -> dict[str, Type]:
    """The fields of the records of a situation: of all (`steps`), and of each (`gun.steps`)."""
    found: dict[str, Type] = {}
    for _, kind, value in _records_of(here):
        types = {name: field.domain for name, field in here.rules.records[kind].fields.items()}
        records = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, Mapping)]
        found |= types
        found |= {f"{_name_of(each)}.{field}": type_ for each in records for field, type_ in types.items()}
    return found


def _fields(here: Asked) -> set[str]:
    """The fields of the records that a situation has."""
    return {field for _, kind, _ in _records_of(here) for field in here.rules.records[kind].fields}


def _with_field(here: Asked, given: dict[str, Any], name: str, new: Any) -> dict[str, Any]:
    """Change a field of one record, or of all that have it."""
    only, _, field = name.rpartition(".")
    result = dict(given)
    for fact, kind, value in _records_of(evolve(here, given=given)):
        if field in here.rules.records[kind].fields:
            items = value if isinstance(value, list) else [value]
            put = [{**each, field: new} if _is_meant(each, only) else each for each in items]
            result[fact] = put if isinstance(value, list) else put[0]
    return result


def _is_meant(record: Any, only: str) -> bool:
    return isinstance(record, Mapping) and only in ("", _name_of(record))


def _name_of(record: Mapping[str, Any]) -> str:
    return str(next(iter(record.values())))


# --------------------------------------------------------------------------------------------------------------- odds


@frozen
class Clauses:
    """What follows the situation in a question.

    Attributes:
        head: The situation.
        of: The question.
        by: The facts that are varied, as typed.
        given: Conditions.
        aim: What the players want.
        players: How they play.
    """

    head: str
    of: str | None = None
    by: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    aim: str | None = None
    players: Mapping[str, str] = {}


def clauses(text: str) -> Clauses:
    """Cut a question into its clauses; within a clause `of` belongs to it."""
    pieces: list[tuple[str, str]] = [("", "")]
    for token in re.findall(r"\"[^\"]*\"|\S+\s*|\s+", text):
        word = token.strip()
        if word in _CLAUSES and not (word == "of" and pieces[-1][0] in ("of", "given", "aim")):
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
    of = [part for word, part in said if word == "of"]
    return Clauses(
        said[0][1], of[0] if of else None, tuple(part for word, part in said if word == "by"),
        tuple(part for word, part in said if word == "given"), aims[0] if aims else None, players,
    )  # fmt: skip


def plot(session: Session, text: str) -> Iterator[Line]:
    """The chance of a condition, or the mean of a number, plotted over the values of a fact."""
    return odds(session, text, plots=True)


def odds(session: Session, text: str, *, plots: bool = False) -> Iterator[Line]:
    """The odds of a situation: of its result, of a question, or over the values of a fact.

    Args:
        session: The session.
        text: What was typed.
        plots: Whether the values of a fact are plotted.
    """
    said = clauses(text)
    if said.aim is None and any(way != "random" for way in said.players.values()):
        raise EntryError("say what is aimed at", f"odds best {next(iter(said.players))} aim QUESTION")
    if said.head and not _is_situation(session, said.head):
        # `lowest 2 of 4d10` is one expression; `M or worse` is a question whose `of` was left out.
        whole = f"{said.head} of {said.of}" if said.of else said.head
        is_question = said.of is None and _can_be_asked(session, whole)
        said = evolve(said, head="", of=whole) if is_question else evolve(said, head=whole, of=None)
    here = asked(session, said.head)
    question = said.of or first_output(here)
    call = {**here.call(session), "players": said.players or None, "aim": said.aim}
    try:
        if said.by:
            by = dict(_varied(here, each) for each in said.by)
            grid = here.rules.grid(
                here.procedure, by=by, of=question, condition=said.given, parts=session.parts, **call
            )
            draw = grid.plot if plots else grid.text
            yield from drawn(draw(session.columns, plain=session.plain))
            return
        if plots:
            raise EntryError("say what is varied", "plot by fire_value 1..45 of M or worse")
        asking = here.rules.odds(here.procedure, **call)
        for condition in said.given:
            asking = asking.given(condition)
        found = asking.result if question == "result" else asking.of(question)
    except NeedsPolicy as wrong:
        raise EntryError(f"the odds hang on what {wrong.player} chooses ({wrong.choice})", instead_of(wrong)) from None
    except LimitError as wrong:
        raise EntryError(str(wrong), instead_of(wrong)) from None
    yield from drawn(found.text(session.columns, plain=session.plain))
    if said.aim is not None:
        yield from _decisions(asking.decisions, said.aim)


def sample(session: Session, text: str) -> Iterator[Line]:
    """Play a situation many times and count, where exact odds are too large: `sample 100000 of M or worse`."""
    found = re.match(r"(\d[\d_]*)\s*(.*)", text)
    trials = int(found[1].replace("_", "")) if found else _TRIALS
    said = clauses(found[2] if found else text)
    if said.by or said.aim or any(way != "random" for way in said.players.values()):
        raise EntryError("a sample takes a situation, `of`, `given` and `random PLAYER`")
    if said.head and said.of and not _is_situation(session, said.head):
        said = evolve(said, head=f"{said.head} of {said.of}", of=None)
    here = asked(session, said.head)
    drawn_from = f"{session.table.dice_of(session.table.throw)} sample"
    counted = here.rules.sample(
        here.procedure,
        trials=trials,
        seed=drawn_from,
        condition=said.given,
        players=said.players or None,
        **here.call(session),
    )
    yield from drawn(counted.of(said.of or first_output(here)).text(session.columns, plain=session.plain))


_TRIALS: Final = 10_000


def outputs_of(here: Asked) -> tuple[str, ...]:
    """The names of the outputs of a situation."""
    return tuple(output.name for output in here.rules.procedure(here.procedure).outputs)


def first_output(here: Asked) -> str:
    """What is asked where nothing is said: the result, or else the first output."""
    outputs = outputs_of(here)
    if here.procedure == NAME and "total" in outputs:
        return "total"
    return "result" if "result" in outputs or not outputs else outputs[0]


def _varied(here: Asked, text: str) -> tuple[str, list[Any] | None]:
    fact, values = first_word(text)
    if not values:
        return fact, None
    try:
        return fact, list(read_values(here.rules, here.types.get(fact), values))
    except UsageError as wrong:
        raise EntryError(str(wrong)) from None


def instead_of(wrong: EnfiladeError) -> str:
    if isinstance(wrong, NeedsPolicy):
        return f"add `random {wrong.player}`, or `best {wrong.player} aim QUESTION`"
    return "ask for less, or play it often: sample 100000 of QUESTION"


def drawn(text: str) -> Iterator[Line]:
    """A table or a drawing of the library, its heading and its bars styled."""
    for number, each in enumerate(text.splitlines()):
        found = re.search(r"\s([▏▎▍▌▋▊▉█]+|#+)$", each)
        if number == 0:
            yield line(("label", each))
        elif found is not None:
            yield line(each[: found.start(1)], ("bar", found[1]))
        else:
            yield line(each)


def _decisions(decisions: tuple[Decision, ...], aim: str) -> Iterator[Line]:
    for decision in decisions[:_MOST_DECISIONS]:
        known = ", ".join(f"{name} {value_text(value)}" for name, value in decision.known)
        yield line(("player", decision.player), f": {decision.name}{f' after {known}' if known else ''}")
        for option, value in decision.options:
            mark = ("ok", "  chosen") if option == decision.chosen else ("", "")
            yield line(f"  {value_text(option)}: {number_text(Fraction(value))} of {aim}", mark)
    if len(decisions) > _MOST_DECISIONS:
        yield line(("hint", f"and {len(decisions) - _MOST_DECISIONS} more choices"))


_MOST_DECISIONS: Final = 12


# -------------------------------------------------------------------------------------------------- looking for values


def least(session: Session, text: str) -> Iterator[Line]:
    """The least value of a fact with which something has a chance: `least fire_value 50% of M or worse`."""
    text, _, within = text.partition(" within ")
    found = _CHANCE.fullmatch(text.strip())
    if found is None:
        raise EntryError("say a fact, a chance and a condition", "least fire_value 50% of M or worse")
    here = situation(session)
    values = None if not within else _varied(here, f"{found['fact']} {within}")[1]
    given = {name: value for name, value in here.given.items() if name != found["fact"]}
    answer = here.rules.least(
        found["fact"], here.procedure, chance=found["chance"].replace(" ", ""), of=found["of"], within=values,
        **{**here.call(session), "given": given},
    )  # fmt: skip
    yield line(("name", found["fact"]), " ", ("result", str(answer)))


def matters(session: Session, text: str) -> Iterator[Line]:
    """What each modifier would change: `matters of M or worse`."""
    said = clauses(text)
    here = asked(session, said.head)
    try:
        found = here.rules.matters(here.procedure, of=said.of or first_output(here), **here.call(session))
    except (NeedsPolicy, LimitError, OddsError) as wrong:
        if said.of is None and not isinstance(wrong, (NeedsPolicy, LimitError)):
            raise EntryError("say of what", "matters of CONDITION, or of a number") from None
        raise EntryError(str(wrong), instead_of(wrong)) from None
    yield from drawn(str(found))
