"""The decisions of best play as an expression: a small decision tree that agrees with all of them.

Where several options are best, any of them may be chosen, and states that play never comes to don't count. So the
tree is usually much smaller than the list of decisions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

from attrs import frozen

from enfilade.engines.odds import Decision


@frozen
class Row:
    """A decision: the values that are known, and the options that are best."""

    known: Mapping[str, Any]
    best: tuple[Any, ...]


@frozen
class Test:
    """A test of a known value: ``name is value``, or ``name <= value``."""

    name: str
    value: Any
    is_limit: bool

    def passes(self, row: Row) -> bool:
        """Whether the test is true for a row."""
        value = row.known[self.name]
        return bool(value <= self.value) if self.is_limit else _same(value, self.value)

    def text(self, *, negated: bool = False) -> str:
        """The test in the words of the rules, or its negation."""
        name = f"({self.name})" if re.search(r"[^\w.]", self.name) else self.name
        if isinstance(self.value, bool):
            return f"not {name}" if negated else name
        if self.is_limit:
            return f"{name} {'>' if negated else '<='} {written(self.value)}"
        return f"{name} {'is not' if negated else 'is'} {written(self.value)}"


@frozen
class Split:
    """A test and the trees for both answers."""

    test: Test
    yes: Tree
    no: Tree


@frozen
class Leaf:
    """What is chosen."""

    option: Any


Tree: TypeAlias = Split | Leaf
_PLAIN: Final = (bool, int, Fraction, str, type(None))


def rows_of(decisions: Sequence[Decision]) -> list[Row]:
    """The decisions of one choice, with the values that are known at all of them."""
    shared = [name for name, _ in decisions[0].known if all(name in dict(each.known) for each in decisions)]
    rows = []
    for each in decisions:
        known, worth = dict(each.known), dict(each.options)
        best = tuple(option for option, value in each.options if value == worth[each.chosen])
        rows.append(Row({name: known[name] for name in shared if isinstance(known[name], _PLAIN)}, best))
    return rows


def tests_of(rows: Sequence[Row]) -> list[Test]:
    """All tests that tell some rows apart."""
    found: dict[str, Test] = {}
    for name in rows[0].known if rows else ():
        values = [row.known[name] for row in rows if name in row.known]
        if len(values) < len(rows):
            continue
        for test in _tests(name, values):
            found.setdefault(test.text(), test)
    return list(found.values())


def _tests(name: str, values: Sequence[Any]) -> Iterator[Test]:
    different = list(dict.fromkeys((type(value), value) for value in values))
    if len(different) < 2:
        return
    if all(kind in (int, Fraction) for kind, _ in different):
        yield from (Test(name, value, True) for value in sorted(value for _, value in different)[:-1])
    elif all(kind is bool for kind, _ in different):
        yield Test(name, True, False)
    else:
        yield from (Test(name, value, False) for _, value in different)


def tree_of(rows: Sequence[Row], tests: Sequence[Test]) -> Tree | None:
    """A decision tree that agrees with all rows; ``None`` if the tests can't tell some of them apart.

    Each split is the one after which most rows agree (a greedy search).
    """
    shared = [option for option in rows[0].best if all(option in row.best for row in rows)]
    if shared:
        return Leaf(shared[0])
    parts = [(test, *_parted(rows, test)) for test in tests]
    parts = [(test, yes, no) for test, yes, no in parts if yes and no]
    if not parts:
        return None
    test, yes, no = min(parts, key=lambda part: _differing(part[1]) + _differing(part[2]))
    first, second = tree_of(yes, tests), tree_of(no, tests)
    return None if first is None or second is None else Split(test, first, second)


def _parted(rows: Sequence[Row], test: Test) -> tuple[list[Row], list[Row]]:
    yes = [row for row in rows if test.passes(row)]
    return yes, [row for row in rows if not test.passes(row)]


def _differing(rows: Sequence[Row]) -> int:
    """How many rows differ from the option that suits most."""
    counts = Counter(option for row in rows for option in row.best)
    return len(rows) - max(counts.values())


def text_of(tree: Tree) -> str:
    """A tree as an expression."""
    match tree:
        case Leaf(option):
            return written(option[0] if len(option) == 1 else option)
        case Split(test, yes, no):
            if _is_yes_no(tree):
                return _condition(tree)
            first = text_of(yes) if isinstance(yes, Leaf) else f"({text_of(yes)})"
            return f"{first} when {test.text()} otherwise {text_of(no)}"


def _is_yes_no(tree: Tree) -> bool:
    if isinstance(tree, Leaf):
        return len(tree.option) == 1 and isinstance(tree.option[0], bool)
    return _is_yes_no(tree.yes) and _is_yes_no(tree.no)


def _condition(tree: Tree) -> str:
    """A tree whose leaves are yes and no, as a condition."""
    if isinstance(tree, Leaf):
        return written(tree.option[0])
    test, not_ = tree.test.text(), tree.test.text(negated=True)
    yes, no = _condition(tree.yes), _condition(tree.no)
    match yes, no:
        case "yes", "no":
            return test
        case "no", "yes":
            return not_
        case "yes", _:
            return f"{test} or {_joined(no)}"
        case "no", _:
            return f"{not_} and {_joined(no)}"
        case _, "no":
            return f"{test} and {_joined(yes)}"
        case _, "yes":
            return f"{not_} or {_joined(yes)}"
    return f"({test} and {_joined(yes)}) or ({not_} and {_joined(no)})"


def _joined(condition: str) -> str:
    return f"({condition})" if re.search(r" (or|and) ", condition) else condition


def written(value: Any) -> str:
    """A value as the rules write it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, tuple):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, str) and not re.fullmatch(r"[A-Za-z_]\w*", value):
        return f'"{value}"'
    return str(value)


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)
