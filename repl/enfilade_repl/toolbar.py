"""The toolbar at the bottom: the ruleset in use, changed options, definitions, pieces, the throw and the seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from enfilade.language import Fragment, Line, line, typed_field, width
from enfilade.terminal import counted
from enfilade_repl.session import Session
from enfilade_repl.state import LoadedRuleset

_BETWEEN: Final = "  "


def toolbar_line(session: Session, columns: int, *, is_behind: bool = False) -> Line:
    """Summarise the session, with as many parts as fit the width.

    Args:
        session: The session.
        columns: The width of the terminal.
        is_behind: Whether the file on disk differs from the ruleset in use.
    """
    parts = list(_parts(session, is_behind=is_behind))
    while len(parts) > 1 and _width(parts) > columns:
        # The last part is the least important, so it is dropped first.
        parts.pop()
    fragments: list[Fragment] = []
    for part in parts:
        fragments += [("", _BETWEEN if fragments else " "), part]
    return line(*fragments)


def _width(parts: list[Fragment]) -> int:
    return 1 + sum(width(text) for _, text in parts) + len(_BETWEEN) * (len(parts) - 1)


def _parts(session: Session, *, is_behind: bool) -> Iterator[Fragment]:
    """The parts of the toolbar, most important first."""
    table = session.state
    ruleset = table.ruleset
    yield "title", ruleset.name if ruleset is not None else "no ruleset"
    if is_behind:
        yield "changed", "changed on disk"
    if table.asks:
        yield "", "help, undo, cancel"
    if ruleset is not None:
        yield from (("", each) for each in options_set(ruleset))
        if ruleset.scratch:
            yield "", f"{len(ruleset.scratch)} defined"
    if table.pieces:
        yield "", counted(len(table.pieces), "piece")
    yield "", f"throw {table.throw}"
    yield "", f"seed {table.seed}"


def options_set(ruleset: LoadedRuleset) -> tuple[str, ...]:
    """The options that differ from their defaults, as they are typed."""
    return tuple(typed_field(name, value) for name, value in ruleset.rules.changed_options.items())
