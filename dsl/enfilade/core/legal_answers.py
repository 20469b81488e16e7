"""Which answers are legal: the one test that dice, draws and choices are held to, and what it is called when not."""

from __future__ import annotations

from typing import Any

from enfilade.core import ir
from enfilade.core.json_values import to_json
from enfilade.core.requests import ChoiceRequest
from enfilade.core.values import Ref
from enfilade.errors import InputError, InputFault


def place_name(name: str, place: tuple[str, ...]) -> str:
    """A roll or a choice with its place: ``morale[gun]``.

    Examples:
        >>> place_name("morale", ("gun", "2"))
        'morale[gun][2]'
    """
    return name + "".join(f"[{piece}]" for piece in place)


def faces_text(die: ir.Die) -> str:
    """What a die can show."""
    if die.faces is None:
        return f"1..{die.count}"
    return ", ".join(dict.fromkeys(str(face.printed) for face in die.faces))


def check_faces(name: str, groups: tuple[tuple[int, ir.Die], ...], faces: tuple[Any, ...]) -> None:
    """Refuse faces that the dice can't show.

    Raises:
        InputError: There are too few or too many, or one is on no side.
    """
    slots = [die for count, die in groups for _ in range(count)]
    if len(faces) != len(slots):
        text = f"{name} is {len(slots)} {'die' if len(slots) == 1 else 'dice'}, and {len(faces)} {'was' if len(faces) == 1 else 'were'} given"
        raise InputError([InputFault(name, list(faces), f"{len(slots)} faces", text)])
    for die, face in zip(slots, faces, strict=True):
        if die.face(face) is None:
            allowed = faces_text(die)
            raise InputError([InputFault(name, face, allowed, f"{die.name} can't show {face}; it shows {allowed}")])


def check_choice(request: ChoiceRequest, chosen: tuple[Any, ...]) -> None:
    """Refuse a choice that is not legal.

    Raises:
        InputError: It is not among the options, or too few or too many.
    """
    wanted = 1 if request.count is None else request.count
    allowed = ", ".join(shown(option) for option in request.options)
    if len(chosen) != wanted or len(set(chosen)) != wanted:
        given = f"{len(chosen)} were given" if len(chosen) != wanted else "one was given twice"
        text = f"{request.player} chooses {wanted} as {request.name}, and {given}"
        raise InputError([InputFault(request.name, [shown(c) for c in chosen], allowed, text)])
    for each in chosen:
        if each not in request.options:
            text = f"{shown(each)} can't be chosen as {request.name}; legal are {allowed}"
            value = to_json(each) if isinstance(each, tuple) else shown(each)
            raise InputError([InputFault(request.name, value, allowed, text)])


def shown(value: Any) -> str:
    """A value as a player names it."""
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def without(name: str, deck: str, left: tuple[Any, ...], cards: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is left in a deck when some cards are drawn.

    Raises:
        InputError: A card is not in the deck any more.
    """
    rest = list(left)
    for card in cards:
        if card not in rest:
            allowed = ", ".join(dict.fromkeys(str(each) for each in rest))
            raise InputError([InputFault(name, card, allowed, f"{card} is not in {deck} any more; left are {allowed}")])
        rest.remove(card)
    return tuple(rest)
