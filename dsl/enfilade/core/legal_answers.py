"""Validation of answers: the faces of a roll, the cards of a draw and the options of a choice must be legal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.errors import InputError, InputFault
from enfilade.values.data import Ref
from enfilade.values.json_data import to_json


def place_name(name: str, place: tuple[str, ...]) -> str:
    """Name a roll or a choice with its place in the loops around it: ``morale[gun]``.

    Examples:
        >>> place_name("morale", ("gun", "2"))
        'morale[gun][2]'
    """
    return name + "".join(f"[{piece}]" for piece in place)


def spoken_name(name: str, label: str | None = None) -> str:
    """Name a roll or a choice to a reader: its label, if it has one, and its place in brackets.

    Examples:
        >>> spoken_name("dice[shot]"), spoken_name("white[1][check]", "the white d10"), spoken_name("morale")
        ('dice (shot)', 'the white d10 (1, check)', 'morale')
    """
    base, _, place = name.partition("[")
    inside, _, again = place.rpartition("]")
    pieces = f" ({', '.join(inside.split(']['))})" if inside else ""
    return f"{label or base}{pieces}{again}"


def short_faces(faces: tuple[Any, ...]) -> str:
    """List different faces, with whole numbers that follow one another as a range.

    Examples:
        >>> short_faces((0, 1, 2, 3)), short_faces((1, 2, 3, 0)), short_faces(("hit", "miss")), short_faces((2, 3))
        ('0..3', '1..3, 0', 'hit, miss', '2, 3')
    """
    runs: list[list[Any]] = []
    for face in faces:
        if runs and type(face) is int and type(runs[-1][-1]) is int and face == runs[-1][-1] + 1:
            runs[-1].append(face)
        else:
            runs.append([face])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def faces_text(die: ir.Die) -> str:
    """List the faces of a die, as a message shows them."""
    if die.faces is None:
        return f"1..{die.count}"
    return short_faces(tuple(dict.fromkeys(face.printed for face in die.faces)))


def die_text(die: ir.Die) -> str:
    """Name a die to a reader: ``d6``, or what its line in the rules calls it."""
    return die.name if die.faces is None or die.note.label is None else f"this die ({die.note.label})"


def check_faces(name: str, groups: tuple[tuple[int, ir.Die], ...], faces: tuple[Any, ...]) -> None:
    """Reject faces that the dice can't show.

    Raises:
        InputError: There are too few or too many faces, or a die has no such face.
    """
    slots = [die for count, die in groups for _ in range(count)]
    if len(faces) != len(slots):
        text = f"{spoken_name(name)} is {len(slots)} {'die' if len(slots) == 1 else 'dice'}, but {len(faces)} {'was' if len(faces) == 1 else 'were'} given"
        raise InputError([InputFault(name, list(faces), f"{len(slots)} faces", text)])
    for die, face in zip(slots, faces, strict=True):
        if die.face(face) is None:
            allowed = faces_text(die)
            raise InputError(
                [InputFault(name, face, allowed, f"{die_text(die)} can't show {face}; it shows {allowed}")]
            )


def options_among(among: Iterable[Any], *, several: bool) -> tuple[Any, ...]:
    """The options of a choice among the elements of a list.

    If several are chosen, equal numbers and words are different things to choose: two dice may show the same. A record
    is one option, however often the list names it.

    Examples:
        >>> options_among((6, 2, 6), several=True), options_among((6, 2, 6), several=False)
        ((6, 2, 6), (6, 2))
    """
    if not several:
        return tuple(dict.fromkeys(among))
    found: list[Any] = []
    for each in among:
        if not isinstance(each, Ref) or each not in found:
            found.append(each)
    return tuple(found)


def has_one_answer(options: tuple[Any, ...], count: int | None) -> bool:
    """Whether nobody needs to be asked: all options are chosen, or they are equal."""
    return len(options) == (1 if count is None else count) or len(set(options)) == 1


def taken_in_order(options: tuple[Any, ...], wanted: Iterable[Any]) -> tuple[Any, ...]:
    """The wanted values that are options, each as often as it is an option."""
    found: list[Any] = []
    for each in wanted:
        if found.count(each) < options.count(each):
            found.append(each)
    return tuple(found)


def options_text(options: Iterable[Any]) -> str:
    """List options, as a message shows them; equal options once, with their number."""
    texts = [player_text(option) for option in options]
    return ", ".join(
        text if texts.count(text) == 1 else f"{texts.count(text)} x {text}" for text in dict.fromkeys(texts)
    )


def not_allowed(rule: ir.Must, value: Any) -> NoReturn:
    """Reject a fact that contradicts another one.

    Raises:
        InputError: Always.
    """
    text = rule.note.label or f"{rule.parameter} is {player_text(value)}, but must be {rule.allowed}"
    raise InputError([InputFault(rule.parameter, to_json(value), rule.allowed, text)])


def check_choice(request: ChoiceRequest, chosen: tuple[Any, ...]) -> None:
    """Reject an illegal choice.

    Raises:
        InputError: A chosen value is not an option, or there are too few or too many.
    """
    wanted = 1 if request.count is None else request.count
    allowed = options_text(request.options)
    too_often = [each for each in chosen if chosen.count(each) > request.options.count(each) > 0]
    if len(chosen) != wanted or too_often:
        given = (
            f"{len(chosen)} were given"
            if len(chosen) != wanted
            else f"{player_text(too_often[0])} was chosen more times than there are copies of it"
        )
        text = f"{request.player} chooses {wanted}: {spoken_name(request.name, request.note.label)}, but {given}"
        raise InputError([InputFault(request.name, [player_text(c) for c in chosen], allowed, text)])
    # Python takes yes for 1.
    legal = {(type(option), option) for option in request.options}
    for each in chosen:
        if (type(each), each) not in legal:
            what = spoken_name(request.name, request.note.label)
            text = f"{player_text(each)} can't be chosen ({what}); choose from {allowed}"
            value = to_json(each) if isinstance(each, tuple) else player_text(each)
            raise InputError([InputFault(request.name, value, allowed, text)])


def player_text(value: Any) -> str:
    """Write a value in the player's words."""
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"[{', '.join(map(player_text, value))}]"
    return "none" if value is None else str(value)


def cards_left(name: str, deck: str, left: tuple[Any, ...], cards: tuple[Any, ...]) -> tuple[Any, ...]:
    """Remove drawn cards from a deck and return the rest.

    Raises:
        InputError: A card is no longer in the deck.
    """
    rest = list(left)
    for card in cards:
        if card not in rest:
            allowed = ", ".join(dict.fromkeys(str(each) for each in rest))
            raise InputError([InputFault(name, card, allowed, f"{card} is no longer in {deck}; left: {allowed}")])
        rest.remove(card)
    return tuple(rest)
