"""Code generation for entry points, the functions that a host calls.

One takes converted facts and asks for rolls and choices; the other takes unconverted facts and given dice.
"""

from __future__ import annotations

from typing import Final

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.engines.compile import fact_access
from enfilade.engines.compile.context import Context
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.functions import assembled, new_writer, outputs_text, write_procedure
from enfilade.engines.compile.python_text import PERFORMS, display
from enfilade.engines.compile.rolls_and_choices import few_dice
from enfilade.engines.fact_validation import GIVE_UP, validation_lines

ONE: Final = "one"
MANY: Final = "many"
BEGIN: Final = {
    "m": "None", "known": "{}", "effects": "()", "records": "state.records", "decks": "state.decks", "steps": "0",
}  # fmt: skip


def entry(context: Context, name: str, function: str) -> str:
    """Write the entry point for converted facts, a state and an asker."""
    w = new_writer(context, ("procedure", name), is_entry=True)
    w.counting = False
    write_procedure(w, context.program.procedures[name])
    effects, state = _effects(w), _state(w)
    ending = [*_limit(w), f"return {outputs_text(w)}, {effects}, {state}"]
    return assembled(w, function, ["options", "facts", "state", "asker"], _begin(w), ending)


def scripted(context: Context, name: str, function: str) -> str:
    """Write the entry point for unconverted facts and given dice; it returns ``None`` in unusual cases."""
    procedure = context.program.procedures[name]
    w = new_writer(context, ("procedure", name), is_entry=True)
    w.counting, w.script, w.inputs = False, _script(w, procedure), procedure.inputs
    with w.block("try:"):
        write_procedure(w, procedure)
    w.line("except (Refused, Unscripted): return None")
    ending = [*_limit(w), f"return {', '.join([*_given(w), _effects(w), _state(w), 'facts', 'state'])}"]
    if w.script == MANY:
        ending.insert(0, "if at != len(dice): raise Unscripted")
    return assembled(w, function, ["options", "given", "dice"], _scripted_begin(w, procedure), ending)


def _script(w: Writer, procedure: ir.Procedure) -> str:
    """Return the use of the given dice: all for the only roll, or in order for several rolls."""
    rolls = [node for node in nodes(procedure.body) if isinstance(node, (ir.RollDice, ir.Stop))]
    for s in procedure.body:
        if isinstance(s, ir.RollDice) and len(rolls) == 1 and few_dice(w, s) is not None:
            return ONE
    return MANY


def _scripted_begin(w: Writer, procedure: ir.Procedure) -> list[str]:
    pool = w.context.pool
    lines = [f"if type(dice) is not list and type(dice) is not tuple: {GIVE_UP}"]
    lines += [*validation_lines(pool, w.context.program, procedure.inputs, w.facts), *_begin(w)]
    if "asker" in w.needs:
        lines.append("asker = UNSCRIPTED")
    return [*lines, "at = 0"] if w.script == MANY else lines


def _begin(w: Writer) -> list[str]:
    if w.changes:
        w.need("m")
    if "m" in w.needs:
        w.need("effects")
    given = fact_access.given(w)
    texts = {**BEGIN, "effects": "[]" if PERFORMS in w.needs else "()"}
    return [f"{name} = {text}" for name, text in texts.items() if name in w.needs] + given


def _limit(w: Writer) -> list[str]:
    limit = w.context.limits.steps
    return [f"if steps > {limit}: too_many_steps({limit})"] if "steps" in w.needs else []


def _given(w: Writer) -> list[str]:
    """Return the names and the values of the outputs; the caller builds the dictionary only on access."""
    if w.outputs is not None:
        return [w.context.pool.shared(tuple(w.outputs)), display(list(w.outputs.values()))]
    outputs = outputs_text(w)
    return [f"tuple({outputs})", f"tuple({outputs}.values())"]


def _effects(w: Writer) -> str:
    return "(tuple(effects) if effects else ())" if {"effects", "m"} & w.needs else "()"


def _state(w: Writer) -> str:
    return "(state if m is None else m.state())" if w.changes else "state"
