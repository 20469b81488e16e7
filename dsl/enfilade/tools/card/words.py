"""Puts what an author wrote into the words of a card: names without underscores, conditions, amounts, edges, effects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from enfilade.core import ir
from enfilade.core.types import RecordOf

MINUS: Final = "−"
# How deep it stands, what is done, and the lines that say so.
Deed: TypeAlias = tuple[int, str, tuple[ir.Note, ...]]
_COMMENT = re.compile(r"(^|\s)--(\s.*)?$", re.MULTILINE)
_TAIL = re.compile(r"""(\s+(?:assumed\s+)?"[^"\n]*"|\s+\[[0-9A-Za-z][^\]\n]*\])+\s*$""")
_QUOTED = re.compile(r'("[^"]*")')
_JOINT = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_QUOTED_WHOLE = re.compile(r'^"([^"]*)"$')
_NUMBER = re.compile(r"^\s*\d+\.\s+")


def named(name: str) -> str:
    """A name as words.

    Examples:
        >>> named("town_or_woods")
        'town or woods'
        >>> named("_X_")
        '_X_'
    """
    return _JOINT.sub(" ", name)


def shown(*values: str) -> tuple[str, ...]:
    """Labels and codes as a page shows them: words without underscores, and without the quotes around several.

    Examples:
        >>> shown("2X", "knocked_out", '"late autumn"')
        ('2X', 'knocked out', 'late autumn')
    """
    return tuple(named(_QUOTED_WHOLE.sub(r"\1", value)) for value in values)


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def plain(text: str) -> str:
    """Source text as words.

    Examples:
        >>> plain('range >= 3 and firer.has_leader or word is "late_autumn"')
        'range ≥ 3 and has leader of firer or word is late_autumn'
    """
    pieces = _QUOTED.split(" ".join(_COMMENT.sub("", text).split()))
    return "".join(piece[1:-1] if index % 2 else _unquoted(piece) for index, piece in enumerate(pieces))


def _unquoted(text: str) -> str:
    text = re.sub(r"\b(highest|lowest|sum) of (#[a-z]?) over readers", r"\1 \2", text)
    text = re.sub(r"\b([A-Za-z]\w*)\.([A-Za-z]\w*)", r"\2 of \1", text)
    text = re.sub(r"\b([A-Za-z]\w*)\(", r"\1 (", text)
    return named(text).replace(">=", "≥").replace("<=", "≤")


def words_of(e: ir.Expr) -> str:
    """An expression as words."""
    if isinstance(e, ir.Local) and e.name.startswith("#"):
        return e.name
    if e.span is None:
        return plain(str(e.value)) if isinstance(e, ir.Const) else "otherwise"
    return _bare(plain(e.span.text))


def _bare(text: str) -> str:
    """Without brackets around the whole."""
    while text.startswith("(") and text.endswith(")") and _closes_last(text):
        text = text[1:-1].strip()
    return text


def _closes_last(text: str) -> bool:
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def said(note: ir.Note) -> str:
    """What a line is called: its label, or the line itself as words."""
    if note.label or note.span is None:
        return note.label or ""
    first = _COMMENT.sub("", note.span.text).strip().splitlines()
    return plain(_TAIL.sub("", _NUMBER.sub("", first[0]))) if first else ""


def amount_of(amount: ir.Expr) -> tuple[str, str]:
    """The amount of a modifier, and what its letter stands for.

    A number is shown with its sign; what depends on facts is ``+n``, and what n is.
    """
    if isinstance(amount, ir.Const) and not isinstance(amount.value, bool):
        value = amount.value
        return (f"{MINUS}{-value}" if value < 0 else f"+{value}"), ""
    text = words_of(amount)
    if isinstance(amount, ir.Op) and amount.name == "negative":
        return f"{MINUS}n", f"n is {_bare(text.removeprefix('-').strip())}"
    return "+n", f"n is {text}"


# -------------------------------------------------------------------------------------------------------- edges

EDGES: Final = {
    "row below": ("Below the lowest row", "the lowest row counts"),
    "row above": ("Above the highest row", "the highest row counts"),
    "column below": ("Below the first column", "the first column counts"),
    "column above": ("Above the last column", "the last column counts"),
    "shift left": ("Shifted off the left", "the first column counts"),
    "shift right": ("Shifted off the right", "the last column counts"),
}


def edge_words(edge: ir.Edge, refusals: dict[str, str]) -> str:
    """What happens off an edge.

    Args:
        edge: The edge.
        refusals: The sentences of the refusals by their names.
    """
    first, *others = (_action(edge, action, refusals) for action in edge.actions)
    return "; ".join([first, *others])


def _action(edge: ir.Edge, action: ir.EdgeAction, refusals: dict[str, str]) -> str:
    match action.act:
        case "stays":
            does = EDGES[edge.name][1]
        case "gives":
            value = " ".join(map(str, action.value)) if isinstance(action.value, tuple) else str(action.value)
            does = f"the result is {value if any(map(str.isalnum, value)) else f'“{value}”'}"
        case _:
            # The line of an edge shows its label behind it.
            why = refusals.get(action.value) or named(action.value)
            why = "" if edge.note.label and (why == edge.note.label or action.value not in refusals) else why
            does = f"not allowed ({why})" if why else "not allowed"
    return does if action.condition is None else f"when {words_of(action.condition)}, {does}"


# ------------------------------------------------------------------------------------------------------ effects


def deeds(program: ir.Program, body: ir.Body) -> Iterator[Deed]:
    """What statements do, in words: for each line its depth, its text, and the notes that it stands on."""
    for statement in body:
        yield from _deed(program, statement)


def _deed(program: ir.Program, s: ir.Statement) -> Iterator[Deed]:
    match s:
        case ir.Perform():
            effect = program.effects[s.effect].note
            yield 0, _performed(program, s), (s.note, effect)
        case ir.Loop() if s.body and getattr(s.body[0], "note", ir.NO_NOTE).span == s.note.span:
            # Several choices that were written as one line.
            effects = [effect.note for effect in _performed_in(program, s.body)]
            yield 0, _assigned(s.note), (s.note, *effects)
        case ir.Branch():
            yield from _headed(program, f"when {words_of(s.condition)}", s.body, s.note)
            if s.otherwise:
                yield from _headed(program, "otherwise", s.otherwise, ir.NO_NOTE)
        case ir.Loop():
            front = f"for each {named(s.local.split('@')[0])} in {words_of(s.over)}"
            yield from _headed(program, front, s.body, s.note)
        case ir.Repeat():
            how = "repeat" if s.until is None else f"repeat until {words_of(s.until)}"
            yield from _headed(program, how if s.times is None else f"{words_of(s.times)} times", s.body, s.note)
        case ir.Together():
            yield from _headed(program, "at the same time", tuple(each for part in s.parts for each in part), s.note)
        case ir.Choose() if s.note.label:
            chooses = "may choose" if s.if_any else "chooses"
            yield 0, f"{named(s.player)} {chooses}: {s.note.label}", (s.note,)
        case ir.Refuse():
            yield 0, f"not allowed: {s.note.label or named(s.slug)}", (s.note,)
        case _:
            yield 0, said(s.note), (s.note,)


def _headed(program: ir.Program, front: str, body: ir.Body, note: ir.Note) -> Iterator[Deed]:
    """Statements under a condition or in a loop: on one line where there is one."""
    lines = list(deeds(program, body))
    if len(lines) == 1:
        yield 0, f"{front}: {lines[0][1]}", (note, *lines[0][2])
        return
    yield 0, front, (note,)
    yield from ((depth + 1, text, notes) for depth, text, notes in lines)


def _assigned(note: ir.Note) -> str:
    """What a player assigns, and why."""
    text = re.sub(r" as [a-z ]+$", "", said(ir.Note(span=note.span)))
    return f"{text.split(' among ')[0]}: {note.label}" if note.label else text


def _performed_in(program: ir.Program, body: ir.Body) -> Iterator[ir.Effect]:
    for s in body:
        if isinstance(s, ir.Perform):
            yield program.effects[s.effect]
        yield from _performed_in(program, getattr(s, "body", ()))


def _performed(program: ir.Program, s: ir.Perform) -> str:
    effect = program.effects[s.effect]
    text = effect.note.label or named(s.effect)
    whom = [words_of(value) for name, value in s.args if _is_whom(effect, name) and not _is_reader(value)]
    given = [f"{named(name)} {words_of(value)}" for name, value in s.args if not _is_whom(effect, name)]
    return " ".join([*whom, text]) + (f" ({', '.join(given)})" if given else "")


def _is_whom(effect: ir.Effect, name: str) -> bool:
    """Whether a parameter is the first of its effect, and a record: that is to whom it happens."""
    return bool(effect.params) and effect.params[0].name == name and isinstance(effect.params[0].type, RecordOf)


def _is_reader(value: ir.Expr) -> bool:
    return isinstance(value, ir.Local) and value.name == "reader"
