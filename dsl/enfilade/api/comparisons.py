"""Comparisons of odds: two situations side by side, and the effect of each modifier (sensitivity analysis)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from attrs import evolve, frozen

from enfilade.api.distribution import Distribution, cut_off_in
from enfilade.api.exact_numbers import chance_text, decimal, number_text, percent, written
from enfilade.api.forced_modifiers import CountedFor, Reader, counted_modifiers
from enfilade.api.outcome_values import facts_text, value_text
from enfilade.api.shared_settings import Situations
from enfilade.api.table_layout import html_table, text_table
from enfilade.api.variables import changed, variables_of
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.door import with_doors
from enfilade.errors import InputError, LimitError, OddsError, RuleError
from enfilade.limits import go_on
from enfilade.values.data import Ref
from enfilade.values.json_data import to_json

_TINY: Final = ("<", percent(Fraction(0)))
"""The beginnings of the texts of negligible chances."""

# ------------------------------------------------------------------------------------------------- two situations


@with_doors
@frozen(eq=False, repr=False)
class Comparison:
    """The odds of one question in two situations.

    Attributes:
        of: The question.
        names: The names of the two situations.
        a: The distribution in the first situation.
        b: The distribution in the second situation.
    """

    of: str
    names: tuple[str, str]
    a: Distribution
    b: Distribution

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """All possible outcomes of either situation, in order."""
        return tuple(sorted({*self.a, *self.b}, key=self.a.order.key()))

    @property
    def exact(self) -> bool:
        """Whether all chances are exact in both situations."""
        return self.a.exact and self.b.exact

    @property
    def difference(self) -> Mapping[Any, Fraction]:
        """For each outcome its chance in the second situation minus its chance in the first.

        An outcome is left out if its chance was not computed in one of the situations.

        Raises:
            OddsError: Neither a chance nor the mean is known in both situations.
        """
        found = {value: self.b[value] - self.a[value] for value in self.outcomes if self._is_known(value)}
        if not found and self._means is None:
            raise OddsError(self._why_unknown())
        return found

    @property
    def mean_difference(self) -> Fraction:
        """The mean in the second situation minus the mean in the first.

        Raises:
            OddsError: An outcome is not a number, or an answer is not exact.
        """
        return self.b.mean - self.a.mean

    @property
    def distance(self) -> Fraction:
        """The total variation distance of the two distributions, from 0 (equal) to 1.

        Raises:
            OddsError: An answer is not exact.
        """
        if not self.exact:
            raise OddsError(self._why_unknown())
        return sum((change for change in self.difference.values() if change > 0), Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as plain data, in the form of the published schema ``odds``."""
        changes = [
            {"value": to_json(value), "difference": written(change)} for value, change in self.difference.items()
        ]
        data = {
            "of": self.of,
            "a": {"name": self.names[0], "odds": self.a.to_json()},
            "b": {"name": self.names[1], "odds": self.b.to_json()},
            "differences": changes,
        }
        return data | {"distance": written(self.distance)} if self.exact else data

    def _is_known(self, value: Any) -> bool:
        return all(least == most for least, most in (self.a.bounds(value), self.b.bounds(value)))

    @property
    def _means(self) -> tuple[Fraction, Fraction] | None:
        """Both means, if the question is a number and they are known."""
        if not all(map(_is_number, self.outcomes)):
            return None
        one, other = self.a.known_mean, self.b.known_mean
        return None if one is None or other is None else (one, other)

    def _why_unknown(self) -> str:
        parts = self.a, self.b
        left = chance_text(max(part.remainder for part in parts))
        why = "".join(f"; {cut}" for cut in cut_off_in(parts))
        return f"the odds of {self.of} can't be compared: outcomes with a total chance of {left} were not computed{why}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        start, known = self._open_from, self.difference
        shown = [value for value in known if start is None or not _is_number(value) or value < start]
        rows = [_chances(self.a.order.text(value), self.a[value], self.b[value]) for value in shown]
        if start is not None:
            rows.append(_chances(f"{value_text(start)} or more", self.a.at_least(start), self.b.at_least(start)))
        means = self._means
        if means is not None:
            change = means[1] - means[0]
            rows.append(["mean", *map(decimal, means), ("+" if change > 0 else "") + decimal(change)])
        return [self.of, *self.names, "difference"], rows

    @property
    def _open_from(self) -> Any:
        """The first of the numbers that share a row of the table; ``None`` if there is no such row.

        They are the numbers whose chance was not computed in one of the situations, and the very unlikely ones before them.
        """
        starts = [part.open_from for part in (self.a, self.b) if not part.exact]
        if not starts or None in starts:
            return None
        start = min(starts)
        for value in reversed([value for value in self.outcomes if _is_number(value) and value < start]):
            if not all(percent(part[value]).startswith(_TINY) for part in (self.a, self.b)):
                break
            start = value
        return start

    def __str__(self) -> str:
        """Show both distributions side by side."""
        return text_table(*self._table())

    def __repr__(self) -> str:
        """Show the question and the two situations."""
        return f"<Comparison of {self.of}: {self.names[0]} and {self.names[1]}>"

    def _repr_html_(self) -> str:
        return html_table(f"{self.names[0]} and {self.names[1]}", *self._table())


def _chances(label: str, one: Fraction, other: Fraction) -> list[str]:
    """A row of the table of a comparison."""
    return [label, percent(one), percent(other), signed_percent(other - one)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def signed_percent(change: Fraction) -> str:
    """Return a difference of chances in percent; only 0 is shown as 0.

    Examples:
        >>> signed_percent(Fraction(71, 1000)), signed_percent(Fraction(-1, 10**9)), signed_percent(Fraction(0))
        ('+7.10 %', '>-0.01 %', '0.00 %')
    """
    size = percent(abs(change))
    if size.startswith("<"):
        return size if change > 0 else f">-{size.removeprefix('<')}"
    return f"{'+' if change > 0 else '-' if change < 0 else ''}{size}"


def compare(
    a: Situations, b: Situations, changes_a: Mapping[str, Any], changes_b: Mapping[str, Any], of: str
) -> Comparison:  # fmt: skip
    """Compare the odds of a question in two situations, each with its own values of some variables."""
    names = facts_text(changes_a), facts_text(changes_b)
    if names[0] == names[1]:
        names = a.rules.name, b.rules.name
    if names[0] == names[1]:
        mine, theirs = a.rules.options, b.rules.options
        other = [name for name in mine if name in theirs and mine[name] != theirs[name]]
        names = (
            facts_text({name: mine[name] for name in other}),
            facts_text({name: theirs[name] for name in other}),
        )
    if names[0] == names[1]:
        names = "the one", "the other"
    first, second = changed(a, variables_of(a), changes_a), changed(b, variables_of(b), changes_b)
    return Comparison(of, names, first.odds().of(of), second.odds().of(of))


# ---------------------------------------------------------------------------------------- the effects of modifiers


@with_doors
@frozen
class Matter:
    """The effect of one modifier on the odds.

    Attributes:
        block: The block of the modifier.
        name: The name of the modifier.
        label: The label of the modifier.
        cites: The citations of its line.
        applied: The chance, or the mean, if the modifier applies; ``None`` if there is no answer.
        left_out: The chance, or the mean, if the modifier does not apply; ``None`` if there is no answer.
        why_not: The reason for a missing answer.
        reader: The record or the side that the modifier is counted for; ``None`` if it is counted for all alike.
        amount: For a scaled amount, the value that it has here; ``None`` for a printed one, and for one that is evaluated.
    """

    block: str
    name: str
    label: str | None
    cites: tuple[str, ...]
    applied: Fraction | None
    left_out: Fraction | None
    why_not: str | None = None
    reader: str | None = None
    amount: Fraction | None = None

    @property
    def shown(self) -> str:
        """The name of the modifier, its amount if that is scaled, and for whom it is counted."""
        amount = "" if self.amount is None else f" {'+' if self.amount > 0 else ''}{written(self.amount)}"
        return f"{self.name}{amount}{'' if self.reader is None else f' for {self.reader}'}"

    def differs_from(self, as_is: Fraction) -> bool:
        """Whether the modifier changes the answer *as_is*, by applying or by not applying."""
        return any(value not in (None, as_is) for value in (self.applied, self.left_out)) or bool(self.effect)

    @property
    def effect(self) -> Fraction:
        """The difference that the modifier makes; 0 if one of the two answers is missing."""
        if self.applied is None or self.left_out is None:
            return Fraction(0)
        return self.applied - self.left_out

    def to_json(self) -> dict[str, Any]:
        """Return the effect as plain data."""
        applied, left_out = (None if each is None else written(each) for each in (self.applied, self.left_out))
        return {
            "block": self.block, "name": self.name, "label": self.label, "cites": list(self.cites),
            "applied": applied, "left_out": left_out, "effect": written(self.effect), "why_not": self.why_not,
            "reader": self.reader, "amount": None if self.amount is None else written(self.amount),
        }  # fmt: skip


@with_doors
@frozen(eq=False, repr=False)
class Matters:
    """The effects of all modifiers in a situation, the largest first.

    Attributes:
        of: The question: a condition or a number.
        as_is: The chance of the condition, or the mean of the number, in the given situation.
        odds: The distribution in the given situation.
        items: The effect of each modifier.
    """

    of: str
    as_is: Fraction
    odds: Distribution
    items: tuple[Matter, ...]

    def in_lowest_terms(self) -> Matters:
        """Return equal effects that show the chance in lowest terms."""
        return evolve(self, odds=self.odds.in_lowest_terms())

    @property
    def condition(self) -> bool:
        """Whether the question is a condition."""
        return all(isinstance(value, bool) for value in self.odds)

    def __iter__(self) -> Iterator[Matter]:
        """Iterate over the effects."""
        return iter(self.items)

    def __getitem__(self, name: str) -> Matter:
        """Return the effect of the first modifier with a name.

        Raises:
            KeyError: No modifier has the name.
        """
        for each in self.items:
            if each.name == name:
                return each
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """Return the effects as plain data, in the form of the published schema ``odds``."""
        return {"of": self.of, "as_is": written(self.as_is), "modifiers": [each.to_json() for each in self.items]}

    def _shown(self, value: Fraction | None) -> str:
        if value is None:
            return "-"
        return percent(value) if self.condition else decimal(value)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [each.shown, self._shown(each.applied), self._shown(each.left_out), self._change(each.effect)]
            for each in self.items
            if each.differs_from(self.as_is)
        ]
        return ["modifier", "if it applies", "if not", "effect"], rows

    def _change(self, effect: Fraction) -> str:
        return signed_percent(effect) if self.condition else f"{'+' if effect > 0 else ''}{decimal(effect)}"

    def __str__(self) -> str:
        """Show a table of the modifiers that change the odds, and a list of the others."""
        as_is = chance_text(self.as_is, self.odds.shown(True)) if self.condition else number_text(self.as_is)
        head, rows = self._table()
        lines = [f"{self.of} as it is: {as_is}", *([text_table(head, rows)] if rows else [])]
        none = [each.shown for each in self.items if not each.differs_from(self.as_is) and each.why_not is None]
        if none:
            lines.append(f"no effect here: {', '.join(none)}")
        if not self.items:
            lines.append("no modifiers are used")
        lines += [f"{each.shown}: {each.why_not}" for each in self.items if each.why_not is not None]
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Show the modifiers with the largest effects."""
        names = [each.name for each in self.items if each.effect]
        return f"<Matters of {self.of}: {', '.join(names[:3]) or 'nothing'}>"

    def _repr_html_(self) -> str:
        return html_table(self.of, *self._table())


def matters(situations: Situations, of: str) -> Matters:
    """Calculate the odds with and without each modifier.

    Args:
        situations: The situation.
        of: The question: a condition (its chance is compared) or a number (its mean is compared).

    Raises:
        OddsError: The question is neither a condition nor a number.
    """
    program = situations.rules.program
    odds = situations.odds().of(of)
    as_is = odds.mean
    refs = tuple(situations.opening().situation.state.records)
    found = [
        effect
        for block in _blocks_of(program, situations.procedure)
        for counted in counted_modifiers(block)
        for effect in _effects(situations, of, as_is, counted, counted.readers(refs))
    ]
    ordered = sorted(found, key=lambda each: -abs(each.effect))
    return Matters(of, as_is, odds, tuple(ordered))


def _effects(
    situations: Situations, of: str, as_is: Fraction, counted: CountedFor, readers: tuple[Reader, ...]
) -> Iterator[Matter]:
    """The effect of a modifier: for each reader that it may be counted for, if it matters for any, and each amount.

    An amount that can't be listed is tried as it is, and if that makes no difference, with the smallest amount but 0.
    """

    def effects(amount: Fraction | None) -> tuple[list[Matter], list[Matter]]:
        found = [_effect(situations, of, counted, reader, amount) for reader in readers or (None,)]
        return found, [each for each in found if each.why_not is not None or each.differs_from(as_is)]

    for amount in counted.amounts:
        found, mattering = effects(amount)
        if amount is None and not mattering and counted.least_amount is not None:
            _, mattering = effects(counted.least_amount)
        yield from mattering or [evolve(found[0], reader=None if len(readers) > 1 else found[0].reader)]


def _effect(
    situations: Situations, of: str, counted: CountedFor, reader: Reader | None, amount: Fraction | None
) -> Matter:  # fmt: skip
    results: list[Fraction | None] = []
    why_not = None
    for holds in (True, False):
        go_on()
        try:
            program = counted.forced(situations.playing.program, holds=holds, reader=reader, amount=amount)
            results.append(situations.odds(program).of(of).mean)
        except (InputError, LimitError, OddsError, RuleError, TypeError) as error:
            # A forced modifier may read an absent fact that its own condition keeps it from reading.
            why = (
                "the amount of the modifier depends on a fact that is missing"
                if isinstance(error, TypeError)
                else error
            )
            results.append(None)
            why_not = f"{'if it applies' if holds else 'if not'}: {why}"
    modifier, note = counted.modifier, counted.modifier.note
    name = reader.key if isinstance(reader, Ref) else reader
    return Matter(
        counted.block.name, modifier.name, note.label, note.cites, results[0], results[1], why_not, name, amount
    )  # fmt: skip


def _blocks_of(program: ir.Program, procedure: str) -> list[ir.ModBlock]:
    """Return the blocks of modifiers that a procedure may use, in the order of the text."""
    reached = graph_of(program).reached(("procedure", procedure))
    return [block for name, block in program.modifiers.items() if ("modifiers", name) in reached]
