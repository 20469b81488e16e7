"""Code generation for rolls, draws and choices.

Requests that never change are built once, at compile time. Rolls of a few numeric dice are checked and added up inline;
all other rolls call the functions of ``runtime``, which follow the reference evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from enfilade.core import ir
from enfilade.core.assignments import Wasteful
from enfilade.core.graph import analysis
from enfilade.core.requests import RollRequest
from enfilade.core.walk import bound_in, locals_in
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.frames import WHOLE, roll_type
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.python_text import display
from enfilade.values.types import Num, Type

UNROLLED: Final = 6


def assign_parts(w: Writer, local: str, parts: Mapping[str, str], whole: str) -> None:
    """Assign a local, either as a whole or part by part, depending on its uses."""
    name, wanted = w.variable(local), w.parts(local)
    for part in sorted(wanted - {WHOLE}):
        w.line(f"{name}_{part} = {parts[part]}")
    if WHOLE in wanted:
        w.line(f"{name} = {whole}")


def roll(w: Writer, s: ir.RollDice) -> None:
    """``roll 2d6 as fire_roll``."""
    dice = few_dice(w, s)
    if dice is not None:
        _roll_inline(w, s, dice)
    else:
        _roll_general(w, s)


def few_dice(w: Writer, s: ir.RollDice) -> list[ir.Die] | None:
    """Return the single dice if they are few, constant in number and show only whole numbers, else ``None``."""
    counts = [group.count.value for group in s.groups if isinstance(group.count, ir.Const)]
    if len(counts) < len(s.groups) or s.rules or not 1 <= sum(counts) <= min(UNROLLED, w.context.limits.dice):
        return None
    if min(counts) < 0:
        return None
    dice = [w.context.program.dice[group.die] for group, n in zip(s.groups, counts, strict=True) for _ in range(n)]
    return dice if all(_prints_numbers(die) for die in dice) else None


def _prints_numbers(die: ir.Die) -> bool:
    return die.faces is None or all(type(face.printed) is int and type(face.value) is int for face in die.faces)


def _roll_inline(w: Writer, s: ir.RollDice, dice: list[ir.Die]) -> None:
    faces, failed = _given_faces(w, len(dice)) if w.script else _asker_faces(w, s)
    if w.script != "one":
        w.line(f"if len({faces}) != {len(dice)}: {failed}")
    shown = [w.fresh() for _ in dice]
    w.line(f"{display(shown)} = {faces}")
    w.line(f"if {' or '.join(_is_impossible(w, die, name) for die, name in zip(dice, shown, strict=True))}: {failed}")
    values = [
        name if die.faces is None else f"{_values(w, die)}[{name}]" for die, name in zip(dice, shown, strict=True)
    ]
    whole = f"Roll(tuple({faces}), {f'tuple({faces})' if values == shown else display(values)})"
    parts = {"faces": f"tuple({faces})", "values": display(values), "natural": values[0], "total": " + ".join(values)}
    assign_parts(w, s.local, parts, whole)


def _asker_faces(w: Writer, s: ir.RollDice) -> tuple[str, str]:
    """Return the faces from the asker, and the statement that rejects impossible faces."""
    counts = [group.count.value for group in s.groups if isinstance(group.count, ir.Const)]
    groups = tuple((n, w.context.program.dice[group.die]) for n, group in zip(counts, s.groups, strict=True))
    shared = w.context.pool.shared
    asked = shared(RollRequest(s.name, groups, s.player, s.note))
    if w.place != "''":
        asked = f"RollRequest({_name(w, s.name)}, {shared(groups)}, {w.constant(s.player)}, {shared(s.note)})"
    faces = w.temporary(f"{w.need('asker')}.roll({asked})")
    return faces, f"check_faces({_name(w, s.name)}, {shared(groups)}, {faces})"


def _given_faces(w: Writer, count: int) -> tuple[str, str]:
    """Return the next given faces, and the statement that rejects impossible faces."""
    if w.script == "one":
        w.line(f"if len(dice) != {count}: raise Unscripted")
        return "dice", "raise Unscripted"
    faces = w.temporary(f"dice[{w.need('at')} : at + {count}]")
    w.line(f"at += {count}")
    return faces, "raise Unscripted"


def _name(w: Writer, name: str) -> str:
    return w.constant(name) if w.place == "''" else f"{w.constant(name)} + {w.place}"


def _is_impossible(w: Writer, die: ir.Die, name: str) -> str:
    if die.faces is None:
        return f"type({name}) is not int or not 1 <= {name} <= {die.count}"
    return f"type({name}) is not int or {name} not in {_values(w, die)}"


def _values(w: Writer, die: ir.Die) -> str:
    """Return the name of the table from a die's printed faces to their values."""
    assert die.faces is not None
    return w.context.pool.shared(w.context.values_of(die))


def _roll_general(w: Writer, s: ir.RollDice) -> None:
    shared = w.context.pool.shared
    limit = w.context.limits.dice
    counts = w.atoms_of([partial(w.needed, group.count) for group in s.groups])
    few = [f"{count} < 0" for count, group in zip(counts, s.groups, strict=True) if not _is_count(w.kind(group.count))]
    if few:
        w.line(f"if {' or '.join(few)}: too_few_dice({w.constant(s.name)}, {w.constant(s.note.cites)})")
    many = w.named(" + ".join(counts))
    w.line(f"if {many} > {limit}: too_many_dice({w.constant(s.name)}, {many}, {limit})")
    pairs = [
        f"({count}, {shared(w.context.program.dice[group.die])})" for count, group in zip(counts, s.groups, strict=True)
    ]
    filtered = display(pairs) if len(pairs) == 1 else f"rolled_groups({display(pairs)})"
    groups, faces, name = w.named(filtered), w.fresh(), w.named(_name(w, s.name))
    rest = f"{w.constant(s.player)}, {shared(s.note)}"
    w.line(f"{faces} = roll_dice({w.need('asker')}, {name}, {groups}, {rest})")
    if s.rules or any(w.context.program.dice[group.die].faces is not None for group in s.groups):
        sides = w.temporary(f"sides_of({groups}, {faces})")
        adds = any(rule.adds for rule in s.rules)
        owners = w.temporary(f"list(range(len({sides})))") if adds else ""
        for rule in s.rules:
            _reroll(w, s, rule, sides, owners, name)
        w.line(f"{faces} = tuple([side.printed for _, side in {sides}])")
        values = w.named(f"tuple([side.value for _, side in {sides}])")
        if adds:
            values = w.temporary(f"sums_by_owner({values}, {owners})")
    else:
        values = faces
    parts = {
        "faces": faces,
        "values": values,
        "natural": f"{values}[0] if {values} else 0",
        "total": _total(w, s, values),
    }
    assign_parts(w, s.local, parts, f"Roll({faces}, {values})")


def _is_count(kind: Type) -> bool:
    return isinstance(kind, Num) and kind.low is not None and kind.low >= 0


def _total(w: Writer, s: ir.RollDice, values: str) -> str:
    kind = roll_type(w.context.program, s)
    return f"sum({values})" if kind.total is not None else f"total_of({values})"


def _reroll(w: Writer, s: ir.RollDice, rule: ir.RollRule, sides: str, owners: str, name: str) -> None:
    """Write the loop that rerolls dice (replaces them) or explodes dice (adds new ones)."""
    times = "" if rule.times is None else w.stable(w.needed(rule.times))
    turns, last, hit = w.temporary("0"), w.temporary(f"list(range(len({sides})))"), w.fresh()
    more = "" if rule.times is None else f" and {turns} < {times}"
    with w.block(f"while {last}{more}:"):
        limit, most = w.context.limits.rerolls, w.context.limits.dice
        w.line(f"{turns} += 1")
        w.line(f"if {turns} > {limit}: too_many_rerolls({name}, {limit})")
        _select_dice(w, rule, sides, last, hit)
        if rule.act == "explode":
            many = w.temporary(f"len({sides}) + len({hit})")
            w.line(f"if {many} > {most}: too_many_dice({w.constant(s.name)}, {many}, {most})")
        rest = f"{w.constant(s.player)}, {w.context.pool.shared(s.note)}"
        fresh = w.temporary(f"more_sides({w.need('asker')}, {name}, [{sides}[i] for i in {hit}], {rest})")
        if rule.act == "explode":
            w.line(f"{last} = list(range(len({sides}), len({sides}) + len({fresh})))")
            w.line(f"{sides} += {fresh}")
            if owners:
                w.line(f"{owners} += [{owners}[i] for i in {hit}]")
        else:
            w.line(f"{last} = {hit}")
            w.line(f"for i, side in zip({hit}, {fresh}): {sides}[i] = side")


def _select_dice(w: Writer, rule: ir.RollRule, sides: str, last: str, hit: str) -> None:
    """Write the loop that finds the dice of the last throw that a reroll rule applies to."""
    at = w.fresh()
    w.line(f"{hit} = []")
    with w.block(f"for {at} in {last}:"):
        w.assign(rule.var, f"{sides}[{at}][1].value")
        with w.block(f"if {condition(w, rule.test)}:"):
            w.line(f"{hit}.append({at})")


def draw(w: Writer, s: ir.DrawCards) -> None:
    """``draw 2 from chits as hand``."""
    count = w.named(w.needed(s.count))
    rest = f"{w.constant(s.deck)}, {count}, {w.constant(s.player)}, {w.context.pool.shared(s.note)}"
    w.assign(s.local, f"{w.machine()}.draw({_name(w, s.name)}, {w.constant(s.name)}, {rest})")
    w.changed()


def choose(w: Writer, s: ir.Choose) -> None:
    """``owner chooses target among units``."""
    among, count = w.in_order([lambda: w.value(s.among), lambda: "None" if s.count is None else w.needed(s.count)])
    asker, shared = w.need("asker"), w.context.pool.shared(s)
    left = ""
    if s.ahead is not None:
        among, rest = w.named(among), w.named(w.value(s.ahead.left))
        left = f", {rest}"
        if analysis(w.context.program, Wasteful).is_wasteful(s):
            read = locals_in((s.among, s.ahead)) - bound_in(s.among) - {s.local} | {s.ahead.nth}
            values = ", ".join(f"{w.constant(name)}: {w.value(ir.Local(name))}" for name in sorted(read))
            among = w.temporary(f"unwasted({w.machine()}, {shared}, {among}, {rest}, {{{values}}})")
    if s.policy is not None:
        left += f", policy=lambda: {w.value(s.policy)}"
    if s.if_any and s.count is None:
        among = w.named(among)
        w.assign(s.local, f"choose({asker}, {w.place}, {shared}, {among}, None{left}) if {among} else None")
    else:
        w.assign(s.local, f"choose({asker}, {w.place}, {shared}, {among}, {count}{left})")
