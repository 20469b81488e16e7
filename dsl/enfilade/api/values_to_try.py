"""The values of a variable that a sweep tries: the caller's, or all values of its type if they can be listed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from enfilade.api.variables import DefinitionVariable, Variable
from enfilade.core import ir
from enfilade.core.graph import analysis
from enfilade.core.walk import nodes
from enfilade.errors import InputError, InputFault
from enfilade.values.types import Num, Type, Values, with_article

_LARGEST_LABEL: Final = 10**6


def values_of(program: ir.Program, variable: Variable, within: Iterable[Any] | None) -> Values:
    """Return the values of a variable to try.

    By default these are the words of a fact, no and yes, or the whole numbers of a range. For a range without an upper
    bound they are the first hundred numbers, and the ends of chart labels above them. For a set they are the empty set
    and each word alone.

    Args:
        program: The ruleset.
        variable: The variable.
        within: The caller's values; ``None`` for the default.

    Raises:
        InputError: The values can't be listed.
    """
    name = variable.name
    if within is not None:
        values = tuple(within)
        if not values:
            raise InputError(
                [InputFault(name, [], "at least one value", f"the list of values to try for {name} is empty")]
            )
        return Values(values)
    found = None if variable.type is None or _is_replaced(variable) else listed_values(variable.type, program)
    if found is None:
        kind = _kind(variable)
        text = f"the values of {name} can't be listed because it is {kind}; list the values to try"
        raise InputError([InputFault("within", None, "the values to try", text)])
    return found


def _is_replaced(variable: Variable) -> bool:
    """Whether it is a definition that is a number: its type has today's values, but a replacement may have any."""
    return isinstance(variable, DefinitionVariable) and isinstance(variable.type, Num)


def _kind(variable: Variable) -> str:
    if _is_replaced(variable):
        return "a definition, which can be replaced by any number"
    return "a choice" if variable.type is None else with_article(variable.type)


def listed_values(type_: Type, program: ir.Program) -> Values | None:
    """Return all values of a type, or those worth trying; ``None`` if they can't be listed."""
    return type_.to_try(lambda: analysis(program, label_ends))


def label_ends(program: ir.Program) -> set[int]:
    """Return the whole numbers at which a chart label begins or ends, so a result may change."""
    ends: set[int] = set()
    for node in nodes(program.charts):
        if isinstance(node, ir.Header):
            bands = (band for match in node.matches if match is not None for band in match.bands)
            ends |= {
                int(end) + step for band in bands for end in (band.low, band.high) if end is not None for step in (0, 1)
            }
    return {end for end in ends if end <= _LARGEST_LABEL}
