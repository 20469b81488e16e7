"""Completion: the words and names that may follow at a place in a text.

The parser says which keywords may follow, and whether a name may. What the author is writing decides which names come
first: the fields after a dot, the words of the other side's type after `is`, citations in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from enfilade.check.context import Context
from enfilade.check.fields import parts_of
from enfilade.core import ir
from enfilade.editor.answers import Completions, Suggestion
from enfilade.editor.bodies import body_of
from enfilade.editor.declaration_notes import DECLARATION_NOTES
from enfilade.editor.hover import type_of
from enfilade.editor.index import Index
from enfilade.editor.keys import GLOBAL, Key
from enfilade.editor.resolution import table_of
from enfilade.editor.signatures import signature_in
from enfilade.source.text import SourceFile
from enfilade.syntax.expected_tokens import NAME, expected_after
from enfilade.values.types import EffectOf, OutputsOf, ReadingOf, RecordOf, RollOf, TallyOf, Type

_WORD: Final = re.compile(r"[A-Za-z]\w*\Z")
_CITATION: Final = re.compile(r"\[([0-9][^\]\"\n]*|)\Z")
_CITED: Final = re.compile(r"\[((?:[0-9]+\.)+[0-9a-z.]*(?:, *[0-9.a-z]+)*)\]")
_DOT: Final = re.compile(r"([A-Za-z]\w*)\.\Z")
_COMPARED: Final = re.compile(r"([A-Za-z]\w*)\s+(?:is not|is|has|becomes|or)\s+\Z")
_OPTION: Final = re.compile(r"\boption\s+([A-Za-z]\w*)\s+\Z")
_GIVEN: Final = re.compile(r"(?:\bgiven|[,(])\s*([A-Za-z]\w*)\s+(?:\[(?:\w+, *)*)?\Z")
# A parameter is named after these; in the brackets of a call, and after `on`, stands a value.
_NAMES_FOLLOW: Final = re.compile(r"\b(?:with|given)\s+\Z|\b(?:with|given)\b.*[,(]\s*\Z", re.DOTALL)
# The name of a fact or a field, after which its type follows.
_FIELD: Final = re.compile(r"^\s+[A-Za-z]\w*\s+\Z")
_TYPES: Final = (
    ("yes/no", "true or false"),
    ("one of", "one word from a list, such as `one of clear, woods`"),
    ("0..", "a whole number of 0 or more"),
    ("1..", "a whole number from 1"),
    ("set of", "any number of words from a list"),
    ("list of", "several values or records"),
)
_GIVES: Final = re.compile(r"^\s+gives\s+\Z")
_REFUSED: Final = re.compile(r"^\s+refused\s+\Z")
# After these words a new name follows, so known names are of no use.
_NEW_NAME: Final = re.compile(
    r"(?:^(?:chart|columns|deck|define|die|effect|event|modifiers|option|(?:helper +)?procedure|record|words)"
    r"|\b(?:as|for each|let|refuse)) +\Z",
    re.MULTILINE,
)


def complete(text: str, offset: int, names: Iterable[Suggestion]) -> Completions:
    """Return what may follow at a place.

    Args:
        text: The text.
        offset: The place; the word before it is the one to complete.
        names: The names that are offered where a name may follow.
    """
    before = text[: max(0, offset)]
    begun = _WORD.search(before)
    start = len(before) if begun is None else begun.start()
    words = expected_after(before[:start])
    items = [Suggestion(word, "keyword", DECLARATION_NOTES.get(word, "")) for word in sorted(words - {NAME})]
    if NAME in words:
        items = [*names, *items]
    return _starting(items, start, before[start:])


def _starting(items: Iterable[Suggestion], start: int, typed: str) -> Completions:
    found: dict[str, Suggestion] = {}
    for item in items:
        # What is already typed in full is not offered: Enter would take it and make no new line.
        if item.name.startswith(typed) and item.name != typed:
            found.setdefault(item.name, item)
    return Completions(start, tuple(found.values()))


def complete_in(
    ctx: Context | None, index: Index, source: SourceFile, offset: int, whole: str, draft: ir.Program | None
) -> Completions:
    """Return what may follow at a place in a checked text, or in a part of one; *whole* is all of it, and *draft* its
    program as far as it could be checked."""
    text = source.text
    before = text[:offset]
    begun = _WORD.search(before)
    start = offset if begun is None else begun.start()
    cited = _CITATION.search(before)
    if cited is not None:
        items = (Suggestion(each, "citation") for each in _citations(whole))
        return _starting(items, cited.start(1), cited[1])
    if _FIELD.search(before[before.rfind("\n", 0, start) + 1 : start]) and "yes/no" in expected_after(before[:start]):
        return _starting(_types(ctx), start, before[start:])
    if ctx is None or _NEW_NAME.search(before[:start]):
        return complete(text, offset, ())
    dotted = _DOT.search(before[:start])
    if dotted is not None:
        return _starting(_fields(ctx, _type_before(ctx, index, source, dotted[1], offset)), start, before[start:])
    likely = (*_likely(ctx, index, source, before[:start], offset), *_arguments(ctx, draft, before[:start]))
    rest = complete(text, offset, names_at(ctx, index, source, offset))
    return _starting((*likely, *rest.items), start, before[start:])


def _types(ctx: Context | None) -> Iterator[Suggestion]:
    """The types that a fact or a field may have."""
    if ctx is not None:
        for kind in ("words", "record"):
            yield from (Suggestion(name, kind) for name in table_of(ctx.symbols, kind))
    yield from (Suggestion(name, "type", note) for name, note in _TYPES)


def _citations(text: str) -> list[str]:
    return sorted({each.strip() for found in _CITED.finditer(text) for each in found[1].split(",")})


def _likely(ctx: Context, index: Index, source: SourceFile, before: str, offset: int) -> Iterator[Suggestion]:
    """The words of the type that is wanted here."""
    line = before[before.rfind("\n") + 1 :]
    if _GIVES.search(line):
        for chart in ctx.charts.values():
            yield from (Suggestion(code, "code") for code in chart.code_type.words)
    if _REFUSED.search(line):
        every = (each for found in index.occurrences.values() for each in found)
        yield from (
            Suggestion(each.key.name, "refusal") for each in every if each.key.kind == "refusal" and each.declares
        )
    for pattern in (_OPTION, _COMPARED, _GIVEN):
        found = pattern.search(line)
        type_ = None if found is None else _type_before(ctx, index, source, found[1], offset)
        if type_ is not None:
            yield from (Suggestion(word, "word") for word in type_.words)


def _arguments(ctx: Context, draft: ir.Program | None, before: str) -> Iterator[Suggestion]:
    """The parameters that can be given by name, or the words of the one whose name was typed."""
    found = signature_in(ctx, draft, before, len(before))
    if found is None or found.active is None:
        return
    active = found.parameters[found.active]
    if active.name and re.search(rf"\b{active.name}\s+\Z", before):
        yield from (Suggestion(word, "word") for word in active.words)
    elif _NAMES_FOLLOW.search(before):
        order = (*found.parameters[found.active :], *found.parameters[: found.active])
        yield from (Suggestion(each.name, "parameter", each.label) for each in order if each.name)


def _type_before(ctx: Context, index: Index, source: SourceFile, name: str, offset: int) -> Type | None:
    """The type of a name, as the declaration around a place uses it, or as the whole ruleset knows it."""
    near = sorted(
        (each for each in index.occurrences.get(source, ()) if each.span.text == name and each.key.kind != "word"),
        key=lambda each: abs(each.span.start - offset),
    )
    for each in near:
        met = ctx.meanings.get(each.span)
        found = met.type if met is not None else type_of(ctx, index, each.key)
        if found is not None:
            return found
    if name in ctx.records:
        return RecordOf(name)
    fields = (record.fields[name].type for record in ctx.records.values() if name in record.fields)
    declared = (type_of(ctx, index, Key(kind, name)) for kind in ("fact", "option", "define"))
    return next((each for each in (*declared, *fields) if each is not None), None)


def _fields(ctx: Context, of: Type | None) -> Iterator[Suggestion]:
    match of:
        case RecordOf(record) if record in ctx.records:
            for name, each in ctx.records[record].fields.items():
                yield Suggestion(name, "field", each.note.label or "")
        case EffectOf(effect):
            yield from (Suggestion(each.name, "parameter") for each in ctx.effect_params.get(effect, ()))
        case OutputsOf(procedure):
            yield from (Suggestion(name, "output") for name in ctx.outputs.get(procedure, {}))
        case RollOf() | TallyOf() | ReadingOf():
            yield from (Suggestion(name, "part") for name in parts_of(ctx, of))


def names_at(ctx: Context, index: Index, source: SourceFile, offset: int) -> Iterator[Suggestion]:
    """The names that are known at a place: those of the declaration around it first."""
    trees = index.trees.get(source, ())
    here = [each for each in trees if each.span.start <= offset]
    body = body_of(here[-1], ctx.symbols) if here else None
    if body is not None:
        yield from (Suggestion(name, "local") for name in sorted(body.bound))
        yield from (Suggestion(name, "fact") for name in sorted(body.facts))
        yield from (Suggestion(name, "piece") for name in sorted(body.pieces))
    for kind in GLOBAL:
        for name in table_of(ctx.symbols, kind):
            yield Suggestion(name, kind, index.tail_of(Key(kind, name)).label or "")
    for record in ctx.records.values():
        yield from (Suggestion(name, "field", each.note.label or "") for name, each in record.fields.items())
    yield from (Suggestion(word, "word") for word in sorted(ctx.symbols.bare_words))
