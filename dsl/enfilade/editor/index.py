"""The occurrences of every name in a ruleset, in all its texts, made once for each analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain

from attrs import frozen

from enfilade.bind.names import Key, Occurrence
from enfilade.bind.occurrences import Reader, declared_keys, is_own, reader_of
from enfilade.check.context import Context
from enfilade.check.program import Checked
from enfilade.check.reuse import Version, noted_in
from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module


@frozen(eq=False)
class Index:
    """The names of a ruleset.

    Attributes:
        main: The name of the main text.
        trees: The declarations of each text or part of a text.
        occurrences: The names of each text or part, in its order.
        by_key: All occurrences of each thing.
    """

    main: str
    trees: Mapping[SourceFile, tuple[t.Declaration, ...]]
    occurrences: Mapping[SourceFile, tuple[Occurrence, ...]]
    by_key: Mapping[Key, tuple[Occurrence, ...]]

    def at(self, source: SourceFile, offset: int) -> Occurrence | None:
        """The name at a place, or that ends there."""
        found = self.occurrences.get(source, ())
        return next((each for each in found if each.span.start <= offset <= each.span.end), None)

    def known_in(self, tree: t.Declaration, owner: str) -> set[Key]:
        """The locals, the own facts and the records that are known in a declaration, or in the one that it belongs to."""
        names = (each for each in self.occurrences.get(tree.span.source, ()) if each.declares)
        own = {each.key for each in names if tree.span.start <= each.span.start < tree.span.end}
        return {each for each in (*own, *(key for key in self.by_key if key.owner == owner)) if is_own(each)}

    def declarations_of(self, key: Key) -> tuple[Occurrence, ...]:
        """The places that declare something; for a word that no list declares, such as a code, the first place."""
        found = self.by_key.get(key, ())
        declared = tuple(each for each in found if each.declares)
        return found[:1] if key.kind == "word" and not declared else declared

    def tail_of(self, key: Key) -> t.Tail:
        """The label and the citations of what a key means."""
        return next((each.tail for each in self.declarations_of(key) if each.tail != t.NO_TAIL), t.NO_TAIL)


def index_of(checked: Checked) -> Index:
    """Find all names of a checked ruleset."""
    main = checked.sources[0]
    # A check that was stopped kept no trees.
    parsed = checked.parsed or (parse_module(main).module.declarations,)
    trees: dict[SourceFile, tuple[t.Declaration, ...]] = {}
    for each in chain(*parsed):
        trees[each.span.source] = (*trees.get(each.span.source, ()), each)
    ctx, version = checked.context, checked.version
    if ctx is None:
        return Index(main.name, trees, {}, {})
    if version is not None:
        version.resume(ctx)
    found = _occurrences(ctx, trees, version)
    if version is not None:
        version.finish(ctx)
    by_key: dict[Key, list[Occurrence]] = {}
    for name in (name for names in found.values() for name in names):
        by_key.setdefault(name.key, []).append(name)
    return Index(main.name, trees, found, {key: tuple(names) for key, names in by_key.items()})


def _occurrences(
    ctx: Context, trees: Mapping[SourceFile, Iterable[t.Declaration]], version: Version | None
) -> dict[SourceFile, tuple[Occurrence, ...]]:
    """The names of each text or part."""
    symbols = ctx.symbols
    keys = [ctx.unit("declared", each, partial(declared_keys, each, symbols)) for each in symbols.declarations]
    table = (lambda name, values: values) if version is None else version.table
    reader = reader_of(symbols, ctx.names, chain(*keys), table)
    found = {
        source: [ctx.unit("names", each, partial(_names_in, ctx, reader, each)) for each in declarations]
        for source, declarations in trees.items()
    }
    # A part with one declaration keeps its names, as the same object, from version to version.
    return {source: names[0] if len(names) == 1 else tuple(chain(*names)) for source, names in found.items()}


def _names_in(ctx: Context, reader: Reader, declaration: t.Declaration) -> tuple[Occurrence, ...]:
    ctx.query(noted_in, declaration.span.source)
    return reader.names_in(declaration)
