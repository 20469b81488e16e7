"""Satisfiability of conditions, by enumeration: every value that can make a difference is tried.

A fact or a field is a variable; the constants it is compared with decide which values are tried. Any other condition
may be yes or no. So "never true" is certain, and "possible" may be wrong (a sound over-approximation).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, Final

from attrs import define, field

from enfilade.core import ir
from enfilade.core.operators import OPERATORS
from enfilade.core.types import Bool, Num, Type, Word

MAX_TRIALS: Final = 4_000
# In place of an expression whose mistake was reported: it may have any value.
POISON: Final = ir.Local("unknown")

_COMPARING: Final = {"is", "is not", "<", "<=", ">", ">=", "within", "even", "odd", "as severe", "as mild"}
_OTHER: Final = object()


@define
class Trials:
    """The variables of some conditions.

    Attributes:
        types: The types of facts and options by name.
        variables: Each variable with the constants it is compared with.
        is_exact: Whether every variable is a fact or an option, so each trial is a possible situation.
        is_clear: Whether nothing in them depends on a mistake already reported.
    """

    types: Mapping[str, Type]
    variables: list[tuple[ir.Expr, list[Any]]] = field(factory=list)
    is_exact: bool = True
    is_clear: bool = True

    def take(self, e: ir.Expr) -> None:
        """Collect the variables of a condition."""
        match e:
            case ir.Const():
                pass
            case ir.All() | ir.Any_():
                for item in e.items:
                    self.take(item)
            case ir.Not():
                self.take(e.of)
            case ir.Op() if (of := _compared(e)) is not None:
                self._variable(of).extend(_constants(e))
            case _:
                self._variable(e)

    def _variable(self, e: ir.Expr) -> list[Any]:
        for known, constants in self.variables:
            if known == e:
                return constants
        self.is_clear = self.is_clear and e != POISON
        is_of_set = isinstance(e, ir.Op) and e.name == "has" and isinstance(e.args[0], ir.Fact)
        self.is_exact = self.is_exact and (isinstance(e, (ir.Fact, ir.Option)) or is_of_set)
        self.variables.append((e, []))
        return self.variables[-1][1]

    def trials(self) -> Iterator[list[tuple[ir.Expr, Any]]] | None:
        """Every combination of values to try; ``None`` if there are too many, or if something is unclear."""
        choices = [self._values(e, constants) for e, constants in self.variables]
        if not self.is_clear or prod(len(values) for values in choices) > MAX_TRIALS:
            return None
        names = [e for e, _ in self.variables]
        return (list(zip(names, values, strict=True)) for values in product(*choices))

    def _values(self, e: ir.Expr, constants: list[Any]) -> list[Any]:
        type_ = self.types.get(e.name) if isinstance(e, (ir.Fact, ir.Option)) else None
        if not constants or isinstance(type_, Bool):
            return [True, False]
        if isinstance(type_, Word):
            return list(type_.words)
        numbers = sorted({each for each in constants if _is_number(each)})
        if not numbers:
            return [*dict.fromkeys(constants), _OTHER]
        none = [None] if None in constants else []
        return [*_numbers(numbers, type_ if isinstance(type_, Num) else Num(whole=False)), *none]


def is_never_true(conditions: Sequence[ir.Expr], types: Mapping[str, Type]) -> bool:
    """Whether some conditions are never true together.

    Args:
        conditions: The conditions.
        types: The types of facts and options by name.

    Examples:
        >>> fact = ir.Fact("companies")
        >>> one, two = (ir.Op("is", (fact, ir.Const(n))) for n in (1, 2))
        >>> is_never_true([one, two], {}), is_never_true([one], {})
        (True, False)
    """
    trials = _trials(conditions, types)
    found = trials.trials()
    return found is not None and not any(_is_true(ir.All(tuple(conditions)), trial) for trial in found)


def find_unmet(conditions: Sequence[ir.Expr], types: Mapping[str, Type]) -> list[tuple[str, Any]] | None:
    """A situation in which no condition is true, as facts and their values; ``None`` if none is known."""
    trials = _trials(conditions, types)
    found = trials.trials()
    if not trials.is_exact or found is None:
        return None
    for trial in found:
        if not _is_true(ir.Any_(tuple(conditions)), trial):
            return [(_text_of(e), value) for e, value in trial]
    return None


def _trials(conditions: Sequence[ir.Expr], types: Mapping[str, Type]) -> Trials:
    trials = Trials(types)
    for condition in conditions:
        trials.take(condition)
    return trials


def _is_true(e: ir.Expr, trial: list[tuple[ir.Expr, Any]]) -> bool:
    match e:
        case ir.Const():
            return bool(e.value)
        case ir.All():
            return all(_is_true(item, trial) for item in e.items)
        case ir.Any_():
            return any(_is_true(item, trial) for item in e.items)
        case ir.Not():
            return not _is_true(e.of, trial)
        case ir.Op() if (of := _compared(e)) is not None:
            return _compare(e, next(value for known, value in trial if known == of))
    return next(value for known, value in trial if known == e) not in (False, _OTHER)


def _compare(e: ir.Op, value: Any) -> bool:
    if value is _OTHER or (value is None and e.name not in ("is", "is not")):
        return e.name == "is not"
    args = [arg.value if isinstance(arg, ir.Const) else value for arg in e.args]
    return bool(OPERATORS[e.name](*args))


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
    """The constants, the values on both sides of each, and the ends of the range."""
    near = {each + step for each in constants for step in (-2, -1, 0, 1, 2)}
    near |= {Fraction(a + b) / 2 for a, b in pairwise(constants)}
    near |= {end for end in (num.low, num.high) if end is not None}
    return sorted(
        each
        for each in near
        if (num.low is None or each >= num.low)
        and (num.high is None or each <= num.high)
        and (not num.whole or Fraction(each).denominator == 1)
    )


def _text_of(e: ir.Expr) -> str:
    if isinstance(e, (ir.Fact, ir.Option)):
        return e.name
    return e.span.text if e.span is not None else "it"
