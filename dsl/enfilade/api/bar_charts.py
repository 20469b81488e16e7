"""Bar charts of distributions: as text, as an HTML table for notebooks, and as a Vega-Lite specification.

Written chances are exact. Only the lengths of bars are rounded, and the numbers in Vega-Lite data are floats.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from typing import Any, Final

from attrs import frozen

from enfilade.api.exact_numbers import CUT, LEFT_OUT, SHORT, chance_text, decimal, number_text, percent, shortened
from enfilade.api.outcome_values import value_text
from enfilade.api.table_layout import html_notes

_EIGHTHS: Final = "▏▎▍▌▋▊▉█"
LEAST_BAR: Final = 8
MOST_BAR: Final = 60
_LONGEST_VALUE: Final = 40
_LONGEST_BESIDE: Final = 18
_MOST_UNLIKELY: Final = 3
_MOST_PLOTTED: Final = 1_000
_NUMBERS: Final = (int, Fraction)


@frozen
class Bars:
    """A bar chart of chances.

    Attributes:
        heading: The heading of the chart.
        axis: The title of the axis of outcomes; empty if unknown.
        weights: The weight of each outcome, in order.
        total: The sum of all weights and the remainder's weight.
        remainder: The probability that was not worked out.
        beside: Gives the exact chance of an outcome as text, to show next to its percentage.
        exactly: Gives the exact chance of an outcome in full.
        shortens: Whether long fractions are shortened; otherwise they are left out.
        why: The rolls and loops from which the remainder comes, as sentences.
        mean: The mean, if it is known in spite of a remainder.
        text: Gives an outcome as text.
    """

    heading: str
    axis: str
    weights: Mapping[Any, int]
    total: int
    remainder: Fraction
    beside: Callable[[Any], str]
    exactly: Callable[[Any], str]
    shortens: bool = False
    why: tuple[str, ...] = ()
    mean: Fraction | None = None
    text: Callable[[Any], str] = value_text

    def chance(self, value: Any) -> Fraction:
        """Return the chance of an outcome."""
        return Fraction(self.weights[value], self.total)


def bar(share: Fraction, width: int, *, plain: bool = False) -> str:
    """Return a bar for a share of a width, to an eighth of a character.

    Examples:
        >>> bar(Fraction(1, 2), 4), bar(Fraction(5, 16), 4, plain=True)
        ('██', '#')
    """
    eighths = int(share * width * 8)
    if plain:
        return "#" * max(eighths // 8, 1 if share else 0)
    full, rest = divmod(max(eighths, 1 if share else 0), 8)
    return _EIGHTHS[7] * full + (_EIGHTHS[rest - 1] if rest else "")


def as_text(d: Bars, width: int | None, rows: int, *, plain: bool) -> str:
    """Draw a distribution as lines of text."""
    columns = width or shutil.get_terminal_size((80, 24)).columns
    kept = _likeliest(d, rows)
    longest = max(_LONGEST_VALUE, columns - _LONGEST_VALUE)
    values = [_cut(d.text(value), longest) for value in kept]
    chances = [d.beside(value) for value in kept]
    note = _note(d, chances)
    if note == CUT:
        chances = [shortened(chance, _LONGEST_BESIDE) for chance in chances]
    elif max(map(len, chances), default=0) > _LONGEST_BESIDE:
        kept = _without_long_tail(d, kept)
        values = [_cut(d.text(value), longest) for value in kept]
        chances = ["" for _ in kept]
    percents = [percent(d.chance(value)) for value in kept]
    widths = [max(map(len, each), default=0) for each in (values, chances, percents)]
    room = min(columns - sum(widths) - 7, MOST_BAR)
    lines = [d.heading]
    for value, outcome, chance, shown in zip(kept, values, chances, percents, strict=True):
        left = outcome.rjust(widths[0]) if isinstance(value, _NUMBERS) else outcome.ljust(widths[0])
        drawn = bar(d.chance(value), room, plain=plain) if room >= LEAST_BAR else ""
        middle = f"  {chance.rjust(widths[1])}" if widths[1] else ""
        lines.append(f"{left}{middle}  {shown.rjust(widths[2])}  {drawn}".rstrip())
    return "\n".join([*lines, *_foot(d, kept), *note.splitlines()])


def _note(d: Bars, chances: list[str]) -> str:
    """Return what a reader should know of long fractions; empty if there are none."""
    is_long = any(len(chance) > _LONGEST_BESIDE and "/" in chance for chance in chances)
    return "" if not is_long else CUT if d.shortens else LEFT_OUT


def _foot(d: Bars, kept: list[Any]) -> list[str]:
    lines = []
    if len(kept) < len(d.weights):
        rest = 1 - d.remainder - sum(d.chance(value) for value in kept)
        lines.append(f"and {len(d.weights) - len(kept)} more, together {percent(rest)}")
    if d.remainder:
        lines.append(f"not computed: {chance_text(d.remainder)}")
        lines += d.why
        lines += [] if d.mean is None else [f"mean {number_text(d.mean)}"]
    elif len(d.weights) > 1 and all(isinstance(value, _NUMBERS) and not isinstance(value, bool) for value in d.weights):
        mean = Fraction(sum(value * weight for value, weight in d.weights.items())) / d.total
        lines.append(f"mean {number_text(mean)}")
    return lines


def _likeliest(d: Bars, rows: int) -> list[Any]:
    """Return the outcomes to show, in order: the most likely ones; yes before no."""
    weights = d.weights
    if all(isinstance(value, bool) for value in weights):
        return sorted(weights, reverse=True)
    if len(weights) <= rows:
        return list(weights)
    kept = set(sorted(weights, key=weights.__getitem__, reverse=True)[:rows])
    return [value for value in weights if value in kept]


def _without_long_tail(d: Bars, kept: list[Any]) -> list[Any]:
    """Return the outcomes with a meaningful percentage, if there is a long tail of unlikely ones, else all."""
    likely = [value for value in kept if not percent(d.chance(value)).startswith("<")]
    return likely if likely and len(kept) - len(likely) > _MOST_UNLIKELY else kept


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def as_html(d: Bars) -> str:
    """Draw a distribution as an HTML table with bars."""
    kept = _likeliest(d, 100)
    rows = "".join(_row(d, value) for value in kept)
    return (
        f'<table class="enfilade-odds"><caption>{escape(d.heading)}</caption>'
        "<thead><tr><th>outcome</th><th>chance</th><th>percent</th><th></th></tr></thead>"
        f"<tbody>{rows}{html_notes(_foot(d, kept), 4)}</tbody></table>"
    )


def _row(d: Bars, value: Any) -> str:
    chance = d.beside(value)
    shown = chance if len(chance) <= 2 * SHORT else ""
    width = decimal(d.chance(value) * 100, 1)
    drawn = f'<div style="background:#4c78a8;height:0.8em;width:{width}%"></div>'
    return (
        f"<tr><td>{escape(d.text(value))}</td><td>{shown}</td><td>{escape(percent(d.chance(value)))}</td>"
        f'<td style="min-width:12em">{drawn}</td></tr>'
    )


def vega_lite(d: Bars) -> dict[str, Any]:
    """Describe a bar chart of a distribution in Vega-Lite."""
    kept = _likeliest(d, _MOST_PLOTTED)
    numbers = all(isinstance(value, int) and not isinstance(value, bool) for value in kept)
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": d.heading,
        "data": {"values": [_point(d, value, numbers=numbers) for value in kept]},
        "mark": "bar",
        "encoding": {
            "x": {
                "field": "outcome",
                "type": "ordinal",
                "sort": None,
                "title": d.axis or "outcome",
            },
            "y": {"field": "chance", "type": "quantitative", "title": "chance"},
            "tooltip": [{"field": "outcome"}, {"field": "exactly", "title": "chance"}],
        },
    }


def _point(d: Bars, value: Any, *, numbers: bool) -> dict[str, Any]:
    return {
        "outcome": value if numbers else d.text(value),
        "chance": float(d.chance(value)),
        "exactly": d.exactly(value),
    }
