"""Completion: the words and names that may follow at a place in a text.

The parser says which keywords may follow, and whether a name may. What the author is writing decides which names come
first: the fields after a dot, the words of the other side's type after `is`, citations in brackets.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from attrs import frozen

from enfilade.bind.names import Key
from enfilade.bind.occurrences import GLOBAL, owner_of
from enfilade.check.context import Context
from enfilade.check.expressions.fields import parts_of
from enfilade.core import ir
from enfilade.editor.answers import Completions, Suggestion
from enfilade.editor.declaration_notes import DECLARATION_NOTES
from enfilade.editor.hover import type_of
from enfilade.editor.index import Index
from enfilade.editor.ranking import ranked
from enfilade.editor.signatures import signature_in
from enfilade.source.text import SourceFile
from enfilade.syntax.expected_tokens import NAME, expected_after
from enfilade.syntax.unexpected import KEYWORDS
from enfilade.values.types import (
    Bool,
    EffectOf,
    ListOf,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    TallyOf,
    Type,
)

_WORD: Final = re.compile(r"(?<!\w)[A-Za-z]\w*\Z")
# No word begins after these.
_NO_WORD: Final = re.compile(r"[\w\")\]]\Z|(?<!\w)\d[\d.]*\.\Z|\.\.\Z")
_NAMES: Final = re.compile(r'"[^"\n]*"?|--(?=[ \n]).*|([A-Za-z]\w*)')
_HEAD: Final = re.compile(r"^[a-z]+\b(?: +(?:(?:chart|define|modifiers|of) +)?(\w+))?", re.MULTILINE)
_CITATION: Final = re.compile(r"\[([0-9][^\]\"\n]*|)\Z")
_CITED: Final = re.compile(r"\[((?:[0-9]+\.)+[0-9a-z.]*(?:, *[0-9.a-z]+)*)\]")
_DOT: Final = re.compile(r"([A-Za-z]\w*)\.\Z")
_COMPARED: Final = re.compile(r"([A-Za-z]\w*)\s+(?:is not|is|has|becomes)\s+(?:\w+(?:\s*,|\s+or)\s+)*\Z")
_OPTION: Final = re.compile(r"\boption\s+([A-Za-z]\w*)\s+\Z")
_GIVEN: Final = re.compile(r"(?:\bgiven|[,(])\s*([A-Za-z]\w*)\s+(?:\[(?:\w+, *)*)?\Z")
# A parameter is named after these; in the brackets of a call, and after `on`, stands a value.
_NAMES_FOLLOW: Final = re.compile(r"\b(?:with|given)\s+\Z|\b(?:with|given)\b.*[,(]\s*\Z", re.DOTALL)
# The name of a fact or a field, after which its type follows.
_FIELD: Final = re.compile(r"^\s+[A-Za-z]\w*\s+\Z")
# The first ones come before the lists of words and the records that are declared, the others after them.
_FIRST_TYPES: Final = (
    ("yes/no", "true or false"),
    ("one of", "one word from a list, such as `one of clear, woods`"),
    ("0..", "a whole number of 0 or more"),
    ("list of", "several values or records"),
)
_ROLLED: Final = re.compile(r"\broll\b.*? as (\w+)")
_TYPES: Final = (
    ("1..", "a whole number from 1"),
    ("set of", "any number of words from a list"),
    ("map of", "a value for each word of a list"),
)
_DICE: Final = ("d6", "2d6", "d10", "d20")
# Places where only one kind of name is possible, recognised by the text of the line before them.
_ONLY: Final = tuple(
    (re.compile(before), kinds)
    for before, kinds in (
        (r"(?:\bread|^results of|\b(?:shift columns of|add to (?:roll|total|column) of)(?: \w+,)*(?: \w+ and)?) +\Z", ("chart",)),
        (r"^examples? +\Z", ("procedure", "event")),
        (r"^example (?:chart|define|modifiers) +\Z", ("chart", "define", "modifiers")),
        (r"^ +effect +\Z|\beffects +\Z", ("effect",)),
        (r"^ +option +\Z|\bwhen (?:not )?option +\Z", ("option",)),
        (r"\b(?:call|start) +\Z", ("procedure",)),
        (r"^use +\Z", ("module",)),
        (r"^ +refused +\Z|\brefuse +\Z", ("refusal",)),
        (r"^ +gives +\Z|^ +severity +(?:[^\s<]+ *< *)*\Z|^ +\|.*\| *\Z|\bgives +\Z", ("code",)),
    )
)  # fmt: skip
# What stands first at a place, by the declaration and the line before it.
_FIRST: Final = tuple(
    (re.compile(heads), re.compile(before), kinds)
    for heads, before, kinds in (
        ("", r"\b(?:roll|down) +\Z", ("die", "dice")),
        ("procedure|helper|effect|results|on", r"^ +(?:\d+\. +)?\Z|: +\Z", ("effect",)),
        ("", r"\bby +\Z", ("player",)),
        ("", r"\bread \w+ with +\Z", ("rolled",)),
        ("example", r"^ +(?:expect|chance of|mean of) +(?:.*(?:\b(?:and|or|not|of)|\() *)?\Z", ("output",)),
        ("effect|define|chart|modifiers", r"\((?:[^()]*,)? *\Z", ("record", "words")),
        ("", r"\b(?:sum|product|highest|lowest|map) of +\Z", ("field", "parameter")),
        ("", r"\b(?:in|over|among|(?:count|all|any|none) of) +\Z", ("list",)),
    )
)
# After these words a new name follows, so known names are of no use.
_NEW_NAME: Final = re.compile(
    r"(?:^(?:chart|columns|deck|define|die|effect|event|modifiers|option|players(?: +\w+,)*|record|words|(?:helper +)?procedure)"
    r"|\b(?:as|let|one of(?: +\w+,)*)|^ .*\bfor each) +\Z",
    re.MULTILINE,
)
# The declarations whose lines begin with a new name.
_FIELDS: Final = ("facts", "record")
# The kinds of values whose types are declared for the whole ruleset.
_TYPED: Final = ("fact", "option", "define", "field")
# The names that are known in one declaration, the first ones first.
_OWN: Final = ("local", "fact", "piece")


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
    """The words that begin with what is typed; none after a whole word: Enter would take one, and make no new line."""
    found: dict[str, Suggestion] = {}
    for item in items:
        if item.name.startswith(typed):
            found.setdefault(item.name, item)
    return Completions(start, () if typed in found else tuple(found.values()))


def complete_in(
    ctx: Context | None,
    index: Index,
    source: SourceFile,
    offset: int,
    whole: tuple[str, int],
    draft: ir.Program | None,
    modules: Callable[[], Iterable[str]],
) -> Completions:
    """Return what may follow at a place in a checked text, or in a part of one.

    Args:
        ctx: The context of the check.
        index: The names of the ruleset.
        source: The text or the part: the declaration around the place.
        offset: The place in it.
        whole: The whole text, and the place in it.
        draft: The program as far as it could be checked.
        modules: Lists the modules that the text can use.
    """
    before = source.text[:offset]
    begun = _WORD.search(before)
    start = offset if begun is None else begun.start()
    typed = before[start:]
    cited = _CITATION.search(before)
    # A bracket may begin a list, too.
    if cited is not None and (cited[1] or (NAME not in expected_after(before) and not _GIVEN.search(before))):
        return _starting((Suggestion(each, "citation") for each in _citations(whole[0])), cited.start(1), cited[1])
    if _NO_WORD.search(before[:start]):
        return Completions(offset, ())
    place = _Place(ctx, index, source, offset, before[:start], typed, draft, modules)
    likely = tuple(place.likely())
    items = (each for each in (*likely, *place.others()) if each.name.startswith(typed))
    return _starting(ranked(items, whole[0][: whole[1] - len(typed)], likely), start, typed)


def _citations(text: str) -> list[str]:
    return sorted({each.strip() for found in _CITED.finditer(text) for each in found[1].split(",")})


@frozen
class _Place:
    """A place in a declaration: *before* is the declaration up to the word that is wanted."""

    ctx: Context | None
    index: Index
    source: SourceFile
    offset: int
    before: str
    typed: str
    draft: ir.Program | None
    modules: Callable[[], Iterable[str]]

    @property
    def line(self) -> str:
        return self.before[self.before.rfind("\n") + 1 :]

    def head(self) -> tuple[str, str]:
        """The first word of the declaration, and the name after it."""
        found = deque(_HEAD.finditer(self.before), 1)
        return (found[0][0].partition(" ")[0], found[0][1] or "") if found else ("", "")

    def others(self) -> Iterator[Suggestion]:
        """The keywords that may follow and, where no kind of name alone can stand, the names."""
        names: Iterable[Suggestion] = ()
        if (
            self.ctx is not None
            and not self._makes_name()
            and not self._only()
            and not self._is_type()
            and not _DOT.search(self.before)
        ):
            outputs = self._of_kind(self.ctx, "output") if self.head()[0] == "example" else ()
            names = (*names_at(self.ctx, self.index, self.source, self.offset, self.typed), *outputs, *self._seen())
        return iter(complete(self.before, len(self.before), names).items)

    def likely(self) -> Iterator[Suggestion]:
        """The words that fit best."""
        if self._is_type():
            yield from _types(self.ctx)
        elif self.ctx is not None and not self._makes_name():
            dotted = _DOT.search(self.before)
            if dotted is not None:
                yield from _fields(self.ctx, self._type(dotted[1]))
                return
            yield from self._words(self.ctx)
            yield from _arguments(self.ctx, self.draft, self.before)
            head = self.head()[0]
            first = (kinds for heads, line, kinds in _FIRST if re.match(heads, head) and line.search(self.line))
            for kind in self._only() or next(first, ()):
                yield from self._of_kind(self.ctx, kind)

    def _is_type(self) -> bool:
        return bool(_FIELD.search(self.line)) and "yes/no" in expected_after(self.before)

    def _makes_name(self) -> bool:
        return bool(_NEW_NAME.search(self.before)) or (self.line.isspace() and self.head()[0] in _FIELDS)

    def _only(self) -> tuple[str, ...]:
        if self.head()[0] == "results" and re.fullmatch(" {1,2}|\t", self.line):
            return ("code",)
        return next((kinds for pattern, kinds in _ONLY if pattern.search(self.line)), ())

    def _of_kind(self, ctx: Context, kind: str) -> Iterator[Suggestion]:
        head, name = self.head()
        match kind:
            case "dice":
                names: Iterable[str] = _DICE
            case "module":
                names = self.modules()
            case "refusal" | "field":
                names = (each.name for each in self.index.by_key if each.kind == kind)
            case "output":
                names = ctx.outputs.get(name, {})
            case "parameter":
                names = (each.name for params in ctx.effect_params.values() for each in params)
            case "rolled":
                names = reversed(_ROLLED.findall(self.before))
            case "list":
                names = (name for name, each in ctx.facts.items() if isinstance(each.type, ListOf))
            case "code":
                charts = (ctx.charts.get(name),) if head in ("chart", "results") else ctx.charts.values()
                codes = [code for each in charts if each is not None for code in each.code_type.words]
                names = (*codes, *self._cells()) if head == "chart" else codes
            case _:
                names = ctx.symbols.table(kind)
        yield from (
            Suggestion(each, kind, self.index.tail_of(Key(kind, each)).label or "")
            for each in names
            if each.startswith(self.typed)
        )

    def _seen(self) -> Iterator[Suggestion]:
        """The names in the declaration up to here: those that an unfinished declaration binds are among them."""
        names = {each[1] for each in _NAMES.finditer(self.before) if each[1] and each[1] not in KEYWORDS}
        yield from (Suggestion(each, "name") for each in sorted(names))

    def _cells(self) -> Iterator[str]:
        """The cells and the codes in order of severity of a chart, as far as its text goes; its first row is the head."""
        rows = [line.split("|")[2:-1] for line in self.source.text.splitlines() if "|" in line]
        severity = re.findall(r"^ +severity +(.*<.*)", self.source.text, re.MULTILINE)
        for cells in (*(each.split("<") for each in severity), *rows[1:]):
            yield from (each.strip() for each in cells if _WORD.fullmatch(each.strip()))

    def _words(self, ctx: Context) -> Iterator[Suggestion]:
        """The words of the type that is wanted here."""
        for pattern in (_OPTION, _COMPARED, _GIVEN):
            found = pattern.search(self.line)
            type_ = None if found is None else self._type(found[1])
            if isinstance(type_, Bool):
                yield from (Suggestion(word, "word") for word in ("yes", "no"))
            elif type_ is not None:
                yield from (Suggestion(word, "word") for word in type_.words)

    def _type(self, name: str) -> Type | None:
        """The type of a name, as far as the check, or the text of an unfinished declaration, tells it."""
        assert self.ctx is not None
        found = _type_before(self.ctx, self.index, self.source, name, self.offset)
        return found if found is not None else self._type_bound(self.ctx, name)

    def _type_bound(self, ctx: Context, name: str) -> Type | None:
        for pattern, kind in _BINDS:
            found = re.search(pattern.format(re.escape(name)), self.before)
            if found is None:
                continue
            of = found[1]
            match kind:
                case "roll":
                    return RollOf(Num(), 1, 1)
                case "read" if of in ctx.charts:
                    return ReadingOf(of, ctx.charts[of].code_type)
                case "call" if of in ctx.outputs:
                    return OutputsOf(of)
                case "record" if of in ctx.records:
                    return RecordOf(of)
                case "element" if of != name and isinstance(many := self._type(of), ListOf):
                    return many.of
        head, played = self.head()
        return ctx.outputs.get(played, {}).get(name) if head in ("example", "examples", "procedure") else None


# How a name is bound in a line, with what its type follows from.
_BINDS: Final = (
    (r"\broll\b([^\n]*)\bas {}\b", "roll"),
    (r"\bread (\w+)[^\n]*\bas {}\b", "read"),
    (r"\bcall (\w+)[^\n]*\bas {}\b", "call"),
    (r"\b(?:for each|chooses) {} (?:in|among) (\w+)", "element"),
    (r"[(,] *{} (\w+)", "record"),
)


def _types(ctx: Context | None) -> Iterator[Suggestion]:
    """The types that a fact or a field may have."""
    yield from (Suggestion(name, "type", note) for name, note in _FIRST_TYPES)
    if ctx is not None:
        for kind in ("words", "record"):
            yield from (Suggestion(name, "type") for name in ctx.symbols.table(kind))
    yield from (Suggestion(name, "type", note) for name, note in _TYPES)


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
        found = each.type if each.type is not None else type_of(ctx, index, each.key)
        if found is not None:
            return found
    if name in ctx.records:
        return RecordOf(name)
    declared = (type_of(ctx, index, each) for each in index.by_key if each.name == name and each.kind in _TYPED)
    return next((each for each in declared if each is not None), None)


def _fields(ctx: Context, of: Type | None) -> Iterator[Suggestion]:
    match of:
        case RecordOf(record) if record in ctx.records:
            for name, each in ctx.records[record].fields.items():
                yield Suggestion(name, "field", each.note.label or "")
        case OutputsOf(procedure):
            yield from (Suggestion(name, "output") for name in ctx.outputs.get(procedure, {}))
        case EffectOf() | RollOf() | TallyOf() | ReadingOf():
            yield from (Suggestion(name, "part") for name in parts_of(ctx, of))


def names_at(ctx: Context, index: Index, source: SourceFile, offset: int, typed: str) -> Iterator[Suggestion]:
    """The names that are known at a place: those of the declaration around it first, and only those that begin so."""
    trees = index.trees.get(source, ())
    here = [each for each in trees if each.span.start <= offset]
    own = index.known_in(here[-1], owner_of(here[-1], ctx.symbols)) if here else ()
    yield from (
        Suggestion(each.name, each.kind) for each in sorted(own, key=lambda each: (_OWN.index(each.kind), each.name))
    )
    for kind in GLOBAL:
        for name in (each for each in ctx.symbols.table(kind) if each.startswith(typed)):
            yield Suggestion(name, kind, index.tail_of(Key(kind, name)).label or "")
    for record in ctx.records.values():
        yield from (Suggestion(name, "field", each.note.label or "") for name, each in record.fields.items())
    for params in ctx.effect_params.values():
        yield from (Suggestion(each.name, "parameter") for each in params)
    yield from (Suggestion(word, "word") for word in sorted(ctx.symbols.bare_words))
