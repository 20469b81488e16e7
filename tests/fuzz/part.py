"""A part of the campaign: how its inputs are made, how one is run, and which exceptions are allowed.

An input is always a text, so one mutation, one reduction and one form of kept files serve all parts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from attrs import frozen

from enfilade import EnfiladeError

_ARGUMENTS: Final = "enfilade/api/arguments.py"


@frozen
class Part:
    """A part of the campaign.

    Attributes:
        name: The name, for ``--parts`` and the folder of kept files.
        inputs: Makes an endless series of inputs; the same generator gives the same series.
        run: Tries an input. All exceptions that ``is_allowed`` doesn't allow are defects.
        suffix: The suffix of kept files.
        slow: The seconds after which an input counts as slow: a script may ask for many odds, a text may not.
    """

    name: str
    inputs: Callable[[random.Random], Iterator[str]]
    run: Callable[[str], None]
    suffix: str = ".txt"
    slow: float = 2.0


def is_allowed(error: BaseException) -> bool:
    """Whether a call may raise this exception: an error of the library, or a ``TypeError`` that names the parameter.

    Examples:
        >>> is_allowed(IndexError())
        False
    """
    if isinstance(error, EnfiladeError):
        return True
    return isinstance(error, TypeError) and place_of(error).rpartition(":")[0].endswith(_ARGUMENTS)


def place_of(error: BaseException) -> str:
    """The innermost function that raised an exception; defects of one place are reported once."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    if frame is None:
        return "?"
    code = frame.tb_frame.f_code
    return f"{'/'.join(code.co_filename.split('/')[-3:])}:{code.co_name}"
