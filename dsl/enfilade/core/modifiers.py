"""Sums of modifiers: which apply, which cancel or override each other, and the reason for each that does not apply."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from enfilade.core import ir
from enfilade.core.events import ModifierLine, Tallied
from enfilade.core.operators import checked
from enfilade.core.run import Evaluate, Frame, Run
from enfilade.errors import InputError, InputFault, RuleError
from enfilade.values.data import Ref, Tally


class ModifierSums:
    """Adds up blocks of modifiers.

    Args:
        run: The current run.
        value: Evaluates an expression.
    """

    __slots__ = ("_run", "_value")

    def __init__(self, run: Run, value: Evaluate) -> None:
        self._run = run
        self._value = value

    def tally(self, name: str, args: tuple[Any, ...], reader: Ref | None) -> Tally:
        """Add up a block of modifiers.

        Args:
            name: The block.
            args: Its arguments.
            reader: The record that reads the chart; it selects the ``for each`` sections that apply.
        """
        self._run.tick()
        block = self._run.program.modifiers[name]
        frame = Frame({**dict(zip(block.params, args, strict=True)), "reader": reader})
        lines: list[ModifierLine] = []
        counted = self._modifiers(block.items, frame, reader, lines)
        if block.rule != "cumulative":
            counted = one_of(block.rule, counted, lines)
        total = checked(sum(amount for _, amount in counted))
        for item in block.items:
            if isinstance(item, ir.Net):
                bound = self._needed(item.amount, frame)
                total = min(total, bound) if item.way == "most" else max(total, bound)
        tally = Tally(total, dict(counted))
        if self._run.observer:
            given = tuple(zip(block.params, args, strict=True))
            self._run.observer(Tallied(name, tally, reader, tuple(lines), block.note, given))
        return tally

    def _modifiers(
        self, items: tuple[ir.ModItem, ...], frame: Frame, reader: Ref | None, lines: list[ModifierLine]
    ) -> list[tuple[str, Any]]:
        counted: list[tuple[str, Any]] = []
        for item in items:
            match item:
                case ir.Modifier():
                    counted += self._modifier(item, frame, lines)
                case ir.Section():
                    counted += self._section(item, frame, reader, lines)
                case ir.Net():
                    pass
        return counted

    def _modifier(self, m: ir.Modifier, frame: Frame, lines: list[ModifierLine]) -> list[tuple[str, Any]]:
        failed = self._failing(m.condition, frame)
        note = m.note
        if failed is not None:
            lines.append(ModifierLine(m.name, None, False, failed, note))
            return []
        amount = m.amount
        for but in m.buts:
            if self._value(but.condition, frame):
                if but.amount is None:
                    reason = f"not when {text_of(but.condition)}"
                    lines.append(ModifierLine(m.name, None, False, reason, _both_notes(but.note, m.note)))
                    return []
                amount, note = but.amount, _both_notes(but.note, m.note)
                break
        value = self._needed(amount, frame)
        lines.append(ModifierLine(m.name, value, True, None, note))
        return [(m.name, value)]

    def _needed(self, amount: ir.Expr, frame: Frame) -> Any:
        """Evaluate an amount, which must not be ``none``."""
        value = self._value(amount, frame)
        if value is None:
            raise RuleError(f"a value is needed, but this expression is none: {text_of(amount)}")
        return value

    def _failing(self, condition: ir.Expr, frame: Frame) -> str | None:
        """The text of the first condition that is false; ``None`` if all are true."""
        for part_ in condition.items if isinstance(condition, ir.All) else (condition,):
            if not self._value(part_, frame):
                return text_of(part_)
        return None

    def _section(
        self, s: ir.Section, frame: Frame, reader: Ref | None, lines: list[ModifierLine]
    ) -> list[tuple[str, Any]]:
        if s.kind == "when" and s.condition is not None:
            failed = self._failing(s.condition, frame)
            if failed is not None:
                lines += [ModifierLine(m.name, None, False, failed, m.note) for m in modifiers_in(s.items)]
                return []
        if s.kind == "for each" and (reader is None or reader.record != s.record):
            because = f"for each {s.record} that reads the chart"
            lines += [ModifierLine(m.name, None, False, because, m.note) for m in modifiers_in(s.items)]
            return []
        counted = self._modifiers(s.items, frame, reader, lines)
        if s.kind == "never together" and len(counted) > 1:
            names = " and ".join(name for name, _ in counted)
            text = s.note.label or f"{names} never apply together"
            raise InputError([InputFault(counted[1][0], True, f"not together with {counted[0][0]}", text)])
        if s.kind == "only one":
            return one_of(s.which or "first", counted, lines)
        return counted


def _both_notes(but: ir.Note, line: ir.Note) -> ir.Note:
    """Merge the notes of a modifier and its `but`: label and reason of the `but` first, all citations."""
    cites = tuple(dict.fromkeys(but.cites + line.cites))
    return ir.Note(but.label or line.label, cites, but.assumed or line.assumed, but.span)


def one_of(which: str, counted: list[tuple[str, Any]], lines: list[ModifierLine]) -> list[tuple[str, Any]]:
    """Keep one of several modifiers, and record it as the reason why the others don't apply."""
    if len(counted) < 2:
        return counted
    best = counted[0]
    for each in counted[1:]:
        if (which == "highest" and each[1] > best[1]) or (which == "lowest" and each[1] < best[1]):
            best = each
    names = {name for name, _ in counted if name != best[0]}
    for index, line in enumerate(lines):
        if line.applied and line.name in names:
            lines[index] = evolve(line, applied=False, because=f"{best[0]} counts instead")
    return [best]


def modifiers_in(items: tuple[ir.ModItem, ...]) -> list[ir.Modifier]:
    """All modifiers of a block, sections included."""
    found: list[ir.Modifier] = []
    for item in items:
        if isinstance(item, ir.Modifier):
            found.append(item)
        elif isinstance(item, ir.Section):
            found += modifiers_in(item.items)
    return found


def text_of(e: ir.Expr) -> str:
    """The source text of an expression."""
    return e.span.text if e.span is not None else "its condition is false"
