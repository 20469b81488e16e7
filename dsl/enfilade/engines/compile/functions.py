"""Code generation for whole functions: one per procedure, effect, definition, chart, block and set of results.

The body is written first. It shows which variables the first lines of the function must set up.
"""

from __future__ import annotations

from typing import Any

from enfilade.core import ir
from enfilade.core.traits import CHANGES, Action, Unit
from enfilade.core.walk import nodes
from enfilade.engines.compile import charts, expressions, fact_access, modifiers, results, statements
from enfilade.engines.compile.context import Context
from enfilade.engines.compile.frames import Frame, plan_of
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.python_text import END, SAVE_STEPS, mapping, rendered
from enfilade.engines.compile.statements import OUTPUTS

PASSED_ON = ("asker", "decks", "effects", "facts", "known", "options", "records", "steps")


def function(context: Context, unit: Unit) -> str:
    """Return the source of a declaration's function, for calls from other generated functions."""
    kind = unit[0]
    w = new_writer(context, unit, is_entry=False)
    declared = context.graph.declared(unit)
    params = ["m", "depth"]
    match kind:
        case "procedure":
            params.append("place")
            w.place = "place"
            write_procedure(w, declared)
        case "effect":
            params += _effect(w, declared)
        case "results":
            params += ["place", results.PAIRS]
            w.place = "place"
            results.results(w, declared)
            w.line(SAVE_STEPS)
        case "define":
            params += _params(w, declared.params)
            _returned(w, w.value(declared.body))
        case "chart":
            params += ["roll", "reader", *_params(w, declared.params)]
            w.frame.texts[modifiers.READER] = "reader"
            _returned(w, charts.whole_reading(w, declared, "roll", "reader"))
        case "modifiers":
            params += ["reader", *_params(w, declared.params)]
            _returned(w, _tally(w, declared))
    ending = [SAVE_STEPS, f"return {outputs_text(w)}"]
    return assembled(w, context.functions[unit], params, setup_lines(w), ending)


def setup_lines(w: Writer) -> list[str]:
    given = fact_access.given(w)
    lines = [f"{name} = m.{name}" for name in PASSED_ON if name in w.needs]
    return [*lines, *given]


def new_writer(context: Context, unit: Unit, *, is_entry: bool) -> Writer:
    """Return a writer for a function, with no lines yet."""
    declared = context.graph.declared(unit)
    w = Writer(context, expressions.value, statements.execute, context.graph.does(declared, CHANGES), is_entry,
               is_procedure=unit[0] == "procedure", inlining=(unit,))  # fmt: skip
    if unit[0] in ("procedure", "effect"):
        given = {param.name: param.type for param in declared.params} if unit[0] == "effect" else {}
        plan = plan_of(context.types, declared.body, given)
        w.frame = Frame(plan, kinds=dict(plan.kinds))
        w.used_parts = _used_parts(declared)
    return w


def _used_parts(declared: Any) -> dict[str, set[str]]:
    """Return the used parts of each block of modifiers, so one sum can serve all uses."""
    found: dict[str, set[str]] = {}
    for node in nodes(declared):
        if isinstance(node, ir.Part) and isinstance(node.of, ir.SumModifiers) and not node.of.args:
            found.setdefault(node.of.block, set()).add(node.name)
    return found


def write_procedure(w: Writer, procedure: ir.Procedure) -> None:
    """Write the body of a procedure, and the code that ends it on ``stop`` in an effect or a result."""
    stops = Action.STOP in w.context.graph.used_may(procedure.body)
    if _is_given_in_order(procedure, stops):
        w.outputs = {}
    if not w.is_entry:
        _stoppable(w, procedure, stops)
    elif w.context.graph.depth is not None:
        with w.entered():
            _stoppable(w, procedure, stops)
    else:
        # Results can be recursive, and their depth is not counted.
        with w.block("try:"), w.entered():
            _stoppable(w, procedure, stops)
        w.line(f"except RecursionError: too_deep({w.context.limits.depth})")
    w.line(END)


def _is_given_in_order(procedure: ir.Procedure, stops: bool) -> bool:
    """Whether the procedure has a single path that gives each output once."""
    given = [s.name for s in procedure.body if isinstance(s, ir.Give)]
    every = [node for node in nodes(procedure.body) if isinstance(node, (ir.Give, ir.Stop))]
    return not stops and len(set(given)) == len(every)


def outputs_text(w: Writer) -> str:
    """Return the source of the dictionary of outputs."""
    if w.outputs is not None:
        return mapping({w.constant(name): text for name, text in w.outputs.items()})
    return OUTPUTS if OUTPUTS in w.needs else "{}"


def _stoppable(w: Writer, procedure: ir.Procedure, stops: bool) -> None:
    if not stops:
        statements.body(w, procedure.body)
        return
    with w.block("try:"):
        statements.body(w, procedure.body)
    w.line("except Stopped: pass")


def _effect(w: Writer, effect: ir.Effect) -> list[str]:
    names = _params(w, tuple(param.name for param in effect.params))
    for param in effect.params:
        if param.name not in w.frame.plan.once:
            # A parameter that is assigned again needs a variable, like any other local.
            given = w.frame.texts.pop(param.name)
            w.assign(param.name, given)
    statements.body(w, effect.body)
    w.check_steps()
    w.line(SAVE_STEPS)
    return names


def _params(w: Writer, params: tuple[str, ...]) -> list[str]:
    names = [f"a{number}" for number, _ in enumerate(params)]
    w.frame.texts.update(zip(params, names, strict=True))
    return names


def _returned(w: Writer, text: str) -> None:
    """Write the end of a definition, chart or block. Each call counts as one step: this bounds the work of nesting."""
    w.tick()
    w.check_steps()
    result = w.named(text)
    w.line(SAVE_STEPS)
    w.line(f"return {result}")


def _tally(w: Writer, block: ir.ModBlock) -> str:
    args = tuple(w.frame.texts[param] for param in block.params)
    kinds = tuple(w.kind(ir.Local(param)) for param in block.params)
    parts = modifiers.inlined(w, block, args, kinds, modifiers.Reader("reader"), frozenset(["total", "amounts"]))
    return f"Tally({parts['total']}, {parts['amounts']})"


def assembled(w: Writer, name: str, params: list[str], begin: list[str], ending: list[str]) -> str:
    begin = [*begin, *([f"{OUTPUTS} = {{}}"] if OUTPUTS in w.needs else [])]
    lines = [(1, line) for line in begin] + w.lines
    return f"def {name}({', '.join(params)}):\n{rendered(lines or [(1, 'pass')], w.needs, ending)}"
