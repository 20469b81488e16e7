"""Search for the least value of a fact that gives a wanted chance, or else for the value with the best chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve, field, frozen

from enfilade.api.exact_numbers import chance_of, chance_text, shortened, written
from enfilade.api.outcome_values import value_text
from enfilade.api.parameter_sweep import Cell, cell_of, said_of
from enfilade.api.shared_settings import Situations
from enfilade.api.values_to_try import values_of
from enfilade.api.variables import find_variable, variables_of
from enfilade.door import with_doors
from enfilade.errors import RefusedOdds
from enfilade.frozen import FrozenMap
from enfilade.values.json_data import to_json
from enfilade.values.types import Values


@with_doors
@frozen
class Least:
    """The result of a search for the least value of a fact.

    The search tries values in order and skips values that the rules refuse.

    Attributes:
        fact: The fact.
        of: The condition.
        wanted: The wanted chance of the condition, from 0 to 1.
        value: The first value with at least the wanted chance; ``None`` if there is none.
        best: The value with the highest chance among the tried values; the first of several.
        best_chance: The chance at the best value.
        steady: Whether the chance stays the same from the best value on, for a fact without an upper bound.
        tried: The tried values, with their chances; ``None`` for values that the rules refuse.
    """

    fact: str
    of: str
    wanted: Fraction
    value: Any
    best: Any
    best_chance: Fraction
    steady: bool
    tried: Mapping[Any, Fraction | None] = field(repr=False, converter=FrozenMap)
    _shown: str = field(repr=False)

    @property
    def reached(self) -> bool:
        """Whether a value has the wanted chance."""
        return self.value is not None

    @property
    def chance(self) -> Fraction:
        """The chance at the value that was found, or at the best value."""
        return self.best_chance

    @property
    def at(self) -> str:
        """The best value as people write it: ``22``, or ``45+`` if the chance stays the same from there on."""
        return f"{value_text(self.best)}{'+' if self.steady else ''}"

    def in_lowest_terms(self) -> Least:
        """Return an equal result that shows its chance in lowest terms."""
        return evolve(self, shown=written(self.best_chance))

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        data = {"fact": self.fact, "of": self.of, "wanted": written(self.wanted), "reached": self.reached}
        best = {"value": to_json(self.best), "at": self.at, "chance": self._shown, "reduced": written(self.best_chance)}
        return data | {"value": to_json(self.value), "best": best, "tried": len(self.tried)}

    def __str__(self) -> str:
        """Return the result in words: ``22 (9/36, 25.00 %)``, or ``no value reaches this chance; the highest chance is 16/36 at 45+``."""
        if self.reached:
            return f"{value_text(self.value)} ({chance_text(self.best_chance, self._shown)})"
        return f"no value reaches this chance; the highest chance is {shortened(self._shown)} at {self.at}"


def least(situations: Situations, fact: str, chance: Any, of: str, within: Iterable[Any] | None) -> Least:
    """Search for the least value of a fact that gives a condition the wanted chance.

    Args:
        situations: The settings shared by all tried situations.
        fact: The name of what is varied (see ``variables``).
        chance: The wanted chance.
        of: The condition.
        within: The values to try, in this order; all values of the fact if not given.

    Raises:
        InputError: An argument is unknown or outside its domain.
        RefusedOdds: The rules refuse every value.
    """
    wanted = chance_of(chance)
    variables = variables_of(situations)
    values = values_of(situations.rules.program, find_variable(variables, fact), within)
    tried: dict[Any, Cell] = {}
    found = None
    for value in values.values:
        with said_of({fact: value}):
            cell = tried[value] = cell_of(situations, variables, of, {fact: value}, condition=True)
            if cell.failed is not None:
                raise cell.failed
        if cell.odds is not None and cell.odds[True] >= wanted:
            found = value
            break
    return _told(fact, of, wanted, found, tried, values)


def _told(
    fact: str, of: str, wanted: Fraction, found: Any, tried: Mapping[Any, Cell], values: Values
) -> Least:  # fmt: skip
    chances = {value: None if cell.odds is None else cell.odds[True] for value, cell in tried.items()}
    known = {value: chance for value, chance in chances.items() if chance is not None}
    if not known:
        refused = next(cell.refused for cell in tried.values())
        raise refused if refused is not None else RefusedOdds("refused")
    best = found if found is not None else max(known, key=known.__getitem__)
    later = list(chances.values())[list(chances).index(best) :]
    steady = found is None and values.open_end and set(later) == {known[best]}
    odds = tried[best].distribution
    return Least(fact, of, wanted, found, best, known[best], steady, chances, odds.shown(True))
