"""Outcomes of procedures: outputs, effects, dice and state, as Python values and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from attrs import frozen

from enfilade.api.execution import Play, PlayParts, explain, play_of
from enfilade.api.plain_data import plain
from enfilade.api.readings_and_rolls import ChartRead, ReplayRecord, RollMade, replay_record
from enfilade.core.answers import LogEntry
from enfilade.diagnostics.markdown import marked_up
from enfilade.door import with_doors
from enfilade.engines.explanation import Explanation
from enfilade.errors import AnswerError
from enfilade.limits import one_call
from enfilade.values.data import FrozenMap, Performed, State
from enfilade.values.json_data import to_json
from enfilade.values.json_reader import JsonReader

T = TypeVar("T")
RESOLVED = "resolved"
REFUSED = "refused"


@with_doors
class Effect:
    """A performed effect: its name, and its arguments as attributes.

    Examples:
        >>> loss = Effect("step_loss", {"unit": "gun", "amount": 1})
        >>> loss.effect, loss.unit, loss.amount
        ('step_loss', 'gun', 1)
    """

    __slots__ = ("_args", "_effect")

    def __init__(self, effect: str, args: Mapping[str, Any]) -> None:
        """Create an effect from its name and arguments."""
        self._effect = effect
        self._args = plain(args)

    @property
    def effect(self) -> str:
        """The name of the effect."""
        return self._effect

    @property
    def args(self) -> Mapping[str, Any]:
        """The arguments by name; a record is given as its key."""
        args: Mapping[str, Any] = self._args
        return args

    def __getattr__(self, name: str) -> Any:
        """Return an argument."""
        # Python looks up special names on uninitialised objects, for example in copies.
        if not name.startswith("_") and name in self._args:
            return self._args[name]
        raise AttributeError(f"the effect has no argument {name}")

    def __eq__(self, other: object) -> bool:
        """Whether name and arguments are equal."""
        if not isinstance(other, Effect):
            return NotImplemented
        return (self._effect, self._args) == (other._effect, other._args)

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        # Arguments may be maps, which are not hashable.
        return hash((self._effect, repr(sorted(self._args.items()))))

    def __repr__(self) -> str:
        """Show the effect as a call."""
        return f"{self._effect}({', '.join(f'{name}={arg!r}' for name, arg in self._args.items())})"

    def __reduce__(self) -> tuple[type[Effect], tuple[str, dict[str, Any]]]:
        """Pickle as plain data."""
        return Effect, (self._effect, dict(self._args))

    def to_json(self) -> dict[str, Any]:
        """Return the effect as plain data."""
        return {"effect": self._effect, **to_json(self._args)}

    @classmethod
    def from_json(cls, data: Any) -> Effect:
        """Create an effect from plain data.

        Raises:
            InputError: Something in the data is missing or damaged; the error names its place.
        """
        return _effect_from(JsonReader(data, "effect"))


@with_doors
@frozen
class Dice:
    """A roll of dice.

    Attributes:
        name: The name of the roll with its place.
        faces: The faces as printed.
    """

    name: str
    faces: tuple[Any, ...]

    @property
    def answers(self) -> tuple[Any, ...]:
        """The faces, in the form that ``resolve`` takes as ``dice``."""
        return self.faces

    def to_json(self) -> dict[str, Any]:
        """Return the roll as plain data."""
        return {"roll": self.name, "faces": to_json(self.faces)}


@with_doors
@frozen
class Cards:
    """A draw of cards.

    Attributes:
        name: The name of the draw with its place.
        cards: The cards.
    """

    name: str
    cards: tuple[Any, ...]

    @property
    def answers(self) -> tuple[Any, ...]:
        """The cards, in the form that ``resolve`` takes as ``dice``."""
        return self.cards

    def to_json(self) -> dict[str, Any]:
        """Return the draw as plain data."""
        return {"draw": self.name, "cards": to_json(self.cards)}


@with_doors
@frozen
class Choice:
    """A choice that a player made.

    Attributes:
        name: The name of the choice with its place.
        chosen: The chosen value, or a tuple if several were to be chosen.
    """

    name: str
    chosen: Any

    @property
    def answers(self) -> tuple[Any, ...]:
        """The chosen values, in the form that ``resolve`` takes as ``choices``."""
        return self.chosen if isinstance(self.chosen, tuple) else (self.chosen,)

    def to_json(self) -> dict[str, Any]:
        """Return the choice as plain data."""
        return {"choice": self.name, "chosen": to_json(self.chosen)}


@with_doors
class Outcome:
    """The outcome of a procedure.

    Outcomes are immutable. Costly parts, above all the explanation, are created on first access.
    """

    __slots__ = ("_known", "_play")

    def __init__(self, play: PlayParts | None, known: dict[str, Any]) -> None:
        """Create an outcome; embedders get outcomes from a ruleset.

        Args:
            play: The finished run; ``None`` for an outcome from plain data.
            known: The attributes that are known already, by name; the others are computed from *play*.
        """
        self._play = play
        self._known = known

    def _get(self, name: str, make: Callable[[Play], T]) -> T:
        # Two threads may both compute the value; the results are equal.
        if name not in self._known:
            assert self._play is not None
            self._known[name] = make(play_of(self._play))
        return cast(T, self._known[name])

    # -- results --------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """``resolved`` or ``refused``."""
        return self._get("status", lambda play: REFUSED if play.refused else RESOLVED)

    @property
    def procedure(self) -> str:
        """The name of the procedure."""
        return self._get("procedure", lambda play: play.procedure)

    @property
    def outputs(self) -> Mapping[str, Any]:
        """The outputs by name; records are keys, lists are tuples, numbers are ``int`` or ``Fraction``."""
        return self._get("outputs", lambda play: cast(Mapping[str, Any], plain(play.ending[0])))

    @property
    def result(self) -> Any:
        """The output ``result``; ``None`` if the procedure has none."""
        return self.outputs.get("result")

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The performed effects, in order."""
        return self._get("effects", lambda play: tuple(map(_effect, play.ending[1])))

    @property
    def state(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """The final records: by kind, then by key, then by field."""
        return self._get("state", lambda play: _records(play.ending[2]))

    @property
    def decks(self) -> Mapping[str, tuple[Any, ...]]:
        """The remaining cards of each deck; a deck with numbers from facts is there once the rules used it."""
        return self._get("decks", lambda play: _decks(play.ending[2]))

    @property
    def dice(self) -> tuple[Dice | Cards, ...]:
        """The dice and cards in order; ``resolve`` accepts them as ``dice``."""
        return self._get("dice", lambda play: tuple(_dice(play.log)))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The players' choices in order, without forced ones; ``resolve`` accepts them as ``choices``."""
        return self._get("choices", lambda play: tuple(_choices(play.log)))

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """All answers: rolls, draws and choices, including choices with a single legal answer."""
        return self._get("log", lambda play: play.log)

    # -- a refusal ------------------------------------------------------------------------------------------

    @property
    def refusal(self) -> str | None:
        """The name of the refusal; ``None`` if the rules did not refuse."""
        return self._get("refusal", _refusal)

    @property
    def message(self) -> str | None:
        """The sentence of the refusal; ``None`` if the rules did not refuse."""
        return self._get("message", _message)

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of the refusal, or of the procedure."""
        return self._get("cites", _cites)

    # -- explanation ----------------------------------------------------------------------------------------

    def explain(self) -> Explanation:
        """Explain the outcome: every step with its value, label and citations.

        The procedure is replayed with the same facts and answers; nothing is asked or rolled.

        Returns:
            The explanation; ``str()`` gives the text for people.

        Raises:
            AnswerError: The outcome was created or saved without its explanation.
        """
        explanation = self._get("explanation", explain)
        if explanation is None:
            raise AnswerError("this outcome was made or saved without its explanation")
        return explanation

    def sentence(self) -> str:
        """Say in one line, fit for a chat, what happened and why: the short explanation.

        Raises:
            AnswerError: The outcome was created or saved without its explanation.

        Examples:
            >>> import enfilade
            >>> enfilade.load("infantry_attacks").resolve("direct_fire", fire_value=16, dice=[6, 6]).sentence()
            'Direct Fire Table: roll 12, column 16: X, Step losses'
        """
        if self._known.get("explanation", self) is None and self.refusal is not None:
            return f"refused: {self.message or self.refusal}"
        return self.explain().text("short")

    @property
    def readings(self) -> tuple[ChartRead, ...]:
        """The chart readings in order, with their places on the charts; found by a replay, as for ``explain``.

        Equal readings without a roll between them are listed once.

        Raises:
            AnswerError: The outcome was created or saved without its explanation.
        """
        return self._replay_record().readings

    @property
    def rolls(self) -> tuple[RollMade, ...]:
        """The rolls in order, each with its dice and its total; found by a replay, as for ``explain``.

        Raises:
            AnswerError: The outcome was created or saved without its explanation.
        """
        return self._replay_record().rolls

    def _replay_record(self) -> ReplayRecord:
        if self._play is None or self._known.get("explanation", self) is None:
            raise AnswerError("this outcome was made or saved without its explanation")
        return self._get("replay_record", replay_record)

    # -- data -----------------------------------------------------------------------------------------------

    def to_json(self, *, explanation: bool = True) -> dict[str, Any]:
        """Return the outcome as plain data, in the form of the published schema ``outcome``.

        Args:
            explanation: Whether to include the explanation, which is by far the most costly part.

        Raises:
            LimitError: It takes more time or memory than the limits of the run allow.
        """
        with one_call(None if self._play is None else play_of(self._play).limits):
            return self._as_json(explanation)

    def _as_json(self, explanation: bool) -> dict[str, Any]:
        if self.status == REFUSED:
            cites = list(self.cites)
            refused = {"status": REFUSED, "procedure": self.procedure, "refusal": self.refusal}
            return refused | {"message": self.message, "cites": cites}
        told = explanation and self._known.get("explanation", self) is not None
        return {
            "status": RESOLVED,
            "procedure": self.procedure,
            "result": to_json(self.result),
            "outputs": to_json(self.outputs),
            "effects": [effect.to_json() for effect in self.effects],
            "dice": [dice.to_json() for dice in self.dice],
            "choices": [choice.to_json() for choice in self.choices],
            "state": to_json(self.state),
            "explanation": self.explain().to_json() if told else [],
        }

    @classmethod
    def from_json(cls, data: Any) -> Outcome:
        """Create an outcome from plain data.

        Fractions stay strings, as in JSON, and lists become tuples.

        Raises:
            InputError: Something in the data is missing or damaged; the error names its place.
        """
        read = JsonReader(data, "outcome")
        status, procedure = read["status"].one_of(RESOLVED, REFUSED), read["procedure"].text()
        known: dict[str, Any] = {"status": status, "procedure": procedure, "log": (), "decks": plain({})}
        if status == REFUSED:
            refusal = {"refusal": read["refusal"].text(), "message": read["message"].text()}
            empty = {"outputs": plain({}), "effects": (), "dice": (), "choices": (), "state": plain({})}
            return cls(None, known | refusal | {"cites": read["cites"].texts()} | empty | {"explanation": None})
        explanation = Explanation.read(read["explanation"]) if read["explanation"].items() else None
        return cls(None, known | {
            "refusal": None, "message": None, "cites": (),
            "outputs": plain(read["outputs"].mapping()),
            "effects": tuple(map(_effect_from, read["effects"].items())),
            "dice": tuple(map(_dice_from, read["dice"].items())),
            "choices": tuple(map(_choice_from, read["choices"].items())),
            "state": _state_from(read["state"]),
            "explanation": explanation,
        })  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """Whether the plain data are equal, without explanations."""
        if not isinstance(other, Outcome):
            return NotImplemented
        return self.to_json(explanation=False) == other.to_json(explanation=False)

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        return hash((self.status, self.procedure, str(to_json(self.result))))

    def __repr__(self) -> str:
        """Show the procedure and its result."""
        came_to = f"refused, {self.refusal}" if self.status == REFUSED else repr(self.result)
        return f"<Outcome of {self.procedure}: {came_to}>"

    def _repr_markdown_(self) -> str | None:
        if self.refusal is not None:
            return f"**{marked_up(self.sentence())}**"
        if self._known.get("explanation", self) is None:
            return None
        return f"**{marked_up(self.sentence())}**\n\n{self.explain().markdown()}"

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Outcome], tuple[dict[str, Any]]]:
        """Pickle as plain data."""
        return Outcome.from_json, (self.to_json(),)


def _effect(done: Performed) -> Effect:
    return Effect(done.effect, done.args)


def _records(state: State) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    records: dict[str, dict[str, Mapping[str, Any]]] = {}
    for ref, fields in state.records.items():
        records.setdefault(ref.record, {})[ref.key] = fields
    return cast(Mapping[str, Mapping[str, Mapping[str, Any]]], plain(records))


def _decks(state: State) -> Mapping[str, tuple[Any, ...]]:
    return FrozenMap({deck: plain(left) for deck, left in state.decks.items() if left is not None})


def _dice(log: tuple[LogEntry, ...]) -> Iterator[Dice | Cards]:
    for entry in log:
        if entry.kind == "roll":
            yield Dice(entry.name, tuple(entry.value))
        elif entry.kind == "draw":
            yield Cards(entry.name, tuple(entry.value))


def _effect_from(read: JsonReader) -> Effect:
    args = {name: arg for name, arg in read.mapping().items() if name != "effect"}
    return Effect(read["effect"].text(), args)


def _dice_from(read: JsonReader) -> Dice | Cards:
    if "roll" in read.mapping():
        return Dice(read["roll"].text(), tuple(plain(face.value) for face in read["faces"].items()))
    return Cards(read["draw"].text(), tuple(plain(card.value) for card in read["cards"].items()))


def _choice_from(read: JsonReader) -> Choice:
    return Choice(read["choice"].text(), plain(read["chosen"].value))


def _state_from(read: JsonReader) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    for records in read.values():
        for fields in records.values():
            fields.mapping()
    found: Mapping[str, Mapping[str, Mapping[str, Any]]] = plain(read.value)
    return found


def _choices(log: tuple[LogEntry, ...]) -> Iterator[Choice]:
    for entry in log:
        if entry.kind == "choice" and not entry.forced:
            yield Choice(entry.name, entry.value)


def _refusal(play: Play) -> str | None:
    return None if play.refused is None else play.refused.slug


def _message(play: Play) -> str | None:
    return None if play.refused is None else play.refused.note.label or ""


def _cites(play: Play) -> tuple[str, ...]:
    if play.refused is not None:
        return play.refused.note.cites
    return play.program.procedures[play.procedure].note.cites
