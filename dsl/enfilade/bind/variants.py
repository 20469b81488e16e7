"""Variants: `replace`, `add to` and `remove`, applied to the declarations of the base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from enfilade.bind.unread import Unread
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes

KINDS: dict[str, type] = {
    "option": t.OptionDecl,
    "words": t.Words,
    "record": t.Record,
    "define": t.Define,
    "die": t.Die,
    "deck": t.Deck,
    "chart": t.Chart,
    "columns": t.Columns,
    "modifiers": t.Modifiers,
    "effect": t.Effect,
    "procedure": t.Procedure,
    "event": t.Event,
    "results": t.Results,
    "example": t.Example,
}
"""The kinds of declarations that have a name, by the word that begins them."""
_NAMED: Any = (t.RulesetHead, *KINDS.values())


def name_of(declaration: t.Declaration) -> str | None:
    """The name of a declaration; ``None`` if its kind has no name."""
    match declaration:
        case t.Results():
            return declaration.chart.name
        case t.Example():
            return declaration.label
        case t.OnEvent():
            return declaration.event.name
    name: str | None = declaration.name.name if isinstance(declaration, _NAMED) else None
    return name


class Variant:
    """The declarations of a base, as changed so far.

    Args:
        base: The declarations of the base.
        diagnostics: The list to report mistakes to.
        unread: What could not be read of the texts.
    """

    def __init__(self, base: list[t.Declaration], diagnostics: list[Diagnostic], unread: Unread) -> None:
        self.declarations = base
        self.diagnostics = diagnostics
        self.unread = unread

    def take(self, d: t.Declaration) -> None:
        """Add a declaration, or apply the change that it describes."""
        match d:
            case t.Replace():
                self._replace(d)
            case t.AddTo():
                self._add(d)
            case t.Remove():
                self._remove(d)
            case t.ReplaceModifier():
                lines = d.lines
                self._edit_part(
                    t.Modifiers, d.block, d.name, lambda block: _with_modifier_replaced(block, d.name.name, lines)
                )
            case t.ReplaceStep():
                number = t.Ident(str(d.number), d.span)
                self._edit_part(t.Procedure, d.procedure, number, lambda p: _with_step_replaced(p, d.number, d.steps))
            case t.RemovePart():
                self._remove_part(d)
            case t.ReplaceCell():
                erratum = t.Erratum(d.place, d.code, None, d.tail, d.span)
                item = t.ChartItem(erratum, (), d.span)
                self._edit_part(t.Chart, d.chart, d.chart, lambda chart: evolve(chart, items=(*chart.items, item)))
            case _:
                self.declarations.append(d)

    def _report(self, code: str, message: str, span: Span, names: Sequence[str] = (), word: str = "") -> None:
        close = nearest(word, sorted(names)) if word else None
        helps = (f"did you mean `{close}`?",) if close else ()
        self.diagnostics.append(Diagnostic(code, message, span, helps=helps))

    def _find(self, kind: type, name: str) -> int | None:
        for index, d in enumerate(self.declarations):
            if isinstance(d, kind) and name_of(d) == name:
                return index
        return None

    def _names(self, kind: type) -> list[str]:
        return [name for d in self.declarations if isinstance(d, kind) and (name := name_of(d)) is not None]

    def _missing(self, kind: type, name: str, span: Span) -> None:
        if self.unread.may_declare(name):
            return
        what = next((word for word, cls in KINDS.items() if cls is kind), "declaration")
        self._report("nothing-to-change", f"the base has no {what} `{name}` to change", span, self._names(kind), name)

    def _replace(self, d: t.Replace) -> None:
        name = name_of(d.declaration)
        if name is None:
            self._report("nothing-to-change", "only a declaration with a name can replace another", d.span)
            return
        at = self._find(type(d.declaration), name)
        if at is None:
            self._missing(type(d.declaration), name, d.declaration.span)
        else:
            self.declarations[at] = d.declaration

    def _add(self, d: t.AddTo) -> None:
        more = d.declaration
        if isinstance(more, t.Facts):
            self.declarations.append(more)
            return
        name = name_of(more)
        at = None if name is None else self._find(type(more), name)
        if at is None:
            self._missing(type(more), name or "", more.span)
            return
        joined = _with_lines(self.declarations[at], more)
        if joined is None:
            self._report(
                "nothing-to-change",
                "you can add lines to a facts, record, modifiers, results, effect or procedure block",
                more.span,
            )
        else:
            self.declarations[at] = joined

    def _remove(self, d: t.Remove) -> None:
        at = self._find(KINDS[d.kind], d.name.name)
        if at is None:
            self._missing(KINDS[d.kind], d.name.name, d.name.span)
        else:
            del self.declarations[at]

    def _remove_part(self, d: t.RemovePart) -> None:
        if d.name is not None:
            name = d.name
            self._edit_part(t.Modifiers, d.block, name, lambda block: _with_modifier_replaced(block, name.name, ()))
        elif d.step is not None:
            step = d.step
            self._edit_part(
                t.Procedure, d.block, t.Ident(str(step), d.span), lambda p: _with_step_replaced(p, step, ())
            )

    def _edit_part(
        self, kind: type, block: t.Ident, part: t.Ident, edit: Callable[[Any], t.Declaration | None]
    ) -> None:
        at = self._find(kind, block.name)
        if at is None:
            self._missing(kind, block.name, block.span)
            return
        edited = edit(self.declarations[at])
        if edited is None:
            names = _parts_of(self.declarations[at])
            self._report("nothing-to-change", f"`{block.name}` has no `{part.name}`", part.span, names, part.name)
        else:
            self.declarations[at] = edited


def _parts_of(declaration: t.Declaration) -> list[str]:
    """The names of the modifiers of a block."""
    items = declaration.items if isinstance(declaration, t.Modifiers) else ()
    return [line.name.name for line in nodes(items) if isinstance(line, t.ModLine)]


def _with_lines(old: t.Declaration, more: t.Declaration) -> t.Declaration | None:
    match old, more:
        case t.Record(), t.Record():
            return evolve(old, fields=(*old.fields, *more.fields))
        case t.Modifiers(), t.Modifiers():
            return evolve(old, items=(*old.items, *more.items))
        case t.Results(), t.Results():
            return evolve(old, entries=(*old.entries, *more.entries))
        case t.Effect(), t.Effect():
            return evolve(old, steps=(*old.steps, *more.steps))
        case t.Procedure(), t.Procedure():
            return evolve(old, steps=(*old.steps, *more.steps))
    return None


def _with_modifier_replaced(block: t.Modifiers, name: str, lines: tuple[t.ModLine, ...]) -> t.Modifiers | None:
    items, found = _with_lines_replaced(block.items, name, lines)
    return evolve(block, items=items) if found else None


def _with_lines_replaced(
    items: tuple[t.ModItem, ...], name: str, lines: tuple[t.ModLine, ...]
) -> tuple[tuple[t.ModItem, ...], bool]:
    out: list[t.ModItem] = []
    found = False
    for item in items:
        if isinstance(item, t.ModLine) and item.name.name == name:
            out += lines
            found = True
        elif isinstance(item, t.ModSection):
            inner, hit = _with_lines_replaced(item.items, name, lines)
            found = found or hit
            if inner:
                out.append(evolve(item, items=inner))
        else:
            out.append(item)
    return tuple(out), found


def _with_step_replaced(procedure: t.Procedure, number: int, steps: tuple[t.Step, ...]) -> t.Procedure | None:
    """The procedure with one step replaced by others. Steps are counted by number, or by place if none has a number.

    Lines without a number are part of the numbered step above them.
    """
    old = procedure.steps
    numbered = any(step.number is not None for step in old)
    first = next((i for i, step in enumerate(old) if number == (step.number if numbered else i + 1)), None)
    if first is None:
        return None
    end = first + 1
    while numbered and end < len(old) and old[end].number is None:
        end += 1
    if numbered and steps and steps[0].number is None:
        steps = (evolve(steps[0], number=number), *steps[1:])
    return evolve(procedure, steps=(*old[:first], *steps, *old[end:]))
