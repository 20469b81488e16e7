"""The least value of a fact that has a wanted chance, and the best that there is where none has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from enfilade.api.exact_numbers import chance_of, chance_text, written
from enfilade.api.outcome_values import value_text
from enfilade.api.parameter_sweep import Cell, Situations, Values, cell_of, values_of
from enfilade.core.json_values import to_json
from enfilade.errors import RefusedOdds


@frozen
class Least:
    """What came of looking for the least value of a fact.

    Values are tried upward; one that the rules refuse is passed over.

    Attributes:
        fact: The fact.
        of: The condition whose chance is wanted.
        wanted: The chance that is wanted.
        value: The first value that has it; ``None`` where none has.
        best: The value with the highest chance among those that were tried, the first of several.
        best_chance: That chance.
        steady: Whether the chance is the same from that value on, for a fact without end.
        tried: The values that were tried, with their chances; ``None`` where the rules refuse.
    """

    fact: str
    of: str
    wanted: Fraction
    value: Any
    best: Any
    best_chance: Fraction
    steady: bool
    tried: Mapping[Any, Fraction | None] = field(repr=False)
    _shown: str = field(repr=False)

    @property
    def reached(self) -> bool:
        """Whether some value has the wanted chance."""
        return self.value is not None

    @property
    def chance(self) -> Fraction:
        """The chance at the value that was found, or the best."""
        return self.best_chance

    @property
    def at(self) -> str:
        """The best value as people write it: ``22``, or ``45+`` where nothing changes from there on."""
        return f"{value_text(self.best)}{'+' if self.steady else ''}"

    def to_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        data = {"fact": self.fact, "of": self.of, "wanted": written(self.wanted), "reached": self.reached}
        best = {"value": to_json(self.best), "at": self.at, "chance": self._shown, "reduced": written(self.best_chance)}
        return data | {"value": to_json(self.value), "best": best, "tried": len(self.tried)}

    def __str__(self) -> str:
        """Say it: ``22 (9/36, 25.00 %)``, or ``never; best is 16/36 at 45+``."""
        if self.reached:
            return f"{value_text(self.value)} ({chance_text(self.best_chance, self._shown)})"
        return f"never; best is {self._shown} at {self.at}"


def least(situations: Situations, fact: str, chance: Any, of: str, within: Iterable[Any] | None) -> Least:
    """Look for the least value of a fact that has a chance.

    Args:
        situations: What is asked.
        fact: The fact that is varied.
        chance: The chance that is wanted.
        of: The condition whose chance it is.
        within: The values to try, in this order; those of the fact if not given.

    Raises:
        InputError: Something that was given is unknown or outside its domain.
        RefusedOdds: The rules refuse every value.
    """
    wanted = chance_of(chance)
    values = values_of(situations, fact, within)
    tried: dict[Any, Cell] = {}
    found = None
    for value in values.values:
        cell = tried[value] = cell_of(situations, of, {fact: value}, condition=True)
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
