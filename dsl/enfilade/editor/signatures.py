"""Signature help: the parameters of what is being called, given or performed at a place, and the one that comes next.

The line is read as tokens, because a line that is being typed has no tree yet. Types come from the checked declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from enfilade.check.charts.axes import is_dice
from enfilade.check.context import Context
from enfilade.check.types.type_relations import record_in
from enfilade.check.types.written_types import parameter_types
from enfilade.core import ir
from enfilade.editor.answers import Parameter, Signature
from enfilade.syntax import tree as t
from enfilade.syntax.indentation import GOES_ON
from enfilade.syntax.tokens import TypedToken, tokens
from enfilade.syntax.tree_walk import nodes
from enfilade.syntax.unparse import unparse
from enfilade.values.types import Maybe, RecordOf, Type, Word, WordSet, describe

_CALLED: Final = ("define", "chart", "modifiers")
_DECLARES: Final = frozenset((*_CALLED, "effect", "record", "helper"))
_OPENS: Final = {"(": ")", "[": "]"}
# What follows these words of a step is no argument.
_AFTER: Final = frozenset(("as", "among", "for"))


@frozen
class _Part:
    """A parameter, before its place in the signature is known."""

    name: str
    text: str
    label: str = ""
    words: tuple[str, ...] = ()


def signature_in(ctx: Context, draft: ir.Program | None, text: str, offset: int) -> Signature | None:
    """Tell what is called at a place.

    Args:
        ctx: The context of the check.
        draft: The program as far as it could be checked.
        text: The declaration around the place.
        offset: The place.

    Returns:
        The signature with the parameter at the place; ``None`` if nothing is called there.
    """
    every = list(tokens(text[:offset]))
    line = _statement(every)
    if not line or line[-1].kind in ("citation", "comment"):
        return None
    if line[0].text == "given":
        return _of_given(ctx, _facts_of(ctx, draft, *_played(every)), line[1:])
    for at in reversed(_open_brackets(line)):
        if line[at].text == "(" and at and not (at > 1 and line[at - 2].text in _DECLARES):
            found = _of_call(ctx, line[at - 1].text, line[at + 1 :])
            if found is not None:
                return found
    return _of_step(ctx, draft, line)


# -- the line -------------------------------------------------------------------------------------------------


def _statement(every: Iterable[TypedToken]) -> list[TypedToken]:
    """The tokens of the last statement: from the start of its line, without blanks."""
    found: list[TypedToken] = []
    for each in every:
        if each.kind != "blank":
            found.append(each)
        elif each.text in "\r\n" and not (found and found[-1].kind != "cell" and found[-1].text in GOES_ON):
            found = []
    return found


def _open_brackets(line: Sequence[TypedToken]) -> list[int]:
    """The places of the brackets that are not closed, the outermost first."""
    found: list[int] = []
    for at, each in enumerate(line):
        if each.kind != "mark":
            continue
        if each.text in _OPENS:
            found.append(at)
        elif found and each.text == _OPENS[line[found[-1]].text]:
            found.pop()
    return found


def _items(line: Sequence[TypedToken]) -> list[list[TypedToken]]:
    """The parts of a list that commas separate; what stands in closed or open brackets is left out of them."""
    found: list[list[TypedToken]] = [[]]
    depth = 0
    for each in line:
        if each.kind == "mark" and each.text in _OPENS:
            depth += 1
        elif each.kind == "mark" and each.text in _OPENS.values():
            depth -= 1
        elif depth == 0 and each.text == ",":
            found.append([])
        elif depth == 0:
            found[-1].append(each)
    return found


# -- calls in brackets ----------------------------------------------------------------------------------------


def _of_call(ctx: Context, name: str, given: Sequence[TypedToken]) -> Signature | None:
    """``hits(range, night)``: a definition, a chart or a block of modifiers."""
    kind = next((each for each in _CALLED if name in ctx.symbols.table(each)), None)
    if kind is None:
        return None
    tree = ctx.symbols.table(kind)[name]
    parts = [_part(p.name.name, type_) for p, type_ in zip(tree.params, parameter_types(ctx, kind, name), strict=True)]
    if kind == "chart":
        parts += (_part(each.way, each.type) for each in ctx.chart_values.get(name, ()))
    if not parts:
        return None
    return _signature([f"{name}(", *_list(parts), ")"], min(len(_items(given)), len(parts)) - 1, tree.tail)


def _part(name: str, type_: Type | None, default: t.Expr | None = None, label: str | None = None) -> _Part:
    written = "" if type_ is None else _written(type_)
    # A parameter is often named by its record.
    text = name if written in (name, "unknown") else f"{name} {written}"
    words = () if type_ is None else type_.words
    return _Part(name, text if default is None else f"{text} = {unparse(default)}", label or "", words)


def _written(type_: Type) -> str:
    """A type as the author of a parameter writes it: commas separate parameters, so words are joined by ``or``."""
    words = isinstance(type_.of if isinstance(type_, Maybe) else type_, (Word, WordSet))
    return describe(type_).replace(", ", " or ") if words else describe(type_)


def _signature(pieces: Iterable[_Part | str], active: int | None, tail: t.Tail) -> Signature:
    """Join the words and the parameters of a signature."""
    text, found = "", []
    for each in pieces:
        written = each if isinstance(each, str) else each.text
        if isinstance(each, _Part):
            found.append(Parameter(len(text), len(text) + len(written), each.label, each.name, each.words))
        text += written
    return Signature(text, tuple(found), active, tail.label or "", tail.cites)


def _list(parts: Iterable[_Part]) -> list[_Part | str]:
    """Parts with commas between them."""
    return [piece for each in parts for piece in (", ", each)][1:]


# -- steps ----------------------------------------------------------------------------------------------------


def _of_step(ctx: Context, draft: ir.Program | None, line: Sequence[TypedToken]) -> Signature | None:
    """``call``, ``start``, ``read`` and effects, the last one on the line."""
    for at in range(len(line) - 1, -1, -1):
        found = _named_at(ctx, draft, line, at)
        if found is not None:
            return found
    return None


def _named_at(ctx: Context, draft: ir.Program | None, line: Sequence[TypedToken], at: int) -> Signature | None:
    """The signature of the step whose name is at a place of the line."""
    name, before, after = line[at].text, line[at - 1].text if at else "", line[at + 1 :]
    if any(each.text in _AFTER for each in after):
        return None
    if before in ("call", "start") and name in ctx.symbols.procedures:
        facts, tail = list(_facts_of(ctx, draft, "", name).values()), ctx.symbols.procedures[name].tail
        pieces = [f"{before} {name} with ", *_list(facts)]
        return _signature(pieces, _after_with(facts, after), tail) if facts else None
    if before == "read" and name in ctx.symbols.charts:
        return _of_read(ctx, name, after)
    if name in ctx.effect_params and before != "effects" and any(each.text in ("on", "with") for each in after):
        return _of_effect(ctx, name, after, any(each.text == "assigns" for each in line[:at]))
    return None


def _after_with(parts: Sequence[_Part], after: Sequence[TypedToken]) -> int | None:
    """The parameter that comes next in a step; ``None`` if its ``with`` is not written yet."""
    starts = [at for at, each in enumerate(after) if each.text == "with"]
    return _active(parts, after[starts[0] + 1 :]) if starts else None


def _active(parts: Sequence[_Part], given: Sequence[TypedToken]) -> int | None:
    """The parameter that the last item names, otherwise the first one that is not given yet."""
    *earlier, last = ([each.text for each in item[:1]] for item in _items(given))
    names = [each.name for each in parts]
    if last and last[0] in names:
        return names.index(last[0])
    left = [at for at, name in enumerate(names) if [name] not in earlier]
    begun = (at for at in left if last and names[at].startswith(last[0]))
    return next(begun, left[0] if left else None)


def _of_read(ctx: Context, name: str, after: Sequence[TypedToken]) -> Signature | None:
    """``read table with ROLL``."""
    if not any(each.text == "with" for each in after):
        return None
    tree = ctx.symbols.charts[name]
    axes = (node.axis for node in nodes(tree.items) if isinstance(node, t.AxisLine))
    rolled = [f"a roll of {axis.value.span.text}" for axis in axes if axis.value is not None and is_dice(ctx, axis)]
    given = (_part(each.way, each.type) for each in ctx.chart_values.get(name, ())[:1])
    parts = [*(_Part("", each) for each in rolled[:1]), *given][:1]
    return _signature([f"read {name} with ", *parts], 0, tree.tail) if parts else None


def _of_effect(ctx: Context, name: str, after: Sequence[TypedToken], assigned: bool) -> Signature | None:
    """``step_loss on UNIT with amount 1``, or without ``on`` if it is assigned to elements of a list."""
    params, tail = ctx.effect_params[name], ctx.symbols.effects[name].tail
    target = next((each for each in params if isinstance(each.type, RecordOf)), None)
    others = [_part(each.name, each.type) for each in params if each is not target]
    active = _after_with(others, after)
    if target is None or assigned:
        return _signature([f"{name} with ", *_list(others)], active, tail) if others else None
    pieces = [f"{name} on ", _part(target.name, target.type), *([" with ", *_list(others)] if others else [])]
    return _signature(pieces, 0 if active is None else active + 1, tail)


# -- facts ----------------------------------------------------------------------------------------------------


def _facts_of(ctx: Context, draft: ir.Program | None, kind: str, name: str) -> Mapping[str, _Part]:
    """The facts that can be given to a procedure, or to what an example plays: its own first, then those it uses."""
    target = f"{kind} {name}" if kind else name
    tree = ctx.symbols.procedures.get(target)
    written = {each.name.name: each for each in (tree.facts.fields if tree is not None and tree.facts else ())}
    own = ctx.own_inputs.get(target, {})
    played = None if draft is None else draft.procedures.get(target) or draft.probes.get(target)
    used = ctx.facts if played is None else [each for each in played.inputs if each in ctx.facts]
    found = {each: _fact(own[each], written.get(each)) for each in own}
    return found | {each: _fact(ctx.facts[each], ctx.symbols.facts.get(each)) for each in used if each not in own}


def _fact(fact: ir.Input, tree: t.FieldDecl | None) -> _Part:
    return _part(fact.name, fact.type, None if tree is None else tree.default, fact.note.label)


def _played(every: Sequence[TypedToken]) -> tuple[str, str]:
    """What an example plays, from its first line: chart, define, modifiers or nothing, and a name."""
    head = [each for each in every if each.kind != "blank"][1:3]
    if head and head[0].text in _CALLED and len(head) > 1:
        return head[0].text, head[1].text
    return "", head[0].text if head and head[0].kind == "name" else ""


def _of_given(ctx: Context, facts: Mapping[str, _Part], line: Sequence[TypedToken]) -> Signature | None:
    """The facts of an example; in the brackets of a record, its fields."""
    played = _of_fields(ctx, line)
    if played is not None:
        return played
    parts = list(facts.values())
    return _signature(["given ", *_list(parts)], _active(parts, line), t.NO_TAIL) if parts else None


def _of_fields(ctx: Context, line: Sequence[TypedToken]) -> Signature | None:
    """``units [a (steps 2``: the fields of the record whose brackets are open."""
    record: str | None = None
    begin = 0
    for at in _open_brackets(line):
        if begin == 0 or line[begin - 1].text == "(":
            # The name of the fact or the field is the first word of its item.
            item = _items(line[begin:at])[-1]
            record = _record(ctx, record, item[0].text if item else "")
        begin = at + 1
    if record is None or line[begin - 1].text != "(":
        return None
    tree = ctx.symbols.records[record]
    fields = {each.name.name: each for each in tree.fields}
    parts = [_fact(each, fields.get(name)) for name, each in ctx.records[record].fields.items()]
    return _signature([f"{record} (", *_list(parts), ")"], _active(parts, line[begin:]), tree.tail)


def _record(ctx: Context, around: str | None, name: str) -> str | None:
    """The record in the values of a fact, or of a field of the record around it."""
    known: Mapping[str, ir.Input] = ctx.facts if around is None else ctx.records[around].fields
    own: Iterator[ir.Input] = (facts[name] for facts in ctx.own_inputs.values() if name in facts)
    found = known.get(name) or (next(own, None) if around is None else None)
    if found is None:
        return name if around is None and name in ctx.records else None
    return record_in(found.type)
