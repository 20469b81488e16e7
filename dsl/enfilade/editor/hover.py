"""What an editor tells about the name, or the result code, under the cursor."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.bind.names import Key, Occurrence
from enfilade.bind.symbols import Symbols
from enfilade.check.context import Context
from enfilade.editor.answers import Hover
from enfilade.editor.index import Index
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.values.types import Type, describe

_KINDS = {"define": "definition", "card field": "field of a card", "local": "local", "piece": "record of this example"}
# The kinds of names that have a type.
_VALUES = frozenset(("fact", "field", "option", "define", "words", "chart", "card field", "local", "piece", "part"))
_ABOUT_USES = 6


def hover_of_name(ctx: Context, index: Index, at: Occurrence) -> Hover | None:
    """Describe a name."""
    key = at.key
    if key.kind == "unknown":
        return None
    tail, type_ = index.tail_of(key), type_of(ctx, index, key)
    lines = tuple(filter(None, _lines(ctx.symbols, index, key)))
    kind = _KINDS.get(key.kind, key.kind)
    written = describe(type_) if type_ is not None else _written(ctx, key)
    return Hover(at.span, kind, at.span.text, written, tail.label or "", tail.cites, lines)


def type_of(ctx: Context, index: Index, key: Key) -> Type | None:
    """The type of an output, or of a value where it is declared or else used, as far as the checker knows it."""
    outputs = ctx.outputs.get(key.owner.partition(" ")[2], {}) if key.kind == "local" else {}
    named = index.by_key.get(key, ()) if key.kind in _VALUES else ()
    met = sorted(named, key=lambda each: not each.declares)
    return outputs.get(key.name) or next((each.type for each in met if each.type is not None), None)


def _written(ctx: Context, key: Key) -> str:
    """What stands for a type in things that have no value."""
    match key.kind:
        case "die" if key.name in ctx.dice:
            die = ctx.dice[key.name]
            return f"{die.count} faces"
        case "deck" if key.name in ctx.decks:
            return f"{len(ctx.decks[key.name].cards)} cards"
        case "effect" if key.name in ctx.effect_params:
            return ", ".join(f"{each.name} {describe(each.type)}" for each in ctx.effect_params[key.name])
    return ""


def _lines(symbols: Symbols, index: Index, key: Key) -> Iterator[str]:
    match key.kind:
        case "modifier":
            block = symbols.modifiers.get(key.owner)
            for line in nodes(() if block is None else block.items):
                if isinstance(line, t.ModLine) and line.name.name == key.name:
                    yield f"`{line.amount.span.text}` when `{line.condition.span.text}`"
        case "word":
            types = {name: each.type for name, each in symbols.words.items() if isinstance(each.type, t.WordsType)}
            lists = [name for name, type_ in types.items() if any(each.name == key.name for each in type_.words)]
            yield f"a word of {', '.join(lists)}" if lists else ""
        case "define" if key.name in symbols.definitions:
            line, _, _ = symbols.definitions[key.name].span.text.partition("\n")
            yield f"`{line.strip()}`"
        case "record" if key.name in symbols.records:
            yield "fields: " + ", ".join(f"`{each.name.name}`" for each in symbols.records[key.name].fields)
        case "refusal":
            yield "the slug of a refusal"
        case "chart":
            yield _read_by(index, key)
        case "procedure" | "effect":
            count = sum(not each.declares for each in index.by_key.get(key, ()))
            yield f"used {count} times" if count > 1 else ""


def _read_by(index: Index, key: Key) -> str:
    """The declarations that read a chart."""
    places = {each.span for each in index.by_key.get(key, ()) if not each.declares}
    readers = {
        f"{type(tree).__name__.lower()} `{name}`": None
        for trees in index.trees.values()
        for tree in trees
        if isinstance(tree, (t.Procedure, t.Effect, t.Define)) and (name := tree.name.name)
        and any(place.source is tree.span.source and tree.span.start <= place.start < tree.span.end for place in places)
    }  # fmt: skip
    shown = list(readers)[:_ABOUT_USES]
    return f"read by {', '.join(shown)}" if shown else ""


def code_at(trees: tuple[t.Declaration, ...], offset: int) -> t.Code | None:
    """The result code at a place: a cell of a chart, an entry of its results, or what an example gives."""
    for tree in trees:
        span = getattr(tree, "span", None)
        if span is not None and span.start <= offset <= span.end:
            codes = (node for node in nodes(tree) if isinstance(node, t.Code))
            return next((code for code in codes if code.span.start <= offset <= code.span.end), None)
    return None


def hover_of_code(code: t.Code, meaning: tuple[str, ...]) -> Hover | None:
    """Describe a result code; ``None`` if no chart gives it."""
    return Hover(code.span, "code", code.text, lines=meaning) if meaning else None
