"""Checks of the arguments of public functions: a wrong type is a ``TypeError`` that names the parameter.

Values that the rules decide on, such as facts and dice, are not checked here: they raise ``InputError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from enfilade.core.inputs import external_names
from enfilade.engines.committed_dice import CommittedDice
from enfilade.errors import AnswerError, InputError, InputFault


def require_text(parameter: str, given: Any) -> str:
    """Return a text.

    Raises:
        TypeError: It is not a ``str``.

    Examples:
        >>> require_text("text", 5)
        Traceback (most recent call last):
        TypeError: text takes a str, not int
    """
    if not isinstance(given, str):
        raise _wrong_type(parameter, "a str", given)
    return given


def require_function(parameter: str, given: Any) -> Callable[[Any], Any]:
    """Return a function.

    Raises:
        TypeError: It can't be called.

    Examples:
        >>> require_function("change", {1: "low"})
        Traceback (most recent call last):
        TypeError: change takes a function, such as the method `get` of a mapping, not dict
    """
    if not callable(given):
        example = ", such as the method `get` of a mapping" if isinstance(given, Mapping) else ""
        raise _wrong_type(parameter, f"a function{example}", given)
    function: Callable[[Any], Any] = given
    return function


def require_place(parameter: str, given: Any) -> str | PathLike[str]:
    """Return a text or a path.

    Raises:
        TypeError: It is neither.
    """
    if not isinstance(given, (str, PathLike)):
        raise _wrong_type(parameter, "a str or a path", given)
    return given


def require_folders(parameter: str, given: Any) -> tuple[Path, ...]:
    """Return a series of paths.

    Raises:
        TypeError: It is a single path, or no series of paths.
    """
    if isinstance(given, (str, PathLike)) or not isinstance(given, Iterable):
        raise _wrong_type(parameter, "a list of paths", given)
    return tuple(Path(require_place(f"an item of {parameter}", place)) for place in given)


def require_texts(parameter: str, given: Any) -> dict[str, str]:
    """Return texts by name.

    Raises:
        TypeError: It is no mapping, or not one from texts to texts.
    """
    if not isinstance(given, Mapping):
        raise _wrong_type(parameter, "a mapping from file name to text", given)
    key, value = f"a name in {parameter}", f"a text in {parameter}"
    return {require_text(key, name): require_text(value, text) for name, text in given.items()}


def require_questions(given: Any) -> tuple[str, ...]:
    """Return the questions of ``of=``: one text, or several.

    Raises:
        TypeError: It is no text, and no list of texts.
    """
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Iterable):
        raise _wrong_type("of", "a string or a list of strings", given)
    return tuple(require_text("an item of `of`", each) for each in given)


def require_seed(given: Any) -> int | str | None:
    """Return a seed.

    Raises:
        TypeError: It is neither a whole number nor a text.
    """
    if given is not None and not isinstance(given, (int, str)):
        raise _wrong_type("seed", "an integer or a string", given)
    return given


def require_dice(given: Any, rules: str) -> int | str | CommittedDice | None:
    """Return a seed or committed dice.

    Args:
        given: The argument.
        rules: The digest of the ruleset.

    Raises:
        TypeError: It is neither.
        AnswerError: The dice are committed for another ruleset.
    """
    if not isinstance(given, CommittedDice):
        return require_seed(given)
    if given.rules != rules:
        raise AnswerError("these dice were committed for another ruleset")
    return given


def merged_facts(given: Any, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of ``given=`` and of the keywords; keywords take precedence.

    Raises:
        TypeError: *given* is not a mapping.
    """
    if given is None:
        return facts
    if not isinstance(given, Mapping):
        raise _wrong_type("given", "a mapping from fact to value", given)
    return {**given, **facts}


def check_not_facts(inputs: tuple[str, ...], facts: Mapping[str, Any], **arguments: Any) -> None:
    """Check that no argument of a method is meant as a fact of the same name.

    Args:
        inputs: The facts that may be given, by their names in the core.
        facts: The facts that are given.
        **arguments: The arguments that were passed, with the types that they may have.

    Raises:
        InputError: An argument that can't be one has the name of a fact that is not given.
    """
    for name, (value, types) in arguments.items():
        if value is None or isinstance(value, types) or name in facts:
            continue
        if name in external_names(inputs):
            allowed = f"given={{'{name}': ...}}"
            text = f"{name} is an argument of this method, so the fact {name} is given as {allowed}"
            raise InputError([InputFault(name, value, allowed, text)])


def _wrong_type(parameter: str, wanted: str, given: Any) -> TypeError:
    kind = "None" if given is None else type(given).__name__
    return TypeError(f"{parameter} takes {wanted}, not {kind}")
