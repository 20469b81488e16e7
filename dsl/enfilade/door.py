"""The door of the library: what every call from outside passes before it does anything.

``door`` makes a function public. It reads each argument by the annotation of its parameter, it gives the call the time and
the memory of its limits, and what Python can't carry any further (its stack, its largest number) ends with an error of
ours. ``late_door`` reads the arguments only after a failure: for short functions that are called very often.

The annotation is the one description of a parameter: for readers, for type checkers and here. Words for annotations that
say more than a class are in ``ALIASES``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, update_wrapper
from inspect import Parameter, signature, unwrap
from numbers import Integral, Rational, Real
from operator import index
from os import PathLike
from types import FunctionType, GeneratorType
from typing import Any, Final, TypeAlias, TypeVar

from attrs import field, frozen

from enfilade.errors import ArgumentError, EnfiladeError, LimitError
from enfilade.limits import Limits, beyond_python, check_time, in_force, in_one_call, one_call

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)
Reading: TypeAlias = Callable[[str, Any], Any]
BigInt: TypeAlias = int
"""A whole number of any size; an ``int`` in an annotation counts something."""

ALIASES: Final = {
    "ArrayGenerator": "Random | int | None",
    "Executor": "Submits",
    "Finder": "Any",
    "Fragment": "tuple[str, str]",
    "Line": "tuple[Fragment, ...]",
    "KnownRecord": "Any",
    "Length": "Literal['short', 'usual', 'all']",
    "Order": "Any",
    "Parts": "Callable",
    "Place": "str | PathLike",
    "Policies": "Mapping[str, str | Callable] | Callable",
    "Progress": "Callable",
    "Question": "FactQuestion | RollQuestion | ChoiceQuestion | DrawQuestion",
    "RandomGenerator": "Random",
    "Seed": "BigInt | str | CommittedDice | None",
    "Size": "int | tuple[int, ...]",
    "State": "Any",
    "Type": "AnyType",
}
"""What the names of unions and protocols in annotations stand for."""

_SHORT: Final = 20
_LONG: Final = 1_000
"""The letters of a text that is compared with the limit; names and questions are shorter."""
_MOST_COUNTED: Final = 10**15


@frozen
class _Kind:
    """What a parameter takes.

    Attributes:
        words: What it takes, in words.
        fits: Whether a value is one, its parts aside.
        inside: Reads the parts of a value; ``None`` if it has none.
        schema: What of these values JSON can say, as a JSON schema.
    """

    words: str
    fits: Callable[[Any], bool]
    inside: Reading | None = None
    schema: Mapping[str, Any] = field(factory=dict)

    def read(self, name: str, value: Any) -> Any:
        """Return the value as the function gets it.

        Args:
            name: The parameter, or a part of it, in words.
            value: What came.

        Raises:
            ArgumentError: It is none of this kind.
            LimitError: It is too long.
        """
        if self.fits(value):
            return value if self.inside is None else self.inside(name, value)
        raise ArgumentError(f"{name} takes {self.words}, not {came(value)}")


def came(value: Any) -> str:
    """What came instead of an argument, in a word: a short text itself, else the kind of the value.

    Examples:
        >>> came(None), came([1]), came("two")
        ('None', 'list', "'two'")
    """
    if isinstance(value, str) and len(value) <= _SHORT:
        return repr(value)
    return "None" if value is None else type(value).__name__


def read_argument(name: str, value: Any, annotation: str) -> Any:
    """Read one argument by an annotation.

    Args:
        name: The parameter.
        value: The argument.
        annotation: The annotation, as it is written.

    Returns:
        The value; a series that can be read once only as a list.

    Raises:
        ArgumentError: The value is of another kind.
        LimitError: A text or a series is longer than the limits in force allow.

    Examples:
        >>> read_argument("within", iter([1, 2]), "Iterable[Any] | None")
        [1, 2]
        >>> read_argument("workers", "two", "int | None")
        Traceback (most recent call last):
        enfilade.errors.ArgumentError: workers takes a whole number or None, not 'two'
    """
    return _kind(annotation).read(name, value)


def schema_of(annotation: str) -> Mapping[str, Any]:
    """The JSON schema of what an annotation takes; an empty one takes anything.

    Examples:
        >>> schema_of("str | list[str]")
        {'anyOf': [{'type': 'string'}, {'type': 'array', 'items': {'type': 'string'}}]}
    """
    return _kind(annotation).schema


def bounded(name: str, values: Iterable[Any], most: int | None = None) -> Iterator[Any]:
    """Read no more of a series than a limit allows.

    Args:
        name: What it is, for the error.
        values: The series, which may have no end.
        most: The limit; the length of a list if not given.

    Raises:
        LimitError: It is longer.

    Examples:
        >>> from itertools import count
        >>> list(bounded("dice", count(), 3))
        Traceback (most recent call last):
        enfilade.errors.LimitError: dice is longer than 3 values
    """
    most = in_force().length if most is None else most
    for number, value in enumerate(values):
        if number == most:
            raise LimitError("length", f"{name} is longer than {most:,} values")
        check_time()
        yield value


def require_between(name: str, value: int, low: int, high: int | None = None) -> int:
    """Return a number that lies between two others.

    Args:
        name: The parameter.
        value: The number.
        low: The lowest that is allowed.
        high: The highest; ``None`` if there is none.

    Raises:
        ArgumentError: It does not.

    Examples:
        >>> require_between("trials", 0, 1)
        Traceback (most recent call last):
        enfilade.errors.ArgumentError: trials must be 1 or more, not 0
    """
    if value < low or (high is not None and value > high):
        allowed = f"{low:,} or more" if high is None else f"{low:,} to {high:,}"
        raise ArgumentError(f"{name} must be {allowed}, not {shown_number(value)}")
    return value


def shown_number(value: int) -> str:
    """A number for a message, which may be too long to write."""
    return f"{value:,}" if value.bit_length() <= _LONGEST_SHOWN else f"a number of {value.bit_length():,} bits"


_LONGEST_SHOWN: Final = 200


# ----------------------------------------------------------------------------------------------------- annotations


def _is(kind: type) -> Callable[[Any], bool]:
    """A check for numbers; yes and no are none."""
    return lambda value: isinstance(value, kind) and not isinstance(value, bool)


def _counted(name: str, value: Any) -> int:
    """A number that counts something: one that no machine counts to is a slip."""
    return require_between(name, index(value), -_MOST_COUNTED, _MOST_COUNTED)


def _of_length(name: str, value: str) -> str:
    if len(value) > _LONG and len(value) > in_force().text:
        raise LimitError("text", f"{name} is longer than {in_force().text:,} letters")
    return value


ANYTHING: Final = _Kind("anything", lambda value: True)


_KINDS: Final = {
    "Any": ANYTHING,
    "object": ANYTHING,
    "None": _Kind("None", lambda value: value is None, schema={"type": "null"}),
    "str": _Kind("a str", lambda value: isinstance(value, str), _of_length, {"type": "string"}),
    # A text of rules: that it is too long is a diagnostic, with the limit of the ruleset.
    "Text": _Kind("a str", lambda value: isinstance(value, str), schema={"type": "string"}),
    "bytes": _Kind("bytes", lambda value: isinstance(value, bytes)),
    "bool": _Kind(
        "True or False",
        lambda value: value is True or value is False or type(value).__name__ == "bool",
        schema={"type": "boolean"},
    ),
    "int": _Kind("a whole number", _is(Integral), _counted, {"type": "integer"}),
    # A number of any size, which counts nothing.
    "BigInt": _Kind("a whole number", _is(Integral), lambda name, value: index(value), {"type": "integer"}),
    "float": _Kind("a number", _is(Real)),
    "Fraction": _Kind("a fraction or a whole number", _is(Rational)),
    "PathLike": _Kind("a path", lambda value: isinstance(value, PathLike)),
    "Path": _Kind("a path", lambda value: isinstance(value, PathLike)),
    "Callable": _Kind("a function", callable),
    "Random": _Kind("a generator of random numbers", lambda value: callable(getattr(value, "random", None))),
    "Submits": _Kind("an executor", lambda value: callable(getattr(value, "submit", None))),
    "AnyType": _Kind("a type", lambda value: type(value).__module__ == "enfilade.values.types"),
    "BinaryIO": _Kind("a binary stream", lambda value: hasattr(value, "read") or hasattr(value, "write")),
    "TextIO": _Kind("a stream", lambda value: hasattr(value, "read") or hasattr(value, "write")),
}
"""Annotations of one word that are no class of this library."""

_SERIES: Final[Mapping[str, tuple[str, type]]] = {
    "Iterable": ("a series", Iterable), "Collection": ("a series", Collection), "Sequence": ("a list", Sequence),
    "list": ("a list", Sequence), "tuple": ("a list", tuple), "set": ("a set", Collection),
}  # fmt: skip
_MAPPINGS: Final = ("Mapping", "dict")


@cache
def _kind(annotation: str) -> _Kind:
    return _kind_of(ast.parse(annotation.strip(), mode="eval").body)


def _kind_of(node: ast.expr) -> _Kind:
    """The kind that an annotation says."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _either(_kind_of(left), _kind_of(right))
        case ast.Constant(value=None):
            return _KINDS["None"]
        case ast.Constant(value=str() as text):
            return _kind(text)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _named(name)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inside):
            return _named(name, inside.elts if isinstance(inside, ast.Tuple) else [inside])
    raise AssertionError(f"no kind of parameter: {ast.unparse(node)}")


def _either(left: _Kind, right: _Kind) -> _Kind:
    """One of two kinds; they are tried in this order."""

    def inside(name: str, value: Any) -> Any:
        return (left if left.fits(value) else right).read(name, value)

    schema = {"anyOf": [left.schema, right.schema]} if left.schema and right.schema else {}
    return _Kind(f"{left.words} or {right.words}", lambda value: left.fits(value) or right.fits(value), inside, schema)


def _named(name: str, parts: Sequence[ast.expr] = ()) -> _Kind:
    """The kind that the name of an annotation says; *parts* are the annotations in brackets behind the name."""
    if name in ALIASES:
        return _kind(ALIASES[name])
    if name in _KINDS:
        return _KINDS[name]
    if name == "Literal":
        allowed = [part.value for part in parts if isinstance(part, ast.Constant)]
        words, schema = " or ".join(map(repr, allowed)), {"type": "string", "enum": allowed}
        return _Kind(words, lambda value: isinstance(value, str) and value in allowed, schema=schema)
    if name in _MAPPINGS:
        return _mapping(*map(_kind_of, parts))
    if name in _SERIES:
        items = [_kind_of(part) for part in parts if not (isinstance(part, ast.Constant) and part.value is ...)]
        return _pair(items) if len(items) > 1 else _series(name, *items)
    if len(name) == 1:
        # A type variable.
        return ANYTHING
    # By name, so that no module is imported only to look at an argument.
    return _Kind(
        f"{'an' if name[0] in 'AEIOU' else 'a'} {name}",
        lambda value: any(each.__name__ == name for each in type(value).__mro__),
    )


def _mapping(key: _Kind = ANYTHING, item: _Kind = ANYTHING) -> _Kind:
    def inside(name: str, value: Any) -> Any:
        return {
            key.read(f"a name in {name}", each): item.read(f"{name}[{each!r}]", value[each])
            for each in bounded(name, value)
        }

    # The names of facts and of other values of the rules are read with the values.
    schema = {"type": "object", "additionalProperties": item.schema} if item.schema else {"type": "object"}
    return _Kind("a mapping", lambda value: isinstance(value, Mapping), None if item is ANYTHING else inside, schema)


def _pair(items: Sequence[_Kind]) -> _Kind:
    def inside(name: str, value: Any) -> Any:
        return tuple(kind.read(f"an item of {name}", each) for kind, each in zip(items, value, strict=True))

    return _Kind(
        f"a tuple of {' and '.join(kind.words for kind in items)}",
        lambda value: isinstance(value, (tuple, list)) and len(value) == len(items),
        inside,
    )


def _series(name: str, item: _Kind = ANYTHING) -> _Kind:
    words, kind = _SERIES[name]

    def fits(value: Any) -> bool:
        wanted = Sequence if kind is tuple else kind
        return isinstance(value, wanted) and not isinstance(value, (str, bytes, PathLike))

    def inside(name: str, value: Any) -> Any:
        read = bounded(name, value)
        found = list(read) if item is ANYTHING else [item.read(f"an item of {name}", each) for each in read]
        return tuple(found) if kind is tuple else value if isinstance(value, Collection) else found

    schema = {"type": "array", "items": item.schema} if item.schema else {"type": "array"}
    return _Kind(words if item is ANYTHING else f"{words} of {item.words} each", fits, inside, schema)


# ------------------------------------------------------------------------------------------------------------ calls


@cache
def _kinds_of(function: Callable[..., Any]) -> tuple[Sequence[tuple[str, _Kind]], Mapping[str, _Kind]]:
    """The kinds of a function's parameters, worked out at its first call: a program pays only for what it uses.

    Returns:
        The name and the kind of each parameter that may be given by position, the last of them for all further ones; and
        the kind of each parameter by name.
    """
    parameters = [each for each in signature(function).parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    kinds = {each.name: _kind_of_parameter(each) for each in parameters}
    by_place = [(each.name, kinds[each.name]) for each in parameters if each.kind is not Parameter.KEYWORD_ONLY]
    return by_place or [("", ANYTHING)], kinds


def _kind_of_parameter(parameter: Parameter) -> _Kind:
    if parameter.name in ("self", "cls") or parameter.annotation is Parameter.empty:
        return ANYTHING
    known = parameter.annotation
    return _named(known.__name__) if isinstance(known, type) else _kind(str(known))


def _reader(function: Callable[..., Any]) -> Callable[[tuple[Any, ...], dict[str, Any]], list[Any]]:
    """Return a function that reads the arguments of a call: those by position are returned, those by name replaced."""

    def read(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        places, names = _kinds_of(function)
        for name, value in kwargs.items():
            try:
                kwargs[name] = names.get(name, ANYTHING).read(name, value)
            except ArgumentError as wrong:
                raise _meant_as_fact(wrong, name, args) from None
        found = list(args)
        for at, each in enumerate(args):
            name, kind = places[min(at, len(places) - 1)]
            if kind is not ANYTHING:
                found[at] = kind.read(name, each)
        return found

    return read


def _meant_as_fact(wrong: ArgumentError, name: str, args: tuple[Any, ...]) -> ArgumentError:
    """The error of an argument; it says how a fact is given that has the name of the argument."""
    facts = getattr(getattr(args[0], "program", None), "facts", ()) if args else ()
    return ArgumentError(f"{wrong}; the fact {name} is given as given={{'{name}': ...}}") if name in facts else wrong


def _limits_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Limits | None:
    """The limits of a call: its own, else those of its object or of the ruleset of its object.

    Returns:
        The limits; ``None`` for those in force, if they need no clock.
    """
    now = in_force()
    of = args[0] if args else None
    found = kwargs.get("limits", getattr(of, "limits", getattr(getattr(of, "rules", None), "limits", None)))
    limits = found if isinstance(found, Limits) else now
    return limits if limits is not now or limits.is_timed else None


def door(function: F, *, odds: bool = False) -> F:
    """Make a function public: its arguments are read, its call has limits, its errors are ours.

    Args:
        function: The function.
        odds: Whether it asks questions of odds, which have a time of their own.
    """
    # What is called within has to be a local name, because the call gets the global names of the function.
    read, limits_of, one, beyond = _reader(function), _limits_of, one_call, beyond_python
    generator, steps = GeneratorType, in_one_call

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            limits = limits_of(args, kwargs)
            if limits is None:
                return function(*read(args, kwargs), **kwargs)
            with one(limits, odds=odds and limits.is_timed):
                found = function(*read(args, kwargs), **kwargs)
            return steps(limits, found) if type(found) is generator else found
        except (RecursionError, OverflowError, MemoryError) as error:
            raise beyond(error) from None

    return _in_place_of(function, call)


def odds_door(function: F) -> F:
    """Make a function public that asks questions of odds."""
    return door(function, odds=True)


def late_door(function: F) -> F:
    """Make a function public that is called very often: its arguments are read only if it fails."""
    read, ours, beyond = _reader(function), EnfiladeError, beyond_python

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except ours:
            raise
        except (RecursionError, OverflowError, MemoryError) as error:
            raise beyond(error) from None
        except Exception:
            read(args, kwargs)
            raise

    return _in_place_of(function, call)


def with_doors(kind: C, make: Callable[[Any], Any] = door) -> C:
    """Make the methods of a class public; operators, which are short and called often, have late doors.

    A method that has a door of its own keeps it.

    Args:
        kind: The class.
        make: Makes a method public that is no operator.
    """
    for name, method in list(vars(kind).items()):
        inside = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
        is_operator = name in _OPERATORS
        if isinstance(inside, FunctionType) and not is_public(inside) and (is_operator or not name.startswith("_")):
            made = late_door(inside) if is_operator else make(inside)
            setattr(kind, name, made if inside is method else type(method)(made))
    return kind


def with_late_doors(kind: C) -> C:
    """Make the methods of a class public, all of them short and called often."""
    return with_doors(kind, late_door)


_OPERATORS: Final = ("__init__", "__getitem__", "__contains__", "__add__", "__radd__", "__sub__", "__neg__")


def is_public(function: Any) -> bool:
    """Whether a function passes the door."""
    return getattr(function, "passes_the_door", False)


def _in_place_of(function: F, call: Callable[..., Any]) -> F:
    """Return the call under the name of the function, in its module, so that tools find it there."""
    assert isinstance(call, FunctionType)
    placed: Any = FunctionType(call.__code__, unwrap(function).__globals__, function.__name__, None, call.__closure__)
    update_wrapper(placed, function)
    placed.passes_the_door = True
    return placed  # type: ignore[no-any-return]
