"""The parts of a ruleset that state rules, and which of them no line of the source document is named for.

- A modifier and each ``but`` of it, a section that limits modifiers, a result code, a refusal, a reason, an effect and
  an option count as named only if a line names them.
- A chart, a header of columns, a definition and a procedure count as named if a line names them or anything in them.
- A row, a case and a step count as named if a line names them or an output or refusal in them, or if a line names the
  whole and no line names a part. So a ledger that names one row of a chart must name them all.

A heading names a whole, but no part: a title states no rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from attrs import frozen

from enfilade.tools.rule_lines import Index, RuleLines

# The first pattern that fits a name gives its kind.
_KINDS: Final = {
    "row": r"(?:chart|columns) \S+(?: page .+?)? row (?!(?:above|below)$).+",
    "case": r"define \S+ cases? \S+",
    "step": r"procedure \S+ steps? \S+",
    "but": r"modifier \S+ but \d+",
    "modifier": r"modifier \S+",
    "section": r"modifiers \S+ (?:only the|for each|when).*",
    "code": r"results \S+ code .+",
    "refusal": r"refusal \S+",
    "reason": r"reason \S+",
    "effect": r"effect \S+",
    "option": r"option \S+",
    "chart": r"chart \S+",
    "columns": r"columns \S+",
    "define": r"define \S+",
    "procedure": r"procedure \S+",
}
_WHOLE_OF: Final = {"row": ("chart", "columns"), "case": ("define",), "step": ("procedure",)}
_WHOLES: Final = ("chart", "columns", "define", "procedure")
_SHORT: Final = re.compile(r"(?:modifier|refusal) [^.\s]+")

_Named: TypeAlias = tuple[str | None, RuleLines]


@frozen
class RuleItem:
    """A part of the rules that states a rule.

    Attributes:
        kind: The kind of part, such as ``modifier``.
        name: Its name in a ledger.
        places: Its lines. A name may stand for several parts, such as two refusals with one slug.
    """

    kind: str
    name: str
    places: tuple[RuleLines, ...]

    def __str__(self) -> str:
        """Write the name with its places."""
        return f"{self.name} ({', '.join(map(str, self.places))})"


def kind_of(name: str) -> str | None:
    """The kind of rule that a name in a ledger stands for; none for facts, dice and other names.

    Examples:
        >>> kind_of("modifier drm.night"), kind_of("procedure fire steps 2-4"), kind_of("fact night")
        ('modifier', 'step', None)
    """
    return next((kind for kind, pattern in _KINDS.items() if re.fullmatch(pattern, name)), None)


def rule_items(index: Index, files: Iterable[str]) -> Iterator[RuleItem]:
    """The parts that state rules, each once, under its full name.

    Args:
        index: The names in the ruleset.
        files: The names of the files that belong to the ruleset.
    """
    own = set(files)
    seen: set[_Named] = set()
    for name, places in index.items():
        kind = kind_of(name)
        here = tuple(place for place in places if place.source in own)
        if kind is None or _SHORT.fullmatch(name) or (kind, here[0] if here else None) in seen:
            continue
        seen |= {(kind, place) for place in here}
        if here:
            yield RuleItem(kind, name, here)


def unnamed(items: Iterable[RuleItem], names: Iterable[_Named], headings: Iterable[_Named]) -> Iterator[RuleItem]:
    """The parts that no line of the document is named for.

    Args:
        items: The parts that state rules.
        names: The kind and the lines of each rule that a line names.
        headings: The kind and the lines of each rule that a line is a heading of.
    """
    named = list(names)
    titles = set(headings)
    return (item for item in items if not any(_is_named(place, item.kind, named, titles) for place in item.places))


def _is_named(place: RuleLines, kind: str, named: list[_Named], titles: set[_Named]) -> bool:
    if (kind, place) in named:
        return True
    if kind in _WHOLES:
        return (kind, place) in titles or any(_inside(other, place) for _, other in named)
    if kind not in _WHOLE_OF:
        return False
    if kind == "step" and any(_inside(other, place) for _, other in named):
        return True
    around = [whole for what, whole in named if what in _WHOLE_OF[kind] and _inside(place, whole)]
    return any(not any(what == kind and _inside(part, whole) for what, part in named) for whole in around)


def _inside(inner: RuleLines, outer: RuleLines) -> bool:
    return inner.source == outer.source and outer.first <= inner.first and inner.last <= outer.last
