"""Satisfiability of conditions, by enumeration of every value that can affect them.

A fact or a field is a variable; the constants compared with it determine the values to try. Any other condition
may be yes or no. So "never true" is certain, and "possible" may be wrong (a sound over-approximation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, Final, TypeAlias

from attrs import define, field

from enfilade.core import ir
from enfilade.core.operators import OPERATORS
from enfilade.values.types import Bool, Listed, Maybe, Num, Type, Word

MAX_TRIALS: Final = 4_000
# Replaces an expression with a reported mistake: the expression may have any value.
POISON: Final = ir.Local("unknown")

_COMPARING: Final = {"is", "is not", "<", "<=", ">", ">=", "within", "even", "odd", "as severe", "as mild"}
_OTHER: Final = object()

Test: TypeAlias = Callable[[Sequence[Any]], bool]
"""A condition over the values of its variables."""


@define
class Trials:
    """The variables of some conditions.

    Attributes:
        types: The types of facts and options by name.
        variables: Each variable with the constants it is compared with.
        is_exact: Whether every variable is a fact or an option, so each trial is a possible situation.
        tries_none: Whether a value that may be absent is tried as ``none`` as well.
        is_clear: Whether no condition depends on a mistake that is already reported.
    """

    types: Mapping[str, Type]
    variables: list[tuple[ir.Expr, list[Any]]] = field(factory=list)
    tries_none: bool = False
    is_exact: bool = True
    is_clear: bool = True

    def compile(self, e: ir.Expr) -> Test:
        """Collect the variables of a condition; return a test of the condition."""
        match e:
            case ir.Const():
                constant = bool(e.value)
                return lambda values: constant
            case ir.All():
                items = [self.compile(item) for item in e.items]
                return lambda values: all(item(values) for item in items)
            case ir.Any_():
                items = [self.compile(item) for item in e.items]
                return lambda values: any(item(values) for item in items)
            case ir.Not():
                of = self.compile(e.of)
                return lambda values: not of(values)
            case ir.Op() if (compared := _compared(e)) is not None:
                return _comparison(e, self._variable(compared, _constants(e)))
        index = self._variable(e, [])
        return lambda values: values[index] not in (False, _OTHER)

    def _variable(self, e: ir.Expr, constants: list[Any]) -> int:
        """The index of a variable; registers the constants compared with it."""
        for index, (known, others) in enumerate(self.variables):
            if known == e:
                others.extend(constants)
                return index
        self.is_clear = self.is_clear and e != POISON
        is_of_set = isinstance(e, ir.Op) and e.name == "has" and isinstance(e.args[0], ir.Fact)
        self.is_exact = self.is_exact and (isinstance(e, (ir.Fact, ir.Option)) or is_of_set)
        self.variables.append((e, constants))
        return len(self.variables) - 1

    def trials(self) -> Iterator[tuple[Any, ...]] | None:
        """Every combination of values to try; ``None`` if there are too many, or if something is unclear."""
        choices = [self._values(e, constants) for e, constants in self.variables]
        if not self.is_clear or prod(len(values) for values in choices) > MAX_TRIALS:
            return None
        return product(*choices)

    def _values(self, e: ir.Expr, constants: list[Any]) -> list[Any]:
        type_ = self.types.get(e.name) if isinstance(e, (ir.Fact, ir.Option)) else None
        if not constants or isinstance(type_, Bool):
            return [True, False]
        if isinstance(type_, Word):
            return list(type_.words)
        numbers = sorted({each for each in constants if _is_number(each)})
        if not numbers:
            return [*dict.fromkeys(constants), _OTHER]
        may_be_none = self.tries_none and isinstance(e.type, Maybe)
        others = [None] if None in constants or may_be_none else []
        others += [each for each in dict.fromkeys(constants) if each is not None and not _is_number(each)]
        return [*_numbers(numbers, type_ if isinstance(type_, Num) else Num(whole=False)), *others]


def is_never_true(conditions: Sequence[ir.Expr], types: Mapping[str, Type]) -> bool:
    """Whether the conditions can't all be true together.

    Args:
        conditions: The conditions.
        types: The types of facts and options by name.

    Examples:
        >>> fact = ir.Fact("companies")
        >>> one, two = (ir.Op("is", (fact, ir.Const(n))) for n in (1, 2))
        >>> is_never_true([one, two], {}), is_never_true([one], {})
        (True, False)
    """
    trials = Trials(types, tries_none=True)
    tests = [trials.compile(condition) for condition in conditions]
    found = trials.trials()
    return found is not None and not any(all(test(values) for test in tests) for values in found)


def find_covered(conditions: Sequence[ir.Expr], types: Mapping[str, Type]) -> list[int]:
    """The cases that never apply although each can be true: whenever one is, a case before it is.

    Args:
        conditions: The conditions of the cases, in their order.
        types: The types of facts and options by name.

    Examples:
        >>> fact = ir.Fact("companies")
        >>> find_covered([ir.Op(">", (fact, ir.Const(n))) for n in (2, 1, 3)], {})
        [2]
    """
    trials = Trials(types, tries_none=True)
    tests = [trials.compile(condition) for condition in conditions]
    found = trials.trials()
    left = None if found is None else list(found)
    covered = []
    for number, (condition, test) in enumerate(zip(conditions, tests, strict=True)):
        if left is None:
            # Too many values for all cases together: only those above this one are looked at.
            is_covered = is_never_true([condition, *map(ir.Not, conditions[:number])], types)
        else:
            others = [values for values in left if not test(values)]
            is_covered, left = len(others) == len(left), others
        if is_covered and not is_never_true([condition], types):
            covered.append(number)
    return covered


def find_unmet(conditions: Sequence[ir.Expr], types: Mapping[str, Type]) -> list[tuple[str, Any]] | None:
    """A situation in which no condition is true, as facts and their values; ``None`` if none is known."""
    trials = Trials(types)
    tests = [trials.compile(condition) for condition in conditions]
    found = trials.trials()
    if not trials.is_exact or found is None:
        return None
    for values in found:
        if not any(test(values) for test in tests):
            return [(_text_of(e), value) for (e, _), value in zip(trials.variables, values, strict=True)]
    return None


def _comparison(e: ir.Op, index: int) -> Test:
    """The test of a comparison of one variable with constants."""
    operator, is_equality = OPERATORS[e.name], e.name in ("is", "is not")
    is_of_numbers = e.name not in ("as severe", "as mild")

    def test(values: Sequence[Any]) -> bool:
        value = values[index]
        if value is _OTHER or (not is_equality and (value is None or (is_of_numbers and not _is_number(value)))):
            return e.name == "is not"
        return bool(operator(*[arg.value if isinstance(arg, ir.Const) else value for arg in e.args]))

    return test


def _compared(e: ir.Op) -> ir.Expr | None:
    """The variable that a comparison compares with constants, if there is exactly one."""
    variables = [arg for arg in e.args if not isinstance(arg, ir.Const)]
    return variables[0] if e.name in _COMPARING and len(variables) == 1 else None


def _constants(e: ir.Op) -> list[Any]:
    if e.name in ("even", "odd"):
        return [0]
    values = [arg.value for arg in e.args if isinstance(arg, ir.Const)]
    codes = [code for value in values if isinstance(value, tuple) for code in value]
    return codes or [value for value in values if value is not None or e.name != "within"]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def _numbers(constants: list[Any], num: Num) -> list[Any]:
    """The constants and the ends of the range, with the values beside each: of two neighbours one is even."""
    near = {each + step for each in constants for step in (-2, -1, 0, 1, 2)}
    near |= {Fraction(a + b) / 2 for a, b in pairwise(constants)}
    near |= set(num.values) if isinstance(num, Listed) else set()
    near |= {end + step for end in (num.low, num.high) if end is not None for step in (-1, 0, 1)}
    return sorted(
        each
        for each in near
        if (num.low is None or each >= num.low)
        and (num.high is None or each <= num.high)
        and (not num.whole or Fraction(each).denominator == 1)
        and (not isinstance(num, Listed) or each in num.values)
    )


def _text_of(e: ir.Expr) -> str:
    if isinstance(e, (ir.Fact, ir.Option)):
        return e.name
    return e.span.text if e.span is not None else "it"
