"""Code generation for access to facts, on first use."""

from __future__ import annotations

from enfilade.engines.compile.function_writer import FROM_FACTS, Writer


def fact(w: Writer, name: str) -> str:
    """Return the source of a fact: its variable, or the code that fetches the fact and asks for a missing one."""
    declared = w.context.types.input(name)
    if declared.has_default or (w.script and name in w.inputs):
        return w.facts.setdefault(name, f"f{len(w.facts)}")
    key = FROM_FACTS, name
    if key in w.available:
        return w.available[key]
    variable = w.available[key] = w.fresh("f_")
    known, asker, facts = w.need("known"), w.need("asker"), w.need("facts")
    request = w.context.pool.shared(w.context.request(name))
    text = w.constant(name)
    return f"({variable} := {facts}[{text}] if {text} in {facts} else demand({known}, {asker}, {request}, {text}))"


def given(w: Writer) -> list[str]:
    """Return the lines that fetch the facts with a default."""
    lines = []
    for name, variable in w.facts.items():
        if w.script and name in w.inputs:
            continue
        default = w.constant(w.context.types.input(name).default)
        text = w.constant(name)
        lines.append(f"{variable} = {w.need('facts')}[{text}] if {text} in facts else {default}")
    return lines
