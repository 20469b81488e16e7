"""Sensitivity: which fact, field or option moves the odds of a question most, over its range (one at a time)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from attrs import evolve, field, frozen

from enfilade.api.bands import band_text
from enfilade.api.distribution import Distribution
from enfilade.api.exact_numbers import chance_text, decimal, number_text, percent, written
from enfilade.api.parameter_sweep import Parts, cell_of
from enfilade.api.shared_settings import Situations
from enfilade.api.table_layout import html_table, text_table
from enfilade.api.values_to_try import listed_values, values_of
from enfilade.api.variables import FactVariable, FieldVariable, OptionVariable, Variables, find_variable, variables_of
from enfilade.door import with_doors
from enfilade.errors import InputError, LimitError, OddsError, RefusedOdds, RuleError
from enfilade.frozen import FrozenMap
from enfilade.limits import go_on
from enfilade.values.json_data import to_json
from enfilade.values.types import RecordOf

_MOST_AT: Final = 24


@with_doors
@frozen
class Influence:
    """How far one variable moves the odds.

    Attributes:
        name: The name of the variable.
        lowest: The lowest chance, or the lowest mean.
        lowest_at: The values that give it.
        highest: The highest chance, or the highest mean.
        highest_at: The values that give it.
        tried: How many values have odds.
        failed: For each reason why there are no odds, such as ``refused too_far``, the values that have none.
    """

    name: str
    lowest: Fraction
    lowest_at: tuple[Any, ...]
    highest: Fraction
    highest_at: tuple[Any, ...]
    tried: int
    failed: Mapping[str, tuple[Any, ...]] = field(factory=FrozenMap, converter=FrozenMap)

    @property
    def span(self) -> Fraction:
        """The difference of the highest and the lowest."""
        return self.highest - self.lowest

    def to_json(self) -> dict[str, Any]:
        """Return the influence as plain data."""
        return {
            "name": self.name, "span": written(self.span), "tried": self.tried,
            "lowest": {"chance": written(self.lowest), "at": to_json(self.lowest_at)},
            "highest": {"chance": written(self.highest), "at": to_json(self.highest_at)},
            "failed": [{"at": to_json(values), "why": why} for why, values in self.failed.items()],
        }  # fmt: skip


@with_doors
@frozen(eq=False, repr=False)
class Sensitivity:
    """The influence of every variable of a situation, the largest first; the others keep their values.

    Attributes:
        of: The question: a condition or a number.
        as_is: The chance of the condition, or the mean of the number, in the given situation.
        odds: The distribution in the given situation.
        items: The influences.
        left_out: The variables that were not tried, with the reasons.
    """

    of: str
    as_is: Fraction
    odds: Distribution
    items: tuple[Influence, ...]
    left_out: Mapping[str, str] = field(converter=FrozenMap)

    def __iter__(self) -> Iterator[Influence]:
        """Iterate over the influences."""
        return iter(self.items)

    def __getitem__(self, name: str) -> Influence:
        """Return the influence of a variable.

        Raises:
            KeyError: The variable was not tried.
        """
        for each in self.items:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def condition(self) -> bool:
        """Whether the question is a condition."""
        return all(isinstance(value, bool) for value in self.odds)

    def in_lowest_terms(self) -> Sensitivity:
        """Return an equal answer that shows the chance in lowest terms."""
        return evolve(self, odds=self.odds.in_lowest_terms())

    def to_json(self) -> dict[str, Any]:
        """Return the influences as plain data, in the form of the published schema ``odds``."""
        left_out = [{"name": name, "why": why} for name, why in self.left_out.items()]
        items = [each.to_json() for each in self.items]
        return {"of": self.of, "as_is": written(self.as_is), "variables": items, "left_out": left_out}

    def __str__(self) -> str:
        """Show a table of the variables that move the odds, and a list of the others."""
        as_is = chance_text(self.as_is, self.odds.shown(True)) if self.condition else number_text(self.as_is)
        head, rows = self._table()
        lines = [f"{self.of} as it is: {as_is}", *([text_table(head, rows)] if rows else [])]
        none = [each.name for each in self.items if not each.span]
        if none:
            lines.append(f"no effect here: {', '.join(none)}")
        lines += [
            f"no odds with {each.name} {_at(values)}: {why}"
            for each in self.items
            for why, values in each.failed.items()
        ]
        return "\n".join([*lines, *(f"not tried: {name} ({why})" for name, why in self.left_out.items())])

    def __repr__(self) -> str:
        """Show the variables with the largest influence."""
        names = [each.name for each in self.items if each.span]
        return f"<Sensitivity of {self.of}: {', '.join(names[:3]) or 'nothing'}>"

    def _repr_html_(self) -> str:
        return html_table(self.of, *self._table())

    def _table(self) -> tuple[list[str], list[list[str]]]:
        shown = percent if self.condition else decimal
        rows = [
            [
                each.name,
                shown(each.span),
                shown(each.lowest),
                _at(each.lowest_at),
                shown(each.highest),
                _at(each.highest_at),
            ]
            for each in self.items
            if each.span
        ]
        return ["varied", "span", "lowest", "at", "highest", "at"], rows


def _at(values: tuple[Any, ...]) -> str:
    text = band_text(values)
    return text if len(text) <= _MOST_AT else f"{text[: _MOST_AT - 3]}..."


def sensitivity(
    situations: Situations, of: str, by: Mapping[str, Iterable[Any] | None] | None, parts: Parts | None = None
) -> Sensitivity:  # fmt: skip
    """Vary each fact, field of a given record and option over its values, one at a time.

    Args:
        situations: The situation.
        of: The question: a condition (its chance is compared) or a number (its mean is compared).
        by: The values of some variables, by name; ``None`` for all their values.
        parts: Called after each variable with the progress.

    Raises:
        OddsError: The question is neither a condition nor a number.
    """
    variables = variables_of(situations)
    odds = situations.odds().of(of)
    as_is = odds.mean
    wanted = {find_variable(variables, name).name: values for name, values in (by or {}).items()}
    items: list[Influence] = []
    left_out: dict[str, str] = {}
    names = [*dict.fromkeys((*wanted, *_own(situations, variables)))]
    for done, name in enumerate(names, 1):
        try:
            items.append(_influence(situations, variables, of, name, wanted.get(name), is_named=name in wanted))
        except _NotTriedError as why:
            left_out[name] = str(why)
        if parts is not None:
            parts(done, len(names))
    return Sensitivity(of, as_is, odds, tuple(sorted(items, key=lambda each: -each.span)), left_out)


class _NotTriedError(Exception):
    """A variable that has no odds to compare, with the reason."""


def _own(situations: Situations, variables: Variables) -> Iterator[str]:
    """The facts, the fields of the given records by their full paths, and the options."""
    for name, each in variables.items():
        match each:
            case FactVariable(type=type_) if isinstance(getattr(type_, "of", type_), RecordOf):
                continue
            case FactVariable() | OptionVariable():
                yield name
            case FieldVariable(paths=(path,)) if ".".join(path) == name and path[0] in situations.facts:
                yield name


def _influence(
    situations: Situations, variables: Variables, of: str, name: str, values: Iterable[Any] | None, *, is_named: bool
) -> Influence:  # fmt: skip
    program, variable = situations.rules.program, variables[name]
    if is_named:
        tried = values_of(program, variable, values)
    else:
        listed = None if variable.type is None else listed_values(variable.type, program)
        if listed is None:
            raise _NotTriedError("its values can't be listed")
        tried = listed
    found: list[tuple[Any, Fraction]] = []
    failed: dict[str, tuple[Any, ...]] = {}
    for value in tried.values:
        go_on()
        try:
            found.append((value, cell_of(situations, variables, of, {name: value}).distribution.mean))
        except (InputError, LimitError, OddsError, RuleError) as wrong:
            why = f"refused {wrong.refusal}" if isinstance(wrong, RefusedOdds) else str(wrong)
            failed[why] = (*failed.get(why, ()), value)
    if not found:
        raise _NotTriedError("; ".join(failed))
    chances = [chance for _, chance in found]
    low, high = min(chances), max(chances)
    at_low, at_high = (tuple(value for value, chance in found if chance == end) for end in (low, high))
    return Influence(name, low, at_low, high, at_high, len(found), failed)
