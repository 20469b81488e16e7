"""Renders names, expressions, amounts, edges and statements as words for people, from the author's source text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from enfilade.api.charts import cell_text
from enfilade.check.procedures.leaving import is_guard, while_loop
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values.types import RecordOf

MINUS: Final = "−"
# Depth, text, and the notes whose citations and assumptions the line shows.
StatementLine: TypeAlias = tuple[int, str, tuple[ir.Note, ...]]
_COMMENT = re.compile(r"(^|\s)--(\s.*)?$", re.MULTILINE)
_TAIL = re.compile(r"""(\s+(?:assumed\s+)?"[^"\n]*"|\s+\[[0-9A-Za-z][^\]\n]*\])+\s*$""")
_QUOTED = re.compile(r'("[^"]*")')
_JOINT = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_QUOTED_WHOLE = re.compile(r'^"([^"]*)"$')
_NUMBER = re.compile(r"^\s*\d+\.\s+")


def name_words(name: str) -> str:
    """Write a name as words.

    Examples:
        >>> name_words("town_or_woods")
        'town or woods'
        >>> name_words("_X_")
        '_X_'
    """
    return _JOINT.sub(" ", name)


def printed_words(*values: str) -> tuple[str, ...]:
    """Write labels and codes as a page shows them: without underscores and quotes.

    Examples:
        >>> printed_words("2X", "knocked_out", '"late autumn"')
        ('2X', 'knocked out', 'late autumn')
    """
    return tuple(name_words(_QUOTED_WHOLE.sub(r"\1", value)) for value in values)


def capitalised(text: str) -> str:
    """Make the first letter of a text a capital."""
    return text[:1].upper() + text[1:]


def source_words(text: str) -> str:
    """Write source text as words.

    Examples:
        >>> source_words('range >= 3 and firer.has_leader or word is "late_autumn"')
        'range ≥ 3 and has leader of firer or word is late_autumn'
    """
    pieces = _QUOTED.split(" ".join(_COMMENT.sub("", text).split()))
    return "".join(piece[1:-1] if index % 2 else _unquoted(piece) for index, piece in enumerate(pieces))


def _unquoted(text: str) -> str:
    text = re.sub(r"\b(highest|lowest|sum) of (#[a-z]?) over readers", r"\1 \2", text)
    text = re.sub(r"\bnot ([A-Za-z]\w*)\.([A-Za-z]\w*)", r"\1 is not \2", text)
    text = re.sub(r"\b([A-Za-z]\w*)\.([A-Za-z]\w*)", r"\2 of \1", text)
    text = re.sub(r"(?<=\S) but (?=at most |at least |within )", ", ", text)
    text = re.sub(r"\b([A-Za-z]\w*)\(", r"\1 (", text)
    return name_words(text).replace(">=", "≥").replace("<=", "≤")


def expression_words(e: ir.Expr) -> str:
    """Write an expression as words."""
    if isinstance(e, ir.Local) and e.name.startswith("#"):
        return e.name[2:-1] if e.name.startswith("#{") else e.name
    if e.span is None:
        return source_words(str(e.value)) if isinstance(e, ir.Const) else "otherwise"
    return _bare(source_words(e.span.text))


def _bare(text: str) -> str:
    """Remove brackets around the whole text."""
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


def note_words(note: ir.Note) -> str:
    """The label of a line, or the line itself as words."""
    if note.label or note.span is None:
        return note.label or ""
    first = _COMMENT.sub("", note.span.text).strip().splitlines()
    return source_words(_TAIL.sub("", _NUMBER.sub("", first[0]))) if first else ""


def amount_of(amount: ir.Expr) -> tuple[str, str]:
    """The amount of a modifier, and the meaning of the letter in it.

    A constant is shown with its sign; other amounts are shown as ``+n``, with the expression for n.
    """
    if isinstance(amount, ir.Const) and not isinstance(amount.value, bool):
        value = amount.value
        return (f"{MINUS}{-value}" if value < 0 else f"+{value}"), ""
    text = expression_words(amount)
    if isinstance(amount, ir.Op) and amount.name == "negative":
        return f"{MINUS}n", f"n is {_bare(text.removeprefix('-').strip())}"
    return "+n", f"n is {text}"


# -------------------------------------------------------------------------------------------------------- edges

EDGES: Final = {
    "row below": ("Below the lowest row", "use the lowest row"),
    "row above": ("Above the highest row", "use the highest row"),
    "column below": ("Below the first column", "use the first column"),
    "column above": ("Above the last column", "use the last column"),
    "shift left": ("Shifted off the left", "use the first column"),
    "shift right": ("Shifted off the right", "use the last column"),
}


def edge_words(edge: ir.Edge, refusals: dict[str, str]) -> str:
    """Write the rule for values off an edge as words.

    Args:
        edge: The edge.
        refusals: The labels of the refusals, by name.
    """
    first, *others = (_action(edge, action, refusals) for action in edge.actions)
    return "; ".join([first, *others])


def _action(edge: ir.Edge, action: ir.EdgeAction, refusals: dict[str, str]) -> str:
    match action.act:
        case "stays":
            does = EDGES[edge.name][1]
        case "gives":
            value = cell_text(action.value)
            does = f"the result is {value if any(map(str.isalnum, value)) else f'“{value}”'}"
        case _:
            # The card shows the label of the edge after this text: don't repeat it.
            why = refusals.get(action.value) or name_words(action.value)
            why = "" if edge.note.label and (why == edge.note.label or action.value not in refusals) else why
            does = f"not allowed ({why})" if why else "not allowed"
    return does if action.condition is None else f"when {expression_words(action.condition)}, {does}"


# ------------------------------------------------------------------------------------------------------ effects


def statement_lines(program: ir.Program, body: ir.Body) -> Iterator[StatementLine]:
    """Describe statements as lines of words, each with its depth and the notes that it is based on."""
    for statement in body:
        yield from _lines_of(program, statement)


def _lines_of(program: ir.Program, s: ir.Statement) -> Iterator[StatementLine]:
    match s:
        case ir.Perform():
            effect = program.effects[s.effect].note
            yield 0, _performed(program, s), (s.note, effect)
        case ir.Loop() if s.body and getattr(s.body[0], "note", ir.NO_NOTE).span == s.note.span:
            # Several choices that the author wrote on one line.
            effects = [effect.note for effect in _performed_in(program, s.body)]
            yield 0, _assigned(s), (s.note, *effects)
        case ir.SetLocal(name="", value=ir.Const(bool(left))):
            if left:
                yield 0, "leave the loop", (s.note,)
        case ir.SetLocal() if not (s.note.label or s.note.cites or s.note.assumed):
            # Bookkeeping of the rules' text, not of the players.
            pass
        case ir.Branch() if is_guard(s):
            yield from statement_lines(program, s.body)
        case ir.Branch() if (loop := while_loop(s)) is not None:
            yield from _headed(program, f"repeat while {expression_words(s.condition)}", loop.body, s.note)
        case ir.Branch():
            yield from _headed(program, f"when {expression_words(s.condition)}", s.body, s.note)
            if s.otherwise:
                yield from _headed(program, "otherwise", s.otherwise, ir.NO_NOTE)
        case ir.Loop():
            front = f"for each {name_words(s.local.split('@')[0])} in {expression_words(s.over)}"
            yield from _headed(program, front, s.body, s.note)
        case ir.Repeat():
            until = "" if s.until is None or s.until.span is None else f"repeat until {expression_words(s.until)}"
            times = "" if s.times is None else f"{expression_words(s.times)} times"
            yield from _headed(program, ", at most ".join(filter(None, (until, times))) or "repeat", s.body, s.note)
        case ir.Together():
            yield from _headed(program, "at the same time", tuple(each for part in s.parts for each in part), s.note)
        case ir.Choose() if s.note.label:
            chooses = "may choose" if s.if_any else "chooses"
            yield 0, f"{name_words(s.player)} {chooses}: {s.note.label}", (s.note,)
        case ir.Refuse():
            yield 0, f"not allowed: {s.note.label or name_words(s.slug)}", (s.note,)
        case _:
            yield 0, note_words(s.note), (s.note,)


def _headed(program: ir.Program, front: str, body: ir.Body, note: ir.Note) -> Iterator[StatementLine]:
    """Describe statements under a condition or in a loop; a single statement goes on the line of the heading."""
    lines = list(statement_lines(program, body))
    if not lines and not (note.label or note.cites or note.assumed):
        return
    if len(lines) == 1:
        yield 0, f"{front}: {lines[0][1]}", (note, *lines[0][2])
        return
    yield 0, front, (note,)
    yield from ((depth + 1, text, notes) for depth, text, notes in lines)


def _assigned(s: ir.Loop) -> str:
    """Describe several choices written on one line, with their label."""
    text = re.sub(r" as [a-z ]+$", "", note_words(ir.Note(span=s.note.span)))
    if s.note.label is None:
        return text
    who, _, losses = text.split(" among ")[0].partition(" with ")[0].partition(" assigns ")
    cost = next((each.cost for each in nodes(s.body) if isinstance(each, ir.Ahead)), None)
    taken = _bare_number(losses) if cost is None else f"{losses} by {expression_words(cost)}"
    return f"{who} assigns {taken}: {s.note.label}"


def _bare_number(losses: str) -> str:
    """Write the losses of an assignment: ``(highest #) step loss`` as ``highest # × step loss``."""
    number, _, effect = losses.removeprefix("(").partition(") " if losses.startswith("(") else " ")
    return effect if number == "1" else f"{number} × {effect}"


def _performed_in(program: ir.Program, body: ir.Body) -> Iterator[ir.Effect]:
    for s in body:
        if isinstance(s, ir.Perform):
            yield program.effects[s.effect]
        yield from _performed_in(program, getattr(s, "body", ()))


def _performed(program: ir.Program, s: ir.Perform) -> str:
    effect = program.effects[s.effect]
    text = effect.note.label or name_words(s.effect)
    whom = [expression_words(value) for name, value in s.args if _is_whom(effect, name) and not _is_reader(value)]
    given = [_named(name, value) for name, value in s.args if not _is_whom(effect, name)]
    return " ".join([*whom, text]) + (f" ({', '.join(given)})" if given else "")


def _named(name: str, value: ir.Expr) -> str:
    words = expression_words(value)
    return words if name == "amount" or words == name else f"{name_words(name)} {words}"


def _is_whom(effect: ir.Effect, name: str) -> bool:
    """Whether a parameter is the target of its effect: the first parameter, of a record type."""
    return bool(effect.params) and effect.params[0].name == name and isinstance(effect.params[0].type, RecordOf)


def _is_reader(value: ir.Expr) -> bool:
    return isinstance(value, ir.Local) and value.name == "reader"
