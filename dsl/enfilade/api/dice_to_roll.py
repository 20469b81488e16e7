"""The dice of a roll as plain data: names, numbers and faces."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from enfilade.core import ir
from enfilade.core.requests import RollRequest
from enfilade.door import with_doors
from enfilade.values.json_data import to_json

_MOST_LISTED = 100


@with_doors
@frozen
class DiceToRoll:
    """Dice of one kind in a roll.

    Attributes:
        die: The name of the die.
        count: The number of dice.
        faces: The different faces as printed; empty for a die with more than 100 faces, numbered from 1 to *sides*.
        sides: The number of sides.
        label: What the rules call the die, if they name it otherwise.
    """

    die: str
    count: int
    faces: tuple[Any, ...]
    sides: int
    label: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the dice as plain data."""
        return {"die": self.die, "count": self.count, "faces": to_json(self.faces), "sides": self.sides}


def dice_of(request: RollRequest) -> tuple[DiceToRoll, ...]:
    """Return the dice of a roll."""
    return tuple(_dice(count, die) for count, die in request.dice)


def _dice(count: int, die: ir.Die) -> DiceToRoll:
    if die.faces is None:
        faces = tuple(range(1, die.count + 1)) if die.count <= _MOST_LISTED else ()
        return DiceToRoll(die.name, count, faces, die.count, die.note.label)
    return DiceToRoll(
        die.name, count, tuple(dict.fromkeys(face.printed for face in die.faces)), die.count, die.note.label
    )
