"""Incremental checking: what an earlier check found about a declaration is taken over while it is still true.

A check runs in units: each declaration, in each respect, is checked by one function (`Context.unit`). While a unit runs,
the tables of the context note what it reads, writes and demands: its *trace*. In the next version of the ruleset, a unit
with the same tree is checked by walking its trace: as long as every read gives the same object, the function would do
the same again, so its writes are repeated and its result and its diagnostics are taken over. At the first difference
the function runs. This is a build system with verifying traces; no check knows of it.

Some checks depend on more than tables: recursion, the depth of nesting, limits. A ruleset in which they report anything
is checked as a whole (`Unsure`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

import attrs
from attrs import define, field, frozen

from enfilade.bind.declared_words import declared_words
from enfilade.bind.names import Key, NameRecord
from enfilade.check.context import MAX_SUGGESTIONS, Context
from enfilade.core import ir
from enfilade.core.graph import ProgramGraph, graph_of
from enfilade.diagnostics.diagnostic import Diagnostic, Fix
from enfilade.limits import Limits, in_force
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.parser import Parsed
from enfilade.syntax.parts import Parts
from enfilade.values.types import Word

T = TypeVar("T")

# The units of questions about a checked ruleset, which not every version is asked.
QUESTIONS: Final = frozenset({"declared", "names", "tokens", "lexed", "folds"})

_ABSENT: Final = object()
# Values without places: equal ones are the same.
_PLAIN: Final = (str, int, frozenset, Word, ir.Die, Key)


class Unsure(Exception):
    """What was found depends on more than the traces note."""


@define
class _Running:
    """A unit that is being checked."""

    trace: list[tuple[Any, ...]] = field(factory=list)
    seen: set[tuple[Any, ...]] = field(factory=set)
    is_known: bool = True

    def note(self, *event: Any) -> None:
        is_answer = event[0] in ("query", "keys", "items")
        key = (event[0], event[1], event[2], None if is_answer else id(event[3]))
        if key not in self.seen:
            self.seen.add(key)
            self.trace.append(event)


@frozen(eq=False)
class _Record:
    """What a unit found."""

    tree: Any
    trace: tuple[tuple[Any, ...], ...]
    result: Any
    diagnostics: tuple[Diagnostic, ...]
    names: NameRecord
    suggestions: int
    sources: frozenset[SourceFile] = field(init=False)

    @sources.default
    def _sources(self) -> frozenset[SourceFile]:
        """The parts with names that it noted."""
        return frozenset(span.source for span in (*self.names.places, *self.names.types))


class Version:
    """What is known about one version of a ruleset, for the next one.

    Args:
        before: What is known about the version before.
        is_trial: Whether the version before is kept for others.
    """

    def __init__(self, before: Version | None = None, *, is_trial: bool = False) -> None:
        self.parts: Parts = Parts(None if before is None else before.parts)
        self._before: dict[tuple[str, int], _Record] = {} if before is None else before._known
        self._kept_before: dict[tuple[Any, ...], tuple[Any, Any]] = {} if before is None else before._all_kept
        self._graph_before = None if before is None else before.graph
        self.graph: ProgramGraph | None = None
        self._about = None if before is None else before._settings
        self._settings: tuple[Any, ...] = ()
        self._records: dict[tuple[str, int], _Record] = {}
        self._kept: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        self._meant: dict[SourceFile, tuple[_Record, ...]] = {}
        if before is not None and not is_trial:
            # Only the last version is kept.
            before._before, before._kept_before, before.graph = {}, {}, None
        self._running: _Running | None = None
        self._suggestions = 0
        self._tables: dict[str, Table] = {}
        self._names = NameRecord()
        self.checked: list[Any] = []

    @property
    def _known(self) -> dict[tuple[str, int], _Record]:
        return _with_unasked(self._records, self._before)

    @property
    def _all_kept(self) -> dict[tuple[Any, ...], tuple[Any, Any]]:
        return _with_unasked(self._kept, self._kept_before)

    # -- a whole check ----------------------------------------------------------------------------------------

    def parse(self, source: SourceFile) -> Parsed:
        """Parse a text by its declarations."""
        return self.parts.parse(source)

    def begin(self, ctx: Context) -> None:
        """Let the tables of a context note what is done with them."""
        limits: Limits = in_force()
        versions = tuple(each.name for each in ctx.first_versions)
        self._settings = (versions, None if ctx.main is None else ctx.main.name, limits)
        if self._settings != self._about:
            self._before = {}
        for of, prefix in ((ctx, "context"), (ctx.symbols, "symbols")):
            for each in attrs.fields(type(of)):
                value = getattr(of, each.name)
                if type(value) is dict and each.name not in _UNNOTED:
                    setattr(of, each.name, self.table(f"{prefix} {each.name}", value))
        ctx.reuse, ctx.names = self, self._names
        words = (
            self.kept("declared words", (each,), partial(declared_words, (each,))) for each in ctx.symbols.declarations
        )
        ctx.symbols.take_words(dict.fromkeys(chain.from_iterable(words)))

    def end(self, ctx: Context) -> None:
        """Finish a check.

        Raises:
            Unsure: The ruleset must be checked as a whole.
        """
        ctx.reuse = None
        self._graph_before = None
        if ctx.is_nested or ctx.recursive or ctx.suggestions > MAX_SUGGESTIONS:
            self._records, self._kept, self._before, self._kept_before = {}, {}, {}, {}
            raise Unsure

    def resume(self, ctx: Context) -> None:
        """Let questions about a checked ruleset be units as well."""
        ctx.reuse = self
        ctx.symbols.take_words(self.table("bare words", dict.fromkeys(ctx.symbols.bare_words)))
        meant: dict[SourceFile, list[_Record]] = {}
        for record in self._records.values():
            for source in record.sources:
                meant.setdefault(source, []).append(record)
        self._meant = {source: tuple(records) for source, records in meant.items()}

    @staticmethod
    def finish(ctx: Context) -> None:
        """Let questions about a ruleset be answered anew."""
        ctx.reuse = None

    def table(self, name: str, values: Mapping[Any, Any]) -> Table:
        """A table that notes how the unit being checked uses it."""
        self._tables[name] = table = Table(values)
        table.version, table.name = self, name
        return table

    def placed(self, found: Diagnostic) -> Diagnostic:
        """A diagnostic with places in whole texts instead of parts.

        Raises:
            Unsure: It has a place in an earlier version.
        """
        place = self.parts.place
        try:
            labels = tuple(attrs.evolve(each, span=place(each.span)) for each in found.labels)
            fix = found.fix and Fix(
                found.fix.message, tuple(attrs.evolve(each, span=place(each.span)) for each in found.fix.edits)
            )
            return attrs.evolve(found, span=place(found.span), labels=labels, fix=fix)
        except KeyError as error:
            raise Unsure from error

    # -- units ------------------------------------------------------------------------------------------------

    def unit(self, ctx: Context, kind: str, tree: Any, build: Callable[[], T]) -> T:
        """Check a declaration, or take over its outcome."""
        if self._running is not None:
            # It is lowered from another declaration, with which it is checked again.
            self._running.is_known = False
            with ctx.alone():
                return build()
        record = self._before.get((kind, id(tree)))
        if record is None or not self._holds(ctx, record):
            record = self._checked(ctx, kind, tree, build)
            self.checked.append(tree)
        else:
            ctx.suggestions += record.suggestions
        self._suggestions += record.suggestions
        self._records[kind, id(tree)] = record
        ctx.reported += record.diagnostics
        self._names.update(record.names)
        result: T = record.result
        return result

    def _checked(self, ctx: Context, kind: str, tree: Any, build: Callable[[], Any]) -> _Record:
        kept = ctx.diagnostics, ctx.names, ctx.unknown_numbers
        ctx.diagnostics = []
        if kind not in QUESTIONS:
            ctx.names = NameRecord()
        asked = ctx.suggestions - self._suggestions
        self._running = running = _Running()
        try:
            result = build()
        finally:
            self._running = None
            found = ctx.diagnostics
            names = NameRecord() if kind in QUESTIONS else ctx.names
            ctx.diagnostics, ctx.names, ctx.unknown_numbers = kept
        asked = ctx.suggestions - self._suggestions - asked
        trace = tuple(running.trace) if running.is_known else (("never",),)
        return _Record(tree, trace, result, tuple(found), names, asked)

    def _holds(self, ctx: Context, record: _Record) -> bool:
        """Walk a trace; whether all is as it was. If not, its own writes are undone."""
        undone: list[tuple[Table, Any, Any]] = []
        if all(self._repeats(ctx, event, undone) for event in record.trace):
            return True
        for table, key, value in reversed(undone):
            if value is _ABSENT:
                dict.__delitem__(table, key)
            else:
                dict.__setitem__(table, key, value)
        return False

    def _repeats(self, ctx: Context, event: tuple[Any, ...], undone: list[tuple[Table, Any, Any]]) -> bool:
        """Repeat one step of a trace; whether it gives the same as before."""
        match event:
            case ("read", name, key, value):
                now = dict.get(self._tables[name], key, _ABSENT)
                return now is value or _is_same(now, value)
            case ("has", name, key, value):
                return dict.__contains__(self._tables[name], key) is value
            case ("write", name, key, value):
                table = self._tables[name]
                undone.append((table, key, dict.get(table, key, _ABSENT)))
                dict.__setitem__(table, key, value)
                return True
            case ("keys", name, keys, _):
                return bool(tuple(dict.keys(self._tables[name])) == keys)
            case ("items", name, keys, values):
                table = self._tables[name]
                return tuple(dict.keys(table)) == keys and all(
                    a is b or _is_same(a, b) for a, b in zip(dict.values(table), values, strict=True)
                )
            case ("demand", require, (needed, span), value):
                now = require(ctx, needed, span)
                return now is value or _is_same(now, value)
            case ("query", ask, args, value):
                return bool(ask(ctx, *args) == value)
        return False

    def demand(self, require: Callable[[Context, str, Span], T], ctx: Context, name: str, span: Span) -> T:
        """Check a declaration that another one needs."""
        with self._unnoted() as running:
            result = require(ctx, name, span)
        if running is not None:
            running.note("demand", require, (name, span), result)
        return result

    def graph_of(self, program: ir.Program) -> ProgramGraph:
        """The graph of a program, with what is known of the declarations that have not changed."""
        self.graph = graph_of(program)
        if self._graph_before is not None:
            self.graph.take_over(self._graph_before)
        return self.graph

    def query(self, ctx: Context, ask: Callable[..., T], args: tuple[Any, ...]) -> T:
        """Answer a question; the trace has only the answer."""
        with self._unnoted() as running:
            answer = ask(ctx, *args)
        if running is not None:
            if all(isinstance(arg, str) for arg in args):
                running.note("query", ask, args, answer)
            else:
                running.trace.append(("query", ask, args, answer))
        return answer

    def kept(self, kind: str, parts: tuple[Any, ...], build: Callable[[], T]) -> T:
        """Compute what depends on some objects alone, or take over what was computed for the same objects."""
        key = (kind, *map(id, parts))
        if key not in self._kept:
            self._kept[key] = self._kept_before.get(key) or (parts, build())
        found: T = self._kept[key][1]
        return found

    @contextmanager
    def _unnoted(self) -> Iterator[_Running | None]:
        running, self._running = self._running, None
        try:
            yield running
        finally:
            self._running = running

    def note(self, *event: Any) -> None:
        """Note one step of the unit that is being checked."""
        if self._running is not None:
            self._running.note(*event)


def noted_in(ctx: Context, source: SourceFile) -> tuple[Any, ...]:
    """The units that noted names in a part: what a question about the names depends on."""
    return ctx.reuse._meant.get(source, ()) if isinstance(ctx.reuse, Version) else ()


def _with_unasked(found: dict[Any, T], before: dict[Any, T]) -> dict[Any, T]:
    """What is known about a version; for questions that nobody asked about it, what was known before."""
    unasked = QUESTIONS - {key[0] for key in found}
    return {key: each for key, each in before.items() if key[0] in unasked} | found


# Tables that no check reads, or that follow the stack of declarations in progress.
_UNNOTED: Final = {"depths", "policies", "keys"}


def _is_same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (isinstance(a, _PLAIN) or a == {} or a == ()) and bool(a == b)


class Table(dict[Any, Any]):
    """A table of a context that notes how the unit being checked uses it."""

    version: Version
    name: str

    def __getitem__(self, key: Any) -> Any:
        """Note the value."""
        value = dict.__getitem__(self, key)
        self.version.note("read", self.name, key, value)
        return value

    def get(self, key: Any, default: Any = None) -> Any:
        """Note the value, or that there is none."""
        value = dict.get(self, key, _ABSENT)
        self.version.note("read", self.name, key, value)
        return default if value is _ABSENT else value

    def __contains__(self, key: object) -> bool:
        """Note the answer."""
        found = dict.__contains__(self, key)
        self.version.note("has", self.name, key, found)
        return found

    def __iter__(self) -> Iterator[Any]:
        """Note the keys."""
        self._note_keys()
        return dict.__iter__(self)

    def __len__(self) -> int:
        """Note the keys."""
        self._note_keys()
        return dict.__len__(self)

    def _note_keys(self) -> None:
        if self.version._running is not None:
            self.version.note("keys", self.name, keys := tuple(dict.keys(self)), keys)

    def _note_items(self) -> None:
        if self.version._running is not None:
            self.version.note("items", self.name, tuple(dict.keys(self)), tuple(dict.values(self)))

    def keys(self) -> Any:
        """Note the keys."""
        self._note_keys()
        return dict.keys(self)

    def values(self) -> Any:
        """Note everything."""
        self._note_items()
        return dict.values(self)

    def items(self) -> Any:
        """Note everything."""
        self._note_items()
        return dict.items(self)

    def __or__(self, other: Any) -> dict[Any, Any]:
        """Join it with another table."""
        return {**self, **other}

    def __setitem__(self, key: Any, value: Any) -> None:
        """Note the write."""
        self.version.note("write", self.name, key, value)
        dict.__setitem__(self, key, value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Note the read, and the write if there is one."""
        if key not in self:
            self[key] = default
        return self[key]
