"""Answers as data: the entries of a run's log, and a reader for the faces, cards and choices that callers write.

All code that answers requests uses it. This module must not decide whether an answer is legal: it passes an
answer that it can't read on unchanged, and the evaluator rejects it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from attrs import frozen

from enfilade.core import ir
from enfilade.core.legal_answers import faces_text, options_text, player_text, spoken_name
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.door import with_doors
from enfilade.errors import ArgumentError, InputError, InputFault, MissingAnswer
from enfilade.values.json_data import to_json
from enfilade.values.numbers import shorten
from enfilade.values.records import record_hint

_MISSING: Final = object()


@with_doors
@frozen
class LogEntry:
    """One answer in a run.

    Attributes:
        kind: fact, roll, draw or choice.
        name: The name of the fact, roll, draw or choice; inside a loop, with its place: ``morale[gun]``.
        value: The answer as plain data: the value of a fact, the printed faces or cards, the option chosen.
        forced: Whether the answer was the only legal one, so nobody was asked.
    """

    kind: str
    name: str
    value: Any
    forced: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the entry as plain data."""
        entry = {"kind": self.kind, "name": self.name, "value": to_json(self.value)}
        return entry | {"forced": True} if self.forced else entry

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LogEntry:
        """Read an entry from plain data.

        Raises:
            ArgumentError: The data are not those of an entry.
        """
        kind, name = data.get("kind"), data.get("name")
        if kind not in ("fact", "roll", "draw", "choice") or not isinstance(name, str) or "value" not in data:
            raise ArgumentError(f"{shorten(data)} can't be an entry of a log")
        return cls(kind, name, as_data(data["value"]), bool(data.get("forced", False)))


def as_data(value: Any) -> Any:
    """Turn lists into tuples, the form in which a log keeps them; what JSON calls a decimal number is a text in a log."""
    if isinstance(value, list):
        return tuple(as_data(item) for item in value)
    return str(value) if isinstance(value, float) else value


def missing_fact(request: FactRequest) -> NoReturn:
    """Raise the error for a fact that nobody answered."""
    name, allowed = request.input.name, request.input.type.allowed
    label = f" ({request.input.note.label})" if request.input.note.label else ""
    message = (
        f"{name} is missing{label}; {record_hint(name, request.input.type, request.records) or f'allowed: {allowed}'}"
    )
    raise MissingAnswer("fact", name, InputFault(name, None, request.input.type.notation, message))


def missing_choice(request: ChoiceRequest, named: tuple[str, ...] = ()) -> NoReturn:
    """Raise the error for a choice that nobody answered; *named* lists the choices answered by name."""
    allowed = options_text(request.options)
    label = f" ({request.note.label})" if request.note.label else ""
    message = f"the choice {spoken_name(request.name)} of {request.player} is missing{label}; choose from {allowed}"
    message += _answered(named)
    raise MissingAnswer("choice", request.name, InputFault(request.name, None, allowed, message))


def _answered(named: tuple[str, ...]) -> str:
    return f"; given: {', '.join(named)}" if named else ""


def missing_roll(request: RollRequest, named: tuple[str, ...] = ()) -> NoReturn:
    """Raise the error for a roll that nobody answered; *named* lists the rolls answered by name."""
    allowed = " and ".join(f"{count} of {faces_text(die)}" for count, die in request.dice)
    message = f"the dice for {spoken_name(request.name)} are missing; needed: {allowed}{_answered(named)}"
    raise MissingAnswer("roll", request.name, InputFault(request.name, None, allowed, message))


def missing_draw(request: DrawRequest, named: tuple[str, ...] = ()) -> NoReturn:
    """Raise the error for a draw that nobody answered; *named* lists the draws answered by name."""
    allowed = ", ".join(dict.fromkeys(str(card) for card in request.left))
    message = (
        f"the cards for {spoken_name(request.name)} are missing: {request.count} from {request.deck}{_answered(named)}"
    )
    raise MissingAnswer("draw", request.name, InputFault(request.name, None, allowed, message))


def read_faces(request: RollRequest, given: Sequence[Any]) -> tuple[Any, ...]:
    """Read faces as a person or a program writes them; a face that the die does not have is returned unchanged."""
    if len(request.dice) == 1 and request.dice[0][1].faces is None and _are_whole(given):
        return tuple(given)
    slots = [die for count, die in request.dice for _ in range(count)]
    if len(slots) != len(given):
        given = joined_words(given, spaced_faces(request), len(slots))
    if len(slots) != len(given):
        return tuple(given)
    return tuple(_face(die, face) for die, face in zip(slots, given, strict=True))


def spaced_faces(request: RollRequest) -> frozenset[str]:
    """The faces with a blank in them."""
    faces = (face.printed for _, die in request.dice for face in die.faces or ())
    return frozenset(face for face in faces if isinstance(face, str) and " " in face)


def spaced_texts(values: Iterable[Any]) -> frozenset[str]:
    """The cards or options with a blank in their text."""
    return frozenset(text for value in values if " " in (text := player_text(value)))


def joined_words(given: Sequence[Any], spaced: frozenset[str], count: int) -> list[Any]:
    """Join words that were split at blanks, as a command line and a prompt do, into faces, cards or options.

    Args:
        given: The answers.
        spaced: The legal answers with a blank in them.
        count: How many answers are needed; the rest stays as it is.

    Examples:
        >>> joined_words(["both", "down", "push"], frozenset(["both down"]), 2)
        ['both down', 'push']
    """
    left = list(given)
    found: list[Any] = []
    longest = max((text.count(" ") + 1 for text in spaced), default=1)
    while left and len(found) < count:
        size = next((n for n in range(longest, 1, -1) if " ".join(map(str, left[:n])) in spaced), 1)
        found.append(left[0] if size == 1 else " ".join(map(str, left[:size])))
        del left[:size]
    return found + left


_WHOLE: Final = {int}


def _are_whole(given: Sequence[Any]) -> bool:
    return set(map(type, given)) <= _WHOLE


def _face(die: ir.Die, given: Any) -> Any:
    for face in (given, _as_whole(given), player_text(given)):
        if die.face(face) is not None:
            return face
    return given if isinstance(given, (str, int)) else shorten(given)


def _as_whole(given: Any) -> Any:
    if isinstance(given, str):
        digits = given.strip().removeprefix("-")
        return int(given) if digits.isascii() and digits.isdigit() and len(digits) < 10 else given
    return given.__index__() if hasattr(given, "__index__") and not isinstance(given, bool) else given


def read_cards(request: DrawRequest, given: Sequence[Any]) -> tuple[Any, ...]:
    """Read cards as a person or a program writes them.

    Raises:
        InputError: There are too few or too many cards.
    """
    if len(given) != request.count:
        given = joined_words(given, spaced_texts(request.left), request.count)
    if len(given) != request.count:
        text = f"{request.name} needs {request.count} cards, but {len(given)} were given"
        raise InputError([InputFault(request.name, to_json(given), f"{request.count} cards", text)])
    return tuple(_option(request.left, card) for card in given)


def pieces_of(request: ChoiceRequest) -> int:
    """Count the single answers that make up one choice: an option that is a list may be given item by item."""
    if request.count is not None:
        return request.count
    lengths = {len(option) if isinstance(option, tuple) else 1 for option in request.options}
    return lengths.pop() if len(lengths) == 1 else 1


def read_choice(request: ChoiceRequest, given: Any) -> tuple[Any, ...]:
    """Read a choice as a person or a program writes it; an illegal choice is returned unchanged.

    Args:
        request: The choice to make.
        given: The answer: a record's key, a word, a number, yes or no, or a list of these.
    """
    whole = _find(request.options, given)
    if whole is not _MISSING:
        return (whole,)
    listed = given if isinstance(given, (list, tuple)) else [given]
    listed = joined_words(listed, spaced_texts(request.options), len(listed)) if len(listed) > 1 else listed
    if request.any_order:
        return (_selected(request.options, listed),)
    if request.count is None and any(isinstance(option, tuple) for option in request.options):
        return (tuple(listed),)
    return tuple(_option(request.options, each) for each in listed)


def _selected(options: Sequence[Any], listed: Sequence[Any]) -> Any:
    """The option that has the same elements in some order; else the answer unchanged."""
    elements = tuple(dict.fromkeys(each for option in options for each in option))
    found = tuple(_option(elements, each) for each in listed)
    return next((option for option in options if Counter(option) == Counter(found)), found)


def _option(options: Sequence[Any], given: Any) -> Any:
    found = _find(options, given)
    return shorten(given) if found is _MISSING else found


def _find(options: Sequence[Any], given: Any) -> Any:
    """Find the option that equals some plain data. Types must match too: yes is not 1."""
    plain = to_json(given)
    for option in options:
        data = to_json(option)
        if type(data) is type(plain) and data == plain:
            return option
    if isinstance(plain, str):
        return next((option for option in options if player_text(option) == plain), _MISSING)
    return _MISSING
