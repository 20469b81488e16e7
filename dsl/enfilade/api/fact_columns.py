"""Columns of facts: many situations as a mapping from facts to lists, or as a data frame.

A data frame is anything with ``columns`` (pandas, polars) or ``column_names`` (Arrow) whose columns are looked up by name.
No such library is imported.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from enfilade.api.outcome_values import as_outcome
from enfilade.api.shared_settings import Situations
from enfilade.api.variables import Variables, changed, find_variable, variables_of
from enfilade.door import bounded
from enfilade.errors import InputError, InputFault
from enfilade.limits import in_force
from enfilade.values.numbers import shorten

Facts: TypeAlias = dict[str, Any]

_LISTERS: Final = ("tolist", "to_list", "to_pylist")
_ALLOWED: Final = "a mapping from facts to lists of values, or a data frame"
_MOST_FAULTS: Final = 10


@frozen
class Rows:
    """Situations as rows of columns, each situation once.

    Attributes:
        distinct: The facts of the different situations, in the order of their first rows.
        which: For each row, the index of its situation.
    """

    distinct: tuple[Facts, ...]
    which: tuple[int, ...]


def read_columns(situations: Situations, columns: Any) -> Rows:
    """Read columns and check the facts of all situations.

    Args:
        situations: The shared settings.
        columns: The columns: a mapping from facts to lists, or a data frame.

    Raises:
        InputError: The columns are no columns, differ in length, or have a fact that is unknown or outside its domain.
            The message says the row, counted from 0.
    """
    lists = {name: _listed(name, column) for name, column in _named(columns)}
    variables = variables_of(situations)
    for name in lists:
        find_variable(variables, name)
    _check_lengths(lists)
    seen: dict[Hashable, int] = {}
    keyed = zip(*([_key(value) for value in values] for values in lists.values()), strict=True)
    which = tuple(seen.setdefault(key, len(seen)) for key in keyed)
    first = {situation: row for row, situation in reversed(list(enumerate(which)))}
    rows = [first[situation] for situation in range(len(seen))]
    distinct = tuple({name: values[row] for name, values in lists.items()} for row in rows)
    _check_facts(situations, variables, zip(rows, distinct, strict=True))
    return Rows(distinct, which)


def _named(columns: Any) -> Iterator[tuple[str, Any]]:
    """Yield the columns with their names."""
    names = (
        columns if isinstance(columns, Mapping) else getattr(columns, "column_names", getattr(columns, "columns", None))
    )
    if names is None or not len(names):
        text = f"{shorten(columns)} has no columns; allowed: {_ALLOWED}"
        raise InputError([InputFault("columns", columns, _ALLOWED, text)])
    for name in names:
        yield name, columns[name]


def _listed(name: str, column: Any) -> list[Any]:
    """Return a column as a list of plain Python values."""
    for lister in _LISTERS:
        if hasattr(column, lister):
            column = getattr(column, lister)()
            break
    if isinstance(column, (str, Mapping)) or not isinstance(column, Iterable):
        text = f"the column {name} is {shorten(column)}; allowed: a list with a value for each situation"
        raise InputError([InputFault(name, column, "a list with a value for each situation", text)])
    return list(bounded(f"the column {name}", column, in_force().steps))


def _check_lengths(lists: Mapping[str, list[Any]]) -> None:
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        text = (
            f"the columns have different lengths: {', '.join(f'{name} has {size}' for name, size in lengths.items())}"
        )
        raise InputError([InputFault("columns", lengths, "columns of the same length", text)])


def _key(value: Any) -> Hashable:
    """Return a key that is equal for equal values only; a set and a list of the same words are equal."""
    return (type(value), value) if isinstance(value, (bool, int, str)) else as_outcome(value)


def _check_facts(situations: Situations, variables: Variables, rows: Iterable[tuple[int, Facts]]) -> None:
    """Check the facts of each situation and report all faults together, up to a limit."""
    rules = situations.rules
    reader = rules.reader(rules.program.procedures[situations.procedure].inputs)
    faults: list[InputFault] = []
    for row, facts in rows:
        try:
            reader.read(dict(changed(situations, variables, facts).facts))
        except InputError as wrong:
            faults += [evolve(fault, message=f"row {row}: {fault.message}") for fault in wrong.errors]
        if len(faults) >= _MOST_FAULTS:
            break
    if faults:
        raise InputError(faults[:_MOST_FAULTS])
