"""The causes of a question that is too large, or of an answer that is not exact.

Too large: the variables with the most values in the largest distribution. Not exact: the rolls and loops whose endless
outcomes were cut off.
"""

from __future__ import annotations

from typing import Any, Final

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution
from enfilade.errors import Cause, CutOff, LimitError, RulePlace

_MOST: Final = 5
_SOME: Final = 8
_ROWS: Final = 20_000
_OWN_MARKS: Final = str.maketrans("#?@", "\n\n\n")


def name_causes(ctx: Context, error: LimitError) -> None:
    """Name the variables that multiply, besides a roll or a draw that is too large by itself."""
    states = ctx.meter.largest
    if not error.is_size or states is None or len(states.rows) < _SOME:
        return
    found: dict[str, list[tuple[int, tuple[Any, ...]]]] = {}
    for slot, number in _numbers_of_values(states).items():
        name = ctx.slots.names[slot]
        shown = _shown(name)
        if shown and number > 1:
            found.setdefault(shown, []).append((number, name))
    causes = [_cause(ctx, shown, each) for shown, each in found.items()]
    causes.sort(key=lambda each: -((each.values or 0) ** max(len(each.records), 1)))
    error.causes = (*error.causes, *causes[:_MOST])


def blame(error: LimitError, name: str, note: ir.Note) -> None:
    """Note the roll or the draw in which a limit was reached."""
    place = _of(note)
    error.place = error.place or place
    if error.is_size and not error.causes:
        error.causes = (Cause(name, place=place),)


def cut_off(ctx: Context) -> tuple[CutOff, ...]:
    """The rolls and loops from which weight was moved to the remainder, each once."""
    return tuple(dict.fromkeys(_cut_off(s, ends=id(s) in ctx.ending) for s in ctx.cuts.values() if s is not None))


def endless(s: ir.Statement) -> LimitError:
    """The error for a loop whose condition may never be true."""
    place = _of(s.note)
    if place is None:
        text = (
            "the condition of `until` may never be true, so the turns can go on forever; set a highest number of turns"
        )
    else:
        text = "the loop can go on forever, because its condition may never be true; write `at most 20 times` after it"
    return LimitError("rounds", text, place)


def _cut_off(s: ir.Statement, *, ends: bool) -> CutOff:
    place = _of(s.note)
    name = s.name if isinstance(s, ir.RollDice) else "repeat"
    return CutOff(name, None if place is None else place.line, is_loop=isinstance(s, ir.Repeat), ends=ends)


def _numbers_of_values(states: Distribution) -> dict[int, int]:
    rows = [row for row, _ in zip(states.rows, range(_ROWS), strict=False)]
    return {slot: len({row[place] for row in rows}) for place, slot in enumerate(states.slots)}


def _shown(name: tuple[Any, ...]) -> str:
    """The name of a variable in the rules; empty for one that the engine made."""
    match name:
        case ("local", _, local):
            return str(local).translate(_OWN_MARKS).partition("\n")[0].removeprefix("give ")
        case ("field", _, field):
            return str(field)
        case ("fact", _, fact):
            return str(fact).rpartition(".")[2]
        case ("deck" | "effect", each) if each != "*":
            return str(each)
        case ("effect", _):
            return "effects"
    return ""


def _cause(ctx: Context, shown: str, slots: list[tuple[int, tuple[Any, ...]]]) -> Cause:
    values = max(number for number, _ in slots)
    refs = [name[1] for _, name in slots if name[0] == "field"]
    keys = tuple(ref.key for ref in refs)
    if len(keys) > _MOST:
        keys = (*keys[: _MOST - 1], f"{len(keys) - _MOST + 1} others")
    return Cause(shown, values, keys, _place(ctx.program, slots[0][1], shown))


def _place(program: ir.Program, name: tuple[Any, ...], shown: str) -> RulePlace | None:
    """Where the rules declare a variable, or first assign it."""
    match name:
        case ("field", ref, field):
            return _of(program.records[ref.record].fields[field].note)
        case ("deck", deck):
            return _of(program.decks[deck].note)
        case ("local", *_):
            for unit in (*program.procedures.values(), *program.effects.values(), *program.results.values()):
                for node in nodes(unit):
                    if isinstance(node, ir.Statement) and _assigns(node, shown):
                        return _of(node.note)
    return None


def _assigns(s: ir.Statement, name: str) -> bool:
    return getattr(s, "local", None) == name or (isinstance(s, ir.Give) and s.name == name)


def _of(note: ir.Note) -> RulePlace | None:
    return None if note.span is None else RulePlace.of(note.span)
