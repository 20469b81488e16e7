"""The faces of a die, and the cards of a plain deck, as they are listed."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.limits import in_force
from enfilade.syntax import tree as t
from enfilade.values.types import Num, Type, Word


def faces_of_die(ctx: Context, items: tuple[t.FaceItem, ...]) -> tuple[ir.Face, ...]:
    """All faces. If there are too many, an empty result, with a diagnostic."""
    faces: list[ir.Face] = []
    for item in items:
        times = fixed_number(item.times)
        if times is None:
            ctx.report(
                "not-constant",
                "the number of faces of a die must be fixed",
                item.span,
                f"write a number, such as `2 x {item.face}`",
            )
            continue
        if times == 0:
            message = "no copy of a face is no face"
            ctx.report(
                "die-size", message, item.span, "the number of copies comes first: `3 x 0` is the face 0 three times"
            )
        faces += faces_of_item(ctx, item) * min(times, in_force().faces + 1)
        if len(faces) > in_force().faces:
            ctx.report("die-too-large", f"a die must have 1 to {in_force().faces} faces", item.span)
            return ()
    return tuple(faces)


def faces_of_item(ctx: Context, item: t.FaceItem) -> list[ir.Face]:
    """The faces that one item lists, each once: `1..9` lists nine."""
    low, dots, high = item.face.partition("..")
    if dots and not item.quoted and _is_whole(low) and _is_whole(high):
        if abs(int(high) - int(low)) >= in_force().faces:
            ctx.report("die-too-large", f"a die must have 1 to {in_force().faces} faces", item.span)
            return []
        return [ir.Face(number, number) for number in range(int(low), int(high) + 1)]
    printed = int(item.face) if _is_whole(item.face) and not item.quoted else item.face
    return [ir.Face(printed, printed if item.value is None else item.value)]


def fixed_number(times: t.Expr | None) -> int | None:
    """How often a face or a card is there, if its number is written; 1 if nothing is said."""
    if times is None:
        return 1
    return int(times.value) if isinstance(times, t.Number) else None


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def face_type(die: ir.Die) -> Type:
    """The type of a face of a die: a number or a symbol."""
    if die.faces is None:
        return Num(1, die.count)
    values = [face.value for face in die.faces]
    if values and all(isinstance(value, int) for value in values):
        return Num(min(values), max(values))
    return Word(tuple(dict.fromkeys(str(value) for value in values)))
