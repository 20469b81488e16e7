"""Narrowing: what a condition tells about the values in it, where it is true and where it is not.

``when f is not none`` tells that ``f`` is there, ``when count of a > 0`` that ``a`` has elements, and ``when loss is K``,
of a number or a word, that ``loss`` is a word, and below ``otherwise`` that it is none of these words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final

from attrs import evolve

from enfilade.check.scope import Known, Scope
from enfilade.core import ir
from enfilade.values.types import CodeOf, Either, ListOf, Maybe, Num, OutputsOf, RecordOf, Type

_OPPOSITE: Final = {"is": "is not", "is not": "is", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED: Final = {"is": "is", "is not": "is not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_EMPTY: Final = (ir.Items(()), ir.Const(()))


def assuming(scope: Scope, condition: ir.Expr | None, holds: bool) -> Scope:
    """The scope of an expression that is evaluated only if a condition is true, or only if it is false."""
    known = {} if condition is None else _known_if(condition, holds, scope.known)
    return evolve(scope, known=scope.known | known) if known else scope


def learn(scope: Scope, condition: ir.Expr, holds: bool) -> None:
    """Note for the steps below that a condition is true, or that it is false."""
    scope.known.update(_known_if(condition, holds, scope.known))


def joined(first: Known, other: Known) -> Known:
    """What is known after one of two ways."""
    return {value: type_ for value, type_ in first.items() if other.get(value) == type_}


def _known_if(condition: ir.Expr, holds: bool, known: Known) -> Known:
    """The narrower types of values if a condition is true, or if it is false."""
    match condition:
        case ir.Not(of):
            return _known_if(of, not holds, known)
        case ir.All(items) | ir.Any_(items) if isinstance(condition, ir.All) == holds:
            return _in_each(items, holds, known)
        case ir.All(items) | ir.Any_(items):
            return reduce(joined, (_known_if(item, holds, known) for item in items))
        case ir.Op("has", (ir.Const(words), value)):
            return _narrowed(value, known, lambda type_: _among(type_, words, holds))
        case ir.Over("any", over=over) if holds:
            return _narrowed(over, known, lambda type_: _with_elements(type_, 1))
        case ir.Op(name, (value, other)) if name in _OPPOSITE:
            return _known_of_comparison(name if holds else _OPPOSITE[name], value, other, known)
    return {}


def _in_each(conditions: Iterable[ir.Expr], holds: bool, known: Known) -> Known:
    """What several conditions tell that are all true, or all false."""
    found: Known = {}
    for condition in conditions:
        found |= _known_if(condition, holds, known | found)
    return found


def _known_of_comparison(name: str, value: ir.Expr, other: ir.Expr, known: Known) -> Known:
    match value, other:
        case _, ir.Const(None):
            return _narrowed(value, known, _present) | _not_refused(value) if name == "is not" else {}
        case _, ir.Items() | ir.Const() if other in _EMPTY:
            return _narrowed(value, known, lambda type_: _with_elements(type_, 1)) if name == "is not" else {}
        case ir.Over("count", over=over, where=None), _ if isinstance(other.type, Num):
            least = _least_count(name, other.type)
            return _narrowed(over, known, lambda type_: _with_elements(type_, least))
        case _, ir.Over("count") if name in _MIRRORED:
            return _known_of_comparison(_MIRRORED[name], other, value, known)
        case _, ir.Const(str(word)) if name in ("is", "is not"):
            return _narrowed(value, known, lambda type_: _among(type_, (word,), name == "is"))
    return {}


def _not_refused(value: ir.Expr) -> Known:
    """The outputs of a call one of which is there: it was not refused, so the others are there as well."""
    match value:
        case ir.Part(of) if isinstance(of.type, OutputsOf) and of.type.refused == "sometimes":
            return {of: evolve(of.type, refused="never")}
    return {}


def _least_count(name: str, number: Num) -> int:
    """The least count for which a comparison with a number is true."""
    low = 0 if number.low is None else int(number.low)
    return {">": low + 1, ">=": low, "is": low, "is not": int(number.high == 0 and low == 0)}.get(name, 0)


def _narrowed(value: ir.Expr, known: Known, narrow: Callable[[Type], Type]) -> Known:
    before = known.get(value, value.type)
    type_ = narrow(before)
    return {} if type_ == before else {value: type_}


def _present(type_: Type) -> Type:
    match type_:
        case Maybe(of):
            return of
        case RecordOf(record, True):
            return RecordOf(record)
    return type_


def _with_elements(type_: Type, least: int) -> Type:
    match type_:
        case ListOf(_, known) if known < least:
            return evolve(type_, least=least)
    return type_


def _among(type_: Type, words: Iterable[str], holds: bool) -> Type:
    """A number or a word that is one of some words, or none of them."""
    match type_:
        case Maybe(of):
            narrowed = _among(of, words, holds)
            return type_ if narrowed == of else narrowed if holds else Maybe(narrowed)
        case Either(number, word):
            if holds:
                return word
            left = tuple(each for each in word.words if each not in words)
            others = evolve(word, codes=left) if isinstance(word, CodeOf) else evolve(word, words=left)
            return Either(number, others) if left else number
    return type_
