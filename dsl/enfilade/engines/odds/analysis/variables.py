"""Variables as the liveness analysis sees them: locals and their parts, facts, fields, decks, effects, running totals."""

from __future__ import annotations

from typing import Final, TypeAlias

from enfilade.core.traits import FACT, FIELD, LOCAL

Variable: TypeAlias = tuple[str, ...]
"""``("local", name, part)``, with the part ``""`` for the whole local; ``("fact", name)``, ``("field", name)``,
``("deck", name)``, ``("effect", name)``; ``("summed", field)`` for a field of which only a sum is read, ``("run", sum)``
for the running total of such a sum, ``("touched", field)`` for a field that a step changes, and ``("demanded", field, part)``
for a field with a list that is not read in order, or a number that is only compared. The part may be a demand (see ``demands``
and ``thresholds``); so may a fourth element after the part of a call's outputs."""

Variables: TypeAlias = frozenset[Variable]

NONE: Final[Variables] = frozenset()
RUN: Final = "run"
SUMMED: Final = "summed"
TOUCHED: Final = "touched"
DEMANDED: Final = "demanded"
ALL: Final = ""
RUNNING: Final = "sum so far "
"""The name of a running total begins so; no local of the rules has a blank in its name."""


def output(name: str) -> str:
    """The local that holds an output."""
    return f"give {name}"


def shared(variables: Variables) -> Variables:
    """The variables shared by all frames: all except locals and facts."""
    return frozenset(variable for variable in variables if variable[0] not in (LOCAL, FACT))


def of_local(variables: Variables, local: str) -> Variables:
    """The variables for a local and its parts."""
    return frozenset(variable for variable in variables if variable[0] == LOCAL and variable[1] == local)


def parts_of(variables: Variables, local: str) -> frozenset[str]:
    """The live parts of a local; the empty part stands for the whole local."""
    return frozenset(variable[2] for variable in of_local(variables, local))


def demands_of_field(variables: Variables, name: str) -> frozenset[str]:
    """The demands for a field."""
    return frozenset(variable[2] for variable in variables if variable[:2] == (DEMANDED, name))


def has_field(variables: Variables, name: str) -> bool:
    """Whether a field, or a sum over it, is among the variables."""
    return any(variable[0] in (FIELD, SUMMED, DEMANDED) and variable[1] == name for variable in variables)
